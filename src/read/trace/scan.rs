//! Steps over JSON text byte by byte, without copying and without checking more than it must.
//!
//! Every function takes a position and gives the next one. Running out of bytes ([`Stop::More`]) is told apart from text this
//! fast way does not understand ([`Stop::Odd`]): that goes to the careful reader.

use memchr::memchr2;

/// Why a scan could not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The bytes end before the value does.
    More,
    /// Not what the fast way knows.
    Odd,
}

/// A string's bytes between its quotes, escapes still in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RawText<'a> {
    pub bytes: &'a [u8],
    pub escaped: bool,
}

/// A value of an event's field as it stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum RawValue<'a> {
    /// The key does not occur.
    #[default]
    Absent,
    /// A string.
    Text(RawText<'a>),
    /// A number, `true`, `false`, `null` or anything else without quotes and brackets.
    Bare(&'a [u8]),
    /// An object or array; its content was stepped over.
    Nested,
}

#[inline]
pub(super) fn byte(b: &[u8], at: usize) -> Result<u8, Stop> {
    b.get(at).copied().ok_or(Stop::More)
}

/// Skips white space.
#[inline]
pub(super) fn blank(b: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = b.get(at) {
        at += 1;
    }
    at
}

/// Reads a string whose opening quote stands at `at`; gives the position behind the closing one.
#[inline]
pub(super) fn string(b: &[u8], at: usize) -> Result<(RawText<'_>, usize), Stop> {
    if byte(b, at)? != b'"' {
        return Err(Stop::Odd);
    }
    let (end, escaped) = string_end(b, at + 1)?;
    let bytes = b.get(at + 1..end).ok_or(Stop::More)?;
    Ok((RawText { bytes, escaped }, end + 1))
}

/// Where the string ends whose text begins at `at`, at its closing quote; and whether it holds escapes.
#[inline]
pub(super) fn string_end(b: &[u8], at: usize) -> Result<(usize, bool), Stop> {
    let stop = at + next_mark(b.get(at..).unwrap_or_default()).ok_or(Stop::More)?;
    if byte(b, stop)? == b'"' {
        return Ok((stop, false));
    }
    closing_quote(b, stop).map(|end| (end, true))
}

/// Where the string ends whose first escape begins at `at`. A stack has an escape every few dozen bytes and hardly a quote: so
/// quotes are looked for, and which of them are escaped.
fn closing_quote(b: &[u8], at: usize) -> Result<usize, Stop> {
    let mut from = at;
    loop {
        let quote = from + memchr::memchr(b'"', b.get(from..).unwrap_or_default()).ok_or(Stop::More)?;
        let before = b.get(at..quote).unwrap_or_default();
        let slashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        if slashes % 2 == 0 {
            return Ok(quote);
        }
        from = quote + 1;
    }
}

/// Where the next quote or backslash stands.
///
/// Keys and short values end within a few bytes: eight at a time are looked at there, which is quicker than a call.
#[inline]
fn next_mark(b: &[u8]) -> Option<usize> {
    const NEAR_WORDS: usize = 4;
    let mut words = b.chunks_exact(8);
    for at in 0..NEAR_WORDS {
        let Some(word) = words.next().and_then(|w| <[u8; 8]>::try_from(w).ok()) else { break };
        let word = u64::from_le_bytes(word);
        let hit = bytes_equal(word, b'"') | bytes_equal(word, b'\\');
        if hit != 0 {
            return Some(at * 8 + hit.trailing_zeros() as usize / 8);
        }
    }
    let seen = (NEAR_WORDS * 8).min(b.len() & !7);
    memchr2(b'"', b'\\', b.get(seen..)?).map(|p| seen + p)
}

/// The top bit of each byte that equals `byte`; bits above the lowest hit may be wrong, which only the lowest is asked for.
#[inline]
fn bytes_equal(word: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let x = word ^ (LOW * u64::from(byte));
    x.wrapping_sub(LOW) & !x & HIGH
}

/// Reads any value; objects and arrays are stepped over at any depth without recursion.
#[inline]
pub(super) fn value(b: &[u8], at: usize) -> Result<(RawValue<'_>, usize), Stop> {
    match byte(b, at)? {
        b'"' => string(b, at).map(|(text, end)| (RawValue::Text(text), end)),
        b'{' | b'[' => skip_nested(b, at).map(|end| (RawValue::Nested, end)),
        b'}' | b']' | b',' | b':' => Err(Stop::Odd),
        _ => {
            let mut end = at;
            loop {
                match byte(b, end)? {
                    b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' => break,
                    b'"' | b'{' | b'[' | b':' => return Err(Stop::Odd),
                    _ => end += 1,
                }
            }
            Ok((RawValue::Bare(b.get(at..end).unwrap_or_default()), end))
        }
    }
}

/// Steps over an object or array whose bracket stands at `at`.
pub(super) fn skip_nested(b: &[u8], at: usize) -> Result<usize, Stop> {
    let mut depth = 0usize;
    let mut i = at;
    loop {
        match byte(b, i)? {
            b'"' => {
                i = string(b, i)?.1;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(i + 1);
                }
            }
            _ => {}
        }
        i += 1;
    }
}

/// Calls `field` for each key and value of the object whose brace stands at `at`; gives the position behind it.
///
/// `field` gets the key, escapes undone, and the position of its value, and must give the position behind the value.
#[inline]
pub(super) fn object(
    b: &[u8],
    at: usize,
    mut field: impl FnMut(&[u8], usize) -> Result<usize, Stop>,
) -> Result<usize, Stop> {
    if byte(b, at)? != b'{' {
        return Err(Stop::Odd);
    }
    let mut i = blank(b, at + 1);
    if byte(b, i)? == b'}' {
        return Ok(i + 1);
    }
    loop {
        let (key, end) = string(b, i)?;
        i = blank(b, end);
        if byte(b, i)? != b':' {
            return Err(Stop::Odd);
        }
        let value = blank(b, i + 1);
        i = if key.escaped { field(&unescaped(key), value)? } else { field(key.bytes, value)? };
        i = blank(b, i);
        match byte(b, i)? {
            b',' => i = blank(b, i + 1),
            b'}' => return Ok(i + 1),
            _ => return Err(Stop::Odd),
        }
    }
}

