//! Curves reduced to the screen: of each pixel column the first, lowest, highest and last value, so that no peak vanishes.

#![allow(clippy::indexing_slicing, reason = "ranges come from binary searches over the same columns")]

use std::ops::Range;

use super::answer::{PoolKey, Quantity, Series, Timeline};
use super::curves::{Curve, Curves, Steps};
use super::extremes::{Extremes, Values};
use crate::model::numbers::Numbers;
use crate::model::rows::NONE;

/// Most points a pixel column needs: first, minimum, maximum, last.
const POINTS_PER_COLUMN: usize = 4;

/// All curves of all pools between two times, for so many pixel columns.
pub(crate) fn timeline(pools: &[Curves], start_ns: i64, end_ns: i64, columns: u32) -> Timeline {
    let end_ns = end_ns.max(start_ns);
    let mut series = Vec::new();
    for pool in pools {
        let time = |at: usize| pool.time[at];
        let mut add = |reduced: Reduced, quantity| series.push(reduced.into_series(pool.key.clone(), quantity));
        let view = View::new(pool.time.len(), time, start_ns, end_ns, columns);
        for (column, quantity) in [(0, Quantity::Allocated), (2, Quantity::Active), (1, Quantity::Reserved)] {
            let curve = &pool.totals[column];
            if !curve.numbers.is_empty() {
                add(of_curve(&view, curve, time), quantity);
            }
        }
        let of_steps = |steps: &Steps| {
            let time = |at: usize| steps.time(&pool.time, at);
            of_curve(&View::new(steps.len(), time, start_ns, end_ns, columns), &steps.levels, time)
        };
        if !pool.baseline.is_empty() {
            let mut reduced = of_steps(&pool.baseline);
            // Before the first event it is known as well: it is what the window began with.
            if reduced.times.first().is_none_or(|t| *t > start_ns) {
                reduced.times.insert(0, start_ns);
                reduced.bytes.insert(0, pool.baseline_start);
            }
            add(reduced, Quantity::Baseline);
        }
        if !pool.outside.is_empty() {
            add(of_steps(&pool.outside), Quantity::Outside);
        }
    }
    Timeline { start_ns, end_ns, series }
}

fn of_curve(view: &View, curve: &Curve, time: impl Fn(usize) -> i64) -> Reduced {
    // Asked once, not at every number.
    match &curve.numbers {
        Numbers::Wide(numbers) => view.reduce_values(time, |at: usize| numbers[at], &curve.extremes),
        Numbers::Narrow(numbers) => view.reduce_values(time, numbers, &curve.extremes),
    }
}

/// A curve's points.
#[derive(Debug)]
pub(crate) struct Reduced {
    times: Vec<i64>,
    bytes: Vec<i64>,
    complete: bool,
}

impl Reduced {
    pub fn into_series(self, pool: PoolKey, quantity: Quantity) -> Series {
        Series { pool, quantity, times_ns: self.times, bytes: self.bytes, complete: self.complete }
    }

    /// Times and values.
    pub fn into_points(self) -> Vec<(i64, i64)> {
        self.times.into_iter().zip(self.bytes).collect()
    }
}

/// Which events of ascending times a time range holds, and which of them each pixel column: the same for all curves of a pool.
pub(crate) struct View {
    start_ns: i64,
    inside: Range<usize>,
    /// Ends of the columns; `None` where all events fit.
    ends: Option<Vec<usize>>,
}

impl View {
    /// Of so many events.
    pub fn new(len: usize, time: impl Fn(usize) -> i64, start_ns: i64, end_ns: i64, columns: u32) -> View {
        let columns = columns.max(1) as usize;
        let from = partition(0..len, |at| time(at) <= start_ns);
        let to = partition(from..len, |at| time(at) <= end_ns);
        if to - from <= columns.saturating_mul(POINTS_PER_COLUMN) {
            return View { start_ns, inside: from..to, ends: None };
        }
        let span = i128::from(end_ns) - i128::from(start_ns);
        let (mut at, mut width) = (from, 0);
        let end_of = |column: usize| {
            let edge = i128::from(start_ns) + span * (column as i128 + 1) / columns as i128;
            // No edge lies outside the range.
            let edge = i64::try_from(edge).unwrap_or(end_ns);
            // Events come much as often under one pixel as under the one before it.
            let end = near(at..to, at + width, |at| time(at) <= edge);
            width = end - at;
            at = end;
            end
        };
        View { start_ns, inside: from..to, ends: Some((0..columns).map(end_of).collect()) }
    }

    /// A step curve's points; `event` gives time and value, [`NONE`] where an event has no such total.
    pub fn reduce(&self, event: impl Fn(usize) -> (i64, i64), index: &Extremes) -> Reduced {
        self.reduce_values(|at| event(at).0, |at: usize| event(at).1, index)
    }

