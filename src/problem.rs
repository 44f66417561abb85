//! What went wrong while finding or reading files, counted and placed.
//!
//! Shared vocabulary of `folder`, `read` and the rooms after them. It holds no sentences: those are made in `words`, in the
//! reader's language.

use serde::{Deserialize, Serialize};

/// Where in a file the first problem of its kind was met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The file (or folder) as a whole.
    Whole,
    /// Row as a spreadsheet counts: the header is row 1.
    Row(u64),
    /// Row and the column's header text.
    Cell(u64, String),
    /// Byte offset from the start of the file.
    Byte(u64),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Whole => Ok(()),
            Place::Row(row) => write!(f, "row {row}"),
            Place::Cell(row, column) => write!(f, "row {row}, {column}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $loses:literal;)*) => {
        /// The kinds of problem, each with a stable name (`bad_number`, ...) for JSON and tests.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum ProblemKind { $($(#[$doc])* $kind,)* }

        impl ProblemKind {
            /// Every kind, in the order of declaration.
            pub const ALL: &[ProblemKind] = &[$(ProblemKind::$kind,)*];

            /// The stable name used in JSON.
            pub fn name(self) -> &'static str {
                match self { $(ProblemKind::$kind => $name,)* }
            }

            /// Whether data that was there could not be taken over (the command then ends with status 3).
            pub fn loses_data(self) -> bool {
                match self { $(ProblemKind::$kind => $loses,)* }
            }
        }
    };
}

impl ProblemKind {
    /// Whether each detail is a problem of its own: they are few, and each says what is missing.
    fn is_apart(self) -> bool {
        matches!(self, ProblemKind::NoColumn | ProblemKind::ViewNotRun | ProblemKind::PoolWithoutRecords)
    }
}

kinds! {
    /// A cell that should hold a number does not.
    BadNumber = "bad_number", true;
    /// A row without a usable size or time: it gives no output row.
    BadRow = "bad_row", true;
    /// A row with fewer cells than the header.
    ShortRow = "short_row", true;
    /// A row with more cells than the header; the surplus was ignored.
    LongRow = "long_row", true;
    /// Bytes that are not UTF-8; they were replaced by U+FFFD.
    BadEncoding = "bad_encoding", true;
    /// A quote that was never closed; reading went on at the next line.
    UnclosedQuote = "unclosed_quote", true;
    /// A required column is missing: the file could not be read.
    MissingColumn = "missing_column", true;
    /// The file is empty.
    EmptyFile = "empty_file", true;
    /// The file ends in the middle of a record; all before it was read.
    Truncated = "truncated", true;
    /// An event that is not valid JSON or not an object.
    BadEvent = "bad_event", true;
    /// An event whose `ts` or `dur` cannot be used.
    BadEventTime = "bad_event_time", true;
    /// An operator event without `dur`: it can hold no allocation.
    MissingDuration = "missing_duration", false;
    /// The file is not what its name says.
    NotRecognised = "not_recognised", true;
    /// The file could not be opened or read to its end.
    Unreadable = "unreadable", true;
    /// A small JSON file that could not be understood.
    BadJson = "bad_json", true;
    /// No file with memory data in the rank folder.
    NoMemoryFile = "no_memory_file", true;
    /// Recorded but never analysed: there is no ASCEND_PROFILER_OUTPUT.
    NotAnalysed = "not_analysed", true;
    /// No trace_view.json: rows have no call stacks.
    NoTrace = "no_trace", false;
    /// No operator_memory.csv: there are curves, but no blocks.
    NoOperatorMemory = "no_operator_memory", false;
    /// No memory_record.csv: peaks and baseline are derived from the rows.
    NoMemoryRecord = "no_memory_record", false;
    /// The trace holds operators, but not one call stack.
    NoStacks = "no_stacks", false;
    /// The rank could not be told from profiler_info.
    UnknownRank = "unknown_rank", false;
    /// Several profiler_info files name different ranks; the smallest was taken.
    SeveralRanks = "several_ranks", false;
    /// Nothing that looks like a rank folder.
    NothingFound = "nothing_found", true;
    /// A form that is recognised but cannot be read yet (databases, archives, ...).
    Unsupported = "unsupported", true;
    /// Times of the trace and of the memory tables do not overlap: no stack can be joined.
    NoCommonAxis = "no_common_axis", false;
    /// A number that is no whole number of bytes or nanoseconds; its decimal text was kept beside it.
    Inexact = "inexact", false;
    /// The trace has another time origin than the memory tables; its times were moved to theirs.
    AxisMoved = "axis_moved", false;
    /// Several JSON texts one after the other in one file; all were read.
    Concatenated = "concatenated", false;
    /// Something is larger, deeper or more than is ever read: it alone was left out.
    OverLimit = "over_limit", true;
    /// A rank's worker or thread ended before it was done.
    Died = "died", true;
    /// Text in GBK, the encoding of Chinese Windows; it was replaced by U+FFFD.
    GbkText = "gbk_text", true;
    /// The same, read as GBK.
    GbkRead = "gbk_read", false;
    /// The header row stands again further down: several exports were joined.
    HeaderAgain = "header_again", false;
    /// Rows or samples that are the same as another in every cell; each counts once.
    RepeatedRow = "repeated_row", false;
    /// A pool has rows, or a part in the sum of pools, but not one sample.
    PoolWithoutRecords = "pool_without_records", true;
    /// A member of an archive needs a password.
    Encrypted = "encrypted", true;
    /// An archive, or a member of one, is packed in a way that is not known here.
    PackedOtherwise = "packed_otherwise", true;
    /// An archive inside an archive: it is not opened.
    NestedArchive = "nested_archive", true;
    /// A member's name leads out of its archive.
    OddName = "odd_name", true;
    /// Packed bytes expand beyond reason.
    ExpandsTooFar = "expands_too_far", true;
    /// More members, files or ranks than are looked at.
    TooMany = "too_many", true;
    /// An archive ends early, or lies in several files.
    ArchiveCut = "archive_cut", true;
    /// Packed data is damaged; what came before was read.
    ArchiveDamaged = "archive_damaged", true;
    /// A member that is another name of a file; links are not followed.
    ArchiveLink = "archive_link", true;
    /// A link in an archive that may stand for a folder; links are not followed.
    ArchiveLinkLeft = "archive_link_left", false;
    /// An archive whose files all lie beside it by name and size; those were taken.
    ArchiveUnpacked = "archive_unpacked", false;
    /// An older export of a table that was read holds something else; it was not read.
    ExportsDiffer = "exports_differ", true;
    /// Of a table cut into numbered slices some are not there.
    SliceMissing = "slice_missing", true;
    /// A trace without any memory table: operators and call stacks, but no memory.
    TraceAlone = "trace_alone", true;
    /// The times of a table were rounded by a spreadsheet: there is no time axis any more.
    TimeAxisLost = "time_axis_lost", true;
    /// Part of a database cannot be reached; all else was read.
    DamagedDatabase = "damaged_database", true;
    /// A database so damaged that nothing of it can be reached.
    DatabaseLost = "database_lost", true;
    /// An id of a database that stands for a text it does not hold.
    MissingText = "missing_text", true;
    /// A database that this browser gives no access to at random, and that is too large to be loaded whole.
    NoRandomAccess = "no_random_access", true;
    /// The folder holds a database and text files: which was read.
    TwoForms = "two_forms", false;
    /// A pipe, a socket or a device under a name that is read.
    NotAFile = "not_a_file", true;
    /// A journal beside a database: what was being written when it ended lies half in it.
    DatabaseJournal = "database_journal", true;
    /// A journal beside a database that was not needed: text files held all.
    JournalBeside = "journal_beside", false;
    /// A write-ahead log beside a database that could not be used, or not to its end.
    DatabaseLogUnused = "database_log_unused", true;
    /// A view under the name of a table that is read: nothing in a database is run.
    ViewNotRun = "view_not_run", true;
    /// A column that every form of the table has is missing: the table was read without it.
    NoColumn = "no_column", true;
    /// Samples of a pool without Total Allocated.
    MissingTotal = "missing_total", true;
    /// A time more than a day off its table's others: its row or sample was left out.
    TimeOutlier = "time_outlier", true;
    /// A run of NUL bytes, as a lost disk block leaves them.
    NulBytes = "nul_bytes", true;
    /// The trace holds no operators.
    NoOperators = "no_operators", false;
}

