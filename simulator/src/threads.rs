//! What makes it hard to tell where memory came from: other threads, checkpoints, graphs of graphs.

use crate::event::{Label, Op, Thread};
use crate::machine::{Machine, Node};
use crate::program::Program;
use crate::work::step_forward;

const MAIN: Thread = Thread::Main;

/// Forward of a checkpointed layer: nothing is kept but the node that will run it again.
pub(crate) fn checkpointed(machine: &mut Machine<'_>, program: &Program, parent: i64, nodes: &mut Vec<Node>) {
    let start = machine.pass(MAIN, 2000, 5000);
    let mut short = Vec::new();
    for site in &program.layer {
        step_forward(machine, site, false, parent, &mut Vec::new(), &mut short);
    }
    let now = machine.clock(MAIN);
    for (at, id) in short.into_iter().enumerate() {
        machine.pools.release(id, now + 1000 * (at as i64 + 1), 0);
    }
    machine.pass(MAIN, 3000, 6000);
    let sequence = machine.lane(MAIN).sequence;
    machine.lane(MAIN).sequence += 1;
    let stack = program.layer.last().map(|site| site.stack);
    let end = machine.pass(MAIN, 500, 1000);
    machine.op(Op {
        label: Label::Plain("CheckpointFunction"),
        thread: MAIN,
        start,
        end,
        sequence,
        forward_thread: 0,
        dims: None,
        stack,
    });
    nodes.push(Node {
        name: "CheckpointFunctionBackward",
        grads: &[],
        sums: false,
        parameter: false,
        sequence,
        forward: (MAIN, start),
        stack,
        bytes: 0,
        saved: None,
        checkpoint: true,
    });
}

/// Operators of other threads, up to the main thread's clock.
pub(crate) fn others(machine: &mut Machine<'_>, program: &Program, start: i64) {
    let until = machine.clock(MAIN);
    let mut loaded = Vec::new();
    for site in &program.loader {
        let clock = machine.clock(Thread::Loader);
        // Most of it falls into the time in which the main thread loads too.
        if clock > until || (clock > start + 400_000 && machine.rng.chance(0.6)) {
            continue;
        }
        loaded.push(machine.forward(Thread::Loader, site, false, 0, &mut Vec::new()));
    }
    let now = machine.clock(Thread::Loader);
    for (at, id) in loaded.into_iter().enumerate() {
        machine.pools.release(id, now + 90_000 + 2000 * at as i64, 0);
    }
    machine.pass(Thread::Loader, 60_000, 200_000);
}

/// Gradient penalty: a first backward that builds a graph, so that the second one has nodes of the engine's thread.
pub(crate) fn penalty(machine: &mut Machine<'_>, program: &Program, frame: i64, nodes: &mut Vec<Node>) {
    let Some((input, rest)) = program.penalty.split_first() else { return };
    let before = nodes.len();
    machine.forward(MAIN, input, true, frame, nodes);
    let called = machine.pass(MAIN, 3000, 6000);
    let behind = called.max(machine.clock(Thread::Backward));
    machine.lane(Thread::Backward).clock = behind;
    for node in nodes.get(before..).unwrap_or_default().to_vec() {
        machine.evaluate_with_graph(&node, nodes);
    }
    machine.lane(MAIN).clock = machine.clock(Thread::Backward) + 3000;
    for site in rest {
        machine.forward(MAIN, site, true, frame, nodes);
    }
}

/// Two threads called backward: the engine's one thread runs nodes of both in turn.
pub(crate) fn mixed(first: Vec<Node>, second: Vec<Node>) -> Vec<Node> {
    let every = (first.len() / (second.len() + 1)).max(1);
    let mut all = Vec::with_capacity(first.len() + second.len());
    let mut second = second.into_iter();
    for (at, node) in first.into_iter().enumerate() {
        all.push(node);
        if at % every == every - 1 {
            all.extend(second.next());
        }
    }
    all.extend(second);
    all
}
