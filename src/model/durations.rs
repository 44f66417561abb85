//! Whether durations are what lies between a row's times; told while rows come in, since nothing of it is kept a row.

use super::rows::NONE;
use crate::read::operator_memory::MemoryRow;

/// What times written as doubles of epoch microseconds may be off together, ns: each is rounded to a step of 0.25 us.
const ROUNDED_NS: i64 = 500;

/// A duration beside the times it should lie between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OddDuration {
    /// Row as a spreadsheet counts.
    pub row: u64,
    /// Release less allocation, ns.
    pub between_ns: i64,
    /// As written, ns.
    pub written_ns: i64,
}

/// Durations that are not the difference of their times.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct OddDurations {
    /// How many.
    pub count: u64,
    /// The first of them.
    pub first: Option<OddDuration>,
}

impl OddDurations {
    fn add(&mut self, odd: OddDuration) {
        self.count += 1;
        self.first.get_or_insert(odd);
    }
}

/// Duration against Release - Allocation and Active Duration against Active Release - Allocation, over all rows.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Durations {
    /// Durations compared.
    pub compared: u64,
    /// Not equal to the nanosecond.
    pub inexact: OddDurations,
    /// Further off than times rounded to doubles explain.
    pub far: OddDurations,
}

impl Durations {
    /// Takes a row's two durations; `released` and `active` are its times of release as they are kept, ns or [`NONE`].
    pub fn take(&mut self, row: &MemoryRow<'_>, released: i64, active: i64) {
        let Some(allocation) = row.allocation else { return };
        for (end, duration) in [(released, row.duration), (active, row.active_duration)] {
            let Some(written) = duration.filter(|_| end != NONE) else { continue };
            self.compared += 1;
            let odd = OddDuration {
                row: row.row,
                between_ns: end.saturating_sub(allocation.units),
                written_ns: written.units,
            };
            let off = odd.between_ns.saturating_sub(odd.written_ns).saturating_abs();
            if off > 0 {
                self.inexact.add(odd);
            }
            if off > ROUNDED_NS {
                self.far.add(odd);
            }
        }
    }
}
