//! The written trace: its shape, and that the truth about each block is what the trace says of it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop at whatever is not as it says"
)]

#[expect(dead_code, reason = "each test file uses its own part")]
mod support;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use memlens_simulator::{Component, FolderTruth, Kind, Options, Variety, example_options};
use support::{Event, Run, run};

static RUN: LazyLock<Run> = LazyLock::new(|| run(&example_options()));

/// The events of the first role's first rank, which trains.
static EVENTS: LazyLock<Vec<Event>> = LazyLock::new(|| RUN.events(trained()));

fn trained() -> &'static FolderTruth {
    &RUN.truth.folders[0]
}

fn kind<'a>(events: &'a [Event], category: &str) -> Vec<&'a Event> {
    events.iter().filter(|event| event.text("cat") == category).collect()
}

/// Operators by (thread, time): those around it, innermost first.
fn around<'a>(operators: &[&'a Event], thread: i64, time: i64) -> Vec<&'a Event> {
    let mut found: Vec<&Event> = operators
        .iter()
        .filter(|op| op.number("tid") == thread && op.start() <= time && time < op.end())
        .copied()
        .collect();
    found.sort_by_key(|op| op.end() - op.start());
    found
}

#[test]
fn the_file_is_one_line_in_pythons_form() {
    for folder in &RUN.truth.folders {
        let text = RUN.text(folder, "trace_view.json");
        assert!(text.starts_with("[{\"ph\": \"X\", \"name\": \""), "{}", &text[..80]);
        assert!(text.ends_with("\"cat\": \"async_npu\"}]"));
        assert!(!text.contains('\n') && !text.contains("\\u"));
        assert!(text.contains("强化学习"));
        assert_eq!(text.len() as u64, folder.trace_bytes);
    }
    let first = &RUN.text(trained(), "trace_view.json")[..400];
    let keys: Vec<usize> = ["\"ph\"", "\"name\"", "\"pid\"", "\"tid\"", "\"ts\": \"", "\"dur\"", "\"cat\"", "\"args\""]
        .iter()
        .map(|key| first.find(key).unwrap())
        .collect();
    assert!(keys.is_sorted(), "{first}");
}

#[test]
fn sections_come_in_the_writers_order() {
    let section = |event: &Event| match (event.text("cat"), event.text("ph"), event.number("pid")) {
        ("cpu_op", ..) => 0,
        ("dequeue", ..) | ("async_task_queue", "f", _) => 1,
        ("enqueue", ..) | ("async_task_queue", "s", _) => 2,
        ("", "M", pid) if pid == i64::from(trained().threads[0].0) => 3,
        ("fwdbwd", ..) => 4,
        ("python_function", ..) => 5,
        ("async_npu", ..) => 7,
        _ => 6,
    };
    let order: Vec<i32> = EVENTS.iter().map(section).collect();
    assert!(order.is_sorted());
    assert_eq!(order.iter().collect::<HashSet<_>>().len(), 8);

    let old = Options {
        roles: vec!["actor".to_owned()],
        ranks: 1,
        variety: Variety { dequeue_first: false, ..Variety::default() },
        ..example_options()
    };
    let old = run(&old);
    let events = old.events(&old.truth.folders[0]);
    let place = |category: &str| events.iter().position(|event| event.text("cat") == category).unwrap();
    assert!(place("enqueue") < place("dequeue"));
}

#[test]
fn operators_of_a_thread_nest() {
    for folder in &RUN.truth.folders {
        let events = RUN.events(folder);
        let mut threads: HashMap<i64, Vec<(i64, i64)>> = HashMap::new();
        for op in kind(&events, "cpu_op") {
            threads.entry(op.number("tid")).or_default().push((op.start(), op.end()));
        }
        assert_eq!(threads.len(), if folder.role == "rollout" { 2 } else { 4 });
        for spans in threads.values_mut() {
            spans.sort_by_key(|&(start, end)| (start, -end));
            let mut open: Vec<i64> = Vec::new();
            for &(start, end) in spans.iter() {
                assert!(start < end);
                while open.last().is_some_and(|last| *last <= start) {
                    open.pop();
                }
                assert!(open.last().is_none_or(|last| end <= *last), "{start} {end}");
                open.push(end);
            }
        }
    }
}

