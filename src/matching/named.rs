//! Operators of one name in the order of time: which of them are open at a moment, and which began last.

#![allow(clippy::indexing_slicing, reason = "operator indices come from the list of operators itself")]

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::column::Column;
use crate::model::rows::NO_SITE;
use crate::model::spans::{NO_NAME, Operator};

/// The operators that some row is named after, by name, then start; outer before inner.
pub(super) struct Named<'a> {
    operators: &'a Column<Operator>,
    sorted: Vec<u32>,
    names: FxHashMap<u32, Range<usize>>,
}

impl<'a> Named<'a> {
    pub fn new(operators: &'a Column<Operator>) -> Named<'a> {
        let mut names: FxHashMap<u32, Range<usize>> = FxHashMap::default();
        for op in operators.iter().filter(|op| op.name != NO_NAME) {
            names.entry(op.name).or_default().end += 1;
        }
        let mut next = 0;
        for range in names.values_mut() {
            let count = range.end;
            *range = next..next;
            next += count;
        }
        // Each name's own stand nearly by time in the file: lists that are sorted quickly.
        let mut sorted = vec![0; next];
        for (index, op) in (0..).zip(operators.iter()) {
            if let Some(range) = names.get_mut(&op.name) {
                sorted[range.end] = index;
                range.end += 1;
            }
        }
        for range in names.values() {
            // Operators are written when they end: of two equal spans the inner one stands first in the file.
            sorted[range.clone()].sort_unstable_by_key(|i| {
                let op = &operators[*i as usize];
                (op.start, Reverse(op.end), Reverse(*i))
            });
        }
        Named { operators, sorted, names }
    }

    /// A walk over the operators of one name; times asked for must not go back.
    pub fn sweep(&self, name: u32) -> Sweep<'_> {
        let range = self.names.get(&name).cloned().unwrap_or(0..0);
        Sweep { operators: self.operators, ahead: &self.sorted[range], open: BTreeMap::new(), last: None }
    }
}

/// A walk through time over the operators of one name.
pub(super) struct Sweep<'a> {
    operators: &'a Column<Operator>,
    /// Those that have not started.
    ahead: &'a [u32],
    /// By thread, those that have started and may not have ended, the last started one on top.
    open: BTreeMap<u32, Vec<u32>>,
    last: Option<u32>,
}

impl Sweep<'_> {
    fn advance(&mut self, time: i64) {
        while let Some((&index, rest)) = self.ahead.split_first() {
            let op = &self.operators[index as usize];
            if op.start > time {
                return;
            }
            self.ahead = rest;
            let stack = self.open.entry(op.thread()).or_default();
            drop_ended(stack, self.operators, op.start);
            stack.push(index);
            if op.site != NO_SITE {
                self.last = Some(index);
            }
        }
    }

    /// On each thread the innermost operator that holds this moment, by thread.
    pub fn innermost(&mut self, time: i64) -> impl Iterator<Item = u32> {
        self.advance(time);
        let operators = self.operators;
        self.open.retain(|_, stack| {
            drop_ended(stack, operators, time);
            !stack.is_empty()
        });
        self.open.values().filter_map(|stack| stack.last().copied())
    }

    /// The innermost operator of one thread that holds this moment.
    pub fn innermost_on(&mut self, thread: u32, time: i64) -> Option<u32> {
        self.advance(time);
        let stack = self.open.get_mut(&thread)?;
        drop_ended(stack, self.operators, time);
        stack.last().copied()
    }

    /// The last operator with a stack that had started, ended or not.
    pub fn last_started(&mut self, time: i64) -> Option<u32> {
        self.advance(time);
        self.last
    }
}

/// Takes away what had ended on top of a stack: no later moment asks for it.
fn drop_ended(stack: &mut Vec<u32>, operators: &Column<Operator>, time: i64) {
    while stack.last().is_some_and(|top| operators[*top as usize].end < time) {
        stack.pop();
    }
}
