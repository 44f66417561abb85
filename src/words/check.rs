//! Truth checks as sentences: where, what does not agree, what that means, what was done and what the person can do.

use super::check_texts as texts;
use super::{Lang, units};
use crate::analysis::answer::{PoolKey, Source};
use crate::analysis::check::{Check, CheckKind, Verdict};

/// The summary's form of a recording that was read from a database.
const DATABASE: &str = "db";

/// What a check holds against what, in a few words, for a list.
#[must_use]
pub fn check_title(lang: Lang, kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::OtherDevice => texts::other_device(lang),
        CheckKind::PoolsMixed => texts::pools_mixed(lang),
        CheckKind::EventsWithoutRecord => texts::events_without_record(lang),
        CheckKind::RowTotals => texts::row_totals(lang),
        CheckKind::BlocksWithoutRow => texts::blocks_without_row(lang),
        CheckKind::BaselineRises => texts::baseline_rises(lang),
        CheckKind::RowsTotal => texts::rows_total(lang),
        CheckKind::Peaks => texts::peaks(lang),
        CheckKind::Order => texts::order(lang),
        CheckKind::Durations => texts::durations(lang),
        CheckKind::TimesRounded => texts::times_rounded(lang),
        CheckKind::OlderReleased => texts::older_released(lang),
        CheckKind::OutsidePools => texts::outside_pools(lang),
    }
}

/// A check's outcome in whole sentences. Times are told from `start_ns`, the window's start; `form` is the summary's. Names from
/// files appear as they are: show them as text, never as markup.
#[must_use]
pub fn check(lang: Lang, check: &Check, start_ns: i64, form: &str) -> String {
    let title = check_title(lang, check.kind);
    match check.verdict() {
        Verdict::NotCompared => texts::not_compared(lang, title),
        Verdict::Holds if check.kind.only_tells() => texts::none_found(lang, title, check.compared),
        Verdict::Holds => texts::holds(lang, title, check.compared),
        // A database holds the same two tables by other names.
        Verdict::Fails | Verdict::Tells if form == DATABASE => {
            let text = says(lang, check, start_ns);
            text.replace("operator_memory.csv", "OP_MEMORY").replace("memory_record.csv", "MEMORY_RECORD")
        }
        Verdict::Fails | Verdict::Tells => says(lang, check, start_ns),
    }
}

fn says(lang: Lang, check: &Check, start_ns: i64) -> String {
    let (failed, compared) = (check.failed, check.compared);
    let name = |key: &Option<PoolKey>| key.as_ref().map(pool_name).unwrap_or_default();
    let (pool, other) = (name(&check.pool), name(&check.other));
    let (pool, other) = (pool.as_str(), other.as_str());
    let time = check.first_ns.map_or_else(String::new, |time| units::relative(time, start_ns));
    let time = time.as_str();
    let sum = check.bytes.map_or_else(String::new, units::bytes);
    let sum = sum.as_str();
    let file = if check.source == Some(Source::Rows) { "operator_memory.csv" } else { "memory_record.csv" };
    // Two numbers that differ must not look the same once rounded.
    let [expected, found] = [check.expected, check.found].map(|n| n.map_or_else(String::new, units::bytes_exact));
    let (expected, found) = (expected.as_str(), found.as_str());
    match check.kind {
        CheckKind::OtherDevice if check.found == Some(0) => texts::says_other_device(lang, pool, other, compared),
        CheckKind::OtherDevice => texts::says_renamed_device(lang, pool, other, failed, compared),
        CheckKind::PoolsMixed if check.other.is_none() => texts::says_totals_mixed(lang, file, pool, failed, time),
        CheckKind::PoolsMixed => texts::says_rows_mixed(lang, pool, other, failed, compared, sum),
        CheckKind::EventsWithoutRecord if failed == compared => texts::says_strangers(lang, pool, compared),
        CheckKind::EventsWithoutRecord => texts::says_unrecorded(lang, pool, failed, compared, time),
        CheckKind::RowTotals => texts::says_row_totals(lang, pool, failed, compared, time, expected, found),
        CheckKind::BlocksWithoutRow => texts::says_without_row(lang, pool, failed, time, sum),
        CheckKind::BaselineRises if check.bytes.is_none() => texts::says_totals_do_not_fit(lang, pool, failed, time),
        CheckKind::BaselineRises => texts::says_baseline_rises(lang, pool, failed, time, sum),
        CheckKind::RowsTotal => texts::says_rows_total(lang, pool, failed, compared, time, expected, found),
        CheckKind::Peaks => texts::says_peaks(lang, pool, time, expected, found),
        CheckKind::Order => {
            texts::says_order(lang, file, pool, failed, compared, time, &format!("{found} > {expected}"))
        }
        CheckKind::Durations => {
            let [expected, found] = [check.expected, check.found].map(|n| micros(n.unwrap_or(0)));
            let row = check.first_row.map_or_else(String::new, units::count);
            texts::says_durations(lang, failed, compared, &row, &expected, &found)
        }
        CheckKind::TimesRounded => texts::says_rounded(lang, compared, &micros(check.found.unwrap_or(0))),
        CheckKind::OlderReleased => texts::says_older(lang, pool, failed, time, sum),
        CheckKind::OutsidePools => {
            let device = check.pool.as_ref().map(|key| key.device.as_str()).unwrap_or_default();
            texts::says_outside(lang, device, time, sum, expected, found)
        }
    }
}

