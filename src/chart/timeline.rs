//! The timeline: memory over time as step curves, on any plotters backend.
//!
//! Draws everything that changes with the view only; crosshair and selection belong to an overlay that uses the [`PlotRect`].

use std::collections::BTreeSet;

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::PathElement;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, ShapeStyle};

use super::curve::{self, Pixel, pixel};
use super::label::width_em;
use super::marks::Pen;
pub use super::marks::{DrawError, PeakMark, TimeMark};
use super::ticks::{Tick, byte_axis, clock_ticks, count_ticks, time_ticks};
use super::{PlotRect, theme::Theme};
use crate::analysis::answer::{PoolKey, Quantity, Series, Timeline};

/// Width of another recording's curves before scaling, px.
const UNDER_PX: f64 = 1.25;
/// Length of their dashes before scaling, px.
pub const UNDER_DASH: u32 = 4;

/// Font size before scaling, px.
pub const FONT_PX: f64 = 12.0;

/// What the horizontal axis counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Axis {
    /// Time since the origin.
    #[default]
    Elapsed,
    /// Time of day, UTC.
    Clock,
    /// Things with numbers, e.g. the nodes of a graph.
    Count,
}

/// What to show of a timeline, and how large.
#[derive(Debug, Clone, PartialEq)]
pub struct TimelineView {
    /// Left edge, ns.
    pub start_ns: i64,
    /// Right edge, ns; an end not after the start shows one nanosecond.
    pub end_ns: i64,
    /// Times on the axis count from here: the window's start, ns.
    pub origin_ns: i64,
    /// What its labels say.
    pub axis: Axis,
    /// Curves of another recording, their times moved to this one's: drawn thin and dashed below the others.
    pub under: Vec<Series>,
    /// Curves not to draw. They do not count for the height either.
    pub hidden: BTreeSet<(PoolKey, Quantity)>,
    /// Device pixels for each CSS pixel (`devicePixelRatio`).
    pub scale: f64,
    /// Width of a curve before scaling, px.
    pub line_px: f64,
    /// The peak to point out.
    pub peak: Option<PeakMark>,
    /// Upright lines, by time.
    pub marks: Vec<TimeMark>,
}

impl TimelineView {
    /// The whole of a timeline, every curve, no marks. The timeline's start counts as the window's start.
    pub fn of(timeline: &Timeline) -> TimelineView {
        TimelineView {
            start_ns: timeline.start_ns,
            end_ns: timeline.end_ns,
            origin_ns: timeline.start_ns,
            axis: Axis::default(),
            under: Vec::new(),
            hidden: BTreeSet::new(),
            scale: 1.0,
            line_px: 2.0,
            peak: None,
            marks: Vec::new(),
        }
    }

    /// A scale that can be drawn with, whatever was set.
    fn safe_scale(&self) -> f64 {
        if self.scale.is_finite() { self.scale.clamp(0.25, 8.0) } else { 1.0 }
    }
}

/// Draws the timeline and tells where times and bytes lie on it. An empty timeline gives empty axes.
pub fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    timeline: &Timeline,
    view: &TimelineView,
    theme: &Theme,
) -> Result<PlotRect, DrawError<DB>> {
    let pen = Pen { area, theme, scale: view.safe_scale() };
    let shown: Vec<&Series> = timeline
        .series
        .iter()
        .filter(|series| !view.hidden.contains(&(series.pool.clone(), series.quantity)))
        .collect();
    let under: Vec<&Series> = view.under.iter().collect();
    let all = [shown.as_slice(), under.as_slice()].concat();
    let (plot, byte_ticks) = lay_out(area.dim_in_pixel(), &all, view, &pen);
    area.fill(&theme.background)?;
    for series in shown.iter().filter(|s| theme.curve(&s.pool, s.quantity).filled) {
        fill_below(&pen, &plot, series)?;
    }
    axes(&pen, &plot, &byte_ticks, view)?;
    pen.time_marks(&plot, &view.marks, plot.top - if view.peak.is_some() { pen.font_px() * 1.4 } else { 2.0 })?;
    for series in under {
        draw_curve(&pen, &plot, series, UNDER_PX, UNDER_DASH)?;
    }
    // The first curves (the framework pool's) matter most: they are drawn last, on top.
    for series in shown.iter().rev() {
        draw_curve(&pen, &plot, series, view.line_px, theme.curve(&series.pool, series.quantity).dash)?;
    }
    if let Some(peak) = &view.peak {
        pen.peak(&plot, peak, plot.top - 4.0 * pen.scale)?;
    }
    Ok(plot)
}

