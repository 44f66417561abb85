//! Where a column's lowest and highest numbers stand, summed up in levels: so that a curve of millions of events is reduced to
//! a screen by looking at a few hundred of them a pixel column, and no peak is missed.

#![allow(clippy::indexing_slicing, reason = "positions and nodes come from the column's own length")]

use std::hint::select_unpredictable;
use std::ops::Range;

use crate::model::numbers::Narrow;
use crate::model::rows::NONE;

/// Entries summed up by one node of the lowest level.
const GROUP: usize = 64;
/// Nodes summed up by one of the next level.
const FAN: usize = 8;
/// Place of the extremes of a node without any number.
const NOWHERE: u32 = u32::MAX;

/// First lowest and first highest number of a stretch of the column, and where they stand: with the numbers beside the places
/// nothing is fetched from all over the column.
#[derive(Debug, Clone, Copy)]
struct Node {
    low: i64,
    high: i64,
    low_at: u32,
    high_at: u32,
}

/// The levels over one column, lowest first; none for a short column.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extremes {
    levels: Vec<Vec<Node>>,
}

/// A column's numbers; [`NONE`] where there is none.
pub(crate) trait Values {
    /// One of them.
    fn at(&self, place: usize) -> i64;

    /// The lowest and the highest in a range.
    fn span(&self, range: Range<usize>) -> Option<(i64, i64)> {
        // Plain numbers, the places aside. A missing number is lower than any.
        let (mut low, mut high) = (i64::MAX, NONE);
        for place in range {
            let value = self.at(place);
            low = low.min(if value == NONE { i64::MAX } else { value });
            high = high.max(value);
        }
        (high != NONE).then_some((low, high))
    }
}

impl<F: Fn(usize) -> i64> Values for F {
    fn at(&self, place: usize) -> i64 {
        self(place)
    }
}

impl Values for &Narrow {
    fn at(&self, place: usize) -> i64 {
        Narrow::at(self, place)
    }

    fn span(&self, range: Range<usize>) -> Option<(i64, i64)> {
        Narrow::span(self, range)
    }
}

/// Keeps the first lowest and the first highest of nodes; a place of [`NOWHERE`]: none yet.
struct Best {
    low: i64,
    high: i64,
    low_at: u32,
    high_at: u32,
}

impl Best {
    fn new() -> Best {
        Best { low: i64::MAX, high: NONE, low_at: NOWHERE, high_at: NOWHERE }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            // Which of them is next nobody can foretell: choosing without a branch is quicker.
            let is_lower = (node.low < self.low) | ((node.low == self.low) & (node.low_at < self.low_at));
            self.low = select_unpredictable(is_lower, node.low, self.low);
            self.low_at = select_unpredictable(is_lower, node.low_at, self.low_at);
            let is_higher = (node.high > self.high) | ((node.high == self.high) & (node.high_at < self.high_at));
            self.high = select_unpredictable(is_higher, node.high, self.high);
            self.high_at = select_unpredictable(is_higher, node.high_at, self.high_at);
        }
    }

    fn node(&self) -> Node {
        Node { low: self.low, high: self.high, low_at: self.low_at, high_at: self.high_at }
    }
}

/// The place of a number that is in the range for sure.
fn find(range: Range<usize>, number: i64, values: &impl Values) -> usize {
    let end = range.end;
    range.into_iter().find(|place| values.at(*place) == number).unwrap_or(end)
}

/// Nodes of the lowest level are made of the entries.
fn of_entries(range: Range<usize>, values: &impl Values) -> Node {
    let place = |number| u32::try_from(find(range.clone(), number, values)).unwrap_or(NOWHERE);
    match values.span(range.clone()) {
        None => Best::new().node(),
        Some((low, high)) => Node { low, high, low_at: place(low), high_at: place(high) },
    }
}

impl Extremes {
    /// Of a column of that length; `values` gives [`NONE`] where it has no number.
    pub fn new(len: usize, values: impl Values) -> Extremes {
        let mut levels: Vec<Vec<Node>> = Vec::new();
        // Places beyond what a node can name are looked at one by one.
        if len > GROUP && u32::try_from(len).is_ok() {
            let node = |from: usize| of_entries(from..(from + GROUP).min(len), &values);
            let mut level: Vec<Node> = (0..len).step_by(GROUP).map(node).collect();
            while level.len() > FAN {
                let of_nodes = |nodes: &[Node]| {
                    let mut best = Best::new();
                    best.nodes(nodes);
                    best.node()
                };
                let next = level.chunks(FAN).map(of_nodes).collect();
                levels.push(std::mem::replace(&mut level, next));
            }
            levels.push(level);
        }
        Extremes { levels }
    }

    /// Places of the first lowest and the first highest number in a range; `None` if it has no number.
    pub fn of(&self, range: Range<usize>, values: impl Values) -> Option<(usize, usize)> {
        let inner = if self.levels.is_empty() { range.end..range.end } else { whole(range.start, range.end, GROUP) };
        let (before, after) = (range.start..inner.start, inner.end..range.end);
        let best = self.of_groups(inner.start / GROUP, inner.end / GROUP);
        // What stands where is looked for once it is known which of the three parts has it.
        let parts = (values.span(before.clone()), values.span(after.clone()));
        let mut found = (best.high_at != NOWHERE).then_some((best.low, best.high));
        for part in [parts.0, parts.1].into_iter().flatten() {
            found = Some(found.map_or(part, |found| (found.0.min(part.0), found.1.max(part.1))));
        }
        let (low, high) = found?;
        let place = |number: i64, of: fn((i64, i64)) -> i64, inner: i64, inner_at: u32| {
            if parts.0.is_some_and(|part| of(part) == number) {
                find(before.clone(), number, &values)
            } else if inner_at != NOWHERE && inner == number {
                inner_at as usize
            } else {
                find(after.clone(), number, &values)
            }
        };
        Some((place(low, |part| part.0, best.low, best.low_at), place(high, |part| part.1, best.high, best.high_at)))
    }

