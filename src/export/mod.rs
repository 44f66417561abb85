//! Rows and summaries as text: CSV and JSON, and the report. It formats answers; what they say is decided before.

pub mod answers;
mod csv;
pub mod events;
pub mod number;
pub mod report;
pub mod rows;
pub mod summary;
