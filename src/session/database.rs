//! The second door beside `feed`: a database is read at random, in one go.
//!
//! Of a folder with a database and some text files the database comes first; text is read only for what it lacks. Text that
//! seems complete comes first itself; where it turns out to hold too little, or less than the database has rows, all begins anew
//! with the database.

use super::{Reading, Session};
use crate::folder::{FileKind, RankFile, RoleSource};
use crate::problem::{Place, ProblemKind, Problems};
use crate::read::database::{BlockSize, Database, MemoryCounts, Progress};
use crate::read::read_at::ReadAt;

/// What is known of the folder's database.
#[derive(Debug, Default)]
pub(super) struct State {
    is_read: bool,
    /// Rows and samples it gave.
    pub(super) memory: MemoryCounts,
    modules: u64,
    /// It was held against what the text files gave, which is as much.
    is_compared: bool,
    /// Its operators wait for the names of rows that the text files have.
    is_pending: bool,
    operators: u64,
    /// Tables of it that may be missing because it is damaged.
    hidden: Vec<&'static str>,
    /// The write-ahead log, where it came packed.
    log: Option<Vec<u8>>,
    /// Files begun since all began.
    begun: Vec<usize>,
}

impl State {
    /// Whether nothing of it could be read.
    fn is_lost(&self) -> bool {
        self.is_read && self.memory == MemoryCounts::default() && self.modules == 0 && self.operators == 0
    }

    /// Whether a file was begun since all began.
    pub fn has_begun(&self, file: usize) -> bool {
        self.begun.contains(&file)
    }

    /// Whether the database's memory tables were read.
    pub fn is_read(&self) -> bool {
        self.is_read
    }
}

/// Largest database that is held whole, where it came packed, bytes.
const MOST_WHOLE: usize = 512 << 20;

/// The same of one that is only to be compared with text that seems whole.
const MOST_COMPARED: usize = 128 << 20;

/// A packed database: it cannot be read at random, so it is gathered first.
pub(super) struct Whole {
    file: usize,
    bytes: Vec<u8>,
    most: usize,
    is_too_large: bool,
}

impl Whole {
    fn new(file: usize, most: usize) -> Whole {
        Whole { file, bytes: Vec::new(), most, is_too_large: false }
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        if self.is_too_large || self.bytes.len() + bytes.len() > self.most {
            self.is_too_large = true;
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }
}

/// Whether a file must be unpacked to be read.
fn is_packed(file: &RankFile) -> bool {
    file.part.is_some() || file.name.to_ascii_lowercase().ends_with(".gz")
}

impl Session {
    /// Indices into the folder's files in the order to read them. A database may stand in it twice: its operators are read when
    /// the rows are known. Before reading each, ask [`Session::wants`].
    pub fn read_order(&self) -> Vec<usize> {
        let files = &self.folder.files;
        let kind = |index: &usize| files.get(*index).map(|file| file.kind);
        let mut order: Vec<usize> = (0..files.len()).collect();
        order.sort_by_key(|index| {
            let place = match kind(index) {
                Some(FileKind::DatabaseLog) => 0,
                Some(FileKind::Database) => 1,
                _ => 2,
            };
            (place, kind(index))
        });
        if let Some(database) = order.iter().copied().find(|index| kind(index) == Some(FileKind::Database))
            && order.iter().any(|index| kind(index) == Some(FileKind::OperatorMemory))
        {
            let trace = order.iter().position(|index| kind(index) == Some(FileKind::Trace));
            order.insert(trace.unwrap_or(order.len()), database);
        }
        if self.folder.is_text_first {
            let is_text = |index: &usize| !matches!(kind(index), Some(FileKind::Database | FileKind::DatabaseLog));
            let text: Vec<usize> = order.iter().copied().filter(is_text).collect();
            order.splice(0..0, text);
        }
        order
    }

    /// Whether the text files, which were read first, gave too little: no blocks, no totals or no events.
    fn lacks_text(&self) -> bool {
        let reading = &self.reading;
        reading.rows_read() == 0 || reading.record_counts().is_empty() || self.counters.events == 0
    }

