//! What the page works out without a browser: which range is shown, which rows, in what order, and what the address remembers.
//!
//! For: the arithmetic behind the views, so that it is tested with the engine, in milliseconds. May not know the DOM or Leptos.

pub mod amount;
pub mod flames;
pub mod group_order;
pub mod hash;
pub mod merge;
pub mod range;
pub mod scroll;
pub mod values;
pub mod view;
