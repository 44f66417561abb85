//! Memlens: where device memory went, from Ascend profiling results.
//!
//! One way through the house: bytes -> `read` -> `model` -> `matching` -> `analysis` -> `chart` -> page. No room reaches back;
//! ARCHITECTURE.md has the table, and a test holds the code to it.

pub mod analysis;
pub mod archive;
pub mod chart;
pub mod column;
pub mod decimal;
pub mod export;
pub mod folder;
pub mod matching;
pub mod model;
pub mod neighbour;
pub mod problem;
pub mod read;
pub mod screen;
pub mod session;
#[cfg(feature = "web")]
pub mod web;
pub mod words;