    /// Whether the database has more than the text files, which were read first and seem whole.
    fn is_outdone(&self, database: &Database) -> bool {
        let rows = self.reading.rows_read() + self.reading.rows_lost();
        let counts = self.reading.record_counts().iter();
        let records = counts.filter(|(component, _)| *component != "APP").map(|(_, count)| count).sum();
        let text = [FileKind::OperatorMemory, FileKind::MemoryRecord, FileKind::Trace];
        let is_text = |name: &str| {
            let is_it = |file: &RankFile| file.name == name || file.kind.file_name() == name;
            self.folder.files.iter().any(|file| text.contains(&file.kind) && is_it(file))
        };
        let is_damaged = self.problems.list().iter().any(|p| p.kind.loses_data() && is_text(&p.file));
        database.holds_more(MemoryCounts { rows, records }, is_damaged)
    }

    /// Whether the text files seem whole and a database beside them was not taken in their place.
    fn keeps_text(&self) -> bool {
        self.folder.is_text_first && !self.database.is_read && !self.lacks_text()
    }

    /// What gathers a packed database, or the log beside it.
    pub(super) fn gather(&self, file: usize) -> Whole {
        Whole::new(file, if self.keeps_text() { MOST_COMPARED } else { MOST_WHOLE })
    }

    /// Whether a file may be begun: text that came first comes again only after all began anew, and a memory table only until
    /// it is worked out.
    pub(super) fn may_begin(&mut self, file: usize) -> bool {
        let is_again = self.database.has_begun(file);
        if !is_again {
            self.database.begun.push(file);
        }
        let kind = self.folder.files.get(file).map(|file| file.kind);
        let is_table = matches!(kind, Some(FileKind::MemoryRecord | FileKind::OperatorMemory));
        !(is_again && (self.folder.is_text_first || is_table && self.reading.tables.is_some()))
    }

    /// Forgets what the text files gave.
    fn begin_anew(&mut self) {
        self.reading = Reading::new(&self.folder, self.options);
        let is_database = |name: &str| {
            self.folder
                .files
                .iter()
                .any(|f| matches!(f.kind, FileKind::Database | FileKind::DatabaseLog) && f.name == name)
        };
        let opening = [ProblemKind::Unreadable, ProblemKind::NoRandomAccess];
        let mut problems = Problems::default();
        problems.extend(&self.folder.problems);
        for known in self.problems.list().iter().filter(|p| opening.contains(&p.kind) && is_database(&p.file)) {
            problems.extend(std::slice::from_ref(known));
        }
        self.problems = problems;
        self.counters.events = 0;
        self.counters.careful_events = 0;
        self.counters.parsed_events = 0;
        self.counters.copied_bytes = 0;
        self.database.begun.clear();
    }

    /// Says which form was read in the end: a database that holds nothing is none.
    fn settle_forms(&mut self, name: &str) {
        let state = &self.database;
        let is_empty = state.memory == MemoryCounts::default() && state.operators == 0;
        let has_text = self.reading.rows_read() > 0 || !self.reading.record_counts().is_empty();
        if is_empty && state.modules == 0 && has_text {
            self.identity.form = "text";
        }
        if !self.database.is_read || is_empty {
            if self.database.is_read || !self.folder.is_text_first {
                self.problems.remove(ProblemKind::TwoForms);
            }
        } else if self.folder.is_text_first {
            self.problems.remove(ProblemKind::TwoForms);
            let parts = [FileKind::MemoryRecord, FileKind::OperatorMemory, FileKind::Trace];
            let text = self.folder.files.iter().filter(|file| parts.contains(&file.kind));
            let text: Vec<&str> = text.map(|file| file.name.as_str()).collect();
            self.problems.add(&text.join(", "), Place::Whole, ProblemKind::TwoForms, name);
        }
    }

