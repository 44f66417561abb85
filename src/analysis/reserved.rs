//! Why a pool holds more than it gives out: reserved less allocated, what waits for other streams, and which allocation made the
//! pool grow.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use serde::{Deserialize, Serialize};

use super::answer::{Extreme, MatchKind, PoolKey};
use super::curves::Curves;
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
        let mut answer = Reserved {
            pool: pool.key.clone(),
            worst: None,
            at_peak: None,
            pending: None,
            most_used_bytes: None,
            reserved_end_bytes: None,
            growth_count: 0,
            growth_bytes: 0,
            growths: Vec::new(),
        };
        let inside = pool.time.partition_point(|time| *time < query.from_ns)
            ..pool.time.partition_point(|time| *time <= query.to_ns);
        let before = inside.start.checked_sub(1).and_then(|_| pool.total_at(1, query.from_ns.saturating_sub(1)));
        let used_before = [2, 0].into_iter().find_map(|column| pool.total_at(column, query.from_ns.saturating_sub(1)));
        let (mut before, mut used_before) = (before, used_before);
        for record in inside {
            let time_ns = pool.time[record];
            let [allocated, reserved, active] = totals(pool, record);
            if let (Some(allocated), Some(active)) = (allocated, active) {
                let bytes = active.saturating_sub(allocated);
                if answer.pending.is_none_or(|most| bytes > most.bytes) {
                    answer.pending = Some(Extreme { bytes, time_ns });
                }
            }
            if let (Some(allocated), Some(reserved)) = (allocated, reserved) {
                let unused = reserved.saturating_sub(allocated);
                let level = Level::of(unused, reserved);
                let held =
                    Held { time_ns, reserved_bytes: reserved, allocated_bytes: allocated, unused_bytes: unused, level };
                if answer.worst.is_none_or(|worst| unused > worst.unused_bytes) {
                    answer.worst = Some(held);
                }
                if answer.at_peak.is_none_or(|peak| allocated > peak.allocated_bytes) {
                    answer.at_peak = Some(held);
                }
            }
            if let Some(reserved) = reserved {
                if let Some(bytes) = before.map(|before| reserved.saturating_sub(before)).filter(|bytes| *bytes > 0) {
                    answer.growth_count += 1;
                    answer.growth_bytes = answer.growth_bytes.saturating_add(bytes);
                    let held = reserved.saturating_sub(bytes);
                    let free_bytes = used_before.map_or(0, |used| held.saturating_sub(used));
                    answer.growths.push(ReservedGrowth {
                        time_ns,
                        bytes,
                        reserved_bytes: reserved,
                        free_bytes,
                        trigger: None,
                    });
                }
                before = Some(reserved);
                answer.reserved_end_bytes = Some(reserved);
            }
            used_before = active.or(allocated).or(used_before);
            answer.most_used_bytes = answer.most_used_bytes.max(active.or(allocated));
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
        let curve = |column: usize| {
            let value = |at: usize| match (totals(pool, at)[column], totals(pool, at)[0]) {
                (Some(total), Some(allocated)) => total.saturating_sub(allocated),
                _ => NONE,
            };
            // Made for this answer alone: two columns a difference are not kept.
            let index = Extremes::new(pool.time.len(), value);
            view.reduce(|at| (pool.time[at], value(at)), &index).into_points()
        };
        UnusedCurves { unused: curve(1), pending: curve(2) }
    }
}
