//! Makes the page: one HTML file that holds everything and opens from disk.
//!
//! compile (cargo) -> glue (wasm-bindgen) -> assemble (template, policy) -> check (refuses ways out) -> dist/.
//! The steps after the compiler work on texts and bytes alone, so that each is tested by itself.

mod assemble;
mod check;
mod compile;
mod glue;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::clang::Clang;
use crate::project::Project;
use crate::run::{read_text, step, write};
use crate::toolchain::Toolchain;

/// Builds `dist/memlens.html` and the same bytes as `dist/site/index.html`; gives the first one's path.
pub fn build(project: &Project) -> Result<PathBuf> {
    let toolchain = Toolchain::get()?;
    let clang = Clang::get()?;
    step(&format!("Compile the page to WebAssembly ({}; {})", toolchain.name(), clang.name()));
    let compiled = compile::compile(project, &toolchain, &clang)?;

    step("Put the page into one file");
    let (glue, wasm) = glue::bind(compiled)?;
    let parts = parts(project, glue, wasm)?;
    check::check(&parts)?;
    let html = assemble::assemble(&parts)?;
    write(&project.page(), html.as_bytes())?;
    write(&project.dist().join("site").join("index.html"), html.as_bytes())?;
    println!(
        "    {} ({} KB, of which WebAssembly {} KB before packing)",
        project.page().display(),
        html.len() / 1024,
        parts.wasm.len() / 1024
    );
    Ok(project.page())
}

/// What the file is put together from.
pub struct Parts {
    /// `index.html` with its `{{names}}`.
    pub template: String,
    /// All style sheets of `www/`, in the order of their names.
    pub style: String,
    /// The icon, an SVG.
    pub icon: String,
    /// The script before the first paint.
    pub theme: String,
    /// wasm-bindgen's glue, without its loader.
    pub glue: String,
    /// The worker's start, a text for the Blob.
    pub worker_start: String,
    /// The page's start.
    pub start: String,
    /// The module after wasm-bindgen.
    pub wasm: Vec<u8>,
}

fn parts(project: &Project, glue: String, wasm: Vec<u8>) -> Result<Parts> {
    let www = project.root().join("www");
    Ok(Parts {
        template: read_text(&project.root().join("index.html"))?,
        style: style_sheets(&www)?,
        icon: read_text(&www.join("icon.svg"))?,
        theme: read_text(&www.join("theme.js"))?,
        glue,
        worker_start: read_text(&www.join("worker-start.js"))?,
        start: read_text(&www.join("start.js"))?,
        wasm,
    })
}

fn style_sheets(www: &std::path::Path) -> Result<String> {
    let mut sheets: Vec<PathBuf> = fs::read_dir(www)
        .with_context(|| format!("the folder {} cannot be listed", www.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "css"))
        .collect();
    sheets.sort();
    sheets.iter().map(|sheet| read_text(sheet)).collect()
}
