//! The timeline's craft: the small picture with its brush, clock and bytes, a second rank, the picture to take away.

use crate::common::{Sample, command, number, opened};
use anyhow::{Context, Result, ensure};
use browser_tests::{Browser, Picture, run};
use serde_json::Value;

async fn with_curves(sample: &Sample, hash: &str) -> Result<Browser> {
    let browser = opened(sample, hash).await?;
    let drawn = "return document.querySelector('[data-testid=timeline]')?.dataset.t1 > 0
        && document.querySelector('[data-testid=minimap] path.allocated')?.getAttribute('d')?.length > 20";
    browser.wait_for("curves", drawn).await?;
    Ok(browser)
}

/// Presses, moves and lets go on the small picture, at shares of its width.
fn dragging(from: f64, to: f64) -> String {
    format!(
        "const map = document.querySelector('[data-testid=minimap]'); const r = map.getBoundingClientRect();
        const at = share => ({{ clientX: r.left + r.width * share, clientY: r.top + r.height / 2, button: 0, bubbles: true, pointerId: 1 }});
        map.dispatchEvent(new PointerEvent('pointerdown', at({from})));
        map.dispatchEvent(new PointerEvent('pointermove', at(({from} + {to}) / 2)));
        map.dispatchEvent(new PointerEvent('pointermove', at({to})));
        map.dispatchEvent(new PointerEvent('pointerup', at({to})))"
    )
}

async fn range(browser: &Browser) -> Result<(i64, i64)> {
    Ok((number(browser, "timeline", "t0").await?, number(browser, "timeline", "t1").await?))
}

