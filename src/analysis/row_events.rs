//! When a pool's rows say something happened: to be held against its records.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use crate::model::rows::Rows;

/// A block that left its pool's counter. In order: by time, then by size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Release {
    /// Ns.
    pub time: i64,
    /// Bytes.
    pub size: i64,
    pub row: u32,
}

/// The releases of a pool's blocks, sorted.
pub(super) fn releases(rows: &Rows, blocks: &[u32]) -> Vec<Release> {
    let release =
        |row: &u32| Release { time: rows.counter_end(*row as usize), size: rows.size[*row as usize], row: *row };
    let mut releases: Vec<Release> = blocks.iter().map(release).filter(|release| release.time != i64::MAX).collect();
    // Blocks are released much in the order they came: a sort that finds what is sorted already.
    releases.sort();
    releases
}

/// Sorted times, and the size of what happened at each allocation and release.
pub(super) struct RowEvents {
    times: Vec<i64>,
    allocations: Vec<(i64, i64)>,
    releases: Vec<(i64, i64)>,
}

/// Events of the pool's rows that have no record at their time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Unrecorded {
    /// Events of the rows.
    pub events: u64,
    /// Those without a record.
    pub missing: u64,
    /// Time of the first of them, ns.
    pub first_ns: Option<i64>,
}

impl Unrecorded {
    /// Whether not one event has a record, though there are some.
    pub fn is_whole(self) -> bool {
        self.events > 0 && self.missing == self.events
    }
}

impl RowEvents {
    /// Of blocks by allocation time, their releases, and drops by time.
    pub fn new(rows: &Rows, blocks: &[u32], releases: &[Release], drops: &[u32]) -> RowEvents {
        let mut allocations: Vec<(i64, i64)> =
            blocks.iter().map(|row| (rows.time[*row as usize], rows.size[*row as usize])).collect();
        allocations.sort();
        // The counter falls at the earliest release; a later one is an event that changes nothing.
        let mut times: Vec<i64> = Vec::with_capacity(allocations.len() + releases.len() * 2);
        times.extend(allocations.iter().map(|(time, _)| *time));
        times.extend(releases.iter().map(|release| release.time));
        for row in releases.iter().map(|release| release.row as usize) {
            let mut is_earliest_left = true;
            for time in rows.releases(row) {
                if is_earliest_left && time == rows.counter_end(row) {
                    is_earliest_left = false;
                } else {
                    times.push(time);
                }
            }
        }
        times.sort();
        // A drop is no block: its record must move the baseline. It only tells what stood before the first record.
        let mut releases: Vec<(i64, i64)> = releases.iter().map(|release| (release.time, release.size)).collect();
        releases.extend(drops.iter().map(|row| (rows.time[*row as usize], -rows.size[*row as usize])));
        releases.sort();
        RowEvents { times, allocations, releases }
    }

    /// Whether a row has an event at a time; to be asked for ascending times.
    pub fn knows(&self) -> impl FnMut(i64) -> bool {
        let mut times = self.times.iter().peekable();
        move |time| {
            while times.next_if(|event| **event < time).is_some() {}
            times.peek().is_some_and(|event| **event == time)
        }
    }

    /// To be asked for ascending times.
    pub fn walk(self) -> EventWalk {
        EventWalk { events: self, next: [0; 3] }
    }

    /// Which of them are not among the pool's times (ascending).
    pub fn unrecorded(&self, recorded: &[i64]) -> Unrecorded {
        let mut out = Unrecorded { events: self.times.len() as u64, missing: 0, first_ns: None };
        let mut records = recorded.iter().peekable();
        for time in &self.times {
            while records.next_if(|record| *record < time).is_some() {}
            if records.peek() != Some(&time) {
                out.missing += 1;
                out.first_ns.get_or_insert(*time);
            }
        }
        out
    }

    /// Size of an allocation at a time, and of a release.
    pub fn sizes_at(&self, time: i64) -> (Option<i64>, Option<i64>) {
        let size = |list: &[(i64, i64)]| {
            let at = list.partition_point(|(t, _)| *t < time);
            list.get(at).filter(|(t, _)| *t == time).map(|(_, size)| *size)
        };
        (size(&self.allocations), size(&self.releases))
    }
}

/// What the rows say of one time after another.
pub(super) struct EventWalk {
    events: RowEvents,
    /// Next among the times, the allocations and the releases.
    next: [usize; 3],
}

impl EventWalk {
    /// By how much the rows' counter changed at a time; `None`: no row knows of it.
    pub fn change_at(&mut self, time: i64) -> Option<i64> {
        let RowEvents { times, allocations, releases } = &self.events;
        let [at, allocation, release] = &mut self.next;
        while times.get(*at).is_some_and(|t| *t < time) {
            *at += 1;
        }
        if times.get(*at) != Some(&time) {
            return None;
        }
        let size_at = |list: &[(i64, i64)], next: &mut usize| {
            while list.get(*next).is_some_and(|(t, _)| *t < time) {
                *next += 1;
            }
            list.get(*next).filter(|(t, _)| *t == time).map_or(0, |(_, size)| *size)
        };
        Some(size_at(allocations, allocation) - size_at(releases, release))
    }
}
