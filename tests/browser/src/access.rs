//! What assistive technology would stumble over, as axe-core sees it. It is injected by the test alone.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::Browser;

/// The checker; see the licence beside it.
const AXE: &str = include_str!("../axe/axe.min.js");

impl Browser {
    /// Every serious violation on the page: name, element and reason, below what the view is called.
    pub async fn violations(&self, view: &str) -> Result<Vec<String>> {
        if self.run_script("return typeof axe").await? != "object" {
            // Chromium's developer protocol runs it beside the page's security policy, as a browser's extension would be run.
            let parameters = serde_json::json!({ "expression": AXE, "returnByValue": false });
            self.cdp("Runtime.evaluate", parameters).await.context("axe could not be injected")?;
        }
        let check = "axe.run(document, { resultTypes: ['violations'] }).then(r => JSON.stringify(r.violations
            .filter(v => v.impact === 'serious' || v.impact === 'critical')
            .flatMap(v => v.nodes.map(n => `${v.id} (${v.impact}): ${n.target.join(' ')}\\n    ${n.html.slice(0, 160)}\\n    ${n.failureSummary}`))))";
        let parameters = serde_json::json!({ "expression": check, "awaitPromise": true, "returnByValue": true });
        let answer = self.cdp("Runtime.evaluate", parameters).await.context("axe could not be run")?;
        let text = answer.pointer("/result/value").and_then(Value::as_str);
        let text = text.with_context(|| format!("axe gave no answer: {answer}"))?;
        let found: Vec<String> = serde_json::from_str(text).context("axe's answer is no list")?;
        Ok(found.into_iter().map(|found| format!("{view}: {found}")).collect())
    }
}
