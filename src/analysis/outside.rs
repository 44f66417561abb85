//! What the process holds on a device beside its pools: communication buffers, the runtime, other libraries.
//!
//! Known at the process's samples alone (some 20 ms apart); between them its total is stale while the pools go on.

use rustc_hash::FxHashMap;

use super::pool::PoolCurves;
use crate::model::pools::FRAMEWORK_POOLS;
use crate::model::rows::{GE, NONE, WORKSPACE};

/// The whole process, sampled.
pub(super) const APP: &str = "APP";
/// Column of Total Reserved.
pub(super) const RESERVED: usize = 1;

/// Gives each device's process its steps of reserved memory less what the device's pools reserve, wherever the framework's pool
/// is known.
pub(super) fn add(pools: &mut [(PoolCurves, Vec<u32>, Vec<u32>)]) {
    let mut of_device: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (at, (pool, ..)) in pools.iter().enumerate() {
        if is_inside(&pool.key.component) {
            of_device.entry(pool.key.device.clone()).or_default().push(at);
        }
    }
    for at in 0..pools.len() {
        let steps = pools.get(at).filter(|(pool, ..)| pool.key.component == APP).map(|(app, ..)| {
            let inside = of_device.get(&app.key.device).into_iter().flatten();
            steps(app, inside.filter_map(|at| pools.get(*at)).map(|(pool, ..)| pool))
        });
        if let (Some(steps), Some((app, ..))) = (steps, pools.get_mut(at)) {
            app.outside = steps;
        }
    }
}

fn is_inside(component: &str) -> bool {
    FRAMEWORK_POOLS.contains(&component) || component == GE || component == WORKSPACE
}

fn steps<'a>(app: &PoolCurves, inside: impl Iterator<Item = &'a PoolCurves>) -> Vec<(i64, i64)> {
    let mut walks: Vec<Walk<'_>> = inside.map(Walk::new).collect();
    let mut out = Vec::new();
    for (time, reserved) in app.time.iter().zip(app.totals.get(RESERVED).into_iter().flatten()) {
        let (mut pools, mut known) = (0_i64, false);
        for walk in &mut walks {
            if let Some(bytes) = walk.at(*time) {
                pools = pools.saturating_add(bytes);
                known |= walk.is_framework;
            }
        }
        if known && *reserved != NONE {
            out.push((*time, reserved.saturating_sub(pools)));
        }
    }
    out
}

/// A pool's reserved bytes, asked for at ascending times. Before its first record a pool counts as empty.
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
