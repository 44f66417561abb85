//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use memlens::analysis::answer::GroupBy;
use memlens::analysis::compare::DifferenceOf;
use memlens::analysis::steps::Moment;
use memlens::export::rows::Format;
use memlens::matching::MatchRule;
use memlens::words::Lang;

use crate::choice::Choice;

/// Where device memory went, from Ascend profiling results.
#[derive(Debug, Parser)]
#[command(name = "memlens", version, about, after_help = STATUS)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const STATUS: &str = "Exit status: 0 all read, 1 nothing readable, 2 wrong usage, 3 something was lost (what was read is \
                      written). No byte leaves this machine.";

const CHOICE: &str = "A side is what --a or --b chooses: role=R, rank=N and step=N (a recording's step), several of each by comma; \
                      at=TIME compares what is live then (default: each rank's peak), from=TIME and to=TIME what is allocated \
                      between (default: the window, with at=step:N that step). With two folders A is in the first, B in the \
                      second. Sides of several ranks are sums.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// One row per allocation, with its call stack.
    Rows(Rows),
    /// Per rank folder: peaks, baseline, who held the memory at the peak, and what was wrong with the files.
    Summary(Summary),
    /// What the recordings prove: the peak, suspected leaks, memory outside torch, fragmentation, odd ranks, churn, file problems.
    Findings(Findings),
    /// One HTML file with findings, curves and tables, to be read, printed or sent; it loads nothing and runs nothing.
    Report(Report),
    /// Who holds the memory at a time: the largest groups, beside the memory from before the window.
    Top(Top),
    /// Who holds the memory as a tree over the frames of the call stacks, or who calls one frame and whom it calls.
    Tree(Tree),
    /// What a pool reserves without allocating it, and each growth with the allocation that made it.
    Reserved(Reserved),
    /// What the process holds beside its pools: by driver component, by graph engine operator, by static graph.
    Outside(Outside),
    /// What is allocated only to be released at once, by call stack, and what of it is in the peak.
    Churn(Churn),
    /// What differs between two ranks, steps, roles or runs, group by group.
    #[command(after_help = CHOICE)]
    Compare(Compare),
    /// What grew between two times, what of it was never released, and what made the pool grow.
    Growth(Growth),
}

/// Arguments of `report`.
#[derive(Debug, Args)]
pub struct Report {
    #[command(flatten)]
    pub selection: Selection,
    /// The file to write; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// With call stacks, and paths of files and folders; without, none of them is in the file.
    #[arg(long)]
    pub with_stacks: bool,
    /// Language: en or zh (default: the locale's).
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
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
    #[command(flatten)]
    pub form: Form,
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
    /// The pool, as for reserved.
    #[arg(long, value_name = "POOL")]
    pub pool: Option<String>,
    /// Groups shown.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    #[command(flatten)]
    pub form: Form,
}

/// Arguments of `reserved`.
#[derive(Debug, Args)]
pub struct Reserved {
    #[command(flatten)]
    pub selection: Selection,
    /// From when, as for growth.
    #[arg(long, value_name = "TIME", default_value = "start")]
    pub from: Moment,
    /// Until when, as for growth.
    #[arg(long, value_name = "TIME", default_value = "end")]
    pub to: Moment,
    /// The pool: PTA, GE, WORKSPACE, ... as recorded, or with its device as in PTA/NPU:0 (default: the framework's).
    #[arg(long, value_name = "POOL")]
    pub pool: Option<String>,
    /// Growths shown, the largest.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
    #[command(flatten)]
    pub form: Form,
}

/// Arguments of `outside`.
#[derive(Debug, Args)]
pub struct Outside {
    #[command(flatten)]
    pub selection: Selection,
    /// Components, operators and nodes shown of each table.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    #[command(flatten)]
    pub form: Form,
}

