//! Findings as sentences: what was found with its numbers, by which rule, and where to look.

use super::finding_texts as texts;
use super::units::Noun;
use super::{Lang, Term, check, problem, term, ui, units};
use crate::analysis::answer::GroupBy;
use crate::analysis::churn::{MOST_BETWEEN, MOST_BETWEEN_TURNS};
use crate::analysis::facts::Measure;
use crate::analysis::findings::{Component, Finding, FindingKind, Found, OddMeasure, PeakGroup, Where, rules};
use crate::analysis::reserved::Level;
use crate::analysis::spread::FAR_TENTHS;

/// A kind of finding in a few words, for a list.
#[must_use]
pub fn finding_title(lang: Lang, kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Peak => texts::peak(lang),
        FindingKind::Leak => texts::leak(lang),
        FindingKind::Outside => texts::outside(lang),
        FindingKind::Fragmentation => texts::fragmentation(lang),
        FindingKind::OddRank => texts::odd_rank(lang),
        FindingKind::Churn => texts::churn(lang),
        FindingKind::FileCheck => texts::file_check(lang),
        FindingKind::FileProblem => texts::file_problem(lang),
    }
}

/// The rule by which findings of a kind are made, with its thresholds.
#[must_use]
pub fn finding_rule(lang: Lang, kind: FindingKind) -> String {
    let percent = |number: i64| number.unsigned_abs();
    match kind {
        FindingKind::Peak => texts::rule_peak(lang, rules::PEAK_GROUPS as u64),
        FindingKind::Leak => {
            let (steps, percent) = (rules::LEAK_STEPS as u64, rules::LEAK_STEPS_OF_TEN as u64 * 10);
            let certain = rules::LEAK_CERTAIN_STEPS as u64;
            texts::rule_leak(lang, steps, percent, &units::bytes(rules::LEAK_LEAST_BYTES), certain)
        }
        FindingKind::Outside => {
            texts::rule_outside(lang, &units::bytes(rules::OUTSIDE_LEAST_BYTES), percent(rules::OUTSIDE_LEAST_PERCENT))
        }
        FindingKind::Fragmentation => texts::rule_fragmentation(lang, &units::bytes(rules::FRAGMENTATION_LEAST_BYTES)),
        FindingKind::OddRank => {
            let tenths = format!("{}.{}", FAR_TENTHS / 10, FAR_TENTHS % 10);
            let (bytes, blocks) = (units::bytes(rules::ODD_LEAST_BYTES), percent(rules::ODD_LEAST_BLOCKS));
            texts::rule_odd_rank(lang, &tenths, percent(rules::ODD_LEAST_PERCENT), &bytes, blocks)
        }
        FindingKind::Churn => {
            let within = units::duration(lang, rules::CHURN_WITHIN_NS);
            let (between, apart) = (MOST_BETWEEN as u64, MOST_BETWEEN_TURNS as u64);
            let bytes = units::bytes(rules::CHURN_TURNS_LEAST_BYTES);
            texts::rule_churn(lang, &within, rules::CHURN_STRETCH, between, rules::CHURN_TURNS, apart, &bytes)
        }
        FindingKind::FileCheck => texts::rule_file_check(lang).to_owned(),
        FindingKind::FileProblem => texts::rule_file_problem(lang).to_owned(),
    }
}

/// The field's word for a share of reserved memory that is not used.
#[must_use]
pub fn level(lang: Lang, level: Level) -> &'static str {
    match level {
        Level::Normal => texts::level_normal(lang),
        Level::Elevated => texts::level_elevated(lang),
        Level::Severe => texts::level_severe(lang),
    }
}

/// What ranks are compared by.
#[must_use]
pub fn measure(lang: Lang, measure: Measure) -> &'static str {
    match measure {
        Measure::PeakAllocated => texts::measure_peak_allocated(lang),
        Measure::PeakReserved => texts::measure_peak_reserved(lang),
        Measure::Baseline => texts::measure_baseline(lang),
        Measure::Growth => texts::measure_growth(lang),
        Measure::Outside => texts::measure_outside(lang),
        Measure::Blocks => texts::measure_blocks(lang),
    }
}

/// A group's name for people; `None`: without an asserted call stack.
#[must_use]
pub fn group_key(lang: Lang, by: GroupBy, key: Option<&str>) -> &str {
    match (key, by) {
        (None, _) => ui::group_without_stack(lang),
        (Some(""), GroupBy::UserFrame) => ui::group_without_user_frame(lang),
        (Some(""), GroupBy::Module) => ui::group_without_module(lang),
        (Some(""), _) => ui::group_unnamed(lang),
        (Some(key), _) => key,
    }
}

