//! The page in a real browser, by what a person sees and does: one program for all of it, because linking one costs as much
//! disk and time as each of many.

mod common;
mod export;
mod forms;
mod harness;
mod load;
mod reading;
mod start;
mod trouble;
mod views;
