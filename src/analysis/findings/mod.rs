//! Findings: sentences the recording proves, each with its numbers, its rule and where to look.
//!
//! Only certain match kinds count (enclosing, forward, queue, python); what rests on a guess, or has no asserted stack, is a stated
//! remainder. A sound recording of a sound run yields its peak and nothing else. No sentence is made here: that is `words`.

mod churn;
mod file;
mod finding;
mod fragmentation;
mod leak;
mod odd;
mod outside;
mod peak;
mod ranked;
pub mod rules;

pub use finding::{
    ChurnFound, Component, Finding, FindingKind, Found, FragmentationFound, LeakFound, OddMeasure, OddRankFound,
    OutsideFound, PeakFound, PeakGroup, Where,
};
pub use odd::odd_ranks;
pub use ranked::{findings, ranked};

use super::answer::Summary;
use super::check::are_totals_mixed;
use super::rank::Rank;

/// What one rank's recording proves; with several ranks see [`findings`].
pub(crate) fn of_rank(rank: &Rank, summary: &Summary) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    if rank.rows.tells_live() {
        let is_one_pool = !are_totals_mixed(summary);
        all.extend(peak::find(rank, summary).filter(|_| is_one_pool));
        all.extend(leak::find(rank, summary));
        all.extend(churn::find(rank, summary));
        all.extend(fragmentation::find(rank, summary).filter(|_| is_one_pool));
    }
    all.extend(outside::find(summary));
    all.extend(file::find(summary));
    all
}
