//! One side against another, from two answers alone: these may come from two workers, or from two files read at different times.

use std::cmp::Reverse;
use std::collections::HashMap;

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
    fn add(&mut self, group: &ComparedGroup) {
        self.count += 1;
        self.live.merge(&group.live);
        self.allocated.merge(&group.allocated);
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
    let mut found: HashMap<Option<&str>, ComparedGroup> = HashMap::new();
    for (side, is_b) in [(a, false), (b, true)] {
        for group in &side.groups {
            let place = found.entry(group.key.as_deref());
            let known = place.or_insert_with(|| ComparedGroup {
                key: group.key.clone(),
                found_in: if is_b { FoundIn::OnlyB } else { FoundIn::OnlyA },
                live: Both::default(),
                allocated: Both::default(),
            });
            if is_b && known.found_in == FoundIn::OnlyA {
                known.found_in = FoundIn::Both;
            }
            add(known, group, is_b);
        }
    }
    let mut groups: Vec<ComparedGroup> = found.into_values().collect();
    let [mut all, mut only_a, mut only_b, mut others] = [GroupsTogether::default(); 4];
    for group in &groups {
        all.add(group);
        match group.found_in {
            FoundIn::OnlyA => only_a.add(group),
            FoundIn::OnlyB => only_b.add(group),
            FoundIn::Both => {}
        }
    }
    let key = |group: &ComparedGroup| {
        let [live, allocated] = [group.live, group.allocated].map(|both| both.change_bytes().unsigned_abs());
        let (first, second) = if order == DifferenceOf::Live { (live, allocated) } else { (allocated, live) };
        (Reverse(first), Reverse(second))
    };
    groups.sort_by(|x, y| {
        let text = |group: &ComparedGroup| (group.key.is_none(), group.key.clone());
        key(x).cmp(&key(y)).then_with(|| text(x).cmp(&text(y)))
    });
    for group in groups.iter().skip(limit) {
        others.add(group);
    }
    groups.truncate(limit);
    Compared { by: a.by, all, only_a, only_b, groups, others, beside: [beside(a), beside(b)] }
}

fn add(known: &mut ComparedGroup, group: &SideGroup, is_b: bool) {
    let of = |both: &mut Both, tally: &Tally| if is_b { both.b.merge(tally) } else { both.a.merge(tally) };
    of(&mut known.live, &group.live);
    of(&mut known.allocated, &group.allocated);
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
