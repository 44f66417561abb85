//! Refuses a page that has a way out. The policy in the page forbids connections; what a policy does not stop (WebRTC,
//! going to another address) or should never meet (a loader that asks the network) must not be in the page at all.
//!
//! Two things are read: the scripts' words, and the names of what the module imports. The first catches a call that is
//! written out, the second a call that Rust makes through web-sys.

use anyhow::{Context, Result, bail};
use wasmparser::{Parser, Payload};

use super::Parts;
use super::assemble::shipped;

/// Words that no script of the page may hold, as whole words.
const WORDS: [&str; 12] = [
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "WebTransport",
    "RTCPeerConnection",
    "webkitRTCPeerConnection",
    "EventSource",
    "sendBeacon",
    "importScripts",
    "SharedWorker",
    "serviceWorker",
    "eval",
];

/// Members whose use or assignment goes to another address or opens one.
const CALLS: [&str; 6] = [".open(", ".assign(", ".replace(", ".reload(", ".navigate(", ".submit("];

/// Members whose assignment goes to another address. Assigning `hash` stays on the page.
const PLACES: [&str; 8] = ["location", "href", "host", "hostname", "pathname", "port", "protocol", "search"];

/// Import names of web-sys that do the same. `set_href` is refused for links too: an attribute does for them.
const IMPORTS: [&str; 19] = [
    "fetch",
    "sendBeacon",
    "importScripts",
    "open",
    "assign",
    "replace",
    "reload",
    "navigate",
    "submit",
    "requestSubmit",
    "set_location",
    "set_href",
    "set_host",
    "set_hostname",
    "set_pathname",
    "set_port",
    "set_protocol",
    "set_search",
    "eval",
];

/// Refuses the parts when any of them has a way out.
pub fn check(parts: &Parts) -> Result<()> {
    script("the glue", &parts.glue)?;
    script("www/theme.js", &shipped(&parts.theme))?;
    script("www/start.js", &shipped(&parts.start))?;
    script("www/worker-start.js", &shipped(&parts.worker_start))?;
    style(&parts.style)?;
    module(&parts.wasm)
}

/// Refuses a script that names a way out.
fn script(name: &str, text: &str) -> Result<()> {
    if let Some(word) = WORDS.iter().find(|word| has_word(text, word)) {
        bail!("{name} names {word}: the page may not reach outside itself");
    }
    if let Some(call) = CALLS.iter().find(|call| has_call(text, call)) {
        bail!("{name} calls {call}...): the page may not open or go to another address");
    }
    if let Some(place) = PLACES.iter().find(|place| is_assigned(text, place)) {
        bail!("{name} assigns {place}: the page may change its address by the hash alone");
    }
    Ok(())
}

/// Refuses a style sheet that loads something.
fn style(text: &str) -> Result<()> {
    let lower = text.to_ascii_lowercase();
    if lower.contains("@import") {
        bail!("a style sheet in www/ uses @import: every sheet is in the page already");
    }
    for (at, opening) in lower.match_indices("url(") {
        let target = lower.get(at + opening.len()..).unwrap_or_default().trim_start_matches(['"', '\'', ' ']);
        if !target.starts_with("data:") && !target.starts_with('#') {
            bail!("a style sheet in www/ loads url({target:.40}...: only data: and # are there without a network");
        }
    }
    Ok(())
}

/// Refuses a module that imports a way out.
fn module(wasm: &[u8]) -> Result<()> {
    for name in import_names(wasm)? {
        let function = function_of(&name);
        if IMPORTS.contains(&function) {
            let hint = if function == "set_href" { "; for a download link set the attribute instead" } else { "" };
            bail!("the module imports {name}: the page may not reach outside itself{hint}");
        }
    }
    Ok(())
}

fn import_names(wasm: &[u8]) -> Result<Vec<String>> {
    let unreadable = "wasm-bindgen wrote a module that cannot be read";
    let mut names = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ImportSection(section) = payload.context(unreadable)? {
            for import in section.into_imports() {
                names.push(import.context(unreadable)?.name.to_owned());
            }
        }
    }
    Ok(names)
}

/// `set_href` of `__wbg_set_href_0123456789abcdef`.
fn function_of(import: &str) -> &str {
    let name = import.strip_prefix("__wbg_").unwrap_or(import);
    match name.rsplit_once('_') {
        Some((function, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => function,
        _ => name,
    }
}

fn is_word_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// What follows each whole-word occurrence.
fn after_words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(word).filter_map(move |(at, _)| {
        let before = text.as_bytes().get(..at).and_then(<[u8]>::last);
        let after = text.get(at + word.len()..)?;
        let whole = !before.is_some_and(is_word_byte) && !after.as_bytes().first().is_some_and(is_word_byte);
        whole.then_some(after)
    })
}

fn has_word(text: &str, word: &str) -> bool {
    after_words(text, word).next().is_some()
}

/// `.replace(` of a text is no harm where the first argument is a pattern; every other one counts.
fn has_call(text: &str, call: &str) -> bool {
    text.match_indices(call).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + call.len()..).unwrap_or_default();
        let of_object = call == ".assign(" && before.ends_with("Object");
        let of_pattern = call == ".replace(" && after.starts_with('/');
        !of_object && !of_pattern
    })
}

/// Whether the word stands left of a single `=` as a member (`x.href =`) or as the global `location =`.
fn is_assigned(text: &str, place: &str) -> bool {
    text.match_indices(place).any(|(at, _)| {
        let before = text.as_bytes().get(..at).and_then(<[u8]>::last);
        let after = text.get(at + place.len()..).unwrap_or_default();
        let member = before == Some(&b'.');
        let global = place == "location" && !before.is_some_and(is_word_byte);
        let assigned = after.trim_start();
        (member || global) && assigned.starts_with('=') && !assigned.starts_with("==") && !assigned.starts_with("=>")
    })
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
