//! What the person sees and does with a rank: curves, top allocators, stacks, languages, themes, the address.

use crate::common::{self, Sample, command, number};
use anyhow::{Context, Result, ensure};
use browser_tests::{Browser, Picture, run};

/// Opens the page from disk with a sample in it, and waits for its curves.
async fn opened(sample: &Sample, hash: &str) -> Result<Browser> {
    let browser = common::opened(sample, hash).await?;
    browser.wait_for("curves", "return document.querySelectorAll('[data-testid=legend]').length > 2").await?;
    Ok(browser)
}

/// A point of the timeline in device pixels of its canvas.
async fn place(browser: &Browser, time_ns: i64, bytes: i64) -> Result<(f64, f64)> {
    let script = "const c = document.querySelector('[data-testid=timeline]').dataset;
        return [c.plotLeft, c.plotTop, c.plotWidth, c.plotHeight, c.t0, c.t1, c.y0, c.y1]";
    let values = browser.run_script(script).await?;
    let text = |at: usize| values.get(at).and_then(|v| v.as_str()).context("no plot").map(str::to_owned);
    let float = |at: usize| text(at).and_then(|t| t.parse::<f64>().context("not a number"));
    let int = |at: usize| text(at).and_then(|t| t.parse::<i64>().context("not a whole number"));
    let (t0, t1, y0, y1) = (int(4)?, int(5)?, int(6)?, int(7)?);
    let x = float(0)? + (time_ns - t0) as f64 / (t1 - t0) as f64 * float(2)?;
    let y = float(1)? + (y1 - bytes) as f64 / (y1 - y0) as f64 * float(3)?;
    Ok((x, y))
}

/// Whether a pixel of about this colour is within one pixel of the place.
fn near(picture: &Picture, (x, y): (f64, f64), colour: [u8; 3]) -> bool {
    let around =
        |centre: f64| (centre.round() as i64 - 2..=centre.round() as i64 + 2).filter_map(|v| usize::try_from(v).ok());
    around(x).any(|x| {
        around(y).any(|y| {
            let close = |a: u8, b: u8| a.abs_diff(b) < 40;
            picture
                .pixel(x, y)
                .is_some_and(|[r, g, b, _]| close(r, colour[0]) && close(g, colour[1]) && close(b, colour[2]))
        })
    })
}

/// The numbers of `#010203`.
fn rgb(css: &serde_json::Value) -> Option<[u8; 3]> {
    let number = u32::from_str_radix(css.as_str()?.trim().strip_prefix('#')?, 16).ok()?;
    let [_, r, g, b] = number.to_be_bytes();
    Some([r, g, b])
}

