//! Where time and bytes lie on a drawn timeline: the mapping the overlay, the mouse and the tests share.

/// The plot's inner rectangle in device pixels of the drawing area, and the ranges it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlotRect {
    /// Left edge, px.
    pub left: f64,
    /// Top edge, px.
    pub top: f64,
    /// Width, px; at least 1.
    pub width: f64,
    /// Height, px; at least 1.
    pub height: f64,
    /// Time at the left edge, ns.
    pub t0_ns: i64,
    /// Time at the right edge, ns; always after `t0_ns`.
    pub t1_ns: i64,
    /// Bytes at the bottom edge: 0 unless a curve goes below.
    pub y0_bytes: i64,
    /// Bytes at the top edge; always more than `y0_bytes`.
    pub y1_bytes: i64,
}

impl PlotRect {
    /// The horizontal place of a time (ns), px; outside the plot for times outside its range.
    pub fn x_of(&self, time_ns: i64) -> f64 {
        self.left + difference(time_ns, self.t0_ns) / difference(self.t1_ns, self.t0_ns) * self.width
    }

    /// The time (ns) at a horizontal place, kept within the plot's range.
    pub fn t_of(&self, x: f64) -> i64 {
        within((x - self.left) / self.width, self.t0_ns, self.t1_ns)
    }

    /// The vertical place of a number of bytes, px.
    pub fn y_of(&self, bytes: i64) -> f64 {
        self.top + difference(self.y1_bytes, bytes) / difference(self.y1_bytes, self.y0_bytes) * self.height
    }

    /// The bytes at a vertical place, kept within the plot's range.
    pub fn bytes_of(&self, y: f64) -> i64 {
        within((self.top + self.height - y) / self.height, self.y0_bytes, self.y1_bytes)
    }

    /// Whether a point (px) lies in the plot.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.left..=self.left + self.width).contains(&x) && (self.top..=self.top + self.height).contains(&y)
    }

    /// Right edge, px.
    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    /// Bottom edge, px.
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// `a - b` as a double. The difference is taken in integers first: times since the epoch exceed what a double holds exactly.
fn difference(a: i64, b: i64) -> f64 {
    (i128::from(a) - i128::from(b)) as f64
}

/// The value at `share` (0 to 1) of the way from `low` to `high`, rounded, never outside.
fn within(share: f64, low: i64, high: i64) -> i64 {
    if share.is_nan() || share <= 0.0 {
        return low;
    }
    let steps = (share * difference(high, low)).round() as i128;
    i64::try_from(i128::from(low) + steps).unwrap_or(high).min(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECT: PlotRect = PlotRect {
        left: 70.0,
        top: 20.0,
        width: 1100.0,
        height: 440.0,
        t0_ns: 1_780_000_000_000_000_000,
        t1_ns: 1_780_000_012_345_678_901,
        y0_bytes: 0,
        y1_bytes: 64 << 30,
    };

    #[test]
    fn mappings_invert() {
        for step in 0..=1100 {
            let x = 70.0 + f64::from(step);
            assert!((RECT.x_of(RECT.t_of(x)) - x).abs() < 1e-6);
        }
        for step in 0..=440 {
            let y = 20.0 + f64::from(step);
            assert!((RECT.y_of(RECT.bytes_of(y)) - y).abs() < 1e-6);
        }
        for t in [RECT.t0_ns, RECT.t0_ns + 1, RECT.t0_ns + 5_000_000_003, RECT.t1_ns - 1, RECT.t1_ns] {
            assert_eq!(RECT.t_of(RECT.x_of(t)), t);
        }
    }

    #[test]
    fn stays_within_the_range() {
        assert_eq!(RECT.t_of(-1e9), RECT.t0_ns);
        assert_eq!(RECT.t_of(1e9), RECT.t1_ns);
        assert_eq!(RECT.t_of(f64::NAN), RECT.t0_ns);
        assert_eq!(RECT.bytes_of(1e9), 0);
        assert_eq!(RECT.bytes_of(-1e9), RECT.y1_bytes);
    }

    #[test]
    fn holds_the_largest_ranges() {
        let rect = PlotRect { t0_ns: i64::MIN, t1_ns: i64::MAX, y0_bytes: i64::MIN, y1_bytes: i64::MAX, ..RECT };
        assert_eq!(rect.t_of(rect.left), i64::MIN);
        assert_eq!(rect.t_of(rect.right()), i64::MAX);
        assert!(rect.contains(rect.x_of(0), rect.y_of(0)));
    }
}
