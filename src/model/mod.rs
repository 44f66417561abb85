//! Columns: blocks, pool samples, operator spans, interned text. Nothing here parses.

pub mod match_kind;
