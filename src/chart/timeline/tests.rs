//! Pixel tests: what is drawn lies where the [`PlotRect`] says.

use plotters::prelude::{IntoDrawingArea, SVGBackend};
use proptest::prelude::*;

use super::super::sheet::{Drawn, draw_on};
use super::*;

const T0: i64 = 1_780_000_000_000_000_000;
const SIZE: (u32, u32) = (1200, 500);
const GIB: i64 = 1 << 30;

fn pool(component: &str) -> PoolKey {
    PoolKey { component: component.into(), device: "NPU:0".into() }
}

fn series(component: &str, quantity: Quantity, points: &[(i64, i64)]) -> Series {
    let (times_ns, bytes) = points.iter().copied().unzip();
    Series { pool: pool(component), quantity, times_ns, bytes, complete: true }
}

fn allocated(points: &[(i64, i64)]) -> Timeline {
    let start_ns = points.first().map_or(T0, |p| p.0);
    let end_ns = points.last().map_or(T0, |p| p.0);
    Timeline { start_ns, end_ns, series: vec![series("PTA", Quantity::Allocated, points)] }
}

fn picture(timeline: &Timeline, view: &TimelineView) -> Drawn<PlotRect> {
    let drawn = draw_on(SIZE, |area| draw(area, timeline, view, &Theme::light()).unwrap());
    assert!(drawn.result.width > 0.0 && drawn.result.height > 0.0);
    drawn
}

/// A walk of `count` points, `gap` ns apart, that never leaves 0 to 8 GiB.
fn walk(count: i64, gap: i64) -> Vec<(i64, i64)> {
    let (mut state, mut bytes) = (7_u64, GIB);
    (0..count)
        .map(|index| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            bytes = (bytes + (state >> 33) as i64 % GIB - GIB / 2).clamp(0, 8 * GIB);
            (T0 + index * gap, bytes)
        })
        .collect()
}

#[test]
fn the_curve_lies_where_the_mapping_says() {
    for (scale, slack) in [(0.5, 1), (1.0, 1), (2.0, 2)] {
        let points = walk(60, 200_000_000);
        let timeline = allocated(&points);
        let drawn = picture(&timeline, &TimelineView { scale, ..TimelineView::of(&timeline) });
        let plot = drawn.result;
        let color = Theme::light().allocated;
        for pair in points.windows(2) {
            let middle = pair[0].0 + (pair[1].0 - pair[0].0) / 2;
            for time in [pair[0].0, middle] {
                let x = curve::pixel(plot.x_of(time));
                assert!(drawn.near(x, plot.y_of(pair[0].1), slack, color), "scale {scale}, {time}");
            }
        }
    }
}

#[test]
fn values_hold_and_never_slope() {
    let timeline = allocated(&[(T0, GIB), (T0 + 1_000_000, 4 * GIB)]);
    let drawn = picture(&timeline, &TimelineView { end_ns: T0 + 2_000_000, ..TimelineView::of(&timeline) });
    let (plot, color) = (drawn.result, Theme::light().allocated);
    for share in 1..10 {
        let x = curve::pixel(plot.x_of(T0 + 100_000 * share));
        assert!(drawn.near(x, plot.y_of(GIB), 1, color));
        let sloped = GIB + 3 * GIB / 10 * share;
        assert!(!drawn.near(x, plot.y_of(sloped), 5, color), "{share}");
        // After the last event its value holds to the right edge.
        let x = curve::pixel(plot.x_of(T0 + 1_000_000 + 100_000 * share));
        assert!(drawn.near(x, plot.y_of(4 * GIB), 1, color));
    }
}

#[test]
fn a_peak_of_one_nanosecond_is_seen() {
    let end = T0 + 3_600_000_000_000;
    let at = T0 + 1_234_567_890_123;
    let timeline = allocated(&[(T0, GIB), (at, 40 * GIB), (at + 1, GIB), (end, GIB)]);
    let drawn = picture(&timeline, &TimelineView::of(&timeline));
    let x = curve::pixel(drawn.result.x_of(at));
    for bytes in [40 * GIB, 30 * GIB, 2 * GIB] {
        assert!(drawn.near(x, drawn.result.y_of(bytes), 1, Theme::light().allocated));
    }
    // A dashed curve as well: rises are never broken.
    let dashed = Timeline {
        series: vec![series("GE", Quantity::Reserved, &[(T0, GIB), (at, 40 * GIB), (at + 1, GIB)])],
        ..timeline
    };
    for shift in 0..20 {
        let view = TimelineView { start_ns: T0 - shift * 3_000_000_000, ..TimelineView::of(&dashed) };
        let drawn = picture(&dashed, &view);
        let x = curve::pixel(drawn.result.x_of(at));
        assert!(drawn.near(x, drawn.result.y_of(40 * GIB), 1, Theme::light().ge), "{shift}");
    }
}

