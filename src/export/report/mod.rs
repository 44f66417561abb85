//! The report: one HTML file with findings, curves and tables, to be read by a browser, printed or sent. Made of answers alone.
//!
//! It loads and runs nothing: its Content-Security-Policy allows its own style and pictures in its own text. Whatever comes from
//! files passes through [`html::Html::text`], and call stacks and paths are in it only where asked for.

mod hide;
mod html;
mod rank;
mod ranks;

use serde::{Deserialize, Serialize};

use self::hide::Names;
use self::html::Html;
use crate::analysis::answer::{Summary, Timeline};
use crate::analysis::breakdown::Breakdown;
use crate::analysis::facts::RankFacts;
use crate::analysis::findings::{Finding, FindingKind, Found, findings};
use crate::analysis::reserved::Reserved;
use crate::analysis::steps::StepSpan;
use crate::chart::svg;
use crate::words::{self, Lang, report as texts, units};

/// Pixel columns the curves of a report are asked for.
pub const COLUMNS: u32 = 600;
/// Groups of a table.
pub const GROUPS: usize = 12;

const STYLE: &str = include_str!("style.css");

/// Nothing is loaded but what stands in the file; no script at all.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// What a report tells of one rank folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfRank {
    /// The rank in numbers.
    pub summary: Summary,
    /// Those it is compared by.
    pub facts: RankFacts,
    /// What it proves alone.
    pub findings: Vec<Finding>,
    /// Curves over the window, for [`COLUMNS`].
    pub timeline: Timeline,
    /// Its steps by start.
    pub steps: Vec<StepSpan>,
    /// Who holds the memory at the peak, by operator and by user frame, [`GROUPS`] each; none without a peak.
    pub groups: Vec<(crate::analysis::answer::GroupBy, Breakdown)>,
    /// Reserved memory over the window.
    pub reserved: Option<Reserved>,
}

/// How a report is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// Its language.
    pub lang: Lang,
    /// With call stacks, and paths of files and folders.
    pub with_stacks: bool,
    /// When it is made, as text.
    pub when: String,
}

/// The whole file.
pub fn report(ranks: &[OfRank], style: &Style) -> String {
    let lang = style.lang;
    let facts: Vec<RankFacts> = ranks.iter().map(|rank| rank.facts.clone()).collect();
    let found = findings(ranks.iter().map(|rank| rank.findings.clone()), &facts);
    let folders = ranks.iter().map(|rank| rank.summary.folder.as_str()).collect();
    let mut names = Names::new(lang, style.with_stacks, folders);
    let mut html = Html::default();
    head(&mut html, lang);
    html.raw("<body><main>");
    heading(&mut html, ranks, style);
    ranks::cards(&mut html, &mut names, ranks);
    say_findings(&mut html, &mut names, &found);
    ranks::table(&mut html, &names, &facts, &found);
    for (at, rank) in ranks.iter().enumerate() {
        rank::section(&mut html, &mut names, at, rank);
    }
    rules(&mut html, lang);
    html.raw("</main></body></html>\n");
    html.finish()
}

fn head(html: &mut Html, lang: Lang) {
    html.raw("<!doctype html>\n<html lang=").raw(lang.pick("en", "zh-CN")).raw("><head><meta charset=utf-8>");
    html.raw("<meta http-equiv=Content-Security-Policy content=\"").raw(POLICY).raw("\">");
    html.raw("<meta name=viewport content=\"width=device-width\"><meta name=referrer content=no-referrer>");
    html.raw("<meta name=color-scheme content=\"light dark\">").element("title", &title(lang)).raw("<style>");
    html.raw(STYLE).raw("@media screen and (prefers-color-scheme:dark){").raw(&svg::dark_rules("figure svg"));
    html.raw("}</style></head>\n");
}

fn title(lang: Lang) -> String {
    format!("Memlens · {}", texts::title(lang))
}

fn heading(html: &mut Html, ranks: &[OfRank], style: &Style) {
    let lang = style.lang;
    let roles: std::collections::BTreeSet<&str> = ranks.iter().map(|rank| rank.summary.role.as_str()).collect();
    let read = texts::ranks_read(lang, ranks.len() as u64, roles.len() as u64);
    let made = texts::made(lang, env!("CARGO_PKG_VERSION"), &style.when);
    html.raw("<header>").element("h1", &title(lang)).element("p class=quiet", &format!("{read} · {made}"));
    let note = if style.with_stacks { texts::has_stacks(lang) } else { texts::left_out(lang) };
    html.element("p class=quiet", note).raw("</header>\n");
}

fn say_findings(html: &mut Html, names: &mut Names<'_>, found: &[Finding]) {
    let lang = names.lang;
    html.raw("<section id=findings>").element("h2", texts::findings(lang)).raw("<ol class=findings>");
    for finding in found {
        let stack = match &finding.found {
            Found::Leak(leak) => leak.stack.as_str(),
            Found::Churn(churn) => churn.stack.as_str(),
            _ => "",
        };
        let told = names.finding(finding);
        let place = &finding.place;
        let mut where_to_look = names.rank(&place.role, place.rank, place.step, &place.folder);
        if let Some(time) = place.time_ns {
            let time = units::relative(time, place.start_ns.unwrap_or(0));
            where_to_look = format!("{where_to_look}{}{time}", lang.pick(", ", "，"));
        }
        let sentence = match &finding.found {
            Found::FileProblem(problem) if !names.with_stacks => {
                texts::problem_count(lang, words::problem_title(lang, problem.kind), problem.count)
            }
            _ => words::finding(lang, &told),
        };
        html.raw("<li class=\"finding ").raw(finding.kind().name()).raw("\">");
        html.element("div class=amount", &if finding.bytes > 0 { units::bytes(finding.bytes) } else { String::new() });
        html.raw("<div><h3>").text(words::finding_title(lang, finding.kind())).raw(" ");
        html.element("span class=where", &where_to_look).raw("</h3>").element("p", &sentence);
        if names.with_stacks && !stack.is_empty() {
            html.raw("<details><summary>").text(texts::full_stack(lang)).raw("</summary>");
            html.element("pre", &stack.replace(";\r\n", "\n")).raw("</details>");
        }
        html.raw("</div></li>\n");
    }
    html.raw("</ol>");
    if found.iter().all(|finding| finding.kind() == FindingKind::Peak) {
        html.element("p class=quiet", texts::only_peaks(lang));
    }
    html.raw("</section>\n");
}

fn rules(html: &mut Html, lang: Lang) {
    html.raw("<section id=rules>").element("h2", texts::rules(lang)).raw("<dl class=rules>");
    for kind in FindingKind::ALL {
        html.element("dt", words::finding_title(lang, *kind)).element("dd", &words::finding_rule(lang, *kind));
    }
    html.raw("</dl></section>\n");
}
