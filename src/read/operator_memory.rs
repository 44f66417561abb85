//! Reads operator_memory.csv in all its forms: one record a row, columns by header name.
//!
//! The forms: torch's of 10 and 15 columns and the one before the first release; MindSpore's, whose MB are 1000 KB and whose
//! missing cells say `N/A`; CANN's own, of the graph engine's pool alone, with totals in KB and a Duration in place of a Release
//! Time.
//!
//! It parses cells and judges whether a row is usable; what a row *is* (block or drop, which pool) is the model's business.

use super::number::{Cell, Number};
use super::table::{Column, Header, Notes, Row, Table, of_thousand_kb};
use super::text::Legacy;
use crate::problem::{Place, ProblemKind, Problems};

/// The graph engine's rows have names with this prefix wherever torch writes them.
pub const GE_PREFIX: &str = "cann::";

/// One row as written, in bytes and nanoseconds. Missing cells are `None`.
#[derive(Debug, Clone)]
pub struct MemoryRow<'a> {
    /// Row as a spreadsheet counts (the header is row 1).
    pub row: u64,
    /// Operator name, trimmed; may be empty. Of the graph engine's pool it begins with `cann::`.
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

    /// The table has no column that tells when blocks are released: that a row has no release says nothing.
    fn without_releases(&mut self) {}
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
    /// Name and number.
    device: (Option<usize>, Option<usize>),
    /// Whether this is CANN's own form: the graph engine's rows alone, without its prefix.
    is_cann: bool,
}

impl Columns {
    fn new(header: &Header) -> Columns {
        let totals = |event: &str| {
            ["Allocated", "Reserved", "Active"].map(|what| header.number(&format!("{event} Total {what}")))
        };
        Columns {
            name: header.text("Name").or_else(|| header.text("Operator")),
            size: header.number("Size"),
            allocation: header.number("Allocation Time"),
            release: header.number("Release Time"),
            active_release: header.number("Active Release Time"),
            duration: header.number("Duration"),
            active_duration: header.number("Active Duration"),
            allocation_totals: totals("Allocation"),
            release_totals: totals("Release"),
            stream: header.text("Stream Ptr"),
            device: header.device(),
            is_cann: header.text("Device").is_some()
                && header.text("Device Type").is_none()
                && header.number("Release Time").is_none(),
        }
    }

    fn use_thousand_kb(&mut self) {
        for total in self.allocation_totals.iter_mut().chain(&mut self.release_totals) {
            *total = of_thousand_kb(*total);
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

    /// Whether nothing tells when blocks are released.
    fn lacks_releases(&self) -> bool {
        self.release.is_none() && self.duration.is_none()
    }

    /// Columns every published form has that are not there though the table can be read without them.
    fn missing_beside(&self, header: &Header) -> Vec<&'static str> {
        let [allocated, reserved, _] = self.allocation_totals;
        // The form before the first release had no totals.
        let may_have_totals = header.text("Operator").is_none();
        [
            ("Release Time", self.release.is_none() && !self.is_cann),
            ("Duration", self.duration.is_none() && self.is_cann),
            ("Allocation Total Allocated", allocated.is_none() && may_have_totals),
            ("Allocation Total Reserved", reserved.is_none() && may_have_totals),
            ("Release Total Allocated", self.release_totals[0].is_none() && may_have_totals),
            ("Device Type", self.device == (None, None)),
        ]
        .into_iter()
        .filter_map(|(column, is_missing)| is_missing.then_some(column))
        .collect()
    }
}

/// The reader's state between chunks.
#[derive(Default)]
struct State {
    header: Option<(Header, Columns)>,
    unusable: bool,
    /// Whether its MB are 1000 KB.
    is_mindspore: bool,
    /// Whether a row was seen that tells.
    is_settled: bool,
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

    /// The same for a table of MindSpore, whose MB are 1000 KB. Without this the first row has to tell.
    pub fn of_mindspore(mut self) -> OperatorMemory {
        self.state.is_mindspore = true;
        self
    }

    /// With what reads text that is no UTF-8 but may be GBK.
    pub fn with_legacy(mut self, legacy: Option<Legacy>) -> OperatorMemory {
        self.table.legacy = legacy;
        self
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl RowSink) {
        let state = &mut self.state;
        self.table.feed(chunk, &mut |record, notes| state.take(record, notes, sink));
    }

