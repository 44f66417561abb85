//! Exact decimal numbers, as text files carry them.
//!
//! Shared by `read` (parsing), `model` (numbers no integer can hold) and `export` (writing). No double is involved anywhere.

use std::fmt;

/// Most digits a mantissa may have: `i128` holds 38, and three more are needed for a change of unit.
const MAX_DIGITS: u32 = 34;

/// A decimal number, `mantissa * 10^-scale`, without trailing zeros in its fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    mantissa: i128,
    scale: u32,
}

/// A number in whole base units (bytes, ns), and whether the text said exactly that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scaled {
    /// Whole units, rounded half away from zero where the text is no whole number of them.
    pub units: i64,
    /// Whether nothing was rounded.
    pub exact: bool,
}

impl Decimal {
    /// A decimal from its parts.
    pub fn new(mantissa: i128, scale: u32) -> Decimal {
        let mut number = Decimal { mantissa, scale };
        while number.scale > 0 && number.mantissa % 10 == 0 {
            number.mantissa /= 10;
            number.scale -= 1;
        }
        number
    }

    /// `units / per_unit`, for `per_unit` a power of two up to 2^20 or of ten up to 10^9 (the units of the files).
    ///
    /// Such a quotient always ends within 20 digits, so it is exact.
    pub fn from_units(units: i64, per_unit: i64) -> Decimal {
        let mut rest = per_unit.max(1);
        let mut mantissa = i128::from(units);
        let mut scale = 0;
        while rest % 10 == 0 {
            rest /= 10;
            scale += 1;
        }
        // 1/2 is 5/10: at most 20 factors of 5, which fit beside 64 bits.
        while rest % 2 == 0 {
            rest /= 2;
            mantissa *= 5;
            scale += 1;
        }
        Decimal::new(mantissa, scale)
    }

    /// Parses `[+-]digits[.digits][e[+-]digits]`; `None` for anything else, or for more digits than can be kept.
    pub fn parse(text: &[u8]) -> Option<Decimal> {
        let (negative, digits) = match text.split_first()? {
            (b'-', rest) => (true, rest),
            (b'+', rest) => (false, rest),
            _ => (false, text),
        };
        let mut mantissa: i128 = 0;
        let mut kept = 0u32;
        let mut scale = 0i64;
        let mut seen_digit = false;
        let mut seen_point = false;
        let mut rest = digits;
        while let Some((&byte, tail)) = rest.split_first() {
            match byte {
                b'0'..=b'9' => {
                    seen_digit = true;
                    if mantissa != 0 || byte != b'0' {
                        kept += 1;
                        if kept > MAX_DIGITS {
                            return None;
                        }
                    }
                    mantissa = mantissa * 10 + i128::from(byte - b'0');
                    scale += i64::from(seen_point);
                }
                b'.' if !seen_point => seen_point = true,
                b'e' | b'E' => break,
                _ => return None,
            }
            rest = tail;
        }
        if !seen_digit {
            return None;
        }
        if let Some((_, exponent)) = rest.split_first() {
            scale -= parse_exponent(exponent)?;
        }
        if mantissa == 0 {
            return Some(Decimal { mantissa: 0, scale: 0 });
        }
        if scale < 0 {
            let shift = u32::try_from(-scale).ok()?;
            if kept + shift > MAX_DIGITS {
                return None;
            }
            mantissa = mantissa.checked_mul(10i128.checked_pow(shift)?)?;
            scale = 0;
        }
        let scale = u32::try_from(scale).ok().filter(|s| *s <= MAX_DIGITS)?;
        Some(Decimal::new(if negative { -mantissa } else { mantissa }, scale))
    }

    /// The number in base units, `per_unit` of them in one unit of the text (1024 for KB, 1000 for microseconds, ...).
    ///
    /// `None` if it does not fit 64 bits.
    pub fn scaled(self, per_unit: i64) -> Option<Scaled> {
        let product = self.mantissa.checked_mul(i128::from(per_unit))?;
        let divisor = 10i128.checked_pow(self.scale)?;
        let (quotient, remainder) = (product / divisor, product % divisor);
        let units = if remainder.abs() * 2 >= divisor { quotient + remainder.signum() } else { quotient };
        Some(Scaled { units: i64::try_from(units).ok()?, exact: remainder == 0 })
    }

