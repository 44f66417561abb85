//! `page-bench RESULTS RUNS ONLY [NAME=FOLDER]...`: measures the built page for `cargo xtask bench`, which makes the folders and
//! shows the figures.
//!
//! Reading is timed by the workers themselves, which read the same files in the plainest way first (`#measure`), so that the
//! ratio is of one machine at one moment. Every run is a fresh page; the figures are medians.

mod answers;
mod figure;
mod opened;
mod reading;
mod start;
mod together;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use browser_tests::run;

use figure::Figures;

/// What to measure.
struct Plan {
    runs: usize,
    only: String,
    folders: Vec<(String, PathBuf)>,
}

impl Plan {
    /// The folder of that name, if it was given and a figure of this name is wanted.
    fn folder(&self, name: &str) -> Option<&PathBuf> {
        let wanted = self.wants(name);
        self.folders.iter().find(|(other, _)| other == name && wanted).map(|(_, folder)| folder)
    }

    fn wants(&self, name: &str) -> bool {
        format!("page, {name}").contains(&self.only)
    }
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().context("page-bench RESULTS RUNS ONLY [NAME=FOLDER]...");
    let (results, runs, only) = (PathBuf::from(next()?), next()?.parse()?, next()?);
    let mut folders = Vec::new();
    for argument in arguments {
        let (name, folder) = argument.split_once('=').with_context(|| format!("{argument} is not NAME=FOLDER"))?;
        folders.push((name.to_owned(), PathBuf::from(folder)));
    }
    let plan = Plan { runs, only, folders };
    let mut figures = Figures::default();
    let mut failed = Vec::new();
    // One that fails takes no other's figures with it.
    for (name, outcome) in [
        ("the page's start", run(start::measure(&plan, &mut figures))),
        ("one rank", run(reading::one(&plan, &mut figures))),
        ("growth", run(reading::growth(&plan, &mut figures))),
        ("large traces", run(reading::large(&plan, &mut figures))),
        ("several workers", run(together::workers(&plan, &mut figures))),
        ("the database", run(answers::database(&plan, &mut figures))),
        ("eight databases", run(together::databases(&plan, &mut figures))),
        ("many ranks", run(together::many(&plan, &mut figures))),
    ] {
        if let Err(error) = outcome {
            failed.push(format!("{name}: {error:#}"));
        }
    }
    std::fs::write(&results, figures.json()?).with_context(|| format!("{} cannot be written", results.display()))?;
    if !failed.is_empty() {
        bail!("not measured:\n{}", failed.join("\n"));
    }
    Ok(())
}
