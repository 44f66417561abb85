//! Finds a compiler that can make WebAssembly, installing it where that can be done without asking.
//!
//! There are two ways. The toolchain that runs cargo has the standard library for wasm32 (`rustup target add` brings it).
//! Or Debian's `rustc-web`, which comes with the library's source and builds it first: RUSTC_BOOTSTRAP lets this stable
//! compiler do so. The first that works is taken and named.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::run::{answer, cargo, find, run, step};
use crate::{debian, run};

/// The target the page is built for.
pub const TARGET: &str = "wasm32-unknown-unknown";

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// A way to compile for wasm32.
pub enum Toolchain {
    /// The running toolchain has the standard library for wasm32.
    Complete,
    /// Debian's compiler builds the standard library; this program links.
    Debian {
        /// The linker: rustup's rust-lld or Debian's wasm-ld.
        linker: PathBuf,
    },
}

impl Toolchain {
    /// Takes what is there, else installs what can be installed.
    pub fn get() -> Result<Self> {
        if has_wasm_std() {
            return Ok(Toolchain::Complete);
        }
        if let Some(linker) = debian_ready() {
            return Ok(Toolchain::Debian { linker });
        }
        if find(&["rustup"]).is_some() {
            step("Add the WebAssembly standard library with rustup");
            if run(Command::new("rustup").args(["target", "add", TARGET])).is_ok() && has_wasm_std() {
                return Ok(Toolchain::Complete);
            }
            println!("    rustup could not bring it; looking for another way");
        }
        if !debian::is_debian() {
            bail!(
                "this Rust toolchain has no standard library for {TARGET}. Run this, then the same command again:\n\n    \
                 rustup target add {TARGET}"
            );
        }
        let mut packages = DEBIAN_PACKAGES.to_vec();
        if linker().is_none() {
            packages.push("lld");
        }
        debian::install(&packages, "compile the page to WebAssembly")?;
        let linker = debian_ready()
            .context("Debian's rustc-web was installed, but its source or a WebAssembly linker is still missing")?;
        Ok(Toolchain::Debian { linker })
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match self {
            Toolchain::Complete => format!("{} and its {TARGET}", version(Path::new("rustc"))),
            Toolchain::Debian { linker } => {
                format!(
                    "Debian's {}, its std built from source, {}",
                    version(Path::new(DEBIAN_RUSTC)),
                    linker.display()
                )
            }
        }
    }

    /// A `cargo rustc` that builds for wasm32; the caller adds what to build.
    pub fn cargo_build(&self, project: &Project) -> Command {
        let mut command = match self {
            Toolchain::Complete => cargo(),
            Toolchain::Debian { .. } => Command::new(DEBIAN_CARGO),
        };
        command.arg("rustc").args(["--target", TARGET]).current_dir(project.root());
        if let Toolchain::Debian { linker } = self {
            command
                .arg("-Zbuild-std=std,panic_abort")
                .env("RUSTC", DEBIAN_RUSTC)
                .env("RUSTC_BOOTSTRAP", "1")
                .env_remove("RUSTUP_TOOLCHAIN")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        // Not everything may be stripped: wasm-bindgen reads from the module which features the browser must have.
        command.env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
        command.env("CARGO_TARGET_DIR", project.page_target()).env("CARGO_ENCODED_RUSTFLAGS", flags(project));
        command
    }
}

/// 128-bit SIMD (memchr lives on it), and no path of this machine in the file that others get.
fn flags(project: &Project) -> String {
    // Views of erased types: spelled out, one view's type holds all below it and the compiler needs twice the time for it.
    let mut flags = vec!["-Ctarget-feature=+simd128".to_owned(), "--cfg=erase_components".to_owned()];
    flags.push(format!("--remap-path-prefix={}=memlens", project.root().display()));
    if let Some(home) =
        std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")))
    {
        flags.push(format!("--remap-path-prefix={}=cargo", home.display()));
    }
    flags.join("\u{1f}")
}

fn sysroot(rustc: &str) -> Option<PathBuf> {
    answer(Command::new(rustc).args(["--print", "sysroot"])).map(PathBuf::from)
}

fn has_wasm_std() -> bool {
    let Some(sysroot) = sysroot("rustc") else { return false };
    let Ok(files) = sysroot.join("lib/rustlib").join(TARGET).join("lib").read_dir() else { return false };
    files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
}

/// The linker, when Debian's compiler with the library's source is there too.
fn debian_ready() -> Option<PathBuf> {
    if !Path::new(DEBIAN_CARGO).exists() {
        return None;
    }
    let library = sysroot(DEBIAN_RUSTC)?.join("lib/rustlib/src/rust/library/std/Cargo.toml");
    if library.exists() { linker() } else { None }
}

fn linker() -> Option<PathBuf> {
    let host = answer(Command::new("rustc").arg("-vV"))?
        .lines()
        .find_map(|line| line.strip_prefix("host: ").map(str::to_owned));
    let bundled = sysroot("rustc")?.join("lib/rustlib").join(host?).join("bin/rust-lld");
    if bundled.is_file() {
        return Some(bundled);
    }
    run::find(&["wasm-ld", "wasm-ld-19", "wasm-ld-16", "wasm-ld-14"])
}

fn version(rustc: &Path) -> String {
    answer(Command::new(rustc).arg("--version")).unwrap_or_else(|| "rustc of unknown version".to_owned())
}
