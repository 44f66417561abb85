//! Columns: blocks, pool samples, operator spans, interned text. Nothing here parses.

pub mod axis;
pub mod durations;
pub mod frames;
pub mod intern;
pub mod match_kind;
pub mod modules;
pub mod numbers;
pub mod plan;
pub mod pools;
pub mod python;
pub mod row_times;
pub mod rows;
pub mod sites;
pub mod spans;
