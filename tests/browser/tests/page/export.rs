//! Rows leave the page as the command writes them.

use std::path::Path;
use std::time::Duration;

use crate::common::{Sample, command};
use anyhow::{Result, ensure};
use browser_tests::{Browser, Origin, run};

/// Clicks the export and gives what was saved; takes the file away for the next one.
async fn exported(browser: &Browser) -> Result<Vec<u8>> {
    browser.click("export-rows").await?;
    browser.wait_for_text("message", "memlens-rows.csv").await?;
    let path = browser.wait_for_download("memlens-rows.csv").await?;
    // The download is renamed into place when it is whole.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let bytes = std::fs::read(&path)?;
    std::fs::remove_file(&path)?;
    Ok(bytes)
}

fn same(page: &[u8], command: &[u8], what: &str) -> Result<()> {
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).split('\n').map(str::to_owned).collect::<Vec<_>>();
    if page != command {
        let (a, b) = (lines(page), lines(command));
        let at = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
        ensure!(false, "{what}: line {at} is\n{:?}\nthe command has\n{:?}", a.get(at), b.get(at));
    }
    Ok(())
}

async fn choose(browser: &Browser, testid: &str, value: &str) -> Result<()> {
    let script = format!(
        "const s = document.querySelector(\"[data-testid='{testid}']\"); s.value = '{value}'; s.dispatchEvent(new Event('change', {{bubbles: true}}))"
    );
    browser.run_script(&script).await.map(drop)
}

#[test]
fn the_exported_rows_equal_the_commands() -> Result<()> {
    run(async {
        let sample = Sample::new(9)?;
        let all = sample.text();
        let browser = Browser::start().await?;
        browser.open(Origin::Disk).await?;
        browser.wait_for_state("empty").await?;
        browser.pick_folder(Path::new(&all)).await?;
        browser.wait_for_state("ready").await?;
        browser
            .wait_for("a shown rank", "return document.querySelector('[data-testid=peak-allocated]') !== null")
            .await?;

        let (role, rank) = (
            "return document.querySelector('.rank.selected').dataset.role",
            "return document.querySelector('.rank.selected').dataset.rank",
        );
        let role = browser.run_script(role).await?;
        let rank = browser.run_script(rank).await?;
        let one =
            ["rows", &all, "--role", role.as_str().unwrap_or_default(), "--rank", rank.as_str().unwrap_or_default()];
        same(&exported(&browser).await?, &command(&one)?, "one rank")?;

        choose(&browser, "export-scope", "all").await?;
        same(&exported(&browser).await?, &command(&["rows", &all])?, "all ranks")?;
        choose(&browser, "export-columns", "extended").await?;
        same(&exported(&browser).await?, &command(&["rows", &all, "--extended"])?, "all ranks, extended")?;
        browser.quit().await?.assert_clean()
    })
}
