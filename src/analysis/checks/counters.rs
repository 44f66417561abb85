//! Totals of two pools under one name: workspace memory among torch's rows, and in old files among its records as well.

#![allow(clippy::indexing_slicing, reason = "row and record indices come from the columns' own lengths")]

use super::super::answer::Source;
use super::super::pool::RowEvents;
use super::Member;
use crate::model::rows::{NONE, Rows};

/// Totals of a second counter that make two pools of one: fewer may be odd ones.
const ENOUGH: u64 = 4;

/// A total right after an event.
#[derive(Debug, Clone, Copy)]
struct Event {
    time: i64,
    total: i64,
    reserved: i64,
    /// By how much the rows say it changed; `None`: no row knows of it.
    change: Option<i64>,
}

/// A pool's state as its last event left it, and the totals that followed it.
#[derive(Debug, Clone, Copy)]
struct Counter {
    since: i64,
    total: i64,
    reserved: i64,
    events: u64,
}

impl Counter {
    fn new(event: Event) -> Counter {
        Counter { since: event.time, total: event.total, reserved: event.reserved, events: 1 }
    }

    fn take(&mut self, event: Event) {
        (self.total, self.reserved) = (event.total, event.reserved);
        self.events += 1;
    }
}

/// Whether the totals are those of two counters, each in step with the rows by itself: time of the first total of the rarer one,
/// and how many it has.
pub(super) fn second_counter(rows: &Rows, member: &Member<'_>) -> Option<(i64, u64)> {
    let events = match member.curves.source {
        Source::MemoryRecord => recorded(rows, member),
        Source::Rows => beside_rows(rows, member),
    };
    let mut main = Counter::new(*events.first()?);
    let mut second: Option<Counter> = None;
    let (mut on_second, mut back) = (false, 0_u64);
    for event in events.into_iter().skip(1) {
        let before = event.change.map(|change| event.total.saturating_sub(change));
        let fits_main = before == Some(main.total);
        let Some(other) = &mut second else {
            // A pool does not change what it reserves without cause; another one reserves something else.
            if fits_main || before.is_none() || event.reserved == main.reserved {
                main.take(event);
            } else {
                second = Some(Counter::new(event));
                on_second = true;
            }
            continue;
        };
        let fits_other = before == Some(other.total);
        let is_others = match (fits_main, fits_other) {
            (true, true) => on_second,
            (false, false) => {
                let is_others = event.reserved == other.reserved && event.reserved != main.reserved;
                let counter = if is_others { &*other } else { &main };
                // Older memory may go in between; nothing may come without a row.
                if before.is_some_and(|before| before > counter.total) {
                    return None;
                }
                is_others
            }
            (_, fits_other) => fits_other,
        };
        if is_others {
            other.take(event);
        } else {
            main.take(event);
            back += u64::from(on_second);
        }
        on_second = is_others;
    }
    let second = second?;
    let rarer = if second.events <= main.events { second } else { main };
    (rarer.events >= ENOUGH && back > 1).then_some((rarer.since, rarer.events))
}

fn recorded(rows: &Rows, member: &Member<'_>) -> Vec<Event> {
    let curves = member.curves.as_ref();
    let known = RowEvents::new(rows, &member.blocks, &[]);
    let records = curves.time.iter().enumerate().zip(&curves.totals[0]).filter(|(_, total)| **total != NONE);
    records
        .map(|((at, time), total)| {
            let change = match (known.allocated_at(*time), known.released_at(*time)) {
                (None, None) => known.knows(*time).then_some(0),
                (allocated, released) => Some(allocated.unwrap_or(0) - released.unwrap_or(0)),
            };
            let reserved = curves.totals[1].get(at).copied().unwrap_or(NONE);
            Event { time: *time, total: *total, reserved, change }
        })
        .collect()
}

fn beside_rows(rows: &Rows, member: &Member<'_>) -> Vec<Event> {
    let mut events = Vec::with_capacity(member.blocks.len() * 2);
    for row in member.blocks.iter().map(|row| *row as usize) {
        let ends = [
            (rows.time[row], rows.size[row], &rows.totals),
            (rows.live_end(row), -rows.size[row], &rows.release_totals),
        ];
        for (time, change, totals) in ends {
            let [total, reserved] = [0, 1].map(|column: usize| totals[column].get(row).copied().unwrap_or(NONE));
            if time != i64::MAX && total != NONE {
                events.push(Event { time, total, reserved, change: Some(change) });
            }
        }
    }
    events.sort_by_key(|event| event.time);
    events
}
