//! What the driver's components held: peaks and curves.

use super::answer::{Extreme, ModuleSummary, PoolKey, Quantity, Series};
use super::extremes::Extremes;
use super::timeline::View;
use crate::model::modules::{Module, Modules};
use crate::model::rows::NONE;

/// The components by peak, the largest first.
pub(crate) fn summaries(modules: &Modules) -> Vec<ModuleSummary> {
    let mut all: Vec<ModuleSummary> = modules.list.iter().filter_map(summary).collect();
    all.sort_by(|a, b| {
        let key = |m: &ModuleSummary| (-m.peak.bytes, m.component.clone(), m.device.clone());
        key(a).cmp(&key(b))
    });
    all
}

fn summary(module: &Module) -> Option<ModuleSummary> {
    let mut peak: Option<Extreme> = None;
    for (&bytes, &time_ns) in module.reserved.iter().zip(&module.time) {
        if bytes != NONE && peak.is_none_or(|peak| bytes > peak.bytes) {
            peak = Some(Extreme { bytes, time_ns });
        }
    }
    let (component, device) = (module.component.clone(), module.device.clone());
    peak.map(|peak| ModuleSummary { component, device, peak, records: module.records })
}

/// The components' curves between two times, for so many pixel columns, in the order of the file.
pub(crate) fn curves(modules: &Modules, start_ns: i64, end_ns: i64, columns: u32) -> Vec<Series> {
    let curve = |module: &Module| {
        let value = |at: usize| module.reserved.get(at).copied().unwrap_or(NONE);
        let key = PoolKey { component: module.component.clone(), device: module.device.clone() };
        let time = |at: usize| module.time.get(at).copied().unwrap_or(NONE);
        let view = View::new(module.time.len(), time, start_ns, end_ns.max(start_ns), columns);
        // Sampled some fifty times a second: few enough to be looked at one by one.
        view.reduce(|at| (time(at), value(at)), &Extremes::default()).into_series(key, Quantity::Reserved)
    };
    modules.list.iter().map(curve).collect()
}
