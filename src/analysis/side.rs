//! One side of a comparison: what each group of a rank held at a time and allocated between two; sides of several ranks add up.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::answer::{ByMatch, Counted, Extreme, GroupBy, MatchKind, PoolKey};
use super::breakdown::Beside;
use super::keys::Groups;
use super::kinds::Sum;
use super::rank::Rank;
use super::steps::StepSpan;

/// Asks for a rank's side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideQuery {
    /// Grouping.
    pub by: GroupBy,
    /// `None`: the framework pool.
    pub pool: Option<PoolKey>,
    /// What is live then, ns.
    pub at_ns: i64,
    /// What was allocated from then on, ns ...
    pub from_ns: i64,
    /// ... until then, both included; ns.
    pub to_ns: i64,
}

/// Bytes and blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Bytes.
    pub bytes: i64,
    /// Blocks.
    pub blocks: u64,
    /// The bytes by match kind.
    pub by_match: ByMatch,
}

impl Tally {
    fn add(&mut self, sum: Sum, kind: MatchKind) {
        self.bytes = self.bytes.saturating_add(sum.bytes);
        self.blocks += u64::from(sum.blocks);
        self.by_match.add(kind, sum.bytes);
    }

    /// With those of another.
    pub fn merge(&mut self, other: &Tally) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.blocks = self.blocks.saturating_add(other.blocks);
        self.by_match.merge(&other.by_match);
    }
}

/// One group of a side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideGroup {
    /// As in [`super::answer::Group`].
    pub key: Option<String>,
    /// Live at the time.
    pub live: Tally,
    /// Allocated between the times.
    pub allocated: Tally,
}

/// One rank folder of a side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideRank {
    /// The rank folder's path.
    pub folder: String,
    /// Role.
    pub role: String,
    /// Rank, if known.
    pub rank: Option<u64>,
    /// Step, if one recording of several.
    pub step: Option<u64>,
    /// First and last memory event, ns.
    pub window_ns: Option<[i64; 2]>,
    /// The times asked for, ns.
    pub at_ns: i64,
    /// See `at_ns`.
    pub from_ns: i64,
    /// See `at_ns`.
    pub to_ns: i64,
    /// Peak of allocated of the pool between the two times.
    pub peak: Option<Extreme>,
    /// What no row tells at the time.
    pub beside: Option<Beside>,
    /// Its steps by start.
    pub steps: Vec<StepSpan>,
}

/// What is compared with another side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Grouping.
    pub by: GroupBy,
    /// Whose; none before the first.
    pub ranks: Vec<SideRank>,
    /// All groups together.
    pub live: Tally,
    /// All groups together.
    pub allocated: Tally,
    /// Every group, in no order.
    pub groups: Vec<SideGroup>,
}

impl Side {
    /// Nothing, to be merged with.
    pub fn empty(by: GroupBy) -> Side {
        Side { by, ranks: Vec::new(), live: Tally::default(), allocated: Tally::default(), groups: Vec::new() }
    }

    /// Several sides of one grouping as one: each number is the sum of theirs.
    pub fn sum(by: GroupBy, sides: impl IntoIterator<Item = Side>) -> Side {
        let mut all = Side::empty(by);
        let mut places: HashMap<Option<String>, usize> = HashMap::new();
        for side in sides.into_iter().filter(|side| side.by == by) {
            all.ranks.extend(side.ranks);
            all.live.merge(&side.live);
            all.allocated.merge(&side.allocated);
            for group in side.groups {
                let next = all.groups.len();
                let place = *places.entry(group.key.clone()).or_insert(next);
                match all.groups.get_mut(place) {
                    Some(known) => {
                        known.live.merge(&group.live);
                        known.allocated.merge(&group.allocated);
                    }
                    None => all.groups.push(group),
                }
            }
        }
        all
    }

    /// The rank folder with the highest peak, the first of equal ones.
    pub fn highest(&self) -> Option<&SideRank> {
        let peak = |rank: &SideRank| rank.peak.map_or(i64::MIN, |peak| peak.bytes);
        self.ranks.iter().rev().max_by_key(|rank| peak(rank))
    }
}

impl Rank {
    /// Groups, their sums, and what the rank's side is told by; the caller says whose it is. `None` without such a pool.
    pub(crate) fn side(&self, query: &SideQuery, whose: &super::answer::Summary) -> Option<Side> {
        let pool = self.pool_index(query.pool.as_ref())?;
        let keys = self.keys();
        let (live, rows) = (self.live_set(pool), &self.rows);
        let mut side = Side::empty(query.by);
        let mut groups = Groups::new(keys.count(query.by), SideGroup::default());
        live.pieces(Counted::LiveAt { at_ns: query.at_ns }, query.by, None, |row, sum| {
            groups.of(keys.of(query.by, row, query.at_ns)).live.add(sum, rows.kind[row]);
            side.live.add(sum, rows.kind[row]);
        });
        let allocated = Counted::Allocated { from_ns: query.from_ns, to_ns: query.to_ns };
        live.pieces(allocated, query.by, None, |row, sum| {
            groups.of(keys.of(query.by, row, query.at_ns)).allocated.add(sum, rows.kind[row]);
            side.allocated.add(sum, rows.kind[row]);
        });
        let named = |(key, group): (Option<u32>, SideGroup)| SideGroup {
            key: key.map(|id| keys.text(query.by, id).to_owned()),
            ..group
        };
        side.groups = groups.list.into_iter().map(named).collect();
        side.ranks = vec![SideRank {
            folder: whose.folder.clone(),
            role: whose.role.clone(),
            rank: whose.rank,
            step: whose.step,
            window_ns: whose.window_ns,
            at_ns: query.at_ns,
            from_ns: query.from_ns,
            to_ns: query.to_ns,
            peak: self.highest_between(query.pool.as_ref(), query.from_ns, query.to_ns),
            beside: self.beside(query.at_ns, side.live.bytes, query.pool.as_ref()),
            steps: self.steps_in_order(),
        }];
        Some(side)
    }

    /// The most a pool had allocated between two times, both included; what stood at the first of them counts.
    pub(crate) fn highest_between(&self, pool: Option<&PoolKey>, from_ns: i64, to_ns: i64) -> Option<Extreme> {
        let pool = &self.pools[self.pool_index(pool)?];
        let stood = pool.total_at(0, from_ns).map(|bytes| Extreme { bytes, time_ns: from_ns });
        let reached = pool.peak_between(from_ns, to_ns);
        match (stood, reached) {
            (Some(stood), Some(reached)) => Some(if reached.bytes > stood.bytes { reached } else { stood }),
            (stood, reached) => stood.or(reached),
        }
    }
}
