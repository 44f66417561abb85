//! Peaks, baseline and live set on small tables written by hand: every clause of the rules that turn rows and records into
//! totals, and that pools are never mixed.

use crate::common::{Files, HEADER_15, RECORD_HEADER_7};
use memlens::analysis::answer::{GroupBy, PoolKey, PoolSummary, Source, Summary, TopQuery};
use memlens::analysis::check::CheckKind;
use memlens::problem::ProblemKind;
use memlens::session::Session;

const MB: i64 = 1 << 20;

/// One row of whole MB; times in microseconds, 0: not released.
struct Row(&'static str, i64, i64, i64, i64);

fn table(rows: &[Row]) -> String {
    let mut text = HEADER_15.to_owned();
    let time = |us: i64| if us == 0 { String::new() } else { format!("{us}.000\t") };
    for Row(name, mb, alloc, release, active) in rows {
        let (alloc, release, active) = (time(*alloc), time(*release), time(*active));
        text += &format!("{name},{},{alloc},{release},{active},,,,,,,,,7,NPU:0\r\n", mb * 1024);
    }
    text
}

/// One record: component, microseconds, allocated MB.
fn records(list: &[(&str, i64, i64)]) -> String {
    let mut text = RECORD_HEADER_7.to_owned();
    for (component, us, mb) in list {
        text += &format!("{component},{us}.000\t,{mb},{},{},7,NPU:0\r\n", mb + 100, mb + 1);
    }
    text
}

fn session(rows: &[Row], list: &[(&str, i64, i64)]) -> Session {
    Files::rank(&[("operator_memory.csv", &table(rows)), ("memory_record.csv", &records(list))]).only()
}

fn pool<'a>(summary: &'a Summary, component: &str) -> &'a PoolSummary {
    summary.pools.iter().find(|pool| pool.component == component).unwrap()
}

/// Baseline at the start and end in MB, and mismatches, of the framework's pool.
fn baseline(session: &Session) -> (i64, i64, u64) {
    let pta = &session.summary().pools[0];
    let bytes = pta.baseline_bytes.unwrap();
    assert_eq!((bytes.start % MB, bytes.end % MB), (0, 0));
    (bytes.start / MB, bytes.end / MB, pta.comparison.as_ref().unwrap().mismatches)
}

fn kinds(session: &Session) -> Vec<ProblemKind> {
    session.summary().problems.iter().map(|p| p.kind).filter(|k| *k != ProblemKind::NoTrace).collect()
}

#[test]
fn the_first_record_is_an_allocation() {
    let s = session(&[Row("a", 3, 100, 0, 0)], &[("PTA", 100, 10)]);
    assert_eq!(baseline(&s), (7, 7, 0));
    assert_eq!(kinds(&s), []);
}

#[test]
fn the_first_record_is_a_release() {
    let s = session(&[Row("a", 3, 50, 100, 0)], &[("PTA", 100, 10)]);
    assert_eq!(baseline(&s), (13, 13, 0));
    // The counter falls at the earlier release: a record of the later one shows what was left.
    let s = session(&[Row("a", 3, 50, 100, 90)], &[("PTA", 100, 10)]);
    assert_eq!(baseline(&s), (10, 10, 0));
}

#[test]
fn the_first_record_is_of_no_row() {
    let s = session(&[Row("a", 3, 200, 0, 0)], &[("PTA", 100, 10), ("PTA", 200, 13)]);
    assert_eq!(baseline(&s), (10, 10, 0));
}

#[test]
fn the_first_record_is_the_release_of_a_drop() {
    let mut rows = table(&[Row("a", 3, 200, 0, 0)]);
    rows += ",-4096,,100.000\t,,,,,,,10,110,11,7,NPU:0\r\n";
    let list = records(&[("PTA", 100, 10), ("PTA", 200, 13)]);
    let s = Files::rank(&[("operator_memory.csv", &rows), ("memory_record.csv", &list)]).only();
    assert_eq!(baseline(&s), (14, 10, 0));
    assert_eq!((s.summary().blocks.total, s.row_count()), (1, 2));
}

#[test]
fn a_record_of_no_row_moves_it() {
    let s = session(&[Row("a", 3, 100, 0, 0)], &[("PTA", 100, 10), ("PTA", 150, 8), ("PTA", 160, 8)]);
    assert_eq!(baseline(&s), (7, 5, 0));
    assert_eq!(kinds(&s), []);
}

