//! What loses a rank, or misleads, in the tool people come from: here each costs itself alone and is said.

use crate::common::{Files, HEADER_15, rows};
use memlens::matching::MatchRule;
use memlens::problem::ProblemKind;

const ROW: &str = "aten::a,8,100.000\t,200.000\t,190.000\t,100.000\t,90.000\t,10,110,11,9,110,10,7,NPU:0\r\n";
const TRACE: &str = r#"[{"ph": "X", "name": "aten::a", "pid": 1, "tid": 1, "ts": "95.000", "dur": 20, "cat": "cpu_op", "args": {"Call stack": "a.py(1): f"}}"#;

fn out(rank: &str, name: &str) -> String {
    format!("actor/{rank}_ascend_pt/ASCEND_PROFILER_OUTPUT/{name}")
}

/// A whole rank beside one with this table and trace: the whole one must not suffer.
fn beside_a_whole_rank(table: &str, trace: &str) -> Vec<memlens::session::Session> {
    let whole = format!("{HEADER_15}{ROW}");
    let files = [
        (out("a", "operator_memory.csv"), table),
        (out("a", "trace_view.json"), trace),
        (out("b", "operator_memory.csv"), &whole),
        (out("b", "trace_view.json"), &format!("{TRACE}]")),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let sessions = Files::new(&files).sessions(MatchRule::Best);
    assert_eq!(sessions.len(), 2);
    assert_eq!(rows(&sessions[1], false)[0]["call_stack"], "a.py(1): f");
    sessions
}

#[test]
fn a_defect_costs_itself_and_is_counted() {
    let whole = format!("{HEADER_15}{ROW}");
    let with_row = |row: &str| format!("{HEADER_15}{row}{ROW}");
    let good = format!("{TRACE}]");
    let with_event = |event: &str| format!("{TRACE}, {event}]");
    let cases: Vec<(String, String, Option<ProblemKind>)> = vec![
        (with_row("aten::b,oops,1,,,,,,,,,,,,\r\n"), good.clone(), Some(ProblemKind::BadRow)),
        (with_row("aten::b,8,oops,,,,,,,,,,,,\r\n"), good.clone(), Some(ProblemKind::BadRow)),
        (with_row("aten::b\r\n"), good.clone(), Some(ProblemKind::BadRow)),
        // A release of older memory, as two kinds of documents describe it.
        (with_row(",-8,,150,,,,,,,9,110,10,7,NPU:0\r\n"), good.clone(), None),
        (with_row(",-8,150,,,,,,,,,,,7,NPU:0\r\n"), good.clone(), None),
        (with_row(",8,150,,,,,,,,,,,7,NPU:0\r\n"), good.clone(), None),
        (whole.clone(), TRACE.to_owned(), Some(ProblemKind::Truncated)),
        (whole.clone(), with_event("5"), Some(ProblemKind::BadEvent)),
        (whole.clone(), with_event("null"), Some(ProblemKind::BadEvent)),
        (
            whole.clone(),
            with_event(r#"{"ph": "X", "name": "aten::a", "cat": "cpu_op", "ts": "x", "dur": 1, "args": {}}"#),
            Some(ProblemKind::BadEventTime),
        ),
        (
            whole.clone(),
            with_event(
                r#"{"ph": "X", "name": "aten::a", "cat": "cpu_op", "ts": "300", "dur": null, "args": {"Call stack": "z"}}"#,
            ),
            Some(ProblemKind::BadEventTime),
        ),
        (
            whole.clone(),
            with_event(
                r#"{"ph": "X", "name": "x", "cat": "cpu_op", "ts": 300, "dur": 1, "args": {"Call stack": "\udc00"}}"#,
            ),
            None,
        ),
    ];
    for (table, trace, kind) in cases {
        let sessions = beside_a_whole_rank(&table, &trace);
        let s = &sessions[0];
        let a: Vec<_> = rows(s, false).into_iter().filter(|row| row["name"] == "aten::a").collect();
        assert_eq!((a.len(), a[0]["call_stack"].as_str()), (1, "a.py(1): f"), "{table}{trace}");
        let problems = &s.summary().problems;
        if let Some(kind) = kind {
            assert!(problems.iter().any(|p| p.kind == kind), "{kind:?}: {problems:?}");
        }
    }
}

#[test]
fn rows_without_a_name_are_rows() {
    let s =
        Files::rank(&[("operator_memory.csv", &format!("{HEADER_15},8,100,,,,,10,110,11,,,,7,NPU:0\r\n{ROW}"))]).only();
    let all = rows(&s, false);
    assert_eq!((all.len(), all[0]["name"].as_str(), s.summary().blocks.total), (2, "", 2));
    assert_eq!(s.summary().top.as_ref().unwrap().operator.len(), 2);
}

#[test]
fn no_end_and_no_stack_are_not_mistaken_for_others() {
    // A later operator of the same name without a stack must not pass its memory to an older one with a stack.
    let trace = r#"[{"ph": "X", "name": "aten::a", "pid": 1, "tid": 1, "ts": "90", "dur": 2, "cat": "cpu_op", "args": {"Call stack": "old.py(1): f"}},
        {"ph": "X", "name": "aten::a", "pid": 1, "tid": 2, "ts": "95", "dur": 20, "cat": "cpu_op", "args": {"Sequence number": -1}}]"#;
    let s = Files::rank(&[("operator_memory.csv", &format!("{HEADER_15}{ROW}")), ("trace_view.json", trace)]).only();
    let row = &rows(&s, true)[0];
    assert!(!["enclosing", "forward", "queue"].contains(&row["match"].as_str()), "{row:?}");
    assert_eq!(row["call_stack"], "", "{row:?}");
}

#[test]
fn folders_are_found_without_metadata_rank_or_durations() {
    let table = "Name,Size(KB),Allocation Time(us)\naten::a,8,100\n";
    let files = Files::new(&[
        ("a/fooascend_pt/operator_memory.csv", table),
        ("b/x_ascend_pt/profiler_info.json", "{}"),
        ("b/x_ascend_pt/profiler_metadata.json", "{broken"),
        (
            "b/x_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_memory.csv",
            "\u{feff} Name ,Size(KB), Allocation Time(us)\naten::a,8,100\n",
        ),
        ("c/y_ascend_pt/profiler_metadata.json", "{\"role\": \"a/b\"}"),
        ("c/y_ascend_pt/operator_memory.csv", table),
    ]);
    let sessions = files.sessions(MatchRule::Best);
    let found: Vec<_> = sessions.iter().map(|s| (s.summary().role.as_str(), s.row_count())).collect();
    assert_eq!(found, [("a", 1), ("a/b", 1), ("b", 1)]);
    assert!(sessions[2].summary().problems.iter().any(|p| p.kind == ProblemKind::BadJson));
}

#[test]
fn equal_times_keep_their_order_and_recordings_of_one_rank_stay_apart() {
    let table: String = (0..50).map(|n| format!("op{n},8,100,,,,,,,,,,,,NPU:0\n")).collect();
    let table = format!("{HEADER_15}{table}");
    let files = Files::new(&[
        ("actor/h_1_20260526085155596_ascend_pt/profiler_info_0.json", "{}"),
        ("actor/h_1_20260526085155596_ascend_pt/operator_memory.csv", &table),
        ("actor/h_1_20260526085255596_ascend_pt/profiler_info_0.json", "{}"),
        ("actor/h_1_20260526085255596_ascend_pt/operator_memory.csv", &table),
    ]);
    let sessions = files.sessions(MatchRule::Best);
    let steps: Vec<_> = sessions.iter().map(|s| (s.summary().rank, s.summary().step)).collect();
    assert_eq!(steps, [(Some(0), Some(1)), (Some(0), Some(2))]);
    for s in &sessions {
        let names: Vec<String> = rows(s, false).iter().map(|row| row["name"].clone()).collect();
        assert_eq!(names, (0..50).map(|n| format!("op{n}")).collect::<Vec<_>>());
    }
}
