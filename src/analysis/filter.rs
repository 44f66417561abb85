//! Which rows a person wants to see.

#![allow(
    clippy::indexing_slicing,
    reason = "row indices come from the columns' own lengths, ids from the texts themselves"
)]

use serde::{Deserialize, Serialize};

use super::answer::{GroupBy, PoolKey};
use super::rank::Rank;
use crate::model::rows::{NO_SITE, NONE};

/// What must hold of a row; what is not given always holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BlockFilter {
    /// In its operator, or anywhere in its call stack, whatever the case; empty: anything.
    pub text: String,
    /// Its pool.
    pub pool: Option<PoolKey>,
    /// Least and most bytes, both included.
    pub bytes: [Option<i64>; 2],
    /// Least and most time from allocation to release, ns, both included; blocks never released live longer than any.
    pub life_ns: [Option<i64>; 2],
    /// Least and most of the pool's allocated total after its allocation, bytes.
    pub allocated: [Option<i64>; 2],
    /// Allocated between these times, both included, ns.
    pub allocated_in: Option<[i64; 2]>,
    /// Live at this time, ns.
    pub live_at: Option<i64>,
    /// Never released.
    pub never_released: bool,
    /// Allocated between these times and not released by the second, ns.
    pub unreleased_in: Option<[i64; 2]>,
    /// In this group (grouping and key; without a key: no asserted stack). Not for ages, which have no time here.
    pub group: Option<(GroupBy, Option<String>)>,
}

fn within(number: i64, [least, most]: [Option<i64>; 2]) -> bool {
    least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
}

fn between(time: i64, range: Option<[i64; 2]>) -> bool {
    range.is_none_or(|[from, to]| (from..=to).contains(&time))
}

/// A filter, made ready for one rank: each text was looked at once.
pub(crate) struct Wanted<'a> {
    rank: &'a Rank,
    filter: &'a BlockFilter,
    pool: Option<Option<usize>>,
    /// By name and by site, if a text is asked for.
    named: Option<(Vec<bool>, Vec<bool>)>,
    /// `None`: the key is not one of this rank's.
    group: Option<Option<(GroupBy, Option<u32>)>>,
}

impl<'a> Wanted<'a> {
    /// Of this filter.
    pub fn new(rank: &'a Rank, filter: &'a BlockFilter) -> Wanted<'a> {
        let keys = rank.keys();
        let group = filter.group.as_ref().map(|(by, key)| match key {
            None => Some((*by, None)),
            Some(key) => keys.find(*by, key).map(|id| (*by, Some(id))),
        });
        let pool = filter.pool.as_ref().map(|key| rank.pool_index(Some(key)));
        Wanted { rank, filter, pool, named: named(rank, &filter.text), group }
    }

    /// Whether it holds of a row.
    pub fn holds(&self, row: usize) -> bool {
        let (rows, filter) = (&self.rank.rows, self.filter);
        let (time, end) = (rows.time[row], rows.live_end(row));
        if !between(time, filter.allocated_in)
            || filter.live_at.is_some_and(|at| at < time || end <= at)
            || filter.never_released && (end != i64::MAX || rows.is_drop(row))
            || filter.unreleased_in.is_some_and(|[from, to]| !(from..=to).contains(&time) || end <= to)
            || !within(rows.size[row], filter.bytes)
        {
            return false;
        }
        let life = if end == i64::MAX { i64::MAX } else { end.saturating_sub(time) };
        let allocated = rows.totals[0].get(row).copied().unwrap_or(NONE);
        if !within(life, filter.life_ns) || filter.allocated != [None, None] && !within(allocated, filter.allocated) {
            return false;
        }
        if let Some((names, sites)) = &self.named {
            let site = rows.site[row];
            let in_stack = site != NO_SITE && sites.get(site as usize).copied().unwrap_or(false);
            if !in_stack && !names[rows.name[row] as usize] {
                return false;
            }
        }
        let in_group = match &self.group {
            None => true,
            Some(None) => false,
            Some(Some((by, key))) => self.rank.keys().of(*by, row, time) == *key,
        };
        in_group && self.pool.is_none_or(|pool| pool.is_some() && self.rank.pool_of(row) == pool)
    }
}

/// Names and sites that hold a text.
fn named(rank: &Rank, text: &str) -> Option<(Vec<bool>, Vec<bool>)> {
    let wanted = text.trim().to_lowercase();
    if wanted.is_empty() {
        return None;
    }
    let holds = |text: &str| text.to_lowercase().contains(&wanted);
    let names = (0..rank.rows.names.len()).map(|id| holds(rank.rows.names.text(id as u32))).collect();
    // Many sites have one stack.
    let mut by_text: Vec<Option<bool>> = vec![None; rank.sites.text_count()];
    let of_site = |site: u32| {
        let Some(id) = rank.sites.stack_id(site) else { return false };
        let known = by_text.get_mut(id as usize);
        match known {
            Some(known) => *known.get_or_insert_with(|| holds(rank.sites.stack(site))),
            None => holds(rank.sites.stack(site)),
        }
    };
    let last = rank.rows.site.iter().copied().filter(|site| *site != NO_SITE).max();
    let sites = (0..last.map_or(0, |last| last.saturating_add(1))).map(of_site).collect();
    Some((names, sites))
}
