//! Unpacks raw deflate, as members of zip archives hold it, as it is fed.

use flate2::{Decompress, FlushDecompress, Status};

use super::fault::{Fault, Ratio};

/// Plain bytes handed over at once.
const PIECE_BYTES: usize = 64 << 10;

/// A push unpacker.
pub(super) struct Inflate {
    decoder: Decompress,
    plain: Vec<u8>,
    ratio: Ratio,
    stopped: bool,
    ended: bool,
}

impl Default for Inflate {
    fn default() -> Self {
        Inflate {
            decoder: Decompress::new(false),
            plain: vec![0; PIECE_BYTES],
            ratio: Ratio::default(),
            stopped: false,
            ended: false,
        }
    }
}

impl Inflate {
    /// Unpacks the next bytes; `take` gets plain pieces. Gives how many of the bytes belonged to the packed data.
    ///
    /// # Errors
    /// Damaged or absurd data, once; everything fed afterwards is ignored.
    pub fn feed(&mut self, packed: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<usize, Fault> {
        let mut at = 0;
        while !self.stopped {
            let (before_in, before_out) = (self.decoder.total_in(), self.decoder.total_out());
            let rest = packed.get(at..).unwrap_or_default();
            let status = self.decoder.decompress(rest, &mut self.plain, FlushDecompress::None);
            let used = (self.decoder.total_in() - before_in) as usize;
            let made = (self.decoder.total_out() - before_out) as usize;
            at += used;
            self.ratio.packed += used as u64;
            self.ratio.plain += made as u64;
            if made > 0 {
                take(self.plain.get(..made).unwrap_or_default());
            }
            let judged = match status {
                Err(error) => Err(Fault::Damaged(error.to_string())),
                Ok(Status::StreamEnd) => {
                    self.ended = true;
                    self.stopped = true;
                    Ok(())
                }
                Ok(_) => self.ratio.check(),
            };
            if let Err(fault) = judged {
                self.stopped = true;
                return Err(fault);
            }
            // No more comes out of what is there.
            if used == 0 && made < PIECE_BYTES {
                break;
            }
        }
        Ok(at)
    }

    /// Ends the packed data.
    ///
    /// # Errors
    /// The data stops before its end; all there was is given.
    pub fn finish(&mut self) -> Result<(), Fault> {
        if self.stopped {
            return Ok(());
        }
        self.stopped = true;
        Err(Fault::Damaged("unexpected end of packed data".to_owned()))
    }

    /// Whether the packed data came to its end.
    pub fn ended(&self) -> bool {
        self.ended
    }
}
