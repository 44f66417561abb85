//! What a rank does: steps of micro-batches, with backward or without.

use crate::event::{Component, Label, Op, Thread};
use crate::kinds;
use crate::machine::{Machine, Node, Run};
use crate::memory::{Block, BlockId};
use crate::program::{Program, Site};
use crate::truth::{Kind, StepTruth};

/// How much is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) steps: u32,
    pub(crate) first_step: u32,
    /// Micro-batches in each step.
    pub(crate) batches: u64,
    pub(crate) layers: u64,
}

/// Planted work of one rank.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Extra {
    pub(crate) leak: bool,
    pub(crate) buffers: bool,
    pub(crate) churn: u32,
}

const MAIN: Thread = Thread::Main;

/// What lasts from one micro-batch to the next.
#[derive(Debug, Default)]
struct Kept {
    gradients: Vec<BlockId>,
    buffer: Option<(BlockId, u64)>,
    graph_number: u32,
}

/// Runs it all; the step spans.
pub(crate) fn work(machine: &mut Machine<'_>, program: &Program, amount: Amount, extra: Extra) -> Vec<StepTruth> {
    let mut steps = Vec::new();
    let mut kept = Kept::default();
    let base = machine.python_id();
    let began = machine.clock(MAIN);
    for at in 0..amount.steps {
        let start_ns = machine.pass(MAIN, 20_000, 60_000);
        let frame = machine.python_id();
        for batch in 0..amount.batches {
            let last = batch + 1 == amount.batches;
            micro_batch(machine, program, amount, extra, &mut kept, (frame, last));
        }
        if program.trains {
            optimizer(machine, program, &mut kept);
        }
        if extra.leak {
            machine.forward(MAIN, &program.leak, false, frame, &mut Vec::new());
        }
        let ended = at + 1 == amount.steps;
        if machine.variety.side_stream {
            side_stream(machine, program, ended);
        }
        machine.meet();
        let end_ns = machine.pass(MAIN, 5000, 9000);
        machine.returned(
            if program.trains {
                "verl/workers/actor/dp_actor.py(391): update_policy"
            } else {
                "verl/workers/rollout/npu_rollout.py(288): generate_sequences"
            },
            MAIN,
            start_ns,
            frame,
            base,
        );
        let number = amount.first_step + at;
        machine.op(Op {
            label: Label::Step(number),
            thread: MAIN,
            start: start_ns,
            end: end_ns,
            sequence: -1,
            forward_thread: 0,
            dims: None,
            stack: None,
        });
        steps.push(StepTruth { number, start_ns, end_ns });
    }
    machine.pass(MAIN, 20_000, 40_000);
    machine.returned("ray/_private/worker.py(951): main_loop", MAIN, began, base, 0);
    steps
}

