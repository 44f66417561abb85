//! The push reader: from chunks cut anywhere to events, then to records in a sink.

use super::damage::{MAX_EVENT_BYTES, OVERLAP_BYTES, SUSPICIOUS_BYTES, end_of_object, next_event};
use super::event::{Event, read_careful, read_fast};
use super::fields::{RawString, is, number, scalar, time_ns, time_text, whole};
use super::scan::{RawValue, Stop, blank, string, unescape, value};
use super::shape::{Known, Shapes};
use super::sink::{
    AppCounter, FlowKind, FlowSide, ForwardThread, OperatorSpan, PASSED_OVER, PythonSpan, QueueSide, QueueSpan, Thread,
    TraceSink,
};
use crate::decimal::Decimal;
use crate::problem::{Place, ProblemKind, Problems};

/// How much of a new chunk is put behind an unfinished event at first: enough for nearly every event to end in it.
const JOIN_BYTES: usize = 64 << 10;

/// A byte-order mark.
const BOM: &[u8] = b"\xef\xbb\xbf";
/// Names of this kind hold the backward operator of one forward operator.
const EVALUATE_FUNCTION: &[u8] = b"autograd::engine::evaluate_function";
const PROFILER_STEP: &[u8] = b"ProfilerStep#";

/// What was seen in a trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TraceCounts {
    /// Events, broken ones included.
    pub events: u64,
    /// Events the fast way left to the careful one.
    pub careful: u64,
    /// `cpu_op` events.
    pub operators: u64,
    /// `cpu_op` events with a call stack that is not empty.
    pub stacks: u64,
}

/// What reading it cost. Unlike [`TraceCounts`] this depends on where the chunks were cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TraceWork {
    /// Events of no known way, which were parsed key by key.
    pub parsed: u64,
    /// Bytes copied because an event lies in several chunks.
    pub copied: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// Before the first bracket.
    Start,
    /// In the object that holds `traceEvents`, before a key.
    Object,
    /// Inside the value of another key of that object, however large: so many brackets deep, in a string or not.
    Skip { depth: usize, in_string: bool },
    /// Between events.
    Array { in_object: bool },
    /// Behind damage, before the start of the next event.
    Damaged { in_object: bool },
    /// Behind the array.
    Done,
    /// Not JSON at all.
    Lost,
}

/// What one step over the bytes gave.
enum Step {
    /// Go on at this position.
    At(usize),
    /// More bytes are needed from this position on.
    More(usize),
}

/// A push reader of trace_view.json.
pub struct Trace {
    file: String,
    place: Where,
    /// Whether events were looked for at all.
    has_array: bool,
    /// Where something else than JSON begins: the front of the file may be missing.
    headless: Option<u64>,
    /// Whether events stand one behind the other without brackets around them, as a rule one a line.
    is_lines: bool,
    /// The unfinished piece at the end of the last chunk.
    carry: Vec<u8>,
    /// Try the carry again only when it has this size: a piece over many chunks is not read anew for each.
    retry_at: usize,
    /// Byte offset in the file of the carry's (or, without one, the next chunk's) first byte.
    offset: u64,
    counts: TraceCounts,
    work: TraceWork,
    problems: Problems,
    name: Vec<u8>,
    shapes: Shapes,
    /// Whether there is a NUL byte in the bytes that are being read.
    has_nul: bool,
}

impl Trace {
    /// A reader that names `file` in its problems.
    pub fn new(file: &str) -> Trace {
        Trace {
            file: file.to_owned(),
            place: Where::Start,
            has_array: false,
            headless: None,
            is_lines: false,
            carry: Vec::new(),
            retry_at: 0,
            offset: 0,
            counts: TraceCounts::default(),
            work: TraceWork::default(),
            problems: Problems::default(),
            name: Vec::new(),
            shapes: Shapes::default(),
            has_nul: false,
        }
    }

    /// What was seen so far.
    pub fn counts(&self) -> TraceCounts {
        self.counts
    }

