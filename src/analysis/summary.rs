//! A rank in numbers: the summary the command prints and the page shows first.

#![allow(clippy::indexing_slicing, reason = "row and pool indices come from the columns' own lengths")]

use super::answer::{BlockCounts, ByMatch, ComponentBlocks, GroupBy, PoolSummary, Summary, TopQuery, TopSummary};
use super::rank::Rank;
use crate::model::rows::{Component, GE, NONE, WORKSPACE};
use crate::problem::{Place, ProblemKind, Problems};

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
}

/// Sums up a rank. Problems found on the way (mismatches, blocks without rows) are added to `problems`.
pub fn summary(identity: &Identity, rank: &Rank, problems: &mut Problems) -> Summary {
    note_doubts(rank, problems);
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
        top: rank.peak().map(|peak| top_at(rank, peak.time_ns)),
        problems: problems.list().to_vec(),
    }
}

fn count_blocks(rank: &Rank) -> BlockCounts {
    let rows = &rank.rows;
    let mut counts = BlockCounts::default();
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
            count.never_released += u64::from(rows.release[row] == NONE && rows.active_release[row] == NONE);
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

fn note_doubts(rank: &Rank, problems: &mut Problems) {
    for (at, pool) in rank.pools.iter().enumerate() {
        let name = format!("{} {}", pool.key.component, pool.key.device);
        // A recording of curves alone has no rows to compare.
        if rank.blocks(at).is_empty() {
            continue;
        }
        if let Some(comparison) = &pool.comparison
            && let Some(first) = &comparison.first
        {
            let detail = format!("{name}, {} ns: {} != {} B", first.time_ns, first.rows_bytes, first.recorded_bytes);
            let place = Place::Whole;
            problems.add_many("memory_record.csv", place, ProblemKind::TotalMismatch, &detail, comparison.mismatches);
        }
        if let Some(time) = pool.first_block_without_row {
            let detail = format!("{name}, {time} ns: {} B", pool.blocks_without_row_bytes);
            problems.add_many(
                "memory_record.csv",
                Place::Whole,
                ProblemKind::BlockWithoutRow,
                &detail,
                pool.blocks_without_row,
            );
        }
    }
}
