//! The torch part of trace_view.json: one section a pass, in the order the writer has them.

use crate::event::{Call, Label, Listener, Op, Pair, Task, Thread};
use crate::text::Out;
use crate::world::World;

/// A section of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Operators,
    Dequeues,
    Enqueues,
    ForwardBackward,
    Python,
    /// The flows from operators to kernels, at the very end.
    ToDevice,
}

/// Writes one section.
pub(crate) struct Part<'a, 'o, 'w> {
    pub(crate) world: &'a World,
    pub(crate) out: &'o mut Out<'w>,
    pub(crate) section: Section,
}

/// Begins an event: all but the first of the file come after `, `.
pub(crate) fn begin(out: &mut Out<'_>) {
    let separator = if out.written() == 0 { "[" } else { ", " };
    out.str(separator);
}

impl Part<'_, '_, '_> {
    fn span(&mut self, name: [&str; 2], number: Option<u32>, thread: Thread, start: i64, end: i64, category: &str) {
        let (pid, tid) = (self.world.pid, self.world.tid(thread));
        begin(self.out);
        let out = self.out.str("{\"ph\": \"X\", \"name\": \"").str(name[0]).str(name[1]);
        if let Some(number) = number {
            out.int(i64::from(number));
        }
        out.str("\", \"pid\": ").int(i64::from(pid)).str(", \"tid\": ").int(i64::from(tid));
        out.str(", \"ts\": \"").micros3(start).str("\", \"dur\": ").micros(end - start);
        out.str(", \"cat\": \"").str(category).str("\", \"args\": {");
    }

    fn flow(&mut self, phase: &str, name: &str, id: i64, place: (u32, u32), time: i64, category: &str) {
        begin(self.out);
        self.out
            .str("{\"ph\": \"")
            .str(phase)
            .str("\", \"bp\": \"e\", \"name\": \"")
            .str(name)
            .str("\", \"id\": ")
            .int(id);
        self.out.str(", \"pid\": ").int(i64::from(place.0)).str(", \"tid\": ").int(i64::from(place.1));
        self.out.str(", \"ts\": \"").micros3(time).str("\", \"cat\": \"").str(category).str("\"}");
    }

    fn place(&self, thread: Thread) -> (u32, u32) {
        (self.world.pid, self.world.tid(thread))
    }
}

impl Listener for Part<'_, '_, '_> {
    fn op(&mut self, op: &Op) {
        if self.section != Section::Operators {
            return;
        }
        let (name, number) = match op.label {
            Label::Plain(name) => ([name, ""], None),
            Label::Evaluate(node) => (["autograd::engine::evaluate_function: ", node], None),
            Label::Step(number) => (["ProfilerStep#", ""], Some(number)),
        };
        self.span(name, number, op.thread, op.start, op.end, "cpu_op");
        let out = self.out.str("\"Sequence number\": ").int(op.sequence);
        out.str(", \"Fwd thread id\": ").int(i64::from(op.forward_thread));
        if let Some((dims, types)) = op.dims.and_then(|dims| self.world.dims.get(dims as usize)) {
            out.str(", \"Input Dims\": \"").str(dims).str("\", \"Input type\": \"").str(types).str("\"");
        }
        if let Some(stack) = op.stack.filter(|_| self.world.variety.call_stacks) {
            out.str(", \"Call stack\": \"").str(self.world.stacks.json(stack)).str("\"");
        }
        out.str("}}");
    }

    fn task(&mut self, task: &Task) {
        match self.section {
            Section::Dequeues => {
                self.span(
                    ["Dequeue@", task.kernel.name],
                    None,
                    Thread::Queue,
                    task.dequeue.0,
                    task.dequeue.1,
                    "dequeue",
                );
                self.out.str("\"correlation_id\": ").int(task.correlation).str("}}");
                let place = self.place(Thread::Queue);
                self.flow("f", "enqueue_to_dequeue", task.correlation, place, task.dequeue.0, "async_task_queue");
            }
            Section::Enqueues => {
                self.span(["Enqueue", ""], None, task.thread, task.enqueue.0, task.enqueue.1, "enqueue");
                self.out.str("\"correlation_id\": ").int(task.correlation).str("}}");
                let place = self.place(task.thread);
                self.flow("s", "enqueue_to_dequeue", task.correlation, place, task.enqueue.0, "async_task_queue");
            }
            Section::ToDevice if task.kernel.task_type != "COMMUNICATION" => {
                let (place, id) = (self.place(task.thread), task.device.0);
                self.flow("s", "torch_to_npu", id, place, task.operator_start, "async_npu");
                let device = (crate::device::pid(self.world, crate::device::HARDWARE), u32::from(task.stream));
                self.flow("f", "torch_to_npu", id, device, task.device.0, "async_npu");
            }
            _ => {}
        }
    }

    fn pair(&mut self, pair: &Pair) {
        if self.section == Section::ForwardBackward {
            let (from, to) = (self.place(pair.forward.0), self.place(pair.backward.0));
            self.flow("s", "fwdbwd", pair.sequence, from, pair.forward.1, "fwdbwd");
            self.flow("f", "fwdbwd", pair.sequence, to, pair.backward.1, "fwdbwd");
        }
    }

    fn call(&mut self, call: &Call) {
        if self.section != Section::Python {
            return;
        }
        let name = match call.module {
            Some(_) => ["nn.Module: ", call.name],
            None => [call.name, ""],
        };
        begin(self.out);
        let out = self.out.str("{\"ph\": \"X\", \"name\": \"").str(name[0]).str(name[1]);
        if let Some(module) = call.module {
            out.str("_").int(i64::from(module));
        }
        out.str("\", \"pid\": ")
            .int(i64::from(self.world.pid))
            .str(", \"tid\": ")
            .int(i64::from(self.world.tid(call.thread)));
        out.str(", \"ts\": \"").micros3(call.start).str("\", \"dur\": ").micros(call.end - call.start);
        out.str(", \"cat\": \"python_function\", \"args\": {\"Python id\": ").int(call.id);
        out.str(", \"Python parent id\": ").int(call.parent);
        if let Some(module) = call.module {
            out.str(", \"Python module id\": ").int(i64::from(module));
        }
        out.str("}}");
    }
}
