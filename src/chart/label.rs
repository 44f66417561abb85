//! Room for texts: a rough width, and shortening that keeps what a reader looks for.

/// Rough width of a text in em (multiples of the font size); rather too wide than too narrow.
pub fn width_em(text: &str) -> f64 {
    text.chars().map(char_em).sum()
}

/// Latin letters of a sans-serif font are about half as wide as high, Chinese ones as wide as high.
fn char_em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 't' | 'f' | '.' | ',' | ':' | ';' | '|' | '\'' | '/' | ' ' | '(' | ')' => 0.36,
        'm' | 'w' | 'M' | 'W' | '%' => 0.92,
        c if c.is_ascii_uppercase() => 0.72,
        c if c < '\u{1100}' => 0.6,
        _ => 1.05,
    }
}

/// Shortens a label to `room_em`: first leading folders of a path go, then the middle.
///
/// Of a frame `path/to/file.py(12): function` the file name and the function stay as long as there is room for them.
pub fn shorten(label: &str, room_em: f64) -> String {
    // A stack is many lines; its innermost frame stands for it.
    let line = label.lines().next().unwrap_or_default();
    if width_em(line) <= room_em {
        return line.to_owned();
    }
    // Only separators before the function's own text are folders (`a/b.py(3): x/y` has one).
    let path_end = line.find("): ").unwrap_or(line.len());
    let path = line.get(..path_end).unwrap_or(line);
    for (at, _) in path.match_indices(['/', '\\']) {
        let rest = line.get(at..).unwrap_or_default();
        if width_em(rest) + 1.05 <= room_em {
            return format!("…{rest}");
        }
    }
    let last = path.rfind(['/', '\\']).map_or(line, |at| line.get(at + 1..).unwrap_or(line));
    cut_middle(last, room_em)
}

/// Takes characters out of the middle until the text fits.
fn cut_middle(text: &str, room_em: f64) -> String {
    let chars: Vec<char> = text.chars().collect();
    let room = room_em - 1.05;
    let (mut head, mut tail, mut used) = (0, 0, 0.0);
    while head + tail < chars.len() {
        // Head and tail grow in turns, so both ends stay.
        let next = if head <= tail { chars.get(head) } else { chars.get(chars.len() - 1 - tail) };
        used += next.map_or(0.0, |c| char_em(*c));
        if used > room {
            break;
        }
        if head <= tail { head += 1 } else { tail += 1 }
    }
    if head + tail == chars.len() {
        return text.to_owned();
    }
    let start: String = chars.iter().take(head).collect();
    let end: String = chars.iter().skip(chars.len() - tail).collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: &str = "/usr/lib/python3/site-packages/torch/nn/modules/linear.py(114): forward";

    #[test]
    fn keeps_file_and_function() {
        assert_eq!(shorten(FRAME, 100.0), FRAME);
        let short = shorten(FRAME, 22.0);
        assert!(short.starts_with('…') && short.ends_with("/linear.py(114): forward"), "{short}");
        assert!(width_em(&short) <= 22.0);
        let tiny = shorten(FRAME, 10.0);
        assert!(tiny.starts_with("lin") && tiny.ends_with("ward"), "{tiny}");
    }

    #[test]
    fn keeps_both_ends_of_anything() {
        for room in [0.0, 1.0, 2.0, 5.0, 9.0] {
            for text in ["aten::scaled_dot_product_attention", "显存分配很长很长的一个名字", "", "a"] {
                let short = shorten(text, room);
                assert!(short.chars().count() <= text.chars().count().max(1), "{short}");
            }
        }
        assert_eq!(shorten("one\ntwo", 50.0), "one");
        assert_eq!(shorten("C:\\work\\train.py(3): main", 12.0), "…\\train.py(3): main");
    }
}
