//! Unpacks gzip from its start, noting places where unpacking can begin again, or from such a place.
//!
//! A member of a packed tar archive lies anywhere in the packed bytes. Deflate cannot be entered anywhere, but between two of its
//! blocks it can, given the 32 KiB of plain bytes before: so reading a member costs its own bytes, not all before it.

use flate2::Crc;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY};
use miniz_oxide::inflate::core::{BlockBoundaryState, DecompressorOxide, decompress};
use serde::{Deserialize, Serialize};

use super::fault::{Fault, Ratio};
use super::gzip::MAGIC;

/// How far deflate looks back.
const WINDOW_BYTES: usize = 32 << 10;
/// Plain bytes held: a power of two above the window.
const HELD_BYTES: usize = 64 << 10;
/// Longest header of a gzip stream: an extra field of 64 KiB and names.
const MAX_HEADER_BYTES: usize = 256 << 10;
/// Checksum and size behind a gzip stream.
const TRAILER_BYTES: usize = 8;
/// The decompressor may hold so many bytes of its input: a place less far into the input is not exact.
const LOOKAHEAD_BYTES: usize = 8;

/// A place between two blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Packed bytes before it.
    pub packed: u64,
    /// Plain bytes before it.
    pub plain: u64,
    bits: (u8, u8),
    window: Vec<u8>,
}

impl Place {
    /// How to go on from there.
    pub fn resume(&self) -> Resume {
        Resume { bits: self.bits, window: self.window.iter().map(|byte| char::from(*byte)).collect() }
    }
}

/// What is needed to go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resume {
    /// Bits of the last packed byte that belong to the next block, and how many.
    bits: (u8, u8),
    /// The plain bytes before, each as the character of its number: a text travels faster than a list of numbers.
    window: String,
}

enum State {
    Header(Vec<u8>),
    Body,
    Trailer(Vec<u8>),
    /// Zeros, or anything else, behind the last stream.
    End,
}

/// A push unpacker.
pub(super) struct GunzipAt {
    state: State,
    decoder: Box<DecompressorOxide>,
    held: Vec<u8>,
    at: usize,
    /// Checksum of this stream's bytes; `None` if it was entered in the middle.
    crc: Option<Crc>,
    ratio: Ratio,
    stopped: bool,
    place: Option<Place>,
    /// Whether anything but zeros came behind the last stream.
    has_more: bool,
}

impl Default for GunzipAt {
    fn default() -> Self {
        GunzipAt {
            state: State::Header(Vec::new()),
            decoder: Box::default(),
            held: vec![0; HELD_BYTES],
            at: 0,
            crc: None,
            ratio: Ratio::default(),
            stopped: false,
            place: None,
            has_more: false,
        }
    }
}

impl GunzipAt {
    /// Goes on from a place.
    pub fn resume(from: &Resume) -> GunzipAt {
        let (bit_buf, num_bits) = from.bits;
        let boundary = BlockBoundaryState { num_bits, bit_buf, ..BlockBoundaryState::default() };
        let mut held: Vec<u8> = from.window.chars().filter_map(|c| u8::try_from(c).ok()).take(WINDOW_BYTES).collect();
        let at = held.len();
        held.resize(HELD_BYTES, 0);
        let decoder = Box::new(DecompressorOxide::from_block_boundary_state(&boundary));
        GunzipAt { state: State::Body, decoder, held, at, ..GunzipAt::default() }
    }

    /// The last place passed where unpacking can begin.
    #[cfg(test)]
    fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Unpacks the next bytes; `take` gets plain pieces, and the unpacker as it stands before them.
    ///
    /// # Errors
    /// Damaged or absurd data, once; everything fed afterwards is ignored.
    pub fn feed(&mut self, packed: &[u8], take: &mut dyn FnMut(Option<&Place>, &[u8])) -> Result<(), Fault> {
        let mut rest = packed;
        while !rest.is_empty() && !self.stopped {
            let used = match self.step(rest, take) {
                Ok(used) => used,
                Err(fault) => {
                    self.stopped = true;
                    return Err(fault);
                }
            };
            rest = rest.get(used..).unwrap_or_default();
        }
        Ok(())
    }

    /// Whether something other than padding stands behind the packed data.
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// Ends the packed data.
    ///
    /// # Errors
    /// The data stops before its end; all there was is given.
    pub fn finish(&mut self) -> Result<(), Fault> {
        match &self.state {
            _ if self.stopped => Ok(()),
            State::End => Ok(()),
            State::Header(head) if head.is_empty() && self.ratio.packed > 0 => Ok(()),
            _ => Err(Fault::Damaged("unexpected end of packed data".to_owned())),
        }
    }

