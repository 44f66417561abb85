//! The running process: threads with clocks, operators in them, the queue and the device behind it.

use crate::event::{Call, Dims, Label, Listener, Op, Pair, THREADS, Task, Thread};
use crate::kinds::{Grad, Operator};
use crate::memory::{Block, BlockId, Pools};
use crate::options::Variety;
use crate::program::Site;
use crate::rng::Rng;
use crate::stacks::StackId;
use crate::truth::Kind;

/// A thread's clock (ns) and the next Sequence number it gives out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lane {
    pub(crate) clock: i64,
    pub(crate) sequence: i64,
}

/// A node of the autograd graph: what a forward operator left behind.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) name: &'static str,
    pub(crate) grads: &'static [Grad],
    pub(crate) sums: bool,
    pub(crate) parameter: bool,
    pub(crate) sequence: i64,
    /// Thread and start of the forward operator.
    pub(crate) forward: (Thread, i64),
    /// Where the forward operator was called; `None` where the trace cannot tell.
    pub(crate) stack: Option<StackId>,
    pub(crate) bytes: u64,
    /// Kept until the node has run.
    pub(crate) saved: Option<BlockId>,
    /// The layer is run again first.
    pub(crate) checkpoint: bool,
}

/// One operator to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) thread: Thread,
    pub(crate) chain: &'static [&'static str],
    pub(crate) kernel: &'static crate::event::Kernel,
    pub(crate) view: bool,
    pub(crate) dims: Dims,
    pub(crate) bytes: u64,
    /// Sequence number of the innermost operator, -1 = none; of the others the first one given out inside them.
    pub(crate) sequence: (i64, i64),
    pub(crate) stack: Option<StackId>,
    /// How and to what the block belongs, if it is allocated inside the operator.
    pub(crate) origin: (Kind, Option<StackId>),
    /// No node stems from it: it may be missing in the trace, or its stack.
    pub(crate) loseable: bool,
    pub(crate) stream: u8,
}

/// What an operator left: its block, and the starts (ns) of its innermost operator and of its transposed weight.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ran {
    pub(crate) block: BlockId,
    pub(crate) core: i64,
    pub(crate) view: i64,
}

/// Something queued, until the queue's thread takes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queued {
    pub(crate) kernel: &'static crate::event::Kernel,
    pub(crate) thread: Thread,
    pub(crate) operator_start: i64,
    pub(crate) enqueue: (i64, i64),
    pub(crate) block: Option<BlockId>,
    pub(crate) name: &'static str,
    pub(crate) stack: Option<StackId>,
    pub(crate) bytes: u64,
    pub(crate) stream: u8,
}

pub(crate) struct Machine<'a> {
    pub(crate) to: &'a mut dyn Listener,
    pub(crate) variety: &'a Variety,
    pub(crate) rng: Rng,
    pub(crate) lanes: [Lane; THREADS],
    pub(crate) streams: [i64; 2],
    pub(crate) queued: Vec<Queued>,
    pub(crate) pools: Pools,
    pub(crate) correlation: i64,
    pub(crate) launch: i64,
    pub(crate) task: i64,
    pub(crate) python: i64,
    pub(crate) modules: u32,
    pub(crate) kernels: u64,
    pub(crate) communications: u64,
    /// Bytes of the kernels' names and types.
    pub(crate) kernel_text: u64,
}

