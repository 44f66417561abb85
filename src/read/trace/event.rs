//! One trace event: the few fields that matter, read straight from its bytes (fast) or through json-event-parser (careful).
//!
//! Both ways fill the same struct; tests hold the fast one to the careful one.

use json_event_parser::{JsonEvent, SliceJsonParser};

use super::fields::is;
use super::scan::{RawText, RawValue, Stop, byte, object, value};

/// The fields of an event that any rule looks at. Later duplicates of a key win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Event<'a> {
    pub ph: RawValue<'a>,
    pub cat: RawValue<'a>,
    pub name: RawValue<'a>,
    pub pid: RawValue<'a>,
    pub tid: RawValue<'a>,
    pub ts: RawValue<'a>,
    pub dur: RawValue<'a>,
    pub id: RawValue<'a>,
    /// Whether `args` is an object.
    pub has_args: bool,
    pub sequence: RawValue<'a>,
    pub forward_thread: RawValue<'a>,
    pub stack: RawValue<'a>,
    pub module: RawValue<'a>,
    pub correlation: RawValue<'a>,
    /// The value of a counter that counts in KB.
    pub kilobytes: RawValue<'a>,
}

impl<'a> Event<'a> {
    /// Whether it may be a sample of the whole process's memory.
    #[inline]
    pub fn is_app_counter(&self) -> bool {
        let (RawValue::Absent, RawValue::Text(name)) = (self.cat, self.name) else { return false };
        (name.escaped || name.bytes.starts_with(b"APP/")) && is(self.ph, b"C")
    }

    /// Whether any rule may look into its arguments: events without a category, but for some counters, are the device's.
    #[inline]
    pub fn wants_arguments(&self) -> bool {
        let has_category = match self.cat {
            RawValue::Text(cat) => cat.escaped || matches!(cat.bytes, b"cpu_op" | b"enqueue" | b"dequeue"),
            _ => false,
        };
        has_category || self.is_app_counter()
    }

    /// Sets a field.
    #[inline]
    pub fn set(&mut self, field: Field, value: RawValue<'a>) {
        let slot = match field {
            Field::Ph => &mut self.ph,
            Field::Cat => &mut self.cat,
            Field::Name => &mut self.name,
            Field::Pid => &mut self.pid,
            Field::Tid => &mut self.tid,
            Field::Ts => &mut self.ts,
            Field::Dur => &mut self.dur,
            Field::Id => &mut self.id,
            Field::Sequence => &mut self.sequence,
            Field::ForwardThread => &mut self.forward_thread,
            Field::Stack => &mut self.stack,
            Field::Module => &mut self.module,
            Field::Correlation => &mut self.correlation,
            Field::Kilobytes => &mut self.kilobytes,
        };
        *slot = value;
    }
}

/// The fields any rule looks at, by their keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Ph,
    Cat,
    Name,
    Pid,
    Tid,
    Ts,
    Dur,
    Id,
    Sequence,
    ForwardThread,
    Stack,
    Module,
    Correlation,
    Kilobytes,
}

impl Field {
    /// How many there are.
    pub const COUNT: usize = 14;

    /// A number of its own, below [`Field::COUNT`].
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The event's own field of this key.
    #[inline]
    pub fn of_event(key: &[u8]) -> Option<Field> {
        Some(match key {
            b"ph" => Field::Ph,
            b"cat" => Field::Cat,
            b"name" => Field::Name,
            b"pid" => Field::Pid,
            b"tid" => Field::Tid,
            b"ts" => Field::Ts,
            b"dur" => Field::Dur,
            b"id" => Field::Id,
            _ => return None,
        })
    }

    /// The argument of this key.
    #[inline]
    pub fn of_argument(key: &[u8]) -> Option<Field> {
        Some(match key {
            b"Sequence number" => Field::Sequence,
            b"Fwd thread id" => Field::ForwardThread,
            b"Call stack" => Field::Stack,
            b"Module Hierarchy" => Field::Module,
            b"correlation_id" => Field::Correlation,
            b"KB" => Field::Kilobytes,
            _ => return None,
        })
    }

    /// Whether it is an argument.
    #[inline]
    pub fn is_argument(self) -> bool {
        self.index() >= Field::Sequence.index()
    }

    /// Whether it tells if a rule looks at the event.
    #[inline]
    pub fn judges(self) -> bool {
        matches!(self, Field::Ph | Field::Cat | Field::Name)
    }
}