    /// What reading cost so far.
    pub fn work(&self) -> TraceWork {
        self.work
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl TraceSink) {
        let mut chunk = chunk;
        while !self.carry.is_empty() && !chunk.is_empty() {
            let (head, tail) = chunk.split_at(JOIN_BYTES.max(self.carry.len()).min(chunk.len()));
            let before = self.carry.len();
            let mut carry = std::mem::take(&mut self.carry);
            carry.extend_from_slice(head);
            self.work.copied += head.len() as u64;
            let used = if carry.len() < self.retry_at { 0 } else { self.read(&carry, sink) };
            match used.checked_sub(before) {
                // What was carried is done: go on in the chunk itself, without copying the rest.
                Some(in_chunk) => {
                    chunk = chunk.get(in_chunk..).unwrap_or_default();
                    carry.clear();
                }
                None => {
                    chunk = tail;
                    carry.drain(..used);
                    if carry.len() >= self.retry_at {
                        self.retry_at = carry.len() + carry.len() / 2;
                    }
                }
            }
            self.carry = carry;
        }
        if !chunk.is_empty() {
            let used = self.read(chunk, sink);
            let left = chunk.get(used..).unwrap_or_default();
            self.work.copied += left.len() as u64;
            self.carry.extend_from_slice(left);
            self.retry_at = 0;
        }
    }

    /// Takes the end of the file; gives the problems met.
    pub fn finish(mut self, sink: &mut impl TraceSink) -> (TraceCounts, Problems) {
        let carry = std::mem::take(&mut self.carry);
        let mut rest = carry.as_slice();
        loop {
            let used = self.read(rest, sink);
            rest = rest.get(used..).unwrap_or_default();
            let unfinished = matches!(self.place, Where::Array { .. }) && !rest.is_empty();
            let Some(next) = next_event(rest, 1, self.is_lines).filter(|_| unfinished) else { break };
            self.lose_event(0, "");
            rest = rest.get(next..).unwrap_or_default();
            self.offset += next as u64;
        }
        if let Some(at) = self.headless {
            let (kind, detail) = match self.counts.events {
                0 => (ProblemKind::NotRecognised, "JSON"),
                _ => (ProblemKind::BadEvent, "the beginning is missing"),
            };
            self.problems.add(&self.file, Place::Byte(at), kind, detail);
        }
        match self.place {
            Where::Start if BOM.starts_with(rest.trim_ascii()) => self.note(0, ProblemKind::EmptyFile, ""),
            Where::Start => self.note(0, ProblemKind::Truncated, ""),
            Where::Array { .. } if self.is_lines && rest.is_empty() => {}
            Where::Object | Where::Skip { .. } | Where::Array { .. } => self.note(0, ProblemKind::Truncated, ""),
            // The damage is counted.
            Where::Damaged { .. } | Where::Done | Where::Lost => {}
        }
        (self.counts, self.problems)
    }

    /// Reads all that is whole in `b`; gives how much of it is done with.
    fn read(&mut self, b: &[u8], sink: &mut impl TraceSink) -> usize {
        let mut at = 0;
        self.has_nul = memchr::memchr(0, b).is_some();
        loop {
            match self.step(b, at, sink) {
                Step::At(next) => at = next,
                Step::More(keep) => {
                    self.offset += keep as u64;
                    return keep;
                }
            }
        }
    }

    fn step(&mut self, b: &[u8], at: usize, sink: &mut impl TraceSink) -> Step {
        match self.place {
            Where::Start => self.start(b, at),
            Where::Object => self.object_key(b, at),
            Where::Skip { depth, in_string } => self.skip(b, at, depth, in_string),
            Where::Array { in_object } => self.element(b, at, in_object, sink),
            Where::Damaged { in_object } => match next_event(b, at, self.is_lines) {
                Some(next) => {
                    self.place = Where::Array { in_object };
                    Step::At(next)
                }
                None => Step::More(at.max(b.len().saturating_sub(OVERLAP_BYTES))),
            },
            Where::Done => {
                let at = blank(b, at);
                if at == b.len() {
                    return Step::More(at);
                }
                if b.get(at) == Some(&b'[') {
                    self.note(at, ProblemKind::Concatenated, "");
                    self.place = Where::Array { in_object: false };
                    return Step::At(at + 1);
                }
                // The bracket may have stood inside a broken event.
                self.note(at, ProblemKind::BadEvent, "text behind the end");
                self.place = Where::Damaged { in_object: false };
                Step::At(at)
            }
            Where::Lost => Step::More(b.len()),
        }
    }

