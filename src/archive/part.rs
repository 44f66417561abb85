//! Where a packed file lies in its archive and how it is unpacked, as a value that can be sent to a worker.

use serde::{Deserialize, Serialize};

use super::gzip_at::Resume;

/// A member of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// First byte of the archive to feed.
    pub start: u64,
    /// The byte after the last; the unpacker may have enough before.
    pub end: u64,
    /// What to do with these bytes, in order.
    pub unpack: Vec<Step>,
}

impl Part {
    /// Bytes to feed.
    pub fn bytes(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }
}

/// One step of unpacking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// The local header of a zip member, which is left out, and so many packed bytes behind it.
    ZipMember {
        /// Packed bytes.
        packed: u64,
    },
    /// Raw deflate, as in zip.
    Inflate,
    /// gzip.
    Gunzip,
    /// gzip, from a place in its middle.
    Resume(Resume),
    /// A piece of the bytes so far.
    Cut {
        /// Bytes to leave out.
        from: u64,
        /// Bytes to keep.
        len: u64,
    },
    /// Nothing is changed; size and checksum are compared.
    Verify {
        /// Plain bytes.
        plain: u64,
        /// CRC-32 of them.
        crc: u32,
    },
}
