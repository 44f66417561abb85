//! Curves reduced to the screen: of each pixel column the first, lowest, highest and last value, so that no peak vanishes.

#![allow(clippy::indexing_slicing, reason = "ranges come from binary searches over the same columns")]

use super::answer::{PoolKey, Quantity, Series, Timeline};
use super::pool::PoolCurves;
use crate::model::rows::NONE;

/// Most points a pixel column needs: first, minimum, maximum, last.
const POINTS_PER_COLUMN: usize = 4;

/// All curves of all pools between two times, for so many pixel columns.
pub(crate) fn timeline(pools: &[PoolCurves], start_ns: i64, end_ns: i64, columns: u32) -> Timeline {
    let end_ns = end_ns.max(start_ns);
    let columns = columns.max(1) as usize;
    let mut series = Vec::new();
    for pool in pools {
        for (column, quantity) in [(0, Quantity::Allocated), (2, Quantity::Active), (1, Quantity::Reserved)] {
            let values = &pool.totals[column];
            if values.is_empty() {
                continue;
            }
            let reduced = reduce(&pool.time, |at| values[at], start_ns, end_ns, columns);
            series.push(reduced.into_series(pool.key.clone(), quantity));
        }
        if !pool.baseline.is_empty() {
            let times: Vec<i64> = pool.baseline.iter().map(|(time, _)| *time).collect();
            let mut reduced = reduce(&times, |at| pool.baseline[at].1, start_ns, end_ns, columns);
            // Before the first event it is known as well: it is what the window began with.
            if reduced.times.first().is_none_or(|t| *t > start_ns) {
                reduced.times.insert(0, start_ns);
                reduced.bytes.insert(0, pool.baseline_start);
            }
            series.push(reduced.into_series(pool.key.clone(), Quantity::Baseline));
        }
        if !pool.outside.is_empty() {
            let times: Vec<i64> = pool.outside.iter().map(|(time, _)| *time).collect();
            let reduced = reduce(&times, |at| pool.outside[at].1, start_ns, end_ns, columns);
            series.push(reduced.into_series(pool.key.clone(), Quantity::Outside));
        }
    }
    Timeline { start_ns, end_ns, series }
}

/// A curve's points.
pub(crate) struct Reduced {
    times: Vec<i64>,
    bytes: Vec<i64>,
    complete: bool,
}

impl Reduced {
    pub fn into_series(self, pool: PoolKey, quantity: Quantity) -> Series {
        Series { pool, quantity, times_ns: self.times, bytes: self.bytes, complete: self.complete }
    }
}

/// The step curve between two times; `value` gives [`NONE`] where a sample has no such total.
pub(crate) fn reduce(
    time: &[i64],
    value: impl Fn(usize) -> i64,
    start_ns: i64,
    end_ns: i64,
    columns: usize,
) -> Reduced {
    let from = time.partition_point(|t| *t <= start_ns);
    let to = time.partition_point(|t| *t <= end_ns).max(from);
    let mut out = Reduced { times: Vec::new(), bytes: Vec::new(), complete: true };
    if let Some(held) = (0..from).rev().map(&value).find(|v| *v != NONE) {
        out.times.push(start_ns);
        out.bytes.push(held);
    }
    if to - from <= columns * POINTS_PER_COLUMN {
        for at in (from..to).filter(|at| value(*at) != NONE) {
            out.times.push(time[at]);
            out.bytes.push(value(at));
        }
        return out;
    }
    out.complete = false;
    let span = i128::from(end_ns) - i128::from(start_ns);
    let mut at = from;
    for column in 0..columns {
        let edge = i128::from(start_ns) + span * (column as i128 + 1) / columns as i128;
        let next = at + time[at..to].partition_point(|t| i128::from(*t) <= edge);
        push_column(&mut out, time, &value, at..next);
        at = next;
    }
    out
}

fn push_column(out: &mut Reduced, time: &[i64], value: &impl Fn(usize) -> i64, range: std::ops::Range<usize>) {
    let mut picks: Option<[(usize, i64); POINTS_PER_COLUMN]> = None;
    for at in range {
        let v = value(at);
        if v == NONE {
            continue;
        }
        match &mut picks {
            None => picks = Some([(at, v); POINTS_PER_COLUMN]),
            Some([_, low, high, last]) => {
                if v < low.1 {
                    *low = (at, v);
                }
                if v > high.1 {
                    *high = (at, v);
                }
                *last = (at, v);
            }
        }
    }
    if let Some(mut picks) = picks {
        picks.sort_unstable();
        let mut before = None;
        for (at, v) in picks {
            if before != Some(at) {
                out.times.push(time[at]);
                out.bytes.push(v);
            }
            before = Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn extremes_and_ends_survive_at_every_zoom(
            steps in prop::collection::vec((1i64..50, prop::option::of(0i64..1000)), 1..400),
            columns in 1usize..40, cut in 0usize..400,
        ) {
            let mut now = 1_779_785_515_000_000_000i64;
            let mut time = Vec::new();
            let mut values = Vec::new();
            for (gap, v) in &steps {
                now += gap;
                time.push(now);
                values.push(v.unwrap_or(NONE));
            }
            let start = time[cut % time.len()] - 1;
            let end = *time.last().unwrap();
            let out = reduce(&time, |at| values[at], start, end, columns);
            prop_assert!(out.times.is_sorted());
            prop_assert!(out.times.len() <= columns * 4 + 1);
            let inside: Vec<(i64, i64)> =
                time.iter().copied().zip(values.iter().copied()).filter(|(t, v)| *t > start && *v != NONE).collect();
            let shown: Vec<(i64, i64)> = out.times.iter().copied().zip(out.bytes.iter().copied()).filter(|(t, _)| *t > start).collect();
            prop_assert_eq!(shown.iter().map(|p| p.1).max(), inside.iter().map(|p| p.1).max());
            prop_assert_eq!(shown.iter().map(|p| p.1).min(), inside.iter().map(|p| p.1).min());
            prop_assert_eq!(shown.first(), inside.first());
            prop_assert_eq!(shown.last(), inside.last());
            for point in &shown {
                prop_assert!(inside.contains(point));
            }
            if out.complete {
                prop_assert_eq!(shown, inside);
            }
        }
    }
}
