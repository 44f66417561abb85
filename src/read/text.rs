//! Small rules about text that several readers share. Holds no state and reads no files.

/// Whether Python's `str.strip()` removes this character: Unicode white space and the four separators U+001C to U+001F.
fn is_python_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// Trims as Python's `str.strip()` does, which is what the reference tool applies to every cell.
pub fn strip(text: &str) -> &str {
    // Nearly every cell is plain ASCII without blanks around it.
    match (text.as_bytes().first(), text.as_bytes().last()) {
        (Some(0x21..=0x7e), Some(0x21..=0x7e)) => text,
        _ => text.trim_matches(is_python_space),
    }
}

/// Whether the bytes begin like UTF-16 (with a byte-order mark), which no reader here takes.
pub fn looks_like_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_what_python_strips() {
        assert_eq!(strip("\u{1c}\u{85}\u{a0}\u{3000}\taten::add \u{1f}"), "aten::add");
        assert_eq!(strip("\u{feff}x"), "\u{feff}x");
        assert_eq!(strip("张量"), "张量");
        assert_eq!(strip(" "), "");
        assert_eq!(strip(""), "");
    }
}
