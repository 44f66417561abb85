//! The middle of some ranks' numbers, and which of them lies far off it: robust against the odd one itself.

use serde::{Deserialize, Serialize};

/// Ranks it takes to tell which is odd.
pub const FEWEST: usize = 3;
/// So many robust standard deviations off the median is far, in tenths: 3.5, as Iglewicz and Hoaglin have it.
pub const FAR_TENTHS: i64 = 35;
/// A normal distribution's standard deviation is 1.4826 median absolute deviations; in ten-thousandths.
const DEVIATION: i128 = 14_826;
const WHOLE: i128 = 10_000;

/// Median and spread of some numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// The middle one; of two the mean, rounded down.
    pub median: i64,
    /// The robust standard deviation: 1.4826 times the median distance from the median, rounded up.
    pub deviation: i64,
}

impl Spread {
    /// Of at least [`FEWEST`] numbers.
    pub fn of(numbers: &[i64]) -> Option<Spread> {
        if numbers.len() < FEWEST {
            return None;
        }
        let median = median(numbers.to_vec())?;
        let distances = numbers.iter().map(|number| number.saturating_sub(median).saturating_abs()).collect();
        let deviation = (i128::from(self::median(distances)?) * DEVIATION + WHOLE - 1) / WHOLE;
        Some(Spread { median, deviation: i64::try_from(deviation).unwrap_or(i64::MAX) })
    }

    /// Whether a number lies far off: by more than 3.5 deviations, and by at least `floor`, below which no distance counts however
    /// close the others are.
    pub fn is_far(&self, number: i64, floor: i64) -> bool {
        let off = i128::from(number) - i128::from(self.median);
        let off = off.abs();
        off * 10 > i128::from(self.deviation) * i128::from(FAR_TENTHS) && off >= i128::from(floor)
    }
}

fn median(mut numbers: Vec<i64>) -> Option<i64> {
    numbers.sort_unstable();
    let half = numbers.len() / 2;
    let upper = *numbers.get(half)?;
    if numbers.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *numbers.get(half.checked_sub(1)?)?;
    i64::try_from((i128::from(lower) + i128::from(upper)).div_euclid(2)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_odd_one_does_not_move_the_middle() {
        assert_eq!(Spread::of(&[1, 2]), None);
        let spread = Spread::of(&[100, 104, 96, 1000]).unwrap();
        assert_eq!(spread, Spread { median: 102, deviation: 6 });
        assert!(spread.is_far(1000, 5) && !spread.is_far(1000, 900) && !spread.is_far(122, 5) && spread.is_far(124, 5));
        // All the same: any distance is far, if it counts at all.
        let same = Spread::of(&[7, 7, 7]).unwrap();
        assert!(same.is_far(8, 1) && !same.is_far(8, 2) && !same.is_far(7, 0));
        assert!(Spread::of(&[i64::MIN, 0, i64::MAX]).unwrap().median == 0);
    }
}