#[test]
fn the_brush_draws_moves_and_widens_the_range() -> Result<()> {
    run(async {
        let sample = Sample::new(31)?;
        let browser = with_curves(&sample, "").await?;
        let (first, last) = range(&browser).await?;
        let share = |time: i64| (time - first) as f64 / (last - first) as f64;
        browser.run_script(&dragging(0.25, 0.5)).await?;
        let moved =
            |from: i64| format!("return document.querySelector('[data-testid=timeline]').dataset.t0 !== '{from}'");
        browser.wait_for("the drawn range", &moved(first)).await?;
        let (a, b) = range(&browser).await?;
        ensure!((share(a) - 0.25).abs() < 0.02 && (share(b) - 0.5).abs() < 0.02, "{} to {}", share(a), share(b));
        browser.run_script(&dragging(0.4, 0.6)).await?;
        browser.wait_for("the moved range", &moved(a)).await?;
        let (c, d) = range(&browser).await?;
        ensure!(((d - c) - (b - a)).abs() <= 2 && (share(c) - 0.45).abs() < 0.02, "{} to {}", share(c), share(d));
        // The end by keyboard: a hundredth of the window a press.
        browser.run_script("document.querySelector('[data-testid=brush-end]').focus()").await?;
        browser.press("\u{e014}").await?;
        let wider = format!("return document.querySelector('[data-testid=timeline]').dataset.t1 !== '{d}'");
        browser.wait_for("the wider range", &wider).await?;
        let (e, f) = range(&browser).await?;
        ensure!(e == c && (share(f) - share(d) - 0.01).abs() < 0.002, "{} to {}", share(e), share(f));
        // The frame lies where the plot's times are.
        let edges = "const map = document.querySelector('[data-testid=minimap]').getBoundingClientRect();
            const canvas = document.querySelector('[data-testid=timeline]'); const plot = canvas.getBoundingClientRect();
            return [map.left - plot.left - Number(canvas.dataset.plotLeft), map.width - Number(canvas.dataset.plotWidth)]";
        let edges = browser.run_script(edges).await?;
        ensure!(
            edges.as_array().is_some_and(|e| e.iter().all(|v| v.as_f64().is_some_and(|v| v.abs() <= 2.5))),
            "{edges}"
        );
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn times_and_bytes_are_written_as_wished_and_the_address_remembers_it() -> Result<()> {
    run(async {
        let sample = Sample::new(32)?;
        let browser = with_curves(&sample, "").await?;
        let hover = "const plot = document.querySelector('.plot'); const r = plot.getBoundingClientRect();
            plot.dispatchEvent(new PointerEvent('pointermove', { clientX: r.left + r.width / 2, clientY: r.top + 40, bubbles: true, pointerId: 1 }))";
        browser.run_script(hover).await?;
        let said = browser.wait_for_text("readout", "s").await?;
        ensure!(said.contains("+") && said.contains("iB") && !said.contains("UTC"), "{said}");
        browser.click("clock").await?;
        browser.click("exact").await?;
        browser.run_script(hover).await?;
        let said = browser.wait_for_text("readout", "UTC").await?;
        ensure!(said.contains(" B") && !said.contains("iB"), "{said}");
        let hash = browser.run_script("return location.hash").await?;
        ensure!(hash.as_str().is_some_and(|h| h.contains("clock") && h.contains("exact")), "{hash}");
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_second_rank_lies_below_aligned_by_its_steps() -> Result<()> {
    run(async {
        let sample = Sample::new(33)?;
        let browser = with_curves(&sample, "").await?;
        let other = "const list = document.querySelector('[data-testid=under]'); list.selectedIndex = 1;
            list.dispatchEvent(new Event('change', { bubbles: true })); return list.selectedOptions[0].textContent";
        let other = browser.run_script(other).await?;
        let shift = "return document.querySelector('[data-testid=under-said]')?.dataset.shift ?? null";
        let shift: i64 = browser.wait_for("the shift", shift).await?.as_str().context("no shift")?.parse()?;
        let by = browser.run_script("return document.querySelector('[data-testid=under-said]').dataset.by").await?;
        ensure!(by == "step", "aligned by {by}");
        // As the command aligns the same two.
        let compared = command(&[
            "compare",
            "--json",
            &sample.text(),
            "--a",
            "role=actor_update,rank=0",
            "--b",
            "role=actor_update,rank=1",
        ])?;
        let compared: Value = serde_json::from_slice(&compared)?;
        let same = &compared["curves"]["same_ns"];
        let wanted =
            same[0].as_i64().zip(same[1].as_i64()).map(|(a, b)| a - b).context("the command does not align them")?;
        ensure!(shift == wanted, "moved by {shift}, the command by {wanted} ({other})");
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn the_timeline_is_saved_as_a_picture_with_its_title() -> Result<()> {
    run(async {
        let sample = Sample::new(34)?;
        let browser = with_curves(&sample, "theme=dark").await?;
        browser.click("timeline-png").await?;
        let name = browser.wait_for_text("message", ".png").await?;
        let name = name.split_whitespace().find(|word| word.ends_with(".png")).context("no name")?.to_owned();
        let path = browser.wait_for_download(&name).await?;
        let picture = Picture::decode(std::fs::read(path)?)?;
        ensure!((picture.width, picture.height) == (2400, 1120), "{} x {}", picture.width, picture.height);
        // Dark, with something written at the top and curves below.
        let dark = picture.count(|[r, g, b, a]| a == 255 && r < 60 && g < 60 && b < 60);
        ensure!(dark * 10 > picture.width * picture.height * 7, "{dark} dark pixels");
        let bright = |rows: std::ops::Range<usize>| {
            rows.flat_map(|y| (0..2400).map(move |x| (x, y)))
                .filter(|(x, y)| picture.pixel(*x, *y).is_some_and(|[r, g, b, _]| r > 180 && g > 180 && b > 180))
                .count()
        };
        ensure!(bright(20..80) > 200, "no title: {} bright pixels", bright(20..80));
        ensure!(picture.colours() > 30, "{} colours", picture.colours());
        browser.quit().await?.assert_clean()
    })
}
