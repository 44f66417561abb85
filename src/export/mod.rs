//! Rows and summaries as text: CSV and JSON. It formats answers; what they say is decided before.

mod csv;
pub mod number;
pub mod rows;
pub mod summary;
