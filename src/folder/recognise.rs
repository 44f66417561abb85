//! What a file is that is not read under its name: by the name, else by its first bytes.

use super::names::CANN_OUTPUT;
use super::{FileKind, schema};
use crate::neighbour::NeighbourKind;

/// Bytes of a file's beginning that tell what it is: a header row, the first event, the schema of a database.
pub(super) const HEAD_BYTES: u64 = 4096;
/// Most files that are looked into.
pub(super) const MAX_HEADS: usize = 64;

/// What was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recognised {
    /// A file that is read, under another name.
    Readable(FileKind),
    /// One that is not.
    Neighbour(NeighbourKind),
}

use NeighbourKind as Kind;

/// Beginnings of names.
const BEGINNINGS: [(&str, Kind); 31] = [
    ("memscope_dump_", Kind::MemscopeDump),
    ("leaks_dump_", Kind::MemscopeDump),
    ("memory_compare_", Kind::MemscopeDump),
    ("python_trace_", Kind::PythonTrace),
    ("plog-", Kind::AscendLog),
    ("plog_", Kind::AscendLog),
    ("kernel_details", Kind::KernelDetails),
    ("op_summary", Kind::KernelDetails),
    ("operator_details", Kind::OperatorDetails),
    ("cluster_", Kind::ClusterAnalysis),
    ("communication", Kind::Communication),
    ("analysis.db", Kind::Communication),
    ("step_trace", Kind::StepTrace),
    ("api_statistic", Kind::Statistics),
    ("op_statistic", Kind::Statistics),
    ("task_time", Kind::Statistics),
    ("fusion_op", Kind::Statistics),
    ("l2_cache", Kind::HardwareCounters),
    ("pcie", Kind::HardwareCounters),
    ("hccs", Kind::HardwareCounters),
    ("nic", Kind::HardwareCounters),
    ("roce", Kind::HardwareCounters),
    ("soc_pmu", Kind::HardwareCounters),
    ("sio", Kind::HardwareCounters),
    ("npu_mem.csv", Kind::ProcessMemory),
    ("npu_mem_", Kind::ProcessMemory),
    ("data_preprocess", Kind::DataPreprocess),
    ("dataset.csv", Kind::DataPreprocess),
    ("mindstudio_insight", Kind::ViewerCache),
    ("memory_view_line_chart", Kind::EarlyCurve),
    ("trace_view_temp", Kind::PartialTrace),
];

/// Endings of files that may be recognised at all.
const ENDINGS: [&str; 7] = ["csv", "json", "db", "pkl", "pickle", "html", "log"];

/// By the name and the folder it lies in.
pub(super) fn by_name(folder: &str, name: &str) -> Option<Kind> {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    // imas is not public; its reports bear its name.
    if name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word.eq_ignore_ascii_case("imas")) {
        return Some(Kind::ImasReport);
    }
    if !ENDINGS.contains(&end) {
        return None;
    }
    // A word of its own: `nic.csv` and `nic_2.csv`, not `nice.csv`.
    let begins = |beginning: &str| {
        let ends_word = |text: &str| text.ends_with(['_', '-']) || text.contains('.');
        let rest = name.strip_prefix(beginning);
        rest.is_some_and(|rest| ends_word(beginning) || rest.starts_with(|c: char| !c.is_ascii_alphanumeric()))
    };
    if let Some((_, kind)) = BEGINNINGS.iter().find(|(beginning, _)| begins(beginning)) {
        return Some(*kind);
    }
    if name.contains("memory_timeline") || name.ends_with(".raw.json") {
        return Some(Kind::MemoryTimeline);
    }
    if name.ends_with(".pkl.db") || name.ends_with(".pickle.db") {
        return Some(Kind::ViewerCache);
    }
    (folder == CANN_OUTPUT && name.starts_with("msprof_") && end == "json").then_some(Kind::CannTimeline)
}

/// Whether the first bytes may tell what a file of this name is.
pub(super) fn may_tell(name: &str) -> bool {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    ENDINGS.iter().filter(|known| !matches!(**known, "html" | "log")).any(|known| end.eq_ignore_ascii_case(known))
}

/// By the first bytes.
pub(super) fn by_content(name: &str, head: &[u8]) -> Option<Recognised> {
    if head.starts_with(schema::MAGIC) {
        return Some(database(head));
    }
    let head = head.get(..HEAD_BYTES as usize).unwrap_or(head);
    if let [0x80, 2..=5, ..] = head {
        // The first key of a snapshot, or what every segment of an older one has.
        let start = head.get(..64).unwrap_or(head);
        let is_snapshot = has(start, "segments") || has(start, "device_traces") || has_all(head, &SEGMENT);
        return is_snapshot.then_some(Recognised::Neighbour(Kind::TorchSnapshot));
    }
    let narrow = without_zeros(head);
    let head = narrow.as_deref().unwrap_or(head);
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).as_deref() {
        Some("csv") => table(head),
        Some("json") => json(head),
        _ if may_tell(name) => None,
        // Under an ending that says nothing only what is read is recognised, and no text holds a NUL: archives do.
        _ if head.contains(&0) => None,
        _ => json(head).or_else(|| table(head)).filter(|found| matches!(found, Recognised::Readable(_))),
    }
}

