//! One side against another, from two answers alone: these may come from two workers, or from two files read at different times.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::answer::GroupBy;
use super::breakdown::Beside;
use super::side::{Side, SideGroup, Tally};

/// By which difference groups are ordered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceOf {
    /// Of live bytes.
    #[default]
    Live,
    /// Of allocated bytes.
    Allocated,
}

/// A number of both sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Both {
    /// Of the first side.
    pub a: Tally,
    /// Of the second side.
    pub b: Tally,
}

impl Both {
    /// The second less the first, bytes.
    pub fn change_bytes(&self) -> i64 {
        self.b.bytes.saturating_sub(self.a.bytes)
    }

    /// The second less the first, blocks.
    pub fn change_blocks(&self) -> i64 {
        let number = |blocks| i64::try_from(blocks).unwrap_or(i64::MAX);
        number(self.b.blocks).saturating_sub(number(self.a.blocks))
    }

    fn merge(&mut self, other: &Both) {
        self.a.merge(&other.a);
        self.b.merge(&other.b);
    }
}

/// Where a group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FoundIn {
    /// On both sides.
    Both,
    /// On the first alone.
    OnlyA,
    /// On the second alone.
    OnlyB,
}

/// One group of both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedGroup {
    /// As in [`super::answer::Group`].
    pub key: Option<String>,
    /// Where it is.
    pub found_in: FoundIn,
    /// Live at each side's time.
    pub live: Both,
    /// Allocated between each side's times.
    pub allocated: Both,
}

/// Groups together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupsTogether {
    /// How many.
    pub count: u64,
    /// Live.
    pub live: Both,
    /// Allocated.
    pub allocated: Both,
}

impl GroupsTogether {
    fn add(&mut self, live: &Both, allocated: &Both) {
        self.count += 1;
        self.live.merge(live);
        self.allocated.merge(allocated);
    }
}

/// Two sides compared. The differences of all groups add up to those of the totals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// Grouping.
    pub by: GroupBy,
    /// All groups.
    pub all: GroupsTogether,
    /// Those only the first side has.
    pub only_a: GroupsTogether,
    /// Those only the second side has.
    pub only_b: GroupsTogether,
    /// The groups that differ most, however they do; ties by key.
    pub groups: Vec<ComparedGroup>,
    /// The others.
    pub others: GroupsTogether,
    /// What no row tells on each side, all ranks together; `None` where a rank does not tell.
    pub beside: [Option<Beside>; 2],
}

/// Compares two sides of one grouping. At most so many groups are told one by one.
pub fn compare(a: &Side, b: &Side, order: DifferenceOf, limit: usize) -> Compared {
    let mut places: FxHashMap<Option<&str>, usize> = FxHashMap::default();
    let mut groups: Vec<Entry<'_>> = Vec::with_capacity(a.groups.len().max(b.groups.len()));
    for (side, is_b) in [(a, false), (b, true)] {
        for group in &side.groups {
            let key = group.key.as_deref();
            let next = groups.len();
            let place = *places.entry(key).or_insert(next);
            if place == next {
                let found_in = if is_b { FoundIn::OnlyB } else { FoundIn::OnlyA };
                groups.push(Entry { key, found_in, live: Both::default(), allocated: Both::default() });
            }
            let Some(entry) = groups.get_mut(place) else { continue };
            if is_b && entry.found_in == FoundIn::OnlyA {
                entry.found_in = FoundIn::Both;
            }
            entry.add(group, is_b);
        }
    }
    let [mut all, mut only_a, mut only_b, mut others] = [GroupsTogether::default(); 4];
    for group in &groups {
        all.add(&group.live, &group.allocated);
        match group.found_in {
            FoundIn::OnlyA => only_a.add(&group.live, &group.allocated),
            FoundIn::OnlyB => only_b.add(&group.live, &group.allocated),
            FoundIn::Both => {}
        }
    }
    let mut groups: Vec<_> = groups.into_iter().map(|group| (group.key(order), Box::new(group))).collect();
    groups.sort_unstable_by_key(|(key, _)| *key);
    for (_, group) in groups.iter().skip(limit) {
        others.add(&group.live, &group.allocated);
    }
    let told = |(_, group): (_, Box<Entry<'_>>)| ComparedGroup {
        key: group.key.map(str::to_owned),
        found_in: group.found_in,
        live: group.live,
        allocated: group.allocated,
    };
    let groups = groups.into_iter().take(limit).map(told).collect();
    Compared { by: a.by, all, only_a, only_b, groups, others, beside: [beside(a), beside(b)] }
}

/// A group while both sides are gone through.
struct Entry<'a> {
    key: Option<&'a str>,
    found_in: FoundIn,
    live: Both,
    allocated: Both,
}

/// Larger differences first; the group without a key last.
type Key<'a> = (Reverse<u64>, Reverse<u64>, bool, Option<&'a str>);

impl<'a> Entry<'a> {
    fn key(&self, order: DifferenceOf) -> Key<'a> {
        let [live, allocated] = [self.live, self.allocated].map(|both| Reverse(both.change_bytes().unsigned_abs()));
        let (first, second) = if order == DifferenceOf::Live { (live, allocated) } else { (allocated, live) };
        (first, second, self.key.is_none(), self.key)
    }

    fn add(&mut self, group: &SideGroup, is_b: bool) {
        let of = |both: &mut Both, tally: &Tally| if is_b { both.b.merge(tally) } else { both.a.merge(tally) };
        of(&mut self.live, &group.live);
        of(&mut self.allocated, &group.allocated);
    }
}

/// Of all ranks of a side together.
fn beside(side: &Side) -> Option<Beside> {
    let of_ranks: Vec<Beside> = side.ranks.iter().map(|rank| rank.beside).collect::<Option<_>>()?;
    let sum = |of: fn(&Beside) -> i64| of_ranks.iter().map(of).fold(0, i64::saturating_add);
    let recorded: Option<Vec<i64>> = of_ranks.iter().map(|beside| beside.recorded_bytes).collect();
    (!of_ranks.is_empty()).then(|| Beside {
        live_bytes: sum(|beside| beside.live_bytes),
        leaving_bytes: sum(|beside| beside.leaving_bytes),
        baseline_bytes: sum(|beside| beside.baseline_bytes),
        recorded_bytes: recorded.map(|all| all.into_iter().fold(0, i64::saturating_add)),
        unexplained_bytes: sum(|beside| beside.unexplained_bytes),
    })
}

#[cfg(test)]
mod tests;
