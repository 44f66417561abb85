//! All blocks as a table: filtered and sorted here, so that only a screenful ever leaves.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns' own lengths")]

use serde::{Deserialize, Serialize};

use super::block::BlockRow;
use super::filter::{BlockFilter, Wanted};
use super::rank::Rank;
use crate::model::rows::{NO_SITE, NONE};

macro_rules! columns {
    ($($(#[$doc:meta])* $column:ident = $name:literal;)*) => {
        /// What the table can be sorted by. Each has a stable name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum BlockColumn { $($(#[$doc])* $column,)* }

        impl BlockColumn {
            /// Every column.
            pub const ALL: &[BlockColumn] = &[$(BlockColumn::$column,)*];

            /// The stable name.
            pub fn name(self) -> &'static str {
                match self { $(BlockColumn::$column => $name,)* }
            }
        }
    };
}

columns! {
    /// Allocation time.
    AllocatedAt = "allocated_at";
    /// Operator name.
    Operator = "operator";
    /// Bytes.
    Bytes = "bytes";
    /// From allocation to release; never released is longest.
    Life = "life";
    /// Release time; never released is last.
    ReleasedAt = "released_at";
    /// Allocated total after the allocation.
    Allocated = "allocated";
    /// Reserved total after it.
    Reserved = "reserved";
    /// Active total after it.
    Active = "active";
    /// Match kind, the surest first.
    Match = "match";
    /// User frame.
    UserFrame = "user_frame";
    /// Pool.
    Pool = "pool";
    /// Stream.
    Stream = "stream";
}

/// Which rows, in which order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockOrder {
    /// Which.
    pub filter: BlockFilter,
    /// Sorted by this; equal ones by allocation time.
    pub sort: BlockColumn,
    /// Largest, or last, first.
    pub descending: bool,
}

/// Asks for a stretch of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlocksQuery {
    /// Of this.
    pub order: BlockOrder,
    /// The first row wanted.
    pub from: usize,
    /// How many.
    pub count: usize,
}

/// A stretch of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlocksPage {
    /// Rows in all.
    pub total: u64,
    /// Their bytes, all together.
    pub bytes: i64,
    /// The first row here.
    pub from: u64,
    /// The rows.
    pub rows: Vec<BlockRow>,
}

/// Rows in an order, and their bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// Row indices.
    pub rows: Vec<u32>,
    /// Their sizes, all together.
    pub bytes: i64,
}

impl Rank {
    /// The rows of a filter in an order.
    pub fn list_blocks(&self, order: &BlockOrder) -> Listed {
        let wanted = Wanted::new(self, &order.filter);
        let mut rows: Vec<u32> = self.rows.order.iter().copied().filter(|row| wanted.holds(*row as usize)).collect();
        let bytes = rows.iter().fold(0_i64, |sum, row| sum.saturating_add(self.rows.size[*row as usize]));
        if order.sort != BlockColumn::AllocatedAt {
            let key = self.sort_key(order.sort);
            // The places make the order one of equal rows, too.
            let mut keyed: Vec<(i64, u32, u32)> =
                rows.iter().zip(0..).map(|(row, place)| (key(*row as usize), place, *row)).collect();
            match order.descending {
                true => keyed.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1))),
                false => keyed.sort_unstable(),
            }
            rows = keyed.into_iter().map(|(.., row)| row).collect();
        } else if order.descending {
            rows.reverse();
        }
        Listed { rows, bytes }
    }

    /// A number for each row that is in the order of its column.
    fn sort_key(&self, column: BlockColumn) -> Box<dyn Fn(usize) -> i64 + '_> {
        let rows = &self.rows;
        let total = |column: usize| move |row: usize| rows.totals[column].get(row).copied().unwrap_or(NONE);
        match column {
            BlockColumn::AllocatedAt => Box::new(|row| rows.time[row]),
            BlockColumn::Bytes => Box::new(|row| rows.size[row]),
            BlockColumn::ReleasedAt => Box::new(|row| rows.live_end(row)),
            BlockColumn::Life => Box::new(|row| match rows.live_end(row) {
                i64::MAX => i64::MAX,
                end => end.saturating_sub(rows.time[row]),
            }),
            BlockColumn::Allocated => Box::new(total(0)),
            BlockColumn::Reserved => Box::new(total(1)),
            BlockColumn::Active => Box::new(total(2)),
            BlockColumn::Match => Box::new(|row| rows.kind[row] as i64),
            BlockColumn::Operator => {
                let places = alphabet(rows.names.len(), |id| rows.names.text(id));
                Box::new(move |row| places[rows.name[row] as usize])
            }
            BlockColumn::Stream => {
                let places = alphabet(rows.labels.len(), |id| rows.labels.text(id));
                Box::new(move |row| places[rows.stream[row] as usize])
            }
            BlockColumn::UserFrame => {
                let places = alphabet(self.sites.text_count(), |id| self.sites.text(id));
                Box::new(move |row| {
                    let site = Some(rows.site[row]).filter(|site| *site != NO_SITE);
                    let frame = site.and_then(|site| self.sites.user_frame_id(site));
                    frame.and_then(|id| places.get(id as usize)).copied().unwrap_or(-1)
                })
            }
            BlockColumn::Pool => Box::new(|row| self.pool_of(row).map_or(-1, |place| place as i64)),
        }
    }
}

