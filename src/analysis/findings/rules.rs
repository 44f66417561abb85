//! The thresholds of all findings. Each has its reason; the sentences quote them from here.

use super::super::facts::Measure;

/// Groups named at the peak.
pub const PEAK_GROUPS: usize = 3;

/// A leak leaves memory behind in at least so many steps: once is a cache, twice may be.
pub const LEAK_STEPS: usize = 3;
/// ... its stack being certain in at least so many: what stands behind one block alone may be anything.
pub const LEAK_CERTAIN_STEPS: usize = 2;
/// ... and in at least so many of every ten steps of the recording: single blocks may lack a certain stack.
pub const LEAK_STEPS_OF_TEN: usize = 7;
/// ... and this much in all, bytes: below that lie counters and losses kept for a log.
pub const LEAK_LEAST_BYTES: i64 = 1 << 20;

/// Memory beside the pools is worth a word from this much on, bytes: the runtime and one communicator take less.
pub const OUTSIDE_LEAST_BYTES: i64 = 2 << 30;
/// ... if it is at least this share of the process, in hundredths.
pub const OUTSIDE_LEAST_PERCENT: i64 = 20;

/// After the first step, which fills the pool, reserved memory grew by at least this much although enough was free, bytes.
pub const FRAGMENTATION_LEAST_BYTES: i64 = 64 << 20;

/// Blocks released within this time are short-lived, ns.
pub const CHURN_WITHIN_NS: i64 = 1_000_000;
/// So many short-lived blocks of one stack, one after the other, are a loop.
pub const CHURN_STRETCH: u64 = 50;
/// So are fewer, if each has the size of the one before and is allocated after its release: a block that could have been kept.
/// Ordinary code does that two or three times, between the branches of one expression.
pub const CHURN_TURNS: u64 = 5;
/// ... where the line's short-lived blocks come to this much in all, bytes: below, keeping one is not worth a change.
pub const CHURN_TURNS_LEAST_BYTES: i64 = 256 << 20;

/// A rank's bytes are odd from this distance off its role's median on, however close the others are together: bytes.
pub const ODD_LEAST_BYTES: i64 = 64 << 20;
/// The same of blocks.
pub const ODD_LEAST_BLOCKS: i64 = 100;
/// ... and from this share on, in hundredths: of the role's median peak for bytes, of its median for blocks.
pub const ODD_LEAST_PERCENT: i64 = 3;

/// Below this distance from its role's median no rank's measure is odd; `median` is that of the peak for bytes, else the measure's.
pub fn odd_floor(measure: Measure, median: i64) -> i64 {
    let least = if measure == Measure::Blocks { ODD_LEAST_BLOCKS } else { ODD_LEAST_BYTES };
    let share = i128::from(median) * i128::from(ODD_LEAST_PERCENT) / 100;
    least.max(i64::try_from(share).unwrap_or(i64::MAX))
}
