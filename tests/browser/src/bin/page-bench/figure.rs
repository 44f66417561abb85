//! Figures in the form xtask reads them.

use anyhow::Result;
use serde_json::{Value, json};

/// A bar.
#[derive(Clone, Copy)]
pub enum Bar {
    None,
    AtMost(f64),
}

/// All that was measured.
#[derive(Default)]
pub struct Figures(Vec<Value>);

impl Figures {
    /// Adds one; `note` says how it was measured.
    pub fn add(&mut self, name: &str, value: f64, unit: &str, bar: Bar, note: &str) {
        println!("    page, {name}: {value:.3} {unit}; {note}");
        let mut figure = json!({"name": format!("page, {name}"), "value": value, "unit": unit, "note": note});
        if let Bar::AtMost(bar) = bar {
            figure["at_most"] = bar.into();
        }
        self.0.push(figure);
    }

    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(&self.0)?)
    }
}

/// The median; of an even number the upper of the middle two, 0 of none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The largest, 0 of none.
pub fn most(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, f64::max)
}
