//! What is allocated only to be released at once: by stack, and where one stack does little else for a while.
//!
//! Every model has short-lived blocks: each operator's temporaries. What stands out is a stretch of allocations, one after the
//! other, most of them from one line: a loop that allocates in Python. So do turns: a line that allocates the same size again right
//! after it released it, where keeping the block would do.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use serde::{Deserialize, Serialize};

use super::answer::{GroupBy, PoolKey};
use super::keys::Groups;
use super::rank::Rank;

/// Between two short-lived blocks of one stretch at most so many other blocks of the pool are allocated: other threads, and the
/// queue, go on.
pub const MOST_BETWEEN: usize = 8;
/// Between two turns at most so many: what a layer allocates again in the next layer is no loop of its own.
pub const MOST_BETWEEN_TURNS: usize = 2;

/// Asks what churns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChurnQuery {
    /// Blocks released within so many ns count.
    pub within_ns: i64,
    /// `None`: the framework pool.
    pub pool: Option<PoolKey>,
    /// At most so many stacks.
    pub limit: usize,
}

/// Allocations of one stack, one after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// Blocks.
    pub blocks: u64,
    /// First allocation, ns.
    pub from_ns: i64,
    /// Last allocation, ns.
    pub to_ns: i64,
}

/// One stack's short-lived blocks; only of those whose stack is certain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChurnGroup {
    /// The stack.
    pub stack: String,
    /// Its innermost user frame; may be empty.
    pub user_frame: String,
    /// Name of the first block.
    pub operator: String,
    /// Short-lived blocks.
    pub blocks: u64,
    /// Bytes allocated for them, all together.
    pub bytes: i64,
    /// The longest stretch of them: see [`MOST_BETWEEN`].
    pub longest: Stretch,
    /// Most of them in a row of one size, each allocated after the one before was released: see [`MOST_BETWEEN_TURNS`].
    #[serde(default)]
    pub turns: u64,
}

/// Short-lived blocks by stack, most bytes first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Churn {
    /// The pool answered for.
    pub pool: Option<PoolKey>,
    /// Released within so many ns.
    pub within_ns: i64,
    /// All short-lived blocks of the pool.
    pub blocks: u64,
    /// Bytes allocated for them.
    pub bytes: i64,
    /// Of these without a certain stack.
    pub uncertain_bytes: i64,
    /// Stacks that have any.
    pub group_count: u64,
    /// The stacks.
    pub groups: Vec<ChurnGroup>,
}

#[derive(Clone, Default)]
struct Found {
    row: usize,
    blocks: u64,
    bytes: i64,
    now: Stretch,
    longest: Stretch,
    /// Place after the last block, among the pool's.
    next: usize,
    /// Size of the last block, and when it was released.
    last: (i64, i64),
    turns_now: u64,
    turns: u64,
}

