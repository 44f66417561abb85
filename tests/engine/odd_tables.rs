//! Tables that lack columns or totals, or hold times and totals that cannot be: what cannot be told is not asserted, and what is
//! left out is named.

use crate::common::{Files, HEADER_15, RECORD_HEADER_7};
use memlens::analysis::check::{CheckKind, Verdict};
use memlens::matching::MatchRule;
use memlens::problem::{Problem, ProblemKind};
use memlens::session::Session;
use memlens::words::{self, Lang};

fn found(session: &Session, kind: ProblemKind) -> Option<&Problem> {
    session.summary().problems.iter().find(|problem| problem.kind == kind)
}

/// A row of whole MB: name, size, allocation and release in us, and the pool's totals after each.
fn row(name: &str, mb: i64, from: i64, to: i64, totals: [i64; 2]) -> String {
    let [after, released] = totals;
    format!("{name},{},{from}.001,{to}.001,,,,{after},999999,,{released},999999,,1,NPU:0\n", mb * 1024)
}

fn rises(session: &Session) -> Option<&memlens::analysis::check::Check> {
    let mut checks = session.summary().checks.iter();
    checks.find(|check| check.kind == CheckKind::BaselineRises && check.verdict() == Verdict::Fails)
}

#[test]
fn totals_from_before_each_release_prove_no_removed_row() {
    for name in ["cann::MatMul", "aten::mm"] {
        let mut table = HEADER_15.to_owned();
        for at in 0..20 {
            // Each block is alone; the total beside its release holds it still.
            table += &row(name, 8, 100 + at * 10, 105 + at * 10, [8, 8]);
        }
        let session = Files::rank(&[("operator_memory.csv", &table)]).only();
        assert_eq!(rises(&session), None, "{name}");
    }
    // Totals from after them do: here every second row was removed, and its release is not seen.
    let mut table = HEADER_15.to_owned();
    for at in 0..4 {
        table += &row("aten::mm", 8, 100 + at * 10, 105 + at * 10, [8 * (at + 1), 8 * at]);
    }
    let session = Files::rank(&[("operator_memory.csv", &table)]).only();
    let check = rises(&session).unwrap();
    assert_eq!((check.failed, check.bytes), (3, Some(24 << 20)));
}

#[test]
fn rises_beyond_all_totals_are_no_amount_of_missing_memory() {
    let mut table = HEADER_15.to_owned();
    for at in 0..20 {
        let total = if at % 2 == 0 { 100 } else { 1000 };
        table += &row("aten::mm", 8, 100 + at * 10, 105 + at * 10, [total + 8, total]);
    }
    let session = Files::rank(&[("operator_memory.csv", &table)]).only();
    let mixed = session
        .summary()
        .checks
        .iter()
        .any(|check| check.kind == CheckKind::PoolsMixed && check.verdict() == Verdict::Fails);
    if let Some(check) = rises(&session) {
        assert_eq!(check.bytes, None);
        for lang in Lang::ALL {
            let text = words::check(lang, check, 0, "text");
            assert!(!text.contains("MiB") && !text.contains("GiB"), "{text}");
        }
    } else {
        assert!(mixed);
    }
}

#[test]
fn samples_without_a_total_are_counted() {
    let records = format!(
        "{RECORD_HEADER_7}APP,90.001,,900,,,NPU:0\nPTA,100.001,8,900,8,1,NPU:0\nPTA,101.001,,900,8,1,NPU:0\nPTA,102.001,4,900,4,1,NPU:0\n"
    );
    let session = Files::rank(&[("memory_record.csv", &records)]).only();
    let problem = found(&session, ProblemKind::MissingTotal).unwrap();
    assert_eq!((problem.count, problem.detail.as_str()), (1, "PTA, NPU:0"));
}

#[test]
fn a_wholly_empty_column_of_totals_is_counted() {
    let records = format!(
        "{RECORD_HEADER_7}APP,90.001,,900,,,NPU:0\nPTA,100.001,,900,8,1,NPU:0\nPTA,101.001,,900,8,1,NPU:0\nGE,102.001,,4,,1,NPU:0\n"
    );
    let session = Files::rank(&[("memory_record.csv", &records)]).only();
    assert_eq!(found(&session, ProblemKind::MissingTotal).unwrap().count, 3);
    // Where there is no such column that is said, once.
    let without = "Component,Timestamp(us),Total Reserved(MB),Device Type\nPTA,100.001,8,NPU:0\nPTA,101.001,8,NPU:0\n";
    let session = Files::rank(&[("memory_record.csv", without)]).only();
    assert!(found(&session, ProblemKind::MissingTotal).is_none());
    assert_eq!(found(&session, ProblemKind::NoColumn).unwrap().count, 1);
}

#[test]
fn driver_components_alone_have_a_time_axis() {
    let day = 86_400_000_000_i64;
    let mut table = "Component,Timestamp(us),Total Reserved(MB),Device\n".to_owned();
    for (at, bytes) in [(0, 9), (50 * day, 1), (50 * day + 20_000, 3), (50 * day + 40_000, 2), (50 * day + 60_000, 2)] {
        table += &format!("HCCL,{at}.660,{bytes},NPU:0\nSLOG,{at}.660,0,NPU:0\n");
    }
    let session = Files::rank(&[("npu_module_mem.csv", &table)]).only();
    let summary = session.summary();
    let start = 50 * day * 1000 + 660;
    assert_eq!(summary.window_ns, Some([start, start + 60_000_000]));
    let [hccl] = &summary.module_memory[..] else { panic!("{:?}", summary.module_memory) };
    assert_eq!((hccl.peak.bytes, hccl.peak.time_ns), (3 << 20, start + 20_000_000));
    let far = found(&session, ProblemKind::TimeOutlier).unwrap();
    assert_eq!((far.file.as_str(), far.count, far.detail.as_str()), ("npu_module_mem.csv", 1, "660 ns"));
    // What a spreadsheet left of the times is no axis.
    let rounded =
        "Component,Timestamp(us),Total Reserved(MB),Device\nHCCL,1.69512E+15,1,NPU:0\nHCCL,1.69512E+15,2,NPU:0\n";
    let session = Files::rank(&[("npu_module_mem.csv", rounded)]).only();
    assert_eq!(found(&session, ProblemKind::TimeAxisLost).unwrap().file, "npu_module_mem.csv");
    assert_eq!(session.summary().window_ns, None);
}

