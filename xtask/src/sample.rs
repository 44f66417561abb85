//! Writes a made-up run with the simulator, for trying the page by hand and for measuring. All knowledge of what a run
//! looks like is the simulator's.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use memlens_simulator::{Directory, Form, Options, Plant, simulate};

use crate::run::step;

/// What `cargo xtask sample` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder to write, which must be new or empty
    out: PathBuf,
    /// Ranks in each role
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    ranks: u32,
    /// Roles, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "actor_update")]
    roles: Vec<String>,
    /// Steps in each recording
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Size of each rank's trace_view.json in MB; 0 is as small as it comes
    #[arg(long, default_value_t = 0)]
    trace_mb: u64,
    /// The same seed gives the same bytes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A problem to plant, such as leak, leak=40MB, odd-rank, fragmentation, outside, churn; may be given several times
    #[arg(long)]
    plant: Vec<Plant>,
    /// text, db or both
    #[arg(long, default_value = "text")]
    form: Form,
}

/// Writes the run and says what is in it.
pub fn sample(arguments: &Arguments) -> Result<()> {
    let out = &arguments.out;
    if out.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{} is not empty: name a new folder, so that no file of another run stays among these", out.display());
    }
    let options = Options {
        roles: arguments.roles.clone(),
        ranks: arguments.ranks,
        steps: arguments.steps,
        trace_bytes: arguments.trace_mb * 1_000_000,
        seed: arguments.seed,
        plant: arguments.plant.clone(),
        form: arguments.form,
        ..Options::default()
    };
    step(&format!("Write a run of {} role(s) with {} rank(s) each", options.roles.len(), options.ranks));
    let truth = simulate(&options, &mut Directory(out.clone()))
        .with_context(|| format!("the run could not be written to {}", out.display()))?;
    for folder in &truth.folders {
        println!("    {}: {} blocks", folder.folder, folder.rows.len());
    }
    println!("    {}", out.display());
    Ok(())
}
