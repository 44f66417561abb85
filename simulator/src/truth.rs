//! What is true about a run, whatever its files show.

use crate::event::Component;
use crate::memory::Peaks;
use crate::plant::Plant;

/// How a block's stack can be told from the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The operator around the allocation was called at that stack.
    Enclosing,
    /// A backward operator: the stack of the forward operator it stems from.
    Forward,
    /// Allocated on the dequeue thread: the stack of the operator that queued it, or of its forward operator.
    Queue,
    /// Nothing in the trace can tell.
    None,
}

impl Kind {
    /// As truth.csv writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Enclosing => "enclosing",
            Self::Forward => "forward",
            Self::Queue => "queue",
            Self::None => "none",
        }
    }
}

/// The truth about a run.
#[derive(Debug, Clone, Default)]
pub struct Truth {
    /// Each rank folder, in the order written.
    pub folders: Vec<FolderTruth>,
}

/// The truth about one rank folder.
#[derive(Debug, Clone)]
pub struct FolderTruth {
    /// Path of the folder in the run, with `/`.
    pub folder: String,
    /// Role it belongs to.
    pub role: String,
    /// Rank in the role.
    pub rank: u32,
    /// As `Device Type` says, such as `NPU:0`.
    pub device: String,
    /// One for each data row of operator_memory.csv, in its order.
    pub rows: Vec<BlockTruth>,
    /// Stack texts that rows name by index.
    pub stacks: Vec<String>,
    /// Names of the process's threads are numbers: (tid, what it does).
    pub threads: Vec<(u32, &'static str)>,
    /// Rows of PTA, GE, WORKSPACE.
    pub rows_by_component: [u64; 3],
    /// PTA rows without a Release Time.
    pub never_released: u64,
    /// Rows of memory_record.csv: APP, PTA, GE, WORKSPACE, PTA+GE.
    pub records: [u64; 5],
    /// Peaks of the PTA pool over its records; each with the first time it stood.
    pub peaks: Peaks,
    /// Bytes of the PTA pool before its first event.
    pub baseline_start: u64,
    /// Reserved bytes of the PTA pool before its first event.
    pub reserved_start: u64,
    /// Bytes from before the window that are left after the last event.
    pub baseline_end: u64,
    /// Each release of memory from before the window: (time in ns, bytes).
    pub baseline_freed: Vec<(i64, u64)>,
    /// Reserved bytes of the PTA pool after the last event.
    pub reserved_end: u64,
    /// Samples of the process total: (time in ns, bytes).
    pub app: Vec<(i64, u64)>,
    /// The `ProfilerStep` spans.
    pub steps: Vec<StepTruth>,
    /// Size of trace_view.json in bytes.
    pub trace_bytes: u64,
    /// What was planted into this folder.
    pub planted: Vec<Planted>,
}

/// The truth about one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockTruth {
    /// As the row says.
    pub name: String,
    /// Allocation Time, ns since 1970.
    pub alloc_ns: i64,
    /// Size.
    pub size_bytes: u64,
    /// Pool.
    pub component: Component,
    /// Thread id on which it was allocated.
    pub thread: u32,
    /// How its stack can be told.
    pub kind: Kind,
    /// Release Time; `None` = still live when recording stopped.
    pub release_ns: Option<i64>,
    /// Index in [`FolderTruth::stacks`]; `None` where [`Kind::None`].
    pub stack: Option<u32>,
}

/// One `ProfilerStep` span, in ns since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepTruth {
    /// Number behind the `#`.
    pub number: u32,
    /// Begin.
    pub start_ns: i64,
    /// End.
    pub end_ns: i64,
}

/// A planted problem in one folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Planted {
    /// What was asked for.
    pub plant: Plant,
    /// Innermost frame of its user line; empty where the problem has no line.
    pub line: String,
    /// Index of its stack in [`FolderTruth::stacks`].
    pub stack: Option<u32>,
    /// Operator_memory rows (0-based) that are its blocks.
    pub rows: Vec<u64>,
}

impl FolderTruth {
    /// The text of a row's stack, empty where nothing can tell.
    #[must_use]
    pub fn stack_text(&self, row: &BlockTruth) -> &str {
        row.stack.and_then(|at| self.stacks.get(at as usize)).map_or("", String::as_str)
    }
}
