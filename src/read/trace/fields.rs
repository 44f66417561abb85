//! Meaning of single fields: times, whole numbers, text.

use std::borrow::Cow;

use super::scan::{RawText, RawValue, unescape};
use crate::decimal::{Decimal, plain_us_to_ns};
use crate::read::text::strip;

/// A string as it stands in the file, escapes still in it: equal bytes are equal text, so that repeats cost no decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RawString<'a>(pub(super) RawText<'a>);

impl<'a> RawString<'a> {
    /// The bytes between the quotes.
    pub fn bytes(&self) -> &'a [u8] {
        self.0.bytes
    }

    /// Whether escapes must be undone.
    pub fn is_escaped(&self) -> bool {
        self.0.escaped
    }

    /// The text, lone surrogates, unknown escapes and bytes that are no UTF-8 replaced by U+FFFD; and whether any were.
    pub fn decode<'b>(&self, buffer: &'b mut Vec<u8>) -> (Cow<'b, str>, bool) {
        let replaced = unescape(self.0, buffer);
        let text = String::from_utf8_lossy(buffer);
        let replaced = replaced || matches!(text, Cow::Owned(_));
        (text, replaced)
    }

    /// Makes one from bytes kept earlier.
    pub fn from_parts(bytes: &'a [u8], escaped: bool) -> RawString<'a> {
        RawString(RawText { bytes, escaped })
    }
}

/// No time lies so far from 1970, in ns (146 years): so differences of times always fit.
const TIME_LIMIT: i64 = 1 << 62;

/// Microseconds as text or number, to nanoseconds (more than three decimals: rounded). `None` if it is no usable number.
pub(super) fn time_ns(value: RawValue<'_>) -> Option<i64> {
    let read = |text: &[u8]| plain_us_to_ns(text).or_else(|| Some(Decimal::parse(text)?.scaled(1000)?.units));
    let ns = number(value, read)?;
    Some(ns).filter(|ns| -TIME_LIMIT < *ns && *ns < TIME_LIMIT)
}

/// The number's text as it stands in the file, trimmed; `None` where it does not stand there as it is read.
pub(super) fn time_text<'a>(value: RawValue<'a>) -> Option<&'a [u8]> {
    match value {
        RawValue::Text(raw) if !raw.escaped => Some(trim(raw.bytes)),
        RawValue::Bare(bytes) => Some(bytes),
        RawValue::Text(_) | RawValue::Absent | RawValue::Nested => None,
    }
}

/// Reads a number's text: blanks around it are left out, and escapes undone.
pub(super) fn number<T>(value: RawValue<'_>, read: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
    match value {
        RawValue::Text(raw) if raw.escaped => {
            let mut text = Vec::new();
            unescape(raw, &mut text);
            read(trim(&text))
        }
        _ => read(time_text(value)?),
    }
}

/// Without the blanks around it, of any alphabet.
fn trim(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii();
    let is_plain = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_graphic);
    if is_plain(text.first()) && is_plain(text.last()) {
        return text;
    }
    std::str::from_utf8(text).map_or(text, |text| strip(text).as_bytes())
}

/// A whole number, as number or text.
pub(super) fn whole(value: RawValue<'_>) -> Option<i64> {
    number(value, |text| {
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        if !digits.is_empty() && digits.len() <= 18 && digits.iter().all(u8::is_ascii_digit) {
            let magnitude = digits.iter().fold(0i64, |sum, d| sum * 10 + i64::from(d - b'0'));
            return Some(if digits.len() < text.len() { -magnitude } else { magnitude });
        }
        Decimal::parse(text)?.scaled(1).filter(|s| s.exact).map(|s| s.units)
    })
}

/// Process and thread ids: any scalar, by its bytes.
pub(super) fn scalar<'a>(value: RawValue<'a>) -> &'a [u8] {
    match value {
        RawValue::Text(raw) => raw.bytes,
        RawValue::Bare(bytes) => bytes,
        RawValue::Absent | RawValue::Nested => b"",
    }
}

/// Whether a field is exactly this text.
pub(super) fn is(value: RawValue<'_>, text: &[u8]) -> bool {
    match value {
        RawValue::Text(raw) if raw.escaped => {
            let mut buffer = Vec::new();
            unescape(raw, &mut buffer);
            buffer == text
        }
        RawValue::Text(raw) => raw.bytes == text,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> RawValue<'_> {
        RawValue::Text(RawText { bytes, escaped: false })
    }

    #[test]
    fn times_as_text_and_number() {
        assert_eq!(time_ns(text(b"1779785515596661.420")), Some(1_779_785_515_596_661_420));
        assert_eq!(time_ns(text(b" 5.5 ")), Some(5500));
        assert_eq!(time_ns(text("\u{a0}5.5\u{3000}".as_bytes())), Some(5500));
        let escaped = |bytes| RawValue::Text(RawText { bytes, escaped: true });
        assert_eq!(time_ns(escaped(br"\t\u0031779785515596661.42\u0030\n")), Some(1_779_785_515_596_661_420));
        assert_eq!((time_ns(escaped(br"\u0041")), whole(escaped(br" \u0037 "))), (None, Some(7)));
        assert_eq!(time_ns(RawValue::Bare(b"162.66")), Some(162_660));
        assert_eq!(time_ns(RawValue::Bare(b"1.7e3")), Some(1_700_000));
        assert_eq!(time_ns(RawValue::Bare(b"0.0004")), Some(0));
        for bad in [
            RawValue::Bare(b"9223372036854775.807"),
            RawValue::Bare(b"true"),
            RawValue::Bare(b"NaN"),
            RawValue::Nested,
            RawValue::Absent,
            text(b""),
        ] {
            assert_eq!(time_ns(bad), None);
        }
    }

    #[test]
    fn whole_numbers() {
        assert_eq!(whole(RawValue::Bare(b"-1")), Some(-1));
        assert_eq!(whole(text(b"1350")), Some(1350));
        assert_eq!(whole(RawValue::Bare(b"7.0")), Some(7));
        assert_eq!(whole(RawValue::Bare(b"9007199254740993")), Some(9_007_199_254_740_993));
        assert_eq!(whole(RawValue::Bare(b"7.5")), None);
    }
}
