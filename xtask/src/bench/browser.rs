//! Measures the built page in a real browser. The work is the program `page-bench`'s, which lies with the browser tests: it
//! drives a browser as they do, and xtask stays quick to build without it.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::Plan;
use super::figure::{Figure, Figures};
use super::inputs::{DATABASE, DATABASES, Input, MANY, warm};
use crate::page;
use crate::project::Project;
use crate::run::{cargo, run, step};

/// Builds the page and measures it.
pub fn measure(project: &Project, plan: &Plan, figures: &mut Figures) -> Result<()> {
    page::build(project)?;
    let mut inputs = vec![("sample", Input::text(1, plan.sample_mb))];
    if !plan.quick {
        inputs.extend([("ranks", Input::text(4, 100)), ("100", Input::text(1, 100)), ("1000", Input::text(1, 1000))]);
    }
    if plan.large {
        inputs.extend([
            ("2000", Input::text(1, 2000)),
            ("4000", Input::text(1, 4000)),
            ("many", MANY),
            ("database", DATABASE),
            ("databases", DATABASES),
        ]);
    }
    let results = project.target().join("bench").join("page.json");
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "browser-tests", "--bin", "page-bench", "--"]).arg(&results);
    command.arg(plan.runs.unwrap_or(if plan.quick { 3 } else { 5 }).to_string());
    command.arg(plan.only.unwrap_or_default());
    for (name, input) in inputs {
        // The page is not asked to open what no figure is wanted of.
        if plan.wants(&format!("page, {name}")) {
            let folder: PathBuf = plan.inputs.get(input)?;
            warm(&folder)?;
            command.arg(format!("{name}={}", folder.display()));
        }
    }
    if results.exists() {
        // No figures of another day.
        std::fs::remove_file(&results).with_context(|| format!("{} cannot be removed", results.display()))?;
    }
    step("Measure the page");
    let outcome = run(command.current_dir(project.root()));
    let written = std::fs::read(&results).with_context(|| format!("{} cannot be read", results.display()))?;
    let measured: Vec<Figure> = serde_json::from_slice(&written).context("the page's figures are not as expected")?;
    for figure in measured {
        figures.add(figure);
    }
    outcome
}