    /// Whether a file is still of use: not what was read already. Ends an open file.
    pub fn wants(&mut self, file: usize) -> bool {
        self.end();
        let state = &self.database;
        if self.folder.is_text_first && state.begun.contains(&file) {
            return false;
        }
        let known = self.folder.files.get(file);
        match known.map(|file| file.kind) {
            // A packed one must be unpacked to be counted: that is done as long as it is not too large.
            Some(FileKind::Database) if self.keeps_text() => {
                let is_small = |file: &RankFile| !is_packed(file) || file.size <= MOST_COMPARED as u64;
                !state.is_compared && known.is_some_and(is_small)
            }
            Some(FileKind::DatabaseLog) if self.keeps_text() => {
                let is_small = |file: &RankFile| is_packed(file) && file.size <= MOST_COMPARED as u64;
                !state.is_compared && known.is_some_and(is_small)
            }
            Some(FileKind::Database) => !state.is_read || state.is_pending,
            Some(FileKind::MemoryRecord) => state.memory.records == 0,
            Some(FileKind::OperatorMemory) => state.memory.rows == 0,
            Some(FileKind::Trace) => state.operators == 0,
            Some(FileKind::ModuleMemory) => state.modules == 0,
            Some(FileKind::StaticMemory) => true,
            Some(FileKind::DatabaseLog) => self.folder.files.get(file).is_some_and(is_packed),
            None => false,
        }
    }

    /// Whether a file is read by [`Session::read_database`] instead of being fed.
    pub fn is_database(&self, file: usize) -> bool {
        self.folder.files.get(file).is_some_and(|file| file.kind == FileKind::Database && !is_packed(file))
    }

    /// The write-ahead log beside a database, as an index into the folder's files.
    pub fn log_of(&self, _database: usize) -> Option<usize> {
        self.folder.files.iter().position(|file| file.kind == FileKind::DatabaseLog && !is_packed(file))
    }

    /// Takes a packed database, or the log beside it, once it is unpacked.
    pub(super) fn read_whole(&mut self, kind: FileKind, whole: Whole) {
        if whole.is_too_large {
            self.note_too_large(whole.file);
        } else if kind == FileKind::DatabaseLog {
            self.database.log = Some(whole.bytes);
        } else {
            // Its bytes were counted as they came.
            let counted = self.counters;
            let log = self.database.log.take().map(|log| Box::new(log) as Box<dyn ReadAt>);
            self.read_database(whole.file, Box::new(whole.bytes), log, Box::new(|_| true));
            self.counters.bytes_read = counted.bytes_read;
        }
    }

    /// Reads the folder's `file`-th file, a database, with the write-ahead log beside it if there is one. `progress` is told the
    /// bytes read; `false` from it ends the reading within one block, and `false` is then what this gives.
    pub fn read_database(
        &mut self,
        file: usize,
        source: Box<dyn ReadAt>,
        log: Option<Box<dyn ReadAt>>,
        progress: Progress,
    ) -> bool {
        self.read_database_in(BlockSize::default(), file, source, log, progress)
    }

    /// The same in blocks of another size.
    pub fn read_database_in(
        &mut self,
        block: BlockSize,
        file: usize,
        source: Box<dyn ReadAt>,
        log: Option<Box<dyn ReadAt>>,
        progress: Progress,
    ) -> bool {
        self.end();
        let Some(file) = self.folder.files.get(file).filter(|file| file.kind == FileKind::Database) else {
            return true;
        };
        let name = file.name.clone();
        let size = source.size();
        let mut database = Database::open(&name, source, log, block, progress);
        if self.keeps_text() && !self.is_outdone(&database) {
            self.database.is_compared = true;
            let (_, is_cancelled) = database.finish();
            return !is_cancelled;
        }
        if self.folder.is_text_first && !self.database.is_read {
            self.begin_anew();
        }
        self.counters.bytes_read += size;
        self.counters.largest_piece = self.counters.largest_piece.max(size.min(block.bytes as u64));
        if !self.database.is_read {
            if database.is_open() {
                self.take_facts(&mut database);
            }
            self.database.memory = database.memory(&mut self.reading.rows, &mut self.reading.pools);
            self.database.modules = database.modules(&mut self.reading.modules);
            self.database.is_read = true;
            let has_rows = |kind| kind == FileKind::OperatorMemory;
            self.database.is_pending = database.is_open()
                && self.database.memory.rows == 0
                && self.folder.files.iter().any(|file| has_rows(file.kind));
        } else {
            self.database.is_pending = false;
        }
        if !self.database.is_pending {
            self.settle_whole_tables();
            self.reading.lend(self.options);
            // Nothing in a database can prove that its operators have an axis of their own.
            self.reading.spans.shares_axis = true;
            let counts = database.operators(&mut self.reading.spans);
            self.reading.take_back();
            self.counters.events += counts.events;
            self.database.operators = counts.operators;
            self.see_stacks(&counts);
        }
        self.database.hidden = database.hidden();
        let (problems, is_cancelled) = database.finish();
        self.problems.extend(problems.list());
        !is_cancelled
    }

