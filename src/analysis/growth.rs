//! What grew between two times: of each group what was live at the end less what was live at the start, and what of it was never
//! released.

#![allow(
    clippy::indexing_slicing,
    reason = "row indices come from the columns' own lengths, places from the list of times"
)]

use serde::{Deserialize, Serialize};

use super::answer::{ByMatch, Counted, GroupBy, PoolKey};
use super::breakdown::Beside;
use super::keys::Groups;
use super::rank::Rank;

/// Times looked at between the two asked for, at most: of more steps every so many-th.
const MOST_TIMES: usize = 130;

/// Asks what grew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrowthQuery {
    /// From, ns.
    pub from_ns: i64,
    /// To, ns.
    pub to_ns: i64,
    /// `None`: the framework pool.
    pub pool: Option<PoolKey>,
    /// Grouping. An age is that at each of the times.
    pub by: GroupBy,
    /// At most so many groups.
    pub limit: usize,
}

/// One group that grew or shrank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrownGroup {
    /// As in [`super::answer::Group`].
    pub key: Option<String>,
    /// Live at the end less live at the start, bytes.
    pub change_bytes: i64,
    /// The same of blocks.
    pub change_blocks: i64,
    /// The change by match kind; adds up to `change_bytes`.
    pub by_match: ByMatch,
    /// Allocated after the start and never released, as far as the recording goes: bytes.
    pub never_released_bytes: i64,
    /// Blocks of these.
    pub never_released_blocks: u64,
    /// Live at each of the answer's times, bytes.
    pub live_bytes: Vec<i64>,
    /// Whether it is larger at each of the times than at the one before.
    pub is_monotonic: bool,
}

/// What grew between two times, the largest growth first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// The pool answered for.
    pub pool: Option<PoolKey>,
    /// The start, the ends of the steps in between, the end; ns.
    pub times_ns: Vec<i64>,
    /// All live blocks at each of them, bytes.
    pub live_bytes: Vec<i64>,
    /// All changes together, bytes: live at the end less live at the start.
    pub change_bytes: i64,
    /// What no row tells, at the start and the end.
    pub beside: Option<[Beside; 2]>,
    /// How many groups changed.
    pub group_count: u64,
    /// Those that changed most, growth before loss.
    pub groups: Vec<GrownGroup>,
}

impl Rank {
    /// See [`Growth`].
    pub fn growth(&self, query: &GrowthQuery) -> Growth {
        let times = self.times_between(query.from_ns, query.to_ns);
        let mut growth = Growth {
            pool: None,
            live_bytes: vec![0; times.len()],
            times_ns: times,
            change_bytes: 0,
            beside: None,
            group_count: 0,
            groups: Vec::new(),
        };
        let Some(pool) = self.pool_index(query.pool.as_ref()) else { return growth };
        growth.pool = Some(self.pools[pool].key.clone());
        let keys = self.keys();
        let (rows, live) = (keys.rows, self.live_set(pool));
        let nothing = GrownGroup {
            key: None,
            change_bytes: 0,
            change_blocks: 0,
            by_match: ByMatch::default(),
            never_released_bytes: 0,
            never_released_blocks: 0,
            live_bytes: vec![0; growth.times_ns.len()],
            is_monotonic: false,
        };
        let mut groups = Groups::new(keys.count(query.by), nothing);
        let last = growth.times_ns.len() - 1;
        for (place, &time) in growth.times_ns.iter().enumerate() {
            live.pieces(Counted::LiveAt { at_ns: time }, query.by, None, |row, sum| {
                let group = groups.of(keys.of(query.by, row, time));
                group.live_bytes[place] = group.live_bytes[place].saturating_add(sum.bytes);
                growth.live_bytes[place] = growth.live_bytes[place].saturating_add(sum.bytes);
                if place == 0 {
                    group.change_blocks -= i64::from(sum.blocks);
                    group.by_match.add(rows.kind[row], -sum.bytes);
                }
                if place == last {
                    group.change_blocks += i64::from(sum.blocks);
                    group.by_match.add(rows.kind[row], sum.bytes);
                }
            });
        }
        live.each_never_released(query.from_ns, growth.times_ns[last], |block| {
            let row = live.blocks[block] as usize;
            let group = groups.of(keys.of(query.by, row, growth.times_ns[last]));
            group.never_released_bytes = group.never_released_bytes.saturating_add(rows.size[row]);
            group.never_released_blocks += 1;
        });
        let of_ends = |live: &[i64]| live[last].saturating_sub(live[0]);
        growth.change_bytes = of_ends(&growth.live_bytes);
        let beside = |place: usize| self.beside(growth.times_ns[place], growth.live_bytes[place], query.pool.as_ref());
        growth.beside = beside(0).zip(beside(last)).map(<[Beside; 2]>::from);
        let mut all = groups.list;
        for (_, group) in &mut all {
            group.change_bytes = of_ends(&group.live_bytes);
            group.is_monotonic = group.live_bytes.is_sorted_by(|before, after| before < after);
        }
        all.retain(|(_, group)| group.change_bytes != 0 || group.change_blocks != 0);
        growth.group_count = all.len() as u64;
        let text = |key: &Option<u32>| (key.is_none(), key.map_or("", |id| keys.text(query.by, id)));
        all.sort_by(|(a, x), (b, y)| y.change_bytes.cmp(&x.change_bytes).then_with(|| text(a).cmp(&text(b))));
        all.truncate(query.limit);
        let named = |(key, group): (Option<u32>, GrownGroup)| GrownGroup {
            key: key.map(|id| keys.text(query.by, id).to_owned()),
            ..group
        };
        growth.groups = all.into_iter().map(named).collect();
        growth
    }

