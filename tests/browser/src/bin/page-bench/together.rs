//! Several ranks at once: how fast, how much memory, and whether the page stays responsive.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use browser_tests::Browser;

use super::Plan;
use super::figure::{Bar, Figures, median};
use super::opened::{browser, fresh, open, watched};

/// How often memory is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// 1, 2 and 4 workers.
pub async fn workers(plan: &Plan, figures: &mut Figures) -> Result<()> {
    let Some(folder) = plan.folder("ranks") else { return Ok(()) };
    let browser = browser().await?;
    let counts = [1, 2, 4];
    let mut seconds = counts.map(|_| Vec::new());
    let mut size = 0.0;
    for _ in 0..plan.runs.min(3) {
        for (count, seconds) in counts.into_iter().zip(&mut seconds) {
            open(&browser, folder, &format!("readers={count}")).await?;
            let [start, end] = [watched(&browser, "/states/reading").await?, watched(&browser, "/states/ready").await?];
            seconds.push((end - start) / 1e3);
            size = megabytes(&browser).await?;
        }
    }
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    for (count, seconds) in counts.into_iter().zip(seconds) {
        let how = format!("four ranks, {size:.0} MB, on {cores} cores, from the drop on");
        figures.add(&format!("ranks: {count} workers"), size / median(seconds), "MB/s", Bar::None, &how);
    }
    browser.quit().await?;
    Ok(())
}

/// Eight databases, each in a worker of its own.
pub async fn databases(plan: &Plan, figures: &mut Figures) -> Result<()> {
    let Some(folder) = plan.folder("databases") else { return Ok(()) };
    let browser = browser().await?;
    fresh(&browser, "readers=8").await?;
    let (memory, seconds) = watched_reading(&browser, folder).await?;
    let longest = watched(&browser, "/longest").await?;
    let how = format!(
        "{:.0} MB in {seconds:.1} s, eight workers; at most {:.0} MB in the page's process; 0: none over 50 ms",
        megabytes(&browser).await?,
        memory / 1e6
    );
    figures.add("databases: longest task of the page", longest, "ms", Bar::AtMost(50.0), &how);
    browser.quit().await?;
    Ok(())
}

/// 64 ranks.
pub async fn many(plan: &Plan, figures: &mut Figures) -> Result<()> {
    let Some(folder) = plan.folder("many") else { return Ok(()) };
    let browser = browser().await?;
    fresh(&browser, "").await?;
    let (memory, seconds) = watched_reading(&browser, folder).await?;
    let count = |state: &str| format!("return document.querySelectorAll('[data-testid=rank-row]{state}').length");
    let of =
        async |state: &str| Ok::<_, anyhow::Error>(browser.run_script(&count(state)).await?.as_f64().unwrap_or(0.0));
    let all = of("").await?;
    let (ready, summarized) = (of("[data-state=ready]").await?, of("[data-state=summarized]").await?);
    let size = megabytes(&browser).await?;
    let kept = browser.run_script("return Number(document.documentElement.dataset.keptMemory)").await?;
    let how = format!(
        "{all} ranks, {size:.0} MB in {seconds:.0} s; anonymous memory of the page's process with all workers, looked at every \
         {LOOK:?}; at the end {:.0} MB of WebAssembly memory",
        kept.as_f64().unwrap_or_default() / 1e6
    );
    figures.add("many: memory", memory / 1e6, "MB", Bar::AtMost(2000.0), &how);
    let longest = watched(&browser, "/longest").await?;
    figures.add("many: longest task of the page", longest, "ms", Bar::AtMost(50.0), "0: none over 50 ms");
    let neither = all - ready - summarized;
    let how = format!("{ready} ready, {summarized} summarized");
    figures.add("many: neither ready nor summarized", neither, "ranks", Bar::AtMost(0.0), &how);
    browser.quit().await?;
    Ok(())
}

/// Opens a folder and looks at memory until all is read: most bytes, and seconds.
async fn watched_reading(browser: &Browser, folder: &std::path::Path) -> Result<(f64, f64)> {
    let start = Instant::now();
    browser.pick_folder(folder).await?;
    let mut most = 0;
    loop {
        most = most.max(browser.page_memory());
        match browser.state().await?.as_deref() {
            Some("ready") => break,
            state => ensure!(state != Some("failed"), "the page failed"),
        }
        ensure!(start.elapsed() < Duration::from_secs(3600), "the page still reads after an hour");
        tokio::time::sleep(LOOK).await;
    }
    Ok((most as f64, start.elapsed().as_secs_f64()))
}

/// MB of all ranks in the list.
async fn megabytes(browser: &Browser) -> Result<f64> {
    let sum = "return [...document.querySelectorAll('[data-testid=rank-row]')].reduce((n, r) => n + Number(r.dataset.size), 0)";
    Ok(browser.run_script(sum).await?.as_f64().unwrap_or_default() / 1e6)
}