    fn step(&mut self, bytes: &[u8], take: &mut dyn FnMut(Option<&Place>, &[u8])) -> Result<usize, Fault> {
        let damaged = |what: &str| Err(Fault::Damaged(what.to_owned()));
        match &mut self.state {
            State::End => {
                self.has_more |= bytes.iter().any(|byte| *byte != 0);
                Ok(bytes.len())
            }
            State::Header(head) => {
                let before = head.len();
                let is_first = self.ratio.packed == before as u64;
                head.extend_from_slice(bytes);
                match header_length(head) {
                    Header::None if !is_first => {
                        self.has_more |= head.iter().any(|byte| *byte != 0);
                        self.state = State::End;
                        Ok(bytes.len())
                    }
                    Header::None => damaged("no gzip header"),
                    Header::Unfinished if head.len() > MAX_HEADER_BYTES => damaged("endless gzip header"),
                    Header::Unfinished => {
                        self.ratio.packed += bytes.len() as u64;
                        Ok(bytes.len())
                    }
                    Header::Whole(length) => {
                        let used = length.saturating_sub(before);
                        self.ratio.packed += used as u64;
                        *self.decoder = DecompressorOxide::default();
                        self.at = 0;
                        self.crc = Some(Crc::new());
                        self.state = State::Body;
                        Ok(used)
                    }
                }
            }
            State::Body => self.inflate(bytes, take),
            State::Trailer(trailer) => {
                let own = bytes.get(..(TRAILER_BYTES - trailer.len()).min(bytes.len())).unwrap_or_default();
                trailer.extend_from_slice(own);
                self.ratio.packed += own.len() as u64;
                if let [c0, c1, c2, c3, s0, s1, s2, s3] = trailer.as_slice() {
                    let said = (u32::from_le_bytes([*c0, *c1, *c2, *c3]), u32::from_le_bytes([*s0, *s1, *s2, *s3]));
                    self.state = State::Header(Vec::new());
                    if self.crc.take().is_some_and(|crc| (crc.sum(), crc.amount()) != said) {
                        return damaged("checksum differs");
                    }
                }
                Ok(own.len())
            }
        }
    }

    fn inflate(&mut self, bytes: &[u8], take: &mut dyn FnMut(Option<&Place>, &[u8])) -> Result<usize, Fault> {
        let flags = TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_STOP_ON_BLOCK_BOUNDARY;
        let (status, used, made) = decompress(&mut self.decoder, bytes, &mut self.held, self.at, flags);
        let plain = self.held.get(self.at..self.at + made).unwrap_or_default();
        if let Some(crc) = &mut self.crc {
            crc.update(plain);
        }
        self.ratio.packed += used as u64;
        self.ratio.plain += made as u64;
        if made > 0 {
            take(self.place.as_ref(), plain);
        }
        self.at = (self.at + made) % HELD_BYTES;
        match status {
            TINFLStatus::Done => self.state = State::Trailer(Vec::new()),
            TINFLStatus::BlockBoundary if used >= LOOKAHEAD_BYTES => self.note_place(),
            TINFLStatus::BlockBoundary | TINFLStatus::HasMoreOutput | TINFLStatus::NeedsMoreInput => {}
            _ => return Err(Fault::Damaged("corrupt deflate stream".to_owned())),
        }
        self.ratio.check()?;
        // Output may still come without input; no progress at all cannot happen but would never end.
        let stuck = used == 0 && made == 0 && status == TINFLStatus::NeedsMoreInput;
        Ok(if stuck { bytes.len() } else { used })
    }

    fn note_place(&mut self) {
        let Some(state) = self.decoder.block_boundary_state() else { return };
        let held = usize::try_from(self.ratio.plain).unwrap_or(usize::MAX).min(WINDOW_BYTES);
        let (new, old) = self.held.split_at(self.at);
        let newer = new.len().min(held);
        let mut window = self.place.take().map(|place| place.window).unwrap_or_default();
        window.clear();
        window.extend_from_slice(old.get(old.len() - (held - newer)..).unwrap_or_default());
        window.extend_from_slice(new.get(new.len() - newer..).unwrap_or_default());
        let bits = (state.bit_buf, state.num_bits);
        self.place = Some(Place { packed: self.ratio.packed, plain: self.ratio.plain, bits, window });
    }
}

enum Header {
    /// These bytes begin no gzip stream.
    None,
    Unfinished,
    /// So many bytes.
    Whole(usize),
}

