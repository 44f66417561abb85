//! The list of ranks: what was found, how far it is, and what can be done with each.

use std::sync::Arc;

use leptos::prelude::*;

use super::icons::{CLOSE, Icon, RETRY};
use super::ranks::{Rank, RankState};
use super::state::{Page, RankRef};
use crate::screen::view::Whole;
use crate::words::units::{self, Noun};
use crate::words::{Lang, Term, ui};

/// Ranks of one role and step.
#[derive(Clone, PartialEq)]
pub struct Part {
    /// As recorded.
    pub role: String,
    /// `None`: one recording.
    pub step: Option<u64>,
    /// In order.
    pub ranks: Vec<RankRef>,
}

/// The list beside the report.
#[component]
pub fn RankList(page: Page) -> impl IntoView {
    let lang = page.lang;
    let parts = Memo::new(move |_| page.ranks.with(|ranks| parts_of(ranks)));
    view! {
        <nav class="ranks" aria-label=move || ui::panel_ranks(lang.get())>
            <TotalProgress page />
            <RunViews page />
            <div class="rank-scroll">
                <For
                    each=move || parts.get()
                    key=|part| (part.role.clone(), part.step)
                    children=move |part| {
                        let (role, step) = (part.role.clone(), part.step);
                        let (title, recorded) = (part.role.clone(), part.role);
                        let ranks = move || {
                            parts.with(|parts| {
                                let part = parts.iter().find(|part| part.role == role && part.step == step);
                                part.map(|part| part.ranks.clone()).unwrap_or_default()
                            })
                        };
                        view! {
                            <section class="rank-part">
                                <h3>
                                    <span class="role" title=recorded>{move || page.role_name(&title)}</span>
                                    {step.map(|step| view! {
                                        <span class="step">{move || format!("{} {step}", Term::Step.text(lang.get()))}</span>
                                    })}
                                </h3>
                                <ul>
                                    <For
                                        each=ranks
                                        key=|rank| rank.0.id
                                        children=move |rank| view! { <RankRow page rank /> }
                                    />
                                </ul>
                            </section>
                        }
                    }
                />
            </div>
            <p class="drop-more">{move || ui::drop_more(lang.get())}</p>
        </nav>
    }
}

/// The ranks by role and step, in their order.
pub fn parts_of(ranks: &[Arc<Rank>]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for rank in ranks {
        let (role, step) = (&rank.folder.role, rank.folder.step);
        match parts.last_mut() {
            Some(part) if part.role == *role && part.step == step => part.ranks.push(RankRef(Arc::clone(rank))),
            _ => parts.push(Part { role: role.clone(), step, ranks: vec![RankRef(Arc::clone(rank))] }),
        }
    }
    parts
}

/// `Rank 3`, or that it is not known.
pub fn rank_title(lang: Lang, rank: &Rank) -> String {
    match rank.folder.rank {
        Some(number) => format!("{} {number}", Term::Rank.text(Lang::Zh)),
        None => ui::rank_unknown(lang).to_owned(),
    }
}

/// The state in words.
pub fn state_text(lang: Lang, state: RankState, with_problems: bool) -> &'static str {
    match state {
        RankState::Waiting => ui::state_waiting(lang),
        RankState::Reading => ui::state_reading(lang),
        RankState::Ready if with_problems => ui::state_ready_with_problems(lang),
        RankState::Ready => ui::state_ready(lang),
        RankState::Failed => ui::state_failed(lang),
        RankState::Cancelled => ui::state_cancelled(lang),
        RankState::Summarized => ui::state_summarized(lang),
        RankState::Reloading => ui::state_reloading(lang),
    }
}

/// The ways to the views of the whole run.
#[component]
fn RunViews(page: Page) -> impl IntoView {
    let lang = page.lang;
    let open = move |whole: Whole| {
        let current = move || page.looks.whole.get() == Some(whole);
        view! {
            <button
                class="run-view"
                data-testid=format!("view-{}", whole.name())
                aria-current=move || current().then_some("page")
                on:click=move |_| page.looks.whole.set(Some(whole))
            >
                {move || whole.title(lang.get())}
            </button>
        }
    };
    view! {
        <div class="run-views" role="group" aria-label=move || ui::run_views(lang.get())>
            {Whole::ALL.map(open).collect_view()}
        </div>
    }
}