#[test]
fn queue_events_pair_up_and_come_later_on_the_other_side() {
    let queue = i64::from(trained().threads.iter().find(|(_, what)| *what == "queue").unwrap().0);
    let enqueues: HashMap<i64, &Event> = kind(&EVENTS, "enqueue")
        .into_iter()
        .map(|event| (event.arg("correlation_id").as_i64().unwrap(), event))
        .collect();
    let dequeues = kind(&EVENTS, "dequeue");
    assert_eq!(enqueues.len(), dequeues.len());
    assert!(dequeues.len() > 100);
    for event in dequeues {
        let enqueue = enqueues[&event.arg("correlation_id").as_i64().unwrap()];
        assert!(enqueue.end() < event.start());
        assert_eq!(event.number("tid"), queue);
        assert!(event.text("name").starts_with("Dequeue@"));
    }
    let flows = kind(&EVENTS, "async_task_queue");
    assert_eq!(flows.len(), 2 * enqueues.len());
    for flow in flows.iter().filter(|flow| flow.text("ph") == "s") {
        assert_eq!(flow.start(), enqueues[&flow.number("id")].start());
    }
}

#[test]
fn forward_flows_lead_from_an_operator_to_the_node_with_its_number() {
    let operators: HashMap<(i64, i64), &Event> =
        kind(&EVENTS, "cpu_op").into_iter().map(|op| ((op.number("tid"), op.start()), op)).collect();
    let flows = kind(&EVENTS, "fwdbwd");
    let mut ids: HashMap<i64, HashSet<i64>> = HashMap::new();
    for pair in flows.chunks(2) {
        let (forward, backward) = (
            operators[&(pair[0].number("tid"), pair[0].start())],
            operators[&(pair[1].number("tid"), pair[1].start())],
        );
        assert_eq!((pair[0].text("ph"), pair[1].text("ph")), ("s", "f"));
        for op in [forward, backward] {
            assert_eq!(op.arg("Sequence number").as_i64(), Some(pair[0].number("id")));
        }
        assert_eq!(forward.arg("Fwd thread id").as_i64(), Some(0));
        assert!(backward.arg("Fwd thread id").as_i64() > Some(0));
        assert!(backward.text("name").contains("Backward"));
        assert_ne!(forward.number("tid"), backward.number("tid"));
        ids.entry(pair[0].number("id")).or_default().insert(forward.number("tid"));
    }
    assert!(flows.len() > 100);
    assert!(ids.values().any(|threads| threads.len() > 1), "some numbers exist in two threads");
}

#[test]
fn one_number_is_shared_by_operators_of_other_lines() {
    let mut stacks: HashMap<(i64, i64), Vec<&str>> = HashMap::new();
    for op in kind(&EVENTS, "cpu_op") {
        let number = op.arg("Sequence number").as_i64().unwrap();
        if let (true, Some(stack)) = (number >= 0, op.stack()) {
            stacks.entry((op.number("tid"), number)).or_default().push(stack);
        }
    }
    assert!(stacks.values().any(|all| all.len() >= 10));
    assert!(stacks.values().any(|all| all.iter().collect::<HashSet<_>>().len() > 1));
}

#[test]
fn enclosing_blocks_lie_in_an_operator_with_their_stack() {
    let mut all_inherited = 0;
    for folder in &RUN.truth.folders {
        let events = RUN.events(folder);
        let operators = kind(&events, "cpu_op");
        let mut inherited = 0;
        for block in folder.rows.iter().filter(|block| block.kind == Kind::Enclosing) {
            let around = around(&operators, i64::from(block.thread), block.alloc_ns);
            let named = around.iter().find(|op| op.text("name") == block.name).unwrap_or_else(|| panic!("{block:?}"));
            assert!(named.stack().is_none_or(|stack| stack == folder.stack_text(block)));
            inherited += usize::from(named.stack().is_none());
            let stack = around.iter().filter(|op| op.end() >= named.end()).find_map(|op| op.stack());
            assert_eq!(stack, Some(folder.stack_text(block)), "{block:?}");
        }
        assert!(inherited < folder.rows.len() / 20);
        all_inherited += inherited;
    }
    assert!(all_inherited > 0);
}

