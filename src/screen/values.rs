//! Values under the pointer: the curves' own points where every event is among them, else the worker's word.

use crate::analysis::answer::{PoolKey, Quantity, Series, Timeline, Totals};

/// One line of the read-out.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// Whose.
    pub pool: PoolKey,
    /// What.
    pub quantity: Quantity,
    /// Of the second rank.
    pub is_under: bool,
    /// Bytes; `None` before the first record.
    pub bytes: Option<i64>,
    /// Whether this is exact: the picture may hold fewer points than the recording.
    pub exact: bool,
}

/// The value of a curve at a time, as far as its points tell.
pub fn value_at(series: &Series, at_ns: i64) -> Option<i64> {
    let after = series.times_ns.partition_point(|time| *time <= at_ns);
    series.bytes.get(after.checked_sub(1)?).copied()
}

/// The values of all curves at a time; `asked` are the worker's totals at a time, if it has answered.
pub fn values(timeline: &Timeline, at_ns: i64, asked: Option<&(i64, Vec<Totals>)>) -> Vec<Value> {
    let asked = asked.filter(|(time, _)| *time == at_ns).map(|(_, totals)| totals);
    let of = |series: &Series| {
        let told =
            asked.and_then(|totals| totals.iter().find(|t| t.pool == series.pool)).map(|t| match series.quantity {
                Quantity::Allocated => t.allocated,
                Quantity::Active => t.active,
                Quantity::Reserved => t.reserved,
                Quantity::Baseline => t.baseline,
                Quantity::Outside => t.outside,
            });
        Value {
            pool: series.pool.clone(),
            quantity: series.quantity,
            is_under: false,
            bytes: told.unwrap_or_else(|| value_at(series, at_ns)),
            exact: told.is_some() || series.complete,
        }
    };
    timeline.series.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(complete: bool) -> Series {
        let pool = PoolKey { component: "PTA".into(), device: "NPU:0".into() };
        Series { pool, quantity: Quantity::Allocated, times_ns: vec![10, 20], bytes: vec![5, 7], complete }
    }

    #[test]
    fn a_value_holds_until_the_next() {
        let series = series(true);
        assert_eq!(value_at(&series, 9), None);
        assert_eq!(value_at(&series, 10), Some(5));
        assert_eq!(value_at(&series, 19), Some(5));
        assert_eq!(value_at(&series, 99), Some(7));
    }

    #[test]
    fn the_workers_word_counts_where_points_are_missing() {
        let timeline = Timeline { start_ns: 0, end_ns: 30, series: vec![series(false)] };
        let pool = timeline.series[0].pool.clone();
        let told = Totals { pool, allocated: Some(99), active: None, reserved: None, baseline: None, outside: None };
        let asked = (15, vec![told]);
        assert_eq!(values(&timeline, 15, Some(&asked))[0].bytes, Some(99));
        assert!(values(&timeline, 15, Some(&asked))[0].exact);
        let other = &values(&timeline, 16, Some(&asked))[0];
        assert_eq!((other.bytes, other.exact), (Some(5), false));
    }
}