/// Which recording: `actor_update rank 3 step 2`; without a rank its folder.
#[must_use]
pub fn rank_name(lang: Lang, role: &str, rank: Option<u64>, step: Option<u64>, folder: &str) -> String {
    let mut out = match rank {
        Some(rank) => format!("{role} {} {rank}", term(lang, Term::Rank)),
        None => folder.to_owned(),
    };
    if let Some(step) = step {
        out.push_str(&format!(" {} {step}", term(lang, Term::Step)));
    }
    out
}

/// Which rank, and when: `actor_update rank 3, +1.234 s`.
#[must_use]
pub fn finding_place(lang: Lang, place: &Where) -> String {
    let mut out = rank_name(lang, &place.role, place.rank, place.step, &place.folder);
    if let Some(time) = place.time_ns {
        out.push_str(lang.pick(", ", "，"));
        out.push_str(&time_of(place, time));
    }
    out
}

fn time_of(place: &Where, time_ns: i64) -> String {
    units::relative(time_ns, place.start_ns.unwrap_or(0))
}

/// A finding in whole sentences. Names from files appear as they are: show them as text, never as markup.
#[must_use]
pub fn finding(lang: Lang, finding: &Finding) -> String {
    let mut sentences = says(lang, finding);
    let also = finding.also.len() as u64;
    match finding.kind() {
        _ if also == 0 => {}
        FindingKind::Peak => sentences.push(texts::also_peak(lang, also)),
        _ => sentences.push(texts::also(lang, also)),
    }
    sentences.join(lang.pick(" ", ""))
}

fn says(lang: Lang, finding: &Finding) -> Vec<String> {
    let place = &finding.place;
    let time = |time: Option<i64>| time.map_or_else(String::new, |time| time_of(place, time));
    let remainder = |bytes: i64, text: fn(Lang, &str) -> String| (bytes > 0).then(|| text(lang, &units::bytes(bytes)));
    match &finding.found {
        Found::Peak(peak) => {
            let (total, baseline) = (units::bytes(peak.total_bytes), units::bytes(peak.baseline_bytes));
            let when = place.time_ns.map_or_else(|| texts::time_lost(lang).to_owned(), |time| time_of(place, time));
            if peak.groups.is_empty() {
                return vec![texts::says_peak_without_groups(lang, &total, &when, &baseline)];
            }
            let named = |group: &PeakGroup| {
                format!("{} {}", group_key(lang, peak.by, Some(&group.key)), units::bytes(group.bytes))
            };
            let groups = list(lang, peak.groups.iter().map(named));
            let live = units::bytes(peak.live_bytes);
            let sentence = texts::says_peak(lang, &total, &when, &live, &baseline, term(lang, peak.by), &groups);
            [Some(sentence), remainder(peak.uncertain_bytes, texts::peak_uncertain)].into_iter().flatten().collect()
        }
        Found::Leak(leak) => {
            let [least, most] = [leak.least_bytes, leak.most_bytes].map(units::bytes);
            let each = if leak.least_bytes == leak.most_bytes { least } else { format!("{least} – {most}") };
            let line = line_of(lang, &leak.user_frame, &leak.operator);
            let blocks = units::count_of(lang, leak.blocks, Noun::Block);
            let bytes = units::bytes(leak.bytes);
            let sentence = texts::says_leak(lang, &line, &bytes, &each, leak.steps, leak.of_steps, &blocks);
            let alike = (leak.alike_steps > 0).then(|| texts::leak_alike(lang, leak.alike_steps));
            let rest = remainder(leak.uncertain_bytes, texts::leak_uncertain);
            [Some(sentence), alike, rest].into_iter().flatten().collect()
        }
        Found::Outside(outside) => {
            let [bytes, process, pools] = [outside.bytes, outside.process_bytes, outside.pools_bytes].map(units::bytes);
            let mut out = vec![texts::says_outside(lang, &bytes, &time(place.time_ns), &process, &pools)];
            if !outside.components.is_empty() {
                let named = |component: &Component| format!("{} {}", component.name, units::bytes(component.bytes));
                out.push(texts::outside_components(lang, &list(lang, outside.components.iter().map(named))));
            }
            out
        }
        Found::Fragmentation(found) => {
            let largest = &found.largest;
            let trigger = largest.trigger.as_ref();
            let size = trigger.map_or(0, |trigger| trigger.size_bytes);
            let [bytes, grown, size, free] = [found.bytes, largest.bytes, size, largest.free_bytes].map(units::bytes);
            let operator = trigger.map_or("", |trigger| trigger.operator.as_str());
            let when = time(Some(largest.time_ns));
            let [used, reserved] = [found.used_bytes, found.reserved_bytes].map(units::bytes);
            let share = units::share(found.unused_bytes, found.reserved_bytes);
            vec![
                texts::says_fragmentation(lang, &bytes, found.growths),
                texts::fragmentation_largest(lang, &when, &grown, &size, operator, &free),
                texts::fragmentation_share(lang, &used, &reserved, &share, level(lang, found.level)),
            ]
        }
        Found::OddRank(odd) => {
            let measures = list(lang, odd.measures.iter().map(|odd| odd_measure(lang, odd)));
            vec![texts::says_odd_rank(lang, &measures, odd.ranks)]
        }
        Found::Churn(churn) => {
            let line = line_of(lang, &churn.user_frame, &churn.operator);
            let (blocks, bytes) = (units::count_of(lang, churn.blocks, Noun::Block), units::bytes(churn.bytes));
            let within = units::duration(lang, rules::CHURN_WITHIN_NS);
            let turns = (churn.turns >= rules::CHURN_TURNS).then(|| texts::churn_turns(lang, churn.turns));
            let sentence = texts::says_churn(lang, &line, &blocks, &bytes, &within, churn.stretch);
            [Some(sentence), turns].into_iter().flatten().collect()
        }
        Found::FileCheck(found) => vec![check(lang, found, place.start_ns.unwrap_or(0), &place.form)],
        Found::FileProblem(found) => vec![problem(lang, found)],
    }
}

