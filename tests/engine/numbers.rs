//! Numbers as people's files have them: what a spreadsheet, another locale or a damaged disk made of them.

use crate::common::{Files, HEADER_15, RECORD_HEADER_7, rows};
use memlens::analysis::answer::{GroupBy, TopQuery};
use memlens::problem::ProblemKind;
use memlens::session::Session;

const TRACE: &str = r#"[{"ph": "X", "name": "aten::a", "pid": 1, "tid": 1, "ts": "1695115378714000.000", "dur": 2000, "cat": "cpu_op", "args": {"Call stack": "a.py(1): f"}}]"#;

fn count(session: &Session, kind: ProblemKind) -> u64 {
    session.summary().problems.iter().filter(|p| p.kind == kind).map(|p| p.count).sum()
}

/// Rows as a spreadsheet leaves them.
fn damaged_rows() -> String {
    let time = "1.69512E+15";
    format!(
        "{HEADER_15}aten::a,8,{time},{time},{time},36.7,30,10,110,11,9,110,10,7,NPU:0\naten::b,16,{time},,,,,12,112,11,,,,7,NPU:0\n"
    )
}

fn ask(session: &Session) -> u64 {
    let query =
        TopQuery { at_ns: 1_695_120_000_000_000_000, pool: None, by: GroupBy::Operator, within: None, limit: 9 };
    session.top(&query).total_blocks
}

#[test]
fn rows_without_a_time_axis_keep_their_sizes_and_nothing_else_is_claimed() {
    let records = format!(
        "{RECORD_HEADER_7}PTA,1695115378714622.800\t,10,110,11,7,NPU:0\r\nPTA,1695115378714722.800\t,12,112,11,7,NPU:0\r\n"
    );
    let s = Files::rank(&[
        ("operator_memory.csv", &damaged_rows()),
        ("memory_record.csv", &records),
        ("trace_view.json", TRACE),
    ])
    .only();
    assert_eq!(count(&s, ProblemKind::TimeAxisLost), 1);
    let all = rows(&s, true);
    let sizes: Vec<_> = all.iter().map(|row| [row["size_kb"].as_str(), row["match"].as_str()]).collect();
    assert_eq!(sizes, [["8.0", "none"], ["16.0", "none"]]);
    let summary = s.summary();
    // The records are whole: peaks and window are theirs.
    let peak = summary.peak.unwrap().allocated.unwrap();
    assert_eq!((peak.bytes, peak.time_ns), (12 << 20, 1_695_115_378_714_722_800));
    assert_eq!(summary.window_ns, Some([1_695_115_378_714_622_800, 1_695_115_378_714_722_800]));
    assert!(summary.top.is_none() && summary.pools[0].baseline_bytes.is_none());
    assert!(summary.pools[0].comparison.is_none() && summary.pools[0].blocks_without_row == 0);
    assert_eq!((ask(&s), s.balance(peak.time_ns)), (0, None));
    assert_eq!(summary.blocks.total, 2);
    assert!(summary.checks.iter().all(|check| check.compared == 0), "{:?}", summary.checks);
}

#[test]
fn records_without_a_time_axis_leave_the_rows_own_totals() {
    let rows = format!("{HEADER_15}aten::a,8,1695115378714622.800\t,,,,,10,110,11,,,,7,NPU:0\r\n");
    let records = format!("{RECORD_HEADER_7}PTA,1.69512E+15,99,110,11,7,NPU:0\r\nAPP,1.69512E+15,,500,,,NPU:0\r\n");
    let s = Files::rank(&[("operator_memory.csv", &rows), ("memory_record.csv", &records)]).only();
    assert_eq!(count(&s, ProblemKind::TimeAxisLost), 1);
    let [pool] = &s.summary().pools[..] else { panic!("{:?}", s.summary().pools) };
    assert_eq!(pool.peak.allocated.unwrap().bytes, 10 << 20);
    let time = 1_695_115_378_714_622_800;
    assert_eq!(s.summary().window_ns, Some([time, time]));
}

#[test]
fn both_without_a_time_axis_still_have_sizes_and_peaks() {
    let records = format!("{RECORD_HEADER_7}PTA,1.69512E+15,99,110,11,7,NPU:0\r\n");
    let s = Files::rank(&[("operator_memory.csv", &damaged_rows()), ("memory_record.csv", &records)]).only();
    assert_eq!(count(&s, ProblemKind::TimeAxisLost), 2);
    assert_eq!(s.summary().peak.unwrap().allocated.unwrap().bytes, 99 << 20);
    assert_eq!((s.summary().window_ns, ask(&s)), (None, 0));
    let s = Files::rank(&[("memory_record.csv", &records)]).only();
    assert_eq!((count(&s, ProblemKind::TimeAxisLost), s.summary().window_ns), (1, None));
}

