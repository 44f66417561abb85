//! OP_MEMORY, MEMORY_RECORD and NPU_MEM: the same records operator_memory.csv and memory_record.csv give.
//!
//! Times are nanoseconds, sizes bytes. What the database leaves out or writes otherwise than the text export is put as the text
//! has it, so that rows of both are equal: the prefix of the graph engine's names, its rows without release, its pool without
//! Active. Durations are taken from the times: in versions of spring 2024 the two columns are swapped.

use rustc_hash::FxHashMap;

use super::open::Db;
use super::scan::{Cells, Int, Plan, scan};
use super::strings::{Names, Strings};
use crate::problem::{Place, ProblemKind, Problems};
use crate::read::memory_record::{PoolRecord, RecordSink};
use crate::read::module_memory::{ModuleRecord, ModuleSink};
use crate::read::number::{Number, Unit};
use crate::read::operator_memory::{MemoryRow, RowSink};

/// What the text export puts before names of the graph engine's blocks.
const GE_PREFIX: &str = "cann::";
/// The graph engine's pool.
pub(super) const GE: &str = "GE";
/// The pool of the whole process.
const APP: &str = "APP";

/// Blocks.
pub(super) const ROWS: Plan<'static> = Plan {
    table: "OP_MEMORY",
    columns: &[
        "name",
        "size",
        "allocationTime",
        "releaseTime",
        "activeReleaseTime",
        "allocationTotalAllocated",
        "allocationTotalReserved",
        "allocationTotalActive",
        "releaseTotalAllocated",
        "releaseTotalReserved",
        "releaseTotalActive",
        "streamPtr",
        "deviceId",
    ],
    only: None,
};
/// Samples of the whole process.
const PROCESS: Plan<'static> =
    Plan { table: "NPU_MEM", columns: &["type", "ddr", "hbm", "timestampNs", "deviceId"], only: None };
/// Samples of the pools.
pub(super) const POOLS: Plan<'static> = Plan {
    table: "MEMORY_RECORD",
    columns: &["component", "timestamp", "totalAllocated", "totalReserved", "totalActive", "deviceId"],
    only: None,
};

/// How many there were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryCounts {
    /// Usable rows of blocks.
    pub rows: u64,
    /// Usable samples of pools, the whole process's aside.
    pub records: u64,
}

/// Device numbers as the text export writes them.
#[derive(Default)]
pub(super) struct Devices(FxHashMap<Option<i64>, String>);

impl Devices {
    pub fn of(&mut self, number: Int) -> &str {
        let number = number.whole();
        self.0.entry(number).or_insert_with(|| number.map_or_else(String::new, |n| format!("NPU:{n}")))
    }
}

/// A number in bytes or nanoseconds; one that no real file holds is counted and left out.
pub(super) fn number(
    cells: &Cells<'_, '_>,
    column: usize,
    unit: Unit,
    file: &str,
    problems: &mut Problems,
) -> Option<Number> {
    match cells.int(column) {
        Int::Missing => None,
        Int::Whole(units) if unit.holds(units) => Some(Number { units, exact: None }),
        Int::Whole(_) | Int::Bad => {
            problems.add(file, cells.place(column), ProblemKind::BadNumber, &cells.shown(column));
            None
        }
    }
}

/// Columns without which something cannot be told, of tables every version has them in: read without, and named.
pub(super) fn note_missing_columns(db: &Db, file: &str, problems: &mut Problems) {
    let needed: [(&str, &[&str]); 3] = [
        (
            ROWS.table,
            &[
                "name",
                "size",
                "allocationTime",
                "releaseTime",
                "allocationTotalAllocated",
                "allocationTotalReserved",
                "releaseTotalAllocated",
                "deviceId",
            ],
        ),
        (POOLS.table, &["component", "timestamp", "totalAllocated", "totalReserved", "deviceId"]),
        ("PYTORCH_API", &["startNs", "endNs", "globalTid", "name", "callchainId"]),
    ];
    let mut all: Vec<String> = Vec::new();
    for (table, columns) in needed {
        let Some(found) = db.table(table) else { continue };
        let missing: Vec<&str> = columns.iter().copied().filter(|column| found.column(column).is_none()).collect();
        if !missing.is_empty() {
            all.push(format!("{table}: {}", missing.join(", ")));
        }
    }
    if !all.is_empty() {
        problems.add(file, Place::Whole, ProblemKind::NoColumn, &all.join("; "));
    }
}

