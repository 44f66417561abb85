//! The summary as JSON, a stable interface: bytes and nanoseconds are integers, more keys may follow.

use serde_json::{Value, json};

use crate::analysis::answer::Summary;
use crate::problem::Problem;
use crate::words::{self, Lang};

/// The whole document.
pub fn to_json(summaries: &[Summary], problems: &[Problem]) -> Value {
    json!({
        "tool": "memlens",
        "version": env!("CARGO_PKG_VERSION"),
        "problems": problems.iter().map(problem).collect::<Vec<_>>(),
        "rank_folders": summaries.iter().map(rank_folder).collect::<Vec<_>>(),
    })
}

fn rank_folder(summary: &Summary) -> Value {
    let mut value = serde_json::to_value(summary).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("problems".to_owned(), summary.problems.iter().map(problem).collect());
    }
    value
}

fn problem(problem: &Problem) -> Value {
    json!({
        "file": problem.file,
        "place": problem.place.to_string(),
        "kind": problem.kind.name(),
        "count": problem.count,
        "text": words::problem(Lang::En, problem),
    })
}
