//! Writes profiling runs the way torch_npu writes them, together with what is true about them.
//!
//! A run is simulated, not drawn: threads call operators, a caching allocator serves them, a queue launches kernels. All
//! totals in the files are what the allocator had at that time, so every identity that holds in real files holds here.
//! The same [`Options`] give the same bytes, on every machine.
//!
//! Each section of a trace comes from a run of the same simulation of its own, so that a trace of any size is written
//! without being held: only the blocks (rows of operator_memory.csv) stay in memory.

mod allocator;
mod autograd;
mod csv;
#[cfg(feature = "database")]
mod database;
mod device;
mod event;
mod folder;
mod kinds;
mod machine;
mod memory;
mod options;
mod places;
mod plant;
mod program;
mod python;
mod queue;
mod rng;
mod run;
mod sink;
mod size;
mod stacks;
mod text;
mod threads;
mod trace;
mod truth;
mod work;
mod world;

pub use event::Component;
pub use memory::{Peak, Peaks};
pub use options::{Form, Options, Variety, example_options};
pub use plant::{Plant, PlantError};
pub use run::simulate;
#[cfg(not(target_arch = "wasm32"))]
pub use sink::Directory;
pub use sink::{Memory, Sink};
pub use truth::{BlockTruth, FolderTruth, Kind, Planted, StepTruth, Truth};
