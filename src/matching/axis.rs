//! Finds what lies between the time axes of a trace and of the memory tables, where they have different origins.
//!
//! The trace's `APP/...` counters are the same samples as the pool APP of memory_record.csv. Where the values of one are those of
//! the other, sample by sample, the difference of their times is the offset. Nothing else is taken for a proof.

use crate::model::spans::{AppCounter, AppSample, Spans};

/// Fewer samples than this prove nothing.
const MIN_SAMPLES: usize = 3;
/// Times may be rounded on either side, to quarters of a microsecond by doubles: differences of one offset spread by no more, ns.
const MAX_SPREAD_NS: i64 = 1000;
/// So many comparisons are made at most: real samples differ early.
const MAX_COMPARISONS: usize = 20_000_000;

/// A proven offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// To be added to the trace's times, ns.
    pub offset_ns: i64,
    /// So many samples agree.
    pub samples: usize,
    /// The counter they are of.
    pub counter: AppCounter,
}

/// The offset that the samples of the process's memory prove; `None` if they prove none. `processes`: the recorded samples, a list
/// a device, each of a time in ns and reserved bytes.
pub fn proven_offset(spans: &Spans, processes: &[Vec<(i64, i64)>]) -> Option<Proof> {
    let mut proofs = Vec::new();
    for recorded in processes {
        for counter in AppCounter::ALL {
            let counted = samples_of(&spans.app, counter);
            // A second counter with the same values says the same.
            if let Some((offset_ns, samples)) = only_offset(&counted, recorded) {
                proofs.push(Proof { offset_ns, samples, counter });
            }
        }
    }
    let first = *proofs.first()?;
    proofs.iter().all(|proof| proof.offset_ns == first.offset_ns).then_some(first)
}

fn samples_of(all: &[AppSample], counter: AppCounter) -> Vec<(i64, i64)> {
    let of_it = all.iter().filter(|sample| sample.counter == counter);
    let mut list: Vec<(i64, i64)> = of_it.map(|sample| (sample.time, sample.bytes)).collect();
    list.sort_by_key(|(time, _)| *time);
    list
}

/// The only way to lay the shorter list against the longer one so that all its samples agree: (offset, samples).
fn only_offset(counted: &[(i64, i64)], recorded: &[(i64, i64)]) -> Option<(i64, usize)> {
    let samples = counted.len().min(recorded.len());
    // Equal values everywhere fit at every place.
    if samples < MIN_SAMPLES {
        return None;
    }
    let mut budget = MAX_COMPARISONS;
    let mut found = None;
    for skip in 0..=counted.len().max(recorded.len()) - samples {
        let (skip_counted, skip_recorded) = if counted.len() > recorded.len() { (skip, 0) } else { (0, skip) };
        let pairs = counted.iter().skip(skip_counted).zip(recorded.iter().skip(skip_recorded));
        if let Some(offset) = common_difference(pairs, &mut budget)? {
            if found.is_some() {
                return None;
            }
            found = Some((offset, samples));
        }
    }
    found
}

/// The difference of all pairs' times where their values are equal, by its most frequent value; outer `None` if the work was
/// too much to be done.
fn common_difference<'a>(
    pairs: impl Iterator<Item = (&'a (i64, i64), &'a (i64, i64))>,
    budget: &mut usize,
) -> Option<Option<i64>> {
    let mut differences = Vec::new();
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for ((counted_at, counted), (recorded_at, recorded)) in pairs {
        *budget = budget.checked_sub(1)?;
        let difference = recorded_at.checked_sub(*counted_at);
        let Some(difference) = difference.filter(|_| counted == recorded) else { return Some(None) };
        low = low.min(difference);
        high = high.max(difference);
        if high.abs_diff(low) > MAX_SPREAD_NS.unsigned_abs() {
            return Some(None);
        }
        differences.push(difference);
    }
    differences.sort_unstable();
    let runs = differences.chunk_by(|a, b| a == b);
    Some(runs.max_by_key(|run| run.len()).and_then(|run| run.first().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples 20 ms apart but for a few ns.
    fn samples(values: &[i64], from: i64) -> Vec<(i64, i64)> {
        (0i64..).zip(values).map(|(at, value)| (from + at * 20_000_000 + (at * at * 7919) % 3001, *value)).collect()
    }

    #[test]
    fn values_that_agree_prove_the_offset() {
        let recorded = samples(&[5, 5, 7, 9, 7], 1_779_785_515_000_000_123);
        let counted: Vec<_> = recorded.iter().map(|(at, value)| (at - 1_779_785_515_000_000_000, *value)).collect();
        assert_eq!(only_offset(&counted, &recorded), Some((1_779_785_515_000_000_000, 5)));
        // Either side may lack samples.
        for part in [&counted[1..4], &counted[..3], &counted[2..]] {
            assert_eq!(only_offset(part, &recorded), Some((1_779_785_515_000_000_000, 3)));
            let part_recorded: Vec<_> = part.iter().map(|(at, value)| (at + 50, *value)).collect();
            assert_eq!(only_offset(&counted, &part_recorded), Some((50, 3)));
        }
        // Rounded to microseconds, the most frequent difference is the offset.
        let mut rounded = counted.clone();
        rounded[3].0 += 400;
        assert_eq!(only_offset(&rounded, &recorded), Some((1_779_785_515_000_000_000, 5)));
    }

    #[test]
    fn nothing_less_is_a_proof() {
        let recorded = samples(&[5, 5, 7, 9, 7], 1_000_000_000);
        let mut other = recorded.clone();
        other[2].1 += 1;
        assert_eq!(only_offset(&other, &recorded), None);
        let mut late = recorded.clone();
        late[4].0 += 5000;
        assert_eq!(only_offset(&late, &recorded), None);
        assert_eq!(only_offset(&recorded[..2], &recorded), None);
        assert_eq!(only_offset(&[], &[]), None);
        // Equal values at equal distances fit at several places.
        let flat: Vec<_> = (0..9).map(|at| (at * 20, 7)).collect();
        assert_eq!(only_offset(&flat[..5], &flat), None);
        assert_eq!(only_offset(&flat, &flat), Some((0, 9)));
    }
}