#[test]
fn the_baseline_is_an_area() {
    let mut timeline = allocated(&[(T0, 4 * GIB), (T0 + 1000, 4 * GIB)]);
    timeline.series.push(series("PTA", Quantity::Baseline, &[(T0, 2 * GIB), (T0 + 500, GIB)]));
    let drawn = picture(&timeline, &TimelineView::of(&timeline));
    let (plot, fill) = (drawn.result, Theme::light().baseline_fill);
    assert!(drawn.near(curve::pixel(plot.x_of(T0 + 270)), plot.y_of(3 * GIB / 2), 2, fill));
    assert!(!drawn.near(curve::pixel(plot.x_of(T0 + 770)), plot.y_of(3 * GIB / 2), 2, fill));
    assert!(drawn.near(curve::pixel(plot.x_of(T0 + 770)), plot.y_of(GIB / 2), 2, fill));
    assert!(drawn.near(curve::pixel(plot.x_of(T0 + 270)), plot.y_of(2 * GIB), 1, Theme::light().baseline));
}

#[test]
fn hidden_curves_are_neither_drawn_nor_counted() {
    let mut timeline = allocated(&[(T0, GIB), (T0 + 1000, GIB)]);
    timeline.series.push(series("APP", Quantity::Reserved, &[(T0, 60 * GIB)]));
    let all = picture(&timeline, &TimelineView::of(&timeline));
    assert_eq!(all.result.y1_bytes, 64 * GIB);
    assert!(all.near(600, all.result.y_of(60 * GIB), 1, Theme::light().app));
    let hidden = [(pool("APP"), Quantity::Reserved)].into();
    let some = picture(&timeline, &TimelineView { hidden, ..TimelineView::of(&timeline) });
    assert_eq!(some.result.y1_bytes, GIB);
}

#[test]
fn axes_marks_and_peak_are_labelled() {
    let timeline = allocated(&[(T0, GIB), (T0 + 500_000_000, 5 * GIB), (T0 + 4_000_000_000, GIB)]);
    let view = TimelineView {
        peak: Some(PeakMark { time_ns: T0 + 500_000_000, bytes: 5 * GIB, label: "peak 5.00 GiB".into() }),
        marks: (0..3).map(|n| TimeMark { time_ns: T0 + n * 1_000_000_000, label: format!("step {n}") }).collect(),
        ..TimelineView::of(&timeline)
    };
    let drawn = picture(&timeline, &view);
    for text in ["0", "1 GiB", "5 GiB", "+0.0 s", "+1.0 s", "+4.0 s", "peak 5.00 GiB", "step 0", "step 2"] {
        assert!(drawn.says(text), "{text}: {:?}", drawn.texts);
    }
    let plot = drawn.result;
    let x = curve::pixel(plot.x_of(T0 + 500_000_000));
    assert!(drawn.near(x, plot.y_of(5 * GIB), 1, Theme::light().peak));
    let x = curve::pixel(plot.x_of(T0 + 2_000_000_000));
    assert!(drawn.near(x, plot.y_of(4 * GIB), 3, Theme::light().mark));
    // Marks that crowd each other keep their lines and lose labels.
    let crowd = TimelineView {
        marks: (0..200).map(|n| TimeMark { time_ns: T0 + n * 10_000_000, label: format!("step {n}") }).collect(),
        ..view
    };
    let labels = picture(&timeline, &crowd).texts.iter().filter(|(text, _)| text.starts_with("step")).count();
    assert!((5..40).contains(&labels), "{labels}");
}

#[test]
fn odd_timelines_draw_something() {
    let nothing = Timeline { start_ns: T0, end_ns: T0 + 1000, series: vec![] };
    let drawn = picture(&nothing, &TimelineView::of(&nothing));
    assert!(drawn.result.y1_bytes > 0 && drawn.says("0"));
    let odd: &[&[(i64, i64)]] = &[
        &[],
        &[(T0, 5)],
        &[(T0, 0), (T0, 0)],
        &[(T0, -5 * GIB), (T0 + 10, 3 * GIB)],
        &[(i64::MIN, i64::MIN), (0, 0), (i64::MAX, i64::MAX)],
        &[(i64::MAX, 1)],
    ];
    for points in odd {
        let timeline = allocated(points);
        let view = TimelineView::of(&timeline);
        picture(&timeline, &view);
        for view in [
            TimelineView { scale: f64::NAN, line_px: f64::INFINITY, ..view.clone() },
            TimelineView { scale: 1e9, ..view.clone() },
            TimelineView { start_ns: view.end_ns, end_ns: view.start_ns, ..view.clone() },
            TimelineView { origin_ns: i64::MIN, ..view.clone() },
        ] {
            draw_on(SIZE, |area| draw(area, &timeline, &view, &Theme::dark()).unwrap());
            draw_on((3, 2), |area| draw(area, &timeline, &view, &Theme::dark()).unwrap());
        }
    }
}

