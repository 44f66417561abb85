//! Comparing and searching the few bytes that lie near, all at once: literals and values are short, and each guess of the
//! processor about how short costs more than looking at them.
//!
//! Whatever does not end within these bytes, or has fewer of them behind it, is left to the slower ways.

use wide::u8x16;

/// Bytes looked at together.
const NEAR: usize = 32;

/// Bytes to compare with, the first ones at once.
pub(super) struct Literal {
    text: Box<[u8]>,
    /// The first bytes, zeros behind them.
    head: [u8x16; 2],
    /// All ones where there is a byte of the text.
    mask: [u8x16; 2],
}

impl Literal {
    pub fn new(text: &[u8]) -> Literal {
        let (mut head, mut mask) = ([0; NEAR], [0; NEAR]);
        for ((head, mask), byte) in head.iter_mut().zip(&mut mask).zip(text) {
            (*head, *mask) = (*byte, 0xff);
        }
        Literal { text: text.into(), head: halves(&head), mask: halves(&mask) }
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether the bytes begin with it.
    #[inline]
    pub fn begins(&self, b: &[u8]) -> bool {
        let Some(near) = b.first_chunk::<NEAR>() else { return b.starts_with(&self.text) };
        let [first, second] = halves(near);
        let [head, more] = self.head;
        let [mask, more_mask] = self.mask;
        let differs = ((first ^ head) & mask) | ((second ^ more) & more_mask);
        let is_same = differs.simd_eq(u8x16::splat(0)).to_bitmask() == 0xffff;
        is_same && (self.text.len() <= NEAR || b.get(NEAR..).is_some_and(|b| b.starts_with(self.behind())))
    }

    fn behind(&self) -> &[u8] {
        self.text.get(NEAR..).unwrap_or_default()
    }
}

#[inline]
fn halves(bytes: &[u8; NEAR]) -> [u8x16; 2] {
    let (halves, _) = bytes.as_chunks::<16>();
    match halves {
        [first, second] => [u8x16::new(*first), u8x16::new(*second)],
        _ => [u8x16::splat(0); 2],
    }
}

/// Where the closing quote stands of a string without escapes; `None` if it is not near, or there is an escape before it.
#[inline]
pub(super) fn string_end(b: &[u8]) -> Option<usize> {
    let near = b.first_chunk::<NEAR>()?;
    let is_stop = |bytes: u8x16| bytes.simd_eq(u8x16::splat(b'"')) | bytes.simd_eq(u8x16::splat(b'\\'));
    let end = first(near, is_stop);
    (near.get(end) == Some(&b'"')).then_some(end)
}

/// Where a number ends that is written with digits, sign and point alone; `None` if that is not near, or there is none.
#[inline]
pub(super) fn number_end(b: &[u8]) -> Option<usize> {
    let near = u8x16::new(*b.first_chunk::<16>()?);
    // `-`, `.`, `/` and the digits stand side by side; what has a slash in it is as good a word as any.
    let place = near - u8x16::splat(b'-');
    let is_part = place.min(u8x16::splat(b'9' - b'-')).simd_eq(place);
    let end = (!is_part.to_bitmask() | 1 << 16).trailing_zeros() as usize;
    (end > 0 && end < 16).then_some(end)
}

/// The first byte for which `is` gives all ones, else [`NEAR`].
#[inline]
fn first(near: &[u8; NEAR], is: impl Fn(u8x16) -> u8x16) -> usize {
    let (halves, _) = near.as_chunks::<16>();
    let mut found = 0_u64;
    for (index, half) in halves.iter().enumerate() {
        found |= u64::from(is(u8x16::new(*half)).to_bitmask()) << (index * 16);
    }
    (found | 1 << NEAR).trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn literals_are_compared_as_slices(text in "[ab]{0,70}", literal in "[ab]{0,70}", cut in 0_usize..70) {
            let of = Literal::new(literal.as_bytes());
            prop_assert_eq!(of.begins(text.as_bytes()), text.starts_with(&literal));
            let same = format!("{literal}{text}");
            prop_assert!(of.begins(same.as_bytes()));
            let cut = cut.min(same.len());
            prop_assert_eq!(of.begins(&same.as_bytes()[..cut]), cut >= literal.len());
            prop_assert_eq!((of.text(), of.len()), (literal.as_bytes(), literal.len()));
        }

        #[test]
        fn ends_are_found_where_a_slow_look_finds_them(text in prop::collection::vec(prop_oneof![4 => b'-'..=b'9', 1 => any::<u8>()], 0..60)) {
            let stop = text.iter().position(|byte| matches!(byte, b'"' | b'\\'));
            let string = stop.filter(|at| *at < NEAR && text.len() >= NEAR && text[*at] == b'"');
            prop_assert_eq!(string_end(&text), string);
            let is_part = |byte: &u8| byte.is_ascii_digit() || b"-./".contains(byte);
            let number = text.iter().position(|byte| !is_part(byte)).filter(|at| *at > 0 && *at < 16 && text.len() >= 16);
            prop_assert_eq!(number_end(&text), number);
        }
    }
}
