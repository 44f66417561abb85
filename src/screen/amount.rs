//! Amounts as people type them.

/// A number with a unit, in its smallest unit: `1.5 MiB`, `20 ms`; without a unit the smallest. `None` if it is none.
pub fn parse(text: &str, units: &[(&str, f64)]) -> Option<i64> {
    let text = text.trim().to_lowercase();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().ok()?;
    let unit = unit.trim();
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    let scaled = (number * factor).round();
    (scaled.is_finite() && scaled < 9e18).then_some(scaled as i64)
}

/// Units of bytes, in bytes.
pub const BYTES: [(&str, f64); 15] = [
    ("", 1.0),
    ("b", 1.0),
    ("k", 1024.0),
    ("kb", 1024.0),
    ("kib", 1024.0),
    ("m", 1_048_576.0),
    ("mb", 1_048_576.0),
    ("mib", 1_048_576.0),
    ("g", 1_073_741_824.0),
    ("gb", 1_073_741_824.0),
    ("gib", 1_073_741_824.0),
    ("t", 1_099_511_627_776.0),
    ("tb", 1_099_511_627_776.0),
    ("tib", 1_099_511_627_776.0),
    ("字节", 1.0),
];

/// Units of time, in ns.
pub const TIMES: [(&str, f64); 7] =
    [("", 1.0), ("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9), ("秒", 1e9)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_units() {
        assert_eq!(parse("1.5 MiB", &BYTES), Some(1_572_864));
        assert_eq!(parse("2g", &BYTES), Some(2 << 30));
        assert_eq!(parse(" 512 ", &BYTES), Some(512));
        assert_eq!(parse("20 ms", &TIMES), Some(20_000_000));
        assert_eq!(parse("0.5µs", &TIMES), Some(500));
        for wrong in ["", "x", "1.2.3", "5 parsecs", "99999999999 tib"] {
            assert_eq!((parse(wrong, &BYTES), parse(wrong, &TIMES)), (None, None), "{wrong}");
        }
    }
}
