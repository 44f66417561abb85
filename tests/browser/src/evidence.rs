//! What the page did behind the scenes: its console, and every request of the page and its workers.
//!
//! Requests are read from Chromium's own network log after the browser has ended. It sees what scripts cannot hide:
//! workers, beacons, prefetches, icons. What the browser asks for by itself (the person's own navigation, its update
//! checks) has no origin that asked, and is left out. A log that was not finished is an error, not "no requests".

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::Browser;

/// What a browser leaves behind.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Console lines of the page and its workers, with warnings, errors and what the policy refused.
    pub console: Vec<String>,
    /// Addresses of http, https, ws and wss that the page or a worker of it asked for, going to another page included.
    pub requests: Vec<String>,
}

impl Evidence {
    /// Fails when anything was complained about or asked for.
    pub fn assert_clean(&self) -> Result<()> {
        if !self.console.is_empty() {
            bail!("the console has:\n{}", self.console.join("\n"));
        }
        if !self.requests.is_empty() {
            bail!("the page reached for:\n{}", self.requests.join("\n"));
        }
        Ok(())
    }
}

impl Browser {
    /// Warnings and errors in the console since the last call.
    pub async fn console(&self) -> Result<Vec<String>> {
        let entries = self.session().browser_log().await.context("the console cannot be read")?;
        Ok(entries
            .into_iter()
            .filter(|entry| matches!(entry.level.as_str(), "SEVERE" | "WARNING"))
            .map(|entry| format!("{} {}", entry.level, entry.message))
            .collect())
    }
}

/// Who asked, when it was the browser itself.
const THE_BROWSER: &str = "not an origin";

/// Every network address that a page asked for, in order.
pub(crate) fn requests(log: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(log).with_context(|| format!("no network log at {}", log.display()))?;
    addresses(&text)
}

fn addresses(text: &str) -> Result<Vec<String>> {
    let log: Value = serde_json::from_str(text).context("the network log was not finished: the browser was killed")?;
    let start = log.pointer("/constants/logEventTypes/URL_REQUEST_START_JOB").context("the log names no requests")?;
    let events = log.get("events").and_then(Value::as_array).context("the log has no events")?;
    Ok(events.iter().filter(|event| event.get("type") == Some(start)).filter_map(address).collect())
}

/// The address of a request's start, when a page asked for it over the network.
fn address(event: &Value) -> Option<String> {
    let url = event.pointer("/params/url")?.as_str()?;
    let by_browser = event.pointer("/params/initiator").is_some_and(|initiator| initiator == THE_BROWSER);
    let network = ["http:", "https:", "ws:", "wss:"].iter().any(|scheme| url.starts_with(scheme));
    (network && !by_browser).then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"constants": {"logEventTypes": {"URL_REQUEST_START_JOB": 7, "OTHER": 8}}, "events": [
        {"type": 7, "params": {"url": "http://127.0.0.1:1/", "initiator": "not an origin"}},
        {"type": 7, "params": {"url": "ws://a/", "initiator": "null"}},
        {"type": 7, "params": {"url": "file:///a", "initiator": "null"}},
        {"type": 8, "params": {"url": "http://b/", "initiator": "null"}}, {"type": 7},
        {"type": 7, "params": {"url": "http://c/"}}]}"#;

    #[test]
    fn what_a_page_asked_for_is_found_and_the_browsers_own_is_not() {
        assert_eq!(addresses(LOG).unwrap(), ["ws://a/", "http://c/"]);
    }

    #[test]
    fn an_unfinished_log_is_an_error() {
        assert!(addresses(r#"{"constants": {}, "events": ["#).is_err());
    }

    #[test]
    fn a_log_that_could_not_name_requests_is_an_error() {
        assert!(addresses(r#"{"constants": {"logEventTypes": {}}, "events": []}"#).is_err());
    }
}
