//! Where things are: the checkout, the target folder, dist. Knows paths only; builds nothing.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The checkout that this xtask belongs to.
pub struct Project {
    root: PathBuf,
    target: PathBuf,
}

impl Project {
    /// Finds the checkout by the place of xtask's own source, so that any current folder works. Cargo says at run time
    /// where that is; what was compiled in may be another checkout's, when two share a target folder.
    pub fn here() -> Result<Self> {
        let here = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root = here.parent().with_context(|| format!("{} has no folder above it", here.display()))?;
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(dir) => env::current_dir().context("the current folder cannot be read")?.join(dir),
            None => root.join("target"),
        };
        Ok(Project { root: root.to_path_buf(), target })
    }

    /// The checkout's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where cargo puts what it builds for this machine.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Where cargo puts what it builds for the page: a folder of its own, because another compiler may build it.
    pub fn page_target(&self) -> PathBuf {
        self.target.join("page")
    }

    /// What a person takes away.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// The one file.
    pub fn page(&self) -> PathBuf {
        self.dist().join("memlens.html")
    }
}
