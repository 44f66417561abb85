//! `cargo xtask`: everything that is done to Memlens besides writing it. One command builds and serves the page, one
//! tests the whole; each sets up what is missing on the machine first, or prints the one command that does.
//!
//! This file reads the command line and hands over; the work is in the modules. Nothing here knows what a profile is.

mod bench;
mod clang;
mod debian;
mod dist;
mod native;
mod page;
mod project;
mod run;
mod sample;
mod serve;
mod test;
mod toolchain;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use project::Project;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Builds, serves and tests Memlens", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the page and serve it on this machine
    Serve(serve::Arguments),
    /// Build the page (dist/memlens.html) and the native command
    Build,
    /// Build the page alone (dist/memlens.html)
    Page,
    /// Build what a release holds into dist/, with its checksums
    Dist,
    /// Format, lint, native tests, then the page in a real browser
    Test,
    /// Write a made-up profiling run with a known truth into a folder
    Sample(sample::Arguments),
    /// Measure the command and the page against their bars
    Bench(bench::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = Project::here().and_then(|project| match arguments.command {
        Command::Serve(options) => serve::serve(&project, &options),
        Command::Build => page::build(&project).and_then(|_| native::build(&project)).map(|_| ()),
        Command::Page => page::build(&project).map(|_| ()),
        Command::Dist => dist::dist(&project),
        Command::Test => test::test(&project),
        Command::Sample(options) => sample::sample(&options),
        Command::Bench(options) => bench::bench(&project, &options),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}
