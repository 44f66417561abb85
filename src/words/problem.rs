//! Problems as sentences: where, what was wrong, what was done about it, what the person can do.

use super::detail::detail;
use super::problem_texts::{Both, Said, said};
use super::{Lang, units};
use crate::problem::{Place, Problem, ProblemKind};

/// A problem's kind in a few words, for a list.
#[must_use]
pub fn problem_title(lang: Lang, kind: ProblemKind) -> &'static str {
    said(kind).title.pick(lang)
}

/// A problem in whole sentences. Texts from files (names, cells) appear as they are: show them as text, never as markup.
#[must_use]
pub fn problem(lang: Lang, problem: &Problem) -> String {
    let Said { what, then, .. } = said(problem.kind);
    // The recording's folder is part of the advice where a command has to be typed.
    let then = then.pick(lang).replace("{folder}", &problem.file);
    let mut out = head(lang, problem);
    let source = source(problem);
    let what = if is_refused(problem) { REFUSED } else { what };
    out.push_str(&what.pick(lang).replace("{source}", source.unwrap_or_default()));
    if source.is_none() && !problem.detail.is_empty() {
        let detail = detail(lang, problem);
        out.push_str(&match lang {
            Lang::En => format!(" ({detail})"),
            Lang::Zh => format!("（{detail}）"),
        });
    }
    out.push_str(lang.pick(". ", "。"));
    out.push_str(&then);
    out
}

/// What is wrong with a number that is one, but cannot be its column's.
const REFUSED: Both = Both {
    en: "a number cannot be what its column says: a time before 1970, a release before its allocation, a value out of range",
    zh: "数值与所在列的含义不符：时间早于 1970 年、释放早于申请，或数值超出范围",
};

/// Whether the cell that was refused holds a number.
fn is_refused(problem: &Problem) -> bool {
    let digits = problem.detail.strip_prefix('-').unwrap_or(&problem.detail);
    problem.kind == ProblemKind::BadNumber
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.parse::<f64>().is_ok()
}

/// What is missing, by the name it has in the form that was read: a file, or the table of a database that the detail names.
fn source(problem: &Problem) -> Option<&str> {
    let file = match problem.kind {
        ProblemKind::NoOperatorMemory => "operator_memory.csv",
        ProblemKind::NoMemoryRecord => "memory_record.csv",
        ProblemKind::NoTrace => "trace_view.json",
        _ => return None,
    };
    Some(if problem.detail.is_empty() { file } else { &problem.detail })
}

/// File, first place and count: `operator_memory.csv, first at row 17, 3 in all: `.
fn head(lang: Lang, problem: &Problem) -> String {
    let many = problem.count > 1;
    let mut parts = Vec::new();
    // Loose files lie in no folder that has a name.
    if !matches!(problem.file.as_str(), "" | ".") {
        parts.push(problem.file.clone());
    }
    if let Some(place) = place(lang, &problem.place) {
        parts.push(match lang {
            Lang::En if many => format!("first at {place}"),
            Lang::En => place,
            Lang::Zh if many => format!("首处在{place}"),
            Lang::Zh => place,
        });
    }
    if many {
        let count = units::count(problem.count);
        parts.push(lang.pick(format!("{count} in all"), format!("共 {count} 处")));
    }
    if parts.is_empty() {
        return String::new();
    }
    parts.join(lang.pick(", ", "，")) + lang.pick(": ", "：")
}

