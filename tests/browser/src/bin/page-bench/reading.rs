//! One rank in one worker: against the browser's own read, growth, memory, and the pointer over what was read.

use anyhow::{Context, Result};
use browser_tests::Browser;
use serde_json::json;

use super::Plan;
use super::figure::{Bar, Figures, median, most};
use super::opened::{Facts, browser, measured_rank};

/// Moves of the pointer.
const MOVES: u32 = 100;

/// Memory of a worker beyond what it keeps, for code, stack and buffers, MB.
const ROOM: f64 = 24.0;

/// The sample.
pub async fn one(plan: &Plan, figures: &mut Figures) -> Result<()> {
    let Some(folder) = plan.folder("sample") else { return Ok(()) };
    let browser = browser().await?;
    let mut runs = Vec::new();
    for _ in 0..plan.runs {
        runs.push(measured_rank(&browser, folder).await?);
    }
    against_plain("sample", &runs, 3.0, figures);
    memory("sample", &runs, figures);
    pointer(&browser, figures).await?;
    browser.quit().await?;
    Ok(())
}

fn against_plain(name: &str, runs: &[Facts], bar: f64, figures: &mut Figures) {
    let size = runs.first().map_or(0.0, Facts::bytes) / 1e6;
    let speed = |seconds: f64| size / seconds;
    let of = |seconds: fn(&Facts) -> f64| speed(median(runs.iter().map(seconds)));
    let plain = format!(
        "one worker, {size:.0} MB; stream {:.0}, slices {:.0} MB/s",
        of(|facts| facts.number("/measured/stream_us") / 1e6),
        of(|facts| facts.number("/measured/slices_us") / 1e6),
    );
    figures.add(&format!("{name}: plain read"), of(Facts::plain), "MB/s", Bar::None, &plain);
    let share = |path: &str| median(runs.iter().map(|facts| facts.number(path) / facts.number("/reading_us") * 100.0));
    let how = format!(
        "the same worker and run; {:.0} % waiting for bytes and copying them, {:.0} % matching and building",
        share("/waiting_us"),
        share("/finishing_us"),
    );
    figures.add(&format!("{name}: to ready"), of(Facts::reading), "MB/s", Bar::None, &how);
    let ratio = median(runs.iter().map(|facts| facts.reading() / facts.plain()));
    let how = format!("median of the ratios of {} runs", runs.len());
    figures.add(&format!("{name}: to ready / plain read"), ratio, "", Bar::AtMost(bar), &how);
}

fn memory(name: &str, runs: &[Facts], figures: &mut Figures) {
    let whole = most(runs.iter().map(|facts| facts.number("/memory_bytes"))) / 1e6;
    let kept = most(runs.iter().map(|facts| facts.number("/counters/kept_bytes"))) / 1e6;
    let how = format!("{kept:.1} MB kept; the bar: {ROOM} MB + 1.3 x that");
    figures.add(&format!("{name}: memory of the worker"), whole, "MB", Bar::AtMost(ROOM + 1.3 * kept), &how);
}

/// Ten times the trace.
pub async fn growth(plan: &Plan, figures: &mut Figures) -> Result<()> {
    let (Some(small), Some(large)) = (plan.folder("100"), plan.folder("1000")) else { return Ok(()) };
    let browser = browser().await?;
    let mut costs = [Vec::new(), Vec::new()];
    for _ in 0..plan.runs.min(3) {
        for (folder, costs) in [small, large].into_iter().zip(&mut costs) {
            let facts = measured_rank(&browser, folder).await?;
            costs.push(facts.reading() / facts.bytes());
        }
    }
    let [before, after] = costs.map(median);
    let how = "1 GB after 100 MB, per byte, times 10";
    figures.add("growth", 10.0 * after / before, "", Bar::AtMost(10.5), how);
    browser.quit().await?;
    Ok(())
}

/// Traces of 2 and 4 GB.
pub async fn large(plan: &Plan, figures: &mut Figures) -> Result<()> {
    for name in ["2000", "4000"] {
        let Some(folder) = plan.folder(name) else { continue };
        let browser = browser().await?;
        let facts = [measured_rank(&browser, folder).await?];
        against_plain(name, &facts, 3.0, figures);
        memory(name, &facts, figures);
        if let (Some(sample), "2000", [large]) = (plan.folder("sample"), name, &facts) {
            let small = measured_rank(&browser, sample).await?;
            let more = |path: &str| (large.number(path) - small.number(path)) / 1e6;
            let kept = more("/counters/kept_bytes");
            let how = format!("more memory than for the sample; the bar: what is kept more, {kept:.1} MB");
            figures.add("2000: growth of memory", more("/memory_bytes"), "MB", Bar::AtMost(kept), &how);
        }
        browser.quit().await?;
    }
    Ok(())
}

/// From a move of the pointer until all that follows from it has run: crosshair and values.
async fn pointer(browser: &Browser, figures: &mut Figures) -> Result<()> {
    let place = "const box = document.querySelector('[data-testid=timeline]')?.getBoundingClientRect();
        return box && box.width > 100 ? [box.left, box.top, box.width, box.height] : null";
    let place = browser.wait_for("the timeline", place).await?;
    let place: Vec<f64> = serde_json::from_value(place)?;
    let [left, top, width, height] = place[..] else { anyhow::bail!("the timeline has no place") };
    // What follows from a move has run when the last listener is called: effects are microtasks behind the page's own. A message
    // comes behind the frame, if there was one.
    let listen = "self.moves = [];
        self.frames = [];
        const channel = new MessageChannel();
        let start = 0;
        channel.port1.onmessage = () => frames.push(performance.now() - start);
        addEventListener('pointermove', () => { start = performance.now(); channel.port2.postMessage(0); }, true);
        addEventListener('pointermove', () => moves.push(performance.now() - start));
        return true";
    browser.run_script(listen).await?;
    for step in 0..MOVES {
        let x = left + width * (0.1 + 0.8 * f64::from(step * 37 % MOVES) / f64::from(MOVES));
        let to = json!({"type": "mouseMoved", "x": x, "y": top + height / 2.0});
        browser.cdp("Input.dispatchMouseEvent", to).await?;
    }
    let times = "return frames.length > 50 ? [moves, frames] : null";
    let [mut moves, frames]: [Vec<f64>; 2] =
        serde_json::from_value(browser.wait_for("moves of the pointer", times).await?)?;
    moves.sort_by(f64::total_cmp);
    let slow = moves.get(moves.len() * 95 / 100).copied().context("no moves")?;
    let shown = browser.run_script("return document.querySelector('[data-testid=readout].shown') !== null").await?;
    anyhow::ensure!(shown == true, "the pointer shows no values");
    let how = format!(
        "{} moves, until both are drawn, 95 of 100 are faster; the median {:.2} ms, with the browser's frame {:.2} ms",
        moves.len(),
        median(moves.iter().copied()),
        median(frames.iter().copied())
    );
    figures.add("sample: pointer to crosshair and values", slow, "ms", Bar::AtMost(4.0), &how);
    Ok(())
}
