//! Colours: one light and one dark theme, stable for each curve.
//!
//! Text has a contrast of at least 4.5 to the background, curves and marks at least 3. The curves' colours began as those of Okabe
//! and Ito and were moved apart until they differ for people with any of the three colour blindnesses. Tests compute both.

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
            allocated: rgb(0x004e96),
            active: rgb(0x369861),
            reserved: rgb(0xec4d28),
            app: rgb(0x3e362a),
            ge: rgb(0x621753),
            workspace: rgb(0x7b7e1a),
            other: rgb(0x7278ff),
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
            allocated: rgb(0x3779ad),
            active: rgb(0x36be6b),
            reserved: rgb(0xe9671a),
            app: rgb(0xe9ffff),
            ge: rgb(0xffb7c1),
            workspace: rgb(0xd7dc1c),
            other: rgb(0x9ebfff),
            baseline: rgb(0x8a939d),
            baseline_fill: rgb(0x22272d),
            peak: rgb(0xff756b),
            mark: rgb(0xa998cf),
        }
    }

    /// Every colour, in one order for both themes.
    pub const fn colors(&self) -> [RGBColor; 17] {
        [
            self.background,
            self.text,
            self.quiet_text,
            self.axis,
            self.grid,
            self.accent,
            self.allocated,
            self.active,
            self.reserved,
            self.app,
            self.ge,
            self.workspace,
            self.other,
            self.baseline,
            self.baseline_fill,
            self.peak,
            self.mark,
        ]
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
            Quantity::Outside => 3,
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
pub(crate) mod tests {
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

    /// How the three colour blindnesses mix linear red, green and blue (Machado, Oliveira and Fernandes 2009); first, none.
    pub(crate) const SIGHTS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    /// CIE Lab of a colour as one of the sights sees it; distances in it are about as large as they look.
    pub(crate) fn lab(color: RGBColor, sight: &[[f64; 3]; 3]) -> [f64; 3] {
        let seen = [color.0, color.1, color.2].map(|v| {
            let v = f64::from(v) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        });
        let mix = |row: &[f64; 3], c: &[f64; 3]| row[0] * c[0] + row[1] * c[1] + row[2] * c[2];
        let seen = sight.map(|row| mix(&row, &seen).clamp(0.0, 1.0));
        let root = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let x = root(mix(&[0.4124, 0.3576, 0.1805], &seen) / 0.9505);
        let y = root(mix(&[0.2126, 0.7152, 0.0722], &seen));
        let z = root(mix(&[0.0193, 0.1192, 0.9505], &seen) / 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn curves_differ_for_every_eye() {
        for theme in [Theme::light(), Theme::dark()] {
            let colors = [theme.allocated, theme.active, theme.reserved, theme.app, theme.ge, theme.workspace];
            let colors: Vec<RGBColor> = colors.into_iter().chain([theme.other, theme.baseline]).collect();
            for (index, a) in colors.iter().enumerate() {
                for b in &colors[index + 1..] {
                    for sight in &SIGHTS {
                        let (a_seen, b_seen) = (lab(*a, sight), lab(*b, sight));
                        let apart = (0..3).map(|i| (a_seen[i] - b_seen[i]).powi(2)).sum::<f64>().sqrt();
                        assert!(apart >= 12.0, "{} and {}: {apart:.1}", css(*a), css(*b));
                    }
                }
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
