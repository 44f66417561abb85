//! CONNECTION_IDS: what a row of PYTORCH_API is connected with. Equal numbers on two rows are a relation between them.

use rustc_hash::FxHashMap;

use super::open::Db;
use super::scan::{Plan, scan};
use crate::column::Column;
use crate::problem::{ProblemKind, Problems};

/// Numbers of connections.
pub(super) const LINKS: Plan<'static> = Plan { table: "CONNECTION_IDS", columns: &["id", "connectionId"], only: None };

/// The numbers of each connection.
#[derive(Default)]
pub(super) struct Links {
    /// (connection, number), by connection; within one in the order of the file.
    list: Column<(i64, i64)>,
    /// Where the last one asked for begins: rows ask in rising order.
    last: usize,
}

impl Links {
    /// Reads all of them.
    pub fn read(db: &Db, file: &str, problems: &mut Problems) -> Links {
        let mut links = Links::default();
        scan(db, problems, file, &LINKS, &mut |cells, problems| match (cells.int(0).whole(), cells.int(1).whole()) {
            (Some(id), Some(number)) => links.list.push((id, number)),
            _ => problems.add(file, cells.row_place(), ProblemKind::BadRow, ""),
        });
        if !links.list.iter().is_sorted_by_key(|(id, _)| *id) {
            let mut all = std::mem::take(&mut links.list).into_vec();
            all.sort_by_key(|(id, _)| *id);
            links.list = all.into_iter().collect();
        }
        links
    }

    /// The numbers of a connection.
    pub fn of(&mut self, id: i64) -> impl Iterator<Item = i64> + use<'_> {
        let is_at = |at: usize| self.list.get(at).is_some_and(|(first, _)| *first == id);
        let from = |at: usize| (at..).map_while(|at| self.list.get(at));
        let next = from(self.last).take_while(|(first, _)| *first < id).take(8);
        let near = self.last + next.count();
        let begins = is_at(near) && near.checked_sub(1).is_none_or(|before| !is_at(before));
        self.last = if begins { near } else { self.list.partition_point(|(first, _)| *first < id) };
        let rest = (self.last..).map_while(|at| self.list.get(at));
        rest.take_while(move |(first, _)| *first == id).map(|(_, number)| *number)
    }
}

/// Thread and time of an operator.
pub(super) type Moment = (i64, i64);

/// Finds forward and backward operators that share a number.
#[derive(Default)]
pub(super) struct Backward {
    waiting: FxHashMap<i64, (bool, Moment)>,
}

impl Backward {
    /// Takes an operator's number; gives the forward and the backward moment once both are known.
    pub fn pair(&mut self, id: i64, is_forward: bool, moment: Moment) -> Option<(Moment, Moment)> {
        match self.waiting.remove(&id) {
            Some((other_is_forward, other)) if other_is_forward != is_forward => {
                Some(if is_forward { (moment, other) } else { (other, moment) })
            }
            _ => {
                self.waiting.insert(id, (is_forward, moment));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_connections_in_any_order() {
        let mut links = Links { list: [(0, 7), (2, 8), (2, 9), (5, 7), (6, 1)].into_iter().collect(), last: 0 };
        for (id, numbers) in [(0, vec![7]), (2, vec![8, 9]), (2, vec![8, 9]), (6, vec![1]), (3, vec![]), (0, vec![7])] {
            assert_eq!(links.of(id).collect::<Vec<_>>(), numbers, "{id}");
        }
    }

    #[test]
    fn pairs_whichever_comes_first() {
        let mut backward = Backward::default();
        assert_eq!(backward.pair(1, true, (5, 10)), None);
        assert_eq!(backward.pair(2, false, (6, 90)), None);
        assert_eq!(backward.pair(1, false, (6, 80)), Some(((5, 10), (6, 80))));
        assert_eq!(backward.pair(2, true, (5, 20)), Some(((5, 20), (6, 90))));
    }
}
