//! What is kept of a trace until matching is done: operators, queue spans, flows. All of it is freed afterwards.
//!
//! At most 32 bytes an operator, and only operators of a name some row has, with a Sequence number, or that hold a backward
//! operator or the time of a row. The call sites they refer to stay.

use rustc_hash::FxHashMap;

use super::intern::Interner;
use super::python::PythonFunctions;
use super::row_times::RowTimes;
use super::rows::NO_SITE;
use super::sites::SiteCollector;
use crate::column::Column;
use crate::decimal::Decimal;
pub use crate::read::trace::AppCounter;
use crate::read::trace::{
    FlowKind, FlowSide, ForwardThread, OperatorSpan, PythonSpan, QueueSide, QueueSpan, RawString, Thread, TraceSink,
};

/// No Sequence number.
pub const NO_SEQUENCE: u32 = u32::MAX;
/// An operator no row is named after.
pub const NO_NAME: u32 = u32::MAX;

const THREAD_BITS: u32 = 17;
const THREAD_MASK: u32 = (1 << THREAD_BITS) - 1;
/// So many threads can be told apart.
pub const MAX_THREADS: usize = THREAD_MASK as usize + 1;
const FORWARD_BITS: u32 = 12;
const FORWARD_MASK: u32 = (1 << FORWARD_BITS) - 1;
/// `Fwd thread id` was not recorded.
const FORWARD_ABSENT: u32 = FORWARD_MASK;
/// `Fwd thread id` is too large to be kept: a backward operator of some thread.
const FORWARD_LARGE: u32 = FORWARD_MASK - 1;
const EVALUATES: u32 = 1 << 30;
const EVALUATE_FUNCTION: &[u8] = b"autograd::engine::evaluate_function";

/// What lies further apart than this is not on one time axis, ns.
const DAY_NS: i64 = 86_400_000_000_000;
/// Most operators kept that are on another axis than the rows: 32 MiB.
const MOST_FAR: usize = 1 << 20;

/// One operator span: 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operator {
    /// Start, ns.
    pub start: i64,
    /// End, ns.
    pub end: i64,
    /// Row-name id, or [`NO_NAME`].
    pub name: u32,
    /// Sequence number as [`Spans`] keeps it, or [`NO_SEQUENCE`].
    pub sequence: u32,
    /// Call site, or [`NO_SITE`] without a stack.
    pub site: u32,
    thread_and_flags: u32,
}

impl Operator {
    /// Thread id.
    pub fn thread(&self) -> u32 {
        self.thread_and_flags & THREAD_MASK
    }

    fn forward_field(&self) -> u32 {
        (self.thread_and_flags >> THREAD_BITS) & FORWARD_MASK
    }

    /// `Fwd thread id` is 0: a forward operator.
    pub fn is_forward(&self) -> bool {
        self.forward_field() == 0
    }

    /// The logical id of the forward thread, for a backward operator that says it.
    pub fn forward_thread(&self) -> Option<u32> {
        Some(self.forward_field()).filter(|id| !matches!(*id, 0 | FORWARD_ABSENT | FORWARD_LARGE))
    }

    /// Whether it says to be a backward operator, of whatever thread.
    pub fn is_backward(&self) -> bool {
        !matches!(self.forward_field(), 0 | FORWARD_ABSENT)
    }

    /// Whether it is an `autograd::engine::evaluate_function` span.
    pub fn evaluates(&self) -> bool {
        self.thread_and_flags & EVALUATES != 0
    }
}

/// No correlation id, in its place; a real one is taken for none as well, and the flow says it.
const NO_CORRELATION: i64 = i64::MIN;

/// A dequeue span: work of the task queue being done. 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dequeue {
    /// Start, ns.
    pub start: i64,
    /// End, ns.
    pub end: i64,
    correlation: i64,
    /// Thread id.
    pub thread: u32,
}

impl Dequeue {
    /// Correlation id, if the event says one; else the flow does.
    pub fn correlation(&self) -> Option<i64> {
        Some(self.correlation).filter(|id| *id != NO_CORRELATION)
    }
}

/// A moment on a thread with an id: the end of a flow, or an enqueue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// Sequence number (as an operator keeps it) or correlation id.
    pub id: i64,
    /// ns.
    pub time: i64,
    /// Thread id.
    pub thread: u32,
}

/// A ProfilerStep span, for the axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// `ProfilerStep#50`.
    pub name: String,
    /// Start, ns.
    pub start: i64,
    /// End, ns.
    pub end: i64,
}

