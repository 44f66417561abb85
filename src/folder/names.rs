//! What a file's name says: which of the files that are read it is, and as which of several.

use super::FileKind;

/// Where the analysed files lie below a rank folder.
pub(super) const OUTPUT: &str = "ASCEND_PROFILER_OUTPUT";
/// Where CANN's own export lies below a recording's raw folder.
pub(super) const CANN_OUTPUT: &str = "mindstudio_profiler_output";
/// Endings of rank folders' names: PyTorch and MindSpore.
pub(super) const RANK_ENDINGS: [&str; 2] = ["ascend_pt", MINDSPORE_ENDING];
/// Ending of MindSpore's rank folders.
pub(super) const MINDSPORE_ENDING: &str = "ascend_ms";
/// What stands behind a database's name in the name of its roll-back journal.
pub(super) const JOURNAL_ENDING: &str = "-journal";
/// What stands behind a database's name in its write-ahead log's.
pub(super) const LOG_ENDING: &str = "-wal";
/// Raw data of a recording.
const RAW_FOLDERS: [&str; 2] = ["FRAMEWORK", RAW_CANN];
/// Beginning of the names of CANN's raw folders.
const RAW_CANN: &str = "PROF_";
/// Digits of the time in the name of a file that CANN wrote itself.
const STAMP_DIGITS: usize = 14;

/// A table's name without its ending.
const TABLES: [(&str, FileKind); 4] = [
    ("memory_record", FileKind::MemoryRecord),
    ("operator_memory", FileKind::OperatorMemory),
    ("npu_module_mem", FileKind::ModuleMemory),
    ("static_op_mem", FileKind::StaticMemory),
];
/// The trace's name without its ending.
const TRACE: &str = "trace_view";
/// Beginnings of databases' names.
const DATABASES: [&str; 2] = ["ascend_pytorch_profiler", "ascend_mindspore_profiler"];
/// The table of blocks before the first release (May 2023).
const EARLY_ROWS: &str = "memory_view_form";

pub(super) fn split_path(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

pub(super) fn is_rank_name(name: &str) -> bool {
    RANK_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

pub(super) fn is_raw_name(name: &str) -> bool {
    RAW_FOLDERS.iter().any(|raw| name.starts_with(raw))
}

pub(super) fn is_raw_cann_name(name: &str) -> bool {
    name.starts_with(RAW_CANN)
}

/// A file that is read, as its name tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named<'a> {
    pub kind: FileKind,
    /// How the name stands to the kind's usual one; the smallest counts first.
    pub form: Form<'a>,
}

/// How a name differs from the usual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form<'a> {
    /// It does not.
    Usual,
    /// Written by CANN: when, and which part of a table cut at a million rows.
    Stamped { stamp: &'a str, slice: Option<u64> },
    /// Another name for the same thing.
    Other,
}

/// The name before an ending, which some systems write in capitals.
pub(super) fn without_ending<'a>(name: &'a str, ending: &str) -> Option<&'a str> {
    let (stem, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    end.eq_ignore_ascii_case(ending).then_some(stem)
}

/// Which file it is, by name; `.gz` behind it says that the file is packed.
pub(super) fn named(name: &str) -> Option<Named<'_>> {
    // Editors of Windows put `.txt` behind every name.
    if let Some(inner) = without_ending(name, ".txt") {
        let is_text = without_ending(inner, ".csv").or_else(|| without_ending(inner, ".json")).is_some();
        return if is_text { named(inner).map(|named| Named { form: Form::Other, ..named }) } else { None };
    }
    let name = without_ending(name, ".gz").unwrap_or(name);
    if let Some(stem) = without_ending(name, ".csv") {
        return table(stem);
    }
    if let Some(stem) = without_ending(name, ".json") {
        return match stem {
            TRACE => Some(Named { kind: FileKind::Trace, form: Form::Usual }),
            _ if stem.starts_with("chrome_trace") => Some(Named { kind: FileKind::Trace, form: Form::Other }),
            _ => None,
        };
    }
    if let Some(name) = name.strip_suffix(LOG_ENDING) {
        let database = named(name).filter(|named| named.kind == FileKind::Database)?;
        return Some(Named { kind: FileKind::DatabaseLog, ..database });
    }
    let stem = without_ending(name, ".db")?;
    let is_own =
        |prefix: &&str| stem.strip_prefix(*prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    let form = if stem == "ascend_pytorch" || DATABASES.iter().any(is_own) {
        Form::Usual
    } else if stem.starts_with("msprof_") {
        Form::Other
    } else {
        return None;
    };
    Some(Named { kind: FileKind::Database, form })
}

/// Whether a name is that of a file that is read but for its ending: `trace_view.bin`, `operator_memory.xlsx`.
pub(super) fn is_named_like(name: &str) -> bool {
    let Some((stem, ending)) = name.split_once('.') else { return table(name).is_some() || name == TRACE };
    let is_database = DATABASES.iter().any(|database| stem.starts_with(database));
    // What lies beside an open database is no other form of it.
    let is_beside = ["-shm", "-wal", "-journal"].iter().any(|beside| ending.ends_with(beside));
    named(name).is_none() && !is_beside && (is_database || stem == TRACE || table(stem).is_some())
}