/// The place of each text among all in the order of the alphabet.
pub(crate) fn alphabet<'a>(count: usize, text: impl Fn(u32) -> &'a str) -> Vec<i64> {
    let mut ids: Vec<u32> = (0..count as u32).collect();
    ids.sort_by_cached_key(|id| text(*id).to_lowercase());
    let mut places = vec![0; count];
    for (place, id) in ids.into_iter().enumerate() {
        places[id as usize] = place as i64;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::answer::GroupBy;
    use crate::analysis::rank::tests::{Block, blocks, is_live, rank, stack_of};
    use proptest::prelude::*;

    fn order(filter: BlockFilter, sort: BlockColumn, descending: bool) -> BlockOrder {
        BlockOrder { filter, sort, descending }
    }

    proptest! {
        #[test]
        fn a_filter_keeps_what_a_look_at_each_block_keeps(
            blocks in blocks(), sort in 0usize..12, descending: bool,
            bytes in (prop::option::of(0i64..40), prop::option::of(10i64..50)),
            life in (prop::option::of(0i64..40), prop::option::of(10i64..50)),
            range in (0i64..60, 1i64..60), which in 0usize..5, text in prop::sample::select(vec!["", "A.PY", "t.py", "aten::a", "none"]),
        ) {
            let rank = rank(&blocks, &[]);
            let (from, to) = (range.0, range.0 + range.1);
            let mut filter = BlockFilter {
                text: text.to_owned(), bytes: [bytes.0, bytes.1], life_ns: [life.0, life.1], ..BlockFilter::default()
            };
            match which {
                0 => filter.allocated_in = Some([from, to]),
                1 => filter.live_at = Some(from),
                2 => filter.never_released = true,
                3 => filter.unreleased_in = Some([from, to]),
                _ => filter.group = Some((GroupBy::Stack, None)),
            }
            let keeps = |block: &Block| {
                let lasts = block.2.unwrap_or(i64::MAX);
                let in_text = stack_of(block).is_some_and(|stack| stack.to_lowercase().contains(&text.to_lowercase()));
                let starts = (from..=to).contains(&block.1);
                (in_text || "aten::a".contains(text))
                    && bytes.0.is_none_or(|least| block.0 >= least) && bytes.1.is_none_or(|most| block.0 <= most)
                    && life.0.is_none_or(|least| lasts >= least) && life.1.is_none_or(|most| lasts <= most)
                    && match which {
                        0 => starts,
                        1 => is_live(block, from),
                        2 => block.2.is_none(),
                        3 => starts && block.2.is_none_or(|lasts| block.1 + lasts > to),
                        _ => stack_of(block).is_none(),
                    }
            };
            let sort = BlockColumn::ALL[sort];
            let listed = rank.list_blocks(&order(filter, sort, descending));
            let mut rows = listed.rows.clone();
            rows.sort_unstable();
            let expected: Vec<u32> = (0..blocks.len()).filter(|row| keeps(&blocks[*row])).map(|row| row as u32).collect();
            prop_assert_eq!(&rows, &expected);
            prop_assert_eq!(listed.bytes, expected.iter().map(|row| blocks[*row as usize].0).sum::<i64>());
            let key = rank.sort_key(sort);
            let keys: Vec<i64> = listed.rows.iter().map(|row| key(*row as usize)).collect();
            let in_order = if descending { keys.is_sorted_by(|a, b| a >= b) } else { keys.is_sorted() };
            prop_assert!(in_order);
        }
    }

    #[test]
    fn a_row_says_what_is_recorded() {
        let rank = rank(&[(512, 10, Some(5), 0, 0), (1024, 20, None, 3, 0)], &[]);
        let first = rank.block(0).unwrap();
        assert_eq!((first.block.bytes, first.block.allocated_ns, first.block.released_ns), (512, 10, Some(15)));
        assert_eq!(first.stack.as_deref(), Some("/w/a.py(1): f"));
        assert_eq!(first.block.user_frame, "/w/a.py(1): f");
        assert_eq!(first.block.totals, [None; 3]);
        let second = rank.block(1).unwrap();
        assert_eq!((second.block.released_ns, second.stack), (None, None));
        assert_eq!(rank.block(2), None);
    }
}