fn micro_batch(
    machine: &mut Machine<'_>,
    program: &Program,
    amount: Amount,
    extra: Extra,
    kept: &mut Kept,
    (frame, last): (i64, bool),
) {
    let trains = program.trains;
    let start = machine.clock(MAIN);
    // The other threads do the same kind of work at the same time, with numbers that overlap.
    let near = machine.lane(MAIN).sequence - 6;
    let second = machine.lane(Thread::Second);
    second.sequence = second.sequence.max(near);
    second.clock = start + 25_000;
    machine.lane(Thread::Loader).clock = start + 40_000;
    let mut inputs = Vec::new();
    let mut nodes: Vec<Node> = Vec::new();
    let loading = machine.pass(MAIN, 2000, 5000);
    for site in &program.batch {
        inputs.push(machine.forward(MAIN, site, trains, frame, &mut nodes));
    }
    machine.span(Label::Plain("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"), MAIN, loading, None);
    churn(machine, program, extra, frame);
    let forward = machine.python_id();
    let forward_start = machine.clock(MAIN);
    let mut short: Vec<BlockId> = Vec::new();
    for site in &program.before {
        step_forward(machine, site, trains, forward, &mut nodes, &mut short);
    }
    for layer in 0..amount.layers {
        if trains && layer == 0 && machine.variety.reentrant {
            checkpointed(machine, program, forward, &mut nodes);
        } else {
            for site in &program.layer {
                step_forward(machine, site, trains, forward, &mut nodes, &mut short);
            }
        }
        if machine.variety.threads {
            others(machine, program, start);
        }
    }
    for site in &program.after {
        step_forward(machine, site, trains, forward, &mut nodes, &mut short);
    }
    machine.returned(
        if trains {
            "verl/workers/actor/dp_actor.py(171): _forward_micro_batch"
        } else {
            "verl/workers/rollout/npu_rollout.py(164): _decode_step"
        },
        MAIN,
        forward_start,
        forward,
        frame,
    );
    let mut second = Vec::new();
    if machine.variety.threads && trains {
        let mut unsaved = Vec::new();
        for site in &program.second {
            step_forward(machine, site, true, 0, &mut second, &mut unsaved);
        }
    }
    if trains && machine.variety.double_backward {
        penalty(machine, program, frame, &mut nodes);
    }
    if trains {
        if extra.buffers && last {
            grow_buffer(machine, program, kept, frame);
        }
        let called = machine.pass(MAIN, 3000, 8000);
        let behind = machine.clock(MAIN).max(machine.clock(Thread::Backward));
        machine.lane(Thread::Backward).clock = behind;
        machine.pass(Thread::Backward, 8000, 20_000);
        machine.backward(mixed(nodes, second), program, &mut kept.gradients);
        reduce(machine);
        let id = machine.python_id();
        machine.lane(MAIN).clock = machine.clock(Thread::Backward) + 4000;
        machine.returned("torch/_tensor.py(592): backward", MAIN, called, id, frame);
    } else if extra.buffers && last {
        grow_buffer(machine, program, kept, frame);
    }
    let now = machine.clock(MAIN);
    for (at, id) in short.into_iter().chain(inputs).enumerate() {
        machine.pools.release(id, now + 2000 * (at as i64 + 1), 0);
    }
    machine.pass(MAIN, 30_000, 60_000);
    if machine.variety.graph_engine {
        graph_engine(machine, kept);
    }
    machine.meet();
}

/// Calls a forward operator; what it made and nobody keeps goes two operators later.
fn step_forward(
    machine: &mut Machine<'_>,
    site: &Site,
    gradients: bool,
    parent: i64,
    nodes: &mut Vec<Node>,
    short: &mut Vec<BlockId>,
) {
    let thread = if parent == 0 { Thread::Second } else { MAIN };
    let id = machine.forward(thread, site, gradients, parent, nodes);
    if gradients && site.saved {
        return;
    }
    short.push(id);
    if short.len() > 2 {
        let old = short.remove(0);
        let now = machine.clock(thread);
        machine.pools.release(old, now + 500, 0);
        machine.pass(thread, 1500, 3000);
    }
}

