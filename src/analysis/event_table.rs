//! Everything that happens to memory, one event a row: allocations and releases of blocks, and the pools' records.

#![allow(clippy::indexing_slicing, reason = "indices come from the columns' own lengths")]

use serde::{Deserialize, Serialize};

use super::answer::PoolKey;
use super::block_table::alphabet;
use super::filter::{BlockFilter, Wanted};
use super::rank::Rank;
use crate::model::rows::NONE;

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A block is allocated.
    Allocation,
    /// It is released.
    Release,
    /// Memory from before the window is released: a row with a negative size.
    OlderRelease,
    /// A pool's totals are recorded.
    Record,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [EventKind; 4] =
        [EventKind::Allocation, EventKind::Release, EventKind::OlderRelease, EventKind::Record];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Allocation => "allocation",
            EventKind::Release => "release",
            EventKind::OlderRelease => "older_release",
            EventKind::Record => "record",
        }
    }
}

/// What the table can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventColumn {
    /// Time.
    Time,
    /// Kind.
    Kind,
    /// Change in bytes.
    Change,
    /// Allocated total.
    Allocated,
    /// Reserved total.
    Reserved,
    /// Active total.
    Active,
    /// Operator name.
    Operator,
    /// Pool.
    Pool,
}

impl EventColumn {
    /// Every column.
    pub const ALL: [EventColumn; 8] = [
        EventColumn::Time,
        EventColumn::Kind,
        EventColumn::Change,
        EventColumn::Allocated,
        EventColumn::Reserved,
        EventColumn::Active,
        EventColumn::Operator,
        EventColumn::Pool,
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            EventColumn::Time => "time",
            EventColumn::Kind => "kind",
            EventColumn::Change => "change",
            EventColumn::Allocated => "allocated",
            EventColumn::Reserved => "reserved",
            EventColumn::Active => "active",
            EventColumn::Operator => "operator",
            EventColumn::Pool => "pool",
        }
    }
}

/// Which events, in which order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventOrder {
    /// Of which blocks; of records only the pool counts. Its times are not those of the events: see `between`.
    pub filter: BlockFilter,
    /// Between these times, both included, ns.
    pub between: Option<[i64; 2]>,
    /// Of which kinds.
    pub kinds: Vec<EventKind>,
    /// Sorted by this; equal ones by time.
    pub sort: EventColumn,
    /// Largest, or last, first.
    pub descending: bool,
}

/// Asks for a stretch of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventsQuery {
    /// Of this.
    pub order: EventOrder,
    /// The first row wanted.
    pub from: usize,
    /// How many.
    pub count: usize,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRow {
    /// What.
    pub kind: EventKind,
    /// When, ns.
    pub time_ns: i64,
    /// Whose.
    pub pool: PoolKey,
    /// The operator; empty for records.
    pub operator: String,
    /// The block's row; `None` for records.
    pub row: Option<u32>,
    /// By how much the pool's allocated total changes, bytes: of a record against the one before.
    pub change_bytes: Option<i64>,
    /// The pool's totals right after: allocated, reserved, active. Of releases only records tell them.
    pub totals: [Option<i64>; 3],
}

/// A stretch of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventsPage {
    /// Events in all.
    pub total: u64,
    /// The first here.
    pub from: u64,
    /// The events.
    pub rows: Vec<EventRow>,
}

/// An event by what it is of: a row, or a pool's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventId {
    kind: EventKind,
    pool: u16,
    at: u32,
}

impl Rank {
    /// The events of a filter in an order.
    pub fn list_events(&self, order: &EventOrder) -> Vec<EventId> {
        let wanted = Wanted::new(self, &order.filter);
        let (from, to) = order.between.map_or((i64::MIN, i64::MAX), |[from, to]| (from, to));
        let has = |kind| order.kinds.contains(&kind);
        let mut events: Vec<(i64, EventId)> = Vec::new();
        let mut add = |kind, pool: usize, at: usize, time: i64| {
            if (from..=to).contains(&time) && time != i64::MAX {
                events.push((time, EventId { kind, pool: u16::try_from(pool).unwrap_or(u16::MAX), at: at as u32 }));
            }
        };
        if EventKind::ALL.into_iter().any(|kind| kind != EventKind::Record && has(kind)) {
            for row in self.rows.order.iter().map(|row| *row as usize) {
                if !wanted.holds(row) {
                    continue;
                }
                let is_drop = self.rows.is_drop(row);
                let kind = if is_drop { EventKind::OlderRelease } else { EventKind::Allocation };
                if has(kind) {
                    add(kind, 0, row, self.rows.time[row]);
                }
                if !is_drop && has(EventKind::Release) {
                    add(EventKind::Release, 0, row, self.rows.live_end(row));
                }
            }
        }
        if has(EventKind::Record) {
            for (place, pool) in self.pools.iter().enumerate() {
                if order.filter.pool.as_ref().is_some_and(|key| *key != pool.key) {
                    continue;
                }
                let range =
                    pool.time.partition_point(|time| *time < from)..pool.time.partition_point(|time| *time <= to);
                range.for_each(|at| add(EventKind::Record, place, at, pool.time[at]));
            }
        }
        events.sort_by_key(|(time, id)| (*time, id.kind));
        if order.sort != EventColumn::Time {
            let names = if order.sort == EventColumn::Operator {
                alphabet(self.rows.names.len(), |id| self.rows.names.text(id))
            } else {
                Vec::new()
            };
            for (key, id) in &mut events {
                *key = self.event_key(order.sort, *id, &names);
            }
            match order.descending {
                true => events.sort_by_key(|(key, _)| std::cmp::Reverse(*key)),
                false => events.sort_by_key(|(key, _)| *key),
            }
        } else if order.descending {
            events.reverse();
        }
        events.into_iter().map(|(_, id)| id).collect()
    }

