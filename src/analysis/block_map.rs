//! The life of a pool's blocks over time as a picture: at each pixel column the blocks that are live then, stacked in the order
//! they were allocated, each as high as its bytes. The picture is a grid of blocks, so it is the index for what lies under the
//! pointer as well.
//!
//! Young blocks lie on top and go first: from one column to the next little changes further down. So a column is the one before
//! it, up to the lowest block that came or went; above that, sums over stretches of blocks lead to those that reach a pixel.

#![allow(clippy::indexing_slicing, reason = "places come from the lists' own lengths")]

use serde::{Deserialize, Serialize};

use super::answer::PoolKey;
use super::filter::{BlockFilter, Wanted};
use super::hue::{Hue, Slots};
use super::rank::Rank;

/// Most pixel columns and lines answered for.
const MOST: u32 = 4096;
/// Blocks summed up together, and how many of these sums again.
const STRETCH: usize = 64;
const LONG: usize = STRETCH * STRETCH;
/// Ends the list of blocks that leave at a column.
const NOBODY: u32 = u32::MAX;

/// Asks for the picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockMapQuery {
    /// `None`: the framework pool.
    pub pool: Option<PoolKey>,
    /// Start, ns.
    pub start_ns: i64,
    /// End, ns.
    pub end_ns: i64,
    /// Pixels from left to right.
    pub columns: u32,
    /// Pixels from bottom to top.
    pub lines: u32,
    /// Which part of the stacks, bytes; `None`: all of the highest.
    pub bytes: Option<[i64; 2]>,
    /// What blocks are coloured by.
    pub hue: Hue,
    /// Which blocks are to be marked.
    pub marked: Option<BlockFilter>,
}

/// The picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockMap {
    /// The pool answered for; `None` if the rank has no blocks.
    pub pool: Option<PoolKey>,
    /// Start, ns.
    pub start_ns: i64,
    /// End, ns.
    pub end_ns: i64,
    /// Bytes at the lower and at the upper edge.
    pub bytes: [i64; 2],
    /// Pixels from bottom to top.
    pub lines: u32,
    /// The time each column shows, ns: of those it stands for the one with the highest recorded total, so that no peak vanishes.
    pub times_ns: Vec<i64>,
    /// All live blocks at each of them, bytes.
    pub live_bytes: Vec<i64>,
    /// Rows of the blocks in the picture.
    pub rows: Vec<u32>,
    /// Slot of the colour of each of them.
    pub slots: Vec<u8>,
    /// What the first slots stand for.
    pub legend: Vec<String>,
    /// 1 for each block that was to be marked, else 0; empty if none was.
    pub marks: Vec<u8>,
    /// Column after column, each from bottom to top: one more than the block's place in `rows`; 0 above the stack.
    pub cells: Vec<u32>,
}

impl Rank {
    /// When the pool in that place had its peak, ns; without one the window's start.
    pub(crate) fn peak_time(&self, pool: usize) -> i64 {
        let peak = self.pools[pool].peaks().allocated;
        peak.map(|peak| peak.time_ns).or(self.window.map(|(start, _)| start)).unwrap_or_default()
    }

