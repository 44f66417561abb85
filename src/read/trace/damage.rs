//! Finds the way back after damage: where the present event ends if only brackets and quotes count, and where the next begins.

use super::scan::{Stop, skip_nested};

/// No real event is larger than this; what is, and holds the start of another event, is damaged.
pub(super) const SUSPICIOUS_BYTES: usize = 256 << 10;
/// No event is this large; what is, is damage that no search found the end of.
pub(super) const MAX_EVENT_BYTES: usize = 64 << 20;
/// So much must be kept while the next event is searched for: its comma, brace and first key may be cut in two.
pub(super) const OVERLAP_BYTES: usize = 256;

/// Keys that events begin with.
const FIRST_KEYS: [&[u8]; 10] =
    [b"ph\"", b"name\"", b"cat\"", b"pid\"", b"tid\"", b"ts\"", b"args\"", b"dur\"", b"id\"", b"bp\""];

/// The end of the object at `at`, by brackets and quotes alone.
pub(super) fn end_of_object(b: &[u8], at: usize) -> Result<usize, Stop> {
    skip_nested(b, at)
}

/// The start of an event inside the bytes of a broken one: a brace before a key that begins events, which a whole event could
/// not contain (inside a string its quotes would be escaped). `is_lines`: each event may have a line of its own instead of a comma.
pub(super) fn next_event(b: &[u8], after: usize, is_lines: bool) -> Option<usize> {
    let hay = b.get(after..)?;
    memchr::memchr_iter(b'{', hay).find(|at| begins_event(hay, *at, is_lines)).map(|at| after + at)
}

fn begins_event(b: &[u8], at: usize, is_lines: bool) -> bool {
    let key = b.get(at + 1..).unwrap_or_default().trim_ascii_start().strip_prefix(b"\"");
    key.is_some_and(|key| FIRST_KEYS.iter().any(|first| key.starts_with(first)))
        && (follows_event(b, at) || is_lines && b.get(..at).is_some_and(|before| before.ends_with(b"\n")))
}

/// Whether a comma and blanks stand before: the end of a broken event may itself be torn, so that a comma is all there is; but
/// `": {` of an args object is no comma.
fn follows_event(b: &[u8], at: usize) -> bool {
    b.get(..at).unwrap_or_default().trim_ascii_end().ends_with(b",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_next_event_but_no_nested_object() {
        let b = br#"{"ph": "X, "args": {"name": 1}}, {"ph": "s"}"#;
        assert_eq!(next_event(b, 1, false), Some(33));
        assert_eq!(next_event(br#"{"a": {"ph": 1}, {\"ph\": 2}"#, 1, false), None);
        assert_eq!(next_event(b"\"x}, {\n  \"name\": 1", 0, false), Some(5));
        assert_eq!(next_event(b"", 0, false), None);
        for (is_lines, found) in [(false, None), (true, Some(4))] {
            assert_eq!(next_event(b"\"x}\n{\"name\": 1", 0, is_lines), found);
        }
    }
}
