//! Small pictures of which many stand side by side: a curve as the path of an SVG element.
//!
//! Each path lies in a square of [`SIDE`] units over its own time and bytes, so that the common scale of all pictures is one
//! transformation of each and a rank that comes later redraws none.

use std::fmt::Write;

use super::PlotRect;
use super::curve::steps;
use super::ticks::byte_axis;
use crate::analysis::answer::Series;

/// Width and height of the square a path lies in.
pub const SIDE: i32 = 400;

/// What a path's square shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Time at its left edge, ns.
    pub start_ns: i64,
    /// Time at its right edge, ns.
    pub end_ns: i64,
    /// Bytes at its upper edge; its lower one is 0.
    pub top_bytes: i64,
}

/// The path of a step curve; with `closed` it runs along the lower edge too, to be filled. Empty if nothing is known.
pub fn path(series: &Series, extent: Extent, closed: bool) -> String {
    let side = f64::from(SIDE);
    let start_ns = extent.start_ns.min(i64::MAX - 1);
    let plot = PlotRect {
        left: 0.0,
        top: 0.0,
        width: side,
        height: side,
        t0_ns: start_ns,
        t1_ns: extent.end_ns.max(start_ns + 1),
        y0_bytes: 0,
        y1_bytes: extent.top_bytes.max(1),
    };
    let corners = steps(&plot, &series.times_ns, &series.bytes);
    let mut out = String::with_capacity(corners.len() * 5 + 16);
    let mut before: Option<(i32, i32)> = None;
    for (x, y) in corners {
        // Writing into a String cannot fail.
        let _ = match before {
            None => write!(out, "M{x} {y}"),
            Some((_, old)) if old == y => write!(out, "H{x}"),
            Some((old, _)) if old == x => write!(out, "V{y}"),
            Some(_) => write!(out, "L{x} {y}"),
        };
        before = Some((x, y));
    }
    if closed && let Some((first, _)) = out.strip_prefix('M').and_then(|rest| rest.split_once(' ')) {
        let end = format!("V{SIDE}H{first}Z");
        out.push_str(&end);
    }
    out
}

/// The bytes at the upper edge of a scale that holds so many, such that it changes rarely when more are found.
pub fn top_for(bytes: i64) -> i64 {
    byte_axis(0, bytes, 4).1
}

/// How a picture's square lies on a scale of so many bytes and ns: factors across and upwards.
pub fn factors(extent: Extent, bytes: i64, ns: i64) -> (f64, f64) {
    let part = |own: i64, all: i64| (own.max(0) as f64 / all.max(1) as f64).clamp(0.0, 1.0);
    (part(extent.end_ns.saturating_sub(extent.start_ns), ns), part(extent.top_bytes, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::answer::{PoolKey, Quantity};

    fn series(times_ns: Vec<i64>, bytes: Vec<i64>) -> Series {
        let pool = PoolKey { component: "PTA".into(), device: "NPU:0".into() };
        Series { pool, quantity: Quantity::Allocated, times_ns, bytes, complete: true }
    }

    const EXTENT: Extent = Extent { start_ns: 0, end_ns: 400, top_bytes: 800 };

    #[test]
    fn goes_along_the_steps() {
        let curve = series(vec![0, 100, 300], vec![200, 800, 0]);
        assert_eq!(path(&curve, EXTENT, false), "M0 300H100V0H300V400H400");
        assert_eq!(path(&curve, EXTENT, true), "M0 300H100V0H300V400H400V400H0Z");
        // What begins later is filled from there.
        assert!(path(&series(vec![100], vec![800]), EXTENT, true).ends_with("V400H100Z"));
        assert_eq!(path(&series(vec![], vec![]), EXTENT, true), "");
    }

    #[test]
    fn the_common_scale_is_a_transformation() {
        assert_eq!(factors(EXTENT, 1600, 400), (1.0, 0.5));
        assert_eq!(factors(Extent { end_ns: -5, ..EXTENT }, 0, 0), (0.0, 1.0));
        assert_eq!(top_for(5 << 30), 6 << 30);
        assert!(top_for(0) > 0 && top_for(i64::MAX) == i64::MAX);
    }

    #[test]
    fn hostile_extents_do_no_harm() {
        let curve = series(vec![i64::MIN, 0, i64::MAX], vec![i64::MIN, 5, i64::MAX]);
        for extent in [
            Extent { start_ns: i64::MAX, end_ns: i64::MIN, top_bytes: -5 },
            Extent { start_ns: i64::MIN, end_ns: i64::MAX, top_bytes: i64::MAX },
        ] {
            assert!(!path(&curve, extent, true).contains("NaN"));
            let (x, y) = factors(extent, 1, 1);
            assert!((0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y));
        }
    }
}
