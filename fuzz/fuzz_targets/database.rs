//! A database: whatever its bytes are, it is read or refused, in small blocks as in large ones.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memlens_fuzz::{Files, OUTPUT, database_answers, head};

fuzz_target!(|data: &[u8]| {
    let Some((_, piece, rest)) = head(data) else { return };
    // The log, if any, lies behind the database.
    let Some((count, rest)) = rest.split_first_chunk() else { return };
    let (database, log) = rest.split_at(rest.len().saturating_sub(usize::from(u16::from_be_bytes(*count))));
    let name = format!("{OUTPUT}/ascend_pytorch_profiler_0.db");
    let mut files: Files = vec![(name.clone(), database.to_vec())];
    if !log.is_empty() {
        files.push((format!("{name}-wal"), log.to_vec()));
    }
    // The smallest blocks are as small as pieces can be.
    let (large, small) = (database_answers(&files, 8 << 20), database_answers(&files, piece));
    // What SQLite makes of a damaged page depends on what it has read before: only whatever is whole must be the same.
    let is_damaged = |answers: &[String]| answers.iter().any(|answer| answer.contains("damaged_database"));
    if !is_damaged(&large) && !is_damaged(&small) {
        assert_eq!(large, small, "blocks of {piece}");
    }
});
