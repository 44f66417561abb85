//! The most the process holds beside its pools, and when.

use super::super::check::{Check, CheckKind};
use super::super::outside::RESERVED;
use super::Member;

/// One check a device whose process was sampled.
pub(super) fn checks(members: &[Member<'_>]) -> Vec<Check> {
    let apps = members.iter().map(|member| member.curves.as_ref()).filter(|pool| !pool.outside.is_empty());
    apps.map(|app| {
        let mut check = Check::new(CheckKind::OutsidePools, Some(app.key.clone()), app.outside.len() as u64);
        let mut most: Option<(i64, i64)> = None;
        for (time, gap) in app.outside.iter().copied().filter(|(_, gap)| *gap > 0) {
            check.failed += 1;
            if most.is_none_or(|(_, before)| gap > before) {
                most = Some((time, gap));
            }
        }
        if let Some((time, gap)) = most {
            check.first_ns = Some(time);
            check.bytes = Some(gap);
            check.found = app.total_at(RESERVED, time);
            check.expected = check.found.map(|process| process.saturating_sub(gap));
        }
        check
    })
    .collect()
}
