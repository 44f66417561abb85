//! A live set beside what no row tells: with it the groups add up to the recorded total, to the byte.

use serde::{Deserialize, Serialize};

use super::answer::{Top, TopQuery};
use super::rank::Rank;

/// What stands beside the live blocks of a pool in its recorded total:
/// `live - leaving + baseline + unexplained = recorded`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beside {
    /// All live blocks, bytes: the sum of all groups.
    pub live_bytes: i64,
    /// Live blocks the pool no longer counts: a block leaves its counter inside the free call, a little before that call reports
    /// the release. Bytes.
    pub leaving_bytes: i64,
    /// Memory from before the window, bytes: a group of its own, without name or stack.
    pub baseline_bytes: i64,
    /// Total Allocated as recorded; `None` before the first event.
    pub recorded_bytes: Option<i64>,
    /// What the recorded total holds beyond all of these, bytes; 0 in a sound recording.
    pub unexplained_bytes: i64,
}

/// The groups of a live set, and what no row tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakdown {
    /// The groups.
    pub top: Top,
    /// Beside them; `None` for a pool without totals, and where the rows do not tell what was live, and within a filter.
    pub beside: Option<Beside>,
}

impl Rank {
    /// See [`Breakdown`].
    pub fn breakdown(&self, query: &TopQuery) -> Breakdown {
        let top = self.top(query);
        let beside =
            if query.within.is_none() { self.beside(query.at_ns, top.total_bytes, query.pool.as_ref()) } else { None };
        Breakdown { top, beside }
    }

    /// What stands beside so many live bytes.
    pub(super) fn beside(&self, at_ns: i64, live_bytes: i64, pool: Option<&super::answer::PoolKey>) -> Option<Beside> {
        let balance = self.balance(at_ns, pool)?;
        let told = balance.rows_bytes.saturating_add(balance.baseline_bytes);
        Some(Beside {
            live_bytes,
            leaving_bytes: live_bytes.saturating_sub(balance.rows_bytes),
            baseline_bytes: balance.baseline_bytes,
            recorded_bytes: balance.recorded_bytes,
            unexplained_bytes: balance.recorded_bytes.map_or(0, |recorded| recorded.saturating_sub(told)),
        })
    }
}