#[component]
fn RankRow(page: Page, rank: RankRef) -> impl IntoView {
    let lang = page.lang;
    let rank = rank.0;
    let id = rank.id;
    let (state, done, size) = (rank.state.clone(), rank.done.clone(), rank.size);
    let state = Signal::derive(move || state.get());
    let done = Signal::derive(move || done.get());
    let summary = rank.summary.clone();
    let summary = Signal::derive(move || summary.get());
    let failure = rank.failure.clone();
    let found_problems = !rank.folder.problems.is_empty();
    let problems = move || found_problems || summary.with(|s| s.as_ref().is_some_and(|s| !s.problems.is_empty()));
    let selected = move || page.selected.get() == Some(id) && page.looks.whole.get().is_none();
    let is_busy = move || state.get().is_busy();
    let can_retry = move || matches!(state.get(), RankState::Failed | RankState::Cancelled);
    let percent = move || if size == 0 { 100.0 } else { done.get() as f64 / size as f64 * 100.0 };
    let detail = move || {
        let lang = lang.get();
        match state.get() {
            RankState::Reading | RankState::Reloading if done.get() >= size && size > 0 => {
                ui::state_matching(lang).to_owned()
            }
            RankState::Reading | RankState::Reloading => {
                format!("{} / {}", bytes(done.get()), bytes(size))
            }
            RankState::Ready | RankState::Summarized => summary
                .get()
                .and_then(|s| s.peak?.allocated)
                .map(|peak| ui::peak_label(lang, &units::bytes(peak.bytes)))
                .unwrap_or_else(|| ui::no_blocks(lang).to_owned()),
            _ => bytes(size),
        }
    };
    let (select, cancel, retry, remove) = (Arc::clone(&rank), Arc::clone(&rank), Arc::clone(&rank), Arc::clone(&rank));
    let folder = rank.folder.folder.clone();
    let titles = Arc::clone(&rank);
    let title = Signal::derive(move || rank_title(lang.get(), &titles));
    view! {
        <li
            class="rank"
            class:selected=selected
            data-testid="rank-row"
            data-folder=folder.clone()
            data-role=rank.folder.role.clone()
            data-rank=rank.folder.rank.map(|r| r.to_string()).unwrap_or_default()
            data-step=rank.folder.step.map(|s| s.to_string()).unwrap_or_default()
            data-state=move || state.get().name()
            data-size=size.to_string()
        >
            <button
                class="rank-open"
                title=folder.clone()
                aria-current=move || selected().then_some("true")
                on:click=move |_| page.select(&select)
            >
                <span class="rank-name">{move || title.get()}</span>
                <span class="rank-state" data-state=move || state.get().name()>
                    {move || state_text(lang.get(), state.get(), problems())}
                </span>
                <span class="rank-detail">{detail}</span>
                <span class="rank-bar" class:idle=move || !is_busy() aria-hidden="true">
                    <span style:width=move || format!("{:.1}%", percent())></span>
                </span>
                <Show when=move || state.get() == RankState::Failed>
                    <span class="rank-failure">{failure.get()}</span>
                </Show>
            </button>
            <span class="rank-actions">
                <Show when=is_busy>
                    {
                        let cancel = Arc::clone(&cancel);
                        view! {
                            <button
                                class="quiet"
                                data-testid="cancel"
                                title=move || ui::cancel(lang.get())
                                aria-label=move || format!("{}: {}", ui::cancel(lang.get()), title.get())
                                on:click=move |_| page.pool.cancel(&cancel)
                            >
                                <Icon path=CLOSE />
                            </button>
                        }
                    }
                </Show>
                <Show when=can_retry>
                    {
                        let retry = Arc::clone(&retry);
                        view! {
                            <button
                                class="quiet"
                                data-testid="retry"
                                title=move || ui::retry(lang.get())
                                aria-label=move || format!("{}: {}", ui::retry(lang.get()), title.get())
                                on:click=move |_| page.pool.enqueue(Arc::clone(&retry))
                            >
                                <Icon path=RETRY />
                            </button>
                        }
                    }
                </Show>
                <Show when=move || !is_busy()>
                    {
                        let remove = Arc::clone(&remove);
                        view! {
                            <button
                                class="quiet remove"
                                data-testid="remove"
                                title=move || ui::remove(lang.get())
                                aria-label=move || ui::remove_rank(lang.get(), &title.get())
                                on:click=move |_| page.remove(&remove)
                            >
                                <Icon path=CLOSE />
                            </button>
                        }
                    }
                </Show>
            </span>
        </li>
    }
}

/// Bytes of all ranks, with speed and time left while they are read.
#[component]
fn TotalProgress(page: Page) -> impl IntoView {
    let lang = page.lang;
    let total = page.total;
    let percent = move || {
        let total = total.get();
        if total.size == 0 { 100.0 } else { total.done as f64 / total.size as f64 * 100.0 }
    };
    let ranks = move || page.ranks.with(Vec::len) as u64;
    let line = move || {
        let (lang, total) = (lang.get(), total.get());
        if total.busy == 0 {
            return format!("{}\n{}", bytes(total.size), ui::ranks_done(lang, page.read.get() as u64, ranks()));
        }
        let read = ui::reading_all(lang, &bytes(total.done), &bytes(total.size));
        if total.speed < 1.0 {
            return read;
        }
        let left = (total.size.saturating_sub(total.done) as f64 / total.speed).ceil() as u64;
        let left = ui::reading_speed(lang, &units::speed(total.speed as u64), &units::seconds(lang, left));
        format!("{read}\n{left}")
    };
    view! {
        <div class="total" data-testid="total-progress" data-done=move || total.get().done.to_string()
            data-size=move || total.get().size.to_string() data-busy=move || total.get().busy.to_string()>
            <div class="total-head">
                <h2>{move || ui::panel_ranks(lang.get())}</h2>
                <span class="count">{move || units::count_of(lang.get(), ranks(), Noun::Rank)}</span>
                <Show when=move || { page.busy.get() > 1 }>
                    <button class="quiet small" data-testid="cancel-all" on:click=move |_| page.cancel_all()>
                        {move || ui::cancel_all(lang.get())}
                    </button>
                </Show>
            </div>
            <div
                class="total-bar"
                class:idle=move || total.get().busy == 0
                role="progressbar"
                aria-label=move || ui::reading_all(lang.get(), &bytes(total.get().done), &bytes(total.get().size))
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=move || format!("{:.0}", percent())
            >
                <span style:width=move || format!("{:.1}%", percent())></span>
            </div>
            <p class="total-line">{line}</p>
        </div>
    }
}

fn bytes(number: u64) -> String {
    units::bytes(i64::try_from(number).unwrap_or(i64::MAX))
}
