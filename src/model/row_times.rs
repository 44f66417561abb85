//! Times of all rows in order, lent to what is kept of a trace while that is read: it tells operators, and spans of the task queue,
//! in which a row was allocated from those that are of no use.

/// The rows' times and their order by time: the rows' own columns.
#[derive(Debug, Default)]
pub struct RowTimes {
    /// In file order, ns.
    pub time: Vec<i64>,
    /// Rows by time.
    pub order: Vec<u32>,
    /// The trace's times are so many ns less.
    offset_ns: i64,
    /// Place of the first row not before the time that was asked for last: spans come much in the order of time.
    at: usize,
}

impl RowTimes {
    /// Of these columns.
    pub fn new(time: Vec<i64>, order: Vec<u32>) -> RowTimes {
        RowTimes { time, order, ..RowTimes::default() }
    }

    /// Of rows that are not sorted yet.
    pub fn of(times: impl Iterator<Item = i64>) -> RowTimes {
        let mut time: Vec<i64> = times.collect();
        time.sort_unstable();
        let order = (0..u32::try_from(time.len()).unwrap_or(u32::MAX)).collect();
        RowTimes::new(time, order)
    }

    /// The same on an axis that is so many ns behind.
    pub fn less(self, offset_ns: i64) -> RowTimes {
        RowTimes { offset_ns, ..self }
    }

    fn get(&self, place: usize) -> Option<i64> {
        let time = self.time.get(*self.order.get(place)? as usize)?;
        Some(time.saturating_sub(self.offset_ns))
    }

    /// Times of the first and the last row.
    pub fn window(&self) -> Option<(i64, i64)> {
        Some((self.get(0)?, self.get(self.order.len().checked_sub(1)?)?))
    }

    /// Whether any row lies between two times, both included.
    pub fn any_between(&mut self, from: i64, to: i64) -> bool {
        let is_before = |place: usize| self.get(place).is_some_and(|time| time < from);
        // Operators are written when they end: times go back a little as often as on.
        let (mut start, mut end, mut step) = (0, self.at, 1);
        if end.checked_sub(1).is_none_or(is_before) {
            start = end;
            while is_before(start + step - 1) {
                start += step;
                step *= 2;
            }
            end = start + step - 1;
        } else {
            while let Some(probe) = end.checked_sub(step) {
                if is_before(probe) {
                    start = probe + 1;
                    break;
                }
                end = probe;
                step *= 2;
            }
        }
        while start < end {
            let middle = start + (end - start) / 2;
            if is_before(middle) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        self.at = start;
        self.get(start).is_some_and(|time| time <= to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_rows_wherever_it_was_before(
            times in prop::collection::vec(0i64..50, 0..40), asked in prop::collection::vec((-2i64..52, 0i64..6), 1..30), offset in -3i64..3,
        ) {
            let mut order: Vec<u32> = (0..times.len() as u32).collect();
            order.sort_by_key(|row| times[*row as usize]);
            let sorted = RowTimes::of(times.iter().copied());
            let mut rows = RowTimes::new(times.clone(), order).less(offset);
            prop_assert!((0..times.len()).all(|at| sorted.get(at).map(|time| time - offset) == rows.get(at)));
            let times: Vec<i64> = times.iter().map(|time| time - offset).collect();
            prop_assert_eq!(rows.window(), times.iter().min().copied().zip(times.iter().max().copied()));
            for (from, lasts) in asked {
                let any = times.iter().any(|time| (from..=from + lasts).contains(time));
                prop_assert_eq!(rows.any_between(from, from + lasts), any);
            }
        }
    }
}
