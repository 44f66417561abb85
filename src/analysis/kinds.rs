//! What groups can tell of a block apart: its operator, its call site and how that was found. A rank has thousands of these where
//! it has a million blocks; so a live set is added up by them first, and each group is made of a few of them.

#![allow(clippy::indexing_slicing, reason = "row indices come from the columns themselves")]

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::model::match_kind::MatchKind;
use crate::model::rows::Rows;

/// Blocks of one kind have one operator, one call site and one rule by which it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    name: u32,
    site: u32,
    rule: MatchKind,
}

/// Of a kind's blocks: bytes, how many, and the size of the largest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub bytes: i64,
    pub blocks: u32,
    pub largest: i64,
}

impl Sum {
    /// Of one block.
    pub fn of(size: i64) -> Sum {
        Sum { bytes: size, blocks: 1, largest: size }
    }

    /// The blocks of another sum.
    pub fn merge(&mut self, other: Sum) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.blocks = self.blocks.saturating_add(other.blocks);
        self.largest = self.largest.max(other.largest);
    }
}

/// So many blocks after one another, summed up kind by kind: where all of them are live none need be looked at.
#[derive(Debug, Clone)]
pub(crate) struct Stretch {
    /// Until then all of them are live, ns.
    pub all_until: i64,
    pub sums: Vec<Sum>,
}

/// The kinds of a pool's blocks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kinds {
    /// Of each block.
    of: Vec<u32>,
    /// A row of each kind.
    list: Vec<u32>,
    stretches: Vec<Stretch>,
    /// Blocks of a stretch.
    width: usize,
}

/// Blocks of a stretch at least - adding up fewer takes no time -, and bytes of sums for each of them at most.
#[cfg(not(test))]
const STRETCH: (usize, usize) = (1 << 14, 1);
/// So that tests have some.
#[cfg(test)]
const STRETCH: (usize, usize) = (4, 256);

impl Kinds {
    /// Of matched rows.
    pub fn new(rows: &Rows, blocks: &[u32]) -> Kinds {
        let mut ids: FxHashMap<Kind, u32> = FxHashMap::default();
        let mut list: Vec<u32> = Vec::new();
        let id_of = |row: &u32| {
            let at = *row as usize;
            let kind = Kind { name: rows.name[at], site: rows.site[at], rule: rows.kind[at] };
            *ids.entry(kind).or_insert_with(|| {
                list.push(*row);
                // There are no more of them than rows.
                list.len() as u32 - 1
            })
        };
        let of = blocks.iter().map(id_of).collect();
        list.shrink_to_fit();
        let (least, bytes) = STRETCH;
        let width = (list.len() * size_of::<Sum>() / bytes).next_power_of_two().max(least);
        let mut kinds = Kinds { of, list, stretches: Vec::new(), width };
        let stretch = |(at, blocks): (usize, &[u32])| kinds.stretch(rows, at * width, blocks);
        kinds.stretches = blocks.chunks_exact(width).enumerate().map(stretch).collect();
        kinds
    }

    fn stretch(&self, rows: &Rows, first: usize, blocks: &[u32]) -> Stretch {
        let mut stretch = Stretch { all_until: i64::MAX, sums: vec![Sum::default(); self.list.len()] };
        for (at, row) in blocks.iter().enumerate() {
            stretch.all_until = stretch.all_until.min(rows.live_end(*row as usize));
            stretch.sums[self.of(first + at)].merge(Sum::of(rows.size[*row as usize]));
        }
        stretch
    }

    /// A row of each of them.
    pub fn list(&self) -> &[u32] {
        &self.list
    }

    /// The place in the list of a block's kind.
    pub fn of(&self, block: usize) -> usize {
        self.of[block] as usize
    }

    /// The whole stretches among the first so many blocks, each with its blocks; what is left is no stretch.
    pub fn stretches(&self, blocks: usize) -> impl Iterator<Item = (Range<usize>, Option<&Stretch>)> {
        let whole = self.stretches.len().min(blocks / self.width.max(1));
        let place = |at: usize| at * self.width..(at + 1) * self.width;
        let stretches = self.stretches.iter().take(whole).enumerate();
        let rest = whole * self.width..blocks;
        stretches.map(move |(at, stretch)| (place(at), Some(stretch))).chain(std::iter::once((rest, None)))
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        let stretches = self.stretches.iter().map(|stretch| stretch.sums.capacity() * size_of::<Sum>());
        self.of.capacity() * 4 + self.list.capacity() * 4 + stretches.sum::<usize>()
    }
}
