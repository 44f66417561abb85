//! Sentences: message ids with numbers become English or Chinese text, typed.
//!
//! For: everything a person reads, on the page, from the command and in reports. May not touch the DOM, files or the network;
//! holds no analysis. Words for things are those of MindStudio Insight and the Ascend tools.
//!
//! # Why a macro of our own
//!
//! Needed: a missing translation or argument stops the build; nothing is loaded or parsed at run time; it works in a worker, in
//! the command and in wasm alike; it costs next to nothing. Looked at, in November 2026:
//!
//! - `leptos_i18n` 0.6: typed, but bound to Leptos and the DOM (cookies, `leptos-use`) and ICU; the command has neither.
//! - `fluent-typed` 0.9: typed and close to what is needed, but carries a Fluent parser and bundle (some 15 crates) into the wasm
//!   and parses the texts at start; a message missing in one language is a warning until somebody uses it.
//! - `i18n-embed-fl` 0.10: checks calls against one language only; the same Fluent run time.
//! - `typed-i18n` 1.0: no run time at all, but a missing translation silently falls back to another language, and it builds on two
//!   abandoned crates (`proc-macro-error`, `serde_yaml`).
//! - `rust-i18n` 4.2: keys are strings; a missing one shows itself on the page. `rosetta-i18n` 0.1: falls back, too, and wants a
//!   build script.
//!
//! Two languages, neither of which needs plural tables at run time, and authors who write both: `messages!` below is twenty lines,
//! makes one function a message, and leaves the checking to the compiler and to `format!`.
//!
//! A message that forgets a language does not compile:
//!
//! ```compile_fail
//! memlens::messages! { hello = "Hello"; }
//! ```
//!
//! nor does one that names an argument it does not have, or that forgets one in one of its languages:
//!
//! ```compile_fail
//! memlens::messages! { hello(name: &str) = "Hello {nam}" | "你好 {name}"; }
//! ```
//!
//! ```compile_fail
//! memlens::messages! { hello(name: &str) = "Hello {name}" | "你好"; }
//! ```
//!
//! while the whole one does:
//!
//! ```
//! memlens::messages! { hello(name: &str) = "Hello {name}" | "你好 {name}"; bye = "Bye" | "再见"; }
//! assert_eq!(hello(memlens::words::Lang::Zh, "A"), "你好 A");
//! assert_eq!(bye(memlens::words::Lang::En), "Bye");
//! ```

pub mod answers;
mod check;
mod check_texts;
mod curve;
mod detail;
mod finding;
mod finding_texts;
mod frame;
mod lang;
mod line;
mod message;
mod neighbour;
mod problem;
mod problem_texts;
pub mod report;
pub mod summary;
mod term;
pub mod ui;
pub mod units;

pub use check::{check, check_title};
pub use curve::{beside_rows, curve_name};
pub use finding::{finding, finding_place, finding_rule, finding_title, group_key, level, list, measure, rank_name};
pub use frame::{first_line, split_folders};
pub use lang::{Lang, UnknownLang};
pub use line::one_line;
pub use message::Show;
pub use neighbour::neighbour;
pub use problem::{place, problem, problem_title};
pub use term::{Term, term};
