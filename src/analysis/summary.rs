//! A rank in numbers: the summary the command prints and the page shows first.

#![allow(clippy::indexing_slicing, reason = "row and pool indices come from the columns' own lengths")]

use super::answer::{BlockCounts, ByMatch, ComponentBlocks, GroupBy, PoolSummary, Summary, TopQuery, TopSummary};
use super::rank::Rank;
use crate::model::rows::{Component, GE, NONE, WORKSPACE};
use crate::neighbour::Neighbour;
use crate::problem::Problem;

/// Groups in each of the summary's top lists.
const TOP: usize = 10;

/// What the folder says about a rank, for its summary.
#[derive(Debug, Clone)]
pub struct Identity {
    /// Cut path.
    pub folder: String,
    /// Role.
    pub role: String,
    /// Rank, if known.
    pub rank: Option<u64>,
    /// Step, if any.
    pub step: Option<u64>,
    /// In which form the recording came: see [`Summary::form`].
    pub form: &'static str,
    /// Files beside it that are not read.
    pub neighbours: Vec<Neighbour>,
}

/// Sums up a rank, beside what was wrong with its files.
pub fn summary(identity: &Identity, rank: &Rank, problems: &[Problem]) -> Summary {
    let framework = rank.framework_pool();
    let peak = framework.map(|at| rank.pools[at].peaks());
    Summary {
        folder: identity.folder.clone(),
        role: identity.role.clone(),
        rank: identity.rank,
        step: identity.step,
        form: identity.form.to_owned(),
        window_ns: rank.window.map(|(from, to)| [from, to]),
        blocks: count_blocks(rank),
        records: rank.record_counts.clone(),
        matches: count_matches(rank),
        pools: (0..rank.pools.len()).map(|at| pool_summary(rank, at)).collect(),
        peak,
        times_lost: rank.times_lost,
        module_times_lost: rank.module_times_lost(),
        top: rank.peak().filter(|_| rank.rows.tells_live()).map(|peak| top_at(rank, peak.time_ns)),
        checks: rank.checks.clone(),
        module_memory: rank.module_summaries(),
        static_memory: rank.static_summaries(),
        neighbours: identity.neighbours.clone(),
        problems: problems.to_vec(),
    }
}

fn count_blocks(rank: &Rank) -> BlockCounts {
    let rows = &rank.rows;
    let mut counts = BlockCounts { releases_unknown: rows.lacks_releases, ..BlockCounts::default() };
    for name in [rank.framework_name.as_str(), GE, WORKSPACE] {
        counts.by_component.insert(name.to_owned(), ComponentBlocks::default());
    }
    for row in (0..rows.len()).filter(|row| !rows.is_drop(*row)) {
        counts.total += 1;
        let name = match rows.component[row] {
            Component::Framework => rank.framework_name.as_str(),
            Component::Ge => GE,
            Component::Workspace => WORKSPACE,
        };
        if let Some(count) = counts.by_component.get_mut(name) {
            count.total += 1;
            let is_held = rows.release[row] == NONE && rows.active_release[row] == NONE;
            count.never_released += u64::from(is_held && !rows.lacks_releases);
        }
    }
    counts
}

fn count_matches(rank: &Rank) -> ByMatch {
    let mut counts = ByMatch::default();
    for kind in &rank.rows.kind {
        counts.add(*kind, 1);
    }
    counts
}

fn pool_summary(rank: &Rank, at: usize) -> PoolSummary {
    let pool = &rank.pools[at];
    PoolSummary {
        component: pool.key.component.clone(),
        device: pool.key.device.clone(),
        peak: pool.peaks(),
        baseline_bytes: pool.baseline_bytes(),
        source: pool.source,
        comparison: pool.comparison.clone(),
        blocks_without_row: pool.blocks_without_row,
        blocks_without_row_bytes: pool.blocks_without_row_bytes,
    }
}

fn top_at(rank: &Rank, at_ns: i64) -> TopSummary {
    let top = |by| rank.top(&TopQuery { at_ns, pool: None, by, within: None, limit: TOP }).groups;
    TopSummary {
        at_ns,
        operator: top(GroupBy::Operator),
        stack: top(GroupBy::Stack),
        user_frame: top(GroupBy::UserFrame),
    }
}
