//! The page itself: its size, and how soon it can be used.

use anyhow::Result;
use browser_tests::page_path;

use super::Plan;
use super::figure::{Bar, Figures, median};
use super::opened::{browser, fresh, watched};

pub async fn measure(plan: &Plan, figures: &mut Figures) -> Result<()> {
    if !plan.wants("start") {
        return Ok(());
    }
    let size = std::fs::metadata(page_path()?)?.len() as f64 / 1e6;
    figures.add("start: size of the file", size, "MB", Bar::AtMost(4.0), "dist/memlens.html");
    let browser = browser().await?;
    let (mut since_loaded, mut since_asked) = (Vec::new(), Vec::new());
    // The first start of a browser is colder than any a person sees later.
    for run in 0..=plan.runs {
        fresh(&browser, "").await?;
        let usable = watched(&browser, "/states/empty").await?;
        let loaded = browser.run_script("return performance.getEntriesByType('navigation')[0].responseEnd").await?;
        if run > 0 {
            since_loaded.push(usable - loaded.as_f64().unwrap_or_default());
            since_asked.push(usable);
        }
    }
    let how = format!("from disk, after the last byte; {:.0} ms after it was asked for", median(since_asked));
    figures.add("start: open to usable", median(since_loaded), "ms", Bar::AtMost(150.0), &how);
    browser.quit().await?;
    Ok(())
}
