//! All ranks side by side: one row a rank folder, grouped by role and step, with what is odd marked by the engine's rule.

use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;

use super::multiples::Multiples;
use super::overview_row::{Row, columns};
use super::rank_list::{Part, parts_of};
use super::ranks::Rank;
use super::roles::RoleName;
use super::state::{Page, RankRef};
use super::wait::later;
use crate::analysis::facts::{Measure, RankFacts, by_role};
use crate::analysis::findings::{Finding, odd_ranks};
use crate::analysis::spread::Spread;
use crate::words::units::{self, Noun};
use crate::words::{self, Lang, Term, ui};

/// Rows built at once: more would hold up the page.
const ROWS_A_FRAME: usize = 6;

/// The measures that have a column.
pub const MEASURES: [Measure; 5] =
    [Measure::PeakAllocated, Measure::PeakReserved, Measure::Baseline, Measure::Growth, Measure::Blocks];

/// What the rows are ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Role, step and rank.
    Rank,
    /// A number.
    Of(Measure),
    /// Which are odd, and by how many bytes.
    Odd,
}

/// Middle and spread of each measure, by role and step.
type Middles = BTreeMap<(String, Option<u64>), Vec<(Measure, Spread)>>;

/// What the view's parts share.
#[derive(Clone, Copy)]
pub struct Overview {
    /// The page.
    pub page: Page,
    /// Column, and whether the largest come first.
    pub sort: RwSignal<(Column, bool)>,
    /// Whether roles and steps stay together.
    pub grouped: RwSignal<bool>,
    /// The numbers of every rank that was read, by rank folder.
    pub facts: Memo<Arc<BTreeMap<String, RankFacts>>>,
    /// The odd ranks, by rank folder.
    pub odd: Memo<Arc<BTreeMap<String, Finding>>>,
    /// Middle and spread of each measure, by role and step.
    pub middles: Memo<Arc<Middles>>,
    /// The largest of each column: peaks and baseline share one.
    pub most: Memo<[i64; MEASURES.len()]>,
}

impl Overview {
    fn new(page: Page) -> Overview {
        let facts = Memo::new(move |_| {
            let of_ranks = page.ranks.with(|ranks| {
                let told = ranks.iter().filter_map(|rank| Some((rank.folder.folder.clone(), rank.told.get()?)));
                told.map(|(folder, told)| (folder, told.facts.clone())).collect::<BTreeMap<_, _>>()
            });
            Arc::new(of_ranks)
        });
        let list = move || facts.with(|facts| facts.values().cloned().collect::<Vec<_>>());
        Overview {
            page,
            sort: RwSignal::new((Column::Rank, false)),
            grouped: RwSignal::new(true),
            facts,
            odd: Memo::new(move |_| {
                Arc::new(odd_ranks(&list()).into_iter().map(|odd| (odd.place.folder.clone(), odd)).collect())
            }),
            middles: Memo::new(move |_| {
                let list = list();
                let roles = by_role(&list).into_iter().map(|(role, _)| ((role.role, role.step), role.spreads));
                Arc::new(roles.collect())
            }),
            most: Memo::new(move |_| facts.with(|facts| most(facts))),
        }
    }

    /// A rank's number in a column. Tracks.
    pub fn number(self, folder: &str, measure: Measure) -> Option<i64> {
        self.facts.with(|facts| facts.get(folder)?.get(measure))
    }

    /// The ranks in the order of the rows, with the role and step they stand under. Tracks.
    fn parts(self) -> Vec<Part> {
        let (column, down) = self.sort.get();
        let mut parts = self.page.ranks.with(|ranks| parts_of(ranks));
        if !self.grouped.get() {
            let ranks = parts.into_iter().flat_map(|part| part.ranks).collect();
            parts = vec![Part { role: String::new(), step: None, ranks }];
        }
        for part in &mut parts {
            part.ranks.sort_by(|a, b| self.compare(&a.0, &b.0, column, down));
        }
        parts
    }

    /// What is not known comes last either way.
    fn compare(self, a: &Rank, b: &Rank, column: Column, down: bool) -> std::cmp::Ordering {
        let by_name = || a.sort_key().cmp(&b.sort_key());
        let number = |rank: &Rank| match column {
            Column::Rank => None,
            Column::Of(measure) => self.number(&rank.folder.folder, measure),
            Column::Odd => self.odd.with(|odd| odd.get(&rank.folder.folder).map(|odd| odd.bytes)),
        };
        match (number(a), number(b)) {
            (Some(x), Some(y)) if down => y.cmp(&x).then_with(by_name),
            (Some(x), Some(y)) => x.cmp(&y).then_with(by_name),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) if down && column == Column::Rank => by_name().reverse(),
            (None, None) => by_name(),
        }
    }
}

fn most(facts: &BTreeMap<String, RankFacts>) -> [i64; MEASURES.len()] {
    let most = |measure| facts.values().filter_map(|facts| facts.get(measure)).map(i64::saturating_abs).max();
    let of_bytes = [Measure::PeakAllocated, Measure::PeakReserved, Measure::Baseline];
    let common = of_bytes.into_iter().filter_map(most).max().unwrap_or_default();
    MEASURES.map(|measure| if of_bytes.contains(&measure) { common } else { most(measure).unwrap_or_default() })
}

