//! Horizontal bars for the largest groups: who holds how much, and how sure that is.
//!
//! Each row is a line of text (label left, value right) above its bar. The bar's parts: full colour where the stack is known,
//! hatched where it is a guess, an outline where none is asserted - told apart without colour.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::{PathElement, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, ShapeStyle};

use super::curve::pixel;
use super::label::{shorten, width_em};
use super::marks::{DrawError, Pen};
use super::theme::Theme;
use crate::analysis::answer::{ByMatch, Group, MatchKind};

/// Height of a row before scaling, px.
const ROW_PX: f64 = 36.0;

/// Never more rows than a person reads.
pub const MOST_BARS: usize = 20;

/// One bar. Texts are ready-made: the chart knows no language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// Index of the group in its `Top`.
    pub group: usize,
    /// Operator, frame or the first line of a stack; shortened to the room there is.
    pub label: String,
    /// Bytes and share as text, e.g. `1.10 GiB  23.4 %`.
    pub value: String,
    /// Length of the bar, bytes.
    pub bytes: i64,
    /// Its parts; they add up to `bytes`.
    pub by_match: ByMatch,
}

impl Bar {
    /// The bar of a group.
    pub fn of(index: usize, group: &Group, label: String, value: String) -> Bar {
        Bar { group: index, label, value, bytes: group.bytes, by_match: group.by_match }
    }

    /// Bytes known, guessed and not asserted; nothing below 0.
    fn parts(&self) -> [i64; 3] {
        let mut parts = [0_i64; 3];
        let [certain, guessed, open] = &mut parts;
        for kind in MatchKind::ALL {
            let part = match kind {
                kind if kind.is_certain() => &mut *certain,
                MatchKind::Nearest => &mut *guessed,
                _ => &mut *open,
            };
            *part = part.saturating_add(self.by_match.get(kind).max(0));
        }
        parts
    }
}

/// How to draw the bars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BarsView {
    /// Device pixels for each CSS pixel.
    pub scale: f64,
    /// Group to point out.
    pub chosen: Option<usize>,
}

/// Where a row was drawn, in device pixels of the area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BarRect {
    /// Index of the group, as in [`Bar::group`].
    pub group: usize,
    /// Left edge of the row.
    pub left: f64,
    /// Top edge of the row.
    pub top: f64,
    /// Width of the row.
    pub width: f64,
    /// Height of the row.
    pub height: f64,
    /// Length of the bar itself.
    pub bar_width: f64,
}

impl BarRect {
    /// Whether a point (px) hits the row.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.left..self.left + self.width).contains(&x) && (self.top..self.top + self.height).contains(&y)
    }
}

/// Height in CSS pixels that `count` bars need.
pub fn height_for(count: usize) -> f64 {
    ROW_PX * count.clamp(1, MOST_BARS) as f64 + 4.0
}

/// Draws the bars from the top, as many as there is room for, and tells where each row is.
pub fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    bars: &[Bar],
    view: &BarsView,
    theme: &Theme,
) -> Result<Vec<BarRect>, DrawError<DB>> {
    let scale = if view.scale.is_finite() { view.scale.clamp(0.25, 8.0) } else { 1.0 };
    let pen = Pen { area, theme, scale };
    area.fill(&theme.background)?;
    let (width, height) = area.dim_in_pixel();
    let row = ROW_PX * scale;
    let margin = (6.0 * scale).round();
    let room = f64::from(width) - 2.0 * margin;
    let longest = bars.iter().map(|bar| bar.bytes).max().unwrap_or(0).max(1);
    let mut rects = Vec::new();
    for (index, bar) in bars.iter().take(MOST_BARS).enumerate() {
        let top = (index as f64 * row).round();
        if top + row > f64::from(height) + 1.0 || room <= 1.0 {
            break;
        }
        if view.chosen == Some(bar.group) {
            pen.fill(0, pixel(top), pixel(width.into()), pixel(row), theme.grid)?;
        }
        let text_y = top + 4.0 * scale;
        let value_em = width_em(&bar.value);
        let label = shorten(&bar.label, room / pen.font_px() - value_em - 1.5);
        pen.text(&label, theme.text, (margin, text_y), HPos::Left, VPos::Top)?;
        pen.text(&bar.value, theme.text, (margin + room, text_y), HPos::Right, VPos::Top)?;
        let bar_width = (bar.bytes.max(0) as f64 / longest as f64 * room).round();
        draw_parts(&pen, bar, (pixel(margin), pixel(top + 20.0 * scale)), bar_width, pen.px(10.0))?;
        rects.push(BarRect { group: bar.group, left: 0.0, top, width: width.into(), height: row, bar_width });
    }
    Ok(rects)
}

/// The bar's three parts side by side.
fn draw_parts<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    bar: &Bar,
    (left, top): (i32, i32),
    width: f64,
    height: i32,
) -> Result<(), DrawError<DB>> {
    let [certain, guessed, open] = bar.parts();
    let all = (certain as f64 + guessed as f64 + open as f64).max(1.0);
    let first = left + pixel(certain as f64 / all * width);
    let second = left + pixel((certain as f64 + guessed as f64) / all * width);
    let end = left + pixel(width);
    pen.fill(left, top, first - left, height, pen.theme.accent)?;
    hatch(pen, (first, top), (second, top + height))?;
    if second > first {
        outline(pen, (first, top), (second, top + height))?;
    }
    if end > second && open > 0 {
        outline(pen, (second, top), (end, top + height))?;
    }
    Ok(())
}

fn outline<DB: DrawingBackend>(pen: &Pen<'_, DB>, from: (i32, i32), to: (i32, i32)) -> Result<(), DrawError<DB>> {
    let stroke = pen.px(1.0).unsigned_abs();
    let style = ShapeStyle { color: pen.theme.accent.to_rgba(), filled: false, stroke_width: stroke };
    pen.area.draw(&Rectangle::new([from, (to.0 - 1, to.1 - 1)], style))
}

/// Slanted lines over a rectangle, cut at its edges.
fn hatch<DB: DrawingBackend>(pen: &Pen<'_, DB>, from: (i32, i32), to: (i32, i32)) -> Result<(), DrawError<DB>> {
    let (width, height) = (to.0 - from.0, to.1 - from.1);
    if width <= 0 || height <= 0 {
        return Ok(());
    }
    let style =
        ShapeStyle { color: pen.theme.accent.to_rgba(), filled: false, stroke_width: pen.px(1.0).unsigned_abs() };
    let mut at = pen.px(4.0);
    while at < width + height {
        // The line x + y = at (from the upper left corner), within the rectangle.
        let (low, high) = (at.min(height), (at - width).max(0));
        let line = vec![(from.0 + at - low, from.1 + low), (from.0 + at - high, from.1 + high)];
        pen.area.draw(&PathElement::new(line, style))?;
        at = at.saturating_add(pen.px(4.0));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
