//! What a person reads: texts by test id, the page's state, and waiting for either.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use thirtyfour::prelude::*;

use crate::Browser;

/// How long a page may take for one thing before the test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often to look.
const PAUSE: Duration = Duration::from_millis(40);

impl Browser {
    /// The element with this test id.
    pub async fn by_testid(&self, testid: &str) -> Result<WebElement> {
        let found = self.session().find(By::Css(format!("[data-testid='{testid}']"))).await;
        found.with_context(|| format!("nothing in the page has the test id {testid}"))
    }

    /// All elements with this test id.
    pub async fn all_by_testid(&self, testid: &str) -> Result<Vec<WebElement>> {
        let found = self.session().find_all(By::Css(format!("[data-testid='{testid}']"))).await;
        found.with_context(|| format!("elements of the test id {testid} cannot be listed"))
    }

    /// The visible text of the element with this test id.
    pub async fn text(&self, testid: &str) -> Result<String> {
        self.by_testid(testid).await?.text().await.with_context(|| format!("the text of {testid} cannot be read"))
    }

    /// The page's state: `data-state` of the root element.
    pub async fn state(&self) -> Result<Option<String>> {
        let state = self.run_script("return document.documentElement.dataset.state ?? null").await?;
        Ok(state.as_str().map(str::to_owned))
    }

    /// Waits for the page's state; a page that says it failed ends the wait at once.
    pub async fn wait_for_state(&self, wanted: &str) -> Result<()> {
        self.wait_for_state_within(wanted, PATIENCE).await
    }

    /// The same with a patience of one's own, for large input.
    pub async fn wait_for_state_within(&self, wanted: &str, patience: Duration) -> Result<()> {
        let started = Instant::now();
        loop {
            let state = self.state().await?;
            if state.as_deref() == Some(wanted) {
                return Ok(());
            }
            let failed = state.as_deref() == Some("failed");
            if failed || started.elapsed() > patience {
                let body = self.run_script("return document.body.innerText").await?;
                let console = self.console().await?.join("\n");
                bail!("the page's state is {state:?}, not {wanted:?}. It shows:\n{body}\nIts console has:\n{console}");
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Waits until a script gives something other than null, false, 0 or an empty text, and gives that.
    pub async fn wait_for(&self, what: &str, script: &str) -> Result<Value> {
        let started = Instant::now();
        loop {
            let value = self.run_script(script).await?;
            let empty = value.is_null() || value == false || value == 0 || value == "";
            if !empty {
                return Ok(value);
            }
            if started.elapsed() > PATIENCE {
                bail!("waited {PATIENCE:?} for {what}, in vain");
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Waits until the text of a test id holds this.
    pub async fn wait_for_text(&self, testid: &str, part: &str) -> Result<String> {
        let script = format!(
            "const text = document.querySelector({selector})?.innerText ?? ''; return text.includes({part}) ? text : null",
            selector = Value::from(format!("[data-testid='{testid}']")),
            part = Value::from(part),
        );
        let text = self.wait_for(&format!("{part:?} in {testid}"), &script).await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Waits for a finished download and gives its path.
    pub async fn wait_for_download(&self, name: &str) -> Result<std::path::PathBuf> {
        let path = self.downloads().join(name);
        let started = Instant::now();
        while !path.is_file() {
            if started.elapsed() > PATIENCE {
                bail!("no download {name} in {PATIENCE:?}");
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(path)
    }

    /// Runs a function body in the page and gives what it returns.
    pub async fn run_script(&self, body: &str) -> Result<Value> {
        let returned = self.session().execute(body, Vec::new()).await;
        Ok(returned.with_context(|| format!("the script failed: {body}"))?.json().clone())
    }
}