fn pool_name(key: &PoolKey) -> String {
    format!("{} {}", key.component, key.device).trim().to_owned()
}

/// Microseconds to the nanosecond, as the tables have them: `36.730 us`.
fn micros(ns: i64) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let ns = ns.unsigned_abs();
    format!("{sign}{}.{:03} µs", units::count(ns / 1000), ns % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failing(kind: CheckKind) -> Check {
        let key = |component: &str| Some(PoolKey { component: component.to_owned(), device: "NPU:7".to_owned() });
        let mut check = Check::new(kind, key("PTA"), 4321);
        check.failed = 1234;
        check.first_ns = Some(1_000_000_123_000);
        check.first_row = Some(17);
        (check.expected, check.found, check.bytes) = (Some(123_456), Some(654_321), Some(3 << 20));
        check.other = key("GE");
        check
    }

    #[test]
    fn every_kind_speaks_both_languages_at_every_outcome() {
        for kind in CheckKind::ALL {
            let mut said = failing(*kind);
            let whole = [said.clone(), Check { failed: 0, ..said.clone() }, Check { compared: 0, ..said.clone() }];
            if *kind == CheckKind::PoolsMixed {
                said.other = None;
            }
            let variants = [said.clone(), Check { found: Some(0), ..said.clone() }, Check { failed: 4321, ..said }];
            for one in whole.iter().chain(&variants) {
                let [en, zh] = Lang::ALL.map(|lang| check(lang, one, 1_000_000_000_000, "text"));
                assert!(en.ends_with('.') && zh.ends_with('。'), "{en} {zh}");
                assert!(en != zh && !en.chars().any(|c| ('\u{2e80}'..'\u{ff61}').contains(&c)), "{en}");
                assert!(!en.contains("  ") && !en.contains("()"), "{en}");
            }
            let fails = &whole[0];
            for lang in Lang::ALL {
                let text = check(lang, fails, 1_000_000_000_000, "text");
                let tells = |what: &str| assert!(text.contains(what), "{kind:?} {what}: {text}");
                tells(".csv");
                match kind {
                    CheckKind::Peaks => tells("654,321 B"),
                    CheckKind::TimesRounded => tells("654.321"),
                    CheckKind::OutsidePools => tells("3.00 MiB"),
                    _ => tells("1,234"),
                }
            }
        }
    }

    #[test]
    fn every_text_speaks_both_languages() {
        for (name, en, zh) in texts::TEXTS {
            assert!(!en.is_empty() && zh.chars().any(|c| ('\u{2e80}'..'\u{ff61}').contains(&c)), "{name}");
        }
    }

    #[test]
    fn titles_differ() {
        for lang in Lang::ALL {
            let titles: std::collections::BTreeSet<_> =
                CheckKind::ALL.iter().map(|kind| check_title(lang, *kind)).collect();
            assert_eq!(titles.len(), CheckKind::ALL.len());
        }
    }

    #[test]
    fn gives_numbers_place_and_file() {
        let text = check(Lang::En, &failing(CheckKind::BlocksWithoutRow), 1_000_000_000_000, "text");
        let start = "memory_record.csv, PTA NPU:7: allocations without a row in operator_memory.csv: 1,234, 3.00 MiB in all, the first at +0.000123 s.";
        assert!(text.starts_with(start), "{text}");
        let text = check(Lang::En, &failing(CheckKind::BlocksWithoutRow), 0, "db");
        assert!(
            text.starts_with("MEMORY_RECORD, PTA NPU:7: ") && text.contains(" OP_MEMORY") && !text.contains(".csv")
        );
        let text = check(Lang::Zh, &failing(CheckKind::Durations), 0, "text");
        assert!(text.starts_with("operator_memory.csv，首处在第 17 行：4,321 个持有时长中有 1,234 个"), "{text}");
    }
}
