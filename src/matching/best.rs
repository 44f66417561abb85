//! The exact rule: the operator that holds the allocation, the forward operator it stems from, the operator that queued it.
//! What only looks likely is marked as a guess, what contradicts itself is not asserted.

#![allow(clippy::indexing_slicing, reason = "row and operator indices come from the columns' own lengths")]

use rustc_hash::FxHashMap;

use super::forward::Forward;
use super::named::Named;
use super::nesting::Nesting;
use super::queue::Queue;
use crate::model::match_kind::MatchKind;
use crate::model::rows::{Component, NO_SITE, Rows};
use crate::model::sites::Sites;
use crate::model::spans::{Moment, Operator, Spans};

/// A possible call site of a row; [`NO_SITE`] where the operator is known but its stack cannot be told.
type Candidate = (MatchKind, u32);

/// Joins rows to call sites. `site_of` gives the final site for each id the spans' collector gave.
pub fn best(rows: &mut Rows, spans: &Spans, sites: &Sites, site_of: &[u32]) {
    let nesting = Nesting::new(&spans.operators);
    let mut forward = Forward::new(&nesting, spans);
    let named = Named::new(&spans.operators);
    let matchable: Vec<u32> = rows
        .order
        .iter()
        .copied()
        .filter(|row| !rows.is_drop(*row as usize) && rows.component[*row as usize] != Component::Ge)
        .collect();
    let mut candidates = Candidates::new(rows.len());
    let by_name = group_by_name(rows, &matchable);
    let inner = Inner { named: &nesting, others: Nesting::new(&spans.inner) };
    find_enclosing(rows, &by_name, &named, &inner, &mut forward, &mut candidates);
    find_queued(rows, &by_name, &named, &mut forward, &Queue::new(spans), &mut candidates);
    candidates.settle_doubts();
    // All that is known then is known by the Python functions around the operator each rule leads to.
    let told = |kind: MatchKind| if spans.sites_are_python { MatchKind::Python } else { kind };
    let final_site = |site: u32| site_of.get(site as usize).copied().unwrap_or(NO_SITE);
    let same = |a: u32, b: u32| sites.stack_id(final_site(a)) == sites.stack_id(final_site(b));
    for &row in &matchable {
        let (found, is_doubted) = candidates.of(row);
        let certain = found.iter().copied().filter(|(_, site)| *site != NO_SITE).min_by_key(|(kind, _)| *kind);
        let Some((kind, site)) = certain else { continue };
        if !is_doubted && found.iter().all(|(_, other)| *other != NO_SITE && same(*other, site)) {
            rows.site[row as usize] = final_site(site);
            rows.kind[row as usize] = told(kind);
        } else {
            rows.kind[row as usize] = MatchKind::Ambiguous;
            let all = found.iter().map(|(kind, site)| (told(*kind), final_site(*site))).collect();
            rows.candidates.insert(row, all);
        }
    }
    guess_nearest(rows, &by_name, &named, &spans.operators, &candidates, final_site);
}

/// The rows of each name, by time.
fn group_by_name(rows: &Rows, matchable: &[u32]) -> FxHashMap<u32, Vec<u32>> {
    let mut by_name: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for &row in matchable {
        by_name.entry(rows.name[row as usize]).or_default().push(row);
    }
    by_name
}

/// (1) and (2): on each thread the innermost operator of the row's name that holds the allocation.
fn find_enclosing(
    rows: &Rows,
    by_name: &FxHashMap<u32, Vec<u32>>,
    named: &Named<'_>,
    inner: &Inner<'_>,
    forward: &mut Forward<'_>,
    candidates: &mut Candidates,
) {
    for (name, of_name) in by_name {
        let mut sweep = named.sweep(*name);
        for &row in of_name {
            let time = rows.time[row as usize];
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
    rows: &Rows,
    by_name: &FxHashMap<u32, Vec<u32>>,
    named: &Named<'_>,
    forward: &mut Forward<'_>,
    queue: &Queue,
    candidates: &mut Candidates,
) {
    for (name, of_name) in by_name {
        let queued_by = |&row: &u32| queue.enqueues_at(rows.time[row as usize]).map(move |enqueue| (enqueue, row));
        let mut queued: Vec<(Moment, u32)> = of_name.iter().flat_map(queued_by).collect();
        queued.sort_by_key(|(enqueue, _)| enqueue.time);
        let mut sweep = named.sweep(*name);
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
    rows: &mut Rows,
    by_name: &FxHashMap<u32, Vec<u32>>,
    named: &Named<'_>,
    operators: &[Operator],
    candidates: &Candidates,
    final_site: impl Fn(u32) -> u32,
) {
    for (name, of_name) in by_name {
        let mut sweep = named.sweep(*name);
        for &row in of_name {
            let index = row as usize;
            if rows.kind[index] != MatchKind::None || candidates.is_enclosed(row) {
                continue;
            }
            if let Some(last) = sweep.last_started(rows.time[index]) {
                let op = &operators[last as usize];
                rows.site[index] = final_site(op.site);
                rows.kind[index] = MatchKind::Nearest;
                rows.gaps.insert(row, rows.time[index] - op.start);
            }
        }
    }
}

/// One of so many rows at most may be doubted.
const DOUBTED_PART: usize = 4;

/// The candidates of every row: nearly always none or one.
struct Candidates {
    first: Vec<Option<Candidate>>,
    enclosed: Vec<bool>,
    more: FxHashMap<u32, Vec<Candidate>>,
    /// Those that hold the row's time, but not the row.
    doubted: FxHashMap<u32, Vec<Candidate>>,
}

impl Candidates {
    fn new(rows: usize) -> Candidates {
        Candidates {
            first: vec![None; rows],
            enclosed: vec![false; rows],
            more: FxHashMap::default(),
            doubted: FxHashMap::default(),
        }
    }

    fn doubt(&mut self, row: u32, candidate: Candidate) {
        self.enclosed[row as usize] = true;
        self.doubted.entry(row).or_default().push(candidate);
    }

    fn add(&mut self, row: u32, candidate: Candidate, encloses: bool) {
        self.enclosed[row as usize] |= encloses;
        match &mut self.first[row as usize] {
            slot @ None => *slot = Some(candidate),
            Some(_) => self.more.entry(row).or_default().push(candidate),
        }
    }

    /// Where a large part of the rows is doubted, and nothing else names these, their writer names rows in another way: then an
    /// operator inside another proves nothing.
    fn settle_doubts(&mut self) {
        let alone = self.doubted.keys().filter(|row| self.first[**row as usize].is_none()).count();
        let named = self.first.iter().flatten().count();
        if alone * DOUBTED_PART > alone + named {
            let doubted = std::mem::take(&mut self.doubted);
            for (row, candidate) in
                doubted.into_iter().flat_map(|(row, all)| all.into_iter().map(move |one| (row, one)))
            {
                self.add(row, candidate, true);
            }
        }
    }

    /// The candidates of a row; where there is none that is not doubted those, and that they are.
    fn of(&self, row: u32) -> (Vec<Candidate>, bool) {
        let more = self.more.get(&row).map(Vec::as_slice).unwrap_or_default();
        let all: Vec<Candidate> = self.first[row as usize].iter().chain(more).copied().collect();
        match self.doubted.get(&row) {
            Some(doubted) if all.is_empty() => (doubted.clone(), true),
            _ => (all, false),
        }
    }

    fn is_enclosed(&self, row: u32) -> bool {
        self.enclosed[row as usize]
    }
}
