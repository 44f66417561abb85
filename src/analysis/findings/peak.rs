//! The peak and its largest groups.

use super::super::answer::{GroupBy, Summary, TopQuery};
use super::super::rank::Rank;
use super::{Finding, Found, PeakFound, PeakGroup, Where, rules};

pub(super) fn find(rank: &Rank, summary: &Summary) -> Option<Finding> {
    let peak = rank.peak()?;
    let query = |by| TopQuery { at_ns: peak.time_ns, pool: None, by, within: None, limit: usize::MAX };
    let by_frame = rank.breakdown(&query(GroupBy::UserFrame));
    let certain_bytes = by_frame.top.groups.iter().map(|group| group.by_match.certain()).sum::<i64>();
    let (by, top) = match certain_bytes {
        0 => (GroupBy::Operator, rank.top(&query(GroupBy::Operator))),
        _ => (GroupBy::UserFrame, by_frame.top),
    };
    let bytes = |group: &super::super::answer::Group| match by.rests_on_match() {
        true => group.by_match.certain(),
        false => group.bytes,
    };
    let mut groups: Vec<PeakGroup> = top
        .groups
        .iter()
        .map(|group| PeakGroup { key: group.key.clone().unwrap_or_default(), bytes: bytes(group) })
        .filter(|group| group.bytes > 0)
        .collect();
    let known: i64 = groups.iter().fold(0, |sum, group| sum.saturating_add(group.bytes));
    groups.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.key.cmp(&b.key)));
    groups.truncate(rules::PEAK_GROUPS);
    let mut place = Where::of(summary);
    place.pool = top.pool.clone();
    place.time_ns = (!summary.times_lost).then_some(peak.time_ns);
    place.group = groups.first().map(|group| (by, group.key.clone()));
    let found = PeakFound {
        total_bytes: peak.bytes,
        live_bytes: top.total_bytes,
        baseline_bytes: by_frame.beside.map_or(0, |beside| beside.baseline_bytes),
        by,
        groups,
        uncertain_bytes: top.total_bytes.saturating_sub(known),
    };
    Some(Finding { found: Found::Peak(found), bytes: peak.bytes, place, also: Vec::new() })
}
