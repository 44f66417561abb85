//! A rank in the few numbers by which ranks of one role are compared: taken from its summary, never counted again.

use serde::{Deserialize, Serialize};

use super::answer::{Extreme, Summary};
use super::check::{CheckKind, are_totals_mixed};
use super::spread::Spread;

macro_rules! measures {
    ($($(#[$doc:meta])* $measure:ident = $name:literal;)*) => {
        /// What ranks are compared by. Each has a stable name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Measure { $($(#[$doc])* $measure,)* }

        impl Measure {
            /// Every measure.
            pub const ALL: &[Measure] = &[$(Measure::$measure,)*];

            /// The stable name used in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Measure::$measure => $name,)* }
            }
        }
    };
}

measures! {
    /// Highest allocated total of the framework pool, bytes.
    PeakAllocated = "peak_allocated";
    /// Highest reserved total of the framework pool, bytes.
    PeakReserved = "peak_reserved";
    /// Memory from before the window at its start, bytes.
    Baseline = "baseline";
    /// Allocated total at the window's end less that at its start, bytes.
    Growth = "growth";
    /// The most the process held beside its pools, bytes.
    Outside = "outside";
    /// Blocks.
    Blocks = "blocks";
}

/// One rank's numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankFacts {
    /// The rank folder's path.
    pub folder: String,
    /// Role.
    pub role: String,
    /// Rank, if known.
    pub rank: Option<u64>,
    /// Step, if one recording of several.
    pub step: Option<u64>,
    /// Start of the window, ns.
    pub start_ns: Option<i64>,
    /// The peak of allocated memory and when it was.
    pub peak: Option<Extreme>,
    /// The measures; those the recording does not tell are missing.
    pub measures: Vec<(Measure, i64)>,
}

impl RankFacts {
    /// From a rank's summary, and by how many bytes its allocated total grew over the window.
    pub fn new(summary: &Summary, growth_bytes: Option<i64>) -> RankFacts {
        let is_mixed = are_totals_mixed(summary);
        let peak = summary.peak.filter(|_| !is_mixed).unwrap_or_default();
        let framework = summary.pools.first().filter(|_| summary.peak.is_some() && !is_mixed);
        let outside = summary.checks.iter().filter(|check| check.kind == CheckKind::OutsidePools);
        let all = [
            (Measure::PeakAllocated, peak.allocated.map(|peak| peak.bytes)),
            (Measure::PeakReserved, peak.reserved.map(|peak| peak.bytes)),
            (Measure::Baseline, framework.and_then(|pool| pool.baseline_bytes).map(|baseline| baseline.start)),
            (Measure::Growth, growth_bytes.filter(|_| !is_mixed)),
            (Measure::Outside, outside.filter_map(|check| check.bytes).max()),
            (Measure::Blocks, i64::try_from(summary.blocks.total).ok().filter(|blocks| *blocks > 0)),
        ];
        RankFacts {
            folder: summary.folder.clone(),
            role: summary.role.clone(),
            rank: summary.rank,
            step: summary.step,
            start_ns: summary.window_ns.map(|[from, _]| from),
            peak: peak.allocated,
            measures: all.into_iter().filter_map(|(measure, number)| Some((measure, number?))).collect(),
        }
    }

    /// One of the measures.
    pub fn get(&self, measure: Measure) -> Option<i64> {
        self.measures.iter().find(|(which, _)| *which == measure).map(|(_, number)| *number)
    }
}

/// One role's ranks, of one recording, in the middle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleFacts {
    /// Role.
    pub role: String,
    /// Step, if one recording of several.
    pub step: Option<u64>,
    /// Ranks.
    pub ranks: u64,
    /// Median and spread of each measure that enough ranks tell.
    pub spreads: Vec<(Measure, Spread)>,
}

/// The ranks of each role and recording, in order.
pub fn by_role(ranks: &[RankFacts]) -> Vec<(RoleFacts, Vec<&RankFacts>)> {
    let mut roles: std::collections::BTreeMap<(&str, Option<u64>), Vec<&RankFacts>> = Default::default();
    for rank in ranks {
        roles.entry((&rank.role, rank.step)).or_default().push(rank);
    }
    roles.into_iter().map(|((role, step), ranks)| (role_facts(role, step, &ranks), ranks)).collect()
}

fn role_facts(role: &str, step: Option<u64>, ranks: &[&RankFacts]) -> RoleFacts {
    let numbers = |measure| ranks.iter().filter_map(|rank| rank.get(measure)).collect::<Vec<i64>>();
    let spreads = Measure::ALL.iter().filter_map(|measure| Some((*measure, Spread::of(&numbers(*measure))?)));
    RoleFacts { role: role.to_owned(), step, ranks: ranks.len() as u64, spreads: spreads.collect() }
}
