//! The ways in which this trace writes its events, learned while reading: a profiler writes millions of events in a few dozen
//! ways, in which only the values differ. An event of a known way is compared with its keys and punctuation instead of parsed.
//!
//! It understands no more than `event::read_fast` does, its oracle, from which it learns: where an event is of no known way,
//! that one reads it.

use super::event::{Event, Field, reads_category};
use super::near::{self, Literal};
use super::scan::{RawText, RawValue, object, skip_nested, string_end, value};

/// Most places in all ways together, and most events learned from: what is more varied than that gains nothing here.
const MOST_NODES: usize = 2048;
const MOST_LEARNED: usize = 4096;

/// What stands behind a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// The text of a string, up to its closing quote.
    Text,
    /// A number or word.
    Bare,
    /// An object or array of any form.
    Nested,
    /// Nothing: the event ends.
    End,
}

/// Keys and punctuation up to a value, and what may follow it.
struct Node {
    literal: Literal,
    then: Then,
    field: Option<Field>,
    /// What comes next, the likeliest first: the first of them, and the next one beside this.
    next: u16,
    beside: u16,
    /// Of the node where the event ends: the fields on the way with the values' places, and whether it has an object of
    /// arguments.
    fields: Box<[(Field, Then, usize)]>,
    has_args: bool,
    /// What stands in its literals as values.
    ph: Option<&'static [u8]>,
    cat: Option<&'static [u8]>,
    verdict: Verdict,
}

/// Whether any rule looks at the events that end at a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Verdict {
    /// The values tell.
    #[default]
    Open,
    /// None, whatever the values are.
    Unused,
    /// If spans of Python functions are used.
    Python,
}

/// Values that tell ways apart: they are taken as a part of the keys.
const PHASES: [&[u8]; 6] = [b"X", b"C", b"s", b"f", b"t", b"M"];
const CATEGORIES: [&[u8]; 6] = [b"cpu_op", b"enqueue", b"dequeue", b"fwdbwd", b"async_task_queue", PYTHON_FUNCTION];
const PYTHON_FUNCTION: &[u8] = b"python_function";

impl Node {
    /// Start and end of the value behind this literal, and whether it holds escapes; `None` if something else stands there.
    #[inline]
    fn value(&self, b: &[u8], at: usize) -> Option<(usize, usize, bool)> {
        let rest = b.get(at..)?;
        if !self.literal.begins(rest) {
            return None;
        }
        let start = at + self.literal.len();
        Some(match self.then {
            Then::End => (start, start, false),
            Then::Text => {
                let (end, escaped) = match near::string_end(rest.get(self.literal.len()..)?) {
                    Some(length) => (start + length, false),
                    None => string_end(b, start).ok()?,
                };
                (start, end, escaped)
            }
            Then::Bare => {
                let rest = rest.get(self.literal.len()..)?;
                // A word or an exponent goes on behind the digits.
                let is_whole = |end: &usize| !is_bare(rest.get(*end));
                let length = near::number_end(rest).filter(is_whole).or_else(|| bare_end(rest))?;
                (start, start + length, false)
            }
            Then::Nested => {
                let is_nested = matches!(rest.get(self.literal.len()), Some(b'{' | b'['));
                (start, is_nested.then(|| skip_nested(b, start).ok())??, false)
            }
        })
    }
}

/// An event of a known way; the position behind it.
pub(super) enum Known {
    /// One no rule looks at.
    Unused(usize),
    /// One whose fields tell.
    Open(usize, Leaf),
}

/// The way of an event that was read.
pub(super) struct Leaf(u16);

/// Most values of an event of a known way.
const MOST_VALUES: usize = 32;

/// Start and end of each value of an event, and whether it holds escapes.
type Values = [(usize, usize, bool); MOST_VALUES];

/// No node.
const NONE: u16 = u16::MAX;

/// The ways known so far: a tree of literals.
pub(super) struct Shapes {
    nodes: Vec<Node>,
    root: u16,
    learned: usize,
    /// Of the event that is being read; what stands behind its own is left from others before it.
    values: Values,
}