    /// The number divided by a power of ten.
    pub fn shifted_right(self, digits: u32) -> Decimal {
        Decimal::new(self.mantissa, self.scale + digits)
    }

    /// The number times `times` / 1024: another unit of sizes. `None` if it has too many digits to be kept.
    pub fn over_1024(self, times: i128) -> Option<Decimal> {
        // 1 / 2^10 is 5^10 / 10^10.
        Some(Decimal::new(self.mantissa.checked_mul(times)?.checked_mul(5i128.pow(10))?, self.scale + 10))
    }

    /// The nearest double, as any correctly rounding parser of the decimal text gives it.
    pub fn to_f64(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }
}

fn parse_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > 4 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0i64, |sum, d| sum * 10 + i64::from(d - b'0'));
    Some(if negative { -value } else { value })
}

impl fmt::Display for Decimal {
    /// Writes at least one digit after the point, as Python writes floats: `8.0`, `0.5`, `-12.25`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.mantissa < 0 { "-" } else { "" };
        let digits = self.mantissa.unsigned_abs().to_string();
        let scale = usize::try_from(self.scale).unwrap_or(0);
        if scale == 0 {
            return write!(f, "{sign}{digits}.0");
        }
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        write!(f, "{sign}{whole}.{fraction}")
    }
}

/// Digits with at most one point among them, as a whole number and how many stand behind the point: the form that fills files,
/// without the general parser's cost. `None` if the text is anything else, or has more than 19 digits.
#[inline]
fn plain(text: &[u8]) -> Option<(u64, usize)> {
    let place = match text {
        // Times have three decimals.
        [.., b'.', _, _, _] if text.len() > 16 => text.len() - 4,
        _ if text.len() <= 16 => return short(text),
        _ => match text.iter().position(|byte| *byte == b'.') {
            Some(place) => place,
            None => return Some((digits(text, 0)?, 0)),
        },
    };
    let (whole, fraction) = (text.get(..place)?, text.get(place + 1..)?);
    // 19 digits fit 64 bits.
    if whole.is_empty() || fraction.is_empty() || text.len() > 20 {
        return None;
    }
    Some((digits(fraction, digits(whole, 0)?)?, fraction.len()))
}

/// The same of up to 16 bytes. Sizes have digits in no pattern a processor could foretell, so nothing here depends on how many
/// there are, or where the point is: all are moved to the end of 16 bytes, and those before the point over it.
#[inline]
fn short(text: &[u8]) -> Option<(u64, usize)> {
    const ZEROS: u128 = 0x3030_3030_3030_3030_3030_3030_3030_3030;
    let len = text.len();
    let all = match text {
        [_, _, _, _, _, _, _, _, ..] => {
            let (first, last) = (u64::from_le_bytes(*text.first_chunk()?), u64::from_le_bytes(*text.last_chunk()?));
            u128::from(last) << 64 | u128::from(first) << (128 - 8 * len)
        }
        [_, _, _, _, ..] => {
            let (first, last) = (u32::from_le_bytes(*text.first_chunk()?), u32::from_le_bytes(*text.last_chunk()?));
            u128::from(last) << 96 | u128::from(first) << (128 - 8 * len)
        }
        [a, b, c] => u128::from(u32::from_le_bytes([0, *a, *b, *c])) << 96,
        [a, b] => u128::from(u32::from_le_bytes([0, 0, *a, *b])) << 96,
        [a] => u128::from(*a) << 120,
        [] => return None,
    };
    // In front of them zeros.
    let all = all | ZEROS.checked_shr(8 * len as u32).unwrap_or(0);
    let (low, high) = (point(all as u64), point((all >> 64) as u64));
    let place = if low < 64 { low } else { 64 + high };
    let (joined, decimals) = if place == 128 {
        (all, 0)
    } else {
        // Nothing before the point, or behind it: that is left to the general parser.
        if place + 8 * len as u32 == 128 || place == 120 {
            return None;
        }
        let whole = all & ((1 << place) - 1);
        (all >> place >> 8 << place << 8 | whole << 8 | 0x30, 15 - place as usize / 8)
    };
    let (first, last) = (eight_digits(joined as u64)?, eight_digits((joined >> 64) as u64)?);
    Some((first * 100_000_000 + last, decimals))
}

