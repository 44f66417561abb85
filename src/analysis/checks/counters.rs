//! Totals of two pools under one name: workspace memory among torch's rows, and in old files among its records as well.

#![allow(clippy::indexing_slicing, reason = "row and record indices come from the columns' own lengths")]

use super::super::answer::Source;
use super::super::row_events::EventWalk;
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
    match member.curves.source {
        Source::MemoryRecord => of_events(recorded(rows, member)),
        Source::Rows => of_events(beside_rows(rows, member).into_iter()),
    }
}

fn of_events(mut events: impl Iterator<Item = Event>) -> Option<(i64, u64)> {
    let mut main = Counter::new(events.next()?);
    let mut second: Option<Counter> = None;
    let (mut on_second, mut back) = (false, 0_u64);
    for event in events {
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

/// The records with what the rows say of each; made as they are asked for: most recordings are told to be of one counter early.
fn recorded<'a>(rows: &'a Rows, member: &'a Member<'_>) -> impl Iterator<Item = Event> + use<'a> {
    let curves = member.curves.as_ref();
    let mut known = EventWalk::new(rows, &member.blocks);
    let records = curves.time.iter().enumerate().zip(&curves.totals[0]).filter(|(_, total)| **total != NONE);
    records.map(move |((at, time), total)| {
        let reserved = curves.totals[1].get(at).copied().unwrap_or(NONE);
        Event { time: *time, total: *total, reserved, change: known.change_at(*time) }
    })
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
