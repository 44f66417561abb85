//! The summary as JSON, a stable interface: bytes and nanoseconds are integers, more keys may follow.

use serde_json::{Value, json};

use crate::analysis::answer::Summary;
use crate::analysis::check::Check;
use crate::neighbour::Neighbour;
use crate::problem::Problem;
use crate::words::{self, Lang};

/// The whole document.
pub fn to_json(summaries: &[Summary], problems: &[Problem], neighbours: &[Neighbour]) -> Value {
    json!({
        "tool": "memlens",
        "version": env!("CARGO_PKG_VERSION"),
        "problems": problems.iter().map(problem).collect::<Vec<_>>(),
        "neighbours": neighbours.iter().map(neighbour).collect::<Vec<_>>(),
        "rank_folders": summaries.iter().map(rank_folder).collect::<Vec<_>>(),
    })
}

fn rank_folder(summary: &Summary) -> Value {
    let mut value = serde_json::to_value(summary).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        let start = summary.window_ns.map_or(0, |[from, _]| from);
        if summary.times_lost {
            for key in ["peak", "pools"] {
                object.get_mut(key).into_iter().for_each(forget_times);
            }
        }
        if summary.module_times_lost {
            object.get_mut("module_memory").into_iter().for_each(forget_times);
        }
        object.insert("checks".to_owned(), summary.checks.iter().map(|one| check(one, start, &summary.form)).collect());
        object.insert("problems".to_owned(), summary.problems.iter().map(problem).collect());
        object.insert("neighbours".to_owned(), summary.neighbours.iter().map(neighbour).collect());
    }
    value
}

/// Times of peaks that a spreadsheet rounded until they mean nothing.
fn forget_times(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(forget_times),
        Value::Object(object) => {
            if let Some(time) = object.get_mut("time_ns") {
                *time = Value::Null;
            }
            object.values_mut().for_each(forget_times);
        }
        _ => {}
    }
}

fn check(check: &Check, start_ns: i64, form: &str) -> Value {
    let mut value = serde_json::to_value(check).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("verdict".to_owned(), serde_json::to_value(check.verdict()).unwrap_or_default());
        object.insert("text".to_owned(), words::check(Lang::En, check, start_ns, form).into());
    }
    value
}

pub(super) fn problem(problem: &Problem) -> Value {
    json!({
        "file": problem.file,
        "place": problem.place.to_string(),
        "kind": problem.kind.name(),
        "count": problem.count,
        "text": words::problem(Lang::En, problem),
    })
}

fn neighbour(neighbour: &Neighbour) -> Value {
    json!({
        "file": neighbour.file,
        "kind": neighbour.kind.name(),
        "what": words::neighbour(Lang::En, neighbour.kind),
        "count": neighbour.count,
    })
}
