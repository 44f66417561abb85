//! What the process holds beside its pools, where that is much. The figures are those of the check of that name.

use super::super::answer::Summary;
use super::super::check::{Check, CheckKind};
use super::{Component, Finding, Found, OutsideFound, Where, rules};

/// The whole process, among the driver's components.
const APP: &str = "APP";
/// Components named.
const COMPONENTS: usize = 3;

pub(super) fn find(summary: &Summary) -> Vec<Finding> {
    let checks = summary.checks.iter().filter(|check| check.kind == CheckKind::OutsidePools);
    checks.filter_map(|check| of_process(summary, check)).collect()
}

fn of_process(summary: &Summary, check: &Check) -> Option<Finding> {
    let (bytes, process, pools) = (check.bytes?, check.found?, check.expected?);
    let is_much = i128::from(bytes) * 100 >= i128::from(process) * i128::from(rules::OUTSIDE_LEAST_PERCENT);
    if bytes < rules::OUTSIDE_LEAST_BYTES || !is_much {
        return None;
    }
    let modules = summary.module_memory.iter().filter(|module| module.component != APP && module.peak.bytes > 0);
    let component = |module: &super::super::answer::ModuleSummary| Component {
        name: module.component.clone(),
        bytes: module.peak.bytes,
    };
    let mut place = Where::of(summary);
    place.pool = check.pool.clone();
    place.time_ns = check.first_ns;
    let found = OutsideFound {
        bytes,
        process_bytes: process,
        pools_bytes: pools,
        components: modules.take(COMPONENTS).map(component).collect(),
    };
    Some(Finding { found: Found::Outside(found), bytes, place, also: Vec::new() })
}
