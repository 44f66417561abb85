//! The exact rule: the operator that holds the allocation, the forward operator it stems from, the operator that queued it.
//! What only looks likely is marked as a guess, what contradicts itself is not asserted.

#![allow(clippy::indexing_slicing, reason = "row and operator indices come from the columns' own lengths")]

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::forward::Forward;
use super::named::Named;
use super::nesting::Nesting;
use super::queue::Queue;
use crate::column::Column;
use crate::model::match_kind::MatchKind;
use crate::model::rows::{Component, NO_SITE, Rows};
use crate::model::sites::Sites;
use crate::model::spans::{Moment, Operator, Spans};

/// A possible call site of a row; [`NO_SITE`] where the operator is known but its stack cannot be told.
type Candidate = (MatchKind, u32);

/// Joins rows to call sites. `site_of` gives the final site for each id the spans' collector gave.
pub fn best(rows: &mut Rows, spans: &Spans, sites: &Sites, site_of: &[u32]) {
    let by_name = ByName::new(rows);
    let named = Named::new(&spans.operators);
    let mut candidates = Candidates::new(rows);
    {
        let nesting = Nesting::new(&spans.operators);
        let inner = Inner { named: &nesting, others: Nesting::new(&spans.inner) };
        let mut forward = Forward::new(&nesting, spans);
        find_enclosing(&by_name, &named, &inner, &mut forward, &mut candidates);
        find_queued(&by_name, &named, &mut forward, &Queue::new(spans), &mut candidates);
    }
    candidates.settle_doubts();
    // All that is known then is known by the Python functions around the operator each rule leads to.
    let told = |kind: MatchKind| if spans.sites_are_python { MatchKind::Python } else { kind };
    let final_site = |site: u32| site_of.get(site as usize).copied().unwrap_or(NO_SITE);
    let same = |a: u32, b: u32| sites.stack_id(final_site(a)) == sites.stack_id(final_site(b));
    for &row in &by_name.rows {
        let index = row as usize;
        let first = (candidates.rows.kind[index], candidates.rows.site[index]);
        let is_doubted = first.0 == MatchKind::None && candidates.doubted.contains_key(&row);
        let more = candidates.more.remove(&row);
        let rows = &mut *candidates.rows;
        if more.is_none() && !is_doubted {
            rows.kind[index] = if first.1 == NO_SITE { MatchKind::None } else { told(first.0) };
            rows.site[index] = final_site(first.1);
            continue;
        }
        (rows.kind[index], rows.site[index]) = (MatchKind::None, NO_SITE);
        let doubted = candidates.doubted.remove(&row).filter(|_| is_doubted);
        let found = doubted.unwrap_or_else(|| std::iter::once(first).chain(more.into_iter().flatten()).collect());
        let certain = found.iter().copied().filter(|(_, site)| *site != NO_SITE).min_by_key(|(kind, _)| *kind);
        let Some((kind, site)) = certain else { continue };
        if !is_doubted && found.iter().all(|(_, other)| *other != NO_SITE && same(*other, site)) {
            rows.site[index] = final_site(site);
            rows.kind[index] = told(kind);
        } else {
            rows.kind[index] = MatchKind::Ambiguous;
            let all = found.iter().map(|(kind, site)| (told(*kind), final_site(*site))).collect();
            rows.candidates.insert(row, all);
        }
    }
    guess_nearest(&by_name, &named, &spans.operators, &mut candidates, final_site);
}

/// The rows that an operator may have allocated, each name's by time.
struct ByName {
    rows: Vec<u32>,
    names: Vec<(u32, Range<usize>)>,
}

impl ByName {
    fn new(rows: &Rows) -> ByName {
        let wanted = |row: &u32| !rows.is_drop(*row as usize) && rows.component[*row as usize] != Component::Ge;
        let mut ranges = vec![0..0; rows.names.len()];
        for row in rows.order.iter().filter(|row| wanted(row)) {
            ranges[rows.name[*row as usize] as usize].end += 1;
        }
        let mut next = 0;
        for range in &mut ranges {
            (*range, next) = (next..next, next + range.end);
        }
        let mut sorted = vec![0; next];
        for &row in rows.order.iter().filter(|row| wanted(row)) {
            let range = &mut ranges[rows.name[row as usize] as usize];
            sorted[range.end] = row;
            range.end += 1;
        }
        ByName { rows: sorted, names: (0..).zip(ranges).filter(|(_, range)| !range.is_empty()).collect() }
    }

    fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.names.iter().map(|(name, range)| (*name, &self.rows[range.clone()]))
    }
}

/// (1) and (2): on each thread the innermost operator of the row's name that holds the allocation.
fn find_enclosing(
    by_name: &ByName,
    named: &Named<'_>,
    inner: &Inner<'_>,
    forward: &mut Forward<'_>,
    candidates: &mut Candidates<'_>,
) {
    for (name, of_name) in by_name.iter() {
        let mut sweep = named.sweep(name);
        for &row in of_name {
            let time = candidates.rows.time[row as usize];
            for op in sweep.innermost(time) {
                let candidate = own_or_forward(forward, op);
                if inner.refutes(forward.operator(op), time) {
                    candidates.doubt(row, candidate);
                } else {
                    candidates.add(row, candidate, true);
                }
            }
        }
    }
}

