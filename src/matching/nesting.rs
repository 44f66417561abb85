//! Operators as a forest: which span holds which, a thread at a time.

#![allow(clippy::indexing_slicing, reason = "every index comes from this module's own sorted lists over the operators")]

use std::cmp::Reverse;

use crate::column::Column;
use crate::model::spans::Operator;

/// No parent.
const ROOT: u32 = u32::MAX;

/// The places of so many entries; beyond what 32 bits can count there are none.
pub(super) fn indices(len: usize) -> Vec<u32> {
    (0..u32::try_from(len).unwrap_or(u32::MAX)).collect()
}

/// Operators by thread, then start; outer before inner. They are written when they end: of two equal spans the inner one stands
/// first in the file.
pub(super) fn by_thread_and_start(operators: &Column<Operator>) -> Vec<u32> {
    let mut order = indices(operators.len());
    order.sort_unstable_by_key(|index| {
        let op = &operators[*index as usize];
        (op.thread(), op.start, Reverse(op.end), Reverse(*index))
    });
    order
}

/// The kept operators, each with the innermost kept operator of its thread that holds it.
pub(super) struct Nesting<'a> {
    pub operators: &'a Column<Operator>,
    parent: Vec<u32>,
    /// Operator indices by thread, then start; outer before inner.
    sorted: Vec<u32>,
    /// Where each thread begins in `sorted`, by thread id.
    threads: Vec<(u32, std::ops::Range<usize>)>,
}

impl<'a> Nesting<'a> {
    pub fn new(operators: &'a Column<Operator>) -> Nesting<'a> {
        let sorted = by_thread_and_start(operators);
        let mut parent = vec![ROOT; operators.len()];
        let mut threads: Vec<(u32, std::ops::Range<usize>)> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        for (at, &index) in sorted.iter().enumerate() {
            let op = &operators[index as usize];
            match threads.last_mut() {
                Some((thread, range)) if *thread == op.thread() => range.end = at + 1,
                _ => {
                    threads.push((op.thread(), at..at + 1));
                    open.clear();
                }
            }
            // What ends before this one ends holds nothing that this one does not hold as well: spans that overlap without
            // nesting are not each other's parents.
            while open.last().is_some_and(|top| operators[*top as usize].end < op.end) {
                open.pop();
            }
            parent[index as usize] = open.last().copied().unwrap_or(ROOT);
            open.push(index);
        }
        Nesting { operators, parent, sorted, threads }
    }

    /// One thread's operators by start.
    pub fn thread(&self, thread: u32) -> &[u32] {
        match self.threads.binary_search_by_key(&thread, |(id, _)| *id) {
            Ok(at) => &self.sorted[self.threads[at].1.clone()],
            Err(_) => &[],
        }
    }

    pub fn operator(&self, index: u32) -> &Operator {
        &self.operators[index as usize]
    }

    /// The operator that holds this one.
    pub fn parent(&self, index: u32) -> Option<u32> {
        Some(self.parent[index as usize]).filter(|p| *p != ROOT)
    }

    /// The innermost operator of a thread that holds a moment.
    pub fn innermost(&self, thread: u32, time: i64) -> Option<&Operator> {
        let list = self.thread(thread);
        let started = list.partition_point(|index| self.operator(*index).start <= time);
        let mut at = list[..started].last().copied();
        while let Some(index) = at {
            let op = self.operator(index);
            if op.end >= time {
                return Some(op);
            }
            at = self.parent(index);
        }
        None
    }

    /// The direct children of an operator.
    pub fn children(&self, index: u32) -> impl Iterator<Item = u32> {
        let op = *self.operator(index);
        let list = self.thread(op.thread());
        let from = list.partition_point(|i| self.operator(*i).start < op.start);
        list[from..]
            .iter()
            .copied()
            .take_while(move |i| self.operator(*i).start <= op.end)
            .filter(move |i| self.parent[*i as usize] == index)
    }
}
