//! Joins operator spans to rows: a call site, a match kind and, for a guess, a gap for each row.
//!
//! Before that, a trace with another origin than the tables is moved to theirs ([`axis`]), and one without call stacks gets them
//! from its Python functions ([`sites_from_python`]).
//!
//! Two rules: [`best`], exact and honest about what it does not know, and [`reference`], the one of RL-Insight's memory parser.
//! Nothing here parses, and nothing is kept of the spans afterwards.

pub mod axis;
mod best;
mod flows;
mod forward;
mod named;
mod nesting;
mod python;
mod queue;
mod reference;

pub use best::best;
pub use python::{MAX_FRAMES, PythonLosses, sites_from_python};
pub use reference::reference;

/// Which rule joins rows to call stacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchRule {
    /// Enclosing operator, its forward operator, the task queue; a guess is marked as one.
    #[default]
    Best,
    /// The reference tool's: the latest earlier operator of the name, compared as doubles.
    Reference,
}
