//! Memory that one stack leaves behind in step after step.
//!
//! What was allocated in the last step alone may just not be due yet, and what only the first ones leave is a cache that fills: it
//! takes several steps, and nearly all of them. A step whose block cannot be told counts as well where a block of the same operator
//! and size stayed from it without a certain stack: its bytes stay in the remainder.

use super::super::answer::{GroupBy, Summary};
use super::super::rank::Rank;
use super::super::unreleased::Unreleased;
use super::{Finding, Found, LeakFound, Where, rules};

pub(super) fn find(rank: &Rank, summary: &Summary) -> Vec<Finding> {
    let steps = rank.steps_in_order();
    let Some(pool) = rank.framework_pool().filter(|_| steps.len() >= rules::LEAK_STEPS) else { return Vec::new() };
    let unreleased = rank.unreleased(pool, &steps);
    let is_leak = |found: &&Unreleased| {
        let certain = found.bytes.len();
        let grew = certain + unreleased.alike_steps(found);
        let total: i64 = found.bytes.values().fold(0, |sum, bytes| sum.saturating_add(*bytes));
        certain >= rules::LEAK_CERTAIN_STEPS
            && grew >= rules::LEAK_STEPS
            && grew * 10 >= steps.len() * rules::LEAK_STEPS_OF_TEN
            && total >= rules::LEAK_LEAST_BYTES
    };
    let finding = |found: &Unreleased| {
        let bytes = || found.bytes.values().copied();
        let leak = LeakFound {
            stack: rank.sites.text(found.stack).to_owned(),
            user_frame: rank.rows.site.get(found.first_row).map_or("", |site| rank.sites.user_frame(*site)).to_owned(),
            operator: rank.rows.name_of(found.first_row).to_owned(),
            bytes: bytes().fold(0, i64::saturating_add),
            blocks: found.blocks,
            steps: found.bytes.len() as u64,
            alike_steps: unreleased.alike_steps(found) as u64,
            of_steps: steps.len() as u64,
            least_bytes: bytes().min().unwrap_or(0),
            most_bytes: bytes().max().unwrap_or(0),
            uncertain_bytes: unreleased.uncertain.values().copied().fold(0, i64::saturating_add),
        };
        let mut place = Where::of(summary);
        place.pool = rank.pools.get(pool).map(|pool| pool.key.clone());
        place.time_ns = summary.window_ns.map(|[_, to]| to);
        place.group = Some((GroupBy::Stack, leak.stack.clone()));
        Finding { bytes: leak.bytes, found: Found::Leak(leak), place, also: Vec::new() }
    };
    unreleased.stacks.iter().filter(is_leak).map(finding).collect()
}
