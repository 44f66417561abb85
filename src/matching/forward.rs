//! From an operator without a stack (the backward thread has no Python) to the forward operator it stems from.

#![allow(clippy::indexing_slicing, reason = "every index comes from this module's own sorted lists over the operators")]

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::flows::Flows;
use super::nesting::Nesting;
use crate::model::rows::NO_SITE;
use crate::model::spans::{Moment, NO_SEQUENCE, Operator, Spans};

/// Finds forward operators by Sequence number.
pub(super) struct Forward<'a> {
    nesting: &'a Nesting<'a>,
    /// Forward operators with a stack, by sequence, then start.
    forwards: Vec<u32>,
    /// For each of them, whether it and all before it with its sequence are of one thread.
    one_thread: Vec<bool>,
    /// Starts of flows; those of one id stand in the places of the ends they are written with.
    starts: Flows<'a>,
    ends: Flows<'a>,
    /// Thread of the forward operators of each logical id, learned from flows.
    thread_of: HashMap<u32, u32>,
    /// Sites of operators that were asked for or passed; [`NO_SITE`] where none can be told.
    known: FxHashMap<u32, u32>,
}

impl<'a> Forward<'a> {
    pub fn new(nesting: &'a Nesting<'a>, spans: &'a Spans) -> Forward<'a> {
        let operators = nesting.operators;
        let is_wanted = |op: &Operator| op.sequence != NO_SEQUENCE && op.is_forward() && op.site != NO_SITE;
        let mut forwards: Vec<u32> = Vec::with_capacity(operators.iter().filter(|op| is_wanted(op)).count());
        forwards.extend((0..).zip(operators.iter()).filter(|(_, op)| is_wanted(op)).map(|(index, _)| index));
        forwards.sort_unstable_by_key(|i| {
            let op = &operators[*i as usize];
            (op.sequence, op.start, std::cmp::Reverse(op.end), *i)
        });
        let mut one_thread: Vec<bool> = Vec::with_capacity(forwards.len());
        for (at, index) in forwards.iter().enumerate() {
            let op = nesting.operator(*index);
            let before = at.checked_sub(1).map(|at| nesting.operator(forwards[at]));
            let before = before.filter(|before| before.sequence == op.sequence);
            one_thread.push(before.is_none_or(|before| one_thread[at - 1] && before.thread() == op.thread()));
        }
        let mut forward = Forward {
            nesting,
            forwards,
            one_thread,
            starts: Flows::new(&spans.forward_flows),
            ends: Flows::with_places(&spans.backward_flows),
            thread_of: HashMap::new(),
            known: FxHashMap::default(),
        };
        forward.learn_threads();
        forward
    }

    /// Each flow between a backward operator and its forward one tells which thread a logical id stands for.
    fn learn_threads(&mut self) {
        let mut votes: HashMap<(u32, u32), u64> = HashMap::new();
        for op in self.nesting.operators.iter() {
            if let (Some(id), Some(flow)) = (op.forward_thread(), self.flow_of(op)) {
                *votes.entry((id, flow.thread)).or_default() += 1;
            }
        }
        let mut votes: Vec<_> = votes.into_iter().collect();
        votes.sort_unstable_by_key(|((id, thread), count)| (*count, *id, *thread));
        self.thread_of = votes.into_iter().map(|(pair, _)| pair).collect();
    }

    /// The operator of an index.
    pub fn operator(&self, index: u32) -> &Operator {
        self.nesting.operator(index)
    }

    /// The call site of the forward operator behind an operator without a stack; `None` where none can be told.
    pub fn site(&mut self, index: u32) -> Option<u32> {
        // All operators passed on the way out share the answer.
        let mut passed = Vec::new();
        let mut at = Some(index);
        let mut site = None;
        while let Some(current) = at {
            if let Some(known) = self.known.get(&current) {
                site = Some(*known).filter(|site| *site != NO_SITE);
                break;
            }
            passed.push(current);
            let op = self.nesting.operator(current);
            if carries_sequence(op) {
                site = self.forward_site(op);
                break;
            }
            if op.evaluates() {
                // Beside the backward operator: what is done to its result stems from the same forward operator. Beyond the
                // evaluation stands another one (nested autograd), whose number would name a wrong line.
                site = self.site_of_children(current);
                break;
            }
            at = self.nesting.parent(current);
        }
        self.known.extend(passed.into_iter().map(|op| (op, site.unwrap_or(NO_SITE))));
        site
    }

    fn site_of_children(&self, evaluation: u32) -> Option<u32> {
        let mut sites = self
            .nesting
            .children(evaluation)
            .map(|child| self.nesting.operator(child))
            .filter(|child| carries_sequence(child))
            .map(|child| self.forward_site(child));
        let first = sites.next()??;
        sites.all(|site| site == Some(first)).then_some(first)
    }

    /// By the flow of the number, else by the last forward operator with it that had started.
    fn forward_site(&self, backward: &Operator) -> Option<u32> {
        if let Some(flow) = self.flow_of(backward) {
            return self.site_at(backward.sequence, &flow);
        }
        let allowed = backward.forward_thread().and_then(|id| self.thread_of.get(&id)).copied();
        let started = self.forwards.partition_point(|i| {
            let op = self.nesting.operator(*i);
            (op.sequence, op.start) < (backward.sequence, backward.start)
        });
        let mut last: Option<&Operator> = None;
        for at in (0..started).rev() {
            let op = self.nesting.operator(self.forwards[at]);
            if op.sequence != backward.sequence {
                break;
            }
            match (allowed, last) {
                // None of the others says anything else.
                (None, None) if self.one_thread[at] => {
                    return Some(op.site).filter(|_| !self.belongs_to_another(op.thread(), backward));
                }
                (Some(thread), _) if op.thread() == thread => return Some(op.site),
                (Some(_), _) => {}
                (None, _) if self.belongs_to_another(op.thread(), backward) => {}
                (None, None) => last = Some(op),
                // Each thread counts for itself: the same number on two threads, and no flow to choose by, tells nothing.
                (None, Some(last)) if last.thread() != op.thread() && last.site != op.site => return None,
                (None, Some(_)) => {}
            }
        }
        last.map(|op| op.site)
    }

    /// Whether flows say that this thread's operators are those of another logical id.
    fn belongs_to_another(&self, thread: u32, backward: &Operator) -> bool {
        let own = backward.forward_thread();
        own.is_some() && self.thread_of.iter().any(|(id, of)| *of == thread && own != Some(*id))
    }

    /// The start of the flow that ends in this backward operator.
    fn flow_of(&self, backward: &Operator) -> Option<Moment> {
        if backward.sequence == NO_SEQUENCE || backward.is_forward() {
            return None;
        }
        let id = i64::from(backward.sequence);
        let mut starts = self.starts.of(id);
        let own = self.ends.place(&Moment { id, time: backward.start, thread: backward.thread() });
        match (own, starts.len()) {
            (_, 0) => None,
            (Some(_), 1) => starts.next().copied(),
            // Starts and ends of one number are written in pairs.
            (Some(place), count) if count == self.ends.of(id).len() => starts.nth(place).copied(),
            (Some(_), _) => None,
            // Starts alone, or ends that lie at no backward operator: the number is all there is to go by.
            (None, 1) => starts
                .next()
                .filter(|only| only.time < backward.start && !self.ends.of(id).any(|end| self.is_at_backward(end)))
                .copied(),
            (None, _) => None,
        }
    }

    /// Whether a flow's end lies exactly at the start of a backward operator of its number.
    fn is_at_backward(&self, end: &Moment) -> bool {
        self.starting_at(end.thread, end.time).any(|op| carries_sequence(op) && i64::from(op.sequence) == end.id)
    }

    /// The operators of a thread that start at exactly that time.
    fn starting_at(&self, thread: u32, time: i64) -> impl Iterator<Item = &Operator> {
        let list = self.nesting.thread(thread);
        let from = list.partition_point(|i| self.nesting.operator(*i).start < time);
        list[from..].iter().map(|i| self.nesting.operator(*i)).take_while(move |op| op.start == time)
    }

    /// The site of the operator a flow starts in: same thread, same start.
    fn site_at(&self, sequence: u32, flow: &Moment) -> Option<u32> {
        let mut same_start = self.starting_at(flow.thread, flow.time);
        let mut any = None;
        let with_number = same_start.find(|op| {
            any = any.or(Some(op.site).filter(|site| *site != NO_SITE));
            op.sequence == sequence && op.site != NO_SITE
        });
        with_number.map(|op| op.site).or(any)
    }
}

/// A backward operator that names its forward one. An operator that runs forward on a backward thread (`create_graph`,
/// recomputation) has a number too, but a new one, of its own.
fn carries_sequence(op: &Operator) -> bool {
    op.sequence != NO_SEQUENCE && !op.is_forward()
}
