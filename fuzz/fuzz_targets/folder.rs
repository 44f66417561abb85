//! Paths and the small files that name rank, role and step.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memlens_fuzz::find;

fuzz_target!(|data: &[u8]| {
    // Paths up to an empty line, one a line; then the bytes of every file.
    let text = String::from_utf8_lossy(data);
    let (paths, bytes) = text.split_once("\n\n").unwrap_or((&text, ""));
    let files = paths.lines().take(50).map(|path| (path.to_owned(), bytes.as_bytes().to_vec())).collect();
    let run = find(&files);
    for folder in &run.rank_folders {
        assert!(folder.files.iter().all(|file| file.index < files.len()));
    }
});
