//! The reference rule against a slow twin of it: plain doubles and a linear scan, on generated folders full of ties.

use crate::common::{Files, HEADER_15};
use memlens::matching::MatchRule;
use proptest::prelude::*;

#[derive(Debug, Clone)]
struct Event {
    name: &'static str,
    ts: String,
    /// `None`: no key `Call stack`.
    stack: Option<&'static str>,
    operator: bool,
}

#[derive(Debug, Clone)]
struct Row {
    name: &'static str,
    time: String,
    size: &'static str,
}

const NAMES: [&str; 5] = ["aten::add", "aten::empty", "cann::MatMul", "", "a, \"b\""];
const STACKS: [&str; 4] = ["", "/a/train.py(1): f", "/a/b.py(2): g;\r\n/a/train.py(9): <module>", "x;y"];

/// Times a few nanoseconds apart, where doubles step by 250: many are equal, some only look so.
fn time() -> impl Strategy<Value = String> {
    (0u32..3, 0u32..1000, 0usize..4).prop_map(|(us, ns, decimals)| {
        let text = format!("177978551559666{us}.{ns:03}");
        text[..text.len() - if decimals == 0 { 4 } else { 3 - decimals }].to_owned()
    })
}

fn event() -> impl Strategy<Value = Event> {
    (0..NAMES.len(), time(), prop::option::of(0..STACKS.len()), prop::bool::weighted(0.9)).prop_map(
        |(name, ts, stack, operator)| Event { name: NAMES[name], ts, stack: stack.map(|s| STACKS[s]), operator },
    )
}

fn row() -> impl Strategy<Value = Row> {
    (0..NAMES.len(), time(), 0usize..3).prop_map(|(name, time, size)| Row {
        name: NAMES[name],
        time,
        size: ["8", "-16.5", "0.5"][size],
    })
}

fn trace_text(events: &[Event]) -> String {
    let all: Vec<serde_json::Value> = events
        .iter()
        .map(|e| {
            let mut args = serde_json::json!({"Sequence number": 3, "Fwd thread id": 0});
            if let Some(stack) = e.stack {
                args["Call stack"] = stack.into();
            }
            let cat = if e.operator { "cpu_op" } else { "python_function" };
            serde_json::json!({"ph": "X", "name": e.name, "pid": 1, "tid": 1, "ts": e.ts, "dur": 1, "cat": cat, "args": args})
        })
        .collect();
    serde_json::to_string(&all).unwrap()
}

fn table_text(rows: &[Row]) -> String {
    let mut text = HEADER_15.to_owned();
    for row in rows {
        let name = row.name.replace('"', "\"\"");
        text += &format!("\"{name}\",{},{}\t,,,,,1,2,3,,,,1,NPU:0\r\n", row.size, row.time);
    }
    text
}

/// What the reference tool does, as slowly as it can be said.
fn twin<'a>(events: &'a [Event], row: &Row) -> &'a str {
    let time: f64 = row.time.parse().unwrap();
    let mut best: Option<(f64, &str)> = None;
    for event in events.iter().filter(|e| e.operator && e.name == row.name) {
        let (Some(stack), ts) = (event.stack, event.ts.parse::<f64>().unwrap()) else { continue };
        if ts <= time && best.is_none_or(|(before, _)| ts >= before) {
            best = Some((ts, stack));
        }
    }
    best.map_or("", |(_, stack)| stack)
}

proptest! {
    #[test]
    fn agrees_with_the_slow_twin(
        events in prop::collection::vec(event(), 0..25),
        rows in prop::collection::vec(row(), 1..25),
    ) {
        let files = Files::rank(&[("operator_memory.csv", &table_text(&rows)), ("trace_view.json", &trace_text(&events))]);
        let sessions = files.sessions(MatchRule::Reference);
        let found = crate::common::rows(&sessions[0], false);
        let start_ms = |row: &Row| row.time.parse::<f64>().unwrap() / 1000.0;
        let mut sorted: Vec<&Row> = rows.iter().collect();
        sorted.sort_by(|a, b| start_ms(a).total_cmp(&start_ms(b)));
        prop_assert_eq!(found.len(), sorted.len());
        for (found, row) in found.iter().zip(sorted) {
            let stack = twin(&events, row);
            prop_assert_eq!(found["name"].as_str(), row.name);
            prop_assert_eq!(found["start_time_ms"].parse::<f64>().unwrap(), start_ms(row));
            prop_assert_eq!(found["size_kb"].parse::<f64>().unwrap(), row.size.parse::<f64>().unwrap());
            prop_assert_eq!(found["call_stack"].as_str(), stack);
            prop_assert_eq!(found["call_stack_top"].as_str(), stack.split(";\r\n").next().unwrap());
        }
    }
}
