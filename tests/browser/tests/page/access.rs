//! No view has a serious violation of accessibility, light or dark, as axe-core sees it.

use crate::common::{odd_run, opened};
use anyhow::{Result, ensure};
use browser_tests::{Browser, Origin, run};

/// Everything that can be looked at: what it is called, the way there, and what shows that it is there.
const VIEWS: [(&str, &str, &str); 3] = [
    (
        "all ranks",
        "document.querySelector('[data-testid=view-ranks]').click()",
        "[data-testid=multiple][data-drawn=true]",
    ),
    ("compare", "document.querySelector('[data-testid=view-compare]').click()", "[data-testid=compare-table] tbody tr"),
    // The last one: its tabs come after it.
    ("a rank", "document.querySelector('.rank-open').click()", ".plot"),
];

#[test]
fn no_view_has_a_serious_violation() -> Result<()> {
    run(async {
        let sample = odd_run(61)?;
        let mut found = Vec::new();
        for theme in ["light", "dark"] {
            let browser = opened(&sample, &format!("theme={theme}")).await?;
            for (view, way, sign) in VIEWS {
                browser.run_script(way).await?;
                browser.wait_for(view, &format!("return document.querySelector('{sign}') !== null")).await?;
                found.extend(browser.violations(&format!("{view}, {theme}")).await?);
            }
            let tabs = browser
                .run_script("return [...document.querySelectorAll('[role=tab]')].map(t => t.dataset.testid)")
                .await?;
            for shows in ["top-grown", "top-churn", "top-live"] {
                browser
                    .wait_for(shows, &format!("return document.querySelector('[data-testid={shows}]') !== null"))
                    .await?;
                browser.click(shows).await?;
                tokio::time::sleep(std::time::Duration::from_millis(600)).await;
                found.extend(browser.violations(&format!("{shows}, {theme}")).await?);
            }
            ensure!(tabs.as_array().is_some_and(|tabs| tabs.len() == 7), "the tabs are {tabs}");
            for tab in tabs.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str) {
                browser.click(tab).await?;
                tokio::time::sleep(std::time::Duration::from_millis(600)).await;
                found.extend(browser.violations(&format!("{tab}, {theme}")).await?);
            }
            browser.click("about-open").await?;
            found.extend(browser.violations(&format!("help, {theme}")).await?);
            browser.quit().await?.assert_clean()?;
        }
        ensure!(found.is_empty(), "{} serious violations\n{}", found.len(), found.join("\n"));
        Ok(())
    })
}

#[test]
fn the_empty_page_has_none_either() -> Result<()> {
    run(async {
        let mut found = Vec::new();
        for theme in ["light", "dark"] {
            let browser = Browser::start().await?;
            browser.open_with_hash(Origin::Disk, &format!("theme={theme}")).await?;
            browser.wait_for_state("empty").await?;
            browser.wait_for("the welcome", "return document.querySelector('.welcome-card') !== null").await?;
            found.extend(browser.violations(&format!("empty, {theme}")).await?);
            browser.quit().await?.assert_clean()?;
        }
        ensure!(found.is_empty(), "{} serious violations\n{}", found.len(), found.join("\n"));
        Ok(())
    })
}
