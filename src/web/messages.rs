//! What the page and a rank's worker say to each other, and how it is packed.
//!
//! A message is one of the two enums below, carried as `{body, files, data}`: `body` is the enum through serde, `files` the
//! `File`s that go with it, `data` its transferred typed arrays. Anything of more than a few hundred numbers travels in `data`.

use js_sys::{Array, Object, Reflect};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

use super::measure::Measured;
use crate::analysis::align::Alignment;
use crate::analysis::answer::{Balance, Counters, GroupBy, PoolKey, Quantity, Summary, Top, TopQuery, Totals};
use crate::analysis::block::BlockDetail;
use crate::analysis::block_map::BlockMapQuery;
use crate::analysis::block_table::{BlocksPage, BlocksQuery};
use crate::analysis::churn::{Churn, ChurnQuery};
use crate::analysis::compare::{Compared, DifferenceOf};
use crate::analysis::event_table::{EventsPage, EventsQuery};
use crate::analysis::facts::RankFacts;
use crate::analysis::findings::Finding;
use crate::analysis::growth::{Growth, GrowthQuery};
use crate::analysis::plan::{PlanQuery, PlanTable};
use crate::analysis::reserved::{Reserved, ReservedQuery};
use crate::analysis::sandwich::{FrameSums, FramesQuery, SandwichQuery};
use crate::analysis::side::{SideRank, Tally};
use crate::analysis::steps::{Moment, StepSpan};
use crate::analysis::tree::TreeQuery;
use crate::archive::Part;
use crate::folder::RankFolder;

/// From the page to a worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Order {
    /// Read this rank; `files` holds one `File` for each of the folder's files, in their order.
    Read(Box<RankFolder>, Wish),
    /// The bytes asked for by [`Report::Want`], in `data`.
    Piece,
    /// They could not be had; why.
    NoPiece(String),
    /// Stop reading.
    Cancel,
    /// Answer this about the rank that was read.
    Ask(u32, Box<Question>),
    /// Make the example run.
    Example,
    /// List the archive in `files`, whose path this is.
    List(String),
    /// Compare these parts of the first of `files` with the others, whole or in part.
    Compare(Vec<(Part, Option<Part>)>),
}

/// How a rank is to be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// With measurements before and after.
    pub measure: bool,
    /// Added to all times of the trace, ns: what a person found by hand.
    pub trace_offset_ns: Option<i64>,
}

/// From a worker to the page.
#[derive(Debug, Serialize, Deserialize)]
pub enum Report {
    /// So many bytes of the rank's files are read, or members of the archive listed.
    Progress(u64),
    /// This worker cannot read files itself (WebKit from disk): the page should send these bytes of the folder's file.
    Want {
        /// Which of the folder's files.
        file: usize,
        /// First byte.
        from: u64,
        /// The byte after the last.
        to: u64,
    },
    /// Everything is read; questions are welcome. The curves' points come in `data`.
    Ready(Box<Ready>),
    /// Stopped, as ordered.
    Cancelled,
    /// The answer to the question of that number.
    Answer(u32, Box<Answer>),
    /// Paths of the example's files, which come in `files`.
    Example(Vec<String>),
    /// What an archive holds: in `data`, as JSON. As objects, tens of thousands of members would hold up the page.
    Listed,
    /// Whether all that was to be compared is the same.
    Compared(bool),
}

/// What a rank's worker tells once everything is read: all that the page keeps when the worker is gone.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ready {
    /// The numbers.
    pub summary: Summary,
    /// What was counted.
    pub facts: Facts,
    /// Training steps, as marks on the axis.
    pub steps: Vec<StepStart>,
    /// The same in order, by which recordings are laid over each other.
    pub spans: Vec<StepSpan>,
    /// Curves over the whole window, reduced to [`KEPT_COLUMNS`].
    pub curves: Curves,
    /// The largest groups of operators at the peak.
    pub top: Top,
    /// What its recording proves: [`Told`] as JSON, which is stable and has names of its own for what is flattened.
    pub told: String,
}

/// What a rank's recording proves, and by what it is compared with others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Findings.
    pub findings: Vec<Finding>,
    /// Numbers.
    pub facts: RankFacts,
}

