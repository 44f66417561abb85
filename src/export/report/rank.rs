//! One rank of a report: its curves, who holds the memory at the peak, and what is to be said of its files.

use std::collections::BTreeSet;

use super::OfRank;
use super::hide::Names;
use super::html::Html;
use crate::analysis::answer::{ByMatch, Extreme, GroupBy, PoolKey, Quantity, Timeline};
use crate::analysis::breakdown::Breakdown;
use crate::analysis::check::Verdict;
use crate::chart::svg;
use crate::chart::theme::{Theme, css};
use crate::chart::timeline::{PeakMark, TimeMark, TimelineView};
use crate::words::{self, Lang, answers, report as texts, term, ui, units};

/// Sizes of the pictures of the pools and of the process, px; they scale with the page.
const POOLS: (u32, u32) = (1040, 270);
/// See [`POOLS`].
const PROCESS: (u32, u32) = (1040, 150);
/// Components of the driver told.
const COMPONENTS: usize = 8;

pub(super) fn section(html: &mut Html, names: &mut Names<'_>, at: usize, rank: &OfRank) {
    let summary = &rank.summary;
    let name = names.rank(&summary.role, summary.rank, summary.step, &summary.folder);
    html.raw(&format!("<section class=rank id=rank-{at}>")).element("h2", &name);
    if names.with_stacks {
        html.element("p class=quiet", &summary.folder);
    }
    curves(html, names.lang, rank);
    facts(html, names.lang, rank);
    for (by, breakdown) in &rank.groups {
        groups(html, names, *by, breakdown);
    }
    components(html, names, rank);
    files(html, names, rank);
    html.raw("</section>\n");
}

/// The framework's pool, and what the graph engine holds: what most questions are about.
fn is_of_pools(pool: &PoolKey, quantity: Quantity) -> bool {
    match pool.component.as_str() {
        "PTA" | "TorchNPU" | "MindSpore" => quantity != Quantity::Outside,
        "GE" => quantity == Quantity::Reserved,
        _ => false,
    }
}

/// The process and what it holds beside its pools: often so much more that the pools' curves would lie flat beside it.
fn is_of_process(pool: &PoolKey, _: Quantity) -> bool {
    pool.component == "APP"
}

fn curves(html: &mut Html, lang: Lang, rank: &OfRank) {
    picture(html, lang, rank, POOLS, is_of_pools);
    picture(html, lang, rank, PROCESS, is_of_process);
}

fn picture(html: &mut Html, lang: Lang, rank: &OfRank, size: (u32, u32), is_shown: fn(&PoolKey, Quantity) -> bool) {
    let timeline: &Timeline = &rank.timeline;
    let keys = timeline.series.iter().map(|series| (&series.pool, series.quantity));
    let shown = keys.clone().filter(|(pool, quantity)| is_shown(pool, *quantity));
    if shown.clone().next().is_none() {
        return;
    }
    let hidden = keys.clone().filter(|(pool, quantity)| !is_shown(pool, *quantity));
    let mut view = TimelineView::of(timeline);
    view.hidden = hidden.map(|(pool, quantity)| (pool.clone(), quantity)).collect::<BTreeSet<_>>();
    view.line_px = 1.5;
    if size == POOLS {
        view.peak = rank.facts.peak.filter(|_| !rank.summary.times_lost).map(|peak| PeakMark {
            time_ns: peak.time_ns,
            bytes: peak.bytes,
            label: ui::peak_label(lang, &units::bytes(peak.bytes)),
        });
        let steps = rank.steps.iter();
        view.marks =
            steps.map(|step| TimeMark { time_ns: step.start_ns, label: ui::step_mark(lang, step.number) }).collect();
    }
    html.raw("<figure>").raw(&svg::timeline(timeline, &view, size)).raw("<figcaption>");
    let several = keys.clone().any(|(pool, _)| keys.clone().any(|(other, _)| other.device != pool.device));
    for (pool, quantity) in shown {
        let style = Theme::light().curve(pool, quantity);
        let dash = if style.dash > 0 { " stroke-dasharray=\"4 3\"" } else { "" };
        // As the picture's own colours are written, so that the same rules make them dark.
        let color = css(style.color).to_uppercase();
        html.raw(&format!(
            "<span class=key><svg width=18 height=8 aria-hidden=true><line x1=0 y1=4 x2=18 y2=4 stroke=\"{color}\" stroke-width=3{dash} /></svg>"
        ));
        html.text(&words::curve_name(lang, pool, quantity));
        if several {
            html.text(" ").text(&pool.device);
        }
        html.raw("</span>");
    }
    if size == POOLS {
        html.element("span class=quiet", texts::time_since_start(lang));
    }
    html.raw("</figcaption></figure>\n");
}

fn facts(html: &mut Html, lang: Lang, rank: &OfRank) {
    html.raw("<dl class=facts>");
    let mut fact = |name: &str, value: String| {
        html.raw("<div>").element("dt", name).element("dd", &value).raw("</div>");
    };
    let start = rank.summary.window_ns.map_or(0, |[from, _]| from);
    let at_its_time = |peak: Extreme| match rank.summary.times_lost {
        true => units::bytes(peak.bytes),
        false => format!("{} · {}", units::bytes(peak.bytes), units::relative(peak.time_ns, start)),
    };
    if let Some(peak) = rank.facts.peak {
        fact(ui::col_peak(lang), at_its_time(peak));
    }
    if let Some(peak) = rank.summary.peak.and_then(|peaks| peaks.reserved) {
        fact(ui::col_peak_reserved(lang), at_its_time(peak));
    }
    if let Some(held) = rank.reserved.as_ref().and_then(|reserved| reserved.at_peak) {
        let share = units::share(held.unused_bytes, held.reserved_bytes);
        let value = format!("{} · {share}, {}", units::bytes(held.unused_bytes), words::level(lang, held.level));
        fact(texts::card_unused(lang), value);
    }
    let blocks = &rank.summary.blocks;
    if blocks.total > 0 {
        fact(ui::panel_blocks(lang), units::count(blocks.total));
    }
    html.raw("</dl>\n");
}