    /// See [`BlockMap`].
    pub fn block_map(&self, query: &BlockMapQuery) -> BlockMap {
        let (start_ns, end_ns) = (query.start_ns, query.end_ns.max(query.start_ns));
        let lines = query.lines.min(MOST);
        let mut map = BlockMap {
            pool: None,
            start_ns,
            end_ns,
            bytes: query.bytes.unwrap_or_default(),
            lines,
            times_ns: Vec::new(),
            live_bytes: Vec::new(),
            rows: Vec::new(),
            slots: Vec::new(),
            legend: Vec::new(),
            marks: Vec::new(),
            cells: Vec::new(),
        };
        let Some(pool) = self.pool_index(query.pool.as_ref()).filter(|_| self.rows.tells_live()) else { return map };
        map.pool = Some(self.pools[pool].key.clone());
        map.times_ns = self.column_times(pool, start_ns, end_ns, query.columns.min(MOST));
        let mut sweep = Sweep::new(self, pool, &map.times_ns);
        map.live_bytes = std::mem::take(&mut sweep.live_bytes);
        let highest = map.live_bytes.iter().copied().max().unwrap_or_default().max(1);
        map.bytes = query.bytes.filter(|[low, high]| low < high).unwrap_or([0, highest]);
        map.cells = sweep.fill(&samples(map.bytes, lines as usize));
        map.rows = sweep.shown;
        let slots = Slots::new(self, pool, query.hue);
        map.slots = map.rows.iter().map(|row| slots.of(*row as usize)).collect();
        map.legend = slots.legend;
        if let Some(filter) = &query.marked {
            let wanted = Wanted::new(self, filter);
            map.marks = map.rows.iter().map(|row| u8::from(wanted.holds(*row as usize))).collect();
        }
        map
    }

    /// Of each column the time of the highest recorded total in it, else its start.
    fn column_times(&self, pool: usize, start_ns: i64, end_ns: i64, columns: u32) -> Vec<i64> {
        let span = i128::from(end_ns) - i128::from(start_ns);
        let edge = |column: u32| {
            let edge = i128::from(start_ns) + span * i128::from(column) / i128::from(columns.max(1));
            // No edge lies outside the range.
            i64::try_from(edge).unwrap_or(end_ns)
        };
        let of_column = |column: u32| {
            let from = edge(column);
            // The last column has the end as well.
            let to = if column + 1 == columns { end_ns } else { edge(column + 1).saturating_sub(1).max(from) };
            self.pools[pool].peak_between(from, to).map_or(from, |peak| peak.time_ns)
        };
        (0..columns).map(of_column).collect()
    }
}

/// The bytes at the middle of each line.
fn samples([low, high]: [i64; 2], lines: usize) -> Vec<i64> {
    let span = i128::from(high) - i128::from(low);
    let middle = |line: usize| i128::from(low) + span * (2 * line as i128 + 1) / (2 * lines.max(1) as i128);
    (0..lines).map(|line| i64::try_from(middle(line)).unwrap_or(high)).collect()
}

/// Blocks that are live at some column, in the order of their allocation, and when they come and go.
struct Sweep {
    rows: Vec<u32>,
    sizes: Vec<i64>,
    /// How many have come by each column.
    come: Vec<usize>,
    /// The first that has gone at each column, and after each the next.
    going: Vec<u32>,
    next: Vec<u32>,
    live_bytes: Vec<i64>,
    /// Bytes of each that is live now, and their sums over stretches.
    bytes: Vec<i64>,
    sums: Vec<i64>,
    long_sums: Vec<i64>,
    /// One more than each block's place in `shown`.
    places: Vec<u32>,
    shown: Vec<u32>,
}

