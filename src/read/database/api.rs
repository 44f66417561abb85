//! PYTORCH_API: operators, the ends of the task queue and the relations between them, as trace_view.json gives them.
//!
//! Rows are read once, in the order they were written. Which are of interest is asked of the sink by name, each name once.

use rustc_hash::FxHashMap;

use super::chains::Chains;
use super::links::{Backward, Links};
use super::open::Db;
use super::scan::{Cells, Int, Plan, scan};
use super::strings::Strings;
use crate::problem::{ProblemKind, Problems};
use crate::read::number::Unit;
use crate::read::trace::{
    FlowKind, FlowSide, ForwardThread, OperatorSpan, PASSED_OVER, PythonSpan, QueueSide, QueueSpan, RawString, Thread,
    TraceCounts, TraceSink,
};

/// Kinds of rows: an operator, an end of the task queue, a Python function. Marks (50004) no rule needs.
const OPERATOR: i64 = 50001;
const QUEUE: i64 = 50002;
const PYTHON: i64 = 50003;

const EVALUATE_FUNCTION: &str = "autograd::engine::evaluate_function";
const PROFILER_STEP: &str = "ProfilerStep#";

/// The id that stands for no chain, and what lies beyond: none.
const NO_CHAIN: i64 = 0xffff_ffff;

const START: usize = 0;
const END: usize = 1;
const THREAD: usize = 2;
const CONNECTION: usize = 3;
const NAME: usize = 4;
const SEQUENCE: usize = 5;
const FORWARD: usize = 6;
const CHAIN: usize = 7;
const KIND: usize = 8;

/// Operators and the ends of the queue.
pub(super) const CALLS: Plan<'static> = Plan {
    table: "PYTORCH_API",
    columns: &[
        "startNs",
        "endNs",
        "globalTid",
        "connectionId",
        "name",
        "sequenceNumber",
        "fwdThreadId",
        "callchainId",
        "type",
    ],
    only: Some(("type", &[OPERATOR, QUEUE])),
};

/// What is known of a name.
struct Name {
    text: String,
    /// What the sink gave for it.
    id: Option<u32>,
    is_step: bool,
    evaluates: bool,
    /// For rows that do not say their kind.
    side: Option<QueueSide>,
}

impl Name {
    fn new(text: String, sink: &mut impl TraceSink) -> Name {
        let side = if text == "Enqueue" || text.starts_with("Enqueue@") {
            Some(QueueSide::Enqueue)
        } else if text.starts_with("Dequeue") {
            Some(QueueSide::Dequeue)
        } else {
            None
        };
        Name {
            id: sink.name(text.as_bytes()),
            is_step: text.starts_with(PROFILER_STEP),
            evaluates: text.starts_with(EVALUATE_FUNCTION),
            side,
            text,
        }
    }
}

/// A thread as text, made anew only when it changes.
#[derive(Default)]
struct ThreadText {
    global: Option<i64>,
    process: String,
    thread: String,
}

impl ThreadText {
    /// Process and thread of an id that holds both, the process in the upper half.
    fn set(&mut self, global: i64) {
        if self.global != Some(global) {
            self.global = Some(global);
            self.process = ((global as u64) >> 32).to_string();
            self.thread = (global & 0xffff_ffff).to_string();
        }
    }

    fn get(&self) -> Thread<'_> {
        Thread { process: self.process.as_bytes(), thread: self.thread.as_bytes() }
    }
}

/// Reads the table; gives what was seen.
pub(super) fn spans<S: TraceSink>(
    db: &Db,
    file: &str,
    problems: &mut Problems,
    strings: &mut Strings<'_>,
    sink: &mut S,
) -> TraceCounts {
    if db.table("PYTORCH_API").is_none() {
        return TraceCounts::default();
    }
    let chains = Chains::read(db, file, problems);
    let links = Links::read(db, file, problems);
    let mut reader = Reader {
        file,
        strings,
        chains,
        links,
        backward: Backward::default(),
        names: FxHashMap::default(),
        stacks: FxHashMap::default(),
        frames: FxHashMap::default(),
        thread: ThreadText::default(),
        counts: TraceCounts::default(),
        steps: 0,
    };
    scan(db, problems, file, &CALLS, &mut |cells, problems| reader.take(cells, sink, problems));
    if reader.counts.operators > 0 && reader.counts.stacks == 0 {
        // With call stacks in the operators themselves these say nothing new.
        let plan = Plan { only: Some(("type", &[PYTHON])), ..CALLS };
        scan(db, problems, file, &plan, &mut |cells, problems| {
            if cells.int(KIND) == Int::Whole(PYTHON) {
                reader.python(cells, sink, problems);
            }
        });
    }
    let Reader { counts, steps, .. } = reader;
    if steps == 0 {
        step_times(db, file, problems, sink);
    }
    counts
}