impl Rank {
    /// See [`Churn`].
    pub fn churn(&self, query: &ChurnQuery) -> Churn {
        let mut churn = Churn { within_ns: query.within_ns, ..Churn::default() };
        let Some(pool) = self.pool_index(query.pool.as_ref()) else { return churn };
        churn.pool = Some(self.pools[pool].key.clone());
        let keys = self.keys();
        let rows = keys.rows;
        let mut groups = Groups::new(keys.count(GroupBy::Stack), Found::default());
        // What is asked of every block is asked of each kind once.
        let kinds = self.live_set(pool).kinds;
        let stack = |row: &u32| {
            let row = *row as usize;
            rows.kind[row].is_certain().then(|| keys.of(GroupBy::Stack, row, 0))
        };
        let stacks: Vec<Option<Option<u32>>> = kinds.list().iter().map(stack).collect();
        for (place, row) in self.blocks_of(pool).iter().map(|row| *row as usize).enumerate() {
            let (time, size) = (rows.time[row], rows.size[row]);
            let end = rows.live_end(row);
            if end == i64::MAX || end.saturating_sub(time) > query.within_ns {
                continue;
            }
            churn.blocks += 1;
            churn.bytes = churn.bytes.saturating_add(size);
            let Some(stack) = stacks[kinds.of(place)] else {
                churn.uncertain_bytes = churn.uncertain_bytes.saturating_add(size);
                continue;
            };
            let found = groups.of(stack);
            if found.blocks == 0 {
                found.row = row;
            }
            if found.blocks == 0 || place > found.next + MOST_BETWEEN {
                found.now = Stretch { blocks: 0, from_ns: time, to_ns: time };
            }
            let (last_size, last_end) = found.last;
            let is_turn = size == last_size && time >= last_end && place <= found.next + MOST_BETWEEN_TURNS;
            found.turns_now = if found.blocks > 0 && is_turn { found.turns_now + 1 } else { 1 };
            found.turns = found.turns.max(found.turns_now);
            found.last = (size, end);
            found.blocks += 1;
            found.bytes = found.bytes.saturating_add(size);
            found.next = place + 1;
            found.now.blocks += 1;
            found.now.to_ns = time;
            if found.now.blocks > found.longest.blocks {
                found.longest = found.now;
            }
        }
        let mut found = groups.list;
        churn.group_count = found.len() as u64;
        found.sort_by_key(|(_, found)| (std::cmp::Reverse(found.bytes), found.row));
        found.truncate(query.limit);
        let named = |(key, found): (Option<u32>, Found)| ChurnGroup {
            stack: key.map_or("", |id| keys.text(GroupBy::Stack, id)).to_owned(),
            user_frame: self.sites.user_frame(rows.site[found.row]).to_owned(),
            operator: rows.name_of(found.row).to_owned(),
            blocks: found.blocks,
            bytes: found.bytes,
            longest: found.longest,
            turns: found.turns,
        };
        churn.groups = found.into_iter().map(named).collect();
        churn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::answer::TopQuery;
    use crate::analysis::rank::tests::{Block, STACKS, blocks, is_live, kind_of, rank, stack_of};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn churn_is_that_of_a_slow_count(blocks in blocks(), within_ns in 0i64..60, at_ns in -1i64..130) {
            let churn = rank(&blocks, &[]).churn(&ChurnQuery { within_ns, pool: None, limit: 9 });
            let is_short = |block: &Block| block.2.is_some_and(|lasts| lasts <= within_ns);
            let sum = |is: &dyn Fn(&Block) -> bool| {
                let of: Vec<i64> = blocks.iter().filter(|block| is(block)).map(|block| block.0).collect();
                (of.len() as u64, of.iter().sum::<i64>())
            };
            prop_assert_eq!((churn.blocks, churn.bytes), sum(&is_short));
            prop_assert_eq!(churn.uncertain_bytes, sum(&|block| is_short(block) && !kind_of(block).is_certain()).1);
            let mut order: Vec<&Block> = blocks.iter().collect();
            order.sort_by_key(|block| block.1);
            let mut groups = 0;
            for stack in STACKS {
                let is_of = |block: &Block| is_short(block) && stack_of(block) == Some(stack) && kind_of(block).is_certain();
                let (count, bytes) = sum(&is_of);
                let Some(group) = churn.groups.iter().find(|group| group.stack == stack) else {
                    prop_assert_eq!(count, 0);
                    continue;
                };
                groups += 1;
                prop_assert_eq!((group.blocks, group.bytes), (count, bytes));
                // Slow: the longest run of places with no more than so many others between any two neighbours.
                let places: Vec<usize> = (0..order.len()).filter(|at| is_of(order[*at])).collect();
                let run = |from: usize| {
                    1 + places[from..].windows(2).take_while(|pair| pair[1] - pair[0] <= MOST_BETWEEN + 1).count() as u64
                };
                let longest = (0..places.len()).map(run).max().unwrap();
                prop_assert_eq!(group.longest.blocks, longest);
                let first = (0..places.len()).find(|from| run(*from) == longest).unwrap();
                let is_turn = |pair: &[usize]| {
                    let [before, after] = [pair[0], pair[1]].map(|at| order[at]);
                    let ends = before.1 + before.2.unwrap();
                    after.0 == before.0 && after.1 >= ends && pair[1] - pair[0] <= MOST_BETWEEN_TURNS + 1
                };
                let turns = |from: usize| 1 + places[from..].windows(2).take_while(|pair| is_turn(pair)).count() as u64;
                prop_assert_eq!(group.turns, (0..places.len()).map(turns).max().unwrap());
                prop_assert_eq!(group.longest.from_ns, order[places[first]].1);
                prop_assert_eq!(group.longest.to_ns, order[places[first + longest as usize - 1]].1);
            }
            prop_assert_eq!((churn.groups.len(), churn.group_count), (groups, groups as u64));
            let query = TopQuery { at_ns, pool: None, by: GroupBy::Stack, within: None, limit: 9 };
            let temporaries = rank(&blocks, &[]).temporaries(&query, within_ns);
            let is_there = |block: &Block| is_short(block) && is_live(block, at_ns);
            prop_assert_eq!((temporaries.total_blocks, temporaries.total_bytes), sum(&is_there));
            for group in &temporaries.groups {
                let of = sum(&|block| is_there(block) && stack_of(block) == group.key.as_deref());
                prop_assert_eq!((group.blocks, group.bytes), of);
            }
            prop_assert!(churn.groups.is_sorted_by_key(|group| -group.bytes));
        }
    }
}
