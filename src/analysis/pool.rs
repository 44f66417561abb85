//! One pool over time as it is made and checked: recorded totals, the sum of its rows, and the baseline that makes the two meet.
//!
//! The baseline is found from the pool's records alone, never from the rows' live sum; so that comparing the two can fail.

#![allow(clippy::indexing_slicing, reason = "indices come from the columns' own lengths")]

use super::answer::{BaselineBytes, Comparison, Extreme, Mismatch, Peaks, PoolKey, Source};
use super::row_events::{Release, RowEvents, Unrecorded, releases};
use super::row_sums::RowSums;
use crate::model::rows::{GE, NONE, Rows};

/// A pool with all that is made and checked of it; what is asked again and again is made of this: [`super::curves`].
#[derive(Debug, Clone)]
pub(crate) struct PoolCurves {
    pub key: PoolKey,
    pub source: Source,
    /// Ascending, ns.
    pub time: Vec<i64>,
    /// Allocated, reserved, active; bytes or [`NONE`]. A column without any number is empty.
    pub totals: [Vec<i64>; 3],
    /// Steps of the baseline: from this time on so many bytes. Empty for pools without Total Allocated.
    pub baseline: Vec<(i64, i64)>,
    /// Before the first event.
    pub baseline_start: i64,
    /// Sum of the rows in the pool's counter, after each of their events.
    pub row_sums: RowSums,
    pub comparison: Option<Comparison>,
    pub blocks_without_row: u64,
    pub blocks_without_row_bytes: i64,
    pub unrecorded: Unrecorded,
    /// Rows that left the counter, by time.
    pub left: Vec<u32>,
    /// Steps of what the process holds beside its pools; only of the process itself.
    pub outside: Vec<(i64, i64)>,
}

/// The column, or nothing if no entry holds a number: so that no question looks through it in vain.
fn without_missing(column: Vec<i64>) -> Vec<i64> {
    if column.iter().all(|total| *total == NONE) { Vec::new() } else { column }
}

fn first_highest(column: &[i64], times: &[i64]) -> Option<Extreme> {
    let mut best: Option<Extreme> = None;
    for (&bytes, &time_ns) in column.iter().zip(times) {
        if bytes != NONE && best.is_none_or(|b| bytes > b.bytes) {
            best = Some(Extreme { bytes, time_ns });
        }
    }
    best
}

fn rows_of(releases: &[Release]) -> Vec<u32> {
    releases.iter().map(|release| release.row).collect()
}

impl PoolCurves {
    /// A recorded pool beside its rows.
    pub fn recorded(
        key: PoolKey,
        time: Vec<i64>,
        totals: [Vec<i64>; 3],
        rows: &Rows,
        blocks: &[u32],
        drops: &[u32],
    ) -> Self {
        let totals = totals.map(without_missing);
        let first = totals[0].iter().position(|total| *total != NONE);
        let from = first.map_or(i64::MIN, |at| time[at]);
        let releases = releases(rows, blocks);
        let mut pool = PoolCurves {
            key,
            source: Source::MemoryRecord,
            time,
            totals,
            baseline: Vec::new(),
            baseline_start: 0,
            row_sums: RowSums::new(rows, blocks, &releases, from),
            comparison: None,
            blocks_without_row: 0,
            blocks_without_row_bytes: 0,
            unrecorded: Unrecorded::default(),
            left: rows_of(&releases),
            outside: Vec::new(),
        };
        if let Some(first) = first {
            let events = RowEvents::new(rows, blocks, &releases, drops);
            pool.unrecorded = events.unrecorded(&pool.time);
            pool.find_baseline(first, &events);
            // CANN records a release of the graph engine's pool with a total that does not show it yet: nothing to compare.
            if pool.key.component != GE {
                pool.compare(rows, blocks);
            }
        }
        pool
    }

    /// Start: what the first record says less its own event. Later: every record no row knows of moves it by its change.
    fn find_baseline(&mut self, first: usize, events: &RowEvents<'_>) {
        let (time, total) = (self.time[first], self.totals[0][first]);
        let start = match events.sizes_at(time) {
            (Some(size), _) => total - size,
            (None, Some(size)) => total + size,
            (None, None) => total,
        };
        self.baseline_start = start;
        let mut level = start;
        self.baseline.push((time, level));
        let mut knows = events.knows();
        if !knows(time) {
            // A release of older memory: before it the baseline was higher.
            level = total;
            self.step_baseline(time, level);
        }
        let mut before = total;
        for at in first + 1..self.time.len() {
            let (time, total) = (self.time[at], self.totals[0][at]);
            if total == NONE {
                continue;
            }
            let change = total - before;
            before = total;
            if change == 0 || knows(time) {
                continue;
            }
            level = level.saturating_add(change);
            self.step_baseline(time, level);
            if change > 0 {
                self.blocks_without_row += 1;
                self.blocks_without_row_bytes = self.blocks_without_row_bytes.saturating_add(change);
            }
        }
    }

