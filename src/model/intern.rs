//! Text stored once: equal bytes get equal ids, dense from 0, in order of first sight.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// An interner over byte strings in one arena.
#[derive(Default)]
pub struct Interner {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    table: HashTable<u32>,
}

/// Bytes from which on four words are hashed side by side: call stacks are long, and a multiplication waits for the one before.
const LONG: usize = 64;

fn hash(text: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    let mut rest = text;
    if text.len() >= LONG {
        let (blocks, behind) = text.as_chunks::<32>();
        rest = behind;
        let mut lanes = [0_u64; 4];
        for block in blocks {
            let (words, _) = block.as_chunks::<8>();
            for (lane, word) in lanes.iter_mut().zip(words) {
                *lane = (lane.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(0xf135_7aea_2e62_a9c5);
            }
        }
        lanes.into_iter().for_each(|lane| hasher.write_u64(lane));
    }
    hasher.write(rest);
    hasher.write_usize(text.len());
    hasher.finish()
}

fn slice<'a>(bytes: &'a [u8], ends: &[u32], id: u32) -> &'a [u8] {
    let index = id as usize;
    let start = if index == 0 { 0 } else { ends.get(index - 1).copied().unwrap_or(0) as usize };
    let end = ends.get(index).copied().unwrap_or(0) as usize;
    bytes.get(start..end).unwrap_or_default()
}

impl Interner {
    /// The text's id; stores it if it is new. `None` once 4 GiB of distinct text are stored.
    pub fn intern(&mut self, text: &[u8]) -> Option<u32> {
        let hash_of_text = hash(text);
        let (bytes, ends) = (&self.bytes, &self.ends);
        if let Some(id) = self.table.find(hash_of_text, |id| slice(bytes, ends, *id) == text) {
            return Some(*id);
        }
        let id = u32::try_from(self.ends.len()).ok().filter(|id| *id < u32::MAX)?;
        let end = u32::try_from(self.bytes.len() + text.len()).ok()?;
        self.bytes.extend_from_slice(text);
        self.ends.push(end);
        let (bytes, ends) = (&self.bytes, &self.ends);
        self.table.insert_unique(hash_of_text, id, |id| hash(slice(bytes, ends, *id)));
        Some(id)
    }

    /// The text's id, if it is stored.
    pub fn find(&self, text: &[u8]) -> Option<u32> {
        self.table.find(hash(text), |id| slice(&self.bytes, &self.ends, *id) == text).copied()
    }

    /// The text of an id; empty for an id that was never given.
    pub fn get(&self, id: u32) -> &[u8] {
        slice(&self.bytes, &self.ends, id)
    }

    /// The text of an id that was stored as UTF-8.
    pub fn text(&self, id: u32) -> &str {
        std::str::from_utf8(self.get(id)).unwrap_or_default()
    }

    /// How many texts are stored.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether none is stored.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of all texts.
    pub fn text_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * 4 + self.table.capacity() * 5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_text_equal_id() {
        let mut interner = Interner::default();
        let ids: Vec<_> =
            ["a", "", "b", "a", "", "ab"].iter().map(|t| interner.intern(t.as_bytes()).unwrap()).collect();
        assert_eq!(ids, [0, 1, 2, 0, 1, 3]);
        assert_eq!(interner.text(3), "ab");
        assert_eq!(interner.text(1), "");
        assert_eq!(interner.find(b"b"), Some(2));
        assert_eq!(interner.find(b"zz"), None);
        assert_eq!(interner.text(99), "");
        for length in (0..300).chain([1000, 1001]) {
            let (text, other) = ("x".repeat(length) + "y", "x".repeat(length) + "z");
            let id = interner.intern(text.as_bytes()).unwrap();
            assert_eq!((interner.find(text.as_bytes()), interner.text(id)), (Some(id), text.as_str()));
            assert_ne!(interner.intern(other.as_bytes()), Some(id));
        }
        for i in 0..1000u32 {
            let text = i.to_string();
            let id = interner.intern(text.as_bytes()).unwrap();
            assert_eq!(interner.text(id), text);
        }
    }
}
