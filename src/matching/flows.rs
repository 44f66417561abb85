//! Flows by their id: a few bytes each beside the list they lie in.

#![allow(clippy::indexing_slicing, reason = "every index comes from this module's own sorted lists over the flows")]

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::nesting::indices;
use crate::column::Column;
use crate::model::spans::Moment;

/// The flows of one side.
pub(super) struct Flows<'a> {
    list: &'a Column<Moment>,
    /// By id; those of one id in file order.
    order: Vec<u32>,
    /// Where each id begins there, and the end of the last one.
    begins: Vec<u32>,
    /// Places in `begins`.
    ids: HashTable<u32>,
    /// Places in `order` by what a flow says; of equal ones the first.
    exact: HashTable<u32>,
}

fn hash<T: std::hash::Hash>(value: T) -> u64 {
    FxBuildHasher.hash_one(value)
}

impl<'a> Flows<'a> {
    /// All of a list.
    pub fn new(list: &'a Column<Moment>) -> Flows<'a> {
        let mut order = indices(list.len());
        if !list.iter().is_sorted_by_key(|flow| flow.id) {
            order.sort_unstable_by_key(|index| (list[*index as usize].id, *index));
        }
        let id = |at: usize| list[order[at] as usize].id;
        let is_first = |at: &u32| *at == 0 || id(*at as usize - 1) != id(*at as usize);
        let len = order.len() as u32;
        let mut begins: Vec<u32> = Vec::with_capacity((0..len).filter(is_first).count() + 1);
        begins.extend((0..len).filter(is_first));
        let mut ids = HashTable::with_capacity(begins.len());
        for (place, begin) in (0..).zip(&begins) {
            ids.insert_unique(hash(id(*begin as usize)), place, |place: &u32| {
                hash(id(begins[*place as usize] as usize))
            });
        }
        begins.push(len);
        Flows { list, order, begins, ids, exact: HashTable::new() }
    }

    /// The same, each to be found by itself.
    pub fn with_places(list: &'a Column<Moment>) -> Flows<'a> {
        let mut flows = Flows::new(list);
        let mut exact = HashTable::with_capacity(flows.order.len());
        for at in 0..flows.order.len() as u32 {
            let flow = flows.at(at as usize);
            if exact.find(hash(flow), |other: &u32| flows.at(*other as usize) == flow).is_none() {
                exact.insert_unique(hash(flow), at, |at: &u32| hash(flows.at(*at as usize)));
            }
        }
        flows.exact = exact;
        flows
    }

    fn at(&self, place: usize) -> &Moment {
        &self.list[self.order[place] as usize]
    }

    fn range(&self, id: i64) -> Range<usize> {
        let begins = |place: u32| self.begins[place as usize] as usize;
        let place = self.ids.find(hash(id), |place| self.at(begins(*place)).id == id);
        place.map_or(0..0, |place| begins(*place)..begins(*place + 1))
    }

    /// Those of an id, in file order.
    pub fn of(&self, id: i64) -> impl ExactSizeIterator<Item = &Moment> {
        self.range(id).map(|at| self.at(at))
    }

    /// The place of a flow among those of its id.
    pub fn place(&self, flow: &Moment) -> Option<usize> {
        let at = *self.exact.find(hash(flow), |at| self.at(*at as usize) == flow)? as usize;
        Some(at - self.range(flow.id).start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_a_look_at_all_finds(flows in prop::collection::vec((0i64..6, 0i64..4, 0u32..2), 0..60)) {
            let all: Vec<Moment> = flows.into_iter().map(|(id, time, thread)| Moment { id: id * (1 << 40), time, thread }).collect();
            let mut list = Column::default();
            all.iter().for_each(|flow| list.push(*flow));
            let found = Flows::with_places(&list);
            for id in (0..7).map(|id| id * (1 << 40)) {
                let of_id: Vec<Moment> = all.iter().copied().filter(|flow| flow.id == id).collect();
                prop_assert!(found.of(id).eq(&of_id));
                for flow in &of_id {
                    prop_assert_eq!(found.place(flow), of_id.iter().position(|other| other == flow));
                }
            }
            prop_assert_eq!(found.place(&Moment { id: 0, time: 9, thread: 9 }), None);
        }
    }
}