/// Whether nothing tells when blocks are released.
pub(super) fn lacks_releases(db: &Db) -> bool {
    db.table(ROWS.table).is_some_and(|table| table.column("releaseTime").is_none())
}

/// Whether nothing tells what pools had allocated.
pub(super) fn lacks_totals(db: &Db) -> bool {
    db.table(POOLS.table).is_some_and(|table| table.column("totalAllocated").is_none())
}

/// Reads OP_MEMORY into rows; gives how many were usable.
pub(super) fn rows(
    db: &Db,
    file: &str,
    problems: &mut Problems,
    strings: &mut Strings<'_>,
    sink: &mut impl RowSink,
) -> u64 {
    const NAME: usize = 0;
    const SIZE: usize = 1;
    const ALLOCATION: usize = 2;
    const RELEASE: usize = 3;
    const ACTIVE_RELEASE: usize = 4;
    const STREAM: usize = 11;
    const DEVICE: usize = 12;
    let plan = ROWS;
    // Old versions have no stream at all: then nothing tells the graph engine's rows from others but their names.
    let has_stream = db.table(plan.table).is_some_and(|table| table.column("streamPtr").is_some());
    let (mut names, mut devices) = (Names::new(strings, file), Devices::default());
    let (mut stream, mut prefixed) = (String::new(), String::new());
    let mut count = 0;
    scan(db, problems, file, &plan, &mut |cells, problems| {
        let mut get = |column, unit| number(cells, column, unit, file, problems);
        let size = get(SIZE, Unit::Kb);
        let allocation = get(ALLOCATION, Unit::Us);
        let mut release = get(RELEASE, Unit::Us);
        let mut active_release = get(ACTIVE_RELEASE, Unit::Us);
        let totals = |from: usize, get: &mut dyn FnMut(usize, Unit) -> Option<Number>| {
            [get(from, Unit::Mb), get(from + 1, Unit::Mb), get(from + 2, Unit::Mb)]
        };
        let allocation_totals = totals(5, &mut get);
        let mut release_totals = totals(8, &mut get);
        for (time, column) in [(&mut release, RELEASE), (&mut active_release, ACTIVE_RELEASE)] {
            if let (Some(after), Some(before)) = (*time, allocation)
                && after.units < before.units
            {
                problems.add(file, cells.place(column), ProblemKind::BadNumber, &cells.shown(column));
                *time = None;
            }
        }
        let Some(size) = size else {
            problems.add(file, cells.place(SIZE), ProblemKind::BadRow, "");
            return;
        };
        if allocation.is_none() && (size.units >= 0 || release.is_none()) {
            problems.add(file, cells.place(ALLOCATION), ProblemKind::BadRow, "");
            return;
        }
        let has_own_stream = !matches!(cells.int(STREAM), Int::Missing);
        let mut name = names.of(cells, NAME, problems);
        let is_ge = has_stream && !has_own_stream && size.units >= 0 || name.starts_with(GE_PREFIX);
        if is_ge && !name.starts_with(GE_PREFIX) {
            prefixed.clear();
            prefixed.push_str(GE_PREFIX);
            prefixed.push_str(name);
            name = &prefixed;
        }
        if is_ge && release.is_none() {
            // As the text export writes a block that was not released.
            release = allocation;
            let zero = Some(Number { units: 0, exact: None });
            release_totals = [zero, zero, None];
        }
        stream.clear();
        if has_own_stream {
            stream = cells.shown(STREAM);
        }
        let since = |end: Option<Number>| {
            let (from, to) = allocation.zip(end)?;
            Some(Number { units: to.units - from.units, exact: None })
        };
        count += 1;
        sink.row(&MemoryRow {
            row: u64::try_from(cells.number).unwrap_or(0),
            name,
            size,
            allocation,
            release,
            active_release,
            duration: since(release),
            active_duration: since(active_release),
            allocation_totals,
            release_totals,
            stream: &stream,
            device: devices.of(cells.int(DEVICE)),
        });
    });
    count
}

