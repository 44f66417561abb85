//! A database of a million blocks: reading against selecting, and how long questions take then.

use anyhow::Result;

use super::Plan;
use super::figure::{Bar, Figures, median, most};
use super::opened::{browser, measured_rank};

/// A large database takes a minute.
const RUNS: usize = 3;

pub async fn database(plan: &Plan, figures: &mut Figures) -> Result<()> {
    let Some(folder) = plan.folder("database") else { return Ok(()) };
    let browser = browser().await?;
    let mut runs = Vec::new();
    for _ in 0..plan.runs.min(RUNS) {
        runs.push(measured_rank(&browser, folder).await?);
    }
    browser.quit().await?;
    let select = |facts: &super::opened::Facts| facts.number("/measured/select_us") / 1e6;
    let of = |path: &str| median(runs.iter().map(|facts| facts.number(path)));
    let ratio = median(runs.iter().map(|facts| facts.reading() / select(facts)));
    let how = format!(
        "{:.2} s to ready, {:.2} s selecting {:.1} M rows, {:.2} s the plain read; {} runs",
        median(runs.iter().map(|facts| facts.reading())),
        median(runs.iter().map(select)),
        of("/measured/selected_rows") / 1e6,
        median(runs.iter().map(|facts| facts.plain())),
        runs.len(),
    );
    figures.add("database: to ready / selecting", ratio, "", Bar::AtMost(2.0), &how);
    let memory = most(runs.iter().map(|facts| facts.number("/memory_bytes"))) / 1e6;
    let kept = format!("{:.1} MB kept", of("/counters/kept_bytes") / 1e6);
    figures.add("database: memory of the worker", memory, "MB", Bar::AtMost(400.0), &kept);
    let blocks = of("/rows") / 1e6;
    for (name, path) in [("timeline", "timeline"), ("top groups", "top"), ("live set and totals", "live")] {
        let slowest = most(runs.iter().map(|facts| facts.number(&format!("/measured/{path}/most_us"))));
        let usual = of(&format!("/measured/{path}/median_us"));
        let how = format!("the slowest of 32 in the worker, {blocks:.2} M blocks; the median {:.2} ms", usual / 1e3);
        figures.add(&format!("database: answer, {name}"), slowest / 1e3, "ms", Bar::AtMost(16.0), &how);
    }
    Ok(())
}
