//! When a block left its pool's counter, where the table tells only when the free was reported.
//!
//! A block goes back inside the free call, before that call reports it: 0.4 to 87 us earlier in published recordings. Tables
//! with an Active Release Time tell when. Those of 10 columns, MindSpore's and rows whose cell is empty do not; there the totals
//! do, if anything does: the one at the release shows no change, and one shortly before it a fall of just the block's size. A
//! release whose own total falls is left alone.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use super::row_events::{Release, releases};
use crate::model::rows::{NONE, Rows};

/// How far before its release a block may have left the counter, ns: a hundred times what was seen.
const WITHIN_NS: i64 = 10_000_000;
/// Allocators hand out multiples of this many bytes; totals with few decimals are off by less than half of it.
const GRAIN: i64 = 512;

/// Finds the times for a pool's blocks in its totals of allocated memory, which come by time. `has_all`: every event of the pool
/// has a total, as in its records; those beside the rows know nothing of what happens between two rows' events.
pub(super) fn tell(rows: &mut Rows, blocks: &[u32], totals: impl Iterator<Item = (i64, i64)>, has_all: bool) {
    let is_open = |row: usize| rows.release[row] != NONE && rows.active_release[row] == NONE;
    if !blocks.iter().any(|row| is_open(*row as usize)) {
        return;
    }
    let mut found: Vec<(usize, i64)> = Vec::new();
    let mut falls = Falls::default();
    let mut events = Events::new(rows, blocks);
    let mut before = None;
    let mut totals = totals.filter(|(_, total)| *total != NONE).peekable();
    while let Some((time, mut total)) = totals.next() {
        // Of one time only the last shows all that happened at it.
        while let Some((_, last)) = totals.next_if(|(next, _)| *next == time) {
            total = last;
        }
        let (change, releases) = events.up_to(time);
        let Some(before) = before.replace(total) else { continue };
        let mut missing = i64::saturating_sub(total, before).saturating_sub(change);
        if missing < 0 {
            falls.0.push((time, -missing));
        }
        for (at, row) in releases.iter().map(|release| (release.time, release.row as usize)) {
            let size = rows.size[row];
            if missing <= 0 || !is_open(row) || grains(missing) < grains(size) {
                continue;
            }
            let earliest = rows.time[row].max(at.saturating_sub(WITHIN_NS));
            if let Some(fall) = falls.take(size, earliest, has_all) {
                found.push((row, fall));
                missing -= size;
            }
        }
    }
    for (row, time) in found {
        rows.left_counter(row, time);
    }
}

/// The totals beside a pool's rows, for pools without records.
pub(super) fn totals_beside(rows: &Rows, blocks: &[u32], drops: &[u32]) -> Vec<(i64, i64)> {
    let total = |column: &[i64], row: u32| column.get(row as usize).copied().unwrap_or(NONE);
    let mut totals = Vec::with_capacity(blocks.len() * 2);
    for &row in blocks {
        totals.push((rows.time[row as usize], total(&rows.totals[0], row)));
        totals.push((rows.live_end(row as usize), total(&rows.release_totals[0], row)));
    }
    for &row in drops {
        let after = if rows.released_only.contains(&row) { &rows.release_totals } else { &rows.totals };
        totals.push((rows.time[row as usize], total(&after[0], row)));
    }
    totals.retain(|(time, total)| *time != i64::MAX && *total != NONE);
    totals.sort_by_key(|(time, _)| *time);
    totals
}

/// Falls of the total that no row explains yet: time and bytes, by time.
#[derive(Default)]
struct Falls(Vec<(i64, i64)>);

impl Falls {
    /// Takes the latest fall of a size since a time; where not every event has a total, also part of a larger one, made of
    /// several.
    fn take(&mut self, size: i64, since: i64, has_all: bool) -> Option<i64> {
        let latest = |fits: &dyn Fn(i64) -> bool| {
            let recent = self.0.iter().rev().take_while(|(time, _)| *time >= since);
            recent.enumerate().find(|(_, (_, bytes))| fits(*bytes)).map(|(back, _)| self.0.len() - 1 - back)
        };
        let exact = latest(&|bytes| grains(bytes) == grains(size));
        let at = exact.or_else(|| if has_all { None } else { latest(&|bytes| grains(bytes) > grains(size)) })?;
        let (time, bytes) = self.0.get_mut(at)?;
        let time = *time;
        *bytes -= size;
        if exact.is_some() {
            self.0.remove(at);
        }
        Some(time)
    }
}

fn grains(bytes: i64) -> i64 {
    bytes.saturating_add(GRAIN / 2).div_euclid(GRAIN)
}

/// What the rows say of the counter, by time.
struct Events<'a> {
    rows: &'a Rows,
    /// By allocation time.
    blocks: &'a [u32],
    releases: Vec<Release>,
    next: [usize; 2],
}

impl<'a> Events<'a> {
    fn new(rows: &'a Rows, blocks: &'a [u32]) -> Events<'a> {
        Events { rows, blocks, releases: releases(rows, blocks), next: [0; 2] }
    }

    /// By how much the counter changed since the time asked for before, and the releases since then.
    fn up_to(&mut self, time: i64) -> (i64, &[Release]) {
        let [came, left] = self.next;
        let size = |row: u32| self.rows.size[row as usize];
        let coming = self.blocks[came..].iter().take_while(|row| self.rows.time[**row as usize] <= time);
        let leaving = self.releases[left..].iter().take_while(|release| release.time <= time);
        let (mut sum, mut counts) = (0_i64, [0; 2]);
        for row in coming {
            sum = sum.saturating_add(size(*row));
            counts[0] += 1;
        }
        for release in leaving {
            sum = sum.saturating_sub(size(release.row));
            counts[1] += 1;
        }
        self.next = [came + counts[0], left + counts[1]];
        (sum, &self.releases[left..left + counts[1]])
    }
}
