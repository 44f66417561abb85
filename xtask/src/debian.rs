//! Installs Debian packages where that can be done without asking (as root), else says which command does it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run::{answer, find, run, step};

/// Makes sure that the packages are there. `purpose` ends the sentence "... needed to".
pub fn install(packages: &[&str], purpose: &str) -> Result<()> {
    let line = format!("apt-get update && apt-get install -y --no-install-recommends {}", packages.join(" "));
    if !is_debian() {
        bail!("missing to {purpose}: on Debian the packages {}", packages.join(", "));
    }
    if answer(Command::new("id").arg("-u")).as_deref() != Some("0") {
        bail!(
            "Debian packages are missing to {purpose}. Run this, then the same command again:\n\n    sudo sh -c '{line}'"
        );
    }
    step(&format!("Install Debian packages to {purpose}: {}", packages.join(" ")));
    run(Command::new("apt-get").arg("update").env("DEBIAN_FRONTEND", "noninteractive"))
        .and_then(|()| {
            run(Command::new("apt-get")
                .args(["install", "-y", "--no-install-recommends"])
                .args(packages)
                .env("DEBIAN_FRONTEND", "noninteractive"))
        })
        .with_context(|| format!("Debian packages needed to {purpose} could not be installed"))
}

/// Whether this machine takes Debian packages.
pub fn is_debian() -> bool {
    Path::new("/etc/debian_version").exists() && find(&["apt-get"]).is_some()
}
