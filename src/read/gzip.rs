//! Unpacks `.gz` files as they are fed: packed chunks in, plain chunks out.
//!
//! It holds one packed chunk's output at most. Packed bytes that expand beyond reason are refused (a bomb, not a profile).

use std::io::Write;

use flate2::write::MultiGzDecoder;

/// The first bytes of every gzip file.
const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Largest factor between plain and packed bytes: deflate cannot exceed 1032, and traces stay below 60.
const MAX_RATIO: u64 = 400;
/// Ratios are judged from this many plain bytes on: a small file of one repeated row may well pack tighter.
const JUDGED_FROM_BYTES: u64 = 64 << 20;
/// Packed bytes unpacked at once: even at the highest ratio their output stays small.
const STEP_BYTES: usize = 16 << 10;

/// Why unpacking stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GzipError {
    /// The packed data is damaged; all before it was given.
    Damaged(String),
    /// It expands beyond reason.
    Bomb,
}

/// A push unpacker.
pub struct Gunzip {
    decoder: MultiGzDecoder<Vec<u8>>,
    packed: u64,
    plain: u64,
    stopped: bool,
}

impl Default for Gunzip {
    fn default() -> Self {
        Gunzip { decoder: MultiGzDecoder::new(Vec::new()), packed: 0, plain: 0, stopped: false }
    }
}

impl Gunzip {
    /// Unpacks the next bytes; `take` gets plain pieces.
    ///
    /// # Errors
    /// Damaged or absurd data, once; everything fed afterwards is ignored.
    pub fn feed(&mut self, packed: &[u8], take: &mut impl FnMut(&[u8])) -> Result<(), GzipError> {
        for step in packed.chunks(STEP_BYTES) {
            if self.stopped {
                return Ok(());
            }
            let result = self.decoder.write_all(step);
            self.packed += step.len() as u64;
            self.hand_over(take);
            if let Err(error) = result {
                self.stopped = true;
                return Err(GzipError::Damaged(error.to_string()));
            }
            if self.plain > JUDGED_FROM_BYTES && self.plain / self.packed.max(1) > MAX_RATIO {
                self.stopped = true;
                return Err(GzipError::Bomb);
            }
        }
        Ok(())
    }

    /// Ends the packed data.
    ///
    /// # Errors
    /// The data stops before its end; all there was is given.
    pub fn finish(&mut self, take: &mut impl FnMut(&[u8])) -> Result<(), GzipError> {
        if self.stopped {
            return Ok(());
        }
        self.stopped = true;
        let result = self.decoder.try_finish();
        self.hand_over(take);
        result.map_err(|error| GzipError::Damaged(error.to_string()))
    }

    fn hand_over(&mut self, take: &mut impl FnMut(&[u8])) {
        let plain = self.decoder.get_mut();
        if !plain.is_empty() {
            self.plain += plain.len() as u64;
            take(plain);
            plain.clear();
        }
    }
}

/// Plain or packed, as a file's first two bytes say: names lie, and a packed file may have lost its ending.
#[derive(Default)]
pub enum Unpacker {
    /// Fewer than two bytes were fed.
    #[default]
    Empty,
    /// One byte was fed.
    OneByte(u8),
    /// Not packed.
    Plain,
    /// gzip.
    Packed(Box<Gunzip>),
}

impl Unpacker {
    /// Takes the next bytes; `take` gets plain pieces.
    ///
    /// # Errors
    /// See [`Gunzip::feed`].
    pub fn feed(&mut self, bytes: &[u8], take: &mut impl FnMut(&[u8])) -> Result<(), GzipError> {
        let joined;
        let mut bytes = bytes;
        match (&*self, bytes) {
            (_, []) => return Ok(()),
            (Unpacker::Empty, [only]) => {
                *self = Unpacker::OneByte(*only);
                return Ok(());
            }
            (Unpacker::OneByte(first), _) => {
                joined = [&[*first], bytes].concat();
                bytes = &joined;
                *self = Unpacker::decide(bytes);
            }
            (Unpacker::Empty, _) => *self = Unpacker::decide(bytes),
            _ => {}
        }
        match self {
            Unpacker::Packed(gunzip) => gunzip.feed(bytes, take),
            Unpacker::Empty | Unpacker::OneByte(_) | Unpacker::Plain => {
                take(bytes);
                Ok(())
            }
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// See [`Gunzip::finish`].
    pub fn finish(&mut self, take: &mut impl FnMut(&[u8])) -> Result<(), GzipError> {
        match std::mem::replace(self, Unpacker::Plain) {
            Unpacker::Packed(mut gunzip) => gunzip.finish(take),
            Unpacker::OneByte(byte) => {
                take(&[byte]);
                Ok(())
            }
            Unpacker::Empty | Unpacker::Plain => Ok(()),
        }
    }

    fn decide(first: &[u8]) -> Unpacker {
        if first.starts_with(&MAGIC) { Unpacker::Packed(Box::default()) } else { Unpacker::Plain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};

    fn pack(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn unpack(packed: &[u8], piece: usize) -> (Vec<u8>, Result<(), GzipError>) {
        let mut out = Vec::new();
        let mut gunzip = Unpacker::default();
        let mut result = Ok(());
        for bytes in packed.chunks(piece) {
            result = result.and(gunzip.feed(bytes, &mut |plain| out.extend_from_slice(plain)));
        }
        let end = gunzip.finish(&mut |plain| out.extend_from_slice(plain));
        (out, result.and(end))
    }

    #[test]
    fn gives_the_same_for_any_cut() {
        let text: Vec<u8> =
            (0..100_000u32).flat_map(|i| format!("{},", i.wrapping_mul(2_654_435_761)).into_bytes()).collect();
        let mut packed = pack(&text);
        packed.extend(pack(b"second member"));
        let whole = [text.as_slice(), b"second member"].concat();
        for piece in [1, 7, 1000, usize::MAX] {
            assert_eq!(unpack(&packed, piece), (whole.clone(), Ok(())), "{piece}");
        }
    }

    #[test]
    fn plain_files_pass_as_they_are() {
        for text in [&b""[..], b"a", b"\x1f", b"ab", b"[{}]"] {
            for piece in [1, 2, 10] {
                assert_eq!(unpack(text, piece), (text.to_vec(), Ok(())));
            }
        }
    }

    #[test]
    fn a_cut_file_gives_what_came_before() {
        let text: Vec<u8> =
            (0..50_000u32).flat_map(|i| format!("{},", i.wrapping_mul(2_654_435_761)).into_bytes()).collect();
        let packed = pack(&text);
        let (out, result) = unpack(&packed[..packed.len() / 2], 4096);
        assert!(matches!(result, Err(GzipError::Damaged(_))));
        assert!(out.len() > text.len() / 4 && text.starts_with(&out));
    }

    #[test]
    fn a_bomb_is_refused() {
        let (out, result) = unpack(&pack(&vec![0; 200 << 20]), 1 << 20);
        assert_eq!(result, Err(GzipError::Bomb));
        assert!(out.len() < 100 << 20);
    }
}