/// The view.
#[component]
pub fn RunOverview(page: Page) -> impl IntoView {
    let lang = page.lang;
    let view = Overview::new(page);
    let parts = Memo::new(move |_| view.parts());
    // Rows and pictures come a few a frame.
    let built = RwSignal::new(0_usize);
    let all = Memo::new(move |_| page.ranks.with(Vec::len));
    Effect::new(move |_| {
        if built.get() < all.get() {
            later(1, move || {
                let _ = built.try_update(|built| *built += ROWS_A_FRAME);
            });
        }
    });
    let ranks = move || units::count_of(lang.get(), all.get() as u64, Noun::Rank);
    let odd = move || view.odd.with(|odd| odd.len() as u64);
    let said = move || {
        let lang = lang.get();
        match odd() {
            0 if view.middles.with(|all| all.values().all(Vec::is_empty)) => ui::overview_too_few(lang).to_owned(),
            0 => ui::odd_none(lang).to_owned(),
            odd => ui::odd_count(lang, odd),
        }
    };
    view! {
        <section class="panel overview" data-testid="overview" data-odd=move || odd().to_string()
            aria-label=move || ui::all_ranks(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::overview_title(lang.get(), &ranks())}</h2>
                <span class="odd-said" class:some=move || { odd() > 0 } role="status" data-testid="odd-said">{said}</span>
                <span class="space"></span>
                <label class="check-label">
                    <input type="checkbox" data-testid="overview-group" prop:checked=move || view.grouped.get()
                        on:change=move |event| view.grouped.set(event_target_checked(&event)) />
                    {move || ui::overview_group(lang.get())}
                </label>
                <ExactSwitch page />
            </div>
            <div class="table-scroll" tabindex="0" role="region" aria-label=move || ui::all_ranks(lang.get())>
                <table class="list overview-table" data-testid="overview-table">
                    <thead><tr>{columns(view)}</tr></thead>
                    <For
                        each=move || {
                            let grouped = view.grouped.get();
                            parts.get().into_iter().map(move |part| (grouped, part.role, part.step)).collect::<Vec<_>>()
                        }
                        key=Clone::clone
                        children=move |(grouped, role, step)| {
                            let key = (role.clone(), step);
                            let ranks = move || ranks_of(parts, built, &key);
                            view! {
                                <tbody>
                                    {grouped.then(|| view! { <PartHead view role=role.clone() step /> })}
                                    <For each=ranks key=|rank| rank.0.id children=move |rank| view! { <Row view rank grouped /> } />
                                </tbody>
                            }
                        }
                    />
                </table>
            </div>
            <p class="hint">{move || ui::overview_hint(lang.get())}</p>
        </section>
        <Multiples view parts built />
    }
}

/// The ranks of a part that are built by now. Tracks.
pub fn ranks_of(parts: Memo<Vec<Part>>, built: RwSignal<usize>, (role, step): &(String, Option<u64>)) -> Vec<RankRef> {
    let built = built.get();
    parts.with(|parts| {
        let mut before = 0;
        for part in parts {
            if part.role == *role && part.step == *step {
                return part.ranks.iter().take(built.saturating_sub(before)).cloned().collect();
            }
            before += part.ranks.len();
        }
        Vec::new()
    })
}

/// Every byte, or rounded.
#[component]
pub fn ExactSwitch(page: Page) -> impl IntoView {
    let lang = page.lang;
    view! {
        <label class="check-label" title=move || ui::tip_overview_exact(lang.get())>
            <input type="checkbox" data-testid="exact" prop:checked=move || page.looks.exact.get()
                on:change=move |event| page.looks.exact.set(event_target_checked(&event)) />
            {move || ui::overview_exact(lang.get())}
        </label>
    }
}

/// Role and step above their ranks, with the middle of each column.
#[component]
fn PartHead(view: Overview, role: String, step: Option<u64>) -> impl IntoView {
    let (page, lang) = (view.page, view.page.lang);
    let key = (role.clone(), step);
    let middle = move |measure: Measure| {
        let key = key.clone();
        let median = move || {
            let middles = view.middles.get();
            let spread = middles.get(&key)?.iter().find(|(which, _)| *which == measure)?.1;
            Some(spread.median)
        };
        let text = move || Some(number_text(page, measure, median()?));
        view! { <td class="num middle">{text}</td> }
    };
    view! {
        <tr class="part-head">
            <th scope="rowgroup">
                <span class="part-name">
                    <RoleName page role />
                    {step.map(|step| view! { <span class="step">{move || step_text(lang.get(), step)}</span> })}
                    <span class="space"></span>
                    <span class="note">{move || ui::overview_median(lang.get())}</span>
                </span>
            </th>
            {MEASURES.map(middle).collect_view()}
            <td></td>
        </tr>
    }
}

/// `Step 2`.
pub fn step_text(lang: Lang, step: u64) -> String {
    format!("{} {step}", Term::Step.text(lang))
}

/// A number of a column. Tracks.
pub fn number_text(page: Page, measure: Measure, number: i64) -> String {
    match measure {
        Measure::Blocks => units::count(number.unsigned_abs()),
        Measure::Growth if number > 0 => format!("+{}", page.bytes(number)),
        _ => page.bytes(number),
    }
}

/// The title of a column.
pub fn column_title(lang: Lang, measure: Measure) -> &'static str {
    match measure {
        Measure::PeakAllocated => ui::col_peak(lang),
        Measure::PeakReserved => ui::col_peak_reserved(lang),
        Measure::Baseline => ui::col_baseline(lang),
        Measure::Growth => ui::short_growth(lang),
        Measure::Blocks => ui::col_blocks(lang),
        Measure::Outside => words::measure(lang, measure),
    }
}
