//! What grew from recording to recording of one rank: its side of each, in their order. Pure, as comparing is: the recordings may
//! lie in different workers.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::answer::GroupBy;
use super::side::{Side, SideRank};

/// One group over the recordings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcrossGroup {
    /// As in [`super::answer::Group`].
    pub key: Option<String>,
    /// Live in each recording, bytes.
    pub live_bytes: Vec<i64>,
    /// In the last less in the first, bytes.
    pub change_bytes: i64,
    /// Whether it is larger in each than in the one before.
    pub is_monotonic: bool,
}

/// Recordings of one rank, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Across {
    /// Grouping.
    pub by: GroupBy,
    /// The recordings.
    pub recordings: Vec<SideRank>,
    /// All live blocks of each, bytes: the sum of all groups.
    pub live_bytes: Vec<i64>,
    /// All changes together, bytes.
    pub change_bytes: i64,
    /// Groups there are in any.
    pub group_count: u64,
    /// Those that changed most, growth before loss; ties by key.
    pub groups: Vec<AcrossGroup>,
}

/// Sides of one recording each, in order.
pub fn across(by: GroupBy, sides: &[Side], limit: usize) -> Across {
    let mut found: HashMap<Option<&str>, Vec<i64>> = HashMap::new();
    for (at, side) in sides.iter().enumerate() {
        for group in &side.groups {
            let live = found.entry(group.key.as_deref()).or_insert_with(|| vec![0; sides.len()]);
            if let Some(bytes) = live.get_mut(at) {
                *bytes = bytes.saturating_add(group.live.bytes);
            }
        }
    }
    let change = |live: &[i64]| live.last().copied().unwrap_or(0).saturating_sub(live.first().copied().unwrap_or(0));
    let group = |(key, live_bytes): (Option<&str>, Vec<i64>)| AcrossGroup {
        key: key.map(str::to_owned),
        change_bytes: change(&live_bytes),
        is_monotonic: live_bytes.is_sorted_by(|before, after| before < after),
        live_bytes,
    };
    let mut groups: Vec<AcrossGroup> = found.into_iter().map(group).collect();
    let group_count = groups.len() as u64;
    groups.sort_by(|x, y| {
        let text = |group: &AcrossGroup| (group.key.is_none(), group.key.clone());
        y.change_bytes.cmp(&x.change_bytes).then_with(|| text(x).cmp(&text(y)))
    });
    groups.truncate(limit);
    let live_bytes: Vec<i64> = sides.iter().map(|side| side.live.bytes).collect();
    Across {
        by,
        recordings: sides.iter().flat_map(|side| side.ranks.iter().cloned()).collect(),
        change_bytes: change(&live_bytes),
        live_bytes,
        group_count,
        groups,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::side::{SideGroup, Tally};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn changes_add_up(recordings in prop::collection::vec(prop::collection::btree_map(0u8..5, 0i64..100, 0..5), 1..5), limit in 0usize..6) {
            let side = |groups: &std::collections::BTreeMap<u8, i64>| {
                let tally = |bytes: i64| Tally { bytes, ..Tally::default() };
                let mut side = Side::empty(GroupBy::Stack);
                side.live = tally(groups.values().sum());
                side.groups = groups
                    .iter()
                    .map(|(key, bytes)| SideGroup { key: (*key > 0).then(|| key.to_string()), live: tally(*bytes), ..SideGroup::default() })
                    .collect();
                side
            };
            let sides: Vec<Side> = recordings.iter().map(side).collect();
            let whole = across(GroupBy::Stack, &sides, usize::MAX);
            prop_assert_eq!(whole.groups.iter().map(|group| group.change_bytes).sum::<i64>(), whole.change_bytes);
            for (at, recording) in recordings.iter().enumerate() {
                prop_assert_eq!(whole.live_bytes[at], recording.values().sum::<i64>());
                prop_assert_eq!(whole.groups.iter().map(|group| group.live_bytes[at]).sum::<i64>(), whole.live_bytes[at]);
            }
            for group in &whole.groups {
                let key: u8 = group.key.as_deref().map_or(0, |key| key.parse().unwrap());
                let live: Vec<i64> = recordings.iter().map(|recording| recording.get(&key).copied().unwrap_or(0)).collect();
                prop_assert_eq!(&group.live_bytes, &live);
                prop_assert_eq!(group.is_monotonic, live.windows(2).all(|pair| pair[0] < pair[1]));
            }
            let cut = across(GroupBy::Stack, &sides, limit);
            prop_assert_eq!(&cut.groups[..], &whole.groups[..limit.min(whole.groups.len())]);
        }
    }
}