/// A sample of the whole process's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppSample {
    /// ns.
    pub time: i64,
    /// Bytes.
    pub bytes: i64,
    /// Which counter.
    pub counter: AppCounter,
}

/// No time of a trace lies so far from 1970, in ns: so that differences of times always fit.
const TIME_LIMIT: i64 = 1 << 62;

/// All that is kept of a trace.
#[derive(Default)]
pub struct Spans {
    /// Operators in file order.
    pub operators: Column<Operator>,
    /// Other operators that hold a row, in file order: see [`TraceSink::inner`].
    pub inner: Column<Operator>,
    /// Starts as doubles of the decimal text, for the reference rule alone; else empty.
    pub starts_as_doubles: Column<f64>,
    /// Dequeue spans in file order.
    pub dequeues: Column<Dequeue>,
    /// Enqueues, by their events and by the starts of the queue's flows.
    pub enqueues: Column<Moment>,
    /// Ends of the queue's flows.
    pub dequeue_flows: Column<Moment>,
    /// Starts of `fwdbwd` flows in file order.
    pub forward_flows: Column<Moment>,
    /// Ends of `fwdbwd` flows in file order.
    pub backward_flows: Column<Moment>,
    /// Python functions, while no operator with a call stack was seen; else none.
    pub python: PythonFunctions,
    /// Whether operators have the sites the Python functions tell, not their own.
    pub sites_are_python: bool,
    /// Samples of the process's memory, in file order.
    pub app: Vec<AppSample>,
    /// ProfilerStep spans.
    pub steps: Vec<Step>,
    /// Call sites of all kept operators.
    pub sites: SiteCollector,
    /// Row names, to tell which operators matter.
    pub row_names: Interner,
    /// Times of the rows, to tell which operators and which work of the queue hold one.
    pub row_times: RowTimes,
    /// Whether these times are on the rows' axis, whatever else the trace holds: some operator lies among the rows.
    pub shares_axis: bool,
    /// Whether the rows are worked out: before that single odd times among them may lie anywhere.
    pub knows_rows: bool,
    /// Whether doubles are wanted.
    pub for_reference: bool,
    /// Operators and queue spans of more threads than can be told apart: not kept.
    pub lost_threads: u64,
    /// Numbers for Sequence numbers that need more than 31 bits, from 2^31 on.
    large_sequences: FxHashMap<i64, u32>,
    threads: Interner,
    thread_key: Vec<u8>,
    last_thread: Option<u32>,
    process_key: Vec<u8>,
    /// Thread and start of the last dequeue span that was not kept.
    unused_dequeue: Option<(u32, i64)>,
}

/// Adds an id in the form it is compared by: tools that save a trace again write 1234 as `1234.0`, or a letter as its escape.
fn push_id(key: &mut Vec<u8>, id: &[u8]) {
    if !id.iter().any(|byte| matches!(byte, b'.' | b'\\')) {
        return key.extend_from_slice(id);
    }
    let mut buffer = Vec::new();
    let (text, _) = RawString::from_parts(id, true).decode(&mut buffer);
    let whole =
        Decimal::parse(text.trim().as_bytes()).and_then(|number| number.scaled(1)).filter(|number| number.exact);
    match whole {
        Some(number) => key.extend_from_slice(number.units.to_string().as_bytes()),
        None => key.extend_from_slice(text.as_bytes()),
    }
}

impl Spans {
    /// The number a Sequence number is kept as: itself, if it is small enough. Only whether two are equal matters.
    fn sequence(&mut self, number: i64) -> Option<u32> {
        const LARGE: u32 = 1 << 31;
        if let Some(small) = u32::try_from(number).ok().filter(|n| *n < LARGE) {
            return Some(small);
        }
        let next = u32::try_from(self.large_sequences.len()).ok()?.checked_add(LARGE).filter(|n| *n < NO_SEQUENCE)?;
        Some(*self.large_sequences.entry(number).or_insert(next))
    }

    fn thread(&mut self, thread: Thread<'_>) -> Option<u32> {
        let mut key = std::mem::take(&mut self.process_key);
        key.clear();
        push_id(&mut key, thread.process);
        key.push(0);
        push_id(&mut key, thread.thread);
        let id = match self.last_thread {
            // Events of one thread come in runs.
            Some(id) if self.thread_key == key => Some(id),
            _ => {
                let id = self.threads.find(&key).or_else(|| {
                    let has_room = self.threads.len() < MAX_THREADS;
                    if has_room { self.threads.intern(&key) } else { None }
                });
                self.thread_key.clone_from(&key);
                self.last_thread = id;
                id
            }
        };
        self.process_key = key;
        self.lost_threads += u64::from(id.is_none());
        id
    }

