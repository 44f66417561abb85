//! One module a file format: bytes come in by chunks cut anywhere, typed records go out into a sink.
//!
//! Nothing here opens files, knows a clock or a browser, or keeps more than a chunk and one unfinished record.

mod csv;
pub mod database;
pub mod encoding;
pub mod memory_record;
pub mod module_memory;
pub mod number;
pub mod operator_memory;
pub mod read_at;
pub mod static_memory;
mod table;
pub mod text;
pub mod trace;
