//! One pool's curves as they are kept for questions: columns in as few bytes as they need, and over each of them what reduces it
//! to a screen. Made once of what was built and checked; nothing here changes any more.

#![allow(
    clippy::indexing_slicing,
    reason = "a pool has three totals, and ranges come from searches over the same columns"
)]

use std::ops::Range;

use super::answer::{BaselineBytes, Comparison, Extreme, Peaks, PoolKey, Source};
use super::extremes::Extremes;
use super::pool::PoolCurves;
use super::row_sums::RowSums;
use crate::model::numbers::Numbers;
use crate::model::rows::NONE;

/// Numbers, and where the lowest and highest of them stand.
#[derive(Debug, Clone, Default)]
pub(crate) struct Curve {
    pub numbers: Numbers,
    pub extremes: Extremes,
    /// Whether no number is missing.
    pub is_whole: bool,
}

impl Curve {
    fn new(numbers: Vec<i64>) -> Curve {
        let extremes = Extremes::new(numbers.len(), |at| numbers[at]);
        let is_whole = !numbers.contains(&NONE);
        Curve { numbers: Numbers::from(numbers), extremes, is_whole }
    }

    /// The place of the first highest number in a range.
    pub fn highest(&self, range: Range<usize>) -> Option<usize> {
        let range = range.start.min(self.numbers.len())..range.end.min(self.numbers.len());
        self.extremes.of(range, |at: usize| self.numbers.at(at)).map(|(_, at)| at)
    }

    /// The last number among the first so many.
    fn last(&self, count: usize) -> Option<i64> {
        let end = count.min(self.numbers.len());
        self.extremes.last(0..end, |at| self.numbers.at(at)).map(|at| self.numbers.at(at))
    }

    /// Bytes held: numbers, and what is over them.
    fn kept_bytes(&self) -> (usize, usize) {
        (self.numbers.kept_bytes(), self.extremes.kept_bytes())
    }
}

/// What a pool holds beyond what it gave out, found in its records without a look at each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Beyond {
    /// Over reserved less allocated.
    pub unused: Extremes,
    /// Over active less allocated.
    pub pending: Extremes,
    /// Records at which reserved is higher than it was known to be before.
    pub rises: Vec<u32>,
}

/// One total less another; [`NONE`] where either is missing.
fn less(total: i64, other: i64) -> i64 {
    if total == NONE || other == NONE { NONE } else { total.saturating_sub(other) }
}

impl Beyond {
    fn new([allocated, reserved, active]: &[Vec<i64>; 3]) -> Beyond {
        let over = |column: &[i64]| match column.is_empty() || allocated.is_empty() {
            true => Extremes::default(),
            false => Extremes::new(column.len(), |at: usize| less(column[at], allocated[at])),
        };
        let mut rises = Vec::new();
        let mut before = None;
        for (at, total) in (0..).zip(reserved).filter(|(_, total)| **total != NONE) {
            if before.replace(*total).is_some_and(|before| *total > before) {
                rises.push(at);
            }
        }
        rises.shrink_to_fit();
        Beyond { unused: over(reserved), pending: over(active), rises }
    }

    fn kept_bytes(&self) -> usize {
        self.unused.kept_bytes() + self.pending.kept_bytes() + self.rises.capacity() * 4
    }
}

/// A curve that moves at some of a pool's records.
#[derive(Debug, Clone, Default)]
pub(crate) struct Steps {
    /// The records.
    places: Vec<u32>,
    pub levels: Curve,
}

