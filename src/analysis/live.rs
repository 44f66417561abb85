//! Which blocks are live at a time, found without looking at all that were ever allocated.
//!
//! The blocks stand by allocation time, so those that have begun are the first so many; over them stand the latest ends of
//! every few blocks, of every few of these, and so on. Where even the latest end has passed, nothing below is looked at.

#![allow(clippy::indexing_slicing, reason = "nodes come from the columns' own lengths")]

use std::ops::Range;

/// Blocks, or nodes of the level below, under one node.
const FAN: usize = 8;

/// The latest ends, lowest level first; none for few blocks.
#[derive(Debug, Clone, Default)]
pub(crate) struct LatestEnds {
    levels: Vec<Vec<i64>>,
}

impl LatestEnds {
    /// `end` gives until when each of so many blocks is live.
    pub fn new(len: usize, end: impl Fn(usize) -> i64) -> LatestEnds {
        let mut levels: Vec<Vec<i64>> = Vec::new();
        if len > FAN {
            let of_blocks = |from: usize| (from..(from + FAN).min(len)).map(&end).max().unwrap_or(i64::MIN);
            let mut level: Vec<i64> = (0..len).step_by(FAN).map(of_blocks).collect();
            while level.len() > FAN {
                let next = level.chunks(FAN).map(|ends| ends.iter().copied().max().unwrap_or(i64::MIN)).collect();
                levels.push(std::mem::replace(&mut level, next));
            }
            levels.push(level);
        }
        LatestEnds { levels }
    }

    /// Gives each of some of the blocks that is live at a time, in their order; all of them have begun.
    pub fn live(&self, begun: Range<usize>, at_ns: i64, end: impl Fn(usize) -> i64, mut give: impl FnMut(usize)) {
        match self.levels.len().checked_sub(1) {
            None => begun.filter(|block| end(*block) > at_ns).for_each(give),
            Some(top) => {
                let nodes = 0..self.levels[top].len();
                self.below(top, nodes, &begun, at_ns, &end, &mut give);
            }
        }
    }

    fn below(
        &self,
        level: usize,
        nodes: Range<usize>,
        begun: &Range<usize>,
        at_ns: i64,
        end: &impl Fn(usize) -> i64,
        give: &mut impl FnMut(usize),
    ) {
        let width = FAN.pow(level as u32 + 1);
        for node in nodes.start.max(begun.start / width)..nodes.end.min(begun.end.div_ceil(width)) {
            if self.levels[level][node] <= at_ns {
                continue;
            }
            let below = node * FAN..(node + 1) * FAN;
            match level.checked_sub(1) {
                Some(next) => {
                    let below = below.start..below.end.min(self.levels[next].len());
                    self.below(next, below, begun, at_ns, end, give);
                }
                None => {
                    let blocks = below.start.max(begun.start)..below.end.min(begun.end);
                    blocks.filter(|block| end(*block) > at_ns).for_each(&mut *give);
                }
            }
        }
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        self.levels.iter().map(|level| level.capacity() * 8).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn live_blocks_are_those_of_a_look_at_every_block(
            ends in prop::collection::vec(prop_oneof![0i64..40, Just(i64::MAX)], 0..700), started in 0usize..700, from in 0usize..700, at_ns in -1i64..41,
        ) {
            let started = started.min(ends.len());
            let from = if from % 2 == 0 { 0 } else { from.min(started) };
            let index = LatestEnds::new(ends.len(), |block| ends[block]);
            let mut found = Vec::new();
            index.live(from..started, at_ns, |block| ends[block], |block| found.push(block));
            let all: Vec<usize> = (from..started).filter(|block| ends[*block] > at_ns).collect();
            prop_assert_eq!(found, all);
        }
    }

    #[test]
    fn looks_at_a_few_blocks_for_each_live_one() {
        let len = 200_000;
        // One in a thousand stays, the others end at once.
        let end = |block: usize| if block % 1000 == 999 { i64::MAX } else { block as i64 + 1 };
        let index = LatestEnds::new(len, end);
        assert!(index.kept_bytes() * 4 <= len * 5, "{}", index.kept_bytes());
        for started in [1, 999, 100_000, len] {
            let (looked, mut live) = (Cell::new(0), 0);
            let counted = |block| {
                looked.set(looked.get() + 1);
                end(block)
            };
            index.live(0..started, started as i64, counted, |_| live += 1);
            assert_eq!(live, started / 1000);
            assert!(looked.get() <= (live + 1) * FAN, "{} for {live}", looked.get());
        }
    }
}
