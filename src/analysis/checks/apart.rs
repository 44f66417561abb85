//! Rows and records that turn out to be of another device or another pool. Such rows are put where their totals say, so that
//! they are told of once and do not upset every other check.

#![allow(clippy::indexing_slicing, reason = "row, record and pool indices come from the columns' own lengths")]

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::answer::Source;
use super::super::check::{Check, CheckKind};
use super::super::pool::PoolCurves;
use super::{Member, counters};
use crate::model::rows::{NONE, Rows};

/// Pools looked through for rows that miss their records. More of them are no machine's.
const MOST_POOLS: usize = 64;

/// Finds rows among the records of another pool, and two counters in the totals of one.
pub(super) fn sort_out(rows: &Rows, members: &mut [Member<'_>]) -> Vec<Check> {
    let mut moves: Vec<(u32, usize, usize)> = Vec::new();
    let mut found: Vec<[Check; 2]> = {
        let neighbours = Neighbours::new(members);
        (0..members.len())
            .map(|at| look_elsewhere(rows, members, &neighbours.of(members, at), at, &mut moves))
            .collect()
    };
    move_rows(rows, members, moves);
    for (member, [_, mixed]) in members.iter_mut().zip(&mut found) {
        if !member.blocks.is_empty() && member.is_comparable() && is_uneven(&member.curves) {
            mixed.compared = mixed.compared.max(member.curves.time.len() as u64);
            if let Some((time, totals)) = counters::second_counter(rows, member) {
                mixed.failed += totals;
                mixed.first_ns.get_or_insert(time);
                mixed.source = Some(member.curves.source);
                member.is_mixed = true;
            }
        }
    }
    found.into_iter().flatten().collect()
}

/// Whether rows and totals do not go together: by themselves, or with what stood before the window.
fn is_uneven(curves: &PoolCurves) -> bool {
    let differs = curves.comparison.as_ref().is_some_and(|comparison| comparison.mismatches > 0);
    differs || (curves.source == Source::Rows && !curves.baseline.is_sorted_by(|before, after| before.1 >= after.1))
}

/// Recorded pools that may hold what another lacks.
struct Neighbours {
    by_component: FxHashMap<String, Vec<usize>>,
    by_device: FxHashMap<String, Vec<usize>>,
}

impl Neighbours {
    fn new(members: &[Member<'_>]) -> Neighbours {
        let mut out = Neighbours { by_component: FxHashMap::default(), by_device: FxHashMap::default() };
        for (at, member) in members.iter().enumerate() {
            let key = &member.curves.key;
            if member.curves.source == Source::MemoryRecord && member.is_comparable() {
                out.by_component.entry(key.component.clone()).or_default().push(at);
                out.by_device.entry(key.device.clone()).or_default().push(at);
            }
        }
        out
    }

    /// The same pool of other devices, and the device's other pools.
    fn of(&self, members: &[Member<'_>], at: usize) -> Vec<usize> {
        let key = &members[at].curves.key;
        let same_pool = self.by_component.get(&key.component).into_iter().flatten();
        let same_device = self.by_device.get(&key.device).into_iter().flatten();
        let same_pool = same_pool.filter(|other| members[**other].curves.key.device != key.device).take(MOST_POOLS);
        let same_device = same_device.filter(|other| members[**other].curves.key.component != key.component);
        same_pool.chain(same_device.take(MOST_POOLS)).copied().collect()
    }
}

/// Rows of a pool whose allocation has no record there, looked up in the same pool of other devices and in the device's other
/// pools.
fn look_elsewhere(
    rows: &Rows,
    members: &[Member<'_>],
    elsewhere: &[usize],
    at: usize,
    moves: &mut Vec<(u32, usize, usize)>,
) -> [Check; 2] {
    let member = &members[at];
    let key = &member.curves.key;
    let mut devices = Check::new(CheckKind::OtherDevice, Some(key.clone()), 0);
    let mut pools = Check::new(CheckKind::PoolsMixed, Some(key.clone()), 0);
    if member.blocks.is_empty() || !member.is_comparable() {
        return [devices, pools];
    }
    let is_recorded = member.curves.source == Source::MemoryRecord;
    let blocks = member.blocks.len() as u64;
    // The component is recorded for a device that has no rows: one of the two tables names the wrong device.
    let orphan = elsewhere.iter().copied().find(|other| {
        !is_recorded && members[*other].curves.key.component == key.component && members[*other].blocks.is_empty()
    });
    if is_recorded || orphan.is_some() {
        devices.compared = blocks;
    }
    if is_recorded || elsewhere.iter().any(|other| members[*other].curves.key.device == key.device) {
        pools.compared = blocks;
    }
    if elsewhere.is_empty() || (is_recorded && member.curves.unrecorded.missing == 0) {
        return [devices, pools];
    }
    let has = |pool: &PoolCurves, time: i64, total: i64| {
        let from = pool.time.partition_point(|t| *t < time);
        let mut records = (from..pool.time.len()).take_while(|record| pool.time[*record] == time);
        records.any(|record| total == NONE || pool.totals[0].get(record) == Some(&total))
    };
    for &row in member.blocks.iter() {
        let (time, total) = (rows.time[row as usize], rows.totals[0].get(row as usize).copied().unwrap_or(NONE));
        if is_recorded && member.curves.time.binary_search(&time).is_ok() {
            continue;
        }
        let Some(other) = elsewhere.iter().copied().find(|other| has(&members[*other].curves, time, total)) else {
            continue;
        };
        let check = if members[other].curves.key.component == key.component { &mut devices } else { &mut pools };
        check.compared = blocks;
        check.fail_bytes(time, rows.size[row as usize]);
        check.other.get_or_insert_with(|| members[other].curves.key.clone());
        moves.push((row, at, other));
    }
    // Where nothing is recorded at the rows' times there is nothing to tell whose they are.
    if is_recorded && devices.failed + pools.failed == 0 && member.curves.unrecorded.is_whole() {
        (devices.compared, pools.compared) = (0, 0);
    }
    devices.found = Some(i64::try_from(devices.failed).unwrap_or(i64::MAX));
    if let Some(orphan) = orphan
        && devices.failed == 0
    {
        devices.failed = blocks;
        devices.first_ns = member.blocks.first().map(|row| rows.time[*row as usize]);
        devices.other = Some(members[orphan].curves.key.clone());
    }
    [devices, pools]
}

/// Makes the curves anew of every pool that lost or won rows.
fn move_rows(rows: &Rows, members: &mut [Member<'_>], mut moves: Vec<(u32, usize, usize)>) {
    if moves.is_empty() {
        return;
    }
    moves.sort_unstable();
    let touched: FxHashSet<usize> = moves.iter().flat_map(|(_, from, to)| [*from, *to]).collect();
    for (at, member) in members.iter_mut().enumerate().filter(|(at, _)| touched.contains(at)) {
        let is_leaving = |row: u32| {
            let place = moves.partition_point(|(moved, ..)| *moved < row);
            moves.get(place).is_some_and(|(moved, from, _)| *moved == row && *from == at)
        };
        let mut blocks: Vec<u32> = member.blocks.iter().copied().filter(|row| !is_leaving(*row)).collect();
        blocks.extend(moves.iter().filter(|(_, _, to)| *to == at).map(|(row, ..)| *row));
        blocks.sort_by_key(|row| (rows.time[*row as usize], *row));
        let old = member.curves.as_ref();
        let curves = match old.source {
            Source::MemoryRecord => {
                let totals = old.totals.clone();
                PoolCurves::recorded(old.key.clone(), old.time.clone(), totals, rows, &blocks, member.drops)
            }
            Source::Rows => PoolCurves::derived(old.key.clone(), rows, &blocks, member.drops),
        };
        member.curves = Cow::Owned(curves);
        member.blocks = Cow::Owned(blocks);
    }
}