/// All operators, to tell which is the innermost. The writer names a row by it (but for operators it passes over): where another one
/// lies inside the operator of the name, the row was allocated elsewhere, though that operator's span holds its time.
struct Inner<'a> {
    named: &'a Nesting<'a>,
    others: Nesting<'a>,
}

impl Inner<'_> {
    fn refutes(&self, op: &Operator, time: i64) -> bool {
        let is_inside = |inner: &Operator| {
            // A moment at an end may be either's.
            let holds = inner.start < time && time < inner.end;
            holds
                && inner.name != op.name
                && inner.start >= op.start
                && inner.end <= op.end
                && (inner.start, inner.end) != (op.start, op.end)
        };
        [&self.named.innermost(op.thread(), time), &self.others.innermost(op.thread(), time)]
            .into_iter()
            .any(|inner| inner.is_some_and(is_inside))
    }
}

/// (3): the operator of the row's name that queued the work, or that called what queued it.
fn find_queued(
    by_name: &ByName,
    named: &Named<'_>,
    forward: &mut Forward<'_>,
    queue: &Queue<'_>,
    candidates: &mut Candidates<'_>,
) {
    for (name, of_name) in by_name.iter() {
        let time = |row: u32| candidates.rows.time[row as usize];
        let queued_by = |&row: &u32| queue.enqueues_at(time(row)).map(move |enqueue| (enqueue, row));
        let mut queued: Vec<(Moment, u32)> = of_name.iter().flat_map(queued_by).collect();
        queued.sort_by_key(|(enqueue, _)| enqueue.time);
        let mut sweep = named.sweep(name);
        for (enqueue, row) in queued {
            if let Some(op) = sweep.innermost_on(enqueue.thread, enqueue.time) {
                let (_, site) = own_or_forward(forward, op);
                candidates.add(row, (MatchKind::Queue, site), false);
            }
        }
    }
}

fn own_or_forward(forward: &mut Forward<'_>, op: u32) -> Candidate {
    match forward.operator(op).site {
        NO_SITE => (MatchKind::Forward, forward.site(op).unwrap_or(NO_SITE)),
        own => (MatchKind::Enclosing, own),
    }
}

/// (4): where no operator of the name holds the allocation, the latest earlier one with a stack, marked as a guess.
fn guess_nearest(
    by_name: &ByName,
    named: &Named<'_>,
    operators: &Column<Operator>,
    candidates: &mut Candidates<'_>,
    final_site: impl Fn(u32) -> u32,
) {
    for (name, of_name) in by_name.iter() {
        let mut sweep = named.sweep(name);
        for &row in of_name {
            let index = row as usize;
            let rows = &*candidates.rows;
            if rows.kind[index] != MatchKind::None || candidates.is_enclosed(row) {
                continue;
            }
            if let Some(last) = sweep.last_started(rows.time[index]) {
                let op = &operators[last as usize];
                let rows = &mut *candidates.rows;
                rows.site[index] = final_site(op.site);
                rows.kind[index] = MatchKind::Nearest;
                rows.gaps.insert(row, rows.time[index] - op.start);
            }
        }
    }
}

/// One of so many rows at most may be doubted.
const DOUBTED_PART: usize = 4;

/// The candidates of every row: nearly always none or one. The first stands in the row itself, its site as the spans have it.
struct Candidates<'a> {
    rows: &'a mut Rows,
    enclosed: Vec<bool>,
    more: FxHashMap<u32, Vec<Candidate>>,
    /// Those that hold the row's time, but not the row.
    doubted: FxHashMap<u32, Vec<Candidate>>,
}

impl<'a> Candidates<'a> {
    fn new(rows: &'a mut Rows) -> Candidates<'a> {
        let enclosed = vec![false; rows.len()];
        Candidates { rows, enclosed, more: FxHashMap::default(), doubted: FxHashMap::default() }
    }

    fn doubt(&mut self, row: u32, candidate: Candidate) {
        self.enclosed[row as usize] = true;
        self.doubted.entry(row).or_default().push(candidate);
    }

    fn add(&mut self, row: u32, candidate: Candidate, encloses: bool) {
        let index = row as usize;
        self.enclosed[index] |= encloses;
        match self.rows.kind[index] {
            MatchKind::None => (self.rows.kind[index], self.rows.site[index]) = candidate,
            _ => self.more.entry(row).or_default().push(candidate),
        }
    }

    /// Where a large part of the rows is doubted, and nothing else names these, their writer names rows in another way: then an
    /// operator inside another proves nothing.
    fn settle_doubts(&mut self) {
        let is_named = |row: u32| self.rows.kind[row as usize] != MatchKind::None;
        let alone = self.doubted.keys().filter(|row| !is_named(**row)).count();
        let named = self.rows.kind.iter().filter(|kind| **kind != MatchKind::None).count();
        if alone * DOUBTED_PART > alone + named {
            let doubted = std::mem::take(&mut self.doubted);
            for (row, candidate) in
                doubted.into_iter().flat_map(|(row, all)| all.into_iter().map(move |one| (row, one)))
            {
                self.add(row, candidate, true);
            }
        }
    }

    fn is_enclosed(&self, row: u32) -> bool {
        self.enclosed[row as usize]
    }
}