/// Forward of a checkpointed layer: nothing is kept but the node that will run it again.
fn checkpointed(machine: &mut Machine<'_>, program: &Program, parent: i64, nodes: &mut Vec<Node>) {
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
fn others(machine: &mut Machine<'_>, program: &Program, start: i64) {
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
fn penalty(machine: &mut Machine<'_>, program: &Program, frame: i64, nodes: &mut Vec<Node>) {
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
fn mixed(first: Vec<Node>, second: Vec<Node>) -> Vec<Node> {
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

/// All-reduce of the gradients.
fn reduce(machine: &mut Machine<'_>) {
    let thread = Thread::Backward;
    let start = machine.pass(thread, 500, 2000);
    let launch = machine.pass(thread, 2000, 4000);
    let enqueue = machine.pass(thread, 1000, 2000);
    let enqueued = machine.pass(thread, 3000, 6000);
    machine.queued.push(crate::machine::Queued {
        kernel: &kinds::REDUCE,
        thread,
        operator_start: launch,
        enqueue: (enqueue, enqueued),
        block: None,
        name: "c10d::allreduce_",
        stack: None,
        bytes: 60_000,
        stream: 0,
    });
    machine.span(Label::Plain("HcclAllreduce"), thread, launch, None);
    machine.span(Label::Plain("c10d::allreduce_"), thread, start, None);
}

fn optimizer(machine: &mut Machine<'_>, program: &Program, kept: &mut Kept) {
    let start = machine.pass(MAIN, 2000, 5000);
    let mut temporary = Vec::new();
    for site in &program.optimizer {
        temporary.push(machine.forward(MAIN, site, false, 0, &mut Vec::new()));
    }
    let now = machine.clock(MAIN);
    for (at, id) in temporary.into_iter().enumerate() {
        machine.pools.release(id, now + 1500 * (at as i64 + 1), 0);
    }
    machine.pass(MAIN, 5000, 9000);
    let stack = program.optimizer.first().map(|site| site.stack);
    machine.span(Label::Plain("Optimizer.step#AdamW.step"), MAIN, start, stack);
    let start = machine.pass(MAIN, 2000, 5000);
    for id in kept.gradients.drain(..) {
        let now = machine.pass(MAIN, 1200, 2500);
        machine.pools.release(id, now, 0);
    }
    machine.span(Label::Plain("Optimizer.zero_grad#AdamW.zero_grad"), MAIN, start, stack);
}

/// Blocks that a second stream still uses when the tensor is gone: reusable later than released.
fn side_stream(machine: &mut Machine<'_>, program: &Program, last: bool) {
    let Some(site) = program.batch.first() else { return };
    for at in 0..3 {
        let ran = machine.run(&Run {
            thread: MAIN,
            chain: &["c10d::_allgather_base_", "aten::empty"],
            kernel: &kinds::COPY,
            view: false,
            dims: crate::event::Dims::Empty,
            bytes: (3 + at) << 20,
            sequence: (-1, -1),
            stack: Some(site.stack),
            origin: (Kind::Enclosing, Some(site.stack)),
            loseable: false,
            stream: 1,
        });
        let now = machine.clock(MAIN);
        let wait = if last && at == 2 { 1 << 40 } else { machine.rng.range(300_000, 2_000_000) };
        machine.pools.release(ran.block, now + 8000, wait);
        machine.pass(MAIN, 12_000, 15_000);
    }
}

/// The graph engine's own pool: rows named `cann::`.
fn graph_engine(machine: &mut Machine<'_>, kept: &mut Kept) {
    const NAMES: [&str; 4] = ["cann::trans_TransData_", "cann::Conv2D", "cann::MatMul", "cann::ReduceSum"];
    for (at, name) in NAMES.into_iter().enumerate() {
        kept.graph_number += 1;
        let size = machine.rng.range(64 << 10, 24 << 20).unsigned_abs();
        let mut block = Block::new(name, Thread::Queue, size);
        block.component = Component::Ge;
        block.number = Some(kept.graph_number % 100);
        let id = machine.pools.plan(block);
        let wanted = machine.pass(MAIN, 3000, 8000);
        machine.pools.allocate(id, wanted, i64::MAX);
        if at > 0 || kept.graph_number % 20 != 1 {
            let lives = machine.rng.range(9000, 120_000);
            machine.pools.release(id, wanted + lives, 0);
        }
    }
    machine.pass(MAIN, 120_000, 150_000);
}

fn churn(machine: &mut Machine<'_>, program: &Program, extra: Extra, frame: i64) {
    for _ in 0..extra.churn {
        let id = machine.forward(MAIN, &program.churn, false, frame, &mut Vec::new());
        let now = machine.pass(MAIN, 500, 900);
        machine.pools.release(id, now, 0);
        machine.pass(MAIN, 1500, 2500);
    }
}

/// A buffer replaced by a larger one while everything else is full: the old one's hole fits nothing that comes.
fn grow_buffer(machine: &mut Machine<'_>, program: &Program, kept: &mut Kept, frame: i64) {
    let round = kept.buffer.map_or(0, |(_, round)| round + 1);
    let mut site = program.buffer.clone();
    site.bytes += round * (site.bytes / 3);
    let id = machine.forward(MAIN, &site, false, frame, &mut Vec::new());
    if let Some((old, _)) = kept.buffer.replace((id, round)) {
        let now = machine.pass(MAIN, 500, 900);
        machine.pools.release(old, now, 0);
        machine.pass(MAIN, 1500, 2500);
    }
}