/// Pixel columns of the curves kept of every rank: as wide as its picture in a list of ranks.
pub const KEPT_COLUMNS: u32 = 400;
/// Groups kept of every rank.
pub const KEPT_GROUPS: usize = 100;

/// Curves without their points, which travel beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Curves {
    /// Start of the range, ns.
    pub start_ns: i64,
    /// End of the range, ns.
    pub end_ns: i64,
    /// One for each curve.
    pub heads: Vec<SeriesHead>,
}

/// Where a training step of the recording begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepStart {
    /// Start, ns.
    pub time_ns: i64,
    /// As recorded, e.g. `ProfilerStep#50`.
    pub name: String,
}

/// What a worker knows about itself, for the about panel and tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// What the engine counted.
    pub counters: Counters,
    /// Size of the worker's WebAssembly memory, bytes; it never shrinks.
    pub memory_bytes: u64,
    /// Rows for export.
    pub rows: u64,
    /// From the order to read until questions can be answered, microseconds.
    pub reading_us: u64,
    /// Of that, waiting for the browser's next piece of a text file and taking it over, microseconds.
    pub waiting_us: u64,
    /// Of that, joining rows to call stacks and building curves, microseconds.
    pub finishing_us: u64,
    /// If it was to be measured.
    pub measured: Option<Measured>,
}

/// What the page can ask of a rank that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// Curves over a range.
    Timeline {
        /// Start, ns.
        start_ns: i64,
        /// End, ns.
        end_ns: i64,
        /// Pixels to fill.
        columns: u32,
    },
    /// The recorded totals at a time (ns).
    TotalsAt(i64),
    /// What the page adds up, beside what the recording says, at a time (ns).
    Balance(i64),
    /// The largest groups.
    Top(TopQuery),
    /// What the driver's components reserved over a range.
    Modules {
        /// Start, ns.
        start_ns: i64,
        /// End, ns.
        end_ns: i64,
        /// Pixels to fill.
        columns: u32,
    },
    /// What a static graph needs over its nodes.
    PlanCurve {
        /// Its place in the summary.
        graph: usize,
        /// First node.
        first: i64,
        /// Last node.
        last: i64,
        /// Pixels to fill.
        columns: u32,
    },
    /// Operators of a static graph.
    PlanTable(PlanQuery),
    /// This rank's side of a comparison, added to the one that comes in `data`, if any.
    Side {
        /// Grouping.
        by: GroupBy,
        /// What is live then; of a step at its peak.
        at: Moment,
        /// What was allocated from then on; of a step from its start.
        from: Moment,
        /// ... until then; of a step to its end.
        to: Moment,
    },
    /// The two sides that come in `data`, compared.
    Compare {
        /// Order of the groups.
        order: DifferenceOf,
        /// Most of them.
        limit: usize,
    },
    /// Rows for export, as CSV records.
    Rows {
        /// First row, in the order of time.
        from: usize,
        /// At most so many.
        count: usize,
        /// With the further columns.
        extended: bool,
    },
    /// The life of blocks as a picture.
    BlockMap(BlockMapQuery),
    /// One block in full, by its row.
    Block(u32),
    /// A stretch of the blocks' table.
    Blocks(BlocksQuery),
    /// The same as CSV records.
    BlocksCsv(BlocksQuery),
    /// A stretch of the events' table.
    Events(EventsQuery),
    /// The same as CSV records.
    EventsCsv(EventsQuery),
    /// What grew between two times.
    Growth(GrowthQuery),
    /// What is released soon after it was allocated.
    Churn(ChurnQuery),
    /// Of what is live at a time, what is released within so many ns of its allocation.
    Temporaries(TopQuery, i64),
    /// A pool's reserved memory.
    Reserved(ReservedQuery),
    /// What of it is not allocated, for so many pixel columns.
    Unused(ReservedQuery, u32),
    /// Bytes as a tree over frames.
    Tree(TreeQuery),
    /// One frame between its callers and callees.
    Sandwich(SandwichQuery),
    /// The frames with the most bytes.
    Frames(FramesQuery),
}

