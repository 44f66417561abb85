//! Call stacks of traces that have none: made of the Python functions around the operator each rule leads to.

use crate::common::{Files, HEADER_15};
use memlens::matching::MatchRule;
use memlens::problem::ProblemKind;
use memlens::session::Session;
use serde_json::{Value, json};

fn op(name: &str, tid: i64, from: i64, to: i64) -> Value {
    json!({"ph": "X", "name": name, "pid": 1, "tid": tid, "ts": format!("{from}.000"), "dur": to - from, "cat": "cpu_op",
        "args": {"Sequence number": -1, "Fwd thread id": 0}})
}

fn numbered(name: &str, tid: i64, from: i64, to: i64, sequence: i64, forward_thread: i64) -> Value {
    let mut op = op(name, tid, from, to);
    op["args"] = json!({"Sequence number": sequence, "Fwd thread id": forward_thread});
    op
}

fn python(name: &str, tid: i64, from: i64, to: i64) -> Value {
    json!({"ph": "X", "name": name, "pid": 1, "tid": tid, "ts": format!("{from}.000"), "dur": to - from,
        "cat": "python_function", "args": {"Python id": 1, "Python parent id": 0}})
}

fn session_of(text: &str, at: i64, rule: MatchRule) -> Session {
    let table = format!("{HEADER_15}aten::add,8,{at}\t,,,,,1,2,1,,,,1,NPU:0\r\n");
    let files = Files::rank(&[("operator_memory.csv", &table), ("trace_view.json", text)]);
    files.sessions(rule).remove(0)
}

/// Match kind and stack of a row of `aten::add`, from innermost to outermost.
fn matched(trace: &[Value], at: i64) -> (String, String) {
    let session = session_of(&serde_json::to_string(trace).unwrap(), at, MatchRule::Best);
    let row = &crate::common::rows(&session, true)[0];
    (row["match"].clone(), row["call_stack"].replace(";\r\n", " < "))
}

fn is(kind: &str, stack: &str) -> (String, String) {
    (kind.to_owned(), stack.to_owned())
}

#[test]
fn functions_that_run_when_the_operator_begins_are_its_stack() {
    let trace = [
        op("aten::add", 1, 200, 300),
        python("main.py(9): <module>", 1, 0, 900),
        python("train.py(20): step", 1, 100, 800),
        python("ended.py(1): before", 1, 150, 200),
        python("model.py(3): forward", 1, 190, 310),
        python("hook.py(7): inside", 1, 210, 290),
        python("later.py(1): after", 1, 320, 400),
        python("other.py(1): thread", 2, 190, 310),
    ];
    let stack = "model.py(3): forward < train.py(20): step < main.py(9): <module>";
    // What the operator itself called is not what called it.
    for at in [200, 250, 300] {
        assert_eq!(matched(&trace, at), is("python", stack));
    }
    // Functions first, operators last, in any order: the same.
    let mut turned = trace.to_vec();
    turned.reverse();
    assert_eq!(matched(&turned, 250), is("python", stack));
}

#[test]
fn a_guess_stays_a_guess() {
    let trace = [op("aten::add", 1, 200, 300), python("a.py(1): f", 1, 100, 400)];
    assert_eq!(matched(&trace, 350), is("nearest", "a.py(1): f"));
}

#[test]
fn operators_outside_of_all_functions_have_no_stack() {
    let trace = [op("aten::add", 1, 200, 300), python("a.py(1): f", 1, 301, 400), python("b.py(1): g", 1, 100, 200)];
    assert_eq!(matched(&trace, 250).0, "none");
    let session = session_of(&serde_json::to_string(&trace).unwrap(), 250, MatchRule::Best);
    assert!(session.summary().problems.iter().any(|p| p.kind == ProblemKind::NoStacks));
}

#[test]
fn backward_leads_to_the_forward_operators_functions() {
    let node = "autograd::engine::evaluate_function: AddBackward0";
    let forward = [
        numbered("aten::mul", 1, 100, 120, 7, 0),
        python("model.py(3): forward", 1, 90, 130),
        python("tensor.py(5): backward", 1, 150, 900),
    ];
    // On the engine's own thread, inside a function of a checkpoint's backward that did not call it.
    let other_thread = [
        op("aten::add", 2, 320, 330),
        numbered("AddBackward0", 2, 310, 340, 7, 1),
        op(node, 2, 300, 350),
        python("checkpoint.py(255): backward", 2, 200, 400),
    ];
    let all: Vec<Value> = forward.iter().chain(&other_thread).cloned().collect();
    assert_eq!(matched(&all, 325), is("python", "model.py(3): forward"));
    // The engine may run on the thread that called it: `backward` did not call the operator either.
    let same_thread: Vec<Value> = other_thread[..3]
        .iter()
        .map(|op| {
            let mut op = op.clone();
            op["tid"] = 1.into();
            op
        })
        .chain(forward.clone())
        .collect();
    assert_eq!(matched(&same_thread, 325), is("python", "model.py(3): forward"));
    // A function that began inside the node did: its whole stack counts.
    let mut custom = all;
    custom.push(python("fn.py(8): backward", 2, 315, 335));
    assert_eq!(matched(&custom, 325), is("python", "fn.py(8): backward < checkpoint.py(255): backward"));
}

