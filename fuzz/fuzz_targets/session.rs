//! A whole rank folder: several files, each behind a line `=== name`, in pieces.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memlens_fuzz::{Files, OUTPUT, head, same_in_pieces};

fuzz_target!(|data: &[u8]| {
    let Some((_, piece, rest)) = head(data) else { return };
    let mut files: Files = Vec::new();
    for line in rest.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(b"=== ") {
            Some(name) if files.len() < 8 => {
                let name = String::from_utf8_lossy(name.trim_ascii()).into_owned();
                let place = if name.starts_with("profiler_") {
                    OUTPUT.rsplit_once('/').map_or(OUTPUT, |(up, _)| up)
                } else {
                    OUTPUT
                };
                files.push((format!("{place}/{name}"), Vec::new()));
            }
            _ => {
                if let Some((_, bytes)) = files.last_mut() {
                    bytes.extend_from_slice(line);
                }
            }
        }
    }
    same_in_pieces(&files, piece);
});
