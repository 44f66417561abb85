//! The pools of one rank over time: requests come in any order, events happen in order of time, each at a time of its own.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::allocator::{Allocator, Totals};
use crate::event::{Component, Listener, Record, Thread};
use crate::rng::Rng;
use crate::stacks::StackId;
use crate::truth::Kind;

/// One block: a row of operator_memory.csv.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// The graph engine's blocks carry a number behind the name.
    pub(crate) name: &'static str,
    pub(crate) number: Option<u32>,
    pub(crate) component: Component,
    pub(crate) thread: Thread,
    pub(crate) kind: Kind,
    pub(crate) stack: Option<StackId>,
    /// As the allocator counts it once it is allocated, as asked for before.
    pub(crate) size: u64,
    pub(crate) stream: u8,
    /// Must come before this, else nothing around it tells where it came from.
    pub(crate) latest: i64,
    /// When it is asked for, before any shift; `i64::MAX` = not yet asked for.
    asked: i64,
    address: u64,
    /// Set when it happens.
    pub(crate) allocated: Option<(i64, Totals)>,
    pub(crate) released: Option<(i64, Totals)>,
    pub(crate) reusable: Option<i64>,
}

impl Block {
    pub(crate) fn new(name: &'static str, thread: Thread, size: u64) -> Self {
        Self {
            name,
            number: None,
            component: Component::Pta,
            thread,
            kind: Kind::None,
            stack: None,
            size,
            stream: 0,
            latest: i64::MAX,
            asked: i64::MAX,
            address: 0,
            allocated: None,
            released: None,
            reusable: None,
        }
    }
}

/// Names a block while the simulation runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlockId(usize);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Request {
    Allocate(BlockId),
    Release(BlockId),
    /// Reusable only now, since another stream used it.
    Reuse(BlockId),
    ReleaseEarlier(usize),
}

/// Largest value and the first time it stood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Peak {
    /// Bytes.
    pub bytes: u64,
    /// Nanoseconds since 1970.
    pub time_ns: i64,
}

impl Peak {
    fn see(&mut self, bytes: u64, time_ns: i64) {
        if bytes > self.bytes {
            *self = Self { bytes, time_ns };
        }
    }
}

/// Highest totals of the PTA pool over its records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Peaks {
    /// Of allocated.
    pub allocated: Peak,
    /// Of active.
    pub active: Peak,
    /// Of reserved.
    pub reserved: Peak,
}

/// The process total is sampled this often.
pub(crate) const SAMPLE_NS: i64 = 20_000_000;

#[derive(Debug)]
pub(crate) struct Pools {
    /// False for passes that write what has nothing to do with memory.
    enabled: bool,
    rng: Rng,
    heap: BinaryHeap<Reverse<(i64, u64, Request)>>,
    order: u64,
    last: i64,
    allocator: Allocator,
    workspace: Totals,
    graph: Totals,
    outside: u64,
    /// Blocks from before the window: address, size.
    earlier: Vec<(u64, u64)>,
    /// Where the gradients of the step before stand in it.
    gradients: std::ops::Range<usize>,
    releases: Vec<(i64, BlockId, i64)>,
    next_sample: i64,
    pub(crate) blocks: Vec<Block>,
    pub(crate) samples: Vec<(i64, u64)>,
    pub(crate) peaks: Peaks,
    pub(crate) baseline_start: Totals,
    pub(crate) baseline_freed: Vec<(i64, u64)>,
    pub(crate) counts: [u64; 3],
}

impl Pools {
    pub(crate) fn new(enabled: bool, rng: Rng, start: i64, outside: u64) -> Self {
        Self {
            enabled,
            rng,
            heap: BinaryHeap::new(),
            order: 0,
            last: 0,
            allocator: Allocator::default(),
            workspace: Totals::default(),
            graph: Totals::default(),
            outside,
            earlier: Vec::new(),
            gradients: 0..0,
            releases: Vec::new(),
            next_sample: start - 3 * SAMPLE_NS,
            blocks: Vec::new(),
            samples: Vec::new(),
            peaks: Peaks::default(),
            baseline_start: Totals::default(),
            baseline_freed: Vec::new(),
            counts: [0; 3],
        }
    }

