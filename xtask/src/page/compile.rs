//! Runs cargo for the page and reads the module that it leaves.

use std::fs;

use anyhow::{Context, Result};

use crate::clang::Clang;
use crate::project::Project;
use crate::run::run;
use crate::toolchain::{TARGET, Toolchain};

/// The compiled module, before wasm-bindgen.
pub fn compile(project: &Project, toolchain: &Toolchain, clang: &Clang) -> Result<Vec<u8>> {
    let mut build = toolchain.cargo_build(project);
    clang.provide(&mut build);
    // As a page alone: only then does cargo optimize across crates. It reads no faster for that, but what it depends on need not be
    // compiled on its own, most of which the page never calls: four minutes of processor time less.
    run(build.args(["--release", "--package", "memlens", "--lib", "--crate-type", "cdylib"]))?;
    let path = project.page_target().join(TARGET).join("release").join("memlens.wasm");
    fs::read(&path).with_context(|| format!("cargo built the page, but {} cannot be read", path.display()))
}