impl Sweep {
    fn new(rank: &Rank, pool: usize, times: &[i64]) -> Sweep {
        let live = rank.live_set(pool);
        let (rows, blocks) = (live.keys.rows, live.blocks);
        let mut list: Vec<u32> = Vec::new();
        let (mut come, mut begun) = (Vec::with_capacity(times.len()), 0);
        for &time in times {
            let now = begun + blocks[begun..].partition_point(|row| rows.time[*row as usize] <= time);
            let end = |block: usize| rows.live_end(blocks[block] as usize);
            live.ends.live(begun..now, time, end, |block| list.push(blocks[block]));
            begun = now;
            come.push(list.len());
        }
        let sizes: Vec<i64> = list.iter().map(|row| rows.size[*row as usize]).collect();
        let mut changes = vec![0_i64; times.len()];
        let mut first = 0;
        for (change, &upto) in changes.iter_mut().zip(&come) {
            *change = sizes[first..upto].iter().fold(0, |sum, size| sum.saturating_add(*size));
            first = upto;
        }
        let last = times.last().copied().unwrap_or(i64::MIN);
        let (mut going, mut next) = (vec![NOBODY; times.len()], vec![NOBODY; list.len()]);
        for (place, (&row, &size)) in list.iter().zip(&sizes).enumerate() {
            let end = rows.live_end(row as usize);
            if end > last {
                continue;
            }
            let column = times.partition_point(|time| *time < end);
            next[place] = std::mem::replace(&mut going[column], place as u32);
            changes[column] = changes[column].saturating_sub(size);
        }
        let live_bytes = changes.iter().scan(0_i64, |sum, change| {
            *sum = sum.saturating_add(*change);
            Some(*sum)
        });
        Sweep {
            live_bytes: live_bytes.collect(),
            bytes: vec![0; list.len()],
            sums: vec![0; list.len().div_ceil(STRETCH)],
            long_sums: vec![0; list.len().div_ceil(LONG)],
            places: vec![0; list.len()],
            shown: Vec::new(),
            rows: list,
            sizes,
            come,
            going,
            next,
        }
    }

    fn change(&mut self, block: usize, by: i64) {
        for sum in [&mut self.bytes[block], &mut self.sums[block / STRETCH], &mut self.long_sums[block / LONG]] {
            *sum = sum.saturating_add(by);
        }
    }

    /// Live bytes below a block.
    fn below(&self, block: usize) -> i64 {
        let (long, stretch) = (block / LONG, block / STRETCH);
        let parts =
            [&self.long_sums[..long], &self.sums[long * STRETCH..stretch], &self.bytes[stretch * STRETCH..block]];
        parts.into_iter().flatten().fold(0, |sum, bytes| sum.saturating_add(*bytes))
    }

    /// The grid for these heights.
    fn fill(&mut self, samples: &[i64]) -> Vec<u32> {
        let lines = samples.len();
        let mut cells = vec![0; self.come.len() * lines];
        let mut come = 0;
        for column in 0..self.come.len() {
            let upto = self.come[column];
            let mut lowest = if come < upto { come } else { usize::MAX };
            let mut gone = self.going[column];
            while gone != NOBODY {
                let block = gone as usize;
                self.change(block, -self.sizes[block]);
                lowest = lowest.min(block);
                gone = self.next[block];
            }
            for block in come..upto {
                self.change(block, self.sizes[block]);
            }
            come = upto;
            let (before, now) = cells.split_at_mut(column * lines);
            let now = &mut now[..lines];
            let before = before.len().checked_sub(lines).map(|from| &before[from..]);
            let from = lowest.min(come);
            let below = self.below(from);
            let same = samples.partition_point(|sample| *sample < below);
            if let Some(before) = before {
                let same = if lowest == usize::MAX { lines } else { same };
                now[..same].copy_from_slice(&before[..same]);
            }
            if lowest != usize::MAX {
                self.stack(from, below, same, come, samples, now);
            }
        }
        cells
    }

