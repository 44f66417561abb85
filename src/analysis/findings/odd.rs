//! Ranks unlike the others of their role.

use super::super::facts::{Measure, RankFacts, by_role};
use super::super::spread::Spread;
use super::{Finding, Found, OddMeasure, OddRankFound, Where, rules};

/// Every rank with a measure more than 3.5 robust standard deviations off its role's median, and far enough to matter.
pub fn odd_ranks(ranks: &[RankFacts]) -> Vec<Finding> {
    let mut all = Vec::new();
    for (role, ranks) in by_role(ranks) {
        let spread = |measure| role.spreads.iter().find(|(which, _)| *which == measure).map(|(_, spread)| *spread);
        let peak = spread(Measure::PeakAllocated).map_or(0, |spread| spread.median);
        for rank in ranks {
            let odd = |measure: &Measure| -> Option<OddMeasure> {
                let (measure, value, Spread { median, deviation }) = (*measure, rank.get(*measure)?, spread(*measure)?);
                let floor = rules::odd_floor(measure, if measure == Measure::Blocks { median } else { peak });
                let is_far = Spread { median, deviation }.is_far(value, floor);
                is_far.then_some(OddMeasure { measure, value, median, deviation, floor })
            };
            let mut measures: Vec<OddMeasure> = Measure::ALL.iter().filter_map(odd).collect();
            let off = |odd: &OddMeasure| odd.value.saturating_sub(odd.median).saturating_abs();
            measures.sort_by_key(|odd| (odd.measure == Measure::Blocks, std::cmp::Reverse(off(odd)), odd.measure));
            let Some(first) = measures.first() else { continue };
            let bytes = if first.measure == Measure::Blocks { 0 } else { off(first) };
            let place = Where {
                folder: rank.folder.clone(),
                role: rank.role.clone(),
                rank: rank.rank,
                step: rank.step,
                form: String::new(),
                start_ns: rank.start_ns,
                pool: None,
                time_ns: rank.peak.map(|peak| peak.time_ns),
                group: None,
            };
            let found = Found::OddRank(OddRankFound { measures, ranks: role.ranks });
            all.push(Finding { found, bytes, place, also: Vec::new() });
        }
    }
    all
}