impl Default for Shapes {
    fn default() -> Self {
        Shapes { nodes: Vec::new(), root: NONE, learned: 0, values: [(0, 0, false); MOST_VALUES] }
    }
}

impl Shapes {
    /// Reads the event at `at`, if it is of a known way and ends in these bytes. `python` says whether spans of Python functions
    /// are used. The fields of one that is used come from [`Shapes::event`].
    #[inline]
    pub fn read(&mut self, b: &[u8], at: usize, python: bool) -> Option<Known> {
        let (end, leaf) = self.walk(b, at)?;
        let verdict = self.nodes.get(usize::from(leaf))?.verdict;
        if verdict == Verdict::Unused || verdict == Verdict::Python && !python {
            return Some(Known::Unused(end));
        }
        Some(Known::Open(end, Leaf(leaf)))
    }

    /// Puts the fields of the event just read from these bytes into `event`, which is empty; `None` if no rule looks at it.
    #[inline]
    pub fn event<'a>(&self, b: &'a [u8], leaf: Leaf, python: bool, event: &mut Event<'a>) -> Option<()> {
        let leaf = self.nodes.get(usize::from(leaf.0))?;
        let of = |then: Then, place: usize| {
            let (start, end, escaped) = *self.values.get(place)?;
            Some(match then {
                Then::Text => RawValue::Text(RawText { bytes: b.get(start..end)?, escaped }),
                Then::Bare => RawValue::Bare(b.get(start..end)?),
                Then::Nested | Then::End => RawValue::Nested,
            })
        };
        let constant = |text: Option<&'static [u8]>| {
            text.map_or(RawValue::Absent, |bytes| RawValue::Text(RawText { bytes, escaped: false }))
        };
        (event.ph, event.cat, event.has_args) = (constant(leaf.ph), constant(leaf.cat), leaf.has_args);
        // Those by which an event is judged are listed first.
        let (judges, others) = leaf.fields.split_at(leaf.fields.partition_point(|(field, ..)| field.judges()));
        for (field, then, place) in judges {
            event.set(*field, of(*then, *place)?);
        }
        if !reads_category(event, python) {
            return None;
        }
        let wants_arguments = event.wants_arguments();
        for (field, then, place) in others {
            if wants_arguments || !field.is_argument() {
                event.set(*field, of(*then, *place)?);
            }
        }
        Some(())
    }

    /// Follows the event at `at` from literal to literal; gives the position behind it and the last node.
    #[inline]
    fn walk(&mut self, b: &[u8], at: usize) -> Option<(usize, u16)> {
        let mut at = at;
        let mut parent = NONE;
        let mut first = self.root;
        for place in 0..=MOST_VALUES {
            let mut index = first;
            let mut before = NONE;
            let (node, value) = loop {
                let node = self.nodes.get(usize::from(index))?;
                match node.value(b, at) {
                    Some(value) => break (node, value),
                    None => (before, index) = (index, node.beside),
                }
            };
            if node.then == Then::End {
                return Some((value.1, index));
            }
            at = value.1;
            *self.values.get_mut(place)? = value;
            first = node.next;
            if before != NONE {
                self.bring_forward(parent, before, index);
            }
            parent = index;
        }
        None
    }

    /// Puts a node at the head of those beside it.
    fn bring_forward(&mut self, parent: u16, before: u16, index: u16) {
        let beside = self.nodes.get(usize::from(index)).map_or(NONE, |node| node.beside);
        if let Some(before) = self.nodes.get_mut(usize::from(before)) {
            before.beside = beside;
        }
        let head = self.head(parent);
        if let Some(node) = self.nodes.get_mut(usize::from(index)) {
            node.beside = head;
        }
        self.set_head(parent, index);
    }

    /// The first of the nodes behind `parent`, which may be none.
    fn head(&self, parent: u16) -> u16 {
        self.nodes.get(usize::from(parent)).map_or(self.root, |parent| parent.next)
    }

    fn set_head(&mut self, parent: u16, head: u16) {
        match self.nodes.get_mut(usize::from(parent)) {
            Some(parent) => parent.next = head,
            None => self.root = head,
        }
    }

    /// Learns the way of the event between `at` and `end`, which the oracle has read.
    pub fn learn(&mut self, b: &[u8], at: usize, end: usize) {
        if self.learned == MOST_LEARNED {
            return;
        }
        self.learned += 1;
        let Some(way) = Way::of(b, at, end) else { return };
        if way.values.len() > MOST_VALUES || self.nodes.len() + way.values.len() >= MOST_NODES {
            return;
        }
        let mut from = at;
        let mut parent = NONE;
        let ends = way.values.iter().map(|value| (value.start, value.end, value.then, value.field));
        for (start, behind, then, field) in ends.chain([(end, end, Then::End, None)]) {
            let literal = b.get(from..start).unwrap_or_default();
            let mut index = self.head(parent);
            while let Some(node) = self.nodes.get(usize::from(index))
                && !(node.literal.text() == literal && node.then == then && node.field == field)
            {
                index = node.beside;
            }
            if index == NONE {
                index = self.add(parent, literal, then, field);
            }
            parent = index;
            from = behind;
        }
        if let Some(leaf) = self.nodes.get_mut(usize::from(parent)) {
            (leaf.has_args, leaf.ph, leaf.cat, leaf.verdict) = (way.has_args, way.ph, way.cat, way.verdict);
            let fields = way.values.iter().enumerate().filter_map(|(place, v)| Some((v.field?, v.then, place)));
            let mut fields: Vec<_> = fields.collect();
            fields.sort_by_key(|(field, ..)| !field.judges());
            leaf.fields = fields.into();
        }
    }

    fn add(&mut self, parent: u16, literal: &[u8], then: Then, field: Option<Field>) -> u16 {
        let index = u16::try_from(self.nodes.len()).unwrap_or(NONE);
        self.nodes.push(Node {
            literal: Literal::new(literal),
            then,
            field,
            next: NONE,
            beside: self.head(parent),
            fields: Box::default(),
            has_args: false,
            ph: None,
            cat: None,
            verdict: Verdict::Open,
        });
        self.set_head(parent, index);
        index
    }
}