    /// Of a range of whole groups.
    fn of_groups(&self, mut start: usize, mut end: usize) -> Best {
        let mut best = Best::new();
        let mut levels = self.levels.iter().peekable();
        while let Some(level) = levels.next() {
            if start == end {
                break;
            }
            if levels.peek().is_none() {
                best.nodes(&level[start..end]);
                break;
            }
            let inner = whole(start, end, FAN);
            best.nodes(&level[start..inner.start]);
            best.nodes(&level[inner.end..end]);
            (start, end) = (inner.start / FAN, inner.end / FAN);
        }
        best
    }

    /// The first place in a range that has a number.
    pub fn first(&self, range: Range<usize>, values: impl Values) -> Option<usize> {
        let mut at = range.start;
        if at < range.end && values.at(at) != NONE {
            return Some(at);
        }
        while at < range.end {
            match self.empty(|width| at.is_multiple_of(width).then_some(at / width)) {
                0 if values.at(at) != NONE => return Some(at),
                skipped => at += skipped.max(1),
            }
        }
        None
    }

    /// The last one.
    pub fn last(&self, range: Range<usize>, values: impl Values) -> Option<usize> {
        let mut end = range.end;
        if end > range.start && values.at(end - 1) != NONE {
            return Some(end - 1);
        }
        while end > range.start {
            match self.empty(|width| if end.is_multiple_of(width) { (end / width).checked_sub(1) } else { None }) {
                0 if values.at(end - 1) != NONE => return Some(end - 1),
                skipped => end = end.saturating_sub(skipped.max(1)),
            }
        }
        None
    }

    /// How many entries the widest empty node spans of those that `node` finds by their width.
    fn empty(&self, node: impl Fn(usize) -> Option<usize>) -> usize {
        let (mut width, mut widest) = (GROUP, 0);
        for level in &self.levels {
            let is_empty = |at: usize| level.get(at).is_some_and(|node| node.low_at == NOWHERE);
            if !node(width).is_some_and(is_empty) {
                break;
            }
            widest = width;
            width *= FAN;
        }
        widest
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        self.levels.iter().map(|level| level.capacity() * size_of::<Node>()).sum()
    }
}

/// The part of a range that consists of whole groups; empty at its start or end if there is none.
fn whole(start: usize, end: usize, group: usize) -> Range<usize> {
    let from = start.next_multiple_of(group).min(end);
    from..(end - end % group).max(from)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use proptest::prelude::*;

    /// A column with runs of missing numbers, longer than a node of the second level.
    fn column() -> impl Strategy<Value = Vec<i64>> {
        let run = prop_oneof![
            prop::collection::vec(-9i64..9, 1..300),
            prop::collection::vec(prop_oneof![Just(i64::MAX), Just(NONE + 1)], 1..100),
            (1usize..1500).prop_map(|len| vec![NONE; len]),
            prop::collection::vec(prop_oneof![Just(NONE), -9i64..9], 1..100),
        ];
        prop::collection::vec(run, 0..6).prop_map(|runs| runs.concat())
    }

    proptest! {
        #[test]
        fn finds_what_a_look_at_every_entry_finds(column in column(), cuts in prop::collection::vec((0.0..=1.0, 0.0..=1.0), 20)) {
            let value = |at: usize| column[at];
            let extremes = Extremes::new(column.len(), value);
            for (a, b) in cuts {
                let place = |share: f64| (share * column.len() as f64) as usize;
                let range = place(f64::min(a, b))..place(f64::max(a, b));
                let inside = || range.clone().filter(|at| column[*at] != NONE);
                let low = inside().min_by_key(|at| (column[*at], *at));
                let high = inside().max_by_key(|at| (column[*at], std::cmp::Reverse(*at)));
                prop_assert_eq!(extremes.of(range.clone(), value), low.zip(high));
                prop_assert_eq!(extremes.first(range.clone(), value), inside().next());
                prop_assert_eq!(extremes.last(range.clone(), value), inside().next_back());
            }
        }
    }

    #[test]
    fn looks_at_a_few_entries_of_a_long_column() {
        let len = 300_000;
        let looked = Cell::new(0);
        let value = |at: usize| {
            looked.set(looked.get() + 1);
            if at < 200_000 { NONE } else { (at as i64 * 7919) % 10_007 }
        };
        let extremes = Extremes::new(len, value);
        // A byte an entry at most.
        assert!(extremes.kept_bytes() <= len, "{}", extremes.kept_bytes());
        for range in [0..len, 1..len - 1, 199_000..250_001, 250_000..250_010, 123..200_001] {
            let most = 2 * GROUP + 2 * 2 * FAN * extremes.levels.len();
            for ask in [
                &|range| extremes.of(range, value).map(|_| ()) as Option<()>,
                &|range| extremes.first(range, value).map(|_| ()),
                &|range| extremes.last(range, value).map(|_| ()),
            ] as [&dyn Fn(Range<usize>) -> Option<()>; 3]
            {
                looked.set(0);
                assert!(ask(range.clone()).is_some());
                assert!(looked.get() <= most, "{range:?}: {} of {most}", looked.get());
            }
        }
    }
}
