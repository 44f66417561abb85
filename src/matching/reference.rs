//! The rule of RL-Insight's memory parser, to the bit: doubles of the decimal text in microseconds, the rightmost event of the
//! name with ts <= allocation time, the last in the file among equals; an event with an empty stack hides older ones.

#![allow(clippy::indexing_slicing, reason = "row and operator indices come from the columns' own lengths")]

use rustc_hash::FxHashMap;

use crate::decimal::Decimal;
use crate::model::match_kind::MatchKind;
use crate::model::rows::{Column, NO_SITE, Rows};
use crate::model::spans::Spans;

/// Joins rows to call sites. `site_of` gives the final site for each id the spans' collector gave.
pub fn reference(rows: &mut Rows, spans: &Spans, site_of: &[u32]) {
    let mut by_name: FxHashMap<u32, Vec<(f64, u32)>> = FxHashMap::default();
    for (op, start) in spans.operators.iter().zip(spans.starts_as_doubles.iter()) {
        if !start.is_nan() {
            by_name.entry(op.name).or_default().push((*start, op.site));
        }
    }
    for list in by_name.values_mut() {
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    for row in 0..rows.len() {
        let key = u32::try_from(row).unwrap_or(u32::MAX);
        if rows.released_only.contains(&key) {
            continue;
        }
        let Some(list) = by_name.get(&rows.name[row]) else { continue };
        let exact = rows.exact.get(&(key, Column::Time)).copied();
        let time = exact.unwrap_or_else(|| Decimal::from_units(rows.time[row], 1000)).to_f64();
        let after = list.partition_point(|(start, _)| *start <= time);
        let Some((_, site)) = list[..after].last() else { continue };
        rows.site[row] = site_of.get(*site as usize).copied().unwrap_or(NO_SITE);
        if rows.site[row] != NO_SITE {
            rows.kind[row] = MatchKind::Nearest;
        }
    }
}
