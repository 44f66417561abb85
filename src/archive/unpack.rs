//! The chain of steps from a file's bytes, as they lie on the disk, to plain text.
//!
//! Behind the steps an archive asks for comes one that always looks: what begins like gzip is unpacked whatever its name says,
//! and a packed file inside an archive needs no step of its own.

use flate2::Crc;

use super::fault::{Fault, Ratio};
use super::gzip::{Gunzip, MAGIC};
use super::gzip_at::GunzipAt;
use super::inflate::Inflate;
use super::part::{Part, Step};

/// Length of a zip member's local header without name and extra field.
const LOCAL_HEADER_BYTES: usize = 30;
/// Bytes fed at once where only the beginning matters.
const BEGINNING_PIECE: usize = 64 << 10;

/// Unpacks one file as it is fed.
pub struct Unpacker {
    stages: Vec<Stage>,
    ratio: Ratio,
    stopped: bool,
}

impl Default for Unpacker {
    fn default() -> Self {
        Unpacker::new(None)
    }
}

impl Unpacker {
    /// For a file of its own, or for a part of an archive.
    pub fn new(part: Option<&Part>) -> Unpacker {
        let steps = part.map(|part| part.unpack.as_slice()).unwrap_or_default();
        let stages = steps.iter().map(Stage::new).chain([Stage::Look(Look::default())]).collect();
        Unpacker { stages, ratio: Ratio::default(), stopped: false }
    }

    /// The same, but a packed file within stays as it is.
    pub fn as_it_is(part: Option<&Part>) -> Unpacker {
        let mut unpacker = Unpacker::new(part);
        unpacker.stages.retain(|stage| !matches!(stage, Stage::Look(_)));
        unpacker
    }

    /// Whether further bytes can matter: not if a part is complete or was given up.
    pub fn wants_more(&self) -> bool {
        !self.stopped && !self.stages.iter().any(Stage::is_complete)
    }

    /// Takes the next bytes; `take` gets plain pieces.
    ///
    /// # Errors
    /// Damaged or absurd data, once; everything fed afterwards is ignored.
    pub fn feed(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
        if self.stopped {
            return Ok(());
        }
        self.ratio.packed += bytes.len() as u64;
        let Unpacker { stages, ratio, .. } = self;
        let result = push(stages, bytes, &mut |plain| {
            ratio.plain += plain.len() as u64;
            take(plain);
        });
        let result = result.and_then(|()| self.ratio.check());
        self.stopped = result.is_err();
        result
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The packed data stops before its end; all there was is given.
    pub fn finish(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
        let was_stopped = std::mem::replace(&mut self.stopped, true);
        // What lies behind the end of a complete stage is of no interest to the stages before it either.
        let from = self.stages.iter().rposition(Stage::is_complete).unwrap_or(0);
        let result = drain(self.stages.get_mut(from..).unwrap_or_default(), take);
        // Why it stopped was said.
        if was_stopped { Ok(()) } else { result }
    }
}

/// Collects the first plain bytes of a file.
pub struct Beginning {
    unpacker: Unpacker,
    bytes: Vec<u8>,
    most: usize,
}

impl Beginning {
    /// Of a file of its own or a part of an archive: at most so many plain bytes.
    pub fn new(part: Option<&Part>, most: u64) -> Beginning {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Beginning { unpacker: Unpacker::new(part), bytes: Vec::new(), most }
    }

    /// Whether it has too little yet.
    pub fn wants_more(&self) -> bool {
        self.bytes.len() < self.most && self.unpacker.wants_more()
    }

    /// Takes the next bytes as they lie on the disk. Damaged data ends the beginning: whoever reads the file says so.
    pub fn feed(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(BEGINNING_PIECE) {
            if self.wants_more() {
                let Beginning { unpacker, bytes, most } = self;
                let _ = unpacker.feed(piece, &mut |plain| append(bytes, plain, *most));
            }
        }
    }

    /// The bytes.
    pub fn finish(mut self) -> Vec<u8> {
        let Beginning { unpacker, bytes, most } = &mut self;
        let _ = unpacker.finish(&mut |plain| append(bytes, plain, *most));
        self.bytes
    }
}

fn append(bytes: &mut Vec<u8>, plain: &[u8], most: usize) {
    bytes.extend_from_slice(up_to(plain, most.saturating_sub(bytes.len()) as u64));
}

/// Sends bytes through the stages.
fn push(stages: &mut [Stage], bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
    let Some((first, rest)) = stages.split_first_mut() else {
        take(bytes);
        return Ok(());
    };
    let mut later = Ok(());
    let own = first.feed(bytes, &mut |plain| {
        if later.is_ok() {
            later = push(rest, plain, take);
        }
    });
    own.and(later)
}

/// Ends the stages one after the other; the first fault counts.
fn drain(stages: &mut [Stage], take: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
    let Some((first, rest)) = stages.split_first_mut() else { return Ok(()) };
    let mut later = Ok(());
    let own = first.finish(&mut |plain| {
        if later.is_ok() {
            later = push(rest, plain, take);
        }
    });
    // A part may be complete before the packed data around it ends.
    let own = if rest.iter().any(Stage::is_complete) { Ok(()) } else { own };
    own.and(later).and(drain(rest, take))
}

/// One step at work.
enum Stage {
    /// A zip member's local header: what of it came, bytes of name and extra field to skip, packed bytes left.
    ZipMember {
        head: Vec<u8>,
        skip: usize,
        left: u64,
    },
    Inflate(Box<Inflate>),
    Gunzip(Box<Gunzip>),
    Resume(Box<GunzipAt>),
    Cut {
        skip: u64,
        left: u64,
    },
    Verify {
        left: u64,
        crc: u32,
        seen: Crc,
    },
    Look(Look),
}

impl Stage {
    fn new(step: &Step) -> Stage {
        match step {
            Step::ZipMember { packed } => Stage::ZipMember { head: Vec::new(), skip: 0, left: *packed },
            Step::Inflate => Stage::Inflate(Box::default()),
            Step::Gunzip => Stage::Gunzip(Box::default()),
            Step::Resume(from) => Stage::Resume(Box::new(GunzipAt::resume(from))),
            Step::Cut { from, len } => Stage::Cut { skip: *from, left: *len },
            Step::Verify { plain, crc } => Stage::Verify { left: *plain, crc: *crc, seen: Crc::new() },
        }
    }

