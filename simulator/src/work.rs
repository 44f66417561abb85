//! What a rank does: steps of micro-batches, with backward or without.

use crate::event::{Component, Label, Op, Thread};
use crate::kinds;
use crate::machine::{Machine, Node, Run};
use crate::memory::{Block, BlockId};
use crate::program::{Program, Site};
use crate::threads::{checkpointed, mixed, others, penalty};
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
    result: Option<BlockId>,
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
        if program.trains {
            zero_grad(machine, program, &mut kept, at == 0);
        }
        for batch in 0..amount.batches {
            let place = Batch { frame, first: batch == 0, last: batch + 1 == amount.batches };
            micro_batch(machine, program, amount, extra, &mut kept, place);
        }
        if program.trains {
            optimizer(machine, program);
        }
        keep_result(machine, program, &mut kept, frame);
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

/// Which micro-batch of a step, and the id of the Python function around it.
#[derive(Debug, Clone, Copy)]
struct Batch {
    frame: i64,
    first: bool,
    last: bool,
}

fn micro_batch(
    machine: &mut Machine<'_>,
    program: &Program,
    amount: Amount,
    extra: Extra,
    kept: &mut Kept,
    batch: Batch,
) {
    let trains = program.trains;
    let frame = batch.frame;
    // The host prepares the batch: the device waits.
    machine.pass(MAIN, 400_000, 1_500_000);
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
        if extra.buffers && batch.last {
            grow_buffer(machine, program, kept, frame);
        }
        let called = machine.pass(MAIN, 3000, 8000);
        // Neither thread's graph runs before it is complete.
        let behind =
            [MAIN, Thread::Backward, Thread::Second].map(|thread| machine.clock(thread)).into_iter().max().unwrap_or(0);
        machine.lane(Thread::Backward).clock = behind;
        machine.pass(Thread::Backward, 8000, 20_000);
        // Only the first micro-batch of a step makes gradients; the others add to them.
        let mut gradients = batch.first.then_some(&mut kept.gradients);
        machine.backward(mixed(nodes, second), program, &mut gradients);
        reduce(machine);
        let id = machine.python_id();
        machine.lane(MAIN).clock = machine.clock(Thread::Backward) + 4000;
        machine.returned("torch/_tensor.py(592): backward", MAIN, called, id, frame);
    } else if extra.buffers && batch.last {
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
pub(crate) fn step_forward(
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

fn optimizer(machine: &mut Machine<'_>, program: &Program) {
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
    let stack = Some(program.optimizer_span);
    machine.span(Label::Plain("Optimizer.step#AdamW.step"), MAIN, start, stack);
}

/// Gradients of the step before go; before the first step, those from before the window.
fn zero_grad(machine: &mut Machine<'_>, program: &Program, kept: &mut Kept, first: bool) {
    let start = machine.pass(MAIN, 2000, 5000);
    if first {
        for at in 0..machine.pools.earlier_gradients() {
            let now = machine.pass(MAIN, 1200, 2500);
            machine.pools.release_earlier_gradient(at, now);
        }
    }
    for id in kept.gradients.drain(..) {
        let now = machine.pass(MAIN, 1200, 2500);
        machine.pools.release(id, now, 0);
    }
    let stack = Some(program.optimizer_span);
    machine.span(Label::Plain("Optimizer.zero_grad#AdamW.zero_grad"), MAIN, start, stack);
}

/// A step's result stands until the next one has its own; the last is still there when recording stops.
fn keep_result(machine: &mut Machine<'_>, program: &Program, kept: &mut Kept, frame: i64) {
    let id = machine.forward(MAIN, &program.result, false, frame, &mut Vec::new());
    if let Some(old) = kept.result.replace(id) {
        let now = machine.pass(MAIN, 1000, 2000);
        machine.pools.release(old, now, 0);
    }
    machine.pass(MAIN, 2000, 4000);
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
