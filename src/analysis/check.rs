//! Truth checks as answers: which identities of a recording were compared, how often, and what the first exception is.
//!
//! Real recordings obey these identities to the byte and the nanosecond; where one fails the files were changed, cut or mixed.

use serde::{Deserialize, Serialize};

use super::answer::{PoolKey, Source, Summary};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal;)*) => {
        /// What is checked. Each has a stable name for JSON and tests.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum CheckKind { $($(#[$doc])* $kind,)* }

        impl CheckKind {
            /// Every kind, in the order they are shown.
            pub const ALL: &[CheckKind] = &[$(CheckKind::$kind,)*];

            /// The stable name used in JSON.
            pub fn name(self) -> &'static str {
                match self { $(CheckKind::$kind => $name,)* }
            }
        }
    };
}

kinds! {
    /// Totals beside the rows are those of the device the rows name.
    OtherDevice = "other_device";
    /// Rows and records of a pool are not those of another.
    PoolsMixed = "pools_mixed";
    /// Each allocation and release of a row has a record of its pool at its time.
    EventsWithoutRecord = "events_without_record";
    /// The totals beside a row are those of the record at its time.
    RowTotals = "row_totals";
    /// Each rise of a pool's total has a row: no row was removed.
    BlocksWithoutRow = "blocks_without_row";
    /// Without records: the rows' totals less their live sum never rise.
    BaselineRises = "baseline_rises";
    /// Live rows + memory from before the window are the recorded total.
    RowsTotal = "rows_total";
    /// The highest total over the rows is the highest of the records.
    Peaks = "peaks";
    /// Allocated <= active <= reserved.
    Order = "order";
    /// Durations are what lies between the times.
    Durations = "durations";
    /// Times are finer than a double can hold.
    TimesRounded = "times_rounded";
    /// Releases of memory from before the window; no fault.
    OlderReleased = "older_released";
    /// What the process holds beside the pools; no fault.
    OutsidePools = "outside_pools";
}

impl CheckKind {
    /// Whether it tells something about a sound recording rather than finding a fault.
    pub fn only_tells(self) -> bool {
        matches!(self, CheckKind::OlderReleased | CheckKind::OutsidePools)
    }
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing there to compare.
    NotCompared,
    /// No exception.
    Holds,
    /// At least one exception.
    Fails,
    /// No fault, but worth knowing.
    Tells,
}

/// One check of one pool, or of the whole rank folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What was checked.
    pub kind: CheckKind,
    /// Whose numbers; `None`: of the whole table, or of no pool.
    pub pool: Option<PoolKey>,
    /// Comparisons made; 0: the recording does not hold what it takes.
    pub compared: u64,
    /// Exceptions among them; of what only tells: occurrences.
    pub failed: u64,
    /// Time of the first of them (for [`CheckKind::OutsidePools`] and [`CheckKind::Peaks`]: of the maximum), ns.
    pub first_ns: Option<i64>,
    /// Row of the first of them in the table of rows, as a spreadsheet counts.
    pub first_row: Option<u64>,
    /// What should stand there: bytes; of durations ns.
    pub expected: Option<i64>,
    /// What does: bytes; of durations ns; of rounded times the step, ns.
    pub found: Option<i64>,
    /// Bytes of all exceptions together; of [`CheckKind::OutsidePools`] the maximum.
    pub bytes: Option<i64>,
    /// Where the first of them stands, if it may stand in either table.
    pub source: Option<Source>,
    /// The pool it should, or should not, have been.
    pub other: Option<PoolKey>,
}

/// Whether the totals of a summary's framework pool are those of two pools, so that its curve is no pool's: neither its peak nor
/// what is reserved in it may be told as one.
pub fn are_totals_mixed(summary: &Summary) -> bool {
    let framework = summary.pools.first().filter(|_| summary.peak.is_some());
    let is_framework = |pool: &PoolKey| {
        framework.is_some_and(|first| first.component == pool.component && first.device == pool.device)
    };
    let mut mixed = summary.checks.iter().filter(|check| check.kind == CheckKind::PoolsMixed && check.failed > 0);
    mixed.any(|check| check.other.is_none() && check.pool.as_ref().is_some_and(is_framework))
}

impl Check {
    /// A check without exception yet.
    pub fn new(kind: CheckKind, pool: Option<PoolKey>, compared: u64) -> Check {
        Check {
            kind,
            pool,
            compared,
            failed: 0,
            first_ns: None,
            first_row: None,
            expected: None,
            found: None,
            bytes: None,
            source: None,
            other: None,
        }
    }

    /// How it came out.
    pub fn verdict(&self) -> Verdict {
        match (self.compared, self.failed) {
            (0, _) => Verdict::NotCompared,
            (_, 0) => Verdict::Holds,
            _ if self.kind.only_tells() => Verdict::Tells,
            _ => Verdict::Fails,
        }
    }

    /// Counts an exception; the first keeps its time and its numbers.
    pub(crate) fn fail(&mut self, time_ns: i64, expected: i64, found: i64) {
        self.failed += 1;
        if self.first_ns.is_none_or(|first| time_ns < first) {
            (self.first_ns, self.expected, self.found) = (Some(time_ns), Some(expected), Some(found));
        }
    }

    /// Counts an exception worth so many bytes.
    pub(crate) fn fail_bytes(&mut self, time_ns: i64, bytes: i64) {
        self.failed += 1;
        self.bytes = Some(self.bytes.unwrap_or(0).saturating_add(bytes));
        self.first_ns = Some(self.first_ns.map_or(time_ns, |first| first.min(time_ns)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_agree_with_serde() {
        for kind in CheckKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), serde_json::json!(kind.name()));
        }
    }
}