impl Steps {
    /// Of steps by time, each at the time of a record.
    fn new(steps: Vec<(i64, i64)>, times: &[i64]) -> Steps {
        let mut record = 0;
        let place = |(time, _): &(i64, i64)| {
            while times.get(record).is_some_and(|at| at < time) {
                record += 1;
            }
            u32::try_from(record).unwrap_or(u32::MAX)
        };
        let places = steps.iter().map(place).collect();
        Steps { places, levels: Curve::new(steps.into_iter().map(|(_, level)| level).collect()) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// When a step is, ns; `times`: of the pool's records.
    pub fn time(&self, times: &[i64], step: usize) -> i64 {
        self.places.get(step).and_then(|place| times.get(*place as usize)).copied().unwrap_or(i64::MAX)
    }

    /// The level at a time.
    fn at(&self, times: &[i64], time: i64) -> Option<i64> {
        let after = self.places.partition_point(|place| times.get(*place as usize).is_some_and(|at| *at <= time));
        after.checked_sub(1).map(|step| self.levels.numbers.at(step))
    }

    fn kept_bytes(&self) -> (usize, usize) {
        let (numbers, index) = self.levels.kept_bytes();
        (self.places.capacity() * 4 + numbers, index)
    }
}

/// A pool with everything asked of it again and again.
#[derive(Debug, Clone)]
pub(crate) struct Curves {
    pub key: PoolKey,
    pub source: Source,
    /// Ascending, ns.
    pub time: Vec<i64>,
    /// Allocated, reserved, active, in bytes; without any number: empty.
    pub totals: [Curve; 3],
    /// Empty for pools without Total Allocated.
    pub baseline: Steps,
    /// Before the first event, bytes.
    pub baseline_start: i64,
    /// Sum of the rows in the pool's counter.
    pub row_sums: RowSums,
    pub comparison: Option<Comparison>,
    pub blocks_without_row: u64,
    pub blocks_without_row_bytes: i64,
    /// What the process holds beside its pools; only of the process itself.
    pub outside: Steps,
    /// Over what stands between the totals.
    pub beyond: Beyond,
    peaks: Peaks,
    baseline_bytes: Option<BaselineBytes>,
}

impl From<PoolCurves> for Curves {
    fn from(pool: PoolCurves) -> Curves {
        let (peaks, baseline_bytes) = (pool.peaks(), pool.baseline_bytes());
        Curves {
            baseline: Steps::new(pool.baseline, &pool.time),
            outside: Steps::new(pool.outside, &pool.time),
            beyond: Beyond::new(&pool.totals),
            totals: pool.totals.map(Curve::new),
            key: pool.key,
            source: pool.source,
            time: pool.time,
            baseline_start: pool.baseline_start,
            row_sums: pool.row_sums,
            comparison: pool.comparison,
            blocks_without_row: pool.blocks_without_row,
            blocks_without_row_bytes: pool.blocks_without_row_bytes,
            peaks,
            baseline_bytes,
        }
    }
}

impl Curves {
    /// Memory from before the window at a time; before the first event what stood then.
    pub fn baseline_at(&self, time: i64) -> i64 {
        self.baseline.at(&self.time, time).unwrap_or(self.baseline_start)
    }

    /// What the process held beside its pools at its last sample.
    pub fn outside_at(&self, time: i64) -> Option<i64> {
        self.outside.at(&self.time, time)
    }

    /// Bytes before the first and after the last event.
    pub fn baseline_bytes(&self) -> Option<BaselineBytes> {
        self.baseline_bytes
    }

    /// The total in a column (0 allocated, 1 reserved, 2 active) as it stood at a time.
    pub fn total_at(&self, column: usize, time: i64) -> Option<i64> {
        self.totals.get(column)?.last(self.time.partition_point(|at| *at <= time))
    }

    /// The last total of a column in a range of records.
    pub fn last_in(&self, column: usize, inside: &Range<usize>) -> Option<i64> {
        let Curve { numbers, extremes, .. } = &self.totals[column];
        let inside = inside.start.min(numbers.len())..inside.end.min(numbers.len());
        extremes.last(inside, |at: usize| numbers.at(at)).map(|at| numbers.at(at))
    }

    /// The total in a column less what is allocated, at a record; [`NONE`] where either is missing.
    pub fn over_allocated(&self, column: usize, record: usize) -> i64 {
        less(self.totals[column].numbers.at(record), self.totals[0].numbers.at(record))
    }

    /// The first event with the most allocated between two times, both included.
    pub fn peak_between(&self, from_ns: i64, to_ns: i64) -> Option<Extreme> {
        let range = self.time.partition_point(|time| *time < from_ns)..self.time.partition_point(|time| *time <= to_ns);
        let Curve { numbers, extremes, .. } = &self.totals[0];
        if range.start >= range.end || range.end > numbers.len() {
            return None;
        }
        let (_, at) = extremes.of(range, |at: usize| numbers.at(at))?;
        Some(Extreme { bytes: numbers.at(at), time_ns: self.time[at] })
    }

    /// The first event with each maximum.
    pub fn peaks(&self) -> Peaks {
        self.peaks
    }

    /// Bytes held for the records, and to reduce them to a screen.
    pub fn kept_bytes(&self) -> (usize, usize) {
        let of_curves = self.totals.iter().map(Curve::kept_bytes);
        let of_steps = [self.baseline.kept_bytes(), self.outside.kept_bytes()];
        let (numbers, index) = of_curves.chain(of_steps).fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1));
        (self.time.capacity() * 8 + numbers, index + self.beyond.kept_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::pools::Pools;
    use crate::model::rows::Rows;
    use crate::model::rows::tests::add;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_kept_answers_as_what_it_was_made_of(
            records in prop::collection::vec((0i64..4, prop::option::of(0i64..1 << 40), prop::option::of(0i64..9)), 1..300),
            asked in prop::collection::vec(-1i64..1300, 1..40),
        ) {
            let mut rows = Rows::default();
            for at in 0..20 {
                add(&mut rows, "a", 512, 20 * at, Some(20 * at + 30), None);
            }
            rows.settle(&Pools::default());
            let time: Vec<i64> = records.iter().scan(0, |now, (gap, ..)| { *now += gap; Some(*now) }).collect();
            let allocated = records.iter().map(|(_, total, _)| total.map_or(NONE, |total| total * 512));
            let reserved: Vec<i64> = records.iter().map(|(.., total)| total.unwrap_or(NONE)).collect();
            let totals = [allocated.collect(), reserved, vec![NONE; time.len()]];
            let key = PoolKey { component: "PTA".to_owned(), device: String::new() };
            let mut wide = PoolCurves::recorded(key, time.clone(), totals, &rows, &rows.order, &[]);
            wide.outside = time.iter().zip(0..).filter(|(_, at)| at % 3 == 0).map(|(time, at)| (*time, -at)).collect();
            wide.outside.dedup_by_key(|(time, _)| *time);
            let kept = Curves::from(wide.clone());
            prop_assert_eq!((kept.peaks(), kept.baseline_bytes()), (wide.peaks(), wide.baseline_bytes()));
            let steps = |steps: &Steps| -> Vec<(i64, i64)> {
                (0..steps.len()).map(|at| (steps.time(&time, at), steps.levels.numbers.at(at))).collect()
            };
            prop_assert_eq!(steps(&kept.baseline), wide.baseline.clone());
            prop_assert_eq!(steps(&kept.outside), wide.outside.clone());
            for at in asked {
                for column in 0..3 {
                    prop_assert_eq!(kept.total_at(column, at), wide.total_at(column, at));
                }
                let level = |steps: &[(i64, i64)]| steps.iter().rfind(|(time, _)| *time <= at).map(|(_, level)| *level);
                prop_assert_eq!(kept.baseline_at(at), level(&wide.baseline).unwrap_or(wide.baseline_start));
                prop_assert_eq!(kept.outside_at(at), level(&wide.outside));
            }
        }
    }
}
