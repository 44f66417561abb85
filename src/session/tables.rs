//! Tables of blocks and events, and the picture of blocks. The order asked for last is kept, so that scrolling sorts nothing.

use super::Session;
use crate::analysis::block::BlockDetail;
use crate::analysis::block_map::{BlockMap, BlockMapQuery};
use crate::analysis::block_table::{BlockOrder, BlocksPage, BlocksQuery, Listed};
use crate::analysis::event_table::{EventId, EventOrder, EventsPage, EventsQuery};
use crate::export::events::write_event;
use crate::export::rows::{Format, RowWriter};

/// The lists asked for last.
#[derive(Default)]
pub(super) struct Lists {
    blocks: Option<(BlockOrder, Listed)>,
    events: Option<(EventOrder, Vec<EventId>)>,
}

impl Session {
    /// The life of blocks as a picture; `None` before the rank is ready.
    pub fn block_map(&self, query: &BlockMapQuery) -> Option<BlockMap> {
        self.ready.as_ref().map(|ready| ready.rank.block_map(query))
    }

    /// A block in full, by its row in the file.
    pub fn block(&self, row: u32) -> Option<BlockDetail> {
        self.ready.as_ref().and_then(|ready| ready.rank.block(row))
    }

    fn listed(&mut self, order: &BlockOrder) -> &Listed {
        if self.lists.blocks.as_ref().is_none_or(|(known, _)| known != order) {
            let listed = self.ready.as_ref().map(|ready| ready.rank.list_blocks(order)).unwrap_or_default();
            self.lists.blocks = Some((order.clone(), listed));
        }
        static NOTHING: Listed = Listed { rows: Vec::new(), bytes: 0 };
        self.lists.blocks.as_ref().map_or(&NOTHING, |(_, listed)| listed)
    }

    /// A stretch of the blocks' table.
    pub fn blocks(&mut self, query: &BlocksQuery) -> BlocksPage {
        let listed = self.listed(&query.order);
        let (total, bytes) = (listed.rows.len() as u64, listed.bytes);
        let rows: Vec<u32> = listed.rows.iter().skip(query.from).take(query.count).copied().collect();
        let rank = self.ready.as_ref().map(|ready| &ready.rank);
        let rows = rank.map(|rank| rows.iter().filter_map(|row| rank.block_row(*row)).collect()).unwrap_or_default();
        BlocksPage { total, bytes, from: query.from as u64, rows }
    }

    /// Appends a stretch of the blocks' table as CSV records with all columns, as rows are exported; gives how many.
    pub fn write_blocks(&mut self, query: &BlocksQuery, out: &mut Vec<u8>) -> usize {
        let listed = self.listed(&query.order);
        let rows: Vec<u32> = listed.rows.iter().skip(query.from).take(query.count).copied().collect();
        let Some(ready) = &self.ready else { return 0 };
        let writer = RowWriter { rank: &ready.rank, identity: &self.identity, rule: self.options.rule, extended: true };
        rows.iter().for_each(|row| writer.write(*row, Format::Csv, out));
        rows.len()
    }

    fn listed_events(&mut self, order: &EventOrder) -> &[EventId] {
        if self.lists.events.as_ref().is_none_or(|(known, _)| known != order) {
            // Two lists of millions of events at once would be much for nothing.
            self.lists.events = None;
            let listed = self.ready.as_ref().map(|ready| ready.rank.list_events(order)).unwrap_or_default();
            self.lists.events = Some((order.clone(), listed));
        }
        self.lists.events.as_ref().map_or(&[], |(_, listed)| listed)
    }

    fn events_from(&mut self, query: &EventsQuery) -> (u64, Vec<EventId>) {
        let listed = self.listed_events(&query.order);
        (listed.len() as u64, listed.iter().skip(query.from).take(query.count).copied().collect())
    }

    /// A stretch of the events' table.
    pub fn events(&mut self, query: &EventsQuery) -> EventsPage {
        let (total, ids) = self.events_from(query);
        let rank = self.ready.as_ref().map(|ready| &ready.rank);
        let rows = rank.map(|rank| ids.into_iter().map(|id| rank.event_row(id)).collect()).unwrap_or_default();
        EventsPage { total, from: query.from as u64, rows }
    }

    /// Appends a stretch of the events' table as CSV records; gives how many.
    pub fn write_events(&mut self, query: &EventsQuery, out: &mut Vec<u8>) -> usize {
        let (_, ids) = self.events_from(query);
        let Some(ready) = &self.ready else { return 0 };
        ids.iter().for_each(|id| write_event(&ready.rank.event_row(*id), out));
        ids.len()
    }
}