    /// Whether a span is on another time axis than the rows, so that which of them it holds is known once it was moved; of these not
    /// all can be kept.
    fn is_far_from_rows(&self, start_ns: i64, end_ns: i64) -> bool {
        let Some((first, last)) = self.row_times.window() else { return false };
        let is_far = first.saturating_sub(end_ns) > DAY_NS || start_ns.saturating_sub(last) > DAY_NS;
        is_far && self.inner.len() < MOST_FAR
    }

    /// An enqueue and the start of its flow, which say the same, are often written one after the other.
    fn enqueue(&mut self, moment: Moment) {
        if self.enqueues.last() != Some(&moment) {
            self.enqueues.push(moment);
        }
    }

    /// Whether a flow ends where a dequeue span begins that was not kept, or that says its id itself: they are often written one
    /// after the other.
    fn is_flow_unused(&self, end: &Moment) -> bool {
        let has_id = |dequeue: &Dequeue| dequeue.correlation().is_some();
        let begins = |dequeue: &Dequeue| (dequeue.thread, dequeue.start) == (end.thread, end.time);
        self.unused_dequeue == Some((end.thread, end.time))
            || self.dequeues.last().is_some_and(|dequeue| begins(dequeue) && has_id(dequeue))
    }

    /// Moves every time by so many ns: the trace has another origin than the memory tables.
    pub fn shift(&mut self, by_ns: i64) {
        let shifted = |time: &mut i64| *time = time.saturating_add(by_ns).clamp(-TIME_LIMIT, TIME_LIMIT);
        for op in self.operators.iter_mut().chain(self.inner.iter_mut()) {
            shifted(&mut op.start);
            shifted(&mut op.end);
        }
        for dequeue in self.dequeues.iter_mut() {
            shifted(&mut dequeue.start);
            shifted(&mut dequeue.end);
        }
        let moments = [&mut self.enqueues, &mut self.dequeue_flows, &mut self.forward_flows, &mut self.backward_flows];
        for moment in moments.into_iter().flat_map(Column::iter_mut) {
            shifted(&mut moment.time);
        }
        for function in self.python.list.iter_mut() {
            shifted(&mut function.start);
            shifted(&mut function.end);
        }
        for step in &mut self.steps {
            shifted(&mut step.start);
            shifted(&mut step.end);
        }
        for sample in &mut self.app {
            shifted(&mut sample.time);
        }
    }

    /// Bytes held for operators, the queue and flows.
    pub fn kept_bytes(&self) -> usize {
        let moments = [&self.enqueues, &self.dequeue_flows, &self.forward_flows, &self.backward_flows];
        self.operators.kept_bytes()
            + self.inner.kept_bytes()
            + self.starts_as_doubles.kept_bytes()
            + self.python.kept_bytes()
            + self.app.capacity() * size_of::<AppSample>()
            + self.dequeues.kept_bytes()
            + moments.into_iter().map(Column::kept_bytes).sum::<usize>()
    }
}

impl TraceSink for Spans {
    fn name(&self, name: &[u8]) -> Option<u32> {
        self.row_names.find(name)
    }

    fn keep_stack(&mut self, text: &[u8]) -> Option<u32> {
        self.sites.collect(Some(RawString::from_parts(text, false)), None)
    }

