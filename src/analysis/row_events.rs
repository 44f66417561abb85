//! When a pool's rows say something happened: to be held against its records.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use std::iter::Peekable;

use crate::model::rows::Rows;

/// A block that left its pool's counter. In order: by time, then by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Release {
    /// Ns.
    pub time: i64,
    pub row: u32,
}

/// The releases of a pool's blocks, sorted.
pub(super) fn releases(rows: &Rows, blocks: &[u32]) -> Vec<Release> {
    let release = |row: &u32| Release { time: rows.counter_end(*row as usize), row: *row };
    let is_there = |release: &Release| release.time != i64::MAX;
    let mut releases = Vec::with_capacity(blocks.iter().map(release).filter(is_there).count());
    releases.extend(blocks.iter().map(release).filter(is_there));
    // Blocks are released much in the order they came: a sort that finds what is sorted already.
    releases.sort();
    releases
}

/// What a pool's rows tell of its counter, over lists that are there already.
pub(super) struct RowEvents<'a> {
    rows: &'a Rows,
    /// By allocation time.
    blocks: &'a [u32],
    releases: &'a [Release],
    /// Times of releases that change nothing, since an earlier one did: sorted.
    later: Vec<i64>,
    /// By time.
    drops: &'a [u32],
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

impl<'a> RowEvents<'a> {
    /// Of blocks by allocation time, their releases, and drops by time.
    pub fn new(rows: &'a Rows, blocks: &'a [u32], releases: &'a [Release], drops: &'a [u32]) -> RowEvents<'a> {
        // The counter falls at the earliest release.
        let more = releases.iter().map(|release| rows.releases(release.row as usize).count() - 1).sum();
        let mut later = Vec::with_capacity(more);
        for release in releases {
            let mut is_earliest_left = true;
            for time in rows.releases(release.row as usize) {
                if is_earliest_left && time == release.time {
                    is_earliest_left = false;
                } else {
                    later.push(time);
                }
            }
        }
        later.sort();
        RowEvents { rows, blocks, releases, later, drops }
    }

    /// Times of all events, ascending.
    fn times(&self) -> impl Iterator<Item = i64> {
        let allocations = self.blocks.iter().map(|row| self.rows.time[*row as usize]);
        let releases = self.releases.iter().map(|release| release.time);
        merged(merged(allocations, releases), self.later.iter().copied())
    }

    /// Whether a row has an event at a time; to be asked for ascending times. A drop is no block: its record must move the
    /// baseline.
    pub fn knows(&self) -> impl FnMut(i64) -> bool {
        let mut times = self.times().peekable();
        move |time| {
            while times.next_if(|event| *event < time).is_some() {}
            times.peek() == Some(&time)
        }
    }

    /// Which of them are not among the pool's times (ascending).
    pub fn unrecorded(&self, recorded: &[i64]) -> Unrecorded {
        let mut out = Unrecorded::default();
        let mut records = recorded.iter().peekable();
        for time in self.times() {
            out.events += 1;
            while records.next_if(|record| **record < time).is_some() {}
            if records.peek() != Some(&&time) {
                out.missing += 1;
                out.first_ns.get_or_insert(time);
            }
        }
        out
    }

    /// Size of an allocation at a time, and of a release; of several the smallest.
    pub fn sizes_at(&self, time: i64) -> (Option<i64>, Option<i64>) {
        let [from, drops_from] =
            [self.blocks, self.drops].map(|list| list.partition_point(|row| self.time(*row) < time));
        let size = |row: &u32| self.rows.size[*row as usize];
        let at = |list: &'a [u32]| list.iter().take_while(|row| self.time(**row) == time).map(size);
        let released_from = self.releases.partition_point(|release| release.time < time);
        let released = self.releases[released_from..].iter().take_while(|release| release.time == time);
        let released = released.map(|release| size(&release.row));
        // A drop only tells what stood before the first record.
        let released = released.chain(at(&self.drops[drops_from..]).map(|size| -size)).min();
        (at(&self.blocks[from..]).min(), released)
    }

    fn time(&self, row: u32) -> i64 {
        self.rows.time[row as usize]
    }
}

/// Two ascending lists as one.
fn merged(a: impl Iterator<Item = i64>, b: impl Iterator<Item = i64>) -> impl Iterator<Item = i64> {
    let (mut a, mut b): (Peekable<_>, Peekable<_>) = (a.peekable(), b.peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(first), Some(second)) if second < first => b.next(),
        (None, _) => b.next(),
        (Some(_), _) => a.next(),
    })
}

/// What the rows say of one time after another, without any drops.
pub(super) struct EventWalk<'a> {
    rows: &'a Rows,
    blocks: &'a [u32],
    releases: Vec<Release>,
    later: Vec<i64>,
    /// Next among the blocks, the releases and the later releases.
    next: [usize; 3],
}

impl<'a> EventWalk<'a> {
    /// Over blocks by allocation time.
    pub fn new(rows: &'a Rows, blocks: &'a [u32]) -> EventWalk<'a> {
        let releases = releases(rows, blocks);
        let later = RowEvents::new(rows, blocks, &releases, &[]).later;
        EventWalk { rows, blocks, releases, later, next: [0; 3] }
    }

    /// By how much the rows' counter changed at a time; `None`: no row knows of it. To be asked for ascending times.
    pub fn change_at(&mut self, time: i64) -> Option<i64> {
        let [allocation, release, later] = &mut self.next;
        let (time_of, size) = (|row: &u32| self.rows.time[*row as usize], |row: &u32| self.rows.size[*row as usize]);
        *allocation += self.blocks[*allocation..].iter().take_while(|row| time_of(row) < time).count();
        *release += self.releases[*release..].iter().take_while(|release| release.time < time).count();
        *later += self.later[*later..].iter().take_while(|later| **later < time).count();
        let came = self.blocks[*allocation..].iter().take_while(|row| time_of(row) == time).map(size).min();
        let left = self.releases[*release..].iter().take_while(|release| release.time == time);
        let left = left.map(|release| size(&release.row)).min();
        let is_known = came.is_some() || left.is_some() || self.later.get(*later) == Some(&time);
        is_known.then(|| came.unwrap_or(0) - left.unwrap_or(0))
    }
}
