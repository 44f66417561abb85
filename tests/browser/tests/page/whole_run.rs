//! All ranks side by side: numbers as the command has them, the odd rank marked, roles by another name, every size of window.

use std::collections::BTreeMap;

use crate::common::{Sample, command, odd_run, opened};
use anyhow::{Context, Result, ensure};
use browser_tests::{Browser, run};
use serde_json::Value;

const ROWS: &str = "[...document.querySelectorAll('[data-testid=overview-row]')]";

async fn all_ranks(sample: &Sample, hash: &str, ranks: usize) -> Result<Browser> {
    let browser = opened(sample, hash).await?;
    browser.click("view-ranks").await?;
    browser.wait_for("all rows", &format!("return {ROWS}.length === {ranks}")).await?;
    Ok(browser)
}

/// Folder and number of each row, in their order.
async fn column(browser: &Browser, measure: &str) -> Result<Vec<(String, i64)>> {
    let script = format!(
        "return {ROWS}.map(r => [r.dataset.folder, r.querySelector('[data-measure={measure}]').dataset.value])"
    );
    let rows = browser.run_script(&script).await?;
    let row = |row: &Value| Some((row[0].as_str()?.to_owned(), row[1].as_str()?.parse().ok()?));
    rows.as_array().context("no rows")?.iter().map(row).collect::<Option<_>>().context("a row without a number")
}

