//! What is packed: lists the members of archives and unpacks what is fed.
//!
//! Nothing here opens files. A [`list::Lister`] says which bytes of an archive it wants and is given them; what it finds
//! is described by [`Part`]s: a range of the archive to feed, and the steps that unpack it.

mod fault;
mod gzip;
mod gzip_at;
mod inflate;
pub mod list;
pub mod name;
mod part;
pub mod place;
mod tar;
mod twin;
mod unpack;
mod zip;
mod zip_scan;

pub use fault::Fault;
pub use gzip_at::Resume;
pub use part::{Part, Step};
pub use twin::{Fingerprint, Sum};
pub use unpack::{Beginning, Unpacker};