    /// The two times, and the ends of the steps between them. Where the second comes first it counts as the first.
    fn times_between(&self, from_ns: i64, to_ns: i64) -> Vec<i64> {
        let to_ns = to_ns.max(from_ns);
        let mut ends: Vec<i64> = self.steps_in_order().iter().map(|step| step.end_ns).collect();
        ends.retain(|end| *end > from_ns && *end < to_ns);
        let every = ends.len() / MOST_TIMES + 1;
        let mut times = vec![from_ns];
        times.extend(ends.into_iter().skip(every - 1).step_by(every));
        times.push(to_ns);
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::rank::tests::{Block, STACKS, blocks, is_live, kind_of, rank, stack_of};
    use crate::model::match_kind::MatchKind;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn growth_is_that_of_a_slow_count(
            blocks in blocks(), ends in prop::collection::btree_set(1i64..100, 0..6), from in 0i64..110, lasts in 0i64..110,
            limit in 0usize..6,
        ) {
            let ends: Vec<i64> = ends.into_iter().collect();
            let steps: Vec<(i64, i64)> = ends.iter().enumerate().map(|(at, end)| (if at == 0 { 0 } else { ends[at - 1] }, *end)).collect();
            let to = from + lasts;
            let query = GrowthQuery { from_ns: from, to_ns: to, pool: None, by: GroupBy::Stack, limit };
            let growth = rank(&blocks, &steps).growth(&query);
            let mut times = vec![from];
            times.extend(ends.iter().copied().filter(|end| *end > from && *end < to));
            times.push(to);
            prop_assert_eq!(&growth.times_ns, &times);
            let sum = |is: &dyn Fn(&Block) -> bool| blocks.iter().filter(|block| is(block)).map(|block| block.0).sum::<i64>();
            for (at, time) in times.iter().enumerate() {
                prop_assert_eq!(growth.live_bytes[at], sum(&|block| is_live(block, *time)));
            }
            prop_assert_eq!(growth.change_bytes, growth.live_bytes[times.len() - 1] - growth.live_bytes[0]);
            let keys = [Some(STACKS[0]), Some(STACKS[1]), Some(STACKS[2]), None];
            let mut left = growth.change_bytes;
            let mut changed = 0;
            for key in keys {
                let live: Vec<i64> = times.iter().map(|time| sum(&|block| stack_of(block) == key && is_live(block, *time))).collect();
                let count = |time| blocks.iter().filter(|block| stack_of(block) == key && is_live(block, time)).count() as i64;
                let change = live[live.len() - 1] - live[0];
                changed += u64::from(change != 0 || count(to) != count(from));
                let Some(group) = growth.groups.iter().find(|group| group.key.as_deref() == key) else { continue };
                left -= group.change_bytes;
                prop_assert_eq!((group.change_bytes, group.change_blocks), (change, count(to) - count(from)));
                prop_assert_eq!(group.is_monotonic, live.windows(2).all(|pair| pair[0] < pair[1]));
                prop_assert_eq!(&group.live_bytes, &live);
                let stays = |block: &Block| stack_of(block) == key && block.1 > from && block.1 <= to && block.2.is_none();
                prop_assert_eq!(group.never_released_bytes, sum(&stays));
                prop_assert_eq!(group.never_released_blocks, blocks.iter().filter(|block| stays(block)).count() as u64);
                prop_assert_eq!(group.by_match.total(), change);
                for kind in MatchKind::ALL {
                    let of = |time| sum(&|block| stack_of(block) == key && kind_of(block) == kind && is_live(block, time));
                    prop_assert_eq!(group.by_match.get(kind), of(to) - of(from));
                }
            }
            prop_assert_eq!((growth.group_count, growth.groups.len()), (changed, (changed as usize).min(limit)));
            prop_assert!(growth.groups.is_sorted_by_key(|group| -group.change_bytes));
            if limit >= keys.len() {
                prop_assert_eq!(left, 0);
            }
        }
    }
}
