//! NPU_OP_MEM of CANN's own databases: the graph engine's raw events, from which its rows and its pool's samples are made, as
//! the analysis does it.
//!
//! What is kept is one entry for each block that is live at the time.

use rustc_hash::FxHashMap;

use super::memory::{Devices, GE, MemoryCounts, number};
use super::open::Db;
use super::scan::{Plan, scan};
use super::strings::{Names, Strings};
use crate::problem::{ProblemKind, Problems};
use crate::read::memory_record::{PoolRecord, RecordSink};
use crate::read::number::{Number, Unit};
use crate::read::operator_memory::{MemoryRow, RowSink};

/// A block between its two events.
struct Live {
    name: String,
    size: i64,
    time: i64,
    totals: [Option<Number>; 3],
    device: String,
    row: u64,
}

/// Reads the events. Released blocks come in the order of their releases, then what was not released, by allocation.
pub(super) fn events(
    db: &Db,
    file: &str,
    problems: &mut Problems,
    strings: &mut Strings<'_>,
    rows: &mut impl RowSink,
    records: &mut impl RecordSink,
) -> MemoryCounts {
    let plan = Plan {
        table: "NPU_OP_MEM",
        columns: &["operatorName", "addr", "type", "size", "timestampNs", "totalAllocate", "totalReserve", "deviceId"],
        only: None,
    };
    let types = &mut FxHashMap::default();
    let mut names = Names::new(strings, file);
    let mut devices = Devices::default();
    let mut live: FxHashMap<(i64, String), Live> = FxHashMap::default();
    let mut counts = MemoryCounts::default();
    scan(db, problems, file, &plan, &mut |cells, problems| {
        let time = number(cells, 4, Unit::Us, file, problems);
        let (Some(time), Some(address)) = (time, cells.int(1).whole()) else {
            problems.add(file, cells.row_place(), ProblemKind::BadRow, "");
            return;
        };
        let device = devices.of(cells.int(7)).to_owned();
        let totals = [number(cells, 5, Unit::Mb, file, problems), number(cells, 6, Unit::Mb, file, problems), None];
        counts.records += 1;
        records.record(&PoolRecord { component: GE, time, totals, device: &device });
        let kind = cells.int(2).whole();
        let is_release = match kind.and_then(|kind| types.get(&kind).copied()) {
            Some(known) => known,
            None => {
                let known = names.of(cells, 2, problems).eq_ignore_ascii_case("release");
                kind.map(|kind| types.insert(kind, known));
                known
            }
        };
        let key = (address, device);
        if !is_release {
            let Some(size) = number(cells, 3, Unit::Kb, file, problems) else {
                problems.add(file, cells.place(3), ProblemKind::BadRow, "");
                return;
            };
            let name = format!("cann::{}", names.of(cells, 0, problems));
            let row = u64::try_from(cells.number).unwrap_or(0);
            let block = Live { name, size: size.units.abs(), time: time.units, totals, device: key.1.clone(), row };
            if let Some(lost) = live.insert(key, block) {
                // Its release is missing: until when it lived is not known.
                counts.rows += 1;
                rows.row(&lost.row_of(None, [None; 3]));
            }
        } else if let Some(block) = live.remove(&key) {
            counts.rows += 1;
            rows.row(&block.row_of(Some(time.units), totals));
        }
    });
    let mut rest: Vec<Live> = live.into_values().collect();
    rest.sort_by_key(|block| (block.time, block.row));
    for block in rest {
        counts.rows += 1;
        rows.row(&block.row_of(None, [None; 3]));
    }
    counts
}

impl Live {
    fn row_of(&self, release: Option<i64>, release_totals: [Option<Number>; 3]) -> MemoryRow<'_> {
        let whole = |units| Number { units, exact: None };
        let end = release.filter(|end| *end >= self.time).unwrap_or(self.time);
        MemoryRow {
            row: self.row,
            name: &self.name,
            size: whole(self.size),
            allocation: Some(whole(self.time)),
            release: Some(whole(end)),
            active_release: None,
            duration: Some(whole(end - self.time)),
            active_duration: None,
            allocation_totals: self.totals,
            release_totals,
            stream: "",
            device: &self.device,
        }
    }
}