    fn start(&mut self, b: &[u8], at: usize) -> Step {
        let rest = b.get(at..).unwrap_or_default();
        if self.offset + at as u64 == 0 && BOM.starts_with(rest) {
            return Step::More(at);
        }
        let at = blank(b, if rest.starts_with(BOM) { at + BOM.len() } else { at });
        match b.get(at) {
            None => Step::More(at),
            Some(b'[') => {
                self.has_array = true;
                self.place = Where::Array { in_object: false };
                Step::At(at + 1)
            }
            Some(b'{') => match is_event(b, at) {
                Err(Stop::More) if b.len() - at <= SUSPICIOUS_BYTES => Step::More(at),
                Ok(true) => {
                    (self.has_array, self.is_lines) = (true, true);
                    self.place = Where::Array { in_object: false };
                    Step::At(at)
                }
                Ok(false) | Err(_) => {
                    self.place = Where::Object;
                    Step::At(at + 1)
                }
            },
            Some(_) => {
                self.headless = Some(self.offset + at as u64);
                self.place = Where::Damaged { in_object: false };
                Step::At(at)
            }
        }
    }

    fn object_key(&mut self, b: &[u8], at: usize) -> Step {
        let at = blank(b, at);
        match b.get(at) {
            None => return Step::More(at),
            Some(b',') => return Step::At(at + 1),
            Some(b'}') => {
                if !self.has_array {
                    self.note(at, ProblemKind::NotRecognised, "no traceEvents");
                }
                self.place = Where::Done;
                return Step::At(at + 1);
            }
            // The bracket that ended the array stood inside a broken event.
            Some(b'{') if self.has_array => {
                self.note(at, ProblemKind::BadEvent, "text behind the end");
                self.place = Where::Array { in_object: true };
                return Step::At(at);
            }
            Some(_) => {}
        }
        let next = string(b, at).and_then(|(key, end)| {
            let colon = blank(b, end);
            match b.get(colon) {
                None => Err(Stop::More),
                Some(b':') => {
                    let start = blank(b, colon + 1);
                    let is_events = is(RawValue::Text(key), b"traceEvents");
                    if is_events && super::scan::byte(b, start)? == b'[' {
                        self.has_array = true;
                        self.place = Where::Array { in_object: true };
                        return Ok(start + 1);
                    }
                    match super::scan::byte(b, start)? {
                        first @ (b'{' | b'[' | b'"') => {
                            let in_string = first == b'"';
                            self.place = Where::Skip { depth: usize::from(!in_string), in_string };
                            Ok(start + 1)
                        }
                        _ => value(b, start).map(|(_, end)| end),
                    }
                }
                Some(_) => Err(Stop::Odd),
            }
        });
        match next {
            Ok(next) => Step::At(next),
            Err(Stop::More) if b.len() - at <= MAX_EVENT_BYTES => Step::More(at),
            Err(_) if self.has_array => {
                self.note(at, ProblemKind::BadEvent, "text behind the end");
                self.place = Where::Damaged { in_object: true };
                Step::At(at)
            }
            Err(_) => {
                self.note(at, ProblemKind::NotRecognised, "JSON");
                self.place = Where::Lost;
                Step::More(b.len())
            }
        }
    }

    fn element(&mut self, b: &[u8], at: usize, in_object: bool, sink: &mut impl TraceSink) -> Step {
        let at = blank(b, at);
        match b.get(at) {
            None => Step::More(at),
            Some(b',') => Step::At(at + 1),
            Some(b']') => {
                self.place = if in_object { Where::Object } else { Where::Done };
                Step::At(at + 1)
            }
            Some(b'{') => self.event(b, at, in_object, sink),
            Some(_) => match value(b, at).map(|(_, end)| (end, blank(b, end))) {
                Ok(_) | Err(Stop::More) if b.len() - at > MAX_EVENT_BYTES => self.over_limit(at, in_object),
                Ok((_, behind)) if behind == b.len() => Step::More(at),
                Err(Stop::More) => Step::More(at),
                Ok((_, behind)) if matches!(b.get(behind), Some(b',' | b']')) => {
                    self.lose_event(at, "not an object");
                    Step::At(behind)
                }
                Ok((end, _)) => self.skip_damage(at, end, in_object, "not an object"),
                Err(Stop::Odd) => self.skip_damage(at, at, in_object, "not an object"),
            },
        }
    }

