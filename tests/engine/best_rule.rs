//! The best rule clause by clause, on traces written by hand: which operator's stack a row gets, and when none is asserted.

use crate::common::{Files, HEADER_15};
use memlens::problem::ProblemKind;
use serde_json::{Value, json};

/// Nanoseconds of the time axis' origin; a double would round its microseconds to quarters.
const ORIGIN: i64 = 1_779_785_515_000_000_000;

fn us(ns: i64) -> String {
    let ns = ORIGIN + ns;
    format!("{}.{:03}", ns / 1000, ns % 1000)
}

struct Op(Value);

/// An operator of thread `tid` of process 1.
fn op(name: &str, tid: i64, from: i64, to: i64) -> Op {
    let dur = format!("{}.{:03}", (to - from) / 1000, (to - from) % 1000);
    Op(json!({"ph": "X", "name": name, "pid": 1, "tid": tid, "ts": us(from), "dur": dur, "cat": "cpu_op",
        "args": {"Sequence number": -1, "Fwd thread id": 0}}))
}

impl Op {
    fn stack(mut self, stack: &str) -> Op {
        self.0["args"]["Call stack"] = stack.into();
        self
    }

    fn sequence(mut self, number: i64, forward_thread: i64) -> Op {
        self.0["args"]["Sequence number"] = number.into();
        self.0["args"]["Fwd thread id"] = forward_thread.into();
        self
    }

    fn process(mut self, pid: i64) -> Op {
        self.0["pid"] = pid.into();
        self
    }
}

impl From<Op> for Value {
    fn from(op: Op) -> Value {
        op.0
    }
}

fn flow(cat: &str, side: &str, id: i64, tid: i64, at: i64) -> Value {
    json!({"ph": side, "bp": "e", "name": cat, "id": id, "pid": 1, "tid": tid, "ts": us(at), "cat": cat})
}

fn queue(side: &str, tid: i64, from: i64, to: i64, correlation: Option<i64>) -> Value {
    let mut event = json!({"ph": "X", "name": side, "pid": 1, "tid": tid, "ts": us(from), "dur": (to - from) as f64 / 1000.0,
        "cat": side, "args": {}});
    if let Some(id) = correlation {
        event["args"]["correlation_id"] = id.into();
    }
    event
}

/// Match kind, stack and gap of each row, rows given as (name, size, allocation).
fn all_matched(trace: Vec<Value>, rows: &[(&str, &str, i64)]) -> Vec<(String, String, String)> {
    let mut table = HEADER_15.to_owned();
    for (name, size, at) in rows {
        table += &format!("{name},{size},{}\t,,,,,1,2,1,,,,1,NPU:0\r\n", us(*at));
    }
    let trace = serde_json::to_string(&trace).unwrap();
    let files = Files::rank(&[("operator_memory.csv", &table), ("trace_view.json", &trace)]);
    let session = files.only();
    let lost: Vec<_> = session.summary().problems.iter().filter(|p| p.kind.loses_data()).collect();
    assert!(lost.is_empty(), "{lost:?}");
    let out = crate::common::rows(&session, true);
    out.iter().map(|row| (row["match"].clone(), row["call_stack"].clone(), row["match_gap_us"].clone())).collect()
}

/// Match kind and stack of one row of `aten::add`.
fn matched(trace: Vec<Value>, at: i64) -> (String, String) {
    let (kind, stack, _) = all_matched(trace, &[("aten::add", "8", at)]).remove(0);
    (kind, stack)
}

fn is(kind: &str, stack: &str) -> (String, String) {
    (kind.to_owned(), stack.to_owned())
}

#[test]
fn the_innermost_enclosing_operator_of_the_name_counts() {
    let trace = || {
        vec![
            op("aten::add", 1, 200, 300).stack("inner").into(),
            op("aten::mul", 1, 210, 290).stack("other name").into(),
            op("aten::add", 1, 100, 400).stack("outer").into(),
        ]
    };
    assert_eq!(matched(trace(), 250), is("enclosing", "inner"));
    assert_eq!(matched(trace(), 200), is("enclosing", "inner"));
    assert_eq!(matched(trace(), 300), is("enclosing", "inner"));
    assert_eq!(matched(trace(), 301), is("enclosing", "outer"));
    assert_eq!(matched(trace(), 199), is("enclosing", "outer"));
}

