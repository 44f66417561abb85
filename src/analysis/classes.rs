//! Classes of sizes and ages: few enough to be read at a glance, with bounds that mean something to the allocator.
//!
//! torch_npu's caching allocator serves up to 1 MiB from segments of 2 MiB, up to 10 MiB from segments of 20 MiB, and gives
//! anything larger a segment of its own, in steps of 2 MiB. Names are written with units alone: the same in every language.

/// One class: from the end of the class before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// The first number that no longer belongs to it: bytes, or ns.
    pub below: i64,
    /// Its name.
    pub text: &'static str,
}

const KIB: i64 = 1 << 10;
const MIB: i64 = 1 << 20;
const GIB: i64 = 1 << 30;
const US: i64 = 1_000;
const MS: i64 = 1_000_000;
const S: i64 = 1_000_000_000;

/// Classes of sizes, bytes.
pub const SIZES: [Class; 7] = [
    Class { below: KIB, text: "< 1 KiB" },
    Class { below: 64 * KIB, text: "1 KiB – 64 KiB" },
    Class { below: MIB, text: "64 KiB – 1 MiB" },
    Class { below: 10 * MIB, text: "1 MiB – 10 MiB" },
    Class { below: 100 * MIB, text: "10 MiB – 100 MiB" },
    Class { below: GIB, text: "100 MiB – 1 GiB" },
    Class { below: i64::MAX, text: "≥ 1 GiB" },
];

/// Classes of ages, ns: how long ago a block was allocated.
pub const AGES: [Class; 7] = [
    Class { below: 100 * US, text: "< 100 µs" },
    Class { below: MS, text: "100 µs – 1 ms" },
    Class { below: 10 * MS, text: "1 ms – 10 ms" },
    Class { below: 100 * MS, text: "10 ms – 100 ms" },
    Class { below: S, text: "100 ms – 1 s" },
    Class { below: 10 * S, text: "1 s – 10 s" },
    Class { below: i64::MAX, text: "≥ 10 s" },
];

/// Place of a size among [`SIZES`].
pub fn size(bytes: i64) -> u32 {
    place(&SIZES, bytes)
}

/// Place of an age among [`AGES`].
pub fn age(ns: i64) -> u32 {
    place(&AGES, ns)
}

fn place(classes: &[Class], number: i64) -> u32 {
    let last = classes.len().saturating_sub(1);
    let at = classes.iter().position(|class| number < class.below).unwrap_or(last);
    u32::try_from(at).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_belong_to_the_class_above() {
        for (classes, place) in [(&SIZES, size as fn(i64) -> u32), (&AGES, age)] {
            assert_eq!((place(-1), place(0)), (0, 0));
            for (at, class) in classes.iter().enumerate().filter(|(_, class)| class.below < i64::MAX) {
                assert_eq!((place(class.below - 1), place(class.below)), (at as u32, at as u32 + 1), "{}", class.text);
            }
            assert_eq!(place(i64::MAX), 6);
        }
    }
}
