//! Step curves in pixels: a value holds until the next point, and no value of a pixel column is lost.

use super::PlotRect;

/// A pixel of the drawing area.
pub type Pixel = (i32, i32);

/// The corners of a step curve inside the plot, in drawing order; empty if no value is known in the range.
///
/// All points that fall on one pixel column become one upright line from their least to their greatest value, so a peak of one
/// nanosecond is as high as any other.
pub fn steps(plot: &PlotRect, times_ns: &[i64], bytes: &[i64]) -> Vec<Pixel> {
    let mut corners = Corners { out: Vec::with_capacity(times_ns.len().min(8192) * 2), at: None };
    let mut held = None;
    for (&time, &value) in times_ns.iter().zip(bytes) {
        if time > plot.t1_ns {
            break;
        }
        if time <= plot.t0_ns {
            held = Some(value);
            continue;
        }
        if let Some(value) = held.take() {
            corners.add(pixel(plot.left), pixel(plot.y_of(value)));
        }
        corners.add(pixel(plot.x_of(time)), pixel(plot.y_of(value)));
    }
    if let Some(value) = held {
        corners.add(pixel(plot.left), pixel(plot.y_of(value)));
    }
    corners.finish(pixel(plot.right()))
}

/// Collects points column by column.
struct Corners {
    out: Vec<Pixel>,
    at: Option<Column>,
}

/// What fell on one pixel column: the ways up and down, and where the curve leaves.
struct Column {
    x: i32,
    entry: Option<i32>,
    least: i32,
    most: i32,
    last: i32,
}

impl Corners {
    fn add(&mut self, x: i32, y: i32) {
        let entry = match &mut self.at {
            Some(column) if column.x == x => {
                column.least = column.least.min(y);
                column.most = column.most.max(y);
                column.last = y;
                return;
            }
            other => other.take().map(|column| flush(&mut self.out, &column)),
        };
        self.at = Some(Column { x, entry, least: y, most: y, last: y });
    }

    fn finish(mut self, right: i32) -> Vec<Pixel> {
        if let Some(column) = self.at.take() {
            let y = flush(&mut self.out, &column);
            push(&mut self.out, (right, y));
            if self.out.len() == 1 {
                // A curve that starts at the right edge still shows as a dot of one pixel.
                self.out.push((right, y));
            }
        }
        self.out
    }
}

/// Writes a column's corners and gives the height at which the curve goes on.
fn flush(out: &mut Vec<Pixel>, column: &Column) -> i32 {
    if let Some(entry) = column.entry {
        push(out, (column.x, entry));
    }
    if column.least != column.most {
        push(out, (column.x, column.least));
        push(out, (column.x, column.most));
    }
    push(out, (column.x, column.last));
    column.last
}

/// Adds a corner; a level line is prolonged rather than cut in pieces.
fn push(out: &mut Vec<Pixel>, corner: Pixel) {
    if out.last() == Some(&corner) {
        return;
    }
    if let [.., before, last] = out.as_mut_slice()
        && before.1 == last.1
        && last.1 == corner.1
    {
        *last = corner;
        return;
    }
    out.push(corner);
}

/// Cuts the level stretches of a curve into dashes of `dash` pixels; upright lines stay whole.
pub fn dashes(corners: &[Pixel], dash: i32) -> Vec<Vec<Pixel>> {
    if dash <= 0 {
        return vec![corners.to_vec()];
    }
    let mut pieces = Vec::new();
    let mut piece: Vec<Pixel> = Vec::new();
    for pair in corners.windows(2) {
        let [from, to] = pair else { continue };
        if from.0 == to.0 {
            if piece.last() != Some(from) {
                pieces.push(std::mem::replace(&mut piece, vec![*from]));
            }
            piece.push(*to);
            continue;
        }
        // Dashes keep their place on the axis, so that they do not crawl when the curve changes.
        let mut x = from.0;
        while x < to.0 {
            let end = ((x.div_euclid(dash) + 1) * dash).min(to.0);
            if x.div_euclid(dash) % 2 == 0 {
                if piece.last() != Some(&(x, from.1)) {
                    pieces.push(std::mem::replace(&mut piece, vec![(x, from.1)]));
                }
                piece.push((end, from.1));
            }
            x = end;
        }
    }
    pieces.push(piece);
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

/// Rounds to the pixel grid.
pub fn pixel(place: f64) -> i32 {
    place.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: PlotRect =
        PlotRect { left: 0.0, top: 0.0, width: 100.0, height: 100.0, t0_ns: 0, t1_ns: 100, y0_bytes: 0, y1_bytes: 100 };

    #[test]
    fn holds_until_the_next_point() {
        assert_eq!(steps(&PLOT, &[0, 50], &[20, 70]), [(0, 80), (50, 80), (50, 30), (100, 30)]);
        assert_eq!(steps(&PLOT, &[20], &[5]), [(20, 95), (100, 95)]);
        assert_eq!(steps(&PLOT, &[-20, -5], &[5, 10]), [(0, 90), (100, 90)]);
        assert!(steps(&PLOT, &[], &[]).is_empty());
        assert!(steps(&PLOT, &[101], &[5]).is_empty());
    }

    #[test]
    fn a_column_keeps_its_extremes() {
        let wide = PlotRect { t1_ns: 1_000_000_000, ..PLOT };
        let corners = steps(&wide, &[0, 500_000_000, 500_000_001], &[10, 99, 10]);
        assert_eq!(corners, [(0, 90), (50, 90), (50, 1), (50, 90), (100, 90)]);
    }

    #[test]
    fn dashes_keep_upright_lines() {
        let corners = [(0, 80), (50, 80), (50, 30), (100, 30)];
        let pieces = dashes(&corners, 5);
        assert!(pieces.iter().any(|piece| piece.windows(2).any(|w| w == [(50, 80), (50, 30)])));
        let level: i32 = pieces.iter().flat_map(|p| p.windows(2)).map(|w| w[1].0 - w[0].0).sum();
        assert_eq!(level, 50);
        assert_eq!(dashes(&corners, 0), [corners.to_vec()]);
    }
}
