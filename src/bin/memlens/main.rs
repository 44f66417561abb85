//! The native command: the same engine as the page, on files of this machine.
//!
//! It finds, reads and prints; what the numbers are is the engine's business. Exit status: 0 all read, 1 nothing readable,
//! 2 wrong usage, 3 something was lost (what was read is still written). A truth check that fails is no loss: it is told, and the
//! status stays.

#[macro_use]
mod line;

mod across;
mod archives;
mod args;
mod asked;
mod choice;
mod churn;
mod compare;
mod file;
mod findings;
mod growth;
mod outside;
mod pool;
mod print;
mod progress;
mod ranks;
mod report;
mod reserved;
mod rows;
mod table;
mod top;
mod tree;
mod walk;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};

/// How a command ended, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    AllRead,
    SomethingLost,
    NothingReadable,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::AllRead => 0,
            Outcome::NothingReadable => 1,
            Outcome::SomethingLost => 3,
        })
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.command {
        Command::Rows(rows) => rows::run(rows),
        Command::Summary(summary) => print::run(summary),
        Command::Findings(findings) => findings::run(findings),
        Command::Report(report) => report::run(report),
        Command::Top(top) => top::run(top),
        Command::Tree(tree) => tree::run(tree),
        Command::Reserved(reserved) => reserved::run(reserved),
        Command::Outside(outside) => outside::run(outside),
        Command::Churn(churn) => churn::run(churn),
        Command::Compare(compare) => compare::run(compare),
        Command::Growth(growth) => growth::run(growth),
    };
    match result {
        Ok(outcome) => outcome.into(),
        // The reader of a pipe went away: nothing is wrong with the data.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = line!(&mut std::io::stderr(), "memlens: {error}");
            ExitCode::from(1)
        }
    }
}
