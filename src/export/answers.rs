//! Findings and answers about ranks as JSON, a stable interface: bytes and nanoseconds are integers, more keys may follow.

use serde::Serialize;
use serde_json::{Value, json};

use super::summary;
use crate::analysis::across::Across;
use crate::analysis::align::Alignment;
use crate::analysis::answer::{Extreme, Summary};
use crate::analysis::compare::Compared;
use crate::analysis::facts::RoleFacts;
use crate::analysis::findings::Finding;
use crate::analysis::side::Side;
use crate::problem::Problem;
use crate::words::{self, Lang};

/// All findings, each with its sentence and its rule, and the middle of each role.
pub fn findings(findings: &[Finding], roles: &[RoleFacts], problems: &[Problem]) -> Value {
    document(json!({
        "findings": findings.iter().map(finding).collect::<Vec<_>>(),
        "roles": serde_json::to_value(roles).unwrap_or_default(),
        "problems": problems.iter().map(summary::problem).collect::<Vec<_>>(),
    }))
}

fn finding(finding: &Finding) -> Value {
    let mut value = serde_json::to_value(finding).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("text".to_owned(), words::finding(Lang::En, finding).into());
        object.insert("rule".to_owned(), words::finding_rule(Lang::En, finding.kind()).into());
    }
    value
}

/// Two sides compared, and the peaks of both in the stretches of time they share.
pub fn comparison(
    sides: [&Side; 2],
    compared: &Compared,
    curves: Option<(&Alignment, &[[Option<Extreme>; 2]])>,
) -> Value {
    let [a, b] = sides.map(|side| serde_json::to_value(&side.ranks).unwrap_or_default());
    let curves = curves.map(|(alignment, peaks)| {
        let mut value = serde_json::to_value(alignment).unwrap_or_default();
        let [a, b] = sides.map(|side| side.highest().map(|rank| rank.folder.as_str()));
        if let Some(object) = value.as_object_mut() {
            object.insert("folders".to_owned(), json!([a, b]));
            object.insert("peaks".to_owned(), serde_json::to_value(peaks).unwrap_or_default());
        }
        value
    });
    document(json!({
        "a": a,
        "b": b,
        "compared": serde_json::to_value(compared).unwrap_or_default(),
        "curves": curves,
    }))
}

/// What grew from recording to recording, one answer a role and rank.
pub fn across(answers: &[Across]) -> Value {
    document(json!({ "across": serde_json::to_value(answers).unwrap_or_default() }))
}

/// Answers, one a rank folder, each under a key of its own beside the rank's identity.
pub fn of_ranks(ranks: Vec<Value>) -> Value {
    document(json!({ "rank_folders": ranks }))
}

/// One rank's answers by key. Answers serialize as they are.
pub fn of_rank(summary: &Summary, answers: &[(&str, Value)]) -> Value {
    let mut value = json!({
        "folder": summary.folder,
        "role": summary.role,
        "rank": summary.rank,
        "step": summary.step,
        "window_ns": summary.window_ns,
    });
    if let Some(object) = value.as_object_mut() {
        object.extend(answers.iter().map(|(key, answer)| ((*key).to_owned(), answer.clone())));
    }
    value
}

/// An answer as it is.
pub fn answer(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).unwrap_or_default()
}

fn document(rest: Value) -> Value {
    let mut value = json!({ "tool": "memlens", "version": env!("CARGO_PKG_VERSION") });
    if let (Some(object), Value::Object(rest)) = (value.as_object_mut(), rest) {
        object.extend(rest);
    }
    value
}
