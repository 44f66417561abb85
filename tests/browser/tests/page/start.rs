//! The page opens from everywhere, quietly, and its workers start.

use anyhow::{Result, ensure};
use browser_tests::{Browser, Origin, run};

/// Starts a worker from the page's own parts, as src/web does, and gives the first message it posts.
const FIRST_WORD_OF_A_WORKER: &str = "
    const text = id => document.getElementById(id).textContent;
    const packed = Uint8Array.from(atob(text('wasm')), letter => letter.charCodeAt(0));
    const unpacked = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
    return unpacked.arrayBuffer().then(WebAssembly.compile).then(compiled => new Promise((resolve, reject) => {
        const module = MODULE;
        const blob = new Blob([text('glue'), '\\n', text('worker-start')], { type: 'text/javascript' });
        const worker = new Worker(URL.createObjectURL(blob));
        worker.onmessage = event => { worker.terminate(); resolve(event.data); };
        worker.onerror = event => reject(new Error(event.message));
        worker.postMessage({ module });
    }));";

fn opens_quietly(origin: Origin) -> Result<()> {
    run(async {
        let browser = Browser::start().await?;
        browser.open(origin).await?;
        browser.wait_for_state("empty").await?;
        ensure!(browser.all_by_testid("boot").await?.is_empty(), "the starting message is still there");

        let word = browser.run_script(&FIRST_WORD_OF_A_WORKER.replace("MODULE", "compiled")).await?;
        ensure!(word.get("ready") == Some(&true.into()), "the worker's first message is {word}");

        browser.screenshot(&format!("start-{origin:?}").to_lowercase()).await?;
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn opens_from_disk() -> Result<()> {
    opens_quietly(Origin::Disk)
}

#[test]
fn opens_from_this_machine() -> Result<()> {
    opens_quietly(Origin::LocalServer)
}

#[test]
fn opens_by_plain_http_under_a_name() -> Result<()> {
    opens_quietly(Origin::PlainHttp)
}

#[test]
fn a_worker_that_cannot_start_says_so() -> Result<()> {
    run(async {
        let browser = Browser::start().await?;
        browser.open(Origin::Disk).await?;
        browser.wait_for_state("empty").await?;
        let word = browser.run_script(&FIRST_WORD_OF_A_WORKER.replace("MODULE", "undefined")).await?;
        ensure!(word.get("fatal").is_some_and(serde_json::Value::is_string), "the worker's first message is {word}");
        browser.quit().await.map(drop)
    })
}

#[test]
fn the_theme_is_the_systems_unless_the_address_says_otherwise() -> Result<()> {
    run(async {
        let browser = Browser::start().await?;
        let theme = "return document.documentElement.dataset.theme";
        for (system, hash, expected) in [
            ("dark", "", "dark"),
            ("light", "", "light"),
            ("dark", "theme=light", "light"),
            ("light", "lang=zh&theme=dark", "dark"),
        ] {
            browser.open_url("about:blank").await?;
            browser.prefer_scheme(system).await?;
            browser.open_with_hash(Origin::Disk, hash).await?;
            browser.wait_for_state("empty").await?;
            let shown = browser.run_script(theme).await?;
            ensure!(shown == expected, "{system} with #{hash} shows {shown}");
        }
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn a_browser_without_simd_gets_a_friendly_message() -> Result<()> {
    run(async {
        let browser = Browser::start().await?;
        let old = "WebAssembly.validate = () => false";
        browser.cdp("Page.addScriptToEvaluateOnNewDocument", serde_json::json!({ "source": old })).await?;
        browser.open(Origin::Disk).await?;
        let text = browser.wait_for_text("boot", "SIMD").await?;
        ensure!(text.contains("too old") && text.contains("版本过旧"), "it says {text}");
        ensure!(browser.state().await?.as_deref() == Some("failed"), "the state does not say so");
        browser.quit().await?.assert_clean()
    })
}

#[test]
fn the_policy_refuses_a_connection() -> Result<()> {
    run(async {
        let browser = Browser::start().await?;
        browser.open(Origin::LocalServer).await?;
        browser.wait_for_state("empty").await?;
        let outcome = browser.run_script("return fetch('/leak').then(() => 'sent', () => 'refused')").await?;
        ensure!(outcome == "refused", "the connection was {outcome}");
        let evidence = browser.quit().await?;
        ensure!(evidence.requests.is_empty(), "it went out: {:?}", evidence.requests);
        ensure!(evidence.console.iter().any(|line| line.contains("Content Security Policy")), "{:?}", evidence.console);
        Ok(())
    })
}