    /// Memory from before the window: (bytes, release), and gradients of the step before that go with `zero_grad`.
    pub(crate) fn begin(&mut self, sizes: &[(u64, Option<i64>)], gradients: &[u64]) {
        self.gradients = sizes.len()..sizes.len() + gradients.len();
        if !self.enabled {
            return;
        }
        for &(bytes, release) in sizes {
            self.earlier.push(self.allocator.malloc(bytes, 0));
            if let Some(time) = release {
                self.push(time, Request::ReleaseEarlier(self.earlier.len() - 1));
            }
        }
        for &bytes in gradients {
            self.earlier.push(self.allocator.malloc(bytes, 0));
        }
        self.baseline_start = self.allocator.totals;
    }

    pub(crate) fn earlier_gradients(&self) -> usize {
        self.gradients.len()
    }

    pub(crate) fn release_earlier_gradient(&mut self, at: usize, time: i64) {
        if self.enabled {
            self.push(time, Request::ReleaseEarlier(self.gradients.start + at));
        }
    }

    /// A block that will be asked for with [`Pools::allocate`].
    pub(crate) fn plan(&mut self, block: Block) -> BlockId {
        if self.enabled {
            self.blocks.push(block);
        }
        BlockId(self.blocks.len().saturating_sub(1))
    }

    /// The time a planned block is asked for, and the last time at which it is still inside what asked for it.
    pub(crate) fn allocate(&mut self, id: BlockId, time: i64, latest: i64) {
        if let Some(block) = self.blocks.get_mut(id.0) {
            block.asked = time;
            block.latest = latest;
            self.push(time, Request::Allocate(id));
        }
    }

    /// The tensor gives the block up at `time`, or as soon as it is there; other streams use it for `wait` ns more.
    pub(crate) fn release(&mut self, id: BlockId, time: i64, wait: i64) {
        if self.enabled {
            self.releases.push((time, id, wait));
        }
    }

    fn push(&mut self, time: i64, request: Request) {
        self.order += 1;
        self.heap.push(Reverse((time, self.order, request)));
    }

    /// Lets everything up to `horizon` happen. Nothing may be asked for before it later.
    pub(crate) fn advance(&mut self, horizon: i64, to: &mut dyn Listener) {
        if !self.enabled {
            return;
        }
        for (time, id, wait) in std::mem::take(&mut self.releases) {
            let Some(block) = self.blocks.get(id.0) else { continue };
            let time = time.max(block.asked.saturating_add(4000));
            if wait > 0 {
                self.push(time.saturating_add(wait), Request::Reuse(id));
            }
            self.push(time, Request::Release(id));
            if let Some(block) = self.blocks.get_mut(id.0) {
                // Marks a block whose reuse waits; replaced by the time when it happens.
                block.reusable = (wait > 0).then_some(i64::MAX);
            }
        }
        while let Some(&Reverse((time, _, request))) = self.heap.peek()
            && time <= horizon
        {
            self.heap.pop();
            self.sample(time);
            let time = time.max(self.last + 1);
            self.last = time;
            match request {
                Request::Allocate(id) => self.happen_allocate(id, time, to),
                Request::Release(id) => self.happen_release(id, time, to),
                Request::Reuse(id) => self.happen_reuse(id, time, to),
                Request::ReleaseEarlier(at) => self.happen_earlier(at, time, to),
            }
        }
        self.sample(horizon);
    }

    fn happen_allocate(&mut self, id: BlockId, time: i64, to: &mut dyn Listener) {
        let Some(block) = self.blocks.get_mut(id.0) else { return };
        let totals = match block.component {
            Component::Pta => {
                (block.address, block.size) = self.allocator.malloc(block.size, block.stream);
                self.allocator.totals
            }
            Component::Workspace => {
                block.size = block.size.div_ceil(512) * 512;
                hold(&mut self.workspace, block.size);
                self.workspace
            }
            Component::Ge => {
                block.size = block.size.div_ceil(512) * 512;
                hold(&mut self.graph, block.size);
                self.graph
            }
        };
        block.allocated = Some((time, totals));
        if time > block.latest {
            (block.kind, block.stack) = (Kind::None, None);
        }
        let record = Record { component: block.component, time, totals, stream: block.stream };
        self.tell(record, to);
    }