#[test]
fn the_queue_leads_to_the_operator_that_queued() {
    let queue = |cat: &str, tid: i64, from: i64| {
        json!({"ph": "X", "name": cat, "pid": 1, "tid": tid, "ts": from, "dur": 10, "cat": cat,
            "args": {"correlation_id": 5}})
    };
    let trace = [
        op("aten::add", 1, 100, 150),
        queue("enqueue", 1, 120),
        queue("dequeue", 3, 500),
        python("a.py(1): f", 1, 90, 160),
        python("b.py(1): g", 1, 400, 600),
    ];
    assert_eq!(matched(&trace, 505), is("python", "a.py(1): f"));
}

#[test]
fn threads_that_differ_are_not_decided_between() {
    let both = |other: &str| {
        [
            op("aten::add", 1, 200, 300),
            op("aten::add", 2, 200, 300),
            python("a.py(1): f", 1, 100, 400),
            python(other, 2, 100, 400),
        ]
    };
    assert_eq!(matched(&both("b.py(1): g"), 250), is("ambiguous", ""));
    assert_eq!(matched(&both("a.py(1): f"), 250), is("python", "a.py(1): f"));
}

#[test]
fn modules_are_no_frames_but_the_module_path() {
    let trace = [
        op("aten::add", 1, 200, 300),
        python("nn.Module: Model_0", 1, 90, 500),
        python("model.py(3): forward", 1, 100, 480),
        python("nn.Module: Linear_2", 1, 150, 400),
        python("<built-in function linear>", 1, 190, 390),
    ];
    assert_eq!(matched(&trace, 250), is("python", "<built-in function linear> < model.py(3): forward"));
    let session = session_of(&serde_json::to_string(&trace).unwrap(), 250, MatchRule::Best);
    let row = &crate::common::rows(&session, true)[0];
    assert_eq!((row["module"].as_str(), row["user_frame"].as_str()), ("Model_0.Linear_2", "model.py(3): forward"));
}

#[test]
fn names_are_text_however_they_are_written() {
    let text = format!(
        "[{}, {}, {}]",
        op("aten::add", 1, 200, 300),
        python("王.py(1): 前向", 1, 100, 400),
        serde_json::to_string(&python("b.py(1): g", 1, 110, 390)).unwrap().replace("b.py", "\\u738b\\\\b.py")
    );
    let row = &crate::common::rows(&session_of(&text, 250, MatchRule::Best), true)[0];
    assert_eq!(row["call_stack"], "王\\b.py(1): g;\r\n王.py(1): 前向");
}

#[test]
fn one_recorded_stack_is_enough_to_do_without() {
    let mut with = op("aten::mul", 1, 10, 20);
    with["args"]["Call stack"] = "c.py(1): h".into();
    for first in [true, false] {
        let mut trace = vec![op("aten::add", 1, 200, 300), python("a.py(1): f", 1, 100, 400)];
        trace.insert(if first { 0 } else { 2 }, with.clone());
        assert_eq!(matched(&trace, 250).0, "none");
    }
}

#[test]
fn the_reference_rule_knows_no_functions() {
    let trace = [op("aten::add", 1, 200, 300), python("a.py(1): f", 1, 100, 400)];
    let session = session_of(&serde_json::to_string(&trace).unwrap(), 250, MatchRule::Reference);
    assert_eq!(session.summary().matches.none, 1);
}

#[test]
fn functions_nested_beyond_reason_are_cut_and_counted() {
    let mut trace = vec![op("aten::add", 1, 500_000, 500_001)];
    for depth in 0..100_000 {
        trace.push(python("deep.py(1): f", 1, depth, 1_000_000 - depth));
    }
    trace.push(python("inner.py(1): g", 1, 400_000, 600_000));
    let session = session_of(&serde_json::to_string(&trace).unwrap(), 500_000, MatchRule::Best);
    let row = &crate::common::rows(&session, true)[0];
    assert_eq!(row["match"], "python");
    assert!(row["call_stack"].starts_with("inner.py(1): g;\r\ndeep.py(1): f"));
    assert_eq!(row["call_stack"].split(";\r\n").count(), memlens::matching::MAX_FRAMES);
    let problem = session.summary().problems.iter().find(|p| p.kind == ProblemKind::OverLimit).unwrap();
    assert_eq!((problem.count, problem.detail.as_str()), (1, "frames > 2048"));
}

#[test]
fn times_without_order_cost_no_more_than_sorting() {
    // Spans that overlap without nesting, and operators in reverse.
    let mut trace: Vec<Value> = (0..20_000).rev().map(|at| op("aten::add", 1, at * 10, at * 10 + 5)).collect();
    trace.extend((0..20_000).map(|at| python("f.py(1): f", 1, (at * 7919) % 200_000, (at * 7919) % 200_000 + 77_777)));
    assert_eq!(matched(&trace, 100_003).0, "python");
}