#[test]
fn of_equal_spans_the_inner_one_stands_first_in_the_file() {
    let trace =
        vec![op("aten::add", 1, 100, 200).stack("inner").into(), op("aten::add", 1, 100, 200).stack("outer").into()];
    assert_eq!(matched(trace, 150), is("enclosing", "inner"));
}

#[test]
fn spans_that_overlap_without_nesting_both_hold() {
    let trace = || {
        vec![op("aten::add", 1, 100, 300).stack("first").into(), op("aten::mul", 1, 200, 500).stack("overlaps").into()]
    };
    assert_eq!(matched(trace(), 250), is("enclosing", "first"));
}

#[test]
fn distances_below_a_quarter_microsecond_are_exact() {
    // As doubles of microseconds all of these are one number.
    let trace = || {
        vec![op("aten::add", 1, 500, 560).stack("before").into(), op("aten::add", 1, 570, 600).stack("behind").into()]
    };
    assert_eq!(matched(trace(), 560), is("enclosing", "before"));
    assert_eq!(matched(trace(), 570), is("enclosing", "behind"));
    assert_eq!(matched(trace(), 499).0, "none");
    assert_eq!(
        all_matched(trace(), &[("aten::add", "8", 561)]),
        [("nearest".to_owned(), "before".to_owned(), "0.061".to_owned())]
    );
}

#[test]
fn several_threads_must_agree() {
    let on = |tid, stack: &str| op("aten::add", tid, 100, 200).stack(stack).into();
    assert_eq!(matched(vec![on(1, "same"), on(2, "same")], 150), is("enclosing", "same"));
    assert_eq!(matched(vec![on(1, "one"), on(2, "other")], 150), is("ambiguous", ""));
    // A candidate whose stack cannot be told may be any.
    let unknown = op("aten::add", 2, 100, 200).into();
    assert_eq!(matched(vec![on(1, "one"), unknown], 150), is("ambiguous", ""));
    let of_another_name = op("aten::mul", 2, 100, 200).stack("other").into();
    assert_eq!(matched(vec![on(1, "one"), of_another_name], 150), is("enclosing", "one"));
}

#[test]
fn equal_thread_ids_of_two_processes_are_two_threads() {
    let trace = vec![
        op("aten::add", 1, 100, 400).stack("one").process(1).into(),
        op("aten::add", 1, 200, 300).stack("two").process(2).into(),
    ];
    assert_eq!(matched(trace, 250), is("ambiguous", ""));
}

fn forward_and_backward(backward: Vec<Op>) -> Vec<Value> {
    let mut all: Vec<Value> = vec![
        op("aten::mm", 1, 100, 200).stack("forward 7").sequence(7, 0).into(),
        op("aten::mm", 1, 300, 400).stack("forward 8").sequence(8, 0).into(),
    ];
    all.extend(backward.into_iter().map(Value::from));
    all
}

#[test]
fn backward_through_its_own_number() {
    let trace = forward_and_backward(vec![op("aten::add", 2, 1000, 1100).sequence(7, 1)]);
    assert_eq!(matched(trace, 1050), is("forward", "forward 7"));
}

#[test]
fn backward_through_the_nearest_enclosing_number() {
    let trace = forward_and_backward(vec![
        op("aten::add", 2, 1030, 1060),
        op("MmBackward0", 2, 1020, 1070).sequence(7, 1),
        op("autograd::engine::evaluate_function: MmBackward0", 2, 1010, 1080).sequence(8, 1),
    ]);
    assert_eq!(matched(trace, 1050), is("forward", "forward 7"));
}

#[test]
fn backward_through_a_child_of_the_evaluation() {
    let evaluation = || op("autograd::engine::evaluate_function: MmBackward0", 2, 1000, 1200);
    let beside = || op("aten::add", 2, 1110, 1150);
    let trace = forward_and_backward(vec![op("MmBackward0", 2, 1010, 1100).sequence(7, 1), beside(), evaluation()]);
    assert_eq!(matched(trace, 1120), is("forward", "forward 7"));
    // Children that disagree tell nothing.
    let trace = forward_and_backward(vec![
        op("MmBackward0", 2, 1010, 1100).sequence(7, 1),
        op("MmBackward0", 2, 1160, 1180).sequence(8, 1),
        beside(),
        evaluation(),
    ]);
    assert_eq!(matched(trace, 1120), is("none", ""));
    // Beyond the evaluation stands another backward operator (nested autograd), of another line.
    let trace =
        forward_and_backward(vec![beside(), evaluation(), op("CheckpointBackward", 2, 900, 1300).sequence(8, 1)]);
    assert_eq!(matched(trace, 1120), is("none", ""));
}

