//! MindSpore's tables: its MB are 1000 KB, missing cells say `N/A`, the components have names of their own.

use crate::common::{Files, HEADER_15, rows};
use memlens::problem::ProblemKind;
use memlens::session::Session;

const RECORD_HEADER_6: &str =
    "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Device Type\n";
// 1.024 MB of 1000 KB are 1024 KB.
const ROWS: &str = "Default/Conv2D,512,1000.5,2000.25,N/A,999.75,N/A,1.024,2.048,1.024,0.512,2.048,0.512,7,NPU:3\nDefault/Add,0.5,1500.0,N/A,N/A,N/A,N/A,1.0245,2.048,1.0245,N/A,N/A,N/A,7,NPU:3\n";
const RECORDS: &str = "MindSpore,1000.5,1.024,2.048,1.024,NPU:3\nMindSpore+GE,1000.5,1.024,2.048,1.024,NPU:3\nMindSpore,1500.0,1.0245,2.048,1.0245,NPU:3\nMindSpore+GE,1500.0,1.0245,2.048,1.0245,NPU:3\nMindSpore,2000.25,0.5125,2.048,0.5125,NPU:3\nMindSpore+GE,2000.25,0.5125,2.048,0.5125,NPU:3\nAPP,1100.0,N/A,10.24,N/A,NPU:3\n";

fn open(folder: &str, files: &[(&str, &str)]) -> Session {
    let paths: Vec<String> = files.iter().map(|(name, _)| format!("{folder}/ASCEND_PROFILER_OUTPUT/{name}")).collect();
    let files: Vec<(&str, &str)> = paths.iter().zip(files).map(|(path, (_, text))| (path.as_str(), *text)).collect();
    Files::new(&files).only()
}

fn check(s: &Session) {
    let summary = s.summary();
    assert_eq!(summary.form, "mindspore");
    let counts: Vec<_> = summary.records.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(counts, [("APP", 1), ("MindSpore", 3), ("MindSpore+GE", 3)]);
    let pool = &summary.pools[0];
    assert_eq!((pool.component.as_str(), pool.device.as_str()), ("MindSpore", "NPU:3"));
    let peak = pool.peak.allocated.unwrap();
    assert_eq!((peak.bytes, peak.time_ns), ((1 << 20) + 512, 1_500_000));
    assert_eq!(pool.peak.reserved.unwrap().bytes, 2 << 20);
    // 512 KiB stood before the first row.
    let baseline = pool.baseline_bytes.unwrap();
    assert_eq!((baseline.start, baseline.end), (512 << 10, 512 << 10));
    let comparison = pool.comparison.as_ref().unwrap();
    assert_eq!((comparison.events, comparison.mismatches), (3, 0));
    let app = summary.pools.iter().find(|pool| pool.component == "APP").unwrap();
    assert_eq!(app.peak.reserved.unwrap().bytes, 10 << 20);
    let blocks = summary.blocks.by_component["MindSpore"];
    assert_eq!((blocks.total, blocks.never_released), (2, 1));
    let [conv, add] = &rows(s, true)[..] else { panic!() };
    assert_eq!(
        [&conv["total_allocated_mb"], &conv["total_reserved_mb"], &conv["release_time_ms"]],
        ["1.0", "2.0", "2.00025"]
    );
    assert_eq!(
        [&add["total_allocated_mb"], &add["component"], &add["release_time_ms"]],
        ["1.00048828125", "MindSpore", ""]
    );
    let harmless = [ProblemKind::NoTrace, ProblemKind::UnknownRank];
    assert!(summary.problems.iter().all(|p| harmless.contains(&p.kind)), "{:?}", summary.problems);
}

#[test]
fn the_folder_tells() {
    let (rows, records) = (format!("{HEADER_15}{ROWS}"), format!("{RECORD_HEADER_6}{RECORDS}"));
    check(&open("a_ascend_ms", &[("operator_memory.csv", &rows), ("memory_record.csv", &records)]));
}

#[test]
fn the_components_tell() {
    let (rows, records) = (format!("{HEADER_15}{ROWS}"), format!("{RECORD_HEADER_6}{RECORDS}"));
    check(&open("plain", &[("operator_memory.csv", &rows), ("memory_record.csv", &records)]));
    // What comes before the first telling component waits for it.
    let (first, app) = RECORDS.split_at(RECORDS.find("APP").unwrap());
    let records = format!("{RECORD_HEADER_6}{app}{first}");
    check(&open("plain", &[("operator_memory.csv", &rows), ("memory_record.csv", &records)]));
}

#[test]
fn the_rows_tell() {
    let rows = format!("{HEADER_15}{ROWS}");
    let s = open("plain", &[("operator_memory.csv", &rows)]);
    let summary = s.summary();
    assert_eq!((summary.form.as_str(), summary.pools[0].component.as_str()), ("mindspore", "MindSpore"));
    assert_eq!(summary.peak.unwrap().allocated.unwrap().bytes, (1 << 20) + 512);
}

#[test]
fn torch_without_a_column_is_no_mindspore() {
    let records =
        format!("{RECORD_HEADER_6}APP,900.0,,10,,NPU:3\nPTA,1000.5,1.5,2,1.5,NPU:3\nGE,1001.5,0.5,1,,NPU:3\n");
    let s = open("a_ascend_pt", &[("memory_record.csv", &records)]);
    assert_eq!(s.summary().form, "text");
    assert_eq!(s.summary().peak.unwrap().allocated.unwrap().bytes, 3 << 19);
    let app = s.summary().pools.iter().find(|pool| pool.component == "APP").unwrap();
    assert_eq!(app.peak.reserved.unwrap().bytes, 10 << 20);
    // Nothing ever tells: as torch writes it.
    let records = format!("{RECORD_HEADER_6}GE,1001.5,0.5,1,,NPU:3\nGE,1002.5,x,1,,NPU:3\n");
    let s = open("a_ascend_pt", &[("memory_record.csv", &records)]);
    assert_eq!(s.summary().pools[0].peak.allocated.unwrap().bytes, 1 << 19);
    assert!(s.summary().problems.iter().any(|p| p.kind == ProblemKind::BadNumber && p.count == 1));
}

#[test]
fn any_cut_gives_the_same() {
    let (rows, records) = (format!("{HEADER_15}{ROWS}"), format!("{RECORD_HEADER_6}{RECORDS}"));
    let files = Files::new(&[
        ("plain/operator_memory.csv", &rows),
        ("plain/memory_record.csv", &records),
        (
            "plain/npu_module_mem.csv",
            "Component,Timestamp(us),Total Reserved(KB),Device\nHCCL,5,1024,NPU:0\nHCCL,6,0,NPU:0\n",
        ),
        (
            "plain/static_op_mem.csv",
            "Op Name,Node Index Start,Node Index End,Size(KB)\na,1,2,3\nTOTAL,0,4294967295,4\n",
        ),
    ]);
    let whole = files.answers(memlens::matching::MatchRule::Best, 1 << 20);
    for piece in [1, 2, 7, 64] {
        assert_eq!(files.answers(memlens::matching::MatchRule::Best, piece), whole, "{piece}");
    }
}
