//! Finds a C compiler that can make WebAssembly, for SQLite's own source: clang 15 or newer with its archiver.
//!
//! The newest there is is taken and named; without one it is installed where that can be done without asking.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::debian;
use crate::run::{answer, find};
use crate::toolchain::TARGET;

/// The oldest clang that is taken, and the newest that is looked for by its number.
const OLDEST: u32 = 15;
const NEWEST: u32 = 30;
/// Debian's packages, the version most is known about first.
const DEBIAN_VERSIONS: [u32; 8] = [19, 22, 21, 20, 18, 17, 16, 15];

/// What SQLite is compiled without: the page reads plain tables and nothing else, and a person waits for every KB.
const SQLITE_FLAGS: [&str; 18] = [
    "-USQLITE_ENABLE_FTS5",
    "-USQLITE_ENABLE_RTREE",
    "-USQLITE_ENABLE_SESSION",
    "-USQLITE_ENABLE_PREUPDATE_HOOK",
    "-USQLITE_ENABLE_DBSTAT_VTAB",
    "-USQLITE_ENABLE_DBPAGE_VTAB",
    "-USQLITE_ENABLE_BYTECODE_VTAB",
    "-USQLITE_ENABLE_STMTVTAB",
    "-USQLITE_ENABLE_MATH_FUNCTIONS",
    "-USQLITE_ENABLE_OFFSET_SQL_FUNC",
    "-USQLITE_ENABLE_UNKNOWN_SQL_FUNCTION",
    "-USQLITE_ENABLE_UNLOCK_NOTIFY",
    "-USQLITE_ENABLE_API_ARMOR",
    "-USQLITE_ENABLE_COLUMN_METADATA",
    "-DSQLITE_OMIT_JSON",
    "-DSQLITE_OMIT_DESERIALIZE",
    "-DSQLITE_DEFAULT_MEMSTATUS=0",
    "-DSQLITE_DQS=0",
];

/// A compiler and its archiver.
pub struct Clang {
    compiler: PathBuf,
    archiver: PathBuf,
}

impl Clang {
    /// Takes what is there, else installs what can be installed.
    pub fn get() -> Result<Self> {
        if let Some(clang) = found() {
            return Ok(clang);
        }
        let version = DEBIAN_VERSIONS
            .into_iter()
            .find(|version| answer(Command::new("apt-cache").args(["show", &format!("clang-{version}")])).is_some())
            .unwrap_or(DEBIAN_VERSIONS[0]);
        let packages = [format!("clang-{version}"), format!("llvm-{version}")];
        debian::install(&packages.each_ref().map(String::as_str), "compile SQLite to WebAssembly")?;
        found().context(
            "clang was installed, but no clang of version 15 or newer makes WebAssembly, or llvm-ar is missing",
        )
    }

    /// What to call it.
    pub fn name(&self) -> String {
        format!("{} with {}", self.compiler.display(), self.archiver.display())
    }

    /// Lets cargo's build scripts compile C for the page.
    pub fn provide(&self, command: &mut Command) {
        let target = TARGET.replace('-', "_");
        command
            .env(format!("CC_{target}"), &self.compiler)
            .env(format!("AR_{target}"), &self.archiver)
            .env("SQLITE_WASM_RS_FLAGS", SQLITE_FLAGS.join(" "));
    }
}

fn found() -> Option<Clang> {
    let numbered = (OLDEST..=NEWEST).rev().map(|version| (format!("clang-{version}"), format!("llvm-ar-{version}")));
    numbered.chain([("clang".to_owned(), "llvm-ar".to_owned())]).find_map(|(compiler, archiver)| {
        let compiler = find(&[&compiler])?;
        if !makes_wasm(&compiler) {
            return None;
        }
        // Any version's archiver does; the compiler may bring its own.
        let beside = answer(Command::new(&compiler).arg("--print-prog-name=llvm-ar")).map(PathBuf::from);
        let archiver = find(&[&archiver, "llvm-ar"]).or(beside.filter(|path| path.is_absolute() && path.is_file()))?;
        Some(Clang { compiler, archiver })
    })
}

fn makes_wasm(compiler: &Path) -> bool {
    let version = answer(Command::new(compiler).arg("-dumpversion"));
    let major = version.and_then(|version| version.split('.').next()?.parse::<u32>().ok());
    let targets = answer(Command::new(compiler).arg("--print-targets")).unwrap_or_default();
    major.is_some_and(|major| major >= OLDEST) && targets.contains("wasm32")
}
