//! Drives the built page in a real Chromium, by what a person sees and does: open, drop, wait, read, click.
//!
//! The page is `dist/memlens.html` as `cargo xtask build` leaves it. A missing page, browser or driver is a failure, never
//! a skipped test. One browser runs at a time in a test binary: a page that parses on several workers needs the machine.
//!
//! A test reads like this:
//!
//! ```no_run
//! use browser_tests::{Browser, Origin, run};
//!
//! # fn main() -> anyhow::Result<()> {
//! run(async {
//!     let browser = Browser::start().await?;
//!     browser.open(Origin::Disk).await?;
//!     browser.wait_for_state("empty").await?;
//!     let evidence = browser.quit().await?;
//!     evidence.assert_clean()
//! })
//! # }
//! ```

mod access;
mod browser;
mod driver;
mod evidence;
mod input;
mod looks;
mod place;
mod reading;
mod server;

pub use browser::Browser;
pub use evidence::Evidence;
pub use looks::Picture;
pub use place::{Origin, page_path};
pub use server::PageServer;

use std::future::Future;

use anyhow::{Context, Result};

/// Runs one test to its end on a runtime of its own.
pub fn run<F: Future<Output = Result<()>>>(test: F) -> Result<()> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("no runtime for the test")?
        .block_on(test)
}
