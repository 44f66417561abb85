//! A fresh page with a folder in it, and what it tells: its workers' facts, times of its states, its longest task.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use browser_tests::{Browser, Origin};
use serde_json::{Value, json};

/// The largest input takes minutes.
const PATIENCE: Duration = Duration::from_secs(1800);

/// Notes when the page came to each state, and the longest task of its thread. Tasks below 50 ms are told by no browser.
const WATCH: &str = "
    self.watched = {states: {}, longest: 0};
    const root = () => document.documentElement?.dataset.state;
    new MutationObserver(() => { if (root()) watched.states[root()] ??= performance.now(); })
        .observe(document, {attributes: true, subtree: true, attributeFilter: ['data-state']});
    new PerformanceObserver(list => {
        for (const task of list.getEntries()) watched.longest = Math.max(watched.longest, task.duration);
    }).observe({type: 'longtask', buffered: true});
";

/// What a worker measured and counted.
pub struct Facts(Value);

impl Facts {
    /// A number by its path, e.g. `/counters/kept_bytes`.
    pub fn number(&self, path: &str) -> f64 {
        self.0.pointer(path).and_then(Value::as_f64).unwrap_or_default()
    }

    /// Seconds from the order to read until questions can be answered.
    pub fn reading(&self) -> f64 {
        self.number("/reading_us") / 1e6
    }

    /// Seconds of the fastest plain read.
    pub fn plain(&self) -> f64 {
        let ways = ["/measured/stream_us", "/measured/slices_us"].map(|path| self.number(path) / 1e6);
        ways.into_iter().filter(|seconds| *seconds > 0.0).fold(f64::INFINITY, f64::min)
    }

    /// Bytes fed to the readers, or of the file a database was read from.
    pub fn bytes(&self) -> f64 {
        self.number("/counters/bytes_read")
    }
}

/// A browser whose pages are watched.
pub async fn browser() -> Result<Browser> {
    let browser = Browser::start().await?;
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await?;
    Ok(browser)
}

/// Opens a fresh page from disk: the same page with another hash would not be loaded again.
pub async fn fresh(browser: &Browser, hash: &str) -> Result<()> {
    browser.open_url("about:blank").await?;
    browser.open_with_hash(Origin::Disk, hash).await?;
    browser.wait_for_state("empty").await
}

/// Opens a folder in a fresh page and waits for all its ranks.
pub async fn open(browser: &Browser, folder: &Path, hash: &str) -> Result<()> {
    fresh(browser, hash).await?;
    browser.pick_folder(folder).await?;
    browser.wait_for_state_within("ready", PATIENCE).await
}

/// The same with measurements; the facts of its ranks.
pub async fn measured(browser: &Browser, folder: &Path, hash: &str) -> Result<Vec<Facts>> {
    open(browser, folder, &format!("measure&{hash}")).await?;
    let script = "const facts = JSON.parse(document.documentElement.dataset.facts ?? '[]');
        return facts.length > 0 && facts.every(f => f.measured) ? facts : null";
    let facts = browser.wait_for("what was measured", script).await?;
    Ok(facts.as_array().context("no list of facts")?.iter().cloned().map(Facts).collect())
}

/// The same with one rank.
pub async fn measured_rank(browser: &Browser, folder: &Path) -> Result<Facts> {
    let facts = measured(browser, folder, "readers=1").await?;
    facts.into_iter().next().context("the folder has no rank")
}

/// What the watching script noted: a number by its path.
pub async fn watched(browser: &Browser, path: &str) -> Result<f64> {
    let value = browser.run_script("return self.watched").await?;
    value.pointer(path).and_then(Value::as_f64).with_context(|| format!("the page did not note {path}: {value}"))
}
