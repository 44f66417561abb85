//! CSV cells, quoted only where needed, as Python's csv module and pandas write them. No cell is ever altered.

/// Appends a cell's text.
pub(super) fn push_cell(out: &mut Vec<u8>, text: &str) {
    if !text.bytes().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r')) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for part in text.split_inclusive('"') {
        out.extend_from_slice(part.as_bytes());
        if part.ends_with('"') {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> String {
        let mut out = Vec::new();
        push_cell(&mut out, text);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn quotes_only_where_needed() {
        assert_eq!(cell("aten::add"), "aten::add");
        assert_eq!(cell("=1+1"), "=1+1");
        assert_eq!(cell(""), "");
        assert_eq!(cell("a,b"), "\"a,b\"");
        assert_eq!(cell("f(\"x\")"), "\"f(\"\"x\"\")\"");
        assert_eq!(cell("a;\r\nb"), "\"a;\r\nb\"");
    }
}
