//! Answers the size of a screen, made from the model. Nothing here draws or knows of a browser.

pub mod answer;
pub mod check;
mod checks;
mod early;
mod extremes;
mod live;
mod modules;
mod outside;
mod plan;
mod pool;
pub mod rank;
mod row_events;
mod row_sums;
pub mod summary;
mod timeline;
mod top;
