//! Reads npu_module_mem.csv: what each of the driver's components reserved, sampled every 20 ms or so.

use super::number::Number;
use super::table::{Column, Columns, Header, PlainReader, Row};

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

/// A push reader of npu_module_mem.csv.
pub type ModuleMemory = PlainReader<ModuleColumns>;

/// Its columns.
#[derive(Debug, Default)]
pub struct ModuleColumns {
    component: Option<usize>,
    time: Option<Column>,
    reserved: Option<Column>,
    /// Name and number.
    device: (Option<usize>, Option<usize>),
}

impl<S: ModuleSink> Columns<S> for ModuleColumns {
    fn find(header: &Header) -> Result<ModuleColumns, &'static str> {
        let columns = ModuleColumns {
            component: header.text("Component"),
            time: header.number("Timestamp"),
            reserved: header.number("Total Reserved"),
            device: header.device(),
        };
        match (columns.component, columns.time, columns.reserved) {
            (None, ..) => Err("Component"),
            (_, None, _) => Err("Timestamp(us)"),
            (.., None) => Err("Total Reserved(KB)"),
            _ => Ok(columns),
        }
    }

    fn take(&self, mut row: Row<'_, '_, '_>, sink: &mut S) {
        let Some(time) = row.sample_time(self.time) else { return };
        let component = row.text(self.component);
        let device = row.device(self.device.0, self.device.1);
        let reserved = row.number(self.reserved).number().map(|n| n.units).filter(|bytes| *bytes >= 0);
        sink.module(&ModuleRecord { component: &component, time, reserved, device: &device });
    }
}