/// Undoes JSON escapes; bytes that are no UTF-8 stay. Lone surrogates and unknown escapes become U+FFFD: gives whether any did.
pub(super) fn unescape(raw: RawText<'_>, out: &mut Vec<u8>) -> bool {
    out.clear();
    if !raw.escaped {
        out.extend_from_slice(raw.bytes);
        return false;
    }
    let mut replaced = false;
    let mut rest = raw.bytes;
    while let Some(p) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(rest.get(..p).unwrap_or_default());
        let code = rest.get(p + 1).copied();
        rest = rest.get(p + 2..).unwrap_or_default();
        match code {
            Some(b'n') => out.push(b'\n'),
            Some(b'r') => out.push(b'\r'),
            Some(b't') => out.push(b'\t'),
            Some(b'b') => out.push(8),
            Some(b'f') => out.push(12),
            Some(c @ (b'"' | b'\\' | b'/')) => out.push(c),
            Some(b'u') => rest = unescape_unicode(rest, out, &mut replaced),
            _ => {
                out.extend_from_slice("\u{fffd}".as_bytes());
                replaced = true;
            }
        }
    }
    out.extend_from_slice(rest);
    replaced
}

#[cold]
pub(super) fn unescaped(raw: RawText<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    unescape(raw, &mut out);
    out
}

fn unescape_unicode<'a>(rest: &'a [u8], out: &mut Vec<u8>, replaced: &mut bool) -> &'a [u8] {
    let Some(unit) = hex4(rest) else {
        out.extend_from_slice("\u{fffd}".as_bytes());
        *replaced = true;
        return rest;
    };
    let mut rest = rest.get(4..).unwrap_or_default();
    let mut code = u32::from(unit);
    if (0xd800..0xdc00).contains(&unit) {
        let low = rest.strip_prefix(b"\\u").and_then(hex4).filter(|low| (0xdc00..0xe000).contains(low));
        if let Some(low) = low {
            code = 0x1_0000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
            rest = rest.get(6..).unwrap_or_default();
        }
    }
    let c = char::from_u32(code).unwrap_or('\u{fffd}');
    *replaced |= char::from_u32(code).is_none();
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    rest
}

fn hex4(b: &[u8]) -> Option<u16> {
    let digits = b.get(..4).filter(|d| d.iter().all(u8::is_ascii_hexdigit))?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> String {
        let (raw, end) = string(json.as_bytes(), 0).unwrap();
        assert_eq!(end, json.len());
        let mut out = Vec::new();
        unescape(raw, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn strings_and_escapes() {
        assert_eq!(text(r#""a\"b\\""#), "a\"b\\");
        assert_eq!(text(r#""a;\r\nb""#), "a;\r\nb");
        assert_eq!(text(r#""\u738b\ud83d\ude00\ud83dx\udc00\u00""#), "王😀\u{fffd}x\u{fffd}\u{fffd}00");
        assert_eq!(text(r#""0123456789abcdef0123456789\n""#), "0123456789abcdef0123456789\n");
        for length in 0..100 {
            let plain = "x".repeat(length);
            assert_eq!(text(&format!("\"{plain}\"")), plain);
            assert_eq!(text(&format!("\"{plain}\\\"{plain}\"")), format!("{plain}\"{plain}"));
        }
        for slashes in 0..9 {
            let json = format!("\"a{}\", \"b\"", "\\".repeat(slashes));
            let end = if slashes % 2 == 0 { slashes + 3 } else { slashes + 6 };
            assert_eq!(
                string(json.as_bytes(), 0).map(|(raw, end)| (raw.escaped, end)),
                Ok((slashes > 0, end)),
                "{json}"
            );
        }
        assert_eq!(string(b"\"abc", 0), Err(Stop::More));
        assert_eq!(string(b"\"abc\\", 0), Err(Stop::More));
        assert_eq!(string(b"\"abc\\\"", 0), Err(Stop::More));
    }

    #[test]
    fn values_of_any_depth() {
        let deep = format!("{}\"]\"{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(value(deep.as_bytes(), 0), Ok((RawValue::Nested, deep.len())));
        assert_eq!(value(b"-1.5e3,", 0), Ok((RawValue::Bare(b"-1.5e3"), 6)));
        assert_eq!(value(b"12", 0), Err(Stop::More));
    }

    #[test]
    fn objects_call_back_per_field() {
        let json = br#"{"a" : 1, "b":{"x":[1,"}"]} , "c":"d"}"#;
        let mut keys = Vec::new();
        let end = object(json, 0, |key, at| {
            keys.push(String::from_utf8_lossy(key).into_owned());
            value(json, at).map(|v| v.1)
        });
        assert_eq!(end, Ok(json.len()));
        assert_eq!(keys, ["a", "b", "c"]);
        assert_eq!(object(b"{}", 0, |_, at| Ok(at)), Ok(2));
        let escaped = br#"{"\u0061":1}"#;
        let end = object(escaped, 0, |key, at| {
            assert_eq!(key, b"a");
            Ok(at + 1)
        });
        assert_eq!(end, Ok(escaped.len()));
        assert_eq!(object(br#"{a:1}"#, 0, |_, at| Ok(at)), Err(Stop::Odd));
    }
}