/// A line of the user's code, and the operator it called.
fn line_of(lang: Lang, user_frame: &str, operator: &str) -> String {
    texts::line_of(lang, group_key(lang, GroupBy::UserFrame, Some(user_frame)), operator)
}

fn odd_measure(lang: Lang, odd: &OddMeasure) -> String {
    let number = |number: i64| match odd.measure {
        Measure::Blocks => units::count(number.unsigned_abs()),
        _ => units::bytes(number),
    };
    let off = odd.value.saturating_sub(odd.median);
    let off = match odd.measure {
        Measure::Blocks => format!("{}{}", if off < 0 { "-" } else { "+" }, units::count(off.unsigned_abs())),
        _ => units::bytes_change(off),
    };
    texts::odd_measure(lang, measure(lang, odd.measure), &number(odd.value), &number(odd.median), &off)
}

/// Several things, one after the other.
#[must_use]
pub fn list(lang: Lang, items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(lang.pick("; ", "；"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::findings::{LeakFound, OddRankFound, PeakFound};

    fn at(found: Found) -> Finding {
        let place = Where {
            folder: "run/a_ascend_pt".to_owned(),
            role: "actor".to_owned(),
            rank: Some(3),
            step: None,
            form: "text".to_owned(),
            start_ns: Some(1_000_000_000),
            pool: None,
            time_ns: Some(2_500_000_000),
            group: None,
        };
        Finding { found, bytes: 0, place, also: vec!["run/b_ascend_pt".to_owned()] }
    }

    #[test]
    fn every_kind_has_a_title_and_a_rule() {
        for lang in Lang::ALL {
            let mut titles = std::collections::BTreeSet::new();
            for kind in FindingKind::ALL {
                assert!(titles.insert(finding_title(lang, *kind)), "{kind:?}");
                assert!(finding_rule(lang, *kind).ends_with(lang.pick('.', '。')), "{kind:?}");
            }
        }
        assert!(finding_rule(Lang::En, FindingKind::OddRank).contains("3.5 robust"));
        assert!(finding_rule(Lang::Zh, FindingKind::Leak).contains("1.00 MiB"));
    }

    #[test]
    fn sentences_hold_the_numbers() {
        let leak = at(Found::Leak(LeakFound {
            stack: "a.py(1): f".to_owned(),
            user_frame: "a.py(1): f".to_owned(),
            operator: "aten::clone".to_owned(),
            bytes: 120 << 20,
            blocks: 3,
            steps: 3,
            of_steps: 3,
            alike_steps: 0,
            least_bytes: 40 << 20,
            most_bytes: 40 << 20,
            uncertain_bytes: 512,
        }));
        assert_eq!(
            finding(Lang::En, &leak),
            "a.py(1): f (aten::clone) left 120.00 MiB behind, 40.00 MiB a step in 3 of 3 steps: 3 blocks, never released. \
             512 B more stayed from the steps without a certain call stack. The same on other ranks: 1."
        );
        assert!(finding(Lang::Zh, &leak).contains("每步遗留 40.00 MiB"));
        assert_eq!(finding_place(Lang::En, &leak.place), "actor rank 3, +1.500 s");
        let peak = at(Found::Peak(PeakFound {
            total_bytes: 3 << 30,
            live_bytes: 2 << 30,
            baseline_bytes: 1 << 30,
            by: GroupBy::UserFrame,
            groups: vec![PeakGroup { key: String::new(), bytes: 1 << 30 }],
            uncertain_bytes: 0,
        }));
        assert!(finding(Lang::En, &peak).contains("Largest by user frame: Library code only 1.00 GiB. The peaks"));
        let measure = OddMeasure { measure: Measure::Blocks, value: 50, median: 300, deviation: 0, floor: 100 };
        let odd = at(Found::OddRank(OddRankFound { measures: vec![measure], ranks: 4 }));
        assert!(finding(Lang::En, &odd).contains("blocks 50, median 300 (-250)"));
    }
}
