//! What a simulation tells its listeners. Times are nanoseconds since 1970.

use crate::stacks::StackId;

/// A thread of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Thread {
    /// Python, forward.
    Main,
    /// The autograd engine's thread of the device.
    Backward,
    /// Takes the task queue's entries and launches them.
    Queue,
    /// A second Python thread that runs forward operators.
    Second,
    /// A loader without Python frames.
    Loader,
}

/// Number of threads.
pub(crate) const THREADS: usize = 5;

impl Thread {
    /// What `Fwd thread id` says in backward operators of this thread's forward operators.
    pub(crate) fn logical(self) -> u32 {
        match self {
            Self::Main => 1,
            Self::Second => 2,
            Self::Backward => 3,
            Self::Loader => 4,
            Self::Queue => 5,
        }
    }
}

/// An operator's name.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Label {
    Plain(&'static str),
    /// `autograd::engine::evaluate_function: ` and the node.
    Evaluate(&'static str),
    /// `ProfilerStep#` and the number.
    Step(u32),
}

/// A `cpu_op` event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Op {
    pub(crate) label: Label,
    pub(crate) thread: Thread,
    pub(crate) start: i64,
    pub(crate) end: i64,
    /// -1 = none.
    pub(crate) sequence: i64,
    pub(crate) forward_thread: u32,
    /// Which of the shape texts; `None` = no shapes.
    pub(crate) dims: Option<Dims>,
    pub(crate) stack: Option<StackId>,
}

/// Shapes an operator shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dims {
    Tokens,
    Hidden,
    Pair,
    Weight,
    Wide,
    Logits,
    Scalar,
    Empty,
}

/// Something queued by an operator and launched by the queue's thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Task {
    pub(crate) correlation: i64,
    pub(crate) kernel: &'static Kernel,
    pub(crate) thread: Thread,
    /// Start of the `aclnn...` operator that queued it.
    pub(crate) operator_start: i64,
    pub(crate) enqueue: (i64, i64),
    pub(crate) dequeue: (i64, i64),
    /// On the device.
    pub(crate) launch: i64,
    pub(crate) device: (i64, i64),
    pub(crate) stream: u8,
    pub(crate) number: i64,
}

/// A kind of device work.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// As the operator and the dequeue event call it.
    pub(crate) name: &'static str,
    /// On the device.
    pub(crate) device: &'static str,
    pub(crate) task_type: &'static str,
}

/// A `fwdbwd` pair.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) sequence: i64,
    pub(crate) forward: (Thread, i64),
    pub(crate) backward: (Thread, i64),
}

/// A `python_function` event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) name: &'static str,
    /// The number behind a module's name.
    pub(crate) module: Option<u32>,
    pub(crate) thread: Thread,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) id: i64,
    pub(crate) parent: i64,
}

/// Which pool a record or block belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Component {
    /// The torch allocator.
    Pta,
    /// The graph engine; rows named `cann::`.
    Ge,
    /// Workspace of the operators, a pool of its own.
    Workspace,
}

impl Component {
    /// As memory_record.csv writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pta => "PTA",
            Self::Ge => "GE",
            Self::Workspace => "WORKSPACE",
        }
    }
}

/// A pool's totals right after an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    pub(crate) component: Component,
    pub(crate) time: i64,
    pub(crate) totals: crate::allocator::Totals,
    pub(crate) stream: u8,
}

/// Takes what happens; a section of a file listens to its own kind and ignores the rest.
pub(crate) trait Listener {
    fn op(&mut self, _: &Op) {}
    fn task(&mut self, _: &Task) {}
    fn pair(&mut self, _: &Pair) {}
    fn call(&mut self, _: &Call) {}
    fn record(&mut self, _: &Record) {}
}

/// Takes nothing: for a pass of which only the memory counts.
pub(crate) struct Nobody;

impl Listener for Nobody {}
