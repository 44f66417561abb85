//! Colours of blocks: eight that every eye can tell apart for named groups, greys for the rest, a scale from dark to light for
//! classes, and for match kinds the colours they have everywhere on the page.

/// Which colours the slots have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Groups that have nothing to do with each other.
    Named,
    /// Classes in an order.
    Ordered,
    /// Match kinds, in the order of their list.
    Match,
}

/// The colours of one theme: red, green, blue each.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    /// Behind the blocks.
    pub background: [u8; 3],
    /// Towards which edges go.
    pub edge: [u8; 3],
    /// The chosen block.
    pub chosen: [u8; 3],
    named: [[u8; 3]; 8],
    ordered: [[u8; 3]; 7],
    matches: [[u8; 3]; 7],
    others: [u8; 3],
    no_stack: [u8; 3],
    scale: Scale,
}

const fn rgb(hex: u32) -> [u8; 3] {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
}

const fn all<const N: usize>(hexes: [u32; N]) -> [[u8; 3]; N] {
    let mut colors = [[0; 3]; N];
    let mut at = 0;
    while at < N {
        #[allow(clippy::indexing_slicing, reason = "below the length of both")]
        {
            colors[at] = rgb(hexes[at]);
        }
        at += 1;
    }
    colors
}

impl Palette {
    /// For a white ground. The named ones are those of Okabe and Ito with a wine red instead of black.
    pub const fn light() -> Palette {
        Palette {
            background: rgb(0xffffff),
            edge: rgb(0x14171b),
            chosen: rgb(0x14171b),
            named: all([0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0xd8cc1c, 0x882255]),
            ordered: all([0xd9e5a8, 0xa4d06b, 0x53b577, 0x219491, 0x2c728e, 0x3d4c8a, 0x440154]),
            matches: all([0x0072b2, 0x3f9bd1, 0x8cc4e6, 0x009e73, 0xc98a00, 0xa3acb6, 0xced4da]),
            others: rgb(0x8b949e),
            no_stack: rgb(0xc6ccd2),
            scale: Scale::Named,
        }
    }

    /// For a near-black ground.
    pub const fn dark() -> Palette {
        Palette {
            background: rgb(0x14171b),
            edge: rgb(0x050607),
            chosen: rgb(0xffffff),
            named: all([0x3c8fd0, 0xe0a030, 0x1fa67a, 0xd488b4, 0x7cc7f0, 0xdf6a1e, 0xe8de4a, 0xa8507c]),
            ordered: all([0x4b3f8c, 0x3f5fa3, 0x3480a0, 0x2f9f8f, 0x57b96b, 0xa3cf4e, 0xf0e04a]),
            matches: all([0x4fa8e0, 0x3379a6, 0x24567a, 0x2fb891, 0xe0c03a, 0x6b757f, 0x39414a]),
            others: rgb(0x6b757f),
            no_stack: rgb(0x3c444c),
            scale: Scale::Named,
        }
    }

    /// The same with the colours of a scale.
    pub const fn with(self, scale: Scale) -> Palette {
        Palette { scale, ..self }
    }

    /// The colour of a slot; those without a place of their own are the other groups, the last is no call stack.
    pub fn slot(&self, slot: u8) -> [u8; 3] {
        let colors: &[[u8; 3]] = match self.scale {
            Scale::Named => &self.named,
            Scale::Ordered => &self.ordered,
            Scale::Match => &self.matches,
        };
        let rest = if slot == u8::MAX { self.no_stack } else { self.others };
        colors.get(usize::from(slot)).copied().unwrap_or(rest)
    }

    /// A slot's colour for a style sheet.
    pub fn css(&self, slot: u8) -> String {
        let [r, g, b] = self.slot(slot);
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::theme::tests::{SIGHTS, lab};
    use super::*;
    use plotters::style::RGBColor;

    #[test]
    fn named_groups_differ_for_every_eye() {
        for palette in [Palette::light(), Palette::dark()] {
            for (at, a) in palette.named.iter().enumerate() {
                for b in &palette.named[at + 1..] {
                    for sight in &SIGHTS {
                        let (a, b) = (lab(RGBColor(a[0], a[1], a[2]), sight), lab(RGBColor(b[0], b[1], b[2]), sight));
                        let apart = (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
                        assert!(apart >= 8.0, "{a:?} and {b:?}: {apart:.1}");
                    }
                }
            }
        }
    }

    #[test]
    fn classes_go_from_one_end_to_the_other() {
        for palette in [Palette::light(), Palette::dark()] {
            let lightness = palette.ordered.map(|[r, g, b]| lab(RGBColor(r, g, b), &SIGHTS[0])[0] as i64);
            let mut sorted = lightness;
            sorted.sort_unstable();
            let falling: Vec<i64> = sorted.iter().rev().copied().collect();
            assert!(lightness == sorted || lightness.to_vec() == falling, "{lightness:?}");
        }
    }

    #[test]
    fn a_slot_without_a_place_is_grey() {
        let palette = Palette::light();
        assert_eq!(palette.slot(254), palette.slot(200));
        assert_ne!(palette.slot(254), palette.slot(255));
        assert_eq!(palette.with(Scale::Match).css(0), "#0072b2");
    }
}
