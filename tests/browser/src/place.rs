//! Where the page is opened from, and where things lie on this machine.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// The name that Chromium resolves to this machine: plain http under a real name, so no secure context.
pub const PLAIN_NAME: &str = "intranet.test";

/// The three ways a person opens the page. Browsers allow a page different things in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file, from disk.
    Disk,
    /// From a server on this machine: counts as secure.
    LocalServer,
    /// From a server by plain http under a name: does not count as secure.
    PlainHttp,
}

impl Origin {
    /// All of them.
    pub const ALL: [Origin; 3] = [Origin::Disk, Origin::LocalServer, Origin::PlainHttp];
}

/// The built page; an error that says how to build it when it is missing.
pub fn page_path() -> Result<PathBuf> {
    let path = root().join("dist").join("memlens.html");
    if !path.is_file() {
        bail!("{} is missing. Build the page first: cargo xtask build", path.display());
    }
    Ok(path)
}

/// The address of a file on disk. Paths of tests are plain; `%`, `#` and `?` are escaped all the same.
pub fn file_url(path: &Path) -> String {
    let path = path.to_string_lossy().replace('%', "%25").replace('#', "%23").replace('?', "%3F").replace(' ', "%20");
    format!("file://{path}")
}

/// Where screenshots go.
pub fn pictures() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir)).join("browser")
}

/// The checkout. Cargo says at run time where it is; what was compiled in may be another one's.
fn root() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.ancestors().nth(2).unwrap_or(&here).to_path_buf()
}
