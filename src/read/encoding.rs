//! Makes UTF-8 of UTF-16, as spreadsheets and Windows tools save text; everything else passes as it is.
//!
//! Which it is the first two bytes say: a byte-order mark, or, since tables and JSON begin with ASCII, a zero beside it.

/// Passes text on as UTF-8.
#[derive(Debug, Default)]
pub struct ToUtf8 {
    form: Form,
    out: String,
    replaced: u64,
}

#[derive(Debug, Default)]
enum Form {
    /// Fewer than two bytes were fed.
    #[default]
    Empty,
    /// One byte was fed.
    OneByte(u8),
    AsItIs,
    Utf16(Utf16),
}

/// UTF-16 cut anywhere.
#[derive(Debug)]
struct Utf16 {
    is_big_endian: bool,
    /// The first byte of a unit.
    byte: Option<u8>,
    /// The first unit of a pair.
    high: Option<u16>,
}

impl ToUtf8 {
    /// Takes the next bytes; `take` gets text.
    pub fn feed(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) {
        let joined;
        let mut bytes = bytes;
        match (&self.form, bytes) {
            (Form::AsItIs, _) => return take(bytes),
            (Form::Utf16(_), _) | (_, []) => {}
            (Form::Empty, [only]) => {
                self.form = Form::OneByte(*only);
                return;
            }
            (Form::OneByte(first), _) => {
                joined = [&[*first], bytes].concat();
                bytes = &joined;
                self.form = Form::of(bytes);
            }
            (Form::Empty, _) => self.form = Form::of(bytes),
        }
        match &mut self.form {
            Form::Utf16(utf16) => {
                for byte in bytes {
                    self.replaced += utf16.take(*byte, &mut self.out);
                }
                if !self.out.is_empty() {
                    take(self.out.as_bytes());
                    self.out.clear();
                }
            }
            _ => take(bytes),
        }
    }

    /// Ends the text. Gives how many places were no text and were replaced by U+FFFD.
    pub fn finish(&mut self, take: &mut dyn FnMut(&[u8])) -> u64 {
        match std::mem::take(&mut self.form) {
            Form::OneByte(byte) => take(&[byte]),
            Form::Utf16(Utf16 { byte, high, .. }) if byte.is_some() || high.is_some() => {
                self.replaced += 1;
                take("\u{fffd}".as_bytes());
            }
            Form::Empty | Form::AsItIs | Form::Utf16(_) => {}
        }
        std::mem::take(&mut self.replaced)
    }
}

impl Form {
    fn of(bytes: &[u8]) -> Form {
        let utf16 = |is_big_endian| Form::Utf16(Utf16 { is_big_endian, byte: None, high: None });
        match bytes {
            [0xff, 0xfe, ..] | [1..=0x7f, 0, ..] => utf16(false),
            [0xfe, 0xff, ..] | [0, 1..=0x7f, ..] => utf16(true),
            _ => Form::AsItIs,
        }
    }
}

impl Utf16 {
    /// Takes a byte; gives how many characters had to be replaced.
    fn take(&mut self, byte: u8, out: &mut String) -> u64 {
        let Some(first) = self.byte.take() else {
            self.byte = Some(byte);
            return 0;
        };
        let unit =
            if self.is_big_endian { u16::from_be_bytes([first, byte]) } else { u16::from_le_bytes([first, byte]) };
        let mut replaced = 0;
        if let Some(high) = self.high.take() {
            if let Some(Ok(both)) = char::decode_utf16([high, unit]).next() {
                out.push(both);
                return 0;
            }
            out.push(char::REPLACEMENT_CHARACTER);
            replaced += 1;
        }
        match char::from_u32(u32::from(unit)) {
            Some(character) => out.push(character),
            None if (0xd800..0xdc00).contains(&unit) => self.high = Some(unit),
            None => {
                out.push(char::REPLACEMENT_CHARACTER);
                replaced += 1;
            }
        }
        replaced
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8], piece: usize) -> (String, u64) {
        let (mut reader, mut out) = (ToUtf8::default(), Vec::new());
        for piece in bytes.chunks(piece) {
            reader.feed(piece, &mut |text| out.extend_from_slice(text));
        }
        let replaced = reader.finish(&mut |text| out.extend_from_slice(text));
        (String::from_utf8_lossy(&out).into_owned(), replaced)
    }

    fn units(units: impl Iterator<Item = u16>, is_big_endian: bool) -> Vec<u8> {
        units.flat_map(|unit| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    #[test]
    fn what_is_no_utf16_passes_as_it_is() {
        for text in ["", "a", "ab", "\u{feff}Name", "名", "[", "{}"] {
            for piece in [1, 2, 9] {
                assert_eq!(read(text.as_bytes(), piece), (text.to_owned(), 0));
            }
        }
    }

    #[test]
    fn half_pairs_and_bytes_are_counted() {
        let broken = [0xfeff, 0x61, 0xd83d, 0x62, 0xde00, 0x63, 0xd83d];
        let (text, replaced) = read(&units(broken.into_iter(), false), 3);
        assert_eq!((text.as_str(), replaced), ("\u{feff}a\u{fffd}b\u{fffd}c\u{fffd}", 3));
        assert_eq!(read(b"a\0b\0c", 2), ("ab\u{fffd}".to_owned(), 1));
    }

    proptest! {
        #[test]
        fn any_text_in_any_pieces(text in "[ -~]\\PC*", is_big_endian: bool, mark: bool, piece in 1usize..9) {
            let text = if mark { format!("\u{feff}{text}") } else { text };
            let bytes = units(text.encode_utf16(), is_big_endian);
            prop_assert_eq!(read(&bytes, piece), (text, 0));
        }
    }
}
