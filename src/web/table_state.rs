//! How the tables of blocks and events are shown: what they follow, what they are sorted by. It outlives a change of view.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use leptos::prelude::*;

use super::state::Page;
use crate::analysis::block_table::{BlockColumn, BlockOrder};
use crate::analysis::event_table::{EventColumn, EventKind, EventOrder};
use crate::analysis::filter::BlockFilter;

/// What the tables follow and how they are sorted.
#[derive(Clone, Copy)]
pub struct TableState {
    /// Only what happens in the range shown.
    pub in_range: RwSignal<bool>,
    /// Only blocks allocated in the range shown and not released in it.
    pub unreleased: RwSignal<bool>,
    /// Only blocks live at the chosen time.
    pub live: RwSignal<bool>,
    /// Only blocks of the chosen group.
    pub of_group: RwSignal<bool>,
    /// Column of the blocks, and whether the largest come first.
    pub blocks: RwSignal<(BlockColumn, bool)>,
    /// The same of events.
    pub events: RwSignal<(EventColumn, bool)>,
    /// Which events.
    pub kinds: RwSignal<Vec<EventKind>>,
}

impl TableState {
    /// At the start.
    pub fn new() -> TableState {
        TableState {
            in_range: RwSignal::new(false),
            unreleased: RwSignal::new(false),
            live: RwSignal::new(false),
            of_group: RwSignal::new(false),
            blocks: RwSignal::new((BlockColumn::Bytes, true)),
            events: RwSignal::new((EventColumn::Time, false)),
            kinds: RwSignal::new(vec![EventKind::Allocation, EventKind::Release, EventKind::OlderRelease]),
        }
    }

    /// Follows nothing.
    pub fn reset(self) {
        for flag in [self.in_range, self.unreleased, self.live, self.of_group] {
            flag.set(false);
        }
    }

    /// Whether it follows anything. Tracks.
    pub fn follows(self) -> bool {
        [self.in_range, self.unreleased, self.live, self.of_group].into_iter().any(|flag| flag.get())
    }
}

impl Page {
    /// The range shown, ns. Tracks.
    fn shown_range(self) -> Option<[i64; 2]> {
        let range = self.range.get().map(|(from, to)| [from, to]);
        range.or_else(|| self.summary.with(|summary| summary.as_ref().and_then(|summary| summary.window_ns)))
    }

    /// What is typed and chosen, and what follows the other views. Tracks.
    fn whole_filter(self) -> BlockFilter {
        let state = self.tables;
        let mut filter = self.filter.get();
        if state.unreleased.get() {
            filter.unreleased_in = self.shown_range();
        }
        if state.live.get() {
            filter.live_at = self.effective_at();
        }
        if let Some(group) = self.group.get().filter(|_| state.of_group.get()) {
            filter.group = Some((group.by, group.key));
        }
        filter
    }

    /// Which blocks the table shows, in which order. Tracks.
    pub fn block_order(self) -> BlockOrder {
        let mut filter = self.whole_filter();
        if self.tables.in_range.get() {
            filter.allocated_in = self.shown_range();
        }
        let (sort, descending) = self.tables.blocks.get();
        BlockOrder { filter, sort, descending }
    }

    /// Which events, in which order. Tracks.
    pub fn event_order(self) -> EventOrder {
        let between = self.shown_range().filter(|_| self.tables.in_range.get());
        let (sort, descending) = self.tables.events.get();
        EventOrder { filter: self.whole_filter(), between, kinds: self.tables.kinds.get(), sort, descending }
    }
}

/// A number that is another one as soon as a table's rows or their order are.
pub fn number_of_order(order: &impl Debug) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{order:?}").hash(&mut hasher);
    hasher.finish()
}