#[test]
fn forward_blocks_have_the_stack_at_the_other_end_of_the_flow() {
    let operators = kind(&EVENTS, "cpu_op");
    let starts: HashMap<(i64, i64), &Event> =
        operators.iter().map(|op| ((op.number("tid"), op.start()), *op)).collect();
    let flows = kind(&EVENTS, "fwdbwd");
    let forward: HashMap<i64, &Event> =
        flows.chunks(2).map(|pair| (pair[1].start(), starts[&(pair[0].number("tid"), pair[0].start())])).collect();
    let (mut checked, mut without) = (0, 0);
    for block in trained().rows.iter().filter(|block| block.kind == Kind::Forward) {
        let around = around(&operators, i64::from(block.thread), block.alloc_ns);
        assert_eq!(around[1].text("name"), block.name, "inside empty_tensor");
        assert!(around.iter().take(3).all(|op| op.stack().is_none()));
        // The innermost node; nodes of checkpoints lie further out.
        let node = around.iter().find(|op| op.arg("Fwd thread id").as_i64() > Some(0));
        let evaluation = around.iter().position(|op| op.text("name").starts_with("autograd::engine")).unwrap();
        let inside = node.filter(|node| node.end() <= around[evaluation].end());
        match inside.and_then(|node| forward.get(&node.start())) {
            Some(op) => {
                assert_eq!(op.stack(), Some(trained().stack_text(block)), "{block:?}");
                checked += 1;
            }
            None => without += 1,
        }
    }
    assert!(checked > 60, "{checked}");
    assert!(without > 5, "without a flow, below an evaluation only, or in a checkpoint: {without}");
}

#[test]
fn queue_blocks_lie_in_a_dequeue_whose_enqueue_lies_in_their_operator() {
    let operators = kind(&EVENTS, "cpu_op");
    let enqueues: HashMap<i64, &Event> = kind(&EVENTS, "enqueue")
        .into_iter()
        .map(|event| (event.arg("correlation_id").as_i64().unwrap(), event))
        .collect();
    let dequeues = kind(&EVENTS, "dequeue");
    let mut own = 0;
    let queued: Vec<_> = trained().rows.iter().filter(|block| block.kind == Kind::Queue).collect();
    for block in &queued {
        let dequeue =
            dequeues.iter().find(|event| event.start() <= block.alloc_ns && block.alloc_ns < event.end()).unwrap();
        let enqueue = enqueues[&dequeue.arg("correlation_id").as_i64().unwrap()];
        let around = around(&operators, enqueue.number("tid"), enqueue.start());
        assert!(around.iter().any(|op| op.text("name") == block.name), "{block:?}");
        if let Some(stack) = around[0].stack() {
            assert_eq!(stack, trained().stack_text(block));
            own += 1;
        }
    }
    assert!(own > 20 && queued.len() - own > 20, "{own} of {}", queued.len());
    assert!(queued.iter().any(|block| block.component == Component::Workspace));
    assert!(queued.iter().any(|block| block.component == Component::Pta));
}

#[test]
fn blocks_of_kind_none_have_no_stack_and_all_others_do() {
    for folder in &RUN.truth.folders {
        for block in &folder.rows {
            assert_eq!(block.kind == Kind::None, folder.stack_text(block).is_empty(), "{block:?}");
            assert!(block.component != Component::Ge || block.kind == Kind::None);
        }
        assert!(folder.rows.iter().any(|block| block.kind == Kind::None && block.component == Component::Pta));
    }
}