    fn step_baseline(&mut self, time: i64, level: i64) {
        match self.baseline.last_mut() {
            Some(last) if last.0 == time => last.1 = level,
            Some(last) if last.1 == level => {}
            _ => self.baseline.push((time, level)),
        }
    }

    fn compare(&mut self, rows: &Rows, blocks: &[u32]) {
        let mut sum_at = self.row_sums.walk(rows, blocks);
        let mut baseline = self.baseline.iter().peekable();
        let mut level = self.baseline_start;
        let mut comparison = Comparison { events: 0, mismatches: 0, first: None };
        for at in 0..self.time.len() {
            let (time, recorded) = (self.time[at], self.totals[0][at]);
            if recorded == NONE {
                continue;
            }
            comparison.events += 1;
            // Of records with one time only the last shows all that happened at it.
            if self.time.get(at + 1) == Some(&time) {
                continue;
            }
            while let Some((_, next)) = baseline.next_if(|(from, _)| *from <= time) {
                level = *next;
            }
            let sum = sum_at(time).saturating_add(level);
            if sum != recorded {
                comparison.mismatches += 1;
                comparison.first.get_or_insert(Mismatch { time_ns: time, rows_bytes: sum, recorded_bytes: recorded });
            }
        }
        self.comparison = Some(comparison);
    }

    /// A pool without records: the totals beside the rows, and what the rows' own sum leaves of them.
    pub fn derived(key: PoolKey, rows: &Rows, blocks: &[u32], drops: &[u32]) -> Self {
        let mut events: Vec<(i64, [i64; 3])> = Vec::with_capacity(blocks.len() * 2);
        let totals_of = |columns: &[Vec<i64>; 3], row: usize| {
            [0, 1, 2].map(|i: usize| columns[i].get(row).copied().unwrap_or(NONE))
        };
        for &row in blocks {
            let row = row as usize;
            events.push((rows.time[row], totals_of(&rows.totals, row)));
            if rows.live_end(row) != i64::MAX {
                events.push((rows.live_end(row), totals_of(&rows.release_totals, row)));
            }
        }
        for &row in drops {
            let row = row as usize;
            let after = if rows.released_only.contains(&(row as u32)) { &rows.release_totals } else { &rows.totals };
            events.push((rows.time[row], totals_of(after, row)));
        }
        events.retain(|(_, totals)| totals[0] != NONE);
        events.sort_by_key(|(time, _)| *time);
        let releases = releases(rows, blocks);
        let mut pool = PoolCurves {
            key,
            source: Source::Rows,
            time: events.iter().map(|(time, _)| *time).collect(),
            totals: [0, 1, 2].map(|i: usize| without_missing(events.iter().map(|(_, totals)| totals[i]).collect())),
            baseline: Vec::new(),
            baseline_start: 0,
            row_sums: RowSums::new(rows, blocks, &releases, i64::MIN),
            comparison: None,
            blocks_without_row: 0,
            blocks_without_row_bytes: 0,
            unrecorded: Unrecorded::default(),
            left: rows_of(&releases),
            outside: Vec::new(),
        };
        drop(releases);
        let sums = std::mem::take(&mut pool.row_sums);
        let mut sum_at = sums.walk(rows, blocks);
        for at in 0..pool.time.len() {
            let time = pool.time[at];
            let level = pool.totals[0][at].saturating_sub(sum_at(time));
            pool.step_baseline(time, level);
        }
        drop(sum_at);
        pool.row_sums = sums;
        pool.baseline_start = pool.baseline.first().map_or(0, |(_, level)| *level);
        pool
    }

    /// Whether rows and baseline do not make up most of the recorded totals: then the baseline is no memory from before the window.
    pub fn mostly_differs(&self) -> bool {
        self.comparison.as_ref().is_some_and(|comparison| comparison.mismatches * 2 > comparison.events)
    }

    /// Lets go of all that compares rows with totals by time: the rows' times mean nothing.
    pub fn forget_rows(&mut self) {
        self.baseline = Vec::new();
        self.baseline_start = 0;
        self.row_sums = RowSums::default();
        self.comparison = None;
        self.blocks_without_row = 0;
        self.blocks_without_row_bytes = 0;
    }

    /// Bytes before the first and after the last event.
    pub fn baseline_bytes(&self) -> Option<BaselineBytes> {
        let end = self.baseline.last()?.1;
        Some(BaselineBytes { start: self.baseline_start, end })
    }

    /// The total in a column (0 allocated, 1 reserved, 2 active) as it stood at a time.
    pub fn total_at(&self, column: usize, time: i64) -> Option<i64> {
        let after = self.time.partition_point(|t| *t <= time);
        self.totals[column].get(..after)?.iter().rev().find(|total| **total != NONE).copied()
    }

