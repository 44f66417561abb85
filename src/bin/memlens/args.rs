//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use memlens::export::rows::Format;
use memlens::matching::MatchRule;
use memlens::words::Lang;

/// Where device memory went, from Ascend profiling results.
#[derive(Debug, Parser)]
#[command(name = "memlens", version, about, after_help = STATUS)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const STATUS: &str = "Exit status: 0 all read, 1 nothing readable, 2 wrong usage, 3 something was lost (what was read is \
                      written). No byte leaves this machine.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// One row per allocation, with its call stack.
    Rows(Rows),
    /// Per rank folder: peaks, baseline, who held the memory at the peak, and what was wrong with the files.
    Summary(Summary),
}

/// Which rank folders.
#[derive(Debug, Args)]
pub struct Selection {
    /// Folders to search for rank folders (`*_ascend_pt`, ...), at any depth; archives (.zip, .tar, .tar.gz) count as folders.
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// Only this role; may be given several times.
    #[arg(long, value_name = "R")]
    pub role: Vec<String>,
    /// Only this rank; may be given several times.
    #[arg(long, value_name = "N")]
    pub rank: Vec<u64>,
    /// Add so many nanoseconds to the times of every trace: for traces whose times do not share the memory tables' axis.
    /// Not with --match reference.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub trace_offset_ns: Option<i64>,
}

/// Arguments of `rows`.
#[derive(Debug, Args)]
pub struct Rows {
    #[command(flatten)]
    pub selection: Selection,
    /// How rows get their call stacks: `best`, exact and marked by kind; `reference`, as RL-Insight's memory parser does.
    #[arg(long = "match", value_enum, default_value_t = Match::Best)]
    pub rule: Match,
    /// Also match, match_gap_us, user_frame, module, release_time_ms, component, stream, step, folder.
    #[arg(long)]
    pub extended: bool,
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = RowFormat::Csv)]
    pub format: RowFormat,
    /// Write here instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `summary`.
#[derive(Debug, Args)]
pub struct Summary {
    #[command(flatten)]
    pub selection: Selection,
    /// As JSON: a stable interface, bytes and nanoseconds as integers.
    #[arg(long)]
    pub json: bool,
    /// Language of the text: en or zh (default: the locale's).
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// The match rules by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Match {
    Best,
    Reference,
}

impl From<Match> for MatchRule {
    fn from(rule: Match) -> MatchRule {
        match rule {
            Match::Best => MatchRule::Best,
            Match::Reference => MatchRule::Reference,
        }
    }
}

/// The row formats by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    Csv,
    Json,
}

impl From<RowFormat> for Format {
    fn from(format: RowFormat) -> Format {
        match format {
            RowFormat::Csv => Format::Csv,
            RowFormat::Json => Format::Json,
        }
    }
}
