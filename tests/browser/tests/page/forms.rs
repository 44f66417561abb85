//! Recordings in other forms than text, files beside them, and files that change under the page.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use crate::common::{Sample, let_no_worker_read, number};
use anyhow::{Result, ensure};
use browser_tests::{Browser, Origin, run};

async fn states(browser: &Browser) -> Result<String> {
    let script = "return [...document.querySelectorAll('[data-testid=rank-row]')].map(r => r.dataset.state).join(' ')";
    Ok(browser.run_script(script).await?.as_str().unwrap_or_default().to_owned())
}

async fn opened(folder: &Path) -> Result<Browser> {
    let browser = Browser::start().await?;
    browser.open(Origin::Disk).await?;
    browser.wait_for_state("empty").await?;
    browser.pick_folder(folder).await?;
    Ok(browser)
}

/// A trace that takes a while: events nobody needs, in front of the real ones.
fn lengthen(trace: &Path) -> Result<()> {
    let real = std::fs::read(trace)?;
    let event = "{\"name\":\"filler\",\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":\"1.5\",\"dur\":1,\"pid\":1,\"tid\":1,\"args\":{\"note\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}},\n";
    let mut file = std::io::BufWriter::new(std::fs::File::create(trace)?);
    file.write_all(b"[")?;
    let block = event.repeat(8192);
    for _ in 0..600 {
        file.write_all(block.as_bytes())?;
    }
    file.write_all(real.get(1..).unwrap_or_default())?;
    Ok(file.flush()?)
}

const READING: &str = "return Number(document.querySelector('[data-testid=total-progress]')?.dataset.done) > 9e6";

#[test]
fn a_worker_that_may_not_read_files_opens_databases_too() -> Result<()> {
    run(async {
        let sample = Sample::databases(22)?;
        let browser = Browser::start().await?;
        let_no_worker_read(&browser).await?;
        browser.open(Origin::Disk).await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(sample.path()).await?;
        browser.wait_for_state("ready").await?;
        ensure!(states(&browser).await? == "ready ready ready ready", "not every rank is ready");
        browser.wait_for_text("form", "database").await?;
        browser.wait_for_text("balance-verdict", "They agree").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn files_beside_the_recording_are_named() -> Result<()> {
    run(async {
        let sample = Sample::new(23)?;
        for folder in sample.rank_folders()? {
            let file = folder.join("ASCEND_PROFILER_OUTPUT").join("kernel_details.csv");
            std::fs::write(file, "Name,Type,Accelerator Core,Start Time(us)\n")?;
        }
        let browser = opened(sample.path()).await?;
        browser.wait_for_state("ready").await?;
        browser.run_script("document.querySelectorAll('.rank-open')[0].click()").await?;
        browser
            .wait_for(
                "the file",
                "return document.querySelector('[data-testid=neighbours] [data-kind=kernel_details]') !== null",
            )
            .await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_file_that_changes_while_it_is_read_is_said() -> Result<()> {
    run(async {
        let sample = Sample::new(24)?;
        let folder = sample.rank_folder()?;
        let trace = folder.join("ASCEND_PROFILER_OUTPUT").join("trace_view.json");
        lengthen(&trace)?;
        let browser = opened(&folder).await?;
        browser.wait_for("bytes", READING).await?;
        std::fs::write(&trace, "[]")?;
        browser.wait_for_state_within("ready", Duration::from_secs(120)).await?;
        ensure!(states(&browser).await? == "ready", "what was read is lost");
        browser
            .wait_for(
                "the problem",
                "return document.querySelector('[data-testid=problems] tr[data-kind=unreadable]') !== null",
            )
            .await?;
        ensure!(number(&browser, "blocks-total", "count").await? > 0, "the table is lost");
        browser.screenshot("changed").await?;
        browser.quit().await?;
        Ok(())
    })
}

#[test]
fn the_same_folder_again_is_one_folder_and_what_is_cancelled_can_go() -> Result<()> {
    run(async {
        let sample = Sample::new(25)?;
        let folder = sample.rank_folder()?;
        lengthen(&folder.join("ASCEND_PROFILER_OUTPUT").join("trace_view.json"))?;
        let browser = opened(&folder).await?;
        browser.wait_for("bytes", READING).await?;
        browser.pick_folder(&folder).await?;
        browser.wait_for_text("message", "already").await?;
        ensure!(states(&browser).await? == "reading", "the same folder is listed twice");
        browser.click("cancel").await?;
        browser.wait_for("the cancel", "return document.querySelector('[data-state=cancelled]') !== null").await?;
        browser.run_script("document.querySelector('[data-testid=remove]').click()").await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(&folder).await?;
        browser.wait_for_state_within("ready", Duration::from_secs(120)).await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn times_without_a_common_axis_are_moved_by_hand() -> Result<()> {
    run(async {
        let sample = Sample::new(29)?;
        let folders = sample.rank_folders()?;
        let output = folders.first().map(|folder| folder.join("ASCEND_PROFILER_OUTPUT")).unwrap_or_default();
        std::fs::remove_file(output.join("memory_record.csv"))?;
        let rows = "Name,Size(KB),Allocation Time(us),Release Time(us),Stream Ptr,Device Type\naten::mm,16,1779785515000150.250\t,1779785515000190.250\t,1,NPU:0\n";
        std::fs::write(output.join("operator_memory.csv"), rows)?;
        let trace = r#"[{"ph": "X", "name": "aten::mm", "pid": 1, "tid": 1, "ts": "100.000", "dur": 90, "cat": "cpu_op", "args": {"Call stack": "train.py(7): step"}}]"#;
        std::fs::write(output.join("trace_view.json"), trace)?;
        let browser = opened(sample.path()).await?;
        browser.wait_for_state("ready").await?;
        browser.run_script("document.querySelectorAll('.rank-open')[0].click()").await?;
        let has = |kind: &str| format!("return document.querySelector('[data-kind={kind}]') !== null");
        browser.wait_for("the problem", &has("no_common_axis")).await?;
        let fill = "const field = document.querySelector('[data-testid=trace-offset] input');
            field.value = '1779785515000000000';
            field.dispatchEvent(new Event('input', { bubbles: true }));
            await new Promise((done) => setTimeout(done, 100));
            document.querySelector('[data-testid=trace-offset] button').click();";
        browser.run_script(&format!("(async () => {{ {fill} }})()")).await?;
        browser.wait_for("the moved axis", &has("axis_moved")).await?;
        let gone = "return document.querySelector('[data-kind=no_common_axis]') === null
            && document.querySelector('[data-testid=trace-offset] input').value === '1779785515000000000'";
        browser.wait_for("the end of the problem", gone).await?;
        browser.quit().await?.assert_clean()
    })
}
