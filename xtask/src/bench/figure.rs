//! Figures with their bars, and the table they are shown in. Knows nothing of how they were measured.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// The lines between which a Markdown page holds the table.
const MARK: &str = "<!-- figures -->";

/// One measured number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// The median, where it was measured several times.
    pub value: f64,
    /// What the number counts.
    pub unit: String,
    /// The bar, if it is to be at most this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// The bar, if it is to be at least this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// How it was measured, and what stands beside it.
    #[serde(default)]
    pub note: String,
}

impl Figure {
    /// A number without a bar.
    pub fn new(name: impl Into<String>, value: f64, unit: &str) -> Figure {
        let unit = unit.to_owned();
        Figure { name: name.into(), value, unit, at_most: None, at_least: None, note: String::new() }
    }

    pub fn at_most(self, bar: f64) -> Figure {
        Figure { at_most: Some(bar), ..self }
    }

    pub fn at_least(self, bar: f64) -> Figure {
        Figure { at_least: Some(bar), ..self }
    }

    pub fn note(self, note: impl Into<String>) -> Figure {
        Figure { note: note.into(), ..self }
    }

    /// Whether the bar is met; `None` without one.
    fn met(&self) -> Option<bool> {
        match (self.at_most, self.at_least) {
            (None, None) => None,
            (most, least) => {
                Some(most.is_none_or(|bar| self.value <= bar) && least.is_none_or(|bar| self.value >= bar))
            }
        }
    }

    /// Figure, bar, met or not, note: the columns of the table.
    fn cells(&self) -> [String; 5] {
        let bar = match (self.at_most, self.at_least) {
            (Some(bar), _) => format!("<= {}", rounded(bar)),
            (None, Some(bar)) => format!(">= {}", rounded(bar)),
            (None, None) => String::new(),
        };
        let met = match self.met() {
            Some(true) => "yes",
            Some(false) => "NO",
            None => "",
        };
        let value = format!("{} {}", rounded(self.value), self.unit);
        [self.name.clone(), value.trim_end().to_owned(), bar, met.to_owned(), self.note.clone()]
    }
}

/// Three digits that count.
fn rounded(value: f64) -> String {
    let text = match value.abs() {
        large if large >= 100.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// All figures, and where they were measured.
#[derive(Debug, Serialize)]
pub struct Figures {
    machine: String,
    figures: Vec<Figure>,
}

const HEAD: [&str; 5] = ["figure", "measured", "bar", "met", "how"];

impl Figures {
    pub fn of_this_machine() -> Figures {
        Figures { machine: machine(), figures: Vec::new() }
    }

    pub fn add(&mut self, figure: Figure) {
        println!("    {}", figure.cells().join("  "));
        self.figures.push(figure);
    }

    pub fn json(&self) -> Result<String> {
        serde_json::to_string_pretty(self).context("the figures cannot be written as JSON")
    }

    /// For the terminal.
    pub fn table(&self) -> String {
        let rows: Vec<[String; 5]> =
            std::iter::once(HEAD.map(str::to_owned)).chain(self.figures.iter().map(Figure::cells)).collect();
        let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max();
        let widths: Vec<usize> = (0..HEAD.len()).filter_map(width).collect();
        let mut text = format!("{}\n", self.machine);
        for row in &rows {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// A Markdown page with the table in the place of the one it has; the table alone if it has none.
    pub fn into_page(self, page: &str) -> String {
        let row = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut table = format!("{}\n\n", self.machine);
        table.push_str(&row(&HEAD.map(str::to_owned)));
        // Writing into a String cannot fail.
        let _ = writeln!(table, "|{}", "---|".repeat(HEAD.len()));
        for figure in &self.figures {
            table.push_str(&row(&figure.cells()));
        }
        match page.split_once(MARK).and_then(|(before, rest)| Some((before, rest.split_once(MARK)?.1))) {
            Some((before, after)) => format!("{before}{MARK}\n\n{table}\n{MARK}{after}"),
            None => format!("{MARK}\n\n{table}\n{MARK}\n"),
        }
    }
}

/// Processor and cores, where the system tells.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    format!("{}, {cores} cores, {}", model.map_or("unknown processor", |(_, name)| name.trim()), std::env::consts::OS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Figures {
        let figures = vec![
            Figure::new("speed", 612.34, "MB/s").at_least(600.0).note("a | b"),
            Figure::new("growth", 10.61, "").at_most(10.5),
            Figure::new("size", 3.2, "MB"),
        ];
        Figures { machine: "here".into(), figures }
    }

    #[test]
    fn a_bar_is_met_or_not() {
        let met: Vec<Option<bool>> = some().figures.iter().map(Figure::met).collect();
        assert_eq!(met, [Some(true), Some(false), None]);
        let table = some().table();
        assert!(table.contains("612 MB/s  >= 600   yes  a | b\n"), "{table}");
        assert!(table.contains("<= 10.5  NO\n"), "{table}");
    }

    #[test]
    fn a_page_keeps_what_is_around_its_table() {
        let once = some().into_page("# Speed\n<!-- figures -->\nold\n<!-- figures -->\nTried.\n");
        assert!(once.starts_with("# Speed\n") && once.ends_with("\nTried.\n") && !once.contains("old"), "{once}");
        assert!(once.contains("| speed | 612 MB/s | >= 600 | yes | a \\| b |\n"), "{once}");
        assert_eq!(some().into_page(&once), once);
    }

    #[test]
    fn figures_of_the_page_are_read_back() -> Result<()> {
        let written = serde_json::to_string(&some().figures)?;
        assert_eq!(serde_json::from_str::<Vec<Figure>>(&written)?, some().figures);
        Ok(())
    }
}
