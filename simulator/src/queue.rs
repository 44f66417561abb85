//! The task queue's thread and the device behind it.

use crate::event::{Component, Task, Thread};
use crate::machine::Machine;
use crate::memory::Block;
use crate::truth::Kind;

impl Machine<'_> {
    /// The queue's thread takes everything queued so far, in the order it was queued.
    pub(crate) fn drain(&mut self) {
        let mut queued = std::mem::take(&mut self.queued);
        queued.sort_by_key(|task| (task.enqueue.0, task.thread));
        for task in &queued {
            self.correlation += 1;
            self.launch += 2;
            self.task += 1;
            let free = self.clock(Thread::Queue);
            // Now and then the thread sleeps and lags behind.
            let lag = if self.rng.chance(0.03) { self.rng.range(40_000, 120_000) } else { self.rng.range(2500, 9000) };
            let start = free.max(task.enqueue.1 + lag) + 300;
            self.lane(Thread::Queue).clock = start;
            if let Some(id) = task.block {
                let wanted = self.pass(Thread::Queue, 900, 2500);
                let latest = self.pass(Thread::Queue, 9000, 15_000);
                self.pools.allocate(id, wanted, latest);
            }
            if self.variety.workspace && task.bytes > 1 << 16 && self.rng.chance(0.4) {
                let mut block = Block::new(task.name, Thread::Queue, workspace(task.bytes));
                block.component = Component::Workspace;
                block.stream = task.stream;
                block.stack = task.stack;
                block.kind = if task.stack.is_some() { Kind::Queue } else { Kind::None };
                let id = self.pools.plan(block);
                let wanted = self.pass(Thread::Queue, 700, 2000);
                let release = self.pass(Thread::Queue, 5000, 12_000);
                let latest = self.pass(Thread::Queue, 3000, 6000);
                self.pools.allocate(id, wanted, latest);
                self.pools.release(id, release, 0);
            }
            let launch = self.pass(Thread::Queue, 1200, 4000);
            let end = self.pass(Thread::Queue, 2000, 6000);
            let (stream, clock) = match (task.kernel.task_type, &mut self.streams) {
                ("COMMUNICATION", [_, side]) => (3, side),
                (_, [main, _]) => (2, main),
            };
            let begin = (*clock).max(launch + 2500) + 120;
            // Bytes moved and a fixed part: a host about as fast as its device.
            let long = 3000 + i64::try_from(task.bytes / 2600).unwrap_or(0).min(60_000);
            *clock = begin + long + (begin & 0x3ff);
            let device = (begin, *clock);
            self.counted(&Task {
                correlation: self.correlation,
                kernel: task.kernel,
                thread: task.thread,
                operator_start: task.operator_start,
                enqueue: task.enqueue,
                dequeue: (start, end),
                launch,
                device,
                stream,
                number: self.launch,
            });
        }
        queued.clear();
        // Keeps the room for the next round.
        self.queued = queued;
    }
}

/// Workspace for an operator on this many bytes: the large ones need some MB.
fn workspace(bytes: u64) -> u64 {
    (bytes / 6).clamp(64 << 10, 24 << 20)
}