    /// Counts what stands at `at` as lost and goes on at the first event behind `from`.
    fn skip_damage(&mut self, at: usize, from: usize, in_object: bool, why: &str) -> Step {
        self.lose_event(at, why);
        self.place = Where::Damaged { in_object };
        Step::At(from)
    }

    /// Gives up what began at `at` and has not ended within the largest event there is.
    fn over_limit(&mut self, at: usize, in_object: bool) -> Step {
        self.counts.events += 1;
        self.note(at, ProblemKind::OverLimit, "event > 64 MiB");
        self.place = Where::Damaged { in_object };
        Step::At(at + 1)
    }

    /// Steps over a value that is not looked at, as far as it is there.
    fn skip(&mut self, b: &[u8], mut at: usize, mut depth: usize, mut in_string: bool) -> Step {
        while let Some(rest) = b.get(at..).filter(|rest| !rest.is_empty()) {
            if in_string {
                let Some(mark) = memchr::memchr2(b'"', b'\\', rest) else {
                    at = b.len();
                    break;
                };
                if rest.get(mark) == Some(&b'"') {
                    in_string = false;
                    at += mark + 1;
                } else if rest.len() > mark + 1 {
                    at += mark + 2;
                } else {
                    at += mark;
                    break;
                }
            } else {
                let Some(mark) = rest.iter().position(|c| matches!(c, b'"' | b'{' | b'}' | b'[' | b']')) else {
                    at = b.len();
                    break;
                };
                at += mark + 1;
                match rest.get(mark) {
                    Some(b'"') => in_string = true,
                    Some(b'{' | b'[') => depth += 1,
                    _ => depth = depth.saturating_sub(1),
                }
            }
            if depth == 0 && !in_string {
                self.place = Where::Object;
                return Step::At(at);
            }
        }
        self.place = Where::Skip { depth, in_string };
        Step::More(at)
    }

    fn event(&mut self, b: &[u8], at: usize, in_object: bool, sink: &mut impl TraceSink) -> Step {
        let near = at.saturating_add(SUSPICIOUS_BYTES).min(b.len());
        if let Some(step) = self.whole_event(b.get(..near).unwrap_or(b), at, sink) {
            return step;
        }
        if near == b.len() {
            return Step::More(at);
        }
        // Larger than real events are. Where another one begins inside it, it is damaged; the same is decided wherever the
        // chunks are cut.
        let next = next_event(b, at + 1, self.is_lines);
        let limit = at.saturating_add(MAX_EVENT_BYTES);
        let inside = next.unwrap_or(b.len()).min(limit);
        if let Some(step) = self.whole_event(b.get(..inside).unwrap_or(b), at, sink) {
            return step;
        }
        match next {
            Some(next) if next <= limit => {
                self.lose_event(at, "");
                Step::At(next)
            }
            _ if b.len() > limit => self.over_limit(at, in_object),
            _ => Step::More(at),
        }
    }

    /// The event at `at`, if it ends in these bytes.
    fn whole_event(&mut self, b: &[u8], at: usize, sink: &mut impl TraceSink) -> Option<Step> {
        let python = self.counts.stacks == 0;
        let known = if self.has_nul { None } else { self.shapes.read(b, at, python) };
        match known {
            None => {}
            Some(Known::Unused(end)) => {
                self.counts.events += 1;
                return Some(Step::At(end));
            }
            Some(Known::Open(end, leaf)) => {
                self.counts.events += 1;
                let mut event = Event::default();
                if self.shapes.event(b, leaf, python, &mut event).is_some() {
                    self.take(at, &event, sink);
                }
                return Some(Step::At(end));
            }
        }
        match read_fast(b, at) {
            Ok((event, end)) => {
                self.work.parsed += 1;
                self.shapes.learn(b, at, end);
                self.counts.events += 1;
                // A lost disk block inside a text leaves the event well-formed, and its text wrong.
                if self.has_nul && b.get(at..end).is_some_and(has_nul_run) {
                    self.note(at, ProblemKind::NulBytes, "");
                    return Some(Step::At(end));
                }
                self.take(at, &event, sink);
                return Some(Step::At(end));
            }
            Err(Stop::More) => return None,
            Err(Stop::Odd) => {}
        }
        let end = end_of_object(b, at).ok()?;
        let bytes = b.get(at..end).unwrap_or_default();
        self.counts.careful += 1;
        match read_careful(bytes) {
            Ok(event) => {
                self.counts.events += 1;
                self.take(at, &event.view(), sink);
                Some(Step::At(end))
            }
            Err(why) => {
                self.lose_event(at, &why);
                Some(Step::At(next_event(bytes, 1, self.is_lines).map_or(end, |next| at + next)))
            }
        }
    }

