//! A second rank under the timeline of the one shown: which, how its times lie on the other's, and its curves.

use std::sync::Arc;

use leptos::prelude::*;

use super::curves::unpack_curves;
use super::follow::follow;
use super::laid::moved;
use super::messages::{Answer, Question};
use super::overview::step_text;
use super::rank_list::rank_title;
use super::ranks::{Rank, RankState};
use super::state::Page;
use crate::analysis::align::{AlignedBy, same_time};
use crate::analysis::answer::{Quantity, Series, Timeline};
use crate::analysis::steps::StepSpan;
use crate::screen::range::whole;
use crate::words::{Lang, ui, units};

/// What is drawn of the second rank: the framework pool's totals.
const QUANTITIES: [Quantity; 3] = [Quantity::Allocated, Quantity::Active, Quantity::Reserved];

/// How a second rank lies under the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// By what.
    pub by: AlignedBy,
    /// Of two times that are one, that of the rank shown, ns.
    pub same_ns: i64,
    /// Added to the second rank's times, ns.
    pub shift_ns: i64,
}

impl Page {
    /// The second rank, if one is chosen that was read and is not the one shown. Tracks.
    pub fn under_rank(self) -> Option<Arc<Rank>> {
        let id = self.looks.under.get()?;
        if self.selected.get() == Some(id) {
            return None;
        }
        self.ranks
            .with(|ranks| ranks.iter().find(|rank| rank.id == id).cloned())
            .filter(|r| r.whole.with(Option::is_some))
    }

    /// How it lies under the rank shown. Tracks.
    pub fn under_placed(self) -> Option<Placed> {
        let (rank, under) = (self.current.get()?.0, self.under_rank()?);
        let side = |rank: &Rank| -> Option<(Arc<Vec<StepSpan>>, [i64; 2])> {
            Some((rank.spans.get(), rank.summary.get()?.window_ns?))
        };
        let ((a, a_window), (b, b_window)) = (side(&rank)?, side(&under)?);
        let (by, [same_ns, other_ns]) = same_time((&a, a_window), (&b, b_window));
        Some(Placed { by, same_ns, shift_ns: same_ns.saturating_sub(other_ns) })
    }

    /// Its curves, on the times of the rank shown and drawn like that rank's. Tracks.
    pub fn under_series(self, curves: &Timeline, answered: RwSignal<Option<(u32, Arc<Timeline>)>>) -> Vec<Series> {
        let (Some(rank), Some(placed)) = (self.under_rank(), self.under_placed()) else { return Vec::new() };
        let Some(pool) = curves.series.first().map(|series| series.pool.clone()) else { return Vec::new() };
        let own = answered.get().filter(|(id, _)| *id == rank.id).map(|(_, timeline)| timeline);
        let Some(timeline) = own.or_else(|| rank.whole.get()) else { return Vec::new() };
        let mut series = moved(&timeline, &QUANTITIES, placed.shift_ns);
        for series in &mut series {
            series.pool = pool.clone();
        }
        series.retain(|series| !self.is_hidden(&(series.pool.clone(), series.quantity)));
        series
    }

    /// Asks its worker for the stretch that is shown, if that answers; else what is kept of it is drawn.
    pub fn ask_for_under(self, columns: impl Fn() -> u32 + 'static, answered: RwSignal<Option<(u32, Arc<Timeline>)>>) {
        let question = move || {
            let (rank, placed) = (self.under_rank()?, self.under_placed()?);
            if rank.state.get() != RankState::Ready {
                return None;
            }
            let (first, last) = whole(self.summary.get()?.window_ns?);
            let (start, end) = self.range.get().unwrap_or((first, last));
            let [start_ns, end_ns] = [start, end].map(|time| time.saturating_sub(placed.shift_ns));
            let columns = columns();
            (columns > 0).then_some((rank, Question::Timeline { start_ns, end_ns, columns }))
        };
        follow(self.pool, question, move |rank, (answer, data)| {
            let Answer::Timeline(curves) = answer else { return };
            if let Some(timeline) = unpack_curves(curves, &data) {
                // The panel may be gone by then.
                let _ = answered.try_set(Some((rank.id, Arc::new(timeline))));
            }
        });
    }
}

/// Role, rank and step of a rank, as in the list. Tracks.
pub fn full_name(page: Page, lang: Lang, rank: &Rank) -> String {
    let step = rank.folder.step.map(|step| format!(" {}", step_text(lang, step))).unwrap_or_default();
    format!("{} {}{step}", page.role_name(&rank.folder.role), rank_title(lang, rank))
}

/// The list from which the second rank is chosen; nothing where there is only one.
#[component]
pub fn UnderSelect(page: Page) -> impl IntoView {
    let lang = page.lang;
    let others = Memo::new(move |_| {
        let selected = page.selected.get();
        page.ranks.with(|ranks| {
            let known = ranks.iter().filter(|r| Some(r.id) != selected && r.whole.with(Option::is_some));
            known.map(|rank| (rank.id, full_name(page, lang.get(), rank))).collect::<Vec<_>>()
        })
    });
    let chosen = move || page.under_rank().map(|rank| rank.id);
    view! {
        <Show when=move || others.with(|others| !others.is_empty())>
            <select
                class="under-select"
                data-testid="under"
                aria-label=move || ui::under(lang.get())
                title=move || ui::under(lang.get())
                on:change=move |event| page.looks.under.set(event_target_value(&event).parse().ok())
            >
                <option value="" prop:selected=move || chosen().is_none()>{move || ui::under_none(lang.get())}</option>
                {move || others.get().into_iter().map(|(id, name)| view! {
                    <option value=id.to_string() prop:selected=move || chosen() == Some(id)>{name}</option>
                }).collect_view()}
            </select>
        </Show>
    }
}

/// Which rank lies below, and by what the two are aligned.
#[component]
pub fn UnderSaid(page: Page) -> impl IntoView {
    let lang = page.lang;
    let said = move || {
        let (rank, placed, lang) = (page.under_rank()?, page.under_placed()?, lang.get());
        let name = full_name(page, lang, &rank);
        let step = || {
            let spans = page.current.get()?.0.spans.get();
            spans.iter().find(|span| span.start_ns == placed.same_ns).map(|span| span.number)
        };
        Some(match (placed.by, step()) {
            (AlignedBy::Step, Some(step)) => ui::under_by_step(lang, &name, &units::count(step)),
            _ => ui::under_by_start(lang, &name),
        })
    };
    let by = move || {
        page.under_placed().map(|placed| match placed.by {
            AlignedBy::Step => "step",
            AlignedBy::Start => "start",
        })
    };
    let shift = move || page.under_placed().map(|placed| placed.shift_ns.to_string());
    view! {
        <Show when=move || page.under_placed().is_some()>
            <p class="hint under-said" data-testid="under-said" data-by=by data-shift=shift>
                <i class="line-sample dashed" aria-hidden="true"></i>{said}
            </p>
        </Show>
    }
}
