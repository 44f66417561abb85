//! Reads written files back, with nothing of the simulator's own.

use std::collections::HashMap;

use memlens_simulator::{FolderTruth, Memory, Options, Truth, simulate};
use serde_json::Value;

/// A run in memory.
pub struct Run {
    pub files: Memory,
    pub truth: Truth,
}

pub fn run(options: &Options) -> Run {
    let mut files = Memory::default();
    let truth = simulate(options, &mut files).unwrap();
    Run { files, truth }
}

impl Run {
    pub fn text(&self, folder: &FolderTruth, name: &str) -> &str {
        let path = format!("{}/ASCEND_PROFILER_OUTPUT/{name}", folder.folder);
        std::str::from_utf8(self.files.get(&path).unwrap()).unwrap()
    }

    pub fn rows(&self, folder: &FolderTruth) -> Vec<Row> {
        table(self.text(folder, "operator_memory.csv")).iter().map(Row::new).collect()
    }

    pub fn records(&self, folder: &FolderTruth) -> Vec<Record> {
        table(self.text(folder, "memory_record.csv")).iter().map(Record::new).collect()
    }

    pub fn events(&self, folder: &FolderTruth) -> Vec<Event> {
        let parsed: Vec<Value> = serde_json::from_str(self.text(folder, "trace_view.json")).unwrap();
        parsed.into_iter().map(Event::new).collect()
    }
}

fn table(text: &str) -> Vec<HashMap<String, String>> {
    let mut lines = text.strip_suffix("\r\n").unwrap().split("\r\n");
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), header.len(), "{line}");
            header.iter().zip(cells).map(|(name, cell)| ((*name).to_owned(), cell.to_owned())).collect()
        })
        .collect()
}

/// `1779785515611145.819<TAB>` as ns; empty as `None`.
pub fn time(cell: &str) -> Option<i64> {
    if cell.is_empty() {
        return None;
    }
    let text = cell.strip_suffix('\t').unwrap_or_else(|| panic!("no tab behind {cell:?}"));
    Some(nanoseconds(text))
}

/// Decimal microseconds as ns; digits below are cut.
pub fn nanoseconds(text: &str) -> i64 {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let rest: String = rest.chars().chain("000".chars()).take(3).collect();
    whole.parse::<i64>().unwrap() * 1000 + rest.parse::<i64>().unwrap()
}

/// MB or KB text as bytes, exactly.
pub fn bytes(cell: &str, unit: f64) -> Option<u64> {
    (!cell.is_empty()).then(|| {
        let exact = cell.parse::<f64>().unwrap() * unit;
        assert_eq!(exact.fract(), 0.0, "{cell}");
        exact as u64
    })
}

const MB: f64 = 1_048_576.0;

#[derive(Debug, Clone)]
pub struct Row {
    pub name: String,
    pub size: u64,
    pub alloc: i64,
    pub release: Option<i64>,
    pub active_release: Option<i64>,
    pub duration: String,
    pub active_duration: String,
    /// Allocated, reserved, active in bytes after the allocation and after the release.
    pub at_alloc: [Option<u64>; 3],
    pub at_release: [Option<u64>; 3],
    pub stream: String,
    pub device: String,
}

impl Row {
    fn new(cells: &HashMap<String, String>) -> Self {
        let totals = |when: &str| {
            ["Allocated", "Reserved", "Active"].map(|what| bytes(&cells[&format!("{when} Total {what}(MB)")], MB))
        };
        Self {
            name: cells["Name"].clone(),
            size: bytes(&cells["Size(KB)"], 1024.0).unwrap(),
            alloc: time(&cells["Allocation Time(us)"]).unwrap(),
            release: time(&cells["Release Time(us)"]),
            active_release: time(&cells["Active Release Time(us)"]),
            duration: cells["Duration(us)"].clone(),
            active_duration: cells["Active Duration(us)"].clone(),
            at_alloc: totals("Allocation"),
            at_release: totals("Release"),
            stream: cells["Stream Ptr"].clone(),
            device: cells["Device Type"].clone(),
        }
    }

    pub fn is_graph(&self) -> bool {
        self.name.starts_with("cann::")
    }
}

#[derive(Debug, Clone)]
pub struct Record {
    pub component: String,
    pub time: i64,
    pub totals: [Option<u64>; 3],
}

impl Record {
    fn new(cells: &HashMap<String, String>) -> Self {
        Self {
            component: cells["Component"].clone(),
            time: time(&cells["Timestamp(us)"]).unwrap(),
            totals: ["Allocated", "Reserved", "Active"].map(|what| bytes(&cells[&format!("Total {what}(MB)")], MB)),
        }
    }
}

/// An event of the trace; times in ns, 0 where there are none.
#[derive(Debug, Clone)]
pub struct Event {
    value: Value,
    start: i64,
    end: i64,
}

impl Event {
    fn new(value: Value) -> Self {
        let start = value.get("ts").and_then(Value::as_str).map_or(0, nanoseconds);
        let long = value.get("dur").and_then(Value::as_f64).unwrap_or(0.0);
        // Durations are short enough for a double to hold three decimals, so rounding gives them back.
        let end = start + (long * 1000.0).round() as i64;
        Self { value, start, end }
    }

    pub fn text(&self, key: &str) -> &str {
        self.value.get(key).and_then(Value::as_str).unwrap_or("")
    }

    pub fn number(&self, key: &str) -> i64 {
        self.value.get(key).and_then(Value::as_i64).unwrap_or(i64::MIN)
    }

    pub fn arg(&self, key: &str) -> &Value {
        self.value.get("args").and_then(|args| args.get(key)).unwrap_or(&Value::Null)
    }

    pub fn stack(&self) -> Option<&str> {
        self.arg("Call stack").as_str()
    }

    pub fn start(&self) -> i64 {
        self.start
    }

    pub fn end(&self) -> i64 {
        self.end
    }
}
