//! Blocks that were never released, by the stack that allocated them and the step they were allocated in.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use std::collections::{BTreeMap, BTreeSet};

use super::rank::Rank;
use super::steps::{StepSpan, place_of};

/// One stack's blocks that were never released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreleased {
    /// Text id of the stack; its match is certain.
    pub stack: u32,
    /// Bytes by place of the step.
    pub bytes: BTreeMap<usize, i64>,
    pub blocks: u64,
    /// The first of its rows.
    pub first_row: usize,
    /// Operator and size of its blocks.
    pub alike: BTreeSet<(u32, i64)>,
}

/// What the rows of a pool tell of it.
pub(super) struct UnreleasedBySteps {
    pub stacks: Vec<Unreleased>,
    /// Allocated in a step and never released, without a certain stack: bytes by place of the step.
    pub uncertain: BTreeMap<usize, i64>,
    /// The places of the steps these were allocated in, by operator and size.
    uncertain_alike: BTreeMap<(u32, i64), BTreeSet<usize>>,
}

impl UnreleasedBySteps {
    /// Steps in which none of the stack's blocks stayed, but one of the same operator and size without a certain stack.
    pub fn alike_steps(&self, found: &Unreleased) -> usize {
        let steps = found.alike.iter().filter_map(|alike| self.uncertain_alike.get(alike)).flatten();
        steps.filter(|step| !found.bytes.contains_key(step)).collect::<BTreeSet<_>>().len()
    }
}

impl Rank {
    /// Of a pool's blocks; those from before the first step are left out.
    pub(super) fn unreleased(&self, pool: usize, steps: &[StepSpan]) -> UnreleasedBySteps {
        let rows = &self.rows;
        let mut stacks: BTreeMap<u32, Unreleased> = BTreeMap::new();
        let mut uncertain: BTreeMap<usize, i64> = BTreeMap::new();
        let mut uncertain_alike: BTreeMap<(u32, i64), BTreeSet<usize>> = BTreeMap::new();
        for row in self.blocks_of(pool).iter().map(|row| *row as usize) {
            if rows.live_end(row) != i64::MAX {
                continue;
            }
            let Some(step) = place_of(steps, rows.time[row]) else { continue };
            let stack = Some(rows.kind[row]).filter(|kind| kind.is_certain());
            let stack = stack.and_then(|_| self.sites.stack_id(rows.site[row]));
            let alike = (rows.name[row], rows.size[row]);
            let bytes = match stack {
                Some(stack) => {
                    let new =
                        Unreleased { stack, bytes: BTreeMap::new(), blocks: 0, first_row: row, alike: BTreeSet::new() };
                    let of_stack = stacks.entry(stack).or_insert(new);
                    of_stack.blocks += 1;
                    of_stack.alike.insert(alike);
                    of_stack.bytes.entry(step).or_default()
                }
                None => {
                    uncertain_alike.entry(alike).or_default().insert(step);
                    uncertain.entry(step).or_default()
                }
            };
            *bytes = bytes.saturating_add(rows.size[row]);
        }
        UnreleasedBySteps { stacks: stacks.into_values().collect(), uncertain, uncertain_alike }
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::rank::tests::{Block, STACKS, blocks, kind_of, rank, stack_of};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_stays_is_that_of_a_slow_count(blocks in blocks(), starts in prop::collection::btree_set(0i64..100, 1..6)) {
            let starts: Vec<i64> = starts.into_iter().collect();
            let end = |at: usize| starts.get(at + 1).map_or(100, |next| next - (next - starts[at]) / 3);
            let steps: Vec<(i64, i64)> = starts.iter().enumerate().map(|(at, start)| (*start, end(at))).collect();
            let rank = rank(&blocks, &steps);
            let steps = rank.steps_in_order();
            let stays = |block: &Block, step: usize| {
                let is_of = block.1 >= starts[step] && starts.get(step + 1).is_none_or(|next| block.1 < *next);
                block.2.is_none() && is_of
            };
            let found = rank.unreleased(rank.framework_pool().unwrap(), &steps);
            for step in 0..starts.len() {
                let sum = |is: &dyn Fn(&Block) -> bool| blocks.iter().filter(|b| stays(b, step) && is(b)).map(|b| b.0).sum::<i64>();
                prop_assert_eq!(found.uncertain.get(&step).copied().unwrap_or(0), sum(&|b| !kind_of(b).is_certain()));
                for stack in STACKS {
                    let of_stack = found.stacks.iter().find(|found| rank.sites.text(found.stack) == stack);
                    let bytes = of_stack.and_then(|found| found.bytes.get(&step)).copied().unwrap_or(0);
                    prop_assert_eq!(bytes, sum(&|b| stack_of(b) == Some(stack) && kind_of(b).is_certain()));
                }
            }
            for of_stack in &found.stacks {
                let is_its = |b: &Block| stack_of(b) == Some(rank.sites.text(of_stack.stack)) && kind_of(b).is_certain();
                let there = |step: usize, is: &dyn Fn(&Block) -> bool| blocks.iter().any(|b| stays(b, step) && is(b));
                let is_alike = |b: &Block| {
                    let has_size = |other: &Block| is_its(other) && other.0 == b.0;
                    !kind_of(b).is_certain() && (0..starts.len()).any(|step| there(step, &has_size))
                };
                let filled = (0..starts.len()).filter(|step| !there(*step, &is_its) && there(*step, &is_alike));
                prop_assert_eq!(found.alike_steps(of_stack), filled.count());
            }
        }
    }
}