/// A place in words; `None` for a file as a whole.
pub fn place(lang: Lang, place: &Place) -> Option<String> {
    let row = |row: &u64| {
        let row = units::count(*row);
        lang.pick(format!("row {row}"), format!("第 {row} 行"))
    };
    match place {
        Place::Whole => None,
        Place::Row(number) => Some(row(number)),
        Place::Cell(number, column) => {
            Some(row(number) + &lang.pick(format!(", column {column}"), format!("“{column}”列")))
        }
        Place::Byte(byte) => {
            let byte = units::count(*byte);
            Some(lang.pick(format!("byte {byte}"), format!("第 {byte} 字节")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(kind: ProblemKind, place: Place, count: u64, detail: &str) -> Problem {
        Problem { file: "operator_memory.csv".into(), place, kind, count, detail: detail.into() }
    }

    #[test]
    fn every_kind_speaks_both_languages() {
        let mut titles = std::collections::BTreeSet::new();
        for kind in ProblemKind::ALL {
            let said = said(*kind);
            for both in [said.title, said.what, said.then] {
                let (en, zh) = (both.pick(Lang::En), both.pick(Lang::Zh));
                assert!(!en.is_empty() && !zh.is_empty() && !zh.is_ascii() && en != zh, "{kind:?}");
                assert!(en.is_ascii(), "{en}");
            }
            assert!(said.then.en.ends_with('.') && said.then.zh.ends_with('。'), "{kind:?}");
            assert!(!said.what.en.ends_with('.') && !said.what.zh.ends_with('。'), "{kind:?}");
            assert!(titles.insert(said.title.en), "{kind:?}: the title is taken");
        }
    }

    #[test]
    fn says_where_and_how_often() {
        let text = problem(Lang::En, &one(ProblemKind::BadNumber, Place::Cell(17, "Size(KB)".into()), 3, "abc"));
        assert!(text.starts_with("operator_memory.csv, first at row 17, column Size(KB), 3 in all: "), "{text}");
        assert!(text.contains("(abc). "), "{text}");
        let text = problem(Lang::Zh, &one(ProblemKind::BadRow, Place::Row(1234), 1, ""));
        assert!(text.starts_with("operator_memory.csv，第 1,234 行："), "{text}");
        let text = problem(Lang::En, &one(ProblemKind::Truncated, Place::Byte(99), 1, ""));
        assert!(text.starts_with("operator_memory.csv, byte 99: "), "{text}");
    }

    #[test]
    fn says_what_is_missing_by_its_own_name_once() {
        for lang in Lang::ALL {
            let text = problem(lang, &one(ProblemKind::NoMemoryRecord, Place::Whole, 1, ""));
            assert!(text.contains("memory_record.csv") && !text.contains("MEMORY_RECORD"), "{text}");
            let text = problem(lang, &one(ProblemKind::NoMemoryRecord, Place::Whole, 1, "MEMORY_RECORD"));
            assert!(text.matches("MEMORY_RECORD").count() == 1 && !text.contains("memory_record.csv"), "{text}");
            assert!(!text.contains('{'), "{text}");
        }
    }

    #[test]
    fn a_number_that_is_refused_is_not_called_something_else() {
        for cell in ["-5", "1736405443700000.000", "999999999999999999999999999999"] {
            let text = problem(Lang::En, &one(ProblemKind::BadNumber, Place::Row(3), 1, cell));
            assert!(text.contains("a release before its allocation") && text.contains(cell), "{text}");
            let text = problem(Lang::Zh, &one(ProblemKind::BadNumber, Place::Row(3), 1, cell));
            assert!(text.contains("释放早于申请") && !text.contains("其他内容"), "{text}");
        }
        for cell in ["nan", "x", "", "12 KB", "-", "inf"] {
            let text = problem(Lang::En, &one(ProblemKind::BadNumber, Place::Row(3), 1, cell));
            assert!(text.contains("holds something else"), "{text}");
        }
    }

    #[test]
    fn gives_the_commands_that_help() {
        let mut not_analysed = one(ProblemKind::NotAnalysed, Place::Whole, 1, "");
        not_analysed.file = "run/rank0_ascend_pt".into();
        for lang in Lang::ALL {
            let text = problem(lang, &not_analysed);
            assert!(text.contains("from torch_npu.profiler.profiler import analyse; analyse(\"run/rank0_ascend_pt\")"));
            let text = problem(lang, &one(ProblemKind::NoStacks, Place::Whole, 1, ""));
            assert!(text.contains("with_stack=True") && text.contains("contents: [npu, cpu, memory, stack]"), "{text}");
            assert!(
                problem(lang, &one(ProblemKind::NoMemoryFile, Place::Whole, 1, "")).contains("profile_memory=True")
            );
            let text = problem(lang, &one(ProblemKind::Unsupported, Place::Whole, 1, "ascend_pytorch_profiler_0.db"));
            assert!(text.contains("ascend_pytorch_profiler_0.db"));
        }
    }
}