/// Ten operators share the number 7; the flow starts in the third.
fn ten_of_one_number() -> Vec<Value> {
    (0..10)
        .map(|i| op("aten::mm", 1, 100 * i, 100 * i + 50).stack(&format!("forward {i}")).sequence(7, 0).into())
        .collect()
}

#[test]
fn a_flow_picks_the_forward_operator() {
    let mut trace = ten_of_one_number();
    trace.push(op("aten::add", 2, 5000, 5100).sequence(7, 1).into());
    trace.push(flow("fwdbwd", "s", 7, 1, 300));
    trace.push(flow("fwdbwd", "f", 7, 2, 5000));
    assert_eq!(matched(trace, 5050), is("forward", "forward 3"));
}

#[test]
fn without_a_flow_the_last_one_with_a_stack_before_the_backward_one() {
    let mut trace = ten_of_one_number();
    // Later than the backward operator, without a stack, and itself backward: none of these is it.
    trace.push(op("aten::mm", 1, 6000, 6050).stack("too late").sequence(7, 0).into());
    trace.push(op("aten::mm", 1, 2000, 2050).sequence(7, 0).into());
    trace.push(op("aten::mm", 1, 2100, 2150).stack("backward").sequence(7, 3).into());
    trace.push(op("aten::add", 2, 5000, 5100).sequence(7, 1).into());
    assert_eq!(matched(trace, 5050), is("forward", "forward 9"));
}

