//! The totals beside the rows against the records at the same times, and the order of the three totals.

#![allow(clippy::indexing_slicing, reason = "row and record indices come from the columns' own lengths")]

use super::super::answer::Source;
use super::super::check::{Check, CheckKind};
use super::super::pool::PoolCurves;
use super::{Member, same};
use crate::model::rows::{NONE, Rows};

/// What one walk over a pool's row events and records found.
pub(super) struct PoolTotals {
    pub checks: Vec<Check>,
    /// Not one event of the rows has a record: these are records of something else.
    pub strangers: bool,
}

impl PoolTotals {
    pub fn new(rows: &Rows, member: &Member<'_>) -> PoolTotals {
        let curves = member.curves.as_ref();
        let mut walk = Walk::new(curves);
        if !member.blocks.is_empty() {
            for &row in member.blocks.iter() {
                walk.event(rows.time[row as usize], totals_of(&rows.totals, row as usize));
            }
            // Most blocks leave the counter at the release their totals stand beside: hardly anything is left to sort.
            let never_left = member.blocks.iter().filter(|row| rows.counter_end(**row as usize) == i64::MAX);
            let has_total = |row: &&u32| rows.release_totals[0].get(**row as usize).is_some_and(|total| *total != NONE);
            let mut releases: Vec<(i64, u32)> = Vec::with_capacity(member.blocks.len());
            let releasing = curves.left.iter().chain(never_left).filter(has_total);
            releases.extend(releasing.map(|row| (rows.live_end(*row as usize), *row)));
            releases.sort();
            walk.at = 0;
            for (time, row) in releases {
                walk.event(time, totals_of(&rows.release_totals, row as usize));
            }
        }
        walk.finish(member)
    }
}

fn totals_of(columns: &[Vec<i64>; 3], row: usize) -> [i64; 3] {
    [0, 1, 2].map(|column: usize| columns[column].get(row).copied().unwrap_or(NONE))
}

struct Walk<'a> {
    curves: &'a PoolCurves,
    /// The first record not before the last event.
    at: usize,
    row_totals: Check,
    order: Check,
    /// Record of the highest total, and whether a row event has its time.
    peak: Option<usize>,
    peak_has_row: bool,
    rows_peak: i64,
}

impl<'a> Walk<'a> {
    fn new(curves: &'a PoolCurves) -> Walk<'a> {
        let key = Some(curves.key.clone());
        let peak = (0..curves.totals[0].len()).max_by_key(|at| (curves.totals[0][*at], std::cmp::Reverse(*at)));
        Walk {
            curves,
            at: 0,
            row_totals: Check::new(CheckKind::RowTotals, key.clone(), 0),
            order: Check::new(CheckKind::Order, key, 0),
            peak: peak.filter(|at| curves.totals[0][*at] != NONE),
            peak_has_row: false,
            rows_peak: NONE,
        }
    }

    /// An event of a row with the totals beside it; events come by time.
    fn event(&mut self, time: i64, totals: [i64; 3]) {
        self.in_order(Source::Rows, time, totals);
        self.rows_peak = self.rows_peak.max(totals[0]);
        if self.curves.source == Source::Rows {
            return;
        }
        let times = &self.curves.time;
        while times.get(self.at).is_some_and(|at| *at < time) {
            self.at += 1;
        }
        let mut differs = None;
        let mut record = self.at;
        while times.get(record) == Some(&time) {
            self.peak_has_row |= self.peak == Some(record);
            let pairs = totals.iter().zip(&self.curves.totals).map(|(beside, column)| (column.get(record), *beside));
            let mut pairs = pairs.filter_map(|(total, beside)| total.map(|total| (*total, beside)));
            differs = pairs.find(|(total, beside)| *total != NONE && *beside != NONE && !same(*total, *beside));
            if differs.is_none() {
                break;
            }
            record += 1;
        }
        if totals[0] == NONE || times.get(self.at) != Some(&time) {
            return;
        }
        self.row_totals.compared += 1;
        if let Some((recorded, beside)) = differs {
            self.row_totals.fail(time, recorded, beside);
        }
    }

    /// Allocated <= active <= reserved, of those that are there.
    fn in_order(&mut self, source: Source, time: i64, [allocated, reserved, active]: [i64; 3]) {
        // Nearly all of them.
        if allocated != NONE && allocated <= active && active <= reserved {
            self.order.compared += 1;
            return;
        }
        let mut least = NONE;
        let mut compared = false;
        for total in [allocated, active, reserved].into_iter().filter(|total| *total != NONE) {
            compared |= least != NONE;
            if least > total && !same(least, total) {
                self.order.compared += 1;
                if self.order.first_ns.is_none_or(|first| time < first) {
                    self.order.source = Some(source);
                }
                return self.order.fail(time, total, least);
            }
            least = total;
        }
        self.order.compared += u64::from(compared);
    }

    fn finish(mut self, member: &Member<'_>) -> PoolTotals {
        let curves = self.curves;
        let key = Some(curves.key.clone());
        // Totals that come from the rows were seen with them.
        if curves.source == Source::MemoryRecord {
            for record in 0..curves.time.len() {
                let totals = [0, 1, 2].map(|column: usize| curves.totals[column].get(record).copied().unwrap_or(NONE));
                self.in_order(Source::MemoryRecord, curves.time[record], totals);
            }
        }
        if curves.source == Source::Rows || member.blocks.is_empty() || !member.is_comparable() {
            return PoolTotals { checks: vec![self.order], strangers: false };
        }
        let unrecorded = curves.unrecorded;
        let strangers = unrecorded.is_whole();
        let mut events = Check::new(CheckKind::EventsWithoutRecord, key.clone(), unrecorded.events);
        events.failed = unrecorded.missing;
        events.first_ns = unrecorded.first_ns;
        let mut checks = vec![events, self.row_totals, self.order];
        if let Some(at) = self.peak
            && !strangers
            && !member.is_mixed
            && self.rows_peak != NONE
        {
            let recorded = curves.totals[0][at];
            let before = curves.totals[0][..at].iter().rev().find(|total| **total != NONE);
            // Older memory alone may have made the peak: no row need show it.
            if self.peak_has_row || before.is_some_and(|before| recorded > *before) {
                let mut peaks = Check::new(CheckKind::Peaks, key, 1);
                if !same(recorded, self.rows_peak) {
                    peaks.fail(curves.time[at], recorded, self.rows_peak);
                }
                checks.push(peaks);
            }
        }
        PoolTotals { checks, strangers }
    }
}
