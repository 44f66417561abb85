//! The trace reader against a slow, obvious one: json-event-parser reads everything, and every field is looked up in a tree.
//!
//! On valid JSON both give the same records. On damaged JSON every event the oracle reads whole, up to its first error, is read
//! with the same values; where more is read, something is counted, or the damage is one of those tolerated: control characters,
//! unknown escapes, lone surrogates and bytes that are no UTF-8 in strings; NaN, Infinity or any other bare word for a value;
//! missing or surplus commas between events; anything inside a nested value, as long as strings and brackets close.

use json_event_parser::{JsonEvent, SliceJsonParser};
use memlens::problem::{ProblemKind, Problems};
use memlens::read::trace::{
    AppCounter, FlowKind, FlowSide, ForwardThread, OperatorSpan, PythonSpan, QueueSide, QueueSpan, RawString, Thread,
    Trace, TraceCounts, TraceSink,
};
use proptest::prelude::*;

#[derive(Debug, Clone, PartialEq)]
enum Json {
    /// A number, `true`, `false` or `null`.
    Bare(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The last of equal keys counts.
    fn get(&self, key: &str) -> Option<&Json> {
        let Json::Object(fields) = self else { return None };
        fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    fn scalar(&self) -> Option<&str> {
        match self {
            Json::Text(text) | Json::Bare(text) => Some(text),
            _ => None,
        }
    }
}

/// The events that stand whole before the first error, and whether there is none.
fn oracle(bytes: &[u8]) -> (Vec<Json>, bool) {
    enum Open {
        List(Vec<Json>),
        Object(Vec<(String, Json)>, String),
    }
    let mut parser = SliceJsonParser::new(bytes);
    let mut events = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    loop {
        let Ok(next) = parser.parse_next() else { return (events, false) };
        let done = match next {
            JsonEvent::Eof => return (events, true),
            JsonEvent::StartArray => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            JsonEvent::StartObject => {
                open.push(Open::Object(Vec::new(), String::new()));
                continue;
            }
            JsonEvent::ObjectKey(key) => {
                if let Some(Open::Object(_, slot)) = open.last_mut() {
                    *slot = key.into_owned();
                }
                continue;
            }
            JsonEvent::EndArray | JsonEvent::EndObject => match open.pop() {
                Some(Open::List(list)) => Json::List(list),
                Some(Open::Object(fields, _)) => Json::Object(fields),
                None => return (events, false),
            },
            JsonEvent::String(text) => Json::Text(text.into_owned()),
            JsonEvent::Number(text) => Json::Bare(text.into_owned()),
            JsonEvent::Boolean(value) => Json::Bare(value.to_string()),
            JsonEvent::Null => Json::Bare("null".to_owned()),
        };
        let is_event = match open.as_slice() {
            [Open::List(_)] => true,
            [Open::Object(_, key), Open::List(_)] => key == "traceEvents",
            _ => false,
        };
        if is_event {
            events.push(done.clone());
        }
        match open.last_mut() {
            Some(Open::List(list)) => list.push(done),
            Some(Open::Object(fields, key)) => fields.push((std::mem::take(key), done)),
            None => {}
        }
    }
}

/// The number times `per_unit`, rounded half away from zero, and whether that was exact.
fn scaled(text: &str, per_unit: i128) -> Option<(i128, bool)> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || !all.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut units = all.parse::<i128>().ok()?.checked_mul(per_unit)?;
    let power = exponent - i32::try_from(fraction.len()).ok()?;
    let mut exact = true;
    if power >= 0 {
        units = units.checked_mul(10i128.checked_pow(power.unsigned_abs())?)?;
    } else {
        let divisor = 10i128.checked_pow(power.unsigned_abs())?;
        let rest = units % divisor;
        exact = rest == 0;
        units = units / divisor + i128::from(rest * 2 >= divisor);
    }
    Some((if text.starts_with('-') { -units } else { units }, exact))
}

fn ns(value: Option<&Json>) -> Option<i64> {
    let (ns, _) = scaled(value?.scalar()?.trim(), 1000)?;
    i64::try_from(ns).ok().filter(|ns| ns.unsigned_abs() < 1 << 62)
}

fn whole(value: Option<&Json>) -> Option<i64> {
    let (number, exact) = scaled(value?.scalar()?.trim(), 1)?;
    i64::try_from(number).ok().filter(|_| exact)
}

/// What the reader should say of an event: a record, a problem with its time, or nothing.
#[derive(Debug, Clone, PartialEq)]
enum Said {
    Record(String),
    BadTime,
    NotAnObject,
    Nothing,
}

fn say(event: &Json, stack_seen: &mut bool) -> Said {
    if !matches!(event, Json::Object(_)) {
        return Said::NotAnObject;
    }
    let scalar = |key| event.get(key).and_then(Json::scalar).unwrap_or_default();
    let argument = |key| event.get("args").and_then(|args| args.get(key));
    let thread = format!("{}/{}", scalar("pid"), scalar("tid"));
    let span = || {
        let (start, dur) = (ns(event.get("ts"))?, ns(event.get("dur")).filter(|dur| *dur >= 0)?);
        Some((start, start.checked_add(dur)?))
    };
    let bad = |record: Option<String>| record.map_or(Said::BadTime, Said::Record);
    let Some(cat) = event.get("cat") else {
        let name = event.get("name").and_then(Json::text).unwrap_or_default();
        if event.get("ph").and_then(Json::text) != Some("C") || !["APP/DDR", "APP/HBM", "APP/Memory"].contains(&name) {
            return Said::Nothing;
        }
        let bytes = argument("KB").and_then(Json::scalar).and_then(|kb| scaled(kb.trim(), 1024));
        let bytes = bytes.and_then(|(bytes, _)| i64::try_from(bytes).ok());
        return bad(ns(event.get("ts")).zip(bytes).map(|(at, bytes)| format!("app {name} {at} {bytes}")));
    };
    match cat.text() {
        Some("cpu_op") => {
            let stack = argument("Call stack").map(|stack| stack.text().unwrap_or_default());
            *stack_seen |= stack.is_some_and(|stack| !stack.is_empty());
            let span = match event.get("dur") {
                None => ns(event.get("ts")).map(|start| (start, start - 1)),
                Some(_) => span(),
            };
            bad(span.map(|(start, end)| {
                format!(
                    "op {} {thread} {start} {end} {:?} {:?} {stack:?} {:?}",
                    scalar("name"),
                    whole(argument("Sequence number")).filter(|n| *n >= 0),
                    whole(argument("Fwd thread id")),
                    argument("Module Hierarchy").and_then(Json::text)
                )
            }))
        }
        Some(side @ ("enqueue" | "dequeue")) => {
            bad(span()
                .map(|(start, end)| format!("{side} {thread} {start} {end} {:?}", whole(argument("correlation_id")))))
        }
        Some(kind @ ("fwdbwd" | "async_task_queue")) => match event.get("ph").and_then(Json::text) {
            Some(side @ ("s" | "f")) => bad(ns(event.get("ts"))
                .zip(whole(event.get("id")))
                .map(|(at, id)| format!("{kind} {side} {id} {thread} {at}"))),
            _ => Said::Nothing,
        },
        Some("python_function") if !*stack_seen => match event.get("name").and_then(Json::text) {
            Some(name) => bad(span().map(|(start, end)| format!("python {name} {thread} {start} {end}"))),
            None => Said::Nothing,
        },
        _ => Said::Nothing,
    }
}

/// Writes down what it is given.
#[derive(Default)]
struct Records(Vec<String>);

/// A string as it stands in the file, escapes undone by another reader.
fn undone(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).into_owned();
    serde_json::from_str(&format!("\"{text}\"")).unwrap_or(text)
}

