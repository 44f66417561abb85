//! Times and durations of the rows' table.

use super::super::check::{Check, CheckKind};
use crate::model::axis::is_coarse;
use crate::model::rows::{NONE, Rows};

/// Fewer times may be round by chance.
const ENOUGH: u64 = 8;
/// The step of a double of epoch microseconds, ns.
const DOUBLE_STEP_NS: i64 = 250;
const NS_PER_US: i64 = 1000;

/// Whether all times of the rows are coarser than the thousandths of a microsecond the profiler writes, and their step in ns.
pub(super) fn rounded(rows: &Rows) -> (Check, Option<i64>) {
    let times =
        || [&rows.time, &rows.release, &rows.active_release].into_iter().flatten().filter(|time| **time != NONE);
    let count = times().count() as u64;
    let mut check = Check::new(CheckKind::TimesRounded, None, if count < ENOUGH { 0 } else { count });
    if count < ENOUGH || !times().all(|time| is_coarse(*time)) {
        return (check, None);
    }
    let step = if times().all(|time| time % NS_PER_US == 0) {
        times().fold(0, |step, time| greatest_divisor(step, *time))
    } else {
        DOUBLE_STEP_NS
    };
    check.failed = count;
    check.found = Some(step);
    (check, Some(step))
}

fn greatest_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.saturating_abs(), b.saturating_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Durations against the times they lie between: to the nanosecond, unless the times themselves were rounded.
pub(super) fn durations(rows: &Rows, rounded: bool) -> Check {
    let durations = &rows.durations;
    let odd = if rounded { durations.far } else { durations.inexact };
    let mut check = Check::new(CheckKind::Durations, None, durations.compared);
    check.failed = odd.count;
    if let Some(first) = odd.first {
        check.first_row = Some(first.row);
        check.expected = Some(first.between_ns);
        check.found = Some(first.written_ns);
    }
    check
}
