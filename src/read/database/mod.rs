//! Reads the profilers' SQLite databases: the same records the text files give, into the same sinks.
//!
//! A database is read through [`ReadAt`], never fed; SQLite (its own C source, in both builds) sees it through one read-only
//! file interface in blocks of a MiB. Nothing in a database runs, nothing is written, no file is made beside it. A damaged one
//! gives all that can be reached; what cannot is counted.
//!
//! Order: tables are read in the order their rows were written, which is the order of the text export.

mod api;
mod blocks;
mod chains;
mod facts;
mod graph;
mod links;
mod log;
mod memory;
mod open;
mod scan;
mod strings;
mod vfs;

use std::cell::RefCell;
use std::rc::Rc;

pub use blocks::{BlockSize, Progress};
pub use facts::Facts;
pub use memory::MemoryCounts;

use blocks::{Blocks, Stop};
use open::{Db, OpenError};
use strings::Strings;

use super::memory_record::RecordSink;
use super::module_memory::ModuleSink;
use super::operator_memory::RowSink;
use super::read_at::ReadAt;
use super::trace::{TraceCounts, TraceSink};
use crate::problem::{Place, ProblemKind, Problems};

/// An open database of one recording.
pub struct Database {
    file: String,
    db: Option<Db>,
    problems: Problems,
    cancelled: bool,
}

impl Database {
    /// Opens a database that is named `file` in problems. `log`: the write-ahead log beside it (`-wal`), if there is one.
    /// `progress` is told the bytes read and ends the reading by `false`.
    pub fn open(
        file: &str,
        source: Box<dyn ReadAt>,
        log: Option<Box<dyn ReadAt>>,
        block: BlockSize,
        progress: Progress,
    ) -> Database {
        let mut database =
            Database { file: file.to_owned(), db: None, problems: Problems::default(), cancelled: false };
        if source.size() == 0 {
            database.note(ProblemKind::EmptyFile, "");
            return database;
        }
        let size = source.size();
        let blocks = Rc::new(RefCell::new(Blocks::new(source, block, progress)));
        let log = log.filter(|log| log.size() > 0);
        if let Some(why) = log.as_deref().and_then(log::unused) {
            database.note(ProblemKind::DatabaseLogUnused, &why);
        }
        let log = log.map(|log| Rc::new(RefCell::new(Blocks::new(log, block, Box::new(|_| true)))));
        let claimed = blocks.borrow().claimed_size();
        if claimed > size {
            database.note(ProblemKind::Truncated, &format!("{size} / {claimed} B"));
        }
        match Db::open(blocks, log) {
            Ok(db) => {
                for view in &db.views {
                    database.problems.add(file, Place::Whole, ProblemKind::ViewNotRun, view);
                }
                if let Some(why) = &db.malformed {
                    database.note(ProblemKind::DamagedDatabase, why);
                }
                database.db = Some(db);
            }
            Err(OpenError::NotADatabase) => database.note(ProblemKind::NotRecognised, "SQLite"),
            Err(OpenError::Damaged(why)) => database.note(ProblemKind::DamagedDatabase, &why),
            Err(OpenError::Stopped(stop)) => database.stopped(stop),
        }
        database
    }

    fn note(&mut self, kind: ProblemKind, detail: &str) {
        self.problems.add(&self.file, Place::Whole, kind, detail);
    }

    fn stopped(&mut self, stop: Stop) {
        match stop {
            Stop::Cancelled => self.cancelled = true,
            Stop::Failed(why) => self.note(ProblemKind::Unreadable, &why),
            Stop::Endless => self.note(ProblemKind::DamagedDatabase, "pages refer to each other in circles"),
        }
    }

    /// Whether it could be opened as a database.
    pub fn is_open(&self) -> bool {
        self.db.is_some()
    }