/// At which bit the first byte that is a point begins; 64 if there is none.
#[inline]
fn point(bytes: u64) -> u32 {
    let other = bytes ^ 0x2e2e_2e2e_2e2e_2e2e;
    let zeros = other.wrapping_sub(0x0101_0101_0101_0101) & !other & 0x8080_8080_8080_8080;
    zeros.trailing_zeros() & !7
}

/// Digits behind those of `value`, all of them fewer than 20.
#[inline]
fn digits(text: &[u8], mut value: u64) -> Option<u64> {
    if text.is_empty() || text.len() > 19 {
        return None;
    }
    let (eights, rest) = text.as_chunks::<8>();
    for eight in eights {
        value = value.wrapping_mul(100_000_000).wrapping_add(eight_digits(u64::from_le_bytes(*eight))?);
    }
    for byte in rest {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
    }
    Some(value)
}

/// Eight digits, the first in the lowest byte, as one number: neighbours are joined to pairs, pairs to fours, fours to eight.
#[inline]
fn eight_digits(text: u64) -> Option<u64> {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    // A digit's upper half is 3, and stays so when 6 is added.
    if text & HIGH != ZEROS || text.wrapping_add(0x0606_0606_0606_0606) & HIGH != ZEROS {
        return None;
    }
    let ones = text ^ ZEROS;
    let tens = ones.wrapping_mul(10 * 0x100 + 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = tens.wrapping_mul(100 * 0x1_0000 + 1) >> 16 & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000 * 0x1_0000_0000 + 1) >> 32)
}

/// Parses a plain decimal of microseconds to nanoseconds.
///
/// `None` whenever the text is anything but digits with up to three decimals: then [`Decimal::parse`] decides.
#[inline]
pub fn plain_us_to_ns(text: &[u8]) -> Option<i64> {
    let (value, decimals) = plain(text)?;
    let factor = match decimals {
        0 => 1000,
        1 => 100,
        2 => 10,
        3 => 1,
        _ => return None,
    };
    i64::try_from(value).ok()?.checked_mul(factor)
}

/// For each power of five what multiplies as its division does, where that leaves no rest, and the highest quotient: beyond it
/// there is a rest.
const OVER_FIVES: [(u64, u64); 21] = {
    let mut all = [(1, u64::MAX); 21];
    let mut rest: &mut [(u64, u64)] = &mut all;
    while let [one, two, ..] = rest {
        // 5 * this is 1, as far as 64 bits go.
        *two = (one.0.wrapping_mul(0xcccc_cccc_cccc_cccd), one.1 / 5);
        let Some((_, tail)) = rest.split_first_mut() else { break };
        rest = tail;
    }
    all
};