#[test]
fn a_rise_of_no_row_is_a_block_without_row() {
    let s =
        session(&[Row("a", 3, 100, 0, 0)], &[("PTA", 100, 10), ("PTA", 150, 15), ("PTA", 160, 16), ("PTA", 170, 11)]);
    assert_eq!(baseline(&s), (7, 8, 0));
    let pta = &s.summary().pools[0];
    assert_eq!((pta.blocks_without_row, pta.blocks_without_row_bytes), (2, 6 * MB));
    let check = s.summary().checks.iter().find(|check| check.kind == CheckKind::BlocksWithoutRow).unwrap();
    assert_eq!((check.failed, check.bytes, check.first_ns), (2, Some(6 * MB), Some(150_000)));
}

#[test]
fn a_block_leaves_at_the_earlier_of_its_releases() {
    for (release, active) in [(200, 190), (190, 200), (190, 0), (0, 190)] {
        let s = session(
            &[Row("a", 3, 100, release, active), Row("b", 1, 195, 0, 0)],
            &[("PTA", 100, 10), ("PTA", 190, 7), ("PTA", 195, 8), ("PTA", 200, 8)],
        );
        assert_eq!(baseline(&s), (7, 7, 0), "{release} {active}");
    }
}

#[test]
fn mismatches_are_counted_and_placed() {
    let rows = [Row("a", 3, 100, 0, 0), Row("b", 2, 200, 0, 0), Row("c", 1, 300, 0, 0)];
    let s = session(&rows, &[("PTA", 100, 10), ("PTA", 200, 11), ("PTA", 300, 12)]);
    let comparison = s.summary().pools[0].comparison.clone().unwrap();
    let first = comparison.first.unwrap();
    assert_eq!((comparison.events, comparison.mismatches), (3, 2));
    assert_eq!((first.time_ns, first.rows_bytes, first.recorded_bytes), (200_000, 12 * MB, 11 * MB));
    let check = s.summary().checks.iter().find(|check| check.kind == CheckKind::RowsTotal).unwrap();
    assert_eq!((check.compared, check.failed, check.first_ns), (3, 2, Some(200_000)));
    assert_eq!((check.expected, check.found), (Some(11 * MB), Some(12 * MB)));
    let balance = s.balance(200_000).unwrap();
    assert_eq!((balance.rows_bytes, balance.rows, balance.baseline_bytes), (5 * MB, 2, 7 * MB));
    assert_eq!(balance.recorded_bytes, Some(11 * MB));
}

#[test]
fn events_of_one_time_are_compared_after_the_last() {
    let s = session(
        &[Row("a", 3, 100, 200, 0), Row("b", 2, 200, 0, 0)],
        &[("PTA", 100, 10), ("PTA", 200, 7), ("PTA", 200, 9)],
    );
    assert_eq!(baseline(&s), (7, 7, 0));
}

#[test]
fn without_records_all_is_derived_from_the_rows() {
    let text =
        format!("{HEADER_15}a,3072,100,200,190,,,10,110,11,8,110,9,7,NPU:0\nb,1024,150,,,,,11,120,12,,,,7,NPU:0\n");
    let s = Files::rank(&[("operator_memory.csv", &text)]).only();
    let pta = &s.summary().pools[0];
    assert_eq!((pta.source, &pta.comparison), (Source::Rows, &None));
    let bytes = pta.baseline_bytes.unwrap();
    assert_eq!((bytes.start, bytes.end), (7 * MB, 7 * MB));
    let peak = s.summary().peak.unwrap();
    assert_eq!(peak.allocated.map(|p| (p.bytes, p.time_ns)), Some((11 * MB, 150_000)));
    assert_eq!(peak.reserved.map(|p| (p.bytes, p.time_ns)), Some((120 * MB, 150_000)));
    assert_eq!(s.summary().window_ns, Some([100_000, 200_000]));
    assert!(kinds(&s).contains(&ProblemKind::NoMemoryRecord));
}

#[test]
fn the_peak_is_the_first_event_with_the_maximum() {
    let s = session(
        &[Row("a", 3, 100, 200, 0), Row("b", 3, 300, 0, 0)],
        &[("PTA", 100, 10), ("PTA", 200, 7), ("PTA", 300, 10)],
    );
    let peak = s.summary().peak.unwrap();
    assert_eq!(peak.allocated.map(|p| (p.bytes, p.time_ns)), Some((10 * MB, 100_000)));
    assert_eq!(s.summary().top.as_ref().unwrap().at_ns, 100_000);
    assert_eq!(s.summary().top.as_ref().unwrap().operator[0].key.as_deref(), Some("a"));
}