/// One counted problem: the first place it was met, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// File name or path below the rank folder; for folder problems the folder's cut path.
    pub file: String,
    /// Where it was met first.
    pub place: Place,
    /// What kind it is.
    pub kind: ProblemKind,
    /// How often it was met in this file.
    pub count: u64,
    /// What was found there (a cell's text, a column's name, ...), shortened; may be empty.
    pub detail: String,
}

/// Longest `detail` kept, in characters: enough to recognise a cell, too short to flood a page.
const DETAIL_CHARS: usize = 160;

/// Counts problems by file and kind; keeps the first place of each.
#[derive(Debug, Default, Clone)]
pub struct Problems {
    list: Vec<Problem>,
}

impl Problems {
    /// Counts one problem.
    pub fn add(&mut self, file: &str, place: Place, kind: ProblemKind, detail: &str) {
        self.add_many(file, place, kind, detail, 1);
    }

    /// Counts `count` problems of one kind whose first place is `place`.
    pub fn add_many(&mut self, file: &str, place: Place, kind: ProblemKind, detail: &str, count: u64) {
        if count == 0 {
            return;
        }
        let detail: String = detail.chars().take(DETAIL_CHARS).collect();
        let is_same = |p: &&mut Problem| p.kind == kind && p.file == file && (!kind.is_apart() || p.detail == detail);
        if let Some(known) = self.list.iter_mut().find(is_same) {
            known.count += count;
            return;
        }
        self.list.push(Problem { file: file.to_owned(), place, kind, count, detail });
    }

    /// The problems in the order they were first met.
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// Takes over the problems of another list.
    pub fn extend(&mut self, other: &[Problem]) {
        for p in other {
            self.add_many(&p.file, p.place.clone(), p.kind, &p.detail, p.count);
        }
    }

    /// Takes away what turned out not to hold.
    pub fn remove(&mut self, kind: ProblemKind) {
        self.list.retain(|p| p.kind != kind);
    }

    /// Makes problems of one kind another's.
    pub fn change(&mut self, from: ProblemKind, to: ProblemKind) {
        self.list.iter_mut().filter(|p| p.kind == from).for_each(|p| p.kind = to);
    }

    /// Whether any data that was there is lost.
    pub fn lost_data(&self) -> bool {
        self.list.iter().any(|p| p.kind.loses_data())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_file_and_kind_and_keeps_the_first_place() {
        let mut problems = Problems::default();
        problems.add("a.csv", Place::Row(3), ProblemKind::BadNumber, "x");
        problems.add("a.csv", Place::Row(9), ProblemKind::BadNumber, "y");
        problems.add("b.csv", Place::Row(4), ProblemKind::BadNumber, "z");
        assert_eq!(problems.list().len(), 2);
        assert_eq!(problems.list()[0].count, 2);
        assert_eq!(problems.list()[0].place, Place::Row(3));
        assert_eq!(problems.list()[0].detail, "x");
    }

    #[test]
    fn names_agree_with_serde() {
        for kind in ProblemKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), serde_json::json!(kind.name()));
        }
    }
}
