//! The page and the workers behind it.
//!
//! For: everything that needs a browser: the DOM, files as the person gives them, workers, canvases. Knows every room of the house
//! but analyses nothing itself: it asks a [`Session`](crate::session::Session) in a worker and shows the answer.
//!
//! - bytes in: `intake` (what was given), `archives` (what is packed), `read` (a file's bytes in a worker), `worker` (the loop there), `messages`,
//!   `measure` (for benches)
//! - state: `ranks`, `pool` (the workers), `job` (workers for one job), `state` (what the views share), `follow` (questions that track it), `hash`
//! - views: `app` and one module a panel

mod about;
mod app;
mod archives;
mod balance;
mod bars;
mod beside;
mod canvas;
mod checks;
mod clipboard;
mod curves;
mod detail;
mod example;
mod export;
mod follow;
mod hash;
mod headline;
mod hover;
mod icons;
mod intake;
mod job;
mod keys;
mod legend;
mod measure;
mod merge;
mod messages;
mod offset;
mod pool;
mod pools;
mod problems;
mod rank_list;
mod ranks;
mod read;
mod report;
mod start;
mod state;
mod timeline;
mod top;
mod top_table;
mod viewport;
mod wait;
mod worker;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Starts the page. Called once, on the main thread, by the start script.
#[wasm_bindgen]
pub fn memlens_page(module: JsValue, worker_url: String) {
    start::page(module, worker_url);
}

/// Starts a worker. Called once in each, after which orders may come.
#[wasm_bindgen]
pub fn memlens_worker() {
    start::tell_panics();
    worker::start();
}
