//! Reads memory_record.csv in all its forms: one record a pool sample, columns by header name.
//!
//! The forms: torch's of 5 and 7 columns; CANN's own in KB, of the graph engine's pool alone; MindSpore's, whose MB are 1000 KB.

use super::number::{self, Cell, Number, Unit};
use super::table::{Column, Header, Notes, Row, Table, of_thousand_kb};
use super::text::Legacy;
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

    /// The table has no Total Allocated: that a sample has none says nothing.
    fn without_totals(&mut self) {}
}

#[derive(Debug, Default)]
struct Columns {
    component: Option<usize>,
    time: Option<Column>,
    totals: [Option<Column>; 3],
    /// Name and number.
    device: (Option<usize>, Option<usize>),
}

/// Beginning of the names of MindSpore's own components.
const MINDSPORE: &str = "MindSpore";
/// Components that both frameworks record: they do not tell which it is.
const SHARED: [&str; 2] = ["GE", "APP"];
/// Most records kept until one tells the framework.
const MAX_WAITING: usize = 4096;

/// A record read before it is known how much its MB are.
struct Waiting {
    component: String,
    time: Number,
    totals: [Vec<u8>; 3],
    device: String,
}

#[derive(Default)]
struct State {
    header: Option<(Header, Columns)>,
    unusable: bool,
    /// Whether MB are 1000 KB.
    is_mindspore: bool,
    /// Records of a table that may be MindSpore's; `None` once that is known.
    waiting: Option<Vec<Waiting>>,
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

    /// The same for a table of MindSpore, whose MB are 1000 KB. Without this the components' names have to tell.
    pub fn of_mindspore(mut self) -> MemoryRecord {
        self.state.is_mindspore = true;
        self
    }

    /// With what reads text that is no UTF-8 but may be GBK.
    pub fn with_legacy(mut self, legacy: Option<Legacy>) -> MemoryRecord {
        self.table.legacy = legacy;
        self
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl RecordSink) {
        let state = &mut self.state;
        self.table.feed(chunk, &mut |record, notes| state.take(record, notes, sink));
    }

    /// Takes the end of the file; gives the problems met, and whether MindSpore wrote the table.
    pub fn finish(mut self, sink: &mut impl RecordSink) -> (Problems, bool) {
        let state = &mut self.state;
        self.table.finish(&mut |record, notes| state.take(record, notes, sink));
        state.decide(sink);
        (self.table.problems, self.state.is_mindspore)
    }
}

impl State {
    fn take(&mut self, record: &super::csv::Record<'_>, notes: &mut Notes<'_>, sink: &mut impl RecordSink) {
        if self.unusable {
            return;
        }
        if let Some((header, _)) = &self.header
            && header.is_again(record)
        {
            return notes.add(Place::Row(record.row), ProblemKind::HeaderAgain, "");
        }
        let Some((header, columns)) = &self.header else {
            let header = Header::new(record);
            let mut columns = Columns {
                component: header.text("Component"),
                time: header.number("Timestamp"),
                totals: ["Allocated", "Reserved", "Active"].map(|what| header.number(&format!("Total {what}"))),
                device: header.device(),
            };
            if columns.component.is_none() || columns.time.is_none() {
                self.unusable = true;
                let missing = if columns.component.is_none() { "Component" } else { "Timestamp(us)" };
                notes.add(Place::Row(record.row), ProblemKind::MissingColumn, missing);
            } else {
                let [allocated, reserved, _] = columns.totals;
                if allocated.is_none() {
                    sink.without_totals();
                }
                let missing = [
                    ("Total Allocated", allocated.is_none()),
                    ("Total Reserved", reserved.is_none()),
                    ("Device Type", columns.device == (None, None)),
                ];
                let missing: Vec<&str> = missing.iter().filter(|(_, is)| *is).map(|(column, _)| *column).collect();
                if !missing.is_empty() {
                    notes.add(Place::Row(record.row), ProblemKind::NoColumn, &missing.join(", "));
                }
            }
            if self.is_mindspore {
                columns.totals = columns.totals.map(of_thousand_kb);
            } else if columns.totals.iter().all(Option::is_some) && header.text("Stream Ptr").is_none() {
                // MindSpore's header, or torch's with a column removed: the components will tell.
                self.waiting = Some(Vec::new());
            }
            self.header = Some((header, columns));
            return;
        };
        let mut row = Row { record, header, notes };
        if !row.check_length() {
            return;
        }
        let Some(time) = row.sample_time(columns.time) else { return };
        let component = row.text(columns.component);
        if component.is_empty() {
            // Samples of several pools as one would be a curve of none.
            return row.lose("Component");
        }
        let device = row.device(columns.device.0, columns.device.1);
        if let Some(waiting) = &mut self.waiting {
            let totals = columns.totals.map(|column| {
                let cell = column.and_then(|c| record.cell(c.index)).unwrap_or_default();
                let cell = row.notes.plain(cell);
                if number::read(&cell, Unit::Mb) == Cell::Bad {
                    row.refuse(column);
                }
                cell.into_owned()
            });
            let (component, device) = (component.into_owned(), device.into_owned());
            let tells = !SHARED.contains(&component.as_str());
            let is_mindspore = tells && component.starts_with(MINDSPORE);
            waiting.push(Waiting { component, time, totals, device });
            if tells || waiting.len() > MAX_WAITING {
                self.is_mindspore = is_mindspore;
                self.decide(sink);
            }
            return;
        }
        let [allocated, reserved, active] = columns.totals;
        let allocated_total = row.number(allocated).number();
        let reserved_total = row.number(reserved).number();
        // Nearly always the same text as Total Allocated, in the same unit.
        let cell = |column: Option<Column>| Some((record.cell(column?.index)?, column?.unit));
        let is_same = allocated_total.is_some() && cell(allocated) == cell(active);
        let active_total = if is_same { allocated_total } else { row.number(active).number() };
        let totals = [allocated_total, reserved_total, active_total];
        sink.record(&PoolRecord { component: &component, time, totals, device: &device });
    }

    /// Hands over what waited: it is known now whose table it is, or will never be.
    fn decide(&mut self, sink: &mut impl RecordSink) {
        let Some(waiting) = self.waiting.take() else { return };
        if let (true, Some((_, columns))) = (self.is_mindspore, &mut self.header) {
            columns.totals = columns.totals.map(of_thousand_kb);
        }
        let units = self.header.as_ref().map(|(_, columns)| columns.totals.map(|c| c.map_or(Unit::Mb, |c| c.unit)));
        let [allocated, reserved, active] = units.unwrap_or([Unit::Mb; 3]);
        for record in waiting {
            let [a, r, c] = &record.totals;
            let totals =
                [(a, allocated), (r, reserved), (c, active)].map(|(cell, unit)| number::read(cell, unit).number());
            sink.record(&PoolRecord {
                component: &record.component,
                time: record.time,
                totals,
                device: &record.device,
            });
        }
    }
}
