//! A line that allocates and releases, over and over.

use super::super::answer::{GroupBy, Summary};
use super::super::churn::{ChurnGroup, ChurnQuery};
use super::super::rank::Rank;
use super::{ChurnFound, Finding, Found, Where, rules};

pub(super) fn find(rank: &Rank, summary: &Summary) -> Vec<Finding> {
    let churn = rank.churn(&ChurnQuery { within_ns: rules::CHURN_WITHIN_NS, pool: None, limit: usize::MAX });
    let takes_turns =
        |group: &ChurnGroup| group.turns >= rules::CHURN_TURNS && group.bytes >= rules::CHURN_TURNS_LEAST_BYTES;
    let is_loop = |group: &&ChurnGroup| group.longest.blocks >= rules::CHURN_STRETCH || takes_turns(group);
    let loops = churn.groups.iter().filter(is_loop);
    let finding = |group: &ChurnGroup| {
        let mut place = Where::of(summary);
        place.pool = churn.pool.clone();
        place.time_ns = Some(group.longest.from_ns);
        place.group = Some((GroupBy::Stack, group.stack.clone()));
        let found = ChurnFound {
            stack: group.stack.clone(),
            user_frame: group.user_frame.clone(),
            operator: group.operator.clone(),
            blocks: group.blocks,
            bytes: group.bytes,
            stretch: group.longest.blocks,
            turns: group.turns,
            uncertain_bytes: churn.uncertain_bytes,
        };
        Finding { found: Found::Churn(found), bytes: group.bytes, place, also: Vec::new() }
    };
    loops.map(finding).collect()
}