fn has(text: &[u8], what: &str) -> bool {
    text.windows(what.len()).any(|part| part == what.as_bytes())
}

fn has_any(text: &[u8], what: &[&str]) -> bool {
    what.iter().any(|what| has(text, what))
}

fn has_all(text: &[u8], what: &[&str]) -> bool {
    what.iter().all(|what| has(text, what))
}

/// The ASCII letters of UTF-16 text, in which all that tells what a file is is written.
fn without_zeros(head: &[u8]) -> Option<Vec<u8>> {
    match head {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [1..=0x7f, 0, ..] | [0, 1..=0x7f, ..] => {
            Some(head.iter().copied().filter(u8::is_ascii).filter(|byte| *byte != 0).collect())
        }
        _ => None,
    }
}

/// By the names of its tables.
fn database(head: &[u8]) -> Recognised {
    let neighbour = if has_any(head, &["memscope_dump", "leaks_dump"]) {
        Kind::MemscopeDump
    } else if has_any(head, &["OP_MEMORY", "MEMORY_RECORD", "NPU_MODULE_MEM", "PYTORCH_API"]) {
        return Recognised::Readable(FileKind::Database);
    } else if has_any(head, &["CommAnalyzer", "StepTraceTime"]) && !has(head, "Cluster") {
        Kind::Communication
    } else if has(head, "Cluster") {
        Kind::ClusterAnalysis
    } else if has_any(head, &["trace_entry_", "memory_block"]) {
        Kind::ViewerCache
    } else {
        Kind::OtherDatabase
    };
    Recognised::Neighbour(neighbour)
}

fn table(head: &[u8]) -> Option<Recognised> {
    // Case, blanks and brackets may differ, and a spreadsheet's own line may stand above.
    let is_own = |line: &&[u8]| loosely(&String::from_utf8_lossy(line.get(..6).unwrap_or(line))).starts_with("sep");
    let lines = head.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_empty());
    let mut lines = lines.skip_while(|line| line.len() < 8 && is_own(line));
    let header = loosely(&String::from_utf8_lossy(lines.next().unwrap_or_default()));
    let has_all = |columns: &[&str]| columns.iter().all(|column| header.contains(&loosely(column)));
    const READABLE: [(&[&str], FileKind); 4] = [
        (&["Allocation Time(us)", "Size(KB)"], FileKind::OperatorMemory),
        (&["Component", "Timestamp(us)", "Total Allocated"], FileKind::MemoryRecord),
        (&["Component", "Timestamp(us)", "Total Reserved"], FileKind::ModuleMemory),
        (&["Node Index Start", "Size(KB)"], FileKind::StaticMemory),
    ];
    const OTHERS: [(&[&str], Kind); 5] = [
        (&["Event Type", "Ptr", "Attr"], Kind::MemscopeDump),
        (&["FuncInfo", "StartTime"], Kind::PythonTrace),
        (&["Accelerator Core", "Duration(us)"], Kind::KernelDetails),
        (&["Call Stack", "Host Self Duration(us)"], Kind::OperatorDetails),
        (&["Computing", "Communication(Not Overlapped)"], Kind::StepTrace),
    ];
    let readable = READABLE.iter().find(|(columns, _)| has_all(columns));
    let other = || OTHERS.iter().find(|(columns, _)| has_all(columns));
    readable
        .map(|(_, kind)| Recognised::Readable(*kind))
        .or_else(|| other().map(|(_, kind)| Recognised::Neighbour(*kind)))
}

/// What every segment of a snapshot has.
const SEGMENT: [&str; 3] = ["address", "total_size", "allocated_size"];

/// A name by its letters and digits alone.
fn loosely(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || *c == ',').flat_map(char::to_lowercase).collect()
}

/// Whether a list of lists of numbers begins here: times, then bytes by category.
fn begins_numbers(text: &[u8]) -> bool {
    let inner = text.strip_prefix(b"[").map(<[u8]>::trim_ascii_start).and_then(|text| text.strip_prefix(b"["));
    inner.is_some_and(|text| text.trim_ascii_start().first().is_some_and(u8::is_ascii_digit))
}

fn json(head: &[u8]) -> Option<Recognised> {
    let text = head.trim_ascii_start();
    let kind = if text.starts_with(b"[") && has(text, "\"ph\"")
        || text.starts_with(b"{") && has(text, "\"traceEvents\"")
        || text.starts_with(b"{") && has_all(text, &["\"ph\"", "\"ts\"", "\"pid\""])
    {
        return Some(Recognised::Readable(FileKind::Trace));
    } else if has(text, "\"device_traces\"") || has_all(text, &SEGMENT) {
        Kind::TorchSnapshot
    } else if has_all(text, &["\"collective\"", "\"p2p\""]) || has(text, "\"Communication Time Info\"") {
        Kind::Communication
    } else if begins_numbers(text) {
        Kind::MemoryTimeline
    } else {
        return None;
    };
    Some(Recognised::Neighbour(kind))
}
