//! Where the files of a run go.

use std::io::{self, Write};

/// Takes the files of a run, one after the other: a file is complete when its writer is dropped.
pub trait Sink {
    /// Takes the bytes of one file.
    type Writer<'a>: Write
    where
        Self: 'a;

    /// Begins the file at `path`, relative to the run, parts separated by `/`.
    ///
    /// # Errors
    /// When the place cannot be written.
    fn create(&mut self, path: &str) -> io::Result<Self::Writer<'_>>;
}

/// Keeps the files in memory, as (path, bytes) in the order of writing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory(pub Vec<(String, Vec<u8>)>);

impl Memory {
    /// The bytes of the file at this path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.0.iter().find(|(name, _)| name == path).map(|(_, bytes)| bytes.as_slice())
    }
}

impl Sink for Memory {
    type Writer<'a> = &'a mut Vec<u8>;

    fn create(&mut self, path: &str) -> io::Result<Self::Writer<'_>> {
        self.0.push((path.to_owned(), Vec::new()));
        match self.0.last_mut() {
            Some((_, bytes)) => Ok(bytes),
            None => Err(io::Error::other("no file")),
        }
    }
}

/// Writes the files below a directory, which is made if need be.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug, Clone)]
pub struct Directory(pub std::path::PathBuf);

#[cfg(not(target_arch = "wasm32"))]
impl Sink for Directory {
    // The simulator hands over large pieces, so a second buffer would only copy them again.
    type Writer<'a> = std::fs::File;

    fn create(&mut self, path: &str) -> io::Result<Self::Writer<'_>> {
        let mut full = self.0.clone();
        full.extend(path.split('/'));
        if let Some(parent) = full.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::File::create(full)
    }
}
