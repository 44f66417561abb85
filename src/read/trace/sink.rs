//! What a trace gives: the records and who takes them.

use super::fields::RawString;

/// Process and thread as written (numbers or text), to be told apart by their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Thread<'a> {
    /// `pid`.
    pub process: &'a [u8],
    /// `tid`.
    pub thread: &'a [u8],
}

/// What `Fwd thread id` says about an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForwardThread {
    /// 0: a forward operator.
    Zero,
    /// The logical id of the forward thread: a backward operator.
    Other(i64),
    /// Not recorded.
    Absent,
}

/// A `cpu_op` event.
#[derive(Debug, Clone, Copy)]
pub struct OperatorSpan<'a> {
    /// Name, escapes undone.
    pub name: &'a [u8],
    /// What [`TraceSink::name`] gave for the name.
    pub name_id: Option<u32>,
    /// Where it ran.
    pub thread: Thread<'a>,
    /// Start, ns.
    pub start_ns: i64,
    /// Start as written, microseconds; empty where it is not written as text.
    pub start_text: &'a [u8],
    /// End, ns; where `dur` is missing, just before the start: nothing is known to lie inside.
    pub end_ns: i64,
    /// Sequence number, if there is one (not -1).
    pub sequence: Option<i64>,
    /// See [`ForwardThread`].
    pub forward_thread: ForwardThread,
    /// The key `Call stack`: `None` if absent, empty if its value is no text.
    pub stack: Option<RawString<'a>>,
    /// What [`TraceSink::keep_stack`] gave for its stack, where the source tells stacks apart by number; `stack` is then `None`.
    pub kept_stack: Option<u32>,
    /// The key `Module Hierarchy`.
    pub module: Option<RawString<'a>>,
}

/// Which end of the task queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueSide {
    /// The thread that queues work.
    Enqueue,
    /// The thread that does it.
    Dequeue,
}

/// An `enqueue` or `dequeue` event.
#[derive(Debug, Clone, Copy)]
pub struct QueueSpan<'a> {
    /// Which end.
    pub side: QueueSide,
    /// Where it ran.
    pub thread: Thread<'a>,
    /// Start, ns.
    pub start_ns: i64,
    /// End, ns.
    pub end_ns: i64,
    /// `correlation_id`, if recorded.
    pub correlation: Option<i64>,
}

/// A `python_function` event.
#[derive(Debug, Clone, Copy)]
pub struct PythonSpan<'a> {
    /// Frame text, such as `file.py(12): step`; or `nn.Module: Linear_3`.
    pub name: RawString<'a>,
    /// Where it ran.
    pub thread: Thread<'a>,
    /// Start, ns.
    pub start_ns: i64,
    /// End, ns.
    pub end_ns: i64,
}

/// Which counter of the whole process's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppCounter {
    /// `APP/DDR`.
    Ddr,
    /// `APP/HBM`.
    Hbm,
    /// `APP/Memory`: both together.
    Memory,
}

impl AppCounter {
    /// Every counter, the one memory_record.csv repeats first.
    pub const ALL: [AppCounter; 3] = [AppCounter::Memory, AppCounter::Hbm, AppCounter::Ddr];

    /// As the event is named.
    pub fn name(self) -> &'static str {
        match self {
            AppCounter::Ddr => "APP/DDR",
            AppCounter::Hbm => "APP/HBM",
            AppCounter::Memory => "APP/Memory",
        }
    }
}

/// Which relation a flow draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlowKind {
    /// `fwdbwd`: forward operator to backward operator; the id is the Sequence number.
    Backward,
    /// `async_task_queue`: enqueue to dequeue; the id is the correlation id.
    Queue,
}

/// Which end of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlowSide {
    /// `ph` "s".
    Start,
    /// `ph` "f".
    End,
}

/// Operators the writer passes over when it names a row: those that only get the memory for another.
pub const PASSED_OVER: [&[u8]; 2] = [b"empty_tensor", b"malloc_workspace"];

/// Takes what a trace gives.
pub trait TraceSink {
    /// The id of an operator name that rows have; `None` for names no row has.
    fn name(&self, name: &[u8]) -> Option<u32>;

    /// Keeps a call stack; gives what an operator names it by. `None` for an empty one.
    fn keep_stack(&mut self, text: &[u8]) -> Option<u32>;

    /// An operator of such a name, with a Sequence number, or named `autograd::engine::evaluate_function...`.
    fn operator(&mut self, span: &OperatorSpan<'_>);

    /// A `cpu_op` event no rule starts from. The writer names a row by the innermost operator that holds it, so that one inside the
    /// operator a row is named after tells that the row is another thread's.
    fn inner(&mut self, _thread: Thread<'_>, _start_ns: i64, _end_ns: i64) {}

    /// An end of the task queue.
    fn queue(&mut self, span: &QueueSpan<'_>);

    /// An end of a flow.
    fn flow(&mut self, kind: FlowKind, side: FlowSide, id: i64, thread: Thread<'_>, at_ns: i64);

    /// A Python function; given only while no operator with a call stack has been read.
    fn python(&mut self, span: &PythonSpan<'_>);

    /// A sample of the whole process's memory.
    fn app(&mut self, counter: AppCounter, at_ns: i64, bytes: i64);

    /// A `ProfilerStep#N` span.
    fn step(&mut self, name: &[u8], start_ns: i64, end_ns: i64);
}