/// One value of an event.
struct Value {
    /// Behind the opening quote of a string.
    start: usize,
    /// Before its closing quote.
    end: usize,
    then: Then,
    field: Option<Field>,
}

/// How one event is written.
struct Way {
    values: Vec<Value>,
    has_args: bool,
    ph: Option<&'static [u8]>,
    cat: Option<&'static [u8]>,
    verdict: Verdict,
}

impl Way {
    /// `None` if keys repeat or hold escapes: such events are left to the oracle.
    fn of(b: &[u8], at: usize, end: usize) -> Option<Way> {
        let mut way = Way { values: Vec::new(), has_args: false, ph: None, cat: None, verdict: Verdict::Open };
        let mut is_plain = true;
        let mut has_args_key = false;
        let known = object(b.get(..end)?, at, |key, at| {
            let (found, behind) = value(b, at)?;
            let is_args = key == b"args";
            is_plain &= !(is_args && has_args_key);
            has_args_key |= is_args;
            if is_args && found == RawValue::Nested && b.get(at) == Some(&b'{') {
                way.has_args = true;
                let mut inner = Vec::new();
                let read = object(b, at, |key, at| {
                    let (found, behind) = value(b, at)?;
                    inner.push(Value::new(at, behind, found, Field::of_argument(key)));
                    Ok(behind)
                });
                // Odd arguments the oracle steps over if no rule wants them, and refuses else: that is left to it.
                match read {
                    Ok(_) => way.values.append(&mut inner),
                    Err(_) => is_plain = false,
                }
            } else {
                // Arguments that are a list may be an object next time, which the oracle looks into.
                is_plain &= !(is_args && found == RawValue::Nested);
                way.values.push(Value::new(at, behind, found, Field::of_event(key)));
            }
            Ok(behind)
        });
        is_plain &= known == Ok(end);
        let mut seen = [false; Field::COUNT];
        for field in way.values.iter().filter_map(|value| value.field) {
            is_plain &= !std::mem::replace(seen.get_mut(field.index())?, true);
        }
        way.fold(b);
        // An escaped key is a literal as any other; what it means was told by the oracle's own reading.
        is_plain.then_some(way)
    }
}