    fn take(&mut self, at: usize, event: &Event<'_>, sink: &mut impl TraceSink) {
        let RawValue::Text(cat) = event.cat else {
            if event.is_app_counter() {
                self.app(at, event, sink);
            }
            return;
        };
        if cat.escaped {
            for known in [&b"cpu_op"[..], b"enqueue", b"dequeue", b"fwdbwd", b"async_task_queue", b"python_function"] {
                if is(event.cat, known) {
                    return self.take_category(at, known, event, sink);
                }
            }
            return;
        }
        self.take_category(at, cat.bytes, event, sink);
    }

    fn take_category(&mut self, at: usize, cat: &[u8], event: &Event<'_>, sink: &mut impl TraceSink) {
        match cat {
            b"cpu_op" => self.operator(at, event, sink),
            b"enqueue" => self.queue(at, QueueSide::Enqueue, event, sink),
            b"dequeue" => self.queue(at, QueueSide::Dequeue, event, sink),
            b"fwdbwd" => self.flow(at, FlowKind::Backward, event, sink),
            b"async_task_queue" => self.flow(at, FlowKind::Queue, event, sink),
            // With call stacks in the operators themselves these say nothing new.
            b"python_function" if self.counts.stacks == 0 => self.python(at, event, sink),
            _ => {}
        }
    }

    fn operator(&mut self, at: usize, event: &Event<'_>, sink: &mut impl TraceSink) {
        self.counts.operators += 1;
        let stack = match event.stack {
            RawValue::Absent => None,
            RawValue::Text(raw) => Some(RawString(raw)),
            RawValue::Bare(_) | RawValue::Nested => Some(RawString::default()),
        };
        self.counts.stacks += u64::from(stack.is_some_and(|s| !s.bytes().is_empty()));
        let mut buffer = std::mem::take(&mut self.name);
        let name = match event.name {
            RawValue::Text(raw) if raw.escaped => {
                unescape(raw, &mut buffer);
                buffer.as_slice()
            }
            other => scalar(other),
        };
        let name_id = sink.name(name);
        let sequence = whole(event.sequence).filter(|n| *n >= 0);
        let is_step = name.starts_with(PROFILER_STEP);
        if name_id.is_some() || sequence.is_some() || is_step || name.starts_with(EVALUATE_FUNCTION) {
            let span = time_ns(event.ts).zip(match event.dur {
                RawValue::Absent => Some(None),
                dur => time_ns(dur).filter(|d| *d >= 0).map(Some),
            });
            // Without a duration it ends before it starts: nothing lies inside.
            match span.and_then(|(start, dur)| Some((start, start.checked_add(dur.unwrap_or(-1))?, dur))) {
                None => self.note(at, ProblemKind::BadEventTime, ""),
                Some((start_ns, end_ns, dur)) => {
                    if dur.is_none() {
                        self.note(at, ProblemKind::MissingDuration, "");
                    }
                    if is_step {
                        sink.step(name, start_ns, end_ns);
                    }
                    sink.operator(&OperatorSpan {
                        name,
                        name_id,
                        thread: thread(event),
                        start_ns,
                        start_text: time_text(event.ts).unwrap_or_default(),
                        end_ns,
                        sequence,
                        forward_thread: match whole(event.forward_thread) {
                            Some(0) => ForwardThread::Zero,
                            Some(id) => ForwardThread::Other(id),
                            None => ForwardThread::Absent,
                        },
                        stack,
                        kept_stack: None,
                        module: match event.module {
                            RawValue::Text(raw) => Some(RawString(raw)),
                            _ => None,
                        },
                    });
                }
            }
        } else if !PASSED_OVER.contains(&name)
            && let Some((start_ns, end_ns)) = span_of(event)
        {
            sink.inner(thread(event), start_ns, end_ns);
        }
        self.name = buffer;
    }