fn shown(thread: Thread<'_>) -> String {
    format!("{}/{}", undone(thread.process), undone(thread.thread))
}

fn decoded(raw: RawString<'_>) -> String {
    raw.decode(&mut Vec::new()).0.into_owned()
}

impl TraceSink for Records {
    fn name(&self, _: &[u8]) -> Option<u32> {
        Some(0)
    }

    fn keep_stack(&mut self, _: &[u8]) -> Option<u32> {
        panic!("a trace holds its stacks itself")
    }

    fn operator(&mut self, span: &OperatorSpan<'_>) {
        let forward = match span.forward_thread {
            ForwardThread::Zero => Some(0),
            ForwardThread::Other(id) => Some(id),
            ForwardThread::Absent => None,
        };
        self.0.push(format!(
            "op {} {} {} {} {:?} {forward:?} {:?} {:?}",
            String::from_utf8_lossy(span.name),
            shown(span.thread),
            span.start_ns,
            span.end_ns,
            span.sequence,
            span.stack.map(decoded),
            span.module.map(decoded)
        ));
    }

    fn queue(&mut self, span: &QueueSpan<'_>) {
        let side = if span.side == QueueSide::Enqueue { "enqueue" } else { "dequeue" };
        let thread = shown(span.thread);
        self.0.push(format!("{side} {thread} {} {} {:?}", span.start_ns, span.end_ns, span.correlation));
    }