/// The length of a gzip header (RFC 1952, 2.3).
fn header_length(bytes: &[u8]) -> Header {
    if !bytes.starts_with(MAGIC.get(..bytes.len().min(MAGIC.len())).unwrap_or_default()) {
        return Header::None;
    }
    let [_, _, method, flags, _, _, _, _, _, _, rest @ ..] = bytes else { return Header::Unfinished };
    if *method != 8 {
        return Header::None;
    }
    let mut rest = rest;
    if flags & 4 != 0 {
        let [low, high, behind @ ..] = rest else { return Header::Unfinished };
        let Some(behind) = behind.get(usize::from(u16::from_le_bytes([*low, *high]))..) else {
            return Header::Unfinished;
        };
        rest = behind;
    }
    for text in [8, 16] {
        if flags & text != 0 {
            let Some(end) = memchr::memchr(0, rest) else { return Header::Unfinished };
            rest = rest.get(end + 1..).unwrap_or_default();
        }
    }
    let check = if flags & 2 != 0 { 2 } else { 0 };
    if rest.len() < check {
        return Header::Unfinished;
    }
    Header::Whole(bytes.len() - rest.len() + check)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, GzBuilder};
    use proptest::prelude::*;

    use super::*;

    fn pack(text: &[u8], level: u32) -> Vec<u8> {
        let builder = GzBuilder::new().filename("a name").extra(vec![1; 300]).comment("said");
        let mut encoder = builder.write(Vec::new(), Compression::new(level));
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn text(numbers: u32) -> Vec<u8> {
        (0..numbers).flat_map(|i| format!("{},", i.wrapping_mul(2_654_435_761)).into_bytes()).collect()
    }

    type Read = (Vec<u8>, Vec<Place>, Result<(), Fault>);

    fn read(mut gunzip: GunzipAt, packed: &[u8], piece: usize) -> Read {
        let (mut out, mut places, mut result) = (Vec::new(), Vec::new(), Ok(()));
        for bytes in packed.chunks(piece) {
            result = result.and(gunzip.feed(bytes, &mut |_, plain| out.extend_from_slice(plain)));
            if let Some(place) = gunzip.place().filter(|place| places.last() != Some(*place)) {
                places.push(place.clone());
            }
        }
        let end = gunzip.finish();
        (out, places, result.and(end))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn from_every_place_the_rest_is_the_same(
            numbers in 1u32..40_000, level in 0u32..9, piece in 1usize..20_000, second: bool,
        ) {
            let plain = text(numbers);
            let mut packed = pack(&plain, level);
            let mut whole = plain.clone();
            if second {
                packed.extend(pack(&plain, 6));
                whole.extend(&plain);
                // tar pads what it writes to tapes.
                packed.extend([0; 100]);
            }
            let (out, places, result) = read(GunzipAt::default(), &packed, piece);
            prop_assert_eq!(&result, &Ok(()));
            prop_assert!(out == whole);
            for place in places {
                let resume = serde_json::from_str(&serde_json::to_string(&place.resume()).unwrap()).unwrap();
                let (rest, _, result) = read(GunzipAt::resume(&resume), &packed[place.packed as usize..], piece);
                prop_assert_eq!(result, Ok(()));
                prop_assert!(rest == whole[place.plain as usize..]);
            }
        }

        #[test]
        fn damage_is_survived(cut in any::<usize>(), at in any::<usize>(), mask in any::<u8>(), piece in 1usize..5000) {
            let plain = text(20_000);
            let mut packed = pack(&plain, 6);
            packed.truncate(cut % packed.len());
            let at = at % packed.len().max(1);
            if let Some(byte) = packed.get_mut(at) {
                *byte ^= mask;
            }
            let (_, places, result) = read(GunzipAt::default(), &packed, piece);
            prop_assert!(result.is_err());
            for place in places {
                let rest = &packed[(place.packed as usize).min(packed.len())..];
                prop_assert!(read(GunzipAt::resume(&place.resume()), rest, piece).2.is_err());
            }
        }
    }

    #[test]
    fn places_are_close_together_and_damage_is_named() {
        let plain = text(400_000);
        let packed = pack(&plain, 6);
        let (_, places, _) = read(GunzipAt::default(), &packed, 1 << 10);
        assert!(places.len() > plain.len() / 400_000, "{} places in {} bytes", places.len(), plain.len());

        let mut wrong = packed.clone();
        let last = wrong.len() - 6;
        wrong[last] ^= 1;
        assert_eq!(read(GunzipAt::default(), &wrong, 4096).2, Err(Fault::Damaged("checksum differs".to_owned())));
        let zeros = pack(&vec![0; 100 << 20], 9);
        let (out, _, result) = read(GunzipAt::default(), &zeros, 1 << 20);
        assert_eq!(result, Err(Fault::Bomb));
        assert!(out.len() < 80 << 20);
    }
}