/// Whether any rule looks at an event; `python` says whether spans of Python functions are used.
#[inline]
pub(super) fn reads_category(event: &Event<'_>, python: bool) -> bool {
    match event.cat {
        RawValue::Text(cat) => {
            cat.escaped
                || matches!(cat.bytes, b"cpu_op" | b"enqueue" | b"dequeue" | b"fwdbwd" | b"async_task_queue")
                || python && cat.bytes == b"python_function"
        }
        _ => event.is_app_counter(),
    }
}

/// Reads the event whose brace stands at `at`; gives the position behind it.
///
/// The arguments are looked into only where they matter: most events are stepped over.
#[inline]
pub(super) fn read_fast(b: &[u8], at: usize) -> Result<(Event<'_>, usize), Stop> {
    let mut event = Event::default();
    let mut args = None;
    let end = object(b, at, |key, at| {
        if key == b"args" {
            let (found, end) = value(b, at)?;
            args = (found == RawValue::Nested && byte(b, at)? == b'{').then_some(at);
            return Ok(end);
        }
        let (found, end) = value(b, at)?;
        if let Some(field) = Field::of_event(key) {
            event.set(field, found);
        }
        Ok(end)
    })?;
    if let Some(at) = args {
        event.has_args = true;
        if event.wants_arguments() {
            read_arguments(b, at, &mut event)?;
        }
    }
    Ok((event, end))
}

fn read_arguments<'a>(b: &'a [u8], at: usize, event: &mut Event<'a>) -> Result<usize, Stop> {
    object(b, at, |key, at| {
        let (found, end) = value(b, at)?;
        if let Some(field) = Field::of_argument(key) {
            event.set(field, found);
        }
        Ok(end)
    })
}

/// An event read by json-event-parser, holding its own text.
#[derive(Debug, Default)]
pub(super) struct CarefulEvent {
    fields: Vec<(Key, Owned)>,
    has_args: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Key {
    Field(Vec<u8>),
    Argument(Vec<u8>),
}

#[derive(Debug)]
enum Owned {
    Text(Vec<u8>),
    Bare(Vec<u8>),
    Nested,
}

/// Reads one event, which must be all of `bytes`, as strict JSON.
///
/// # Errors
/// The parser's own words, if the bytes are no JSON object.
pub(super) fn read_careful(bytes: &[u8]) -> Result<CarefulEvent, String> {
    let mut parser = SliceJsonParser::new(bytes);
    let mut event = CarefulEvent::default();
    let mut depth = 0usize;
    let mut args_depth = None;
    let mut key: Option<Key> = None;
    loop {
        let next = parser.parse_next().map_err(|e| e.to_string())?;
        let at_field = depth == 1 || (depth == 2 && args_depth == Some(2));
        let value = match next {
            JsonEvent::Eof => return Ok(event),
            JsonEvent::StartObject | JsonEvent::StartArray => {
                let object = matches!(next, JsonEvent::StartObject);
                if depth == 0 && !object {
                    return Err("not an object".to_owned());
                }
                if depth == 1 && key == Some(Key::Field(b"args".to_vec())) {
                    event.fields.retain(|(key, _)| matches!(key, Key::Field(_)));
                    event.has_args = object;
                    args_depth = object.then_some(2);
                    key = None;
                }
                depth += 1;
                if !at_field {
                    continue;
                }
                Owned::Nested
            }
            JsonEvent::EndObject | JsonEvent::EndArray => {
                if args_depth == Some(depth) {
                    args_depth = None;
                }
                depth = depth.saturating_sub(1);
                continue;
            }
            JsonEvent::ObjectKey(text) => {
                let text = text.into_owned().into_bytes();
                if depth == 1 {
                    key = Some(Key::Field(text));
                } else if depth == 2 && args_depth == Some(2) {
                    key = Some(Key::Argument(text));
                }
                continue;
            }
            JsonEvent::String(text) => Owned::Text(text.into_owned().into_bytes()),
            JsonEvent::Number(text) => Owned::Bare(text.into_owned().into_bytes()),
            JsonEvent::Boolean(true) => Owned::Bare(b"true".to_vec()),
            JsonEvent::Boolean(false) => Owned::Bare(b"false".to_vec()),
            JsonEvent::Null => Owned::Bare(b"null".to_vec()),
        };
        if depth == 0 {
            return Err("not an object".to_owned());
        }
        if at_field && let Some(key) = key.take() {
            if key == Key::Field(b"args".to_vec()) {
                event.fields.retain(|(key, _)| matches!(key, Key::Field(_)));
                event.has_args = false;
            } else {
                event.fields.push((key, value));
            }
        }
    }
}

impl CarefulEvent {
    /// The same view the fast way gives.
    pub fn view(&self) -> Event<'_> {
        let mut event = Event { has_args: self.has_args, ..Event::default() };
        for (key, value) in &self.fields {
            let field = match key {
                Key::Field(key) => Field::of_event(key),
                Key::Argument(key) => Field::of_argument(key),
            };
            if let Some(field) = field {
                let value = match value {
                    Owned::Text(bytes) => RawValue::Text(RawText { bytes, escaped: false }),
                    Owned::Bare(bytes) => RawValue::Bare(bytes),
                    Owned::Nested => RawValue::Nested,
                };
                event.set(field, value);
            }
        }
        event
    }
}

