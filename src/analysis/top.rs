//! The live set of one pool at a time, grouped: who holds the memory.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use rustc_hash::FxHashMap;

use super::answer::{ByMatch, Group, GroupBy, PoolKey, Top, TopQuery};
use crate::model::rows::{NO_SITE, Rows};
use crate::model::sites::Sites;

/// What a query is answered from.
pub(crate) struct LiveSet<'a> {
    pub rows: &'a Rows,
    pub sites: &'a Sites,
    /// The pool's blocks, by allocation time.
    pub blocks: &'a [u32],
}

impl LiveSet<'_> {
    /// The largest groups at a time.
    pub fn top(&self, query: &TopQuery, pool: Option<PoolKey>) -> Top {
        let mut groups: FxHashMap<Option<u32>, Group> = FxHashMap::default();
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
        let started = self.blocks.partition_point(|row| self.rows.time[*row as usize] <= query.at_ns);
        for &row in &self.blocks[..started] {
            let row = row as usize;
            if self.rows.live_end(row) <= query.at_ns {
                continue;
            }
            if within.is_some_and(|(by, key)| self.key_of(by, row) != key) {
                continue;
            }
            let size = self.rows.size[row];
            top.total_bytes = top.total_bytes.saturating_add(size);
            top.total_blocks += 1;
            let group = groups.entry(self.key_of(query.by, row)).or_insert_with(|| Group {
                key: None,
                bytes: 0,
                blocks: 0,
                largest_bytes: 0,
                by_match: ByMatch::default(),
            });
            group.bytes = group.bytes.saturating_add(size);
            group.blocks += 1;
            group.largest_bytes = group.largest_bytes.max(size);
            group.by_match.add(self.rows.kind[row], size);
        }
        top.group_count = groups.len() as u64;
        let mut groups: Vec<(Option<u32>, Group)> = groups.into_iter().collect();
        let text = |key: Option<u32>| (key.is_none(), key.map_or("", |id| self.text_of(query.by, id)));
        groups.sort_by(|(a, x), (b, y)| y.bytes.cmp(&x.bytes).then_with(|| text(*a).cmp(&text(*b))));
        top.groups = groups
            .into_iter()
            .take(query.limit)
            .map(|(key, group)| Group { key: key.map(|id| self.text_of(query.by, id).to_owned()), ..group })
            .collect();
        top
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
