//! A timeline as SVG text, for the report. It is drawn in the light theme; a style sheet of attribute selectors makes it dark.

use std::fmt::Write;

use plotters::prelude::{IntoDrawingArea, SVGBackend};

use super::theme::Theme;
use super::timeline::{TimelineView, draw};
use crate::analysis::answer::Timeline;

/// The picture, so many pixels wide and high; it scales. Texts in it are escaped.
pub fn timeline(timeline: &Timeline, view: &TimelineView, size: (u32, u32)) -> String {
    let mut svg = String::new();
    let drawn = {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        draw(&area, timeline, view, &Theme::light()).is_ok() && area.present().is_ok()
    };
    // A string takes whatever is written: half a picture is none.
    if drawn { svg } else { String::new() }
}

/// Rules that give every colour of the light theme in a picture below `selector` its dark counterpart.
pub fn dark_rules(selector: &str) -> String {
    let mut rules = String::new();
    for (light, dark) in Theme::light().colors().into_iter().zip(Theme::dark().colors()) {
        // As the backend writes them; attribute values are compared letter by letter.
        let light = format!("#{:02X}{:02X}{:02X}", light.0, light.1, light.2);
        let dark = super::theme::css(dark);
        for attribute in ["fill", "stroke"] {
            let _ = write!(rules, "{selector} [{attribute}=\"{light}\"]{{{attribute}:{dark}}}");
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::answer::{PoolKey, Quantity, Series};
    use crate::chart::timeline::TimeMark;

    #[test]
    fn every_colour_of_a_picture_has_a_dark_one_and_texts_are_escaped() {
        let pool = PoolKey { component: "PTA".into(), device: "NPU:0".into() };
        let series = [Quantity::Allocated, Quantity::Reserved, Quantity::Baseline].map(|quantity| Series {
            pool: pool.clone(),
            quantity,
            times_ns: vec![0, 50, 90],
            bytes: vec![10, 1 << 30, 1 << 20],
            complete: true,
        });
        let curves = Timeline { start_ns: 0, end_ns: 100, series: series.into() };
        let mut view = TimelineView::of(&curves);
        view.marks = vec![TimeMark { time_ns: 5, label: "<script>&\"".into() }];
        let svg = timeline(&curves, &view, (800, 300));
        assert!(svg.starts_with("<svg") && svg.contains("viewBox") && !svg.contains("<script"), "{svg}");
        let rules = dark_rules("figure");
        for attribute in ["fill=\"", "stroke=\""] {
            for value in svg.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(value == "none" || rules.contains(&format!("[{attribute}{value}\"]")), "{value}");
            }
        }
    }
}