    /// Fills a column from a block and a line on; `cumulated`: the bytes below that block.
    fn stack(
        &mut self,
        from: usize,
        cumulated: i64,
        from_line: usize,
        come: usize,
        samples: &[i64],
        cells: &mut [u32],
    ) {
        let (mut block, mut cumulated, mut line) = (from, cumulated, from_line);
        while let (Some(&sample), true) = (samples.get(line), block < come) {
            if block % STRETCH == 0 {
                let long = (block % LONG == 0).then(|| (self.long_sums[block / LONG], LONG));
                let steps = long.into_iter().chain([(self.sums[block / STRETCH], STRETCH)]);
                let passed =
                    steps.filter(|(sum, _)| cumulated.saturating_add(*sum) <= sample).max_by_key(|(_, many)| *many);
                if let Some((sum, many)) = passed {
                    cumulated = cumulated.saturating_add(sum);
                    block += many;
                    continue;
                }
            }
            cumulated = cumulated.saturating_add(self.bytes[block]);
            if cumulated > sample {
                if self.places[block] == 0 {
                    self.shown.push(self.rows[block]);
                    self.places[block] = self.shown.len() as u32;
                }
                while samples.get(line).is_some_and(|sample| *sample < cumulated) {
                    cells[line] = self.places[block];
                    line += 1;
                }
            }
            block += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::rank::tests::{Block, blocks, is_live, rank};
    use proptest::prelude::*;

    /// What a look at every block gives: the row of the block at a height, by time.
    fn at_height(blocks: &[Block], order: &[u32], at: i64, height: i64) -> Option<u32> {
        let mut below = 0;
        for &row in order {
            let block = &blocks[row as usize];
            if is_live(block, at) {
                below += block.0;
                if height < below {
                    return Some(row);
                }
            }
        }
        None
    }

    proptest! {
        #[test]
        fn each_cell_is_the_block_that_stands_there(
            blocks in blocks(), start in 0i64..90, length in 1i64..110, columns in 1u32..40, lines in 1u32..40,
            part in prop::option::of((0i64..300, 1i64..2000)),
        ) {
            let rank = rank(&blocks, &[]);
            let bytes = part.map(|(low, more)| [low, low + more]);
            let query = BlockMapQuery {
                pool: None, start_ns: start, end_ns: start + length, columns, lines, bytes, hue: Hue::Operator,
                marked: Some(BlockFilter { never_released: true, ..BlockFilter::default() }),
            };
            let map = rank.block_map(&query);
            let pool = rank.framework_pool().unwrap();
            let order = rank.blocks_of(pool).to_vec();
            prop_assert_eq!(map.times_ns.len(), columns as usize);
            prop_assert!(map.times_ns.is_sorted());
            prop_assert!(map.times_ns.iter().all(|time| (start..=start + length).contains(time)));
            let heights = samples(map.bytes, lines as usize);
            for (column, &at) in map.times_ns.iter().enumerate() {
                let live: i64 = blocks.iter().filter(|block| is_live(block, at)).map(|block| block.0).sum();
                prop_assert_eq!(map.live_bytes[column], live);
                for (line, &height) in heights.iter().enumerate() {
                    let cell = map.cells[column * lines as usize + line];
                    let row = cell.checked_sub(1).map(|place| map.rows[place as usize]);
                    prop_assert_eq!(row, at_height(&blocks, &order, at, height), "column {} line {}", column, line);
                }
            }
            prop_assert_eq!(map.slots.len(), map.rows.len());
            let never: Vec<u8> = map.rows.iter().map(|row| u8::from(blocks[*row as usize].2.is_none())).collect();
            prop_assert_eq!(map.marks, never);
        }
    }

    #[test]
    fn long_stacks_are_stepped_over() {
        let count = 3 * LONG as i64 + 100;
        // Every other block goes again half way.
        let blocks: Vec<Block> = (0..count).map(|at| (512, 0, (at % 2 == 0).then_some(50), 0, 0)).collect();
        let rank = rank(&blocks, &[]);
        let query = BlockMapQuery {
            pool: None,
            start_ns: 0,
            end_ns: 100,
            columns: 2,
            lines: 10,
            bytes: None,
            hue: Hue::Size,
            marked: None,
        };
        let map = rank.block_map(&query);
        assert_eq!(map.live_bytes, [count * 512, count / 2 * 512]);
        let row = |column: usize, line: usize| {
            map.cells[column * 10 + line].checked_sub(1).map(|place| map.rows[place as usize])
        };
        // The middle of the first of ten lines is a twentieth of all blocks up.
        assert_eq!(row(0, 0), Some((count / 20) as u32));
        assert_eq!(row(1, 0), Some((count / 20) as u32 * 2 + 1));
        assert_eq!(row(1, 9), None);
        assert_eq!(map.legend[map.slots[0] as usize], "< 1 KiB");
    }
}
