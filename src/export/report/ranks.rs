//! All ranks of a report at a glance: the largest numbers, and the table of ranks beside their role's middle.

use super::OfRank;
use super::hide::Names;
use super::html::Html;
use crate::analysis::facts::{Measure, RankFacts, RoleFacts, by_role};
use crate::analysis::findings::{Finding, Found};
use crate::words::{self, Lang, report as texts, ui, units};

/// The largest of each kind over all ranks, and where it is.
pub(super) fn cards(html: &mut Html, names: &mut Names<'_>, ranks: &[OfRank]) {
    let lang = names.lang;
    let highest = |measure: Measure| {
        let of = ranks.iter().filter_map(|rank| Some((rank.facts.get(measure)?, rank)));
        of.max_by_key(|(bytes, rank)| (*bytes, std::cmp::Reverse(&rank.summary.folder)))
    };
    let unused = ranks.iter().filter_map(|rank| Some((rank.reserved.as_ref()?.at_peak?, rank)));
    let unused = unused.max_by_key(|(held, rank)| (held.unused_bytes, std::cmp::Reverse(&rank.summary.folder)));
    html.raw("<section class=cards>");
    let mut card = |title: &str, told: Option<(i64, &OfRank)>, more: &str| {
        let Some((bytes, rank)) = told else { return };
        let summary = &rank.summary;
        let place = names.rank(&summary.role, summary.rank, summary.step, &summary.folder);
        html.raw("<div class=card>").element("h2", title).element("div class=big", &units::bytes(bytes));
        let more = if more.is_empty() { place } else { format!("{more} · {place}") };
        html.element("div class=quiet", &more).raw("</div>");
    };
    card(texts::card_peak(lang), highest(Measure::PeakAllocated), "");
    card(texts::card_reserved(lang), highest(Measure::PeakReserved), "");
    if let Some((held, rank)) = unused {
        let share = units::share(held.unused_bytes, held.reserved_bytes);
        let more = format!("{share}, {}", words::level(lang, held.level));
        card(texts::card_unused(lang), Some((held.unused_bytes, rank)), &more);
    }
    card(texts::card_outside(lang), highest(Measure::Outside), "");
    html.raw("</section>\n");
}

/// One row a rank, and the middle of each role.
pub(super) fn table(html: &mut Html, names: &Names<'_>, facts: &[RankFacts], found: &[Finding]) {
    let lang = names.lang;
    html.raw("<section id=ranks>").element("h2", ui::panel_ranks(lang)).raw("<div class=scroll><table><thead><tr>");
    html.element("th", texts::col_rank(lang));
    for measure in Measure::ALL {
        html.element("th class=n", words::measure(lang, *measure));
    }
    html.raw("</tr></thead>\n");
    for (role, ranks) in by_role(facts) {
        html.raw("<tbody>");
        for rank in ranks {
            let at = facts.iter().position(|one| std::ptr::eq(one, rank)).unwrap_or(0);
            let name = names.rank(&rank.role, rank.rank, rank.step, &rank.folder);
            html.raw(&format!("<tr><td><a href=#rank-{at}>")).text(&name).raw("</a></td>");
            for measure in Measure::ALL {
                cell(html, *measure, rank.get(*measure), odd(found, rank, *measure));
            }
            html.raw("</tr>\n");
        }
        middle(html, lang, &role);
        html.raw("</tbody>");
    }
    html.raw("</table></div></section>\n");
}

/// How a rank's measure compares with its role's median, if it is odd.
fn odd(found: &[Finding], rank: &RankFacts, measure: Measure) -> Option<std::cmp::Ordering> {
    let of_rank = found.iter().filter(|finding| finding.place.folder == rank.folder);
    let measures = of_rank.filter_map(|finding| match &finding.found {
        Found::OddRank(odd) => odd.measures.iter().find(|odd| odd.measure == measure),
        _ => None,
    });
    measures.map(|odd| odd.value.cmp(&odd.median)).next()
}

fn cell(html: &mut Html, measure: Measure, value: Option<i64>, odd: Option<std::cmp::Ordering>) {
    let text = value.map_or_else(|| "–".to_owned(), |value| number(measure, value));
    match odd {
        Some(std::cmp::Ordering::Greater) => html.element("td class=\"n odd\"", &format!("▲ {text}")),
        Some(_) => html.element("td class=\"n odd\"", &format!("▼ {text}")),
        None => html.number(&text),
    };
}

fn middle(html: &mut Html, lang: Lang, role: &RoleFacts) {
    if role.spreads.is_empty() {
        return;
    }
    html.raw("<tr class=middle>").element("td", &texts::median(lang, role.ranks));
    for measure in Measure::ALL {
        let spread = role.spreads.iter().find(|(which, _)| which == measure);
        cell(html, *measure, spread.map(|(_, spread)| spread.median), None);
    }
    html.raw("</tr>");
}

fn number(measure: Measure, value: i64) -> String {
    match measure {
        Measure::Blocks => units::count(u64::try_from(value).unwrap_or(0)),
        Measure::Growth => units::bytes_change(value),
        _ => units::bytes(value),
    }
}