impl Way {
    /// Makes values that tell ways apart a part of the keys.
    fn fold(&mut self, b: &[u8]) {
        let (ph, cat, verdict) = (&mut self.ph, &mut self.cat, &mut self.verdict);
        self.values.retain(|value| {
            let text = b.get(value.start..value.end).unwrap_or_default();
            if value.then != Then::Text || text.contains(&b'\\') {
                return true;
            }
            let known = |all: &[&'static [u8]]| all.iter().copied().find(|known| *known == text);
            match value.field {
                Some(Field::Ph) => {
                    *ph = known(&PHASES);
                    ph.is_none()
                }
                Some(Field::Cat) => {
                    *cat = known(&CATEGORIES);
                    *verdict = match *cat {
                        // Names of categories are few.
                        None => Verdict::Unused,
                        Some(PYTHON_FUNCTION) => Verdict::Python,
                        Some(_) => Verdict::Open,
                    };
                    false
                }
                _ => true,
            }
        });
        // Without a category it can be a counter alone.
        let has_category = self.cat.is_some() || self.values.iter().any(|v| v.field == Some(Field::Cat));
        if !has_category && self.ph.is_some_and(|ph| ph != b"C") {
            self.verdict = Verdict::Unused;
        }
    }
}

impl Value {
    fn new(at: usize, behind: usize, found: RawValue<'_>, field: Option<Field>) -> Value {
        let (start, end, then) = match found {
            RawValue::Text(_) => (at + 1, behind - 1, Then::Text),
            RawValue::Bare(_) => (at, behind, Then::Bare),
            RawValue::Nested | RawValue::Absent => (at, behind, Then::Nested),
        };
        Value { start, end, then, field }
    }
}

/// The bytes of numbers and words.
const BARE: [bool; 256] = {
    let mut bare = [false; 256];
    let mut rest: &mut [bool] = &mut bare;
    let mut byte = 0_u8;
    while let Some((is_bare, tail)) = rest.split_first_mut() {
        *is_bare = matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'a'..=b'z' | b'A'..=b'Z');
        byte = byte.wrapping_add(1);
        rest = tail;
    }
    bare
};

#[inline]
fn is_bare(byte: Option<&u8>) -> bool {
    byte.and_then(|byte| BARE.get(usize::from(*byte))).copied().unwrap_or_default()
}