#[test]
fn rows_hold_the_commands_numbers_and_mark_the_odd_rank() -> Result<()> {
    run(async {
        let sample = odd_run(21)?;
        let browser = all_ranks(&sample, "", 4).await?;
        let found: Value = serde_json::from_slice(&command(&["findings", "--json", &sample.text()])?)?;
        let summary: Value = serde_json::from_slice(&command(&["summary", "--json", &sample.text()])?)?;
        let folders = summary["rank_folders"].as_array().context("no rank folders")?;
        for (measure, pointer) in [
            ("peak_allocated", "/peak/allocated/bytes"),
            ("peak_reserved", "/peak/reserved/bytes"),
            ("baseline", "/pools/0/baseline_bytes/start"),
            ("blocks", "/blocks/total"),
        ] {
            let number = |f: &Value| Some((f["folder"].as_str()?.to_owned(), f.pointer(pointer)?.as_i64()?));
            let wanted: BTreeMap<String, i64> = folders.iter().filter_map(number).collect();
            let shown: BTreeMap<String, i64> = column(&browser, measure).await?.into_iter().collect();
            ensure!(wanted.len() == 4 && shown == wanted, "{measure}: {shown:?}, the command has {wanted:?}");
        }
        // The rank that the command calls odd is marked in the table and among the pictures, and no other.
        let odd = found["findings"].as_array().into_iter().flatten().filter(|f| f["kind"] == "odd_rank");
        let odd: Vec<&str> = odd.filter_map(|f| f["where"]["folder"].as_str()).collect();
        ensure!(odd.len() == 1, "the command finds {odd:?}: {found}");
        for marked in ["tr.odd[data-testid=overview-row]", ".multiple.odd"] {
            let script = format!("return [...document.querySelectorAll('{marked}')].map(r => r.dataset.folder)");
            let marked = browser.run_script(&script).await?;
            ensure!(marked == serde_json::json!(odd), "marked is {marked}, not {odd:?}");
        }
        // Sorting: the largest first, then the smallest.
        browser.click("overview-sort-peak_allocated").await?;
        let down = column(&browser, "peak_allocated").await?;
        ensure!(down.is_sorted_by(|a, b| a.1 >= b.1), "{down:?}");
        browser.click("overview-sort-peak_allocated").await?;
        let up = column(&browser, "peak_allocated").await?;
        ensure!(up.is_sorted_by(|a, b| a.1 <= b.1) && up != down, "{up:?}");
        // Every byte, and back.
        let first =
            format!("return {ROWS}[0].querySelector('[data-measure=peak_allocated] .metered-text').textContent");
        let rounded = browser.run_script(&first).await?;
        browser.click("exact").await?;
        let exact = browser.run_script(&first).await?;
        let digits: String = exact.as_str().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
        ensure!(rounded != exact && digits == up[0].1.to_string(), "{rounded} became {exact}");
        // A row leads to its rank.
        browser.run_script(&format!("{ROWS}[0].querySelector('button').click()")).await?;
        browser.wait_for("the rank", "return document.querySelector('.plot') !== null").await?;
        let selected = browser.run_script("return document.querySelector('.rank.selected').dataset.folder").await?;
        ensure!(selected == up[0].0.as_str(), "{selected} is open");
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn curves_stay_when_workers_are_gone_and_roles_take_other_names() -> Result<()> {
    run(async {
        let sample = Sample::new(22)?;
        // A budget of 1 MiB: only the rank looked at keeps its worker.
        let browser = all_ranks(&sample, "budget=1", 4).await?;
        let gone = "return [...document.querySelectorAll('[data-testid=rank-row][data-state=summarized]')].length >= 2";
        browser.wait_for("ranks without a worker", gone).await?;
        let drawn = "return [...document.querySelectorAll('[data-testid=multiple]')]
            .filter(m => m.dataset.drawn === 'true' && m.querySelector('path.allocated').getAttribute('d').length > 20).length === 4";
        browser.wait_for("four pictures", drawn).await?;
        // All on one scale: the highest picture of all reaches highest.
        let tops =
            "return [...document.querySelectorAll('[data-testid=multiple] g')].map(g => g.getAttribute('transform'))";
        let tops = browser.run_script(tops).await?;
        ensure!(
            tops.as_array().is_some_and(|all| all.iter().all(|t| t.as_str().is_some_and(|t| t.starts_with("matrix("))))
        );

        let name = "const row = [...document.querySelectorAll('[data-testid=role-name]')].find(n => n.textContent === 'rollout');
            row.parentElement.querySelector('[data-testid=role-rename]').click()";
        browser.run_script(name).await?;
        browser.wait_for("the field", "return document.activeElement?.dataset.testid === 'role-field'").await?;
        browser.press("generation\u{e007}").await?;
        let renamed = "return [...document.querySelectorAll('.rank-part .role, [data-testid=role-name]')]
            .filter(n => n.textContent === 'generation').length === 2";
        browser.wait_for("the new name in the list and in the table", renamed).await?;
        let hash = browser.run_script("return location.hash").await?;
        ensure!(hash.as_str().is_some_and(|h| !h.contains("generation") && h.contains("all=ranks")), "{hash}");
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn nothing_is_cut_at_1280_x_720_nor_at_2560_x_1440() -> Result<()> {
    run(async {
        let sample = Sample::new(23)?;
        for lang in ["en", "zh"] {
            let browser = all_ranks(&sample, &format!("lang={lang}"), 4).await?;
            for (width, height) in [(1280, 720), (2560, 1440)] {
                browser.set_size(width, height).await?;
                let wide = "return [...document.querySelectorAll('.report, .overview .table-scroll, .multiple-grid')]
                    .map(e => e.scrollWidth - e.clientWidth)";
                let wide = browser.run_script(wide).await?;
                ensure!(wide == serde_json::json!([0, 0, 0]), "{lang} {width}: wider than their places by {wide}");
                let cut = "return [...document.querySelectorAll('.metered-text, .overview-table thead th')]
                    .filter(e => e.closest('td, th').scrollWidth > e.closest('td, th').clientWidth + 1).map(e => e.textContent)";
                let cut = browser.run_script(cut).await?;
                ensure!(cut == serde_json::json!([]), "{lang} {width}: cut are {cut}");
                browser.screenshot(&format!("all-ranks-{lang}-{width}")).await?;
            }
            browser.quit().await?.assert_clean()?;
        }
        Ok(())
    })
}
