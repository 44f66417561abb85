//! One browser with one page: start, open, end. What is done in the page is in `input`, what is read from it in
//! `reading` and `looks`, what it did behind the scenes in `evidence`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use thirtyfour::prelude::*;
use thirtyfour::{ChromeCapabilities, ChromiumLikeCapabilities, LoggingPrefsLogLevel};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::driver::{Driver, chromium, page_memory};
use crate::evidence::{self, Evidence};
use crate::place::{Origin, PLAIN_NAME, file_url, page_path};
use crate::server::PageServer;

/// Browsers at a time in a test binary: one waits while the other works, and more would only wait for each other.
static BROWSERS: Semaphore = Semaphore::const_new(2);

/// A headless Chromium with a profile of its own. Dropping it ends every process it started.
pub struct Browser {
    // Dropped in this order. The process goes first: a test that fails has not ended its session, and the session's own
    // end would wait for minutes for a browser that is busy.
    process: Driver,
    driver: WebDriver,
    server: Option<PageServer>,
    folder: tempfile::TempDir,
    _turn: SemaphorePermit<'static>,
}

impl Browser {
    /// Starts a browser that will open the built page.
    pub async fn start() -> Result<Self> {
        let page = page_path()?;
        let html = std::fs::read(&page).with_context(|| format!("{} cannot be read", page.display()))?;
        Self::start_with(Some(PageServer::start(html)?)).await
    }

    /// Starts a browser with another page's server, or none: for testing this harness.
    pub async fn start_with(server: Option<PageServer>) -> Result<Self> {
        let turn = BROWSERS.acquire().await.context("no browser may be started")?;
        let folder = tempfile::tempdir().context("no folder for the browser's profile")?;
        std::fs::create_dir(folder.path().join("downloads")).context("no folder for downloads")?;
        let profile = folder.path().join("profile");
        let process = Driver::start(&profile)?;
        let driver = WebDriver::new(process.url(), capabilities(&profile, &folder.path().join("net-log.json"))?)
            .await
            .context("Chromium could not be started through chromedriver")?;
        let browser = Browser { process, driver, server, folder, _turn: turn };
        browser.set_size(1280, 800).await?;
        let downloads = browser.downloads();
        browser.cdp("Browser.setDownloadBehavior", json!({"behavior": "allow", "downloadPath": downloads})).await?;
        Ok(browser)
    }

    /// Opens the built page the way a person would from there.
    pub async fn open(&self, origin: Origin) -> Result<()> {
        self.open_with_hash(origin, "").await
    }

    /// Opens the built page with a state in its address: `hash` without the `#`.
    pub async fn open_with_hash(&self, origin: Origin, hash: &str) -> Result<()> {
        let url = match origin {
            Origin::Disk => file_url(&page_path()?),
            Origin::LocalServer => self.served("127.0.0.1")?,
            Origin::PlainHttp => self.served(PLAIN_NAME)?,
        };
        self.open_url(&if hash.is_empty() { url } else { format!("{url}#{hash}") }).await
    }

    /// Opens any address.
    pub async fn open_url(&self, url: &str) -> Result<()> {
        self.driver.goto(url).await.with_context(|| format!("{url} could not be opened"))
    }

    /// The address of the served page under this host name.
    pub fn served(&self, host: &str) -> Result<String> {
        Ok(self.server.as_ref().context("this browser was started without a server")?.url(host))
    }

    /// Where downloads arrive.
    pub fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// Memory of the processes that run this browser's pages and their workers, bytes.
    pub fn page_memory(&self) -> u64 {
        page_memory(&self.folder.path().join("profile"))
    }

    /// The WebDriver session, for what the helpers do not cover.
    pub fn session(&self) -> &WebDriver {
        &self.driver
    }

    /// A command of Chromium's developer protocol.
    pub async fn cdp(&self, command: &str, parameters: Value) -> Result<Value> {
        self.driver.cdp().send_raw(command, parameters).await.with_context(|| format!("{command} failed"))
    }

    /// Ends the browser and gives what it did behind the scenes.
    pub async fn quit(self) -> Result<Evidence> {
        let console = self.console().await?;
        let Browser { process, driver, server, folder, _turn } = self;
        driver.quit().await.context("the browser did not end")?;
        let requests = evidence::requests(&folder.path().join("net-log.json"))?;
        drop((server, process));
        Ok(Evidence { console, requests })
    }
}

fn capabilities(profile: &Path, net_log: &Path) -> Result<ChromeCapabilities> {
    let mut capabilities = DesiredCapabilities::chrome();
    capabilities.set_binary(&chromium()?.to_string_lossy())?;
    for flag in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-proxy-server",
    ] {
        capabilities.add_arg(flag)?;
    }
    // The one made-up name leads here, every other name nowhere: a test reaches nothing outside this machine.
    let rules = format!("MAP {PLAIN_NAME} 127.0.0.1,MAP * ~NOTFOUND,EXCLUDE 127.0.0.1");
    capabilities.add_arg(&format!("--host-resolver-rules={rules}"))?;
    capabilities.add_arg(&format!("--user-data-dir={}", profile.display()))?;
    capabilities.add_arg(&format!("--log-net-log={}", net_log.display()))?;
    capabilities.set_browser_log_level(LoggingPrefsLogLevel::All)?;
    Ok(capabilities)
}
