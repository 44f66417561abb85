//! The runs that are measured: made by the simulator once, kept below the target folder for the next time.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use memlens_simulator::{Directory, Form, Options, simulate};

use crate::run::step;

/// Where the inputs are.
pub struct Inputs {
    folder: PathBuf,
}

/// One input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    /// Ranks of its one role.
    pub ranks: u32,
    /// MB of each rank's trace; for a database, of the trace that the same recording would have.
    pub trace_mb: u64,
    /// Text or database.
    pub form: Form,
}

/// About 3 M PYTORCH_API rows, 2 M MEMORY_RECORD and 0.4 M OP_MEMORY: what a simulated recording has beside so many calls.
pub const DATABASE: Input = Input { ranks: 1, trace_mb: 1950, form: Form::Database };

/// Eight databases for eight workers.
pub const DATABASES: Input = Input { ranks: 8, trace_mb: 200, form: Form::Database };

/// More ranks than fit into memory.
pub const MANY: Input = Input { ranks: 64, trace_mb: 100, form: Form::Text };

impl Input {
    /// Text of so many ranks.
    pub const fn text(ranks: u32, trace_mb: u64) -> Input {
        Input { ranks, trace_mb, form: Form::Text }
    }

    fn name(self) -> String {
        let form = if self.form == Form::Text { "text" } else { "database" };
        format!("{form}-{}x{}MB", self.ranks, self.trace_mb)
    }
}

impl Inputs {
    pub fn below(folder: PathBuf) -> Inputs {
        Inputs { folder }
    }

    /// The folder of an input, which is written if it is not there.
    pub fn get(&self, input: Input) -> Result<PathBuf> {
        let folder = self.folder.join(input.name());
        if folder.is_dir() {
            return Ok(folder);
        }
        step(&format!("Make {} in {}", input.name(), self.folder.display()));
        // Under another name until it is whole, so that a stopped run leaves nothing that looks like an input.
        let unfinished = self.folder.join(format!("{}.unfinished", input.name()));
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished).with_context(|| format!("{} cannot be removed", unfinished.display()))?;
        }
        let options = Options {
            ranks: input.ranks,
            trace_bytes: input.trace_mb * 1_000_000,
            form: input.form,
            ..Options::default()
        };
        simulate(&options, &mut Directory(unfinished.clone()))
            .and_then(|_| fs::rename(&unfinished, &folder))
            .with_context(|| format!("{} cannot be written", folder.display()))?;
        Ok(folder)
    }
}

/// Bytes of the recordings in a folder: what the simulator says about them is no part of it.
pub fn bytes(folder: &Path) -> Result<u64> {
    let (mut sum, mut open) = (0, vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir().with_context(|| format!("{} cannot be listed", folder.display()))? {
            let entry = entry?;
            let about = entry.metadata()?;
            if about.is_dir() {
                open.push(entry.path());
            } else if entry.file_name() != "truth.csv" {
                sum += about.len();
            }
        }
    }
    Ok(sum)
}

/// Reads every file once, so that the first run finds them where the later ones do.
pub fn warm(folder: &Path) -> Result<()> {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir().with_context(|| format!("{} cannot be listed", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let read = fs::File::open(&path).and_then(|mut file| std::io::copy(&mut file, &mut std::io::sink()));
                read.with_context(|| format!("{} cannot be read", path.display()))?;
            }
        }
    }
    Ok(())
}