    fn happen_release(&mut self, id: BlockId, time: i64, to: &mut dyn Listener) {
        let Some(block) = self.blocks.get(id.0) else { return };
        let (component, size, address, stream) = (block.component, block.size, block.address, block.stream);
        let waits = block.reusable == Some(i64::MAX);
        let mut time = time;
        let mut reusable = block.reusable;
        match component {
            Component::Pta => {
                self.allocator.give_up(size);
                if !waits {
                    // The block is returned inside the free call, before that call reports.
                    self.allocator.reuse(address);
                    reusable = Some(time);
                    self.tell(Record { component, time, totals: self.allocator.totals, stream }, to);
                    time += self.rng.range(290, 900);
                    self.last = time;
                }
            }
            Component::Workspace => give(&mut self.workspace, size),
            Component::Ge => give(&mut self.graph, size),
        }
        let totals = match component {
            Component::Pta => self.allocator.totals,
            Component::Workspace => self.workspace,
            Component::Ge => self.graph,
        };
        if let Some(block) = self.blocks.get_mut(id.0) {
            block.released = Some((time, totals));
            block.reusable = reusable;
        }
        self.tell(Record { component, time, totals, stream }, to);
    }

    fn happen_reuse(&mut self, id: BlockId, time: i64, to: &mut dyn Listener) {
        let Some(block) = self.blocks.get_mut(id.0) else { return };
        block.reusable = Some(time);
        let (address, stream) = (block.address, block.stream);
        self.allocator.reuse(address);
        self.tell(Record { component: Component::Pta, time, totals: self.allocator.totals, stream }, to);
    }

    fn happen_earlier(&mut self, at: usize, time: i64, to: &mut dyn Listener) {
        let Some(&(address, size)) = self.earlier.get(at) else { return };
        self.allocator.give_up(size);
        self.allocator.reuse(address);
        let totals = self.allocator.totals;
        self.tell(Record { component: Component::Pta, time, totals, stream: 0 }, to);
        self.last = time + self.rng.range(290, 900);
        self.tell(Record { component: Component::Pta, time: self.last, totals, stream: 0 }, to);
        self.baseline_freed.push((time, size));
    }

    fn tell(&mut self, record: Record, to: &mut dyn Listener) {
        if let Some(count) = self.counts.get_mut(record.component as usize) {
            *count += 1;
        }
        if record.component == Component::Pta {
            self.peaks.allocated.see(record.totals.allocated, record.time);
            self.peaks.active.see(record.totals.active, record.time);
            self.peaks.reserved.see(record.totals.reserved, record.time);
        }
        to.record(&record);
    }

    fn sample(&mut self, until: i64) {
        while self.next_sample < until {
            let pools = self.allocator.totals.reserved + self.workspace.reserved + self.graph.reserved;
            // Rounded as the driver hands it out, in pages of 4 KB.
            self.samples.push((self.next_sample, (pools + self.outside).div_ceil(4096) * 4096));
            // The sampler's clock shows whole microseconds with a rest of its own.
            self.next_sample += SAMPLE_NS + self.rng.range(-2, 3) * 1000;
        }
    }

    /// Ends the recording: marks of what has not happened yet are taken away.
    pub(crate) fn end(&mut self) {
        for block in &mut self.blocks {
            if block.reusable == Some(i64::MAX) {
                block.reusable = None;
            }
        }
    }

    pub(crate) fn totals(&self) -> Totals {
        self.allocator.totals
    }

    pub(crate) fn baseline_end(&self) -> u64 {
        self.baseline_start.allocated.saturating_sub(self.baseline_freed.iter().map(|(_, bytes)| bytes).sum())
    }
}

fn hold(pool: &mut Totals, bytes: u64) {
    pool.allocated += bytes;
    pool.active = pool.allocated;
    // Such pools take 2 MB at a time and keep it.
    pool.reserved = pool.reserved.max(pool.allocated.div_ceil(2 << 20) * (2 << 20));
}

fn give(pool: &mut Totals, bytes: u64) {
    pool.allocated = pool.allocated.saturating_sub(bytes);
    pool.active = pool.allocated;
}