/// Parses a plain decimal of a unit that has `2^power` bytes to bytes.
///
/// `None` whenever the text is anything but digits with a point among them, or is no whole number of bytes: then
/// [`Decimal::parse`] decides.
#[inline]
pub fn plain_binary(text: &[u8], power: u32) -> Option<i64> {
    let (value, decimals) = plain(text)?;
    // value / 10^decimals * 2^power = value / 5^decimals * 2^(power - decimals)
    let shift = power.checked_sub(u32::try_from(decimals).ok()?)?;
    let (over_five, most) = *OVER_FIVES.get(decimals)?;
    let whole = value.wrapping_mul(over_five);
    if whole > most || whole > i64::MAX as u64 >> shift {
        return None;
    }
    Some((whole as i64) << shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Option<Decimal> {
        Decimal::parse(text.as_bytes())
    }

    #[test]
    fn plain_sizes() {
        assert_eq!(plain_binary(b"954.37060546875", 20), Some(1_000_730_112));
        assert_eq!(plain_binary(b"0.5", 10), Some(512));
        assert_eq!(plain_binary(b"8", 10), Some(8192));
        for other in ["", ".", "-1", "1e3", "19071.60547", "1.5.2", "99999999999999999999", "18446744073709551615"] {
            assert_eq!(plain_binary(other.as_bytes(), 20), None, "{other}");
        }
    }

    #[test]
    fn parses_what_the_files_hold() {
        assert_eq!(parse("1779785515596661.420").unwrap().scaled(1000).unwrap().units, 1_779_785_515_596_661_420);
        assert_eq!(parse("8.5").unwrap().scaled(1024), Some(Scaled { units: 8704, exact: true }));
        assert_eq!(parse("21084").unwrap().scaled(1 << 20).unwrap().units, 21084 << 20);
        assert_eq!(parse("1.69512E+15").unwrap().to_string(), "1695120000000000.0");
        assert_eq!(parse("-0.0009765625").unwrap().scaled(1 << 20).unwrap().units, -1024);
        assert_eq!(parse("0000000000000000000000000000000000000000000012").unwrap().to_string(), "12.0");
    }

    #[test]
    fn says_when_a_number_is_no_whole_unit() {
        let scaled = parse("19071.60547").unwrap().scaled(1 << 20).unwrap();
        assert!(!scaled.exact);
        assert_eq!(scaled.units, 19_998_027_777);
        assert_eq!(parse("19071.60547").unwrap().to_string(), "19071.60547");
    }

    #[test]
    fn refuses_what_is_no_number() {
        for text in ["", "-", ".", "N/A", "1,024", "0x10", "nan", "inf", "1e", "1e99999", "1_000", " 1", "1e40", "--1"]
        {
            assert_eq!(parse(text), None, "{text:?}");
        }
        assert_eq!(parse("9999999999999999999").unwrap().scaled(1), None);
    }

    #[test]
    fn changes_units_exactly() {
        assert_eq!(parse("1536.5").unwrap().over_1024(1).unwrap().to_string(), "1.50048828125");
        assert_eq!(parse("1.024").unwrap().over_1024(1000).unwrap().to_string(), "1.0");
        assert_eq!(parse(&"9".repeat(34)).unwrap().over_1024(1000), None);
    }

    #[test]
    fn plain_times_agree_with_the_general_parser_or_leave_it_to_it() {
        for text in ["1736405443871259.720", "0.001", "7", "7.6", "162.66", "1736405443871259"] {
            assert_eq!(
                plain_us_to_ns(text.as_bytes()),
                Some(parse(text).unwrap().scaled(1000).unwrap().units),
                "{text}"
            );
        }
        for text in ["", ".", ".5", "5.", "1.2345", "1e3", "-1.0", "12345678901234567890", "9999999999999999.999"] {
            assert_eq!(plain_us_to_ns(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn text_and_units_round_trip(units in -(1i64 << 56)..1 << 56, shift in 0u32..=20) {
            let per_unit = 1i64 << shift;
            let text = Decimal::from_units(units, per_unit).to_string();
            let back = Decimal::parse(text.as_bytes()).unwrap();
            prop_assert_eq!(back.scaled(per_unit), Some(Scaled { units, exact: true }));
        }

        #[test]
        fn plain_sizes_are_the_general_parsers(text in "[0-9]{0,13}\\.?[0-9]{0,12}", power in prop_oneof![Just(10u32), Just(20)]) {
            let general = parse(&text).and_then(|number| number.scaled(1 << power));
            if let Some(units) = plain_binary(text.as_bytes(), power) {
                prop_assert_eq!(general, Some(Scaled { units, exact: true }));
            }
        }

        #[test]
        fn plain_numbers_are_digits_with_a_point_among_them(text in "[0-9]{0,12}\\.?[0-9]{0,12}|[0-9.e/:-]{0,18}") {
            let (whole, fraction) = text.split_once('.').unwrap_or((&text, "0"));
            let is_plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
            let count = text.bytes().filter(u8::is_ascii_digit).count();
            let expected = (is_plain(whole) && is_plain(fraction) && count < 20).then(|| {
                let decimals = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
                (text.replace('.', "").parse::<u64>().unwrap(), decimals)
            });
            prop_assert_eq!(plain(text.as_bytes()), expected);
        }

        #[test]
        fn doubles_are_those_of_the_text(text in "[0-9]{1,16}\\.[0-9]{1,9}") {
            prop_assert_eq!(parse(&text).unwrap().to_f64(), text.parse::<f64>().unwrap());
        }
    }
}