    fn operator(&mut self, span: &OperatorSpan<'_>) {
        let has_stack = span.stack.is_some() || span.kept_stack.is_some();
        if self.for_reference && (span.name_id.is_none() || !has_stack) {
            return;
        }
        let evaluates = span.name.starts_with(EVALUATE_FUNCTION);
        let sequence = span.sequence.and_then(|n| self.sequence(n)).unwrap_or(NO_SEQUENCE);
        if span.name_id.is_none() && sequence == NO_SEQUENCE && !evaluates {
            return;
        }
        let forward = match span.forward_thread {
            ForwardThread::Zero => 0,
            ForwardThread::Other(id) => u32::try_from(id).unwrap_or(FORWARD_LARGE).min(FORWARD_LARGE),
            ForwardThread::Absent => FORWARD_ABSENT,
        };
        let Some(thread) = self.thread(span.thread) else { return };
        let site = span.kept_stack.or_else(|| self.sites.collect(span.stack, span.module));
        if site.is_some() {
            self.python.clear();
        }
        if !self.shares_axis
            && self.knows_rows
            && let Some((from, to)) = self.row_times.window()
        {
            self.shares_axis = span.start_ns <= to && span.end_ns >= from;
        }
        let thread = thread | (forward << THREAD_BITS) | if evaluates { EVALUATES } else { 0 };
        self.operators.push(Operator {
            start: span.start_ns,
            end: span.end_ns,
            name: span.name_id.unwrap_or(NO_NAME),
            sequence,
            site: site.unwrap_or(NO_SITE),
            thread_and_flags: thread,
        });
        if self.for_reference {
            let text = std::str::from_utf8(span.start_text).unwrap_or_default();
            let start = match text {
                "" => Decimal::from_units(span.start_ns, 1000).to_f64(),
                text => text.parse().unwrap_or(f64::NAN),
            };
            self.starts_as_doubles.push(start);
        }
    }

    fn inner(&mut self, thread: Thread<'_>, start_ns: i64, end_ns: i64) {
        let holds_row = self.row_times.any_between(start_ns, end_ns);
        if !holds_row && !self.is_far_from_rows(start_ns, end_ns) {
            return;
        }
        let Some(thread) = self.thread(thread) else { return };
        self.inner.push(Operator {
            start: start_ns,
            end: end_ns,
            name: NO_NAME,
            sequence: NO_SEQUENCE,
            site: NO_SITE,
            thread_and_flags: thread | (FORWARD_ABSENT << THREAD_BITS),
        });
    }

    fn queue(&mut self, span: &QueueSpan<'_>) {
        if self.for_reference {
            return;
        }
        let Some(thread) = self.thread(span.thread) else { return };
        match (span.side, span.correlation) {
            (QueueSide::Enqueue, Some(id)) => self.enqueue(Moment { id, time: span.start_ns, thread }),
            // Without an id the flow that starts here says it.
            (QueueSide::Enqueue, None) => {}
            (QueueSide::Dequeue, correlation) => {
                // What it was queued by is asked for rows that were allocated in it.
                let is_known = self.shares_axis && !self.row_times.order.is_empty();
                if is_known && !self.row_times.any_between(span.start_ns, span.end_ns) {
                    self.unused_dequeue = Some((thread, span.start_ns));
                    return;
                }
                let correlation = correlation.unwrap_or(NO_CORRELATION);
                self.dequeues.push(Dequeue { start: span.start_ns, end: span.end_ns, correlation, thread });
            }
        }
    }

    fn flow(&mut self, kind: FlowKind, side: FlowSide, id: i64, thread: Thread<'_>, at_ns: i64) {
        if self.for_reference {
            return;
        }
        let Some(thread) = self.thread(thread) else { return };
        let id = match kind {
            FlowKind::Queue => id,
            FlowKind::Backward => self.sequence(id).map_or(id, i64::from),
        };
        let moment = Moment { id, time: at_ns, thread };
        if kind == FlowKind::Queue && side == FlowSide::End && self.is_flow_unused(&moment) {
            return;
        }
        match (kind, side) {
            (FlowKind::Backward, FlowSide::Start) => self.forward_flows.push(moment),
            (FlowKind::Backward, FlowSide::End) => self.backward_flows.push(moment),
            (FlowKind::Queue, FlowSide::Start) => self.enqueue(moment),
            (FlowKind::Queue, FlowSide::End) => self.dequeue_flows.push(moment),
        }
    }

    fn python(&mut self, span: &PythonSpan<'_>) {
        if self.for_reference {
            return;
        }
        let Some(thread) = self.thread(span.thread) else { return };
        self.python.add(span.name, thread, span.start_ns, span.end_ns);
    }

    fn app(&mut self, counter: AppCounter, at_ns: i64, bytes: i64) {
        self.app.push(AppSample { time: at_ns, bytes, counter });
    }

    fn step(&mut self, name: &[u8], start_ns: i64, end_ns: i64) {
        self.steps.push(Step { name: String::from_utf8_lossy(name).into_owned(), start: start_ns, end: end_ns });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_a_trace_takes_32_bytes_each_at_most() {
        let sizes = [size_of::<Operator>(), size_of::<Dequeue>(), size_of::<Moment>(), size_of::<AppSample>()];
        assert!(sizes.iter().all(|size| *size <= 32), "{sizes:?}");
    }
}