    fn flow(&mut self, kind: FlowKind, side: FlowSide, id: i64, thread: Thread<'_>, at_ns: i64) {
        let kind = if kind == FlowKind::Backward { "fwdbwd" } else { "async_task_queue" };
        let side = if side == FlowSide::Start { "s" } else { "f" };
        self.0.push(format!("{kind} {side} {id} {} {at_ns}", shown(thread)));
    }

    fn python(&mut self, span: &PythonSpan<'_>) {
        let thread = shown(span.thread);
        self.0.push(format!("python {} {thread} {} {}", decoded(span.name), span.start_ns, span.end_ns));
    }

    fn app(&mut self, counter: AppCounter, at_ns: i64, bytes: i64) {
        self.0.push(format!("app {} {at_ns} {bytes}", counter.name()));
    }

    fn step(&mut self, _: &[u8], _: i64, _: i64) {}
}

fn read(bytes: &[u8], piece: usize) -> (Vec<String>, TraceCounts, Problems) {
    let mut records = Records::default();
    let mut trace = Trace::new("trace_view.json");
    for chunk in bytes.chunks(piece.max(1)) {
        trace.feed(chunk, &mut records);
    }
    let (counts, problems) = trace.finish(&mut records);
    (records.0, counts, problems)
}

fn count(problems: &Problems, kind: ProblemKind) -> u64 {
    problems.list().iter().filter(|p| p.kind == kind).map(|p| p.count).sum()
}

// Texts of events in many shapes.

fn string() -> impl Strategy<Value = String> {
    let text = prop_oneof![
        4 => "[a-z0-9_.:() /]{0,12}",
        1 => "[a-z\"\\\\{}\\[\\],:;\r\n\t王😀]{0,12}",
    ];
    (text, 0..3u8).prop_map(|(text, style)| {
        let plain = serde_json::to_string(&text).unwrap();
        match style {
            0 => plain,
            // All that is not ASCII escaped, as Python does; or a letter that needs none.
            1 => plain
                .chars()
                .map(|c| {
                    if c.is_ascii() {
                        c.to_string()
                    } else {
                        c.encode_utf16(&mut [0; 2]).iter().map(|u| format!("\\u{u:04x}")).collect()
                    }
                })
                .collect(),
            _ => plain.replace('a', "\\u0061").replace('/', "\\/"),
        }
    })
}