/// The rank in a database's name: `ascend_pytorch_profiler_3.db`.
pub(super) fn database_rank(name: &str) -> Option<u64> {
    let stem = without_ending(without_ending(name, ".gz").unwrap_or(name), ".db")?;
    let number =
        ["ascend_pytorch_profiler_", "ascend_mindspore_profiler_"].iter().find_map(|p| stem.strip_prefix(p))?;
    number.bytes().all(|b| b.is_ascii_digit()).then(|| number.parse().ok()).flatten()
}

fn table(stem: &str) -> Option<Named<'_>> {
    if stem == EARLY_ROWS {
        return Some(Named { kind: FileKind::OperatorMemory, form: Form::Other });
    }
    let stem = stem.strip_prefix("ge_").unwrap_or(stem);
    let (rest, kind) = TABLES.iter().find_map(|(table, kind)| Some((stem.strip_prefix(table)?, *kind)))?;
    let form = if rest.is_empty() { Form::Usual } else { stamped(rest.strip_prefix('_')?)? };
    Some(Named { kind, form })
}

/// `slice_<N>_<stamp>`, `slice_<N>` or `<stamp>`.
fn stamped(rest: &str) -> Option<Form<'_>> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_stamp = |text: &str| text.len() >= STAMP_DIGITS && is_digits(text);
    let Some(slice) = rest.strip_prefix("slice_") else {
        return is_stamp(rest).then_some(Form::Stamped { stamp: rest, slice: None });
    };
    let (number, stamp) = slice.split_once('_').unwrap_or((slice, ""));
    let number = is_digits(number).then(|| number.parse().ok()).flatten()?;
    (stamp.is_empty() || is_stamp(stamp)).then_some(Form::Stamped { stamp, slice: Some(number) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_names_with_other_endings() {
        for name in [
            "trace_view.bin",
            "operator_memory.xlsx",
            "ascend_pytorch_profiler_0.sqlite",
            "memory_record",
            "operator_memory_20240102030405.csv.bak",
        ] {
            assert!(is_named_like(name), "{name}");
        }
        for name in [
            "operator_memory.csv",
            "trace_view.json.gz",
            "trace.bin",
            "ascend_pytorch_profiler_0.db-shm",
            "readme",
            "operator_memory_old.bin",
        ] {
            assert!(!is_named_like(name), "{name}");
        }
    }

    #[test]
    fn tells_files_by_their_names() {
        let usual = |kind| Some(Named { kind, form: Form::Usual });
        let stamped = |kind, stamp, slice| Some(Named { kind, form: Form::Stamped { stamp, slice } });
        assert_eq!(named("memory_record.csv.gz"), usual(FileKind::MemoryRecord));
        assert_eq!(
            named("operator_memory_20240102030405.csv"),
            stamped(FileKind::OperatorMemory, "20240102030405", None)
        );
        assert_eq!(
            named("operator_memory_slice_12_20240102030405.csv"),
            stamped(FileKind::OperatorMemory, "20240102030405", Some(12))
        );
        assert_eq!(named("ge_operator_memory_20240102030405.csv"), named("operator_memory_20240102030405.csv"));
        assert_eq!(named("npu_module_mem_slice_0.csv"), stamped(FileKind::ModuleMemory, "", Some(0)));
        assert_eq!(named("ascend_pytorch_profiler_0.db"), usual(FileKind::Database));
        assert_eq!(named("msprof_20240102030405.db").map(|n| n.kind), Some(FileKind::Database));
        assert_eq!(named("ascend_pytorch_profiler_0.db-wal"), usual(FileKind::DatabaseLog));
        assert_eq!(named("operator_memory.CSV"), usual(FileKind::OperatorMemory));
        assert_eq!(named("trace_view.json.GZ"), usual(FileKind::Trace));
        assert_eq!(named("ascend_pytorch_profiler_0.DB-wal"), usual(FileKind::DatabaseLog));
        let other = |kind| Some(Named { kind, form: Form::Other });
        assert_eq!(named("operator_memory.csv.txt"), other(FileKind::OperatorMemory));
        assert_eq!(named("trace_view.JSON.TXT"), other(FileKind::Trace));
        assert_eq!(database_rank("ascend_pytorch_profiler_3.DB"), Some(3));
        assert_eq!(database_rank("ascend_pytorch_profiler_12.db"), Some(12));
        assert_eq!(database_rank("ascend_pytorch_profiler_12.db.gz"), Some(12));
        assert_eq!(database_rank("ascend_pytorch_profiler.db"), None);
        assert_eq!(database_rank("msprof_20240102030405.db"), None);
        assert_eq!(named("chrome_trace_7.json.gz").map(|n| n.kind), Some(FileKind::Trace));
        for other in [
            "operator_memory_old.csv",
            "operator_memory_.csv",
            "kernel_details.csv",
            "analysis.db",
            "analysis.db-wal",
            "x.json",
            "operator_memory.txt",
            "ascend_pytorch_profiler_0.db.txt",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
