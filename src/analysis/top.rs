//! The live set of one pool at a time, grouped: who holds the memory.

#![allow(clippy::indexing_slicing, reason = "row indices and key ids come from the columns and texts themselves")]

use std::ops::Range;

use super::answer::{ByMatch, Counted, Group, GroupBy, PoolKey, Top, TopQuery};
use super::keys::{Groups, Keys};
use super::kinds::{Kinds, Sum};
use super::live::LatestEnds;

/// What a query is answered from.
pub(crate) struct LiveSet<'a> {
    pub keys: Keys<'a>,
    /// The pool's blocks, by allocation time.
    pub blocks: &'a [u32],
    /// Over their ends.
    pub ends: &'a LatestEnds,
    /// What most groupings can tell of them apart.
    pub kinds: &'a Kinds,
}

/// A filter: grouping and key's id, as [`Keys::of`] gives it.
pub(crate) type Within = Option<(GroupBy, Option<u32>)>;

/// A group and its key's id, `None` without an asserted stack.
type Keyed = (Option<u32>, Group);

impl LiveSet<'_> {
    /// Gives the row of each block that is live at a time.
    pub fn each(&self, at_ns: i64, mut give: impl FnMut(usize)) {
        let rows = self.keys.rows;
        let started = self.blocks.partition_point(|row| rows.time[*row as usize] <= at_ns);
        let end = |block: usize| rows.live_end(self.blocks[block] as usize);
        self.ends.live(0..started, at_ns, end, |block| give(self.blocks[block] as usize));
    }

    /// Gives each block allocated after one time, and up to another, that was never released.
    pub fn each_never_released(&self, after_ns: i64, to_ns: i64, give: impl FnMut(usize)) {
        let rows = self.keys.rows;
        let begun = |at_ns: i64| self.blocks.partition_point(|row| rows.time[*row as usize] <= at_ns);
        let end = |block: usize| rows.live_end(self.blocks[block] as usize);
        self.ends.live(begun(after_ns)..begun(to_ns), i64::MAX - 1, end, give);
    }

    /// Of each kind what is live at a time.
    fn of_kinds(&self, at_ns: i64) -> Vec<Sum> {
        let rows = self.keys.rows;
        let started = self.blocks.partition_point(|row| rows.time[*row as usize] <= at_ns);
        let end = |block: usize| rows.live_end(self.blocks[block] as usize);
        let mut sums = vec![Sum::default(); self.kinds.list().len()];
        for (blocks, stretch) in self.kinds.stretches(started) {
            match stretch.filter(|stretch| stretch.all_until > at_ns) {
                Some(stretch) => sums.iter_mut().zip(&stretch.sums).for_each(|(sum, more)| sum.merge(*more)),
                None => self.ends.live(blocks, at_ns, end, |block| {
                    sums[self.kinds.of(block)].merge(Sum::of(rows.size[self.blocks[block] as usize]));
                }),
            }
        }
        sums
    }

    /// Of each kind what was allocated among some of the blocks.
    fn allocated_of_kinds(&self, places: Range<usize>) -> Vec<Sum> {
        let rows = self.keys.rows;
        let mut sums = vec![Sum::default(); self.kinds.list().len()];
        for (blocks, stretch) in self.kinds.stretches(places.end) {
            match stretch.filter(|_| blocks.start >= places.start) {
                Some(stretch) => sums.iter_mut().zip(&stretch.sums).for_each(|(sum, more)| sum.merge(*more)),
                None => (blocks.start.max(places.start)..blocks.end).for_each(|block| {
                    sums[self.kinds.of(block)].merge(Sum::of(rows.size[self.blocks[block] as usize]));
                }),
            }
        }
        sums
    }

    /// A filter as it is asked for, with its key's id; `None` for a key this rank does not have, which holds nothing.
    pub fn within(&self, filter: Option<&(GroupBy, Option<String>)>) -> Option<Within> {
        match filter {
            None => Some(None),
            Some((by, None)) => Some(Some((*by, None))),
            Some((by, Some(key))) => self.keys.find(*by, key).map(|id| Some((*by, Some(id)))),
        }
    }

    /// Gives sums of blocks that are alike but in size and age, each with one of their rows; where `by` or the filter tells them
    /// apart, each block.
    pub fn pieces(&self, of: Counted, by: GroupBy, within: Within, mut give: impl FnMut(usize, Sum)) {
        let rows = self.keys.rows;
        let at_ns = of.at_ns();
        let mut add = |row: usize, sum: Sum| {
            if within.is_none_or(|(by, key)| self.keys.of(by, row, at_ns) == key) {
                give(row, sum);
            }
        };
        // Sizes and ages are a block's own.
        let is_own = |by: GroupBy| matches!(by, GroupBy::Size | GroupBy::Age);
        let is_own = is_own(by) || within.is_some_and(|(by, _)| is_own(by));
        let sums = match of {
            Counted::LiveAt { at_ns } if is_own => return self.each(at_ns, |row| add(row, Sum::of(rows.size[row]))),
            Counted::LiveAt { at_ns } => self.of_kinds(at_ns),
            Counted::Allocated { from_ns, to_ns } => {
                let first = self.blocks.partition_point(|row| rows.time[*row as usize] < from_ns);
                let end = self.blocks.partition_point(|row| rows.time[*row as usize] <= to_ns).max(first);
                if is_own {
                    let inside = self.blocks[first..end].iter().map(|row| *row as usize);
                    return inside.for_each(|row| add(row, Sum::of(rows.size[row])));
                }
                self.allocated_of_kinds(first..end)
            }
        };
        let some = self.kinds.list().iter().zip(sums).filter(|(_, sum)| sum.blocks > 0);
        some.for_each(|(row, sum)| add(*row as usize, sum));
    }

    /// Gives the row of each block that is live at a time and released within so many ns of its allocation.
    fn each_short(&self, at_ns: i64, within_ns: i64, mut give: impl FnMut(usize)) {
        let rows = self.keys.rows;
        // What is still there was allocated not much earlier.
        let first = self.blocks.partition_point(|row| rows.time[*row as usize] <= at_ns.saturating_sub(within_ns));
        let end = self.blocks.partition_point(|row| rows.time[*row as usize] <= at_ns).max(first);
        for row in self.blocks[first..end].iter().map(|row| *row as usize) {
            let ends = rows.live_end(row);
            if ends > at_ns && ends != i64::MAX && ends.saturating_sub(rows.time[row]) <= within_ns {
                give(row);
            }
        }
    }

    /// The largest groups at a time; of blocks released within so many ns, if that is asked for.
    pub fn top(&self, query: &TopQuery, pool: Option<PoolKey>, within_ns: Option<i64>) -> Top {
        let mut top = Top { pool, ..Top::empty(query.at_ns) };
        let Some(within) = self.within(query.within.as_ref()) else { return top };
        let nothing = Group { key: None, bytes: 0, blocks: 0, largest_bytes: 0, by_match: ByMatch::default() };
        let mut groups = Groups::new(self.keys.count(query.by), nothing);
        let rows = self.keys.rows;
        let mut add = |row: usize, live: Sum| {
            top.total_bytes = top.total_bytes.saturating_add(live.bytes);
            top.total_blocks += u64::from(live.blocks);
            let group = groups.of(self.keys.of(query.by, row, query.at_ns));
            group.bytes = group.bytes.saturating_add(live.bytes);
            group.blocks += u64::from(live.blocks);
            group.largest_bytes = group.largest_bytes.max(live.largest);
            group.by_match.add(rows.kind[row], live.bytes);
        };
        match within_ns {
            None => self.pieces(Counted::LiveAt { at_ns: query.at_ns }, query.by, within, add),
            Some(within_ns) => self.each_short(query.at_ns, within_ns, |row| {
                if within.is_none_or(|(by, key)| self.keys.of(by, row, query.at_ns) == key) {
                    add(row, Sum::of(rows.size[row]));
                }
            }),
        }
        let mut groups = groups.list;
        top.group_count = groups.len() as u64;
        let text = |key: Option<u32>| (key.is_none(), key.map_or("", |id| self.keys.text(query.by, id)));
        let order = |(a, x): &Keyed, (b, y): &Keyed| y.bytes.cmp(&x.bytes).then_with(|| text(*a).cmp(&text(*b)));
        if query.limit < groups.len() {
            groups.select_nth_unstable_by(query.limit, order);
            groups.truncate(query.limit);
        }
        groups.sort_by(order);
        top.groups = groups
            .into_iter()
            .map(|(key, group)| Group { key: key.map(|id| self.keys.text(query.by, id).to_owned()), ..group })
            .collect();
        top
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::analysis::classes;
    use crate::model::match_kind::MatchKind;
    use crate::model::pools::Pools;
    use crate::model::rows::Rows;
    use crate::model::rows::tests::add;
    use crate::model::sites::tests::of_sites;
    use proptest::prelude::*;

    /// Two of one user frame, one of library code alone.
    const STACKS: [&str; 3] = ["/w/a.py(1): f", "/x/site-packages/t.py(1): g;/w/a.py(1): f", "<string>(1): h"];
    const FRAMES: [&str; 3] = ["/w/a.py(1): f", "/w/a.py(1): f", ""];
    const NAMES: [&str; 3] = ["aten::a", "", "aten::b"];
    const MODULES: [&str; 3] = ["model.a", "", "model.a"];

    proptest! {
        #[test]
        fn groups_are_those_of_a_slow_count(
            blocks in prop::collection::vec((0usize..3, prop_oneof![0i64..50, 500i64..5000], 0i64..100, prop::option::of(0i64..60), 0usize..5), 1..150),
            at_ns in -1i64..130, limit in 0usize..6, filter in prop::option::of((0usize..6, 0usize..5)),
        ) {
            let sites = of_sites(&[0, 1, 2].map(|at: usize| (STACKS[at], MODULES[at])));
            let mut rows = Rows::default();
            for (name, size, time, lasts, _) in &blocks {
                add(&mut rows, NAMES[*name], *size, *time, lasts.map(|lasts| time + lasts), None);
            }
            rows.settle(&Pools::default());
            for (at, (.., site)) in blocks.iter().enumerate() {
                if *site < STACKS.len() {
                    rows.site[at] = *site as u32;
                    rows.kind[at] = MatchKind::ALL[site % 2];
                }
            }
            let kinds = Kinds::new(&rows, &rows.order);
            let all_by = GroupBy::ALL;
            let key_of = |by: GroupBy, at: usize| -> Option<&str> {
                let (name, size, time, _, site) = blocks[at];
                match by {
                    GroupBy::Operator => Some(NAMES[name]),
                    GroupBy::Stack => STACKS.get(site).copied(),
                    GroupBy::UserFrame => FRAMES.get(site).copied(),
                    GroupBy::Module => MODULES.get(site).copied(),
                    GroupBy::Size => Some(classes::SIZES[classes::size(size) as usize].text),
                    GroupBy::Age => Some(classes::AGES[classes::age(at_ns - time) as usize].text),
                }
            };
            // Keys some rank has, one no rank has, and the group without a key.
            let within = filter.map(|(by, key)| {
                let keys = [key_of(all_by[by], 0), Some(STACKS[0]), Some(""), Some("nowhere"), None];
                (all_by[by], keys[key].map(str::to_owned))
            });
            for by in all_by {
                let live: Vec<usize> = (0..blocks.len())
                    .filter(|at| blocks[*at].2 <= at_ns && blocks[*at].3.is_none_or(|lasts| at_ns < blocks[*at].2 + lasts))
                    .filter(|at| within.as_ref().is_none_or(|(by, key)| key_of(*by, *at) == key.as_deref()))
                    .collect();
                let mut slow: HashMap<Option<&str>, (i64, u64, i64)> = HashMap::new();
                for at in &live {
                    let group = slow.entry(key_of(by, *at)).or_default();
                    let size = blocks[*at].1;
                    *group = (group.0 + size, group.1 + 1, group.2.max(size));
                }
                let query = TopQuery { at_ns, pool: None, by, within: within.clone(), limit };
                let ends = LatestEnds::new(rows.len(), |block| rows.live_end(rows.order[block] as usize));
                let top = LiveSet { keys: Keys { rows: &rows, sites: &sites }, blocks: &rows.order, ends: &ends, kinds: &kinds }.top(&query, None, None);
                prop_assert_eq!(top.total_bytes, live.iter().map(|at| blocks[*at].1).sum::<i64>());
                prop_assert_eq!((top.total_blocks, top.group_count), (live.len() as u64, slow.len() as u64));
                prop_assert_eq!(top.groups.len(), slow.len().min(limit));
                for group in &top.groups {
                    prop_assert_eq!((group.bytes, group.blocks, group.largest_bytes), slow[&group.key.as_deref()]);
                    let by_match: i64 = MatchKind::ALL.into_iter().map(|kind| group.by_match.get(kind)).sum();
                    prop_assert_eq!(by_match, group.bytes);
                }
                let order: Vec<_> = top.groups.iter().map(|g| (-g.bytes, g.key.is_none(), g.key.clone())).collect();
                prop_assert!(order.is_sorted(), "{:?}", order);
                let least = top.groups.last().map_or(i64::MAX, |group| group.bytes);
                let left_out = slow.values().filter(|(bytes, ..)| *bytes > least).count();
                prop_assert!(left_out <= top.groups.len());
            }
        }
    }
}
