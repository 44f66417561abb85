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

/// Reads bytes of an older encoding as text; `None` if they are none. Tables of characters are no business of this room: who has
/// some (the browser, the command) lends it.
pub type Legacy = fn(&[u8]) -> Option<String>;

/// Whether bytes that are no UTF-8 look like GBK, as Chinese Windows programs save text: every byte above ASCII begins a pair.
pub fn looks_like_gbk(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    loop {
        rest = match rest {
            [] => return true,
            [0..=0x7f, rest @ ..] => rest,
            [0x81..=0xfe, 0x40..=0x7e | 0x80..=0xfe, rest @ ..] => rest,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_gbk_from_damage() {
        // 张量 and 算子 in GBK.
        assert!(looks_like_gbk(b"aten::\xd5\xc5\xc1\xbf(\xcb\xe3\xd7\xd3)"));
        assert!(!looks_like_gbk(b"aten::\xff") && !looks_like_gbk(b"\xd5") && !looks_like_gbk(b"a\xd5(b"));
    }

    #[test]
    fn strips_what_python_strips() {
        assert_eq!(strip("\u{1c}\u{85}\u{a0}\u{3000}\taten::add \u{1f}"), "aten::add");
        assert_eq!(strip("\u{feff}x"), "\u{feff}x");
        assert_eq!(strip("张量"), "张量");
        assert_eq!(strip(" "), "");
        assert_eq!(strip(""), "");
    }
}
