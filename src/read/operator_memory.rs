//! Reads operator_memory.csv in its 10- and 15-column forms: one record a row, columns by header name.
//!
//! It parses cells and judges whether a row is usable; what a row *is* (block or drop, which pool) is the model's business.

use super::number::{Cell, Number};
use super::table::{Column, Header, Notes, Row, Table};
use crate::problem::{Place, ProblemKind, Problems};

/// One row as written, in bytes and nanoseconds. Missing cells are `None`.
#[derive(Debug, Clone)]
pub struct MemoryRow<'a> {
    /// Row as a spreadsheet counts (the header is row 1).
    pub row: u64,
    /// Operator name, trimmed; may be empty.
    pub name: &'a str,
    /// Negative: a release of older memory.
    pub size: Number,
    /// Allocation Time.
    pub allocation: Option<Number>,
    /// Release Time.
    pub release: Option<Number>,
    /// Active Release Time.
    pub active_release: Option<Number>,
    /// Duration as written.
    pub duration: Option<Number>,
    /// Active Duration as written.
    pub active_duration: Option<Number>,
    /// Pool totals right after the allocation: allocated, reserved, active.
    pub allocation_totals: [Option<Number>; 3],
    /// Pool totals right after the release: allocated, reserved, active.
    pub release_totals: [Option<Number>; 3],
    /// Stream Ptr as text.
    pub stream: &'a str,
    /// Device Type as text.
    pub device: &'a str,
}

/// Takes the rows.
pub trait RowSink {
    /// One usable row: it has a size and an Allocation Time, or a negative size and a Release Time.
    fn row(&mut self, row: &MemoryRow<'_>);
}

#[derive(Debug, Default)]
struct Columns {
    name: Option<usize>,
    size: Option<Column>,
    allocation: Option<Column>,
    release: Option<Column>,
    active_release: Option<Column>,
    duration: Option<Column>,
    active_duration: Option<Column>,
    allocation_totals: [Option<Column>; 3],
    release_totals: [Option<Column>; 3],
    stream: Option<usize>,
    device: Option<usize>,
}

impl Columns {
    fn new(header: &Header) -> Columns {
        let totals = |event: &str| {
            ["Allocated", "Reserved", "Active"].map(|what| header.number(&format!("{event} Total {what}")))
        };
        Columns {
            name: header.text("Name"),
            size: header.number("Size"),
            allocation: header.number("Allocation Time"),
            release: header.number("Release Time"),
            active_release: header.number("Active Release Time"),
            duration: header.number("Duration"),
            active_duration: header.number("Active Duration"),
            allocation_totals: totals("Allocation"),
            release_totals: totals("Release"),
            stream: header.text("Stream Ptr"),
            device: header.text("Device Type").or_else(|| header.text("Device")),
        }
    }

    fn missing(&self) -> Vec<&'static str> {
        let mut missing = Vec::new();
        if self.name.is_none() {
            missing.push("Name");
        }
        if self.size.is_none() {
            missing.push("Size(KB)");
        }
        if self.allocation.is_none() {
            missing.push("Allocation Time(us)");
        }
        missing
    }
}

/// The reader's state between chunks.
#[derive(Default)]
struct State {
    header: Option<(Header, Columns)>,
    unusable: bool,
}

/// A push reader of operator_memory.csv.
pub struct OperatorMemory {
    table: Table,
    state: State,
}

impl OperatorMemory {
    /// A reader that names `file` in its problems.
    pub fn new(file: &str) -> OperatorMemory {
        OperatorMemory { table: Table::new(file), state: State::default() }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl RowSink) {
        let state = &mut self.state;
        self.table.feed(chunk, &mut |record, notes| state.take(record, notes, sink));
    }

    /// Takes the end of the file; gives the problems met.
    pub fn finish(mut self, sink: &mut impl RowSink) -> Problems {
        let state = &mut self.state;
        self.table.finish(&mut |record, notes| state.take(record, notes, sink));
        self.table.problems
    }
}

impl State {
    fn take(&mut self, record: &super::csv::Record<'_>, notes: &mut Notes<'_>, sink: &mut impl RowSink) {
        if self.unusable {
            return;
        }
        let Some((header, columns)) = &self.header else {
            let header = Header::new(record);
            let columns = Columns::new(&header);
            let missing = columns.missing();
            if !missing.is_empty() {
                self.unusable = true;
                notes.add(Place::Row(record.row), ProblemKind::MissingColumn, &missing.join(", "));
            }
            self.header = Some((header, columns));
            return;
        };
        let mut row = Row { record, header, notes };
        if !row.check_length() {
            return;
        }
        let size = row.number(columns.size);
        let allocation = row.number(columns.allocation);
        let release = row.release(columns.release, allocation.number());
        let active_release = row.release(columns.active_release, allocation.number());
        let size = match size {
            Cell::Number(size) => size,
            Cell::Missing | Cell::Bad => return lose(&mut row, "Size(KB)"),
        };
        let has_time = match allocation {
            Cell::Number(_) => true,
            Cell::Missing | Cell::Bad => size.units < 0 && release.is_some(),
        };
        if !has_time {
            return lose(&mut row, "Allocation Time(us)");
        }
        let name = row.text(columns.name);
        let stream = row.text(columns.stream);
        let device = row.text(columns.device);
        sink.row(&MemoryRow {
            row: record.row,
            name: &name,
            size,
            allocation: allocation.number(),
            release,
            active_release,
            duration: row.number(columns.duration).number(),
            active_duration: row.number(columns.active_duration).number(),
            allocation_totals: columns.allocation_totals.map(|column| row.number(column).number()),
            release_totals: columns.release_totals.map(|column| row.number(column).number()),
            stream: &stream,
            device: &device,
        });
    }
}

impl Row<'_, '_, '_> {
    /// A time of release. One before the allocation is no such time.
    fn release(&mut self, column: Option<Column>, allocation: Option<Number>) -> Option<Number> {
        let release = self.number(column).number()?;
        if allocation.is_some_and(|allocation| release.units < allocation.units) {
            self.refuse(column);
            return None;
        }
        Some(release)
    }
}

fn lose(row: &mut Row<'_, '_, '_>, column: &str) {
    let place = Place::Cell(row.record.row, column.to_owned());
    row.notes.add(place, ProblemKind::BadRow, "");
}
