//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use memlens::analysis::answer::GroupBy;
use memlens::analysis::steps::Moment;
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
    /// What the recordings prove: the peak, suspected leaks, memory outside torch, fragmentation, odd ranks, churn, file problems.
    Findings(Findings),
    /// Who holds the memory at a time: the largest groups, beside the memory from before the window.
    Top(Top),
    /// What grew between two times, what of it was never released, and what made the pool grow.
    Growth(Growth),
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

/// How an answer is written.
#[derive(Debug, Args)]
pub struct Form {
    /// As JSON: a stable interface, bytes and nanoseconds as integers.
    #[arg(long)]
    pub json: bool,
    /// Language of the text: en or zh (default: the locale's).
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Arguments of `findings`.
#[derive(Debug, Args)]
pub struct Findings {
    #[command(flatten)]
    pub selection: Selection,
    /// Also the rule of each kind of finding, with its thresholds.
    #[arg(long)]
    pub rules: bool,
    #[command(flatten)]
    pub form: Form,
}

/// Arguments of `top`.
#[derive(Debug, Args)]
pub struct Top {
    #[command(flatten)]
    pub selection: Selection,
    /// Grouping.
    #[arg(long, value_enum, default_value_t = By::UserFrame)]
    pub by: By,
    /// When: peak, start, end, step:N (the highest point of that step), a time after the window's start such as 1.5s or 250ms, or
    /// @ and ns since the epoch.
    #[arg(long, value_name = "TIME", default_value = "peak")]
    pub at: Moment,
    /// Groups shown.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    #[command(flatten)]
    pub form: Form,
}

/// Arguments of `growth`.
#[derive(Debug, Args)]
pub struct Growth {
    #[command(flatten)]
    pub selection: Selection,
    /// From when, as for top; step:N is the start of that step.
    #[arg(long, value_name = "TIME", default_value = "start")]
    pub from: Moment,
    /// Until when, as for top; step:N is the end of that step.
    #[arg(long, value_name = "TIME", default_value = "end")]
    pub to: Moment,
    /// Grouping.
    #[arg(long, value_enum, default_value_t = By::Stack)]
    pub by: By,
    /// Groups shown, and growths of reserved memory.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    #[command(flatten)]
    pub form: Form,
}

/// The groupings by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum By {
    Operator,
    Stack,
    UserFrame,
    Module,
    Size,
    Age,
}

impl From<By> for GroupBy {
    fn from(by: By) -> GroupBy {
        match by {
            By::Operator => GroupBy::Operator,
            By::Stack => GroupBy::Stack,
            By::UserFrame => GroupBy::UserFrame,
            By::Module => GroupBy::Module,
            By::Size => GroupBy::Size,
            By::Age => GroupBy::Age,
        }
    }
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
