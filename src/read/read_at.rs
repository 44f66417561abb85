//! Reading at random, for the formats that cannot be read front to back: databases and packed folders.
//!
//! Whoever opens files implements this (slices of a File in the page, `pread` in the command); nothing here does I/O.

/// A file of known size whose bytes can be asked for anywhere.
pub trait ReadAt {
    /// Its size in bytes.
    fn size(&self) -> u64;

    /// Fills `buffer` from `offset` on and gives how many bytes there were: fewer than asked for only at the file's end, none
    /// behind it.
    ///
    /// # Errors
    /// The reason in the words of the system or browser: the file changed, vanished or may not be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, String>;
}

impl ReadAt for [u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, String> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(self.len());
        let rest = self.get(from..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        Ok(count)
    }
}

impl ReadAt for Vec<u8> {
    fn size(&self) -> u64 {
        self.as_slice().size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, String> {
        self.as_slice().read_at(offset, buffer)
    }
}

impl<T: ReadAt + ?Sized> ReadAt for &T {
    fn size(&self) -> u64 {
        (**self).size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, String> {
        (**self).read_at(offset, buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_memory_end_where_they_end() {
        let bytes = b"0123456789".to_vec();
        let mut buffer = [0; 4];
        assert_eq!((bytes.size(), bytes.read_at(7, &mut buffer), &buffer), (10, Ok(3), b"789\0"));
        assert_eq!(bytes.read_at(10, &mut buffer), Ok(0));
        assert_eq!(bytes.read_at(u64::MAX, &mut buffer), Ok(0));
        assert_eq!((bytes.read_at(2, &mut buffer), &buffer), (Ok(4), b"2345"));
    }
}
