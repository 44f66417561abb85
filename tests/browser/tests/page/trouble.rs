//! What the page does with damaged data, nothing at all, a cancel, and a worker that dies.

use std::io::Write;
use std::time::Duration;

use crate::common::{Sample, let_no_worker_read, number};
use anyhow::{Result, ensure};
use browser_tests::{Browser, Origin, run};

#[test]
fn a_damaged_set_opens_with_what_is_readable_and_says_the_rest() -> Result<()> {
    run(async {
        let sample = Sample::new(11)?;
        let folders = sample.rank_folders()?;
        let output = |at: usize, name: &str| folders[at].join("ASCEND_PROFILER_OUTPUT").join(name);
        // One rank each: a trace cut in the middle, a bad cell, a missing table, an empty table and a byte order mark.
        let trace = std::fs::read(output(0, "trace_view.json"))?;
        std::fs::write(output(0, "trace_view.json"), &trace[..trace.len() / 2])?;
        let table = std::fs::read_to_string(output(1, "operator_memory.csv"))?;
        let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
        lines[5] = "broken,line,with,<b>markup</b>".to_owned();
        std::fs::write(output(1, "operator_memory.csv"), format!("\u{feff}{}\n", lines.join("\n")))?;
        std::fs::remove_file(output(2, "memory_record.csv"))?;
        std::fs::write(output(3, "operator_memory.csv"), "")?;

        let browser = Browser::start().await?;
        browser.open(Origin::Disk).await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(sample.path()).await?;
        browser.wait_for_state("ready").await?;
        let states =
            "return [...document.querySelectorAll('[data-testid=rank-row]')].map(r => r.dataset.state).join(' ')";
        ensure!(browser.run_script(states).await? == "ready ready ready ready", "not every rank is ready");
        let mut kinds = Vec::new();
        for at in 0..4 {
            browser.run_script(&format!("document.querySelectorAll('.rank-open')[{at}].click()")).await?;
            let shown = format!(
                "return document.querySelectorAll('[data-testid=rank-row]')[{at}].matches('.selected')
                && document.querySelector('[data-testid=problems]')?.dataset.count > 0"
            );
            browser.wait_for("problems", &shown).await?;
            let script = "return [...document.querySelectorAll('[data-testid=problems] tr[data-kind]')].map(r => r.dataset.kind).join(' ')";
            kinds.push(browser.run_script(script).await?.as_str().unwrap_or_default().to_owned());
        }
        let all = kinds.join(" | ");
        for kind in ["truncated", "short_row", "no_memory_record", "empty_file"] {
            ensure!(all.contains(kind), "{kind} is not told: {all}");
        }
        browser.screenshot("damaged").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_folder_without_results_gets_an_answer() -> Result<()> {
    run(async {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("notes.txt"), "nothing")?;
        let browser = Browser::start().await?;
        browser.open(Origin::Disk).await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(folder.path()).await?;
        browser.wait_for("a problem", "return document.querySelector('tr[data-kind=nothing_found]') !== null").await?;
        // Beside ranks that are shown it is said at the top: the problems lie further down.
        browser.pick_folder(Sample::new(14)?.path()).await?;
        browser.wait_for_state("ready").await?;
        browser.pick_folder(folder.path()).await?;
        browser.wait_for_text("message", "nothing in it looks like a profiling result").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_cancel_stops_reading_and_a_retry_reads_it_all() -> Result<()> {
    run(async {
        let sample = Sample::new(12)?;
        let folder = sample.rank_folder()?;
        let trace = folder.join("ASCEND_PROFILER_OUTPUT").join("trace_view.json");
        let event = "{\"name\":\"filler\",\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":\"1.5\",\"dur\":1,\"pid\":1,\"tid\":1,\"args\":{\"note\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}},\n";
        let mut file = std::io::BufWriter::new(std::fs::File::create(&trace)?);
        file.write_all(b"[")?;
        let block = event.repeat(8192);
        for _ in 0..600 {
            file.write_all(block.as_bytes())?;
        }
        file.write_all(b"{}]")?;
        drop(file);

        let browser = Browser::start().await?;
        browser.open(Origin::Disk).await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(&folder).await?;
        browser
            .wait_for(
                "bytes",
                "return Number(document.querySelector('[data-testid=total-progress]')?.dataset.done) > 9e6",
            )
            .await?;
        browser.click("cancel").await?;
        let state = "return document.querySelector('[data-testid=rank-row]').dataset.state";
        browser.wait_for("the cancel", &format!("{state} === 'cancelled'")).await?;
        tokio::time::sleep(Duration::from_millis(600)).await;
        let (done, size) =
            (number(&browser, "total-progress", "done").await?, number(&browser, "total-progress", "size").await?);
        ensure!(done < size, "everything was read: {done} of {size}");
        tokio::time::sleep(Duration::from_millis(600)).await;
        ensure!(number(&browser, "total-progress", "done").await? == done, "reading went on");

        browser.click("retry").await?;
        browser.wait_for_state_within("ready", Duration::from_secs(120)).await?;
        browser.wait_for("the rank", &format!("{state} === 'ready'")).await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_worker_that_dies_costs_its_rank_alone() -> Result<()> {
    run(async {
        let sample = Sample::new(13)?;
        let browser = Browser::start().await?;
        // The second worker falls over instead of starting.
        let source = "{ const Real = Worker; let made = 0; Worker = function (url) {
            if (++made !== 2) return new Real(url);
            const text = \"onmessage = () => { postMessage({ fatal: 'made up' }); close(); }\";
            return new Real(URL.createObjectURL(new Blob([text]))); }; }";
        browser.cdp("Page.addScriptToEvaluateOnNewDocument", serde_json::json!({ "source": source })).await?;
        browser.open(Origin::LocalServer).await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(sample.path()).await?;
        browser.wait_for_state("ready").await?;
        let count = |state: &str| {
            format!("return document.querySelectorAll('[data-testid=rank-row][data-state={state}]').length")
        };
        ensure!(browser.run_script(&count("failed")).await? == 1, "one rank has failed");
        ensure!(browser.run_script(&count("ready")).await? == 3, "three ranks are ready");
        browser.screenshot("failed").await?;
        browser.click("retry").await?;
        browser.wait_for("the retry", &format!("{} === 4", count("ready"))).await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_worker_that_may_not_read_files_is_fed_by_the_page() -> Result<()> {
    run(async {
        let sample = Sample::new(14)?;
        let browser = Browser::start().await?;
        let_no_worker_read(&browser).await?;
        browser.open(Origin::Disk).await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(sample.path()).await?;
        browser.wait_for_state("ready").await?;
        let read =
            "return [...document.querySelectorAll('[data-testid=rank-row]')].map(r => r.dataset.state).join(' ')";
        ensure!(browser.run_script(read).await? == "ready ready ready ready", "not every rank is ready");
        browser.wait_for_text("balance-verdict", "They agree").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn beyond_the_memory_budget_ranks_keep_their_summary_and_come_back() -> Result<()> {
    run(async {
        let sample = Sample::new(15)?;
        let browser = Browser::start().await?;
        browser.open_with_hash(Origin::Disk, "budget=1").await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(sample.path()).await?;
        browser.wait_for_state("ready").await?;
        let count = |state: &str| {
            format!("return document.querySelectorAll('[data-testid=rank-row][data-state={state}]').length")
        };
        browser.wait_for("three summarized ranks", &format!("{} === 3", count("summarized"))).await?;
        let open = "const row = document.querySelector('[data-testid=rank-row][data-state=summarized]');
            row.querySelector('button').click(); return row.dataset.folder";
        let folder = browser.run_script(open).await?;
        let back = format!(
            "return document.querySelector(\"[data-testid='rank-row'][data-folder='{}']\").dataset.state === 'ready'
                && document.querySelector('[data-testid=top-table] tbody tr') !== null",
            folder.as_str().unwrap_or_default()
        );
        browser.wait_for("the rank to come back", &back).await?;
        ensure!(number(&browser, "workers-started", "").await? == 5, "one rank was read again");
        browser.quit().await?.assert_clean()
    })
}
