//! The page in a real browser, by what a person sees and does: one program for all of it, because linking one costs as much
//! disk and time as each of many.

mod access;
mod common;
mod craft;
mod export;
mod forms;
mod harness;
mod linked;
mod load;
mod questions;
mod reading;
mod sides;
mod start;
mod static_memory;
mod trouble;
mod views;
mod whole_run;