    fn queue(&mut self, at: usize, side: QueueSide, event: &Event<'_>, sink: &mut impl TraceSink) {
        let Some((start_ns, end_ns)) = span_of(event) else {
            return self.note(at, ProblemKind::BadEventTime, "");
        };
        sink.queue(&QueueSpan { side, thread: thread(event), start_ns, end_ns, correlation: whole(event.correlation) });
    }

    fn flow(&mut self, at: usize, kind: FlowKind, event: &Event<'_>, sink: &mut impl TraceSink) {
        let side = if is(event.ph, b"s") {
            FlowSide::Start
        } else if is(event.ph, b"f") {
            FlowSide::End
        } else {
            return;
        };
        match (time_ns(event.ts), whole(event.id)) {
            (Some(at_ns), Some(id)) => sink.flow(kind, side, id, thread(event), at_ns),
            _ => self.note(at, ProblemKind::BadEventTime, ""),
        }
    }

    fn python(&mut self, at: usize, event: &Event<'_>, sink: &mut impl TraceSink) {
        let RawValue::Text(name) = event.name else { return };
        match span_of(event) {
            Some((start_ns, end_ns)) => {
                sink.python(&PythonSpan { name: RawString(name), thread: thread(event), start_ns, end_ns });
            }
            None => self.note(at, ProblemKind::BadEventTime, ""),
        }
    }

    fn app(&mut self, at: usize, event: &Event<'_>, sink: &mut impl TraceSink) {
        let Some(counter) = AppCounter::ALL.into_iter().find(|c| is(event.name, c.name().as_bytes())) else { return };
        let bytes = number(event.kilobytes, Decimal::parse).and_then(|kilobytes| kilobytes.scaled(1024));
        match (time_ns(event.ts), bytes) {
            (Some(at_ns), Some(bytes)) => sink.app(counter, at_ns, bytes.units),
            _ => self.note(at, ProblemKind::BadEventTime, counter.name()),
        }
    }

    fn lose_event(&mut self, at: usize, why: &str) {
        self.counts.events += 1;
        self.note(at, ProblemKind::BadEvent, why);
    }

    fn note(&mut self, at: usize, kind: ProblemKind, detail: &str) {
        self.problems.add(&self.file, Place::Byte(self.offset + at as u64), kind, detail);
    }
}

/// Whether the object at `at` is an event itself, as its first keys tell: tools that write while they record put one a line,
/// without a list around them.
fn is_event(b: &[u8], at: usize) -> Result<bool, Stop> {
    const FIRST_KEYS: usize = 2;
    let mut at = blank(b, at + 1);
    for _ in 0..FIRST_KEYS {
        let (key, end) = string(b, at)?;
        match key.bytes {
            b"ph" | b"cat" | b"ts" | b"dur" | b"pid" | b"tid" | b"args" => return Ok(true),
            b"name" | b"id" => {}
            _ => return Ok(false),
        }
        let colon = blank(b, end);
        if super::scan::byte(b, colon)? != b':' {
            return Ok(false);
        }
        let (_, behind) = value(b, blank(b, colon + 1))?;
        let comma = blank(b, behind);
        if super::scan::byte(b, comma)? != b',' {
            return Ok(false);
        }
        at = blank(b, comma + 1);
    }
    Ok(false)
}

/// Start and end of an event that must have both, ns.
fn span_of(event: &Event<'_>) -> Option<(i64, i64)> {
    let start = time_ns(event.ts)?;
    let dur = time_ns(event.dur).filter(|dur| *dur >= 0)?;
    Some((start, start.checked_add(dur)?))
}

fn thread<'a>(event: &Event<'a>) -> Thread<'a> {
    Thread { process: scalar(event.pid), thread: scalar(event.tid) }
}

/// Whether there are NUL bytes side by side, as a lost disk block leaves them. Most events hold not one.
fn has_nul_run(event: &[u8]) -> bool {
    memchr::memchr(0, event).is_some() && memchr::memmem::find(event, &[0; 2]).is_some()
}
