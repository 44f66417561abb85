//! Large ranks: what a worker's memory and the largest piece read come to. (How long things take is a benchmark's business.)

use std::time::Duration;

use crate::common::Sample;
use anyhow::{Result, ensure};
use browser_tests::{Browser, Origin, run};

const MIB: i64 = 1 << 20;

/// Four ranks of 100 MB each: a worker holds what it keeps and a chunk, not the trace.
#[test]
fn four_ranks_of_100_mb_stay_below_150_mb_a_worker() -> Result<()> {
    run(async {
        let sample = Sample::large("large", 2, 100_000_000)?;
        let browser = Browser::start().await?;
        browser.open(Origin::Disk).await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(sample.path()).await?;
        browser.wait_for_state_within("ready", Duration::from_secs(180)).await?;
        let rows = browser.all_by_testid("rank-row").await?;
        ensure!(rows.len() == 4, "{} ranks", rows.len());
        let number = async |name: &str| -> Result<i64> {
            let script = format!("return Number(document.documentElement.dataset.{name})");
            Ok(browser.run_script(&script).await?.as_i64().unwrap_or_default())
        };
        let memory = number("largestMemory").await?;
        ensure!((MIB..150 * MIB).contains(&memory), "the largest WebAssembly memory of a worker is {memory} bytes");
        let piece = number("largestPiece").await?;
        ensure!((1..=4 * MIB).contains(&piece), "the largest piece read is {piece} bytes");
        println!("largest WebAssembly.Memory {memory} bytes, largest piece {piece} bytes");
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn asked_to_measure_workers_tell_what_they_measured() -> Result<()> {
    run(async {
        let sample = Sample::new(9)?;
        let browser = Browser::start().await?;
        browser.open_with_hash(Origin::Disk, "measure&readers=2").await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(sample.path()).await?;
        browser.wait_for_state("ready").await?;
        let script = "const facts = JSON.parse(document.documentElement.dataset.facts);
            return facts.length === 4 && facts.every(f => f.measured) ? facts : null";
        let facts = browser.wait_for("what was measured", script).await?;
        for path in ["/reading_us", "/measured/stream_us", "/measured/slices_us", "/counters/text_bytes"] {
            let number = facts[0].pointer(path).and_then(serde_json::Value::as_u64).unwrap_or_default();
            ensure!(number > 0, "{path} is {number} in {facts}");
        }
        ensure!(facts[0]["measured"]["select_us"] == 0, "there is no database: {facts}");
        browser.quit().await?.assert_clean()
    })
}