    fn take_facts(&mut self, database: &mut Database) {
        let facts = database.facts();
        self.identity.form = "db";
        self.identity.rank = self.identity.rank.or(facts.rank);
        if let Some(role) = facts.role
            && self.folder.role_source != RoleSource::Metadata
        {
            self.identity.role = role;
        }
    }

    /// A database cannot be read at random here, and is too large to be loaded whole: that is counted, unless it was only to be
    /// compared with text files that seem whole.
    pub fn note_too_large(&mut self, file: usize) {
        if let Some(file) = self.folder.files.get(file).filter(|_| !self.keeps_text()) {
            self.problems.add(&file.name, Place::Whole, ProblemKind::NoRandomAccess, &format!("{} B", file.size));
        }
    }

    /// A database or the log beside it cannot be opened at all: that is counted, unless it was only to be compared with text files
    /// that seem whole. Without its log a database can be read still.
    pub fn note_unreadable(&mut self, file: usize, reason: &str) {
        if let Some(file) = self.folder.files.get(file).filter(|_| !self.keeps_text()) {
            self.problems.add(&file.name, Place::Whole, ProblemKind::Unreadable, reason);
        }
    }

    /// The database's name, if it gave this memory table.
    pub(super) fn database_with(&self, kind: FileKind) -> Option<String> {
        let has_it = match kind {
            FileKind::OperatorMemory => self.database.memory.rows > 0,
            FileKind::ModuleMemory => self.database.modules > 0,
            _ => self.database.memory.records > 0,
        };
        let mut files = self.folder.files.iter().filter(|_| has_it);
        files.find(|file| file.kind == FileKind::Database).map(|file| file.name.clone())
    }

    /// Says what a folder with a database turned out not to hold.
    pub(super) fn note_missing(&mut self) {
        let Some(name) = self.folder.files.iter().find(|file| file.kind == FileKind::Database).map(|f| f.name.clone())
        else {
            return;
        };
        self.settle_forms(&name);
        if self.folder.is_text_first && !self.database.is_read {
            self.problems.change(ProblemKind::DatabaseJournal, ProblemKind::JournalBeside);
            return;
        }
        let has_rows = self.reading.rows_read() > 0;
        let has_records = !self.reading.record_counts().is_empty();
        if self.database.is_lost() && self.problems.list().iter().any(|p| p.file == name) {
            self.problems.change(ProblemKind::DamagedDatabase, ProblemKind::DatabaseLost);
        }
        let State { is_read, hidden, .. } = &self.database;
        let is_hidden = |table: &str| !is_read || hidden.contains(&table);
        let has_trace = self.database.operators > 0 || self.folder.files.iter().any(|f| f.kind == FileKind::Trace);
        let mut note = |kind, detail: &str| self.problems.add(&name, Place::Whole, kind, detail);
        if !has_rows && !has_records && (is_hidden("OP_MEMORY") || is_hidden("MEMORY_RECORD")) {
            // What it held is not known, so there is no advice how to record it.
        } else if !has_rows && !has_records {
            let detail = if self.folder.profile_memory == Some(false) { "profile_memory=False" } else { "" };
            note(ProblemKind::NoMemoryFile, detail);
        } else {
            if !has_rows && !is_hidden("OP_MEMORY") {
                note(ProblemKind::NoOperatorMemory, "OP_MEMORY");
            }
            // Samples of the whole process come from another table.
            let is_process_alone = self.reading.record_counts().keys().all(|component| component == "APP");
            if is_process_alone && !is_hidden("MEMORY_RECORD") {
                note(ProblemKind::NoMemoryRecord, "MEMORY_RECORD");
            }
            if !has_trace && !is_hidden("PYTORCH_API") {
                note(ProblemKind::NoTrace, "PYTORCH_API");
            }
        }
        let is_noted = self.problems.list().iter().any(|p| p.kind == ProblemKind::UnknownRank);
        if self.identity.rank.is_none() && !is_noted {
            self.problems.add(&name, Place::Whole, ProblemKind::UnknownRank, "");
        }
    }
}
