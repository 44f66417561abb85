//! Answers the size of a screen, made from the model. Nothing here draws or knows of a browser.

pub mod answer;
pub mod breakdown;
pub mod check;
mod checks;
pub mod churn;
pub mod classes;
mod early;
mod extremes;
pub mod facts;
pub mod findings;
pub mod growth;
mod keys;
mod live;
mod modules;
mod outside;
mod plan;
mod pool;
pub mod rank;
pub mod reserved;
mod row_events;
mod row_sums;
pub mod spread;
pub mod steps;
pub mod summary;
mod timeline;
mod top;
mod unreleased;