fn number() -> impl Strategy<Value = String> {
    let plain = prop_oneof![
        4 => (0u64..1 << 52, 0u32..1000).prop_map(|(whole, part)| format!("{whole}.{part:03}")),
        3 => (0i64..100_000).prop_map(|n| n.to_string()),
        1 => any::<i64>().prop_map(|n| n.to_string()),
        1 => (-500i64..500, -3i32..4).prop_map(|(n, e)| format!("{n}.25e{e}")),
        1 => (0u64..1 << 40, 0u64..10_000_000).prop_map(|(whole, part)| format!("{whole}.{part:07}")),
    ];
    (plain, 0..4u8).prop_map(|(text, style)| match style {
        0 => format!("\"{text}\""),
        1 => format!("\" {text}\""),
        _ => text,
    })
}

fn anything() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        string(),
        number(),
        Just("true".to_owned()),
        Just("null".to_owned()),
        Just("[]".to_owned()),
        Just("{}".to_owned())
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|list| format!("[{}]", list.join(", "))),
            prop::collection::vec((string(), inner), 0..4).prop_map(|fields| fields_of(&fields)),
        ]
    })
}

fn fields_of(fields: &[(String, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}: {value}")).collect();
    format!("{{{}}}", fields.join(", "))
}

/// A key, now and then with its first letter escaped, and a value that mostly fits it.
fn pair(name: &'static str, value: impl Strategy<Value = String> + 'static) -> BoxedStrategy<(String, String)> {
    let key = (0..12u8).prop_map(move |style| match style {
        0 => format!("\"\\u{:04x}{}\"", u32::from(name.as_bytes()[0]), &name[1..]),
        _ => format!("\"{name}\""),
    });
    (key, prop_oneof![12 => value, 1 => anything()]).boxed()
}

fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    (prop::sample::select(texts), 0..15u8).prop_map(|(text, style)| match style {
        0 => format!("\"\\u{:04x}{}\"", u32::from(text.as_bytes()[0]), &text[1..]),
        _ => format!("\"{text}\""),
    })
}

/// All pairs but the few that are left out, some twice, in any order.
fn object(pairs: Vec<BoxedStrategy<(String, String)>>) -> impl Strategy<Value = String> {
    let count = pairs.len();
    let times = prop::collection::vec(prop_oneof![1 => Just(0usize), 14 => Just(1), 1 => Just(2)], count);
    times
        .prop_flat_map(move |times| {
            let chosen: Vec<_> =
                pairs.iter().zip(times).flat_map(|(pair, times)| std::iter::repeat_n(pair.clone(), times)).collect();
            chosen.prop_shuffle()
        })
        .prop_map(|fields| fields_of(&fields))
}

fn event() -> impl Strategy<Value = String> {
    let args = object(vec![
        pair("Call stack", string()),
        pair("Sequence number", number()),
        pair("Fwd thread id", one_of_numbers()),
        pair("Module Hierarchy", string()),
        pair("correlation_id", number()),
        pair("KB", number()),
        pair("other", anything()),
    ]);
    let usual = object(vec![
        pair("ph", one_of(&["X", "s", "f", "C", "M"])),
        pair(
            "cat",
            one_of(&["cpu_op", "cpu_op", "enqueue", "dequeue", "fwdbwd", "async_task_queue", "python_function", "x"]),
        ),
        pair("name", string()),
        pair("pid", one_of_numbers()),
        pair("tid", string()),
        pair("ts", number()),
        pair("dur", number()),
        pair("id", number()),
        pair("args", args),
        pair("other", anything()),
    ]);
    let counter = object(vec![
        pair("ph", one_of(&["C"])),
        pair("name", one_of(&["APP/HBM", "APP/DDR", "APP/Memory", "APP/x"])),
        pair("ts", number()),
        pair("args", number().prop_map(|kb| format!("{{\"KB\": {kb}}}"))),
    ]);
    prop_oneof![12 => usual, 2 => counter, 1 => anything()]
}