#[test]
fn without_release_times_no_block_is_said_to_be_held() {
    let rows = "Name,Size(KB),Allocation Time(us)\naten::mm,1024,100.001\naten::mm,1024,110.001\n";
    let records = format!("{RECORD_HEADER_7}PTA,100.001,1,9,1,1,NPU:0\nPTA,105.001,0,9,1,1,NPU:0\n");
    let session = Files::rank(&[("operator_memory.csv", rows), ("memory_record.csv", &records)]).only();
    let summary = session.summary();
    let problem = found(&session, ProblemKind::NoColumn).unwrap();
    assert!(problem.detail.starts_with("Release Time,") && problem.detail.contains("Device Type"), "{problem:?}");
    assert!(summary.blocks.releases_unknown);
    assert!(summary.blocks.by_component.values().all(|blocks| blocks.never_released == 0));
    assert!(summary.pools.iter().all(|pool| pool.baseline_bytes.is_none() && pool.comparison.is_none()));
    assert_eq!(summary.top, None);
    assert_eq!(crate::common::rows(&session, false).len(), 2);
}

#[test]
fn a_record_table_without_totals_says_so() {
    let records = "Component,Timestamp(us),Total Reserved(MB),Device Type\nPTA,100.001,8,NPU:0\n";
    let session = Files::rank(&[("memory_record.csv", records)]).only();
    assert_eq!(found(&session, ProblemKind::NoColumn).unwrap().detail, "Total Allocated");
}

#[test]
fn one_time_far_off_does_not_stretch_the_axis() {
    let day = 86_400_000_000_i64;
    let mut table = HEADER_15.to_owned();
    for at in 0..5 {
        table += &row("aten::mm", 1, 50 * day + at * 10, 50 * day + at * 10 + 5, [1, 0]);
    }
    table += &row("far", 1, 0, 50 * day, [1, 0]);
    table += &row("held", 1, 50 * day + 90, 90 * day, [1, 0]);
    let mut records = RECORD_HEADER_7.to_owned();
    for at in [0, 50 * day, 50 * day + 5, 50 * day + 10] {
        records += &format!("PTA,{at}.001,1,9,1,1,NPU:0\n");
    }
    let files = Files::rank(&[("operator_memory.csv", &table), ("memory_record.csv", &records)]);
    let session = files.only();
    let [from, to] = session.summary().window_ns.unwrap();
    assert!(from >= 50 * day * 1000 && to < 51 * day * 1000, "{from} {to}");
    let outliers: Vec<(&str, u64)> = session
        .summary()
        .problems
        .iter()
        .filter(|problem| problem.kind == ProblemKind::TimeOutlier)
        .map(|problem| (problem.file.as_str(), problem.count))
        .collect();
    assert_eq!(outliers, [("operator_memory.csv", 2), ("memory_record.csv", 1)]);
    assert!(crate::common::rows(&session, false).iter().all(|row| row.values().all(|cell| cell != "far")));
    // The reference rule shows what is written.
    let reference = &files.sessions(MatchRule::Reference)[0];
    assert!(found(reference, ProblemKind::TimeOutlier).is_none());
}

#[test]
fn a_lost_disk_block_costs_what_it_hit() {
    let nul = "\0".repeat(64);
    let table = format!(
        "{HEADER_15}{}{}",
        row("aten::mm", 1, 100, 105, [1, 0]),
        row(&format!("aten::{nul}"), 1, 110, 115, [1, 0])
    );
    let records = format!("{RECORD_HEADER_7}PTA,100.001,1,9,1,1,NPU:0\nP{nul}A,105.001,0,9,1,1,NPU:0\n");
    let trace = format!(
        r#"[{{"ph":"X","cat":"cpu_op","name":"a{nul}b","pid":1,"tid":1,"ts":"99","dur":5,"args":{{"Call stack":"x"}}}},
        {{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":"99","dur":5,"args":{{"Call stack":"y"}}}}]"#
    );
    let files = [("operator_memory.csv", &*table), ("memory_record.csv", &*records), ("trace_view.json", &*trace)];
    let session = Files::rank(&files).only();
    for (file, _) in files {
        let lost = session.summary().problems.iter().find(|p| p.kind == ProblemKind::NulBytes && p.file == file);
        assert_eq!(lost.unwrap().count, 1, "{file}");
    }
    assert_eq!(crate::common::rows(&session, false).len(), 1);
    assert_eq!(session.summary().pools.len(), 1);
}

#[test]
fn a_trace_without_operators_says_so() {
    for trace in ["[]", r#"[{"ph":"X","name":"MatMul","pid":1,"tid":1,"ts":"99","dur":5}]"#] {
        let table = format!("{HEADER_15}{}", row("aten::mm", 1, 100, 105, [1, 0]));
        let session = Files::rank(&[("operator_memory.csv", &table), ("trace_view.json", trace)]).only();
        assert_eq!(found(&session, ProblemKind::NoOperators).unwrap().count, 1);
    }
}
