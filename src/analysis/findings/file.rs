//! What is wrong with the files: checks that fail, and problems met while reading. Both are told as they are everywhere else.

use super::super::answer::Summary;
use super::super::check::Verdict;
use super::{Finding, Found, Where};
use crate::problem::{Problem, ProblemKind};

pub(super) fn find(summary: &Summary) -> Vec<Finding> {
    let finding = |found, bytes| Finding { found, bytes, place: Where::of(summary), also: Vec::new() };
    let failing = summary.checks.iter().filter(|check| check.verdict() == Verdict::Fails);
    let checks = failing.map(|check| {
        let mut found = finding(Found::FileCheck(check.clone()), check.bytes.unwrap_or(0));
        found.place.pool = check.pool.clone();
        found.place.time_ns = check.first_ns;
        found
    });
    let problems = summary.problems.iter().filter(|problem| limits_answers(problem));
    checks.chain(problems.map(|problem| finding(Found::FileProblem(problem.clone()), 0))).collect()
}

/// Whether something is missing from the answers.
fn limits_answers(problem: &Problem) -> bool {
    problem.kind.loses_data()
        || matches!(
            problem.kind,
            ProblemKind::NoTrace
                | ProblemKind::NoOperatorMemory
                | ProblemKind::NoMemoryRecord
                | ProblemKind::NoStacks
                | ProblemKind::NoOperators
                | ProblemKind::NoCommonAxis
        )
}
