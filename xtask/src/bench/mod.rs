//! Measures Memlens against its bars: files to a ready session in the native command, in the page, and beside any other
//! program. Makes its inputs, prints one table, and writes it as JSON and Markdown.
//!
//! Timed figures fail nothing: whether a bar is met is told, and a person judges it together with the machine.

mod browser;
mod cost;
mod figure;
mod inputs;
mod native;

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::run::{step, write};
use figure::Figures;
use inputs::Inputs;

/// What `cargo xtask bench` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The command, the page, or both
    #[arg(value_enum, default_value_t = Part::All)]
    part: Part,
    /// Size of the text sample in MB, or `large` for all inputs: the text of 2 and 4 GB, 64 ranks, databases (20 GB on disk)
    #[arg(long, default_value = "200")]
    size: Size,
    /// Measure so many times and take the median [default: 7 for the command, 5 for the page]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// The sample alone, three times
    #[arg(long)]
    quick: bool,
    /// Time this on the same folder in turn, `{folder}` standing for it: the tool you use today
    #[arg(long, value_name = "COMMAND")]
    vs: Option<String>,
    /// Only groups of figures whose name holds this text, such as `native, growth` or `page, database`
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Write the figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the table as Markdown: between the lines `<!-- figures -->` of a file that has them
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Native,
    Browser,
    All,
}

/// How much there is to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    /// A sample of so many MB, and what shows growth.
    Megabytes(u64),
    /// All of it.
    Large,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        match text {
            "large" | "all" => Ok(Size::Large),
            _ => match text.parse() {
                Ok(megabytes @ 1..) => Ok(Size::Megabytes(megabytes)),
                _ => Err(format!("{text} is neither a number of MB nor `large`")),
            },
        }
    }
}

/// What is to be measured, and how often.
struct Plan<'a> {
    inputs: Inputs,
    /// MB of the sample.
    sample_mb: u64,
    quick: bool,
    large: bool,
    runs: Option<u32>,
    vs: Option<&'a str>,
    only: Option<&'a str>,
}

impl Plan<'_> {
    /// Whether anything named so is asked for.
    fn wants(&self, name: &str) -> bool {
        self.only.is_none_or(|only| name.contains(only))
    }
}

/// Measures, prints and writes.
pub fn bench(project: &Project, arguments: &Arguments) -> Result<()> {
    let plan = Plan {
        inputs: Inputs::below(project.target().join("bench")),
        sample_mb: match arguments.size {
            Size::Megabytes(megabytes) => megabytes,
            Size::Large => 200,
        },
        quick: arguments.quick,
        large: arguments.size == Size::Large && !arguments.quick,
        runs: arguments.runs,
        vs: arguments.vs.as_deref(),
        only: arguments.only.as_deref(),
    };
    if plan.vs.is_some_and(|command| !command.contains("{folder}")) {
        bail!("--vs needs {{folder}} where the program takes the folder");
    }
    let mut figures = Figures::of_this_machine();
    if arguments.part != Part::Browser {
        native::measure(project, &plan, &mut figures)?;
    }
    // What was measured is shown even if something could not be.
    let mut outcome = Ok(());
    if arguments.part != Part::Native {
        outcome = browser::measure(project, &plan, &mut figures);
    }
    step("Figures");
    print!("{}", figures.table());
    if let Some(path) = &arguments.json {
        write(path, figures.json()?.as_bytes())?;
    }
    if let Some(path) = &arguments.markdown {
        let before = std::fs::read_to_string(path).unwrap_or_default();
        write(path, figures.into_page(&before).as_bytes())?;
    }
    outcome
}
