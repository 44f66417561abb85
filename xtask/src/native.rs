//! Builds the native command. It has the page's engine and none of the page, so it builds without the `web` feature.

use std::path::PathBuf;

use anyhow::Result;

use crate::project::Project;
use crate::run::{cargo, run, step};

/// Builds `target/release/memlens` and says where it is.
pub fn build(project: &Project) -> Result<PathBuf> {
    step("Build the native command");
    run(cargo()
        .args(["build", "--release", "--package", "memlens", "--bin", "memlens", "--no-default-features"])
        .current_dir(project.root()))?;
    let command = project.target().join("release").join(format!("memlens{}", std::env::consts::EXE_SUFFIX));
    println!("    {}", command.display());
    Ok(command)
}