/// Reads MEMORY_RECORD and NPU_MEM into samples, the whole process's first as in the text export; gives how many others.
pub(super) fn records(
    db: &Db,
    file: &str,
    problems: &mut Problems,
    strings: &mut Strings<'_>,
    sink: &mut impl RecordSink,
) -> u64 {
    let (mut names, mut devices) = (Names::new(strings, file), Devices::default());
    scan(db, problems, file, &PROCESS, &mut |cells, problems| {
        match names.of(cells, 0, problems) {
            "app" => {}
            "" => return problems.add(file, cells.place(0), ProblemKind::BadRow, ""),
            _ => return,
        }
        let Some(time) = time(cells, 3, file, problems) else { return };
        let parts = [number(cells, 1, Unit::Kb, file, problems), number(cells, 2, Unit::Kb, file, problems)];
        let reserved = parts.into_iter().flatten().map(|part| part.units).reduce(|a, b| a + b);
        let reserved = reserved.map(|units| Number { units, exact: None });
        let device = devices.of(cells.int(4));
        sink.record(&PoolRecord { component: APP, time, totals: [None, reserved, None], device });
    });
    let mut count = 0;
    scan(db, problems, file, &POOLS, &mut |cells, problems| {
        let Some(time) = time(cells, 1, file, problems) else { return };
        let mut totals = [2, 3, 4].map(|column| number(cells, column, Unit::Mb, file, problems));
        let component = names.of(cells, 0, problems);
        if component.is_empty() {
            // Samples of several pools as one would be a curve of none.
            return problems.add(file, cells.place(0), ProblemKind::BadRow, "");
        }
        if component == GE {
            // Not counted there: the database has 0, the text nothing.
            totals[2] = None;
        }
        count += 1;
        sink.record(&PoolRecord { component, time, totals, device: devices.of(cells.int(5)) });
    });
    count
}

/// Reads NPU_MODULE_MEM: what each of the driver's components reserved; gives how many samples.
pub(super) fn modules(db: &Db, file: &str, problems: &mut Problems, sink: &mut impl ModuleSink) -> u64 {
    let mut strings = Strings::new(db, problems, file, "ENUM_MODULE", "name");
    let (mut names, mut devices) = (Names::new(&mut strings, file), Devices::default());
    let columns = ["moduleId", "timestampNs", "totalReserved", "deviceId"];
    let plan = Plan { table: "NPU_MODULE_MEM", columns: &columns, only: None };
    let mut count = 0;
    scan(db, problems, file, &plan, &mut |cells, problems| {
        let Some(time) = time(cells, 1, file, problems) else { return };
        let component = names.of(cells, 0, problems);
        // Below zero: a release alone was seen, what is reserved is not known.
        let reserved = cells.int(2).whole().filter(|bytes| *bytes >= 0 && Unit::Kb.holds(*bytes));
        count += 1;
        sink.module(&ModuleRecord { component, time, reserved, device: devices.of(cells.int(3)) });
    });
    count
}

/// A sample's time; without one the sample is lost.
fn time(cells: &Cells<'_, '_>, column: usize, file: &str, problems: &mut Problems) -> Option<Number> {
    let time = number(cells, column, Unit::Us, file, problems);
    if time.is_none() {
        problems.add(file, cells.place(column), ProblemKind::BadRow, "");
    }
    time
}