struct Reader<'a, 'd> {
    file: &'a str,
    strings: &'a mut Strings<'d>,
    chains: Chains,
    links: Links,
    backward: Backward,
    names: FxHashMap<i64, Name>,
    /// What the sink gave for a stack.
    stacks: FxHashMap<u32, Option<u32>>,
    /// Names of Python functions.
    frames: FxHashMap<i64, String>,
    thread: ThreadText,
    counts: TraceCounts,
    steps: u64,
}

impl Reader<'_, '_> {
    fn take<S: TraceSink>(&mut self, cells: &Cells<'_, '_>, sink: &mut S, problems: &mut Problems) {
        self.counts.events += 1;
        let Int::Whole(name) = cells.int(NAME) else {
            problems.add(self.file, cells.place(NAME), ProblemKind::BadEvent, "");
            return;
        };
        if !self.names.contains_key(&name) {
            let text = self.strings.text(name).unwrap_or_else(|| {
                problems.add(self.file, cells.place(NAME), ProblemKind::MissingText, &name.to_string());
                String::new()
            });
            self.names.insert(name, Name::new(text, sink));
        }
        let side = self.names.get(&name).and_then(|known| known.side);
        match (cells.int(KIND).whole(), side) {
            (Some(QUEUE), Some(side)) | (None, Some(side)) => self.queue(cells, side, sink, problems),
            (Some(QUEUE), None) => {}
            (Some(_) | None, _) => self.operator(cells, name, sink, problems),
        }
    }

    /// Start and end, if both can be used.
    fn times(&self, cells: &Cells<'_, '_>, problems: &mut Problems) -> Option<(i64, i64)> {
        let time = |column| cells.int(column).whole().filter(|ns| Unit::Us.holds(*ns));
        let times = time(START).zip(time(END)).filter(|(start, end)| start <= end);
        if times.is_none() {
            problems.add(self.file, cells.place(START), ProblemKind::BadEventTime, &cells.shown(START));
        }
        times
    }

    fn python<S: TraceSink>(&mut self, cells: &Cells<'_, '_>, sink: &mut S, problems: &mut Problems) {
        self.counts.events += 1;
        let (Some((start_ns, end_ns)), Int::Whole(id)) = (self.times(cells, problems), cells.int(NAME)) else { return };
        self.thread.set(cells.int(THREAD).whole().unwrap_or(0));
        let strings = &mut *self.strings;
        let name = self.frames.entry(id).or_insert_with(|| strings.text(id).unwrap_or_default());
        let name = RawString::from_parts(name.as_bytes(), false);
        sink.python(&PythonSpan { name, thread: self.thread.get(), start_ns, end_ns });
    }

    fn queue<S: TraceSink>(&mut self, cells: &Cells<'_, '_>, side: QueueSide, sink: &mut S, problems: &mut Problems) {
        let Some((start_ns, end_ns)) = self.times(cells, problems) else { return };
        self.thread.set(cells.int(THREAD).whole().unwrap_or(0));
        let link = cells.int(CONNECTION).whole();
        let correlation = link.and_then(|link| self.links.of(link).next());
        sink.queue(&QueueSpan { side, thread: self.thread.get(), start_ns, end_ns, correlation });
    }

