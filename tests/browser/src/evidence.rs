//! What the page did behind the scenes: its console, and every request of the page and its workers.
//!
//! Requests are read from Chromium's own network log after the browser has ended. It sees what scripts cannot hide:
//! workers, beacons, prefetches. A log that was not finished is an error, not "no requests".

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::Browser;

/// What a browser leaves behind.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Console lines of the page and its workers, with warnings, errors and what the policy refused.
    pub console: Vec<String>,
    /// Addresses of http, https, ws and wss that were requested, but for the page itself, once for each opening.
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

/// Every network address in the log; each of `own` is left out once.
pub(crate) fn requests(log: &Path, own: &[String]) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(log).with_context(|| format!("no network log at {}", log.display()))?;
    let mut own = own.to_vec();
    let mut found = addresses(&text)?;
    found.retain(|address| match own.iter().position(|url| url == address) {
        Some(at) => {
            own.remove(at);
            false
        }
        None => true,
    });
    Ok(found)
}

/// The addresses of all requests, in order.
fn addresses(text: &str) -> Result<Vec<String>> {
    let log: Value = serde_json::from_str(text).context("the network log was not finished: the browser was killed")?;
    let types = log.pointer("/constants/logEventTypes").and_then(Value::as_object).context("a log without types")?;
    let names: HashMap<i64, &str> =
        types.iter().filter_map(|(name, number)| Some((number.as_i64()?, name.as_str()))).collect();
    let events = log.get("events").and_then(Value::as_array).context("a log without events")?;
    Ok(events.iter().filter_map(|event| address(event, &names)).collect())
}

fn address(event: &Value, names: &HashMap<i64, &str>) -> Option<String> {
    let name = names.get(&event.get("type")?.as_i64()?)?;
    // A WebSocket's handshake is a request with a ws address; RTC and WebTransport have sessions of their own.
    let counts = ["URL_REQUEST_START_JOB", "QUIC_SESSION_WEBTRANSPORT", "CORS_REQUEST"].contains(name);
    let url = counts.then(|| event.pointer("/params/url")).flatten()?.as_str()?;
    ["http:", "https:", "ws:", "wss:"].iter().any(|scheme| url.starts_with(scheme)).then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"constants": {"logEventTypes": {"URL_REQUEST_START_JOB": 7, "OTHER": 8}}, "events": [
        {"type": 7, "params": {"url": "http://127.0.0.1:1/"}}, {"type": 7, "params": {"url": "ws://a/"}},
        {"type": 7, "params": {"url": "file:///a"}}, {"type": 8, "params": {"url": "http://b/"}}, {"type": 7},
        {"type": 7, "params": {"url": "http://127.0.0.1:1/"}}]}"#;

    #[test]
    fn requests_are_found_and_other_events_are_not() {
        assert_eq!(addresses(LOG).unwrap(), ["http://127.0.0.1:1/", "ws://a/", "http://127.0.0.1:1/"]);
    }

    #[test]
    fn the_page_itself_is_expected_once() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        std::fs::write(&log, LOG).unwrap();
        let own = ["http://127.0.0.1:1/".to_owned()];
        assert_eq!(requests(&log, &own).unwrap(), ["ws://a/", "http://127.0.0.1:1/"]);
    }

    #[test]
    fn an_unfinished_log_is_an_error() {
        assert!(addresses(r#"{"constants": {}, "events": ["#).is_err());
    }
}
