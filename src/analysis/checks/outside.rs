//! What the process holds on a device beside its pools: communication buffers, the runtime, other libraries.

use super::super::check::{Check, CheckKind};
use super::super::pool::PoolCurves;
use super::Member;
use crate::model::pools::FRAMEWORK_POOLS;
use crate::model::rows::{GE, NONE, WORKSPACE};

/// The whole process, sampled.
const APP: &str = "APP";
/// Column of Total Reserved.
const RESERVED: usize = 1;

/// One check a device whose process was sampled.
pub(super) fn checks(members: &[Member<'_>]) -> Vec<Check> {
    let apps = members.iter().map(|member| member.curves.as_ref()).filter(|pool| pool.key.component == APP);
    apps.map(|app| {
        let inside: Vec<&PoolCurves> = members
            .iter()
            .map(|member| member.curves.as_ref())
            .filter(|pool| pool.key.device == app.key.device && is_inside(&pool.key.component))
            .collect();
        largest_gap(app, &inside)
    })
    .collect()
}

fn is_inside(component: &str) -> bool {
    FRAMEWORK_POOLS.contains(&component) || component == GE || component == WORKSPACE
}

/// Reserved by the process less reserved by its pools, at every sample of the process at which the framework's pool is known.
fn largest_gap(app: &PoolCurves, inside: &[&PoolCurves]) -> Check {
    let mut check = Check::new(CheckKind::OutsidePools, Some(app.key.clone()), 0);
    let mut walks: Vec<Walk<'_>> = inside.iter().map(|pool| Walk::new(pool)).collect();
    for (time, reserved) in app.time.iter().zip(app.totals.get(RESERVED).into_iter().flatten()) {
        if *reserved == NONE {
            continue;
        }
        let mut pools = 0_i64;
        let mut known = false;
        for walk in &mut walks {
            if let Some(bytes) = walk.at(*time) {
                pools = pools.saturating_add(bytes);
                known |= walk.is_framework;
            }
        }
        if !known {
            continue;
        }
        check.compared += 1;
        let gap = reserved.saturating_sub(pools);
        if gap <= 0 {
            continue;
        }
        check.failed += 1;
        if check.bytes.is_none_or(|most| gap > most) {
            check.bytes = Some(gap);
            check.first_ns = Some(*time);
            check.expected = Some(pools);
            check.found = Some(*reserved);
        }
    }
    check
}

/// A pool's reserved bytes, asked for at ascending times.
struct Walk<'a> {
    steps: std::iter::Peekable<std::iter::Zip<std::slice::Iter<'a, i64>, std::slice::Iter<'a, i64>>>,
    reserved: Option<i64>,
    is_framework: bool,
}

impl Walk<'_> {
    fn new(pool: &PoolCurves) -> Walk<'_> {
        let reserved = pool.totals.get(RESERVED).map(Vec::as_slice).unwrap_or_default();
        Walk {
            steps: pool.time.iter().zip(reserved).peekable(),
            reserved: None,
            is_framework: FRAMEWORK_POOLS.contains(&pool.key.component.as_str()),
        }
    }

    fn at(&mut self, time: i64) -> Option<i64> {
        while let Some((_, bytes)) = self.steps.next_if(|(at, _)| **at <= time) {
            if *bytes != NONE {
                self.reserved = Some(*bytes);
            }
        }
        self.reserved
    }
}