#[test]
fn negative_values_widen_the_axis() {
    let timeline = allocated(&[(T0, -GIB), (T0 + 1000, 3 * GIB)]);
    let drawn = picture(&timeline, &TimelineView::of(&timeline));
    let plot = drawn.result;
    assert!(plot.y0_bytes <= -GIB && drawn.says("-1 GiB"));
    assert!(drawn.near(curve::pixel(plot.x_of(T0 + 500)), plot.y_of(-GIB), 1, Theme::light().allocated));
}

#[test]
fn an_svg_needs_no_font() {
    let timeline = allocated(&walk(40, 1_000_000));
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (800, 300)).into_drawing_area();
        draw(&area, &timeline, &TimelineView::of(&timeline), &Theme::light()).unwrap();
        area.present().unwrap();
    }
    assert!(svg.contains("GiB") && svg.contains("<polyline"));
}

proptest! {
    #[test]
    fn no_curve_loses_its_extremes(
        values in prop::collection::vec((0_i64..1_000_000_000, 0_i64..(1 << 40)), 1..400),
    ) {
        let mut points: Vec<_> = values.into_iter().map(|(t, b)| (T0 + t, b)).collect();
        points.sort_by_key(|p| p.0);
        let timeline = allocated(&points);
        let shown: Vec<&Series> = timeline.series.iter().collect();
        let plot = draw_on((300, 200), |area| {
            let pen = Pen { area, theme: &Theme::light(), scale: 1.0 };
            lay_out(area.dim_in_pixel(), &shown, &TimelineView::of(&timeline), &pen).0
        }).result;
        let corners = curve::steps(&plot, &timeline.series[0].times_ns, &timeline.series[0].bytes);
        // Several events at the very start: the last of them is what holds.
        let at_start = points.iter().rposition(|p| p.0 <= plot.t0_ns).unwrap_or(0);
        let most = points.iter().skip(at_start).map(|p| p.1).max().unwrap_or(0);
        let least = points.iter().skip(at_start).map(|p| p.1).min().unwrap_or(0);
        prop_assert_eq!(corners.iter().map(|c| c.1).min(), Some(pixel(plot.y_of(most))));
        prop_assert_eq!(corners.iter().map(|c| c.1).max(), Some(pixel(plot.y_of(least))));
        prop_assert!(corners.windows(2).all(|w| w[0].0 == w[1].0 || w[0].1 == w[1].1));
    }
}

#[test]
fn another_recordings_curve_counts_for_the_height_and_lies_below() {
    let timeline = allocated(&[(T0, GIB), (T0 + 1_000_000_000, 2 * GIB)]);
    let other = series("PTA", Quantity::Reserved, &[(T0, 7 * GIB), (T0 + 1_000_000_000, 7 * GIB)]);
    let alone = picture(&timeline, &TimelineView::of(&timeline));
    let both = picture(&timeline, &TimelineView { under: vec![other], ..TimelineView::of(&timeline) });
    assert!(alone.result.y1_bytes < 7 * GIB && both.result.y1_bytes >= 7 * GIB);
    let (plot, color) = (both.result, Theme::light().reserved);
    let y = plot.y_of(7 * GIB);
    let across = (0..200).map(|step| curve::pixel(plot.left) + 100 + step);
    let drawn = across.filter(|x| both.near(*x, y, 0, color)).count();
    // Dashed: neither whole nor missing.
    assert!((60..160).contains(&drawn), "{drawn}");
}

#[test]
fn the_axis_tells_the_time_of_day_or_numbers() {
    let timeline = allocated(&[(T0, GIB), (T0 + 10_000_000_000, 2 * GIB)]);
    let clock = picture(&timeline, &TimelineView { axis: Axis::Clock, ..TimelineView::of(&timeline) });
    assert!(clock.texts.iter().any(|(text, _)| text == "20:26:41"), "{:?}", clock.texts);
    let nodes = Timeline { start_ns: 0, end_ns: 100, ..timeline };
    let count = picture(&nodes, &TimelineView { axis: Axis::Count, ..TimelineView::of(&nodes) });
    assert!(count.texts.iter().any(|(text, _)| text == "20"), "{:?}", count.texts);
}