    /// Whether nothing that is fed can come out any more.
    fn is_complete(&self) -> bool {
        match self {
            Stage::ZipMember { head, skip, left } => head.len() == LOCAL_HEADER_BYTES && *skip == 0 && *left == 0,
            Stage::Inflate(inflate) => inflate.ended(),
            Stage::Cut { left, .. } => *left == 0,
            Stage::Gunzip(_) | Stage::Resume(_) | Stage::Verify { .. } | Stage::Look(_) => false,
        }
    }

    fn feed(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
        match self {
            Stage::ZipMember { head, skip, left } => {
                let missing = LOCAL_HEADER_BYTES - head.len();
                let (now, rest) = bytes.split_at(missing.min(bytes.len()));
                if missing > 0 {
                    head.extend_from_slice(now);
                    if head.len() < LOCAL_HEADER_BYTES {
                        return Ok(());
                    }
                    *skip = behind_local_header(head)?;
                }
                let (skipped, rest) = rest.split_at((*skip).min(rest.len()));
                *skip -= skipped.len();
                let own = up_to(rest, *left);
                *left -= own.len() as u64;
                take(own);
                Ok(())
            }
            Stage::Inflate(inflate) => inflate.feed(bytes, take).map(|_| ()),
            Stage::Gunzip(gunzip) => gunzip.feed(bytes, take),
            Stage::Resume(gunzip) => gunzip.feed(bytes, &mut |_, plain| take(plain)),
            Stage::Cut { skip, left } => {
                let skipped = up_to(bytes, *skip).len();
                *skip -= skipped as u64;
                let own = up_to(bytes.get(skipped..).unwrap_or_default(), *left);
                *left -= own.len() as u64;
                if !own.is_empty() {
                    take(own);
                }
                Ok(())
            }
            Stage::Verify { left, seen, .. } => {
                let own = up_to(bytes, *left);
                *left -= own.len() as u64;
                seen.update(own);
                take(own);
                if own.len() < bytes.len() {
                    return Err(Fault::Damaged("more data than the archive says".to_owned()));
                }
                Ok(())
            }
            Stage::Look(look) => look.feed(bytes, take),
        }
    }

    fn finish(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
        let short = || Err(Fault::Damaged("unexpected end of data".to_owned()));
        match self {
            Stage::ZipMember { .. } if !self.is_complete() => short(),
            Stage::Cut { left, .. } if *left > 0 => short(),
            Stage::Verify { left, .. } if *left > 0 => short(),
            Stage::Verify { crc, seen, .. } if seen.sum() != *crc => Err(Fault::Damaged("checksum differs".to_owned())),
            Stage::Gunzip(gunzip) => gunzip.finish(take),
            Stage::Resume(gunzip) => gunzip.finish(),
            Stage::ZipMember { .. } | Stage::Cut { .. } | Stage::Verify { .. } => Ok(()),
            Stage::Inflate(inflate) => inflate.finish(),
            Stage::Look(look) => look.finish(take),
        }
    }
}

fn up_to(bytes: &[u8], count: u64) -> &[u8] {
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(bytes.len());
    bytes.get(..count).unwrap_or_default()
}

/// Bytes of name and extra field behind a local header.
fn behind_local_header(head: &[u8]) -> Result<usize, Fault> {
    match head {
        [b'P', b'K', 3, 4, .., n0, n1, e0, e1] => {
            Ok(usize::from(u16::from_le_bytes([*n0, *n1])) + usize::from(u16::from_le_bytes([*e0, *e1])))
        }
        _ => Err(Fault::Damaged("no zip member where the archive says".to_owned())),
    }
}

/// Plain or packed, as a file's first two bytes say: names lie, and a packed file may have lost its ending.
#[derive(Default)]
enum Look {
    /// Fewer than two bytes were fed.
    #[default]
    Empty,
    /// One byte was fed.
    OneByte(u8),
    Plain,
    Packed(Box<Gunzip>),
}

impl Look {
    fn feed(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
        let joined;
        let mut bytes = bytes;
        match (&*self, bytes) {
            (_, []) => return Ok(()),
            (Look::Empty, [only]) => {
                *self = Look::OneByte(*only);
                return Ok(());
            }
            (Look::OneByte(first), _) => {
                joined = [&[*first], bytes].concat();
                bytes = &joined;
                *self = Look::decide(bytes);
            }
            (Look::Empty, _) => *self = Look::decide(bytes),
            _ => {}
        }
        match self {
            Look::Packed(gunzip) => gunzip.feed(bytes, take),
            Look::Empty | Look::OneByte(_) | Look::Plain => {
                take(bytes);
                Ok(())
            }
        }
    }

    fn finish(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
        match std::mem::replace(self, Look::Plain) {
            Look::Packed(mut gunzip) => gunzip.finish(take),
            Look::OneByte(byte) => {
                take(&[byte]);
                Ok(())
            }
            Look::Empty | Look::Plain => Ok(()),
        }
    }

    fn decide(first: &[u8]) -> Look {
        if first.starts_with(&MAGIC) { Look::Packed(Box::default()) } else { Look::Plain }
    }
}

#[cfg(test)]
mod tests;
