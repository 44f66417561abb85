//! The views of a rank: what is found, the block map, the tables of blocks and events; and that what is chosen in one is
//! chosen in all.

use crate::common::{Sample, command, number, opened};
use anyhow::{Context, Result, ensure};
use browser_tests::{Browser, run};
use serde_json::Value;

/// The whole number a script gives.
async fn whole(browser: &Browser, script: &str) -> Result<i64> {
    let value = browser.run_script(script).await?;
    let text = value.as_str().map(str::to_owned).unwrap_or_else(|| value.to_string());
    text.trim().parse().with_context(|| format!("{script} gives {text}"))
}

#[test]
fn findings_are_those_of_the_command_and_lead_to_where_they_show() -> Result<()> {
    run(async {
        let sample = Sample::planted(31, &["leak=40MB", "odd-rank=1:1.6"])?;
        let told: Value = serde_json::from_slice(&command(&["findings", "--json", &sample.text()])?)?;
        let told = told["findings"].as_array().context("the command tells no findings")?.clone();
        let browser = opened(&sample, "lang=en").await?;
        let all = format!("return document.querySelector('[data-testid=findings]').dataset.count === '{}'", told.len());
        browser.wait_for("all findings", &all).await?;
        let kinds: std::collections::BTreeSet<&str> = told.iter().filter_map(|f| f["kind"].as_str()).collect();
        let shown = browser.run_script("return document.querySelectorAll('[data-testid=finding]').length").await?;
        ensure!(shown == kinds.len(), "at first {shown} are shown, not one of each of {kinds:?}");
        if told.len() > kinds.len() {
            browser.click("findings-more").await?;
        }
        let shown = browser
            .run_script("return [...document.querySelectorAll('[data-testid=finding]')].map(f => [f.dataset.kind, f.dataset.bytes, f.dataset.folder])")
            .await?;
        let expected: Vec<Value> =
            told.iter().map(|f| serde_json::json!([f["kind"], f["bytes"].to_string(), f["where"]["folder"]])).collect();
        ensure!(shown == Value::from(expected.clone()), "shown {shown}, told {expected:?}");

        // The leak leads to its rank and its stack among the groups.
        let leak = told.iter().find(|f| f["kind"] == "leak").context("no leak is found")?;
        browser.run_script("document.querySelector('[data-testid=finding][data-kind=leak]').click()").await?;
        let folder = leak["where"]["folder"].as_str().unwrap_or_default();
        let there = format!("return document.querySelector('.rank.selected')?.dataset.folder === {folder:?}");
        browser.wait_for("the leak's rank", &there).await?;
        browser.wait_for("its call stack", "return document.querySelector('[data-testid=stack]') !== null").await?;
        let stack = browser.run_script("return document.querySelector('[data-testid=stack]').textContent").await?;
        let key = leak["where"]["group"][1].as_str().unwrap_or_default().replace('\r', "");
        ensure!(
            key.lines().next().is_some_and(|line| stack.as_str().unwrap_or_default().contains(line)),
            "the stack is {stack}, the finding's group {key}"
        );
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_block_of_the_map_is_chosen_everywhere() -> Result<()> {
    run(async {
        let sample = Sample::new(32)?;
        let browser = opened(&sample, "lang=en&theme=light&view=map").await?;
        let drawn = "return Number(document.querySelector('[data-testid=map]')?.dataset.blocks ?? 0) > 10";
        browser.wait_for("the block map", drawn).await?;
        ensure!(browser.canvas("map-canvas").await?.colours() > 10, "the map is empty");

        // The stack in the map is what the top allocators count at its highest.
        let highest = number(&browser, "map", "highest").await?;
        let folder = browser.run_script("return document.querySelector('.rank.selected').dataset.folder").await?;
        let summary: Value = serde_json::from_slice(&command(&["summary", "--json", &sample.text()])?)?;
        let rank = summary["rank_folders"].as_array().into_iter().flatten().find(|f| f["folder"] == folder);
        let peak = rank.and_then(|rank| rank["peak"]["allocated"]["bytes"].as_i64()).context("no peak")?;
        ensure!(highest > 0 && highest <= peak, "the stacks reach {highest}, the peak is {peak}");

        // By keys: the cursor goes up from block to block, Enter chooses one.
        browser.run_script("document.querySelector('[data-testid=map]').focus()").await?;
        browser.press("\u{e013}\u{e013}").await?;
        browser
            .wait_for(
                "a block under the cursor",
                "return document.querySelector('[data-testid=map]').dataset.row !== ''",
            )
            .await?;
        let row = number(&browser, "map", "row").await?;
        browser.press("\u{e007}").await?;
        browser
            .wait_for("the chosen block", "return document.querySelector('[data-testid=chosen-block] .facts') !== null")
            .await?;
        ensure!(number(&browser, "chosen-block", "row").await? == row);
        ensure!(
            browser
                .run_script("return location.hash")
                .await?
                .as_str()
                .is_some_and(|h| h.contains(&format!("block={row}")))
        );

        // It stays chosen in the table of blocks, and Escape lets go of it.
        browser.press("4").await?;
        browser
            .wait_for("the table", "return document.querySelector('[data-testid=blocks-table] tbody tr') !== null")
            .await?;
        ensure!(number(&browser, "chosen-block", "row").await? == row);
        browser.press("\u{e00c}").await?;
        browser
            .wait_for("no chosen block", "return document.querySelector('[data-testid=chosen-block]') === null")
            .await?;

        // Fewer bytes: the same picture closer up.
        browser.click("tab-map").await?;
        browser.wait_for("the map again", drawn).await?;
        let high = number(&browser, "map", "high").await?;
        browser.click("map-bytes-in").await?;
        browser
            .wait_for(
                "fewer bytes",
                &format!("return Number(document.querySelector('[data-testid=map]').dataset.high) < {high}"),
            )
            .await?;
        browser.screenshot("block-map").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn the_table_of_blocks_sorts_filters_scrolls_and_exports_every_row() -> Result<()> {
    run(async {
        let sample = Sample::new(33)?;
        let browser = opened(&sample, "lang=en&view=blocks").await?;
        let rows =
            "return document.querySelectorAll('[data-testid=blocks-table] tbody tr[data-row]:not(.absent)').length > 5";
        browser.wait_for("rows", rows).await?;
        let folder = browser.run_script("return document.querySelector('.rank.selected').dataset.folder").await?;
        let summary: Value = serde_json::from_slice(&command(&["summary", "--json", &sample.text()])?)?;
        let rank = summary["rank_folders"].as_array().into_iter().flatten().find(|f| f["folder"] == folder);
        let rank = rank.context("the shown rank is not in the summary")?;
        let never: i64 = rank["blocks"]["by_component"]
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(_, b)| b["never_released"].as_i64())
            .sum();
        let all = number(&browser, "blocks-table", "total").await?;
        ensure!(all >= rank["blocks"]["total"].as_i64().unwrap_or(i64::MAX), "{all} rows");

        // However far one scrolls, no row is blank, and the last one is reached.
        let jump = "const t = document.querySelector('[data-testid=blocks-table]'); t.scrollTop = t.scrollHeight / 2;
            return [...t.querySelectorAll('tbody tr')].every(r => r.cells[1].textContent !== '')";
        ensure!(browser.run_script(jump).await? == true, "rows are blank right after scrolling");
        browser
            .wait_for(
                "the middle",
                "return Number(document.querySelector('[data-testid=blocks-table]').dataset.first) > 20",
            )
            .await?;
        ensure!(browser.run_script(&jump.replace("t.scrollTop = t.scrollHeight / 2;", "")).await? == true);
        browser.run_script("document.querySelector('[data-testid=blocks-table]').focus()").await?;
        browser.press("\u{e010}").await?;
        let last = format!(
            "const rows = [...document.querySelectorAll('[data-testid=blocks-table] tbody tr')];
            return rows.at(-1).getAttribute('aria-rowindex') === '{}'",
            all + 1
        );
        browser.wait_for("the last row", &last).await?;

        // What was never released is what the summary counts.
        browser.click("filter-never").await?;
        let filtered =
            format!("return document.querySelector('[data-testid=blocks-table]').dataset.total === '{never}'");
        browser.wait_for("the never released ones", &filtered).await?;
        browser.click("filter-reset").await?;
        browser
            .wait_for(
                "all rows",
                &format!("return document.querySelector('[data-testid=blocks-table]').dataset.total === '{all}'"),
            )
            .await?;

        // Sorted by size, both ways.
        let first = "return document.querySelector('[data-testid=blocks-table] tbody tr').cells[2].title";
        let largest = browser.run_script(first).await?;
        browser
            .run_script("document.querySelector('[data-testid=blocks-table] th[data-column=bytes] button').click()")
            .await?;
        browser.wait_for("the smallest first", &format!("{} !== {largest}", first)).await?;

        // A size is understood with its unit; the file has exactly the rows shown.
        browser.run_script("const i = document.querySelector('[data-testid=filter-bytes-least]'); i.value = '1 MiB'; i.dispatchEvent(new Event('input'))").await?;
        browser
            .wait_for(
                "fewer rows",
                &format!("return Number(document.querySelector('[data-testid=blocks-table]').dataset.total) < {all}"),
            )
            .await?;
        let left = number(&browser, "blocks-table", "total").await?;
        browser.click("export-shown").await?;
        let file = browser.downloads().join("memlens-blocks.csv");
        for _ in 0..100 {
            if file.exists() {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let mut reader = csv_lines(&std::fs::read(&file)?);
        ensure!(reader.remove(0).starts_with("name,role,"), "no header");
        ensure!(reader.len() as i64 == left, "{} rows in the file, {left} shown", reader.len());
        browser.screenshot("blocks-table").await?;
        browser.quit().await?.assert_clean()
    })
}

/// Records of a CSV file: line ends within quotes are none.
fn csv_lines(bytes: &[u8]) -> Vec<String> {
    let (mut lines, mut quoted) = (vec![String::new()], false);
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            '"' => quoted = !quoted,
            '\n' if !quoted => {
                lines.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(line) = lines.last_mut() {
            line.push(c);
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

#[test]
fn events_are_allocations_releases_and_records() -> Result<()> {
    run(async {
        let sample = Sample::new(34)?;
        let browser = opened(&sample, "lang=zh&theme=dark&view=events").await?;
        let rows = "return document.querySelectorAll('[data-testid=events-table] tbody tr:not(.absent)').length > 5";
        browser.wait_for("rows", rows).await?;
        let before = number(&browser, "events-table", "total").await?;
        browser.click("event-record").await?;
        browser
            .wait_for(
                "records",
                &format!(
                    "return Number(document.querySelector('[data-testid=events-table]').dataset.total) > {before}"
                ),
            )
            .await?;
        let with = number(&browser, "events-table", "total").await?;
        let folder = browser.run_script("return document.querySelector('.rank.selected').dataset.folder").await?;
        let summary: Value = serde_json::from_slice(&command(&["summary", "--json", &sample.text()])?)?;
        let rank = summary["rank_folders"].as_array().into_iter().flatten().find(|f| f["folder"] == folder);
        let records: i64 = rank
            .and_then(|rank| rank["records"].as_object())
            .into_iter()
            .flatten()
            // What both pools hold together follows from their own records, and is no event of its own.
            .filter(|(component, _)| *component != "PTA+GE")
            .filter_map(|(_, n)| n.as_i64())
            .sum();
        ensure!(with - before == records, "{} records, the summary counts {records}", with - before);
        // A range on the timeline above is one of the table below.
        browser.click("filter-range").await?;
        browser.run_script("document.querySelector('.plot').focus()").await?;
        browser.press("w").await?;
        browser
            .wait_for(
                "fewer events",
                &format!("return Number(document.querySelector('[data-testid=events-table]').dataset.total) < {with}"),
            )
            .await?;
        let text = whole(&browser, "return document.querySelectorAll('[data-testid=events-table] th').length").await?;
        ensure!(text == 8, "{text} columns");
        browser.screenshot("events-table-dark-chinese").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn the_flame_graph_zooms_searches_folds_and_shows_one_frame() -> Result<()> {
    run(async {
        let sample = Sample::new(35)?;
        let browser = opened(&sample, "lang=en&theme=light&view=flame").await?;
        let drawn = "return Number(document.querySelector('[data-testid=flame]')?.dataset.bars ?? 0) > 5";
        browser.wait_for("bars", drawn).await?;
        ensure!(browser.canvas("flame-canvas").await?.colours() > 10, "no bars are drawn");
        // At the peak the root is what the top allocators hold.
        let folder = browser.run_script("return document.querySelector('.rank.selected').dataset.folder").await?;
        let told: Value = serde_json::from_slice(&command(&["top", "--json", "--limit", "1000", &sample.text()])?)?;
        let text = told.to_string();
        let bytes = number(&browser, "flame-view", "bytes").await?;
        ensure!(text.contains(&bytes.to_string()), "{folder}: {bytes} is not among what `top` tells");

        // By keys: down into the widest bar, and out again.
        browser.run_script("document.querySelector('[data-testid=flame]').focus()").await?;
        browser.press("\u{e015}\u{e007}").await?;
        browser
            .wait_for("the zoom", "return document.querySelector('[data-testid=flame]').dataset.zoom !== '0'")
            .await?;
        browser.press("\u{e003}").await?;
        browser
            .wait_for("the whole", "return document.querySelector('[data-testid=flame]').dataset.zoom === '0'")
            .await?;

        // What is found is at most everything; folding keeps every byte.
        let type_in = "const i = document.querySelector('[data-testid=flame-search]'); i.value = '.py'; i.dispatchEvent(new Event('input'))";
        browser.run_script(type_in).await?;
        browser
            .wait_for("what is found", "return document.querySelector('[data-testid=flame]').dataset.found !== ''")
            .await?;
        let found = number(&browser, "flame", "found").await?;
        ensure!(found > 0 && found <= bytes, "{found} of {bytes} found");
        let before = number(&browser, "flame", "bars").await?;
        browser.click("flame-fold").await?;
        browser
            .wait_for(
                "fewer bars",
                &format!("return Number(document.querySelector('[data-testid=flame]').dataset.bars) < {before}"),
            )
            .await?;
        ensure!(number(&browser, "flame-view", "bytes").await? == bytes, "folding loses bytes");
        browser.click("flame-fold").await?;

        // A frame of the table stands between its callers and callees, with its own bytes.
        let frame = "document.querySelector('[data-testid=frames] tbody tr')";
        browser.wait_for("frames", &format!("return {frame} !== null")).await?;
        let own = whole(&browser, &format!("return {frame}.dataset.bytes")).await?;
        browser.run_script(&format!("{frame}.querySelector('button').click()")).await?;
        browser.wait_for("the sandwich", "return document.querySelector('[data-testid=flame-frame]') !== null").await?;
        browser
            .wait_for(
                "its bytes",
                &format!("return document.querySelector('[data-testid=flame-view]').dataset.bytes === '{own}'"),
            )
            .await?;
        browser.screenshot("flame-graph").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn growth_over_a_range_is_the_commands() -> Result<()> {
    run(async {
        let sample = Sample::planted(36, &["leak=40MB"])?;
        let browser = opened(&sample, "lang=en&by=stack").await?;
        browser.wait_for("the top", "return document.querySelector('[data-testid=top-grown]') !== null").await?;
        browser.click("top-grown").await?;
        browser
            .wait_for("growth", "return document.querySelector('[data-testid=growth-table] tbody tr') !== null")
            .await?;
        let total = number(&browser, "growth", "bytes").await?;
        let first =
            whole(&browser, "return document.querySelector('[data-testid=growth-table] tbody tr').dataset.bytes")
                .await?;
        let told: Value = serde_json::from_slice(&command(&["growth", "--by", "stack", "--json", &sample.text()])?)?;
        let text = told.to_string();
        for bytes in [total, first] {
            ensure!(text.contains(&format!(":{bytes}")), "{bytes} is not among what `growth` tells: {text:.2000}");
        }
        browser.quit().await?.assert_clean()
    })
}
