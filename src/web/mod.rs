//! The page and the workers behind it.
//!
//! For: everything that needs a browser: the DOM, files as the person gives them, workers, canvases. Knows every room of the house
//! but analyses nothing itself: it asks a [`Session`](crate::session::Session) in a worker and shows the answer.
//!
//! - bytes in: `intake` (what was given), `archives` (what is packed), `read` (a file's bytes in a worker), `worker` (the loop there), `messages`,
//!   `measure` (for benches)
//! - state: `ranks`, `pool` (the workers), `job` (workers for one job), `state` (what the views share), `follow` (questions that track it)
//! - views: `app` and one module a panel; `tabs` lead from one to the other, `virtual_table` tables of any length, and `chosen_block` what is chosen in all of them

mod about;
mod app;
mod archives;
mod balance;
mod bars;
mod beside;
mod blocks_view;
mod canvas;
mod checks;
mod chosen_block;
mod churn;
mod clipboard;
mod compare;
mod compare_run;
mod compare_table;
mod curves;
mod detail;
mod events_view;
mod example;
mod export;
mod filters;
mod findings;
mod flame_bars;
mod flame_data;
mod flame_state;
mod flame_table;
mod flame_view;
mod follow;
mod growth;
mod headline;
mod hover;
mod icons;
mod intake;
mod job;
mod keys;
mod laid;
mod legend;
mod looks;
mod map_controls;
mod map_data;
mod map_view;
mod measure;
mod messages;
mod minimap;
mod multiples;
mod offset;
mod outside_view;
mod overview;
mod overview_row;
mod picture;
mod plan_table;
mod pool;
mod pools;
mod problems;
mod rank_list;
mod ranks;
mod read;
mod report;
mod reserved_view;
mod roles;
mod sides;
mod start;
mod state;
mod static_view;
mod table_state;
mod tabs;
mod timeline;
mod timeline_tools;
mod top;
mod top_table;
mod under;
mod viewport;
mod virtual_table;
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
