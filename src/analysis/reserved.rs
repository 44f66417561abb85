//! Why a pool holds more than it gives out: reserved less allocated, what waits for other streams, and which allocation made the
//! pool grow.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::answer::{Extreme, MatchKind, PoolKey};
use super::curves::{Curve, Curves};
use super::extremes::Extremes;
use super::rank::Rank;
use super::timeline::View;
use crate::model::rows::{NO_SITE, NONE};

/// The field's words for the share of reserved memory that is not allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Below 5 %.
    Normal,
    /// From 5 % to 15 %.
    Elevated,
    /// Above 15 %.
    Severe,
}

impl Level {
    /// Of a part of a whole, both bytes.
    pub fn of(part: i64, whole: i64) -> Level {
        let (part, whole) = (i128::from(part) * 100, i128::from(whole));
        match () {
            () if part < whole * 5 => Level::Normal,
            () if part <= whole * 15 => Level::Elevated,
            () => Level::Severe,
        }
    }
}

/// A pool's totals at one of its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// Ns.
    pub time_ns: i64,
    /// Bytes.
    pub reserved_bytes: i64,
    /// Bytes.
    pub allocated_bytes: i64,
    /// Reserved less allocated, bytes.
    pub unused_bytes: i64,
    /// Of the share that is not allocated.
    pub level: Level,
}

/// The allocation a growth of reserved memory served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trigger {
    /// The row's name.
    pub operator: String,
    /// Bytes.
    pub size_bytes: i64,
    /// Its call stack and the innermost user frame, where one is asserted.
    pub stack: Option<String>,
    /// See `stack`.
    pub user_frame: Option<String>,
    /// By which rule.
    pub kind: MatchKind,
}

/// One growth of reserved memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReservedGrowth {
    /// Ns.
    pub time_ns: i64,
    /// By how many bytes.
    pub bytes: i64,
    /// Reserved afterwards, bytes.
    pub reserved_bytes: i64,
    /// What the pool held unused before: reserved less active (less allocated, where active is not recorded), bytes.
    pub free_bytes: i64,
    /// The block allocated at that record; `None` where no row has its time.
    pub trigger: Option<Trigger>,
}

impl ReservedGrowth {
    /// Whether the pool held enough unused memory for the block, but no piece that was large enough.
    pub fn is_in_spite(&self) -> bool {
        self.trigger.as_ref().is_some_and(|trigger| self.free_bytes >= trigger.size_bytes)
    }
}

/// Asks about a pool's reserved memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReservedQuery {
    /// From, ns.
    pub from_ns: i64,
    /// To, ns; both included.
    pub to_ns: i64,
    /// `None`: the framework pool.
    pub pool: Option<PoolKey>,
    /// At most so many growths, the largest ones.
    pub limit: usize,
}

/// A pool's reserved memory between two times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reserved {
    /// The pool answered for.
    pub pool: PoolKey,
    /// The first record with the most reserved and not allocated.
    pub worst: Option<Held>,
    /// The first record with the most allocated.
    pub at_peak: Option<Held>,
    /// The most that was released but waited for other streams (active less allocated), and when.
    pub pending: Option<Extreme>,
    /// Highest active total, or allocated where active is not recorded; bytes.
    pub most_used_bytes: Option<i64>,
    /// Reserved after the last record, bytes.
    pub reserved_end_bytes: Option<i64>,
    /// Growths of reserved, and their bytes together.
    pub growth_count: u64,
    /// See `growth_count`.
    pub growth_bytes: i64,
    /// The largest of them, by time.
    pub growths: Vec<ReservedGrowth>,
}

/// Reserved less allocated, and active less allocated, over time: step curves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnusedCurves {
    /// Of reserved less allocated: ns and bytes.
    pub unused: Vec<(i64, i64)>,
    /// Of active less allocated: ns and bytes.
    pub pending: Vec<(i64, i64)>,
}

/// Allocated, reserved, active of a record; `None` where it has none.
fn totals(pool: &Curves, record: usize) -> [Option<i64>; 3] {
    [0, 1, 2].map(|column: usize| Some(pool.totals[column].numbers.at(record)).filter(|total| *total != NONE))
}