#[test]
fn the_curve_goes_through_the_summarys_peak() -> Result<()> {
    run(async {
        let sample = Sample::new(3)?;
        let browser = opened(&sample, "theme=light").await?;
        let summary: serde_json::Value = serde_json::from_slice(&command(&["summary", "--json", &sample.text()])?)?;
        let shown = browser.run_script("return document.querySelector('.rank.selected').dataset.folder").await?;
        let folder = summary["rank_folders"].as_array().into_iter().flatten().find(|f| f["folder"] == shown);
        let folder = folder.context("the shown rank is not in the summary")?;
        let canvas = browser.canvas("timeline").await?;
        let colour = |curve: &str| {
            format!(
                "const swatch = document.querySelector(\"[data-curve='{curve}'] .line-swatch\");
                return getComputedStyle(swatch).getPropertyValue('--c')"
            )
        };
        let whole = |value: &serde_json::Value| value.as_i64().context("no whole number");
        let (pool, window) = (&folder["pools"][0], &folder["window_ns"]);
        let (first, last) = (whole(&window[0])?, whole(&window[1])?);
        let baseline = &pool["baseline_bytes"];
        let reserved = &folder["peak"]["reserved"];
        for (curve, time, bytes) in [
            ("pta/baseline", first + (last - first) / 200, whole(&baseline["start"])?),
            ("pta/baseline", last - (last - first) / 200, whole(&baseline["end"])?),
            ("pta/reserved", whole(&reserved["time_ns"])?, whole(&reserved["bytes"])?),
        ] {
            let rgb =
                rgb(&browser.run_script(&colour(curve)).await?).with_context(|| format!("{curve} has no colour"))?;
            let at = place(&browser, time, bytes).await?;
            ensure!(near(&canvas, at, rgb), "{curve}: {bytes} at {time} is not drawn at {at:?} in {rgb:?}");
        }
        // The peak of allocated is under its own red dot.
        let peak = &folder["peak"]["allocated"];
        let at = place(&browser, whole(&peak["time_ns"])?, whole(&peak["bytes"])?).await?;
        let dot = canvas.pixel(at.0.round() as usize, at.1.round() as usize).context("the peak is outside")?;
        ensure!(dot[0] > 120 && dot[1] < 90 && dot[2] < 90, "the peak at {at:?} has {dot:?}");
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn keys_and_clicks_move_the_view() -> Result<()> {
    run(async {
        let sample = Sample::new(4)?;
        let browser = opened(&sample, "").await?;
        let (t0, t1) = (number(&browser, "timeline", "t0").await?, number(&browser, "timeline", "t1").await?);
        let changed =
            |from: i64| format!("return document.querySelector('[data-testid=timeline]').dataset.t0 !== '{from}'");
        browser.run_script("document.querySelector('.plot').focus()").await?;
        browser.press("w").await?;
        browser.wait_for("zooming in", &changed(t0)).await?;
        let zoomed = number(&browser, "timeline", "t0").await?;
        ensure!(zoomed > t0 && number(&browser, "timeline", "t1").await? < t1, "W does not zoom in");
        browser.press("d").await?;
        browser.wait_for("moving right", &changed(zoomed)).await?;
        ensure!(browser.run_script("return location.hash").await?.as_str().is_some_and(|h| h.contains("range=")));
        browser.press("0").await?;
        browser.wait_for("the whole window", &changed(zoomed)).await?;
        ensure!(number(&browser, "timeline", "t0").await? == t0, "0 does not reset");

        // A click chooses a time: top allocators and balance follow; Escape goes back to the peak.
        let at_peak = number(&browser, "top-allocators", "at").await?;
        let click = "const r = document.querySelector('.plot').getBoundingClientRect();
            const at = { clientX: r.left + r.width * 0.5, clientY: r.top + r.height / 2, button: 0, bubbles: true, pointerId: 1 };
            for (const kind of ['pointerdown', 'pointerup']) document.querySelector('.plot').dispatchEvent(new PointerEvent(kind, at))";
        browser.run_script(click).await?;
        let moved = format!("return document.querySelector('[data-testid=top-allocators]').dataset.at !== '{at_peak}'");
        browser.wait_for("the top at the chosen time", &moved).await?;
        browser.press("\u{e00c}").await?;
        let back = format!("return document.querySelector('[data-testid=top-allocators]').dataset.at === '{at_peak}'");
        browser.wait_for("the top at the peak", &back).await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_group_shows_its_stacks_and_its_bytes_by_match() -> Result<()> {
    run(async {
        let sample = Sample::new(5)?;
        let browser = opened(&sample, "by=stack").await?;
        browser
            .wait_for("groups", "return document.querySelector('[data-testid=top-table] tbody tr') !== null")
            .await?;
        let row = "[...document.querySelectorAll('[data-testid=top-table] tbody tr')].find(r => r.dataset.key)";
        browser.run_script(&format!("{row}.querySelector('button').click()")).await?;
        browser.wait_for("the stack", "return document.querySelector('[data-testid=stack]') !== null").await?;
        let key = browser.run_script(&format!("return {row}.dataset.key.replaceAll('\\r', '').trimEnd()")).await?;
        let stack =
            browser.run_script("return document.querySelector('[data-testid=stack]').textContent.trimEnd()").await?;
        ensure!(key == stack, "the group is {key}, its stack {stack}");
        let sums = "const all = [...document.querySelectorAll('.one-stack')];
            return all.every(s => [...s.querySelectorAll('[data-kind]')].reduce((n, k) => n + Number(k.dataset.bytes), 0) === Number(s.dataset.bytes))";
        ensure!(browser.run_script(sums).await? == true, "bytes by match kind do not add up");
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn speaks_chinese_and_goes_dark_and_remembers_it_in_the_address() -> Result<()> {
    run(async {
        let sample = Sample::new(6)?;
        let browser = opened(&sample, "lang=en&theme=light").await?;
        browser.click("lang-toggle").await?;
        browser.wait_for_text("top-allocators", "内存占用排行").await?;
        browser.click("theme-toggle").await?;
        browser.wait_for("dark", "return document.documentElement.dataset.theme === 'dark'").await?;
        let hash = browser.run_script("return location.hash").await?;
        let hash = hash.as_str().unwrap_or_default();
        ensure!(hash.contains("lang=zh") && hash.contains("theme=dark"), "the address has {hash}");
        ensure!(browser.run_script("return document.documentElement.lang").await? == "zh-CN");
        let stored = "return localStorage.length + sessionStorage.length + document.cookie.length";
        ensure!(browser.run_script(stored).await? == 0, "something is stored");
        browser.screenshot("chinese-dark").await?;
        browser.quit().await?.assert_clean()
    })
}
