//! The answers the engine gives: each the size of a screen, free of ids into the model, ready to cross to another thread.
//!
//! Bytes and nanoseconds are integers everywhere; a double appears only when a number is drawn or written out.

use serde::{Deserialize, Serialize};

pub use crate::model::frames::is_library;
pub use crate::model::match_kind::{ByMatch, MatchKind};

/// A pool of one device. Pools are never added up.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PoolKey {
    /// `PTA`, `GE`, `WORKSPACE`, `APP`, ... as recorded.
    pub component: String,
    /// `NPU:0`, ... as recorded.
    pub device: String,
}

/// What a curve counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Given to tensors.
    Allocated,
    /// Allocated, or waiting for another stream before reuse.
    Active,
    /// Held from the device by the pool.
    Reserved,
    /// Memory from before the window.
    Baseline,
    /// Of the whole process: what it holds beside its pools, at each of its samples.
    Outside,
}

/// A value and the first time it was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extreme {
    /// Bytes.
    pub bytes: i64,
    /// Nanoseconds since the epoch.
    pub time_ns: i64,
}

/// The peaks of one pool; `None` where the recording has no such column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peaks {
    /// Peak of Total Allocated.
    pub allocated: Option<Extreme>,
    /// Peak of Total Active.
    pub active: Option<Extreme>,
    /// Peak of Total Reserved.
    pub reserved: Option<Extreme>,
}

/// Where a pool's totals come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// memory_record.csv.
    MemoryRecord,
    /// The totals beside the rows of operator_memory.csv: derived, events without a row are missing.
    Rows,
}

/// Memory from before the window, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaselineBytes {
    /// Before the first event.
    pub start: i64,
    /// After the last event.
    pub end: i64,
}

/// Live rows + baseline against the recorded total, at every event of the pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// Events compared.
    pub events: u64,
    /// Events at which the two differ.
    pub mismatches: u64,
    /// The first of them.
    pub first: Option<Mismatch>,
}

/// One event at which live rows + baseline is not the recorded total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// Time of the event, ns.
    pub time_ns: i64,
    /// Live rows + baseline, bytes.
    pub rows_bytes: i64,
    /// Total Allocated as recorded, bytes.
    pub recorded_bytes: i64,
}

/// One pool in a rank's summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolSummary {
    /// As recorded.
    pub component: String,
    /// As recorded.
    pub device: String,
    /// First event with each maximum.
    pub peak: Peaks,
    /// `None` for pools without Total Allocated (APP).
    pub baseline_bytes: Option<BaselineBytes>,
    /// Where the totals come from.
    pub source: Source,
    /// `None` if derived from the rows (nothing to compare with) or without Total Allocated.
    pub comparison: Option<Comparison>,
    /// Rises of the pool's total that no row explains: count and bytes.
    pub blocks_without_row: u64,
    /// Their bytes.
    pub blocks_without_row_bytes: i64,
}

/// Rows of one component.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComponentBlocks {
    /// Blocks.
    pub total: u64,
    /// Blocks with neither Release Time nor Active Release Time.
    pub never_released: u64,
}

/// How many blocks a rank has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockCounts {
    /// All blocks (rows with a negative size are none).
    pub total: u64,
    /// The table does not tell when blocks are released: then none is counted as never released.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub releases_unknown: bool,
    /// By pool; PTA (or its newer name), GE and WORKSPACE are always there.
    pub by_component: std::collections::BTreeMap<String, ComponentBlocks>,
}

/// By what a live set is grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupBy {
    /// Operator name.
    Operator,
    /// Whole call stack.
    Stack,
    /// Innermost frame that is not library code.
    UserFrame,
    /// Module path (`Module Hierarchy`), of blocks with an asserted stack.
    Module,
    /// Class of size: see [`super::classes`].
    Size,
    /// Class of age at the time asked for: see [`super::classes`].
    Age,
}

impl GroupBy {
    /// Every grouping.
    pub const ALL: [GroupBy; 6] =
        [GroupBy::Operator, GroupBy::Stack, GroupBy::UserFrame, GroupBy::Module, GroupBy::Size, GroupBy::Age];

    /// The stable name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            GroupBy::Operator => "operator",
            GroupBy::Stack => "stack",
            GroupBy::UserFrame => "user_frame",
            GroupBy::Module => "module",
            GroupBy::Size => "size",
            GroupBy::Age => "age",
        }
    }

    /// Whether a group's bytes may rest on a guessed call stack; what a row says itself is always known.
    pub fn rests_on_match(self) -> bool {
        matches!(self, GroupBy::Stack | GroupBy::UserFrame | GroupBy::Module)
    }
}

