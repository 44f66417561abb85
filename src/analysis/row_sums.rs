//! The sum of a pool's rows at any time: sums at every few hundredth allocation and release, and the sizes in between.

#![allow(clippy::indexing_slicing, reason = "positions come from binary searches over the same columns")]

use super::row_events::Release;
use crate::model::rows::Rows;

/// Events from one kept sum to the next.
const SPACING: usize = 256;

/// A step curve of the bytes and the number of blocks in the pool's counter.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowSums {
    /// Of the pool's blocks, the first that counts.
    first: usize,
    /// Rows that left the counter, and when, by time.
    left: Vec<u32>,
    left_at: Vec<i64>,
    /// Bytes that came before every [`SPACING`]th block, and that left before every [`SPACING`]th that did.
    came_sums: Vec<i128>,
    left_sums: Vec<i128>,
}

impl RowSums {
    /// From the pool's blocks by allocation time, and their releases by time: a block counts from its allocation to the
    /// earliest release. Blocks from before `from` belong to the memory from before the records.
    pub fn new(rows: &Rows, blocks: &[u32], releases: &[Release], from: i64) -> RowSums {
        let first = blocks.partition_point(|row| rows.time[*row as usize] < from);
        let releases = &releases[releases.partition_point(|release| release.time < from)..];
        let size = |row: &u32| rows.size[*row as usize];
        RowSums {
            first,
            left: releases.iter().map(|release| release.row).collect(),
            left_at: releases.iter().map(|release| release.time).collect(),
            came_sums: sums(blocks[first..].iter().map(size)),
            left_sums: sums(releases.iter().map(|release| size(&release.row))),
        }
    }

    /// Bytes and blocks at a time; `rows` and `blocks` are those it was made of.
    pub fn at(&self, rows: &Rows, blocks: &[u32], time: i64) -> (i64, i64) {
        let blocks = blocks.get(self.first..).unwrap_or_default();
        let came = blocks.partition_point(|row| rows.time[*row as usize] <= time);
        let left = self.left_at.partition_point(|at| *at <= time);
        let bytes = sum_of(rows, &blocks[..came], &self.came_sums) - sum_of(rows, &self.left[..left], &self.left_sums);
        (clamped(bytes), came as i64 - left as i64)
    }

    /// Bytes, to be asked for ascending times.
    pub fn walk<'a>(&'a self, rows: &'a Rows, blocks: &'a [u32]) -> impl FnMut(i64) -> i64 + use<'a> {
        let mut came = blocks.get(self.first..).unwrap_or_default().iter().map(|row| *row as usize).peekable();
        let mut left = self.left_at.iter().zip(&self.left).peekable();
        let mut bytes = 0_i128;
        move |time| {
            while let Some(row) = came.next_if(|row| rows.time[*row] <= time) {
                bytes += i128::from(rows.size[row]);
            }
            while let Some((_, row)) = left.next_if(|(at, _)| **at <= time) {
                bytes -= i128::from(rows.size[*row as usize]);
            }
            clamped(bytes)
        }
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        self.left.capacity() * 4
            + self.left_at.capacity() * 8
            + (self.came_sums.capacity() + self.left_sums.capacity()) * 16
    }
}

fn sums(sizes: impl ExactSizeIterator<Item = i64>) -> Vec<i128> {
    let mut out = Vec::with_capacity(sizes.len() / SPACING + 1);
    let mut sum = 0;
    for (at, size) in sizes.enumerate() {
        if at % SPACING == 0 {
            out.push(sum);
        }
        sum += i128::from(size);
    }
    out.push(sum);
    out
}

/// What the first of the rows in an order add up to, `sums` being those of that order.
fn sum_of(rows: &Rows, first: &[u32], sums: &[i128]) -> i128 {
    let whole = first.len() / SPACING;
    let rest = first.iter().skip(whole * SPACING).map(|row| i128::from(rows.size[*row as usize]));
    sums.get(whole).copied().unwrap_or(0) + rest.sum::<i128>()
}

fn clamped(bytes: i128) -> i64 {
    i64::try_from(bytes.clamp(i64::MIN.into(), i64::MAX.into())).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::row_events::releases;
    use crate::model::pools::Pools;
    use crate::model::rows::tests::add;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn sums_are_those_of_a_slow_count(
            blocks in prop::collection::vec((1i64..1000, 0i64..3000, prop::option::of(0i64..900), prop::option::of(0i64..900)), 1..900),
            from in prop_oneof![Just(i64::MIN), 0i64..500], asked in prop::collection::vec(-1i64..4000, 1..40),
        ) {
            let mut rows = Rows::default();
            for (size, time, release, active) in &blocks {
                add(&mut rows, "a", *size, *time, release.map(|gap| time + gap), active.map(|gap| time + gap));
            }
            rows.settle(&Pools::default());
            let sums = RowSums::new(&rows, &rows.order, &releases(&rows, &rows.order), from);
            let mut walk = sums.walk(&rows, &rows.order);
            let mut asked = asked;
            asked.sort_unstable();
            for at in asked {
                let came: Vec<usize> = (0..rows.len()).filter(|row| rows.time[*row] >= from && rows.time[*row] <= at).collect();
                let left = |row: &usize| (from..=at).contains(&rows.counter_end(*row));
                let left: Vec<usize> = (0..rows.len()).filter(left).collect();
                let bytes = |of: &[usize]| of.iter().map(|row| rows.size[*row]).sum::<i64>();
                let slow = bytes(&came) - bytes(&left);
                prop_assert_eq!(sums.at(&rows, &rows.order, at), (slow, came.len() as i64 - left.len() as i64));
                prop_assert_eq!(walk(at), slow);
            }
        }
    }
}