impl Rank {
    /// See [`Reserved`]; `None` if the rank has no such pool.
    pub fn reserved(&self, query: &ReservedQuery) -> Option<Reserved> {
        let at = self.pool_index(query.pool.as_ref())?;
        let pool = &self.pools[at];
        let inside = pool.time.partition_point(|time| *time < query.from_ns)
            ..pool.time.partition_point(|time| *time <= query.to_ns);
        let inside = inside.start..inside.end.max(inside.start);
        let mut answer = Reserved {
            pool: pool.key.clone(),
            worst: highest(&pool.beyond.unused, pool, 1, &inside).and_then(|record| held(pool, record)),
            at_peak: at_peak(pool, &inside),
            pending: highest(&pool.beyond.pending, pool, 2, &inside)
                .map(|record| Extreme { bytes: pool.over_allocated(2, record), time_ns: pool.time[record] }),
            most_used_bytes: most_used(pool, &inside),
            reserved_end_bytes: pool.last_in(1, &inside),
            growth_count: 0,
            growth_bytes: 0,
            growths: Vec::new(),
        };
        let rises = &pool.beyond.rises;
        let rise = |at: usize| rises.partition_point(|record| (*record as usize) < at);
        for record in rises[rise(inside.start)..rise(inside.end)].iter().map(|record| *record as usize) {
            let reserved_bytes = pool.totals[1].numbers.at(record);
            let Some(before) = pool.last_in(1, &(0..record)) else { continue };
            let bytes = reserved_bytes.saturating_sub(before);
            answer.growth_count += 1;
            answer.growth_bytes = answer.growth_bytes.saturating_add(bytes);
            let growth = ReservedGrowth {
                time_ns: pool.time[record],
                bytes,
                reserved_bytes,
                free_bytes: used_before(pool, record).map_or(0, |used| before.saturating_sub(used)),
                trigger: None,
            };
            answer.growths.push(growth);
        }
        if answer.growths.len() > query.limit {
            answer.growths.sort_by_key(|growth| (std::cmp::Reverse(growth.bytes), growth.time_ns));
            answer.growths.truncate(query.limit);
            answer.growths.sort_by_key(|growth| growth.time_ns);
        }
        for growth in &mut answer.growths {
            growth.trigger = self.allocated_at(at, growth.time_ns);
        }
        Some(answer)
    }

    /// The block of a pool that was allocated at a time: of several the largest.
    fn allocated_at(&self, pool: usize, time_ns: i64) -> Option<Trigger> {
        let (rows, blocks) = (&self.rows, self.blocks_of(pool));
        let first = blocks.partition_point(|row| rows.time[*row as usize] < time_ns);
        let same = blocks[first..].iter().map(|row| *row as usize).take_while(|row| rows.time[*row] == time_ns);
        let row = same.max_by_key(|row| (rows.size[*row], std::cmp::Reverse(*row)))?;
        let site = Some(rows.site[row]).filter(|site| *site != NO_SITE);
        Some(Trigger {
            operator: rows.name_of(row).to_owned(),
            size_bytes: rows.size[row],
            stack: site.map(|site| self.sites.stack(site).to_owned()),
            user_frame: site.map(|site| self.sites.user_frame(site).to_owned()),
            kind: rows.kind[row],
        })
    }

    /// See [`UnusedCurves`]: between two times for so many pixel columns.
    pub fn unused_curves(&self, query: &ReservedQuery, columns: u32) -> UnusedCurves {
        let Some(at) = self.pool_index(query.pool.as_ref()) else {
            return UnusedCurves { unused: Vec::new(), pending: Vec::new() };
        };
        let pool = &self.pools[at];
        let view = View::new(pool.time.len(), |at| pool.time[at], query.from_ns, query.to_ns, columns);
        let curve = |column: usize, index: &Extremes| match pool.totals[column].numbers.is_empty() {
            true => Vec::new(),
            false => view.reduce(|at| (pool.time[at], pool.over_allocated(column, at)), index).into_points(),
        };
        UnusedCurves { unused: curve(1, &pool.beyond.unused), pending: curve(2, &pool.beyond.pending) }
    }
}

/// The record in a range with the first highest total of a column less what is allocated.
fn highest(index: &Extremes, pool: &Curves, column: usize, inside: &Range<usize>) -> Option<usize> {
    if pool.totals[column].numbers.is_empty() || pool.totals[0].numbers.is_empty() {
        return None;
    }
    index.of(inside.clone(), |at: usize| pool.over_allocated(column, at)).map(|(_, record)| record)
}

/// What is reserved and allocated at a record; `None` where either is missing.
fn held(pool: &Curves, record: usize) -> Option<Held> {
    let [allocated, reserved, _] = totals(pool, record);
    let (allocated_bytes, reserved_bytes) = (allocated?, reserved?);
    let unused_bytes = reserved_bytes.saturating_sub(allocated_bytes);
    let level = Level::of(unused_bytes, reserved_bytes);
    Some(Held { time_ns: pool.time[record], reserved_bytes, allocated_bytes, unused_bytes, level })
}

/// The first record with the most allocated, of those that say what is reserved.
fn at_peak(pool: &Curves, inside: &Range<usize>) -> Option<Held> {
    if pool.totals[1].is_whole {
        return pool.totals[0].highest(inside.clone()).and_then(|record| held(pool, record));
    }
    let known = inside.clone().filter_map(|record| held(pool, record));
    known.reduce(|most, held| if held.allocated_bytes > most.allocated_bytes { held } else { most })
}

/// The most that was active, or allocated where active is not recorded.
fn most_used(pool: &Curves, inside: &Range<usize>) -> Option<i64> {
    let [allocated, _, active] = &pool.totals;
    let most = |curve: &Curve| curve.highest(inside.clone()).map(|record| curve.numbers.at(record));
    match (active.numbers.is_empty(), active.is_whole) {
        (true, _) => most(allocated),
        (false, true) => most(active),
        (false, false) => {
            let used = |record| totals(pool, record);
            inside.clone().filter_map(|record| used(record)[2].or(used(record)[0])).max()
        }
    }
}

/// What was active, or allocated where active is not recorded, at the last record before one that says it.
fn used_before(pool: &Curves, record: usize) -> Option<i64> {
    let mut before = (0..record).rev().map(|record| totals(pool, record));
    before.find_map(|[allocated, _, active]| active.or(allocated))
}
