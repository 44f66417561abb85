//! The grid of blocks as pixels: colours by slot, neighbours a shade apart, an edge where a block is high enough to have one.
//!
//! A raster of our own: rectangles through plotters would take a hundred times as long.

#![allow(clippy::indexing_slicing, reason = "places in the grid come from its own width and height")]

use super::palette::Palette;

/// Blocks at least this high get an edge at their top, pixels.
const EDGED: usize = 4;
/// Columns painted together, so that lines of the picture are written in stretches.
const TILE: usize = 16;

/// The grid to be painted.
#[derive(Debug, Clone, Copy)]
pub struct Grid<'a> {
    /// Column after column, each from bottom to top: one more than the block's place; 0: nothing.
    pub cells: &'a [u32],
    /// Pixels from bottom to top.
    pub lines: usize,
    /// Rows of the blocks, by which neighbours are told apart.
    pub rows: &'a [u32],
    /// Slot of each block.
    pub slots: &'a [u8],
    /// Blocks that stand out; where there are any, all others step back. One number a block, not 0: it stands out; or none at all.
    pub marks: &'a [u8],
    /// Place of the chosen block.
    pub chosen: Option<u32>,
}

type Rgb = [u8; 3];

fn mixed(a: Rgb, b: Rgb, share_of_b: f32) -> Rgb {
    [0, 1, 2].map(|at: usize| (f32::from(a[at]) + (f32::from(b[at]) - f32::from(a[at])) * share_of_b) as u8)
}

/// Round numbers of bytes between two others, at most about so many.
pub fn ticks([low, high]: [i64; 2], most: u32) -> Vec<i64> {
    let span = i128::from(high) - i128::from(low);
    let mut step = 1_i128;
    while span > step * i128::from(most.max(1)) {
        step *= 2;
    }
    let first = (i128::from(low) + step - 1).div_euclid(step) * step;
    let all = (0..=u64::from(most) + 1).map(|at| first + step * i128::from(at));
    all.filter_map(|tick| i64::try_from(tick).ok()).filter(|tick| (low..=high).contains(tick)).collect()
}

/// Paints red, green, blue, opacity, line after line from the top.
pub fn paint(grid: &Grid<'_>, palette: &Palette) -> Vec<u8> {
    let lines = grid.lines.max(1);
    let columns = grid.cells.len() / lines;
    let has_marks = grid.marks.iter().any(|mark| *mark != 0);
    // Inner colour and edge of each block.
    let colors: Vec<[Rgb; 2]> = (0..grid.rows.len())
        .map(|at| {
            let plain = palette.slot(grid.slots.get(at).copied().unwrap_or(u8::MAX));
            // One of four shades, so that neighbours of one group are still two blocks.
            let shade = (grid.rows[at].wrapping_mul(0x9e37_79b1) >> 30) as f32 * 0.05;
            let mut inner = mixed(plain, palette.background, shade);
            if has_marks && grid.marks.get(at).is_none_or(|mark| *mark == 0) {
                inner = mixed(inner, palette.background, 0.78);
            }
            if grid.chosen == u32::try_from(at).ok() {
                inner = palette.chosen;
            }
            [inner, mixed(inner, palette.edge, 0.35)]
        })
        .collect();
    let mut pixels = vec![0_u8; columns * lines * 4];
    for tile in (0..columns).step_by(TILE) {
        for column in tile..(tile + TILE).min(columns) {
            let cells = &grid.cells[column * lines..(column + 1) * lines];
            let mut from = 0;
            while from < lines {
                let cell = cells[from];
                let many = cells[from..].iter().take_while(|other| **other == cell).count();
                if let Some(&[inner, edge]) = cell.checked_sub(1).and_then(|place| colors.get(place as usize)) {
                    for line in from..from + many {
                        let [r, g, b] = if many >= EDGED && line + 1 == from + many { edge } else { inner };
                        let at = ((lines - 1 - line) * columns + column) * 4;
                        pixels[at..at + 4].copy_from_slice(&[r, g, b, 255]);
                    }
                }
                from += many;
            }
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paints_from_the_top_and_leaves_what_is_empty_clear() {
        // Two columns of five lines: a block of four lines in the first, one of one line in the second.
        let cells = [1, 1, 1, 1, 0, 2, 0, 0, 0, 0];
        let grid = Grid { cells: &cells, lines: 5, rows: &[0, 0], slots: &[0, 1], marks: &[], chosen: None };
        let palette = Palette::light();
        let pixels = paint(&grid, &palette);
        let pixel = |column: usize, line: usize| -> [u8; 4] {
            let at = (line * 2 + column) * 4;
            pixels[at..at + 4].try_into().unwrap()
        };
        let [r, g, b] = palette.slot(0);
        assert_eq!(pixel(0, 4), [r, g, b, 255]);
        assert_eq!(pixel(0, 0), [0; 4]);
        assert_ne!(pixel(0, 1), pixel(0, 2), "the edge");
        let [r, g, b] = palette.slot(1);
        assert_eq!(pixel(1, 4), [r, g, b, 255]);
        assert_eq!(pixel(1, 3), [0; 4]);
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks([0, 10 << 30], 5), [0, 2 << 30, 4 << 30, 6 << 30, 8 << 30, 10 << 30]);
        assert_eq!(ticks([1000, 1100], 4), [1024, 1056, 1088]);
        assert_eq!(ticks([0, 0], 4), [0]);
        assert!(ticks([i64::MIN, i64::MAX], 6).len() <= 8);
    }

    #[test]
    fn what_is_marked_stands_out() {
        let cells = [1, 2];
        let grid = Grid { cells: &cells, lines: 1, rows: &[0, 0], slots: &[0, 0], marks: &[1, 0], chosen: None };
        let pixels = paint(&grid, &Palette::dark());
        assert_ne!(pixels[..4], pixels[4..]);
        let all = paint(&Grid { marks: &[0, 0], ..grid }, &Palette::dark());
        assert_eq!((&all[..4], &all[4..]), (&pixels[..4], &pixels[..4]));
        let chosen = paint(&Grid { chosen: Some(1), ..grid }, &Palette::dark());
        assert_eq!(chosen[4..7], Palette::dark().chosen);
    }
}
