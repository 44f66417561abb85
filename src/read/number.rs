//! Numbers in cells: decimal text to whole bytes or nanoseconds, with what was rounded kept beside.

use super::text::strip;
use crate::decimal::{Decimal, plain_binary, plain_us_to_ns};

/// A cell's number in base units; `exact` holds the text's value where no integer can (19071.60547 MB is no whole byte).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// Bytes or nanoseconds.
    pub units: i64,
    /// The number as written, in the cell's own unit, where `units` had to be rounded.
    pub exact: Option<Decimal>,
}

/// What a cell holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Nothing, or `N/A`.
    Missing,
    /// A number.
    Number(Number),
    /// Text that is no number, or one that does not fit.
    Bad,
}

impl Number {
    /// The same number, its text's value in MB instead of `unit`: totals come out in MB, whatever the file has.
    pub fn exact_in_mb(self, unit: Unit) -> Number {
        Number { exact: self.exact.and_then(|exact| unit.in_mb(exact)), ..self }
    }
}

impl Cell {
    /// The number, if there is one.
    pub fn number(self) -> Option<Number> {
        match self {
            Cell::Number(number) => Some(number),
            Cell::Missing | Cell::Bad => None,
        }
    }
}

/// How many base units one unit of a column has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Microseconds to nanoseconds.
    Us,
    /// KB = 1024 bytes.
    Kb,
    /// MB = 1024 * 1024 bytes.
    Mb,
    /// MindSpore's MB = 1000 KB: it divides its KB of 1024 bytes by 1000.
    MbOfThousandKb,
}

impl Unit {
    /// Base units in one.
    pub fn factor(self) -> i64 {
        match self {
            Unit::Us => 1000,
            Unit::Kb => 1 << 10,
            Unit::Mb => 1 << 20,
            Unit::MbOfThousandKb => 1000 << 10,
        }
    }

    /// Whether a real file can hold this number of base units.
    pub fn holds(self, units: i64) -> bool {
        -self.limit() < units && units < self.limit()
    }

    /// What no real number reaches: a pebibyte, or 146 years around 1970. So differences of times always fit.
    fn limit(self) -> i64 {
        match self {
            Unit::Us => 1 << 62,
            Unit::Kb | Unit::Mb | Unit::MbOfThousandKb => 1 << 50,
        }
    }

    /// A number of this unit of sizes in MB of 1024 * 1024 bytes, the usual unit of totals.
    fn in_mb(self, number: Decimal) -> Option<Decimal> {
        match self {
            Unit::Kb => number.over_1024(1),
            Unit::MbOfThousandKb => number.over_1024(1000),
            Unit::Mb | Unit::Us => Some(number),
        }
    }
}

/// The base units of a cell that holds a plain number alone, or with a tab behind it, as nearly all do; `None` for anything else.
#[inline]
pub fn quick(cell: &[u8], unit: Unit) -> Option<i64> {
    let plain = match cell {
        [whole @ .., b'\t'] => whole,
        whole => whole,
    };
    let units = match unit {
        Unit::Us => plain_us_to_ns(plain),
        Unit::Kb => plain_binary(plain, 10),
        Unit::Mb => plain_binary(plain, 20),
        Unit::MbOfThousandKb => None,
    };
    units.filter(|units| unit.holds(*units))
}

/// Reads a cell. Blanks and tabs around the number are part of the format (spreadsheets must not round times).
#[inline]
pub fn read(cell: &[u8], unit: Unit) -> Cell {
    match quick(cell, unit) {
        Some(units) => Cell::Number(Number { units, exact: None }),
        None => read_any(cell, unit),
    }
}

fn read_any(cell: &[u8], unit: Unit) -> Cell {
    let mut text = cell.trim_ascii();
    let is_plain = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_graphic);
    if !(is_plain(text.first()) && is_plain(text.last()))
        && let Ok(cell) = std::str::from_utf8(text)
    {
        text = strip(cell).as_bytes();
    }
    if text.is_empty() || text == b"N/A" {
        return Cell::Missing;
    }
    // What people put before a number so that a spreadsheet leaves it as it is.
    let text = text.strip_prefix(b"'").unwrap_or(text);
    let Some(decimal) = Decimal::parse(text) else { return Cell::Bad };
    match decimal.scaled(unit.factor()) {
        Some(scaled) if unit.holds(scaled.units) => {
            Cell::Number(Number { units: scaled.units, exact: if scaled.exact { None } else { Some(decimal) } })
        }
        Some(_) | None => Cell::Bad,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_missing_bad_and_rounded_apart() {
        assert_eq!(read(b"", Unit::Kb), Cell::Missing);
        assert_eq!(read(b" N/A\t", Unit::Us), Cell::Missing);
        assert_eq!(read(b"1,5", Unit::Kb), Cell::Bad);
        assert_eq!(read(b"'8", Unit::Kb), read(b"8", Unit::Kb));
        assert_eq!((read(b"'", Unit::Kb), read(b"''8", Unit::Kb)), (Cell::Bad, Cell::Bad));
        assert_eq!(read(b"0.5", Unit::Kb), Cell::Number(Number { units: 512, exact: None }));
        assert_eq!(
            read(b"1736405443871259.720\t", Unit::Us).number().map(|n| n.units),
            Some(1_736_405_443_871_259_720)
        );
        let rounded = read(b"19071.60547", Unit::Mb).number().unwrap();
        assert_eq!(rounded.exact.unwrap().to_string(), "19071.60547");
        for too_large in ["99999999999999999999", "-9007199254740992", "1099511627776"] {
            assert_eq!(read(too_large.as_bytes(), Unit::Kb), Cell::Bad, "{too_large}");
        }
        for too_far in ["-9223372036854775.808", "9223372036854775.807", "1e300"] {
            assert_eq!(read(too_far.as_bytes(), Unit::Us), Cell::Bad, "{too_far}");
        }
        assert_eq!(read("\u{3000}8\u{a0}\t".as_bytes(), Unit::Kb), read(b"8", Unit::Kb));
    }
}