/// Arguments of `churn`.
#[derive(Debug, Args)]
pub struct Churn {
    #[command(flatten)]
    pub selection: Selection,
    /// Blocks released within this time of their allocation, such as 1ms or 50us.
    #[arg(long, value_name = "TIME", default_value = "1ms", value_parser = duration)]
    pub within: i64,
    /// Which of them are live then is told too; as for top.
    #[arg(long, value_name = "TIME", default_value = "peak")]
    pub at: Moment,
    /// The pool, as for reserved.
    #[arg(long, value_name = "POOL")]
    pub pool: Option<String>,
    /// Call stacks shown.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    #[command(flatten)]
    pub form: Form,
}

fn duration(text: &str) -> Result<i64, String> {
    match text.parse() {
        Ok(Moment::After(ns)) => Ok(ns),
        _ => Err(format!("'{text}' is no length of time such as 1ms")),
    }
}

/// Arguments of `tree`.
#[derive(Debug, Args)]
pub struct Tree {
    #[command(flatten)]
    pub selection: Selection,
    /// What is live at this time, as for top.
    #[arg(long, value_name = "TIME", default_value = "peak", conflicts_with_all = ["from", "to"])]
    pub at: Moment,
    /// Instead, what was allocated from this time on, as for growth; without --to until the end.
    #[arg(long, value_name = "TIME")]
    pub from: Option<Moment>,
    /// Instead, what was allocated until this time, as for growth; without --from from the start.
    #[arg(long, value_name = "TIME")]
    pub to: Option<Moment>,
    /// Over frames, or over modules (Module Hierarchy).
    #[arg(long, value_enum, default_value_t = Over::Frame)]
    pub by: Over,
    /// From the innermost frame outwards: who allocates, then who called it.
    #[arg(long)]
    pub inverted: bool,
    /// Callers and callees of this frame; a part of its text is enough if only one frame has it.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["inverted", "by"])]
    pub frame: Option<String>,
    /// The pool, as for reserved.
    #[arg(long, value_name = "POOL")]
    pub pool: Option<String>,
    /// Put together what holds less than so many percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, value_parser = percent)]
    pub least: f64,
    /// Frames shown at most.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub limit: usize,
    #[command(flatten)]
    pub form: Form,
}

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct Compare {
    /// Two folders or archives, A and B; or one with both in it.
    #[arg(required = true, num_args = 1..=2, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// What A is, such as role=actor,rank=0.
    #[arg(long, value_name = "CHOICE")]
    pub a: Option<Choice>,
    /// What B is.
    #[arg(long, value_name = "CHOICE")]
    pub b: Option<Choice>,
    /// Grouping.
    #[arg(long, value_enum, default_value_t = By::UserFrame)]
    pub by: By,
    /// By which difference groups are ordered.
    #[arg(long, value_enum, default_value_t = Sort::Live)]
    pub sort: Sort,
    /// Groups shown.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    #[command(flatten)]
    pub form: Form,
}

/// The orders of compared groups by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    Live,
    Allocated,
}

impl From<Sort> for DifferenceOf {
    fn from(sort: Sort) -> DifferenceOf {
        match sort {
            Sort::Live => DifferenceOf::Live,
            Sort::Allocated => DifferenceOf::Allocated,
        }
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let percent: f64 = text.trim_end_matches('%').parse().map_err(|_| format!("'{text}' is not a number"))?;
    if (0.0..=100.0).contains(&percent) { Ok(percent) } else { Err("between 0 and 100".to_owned()) }
}

/// What a tree's branches are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Over {
    Frame,
    Module,
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
    /// From recording to recording of one role and rank instead: what is live in each at --to.
    #[arg(long, conflicts_with = "from")]
    pub across: bool,
    /// Grouping.
    #[arg(long, value_enum, default_value_t = By::Stack)]
    pub by: By,
    /// The pool, as for reserved.
    #[arg(long, value_name = "POOL")]
    pub pool: Option<String>,
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