/// What a worker answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// Heads of the curves; `data` holds one `BigInt64Array`: for each curve its times, then its bytes.
    Timeline(Curves),
    /// Totals of each pool.
    Totals(Vec<Totals>),
    /// `None` if the rank has no framework pool.
    Balance(Option<Balance>),
    /// The largest groups.
    Top(Top),
    /// Operators of a static graph.
    PlanTable(PlanTable),
    /// `data` holds the side (`Uint8Array`, JSON); `false` if the rank has no such moment.
    Side(bool),
    /// `None` if there were not two sides.
    Compared(Option<Box<ComparedSides>>),
    /// `data` holds the times (`BigInt64Array`, ns), the end of each record (`Uint32Array`) and the records (`Uint8Array`).
    Rows,
    /// `None` before the rank is ready. `data` holds its times and live bytes (`BigInt64Array`), rows (`Uint32Array`), slots and
    /// marks (`Uint8Array`), and cells (`Uint32Array`).
    BlockMap(Option<MapHead>),
    /// `None` if there is no such row.
    Block(Option<BlockDetail>),
    /// A stretch of the blocks' table.
    Blocks(BlocksPage),
    /// A stretch of the events' table.
    Events(EventsPage),
    /// `None` before the rank is ready. Its times and curves are in `data` (`BigInt64Array`).
    Growth(Option<Growth>),
    /// Short-lived blocks by stack.
    Churn(Churn),
    /// `None` if the rank has no such pool.
    Reserved(Option<Box<Reserved>>),
    /// Names of the tree's nodes, which are in `data`: see `flame_data`.
    Tree(Vec<String>),
    /// The same of callers, then callees; no name if no stack has the frame.
    Sandwich(Vec<String>),
    /// The largest frames.
    Frames(FrameSums),
    /// So many records; `data` holds them (`Uint8Array`).
    Csv(usize),
}

/// The picture of blocks without what travels beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapHead {
    /// The pool answered for.
    pub pool: Option<PoolKey>,
    /// Start, ns.
    pub start_ns: i64,
    /// End, ns.
    pub end_ns: i64,
    /// Bytes at the lower and at the upper edge.
    pub bytes: [i64; 2],
    /// Pixels from bottom to top.
    pub lines: u32,
    /// What the first slots stand for.
    pub legend: Vec<String>,
}

/// Two sides, compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedSides {
    /// By groups.
    pub compared: Compared,
    /// Live and allocated of both as a whole.
    pub totals: [[Tally; 2]; 2],
    /// How many rank folders each has.
    pub ranks: [u64; 2],
    /// Of each the rank folder with the highest peak, and how the two lie over each other.
    pub highest: Option<([SideRank; 2], Alignment)>,
}

/// A curve without its points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesHead {
    /// Whose totals.
    pub pool: PoolKey,
    /// Which of them.
    pub quantity: Quantity,
    /// How many points.
    pub points: usize,
    /// Whether every event of the range is in it.
    pub complete: bool,
}

/// A message taken apart.
pub struct Parts<T> {
    /// The enum.
    pub body: T,
    /// The `File`s.
    pub files: Array,
    /// The typed arrays.
    pub data: Array,
}

/// Packs a message. Every typed array in `data` is to be transferred: see [`transfer_list`].
pub fn pack<T: Serialize>(body: &T, files: &Array, data: &Array) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::new().serialize_large_number_types_as_bigints(true);
    let message = Object::new();
    Reflect::set(&message, &"body".into(), &body.serialize(&serializer)?)?;
    Reflect::set(&message, &"files".into(), files)?;
    Reflect::set(&message, &"data".into(), data)?;
    Ok(message.into())
}

/// The buffers below the typed arrays.
pub fn transfer_list(data: &Array) -> Array {
    data.iter().filter_map(|array| Reflect::get(&array, &"buffer".into()).ok()).collect()
}

/// Takes a message apart; `None` if it is not one of ours.
pub fn unpack<T: DeserializeOwned>(message: &JsValue) -> Option<Parts<T>> {
    let part = |name: &str| Reflect::get(message, &name.into()).ok();
    let body = serde_wasm_bindgen::from_value(part("body")?).ok()?;
    Some(Parts { body, files: Array::from(&part("files")?), data: Array::from(&part("data")?) })
}