fn one_of_numbers() -> impl Strategy<Value = String> {
    prop_oneof![(0i64..4).prop_map(|n| n.to_string()), number()]
}

/// A list of events as it, in an object, or spread over lines.
fn trace() -> impl Strategy<Value = String> {
    (prop::collection::vec(event(), 0..8), 0..4u8).prop_map(|(events, form)| match form {
        0 => format!("[{}]", events.join(", ")),
        1 => format!("[\n  {}\n]\n", events.join(",\r\n\t")),
        2 => {
            format!("{{\"displayTimeUnit\": \"ns\", \"traceEvents\": [{}], \"more\": [{{}}, \"]\"]}}", events.join(","))
        }
        _ => format!("[{}]", events.join(",").replace(": ", ":")),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn on_valid_json_both_read_the_same(text in trace(), piece in 1usize..200) {
        let (events, is_whole) = oracle(text.as_bytes());
        prop_assert!(is_whole, "{text}");
        let mut stack_seen = false;
        let said: Vec<Said> = events.iter().map(|event| say(event, &mut stack_seen)).collect();
        let wanted: Vec<String> =
            said.iter().filter_map(|said| if let Said::Record(record) = said { Some(record.clone()) } else { None }).collect();
        let (records, counts, problems) = read(text.as_bytes(), usize::MAX);
        prop_assert_eq!(&records, &wanted, "{}", text);
        prop_assert_eq!(counts.events, events.len() as u64, "{}", text);
        let of = |wanted: &Said| said.iter().filter(|said| *said == wanted).count() as u64;
        prop_assert_eq!(count(&problems, ProblemKind::BadEventTime), of(&Said::BadTime), "{}", text);
        prop_assert_eq!(count(&problems, ProblemKind::BadEvent), of(&Said::NotAnObject), "{}", text);
        let in_pieces = read(text.as_bytes(), piece);
        prop_assert_eq!((in_pieces.0, in_pieces.1, in_pieces.2.list()), (records, counts, problems.list()));
    }
}

#[derive(Debug, Clone)]
enum Damage {
    Set(usize, u8),
    Insert(usize, &'static str),
    Delete(usize, usize),
    Cut(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = 0usize..100_000;
    let piece = prop::sample::select(vec![
        "\"",
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        ",,",
        " ",
        "\n",
        "\u{1}",
        "NaN",
        "-Infinity",
        "\\ud800",
        "null",
        "0",
        "x",
        "}, {",
        "]]",
        "\u{fffd}",
    ]);
    prop_oneof![
        3 => (at.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        5 => (at.clone(), piece).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        3 => (at.clone(), 1usize..30).prop_map(|(at, count)| Damage::Delete(at, count)),
        1 => at.prop_map(Damage::Cut),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let place = |at: usize| at % (bytes.len() + 1);
    match *damage {
        Damage::Set(at, byte) => {
            let at = place(at);
            if let Some(slot) = bytes.get_mut(at) {
                *slot = byte;
            }
        }
        Damage::Insert(at, piece) => {
            let at = place(at);
            bytes.splice(at..at, piece.bytes());
        }
        Damage::Delete(at, count) => {
            let at = place(at);
            let end = (at + count).min(bytes.len());
            bytes.drain(at..end);
        }
        Damage::Cut(at) => bytes.truncate(place(at)),
    }
}

/// The text with the tolerated damage undone: bare words become 0, odd strings "x", nested values of events 0, and the commas
/// between events are set anew. Anything else stays as broken as it is.
fn with_tolerated_damage_undone(bytes: &[u8]) -> Vec<u8> {
    let (mut out, mut at, mut depth) = (Vec::new(), 0, 0usize);
    let in_object = bytes.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{');
    // A value of another key of the outer object.
    let is_other_key = |out: &[u8], depth| in_object && depth == 1 && !out.ends_with(b"\"traceEvents\":");
    let event_depth = if in_object { 3 } else { 2 };
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let start = at + 1;
                at = start;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                let Some(text) = bytes.get(start..at.min(bytes.len())).filter(|_| at < bytes.len()) else { return out };
                at += 1;
                let quoted = [b"\"", text, b"\""].concat();
                let is_fine = std::str::from_utf8(&quoted).is_ok_and(|t| serde_json::from_str::<String>(t).is_ok());
                out.extend_from_slice(if is_fine { &quoted } else { b"\"x\"" });
            }
            b'{' | b'[' if depth == event_depth || is_other_key(&out, depth) => {
                // Closed by whatever closes as many as were opened, as a reader that only steps over it takes it.
                let mut nested = 0usize;
                loop {
                    match bytes.get(at) {
                        None => return out,
                        Some(b'"') => {
                            at += 1;
                            while at < bytes.len() && bytes[at] != b'"' {
                                at += if bytes[at] == b'\\' { 2 } else { 1 };
                            }
                        }
                        Some(b'{' | b'[') => nested += 1,
                        Some(b'}' | b']') => nested -= 1,
                        Some(_) => {}
                    }
                    at += 1;
                    if nested == 0 {
                        break;
                    }
                }
                out.push(b'0');
            }
            c @ (b'{' | b'[') => {
                depth += 1;
                out.push(c);
                at += 1;
            }
            c @ (b'}' | b']') => {
                depth = depth.saturating_sub(1);
                if depth < event_depth && out.last() == Some(&b',') && c == b']' {
                    out.pop();
                }
                out.push(c);
                at += 1;
                if depth + 1 == event_depth && c == b'}' {
                    out.push(b',');
                }
            }
            b',' => {
                if depth + 1 != event_depth || !matches!(out.last(), Some(b',' | b'[')) {
                    out.push(b',');
                }
                at += 1;
            }
            b':' => {
                out.push(b':');
                at += 1;
            }
            c if c.is_ascii_whitespace() => at += 1,
            _ => {
                let start = at;
                while at < bytes.len() && !b",]}[{:\" \n\r\t".contains(&bytes[at]) {
                    at += 1;
                }
                let word = &bytes[start..at];
                let is_fine = SliceJsonParser::new(word).parse_next().is_ok()
                    && std::str::from_utf8(word).is_ok_and(|w| serde_json::from_str::<serde_json::Value>(w).is_ok());
                out.extend_from_slice(if is_fine { word } else { b"0" });
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_the_oracle_reads_of_damaged_json_is_read_and_the_rest_counted(
        text in trace(), damages in prop::collection::vec(damage(), 1..4), piece in 1usize..200,
    ) {
        let mut bytes = text.into_bytes();
        for damage in &damages {
            apply(&mut bytes, damage);
        }
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let (events, is_whole) = oracle(&bytes);
        let mut stack_seen = false;
        let said: Vec<Said> = events.iter().map(|event| say(event, &mut stack_seen)).collect();
        let wanted: Vec<String> =
            said.iter().filter_map(|said| if let Said::Record(record) = said { Some(record.clone()) } else { None }).collect();
        let (records, counts, problems) = read(&bytes, usize::MAX);
        prop_assert!(records.len() >= wanted.len(), "{shown}\n{wanted:?}\n{records:?}");
        prop_assert_eq!(&records[..wanted.len()], &wanted[..], "{}", shown);
        if !is_whole && records.len() > wanted.len() && problems.list().is_empty() {
            let undone = with_tolerated_damage_undone(&bytes);
            prop_assert!(oracle(&undone).1, "not counted: {shown}\n{}", String::from_utf8_lossy(&undone));
        }
        let objects = events.iter().filter(|event| matches!(event, Json::Object(_))).count();
        prop_assert!(counts.events >= objects as u64);
        let in_pieces = read(&bytes, piece);
        prop_assert_eq!((in_pieces.0, in_pieces.1, in_pieces.2.list()), (records, counts, problems.list()), "{}", shown);
    }
}
