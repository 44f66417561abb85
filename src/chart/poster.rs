//! A timeline to take away: its title, what its curves are, and the picture below.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::PathElement;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, ShapeStyle, TextStyle};

use super::PlotRect;
use super::curve::{dashes, pixel};
use super::label::{shorten, width_em};
use super::marks::{DrawError, Pen};
use super::theme::{CurveStyle, Theme};
use super::timeline::{TimelineView, draw};
use crate::analysis::answer::Timeline;

/// Margin on every side before scaling, px.
const MARGIN: f64 = 16.0;
/// Height of a line of text, in font sizes.
const LINE: f64 = 1.7;
/// Length of a curve's sample before scaling, px.
const SAMPLE: f64 = 18.0;

/// What stands above the picture. Texts are ready-made.
#[derive(Debug, Clone, PartialEq)]
pub struct Poster {
    /// In large letters.
    pub title: String,
    /// Below it in quiet ones.
    pub note: String,
    /// Name and style of each curve.
    pub legend: Vec<(String, CurveStyle)>,
}

/// Draws all of it, and tells where times and bytes lie in the area of the picture.
pub fn draw_poster<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    poster: &Poster,
    timeline: &Timeline,
    view: &TimelineView,
    theme: &Theme,
) -> Result<PlotRect, DrawError<DB>> {
    let scale = if view.scale.is_finite() { view.scale.clamp(0.25, 8.0) } else { 1.0 };
    let pen = Pen { area, theme, scale };
    area.fill(&theme.background)?;
    let (width, height) = area.dim_in_pixel();
    let (margin, line) = (MARGIN * scale, pen.font_px() * LINE);
    let room = f64::from(width) - 2.0 * margin;
    let title_px = pen.font_px() * 1.35;
    let style = TextStyle::from(("sans-serif", title_px, FontStyle::Bold));
    let style = style.color(&theme.text).pos(Pos::new(HPos::Left, VPos::Top));
    let title = shorten(&poster.title, room / title_px);
    area.draw_text(&title, &style, (pixel(margin), pixel(margin)))?;
    let mut y = margin + title_px * 1.5;
    if !poster.note.is_empty() {
        let note = shorten(&poster.note, room / pen.font_px());
        pen.text(&note, theme.quiet_text, (margin, y), HPos::Left, VPos::Top)?;
        y += line;
    }
    y = legend(&pen, &poster.legend, (margin, y, room), line)?;
    let height = i32::try_from(height).unwrap_or(i32::MAX);
    let top = pixel(y + 0.4 * line).clamp(0, (height - 2).max(0));
    let (_, below) = area.split_vertically(top);
    // Margins of an area smaller than they are would turn it inside out.
    let has_room = f64::from(height - top).min(f64::from(width)) > 4.0 * margin;
    let edge = if has_room { pixel(0.6 * margin) } else { 0 };
    let below = below.margin(0, edge, edge, edge);
    draw(&below, timeline, view, theme)
}

/// The curves' names, line after line; gives where the next would begin.
fn legend<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    entries: &[(String, CurveStyle)],
    (left, top, room): (f64, f64, f64),
    line: f64,
) -> Result<f64, DrawError<DB>> {
    let (mut x, mut y) = (left, top);
    let sample = SAMPLE * pen.scale;
    for (name, style) in entries {
        let width = sample + (width_em(name) + 1.8) * pen.font_px();
        if x > left && x + width > left + room {
            (x, y) = (left, y + line);
        }
        let middle = pixel(y + 0.55 * pen.font_px());
        if style.filled {
            let (top, height) = (middle - pen.px(4.0), pen.px(8.0));
            pen.fill(pixel(x), top, pixel(sample), height, pen.theme.baseline_fill)?;
            pen.fill(pixel(x), top, pixel(sample), pen.px(2.0), style.color)?;
        } else {
            let stroke =
                ShapeStyle { color: style.color.to_rgba(), filled: false, stroke_width: pen.px(2.0).unsigned_abs() };
            let whole = [(pixel(x), middle), (pixel(x + sample), middle)];
            let dash = if style.dash == 0 { 0 } else { pen.px(f64::from(style.dash)) };
            for piece in dashes(&whole, dash) {
                pen.area.draw(&PathElement::new(piece, stroke))?;
            }
        }
        let at = (x + sample + 0.5 * pen.font_px(), y);
        pen.text(name, pen.theme.text, at, HPos::Left, VPos::Top)?;
        x += width;
    }
    Ok(if entries.is_empty() { y } else { y + line })
}

#[cfg(test)]
mod tests {
    use super::super::sheet::draw_on;
    use super::*;
    use crate::analysis::answer::{PoolKey, Quantity, Series};

    #[test]
    fn says_what_it_shows_above_the_picture() {
        let pool = PoolKey { component: "PTA".into(), device: "NPU:0".into() };
        let series = Series {
            pool,
            quantity: Quantity::Allocated,
            times_ns: vec![0, 50],
            bytes: vec![1 << 30; 2],
            complete: true,
        };
        let timeline = Timeline { start_ns: 0, end_ns: 100, series: vec![series] };
        let theme = Theme::light();
        let style = theme.curve(&timeline.series[0].pool, Quantity::Allocated);
        let legend =
            (0..20).map(|n| (format!("curve number {n}"), CurveStyle { filled: n % 2 == 1, ..style })).collect();
        let poster = Poster { title: "actor_update Rank 0".into(), note: "peak 1.00 GiB".into(), legend };
        let view = TimelineView::of(&timeline);
        let drawn = draw_on((900, 500), |area| draw_poster(area, &poster, &timeline, &view, &theme).unwrap());
        for text in ["actor_update Rank 0", "peak 1.00 GiB", "curve number 0", "curve number 19", "1 GiB"] {
            assert!(drawn.says(text), "{text}: {:?}", drawn.texts);
        }
        // No two texts of the legend in one place, and none outside.
        let mut places: Vec<_> =
            drawn.texts.iter().filter(|(t, _)| t.starts_with("curve")).map(|(_, at)| *at).collect();
        assert!(places.iter().all(|(x, y)| (0..900).contains(x) && (0..500).contains(y)));
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 20);
        // The curve is drawn below all of them.
        let lowest = places.iter().map(|(_, y)| *y).max().unwrap();
        let row = (lowest + 20..500).find(|y| drawn.at(450, *y) == theme.allocated);
        assert!(row.is_some());
    }

    #[test]
    fn too_little_room_does_no_harm() {
        let timeline = Timeline { start_ns: 0, end_ns: 100, series: vec![] };
        let poster = Poster { title: "x".repeat(500), note: String::new(), legend: vec![] };
        let view = TimelineView { scale: f64::NAN, ..TimelineView::of(&timeline) };
        draw_on((40, 30), |area| draw_poster(area, &poster, &timeline, &view, &Theme::dark()).unwrap());
    }
}