    /// Takes the end of the file; gives the problems met, and whether MindSpore wrote the table.
    pub fn finish(mut self, sink: &mut impl RowSink) -> (Problems, bool) {
        let state = &mut self.state;
        self.table.finish(&mut |record, notes| state.take(record, notes, sink));
        (self.table.problems, self.state.is_mindspore)
    }
}

impl State {
    /// Whether a header stands where a row should, be it another one: exports that were joined may be of several versions.
    fn is_header_again(&self, record: &super::csv::Record<'_>) -> bool {
        let Some((_, columns)) = &self.header else { return false };
        let size = columns.size.and_then(|column| record.cell(column.index)).unwrap_or_default();
        size.trim_ascii().first().is_some_and(u8::is_ascii_alphabetic)
            && Columns::new(&Header::new(record)).missing().is_empty()
    }

    fn take(&mut self, record: &super::csv::Record<'_>, notes: &mut Notes<'_>, sink: &mut impl RowSink) {
        if self.unusable {
            return;
        }
        if self.is_header_again(record) {
            notes.add(Place::Row(record.row), ProblemKind::HeaderAgain, "");
            self.header = None;
        }
        let Some((header, columns)) = &mut self.header else {
            let header = Header::new(record);
            let mut columns = Columns::new(&header);
            if self.is_mindspore {
                columns.use_thousand_kb();
            }
            let missing = columns.missing();
            if !missing.is_empty() {
                self.unusable = true;
                notes.add(Place::Row(record.row), ProblemKind::MissingColumn, &missing.join(", "));
            } else {
                let missing = columns.missing_beside(&header);
                if !missing.is_empty() {
                    notes.add(Place::Row(record.row), ProblemKind::NoColumn, &missing.join(", "));
                }
                if columns.lacks_releases() {
                    sink.without_releases();
                }
            }
            self.header = Some((header, columns));
            return;
        };
        // MindSpore knows no active release, and says so in every row; torch leaves such a cell empty.
        let active = columns.active_release.and_then(|column| record.cell(column.index));
        if !std::mem::replace(&mut self.is_settled, true) && active == Some(b"N/A") && !self.is_mindspore {
            self.is_mindspore = true;
            columns.use_thousand_kb();
        }
        let mut row = Row { record, header, notes };
        if !row.check_length() {
            return;
        }
        let size = row.number(columns.size);
        let allocation = row.time(columns.allocation);
        let mut release = row.release(columns.release, allocation.number());
        let active_release = row.release(columns.active_release, allocation.number());
        let duration = row.number(columns.duration).number();
        if columns.release.is_none() {
            release = allocation.number().and_then(|from| after(from, duration?));
        }
        let size = match size {
            Cell::Number(size) => size,
            Cell::Missing | Cell::Bad => return row.lose("Size(KB)"),
        };
        let has_time = match allocation {
            Cell::Number(_) => true,
            Cell::Missing | Cell::Bad => size.units < 0 && release.is_some(),
        };
        if !has_time {
            return row.lose("Allocation Time(us)");
        }
        let mut name = row.text(columns.name);
        if columns.is_cann && !name.starts_with(GE_PREFIX) {
            name = format!("{GE_PREFIX}{name}").into();
        }
        let stream = row.text(columns.stream);
        let device = row.device(columns.device.0, columns.device.1);
        let allocation_totals = columns.allocation_totals.map(|column| row.total(column));
        let release_totals = columns.release_totals.map(|column| row.total(column));
        sink.row(&MemoryRow {
            row: record.row,
            name: &name,
            size,
            allocation: allocation.number(),
            release,
            active_release,
            duration,
            active_duration: row.number(columns.active_duration).number(),
            allocation_totals,
            // CANN writes 0 for the totals of a release it did not see.
            release_totals: if columns.is_cann && release.is_none() { [None; 3] } else { release_totals },
            stream: &stream,
            device: &device,
        });
    }
}

/// So long after a time; nothing after none: CANN writes a duration of 0 where it saw no release.
fn after(from: Number, duration: Number) -> Option<Number> {
    let units = from.units.checked_add(duration.units).filter(|_| duration.units > 0)?;
    Some(Number { units, exact: None })
}

impl Row<'_, '_, '_> {
    /// A time; none is before 1970.
    fn time(&mut self, column: Option<Column>) -> Cell {
        match self.number(column) {
            Cell::Number(time) if time.units < 0 => {
                self.refuse(column);
                Cell::Bad
            }
            cell => cell,
        }
    }

    /// A time of release. One before the allocation is no such time.
    fn release(&mut self, column: Option<Column>, allocation: Option<Number>) -> Option<Number> {
        let release = self.time(column).number()?;
        if allocation.is_some_and(|allocation| release.units < allocation.units) {
            self.refuse(column);
            return None;
        }
        Some(release)
    }
}