#[test]
fn an_exact_exponent_is_an_exact_number() {
    let row = "aten::a,8.5E0,1.6951153787146228E+15,1.6951153787147228e15,,100,,1E1,110,11,,,,7,NPU:0\n";
    let s = Files::rank(&[("operator_memory.csv", &format!("{HEADER_15}{row}"))]).only();
    let row = &rows(&s, true)[0];
    assert_eq!(
        [&row["size_kb"], &row["start_time_ms"], &row["release_time_ms"]],
        ["8.5", "1695115378714.6228", "1695115378714.7228"]
    );
    assert_eq!(count(&s, ProblemKind::TimeAxisLost) + count(&s, ProblemKind::BadNumber), 0);
}

#[test]
fn tables_saved_with_semicolons_or_tabs_are_read() {
    let plain = format!(
        "{HEADER_15}aten::a,8.5,100.5,200.5,190,100,89.5,10.25,110,11,9,110,10,7,NPU:0\r\n\"aten::b,c\",16,150,,,,,10,110,11,,,,7,NPU:0\r\n"
    );
    let wanted = crate::common::csv_text(&Files::rank(&[("operator_memory.csv", &plain)]).only(), true);
    let tabs = plain.replace("aten::b,c", "aten::b;c").replace(',', "\t").replace("aten::b;c", "aten::b,c");
    let semicolons =
        plain.replace("aten::b,c", "\u{1}").replace(',', ";").replace('.', ",").replace('\u{1}', "aten::b,c");
    for text in [&tabs, &semicolons, &format!("\u{feff}\r\n{semicolons}")] {
        let files = Files::rank(&[("operator_memory.csv", text)]);
        let s = files.only();
        assert_eq!(crate::common::csv_text(&s, true), wanted, "{text}");
        assert_eq!(count(&s, ProblemKind::BadNumber), 0);
        for piece in [1, 3, 50] {
            assert_eq!(files.answers(memlens::matching::MatchRule::Best, piece)[0].0, wanted);
        }
    }
    let records = "Component;Timestamp(us);Total Allocated(MB);Total Reserved(MB);Total Active(MB);Device Type\nMindSpore;1000,5;1,024;2,048;1,024;NPU:0\n";
    let s = Files::rank(&[("memory_record.csv", records)]).only();
    let peak = s.summary().peak.unwrap().allocated.unwrap();
    assert_eq!((peak.bytes, peak.time_ns), (1 << 20, 1_000_500));
}

#[test]
fn numbers_that_mean_two_things_are_refused_and_counted() {
    for cell in ["\"1,024\"", "\"1,5\"", "1 024", "1_024", "nan", "inf", "-inf", "0x10", "8\u{0}", "９"] {
        let rows = format!(
            "{HEADER_15}aten::a,8,100,{cell},,,,10,110,11,,,,7,NPU:0\naten::b,{cell},100,,,,,10,110,11,,,,7,NPU:0\n"
        );
        let s = Files::rank(&[("operator_memory.csv", &rows)]).only();
        assert_eq!(
            (s.row_count(), count(&s, ProblemKind::BadNumber), count(&s, ProblemKind::BadRow)),
            (1, 2, 1),
            "{cell}"
        );
    }
}

#[test]
fn times_before_1970_and_beyond_reason_are_no_times() {
    for cell in ["-5", "-0.001", "1e300", "99999999999999999999", "4611686018427387.905"] {
        let rows = format!(
            "{HEADER_15}aten::a,8,100,{cell},,,,10,110,11,,,,7,NPU:0\naten::b,8,{cell},,,,,10,110,11,,,,7,NPU:0\n"
        );
        let records = format!("{RECORD_HEADER_7}PTA,{cell},10,110,11,7,NPU:0\nPTA,100,10,110,11,7,NPU:0\n");
        let s = Files::rank(&[("operator_memory.csv", &rows), ("memory_record.csv", &records)]).only();
        assert_eq!((s.row_count(), s.summary().window_ns), (1, Some([100_000, 100_000])), "{cell}");
        assert_eq!(count(&s, ProblemKind::BadRow), 2, "{cell}");
    }
}
