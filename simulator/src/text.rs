//! Writing text fast: a buffer in front of any writer, and numbers the way Python prints them.

use std::io::{self, Write};

const FULL: usize = 1 << 16;

/// Collects bytes and hands them on in large pieces. The first error is kept and everything after it dropped, so that
/// the simulation needs no error handling at each event; [`Out::finish`] reports it.
pub(crate) struct Out<'w> {
    to: &'w mut dyn Write,
    buffer: Vec<u8>,
    flushed: u64,
    error: Option<io::Error>,
}

impl<'w> Out<'w> {
    pub(crate) fn new(to: &'w mut dyn Write) -> Self {
        Self { to, buffer: Vec::with_capacity(FULL + 4096), flushed: 0, error: None }
    }

    /// Bytes written so far.
    pub(crate) fn written(&self) -> u64 {
        self.flushed + self.buffer.len() as u64
    }

    pub(crate) fn str(&mut self, text: &str) -> &mut Self {
        if self.buffer.len() + text.len() > FULL {
            self.flush();
        }
        self.buffer.extend_from_slice(text.as_bytes());
        self
    }

    pub(crate) fn int(&mut self, value: i64) -> &mut Self {
        if value < 0 {
            self.buffer.push(b'-');
        }
        self.unsigned(value.unsigned_abs(), 1)
    }

    /// Decimal digits, with leading zeros up to `width`.
    fn unsigned(&mut self, mut value: u64, width: usize) -> &mut Self {
        let mut digits = [b'0'; 20];
        let mut used = 0;
        for slot in digits.iter_mut().rev() {
            if value == 0 && used >= width {
                break;
            }
            *slot = b'0' + (value % 10) as u8;
            value /= 10;
            used += 1;
        }
        let (_, tail) = digits.split_at(20 - used);
        self.buffer.extend_from_slice(tail);
        self
    }

    /// Nanoseconds as microseconds with exactly three decimals: `1779785515611145.819`.
    pub(crate) fn micros3(&mut self, ns: i64) -> &mut Self {
        self.int(ns.div_euclid(1000)).str(".").unsigned(ns.rem_euclid(1000).unsigned_abs(), 3)
    }

    /// Nanoseconds as microseconds the way Python prints a float: `118.129`, `17.9`, `30.0`.
    pub(crate) fn micros(&mut self, ns: i64) -> &mut Self {
        let (whole, rest) = (ns.div_euclid(1000), ns.rem_euclid(1000).unsigned_abs());
        self.int(whole).str(".");
        match rest {
            0 => self.str("0"),
            r if r.is_multiple_of(100) => self.unsigned(r / 100, 1),
            r if r.is_multiple_of(10) => self.unsigned(r / 10, 2),
            r => self.unsigned(r, 3),
        }
    }

    /// The same with a rest below the nanosecond, as the device's clock of 16 ticks leaves it: `2.26003125`.
    pub(crate) fn micros_device(&mut self, ns: i64) -> &mut Self {
        match ns % 4 {
            0 => self.micros(ns),
            1 => self.micros3(ns).str("0625"),
            2 => self.micros3(ns).str("4375"),
            _ => self.micros3(ns).str("875"),
        }
    }

    /// A double the way Python prints it, for values between 1e-4 and 1e16.
    pub(crate) fn float(&mut self, value: f64) -> &mut Self {
        // Rust's Debug form is the shortest that reads back, with `.0` on whole numbers: the same as Python's repr here.
        if write!(self.buffer, "{value:?}").is_err() {
            self.buffer.push(b'0');
        }
        self
    }

    /// Bytes as KB of 1024, as Python prints the quotient.
    pub(crate) fn kb(&mut self, bytes: u64) -> &mut Self {
        self.float(bytes as f64 / 1024.0)
    }

    /// Bytes as MB of 1024 * 1024, as Python prints the quotient.
    pub(crate) fn mb(&mut self, bytes: u64) -> &mut Self {
        self.float(bytes as f64 / 1_048_576.0)
    }

    fn flush(&mut self) {
        if self.error.is_none()
            && let Err(error) = self.to.write_all(&self.buffer)
        {
            self.error = Some(error);
        }
        self.flushed += self.buffer.len() as u64;
        self.buffer.clear();
    }

    /// Writes what is left and reports the first error there was; the number of bytes otherwise.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        self.flush();
        match self.error {
            Some(error) => Err(error),
            None => self.to.flush().map(|()| self.flushed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl Fn(&mut Out<'_>)) -> String {
        let mut bytes = Vec::new();
        let mut out = Out::new(&mut bytes);
        write(&mut out);
        let counted = out.finish().unwrap();
        assert_eq!(counted, bytes.len() as u64);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn numbers_read_as_python_prints_them() {
        assert_eq!(text(|o| _ = o.micros3(1_779_785_515_611_145_007)), "1779785515611145.007");
        assert_eq!(
            text(|o| _ = o.micros(118_129).str(" ").micros(17_900).str(" ").micros(30_000)),
            "118.129 17.9 30.0"
        );
        assert_eq!(text(|o| _ = o.micros(5).str(" ").micros(50).str(" ").micros(0)), "0.005 0.05 0.0");
        assert_eq!(text(|o| _ = o.int(-1).str(" ").int(0).str(" ").int(i64::MAX)), "-1 0 9223372036854775807");
        assert_eq!(text(|o| _ = o.mb(2_549_124_096).str(" ").mb(0).str(" ").kb(8704)), "2431.0341796875 0.0 8.5");
    }

    #[test]
    fn keeps_the_first_error() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("disk full"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut full = Full;
        let mut out = Out::new(&mut full);
        for _ in 0..100_000 {
            out.str("some text");
        }
        assert_eq!(out.finish().unwrap_err().to_string(), "disk full");
    }
}
