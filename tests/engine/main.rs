//! The engine and its command, from files to answers: one program for all of it, because linking one costs as much disk
//! and time as each of many.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, in its helpers too"
)]

#[path = "../common/mod.rs"]
mod common;

mod archives;
mod baseline;
mod best_rule;
mod broken_corpus;
mod checks;
mod chunks;
mod command;
mod conformance;
mod damaged;
mod damaged_trace;
mod database;
mod findings;
mod forms;
mod mindspore;
mod neighbours;
mod numbers;
mod odd_tables;
mod passed_on;
mod python_stacks;
mod reference_rule;
mod report;
mod rooms;
mod same_in_all_forms;
mod simulated_truth;
mod time_axis;
mod trace_oracle;
mod weaknesses;
