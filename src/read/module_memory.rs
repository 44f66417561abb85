//! Reads npu_module_mem.csv: what each of the driver's components reserved, sampled every 20 ms or so.

use super::number::Number;
use super::table::{Column, Header, Notes, Row, Table};
use crate::problem::{Place, ProblemKind, Problems};

/// One sample as written.
#[derive(Debug, Clone)]
pub struct ModuleRecord<'a> {
    /// `HCCL`, `RUNTIME`, ...
    pub component: &'a str,
    /// Nanoseconds.
    pub time: Number,
    /// Reserved, in bytes; `None` where it is not known: the writer puts -1 KB where it saw a release alone.
    pub reserved: Option<i64>,
    /// Device as text.
    pub device: &'a str,
}

/// Takes the samples.
pub trait ModuleSink {
    /// One sample with a component and a time.
    fn module(&mut self, record: &ModuleRecord<'_>);
}

#[derive(Debug, Default)]
struct Columns {
    component: Option<usize>,
    time: Option<Column>,
    reserved: Option<Column>,
    /// Name and number.
    device: (Option<usize>, Option<usize>),
}

#[derive(Default)]
struct State {
    header: Option<(Header, Columns)>,
    unusable: bool,
}

/// A push reader of npu_module_mem.csv.
pub struct ModuleMemory {
    table: Table,
    state: State,
}

impl ModuleMemory {
    /// A reader that names `file` in its problems.
    pub fn new(file: &str) -> ModuleMemory {
        ModuleMemory { table: Table::new(file), state: State::default() }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl ModuleSink) {
        let state = &mut self.state;
        self.table.feed(chunk, &mut |record, notes| state.take(record, notes, sink));
    }

    /// Takes the end of the file; gives the problems met.
    pub fn finish(mut self, sink: &mut impl ModuleSink) -> Problems {
        let state = &mut self.state;
        self.table.finish(&mut |record, notes| state.take(record, notes, sink));
        self.table.problems
    }
}

impl State {
    fn take(&mut self, record: &super::csv::Record<'_>, notes: &mut Notes<'_>, sink: &mut impl ModuleSink) {
        if self.unusable {
            return;
        }
        let Some((header, columns)) = &self.header else {
            let header = Header::new(record);
            let columns = Columns {
                component: header.text("Component"),
                time: header.number("Timestamp"),
                reserved: header.number("Total Reserved"),
                device: header.device(),
            };
            let missing = match (columns.component, columns.time, columns.reserved) {
                (None, ..) => Some("Component"),
                (_, None, _) => Some("Timestamp(us)"),
                (.., None) => Some("Total Reserved(KB)"),
                _ => None,
            };
            if let Some(missing) = missing {
                self.unusable = true;
                notes.add(Place::Row(record.row), ProblemKind::MissingColumn, missing);
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
        let device = row.device(columns.device.0, columns.device.1);
        let reserved = row.number(columns.reserved).number().map(|n| n.units).filter(|bytes| *bytes >= 0);
        sink.module(&ModuleRecord { component: &component, time, reserved, device: &device });
    }
}