/// A share as a bar: known in full colour, the rest lighter.
fn bar(html: &mut Html, bytes: i64, by_match: Option<&ByMatch>, whole: i64) {
    let tenths = |part: i64| (part.max(0) as f64 / whole.max(1) as f64 * 1000.0).clamp(0.0, 1000.0).round();
    let known = by_match.map_or(bytes, ByMatch::certain);
    html.raw("<td class=bar><svg viewBox=\"0 0 1000 10\" preserveAspectRatio=none aria-hidden=true>");
    html.raw(&format!("<rect class=rest width={} height=10 />", tenths(bytes)));
    html.raw(&format!("<rect class=known width={} height=10 /></svg></td>", tenths(known)));
}

fn groups(html: &mut Html, names: &mut Names<'_>, by: GroupBy, breakdown: &Breakdown) {
    let (lang, top) = (names.lang, &breakdown.top);
    if top.groups.is_empty() {
        return;
    }
    let whole = breakdown.beside.and_then(|beside| beside.recorded_bytes).unwrap_or(top.total_bytes);
    let title = format!("{}{}{}", texts::largest_at_peak(lang), lang.pick(", ", "，"), texts::by(lang, term(lang, by)));
    html.element("h3", &title).raw("<div class=scroll><table class=groups><thead><tr>");
    html.element("th class=n", answers::col_bytes(lang))
        .element("th class=n", answers::col_share(lang))
        .raw("<th></th>");
    html.element("th class=n", answers::col_blocks(lang));
    if by.rests_on_match() {
        html.element("th class=n", answers::col_known(lang));
    }
    html.element("th class=w", term(lang, by)).raw("</tr></thead><tbody>\n");
    let row =
        |html: &mut Html, bytes: i64, blocks: Option<u64>, by_match: Option<&ByMatch>, name: &str, class: &str| {
            html.raw("<tr class=").raw(class).raw(">").number(&units::bytes(bytes)).number(&units::share(bytes, whole));
            bar(html, bytes, by_match, whole);
            html.number(&blocks.map_or_else(|| "–".to_owned(), units::count));
            if by.rests_on_match() {
                let known = by_match.map(|by_match| units::share(by_match.certain(), bytes));
                html.number(known.as_deref().unwrap_or("–"));
            }
            html.element("td class=w", name).raw("</tr>\n");
        };
    for group in &top.groups {
        let name = names.group(by, group.key.as_deref());
        let by_match = Some(&group.by_match).filter(|_| by.rests_on_match());
        row(html, group.bytes, Some(group.blocks), by_match, &name, "group");
    }
    let others = top.group_count.saturating_sub(top.groups.len() as u64);
    if others > 0 {
        let shown = top.groups.iter().map(|group| group.bytes).fold(0, i64::saturating_add);
        let blocks = top.total_blocks.saturating_sub(top.groups.iter().map(|group| group.blocks).sum());
        row(
            html,
            top.total_bytes.saturating_sub(shown),
            Some(blocks),
            None,
            &answers::other_groups(lang, others),
            "more",
        );
    }
    if let Some(beside) = &breakdown.beside {
        for (bytes, name) in words::beside_rows(lang, beside).into_iter().filter(|(bytes, _)| *bytes != 0) {
            row(html, bytes, None, None, name, "more");
        }
        if let Some(recorded) = beside.recorded_bytes {
            row(html, recorded, None, None, answers::recorded(lang), "sum");
        }
    }
    html.raw("</tbody></table></div>\n");
}

fn components(html: &mut Html, names: &Names<'_>, rank: &OfRank) {
    let modules = &rank.summary.module_memory;
    if modules.is_empty() {
        return;
    }
    html.element("h3", texts::components(names.lang)).raw("<ul class=components>");
    for module in modules.iter().take(COMPONENTS) {
        let name = names.plain(&module.component);
        html.raw("<li>").element("b", &units::bytes(module.peak.bytes)).text(" ").text(&name).raw("</li>");
    }
    html.raw("</ul>\n");
}

fn files(html: &mut Html, names: &Names<'_>, rank: &OfRank) {
    let (lang, summary) = (names.lang, &rank.summary);
    let start = summary.window_ns.map_or(0, |[from, _]| from);
    let failing: Vec<String> = summary
        .checks
        .iter()
        .filter(|check| check.verdict() == Verdict::Fails)
        .map(|check| words::check(lang, check, start, &summary.form))
        .collect();
    let problem = |problem: &crate::problem::Problem| match names.with_stacks {
        true => words::problem(lang, problem),
        false => texts::problem_count(lang, words::problem_title(lang, problem.kind), problem.count),
    };
    let notes: Vec<String> = failing.into_iter().chain(summary.problems.iter().map(problem)).collect();
    html.element("h3", texts::file_notes(lang));
    if notes.is_empty() {
        let held = summary.checks.iter().filter(|check| matches!(check.verdict(), Verdict::Holds | Verdict::Tells));
        html.element("p class=quiet", &texts::all_sound(lang, held.count() as u64));
        return;
    }
    html.raw("<ul>");
    for note in notes {
        html.element("li", &note);
    }
    html.raw("</ul>\n");
}