/// Which blocks of a pool are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    /// Those live at a time: alloc <= t < release.
    LiveAt {
        /// Ns.
        at_ns: i64,
    },
    /// Those allocated between two times, both included, whenever they are released.
    Allocated {
        /// Ns.
        from_ns: i64,
        /// Ns.
        to_ns: i64,
    },
}

impl Counted {
    /// The time ages are told at, ns.
    pub(crate) fn at_ns(self) -> i64 {
        match self {
            Counted::LiveAt { at_ns } => at_ns,
            Counted::Allocated { to_ns, .. } => to_ns,
        }
    }
}

/// One group of a live set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Operator, stack text, user frame, module path or class; `None` for the group without an asserted stack; empty for a stack
    /// without a user frame or module.
    pub key: Option<String>,
    /// Live bytes.
    pub bytes: i64,
    /// Live blocks.
    pub blocks: u64,
    /// Size of the largest block, bytes.
    pub largest_bytes: i64,
    /// The group's bytes by match kind; they add up to `bytes`.
    pub by_match: ByMatch,
}

/// Asks for the largest groups of one pool's live set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopQuery {
    /// Time, ns; blocks with alloc <= t < release count.
    pub at_ns: i64,
    /// `None`: the framework pool (PTA).
    pub pool: Option<PoolKey>,
    /// Grouping.
    pub by: GroupBy,
    /// Only blocks of this group (grouping and key), e.g. the stacks within one operator.
    pub within: Option<(GroupBy, Option<String>)>,
    /// At most so many groups.
    pub limit: usize,
}

/// The largest groups, by bytes, ties by key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Top {
    /// The time asked for.
    pub at_ns: i64,
    /// The pool answered for; `None` if the rank has no blocks.
    pub pool: Option<PoolKey>,
    /// All live bytes of the pool (within the filter).
    pub total_bytes: i64,
    /// All live blocks.
    pub total_blocks: u64,
    /// How many groups there are in all.
    pub group_count: u64,
    /// The largest of them.
    pub groups: Vec<Group>,
}

impl Top {
    /// The answer of a rank without blocks.
    pub fn empty(at_ns: i64) -> Top {
        Top { at_ns, pool: None, total_bytes: 0, total_blocks: 0, group_count: 0, groups: Vec::new() }
    }
}

/// The summary's three top tens of the framework pool at its peak of allocated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopSummary {
    /// Time of the peak, ns.
    pub at_ns: i64,
    /// By operator.
    pub operator: Vec<Group>,
    /// By call stack.
    pub stack: Vec<Group>,
    /// By user frame.
    pub user_frame: Vec<Group>,
}

/// What one component of the driver reserved: of npu_module_mem.csv.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleSummary {
    /// `HCCL`, `RUNTIME`, ... as recorded.
    pub component: String,
    /// As recorded.
    pub device: String,
    /// Peak of Total Reserved.
    pub peak: Extreme,
    /// Samples in the file.
    pub records: u64,
}

/// The highest need of a static graph, and the first node that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanPeak {
    /// Bytes.
    pub bytes: i64,
    /// Number of the node.
    pub node: u64,
}

/// One operator of a static graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedOperator {
    /// As recorded.
    pub name: String,
    /// Bytes.
    pub bytes: i64,
    /// First node that needs them.
    pub start: u64,
    /// The node after the last that does; `None`: to the end of the graph.
    pub end: Option<u64>,
}

/// The memory plan of one static graph: of static_op_mem.csv.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticSummary {
    /// Number of the device, or `host`.
    pub device: String,
    /// Sub-graph; `0` for none.
    pub model: String,
    /// As recorded.
    pub graph: String,
    /// What the graph reserves up front, bytes, if the file says it.
    pub reserved_bytes: Option<i64>,
    /// Operators in the file.
    pub operators: u64,
    /// Highest sum of what the operators need at one node.
    pub peak: Option<PlanPeak>,
    /// The operators that need most.
    pub largest: Vec<PlannedOperator>,
}

/// What a static graph needs over its nodes: from each of them on so many bytes, until the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanCurve {
    /// Ascending.
    pub nodes: Vec<u64>,
    /// Bytes, one for each node.
    pub bytes: Vec<i64>,
}

