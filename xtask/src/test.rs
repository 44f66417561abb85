//! The whole test: what a change must pass, in the order in which a mistake is found soonest.

use std::path::Path;

use anyhow::{Context, Result};

use crate::project::Project;
use crate::run::{cargo, find, run, step};
use crate::{debian, page};

/// Runs every step and stops at the first that fails, naming it.
pub fn test(project: &Project) -> Result<()> {
    step("Set up the browser");
    browser().context("the browser tests have no browser")?;

    cargo_step(project, "Formatting", &["fmt", "--all", "--check"])?;
    let deny = ["--", "-D", "warnings"];
    cargo_step(
        project,
        "Lints, all of it with the page",
        &[&["clippy", "--workspace", "--all-targets"][..], &deny].concat(),
    )?;
    cargo_step(
        project,
        "Lints, the command without the page (its tests were linted with it)",
        &[&["clippy", "--package", "memlens", "--no-default-features"][..], &deny].concat(),
    )?;
    cargo_step(project, "Native tests", &["test", "--workspace", "--exclude", "browser-tests"])?;
    page::build(project).context("the step \"Build the page\" failed")?;
    cargo_step(project, "Browser tests", &["test", "--package", "browser-tests"])?;
    step("All passed");
    Ok(())
}

fn cargo_step(project: &Project, name: &str, arguments: &[&str]) -> Result<()> {
    step(name);
    run(cargo().args(arguments).current_dir(project.root())).with_context(|| format!("the step \"{name}\" failed"))
}

/// Chromium, its driver, and letters for Chinese, so that a screenshot shows what a person sees.
fn browser() -> Result<()> {
    let mut missing = Vec::new();
    if find(&["chromium", "google-chrome", "chrome"]).is_none() {
        missing.push("chromium");
    }
    if find(&["chromedriver"]).is_none() {
        missing.push("chromium-driver");
    }
    if debian::is_debian() && !Path::new("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc").exists() {
        missing.push("fonts-noto-cjk");
    }
    if missing.is_empty() {
        println!("    Chromium and its driver are there");
        return Ok(());
    }
    debian::install(&missing, "test the page in a browser")
}
