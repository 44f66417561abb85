//! Whether a member of an archive is the file that lies beside it: both are summed up as they are fed.

use flate2::Crc;

use super::part::{Part, Step};
use super::unpack::Unpacker;

/// Length and CRC-32 of a file's plain bytes.
pub type Sum = (u64, u32);

/// Sums up a file as it is fed.
pub struct Fingerprint {
    unpacker: Unpacker,
    crc: Crc,
    bytes: u64,
    is_damaged: bool,
}

impl Fingerprint {
    /// Of a file of its own, byte by byte as it lies there, or of a part of an archive, unpacked.
    pub fn new(part: Option<&Part>) -> Fingerprint {
        Fingerprint { unpacker: Unpacker::as_it_is(part), crc: Crc::new(), bytes: 0, is_damaged: false }
    }

    /// Whether further bytes can matter.
    pub fn wants_more(&self) -> bool {
        self.unpacker.wants_more()
    }

    /// Takes the next bytes as they lie on the disk.
    pub fn feed(&mut self, bytes: &[u8]) {
        let Fingerprint { unpacker, crc, bytes: count, .. } = self;
        let result = unpacker.feed(bytes, &mut |plain| {
            crc.update(plain);
            *count += plain.len() as u64;
        });
        self.is_damaged |= result.is_err();
    }

    /// The sum; `None` of what is damaged.
    pub fn finish(mut self) -> Option<Sum> {
        let Fingerprint { unpacker, crc, bytes, .. } = &mut self;
        let result = unpacker.finish(&mut |plain| {
            crc.update(plain);
            *bytes += plain.len() as u64;
        });
        (result.is_ok() && !self.is_damaged).then(|| (self.bytes, self.crc.sum()))
    }
}

impl Part {
    /// What the archive itself says of the member, if it does.
    pub fn sum(&self) -> Option<Sum> {
        self.unpack.iter().rev().find_map(|step| match step {
            Step::Verify { plain, crc } => Some((*plain, *crc)),
            _ => None,
        })
    }
}
