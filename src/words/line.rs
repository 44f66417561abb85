//! Names from files made harmless in a line of text. For terminals and logs: the page shows text as text, exports keep it exact.

use std::borrow::Cow;

/// The text on one line: control characters, line ends and marks that turn the direction of writing are shown as escapes
/// (`\n`, `\u{1b}`), all else stays.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unseen(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Controls (C0, DEL, C1), line and paragraph separators, bidirectional marks.
fn is_unseen(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_speaks_to_the_terminal_and_texts_stay() {
        assert_eq!(one_line("a\u{1b}[31m\nb\r\t\u{9b}\u{202e}c"), "a\\u{1b}[31m\\nb\\r\\t\\u{9b}\\u{202e}c");
        for text in ["", "rank0_ascend_pt", "中文 角色 \\ \"é\"", "😀"] {
            assert!(matches!(one_line(text), Cow::Borrowed(same) if same == text));
        }
    }
}
