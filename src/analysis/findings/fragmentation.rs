//! A pool that grew although it held enough free memory, only not in one piece.
//!
//! While the first step runs, a pool takes from the device what it will need. What it takes later, with more memory free than the
//! allocation asks for, it takes because no free piece is large enough. A leak alone can bring that about: what stays behind lies in
//! the middle of pieces that were free.

use super::super::answer::Summary;
use super::super::rank::Rank;
use super::super::reserved::{Level, ReservedGrowth, ReservedQuery};
use super::{Finding, Found, FragmentationFound, Where, rules};

pub(super) fn find(rank: &Rank, summary: &Summary) -> Option<Finding> {
    let steps = rank.steps_in_order();
    let (first, last) = (steps.first()?, steps.last()?);
    if steps.len() < 2 {
        return None;
    }
    let query = |from_ns, to_ns, limit| ReservedQuery { from_ns, to_ns, pool: None, limit };
    let after = rank.reserved(&query(first.end_ns.saturating_add(1), i64::MAX, usize::MAX))?;
    let in_spite: Vec<&ReservedGrowth> = after.growths.iter().filter(|growth| growth.is_in_spite()).collect();
    let bytes: i64 = in_spite.iter().fold(0, |sum, growth| sum.saturating_add(growth.bytes));
    let at_the_end = rank.reserved(&query(last.start_ns, i64::MAX, 0))?;
    let (reserved, used) = (at_the_end.reserved_end_bytes?, at_the_end.most_used_bytes?);
    let unused = reserved.saturating_sub(used);
    let level = Level::of(unused, reserved);
    let largest = in_spite.iter().max_by_key(|growth| (growth.bytes, std::cmp::Reverse(growth.time_ns)))?;
    if bytes < rules::FRAGMENTATION_LEAST_BYTES || level == Level::Normal {
        return None;
    }
    let mut place = Where::of(summary);
    place.pool = Some(after.pool.clone());
    place.time_ns = Some(largest.time_ns);
    let found = FragmentationFound {
        bytes,
        growths: in_spite.len() as u64,
        largest: (*largest).clone(),
        reserved_bytes: reserved,
        used_bytes: used,
        unused_bytes: unused,
        level,
    };
    Some(Finding { found: Found::Fragmentation(found), bytes, place, also: Vec::new() })
}
