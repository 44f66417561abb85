//! A column that grows without ever being copied, and is read where it lies or comes out in one piece of exactly its length.
//!
//! A doubling vector holds up to three times its entries while it grows, and leaves holes of half its size behind; of a table of
//! thirteen million rows that is the difference between fitting a browser's memory and not.

#![allow(
    clippy::indexing_slicing,
    reason = "only `Index` does, which is asked for places the column has, as a slice's is"
)]

use std::ops::Index;

/// Bytes of one piece of memory, about; small columns stay small.
const PIECE_BYTES: usize = 1 << 19;
/// Entries the first piece begins with.
const FIRST: usize = 64;

/// A growing column.
#[derive(Debug, Clone)]
pub struct Column<T> {
    pieces: Vec<Vec<T>>,
}

impl<T> Default for Column<T> {
    fn default() -> Column<T> {
        Column { pieces: Vec::new() }
    }
}

impl<T: Copy> Column<T> {
    /// Entries of each piece but the last; a power of two, so that finding an entry is a shift.
    const PIECE: usize = PIECE_BYTES / size_of::<T>().next_power_of_two();

    /// Appends an entry.
    pub fn push(&mut self, value: T) {
        match self.pieces.last_mut() {
            Some(last) if last.len() < Self::PIECE => {
                if last.len() == last.capacity() {
                    last.reserve_exact(last.len().max(FIRST).min(Self::PIECE - last.len()));
                }
                last.push(value);
            }
            last => {
                // Behind a full piece another one fills.
                let room = if last.is_some() { Self::PIECE } else { FIRST };
                let mut next = Vec::with_capacity(room);
                next.push(value);
                self.pieces.push(next);
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * Self::PIECE + last.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The entry at a place.
    pub fn get(&self, place: usize) -> Option<&T> {
        self.pieces.get(place / Self::PIECE)?.get(place % Self::PIECE)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        self.pieces.get_mut(place / Self::PIECE)?.get_mut(place % Self::PIECE)
    }

    /// The last one.
    pub fn last(&self) -> Option<&T> {
        self.pieces.last()?.last()
    }

    /// How many of the first entries hold to what all later ones do not.
    pub fn partition_point(&self, mut holds: impl FnMut(&T) -> bool) -> usize {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from + (to - from) / 2;
            if self.get(middle).is_some_and(&mut holds) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }

    /// All of them in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.pieces.iter().flatten()
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.pieces.iter_mut().flatten()
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.pieces = Vec::new();
    }

    /// All in one piece; each part is given back as soon as it is copied.
    pub fn into_vec(self) -> Vec<T> {
        let mut out = Vec::with_capacity(self.len());
        for piece in self.pieces {
            out.extend_from_slice(&piece);
        }
        out
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        self.pieces.iter().map(|piece| piece.capacity() * size_of::<T>()).sum()
    }
}

impl<T: Copy> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Column<T> {
        let mut column = Column::default();
        entries.into_iter().for_each(|entry| column.push(entry));
        column
    }
}

impl<T: Copy> Index<usize> for Column<T> {
    type Output = T;

    fn index(&self, place: usize) -> &T {
        &self.pieces[place / Self::PIECE][place % Self::PIECE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_went_in_and_no_more_room_than_that() {
        let piece = Column::<i64>::PIECE;
        for count in [0usize, 1, 63, 64, 65, piece - 1, piece, piece + 1, 3 * piece + 7] {
            let mut column: Column<i64> = (0..count as i64).collect();
            assert_eq!((column.len(), column.is_empty()), (count, count == 0));
            assert!(column.kept_bytes() <= (2 * count.max(FIRST) * 8).min(count * 8 + PIECE_BYTES));
            for place in [0, count / 2, count.saturating_sub(1)].into_iter().filter(|place| *place < count) {
                assert_eq!((column[place], column.get(place)), (place as i64, Some(&(place as i64))));
            }
            assert_eq!(
                (column.get(count), column.last().copied()),
                (None, (count as i64).checked_sub(1).filter(|n| *n >= 0))
            );
            assert!(column.iter().copied().eq(0..count as i64));
            for asked in [0, 1, count / 3, count, count + 1] {
                assert_eq!(column.partition_point(|value| *value < asked as i64), asked.min(count));
            }
            column.iter_mut().for_each(|value| *value += 2);
            (0..count).for_each(|place| *column.get_mut(place).unwrap() -= 1);
            let out = column.into_vec();
            assert_eq!((out.len(), out.capacity()), (count, count));
            assert!(out.iter().enumerate().all(|(at, value)| at as i64 + 1 == *value));
        }
    }

    #[test]
    fn pieces_hold_about_as_many_bytes_whatever_they_hold() {
        assert_eq!(
            (Column::<i64>::PIECE, Column::<u32>::PIECE, Column::<[i64; 3]>::PIECE),
            (1 << 16, 1 << 17, 1 << 14)
        );
    }
}
