//! Everything about the chosen rank.

use leptos::prelude::*;

use super::balance::BalancePanel;
use super::blocks_view::BlocksView;
use super::chosen_block::ChosenBlock;
use super::events_view::EventsView;
use super::export::ExportMenu;
use super::findings::Findings;
use super::flame_view::FlameView;
use super::headline::Headline;
use super::map_view::MapView;
use super::problems::ProblemsPanel;
use super::rank_list::rank_title;
use super::ranks::RankState;
use super::reserved_view::ReservedView;
use super::state::Page;
use super::static_view::OtherMemory;
use super::tabs::Tabs;
use super::timeline::TimelinePanel;
use super::top::TopPanel;
use super::wait::{later, turn};
use crate::screen::view::View;
use crate::words::{Lang, Term, ui};

/// The report beside the list.
#[component]
pub fn RankReport(page: Page) -> impl IntoView {
    let lang = page.lang;
    let has_summary = Memo::new(move |_| page.summary.get().is_some());
    // Chosen again, a view is not built again.
    let view = Memo::new(move |_| page.view.get());
    let title = move || page.current.get().map(|rank| rank_title(lang.get(), &rank.0)).unwrap_or_default();
    let role = move || page.current.get().map(|rank| page.role_name(&rank.0.folder.role)).unwrap_or_default();
    let step = move || {
        let step = page.current.get().and_then(|rank| rank.0.folder.step);
        step.map(|step| format!("{} {step}", Term::Step.text(lang.get()))).unwrap_or_default()
    };
    let form = move || {
        let form = page.summary.with(|summary| summary.as_ref().map(|s| form_text(lang.get(), &s.form)));
        form.map(|form| ui::form_of(lang.get(), form))
    };
    let folder = move || page.current.get().map(|rank| rank.0.folder.folder.clone()).unwrap_or_default();
    // A summarized rank still shows what it last answered.
    let stale = move || {
        let state = page.current.get().map(|rank| rank.0.state.get());
        matches!(state, Some(RankState::Summarized | RankState::Reloading))
            .then(|| ui::state_summarized_hint(lang.get()))
    };
    view! {
        <div class="report-head" data-testid="rank-head">
            <h2>{role}" "<span class="rank-number">{title}</span>" "<span class="step">{step}</span></h2>
            <span class="folder" title=folder>{folder}</span>
            <span class="form" data-testid="form">{form}</span>
            <ExportMenu page />
        </div>
        <Show when=move || has_summary.get() fallback=move || view! { <Waiting page /> }>
            <Show when=move || stale().is_some()><p class="stale" role="status">{stale}</p></Show>
            <Tabs page />
            <div class="view" id="view" role="tabpanel" aria-labelledby=move || format!("tab-{}", page.view.get().name())
                data-testid="view" data-view=move || page.view.get().name()>
                {move || match view.get() {
                    View::Overview => view! { <Numbers page /> }.into_any(),
                    View::Map => view! { <Beneath page view=View::Map /> }.into_any(),
                    View::Flame => view! { <Beneath page view=View::Flame /> }.into_any(),
                    View::Blocks => view! { <Beneath page view=View::Blocks /> }.into_any(),
                    View::Events => view! { <Beneath page view=View::Events /> }.into_any(),
                    View::Reserved => view! { <Beneath page view=View::Reserved /> }.into_any(),
                    View::Other => view! { <Beneath page view=View::Other /> }.into_any(),
                }}
            </div>
        </Show>
    }
}

/// The form of the files in words.
fn form_text(lang: Lang, form: &str) -> &'static str {
    match form {
        "db" => ui::form_db(lang),
        "mindspore" => ui::form_mindspore(lang),
        _ => ui::form_text(lang),
    }
}

/// What the summary fills, a frame after the head of the report.
#[component]
fn Numbers(page: Page) -> impl IntoView {
    let (headline, panels) = (turn(1), turn(2));
    view! {
        <Findings page />
        <Show when=move || headline.get()><Headline page /></Show>
        <Show when=move || panels.get()><Panels page /></Show>
    }
}

/// A view below a low timeline, on which time and range are chosen.
#[component]
fn Beneath(page: Page, view: View) -> impl IntoView {
    let second = turn(1);
    let body = move || match view {
        View::Map => view! { <MapView page /> }.into_any(),
        View::Flame => view! { <FlameView page /> }.into_any(),
        View::Events => view! { <EventsView page /> }.into_any(),
        View::Reserved => view! { <ReservedView page /> }.into_any(),
        View::Other => view! { <OtherMemory page /> }.into_any(),
        _ => view! { <BlocksView page /> }.into_any(),
    };
    view! {
        <TimelinePanel page slim=true />
        <Show when=move || second.get()>{body()}</Show>
        <ChosenBlock page />
    }
}

/// The panels, one after the other: built at once they would hold up the page.
#[component]
fn Panels(page: Page) -> impl IntoView {
    let built = RwSignal::new(0_u8);
    Effect::new(move |_| {
        if built.get() < 4 {
            // The panels may be gone by then.
            later(1, move || {
                let _ = built.try_update(|built| *built += 1);
            });
        }
    });
    view! {
        <Show when=move || { built.get() > 0 }><TimelinePanel page /></Show>
        <Show when=move || { built.get() > 1 }><TopPanel page /></Show>
        <Show when=move || { built.get() > 2 }>
            <div class="pair">
                <BalancePanel page />
                <Show when=move || { built.get() > 3 }><ProblemsPanel page /></Show>
            </div>
        </Show>
    }
}

/// Nothing to show yet, or nothing at all.
#[component]
fn Waiting(page: Page) -> impl IntoView {
    let lang = page.lang;
    let text = move || {
        let lang = lang.get();
        match page.current.get().map(|rank| rank.0.state.get()) {
            Some(RankState::Waiting) => ui::state_waiting_hint(lang),
            Some(RankState::Failed) => ui::state_failed_hint(lang),
            Some(RankState::Cancelled) => ui::cancelled_hint(lang),
            Some(_) => ui::loading(lang),
            None if page.busy.get() > 0 => ui::loading(lang),
            None => ui::choose_rank(lang),
        }
    };
    // "No problems" would be a promise before anything is read.
    let has_problems = move || {
        let of_rank = page.current.get().is_some_and(|rank| !rank.0.folder.problems.is_empty());
        of_rank || page.run_problems.with(|problems| !problems.is_empty())
    };
    let failure = move || page.current.get().map(|rank| rank.0.failure.get()).unwrap_or_default();
    view! {
        <div class="nothing">
            <p>{text}</p>
            <Show when=move || !failure().is_empty()><p class="failure">{failure}</p></Show>
        </div>
        <Show when=has_problems><ProblemsPanel page /></Show>
    }
}
