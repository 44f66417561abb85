//! Python functions for a trace whose operators have no stacks: at each operator's start exactly the frames of its true stack
//! are running on its thread.

use crate::event::{Listener, Op, Thread};
use crate::stacks::StackId;
use crate::text::Out;
use crate::trace::begin;
use crate::world::World;

/// A function goes on for so long, ns, behind the last operator it called, if no other stack comes before: what the engine
/// runs meanwhile was not called by it.
const LINGER: i64 = 60_000;

/// The operators that Python called: thread, start, end, stack.
#[derive(Debug, Default)]
pub(crate) struct Running(Vec<(Thread, i64, i64, StackId)>);

impl Listener for Running {
    fn op(&mut self, op: &Op) {
        if let Some(stack) = op.stack {
            self.0.push((op.thread, op.start, op.end, stack));
        }
    }
}

/// A function that is running.
pub(crate) struct Frame<'a> {
    pub(crate) name: &'a str,
    pub(crate) start: i64,
    id: i64,
    parent: i64,
}

/// A function that has returned.
pub(crate) struct Returned<'a> {
    pub(crate) frame: Frame<'a>,
    pub(crate) end: i64,
}

impl Running {
    /// Writes the functions.
    pub(crate) fn write(self, world: &World, out: &mut Out<'_>) {
        self.each(world, &mut |thread, Returned { frame, end }| {
            begin(out);
            let out = out.str("{\"ph\": \"X\", \"name\": \"").str(frame.name).str("\", \"pid\": ");
            out.int(i64::from(world.pid)).str(", \"tid\": ").int(i64::from(world.tid(thread)));
            out.str(", \"ts\": \"").micros3(frame.start).str("\", \"dur\": ").micros(end - frame.start);
            out.str(", \"cat\": \"python_function\", \"args\": {\"Python id\": ").int(frame.id);
            out.str(", \"Python parent id\": ").int(frame.parent).str("}}");
        });
    }

    /// Gives the functions, a thread at a time, in the order of their ids.
    pub(crate) fn each<'a>(mut self, world: &'a World, take: &mut dyn FnMut(Thread, Returned<'a>)) {
        self.0.sort_by_key(|(thread, start, end, _)| (*thread, *start, -end));
        let mut id = 10;
        for part in self.0.chunk_by(|a, b| a.0 == b.0) {
            let Some((thread, ..)) = part.first() else { continue };
            let mut all = functions(world, part, &mut id);
            all.sort_by_key(|returned| returned.frame.id);
            for returned in all {
                take(*thread, returned);
            }
        }
    }
}

/// The functions of one thread.
fn functions<'a>(world: &'a World, ops: &[(Thread, i64, i64, StackId)], id: &mut i64) -> Vec<Returned<'a>> {
    let mut running: Vec<Frame<'a>> = Vec::new();
    let mut all = Vec::new();
    let mut last_end = 0;
    for (_, start, end, stack) in ops {
        let wanted: Vec<&str> = world.stacks.frames(*stack).collect();
        let kept = running.iter().zip(&wanted).take_while(|(frame, name)| frame.name == **name).count();
        // Each begins and ends a nanosecond after the other; operators lie further apart.
        let room = i64::try_from(wanted.len() + running.len()).unwrap_or(0);
        let ending = (start - room).min(last_end + LINGER).max(last_end.min(start - room));
        for (late, frame) in (0..).zip(running.drain(kept..).rev()) {
            all.push(Returned { frame, end: ending + late });
        }
        let first = start - i64::try_from(wanted.len() - kept).unwrap_or(0);
        for (late, name) in (0..).zip(wanted.into_iter().skip(kept)) {
            let parent = running.last().map_or(0, |frame| frame.id);
            *id += 1;
            running.push(Frame { name, start: first + late, id: *id, parent });
        }
        last_end = last_end.max(*end);
    }
    for (late, frame) in (1..).zip(running.into_iter().rev()) {
        all.push(Returned { frame, end: last_end + late });
    }
    all
}
