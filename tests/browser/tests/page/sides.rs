//! Two sides compared on the page: the command's numbers, whichever way around.

use crate::common::{Sample, command, opened};
use anyhow::{Context, Result, ensure};
use browser_tests::{Browser, run};
use serde_json::Value;

async fn done(browser: &Browser) -> Result<()> {
    browser
        .wait_for("the comparison", "return document.querySelector('[data-testid=compare]')?.dataset.state === 'done'")
        .await?;
    Ok(())
}

/// Picks the option whose text holds this.
async fn pick(browser: &Browser, testid: &str, text: &str) -> Result<()> {
    let script = format!(
        "const list = document.querySelector('[data-testid={testid}]');
        const place = [...list.options].findIndex(o => o.textContent.includes('{text}'));
        if (place < 0) return [...list.options].map(o => o.textContent).join('; ');
        list.selectedIndex = place; list.dispatchEvent(new Event('change', {{ bubbles: true }})); return true"
    );
    let picked = browser.run_script(&script).await?;
    ensure!(picked == true, "{testid} has no {text}, but {picked}");
    Ok(())
}

async fn total(browser: &Browser, id: &str) -> Result<[i64; 2]> {
    let script = format!(
        "const row = document.querySelector('[data-testid=compare-total-{id}]').dataset; return [row.a, row.b]"
    );
    let both = browser.run_script(&script).await?;
    let number = |at: usize| both[at].as_str().and_then(|text| text.parse().ok()).context("no number");
    Ok([number(0)?, number(1)?])
}

#[test]
fn ranks_steps_and_roles_differ_as_the_command_says() -> Result<()> {
    run(async {
        let sample = Sample::new(41)?;
        // The command's grouping, where none is named.
        let browser = opened(&sample, "by=user_frame").await?;
        browser.click("view-compare").await?;
        browser
            .wait_for("the lists", "return document.querySelectorAll('[data-testid=compare-a-who] option').length > 4")
            .await?;
        for (a, b, when, choice) in [
            (
                "actor_update Rank 0",
                "actor_update Rank 1",
                "at the peak",
                ["role=actor_update,rank=0", "role=actor_update,rank=1"],
            ),
            ("actor_update, all 2", "rollout, all 2", "at the peak", ["role=actor_update", "role=rollout"]),
        ] {
            pick(&browser, "compare-a-who", a).await?;
            pick(&browser, "compare-b-who", b).await?;
            pick(&browser, "compare-a-when", when).await?;
            pick(&browser, "compare-b-when", when).await?;
            let [of_a, of_b] = choice;
            let told = command(&["compare", "--json", &sample.text(), "--a", of_a, "--b", of_b])?;
            let told: Value = serde_json::from_slice(&told)?;
            let of = |which: &str, side: &str| told["compared"]["all"][which][side]["bytes"].as_i64();
            for which in ["live", "allocated"] {
                let wanted = [of(which, "a"), of(which, "b")];
                let script = format!(
                    "const c = document.querySelector('[data-testid=compare]'); const row = c.querySelector('[data-testid=compare-total-{which}]');
                    return c.dataset.state === 'done' && row.dataset.a === '{}' && row.dataset.b === '{}'",
                    wanted[0].unwrap_or(-1), wanted[1].unwrap_or(-1)
                );
                browser.wait_for(&format!("{which} of {of_a} and {of_b}: {wanted:?}"), &script).await?;
            }
        }
        // The groups' differences, the largest first, are those of the command; the other way around they are the opposite.
        pick(&browser, "compare-a-who", "actor_update Rank 0").await?;
        pick(&browser, "compare-b-who", "rollout Rank 0").await?;
        let told = command(&[
            "compare",
            "--json",
            &sample.text(),
            "--a",
            "role=actor_update,rank=0",
            "--b",
            "role=rollout,rank=0",
        ])?;
        let told: Value = serde_json::from_slice(&told)?;
        let change =
            |group: &Value| Some(group["live"]["b"]["bytes"].as_i64()? - group["live"]["a"]["bytes"].as_i64()?);
        let wanted: Vec<i64> =
            told["compared"]["groups"].as_array().context("no groups")?.iter().filter_map(change).take(5).collect();
        ensure!(wanted.len() == 5);
        let rows = |sign: i64| {
            let wanted: Vec<String> = wanted.iter().map(|change| (change * sign).to_string()).collect();
            format!(
                "const rows = [...document.querySelectorAll('[data-testid=compare-table] tbody tr')].slice(0, 5).map(r => r.dataset.change);
                return JSON.stringify(rows) === JSON.stringify({})", serde_json::json!(wanted)
            )
        };
        browser.wait_for(&format!("the differences {wanted:?}"), &rows(1)).await?;
        browser.click("compare-swap").await?;
        browser.wait_for("the opposite differences", &rows(-1)).await?;
        done(&browser).await?;
        let [a, b] = total(&browser, "live").await?;
        ensure!(a > 0 && b > 0);
        let by = browser.run_script("return document.querySelector('[data-testid=laid]').dataset.by").await?;
        ensure!(by == told["curves"]["by"], "aligned by {by}, the command by {}", told["curves"]["by"]);
        browser.screenshot("compare").await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_step_against_another_of_the_same_rank() -> Result<()> {
    run(async {
        let sample = Sample::new(42)?;
        let browser = opened(&sample, "").await?;
        browser.click("view-compare").await?;
        browser
            .wait_for("the lists", "return document.querySelectorAll('[data-testid=compare-a-when] option').length > 4")
            .await?;
        pick(&browser, "compare-a-who", "actor_update Rank 0").await?;
        pick(&browser, "compare-b-who", "actor_update Rank 0").await?;
        let steps = "return [...document.querySelectorAll('[data-testid=compare-a-when] option')].map(o => o.textContent).filter(t => t.includes('step'))";
        let steps = browser.run_script(steps).await?;
        let number = |at: usize| {
            let digits: String = steps[at].as_str().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
            digits.parse::<u64>().context("a step without a number")
        };
        let (first, second) = (number(0)?, number(1)?);
        pick(&browser, "compare-a-when", &format!("step {first},")).await?;
        pick(&browser, "compare-b-when", &format!("step {second},")).await?;
        let side = |step: u64| format!("role=actor_update,rank=0,at=step:{step}");
        let told = command(&["compare", "--json", &sample.text(), "--a", &side(first), "--b", &side(second)])?;
        let told: Value = serde_json::from_slice(&told)?;
        let of = |side: &str| told["compared"]["all"]["allocated"][side]["bytes"].as_i64().unwrap_or(-1);
        let script = format!(
            "const row = document.querySelector('[data-testid=compare-total-allocated]')?.dataset; return row?.a === '{}' && row?.b === '{}'",
            of("a"),
            of("b")
        );
        browser.wait_for("what each step allocated", &script).await?;
        browser.quit().await?.assert_clean()
    })
}
