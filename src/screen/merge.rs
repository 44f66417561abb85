//! Merging the rows of several ranks by time, a batch of each at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Some rows of one rank, in the order of time.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Time of each row, ns.
    pub times: Vec<i64>,
    /// Where each record ends in `bytes`.
    pub ends: Vec<u32>,
    /// The records.
    pub bytes: Vec<u8>,
}

/// The rows that are there, of all ranks. Ranks are numbered in the order in which equal times are written.
pub struct Merge {
    sources: Vec<(Batch, usize)>,
    heads: BinaryHeap<Reverse<(i64, usize)>>,
}

impl Merge {
    /// A merge of so many ranks; each needs a first batch.
    pub fn new(ranks: usize) -> Merge {
        Merge { sources: vec![(Batch::default(), 0); ranks], heads: BinaryHeap::new() }
    }

    /// The next rows of a rank whose rows have run out. Without rows the rank is done.
    pub fn refill(&mut self, rank: usize, batch: Batch) {
        if let (Some(first), Some(source)) = (batch.times.first(), self.sources.get_mut(rank)) {
            self.heads.push(Reverse((*first, rank)));
            *source = (batch, 0);
        }
    }

    /// Writes rows in order until a rank needs its next batch, which it names, or all are done.
    pub fn write(&mut self, out: &mut Vec<u8>) -> Option<usize> {
        while let Some(Reverse((_, rank))) = self.heads.pop() {
            let limit = self.heads.peek().map(|Reverse(head)| *head);
            let Some((batch, next)) = self.sources.get_mut(rank) else { continue };
            let from = *next;
            let before_limit = |time: i64| limit.is_none_or(|limit| (time, rank) < limit);
            while batch.times.get(*next).is_some_and(|time| before_limit(*time)) {
                *next += 1;
            }
            let end_of = |rows: usize| rows.checked_sub(1).and_then(|last| batch.ends.get(last)).copied().unwrap_or(0);
            let written = batch.bytes.get(end_of(from) as usize..end_of(*next) as usize);
            out.extend_from_slice(written.unwrap_or_default());
            match batch.times.get(*next) {
                Some(time) => self.heads.push(Reverse((*time, rank))),
                None => return Some(rank),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn batch(rows: &[(i64, String)]) -> Batch {
        let mut batch = Batch::default();
        for (time, text) in rows {
            batch.times.push(*time);
            batch.bytes.extend_from_slice(text.as_bytes());
            batch.ends.push(batch.bytes.len() as u32);
        }
        batch
    }

    proptest! {
        #[test]
        fn gives_all_rows_in_order_whatever_the_batches(
            mut ranks in prop::collection::vec(prop::collection::vec(0_i64..20, 0..12), 1..5),
            size in 1_usize..5,
        ) {
            let mut expected = Vec::new();
            let mut queues = Vec::new();
            for (rank, times) in ranks.iter_mut().enumerate() {
                times.sort_unstable();
                let rows: Vec<_> = times.iter().enumerate().map(|(i, t)| (*t, format!("{rank}.{i}\n"))).collect();
                expected.extend(rows.iter().enumerate().map(|(i, (t, text))| (*t, rank, i, text.clone())));
                queues.push(rows);
            }
            expected.sort();
            let expected: String = expected.into_iter().map(|(.., text)| text).collect();

            let mut merge = Merge::new(queues.len());
            let mut out = Vec::new();
            let mut next = |merge: &mut Merge, rank: usize| {
                let count = size.min(queues[rank].len());
                let rows: Vec<_> = queues[rank].drain(..count).collect();
                merge.refill(rank, batch(&rows));
            };
            for rank in 0..ranks.len() {
                next(&mut merge, rank);
            }
            while let Some(rank) = merge.write(&mut out) {
                next(&mut merge, rank);
            }
            prop_assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
