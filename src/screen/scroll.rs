//! Tables of any length: which rows a scroll position shows, and the stretch of rows that was answered last.

/// Height of a row, CSS pixels; the style sheet says the same.
pub const ROW: f64 = 28.0;
/// Height of the head, CSS pixels.
pub const HEAD: f64 = 34.0;
/// Browsers allow elements only so high; beyond this the scroll bar moves in larger steps.
pub const HIGHEST: f64 = 8_000_000.0;

/// One row's texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// For each column: text, and the tooltip if it says more.
    pub cells: Vec<(String, String)>,
    /// The block it is about.
    pub block: Option<u32>,
}

/// What was answered last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stretch {
    /// Rows in all.
    pub total: usize,
    /// The first row here.
    pub from: usize,
    /// The rows.
    pub lines: Vec<Line>,
}

impl Stretch {
    /// Whether so many rows from this one on are all here, as far as there are any.
    pub fn covers(&self, first: usize, count: usize) -> bool {
        first >= self.from && (first + count).min(self.total) <= self.from + self.lines.len()
    }
}

/// The first row of the window, for a scroll position.
pub fn first_of(top: f64, total: usize, fit: usize) -> usize {
    let last = total.saturating_sub(fit);
    let whole = total as f64 * ROW;
    let first =
        if whole <= HIGHEST { (top / ROW).round() } else { top / (HIGHEST - fit as f64 * ROW).max(1.0) * last as f64 };
    (first.max(0.0) as usize).min(last)
}

/// The scroll position for a first row.
pub fn top_of(first: usize, total: usize, fit: usize) -> f64 {
    let last = total.saturating_sub(fit);
    if total as f64 * ROW <= HIGHEST {
        first as f64 * ROW
    } else {
        first as f64 / last.max(1) as f64 * (HIGHEST - fit as f64 * ROW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scroll_positions_and_rows_belong_together() {
        for total in [0_usize, 5, 30, 1_000, 1_000_000, 30_000_000] {
            for first in [0, 1, 17, 500, total / 2, total.saturating_sub(20)] {
                let first = first.min(total.saturating_sub(20));
                let back = first_of(top_of(first, total, 20), total, 20);
                assert!(back.abs_diff(first) <= 1, "{first} of {total} came back as {back}");
            }
            assert_eq!(first_of(f64::MAX, total, 20), total.saturating_sub(20));
        }
    }

    #[test]
    fn a_stretch_covers_what_it_has() {
        let line = Line { cells: Vec::new(), block: None };
        let stretch = Stretch { total: 100, from: 90, lines: vec![line; 10] };
        assert!(stretch.covers(90, 10) && stretch.covers(95, 20) && !stretch.covers(89, 5));
        assert!(!Stretch { total: 101, ..stretch }.covers(95, 20));
    }
}
