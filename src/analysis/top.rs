//! The live set of one pool at a time, grouped: who holds the memory.

#![allow(clippy::indexing_slicing, reason = "row indices and key ids come from the columns and texts themselves")]

use super::answer::{ByMatch, Group, GroupBy, PoolKey, Top, TopQuery};
use super::live::LatestEnds;
use crate::model::rows::{NO_SITE, Rows};
use crate::model::sites::Sites;

/// What a query is answered from.
pub(crate) struct LiveSet<'a> {
    pub rows: &'a Rows,
    pub sites: &'a Sites,
    /// The pool's blocks, by allocation time.
    pub blocks: &'a [u32],
    /// Over their ends.
    pub ends: &'a LatestEnds,
}

/// A group and its key's id, `None` without an asserted stack.
type Keyed = (Option<u32>, Group);

/// Groups in the order they were first seen, each found by its key's id: these are dense.
struct Groups {
    /// One more than the place of each id's group; 0: none yet. The first is that without a key, the last that of texts beyond
    /// what can be stored.
    places: Vec<u32>,
    list: Vec<Keyed>,
}

impl Groups {
    fn new(keys: usize) -> Groups {
        Groups { places: vec![0; keys + 2], list: Vec::new() }
    }

    fn of(&mut self, key: Option<u32>) -> &mut Group {
        let last = self.places.len() - 1;
        let place = &mut self.places[key.map_or(0, |id| (id as usize).saturating_add(1).min(last))];
        if *place == 0 {
            let nothing = Group { key: None, bytes: 0, blocks: 0, largest_bytes: 0, by_match: ByMatch::default() };
            self.list.push((key, nothing));
            *place = self.list.len() as u32;
        }
        &mut self.list[*place as usize - 1].1
    }
}

impl LiveSet<'_> {
    /// The largest groups at a time.
    pub fn top(&self, query: &TopQuery, pool: Option<PoolKey>) -> Top {
        let mut top =
            Top { at_ns: query.at_ns, pool, total_bytes: 0, total_blocks: 0, group_count: 0, groups: Vec::new() };
        let within = match &query.within {
            None => None,
            Some((by, key)) => match key.as_deref().map(|key| self.find_key(*by, key)) {
                // A key this rank does not have holds nothing.
                Some(None) => return top,
                Some(found) => Some((*by, found)),
                None => Some((*by, None)),
            },
        };
        let mut groups = Groups::new(self.key_count(query.by));
        let started = self.blocks.partition_point(|row| self.rows.time[*row as usize] <= query.at_ns);
        let end = |block: usize| self.rows.live_end(self.blocks[block] as usize);
        self.ends.live(started, query.at_ns, end, |block| {
            let row = self.blocks[block] as usize;
            if within.is_some_and(|(by, key)| self.key_of(by, row) != key) {
                return;
            }
            let size = self.rows.size[row];
            top.total_bytes = top.total_bytes.saturating_add(size);
            top.total_blocks += 1;
            let group = groups.of(self.key_of(query.by, row));
            group.bytes = group.bytes.saturating_add(size);
            group.blocks += 1;
            group.largest_bytes = group.largest_bytes.max(size);
            group.by_match.add(self.rows.kind[row], size);
        });
        let mut groups = groups.list;
        top.group_count = groups.len() as u64;
        let text = |key: Option<u32>| (key.is_none(), key.map_or("", |id| self.text_of(query.by, id)));
        let order = |(a, x): &Keyed, (b, y): &Keyed| y.bytes.cmp(&x.bytes).then_with(|| text(*a).cmp(&text(*b)));
        if query.limit < groups.len() {
            groups.select_nth_unstable_by(query.limit, order);
            groups.truncate(query.limit);
        }
        groups.sort_by(order);
        top.groups = groups
            .into_iter()
            .map(|(key, group)| Group { key: key.map(|id| self.text_of(query.by, id).to_owned()), ..group })
            .collect();
        top
    }

    /// One more than the highest id of a key.
    fn key_count(&self, by: GroupBy) -> usize {
        match by {
            GroupBy::Operator => self.rows.names.len(),
            GroupBy::Stack | GroupBy::UserFrame => self.sites.text_count(),
        }
    }

    fn key_of(&self, by: GroupBy, row: usize) -> Option<u32> {
        let site = Some(self.rows.site[row]).filter(|site| *site != NO_SITE);
        match by {
            GroupBy::Operator => Some(self.rows.name[row]),
            GroupBy::Stack => site.and_then(|site| self.sites.stack_id(site)),
            GroupBy::UserFrame => site.and_then(|site| self.sites.user_frame_id(site)),
        }
    }

    fn text_of(&self, by: GroupBy, id: u32) -> &str {
        match by {
            GroupBy::Operator => self.rows.names.text(id),
            GroupBy::Stack | GroupBy::UserFrame => self.sites.text(id),
        }
    }

    fn find_key(&self, by: GroupBy, key: &str) -> Option<u32> {
        match by {
            GroupBy::Operator => self.rows.names.find(key.as_bytes()),
            GroupBy::Stack | GroupBy::UserFrame => self.sites.find_text(key),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::model::match_kind::MatchKind;
    use crate::model::pools::Pools;
    use crate::model::rows::tests::add;
    use crate::model::sites::tests::of_stacks;
    use proptest::prelude::*;

    /// Two of one user frame, one of library code alone.
    const STACKS: [&str; 3] = ["/w/a.py(1): f", "/x/site-packages/t.py(1): g;/w/a.py(1): f", "<string>(1): h"];
    const FRAMES: [&str; 3] = ["/w/a.py(1): f", "/w/a.py(1): f", ""];
    const NAMES: [&str; 3] = ["aten::a", "", "aten::b"];

    proptest! {
        #[test]
        fn groups_are_those_of_a_slow_count(
            blocks in prop::collection::vec((0usize..3, 0i64..50, 0i64..100, prop::option::of(0i64..60), 0usize..5), 1..150),
            at_ns in -1i64..130, limit in 0usize..6, filter in prop::option::of((0usize..3, 0usize..5)),
        ) {
            let sites = of_stacks(&STACKS);
            let mut rows = Rows::default();
            for (at, (name, size, time, lasts, site)) in blocks.iter().enumerate() {
                add(&mut rows, NAMES[*name], *size, *time, lasts.map(|lasts| time + lasts), None);
                if *site < STACKS.len() {
                    rows.site[at] = *site as u32;
                    rows.kind[at] = MatchKind::ALL[site % 2];
                }
            }
            rows.settle(&Pools::default());
            let all_by = [GroupBy::Operator, GroupBy::Stack, GroupBy::UserFrame];
            let key_of = |by: GroupBy, at: usize| -> Option<&str> {
                let (name, _, _, _, site) = blocks[at];
                match by {
                    GroupBy::Operator => Some(NAMES[name]),
                    GroupBy::Stack => STACKS.get(site).copied(),
                    GroupBy::UserFrame => FRAMES.get(site).copied(),
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
                let top = LiveSet { rows: &rows, sites: &sites, blocks: &rows.order, ends: &ends }.top(&query, None);
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