impl Machine<'_> {
    pub(crate) fn lane(&mut self, thread: Thread) -> &mut Lane {
        let [main, backward, queue, second, loader] = &mut self.lanes;
        match thread {
            Thread::Main => main,
            Thread::Backward => backward,
            Thread::Queue => queue,
            Thread::Second => second,
            Thread::Loader => loader,
        }
    }

    pub(crate) fn clock(&mut self, thread: Thread) -> i64 {
        self.lane(thread).clock
    }

    /// Lets time pass in a thread: this many ns at the speed of the engine's own code, several times more in Python.
    pub(crate) fn pass(&mut self, thread: Thread, low: i64, high: i64) -> i64 {
        let slow = match thread {
            Thread::Queue => 1,
            Thread::Backward => 2,
            Thread::Main | Thread::Second | Thread::Loader => 4,
        };
        let step = self.rng.range(low * slow, high * slow);
        let lane = self.lane(thread);
        lane.clock += step;
        lane.clock
    }

    pub(crate) fn op(&mut self, op: Op) {
        self.to.op(&op);
    }

    /// A span without shapes that began earlier and ends now.
    pub(crate) fn span(&mut self, label: Label, thread: Thread, start: i64, stack: Option<StackId>) {
        let end = self.pass(thread, 400, 1500);
        self.op(Op { label, thread, start, end, sequence: -1, forward_thread: 0, dims: None, stack });
    }

    /// Runs one operator with what is inside it.
    pub(crate) fn run(&mut self, run: &Run) -> Ran {
        let thread = run.thread;
        self.pass(thread, 300, 2500);
        let mut around: [(&'static str, i64); 4] = [("", 0); 4];
        let depth = run.chain.len().saturating_sub(1).min(around.len());
        for (slot, &name) in around.iter_mut().zip(run.chain).take(depth) {
            *slot = (name, self.pass(thread, 700, 4000));
        }
        let bare = |label, start, end| Op {
            label,
            thread,
            start,
            end,
            sequence: -1,
            forward_thread: 0,
            dims: None,
            stack: run.stack,
        };
        let mut view = 0;
        if run.view && depth > 0 {
            let start = self.pass(thread, 500, 1500);
            view = start;
            let inner = self.pass(thread, 1500, 5000);
            let innermost = self.pass(thread, 1500, 5000);
            let mut end = self.pass(thread, 3000, 8000);
            self.op(bare(Label::Plain("aten::as_strided"), innermost, end));
            end = self.pass(thread, 600, 2000);
            self.op(Op { dims: Some(Dims::Weight), ..bare(Label::Plain("aten::transpose"), inner, end) });
            end = self.pass(thread, 600, 2000);
            let sequence = run.sequence.1;
            self.op(Op { dims: Some(Dims::Weight), sequence, ..bare(Label::Plain("aten::t"), start, end) });
            self.pass(thread, 400, 900);
        }
        let name = run.chain.last().copied().unwrap_or("");
        let core = self.pass(thread, 200, 600);
        let lost = self.rng.chance(self.variety.lost_operators) && run.loseable && depth == 0;
        let bare_core = self.rng.chance(self.variety.stackless) && depth > 0 && run.loseable;
        let queue = self.rng.chance(self.variety.queueing) && !lost;
        let mut block = Block::new(name, thread, run.bytes);
        (block.kind, block.stack) = if lost { (Kind::None, None) } else { run.origin };
        block.stream = run.stream;
        if queue && block.kind != Kind::None {
            block.kind = Kind::Queue;
        }
        if queue {
            block.thread = Thread::Queue;
        }
        let id = self.pools.plan(block);
        let empty = self.pass(thread, 900, 3000);
        let wanted = self.pass(thread, 700, 3500);
        let end = self.pass(thread, 1500, 4500);
        if !lost {
            self.op(bare(Label::Plain("empty_tensor"), empty, end));
        }
        let launch = self.pass(thread, 1500, 6000);
        let enqueue = self.pass(thread, 600, 1800);
        let enqueued = self.pass(thread, 2200, 9000);
        let end = self.pass(thread, 500, 2500);
        self.op(bare(Label::Plain(run.kernel.name), launch, end));
        self.queued.push(Queued {
            kernel: run.kernel,
            thread,
            operator_start: launch,
            enqueue: (enqueue, enqueued),
            block: queue.then_some(id),
            name,
            // Also where the operator is lost: what it queued still lies in an operator with the stack.
            stack: run.origin.1,
            bytes: run.bytes,
            stream: run.stream,
        });
        let end = self.pass(thread, 3500, 9000);
        if !queue {
            self.pools.allocate(id, wanted, end - 500);
        }
        if !lost {
            let stack = if bare_core { None } else { run.stack };
            self.op(Op {
                dims: Some(run.dims),
                stack,
                sequence: run.sequence.0,
                ..bare(Label::Plain(name), core, end)
            });
        }
        for &(name, start) in around.iter().take(depth).rev() {
            let end = self.pass(thread, 500, 2500);
            self.op(Op { dims: Some(run.dims), sequence: run.sequence.1, ..bare(Label::Plain(name), start, end) });
        }
        self.pass(thread, 300, 1200);
        Ran { block: id, core, view }
    }

    /// Calls a forward operator from Python: its block and, with gradients, its nodes.
    pub(crate) fn forward(
        &mut self,
        thread: Thread,
        site: &Site,
        gradients: bool,
        parent: i64,
        nodes: &mut Vec<Node>,
    ) -> BlockId {
        let operator: &'static Operator = site.operator;
        let started = self.clock(thread);
        let numbered = gradients && site.stack.0 != u32::MAX;
        let gradients = gradients && !operator.node.is_empty();
        let first = self.lane(thread).sequence;
        let known = site.stack.0 != u32::MAX;
        let stack = known.then_some(site.stack);
        // The transposed weight's node takes a number before the operator itself does.
        let views = gradients && operator.view;
        let own = first + i64::from(views);
        // An operator that leaves no node still shows the number the next node will get.
        let (own, first) = if numbered { (own, first) } else { (-1, -1) };
        let Ran { block: id, core, view } = self.run(&Run {
            thread,
            chain: operator.chain,
            kernel: &operator.kernel,
            view: operator.view,
            dims: operator.dims,
            bytes: site.bytes,
            sequence: (own, first),
            stack,
            origin: if known { (Kind::Enclosing, stack) } else { (Kind::None, None) },
            loseable: !gradients && !site.certain,
            stream: 0,
        });
        if gradients {
            let node = Node {
                name: "TBackward0",
                grads: &[],
                sums: false,
                parameter: site.parameter,
                sequence: first,
                forward: (thread, view),
                stack,
                bytes: 0,
                saved: None,
                checkpoint: false,
            };
            if views {
                nodes.push(node.clone());
            }
            let saved = site.saved.then_some(id);
            nodes.push(Node {
                name: operator.node,
                grads: operator.grads,
                sums: operator.sums,
                parameter: site.parameter && !views,
                sequence: own,
                forward: (thread, core),
                bytes: site.bytes,
                saved,
                ..node
            });
            self.lane(thread).sequence = own + 1;
        }
        if self.variety.python_functions && known {
            self.frames(thread, site, started, parent);
        }
        id
    }

    /// The Python functions around a call that has just ended.
    fn frames(&mut self, thread: Thread, site: &Site, start: i64, parent: i64) {
        let end = self.pass(thread, 900, 2500);
        let mut id = self.python + 1;
        let mut parent = parent;
        let mut inset = 0;
        let functions: &[&'static str] = &[
            "torch/nn/modules/module.py(1739): _wrapped_call_impl",
            "torch/nn/modules/module.py(1747): _call_impl",
            "torch/nn/modules/module.py(1915): __getattr__",
        ];
        let helpers: &[&'static str] = &[
            "torch/_ops.py(1111): __call__",
            "<built-in method apply of type object at 0x7f31c8a04120>",
            "torch_npu/utils/_module.py(87): wrap_forward",
            "<built-in function linear>",
        ];
        let module = (!site.module.is_empty()).then(|| {
            self.modules += 1;
            self.modules % 64
        });
        let mut call = |name, module, to: &mut dyn Listener| {
            to.call(&Call { name, module, thread, start: start + inset, end: end - inset, id, parent });
            parent = id;
            id += 1;
            inset += 60;
        };
        if let Some(number) = module {
            call(site.module, Some(number), self.to);
            for name in functions {
                call(name, None, self.to);
            }
        }
        call(site.function, None, self.to);
        for name in helpers {
            call(name, None, self.to);
        }
        self.python = id - 1;
    }

    /// A Python function that began at `start` and ends now; its id was drawn with [`Machine::python_id`].
    pub(crate) fn returned(&mut self, name: &'static str, thread: Thread, start: i64, id: i64, parent: i64) {
        let end = self.clock(thread);
        if self.variety.python_functions {
            self.to.call(&Call { name, module: None, thread, start, end, id, parent });
        }
    }

    pub(crate) fn python_id(&mut self) -> i64 {
        self.python += 1;
        self.python
    }

    /// The flow from a forward operator to its backward node; written only across threads, and sometimes missing.
    pub(crate) fn flow(&mut self, node: &Node, at: i64) {
        let missing = self.rng.chance(self.variety.missing_flows);
        if node.forward.0 != Thread::Backward && !missing {
            self.to.pair(&Pair { sequence: node.sequence, forward: node.forward, backward: (Thread::Backward, at) });
        }
    }

    /// All threads wait for each other and the device; everything queued and asked for up to here happens.
    pub(crate) fn meet(&mut self) -> i64 {
        self.drain();
        let latest = self.lanes.iter().map(|lane| lane.clock).chain(self.streams).max().unwrap_or(0);
        for lane in &mut self.lanes {
            lane.clock = latest;
        }
        self.pools.advance(latest, self.to);
        for lane in &mut self.lanes {
            lane.clock = latest + 1000;
        }
        latest
    }

    pub(crate) fn counted(&mut self, task: &Task) {
        if task.kernel.task_type == "COMMUNICATION" {
            self.communications += 1;
        } else {
            self.kernels += 1;
            self.kernel_text += (task.kernel.device.len() + task.kernel.task_type.len()) as u64;
        }
        self.to.task(task);
    }
}