/// Where a number or word ends; `None` if it may go on, or there is none.
#[inline]
fn bare_end(b: &[u8]) -> Option<usize> {
    let end = b.iter().position(|byte| !is_bare(Some(byte)))?;
    (end > 0).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::super::event::read_fast;
    use super::*;
    use proptest::prelude::*;

    const EVENTS: [&str; 9] = [
        r#"{"ph": "X", "name": "aten::add", "pid": 3, "tid": 4, "ts": "1.5", "dur": 2, "cat": "cpu_op", "args": {"Sequence number": -1, "Call stack": "a;\r\nb", "Input Dims": [1, {"Call stack": 5}]}}"#,
        r#"{"name":"APP/ALLOCATED_BYTES","args":{"KB" : 5 },"ph":"C"}"#,
        "{\n    \"cat\" : \"enqueue\",\n    \"args\": {\n        \"x\": [],\n        \"correlation_id\": 12\n    },\n    \"id\": 5\t}",
        r#"{"cat": "cpu_op", "name": "\"", "tid": null, "args": 5}"#,
        r#"{"name": "x", "ts": 12, "na\u006de": "y", "cat": "fwdbwd", "ph": "s", "id": 1}"#,
        r#"{"name": "x", "ts": 12, "na\u006d": "y", "cat": "fwdbwd", "ph": "s", "id": 1}"#,
        r#"{"name": "x", "ts": "12", "c\u0061t": "fwdbwd", "ph": "s", "id": 1}"#,
        r#"{"cat": "cpu_op", "args": []}"#,
        "{}",
    ];

    /// Whatever is read is what the oracle reads; gives whether it was.
    fn agree(shapes: &mut Shapes, text: &[u8], python: bool) -> bool {
        let shown = String::from_utf8_lossy(text);
        let mut event = Event::default();
        let (end, event) = match shapes.read(text, 0, python) {
            None => return false,
            Some(Known::Unused(end)) => (end, None),
            Some(Known::Open(end, leaf)) => (end, shapes.event(text, leaf, python, &mut event).map(|()| event)),
        };
        let (oracle, oracle_end) = read_fast(text, 0).unwrap();
        assert_eq!(end, oracle_end, "{shown}");
        assert_eq!(event, reads_category(&oracle, python).then_some(oracle), "{shown}");
        true
    }

    fn learned() -> Shapes {
        let mut shapes = Shapes::default();
        for event in EVENTS {
            shapes.learn(event.as_bytes(), 0, event.len());
        }
        shapes
    }

    #[test]
    fn learned_ways_are_read() {
        let mut shapes = learned();
        for (index, event) in EVENTS.iter().enumerate() {
            // A key that comes twice is left to the oracle, and arguments that are a list.
            assert_eq!(agree(&mut shapes, event.as_bytes(), false), ![4, 7].contains(&index), "{event}");
        }
        for other in [
            r#"{"name":"x","args":{"KB" : -1.5e3 },"ph":"C"}"#,
            r#"{"name": "x", "ts": 12, "na\u006d": "y", "cat": "fwdbwd", "ph": "s", "id": 1}"#,
            r#"{"ph": "X", "name": "\\", "pid": null, "tid": 4, "ts": "", "dur": 2, "cat": "cpu_op", "args": {"Sequence number": 1, "Call stack": "", "Input Dims": {}}}, {"#,
        ] {
            assert!(agree(&mut shapes, other.as_bytes(), true), "{other}");
            assert!(agree(&mut shapes, other.as_bytes(), false), "{other}");
        }
        for cut in 0..EVENTS[0].len() {
            assert!(shapes.read(&EVENTS[0].as_bytes()[..cut], 0, false).is_none(), "{cut}");
        }
    }

    #[test]
    fn what_is_too_varied_is_not_learned_for_ever() {
        let mut shapes = Shapes::default();
        for index in 0..10_000 {
            let event = format!("{{\"key {index}\": 1}}");
            shapes.learn(event.as_bytes(), 0, event.len());
        }
        assert!(shapes.learned <= MOST_LEARNED && shapes.nodes.len() <= MOST_NODES);
    }

    proptest! {
        #[test]
        fn changed_events_are_read_as_the_oracle_reads_them(
            event in 0_usize..EVENTS.len(),
            changes in prop::collection::vec((0_usize..200, prop::sample::select(&b"\"\\{}[]:, \n1ax\0\xff"[..]), any::<bool>()), 0..4),
            python in any::<bool>(),
        ) {
            let mut text = EVENTS[event].as_bytes().to_vec();
            text.extend_from_slice(EVENTS[0].as_bytes());
            for (at, byte, is_more) in changes {
                let at = at % text.len();
                if is_more {
                    text.insert(at, byte);
                } else {
                    text[at] = byte;
                }
            }
            let mut shapes = learned();
            agree(&mut shapes, &text, python);
            // Once learned it is read, and as before.
            if let Ok((_, end)) = read_fast(&text, 0) {
                shapes.learn(&text, 0, end);
                agree(&mut shapes, &text, python);
            }
        }
    }
}
