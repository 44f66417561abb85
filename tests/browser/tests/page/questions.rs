//! Why reserved is more than allocated, what churns, and what is outside torch: by clicks and keys, with the command's numbers.

use crate::common::{Sample, command, opened};
use anyhow::{Context, Result, ensure};
use browser_tests::{Browser, run};
use serde_json::Value;

/// What a command tells of the rank the page shows.
async fn told(browser: &Browser, sample: &Sample, question: &str) -> Result<Value> {
    let all: Value = serde_json::from_slice(&command(&[question, "--json", &sample.text()])?)?;
    let folder = browser.run_script("return document.querySelector('.rank.selected').dataset.folder").await?;
    let ranks = all["rank_folders"].as_array().context("the command tells of no rank")?;
    ranks.iter().find(|rank| rank["folder"] == folder).cloned().context("the command does not know the rank shown")
}

/// The bytes of a table's rows, from the first.
fn bytes_of(table: &str, rows: usize) -> String {
    format!(
        "return JSON.stringify([...document.querySelectorAll('[data-testid={table}] tbody tr')].slice(0, {rows}).map(r => Number(r.dataset.bytes)))"
    )
}

/// Clicks the first finding of a kind, which stands among those that are shown at first or further down.
async fn follow_finding(browser: &Browser, kind: &str) -> Result<()> {
    let more = "const more = document.querySelector('[data-testid=findings-more][aria-expanded=false]'); if (more) more.click(); return true";
    browser.run_script(more).await?;
    let finding = format!("[data-testid=finding][data-kind={kind}]");
    browser.wait_for(kind, &format!("return document.querySelector('{finding}') !== null")).await?;
    browser.run_script(&format!("document.querySelector('{finding}').click()")).await?;
    Ok(())
}

#[test]
fn fragmentation_leads_to_what_is_reserved_and_what_made_it_grow() -> Result<()> {
    run(async {
        let sample = Sample::planted(51, &["fragmentation"])?;
        let browser = opened(&sample, "lang=en&theme=light").await?;
        follow_finding(&browser, "fragmentation").await?;
        browser.wait_for("the view", "return document.querySelector('[data-testid=reserved]')?.dataset.worst").await?;
        let told = told(&browser, &sample, "reserved").await?["reserved"].clone();
        let shown = browser
            .run_script("const d = document.querySelector('[data-testid=reserved]').dataset; return [d.worst, d.growths, d.growthBytes]")
            .await?;
        let wanted = [&told["worst"]["unused_bytes"], &told["growth_count"], &told["growth_bytes"]];
        let wanted: Vec<String> = wanted.into_iter().map(Value::to_string).collect();
        ensure!(shown == serde_json::json!(wanted), "shown {shown}, the command tells {wanted:?}");
        let growths: Vec<&Value> =
            told["growths"].as_array().into_iter().flatten().map(|growth| &growth["bytes"]).take(5).collect();
        ensure!(!growths.is_empty(), "the command tells of no growth");
        let rows = browser.run_script(&bytes_of("reserved-growths", growths.len())).await?;
        ensure!(rows == serde_json::to_string(&growths)?, "rows {rows}, the command tells {growths:?}");
        // A moment is a way to its time, and a range on the timeline one of the answer.
        browser.run_script("document.querySelector('.moments button.at').click()").await?;
        browser.run_script("document.querySelector('.plot').focus()").await?;
        for _ in 0..6 {
            browser.press("w").await?;
        }
        let fewer = format!(
            "return Number(document.querySelector('[data-testid=reserved]').dataset.growthBytes) < {}",
            told["growth_bytes"]
        );
        browser.wait_for("less growth in a shorter range", &fewer).await?;
        browser.screenshot("reserved").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn churn_is_the_commands_and_its_stack_is_chosen() -> Result<()> {
    run(async {
        let sample = Sample::planted(52, &["churn"])?;
        let browser = opened(&sample, "lang=en&theme=light").await?;
        follow_finding(&browser, "churn").await?;
        let table = "return document.querySelectorAll('[data-testid=churn-table] tbody tr').length > 1";
        browser.wait_for("the short-lived blocks", table).await?;
        let told = told(&browser, &sample, "churn").await?;
        let groups: Vec<&Value> =
            told["churn"]["groups"].as_array().into_iter().flatten().map(|group| &group["bytes"]).take(5).collect();
        let rows = browser.run_script(&bytes_of("churn-table", groups.len())).await?;
        ensure!(rows == serde_json::to_string(&groups)?, "rows {rows}, the command tells {groups:?}");
        let all = browser.run_script("return document.querySelector('[data-testid=churn]').dataset.bytes").await?;
        let wanted = told["churn"]["bytes"].to_string();
        ensure!(all == wanted, "{all}, the command tells {wanted}");
        // The finding's stack is the chosen one; a longer time takes in more.
        let chosen = "return document.querySelectorAll('[data-testid=churn-table] tr.chosen').length === 1";
        browser.wait_for("the finding's stack", chosen).await?;
        let longer = "const list = document.querySelector('[data-testid=churn-within]'); list.selectedIndex = 4; list.dispatchEvent(new Event('change'))";
        browser.run_script(longer).await?;
        let more = format!(
            "return Number(document.querySelector('[data-testid=churn]').dataset.bytes) > {}",
            told["churn"]["bytes"]
        );
        browser.wait_for("more blocks within a longer time", &more).await?;
        browser.screenshot("churn").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn what_is_outside_torch_is_as_much_as_the_command_says() -> Result<()> {
    run(async {
        let sample = Sample::planted(53, &["outside"])?;
        let browser = opened(&sample, "lang=en&theme=dark").await?;
        follow_finding(&browser, "outside").await?;
        browser.wait_for("the view", "return document.querySelector('[data-testid=outside]')?.dataset.most").await?;
        let told = told(&browser, &sample, "outside").await?;
        let most = browser.run_script("return document.querySelector('[data-testid=outside]').dataset.most").await?;
        let wanted = told["outside_bytes"].to_string();
        ensure!(most == wanted, "{most}, the command tells {wanted}");
        browser.quit().await?.assert_clean()
    })
}
