//! Marks on a timeline: the peak's dot, steps as labelled upright lines. Texts come from the caller, in the reader's language.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor, ShapeStyle, TextStyle};

use super::curve::pixel;
use super::label::width_em;
use super::theme::Theme;
use super::{PlotRect, label};

/// A time with a name, e.g. the start of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeMark {
    /// Nanoseconds since the epoch.
    pub time_ns: i64,
    /// Shown above the line where there is room.
    pub label: String,
}

/// The peak to point out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeakMark {
    /// Nanoseconds since the epoch.
    pub time_ns: i64,
    /// Its value, bytes.
    pub bytes: i64,
    /// Shown above the plot, e.g. `peak 10.04 GiB`.
    pub label: String,
}

/// What a drawing on backend `DB` can fail with.
pub type DrawError<DB> = DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>;

/// A pen: area, theme and scale, so that each part of a drawing is a short call.
pub struct Pen<'a, DB: DrawingBackend> {
    /// Where to draw.
    pub area: &'a DrawingArea<DB, Shift>,
    /// With which colours.
    pub theme: &'a Theme,
    /// Device pixels for each CSS pixel.
    pub scale: f64,
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    /// Font size, device px.
    pub fn font_px(&self) -> f64 {
        super::timeline::FONT_PX * self.scale
    }

    /// A length of the design in whole device pixels, at least 1.
    pub fn px(&self, length: f64) -> i32 {
        pixel(length * self.scale).max(1)
    }

    /// A text at a point (px) by its anchor.
    pub fn text(&self, text: &str, color: RGBColor, at: (f64, f64), h: HPos, v: VPos) -> Result<(), DrawError<DB>> {
        let style = TextStyle::from(("sans-serif", self.font_px())).color(&color).pos(Pos::new(h, v));
        self.area.draw_text(text, &style, (pixel(at.0), pixel(at.1)))
    }

    /// A filled rectangle; a width or height of 0 draws nothing.
    pub fn fill(&self, left: i32, top: i32, width: i32, height: i32, color: RGBColor) -> Result<(), DrawError<DB>> {
        if width <= 0 || height <= 0 {
            return Ok(());
        }
        let corners = [(left, top), (left.saturating_add(width), top.saturating_add(height))];
        self.area.draw(&Rectangle::new(corners, ShapeStyle { color: color.to_rgba(), filled: true, stroke_width: 0 }))
    }

    /// Upright lines at the marks in the plot; labels where they do not run into each other.
    pub fn time_marks(&self, plot: &PlotRect, marks: &[TimeMark], label_y: f64) -> Result<(), DrawError<DB>> {
        let mut free_from = f64::MIN;
        for mark in marks.iter().filter(|mark| (plot.t0_ns..=plot.t1_ns).contains(&mark.time_ns)) {
            let x = plot.x_of(mark.time_ns);
            self.fill(pixel(x), pixel(plot.top), self.px(1.0), pixel(plot.height), self.theme.mark)?;
            let room = (plot.right() - x) / self.font_px();
            let text = label::shorten(&mark.label, 16.0);
            if x < free_from || width_em(&text) > room {
                continue;
            }
            self.text(&text, self.theme.quiet_text, (x, label_y), HPos::Left, VPos::Bottom)?;
            free_from = x + (width_em(&text) + 0.6) * self.font_px();
        }
        Ok(())
    }

    /// The peak's dot, and its label right above the plot, kept inside the plot's width.
    pub fn peak(&self, plot: &PlotRect, peak: &PeakMark, label_y: f64) -> Result<(), DrawError<DB>> {
        if !(plot.t0_ns..=plot.t1_ns).contains(&peak.time_ns) {
            return Ok(());
        }
        let (x, y) = (plot.x_of(peak.time_ns), plot.y_of(peak.bytes));
        let filled = |color: RGBColor| ShapeStyle { color: color.to_rgba(), filled: true, stroke_width: 0 };
        // A rim in the background's colour keeps the dot apart from the curve below it.
        self.area.draw(&Circle::new((pixel(x), pixel(y)), self.px(5.0), filled(self.theme.background)))?;
        self.area.draw(&Circle::new((pixel(x), pixel(y)), self.px(3.5), filled(self.theme.peak)))?;
        let half = width_em(&peak.label) * self.font_px() / 2.0;
        let (low, high) = (plot.left + half, plot.right() - half);
        let middle = if low < high { x.clamp(low, high) } else { plot.left + plot.width / 2.0 };
        self.text(&peak.label, self.theme.peak, (middle, label_y), HPos::Center, VPos::Bottom)
    }
}
