//! A finished column of whole numbers, in half the room where they allow it: totals of a pool are multiples of the allocator's
//! grain, so as numbers of such units above the least of them they fit 32 bits. Nothing is rounded: a column that does not fit
//! stays as it is.

use std::ops::Range;

use super::rows::NONE;

/// Numbers that never change any more, each of them perhaps missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Numbers {
    /// As they were; [`NONE`] for a missing one.
    Wide(Vec<i64>),
    /// In units above the least of them.
    Narrow(Narrow),
}

/// See [`Numbers::Narrow`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narrow {
    least: i64,
    unit: i64,
    /// Units above the least, and one more; 0 for a missing number.
    codes: Vec<u32>,
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::Wide(Vec::new())
    }
}

impl From<Vec<i64>> for Numbers {
    fn from(numbers: Vec<i64>) -> Numbers {
        match Narrow::of(&numbers) {
            Some(narrow) => Numbers::Narrow(narrow),
            None => Numbers::Wide(numbers),
        }
    }
}

impl Narrow {
    fn of(numbers: &[i64]) -> Option<Narrow> {
        let present = || numbers.iter().copied().filter(|number| *number != NONE);
        let (mut least, mut most) = (i64::MAX, i64::MIN);
        for number in present() {
            (least, most) = (least.min(number), most.max(number));
        }
        let range = most.checked_sub(least).filter(|range| *range >= 0)?;
        let fits = |unit: i64| range / unit < i64::from(u32::MAX);
        // The power of two that all differences have in common costs next to nothing to find.
        let bits = present().fold(0, |bits, number| bits | (number - least));
        let mut unit = 1 << bits.trailing_zeros().min(62);
        if !fits(unit) {
            unit = present().fold(0, |unit, number| greatest_divisor(unit, number - least));
        }
        if unit <= 0 || !fits(unit) {
            return None;
        }
        // Most units are powers of two, and a shift is a tenth of a division.
        let shift = (unit.count_ones() == 1).then(|| unit.trailing_zeros());
        let units = |above: i64| shift.map_or_else(|| above / unit, |shift| above >> shift);
        let code = |number: i64| if number == NONE { Some(0) } else { u32::try_from(units(number - least) + 1).ok() };
        let mut codes = Vec::with_capacity(numbers.len());
        for number in numbers {
            codes.push(code(*number)?);
        }
        Some(Narrow { least, unit, codes })
    }

    /// The number at a place; [`NONE`] where it is missing, and past the end.
    pub fn at(&self, place: usize) -> i64 {
        match self.codes.get(place) {
            None | Some(0) => NONE,
            Some(code) => self.number(code - 1),
        }
    }

    fn number(&self, units: u32) -> i64 {
        // Each was made of a number that fits.
        self.least.wrapping_add(self.unit.wrapping_mul(i64::from(units)))
    }

    /// The lowest and the highest number in a range.
    pub fn span(&self, range: Range<usize>) -> Option<(i64, i64)> {
        // Codes stand in the order of their numbers, missing ones first; one less, last: a loop of plain numbers.
        let (mut low, mut high) = (u32::MAX, 0);
        for code in self.codes.get(range)? {
            low = low.min(code.wrapping_sub(1));
            high = high.max(*code);
        }
        (high > 0).then(|| (self.number(low), self.number(high - 1)))
    }
}

fn greatest_divisor(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Numbers {
    /// The number at a place; [`NONE`] where it is missing, and past the end.
    pub fn at(&self, place: usize) -> i64 {
        match self {
            Numbers::Wide(numbers) => numbers.get(place).copied().unwrap_or(NONE),
            Numbers::Narrow(narrow) => narrow.at(place),
        }
    }

    /// How many there are, missing ones included.
    pub fn len(&self) -> usize {
        match self {
            Numbers::Wide(numbers) => numbers.len(),
            Numbers::Narrow(narrow) => narrow.codes.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        match self {
            Numbers::Wide(numbers) => numbers.capacity() * 8,
            Numbers::Narrow(narrow) => narrow.codes.capacity() * 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn column() -> impl Strategy<Value = Vec<i64>> {
        let missing = || Just(NONE);
        prop_oneof![
            prop::collection::vec(prop_oneof![missing(), any::<i64>()], 0..40),
            prop::collection::vec(prop_oneof![missing(), (-9i64..1 << 40).prop_map(|n| n * 512 + 7)], 0..40),
            prop::collection::vec(prop_oneof![missing(), (0i64..1 << 33).prop_map(|n| n * 1000)], 0..40),
            prop::collection::vec(prop_oneof![missing(), Just(i64::MAX), Just(i64::MAX - 1)], 0..40),
            prop::collection::vec(missing(), 0..40),
        ]
    }

    proptest! {
        #[test]
        fn every_number_comes_out_as_it_went_in(column in column()) {
            let numbers = Numbers::from(column.clone());
            prop_assert_eq!(numbers.len(), column.len());
            prop_assert!((0..column.len()).all(|at| numbers.at(at) == column[at]));
            prop_assert_eq!(numbers.at(column.len()), NONE);
            if let Numbers::Narrow(narrow) = numbers {
                let range = column.len() / 3..column.len();
                let present = || column[range.clone()].iter().copied().filter(|number| *number != NONE);
                prop_assert_eq!(narrow.span(range.clone()), present().min().zip(present().max()));
            }
        }
    }

    #[test]
    fn what_fits_takes_half_the_room() {
        let largest = i64::from(u32::MAX) - 1;
        for (column, bytes) in [
            (vec![NONE, 5, 7], 4),
            (vec![0, 1, largest], 4),
            (vec![0, 1, largest + 1], 8),
            // Units: a power of two, and where that is too little any common divisor.
            (vec![-512, 0, largest * 512 - 512, NONE], 4),
            (vec![3, 1003, 3 + 1000 * largest], 4),
            (vec![3, 1003, 3 + 1000 * largest, 4], 8),
            (vec![i64::MAX, NONE + 1], 8),
            (vec![i64::MAX, i64::MAX], 4),
            (vec![NONE, NONE], 8),
        ] {
            let numbers = Numbers::from(column.clone());
            assert_eq!(numbers.kept_bytes(), bytes * column.len(), "{column:?}");
        }
    }
}
