//! From an allocation on the task queue's thread to the operator that queued the work.

#![allow(clippy::indexing_slicing, reason = "every index comes from this module's own sorted lists")]

use rustc_hash::FxHashMap;

use crate::model::spans::{Dequeue, Moment, Spans};

/// Dequeue spans by thread and start, and the enqueues by correlation id.
pub(super) struct Queue {
    /// One list a thread, by start.
    threads: Vec<Vec<(Dequeue, Option<i64>)>>,
    /// By id, then time.
    enqueues: Vec<Moment>,
}

impl Queue {
    pub fn new(spans: &Spans) -> Queue {
        let flows: FxHashMap<(u32, i64), i64> =
            spans.dequeue_flows.iter().map(|flow| ((flow.thread, flow.time), flow.id)).collect();
        let mut threads: FxHashMap<u32, Vec<(Dequeue, Option<i64>)>> = FxHashMap::default();
        for dequeue in &spans.dequeues {
            let id = dequeue.correlation.or_else(|| flows.get(&(dequeue.thread, dequeue.start)).copied());
            threads.entry(dequeue.thread).or_default().push((*dequeue, id));
        }
        let mut threads: Vec<_> = threads.into_iter().collect();
        threads.sort_unstable_by_key(|(thread, _)| *thread);
        let mut threads: Vec<_> = threads.into_iter().map(|(_, list)| list).collect();
        for list in &mut threads {
            list.sort_by_key(|(dequeue, _)| dequeue.start);
        }
        let mut enqueues = spans.enqueues.clone();
        enqueues.sort_unstable();
        enqueues.dedup();
        Queue { threads, enqueues }
    }

    /// For every dequeue span that holds `time`: where the work was queued.
    pub fn enqueues_at(&self, time: i64) -> impl Iterator<Item = Moment> {
        self.threads.iter().filter_map(move |list| {
            let after = list.partition_point(|(dequeue, _)| dequeue.start <= time);
            let (dequeue, id) = list[..after].last()?;
            if dequeue.end < time {
                return None;
            }
            let id = (*id)?;
            let after = self.enqueues.partition_point(|e| (e.id, e.time) <= (id, dequeue.start));
            self.enqueues[..after].last().filter(|enqueue| enqueue.id == id).copied()
        })
    }
}