/// Finds room for the labels around the plot, and the range of bytes to show.
fn lay_out<DB: DrawingBackend>(
    (width, height): (u32, u32),
    shown: &[&Series],
    view: &TimelineView,
    pen: &Pen<'_, DB>,
) -> (PlotRect, Vec<Tick>) {
    let line = pen.font_px() * 1.4;
    let rows = 0.6 + f64::from(u8::from(view.peak.is_some())) + f64::from(u8::from(!view.marks.is_empty()));
    let top = (line * rows).round();
    let plot_height = (f64::from(height) - top - (line * 1.4).round()).max(1.0);
    let (mut low, mut high) = (0, 0);
    for (_, bytes) in shown.iter().flat_map(|series| visible(series, view)) {
        (low, high) = (low.min(bytes), high.max(bytes));
    }
    let most = (plot_height / (line * 2.2)).clamp(2.0, 10.0) as u32;
    let (y0_bytes, y1_bytes, byte_ticks) = byte_axis(low, high, most);
    let widest = byte_ticks.iter().map(|tick| width_em(&tick.label)).fold(2.0, f64::max);
    let left = (widest * pen.font_px() + 12.0 * pen.scale).round();
    let start_ns = view.start_ns.min(i64::MAX - 1);
    let plot = PlotRect {
        left,
        top,
        width: (f64::from(width) - left - (12.0 * pen.scale).round()).max(1.0),
        height: plot_height,
        t0_ns: start_ns,
        t1_ns: view.end_ns.max(start_ns + 1),
        y0_bytes,
        y1_bytes,
    };
    (plot, byte_ticks)
}

/// The points that decide what is seen in the view's range: those inside, and the last before it.
fn visible<'a>(series: &'a Series, view: &TimelineView) -> impl Iterator<Item = (i64, i64)> + 'a {
    let start = series.times_ns.partition_point(|time| *time <= view.start_ns).saturating_sub(1);
    let end_ns = view.end_ns.max(view.start_ns.saturating_add(1));
    series.times_ns.iter().copied().zip(series.bytes.iter().copied()).skip(start).take_while(move |(t, _)| *t <= end_ns)
}

/// Ticks, grid and axis lines.
fn axes<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    plot: &PlotRect,
    byte_ticks: &[Tick],
    view: &TimelineView,
) -> Result<(), DrawError<DB>> {
    let (left, bottom, thin) = (pixel(plot.left), pixel(plot.bottom()), pen.px(1.0));
    let gap = 6.0 * pen.scale;
    for tick in byte_ticks {
        let y = plot.y_of(tick.value);
        pen.fill(left, pixel(y), pixel(plot.width), thin, pen.theme.grid)?;
        pen.text(&tick.label, pen.theme.quiet_text, (plot.left - gap, y), HPos::Right, VPos::Center)?;
    }
    let char_px = pen.font_px() * 0.6;
    let ticks = match view.axis {
        Axis::Elapsed => time_ticks(plot.t0_ns, plot.t1_ns, view.origin_ns, plot.width, char_px),
        Axis::Clock => clock_ticks(plot.t0_ns, plot.t1_ns, plot.width, char_px),
        Axis::Count => count_ticks(plot.t0_ns, plot.t1_ns, plot.width, char_px),
    };
    for tick in ticks {
        let x = plot.x_of(tick.value);
        pen.fill(pixel(x), pixel(plot.top), thin, pixel(plot.height), pen.theme.grid)?;
        pen.fill(pixel(x), bottom, thin, pen.px(4.0), pen.theme.axis)?;
        // The outermost labels lean inwards rather than out of the picture.
        let half = width_em(&tick.label) * pen.font_px() / 2.0;
        let (at, anchor) = if x + half > plot.right() + 10.0 * pen.scale {
            (plot.right() + 10.0 * pen.scale, HPos::Right)
        } else {
            (x, HPos::Center)
        };
        pen.text(&tick.label, pen.theme.quiet_text, (at, plot.bottom() + gap), anchor, VPos::Top)?;
    }
    pen.fill(left, pixel(plot.y_of(0)), pixel(plot.width), thin, pen.theme.axis)?;
    pen.fill(left, pixel(plot.top), thin, pixel(plot.height), pen.theme.axis)
}

/// Fills from 0 to the curve, one rectangle for each level stretch.
fn fill_below<DB: DrawingBackend>(pen: &Pen<'_, DB>, plot: &PlotRect, series: &Series) -> Result<(), DrawError<DB>> {
    let corners = curve::steps(plot, &series.times_ns, &series.bytes);
    let zero = pixel(plot.y_of(0));
    for pair in corners.windows(2) {
        let [from, to] = pair else { continue };
        let (top, bottom) = (from.1.min(zero), from.1.max(zero));
        pen.fill(from.0, top, to.0 - from.0, bottom - top, pen.theme.baseline_fill)?;
    }
    Ok(())
}

/// Draws one step curve.
fn draw_curve<DB: DrawingBackend>(
    pen: &Pen<'_, DB>,
    plot: &PlotRect,
    series: &Series,
    line_px: f64,
    dash: u32,
) -> Result<(), DrawError<DB>> {
    let style = pen.theme.curve(&series.pool, series.quantity);
    let stroke = ShapeStyle {
        color: style.color.to_rgba(),
        filled: false,
        stroke_width: pen.px(if line_px.is_finite() { line_px.clamp(0.5, 8.0) } else { 2.0 }).unsigned_abs(),
    };
    let corners: Vec<Pixel> = curve::steps(plot, &series.times_ns, &series.bytes);
    if dash == 0 {
        return if corners.is_empty() { Ok(()) } else { pen.area.draw(&PathElement::new(corners, stroke)) };
    }
    for piece in curve::dashes(&corners, pen.px(f64::from(dash))) {
        pen.area.draw(&PathElement::new(piece, stroke))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
