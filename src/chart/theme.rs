//! Colours: one light and one dark theme, readable for colour-blind people (after Okabe and Ito), stable for each curve.
//!
//! Text has a contrast of at least 4.5 to the background, curves and marks at least 3; a test computes it.

use plotters::style::RGBColor;

use crate::analysis::answer::{PoolKey, Quantity};

/// The colours of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Behind everything.
    pub background: RGBColor,
    /// Labels and values.
    pub text: RGBColor,
    /// Tick labels and other quiet text.
    pub quiet_text: RGBColor,
    /// Axis lines.
    pub axis: RGBColor,
    /// Lines at the ticks.
    pub grid: RGBColor,
    /// Bars, selection, focus.
    pub accent: RGBColor,
    /// Framework pool (PTA): allocated.
    pub allocated: RGBColor,
    /// Framework pool: active.
    pub active: RGBColor,
    /// Framework pool: reserved.
    pub reserved: RGBColor,
    /// Whole process.
    pub app: RGBColor,
    /// GE pool.
    pub ge: RGBColor,
    /// WORKSPACE pool.
    pub workspace: RGBColor,
    /// Any other pool.
    pub other: RGBColor,
    /// Upper edge of the baseline.
    pub baseline: RGBColor,
    /// The area below it; opaque, so that touching pieces show no seam.
    pub baseline_fill: RGBColor,
    /// The peak's dot and label.
    pub peak: RGBColor,
    /// Lines at steps.
    pub mark: RGBColor,
}

/// How one curve is drawn; the page's legend asks for the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurveStyle {
    /// Its colour.
    pub color: RGBColor,
    /// Length of a dash and of a gap before scaling, px; 0 for a full line. Only level stretches are broken, rises never.
    pub dash: u32,
    /// Whether the area below is filled.
    pub filled: bool,
}

const fn rgb(hex: u32) -> RGBColor {
    RGBColor((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

impl Theme {
    /// Dark on white.
    pub const fn light() -> Theme {
        Theme {
            background: rgb(0xffffff),
            text: rgb(0x1b1f24),
            quiet_text: rgb(0x56606b),
            axis: rgb(0x808891),
            grid: rgb(0xe4e7ea),
            accent: rgb(0x0072b2),
            allocated: rgb(0x0072b2),
            active: rgb(0x008a64),
            reserved: rgb(0xc94f00),
            app: rgb(0x4b4f57),
            ge: rgb(0xb04f88),
            workspace: rgb(0x967100),
            other: rgb(0x2a86b8),
            baseline: rgb(0x7b838c),
            baseline_fill: rgb(0xeaedf0),
            peak: rgb(0xb31b1b),
            mark: rgb(0x7d6f9c),
        }
    }

    /// Light on near-black.
    pub const fn dark() -> Theme {
        Theme {
            background: rgb(0x14171b),
            text: rgb(0xe6e9ed),
            quiet_text: rgb(0xa3acb6),
            axis: rgb(0x78828d),
            grid: rgb(0x2a3037),
            accent: rgb(0x4fa8e0),
            allocated: rgb(0x4fa8e0),
            active: rgb(0x1fb88a),
            reserved: rgb(0xf0803c),
            app: rgb(0xc8cdd3),
            ge: rgb(0xd985b5),
            workspace: rgb(0xe0c03a),
            other: rgb(0x8cd0f0),
            baseline: rgb(0x8a939d),
            baseline_fill: rgb(0x22272d),
            peak: rgb(0xff756b),
            mark: rgb(0xa998cf),
        }
    }

    /// The style of a curve: the same pool and quantity always look the same, whatever else is shown.
    pub fn curve(&self, pool: &PoolKey, quantity: Quantity) -> CurveStyle {
        let component = pool.component.as_str();
        let framework = matches!(component, "PTA" | "TorchNPU" | "MindSpore");
        let color = match (component, quantity) {
            (_, Quantity::Baseline) => self.baseline,
            (_, Quantity::Allocated) if framework => self.allocated,
            (_, Quantity::Active) if framework => self.active,
            (_, Quantity::Reserved) if framework => self.reserved,
            ("APP", _) => self.app,
            ("GE", _) => self.ge,
            ("WORKSPACE", _) => self.workspace,
            _ => self.other,
        };
        // Pools with one colour tell their quantities by dashes.
        let dash = match quantity {
            _ if framework || component == "APP" => 0,
            Quantity::Allocated | Quantity::Baseline => 0,
            Quantity::Active => 3,
            Quantity::Reserved => 7,
        };
        CurveStyle { color, dash, filled: quantity == Quantity::Baseline }
    }
}

/// A colour as the page's style sheet writes it, `#rrggbb`.
pub fn css(color: RGBColor) -> String {
    format!("#{:02x}{:02x}{:02x}", color.0, color.1, color.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast as WCAG 2 defines it.
    fn contrast(a: RGBColor, b: RGBColor) -> f64 {
        let light = |c: RGBColor| {
            let part = |v: u8| {
                let v = f64::from(v) / 255.0;
                if v <= 0.03928 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(c.0) + 0.7152 * part(c.1) + 0.0722 * part(c.2)
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn contrast_suffices() {
        for theme in [Theme::light(), Theme::dark()] {
            for text in [theme.text, theme.quiet_text, theme.peak] {
                assert!(contrast(text, theme.background) >= 4.5, "{}", css(text));
            }
            let curves = [theme.allocated, theme.active, theme.reserved, theme.app, theme.ge, theme.workspace];
            for line in curves.into_iter().chain([theme.other, theme.baseline, theme.accent, theme.axis, theme.mark]) {
                assert!(contrast(line, theme.background) >= 3.0, "{}", css(line));
                assert!(contrast(line, theme.baseline_fill) >= 3.0, "{} on the baseline", css(line));
            }
        }
    }

    #[test]
    fn the_framework_has_three_colours() {
        let theme = Theme::light();
        let pool = PoolKey { component: "PTA".into(), device: "NPU:0".into() };
        let newer = PoolKey { component: "TorchNPU".into(), device: "NPU:3".into() };
        for quantity in [Quantity::Allocated, Quantity::Active, Quantity::Reserved, Quantity::Baseline] {
            assert_eq!(theme.curve(&pool, quantity), theme.curve(&newer, quantity));
        }
        assert_ne!(theme.curve(&pool, Quantity::Allocated).color, theme.curve(&pool, Quantity::Reserved).color);
        assert_eq!(css(theme.background), "#ffffff");
    }
}