#[cfg(test)]
mod tests {
    use super::super::scan::unescape;
    use super::*;
    use proptest::prelude::*;

    fn plain(event: Event<'_>) -> Vec<String> {
        let all = [
            event.ph,
            event.cat,
            event.name,
            event.pid,
            event.tid,
            event.ts,
            event.dur,
            event.id,
            event.sequence,
            event.forward_thread,
            event.stack,
            event.module,
            event.correlation,
        ];
        let mut out: Vec<String> = all
            .iter()
            .map(|v| match v {
                RawValue::Text(raw) => {
                    let mut text = Vec::new();
                    unescape(*raw, &mut text);
                    format!("{:?}", String::from_utf8_lossy(&text))
                }
                RawValue::Bare(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                RawValue::Absent => "-".to_owned(),
                RawValue::Nested => "{}".to_owned(),
            })
            .collect();
        out.push(event.has_args.to_string());
        out
    }

    fn agree(json: &str) {
        let (fast, end) = read_fast(json.as_bytes(), 0).unwrap();
        assert_eq!(end, json.len());
        let careful = read_careful(json.as_bytes()).unwrap();
        let mut careful = careful.view();
        if !fast.wants_arguments() {
            // The fast way does not look into the arguments of events that no rule needs.
            let Event { ph, cat, name, pid, tid, ts, dur, id, has_args, .. } = careful;
            careful = Event { ph, cat, name, pid, tid, ts, dur, id, has_args, ..Event::default() };
        }
        assert_eq!(plain(fast), plain(careful), "{json}");
    }

    #[test]
    fn both_ways_agree() {
        agree(
            r#"{"ph": "X", "name": "aten::add", "pid": 3, "tid": 4, "ts": "1.5", "dur": 2, "cat": "cpu_op", "args": {"Sequence number": -1, "Call stack": "a;\r\nb", "Input Dims": [1, {"Call stack": 5}]}}"#,
        );
        agree(r#"{"cat": "cpu_op", "args": 5, "name": {"x": 1}, "args": {"Call stack": null}, "name": "b"}"#);
        agree(r#"{"cat": "cpu_op", "args": {"Call stack": "x"}, "args": {"Fwd thread id": 1}}"#);
        agree(r#"{"cat": "cpu_op", "args": {"Call stack": "x"}, "args": []}"#);
        agree(
            r#"{"cat": "cpu_op", "args": {"args": {"Call stack": "x"}, "Call stack": {"a": "b"}}, "id": 12345678901234567890}"#,
        );
        agree("{}");
    }

    #[test]
    fn escaped_keys_are_read_and_what_is_no_object_is_refused() {
        let json = r#"{"\u006eame": "x", "c\u0061t": "cpu_op", "args": {"Call\u0020stack": "s"}}"#;
        agree(json);
        let (event, _) = read_fast(json.as_bytes(), 0).unwrap();
        assert!(matches!(event.stack, RawValue::Text(t) if t.bytes == b"s"));
        assert_eq!(read_fast(b"{\"a\": }", 0).unwrap_err(), Stop::Odd);
        assert!(read_careful(b"[1]").is_err());
        assert!(read_careful(b"{\"a\": }").is_err());
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            "[a-z\"\\\\{}\n王]{0,20}".prop_map(Into::into),
        ];
        let keys = prop_oneof![
            Just("args".to_owned()),
            Just("name".to_owned()),
            Just("Call stack".to_owned()),
            Just("ts".to_owned()),
            "[a-z]{0,3}"
        ];
        leaf.prop_recursive(4, 40, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::hash_map(keys.clone(), inner, 0..5)
                    .prop_map(|m| serde_json::Value::Object(m.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn both_ways_agree_on_any_object(mut value in prop::collection::hash_map("args|name|cat|[a-z]{1,2}", json(), 0..6), kept in any::<bool>()) {
            if kept {
                value.insert("cat".to_owned(), "cpu_op".into());
            }
            agree(&serde_json::to_string(&value).unwrap());
        }
    }
}
