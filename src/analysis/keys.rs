//! By what rows are grouped: a dense id and a text for each of the groupings. The only place that knows which column is which.

#![allow(clippy::indexing_slicing, reason = "row indices and key ids come from the columns and texts themselves")]

use super::answer::GroupBy;
use super::classes::{self, AGES, SIZES};
use crate::model::rows::{NO_SITE, Rows};
use crate::model::sites::Sites;

/// What keys are made of.
#[derive(Clone, Copy)]
pub(crate) struct Keys<'a> {
    pub rows: &'a Rows,
    pub sites: &'a Sites,
}

/// The id of an empty text, for stacks without a module: no interned text has it.
const NO_MODULE: u32 = u32::MAX;

impl Keys<'_> {
    /// One more than the highest id of a key; [`Groups`] finds room for those beyond it.
    pub fn count(&self, by: GroupBy) -> usize {
        match by {
            GroupBy::Operator => self.rows.names.len(),
            GroupBy::Stack | GroupBy::UserFrame | GroupBy::Module => self.sites.text_count(),
            GroupBy::Size => SIZES.len(),
            GroupBy::Age => AGES.len(),
        }
    }

    /// The key of a row at a time; `None` without an asserted stack.
    pub fn of(&self, by: GroupBy, row: usize, at_ns: i64) -> Option<u32> {
        let site = || Some(self.rows.site[row]).filter(|site| *site != NO_SITE);
        match by {
            GroupBy::Operator => Some(self.rows.name[row]),
            GroupBy::Stack => site().and_then(|site| self.sites.stack_id(site)),
            GroupBy::UserFrame => site().and_then(|site| self.sites.user_frame_id(site)),
            GroupBy::Module => site().map(|site| self.sites.module_id(site).unwrap_or(NO_MODULE)),
            GroupBy::Size => Some(classes::size(self.rows.size[row])),
            GroupBy::Age => Some(classes::age(at_ns.saturating_sub(self.rows.time[row]))),
        }
    }

    /// The text of a key.
    pub fn text(&self, by: GroupBy, id: u32) -> &str {
        match by {
            GroupBy::Operator => self.rows.names.text(id),
            GroupBy::Module if id == NO_MODULE => "",
            GroupBy::Stack | GroupBy::UserFrame | GroupBy::Module => self.sites.text(id),
            GroupBy::Size => SIZES.get(id as usize).map_or("", |class| class.text),
            GroupBy::Age => AGES.get(id as usize).map_or("", |class| class.text),
        }
    }

    /// The key of a text, if any row can have it.
    pub fn find(&self, by: GroupBy, key: &str) -> Option<u32> {
        let class = |classes: &[classes::Class]| {
            classes.iter().position(|class| class.text == key).and_then(|at| u32::try_from(at).ok())
        };
        match by {
            GroupBy::Operator => self.rows.names.find(key.as_bytes()),
            GroupBy::Module if key.is_empty() => Some(NO_MODULE),
            GroupBy::Stack | GroupBy::UserFrame | GroupBy::Module => self.sites.find_text(key),
            GroupBy::Size => class(&SIZES),
            GroupBy::Age => class(&AGES),
        }
    }
}

/// Groups in the order they were first seen, each found by its key's id: these are dense.
pub(crate) struct Groups<T> {
    /// One more than the place of each id's group; 0: none yet. The first is that without a key, the last that of texts beyond
    /// what can be stored.
    places: Vec<u32>,
    nothing: T,
    pub list: Vec<(Option<u32>, T)>,
}

impl<T: Clone> Groups<T> {
    /// For so many keys; a new group begins as `nothing`.
    pub fn new(keys: usize, nothing: T) -> Groups<T> {
        Groups { places: vec![0; keys + 2], nothing, list: Vec::new() }
    }

    /// A key's group.
    pub fn of(&mut self, key: Option<u32>) -> &mut T {
        let last = self.places.len() - 1;
        let place = &mut self.places[key.map_or(0, |id| (id as usize).saturating_add(1).min(last))];
        if *place == 0 {
            self.list.push((key, self.nothing.clone()));
            *place = self.list.len() as u32;
        }
        &mut self.list[*place as usize - 1].1
    }
}
