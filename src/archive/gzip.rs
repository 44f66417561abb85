//! Unpacks gzip as it is fed: packed chunks in, plain chunks out.
//!
//! It holds one packed step's output at most.

use std::io::Write;

use flate2::write::MultiGzDecoder;

use super::fault::{Fault, Ratio};

/// The first bytes of every gzip file.
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Packed bytes unpacked at once: even at the highest ratio their output stays small.
const STEP_BYTES: usize = 16 << 10;

/// A push unpacker.
pub(super) struct Gunzip {
    decoder: MultiGzDecoder<Vec<u8>>,
    ratio: Ratio,
    stopped: bool,
}

impl Default for Gunzip {
    fn default() -> Self {
        Gunzip { decoder: MultiGzDecoder::new(Vec::new()), ratio: Ratio::default(), stopped: false }
    }
}

impl Gunzip {
    /// Unpacks the next bytes; `take` gets plain pieces.
    ///
    /// # Errors
    /// Damaged or absurd data, once; everything fed afterwards is ignored.
    pub fn feed(&mut self, packed: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
        for step in packed.chunks(STEP_BYTES) {
            if self.stopped {
                return Ok(());
            }
            let result = self.decoder.write_all(step);
            self.ratio.packed += step.len() as u64;
            self.hand_over(take);
            let judged = result.map_err(|error| Fault::Damaged(error.to_string())).and_then(|()| self.ratio.check());
            if judged.is_err() {
                self.stopped = true;
                return judged;
            }
        }
        Ok(())
    }

    /// Ends the packed data.
    ///
    /// # Errors
    /// The data stops before its end; all there was is given.
    pub fn finish(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<(), Fault> {
        if self.stopped {
            return Ok(());
        }
        self.stopped = true;
        let result = self.decoder.try_finish();
        self.hand_over(take);
        result.map_err(|error| Fault::Damaged(error.to_string()))
    }

    fn hand_over(&mut self, take: &mut dyn FnMut(&[u8])) {
        let plain = self.decoder.get_mut();
        if !plain.is_empty() {
            self.ratio.plain += plain.len() as u64;
            take(plain);
            plain.clear();
        }
    }
}
