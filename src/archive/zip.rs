//! Reads the directory at the end of a zip archive, through the bytes it was given so far.
//!
//! `rawzip` reads the records. Where it needs a byte that is not here yet, the attempt is dropped and made again once
//! the byte was fetched: larger and larger pieces are asked for, so this happens a few times only.

use std::cell::Cell;

use rawzip::{CompressionMethod, ErrorKind, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipFileHeaderRecord, ZipLocator};

use super::part::{Part, Step};

/// Bytes fetched first, from the archive's end.
const FIRST_FETCH: u64 = 1 << 20;
/// Most bytes fetched at once.
const LARGEST_FETCH: u64 = 16 << 20;
/// Largest directory taken: millions of members.
const MAX_DIRECTORY_BYTES: u64 = 512 << 20;
/// Longest local header: its fixed part, a name and an extra field of 16-bit lengths.
const MAX_LOCAL_HEADER: u64 = 30 + 2 * 0xffff;

/// A member as the directory has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub name: Vec<u8>,
    /// Whether the archive says that the name is UTF-8.
    pub is_utf8: bool,
    pub size: u64,
    pub kind: Kind,
}

/// What a member is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    File(Part),
    Folder,
    Link,
    Encrypted,
    /// Packed in a way that is not known here.
    Method(String),
    /// It should begin behind the archive's end.
    NotHere,
}

/// What became of an attempt.
pub(super) enum Attempt {
    /// These bytes are needed: position and count.
    Want(u64, u64),
    /// All was read, or as much as could be: then why not more.
    Done(Vec<Found>, Option<String>),
    /// There is no directory: the archive is cut, or no zip.
    NoDirectory,
}

/// The bytes of an archive that are here.
pub(super) struct Directory {
    size: u64,
    pieces: Vec<(u64, Vec<u8>)>,
    fetch: u64,
    missing: Cell<Option<u64>>,
}

impl Directory {
    /// Of an archive of so many bytes.
    pub fn new(size: u64) -> Directory {
        Directory { size, pieces: Vec::new(), fetch: FIRST_FETCH, missing: Cell::new(None) }
    }

    /// The bytes to begin with.
    pub fn first(&self) -> (u64, u64) {
        let count = self.fetch.min(self.size);
        (self.size - count, count)
    }

    /// Takes bytes and tries again. `most`: members looked at.
    pub fn give(&mut self, at: u64, bytes: &[u8], most: usize) -> Attempt {
        self.pieces.push((at, bytes.to_vec()));
        let held: u64 = self.pieces.iter().map(|(_, piece)| piece.len() as u64).sum();
        self.missing.set(None);
        let attempt = self.attempt(most);
        let Some(missing) = self.missing.get() else { return attempt };
        if held > MAX_DIRECTORY_BYTES {
            return Attempt::Done(Vec::new(), Some(format!("more than {MAX_DIRECTORY_BYTES} bytes")));
        }
        if missing >= at && missing - at >= bytes.len() as u64 && bytes.is_empty() {
            // The file ended where bytes should have been.
            return Attempt::NoDirectory;
        }
        self.fetch = (self.fetch * 2).min(LARGEST_FETCH);
        let next = self.pieces.iter().map(|(at, _)| *at).filter(|at| *at > missing).min().unwrap_or(self.size);
        Attempt::Want(missing, self.fetch.min(next - missing))
    }

    fn attempt(&self, most: usize) -> Attempt {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = match ZipLocator::new().locate_in_reader(self, &mut buffer, self.size) {
            Ok(archive) => archive,
            Err((_, error)) => {
                return match error.kind() {
                    ErrorKind::MissingEndOfCentralDirectory => Attempt::NoDirectory,
                    _ => Attempt::Done(Vec::new(), Some(error.to_string())),
                };
            }
        };
        let end = archive.directory_offset();
        let mut entries = archive.entries(&mut buffer);
        let mut found = Vec::new();
        loop {
            match entries.next_entry() {
                Ok(Some(entry)) if found.len() <= most => found.push(self.describe(&entry, end)),
                Ok(_) => return Attempt::Done(found, None),
                Err(error) => return Attempt::Done(found, Some(error.to_string())),
            }
        }
    }

    /// `end`: where the directory begins, and members end.
    fn describe(&self, entry: &ZipFileHeaderRecord<'_>, end: u64) -> Found {
        let start = entry.local_header_offset();
        let packed = entry.compressed_size_hint();
        let size = entry.uncompressed_size_hint();
        let mode = entry.mode();
        let flags = entry.flags();
        let verify = Step::Verify { plain: size, crc: entry.crc32() };
        let member = Step::ZipMember { packed };
        let method = entry.compression_method();
        let unpack = match method {
            CompressionMethod::STORE => Some(vec![member, verify]),
            CompressionMethod::DEFLATE => Some(vec![member, Step::Inflate, verify]),
            _ => None,
        };
        let end = start.saturating_add(MAX_LOCAL_HEADER).saturating_add(packed).min(end.max(start)).min(self.size);
        let kind = if entry.is_dir() {
            Kind::Folder
        } else if flags.is_encrypted() || flags.is_masked() || method == CompressionMethod::AES {
            Kind::Encrypted
        } else if mode.is_symlink() {
            Kind::Link
        } else if start >= self.size {
            Kind::NotHere
        } else {
            match unpack {
                Some(unpack) => Kind::File(Part { start, end, unpack }),
                None => Kind::Method(method.name().map_or_else(|| method.to_string(), str::to_lowercase)),
            }
        };
        Found { name: entry.file_path().as_ref().to_vec(), is_utf8: flags.is_utf8(), size, kind }
    }
}

impl ReaderAt for Directory {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
        if offset >= self.size {
            return Ok(0);
        }
        let piece = self.pieces.iter().find_map(|(at, piece)| {
            let from = usize::try_from(offset.checked_sub(*at)?).ok()?;
            piece.get(from..).filter(|rest| !rest.is_empty())
        });
        let Some(rest) = piece else {
            self.missing.set(Some(offset));
            return Err(std::io::ErrorKind::WouldBlock.into());
        };
        let count = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        Ok(count)
    }
}