    /// The same, of times and values apart.
    fn reduce_values(&self, time: impl Fn(usize) -> i64, values: impl Values + Copy, index: &Extremes) -> Reduced {
        let Range { start: from, end: to } = self.inside;
        let held = index.last(0..from, values).map(|at| (self.start_ns, values.at(at)));
        let places = match &self.ends {
            None => (from..to).filter(|at| values.at(*at) != NONE).collect(),
            Some(ends) => picks(from, ends, values, index),
        };
        // Fetched after one another, with nothing decided in between: so the machine waits for many of them at once.
        let (held_ns, held) = held.unzip();
        Reduced {
            times: held_ns.into_iter().chain(places.iter().map(|at| time(*at))).collect(),
            bytes: held.into_iter().chain(places.iter().map(|at| values.at(*at))).collect(),
            complete: self.ends.is_none(),
        }
    }
}

/// Of each pixel column, these ending there, the first, lowest, highest and last event.
fn picks(from: usize, ends: &[usize], values: impl Values + Copy, index: &Extremes) -> Vec<usize> {
    let mut places = Vec::with_capacity(ends.len() * POINTS_PER_COLUMN);
    let mut start = from;
    for &end in ends {
        let column = start..end;
        start = end;
        let Some((low, high)) = index.of(column.clone(), values) else { continue };
        // Where it has a lowest it has a first and a last.
        let first = index.first(column.clone(), values).unwrap_or(low);
        let last = index.last(column, values).unwrap_or(high);
        // In their order: nothing comes before the first or after the last.
        let mut before = None;
        let picks: [usize; POINTS_PER_COLUMN] = [first, low.min(high), low.max(high), last];
        places.extend(picks.into_iter().filter(|at| before.replace(*at) != Some(*at)));
    }
    places
}

/// The first place in a range at which `is_before` does not hold any more.
fn partition(range: Range<usize>, is_before: impl Fn(usize) -> bool) -> usize {
    let Range { mut start, mut end } = range;
    while start < end {
        let middle = start + (end - start) / 2;
        if is_before(middle) {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    start
}

/// The same, quicker where that place is near the one that is guessed.
fn near(range: Range<usize>, guess: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let Range { mut start, mut end } = range;
    let guess = guess.min(end);
    let mut step = 1;
    if guess < end && is_before(guess) {
        start = guess + 1;
        while let Some(probe) = Some(start + step - 1).filter(|probe| *probe < end) {
            if !is_before(probe) {
                end = probe;
                break;
            }
            start = probe + 1;
            step *= 2;
        }
    } else {
        end = guess;
        while let Some(probe) = end.checked_sub(step).filter(|probe| *probe >= start) {
            if is_before(probe) {
                start = probe + 1;
                break;
            }
            end = probe;
            step *= 2;
        }
    }
    partition(start..end, is_before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn extremes_and_ends_survive_at_every_zoom(
            steps in prop::collection::vec((1i64..50, prop::option::of(0i64..1000)), 1..2000),
            columns in 1usize..40, cut in 0usize..2000, until in 0usize..2000,
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
            // Not always to the last event: a column's edge may cut a node of the index anywhere.
            let end = time[until % time.len()].max(start);
            let index = Extremes::new(time.len(), |at| values[at]);
            let out = View::new(time.len(), |at| time[at], start, end, columns as u32).reduce(|at| (time[at], values[at]), &index);
            prop_assert!(out.times.is_sorted());
            prop_assert!(out.times.len() <= columns * 4 + 1);
            let inside: Vec<(i64, i64)> =
                time.iter().copied().zip(values.iter().copied()).filter(|(t, v)| *t > start && *t <= end && *v != NONE).collect();
            let shown: Vec<(i64, i64)> = out.times.iter().copied().zip(out.bytes.iter().copied()).filter(|(t, _)| *t > start).collect();
            prop_assert_eq!(shown.iter().map(|p| p.1).max(), inside.iter().map(|p| p.1).max());
            prop_assert_eq!(shown.iter().map(|p| p.1).min(), inside.iter().map(|p| p.1).min());
            prop_assert_eq!(shown.first(), inside.first());
            prop_assert_eq!(shown.last(), inside.last());
            for point in &shown {
                prop_assert!(inside.contains(point));
            }
            let held = time.iter().zip(&values).rfind(|(t, v)| **t <= start && **v != NONE).map(|(_, v)| *v);
            prop_assert_eq!(out.times.first().filter(|t| **t == start).map(|_| out.bytes[0]), held);
            if out.complete {
                prop_assert_eq!(shown, inside);
            }
        }
    }

    /// What the pixels of a screen cost does not grow with the events under them.
    #[test]
    fn looks_at_some_hundred_events_a_column() {
        let looked = std::cell::Cell::new(0);
        let (len, columns) = (400_000, 100);
        let value = |at: usize| (at as i64 * 7919) % 10_007;
        let index = Extremes::new(len, value);
        let event = |at: usize| {
            looked.set(looked.get() + 1);
            (at as i64, value(at))
        };
        let view = View::new(len, |at| event(at).0, -1, len as i64, columns);
        let out = view.reduce(event, &index);
        assert!(!out.complete && out.times.len() > 300, "{}", out.times.len());
        assert!(looked.get() <= columns * 250, "{}", looked.get());
    }
}