#[test]
fn numbers_beyond_32_bits_lead_to_their_own_forward_operator() {
    let large = |n: i64| (1 << 33) + n;
    let trace = vec![
        op("aten::mm", 1, 100, 150).stack("one").sequence(large(1), 0).into(),
        op("aten::mm", 1, 200, 250).stack("two").sequence(large(2), 0).into(),
        op("aten::mm", 1, 300, 350).stack("small").sequence(1, 0).into(),
        op("aten::add", 2, 5000, 5100).sequence(large(1), 1).into(),
        op("aten::add", 2, 6000, 6100).sequence(large(2), 1).into(),
        flow("fwdbwd", "s", large(2), 1, 200),
        flow("fwdbwd", "f", large(2), 2, 6000),
    ];
    let found = all_matched(trace, &[("aten::add", "8", 5050), ("aten::add", "8", 6050)]);
    assert_eq!(found.iter().map(|f| f.1.as_str()).collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn a_backward_operator_without_a_way_back_is_none_and_no_guess() {
    let trace = vec![
        op("aten::add", 1, 100, 200).stack("a stale one").into(),
        op("aten::add", 2, 1000, 1100).sequence(7, 1).into(),
    ];
    assert_eq!(matched(trace, 1050), is("none", ""));
}

/// `aten::add` queues on thread 1 what thread 9 does later, beside a newer operator of the name that has ended.
fn queued(ids: Option<i64>, flows: bool, operator: Op) -> Vec<Value> {
    let mut trace = vec![
        op("aten::copy_", 1, 120, 180).stack("called inside").into(),
        operator.into(),
        op("aten::add", 1, 300, 400).stack("newer").into(),
        queue("dequeue", 9, 1000, 1100, ids),
        queue("enqueue", 1, 150, 160, ids),
    ];
    if flows {
        trace.push(flow("async_task_queue", "f", 77, 9, 1000));
        trace.push(flow("async_task_queue", "s", 77, 1, 150));
    }
    trace
}

#[test]
fn the_queue_leads_to_the_operator_that_queued() {
    let own = || op("aten::add", 1, 100, 200).stack("queued it");
    assert_eq!(matched(queued(Some(5), false, own()), 1050), is("queue", "queued it"));
    assert_eq!(matched(queued(None, true, own()), 1050), is("queue", "queued it"));
    assert_eq!(matched(queued(Some(5), true, own()), 1050), is("queue", "queued it"));
    // Outside the dequeue span only a guess is left.
    assert_eq!(matched(queued(Some(5), false, own()), 1101), is("nearest", "newer"));
}

#[test]
fn a_correlation_id_used_again_leads_to_the_last_enqueue_before() {
    let mut trace = queued(Some(5), false, op("aten::add", 1, 100, 200).stack("queued it"));
    trace.push(op("aten::add", 1, 2000, 2100).stack("queued later").into());
    trace.push(queue("enqueue", 1, 2050, 2060, Some(5)));
    trace.push(queue("dequeue", 9, 3000, 3100, Some(5)));
    let found = all_matched(trace, &[("aten::add", "8", 1050), ("aten::add", "8", 3050)]);
    assert_eq!(found.iter().map(|f| f.1.as_str()).collect::<Vec<_>>(), ["queued it", "queued later"]);
}

#[test]
fn queued_by_a_backward_operator() {
    let mut trace = queued(Some(5), false, op("aten::add", 1, 100, 200).sequence(7, 1));
    trace.push(op("aten::mm", 3, 10, 20).stack("forward").sequence(7, 0).into());
    assert_eq!(matched(trace, 1050), is("queue", "forward"));
}

#[test]
fn queue_and_enclosing_must_agree() {
    let enclosing = |stack: &str| Value::from(op("aten::add", 2, 1000, 1100).stack(stack));
    let mut trace = queued(Some(5), false, op("aten::add", 1, 100, 200).stack("queued it"));
    trace.push(enclosing("something else"));
    assert_eq!(matched(trace, 1050), is("ambiguous", ""));
    let mut trace = queued(Some(5), false, op("aten::add", 1, 100, 200).stack("queued it"));
    trace.push(enclosing("queued it"));
    assert_eq!(matched(trace, 1050), is("enclosing", "queued it"));
}

#[test]
fn a_guess_says_how_far_off_it_is() {
    let trace = vec![
        op("aten::add", 1, 100, 200).stack("older").into(),
        op("aten::add", 2, 1500, 1600).stack("newer").into(),
        op("aten::add", 1, 2000, 2100).into(),
        op("aten::add", 1, 9000, 9100).stack("later").into(),
    ];
    let found = all_matched(trace, &[("aten::add", "8", 4750), ("aten::add", "8", 50), ("aten::sub", "8", 5000)]);
    assert_eq!(found[0], ("none".into(), String::new(), String::new()));
    assert_eq!(found[1], ("nearest".into(), "newer".into(), "3.25".into()));
    assert_eq!(found[2], ("none".into(), String::new(), String::new()));
}

#[test]
fn rows_of_the_graph_engine_and_releases_are_never_matched() {
    let trace =
        vec![op("cann::MatMul", 1, 0, 10_000).stack("s").into(), op("aten::add", 1, 0, 10_000).stack("s").into()];
    let found = all_matched(trace, &[("cann::MatMul", "8", 100), ("aten::add", "-8", 200), ("aten::add", "0", 300)]);
    let kinds: Vec<_> = found.iter().map(|(kind, stack, _)| (kind.as_str(), stack.as_str())).collect();
    assert_eq!(kinds, [("none", ""), ("none", ""), ("enclosing", "s")]);
}

#[test]
fn an_operator_without_duration_holds_nothing() {
    let mut open = op("aten::add", 1, 100, 200).stack("open");
    open.0.as_object_mut().unwrap().remove("dur");
    let row = |at| format!("aten::add,8,{},,,,,1,2,1,,,,1,NPU:0\n", us(at));
    let table = format!("{HEADER_15}{}{}", row(100), row(150));
    let trace = serde_json::to_string(&vec![open.0]).unwrap();
    let session = Files::rank(&[("operator_memory.csv", &table), ("trace_view.json", &trace)]).only();
    for row in crate::common::rows(&session, true) {
        assert_eq!(row["match"], "nearest");
    }
    assert!(session.summary().problems.iter().any(|p| p.kind == ProblemKind::MissingDuration && p.count == 1));
}

#[test]
fn the_module_and_the_user_frame_come_with_the_stack() {
    let stack =
        "/usr/lib/python3.11/site-packages/torch/x.py(1): f;\r\n/w/train.py(2): step;\r\n/w/main.py(9): <module>";
    let mut operator = op("aten::add", 1, 100, 200).stack(stack);
    operator.0["args"]["Module Hierarchy"] = "model.layers.0".into();
    let table = format!("{HEADER_15}aten::add,8,{},,,,,1,2,1,,,,1,NPU:0\n", us(150));
    let trace = serde_json::to_string(&vec![operator.0]).unwrap();
    let session = Files::rank(&[("operator_memory.csv", &table), ("trace_view.json", &trace)]).only();
    let row = &crate::common::rows(&session, true)[0];
    assert_eq!((row["user_frame"].as_str(), row["module"].as_str()), ("/w/train.py(2): step", "model.layers.0"));
    assert_eq!(row["call_stack_top"], "/usr/lib/python3.11/site-packages/torch/x.py(1): f");
}

#[test]
fn one_number_on_two_threads_tells_nothing_without_a_flow() {
    let backward = || Value::from(op("aten::add", 3, 5000, 5100).sequence(7, 1));
    let forward =
        |tid, from, stack: &str| Value::from(op("aten::mm", tid, from, from + 50).stack(stack).sequence(7, 0));
    let trace = vec![forward(1, 100, "one"), forward(2, 200, "other"), backward()];
    assert_eq!(matched(trace, 5050), is("none", ""));
    let trace = vec![forward(1, 100, "same"), forward(2, 200, "same"), backward()];
    assert_eq!(matched(trace, 5050), is("forward", "same"));
    // A flow of another number tells which thread the logical id 1 stands for.
    let trace = vec![
        forward(1, 100, "one"),
        forward(2, 200, "other"),
        backward(),
        op("aten::mm", 1, 300, 350).stack("x").sequence(8, 0).into(),
        op("aten::mul", 3, 6000, 6100).sequence(8, 1).into(),
        flow("fwdbwd", "s", 8, 1, 300),
        flow("fwdbwd", "f", 8, 3, 6000),
    ];
    assert_eq!(matched(trace, 5050), is("forward", "one"));
}

#[test]
fn an_operator_inside_tells_that_the_row_is_another_threads() {
    // Three rows that are certain, so that it is known how the writer names them.
    let at = |n: i64| 10_000 * n;
    let certain = |n: i64| op("aten::mul", 1, at(n), at(n) + 100).stack("m.py(1): f");
    let rows: Vec<(&str, &str, i64)> =
        (1..4).map(|n| ("aten::mul", "8", at(n) + 50)).chain([("aten::add", "8", 50_055)]).collect();
    let last = |inner: Vec<Op>| {
        let trace: Vec<Op> =
            (1..4).map(certain).chain([op("aten::add", 2, 50_000, 50_100).stack("a.py(1): f")]).chain(inner).collect();
        let (kind, stack, _) = all_matched(trace.into_iter().map(Value::from).collect(), &rows).pop().unwrap();
        (kind, stack)
    };
    let enclosed = ("enclosing".to_owned(), "a.py(1): f".to_owned());
    assert_eq!(last(vec![]), enclosed);
    // The row would be named after the inner one, had this thread allocated it.
    assert_eq!(last(vec![op("aclnnAdd", 2, 50_040, 50_060)]), ("ambiguous".to_owned(), String::new()));
    assert_eq!(last(vec![op("aten::mul", 2, 50_040, 50_060)]).0, "ambiguous");
    assert_eq!(last(vec![op("aten::x", 2, 50_040, 50_060).sequence(7, 0)]).0, "ambiguous");
    // What the writer passes over, what lies beside, outside, on another thread, or around, tells nothing.
    for inner in [
        op("empty_tensor", 2, 50_040, 50_060),
        op("malloc_workspace", 2, 50_040, 50_060),
        op("aclnnAdd", 2, 50_060, 50_070),
        op("aclnnAdd", 2, 50_055, 50_070),
        op("aclnnAdd", 1, 50_040, 50_060),
        op("aclnnAdd", 2, 50_000, 50_100),
        op("aclnnAdd", 2, 49_000, 50_200),
    ] {
        assert_eq!(last(vec![inner]), enclosed);
    }
    // Where most rows are so, their writer has another rule.
    let odd: Vec<Value> =
        [op("aten::add", 2, 0, 100).stack("a.py(1): f"), op("aclnnAdd", 2, 40, 60)].map(Value::from).into();
    assert_eq!(matched(odd, 50), enclosed);
}
