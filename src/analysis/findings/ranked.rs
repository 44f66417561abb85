//! All findings of a run in one order, each once.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::super::facts::RankFacts;
use super::{Finding, FindingKind, Found, odd_ranks};

/// Of all ranks: what each proves, and what only comparing them does; the most bytes first.
pub fn findings(of_ranks: impl IntoIterator<Item = Vec<Finding>>, facts: &[RankFacts]) -> Vec<Finding> {
    let mut all: Vec<Finding> = of_ranks.into_iter().flatten().collect();
    all.extend(odd_ranks(facts));
    ranked(all)
}

/// By bytes, then by kind and folder. What several ranks of one role have alike is told once, of the rank with the most bytes;
/// the others are named beside it.
pub fn ranked(mut all: Vec<Finding>) -> Vec<Finding> {
    all.sort_by(|a, b| {
        let key = |finding: &Finding| (Reverse(finding.bytes), finding.kind());
        key(a).cmp(&key(b)).then_with(|| a.place.folder.cmp(&b.place.folder))
    });
    let mut firsts: HashMap<(FindingKind, String, String), usize> = HashMap::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in all {
        let Some(what) = alike(&finding) else {
            kept.push(finding);
            continue;
        };
        let key = (finding.kind(), finding.place.role.clone(), what);
        match firsts.get(&key).and_then(|at| kept.get_mut(*at)) {
            // Two of one rank, of two pools say, are not on two ranks.
            Some(first) if first.place.folder == finding.place.folder || first.also.contains(&finding.place.folder) => {
            }
            Some(first) => first.also.push(finding.place.folder),
            None => {
                firsts.insert(key, kept.len());
                kept.push(finding);
            }
        }
    }
    kept
}

/// What makes findings of two ranks the same one; `None`: each stands for itself.
fn alike(finding: &Finding) -> Option<String> {
    match &finding.found {
        Found::Peak(_) | Found::Outside(_) | Found::Fragmentation(_) => Some(String::new()),
        Found::Leak(leak) => Some(leak.stack.clone()),
        Found::Churn(churn) => Some(churn.stack.clone()),
        Found::FileCheck(check) => Some(check.kind.name().to_owned()),
        Found::FileProblem(problem) => Some(format!("{} {}", problem.kind.name(), problem.file)),
        Found::OddRank(_) => None,
    }
}
