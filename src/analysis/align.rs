//! Curves of two recordings on one axis. Clocks of different machines, and of different runs, have nothing to do with each other:
//! what is laid over each other are the steps of one number, and without any the starts of the windows.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::side::SideRank;
use super::steps::StepSpan;

/// Pieces of the longer window where there are no common steps.
const PIECES: i64 = 12;
/// Steps told one by one, at most; of more every so many-th.
const MOST_STEPS: usize = 200;

/// By what two curves are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlignedBy {
    /// By `ProfilerStep` spans of one number.
    Step,
    /// By the start of what is compared: of the window, if it is all of it.
    Start,
}

/// A stretch of time of both recordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// The step's number; `None`: a piece of the windows.
    pub step: Option<u64>,
    /// Start after that of what is compared where there is no step, ns.
    pub after_ns: i64,
    /// In the first recording, ns; `None` where it is over.
    pub a_ns: Option<[i64; 2]>,
    /// In the second.
    pub b_ns: Option<[i64; 2]>,
}

/// Two recordings laid over each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alignment {
    /// By what.
    pub by: AlignedBy,
    /// These two times are one, ns: the start of the first common step, or of the windows.
    pub same_ns: [i64; 2],
    /// Stretches in order.
    pub stretches: Vec<Stretch>,
}

/// By what two recordings lie over each other, and two times that are then one (ns): the start of their first common step, else
/// those of the windows given.
pub fn same_time(a: (&[StepSpan], [i64; 2]), b: (&[StepSpan], [i64; 2])) -> (AlignedBy, [i64; 2]) {
    match common_steps(a, b).first() {
        Some((a, b)) => (AlignedBy::Step, [a.start_ns, b.start_ns]),
        None => (AlignedBy::Start, [a.1[0], b.1[0]]),
    }
}

/// Lays two recordings over each other, each between the times asked for.
pub fn align(a: &SideRank, b: &SideRank) -> Alignment {
    let of = |side: &SideRank| [side.from_ns, side.to_ns];
    let (of_a, of_b) = ((a.steps.as_slice(), of(a)), (b.steps.as_slice(), of(b)));
    let ((by, same_ns), common) = (same_time(of_a, of_b), common_steps(of_a, of_b));
    if by == AlignedBy::Step {
        let every = common.len().div_ceil(MOST_STEPS).max(1);
        let stretch = |(a, b): &(StepSpan, StepSpan)| Stretch {
            step: Some(a.number),
            after_ns: 0,
            a_ns: Some([a.start_ns, a.end_ns]),
            b_ns: Some([b.start_ns, b.end_ns]),
        };
        let stretches = common.iter().step_by(every).map(stretch).collect();
        return Alignment { by, same_ns, stretches };
    }
    let ([a_from, a_to], [b_from, b_to]) = ([a.from_ns, a.to_ns], [b.from_ns, b.to_ns]);
    let width = a_to.saturating_sub(a_from).max(b_to.saturating_sub(b_from)).max(0);
    let pieces = if width == 0 { 1 } else { PIECES };
    // In 128 bits: a hostile window may be as long as there are numbers.
    let part = |piece: i64| i64::try_from(i128::from(width) * i128::from(piece) / i128::from(pieces)).unwrap_or(width);
    let stretch = |piece: i64| {
        let [from, to] = [part(piece), part(piece + 1)];
        // The next piece begins where this one ends.
        let to = if piece + 1 == pieces { to } else { to.saturating_sub(1) };
        let of = |start: i64, end: i64| {
            let [from, to] = [start.saturating_add(from), start.saturating_add(to).min(end)];
            (from <= end).then_some([from, to])
        };
        Stretch { step: None, after_ns: from, a_ns: of(a_from, a_to), b_ns: of(b_from, b_to) }
    };
    let stretches = (0..pieces).map(stretch).collect();
    Alignment { by, same_ns, stretches }
}

/// Steps of one number inside what is compared, in the first recording's order; a number counts once.
fn common_steps(a: (&[StepSpan], [i64; 2]), b: (&[StepSpan], [i64; 2])) -> Vec<(StepSpan, StepSpan)> {
    let inside = |(steps, [from, to]): (&[StepSpan], [i64; 2])| {
        let steps: Vec<StepSpan> =
            steps.iter().filter(|step| step.start_ns < to && step.end_ns > from).copied().collect();
        steps
    };
    let mut of_b: HashMap<u64, StepSpan> = HashMap::new();
    for step in inside(b) {
        of_b.entry(step.number).or_insert(step);
    }
    inside(a).into_iter().filter_map(|step| Some((step, of_b.remove(&step.number)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn side(from_ns: i64, to_ns: i64, steps: &[(u64, i64, i64)]) -> SideRank {
        let step = |(number, start_ns, end_ns): &(u64, i64, i64)| StepSpan {
            number: *number,
            start_ns: *start_ns,
            end_ns: *end_ns,
        };
        SideRank {
            folder: String::new(),
            role: String::new(),
            rank: None,
            step: None,
            window_ns: None,
            at_ns: from_ns,
            from_ns,
            to_ns,
            peak: None,
            beside: None,
            steps: steps.iter().map(step).collect(),
        }
    }

    #[test]
    fn steps_of_one_number_lie_over_each_other() {
        let a = side(0, 100, &[(7, -5, 40), (8, 40, 80), (9, 80, 120)]);
        let b = side(1000, 1200, &[(8, 1000, 1100), (9, 1100, 1200), (10, 1200, 1300)]);
        let aligned = align(&a, &b);
        assert_eq!((aligned.by, aligned.same_ns), (AlignedBy::Step, [40, 1000]));
        let told: Vec<_> = aligned.stretches.iter().map(|stretch| (stretch.step, stretch.a_ns, stretch.b_ns)).collect();
        assert_eq!(
            told,
            [(Some(8), Some([40, 80]), Some([1000, 1100])), (Some(9), Some([80, 120]), Some([1100, 1200]))]
        );
        // One step against another of the same recording: from their starts.
        let aligned = align(&side(40, 80, &[(7, -5, 40), (8, 40, 80)]), &side(-5, 40, &[(7, -5, 40), (8, 40, 80)]));
        assert_eq!((aligned.by, aligned.same_ns), (AlignedBy::Start, [40, -5]));
    }

    proptest! {
        #[test]
        fn pieces_cover_both_windows_once(from in -50i64..50, long in 0i64..90, other in -50i64..50, lasts in 0i64..90) {
            let aligned = align(&side(from, from + long, &[]), &side(other, other + lasts, &[]));
            for (start, lasts, is_b) in [(from, long, false), (other, lasts, true)] {
                let mut next = start;
                for stretch in &aligned.stretches {
                    let Some([from, to]) = (if is_b { stretch.b_ns } else { stretch.a_ns }) else { continue };
                    prop_assert_eq!((from, from - start), (next, stretch.after_ns));
                    next = to + 1;
                }
                prop_assert_eq!(next, start + lasts + 1);
            }
        }
    }

    #[test]
    fn hostile_times_do_no_harm() {
        let widest = side(i64::MIN, i64::MAX, &[]);
        assert_eq!(align(&widest, &widest).stretches.len(), PIECES as usize);
        assert_eq!(align(&side(5, 1, &[]), &side(5, 1, &[])).stretches.len(), 1);
    }
}
