//! A run comes in by every way, is read, and what the page says equals what the command says.

use crate::common::{Sample, command, number};
use anyhow::{Context, Result, ensure};
use browser_tests::{Browser, Origin, run};

/// Opens the sample by the folder button and compares the page with `memlens summary --json`.
fn numbers_equal_the_commands(origin: Origin, sample: Sample) -> Result<()> {
    run(async {
        let browser = Browser::start().await?;
        browser.open(origin).await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(sample.path()).await?;
        browser.wait_for_state("ready").await?;

        let summary: serde_json::Value = serde_json::from_slice(&command(&["summary", "--json", &sample.text()])?)?;
        let folders = summary["rank_folders"].as_array().context("no rank folders")?;
        ensure!(folders.len() == 4, "the command found {} ranks", folders.len());
        for folder in folders {
            let name = folder["folder"].as_str().context("no folder")?;
            let row = format!("[data-testid='rank-row'][data-folder='{name}']");
            let shown = browser.run_script(&format!("return {{...document.querySelector(\"{row}\").dataset}}")).await?;
            ensure!(shown["state"] == "ready" && shown["role"] == folder["role"], "{name}: {shown}");
            let rank = folder["rank"].to_string();
            ensure!(shown["rank"].as_str() == Some(rank.as_str()), "{name}: {shown}");
            browser.run_script(&format!("document.querySelector(\"{row} button\").click()")).await?;
            let peak = &folder["peak"]["allocated"];
            let wanted = format!(
                "[data-testid='peak-allocated'][data-bytes='{}'][data-ns='{}']",
                peak["bytes"], peak["time_ns"]
            );
            let script = format!("return document.querySelector(\"{wanted}\") !== null");
            browser.wait_for(&format!("{name}'s peak {peak}"), &script).await?;
            let pool = &folder["pools"][0];
            for (testid, attribute, number_there) in [
                ("peak-active", "bytes", &folder["peak"]["active"]["bytes"]),
                ("peak-reserved", "bytes", &folder["peak"]["reserved"]["bytes"]),
                ("baseline-start", "bytes", &pool["baseline_bytes"]["start"]),
                ("baseline-end", "bytes", &pool["baseline_bytes"]["end"]),
                ("blocks-total", "count", &folder["blocks"]["total"]),
                ("match-enclosing", "count", &folder["match"]["enclosing"]),
                ("match-forward", "count", &folder["match"]["forward"]),
                ("match-none", "count", &folder["match"]["none"]),
            ] {
                let here = number(&browser, testid, attribute).await?;
                ensure!(
                    Some(here) == number_there.as_i64(),
                    "{name}: {testid} is {here}, the command says {number_there}"
                );
            }
            let comparison = &pool["comparison"];
            browser
                .wait_for("the balance", "return document.querySelector('[data-testid=comparison]') !== null")
                .await?;
            ensure!(
                Some(number(&browser, "comparison", "events").await?) == comparison["events"].as_i64(),
                "{comparison}"
            );
            ensure!(Some(number(&browser, "comparison", "mismatches").await?) == comparison["mismatches"].as_i64());
            let top = &folder["top"]["operator"][0];
            let wanted = format!(
                "[data-testid='top-table'] tbody tr[data-key='{}'][data-bytes='{}'][data-blocks='{}']",
                top["key"].as_str().unwrap_or_default(),
                top["bytes"],
                top["blocks"]
            );
            let script = format!("return document.querySelector(\"{wanted}\") !== null");
            browser.wait_for(&format!("{name}'s first operator {top}"), &script).await?;
        }
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn databases_from_disk_give_the_commands_numbers() -> Result<()> {
    numbers_equal_the_commands(Origin::Disk, Sample::databases(7)?)
}

#[test]
fn from_disk_the_numbers_equal_the_commands() -> Result<()> {
    numbers_equal_the_commands(Origin::Disk, Sample::new(7)?)
}

#[test]
fn by_plain_http_the_numbers_equal_the_commands() -> Result<()> {
    numbers_equal_the_commands(Origin::PlainHttp, Sample::new(7)?)
}

/// Drops the sample on the window and waits for its ranks.
fn a_dropped_folder_is_read(origin: Origin) -> Result<()> {
    run(async {
        let sample = Sample::new(8)?;
        let browser = Browser::start().await?;
        browser.open(origin).await?;
        browser.wait_for_state("empty").await?;
        browser.drop_on_window(&[sample.path()]).await?;
        browser.wait_for_state("ready").await?;
        let rows = browser.all_by_testid("rank-row").await?;
        ensure!(rows.len() == 4, "{} ranks", rows.len());
        let started = number(&browser, "workers-started", "").await?;
        ensure!(started == 4, "{started} workers were started for 4 ranks");
        let root = "return Number(document.documentElement.dataset.largestPiece)";
        let largest = browser.run_script(root).await?.as_i64().unwrap_or_default();
        ensure!((1..=4 << 20).contains(&largest), "the largest piece was {largest} bytes");
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_folder_dropped_on_the_page_from_disk_is_read() -> Result<()> {
    a_dropped_folder_is_read(Origin::Disk)
}

#[test]
fn a_folder_dropped_on_the_page_from_this_machine_is_read() -> Result<()> {
    a_dropped_folder_is_read(Origin::LocalServer)
}

#[test]
fn a_folder_dropped_on_the_page_from_plain_http_is_read() -> Result<()> {
    a_dropped_folder_is_read(Origin::PlainHttp)
}

/// A packed run, dropped or picked, shows the ranks its folder shows, with the same numbers.
fn a_packed_run_is_read(origin: Origin, ending: &str) -> Result<()> {
    run(async {
        let sample = Sample::new(11)?;
        let packed = sample.packed(ending)?;
        let browser = Browser::start().await?;
        browser.open(origin).await?;
        browser.wait_for_state("empty").await?;
        if origin == Origin::PlainHttp {
            browser.pick_files("file-input", &[&packed]).await?;
        } else {
            browser.drop_on_window(&[&packed]).await?;
        }
        browser.wait_for_state("ready").await?;
        let summary: serde_json::Value = serde_json::from_slice(&command(&["summary", "--json", &sample.text()])?)?;
        let folders = summary["rank_folders"].as_array().context("no rank folders")?;
        ensure!(folders.len() == 4, "the command found {} ranks", folders.len());
        for folder in folders {
            let name = folder["folder"].as_str().context("no folder")?;
            let row = format!("[data-testid='rank-row'][data-folder='{name}'][data-state='ready']");
            browser.run_script(&format!("document.querySelector(\"{row} button\").click()")).await?;
            let peak = &folder["peak"]["allocated"];
            let wanted = format!(
                "[data-testid='peak-allocated'][data-bytes='{}'][data-ns='{}']",
                peak["bytes"], peak["time_ns"]
            );
            let script = format!("return document.querySelector(\"{wanted}\") !== null");
            browser.wait_for(&format!("{name}'s peak {peak}"), &script).await?;
        }
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_zip_dropped_on_the_page_from_disk_is_read() -> Result<()> {
    a_packed_run_is_read(Origin::Disk, "zip")
}

#[test]
fn a_packed_tar_picked_on_plain_http_is_read() -> Result<()> {
    a_packed_run_is_read(Origin::PlainHttp, "tar.gz")
}

#[test]
fn loose_files_more_folders_and_removing_work() -> Result<()> {
    run(async {
        let (one, two) = (Sample::new(1)?, Sample::named("other", 2)?);
        let rank = one.rank_folder()?.join("ASCEND_PROFILER_OUTPUT");
        let browser = Browser::start().await?;
        browser.open(Origin::Disk).await?;
        browser.wait_for_state("empty").await?;
        let files = ["operator_memory.csv", "memory_record.csv", "trace_view.json"].map(|name| rank.join(name));
        browser.pick_files("file-input", &files.each_ref().map(|file| file.as_path())).await?;
        browser.wait_for_state("ready").await?;
        ensure!(browser.all_by_testid("rank-row").await?.len() == 1, "loose files make one rank");

        browser.pick_folder(two.path()).await?;
        browser
            .wait_for("five ranks", "return document.querySelectorAll('[data-testid=rank-row]').length === 5")
            .await?;
        browser.wait_for_state("ready").await?;
        browser.pick_folder(two.path()).await?;
        browser.wait_for_text("message", "open already").await?;
        ensure!(browser.all_by_testid("rank-row").await?.len() == 5, "the same folder was added twice");

        for _ in 0..5 {
            browser.run_script("document.querySelector('[data-testid=remove]').click()").await?;
        }
        browser.wait_for_state("empty").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn the_example_opens_with_one_click() -> Result<()> {
    run(async {
        let browser = Browser::start().await?;
        browser.open(Origin::PlainHttp).await?;
        browser.wait_for_state("empty").await?;
        browser.click("example").await?;
        browser.wait_for_state("ready").await?;
        ensure!(browser.all_by_testid("rank-row").await?.len() == 4, "two roles of two ranks");
        browser.wait_for_text("balance-verdict", "They agree").await?;
        ensure!(number(&browser, "comparison", "mismatches").await? == 0, "a simulated run has no mismatch");
        browser.quit().await?.assert_clean()
    })
}