#[test]
fn checkpoints_and_graphs_of_graphs_are_there() {
    let operators = kind(&EVENTS, "cpu_op");
    let backward = i64::from(trained().threads.iter().find(|(_, what)| *what == "backward").unwrap().0);
    let checkpoint = operators.iter().find(|op| op.text("name") == "CheckpointFunctionBackward").unwrap();
    let inside: Vec<_> = operators
        .iter()
        .filter(|op| op.number("tid") == backward && op.start() > checkpoint.start() && op.end() < checkpoint.end())
        .collect();
    assert!(inside.iter().any(|op| op.stack().is_some_and(|stack| stack.contains("checkpoint.py"))));
    assert!(inside.iter().any(|op| op.text("name") == "MmBackward0"));
    // Operators inside a backward node that have a number of their own and no stack.
    let graph = operators.iter().filter(|op| {
        op.number("tid") == backward
            && op.stack().is_none()
            && op.arg("Fwd thread id").as_i64() == Some(0)
            && op.arg("Sequence number").as_i64() >= Some(0)
    });
    assert!(graph.count() > 1);
}

#[test]
fn a_plain_run_has_none_of_the_difficulties() {
    let plain = run(&Options { ranks: 1, trace_bytes: 0, variety: Variety::plain(), ..example_options() });
    for folder in &plain.truth.folders {
        assert!(folder.rows.iter().all(|block| block.component == Component::Pta && block.kind != Kind::Queue));
        let events = plain.events(folder);
        assert!(kind(&events, "python_function").is_empty());
        let threads: HashSet<i64> = kind(&events, "cpu_op").iter().map(|op| op.number("tid")).collect();
        assert_eq!(threads.len(), if folder.role == "rollout" { 1 } else { 2 });
    }
    let nodes = plain.events(&plain.truth.folders[0]);
    let flows = kind(&nodes, "fwdbwd").len() / 2;
    let numbered = kind(&nodes, "cpu_op")
        .iter()
        .filter(|op| op.arg("Fwd thread id").as_i64() > Some(0) && op.arg("Sequence number").as_i64() >= Some(0))
        .count();
    assert_eq!(flows, numbered);
}

#[test]
fn python_functions_know_their_callers() {
    let calls = kind(&EVENTS, "python_function");
    let by_id: HashMap<i64, &Event> =
        calls.iter().map(|call| (call.arg("Python id").as_i64().unwrap(), *call)).collect();
    assert_eq!(by_id.len(), calls.len(), "ids are unique");
    let mut nested = 0;
    for call in &calls {
        if let Some(caller) = by_id.get(&call.arg("Python parent id").as_i64().unwrap()) {
            assert!(caller.start() <= call.start() && call.end() <= caller.end(), "{call:?} in {caller:?}");
            nested += 1;
        }
    }
    assert!(nested > 1000);
    assert!(calls.iter().any(|call| call.text("name").starts_with("nn.Module: Linear_")));
}

#[test]
fn operators_of_one_name_run_at_the_same_time_in_several_threads() {
    let mut ambiguous = 0;
    for folder in &RUN.truth.folders {
        let events = RUN.events(folder);
        let operators = kind(&events, "cpu_op");
        for block in folder.rows.iter().filter(|block| block.kind != Kind::Queue) {
            let threads: HashSet<i64> = operators
                .iter()
                .filter(|op| op.text("name") == block.name && op.start() <= block.alloc_ns && block.alloc_ns < op.end())
                .map(|op| op.number("tid"))
                .collect();
            ambiguous += usize::from(threads.len() > 1);
        }
    }
    assert!(ambiguous > 4, "{ambiguous}");
}

#[test]
fn blocks_of_lost_operators_lie_in_none_of_their_name() {
    let variety = Variety { lost_operators: 0.5, ..Variety::default() };
    let run = run(&Options { ranks: 1, trace_bytes: 0, roles: vec!["actor".to_owned()], variety, ..example_options() });
    let folder = &run.truth.folders[0];
    let events = run.events(folder);
    let operators = kind(&events, "cpu_op");
    let main = folder.threads[0].0;
    let lost: Vec<_> = folder.rows.iter().filter(|block| block.kind == Kind::None && block.thread == main).collect();
    assert!(lost.len() > 5, "{}", lost.len());
    for block in lost {
        let around = around(&operators, i64::from(main), block.alloc_ns);
        assert!(
            around.iter().all(|op| op.text("name") != block.name && op.text("name") != "empty_tensor"),
            "{block:?}"
        );
    }
}