    fn operator<S: TraceSink>(&mut self, cells: &Cells<'_, '_>, name: i64, sink: &mut S, problems: &mut Problems) {
        self.counts.operators += 1;
        let named = cells.int(CHAIN).whole().filter(|chain| (0..NO_CHAIN).contains(chain));
        let chain = named.and_then(|chain| self.chains.stack_of(chain));
        if named.is_some() && chain.is_none() {
            problems.add(self.file, cells.place(CHAIN), ProblemKind::MissingText, "PYTORCH_CALLCHAINS");
        }
        self.counts.stacks += u64::from(chain.is_some());
        let Some(known) = self.names.get(&name) else { return };
        let (name_id, is_step) = (known.id, known.is_step);
        let sequence = cells.int(SEQUENCE).whole().filter(|n| *n >= 0);
        if name_id.is_none() && sequence.is_none() && !is_step && !known.evaluates {
            let time = |column| cells.int(column).whole().filter(|ns| Unit::Us.holds(*ns));
            let times = time(START).zip(time(END)).filter(|(start, end)| start <= end);
            if let Some((start_ns, end_ns)) = times.filter(|_| !PASSED_OVER.contains(&known.text.as_bytes())) {
                self.thread.set(cells.int(THREAD).whole().unwrap_or(0));
                sink.inner(self.thread.get(), start_ns, end_ns);
            }
            return;
        }
        let Some((start_ns, end_ns)) = self.times(cells, problems) else { return };
        let forward_thread = match cells.int(FORWARD) {
            Int::Whole(0) => ForwardThread::Zero,
            Int::Whole(id) => ForwardThread::Other(id),
            Int::Missing | Int::Bad => ForwardThread::Absent,
        };
        self.thread.set(cells.int(THREAD).whole().unwrap_or(0));
        let kept_stack = chain.and_then(|stack| self.kept(stack, cells, sink, problems));
        let Some(known) = self.names.get(&name) else { return };
        if is_step {
            self.steps += 1;
            sink.step(known.text.as_bytes(), start_ns, end_ns);
        }
        sink.operator(&OperatorSpan {
            name: known.text.as_bytes(),
            name_id,
            thread: self.thread.get(),
            start_ns,
            start_text: b"",
            end_ns,
            sequence,
            forward_thread,
            stack: None,
            kept_stack,
            module: None,
        });
        if let (Some(sequence), Some(link)) = (sequence, cells.int(CONNECTION).whole()) {
            let is_forward = forward_thread == ForwardThread::Zero;
            let place = (self.thread.global.unwrap_or(0), start_ns);
            for id in self.links.of(link) {
                if let Some((from, to)) = self.backward.pair(id, is_forward, place) {
                    for (side, (global, at_ns)) in [(FlowSide::Start, from), (FlowSide::End, to)] {
                        self.thread.set(global);
                        sink.flow(FlowKind::Backward, side, sequence, self.thread.get(), at_ns);
                    }
                }
            }
        }
    }

    /// What the sink keeps a stack as; its text is looked up once.
    fn kept<S: TraceSink>(
        &mut self,
        stack: u32,
        cells: &Cells<'_, '_>,
        sink: &mut S,
        problems: &mut Problems,
    ) -> Option<u32> {
        if let Some(kept) = self.stacks.get(&stack) {
            return *kept;
        }
        let text = self.chains.text(stack, self.strings);
        if text.is_none() {
            problems.add(self.file, cells.place(CHAIN), ProblemKind::MissingText, "PYTORCH_CALLCHAINS");
        }
        let kept = text.and_then(|text| sink.keep_stack(text.as_bytes()));
        self.stacks.insert(stack, kept);
        kept
    }
}

/// STEP_TIME, for recordings whose steps are no operators.
fn step_times(db: &Db, file: &str, problems: &mut Problems, sink: &mut impl TraceSink) {
    let plan = Plan { table: "STEP_TIME", columns: &["id", "startNs", "endNs"], only: None };
    scan(db, problems, file, &plan, &mut |cells, problems| {
        let time = |column| cells.int(column).whole().filter(|ns| Unit::Us.holds(*ns));
        match (cells.int(0).whole(), time(1), time(2)) {
            (Some(id), Some(start), Some(end)) if start <= end => {
                sink.step(format!("{PROFILER_STEP}{id}").as_bytes(), start, end);
            }
            _ => problems.add(file, cells.row_place(), ProblemKind::BadEventTime, ""),
        }
    });
}
