//! Reads memory_record.csv in its 5- and 7-column forms: one record a pool sample, columns by header name.

use super::number::{Cell, Number};
use super::table::{Column, Header, Notes, Row, Table};
use crate::problem::{Place, ProblemKind, Problems};

/// One pool sample as written. Totals hold until the pool's next sample.
#[derive(Debug, Clone)]
pub struct PoolRecord<'a> {
    /// `PTA`, `GE`, `PTA+GE`, `APP`, `WORKSPACE`, ...
    pub component: &'a str,
    /// Nanoseconds.
    pub time: Number,
    /// Allocated, reserved, active, in bytes.
    pub totals: [Option<Number>; 3],
    /// Device Type as text.
    pub device: &'a str,
}

/// Takes the samples.
pub trait RecordSink {
    /// One sample with a component and a time.
    fn record(&mut self, record: &PoolRecord<'_>);
}

#[derive(Debug, Default)]
struct Columns {
    component: Option<usize>,
    time: Option<Column>,
    totals: [Option<Column>; 3],
    device: Option<usize>,
}

#[derive(Default)]
struct State {
    header: Option<(Header, Columns)>,
    unusable: bool,
}

/// A push reader of memory_record.csv.
pub struct MemoryRecord {
    table: Table,
    state: State,
}

impl MemoryRecord {
    /// A reader that names `file` in its problems.
    pub fn new(file: &str) -> MemoryRecord {
        MemoryRecord { table: Table::new(file), state: State::default() }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl RecordSink) {
        let state = &mut self.state;
        self.table.feed(chunk, &mut |record, notes| state.take(record, notes, sink));
    }

    /// Takes the end of the file; gives the problems met.
    pub fn finish(mut self, sink: &mut impl RecordSink) -> Problems {
        let state = &mut self.state;
        self.table.finish(&mut |record, notes| state.take(record, notes, sink));
        self.table.problems
    }
}

impl State {
    fn take(&mut self, record: &super::csv::Record<'_>, notes: &mut Notes<'_>, sink: &mut impl RecordSink) {
        if self.unusable {
            return;
        }
        let Some((header, columns)) = &self.header else {
            let header = Header::new(record);
            let columns = Columns {
                component: header.text("Component"),
                time: header.number("Timestamp"),
                totals: ["Allocated", "Reserved", "Active"].map(|what| header.number(&format!("Total {what}"))),
                device: header.text("Device Type").or_else(|| header.text("Device")),
            };
            if columns.component.is_none() || columns.time.is_none() {
                self.unusable = true;
                let missing = if columns.component.is_none() { "Component" } else { "Timestamp(us)" };
                notes.add(Place::Row(record.row), ProblemKind::MissingColumn, missing);
            }
            self.header = Some((header, columns));
            return;
        };
        let mut row = Row { record, header, notes };
        if !row.check_length() {
            return;
        }
        let Cell::Number(time) = row.number(columns.time) else {
            let place = Place::Cell(record.row, "Timestamp(us)".to_owned());
            row.notes.add(place, ProblemKind::BadRow, "");
            return;
        };
        let component = row.text(columns.component);
        let device = row.text(columns.device);
        let totals = columns.totals.map(|column| row.number(column).number());
        sink.record(&PoolRecord { component: &component, time, totals, device: &device });
    }
}