#[test]
fn pools_are_never_mixed() {
    let rows = [Row("aten::a", 3, 100, 0, 0), Row("cann::b", 50, 110, 0, 0), Row("aten::w", 20, 120, 0, 0)];
    let list = [
        ("APP", 90, 900),
        ("PTA", 100, 10),
        ("PTA+GE", 100, 10),
        ("GE", 110, 60),
        ("PTA+GE", 110, 70),
        ("WORKSPACE", 120, 25),
    ];
    let s = session(&rows, &list);
    let summary = s.summary();
    let order: Vec<_> = summary.pools.iter().map(|pool| pool.component.as_str()).collect();
    assert_eq!(order, ["PTA", "GE", "WORKSPACE", "APP"]);
    assert_eq!(summary.peak.unwrap().allocated.unwrap().bytes, 10 * MB);
    assert_eq!(pool(summary, "GE").peak.allocated.unwrap().bytes, 60 * MB);
    assert_eq!(pool(summary, "GE").comparison, None);
    assert_eq!(pool(summary, "WORKSPACE").baseline_bytes.unwrap().start, 5 * MB);
    assert_eq!(summary.records["PTA+GE"], 2);
    for (component, total) in [("PTA", 1), ("GE", 1), ("WORKSPACE", 1)] {
        assert_eq!(summary.blocks.by_component[component].total, total, "{component}");
    }
    assert_eq!(baseline(&s), (7, 7, 0));
    let live = |component: &str| {
        let pool = Some(PoolKey { component: component.to_owned(), device: "NPU:0".to_owned() });
        s.top(&TopQuery { at_ns: 120_000, pool, by: GroupBy::Operator, within: None, limit: 9 }).total_bytes / MB
    };
    assert_eq!((live("PTA"), live("GE"), live("WORKSPACE"), live("APP")), (3, 50, 20, 0));
}

#[test]
fn a_workspace_row_is_one_no_pta_record_knows() {
    let rows = [Row("aten::w", 3, 100, 0, 0), Row("aten::both", 3, 110, 0, 0), Row("cann::g", 3, 100, 0, 0)];
    let s = session(&rows, &[("WORKSPACE", 100, 3), ("WORKSPACE", 110, 3), ("PTA", 110, 3)]);
    let of: Vec<_> =
        crate::common::rows(&s, true).iter().map(|row| (row["name"].clone(), row["component"].clone())).collect();
    let of: Vec<_> = of.iter().map(|(name, component)| (name.as_str(), component.as_str())).collect();
    assert_eq!(of, [("aten::w", "WORKSPACE"), ("cann::g", "GE"), ("aten::both", "PTA")]);
}

#[test]
fn newer_and_other_names_of_the_frameworks_pool() {
    for name in ["TorchNPU", "MindSpore"] {
        let s = session(&[Row("a", 3, 100, 0, 0)], &[(name, 100, 10), ("APP", 90, 900)]);
        assert_eq!(s.summary().pools[0].component, name);
        assert_eq!(s.summary().peak.unwrap().allocated.unwrap().bytes, 10 * MB);
        assert_eq!(s.summary().blocks.by_component[name].total, 1);
        assert_eq!(crate::common::rows(&s, true)[0]["component"], name);
        assert_eq!(baseline(&s), (7, 7, 0));
    }
}

#[test]
fn a_graph_engine_row_released_at_its_allocation_is_not_released() {
    let text = format!(
        "{HEADER_15}cann::a,1024,100.000\t,100.000\t,,0,,10,110,,0,0,,,NPU:0\r\ncann::b,1024,100.000\t,150.000\t,,50,,11,110,,10,110,,,NPU:0\r\naten::c,1024,100.000\t,100.000\t,,0,,11,110,,10,110,,,NPU:0\r\n"
    );
    let s = Files::rank(&[("operator_memory.csv", &text)]).only();
    let blocks = &s.summary().blocks.by_component;
    assert_eq!((blocks["GE"].never_released, blocks["PTA"].never_released), (1, 0));
    let releases: Vec<_> = crate::common::rows(&s, true).iter().map(|row| row["release_time_ms"].clone()).collect();
    assert_eq!(releases, ["", "0.15", "0.1"]);
    // The zeros beside it are no totals.
    assert_eq!(pool(s.summary(), "GE").baseline_bytes.unwrap().end, 9 * MB);
}

