//! Memlens.