    /// A number in the order of the column; `names`: the place of each in the alphabet.
    fn event_key(&self, column: EventColumn, id: EventId, names: &[i64]) -> i64 {
        let total = |column: usize| self.event_totals(id)[column].unwrap_or(NONE);
        match column {
            EventColumn::Time => self.event_time(id),
            EventColumn::Kind => id.kind as i64,
            EventColumn::Change => self.event_change(id).unwrap_or(NONE),
            EventColumn::Allocated => total(0),
            EventColumn::Reserved => total(1),
            EventColumn::Active => total(2),
            EventColumn::Operator => match id.kind {
                EventKind::Record => -1,
                _ => names.get(self.rows.name[id.at as usize] as usize).copied().unwrap_or(-1),
            },
            EventColumn::Pool => match id.kind {
                EventKind::Record => i64::from(id.pool),
                _ => self.pool_of(id.at as usize).map_or(-1, |place| place as i64),
            },
        }
    }

    fn event_time(&self, id: EventId) -> i64 {
        let at = id.at as usize;
        match id.kind {
            EventKind::Record => self.pools.get(id.pool as usize).and_then(|pool| pool.time.get(at)).copied(),
            EventKind::Release => Some(self.rows.live_end(at)),
            _ => self.rows.time.get(at).copied(),
        }
        .unwrap_or_default()
    }

    fn event_change(&self, id: EventId) -> Option<i64> {
        let at = id.at as usize;
        match id.kind {
            EventKind::Record => {
                let numbers = &self.pools.get(id.pool as usize)?.totals[0].numbers;
                let total = |at: usize| (at < numbers.len()).then(|| numbers.at(at)).filter(|total| *total != NONE);
                Some(total(at)?.saturating_sub(total(at.checked_sub(1)?)?))
            }
            EventKind::Release => self.rows.size.get(at).map(|size| size.saturating_neg()),
            _ => self.rows.size.get(at).copied(),
        }
    }

    fn event_totals(&self, id: EventId) -> [Option<i64>; 3] {
        let at = id.at as usize;
        [0, 1, 2].map(|column: usize| {
            let total = match id.kind {
                EventKind::Release => None,
                EventKind::Record => {
                    let numbers = &self.pools.get(id.pool as usize)?.totals[column].numbers;
                    (at < numbers.len()).then(|| numbers.at(at))
                }
                _ => self.rows.totals[column].get(at).copied(),
            };
            total.filter(|total| *total != NONE)
        })
    }

    /// An event in full.
    pub fn event_row(&self, id: EventId) -> EventRow {
        let at = id.at as usize;
        let is_record = id.kind == EventKind::Record;
        let place = if is_record { Some(id.pool as usize) } else { self.pool_of(at) };
        let named = place.and_then(|place| self.pools.get(place)).map(|pool| pool.key.clone());
        let unnamed = || PoolKey { component: self.component_of(at).to_owned(), device: String::new() };
        EventRow {
            kind: id.kind,
            time_ns: self.event_time(id),
            pool: named.unwrap_or_else(unnamed),
            operator: if is_record { String::new() } else { self.rows.name_of(at).to_owned() },
            row: (!is_record).then_some(id.at),
            change_bytes: self.event_change(id),
            totals: self.event_totals(id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::rank::tests::{blocks, rank};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_block_comes_and_those_released_go(
            blocks in blocks(), between in prop::option::of((0i64..60, 0i64..80)), by in 0usize..8, descending: bool,
        ) {
            let rank = rank(&blocks, &[]);
            let between = between.map(|(from, more)| [from, from + more]);
            let order = EventOrder {
                filter: BlockFilter::default(), between, kinds: vec![EventKind::Allocation, EventKind::Release],
                sort: EventColumn::ALL[by], descending,
            };
            let ids = rank.list_events(&order);
            let is_in = |time: i64| between.is_none_or(|[from, to]| (from..=to).contains(&time));
            let come = blocks.iter().filter(|block| is_in(block.1)).count();
            let gone = blocks.iter().filter(|block| block.2.is_some_and(|lasts| is_in(block.1 + lasts))).count();
            prop_assert_eq!(ids.len(), come + gone);
            let keys: Vec<i64> = ids.iter().map(|id| rank.event_key(order.sort, *id, &[0])).collect();
            let in_order = if descending { keys.is_sorted_by(|a, b| a >= b) } else { keys.is_sorted() };
            prop_assert!(in_order);
            // All that came less all that went is what stays.
            if between.is_none() {
                let sum: i64 = ids.iter().filter_map(|id| rank.event_row(*id).change_bytes).sum();
                prop_assert_eq!(sum, blocks.iter().filter(|block| block.2.is_none()).map(|block| block.0).sum::<i64>());
            }
        }
    }
}
