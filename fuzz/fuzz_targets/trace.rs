//! The trace beside two rows it may be joined to.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memlens_fuzz::{OUTPUT, ROWS, head, same_in_pieces};

fuzz_target!(|data: &[u8]| {
    let Some((_, piece, rest)) = head(data) else { return };
    let files = vec![
        (format!("{OUTPUT}/operator_memory.csv"), ROWS.as_bytes().to_vec()),
        (format!("{OUTPUT}/trace_view.json"), rest.to_vec()),
    ];
    same_in_pieces(&files, piece);
});
