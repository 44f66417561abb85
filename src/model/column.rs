//! A column of numbers that grows without ever being copied, and comes out in one piece of exactly its length.
//!
//! A doubling vector holds up to three times its numbers while it grows; of a table of thirteen million rows that is the
//! difference between fitting a browser's memory and not.

/// Numbers in one piece of memory, but the first: small columns stay small.
const PIECE: usize = 1 << 16;
/// Numbers in the first piece.
const FIRST: usize = 64;

/// A growing column.
#[derive(Debug, Default)]
pub struct Column {
    full: Vec<Vec<i64>>,
    last: Vec<i64>,
    len: usize,
}

impl Column {
    /// Appends a number.
    pub fn push(&mut self, value: i64) {
        if self.last.len() == self.last.capacity() {
            if self.last.capacity() < PIECE {
                let wanted = (self.last.capacity() * 2).clamp(FIRST, PIECE);
                self.last.reserve_exact(wanted - self.last.len());
            } else {
                self.full.push(std::mem::replace(&mut self.last, Vec::with_capacity(PIECE)));
            }
        }
        self.last.push(value);
        self.len += 1;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All numbers in one piece; each part is given back as soon as it is copied.
    pub fn into_vec(self) -> Vec<i64> {
        let mut out = Vec::with_capacity(self.len);
        for piece in self.full {
            out.extend_from_slice(&piece);
        }
        out.extend_from_slice(&self.last);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_went_in_and_no_more_room_than_that() {
        for count in [0usize, 1, 63, 64, 65, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 7] {
            let mut column = Column::default();
            for value in 0..count {
                column.push(value as i64);
            }
            assert_eq!((column.len(), column.is_empty()), (count, count == 0));
            let out = column.into_vec();
            assert_eq!((out.len(), out.capacity()), (count, count));
            assert!(out.iter().enumerate().all(|(at, value)| at as i64 == *value));
        }
    }
}