#[test]
fn the_short_forms_of_both_tables() {
    let rows = "Name,Size(KB),Allocation Time(us),Release Time(us),Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Release Total Allocated(MB),Release Total Reserved(MB),Device Type\ncann::g,4,10,20,10,1,2,1,2,NPU:0\naten::a,3072,100.5,200.25,99.75,10,110,7,110,NPU:0\n,-1024,,300,,,,6,110,NPU:0\n";
    let list = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\nPTA,100.5,10,110,NPU:0\nPTA,200.25,7,110,NPU:0\nPTA,300,6,110,NPU:0\nGE,10,1,2,NPU:0\n";
    let s = Files::rank(&[("operator_memory.csv", rows), ("memory_record.csv", list)]).only();
    assert_eq!(kinds(&s), []);
    assert_eq!(baseline(&s), (7, 6, 0));
    let peak = s.summary().peak.unwrap();
    assert_eq!((peak.active, peak.allocated.unwrap().bytes), (None, 10 * MB));
    let out = crate::common::rows(&s, true);
    let starts: Vec<_> = out.iter().map(|row| (row["start_time_ms"].as_str(), row["size_kb"].as_str())).collect();
    assert_eq!(starts, [("0.01", "4.0"), ("0.1005", "3072.0"), ("0.3", "-1024.0")]);
    assert_eq!((out[1]["total_active_mb"].as_str(), out[1]["duration_ms"].as_str()), ("0.0", "0.09975"));
}

#[test]
fn the_live_set_holds_blocks_from_their_allocation_up_to_their_release() {
    let rows = [Row("both", 1, 100, 200, 150), Row("active only", 2, 100, 0, 200), Row("never", 4, 100, 0, 0)];
    let s = session(&rows, &[("PTA", 100, 10)]);
    let live = |us: i64| {
        let query = TopQuery { at_ns: us, pool: None, by: GroupBy::Operator, within: None, limit: 9 };
        let top = s.top(&query);
        assert_eq!(top.total_bytes, top.groups.iter().map(|g| g.bytes).sum::<i64>());
        (top.total_bytes / MB, top.total_blocks)
    };
    assert_eq!(live(99_999), (0, 0));
    assert_eq!(live(100_000), (7, 3));
    // Active Release counts only where it is the only release.
    assert_eq!(live(199_999), (7, 3));
    assert_eq!(live(200_000), (4, 1));
    assert_eq!(s.summary().blocks.by_component["PTA"].never_released, 1);
}

#[test]
fn devices_are_pools_of_their_own() {
    let rows = format!("{HEADER_15}a,1024,100,,,,,,,,,,,7,NPU:0\nb,2048,100,,,,,,,,,,,7,NPU:1\n");
    let list = format!("{RECORD_HEADER_7}PTA,100,10,110,11,7,NPU:0\nPTA,100,20,110,21,7,NPU:1\n");
    let s = Files::rank(&[("operator_memory.csv", &rows), ("memory_record.csv", &list)]).only();
    let pools: Vec<_> =
        s.summary().pools.iter().map(|p| (p.device.as_str(), p.baseline_bytes.unwrap().start)).collect();
    assert_eq!(pools, [("NPU:0", 9 * MB), ("NPU:1", 18 * MB)]);
    // Of several the one with the highest peak is meant where none is named.
    assert_eq!(s.summary().peak.unwrap().allocated.unwrap().bytes, 20 * MB);
    assert_eq!(s.summary().top.as_ref().unwrap().operator[0].key.as_deref(), Some("b"));
}

#[test]
fn a_lost_device_cell_makes_no_pool_and_moves_none() {
    let rows = format!("{HEADER_15}a,1024,100,,,,,,,,,,,7,\ncann::g,1024,110,,,,,,,,,,,7,NPU:0\n");
    let list = format!("{RECORD_HEADER_7}PTA,100,10,110,11,7,NPU:0\nPTA,150,9,110,11,7,\nGE,110,50,60,,7,NPU:0\n");
    let s = Files::rank(&[("operator_memory.csv", &rows), ("memory_record.csv", &list)]).only();
    let peaks: Vec<_> = s
        .summary()
        .pools
        .iter()
        .map(|p| (p.component.as_str(), p.device.as_str(), p.peak.allocated.unwrap().bytes / MB))
        .collect();
    assert_eq!(peaks, [("PTA", "NPU:0", 10), ("GE", "NPU:0", 50)]);
    assert_eq!(baseline(&s), (9, 8, 0));
}

#[test]
fn numbers_no_integer_holds_are_written_as_recorded() {
    let rows = format!("{HEADER_15}a,0.3,100.0005,,200.0005,,,19071.60547,1,2,,,,7,NPU:0\n");
    let s = Files::rank(&[("operator_memory.csv", &rows)]).only();
    let row = &crate::common::rows(&s, true)[0];
    let cells = ["size_kb", "start_time_ms", "total_allocated_mb", "release_time_ms"].map(|name| row[name].as_str());
    assert_eq!(cells, ["0.3", "0.1000005", "19071.60547", "0.2000005"]);
    assert!(s.summary().problems.iter().any(|p| p.kind == ProblemKind::Inexact && p.count == 4));
}