    /// Whether it holds more than the text export of the same recording gave: more blocks, or as many and more samples of pools
    /// (the whole process's aside). `is_damaged`: the text is, so that as much is enough. Rows are counted only where the number
    /// of the last one leaves it open.
    pub fn holds_more(&self, text: MemoryCounts, is_damaged: bool) -> bool {
        let Some(db) = self.db.as_ref() else { return false };
        let (rows, records) = (memory::ROWS.table, memory::POOLS.table);
        let mut problems = Problems::default();
        let mut at_least = |more_rows: u64, more_records: u64| {
            let needed = [(rows, text.rows + more_rows), (records, text.records + more_records)];
            needed.iter().all(|(table, needed)| scan::last_number(db, table) >= *needed)
                && needed
                    .iter()
                    .all(|(table, needed)| *needed == 0 || scan::count(db, &mut problems, &self.file, table) >= *needed)
        };
        let has_more = scan::last_number(db, rows) > text.rows
            && scan::count(db, &mut Problems::default(), &self.file, rows) > text.rows
            || at_least(0, 1);
        let is_whole = |problems: &Problems| self.problems.list().is_empty() && problems.list().is_empty();
        let has_operators = || scan::last_number(db, api::CALLS.table) > 0;
        has_more || is_damaged && at_least(0, 0) && is_whole(&problems) && has_operators()
    }

    /// Tables that may be missing or empty only because the file is damaged: nothing is to be said of their absence.
    pub fn hidden(&self) -> Vec<&'static str> {
        let is_damaged = self.problems.list().iter().any(|problem| problem.kind == ProblemKind::DamagedDatabase);
        let is_hidden = |table: &&str| match &self.db {
            None => true,
            Some(db) if db.table(table).is_some() => is_damaged,
            Some(db) => db.malformed.is_some(),
        };
        [memory::ROWS.table, memory::POOLS.table, api::CALLS.table].into_iter().filter(is_hidden).collect()
    }

    /// Rank, role and version.
    pub fn facts(&mut self) -> Facts {
        let Some(db) = &self.db else { return Facts::default() };
        facts::read(db, &self.file, &mut self.problems)
    }

    /// Reads blocks and pool samples. CANN's own databases have the graph engine's raw events instead.
    pub fn memory(&mut self, rows: &mut impl RowSink, records: &mut impl RecordSink) -> MemoryCounts {
        let Some(db) = &self.db else { return MemoryCounts::default() };
        let (file, problems) = (self.file.as_str(), &mut self.problems);
        let mut strings = Strings::new(db, problems, file, "STRING_IDS", "value");
        memory::note_missing_columns(db, file, problems);
        if memory::lacks_releases(db) {
            rows.without_releases();
        }
        if memory::lacks_totals(db) {
            records.without_totals();
        }
        let mut counts = MemoryCounts {
            records: memory::records(db, file, problems, &mut strings, records),
            rows: memory::rows(db, file, problems, &mut strings, rows),
        };
        if counts == MemoryCounts::default() && db.table("OP_MEMORY").is_none() {
            counts = graph::events(db, file, problems, &mut strings, rows, records);
        }
        counts
    }

    /// Reads what the driver's components reserved; gives how many samples there were.
    pub fn modules(&mut self, sink: &mut impl ModuleSink) -> u64 {
        let Some(db) = &self.db else { return 0 };
        memory::modules(db, &self.file, &mut self.problems, sink)
    }

    /// Reads operators, queue and steps. Names of rows must be known to the sink by now.
    pub fn operators(&mut self, sink: &mut impl TraceSink) -> TraceCounts {
        let Some(db) = &self.db else { return TraceCounts::default() };
        let (file, problems) = (self.file.as_str(), &mut self.problems);
        let mut strings = Strings::new(db, problems, file, "STRING_IDS", "value");
        api::spans(db, file, problems, &mut strings, sink)
    }

    /// Selects the columns that a reading takes and throws the rows away; gives how many there were. What a reading costs is
    /// measured against this.
    pub fn throw_away(&mut self) -> u64 {
        let Some(db) = &self.db else { return 0 };
        let mut count = 0;
        for plan in [memory::POOLS, memory::ROWS, chains::CHAINS, links::LINKS, api::CALLS] {
            scan::scan(db, &mut self.problems, &self.file, &plan, &mut |cells, _| {
                for column in 0..plan.columns.len() {
                    std::hint::black_box(cells.value(column));
                }
                count += 1;
            });
        }
        count
    }

    /// Closes it; gives the problems met and whether reading was cancelled.
    pub fn finish(mut self) -> (Problems, bool) {
        if let Some(stop) = self.db.take().and_then(|db| db.stop()) {
            self.stopped(stop);
        }
        (self.problems, self.cancelled)
    }
}
