//! Truth checks: does what the files say agree with itself? Identities that hold to the byte and the nanosecond in every whole
//! recording are compared once, when a rank is ready.
//!
//! One cause should give one answer: rows that turn out to belong to another pool or device are put there first, and the other
//! checks are made as if they had been there all along. What cannot be compared is said to be not compared, never to hold.

mod apart;
mod baseline;
mod counters;
mod outside;
mod times;
mod totals;

use std::borrow::Cow;

use super::check::{Check, CheckKind};
use super::pool::PoolCurves;
use crate::model::pools::FRAMEWORK_POOLS;
use crate::model::rows::{GE, Rows, WORKSPACE};

/// The framework's pool where totals are written in MB of 1000 KB: they are no sums of the rows' sizes.
pub(super) const MINDSPORE: &str = "MindSpore";
/// Allocators hand out multiples of this many bytes.
const GRAIN: i64 = 512;

/// A pool with the rows that belong to it.
pub(super) struct Member<'a> {
    pub curves: Cow<'a, PoolCurves>,
    /// By allocation time.
    pub blocks: Cow<'a, [u32]>,
    pub drops: &'a [u32],
    /// Its totals turned out to be those of two pools: nothing can be held against them.
    pub is_mixed: bool,
}

impl<'a> Member<'a> {
    /// A pool as it was read.
    pub fn new(curves: &'a PoolCurves, blocks: &'a [u32], drops: &'a [u32]) -> Member<'a> {
        Member { curves: Cow::Borrowed(curves), blocks: Cow::Borrowed(blocks), drops, is_mixed: false }
    }

    /// Whether its rows' sizes and its totals can be held against each other.
    fn is_comparable(&self) -> bool {
        let component = self.curves.key.component.as_str();
        let is_known = FRAMEWORK_POOLS.contains(&component) || component == GE || component == WORKSPACE;
        is_known && component != MINDSPORE
    }
}

/// Every check of a rank, in the order of [`CheckKind::ALL`], pools in their own order. `rows` still has its release totals.
pub(super) fn checks(rows: &Rows, mut members: Vec<Member<'_>>) -> Vec<Check> {
    let (rounded, step) = times::rounded(rows);
    let mut all = apart::sort_out(rows, &mut members);
    for member in &members {
        let of_pool = totals::PoolTotals::new(rows, member);
        if !of_pool.strangers {
            all.extend(baseline::checks(rows, member, step.is_some()));
        }
        all.extend(of_pool.checks);
    }
    all.push(times::durations(rows, step.is_some()));
    all.push(rounded);
    all.extend(outside::checks(&members));
    complete(all)
}

/// In order, and each kind there: what no pool could be asked is not compared.
fn complete(all: Vec<Check>) -> Vec<Check> {
    let mut all: Vec<Check> = all.into_iter().filter(|check| check.compared > 0).collect();
    for kind in CheckKind::ALL {
        if !all.iter().any(|check| check.kind == *kind) {
            all.push(Check::new(*kind, None, 0));
        }
    }
    all.sort_by_key(|check| check.kind);
    all
}

/// Whether two totals are the same: equal, or one of them was rounded when it was written.
fn same(a: i64, b: i64) -> bool {
    a == b || ((a % GRAIN != 0 || b % GRAIN != 0) && a.saturating_sub(b).saturating_abs() < GRAIN / 2)
}
