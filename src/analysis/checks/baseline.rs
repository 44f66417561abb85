//! Memory from before the window can only be given back: whatever makes it rise has lost its row.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use rustc_hash::FxHashMap;

use super::super::answer::Source;
use super::super::check::{Check, CheckKind};
use super::{GRAIN, Member};
use crate::model::rows::{GE, NONE, Rows};

/// Sizes that may still explain a change of the total, and how often.
#[derive(Default)]
struct Sizes(FxHashMap<i64, u64>);

impl Sizes {
    fn add(&mut self, size: i64) {
        *self.0.entry(size).or_default() += 1;
    }

    fn take(&mut self, size: i64) -> bool {
        match self.0.get_mut(&size) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}

/// What the baseline's steps tell, and whether rows and baseline make up the total; `rounded`: times were.
pub(super) fn checks(rows: &Rows, member: &Member<'_>, rounded: bool) -> Vec<Check> {
    if member.blocks.is_empty() || !member.is_comparable() || member.is_mixed {
        return Vec::new();
    }
    match member.curves.source {
        Source::MemoryRecord => recorded(rows, member, rounded),
        Source::Rows => derived(rows, member).into_iter().collect(),
    }
}

fn recorded(rows: &Rows, member: &Member<'_>, rounded: bool) -> Vec<Check> {
    let curves = member.curves.as_ref();
    let key = Some(curves.key.clone());
    let events = curves.totals[0].iter().filter(|total| **total != NONE).count() as u64;
    let mut without_row = Check::new(CheckKind::BlocksWithoutRow, key.clone(), events);
    let mut older = Check::new(CheckKind::OlderReleased, key.clone(), events);
    let (mut allocations, mut releases) = moved(rows, member);
    let mut before = None;
    for (time, level) in &curves.baseline {
        let change = before.map_or(0, |before| level - before);
        before = Some(*level);
        if change > 0 && !allocations.take(change) {
            without_row.fail_bytes(*time, change);
            // It will be released in time, without a row too.
            releases.add(change);
        } else if change < 0 && !releases.take(-change) {
            older.fail_bytes(*time, -change);
        }
    }
    let mut checks = vec![without_row, older];
    // Rounding lets a release of older memory fall on a row's event: then nobody can tell which of them moved the total.
    let is_blurred = rounded && !curves.time.is_sorted_by(|before, after| before < after);
    if let Some(comparison) = curves.comparison.as_ref().filter(|_| !is_blurred) {
        let mut total = Check::new(CheckKind::RowsTotal, key, comparison.events);
        total.failed = comparison.mismatches;
        if let Some(first) = &comparison.first {
            total.first_ns = Some(first.time_ns);
            total.expected = Some(first.recorded_bytes);
            total.found = Some(first.rows_bytes);
        }
        checks.push(total);
    }
    checks
}

/// Sizes of allocations and releases of rows that have no record at their time: the change is in the records, at another time.
fn moved(rows: &Rows, member: &Member<'_>) -> (Sizes, Sizes) {
    let (mut allocations, mut releases) = (Sizes::default(), Sizes::default());
    if member.curves.unrecorded.missing > 0 {
        let is_missing = |time: i64| member.curves.time.binary_search(&time).is_err();
        for row in member.blocks.iter().map(|row| *row as usize) {
            if is_missing(rows.time[row]) {
                allocations.add(rows.size[row]);
            }
            let end = rows.counter_end(row);
            if end != i64::MAX && is_missing(end) {
                releases.add(rows.size[row]);
            }
        }
    }
    (allocations, releases)
}

/// Rises that a few removed rows may make.
const A_FEW: u64 = 8;

/// Without records: the rows' own totals less the rows' live sum. `None` where totals beside a release do not show it yet, as
/// CANN writes them of the graph engine's pool: then nothing follows from them.
fn derived(rows: &Rows, member: &Member<'_>) -> Option<Check> {
    let curves = member.curves.as_ref();
    if curves.key.component == GE || lags(rows, member) {
        return None;
    }
    let mut check = Check::new(CheckKind::BaselineRises, Some(curves.key.clone()), curves.time.len() as u64);
    for steps in curves.baseline.windows(2) {
        let change = steps[1].1.saturating_sub(steps[0].1);
        // Totals cut to a few decimals move by less than any block.
        if change >= GRAIN / 2 {
            check.fail_bytes(steps[1].0, change);
        }
    }
    // So much was never there: these totals do not go with these rows, and no number of bytes is missing.
    let highest = curves.totals[0].iter().copied().max().unwrap_or(0);
    if check.failed > A_FEW && check.bytes.is_some_and(|bytes| bytes > highest) {
        check.bytes = None;
    }
    Some(check)
}

/// Whether most of the totals beside releases are those from before the release.
fn lags(rows: &Rows, member: &Member<'_>) -> bool {
    let mut events: Vec<(i64, i64, bool)> = Vec::with_capacity(member.blocks.len() * 2);
    for row in member.blocks.iter().map(|row| *row as usize) {
        let end = rows.live_end(row);
        let mut add = |time, column: &[i64], is_release| {
            if let Some(total) = column.get(row).filter(|total| **total != NONE) {
                events.push((time, *total, is_release));
            }
        };
        add(rows.time[row], &rows.totals[0], false);
        if end != i64::MAX && rows.size[row] >= GRAIN {
            add(end, &rows.release_totals[0], true);
        }
    }
    events.sort_by_key(|(time, ..)| *time);
    let releases = events.windows(2).filter(|pair| pair[1].2);
    let (mut all, mut same) = (0_usize, 0_usize);
    for pair in releases {
        all += 1;
        same += usize::from(pair[0].1 == pair[1].1);
    }
    all > 0 && same * 2 > all
}