/// One rank folder in numbers. Its JSON is a stable interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Path from the given folder's own name, with `/`.
    pub folder: String,
    /// See the words.
    pub role: String,
    /// `None`: unknown.
    pub rank: Option<u64>,
    /// `None`: one recording.
    pub step: Option<u64>,
    /// `text` (tables of torch or of CANN itself), `mindspore` (its tables) or `db`.
    pub form: String,
    /// First and last memory event, ns; `None` without any.
    pub window_ns: Option<[i64; 2]>,
    /// Blocks.
    pub blocks: BlockCounts,
    /// Rows of memory_record.csv by component.
    pub records: std::collections::BTreeMap<String, u64>,
    /// Rows by match kind.
    #[serde(rename = "match")]
    pub matches: ByMatch,
    /// Pools, framework pool first.
    pub pools: Vec<PoolSummary>,
    /// Peaks of the framework pool; `None` if there is none.
    pub peak: Option<Peaks>,
    /// Whether a spreadsheet rounded the times of these peaks until they mean nothing: they are not to be shown.
    #[serde(default)]
    pub times_lost: bool,
    /// The same of the peaks of the driver's components.
    #[serde(default)]
    pub module_times_lost: bool,
    /// `None` without a peak.
    pub top: Option<TopSummary>,
    /// Whether the recording agrees with itself; `text` is added on writing.
    pub checks: Vec<super::check::Check>,
    /// What the driver's components reserved, the largest peak first; those that never held anything are left out.
    #[serde(default)]
    pub module_memory: Vec<ModuleSummary>,
    /// Memory plans of static graphs, in the order of the file.
    #[serde(default)]
    pub static_memory: Vec<StaticSummary>,
    /// Files beside the recording that are not read; `what` is added on writing.
    #[serde(default)]
    pub neighbours: Vec<crate::neighbour::Neighbour>,
    /// What was wrong; `text` is added on writing.
    pub problems: Vec<crate::problem::Problem>,
}

/// A step curve reduced to what a screen can show: between two points the value of the earlier one holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// Whose totals.
    pub pool: PoolKey,
    /// Which of them.
    pub quantity: Quantity,
    /// Ascending, ns. The first point carries the value that held at the range's start, if any was recorded by then.
    pub times_ns: Vec<i64>,
    /// Bytes, one for each time.
    pub bytes: Vec<i64>,
    /// Whether every event of the range is in it (else first, min, max and last of each pixel column).
    pub complete: bool,
}

/// Curves over a time range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// Start of the range, ns.
    pub start_ns: i64,
    /// End of the range, ns.
    pub end_ns: i64,
    /// Curves; the framework pool first.
    pub series: Vec<Series>,
}

/// One pool's recorded totals as they stood at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Whose.
    pub pool: PoolKey,
    /// Bytes.
    pub allocated: Option<i64>,
    /// Bytes.
    pub active: Option<i64>,
    /// Bytes.
    pub reserved: Option<i64>,
    /// Bytes.
    pub baseline: Option<i64>,
    /// Of the whole process: what it held beside its pools at its last sample, bytes.
    pub outside: Option<i64>,
}

/// What the page adds up, beside what the recording says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Balance {
    /// Time, ns.
    pub at_ns: i64,
    /// Whose.
    pub pool: PoolKey,
    /// Sum of the rows that count in the pool's total at that time, bytes.
    pub rows_bytes: i64,
    /// How many.
    pub rows: u64,
    /// Baseline, bytes.
    pub baseline_bytes: i64,
    /// Total Allocated as recorded; `None` before the first event.
    pub recorded_bytes: Option<i64>,
    /// Where the recorded total comes from.
    pub source: Source,
}

/// What the engine did and keeps, for the about panel and tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Bytes fed in all files.
    pub bytes_read: u64,
    /// Largest piece fed at once, bytes.
    pub largest_piece: u64,
    /// Trace events seen.
    pub events: u64,
    /// Events the careful JSON reader had to take.
    pub careful_events: u64,
    /// Events written in no way known before, which were parsed key by key.
    #[serde(default)]
    pub parsed_events: u64,
    /// Bytes of the trace copied because an event lay in several pieces.
    #[serde(default)]
    pub copied_bytes: u64,
    /// Operator spans kept while matching.
    pub operators_kept: u64,
    /// Distinct call stacks.
    pub stacks: u64,
    /// Distinct names.
    pub names: u64,
    /// Bytes held by all that stays.
    pub kept_bytes: u64,
    /// Of these the rows' columns, and what finds live blocks and their sums.
    #[serde(default)]
    pub block_bytes: u64,
    /// The pools' curves, and what reduces them to a screen.
    #[serde(default)]
    pub record_bytes: u64,
    /// Of both the indexes: what answers quickly, but could be done without.
    #[serde(default)]
    pub index_bytes: u64,
    /// Names, call stacks and call sites, each text once.
    #[serde(default)]
    pub text_bytes: u64,
}
