//! By what blocks are told apart by colour: few slots, the same for every stretch of time, so that a picture that moves keeps its
//! colours.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::answer::{GroupBy, MatchKind, TopQuery};
use super::classes::{self, AGES, SIZES};
use super::rank::Rank;
use crate::model::rows::NONE;

/// Groups with a colour of their own.
pub const NAMED: usize = 8;
/// Slot of all groups beyond these.
pub const OTHERS: u8 = 254;
/// Slot of blocks without an asserted call stack.
pub const NO_STACK: u8 = 255;

/// What a colour stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hue {
    /// Operator name.
    Operator,
    /// Whole call stack.
    Stack,
    /// Innermost frame that is not library code.
    UserFrame,
    /// Module path.
    Module,
    /// Class of size.
    Size,
    /// Class of how long the block lives, as far as the recording goes.
    Life,
    /// How the block got its call stack.
    Match,
}

impl Hue {
    /// Every one.
    pub const ALL: [Hue; 7] =
        [Hue::Operator, Hue::Stack, Hue::UserFrame, Hue::Module, Hue::Size, Hue::Life, Hue::Match];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Hue::Operator => "operator",
            Hue::Stack => "stack",
            Hue::UserFrame => "user_frame",
            Hue::Module => "module",
            Hue::Size => "size",
            Hue::Life => "life",
            Hue::Match => "match",
        }
    }

    /// The grouping whose groups have the colours, if it is one of those with a limited number of named groups.
    pub fn grouping(self) -> Option<GroupBy> {
        match self {
            Hue::Operator => Some(GroupBy::Operator),
            Hue::Stack => Some(GroupBy::Stack),
            Hue::UserFrame => Some(GroupBy::UserFrame),
            Hue::Module => Some(GroupBy::Module),
            Hue::Size | Hue::Life | Hue::Match => None,
        }
    }
}

/// What the slots of a pool's blocks mean.
pub(crate) struct Slots<'a> {
    rank: &'a Rank,
    hue: Hue,
    by_key: FxHashMap<u32, u8>,
    /// The groups of the first slots; for classes and match kinds their names.
    pub legend: Vec<String>,
}

impl<'a> Slots<'a> {
    /// Those of the pool in that place. Groups are named by what they hold at the pool's peak.
    pub fn new(rank: &'a Rank, pool: usize, hue: Hue) -> Slots<'a> {
        let mut slots = Slots { rank, hue, by_key: FxHashMap::default(), legend: Vec::new() };
        match (hue, hue.grouping()) {
            (_, Some(by)) => {
                let at_ns = rank.peak_time(pool);
                let query = TopQuery { at_ns, pool: None, by, within: None, limit: NAMED + 1 };
                let keys = rank.keys();
                let named =
                    rank.live_set(pool).top(&query, None, None).groups.into_iter().filter_map(|group| group.key);
                for key in named.take(NAMED) {
                    if let (Some(id), Ok(slot)) = (keys.find(by, &key), u8::try_from(slots.legend.len())) {
                        slots.by_key.insert(id, slot);
                        slots.legend.push(key);
                    }
                }
            }
            (Hue::Size, _) => slots.legend = SIZES.iter().map(|class| class.text.to_owned()).collect(),
            (Hue::Life, _) => slots.legend = AGES.iter().map(|class| class.text.to_owned()).collect(),
            _ => slots.legend = MatchKind::ALL.iter().map(|kind| kind.name().to_owned()).collect(),
        }
        slots
    }

    /// The slot of a row.
    pub fn of(&self, row: usize) -> u8 {
        let rows = &self.rank.rows;
        let number = |column: &[i64]| column.get(row).copied().unwrap_or(NONE);
        if let Some(by) = self.hue.grouping() {
            // No grouping with named groups depends on the time.
            return match self.rank.keys().of(by, row, 0) {
                None => NO_STACK,
                Some(id) => self.by_key.get(&id).copied().unwrap_or(OTHERS),
            };
        }
        let place = match self.hue {
            Hue::Size => classes::size(number(&rows.size)),
            Hue::Life => {
                let end = rows.live_end(row).min(self.rank.window.map_or(i64::MAX, |(_, end)| end));
                classes::age(end.saturating_sub(number(&rows.time)))
            }
            _ => {
                let kind = rows.kind.get(row).copied().unwrap_or(MatchKind::None);
                MatchKind::ALL.iter().position(|one| *one == kind).and_then(|at| u32::try_from(at).ok()).unwrap_or(0)
            }
        };
        u8::try_from(place).unwrap_or(OTHERS)
    }
}
