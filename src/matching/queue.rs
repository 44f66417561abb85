//! From an allocation on the task queue's thread to the operator that queued the work.

#![allow(clippy::indexing_slicing, reason = "every index comes from this module's own sorted lists")]

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::nesting::indices;
use crate::model::spans::{Dequeue, Moment, Spans};

/// So many dequeue spans inside one another are looked through.
const MOST_NESTED: usize = 8;

/// Dequeue spans by thread and start, and the enqueues by correlation id.
pub(super) struct Queue<'a> {
    spans: &'a Spans,
    /// Dequeues by thread, then start.
    dequeues: Vec<u32>,
    /// Where each thread's are.
    threads: Vec<Range<usize>>,
    /// Enqueues by id, then time.
    enqueues: Vec<u32>,
    /// Ends of flows by thread and time, the last of equal ones; none where all dequeues say their id.
    flows: HashTable<u32>,
}

fn hash(thread: u32, time: i64) -> u64 {
    FxBuildHasher.hash_one((thread, time))
}

impl<'a> Queue<'a> {
    pub fn new(spans: &'a Spans) -> Queue<'a> {
        let mut dequeues = indices(spans.dequeues.len());
        dequeues.sort_unstable_by_key(|index| {
            let dequeue = &spans.dequeues[*index as usize];
            (dequeue.thread, dequeue.start, *index)
        });
        let mut threads: Vec<Range<usize>> = Vec::new();
        let thread = |at: usize| spans.dequeues[dequeues[at] as usize].thread;
        for at in 0..dequeues.len() {
            match threads.last_mut() {
                Some(range) if thread(range.start) == thread(at) => range.end = at + 1,
                _ => threads.push(at..at + 1),
            }
        }
        let mut enqueues = indices(spans.enqueues.len());
        enqueues.sort_unstable_by_key(|index| spans.enqueues[*index as usize]);
        let mut queue = Queue { spans, dequeues, threads, enqueues, flows: HashTable::new() };
        if spans.dequeues.iter().any(|dequeue| dequeue.correlation().is_none()) {
            queue.find_flows();
        }
        queue
    }

    fn find_flows(&mut self) {
        let list = &self.spans.dequeue_flows;
        let of = |index: &u32| (list[*index as usize].thread, list[*index as usize].time);
        for (index, flow) in (0..).zip(list.iter()) {
            let place = (flow.thread, flow.time);
            let hash_of = |index: &u32| hash(of(index).0, of(index).1);
            match self.flows.find_mut(hash(flow.thread, flow.time), |known| of(known) == place) {
                Some(known) => *known = index,
                None => _ = self.flows.insert_unique(hash(flow.thread, flow.time), index, hash_of),
            }
        }
    }

    fn correlation(&self, dequeue: &Dequeue) -> Option<i64> {
        dequeue.correlation().or_else(|| {
            let flow = |index: &u32| &self.spans.dequeue_flows[*index as usize];
            let is_it = |index: &u32| flow(index).thread == dequeue.thread && flow(index).time == dequeue.start;
            self.flows.find(hash(dequeue.thread, dequeue.start), is_it).map(|index| flow(index).id)
        })
    }

    /// For every dequeue span that holds `time`: where the work was queued.
    pub fn enqueues_at(&self, time: i64) -> impl Iterator<Item = Moment> {
        self.threads.iter().filter_map(move |range| {
            let list = &self.dequeues[range.clone()];
            let dequeue = |index: u32| &self.spans.dequeues[index as usize];
            let after = list.partition_point(|index| dequeue(*index).start <= time);
            // One thread's spans do not overlap, but for what a damaged file says.
            let mut started = list[..after].iter().rev().take(MOST_NESTED).map(|index| dequeue(*index));
            let dequeue = started.find(|dequeue| dequeue.end >= time)?;
            let id = self.correlation(dequeue)?;
            let enqueue = |index: u32| &self.spans.enqueues[index as usize];
            let after = self.enqueues.partition_point(|index| {
                let enqueue = enqueue(*index);
                (enqueue.id, enqueue.time) <= (id, dequeue.start)
            });
            self.enqueues[..after].last().map(|index| *enqueue(*index)).filter(|enqueue| enqueue.id == id)
        })
    }
}
