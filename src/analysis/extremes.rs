//! Where a column's lowest and highest numbers stand, summed up in levels: so that a curve of millions of events is reduced to
//! a screen by looking at a few hundred of them a pixel column, and no peak is missed.

#![allow(clippy::indexing_slicing, reason = "positions and nodes come from the column's own length")]

use std::ops::Range;

use crate::model::rows::NONE;

/// Entries summed up by one node of the lowest level.
const GROUP: usize = 64;
/// Nodes summed up by one of the next level.
const FAN: usize = 8;
/// Place of the extremes of a node without any number.
const NOWHERE: u32 = u32::MAX;

/// First lowest and first highest number of a stretch of the column.
#[derive(Debug, Clone, Copy)]
struct Node {
    low: u32,
    high: u32,
}

/// The levels over one column, lowest first; none for a short column.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extremes {
    levels: Vec<Vec<Node>>,
}

/// Keeps the first lowest and the first highest.
struct Best<F> {
    value: F,
    low: Option<(i64, usize)>,
    high: Option<(i64, usize)>,
}

impl<F: Fn(usize) -> i64> Best<F> {
    fn new(value: F) -> Best<F> {
        Best { value, low: None, high: None }
    }

    fn lower(&mut self, value: i64, at: usize) {
        if self.low.is_none_or(|low| (value, at) < low) {
            self.low = Some((value, at));
        }
    }

    fn higher(&mut self, value: i64, at: usize) {
        if self.high.is_none_or(|(high, place)| value > high || (value == high && at < place)) {
            self.high = Some((value, at));
        }
    }

    fn entries(&mut self, range: Range<usize>) {
        // Most time is spent here: plain numbers, the places aside. A missing number is lower than any.
        let (mut low, mut high) = ((i64::MAX, None), (NONE, None));
        for at in range {
            let value = (self.value)(at);
            if value < low.0 && value != NONE {
                low = (value, Some(at));
            }
            if value > high.0 {
                high = (value, Some(at));
            }
        }
        if let Some(at) = high.1 {
            // Where none is below the highest number there is, it is the lowest as well.
            self.lower(low.0, low.1.unwrap_or(at));
            self.higher(high.0, at);
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes.iter().filter(|node| node.low != NOWHERE) {
            let (low, high) = (node.low as usize, node.high as usize);
            self.lower((self.value)(low), low);
            self.higher((self.value)(high), high);
        }
    }

    fn places(&self) -> Option<(usize, usize)> {
        Some((self.low?.1, self.high?.1))
    }

    fn node(&self) -> Node {
        let place = |at: usize| u32::try_from(at).unwrap_or(NOWHERE);
        self.places()
            .map_or(Node { low: NOWHERE, high: NOWHERE }, |(low, high)| Node { low: place(low), high: place(high) })
    }
}

impl Extremes {
    /// Of a column of that length; `value` gives [`NONE`] where it has no number.
    pub fn new(len: usize, value: impl Fn(usize) -> i64) -> Extremes {
        let mut levels: Vec<Vec<Node>> = Vec::new();
        // Places beyond what a node can name are looked at one by one.
        if len > GROUP && u32::try_from(len).is_ok() {
            let of_entries = |from: usize| {
                let mut best = Best::new(&value);
                best.entries(from..(from + GROUP).min(len));
                best.node()
            };
            let mut level: Vec<Node> = (0..len).step_by(GROUP).map(of_entries).collect();
            while level.len() > FAN {
                let of_nodes = |nodes: &[Node]| {
                    let mut best = Best::new(&value);
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
    pub fn of(&self, range: Range<usize>, value: impl Fn(usize) -> i64) -> Option<(usize, usize)> {
        let mut best = Best::new(value);
        let Range { mut start, mut end } = range;
        let Some(lowest) = self.levels.first() else {
            best.entries(start..end);
            return best.places();
        };
        let inner = whole(start, end, GROUP);
        best.entries(start..inner.start);
        best.entries(inner.end..end);
        (start, end) = (inner.start / GROUP, inner.end / GROUP);
        let mut level = lowest;
        for above in self.levels.iter().skip(1) {
            let inner = whole(start, end, FAN);
            best.nodes(&level[start..inner.start]);
            best.nodes(&level[inner.end..end]);
            (start, end) = (inner.start / FAN, inner.end / FAN);
            level = above;
        }
        best.nodes(&level[start..end]);
        best.places()
    }

    /// The first place in a range that has a number.
    pub fn first(&self, range: Range<usize>, value: impl Fn(usize) -> i64) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            match self.empty(|width| at.is_multiple_of(width).then_some(at / width)) {
                0 if value(at) != NONE => return Some(at),
                skipped => at += skipped.max(1),
            }
        }
        None
    }

    /// The last one.
    pub fn last(&self, range: Range<usize>, value: impl Fn(usize) -> i64) -> Option<usize> {
        let mut end = range.end;
        while end > range.start {
            match self.empty(|width| if end.is_multiple_of(width) { (end / width).checked_sub(1) } else { None }) {
                0 if value(end - 1) != NONE => return Some(end - 1),
                skipped => end = end.saturating_sub(skipped.max(1)),
            }
        }
        None
    }

    /// How many entries the widest empty node spans of those that `node` finds by their width.
    fn empty(&self, node: impl Fn(usize) -> Option<usize>) -> usize {
        let (mut width, mut widest) = (GROUP, 0);
        for level in &self.levels {
            let is_empty = |at: usize| level.get(at).is_some_and(|node| node.low == NOWHERE);
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
        // Half a byte an entry at most.
        assert!(extremes.kept_bytes() * 2 <= len, "{}", extremes.kept_bytes());
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