    /// The first event with each maximum.
    pub fn peaks(&self) -> Peaks {
        let peak = |column: &[i64]| first_highest(column, &self.time);
        Peaks { allocated: peak(&self.totals[0]), active: peak(&self.totals[2]), reserved: peak(&self.totals[1]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::pools::Pools;
    use crate::model::rows::tests::add;
    use proptest::prelude::*;

    /// A block of the simulated allocator: size, and the indices of its events in time.
    type Block = (i64, usize, Option<usize>, Option<usize>);

    fn block() -> impl Strategy<Value = Block> {
        (1i64..1000, 0usize..200, prop::option::of(1usize..100), prop::option::of(1usize..100)).prop_map(
            |(size, alloc, release, active)| {
                (size, alloc, release.map(|gap| alloc + gap), active.map(|gap| alloc + gap))
            },
        )
    }

    /// Each event gets a time of its own.
    fn times(blocks: &[Block]) -> Vec<[Option<i64>; 3]> {
        let mut events: Vec<(usize, usize, usize)> = Vec::new();
        for (at, (_, alloc, release, active)) in blocks.iter().enumerate() {
            events.push((*alloc, at, 0));
            events.extend(release.map(|when| (when, at, 1)));
            events.extend(active.map(|when| (when, at, 2)));
        }
        events.sort_unstable();
        let mut times = vec![[None; 3]; blocks.len()];
        for (place, (_, at, which)) in events.into_iter().enumerate() {
            times[at][which] = Some(10 * place as i64);
        }
        times
    }

    proptest! {
        #[test]
        fn rows_and_baseline_make_up_the_counter(
            blocks in prop::collection::vec(block(), 1..40),
            older in prop::collection::vec((1i64..1000, 0i64..2000), 0..6),
            kept in 0i64..5000,
        ) {
            let times = times(&blocks);
            let mut rows = Rows::default();
            // (time, change of the counter)
            let mut changes: Vec<(i64, i64)> = Vec::new();
            for ((size, ..), [alloc, release, active]) in blocks.iter().zip(&times) {
                add(&mut rows, "a", *size, alloc.unwrap(), *release, *active);
                changes.push((alloc.unwrap(), *size));
                let mut ends: Vec<i64> = release.iter().chain(active).copied().collect();
                ends.sort_unstable();
                changes.extend(ends.iter().enumerate().map(|(at, end)| (*end, if at == 0 { -size } else { 0 })));
            }
            // Memory from before the window is freed between the rows' events; the first of them may come before all.
            let mut freed: Vec<(i64, i64)> = older.iter().enumerate().map(|(at, (size, when))| (10 * when + 1 + at as i64, -size)).collect();
            changes.append(&mut freed.clone());
            changes.sort_unstable();
            freed.sort_unstable();
            let before: i64 = kept + older.iter().map(|(size, _)| size).sum::<i64>();
            let mut counter = before;
            let mut time = Vec::new();
            let mut total = Vec::new();
            for (at, change) in &changes {
                counter += change;
                time.push(*at);
                total.push(counter);
            }
            rows.settle(&Pools::default());
            let order = rows.order.clone();
            let missing = vec![NONE; time.len()];
            let key = PoolKey { component: "PTA".to_owned(), device: "NPU:0".to_owned() };
            let pool = PoolCurves::recorded(key, time.clone(), [total.clone(), missing.clone(), missing], &rows, &order, &[]);
            let comparison = pool.comparison.clone().unwrap();
            prop_assert_eq!((comparison.events, comparison.mismatches), (time.len() as u64, 0));
            prop_assert_eq!(pool.blocks_without_row, 0);
            let baseline = pool.baseline_bytes().unwrap();
            // Of what was freed before the first row nothing is recorded but the total it left.
            let unseen = freed.first().filter(|(at, _)| *at == time[0]).map_or(0, |(_, size)| -size);
            prop_assert_eq!((baseline.start, baseline.end), (before - unseen, kept));
            for at in time.iter().flat_map(|at| [at - 1, *at, at + 1]) {
                let live = |row: &usize| rows.time[*row] <= at && at < rows.counter_end(*row);
                let sizes: Vec<i64> = (0..rows.len()).filter(live).map(|row| rows.size[row]).collect();
                prop_assert_eq!(pool.row_sums.at(&rows, &order, at), (sizes.iter().sum(), sizes.len() as i64));
                let recorded = time.iter().rposition(|t| *t <= at).map(|place| total[place]);
                prop_assert_eq!(pool.total_at(0, at), recorded);
            }
            let highest = *total.iter().max().unwrap();
            let first = time[total.iter().position(|t| *t == highest).unwrap()];
            prop_assert_eq!(pool.peaks().allocated, Some(Extreme { bytes: highest, time_ns: first }));
            prop_assert_eq!(pool.peaks().reserved, None);
        }
    }
}
