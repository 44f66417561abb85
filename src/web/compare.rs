//! Two sides beside each other: ranks, roles, steps or moments, of one run or of two.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::compare_run::{Asked, Pick, Progress, When, Who};
use super::compare_table::{CompareTable, Totals};
use super::icons::{Icon, SWAP};
use super::laid::Laid;
use super::overview::ExactSwitch;
use super::state::Page;
use crate::analysis::answer::GroupBy;
use crate::analysis::compare::DifferenceOf;
use crate::screen::hash::grouping_of;
use crate::words::{Lang, ui, units};

/// What is picked on a side, by the values of its two lists.
#[derive(Clone, Copy)]
struct Side {
    who: RwSignal<Option<Who>>,
    when: RwSignal<When>,
}

impl Side {
    fn pick(self) -> Option<Pick> {
        Some(Pick { who: self.who.get()?, when: self.when.get() })
    }
}

/// The view.
#[component]
pub fn CompareView(page: Page) -> impl IntoView {
    let lang = page.lang;
    let choices = Memo::new(move |_| page.choices(lang.get()));
    let sides = [(); 2].map(|()| Side { who: RwSignal::new(None), when: RwSignal::new(When::Peak) });
    let by = RwSignal::new(page.by.get_untracked());
    let order = RwSignal::new(DifferenceOf::Live);
    let told = RwSignal::new(Progress::Nothing);
    let newest = StoredValue::new(0_u64);
    // First the rank that was looked at, and one beside it.
    Effect::new(move |_| {
        let [a, b] = sides;
        let ranks: Vec<Who> = choices
            .with(|all| all.iter().map(|(who, _)| who.clone()).filter(|who| matches!(who, Who::Rank(_))).collect());
        let gone = |side: Side| {
            let who = side.who.get_untracked();
            who.is_none_or(|who| !choices.with_untracked(|all| all.iter().any(|(known, _)| *known == who)))
        };
        if gone(a) {
            let looked_at = page.selected.get_untracked().map(Who::Rank).filter(|who| ranks.contains(who));
            a.who.set(looked_at.or_else(|| ranks.first().cloned()));
        }
        if gone(b) {
            let first = a.who.get_untracked();
            b.who.set(ranks.iter().find(|who| Some(*who) != first.as_ref()).or(ranks.first()).cloned());
        }
    });
    let asked = Memo::new(move |_| {
        let [a, b] = sides;
        Some(Asked { sides: [a.pick()?, b.pick()?], by: by.get(), order: order.get() })
    });
    Effect::new(move |_| {
        let Some(asked) = asked.get() else { return };
        let number = newest.try_update_value(|newest| {
            *newest += 1;
            *newest
        });
        let is_newest = move || newest.try_get_value() == number;
        spawn_local(page.compare(asked, told, is_newest));
    });
    let swap = move |_| {
        let [a, b] = sides;
        let (who, when) = (a.who.get_untracked(), a.when.get_untracked());
        a.who.set(b.who.get_untracked());
        a.when.set(b.when.get_untracked());
        b.who.set(who);
        b.when.set(when);
    };
    let [a, b] = sides;
    let done = Memo::new(move |_| match told.get() {
        Progress::Done(compared) => Some(Compared(compared)),
        _ => None,
    });
    let said = move || match told.get() {
        Progress::Nothing => Some(ui::compare_nothing(lang.get()).to_owned()),
        Progress::Asking(done, all) => Some(ui::compare_asking(lang.get(), done as u64, all as u64)),
        Progress::Failed(reason) => Some(reason),
        Progress::Done(_) => None,
    };
    let state = move || match told.get() {
        Progress::Nothing => "nothing",
        Progress::Asking(..) => "asking",
        Progress::Failed(_) => "failed",
        Progress::Done(_) => "done",
    };
    view! {
        <section class="panel compare" data-testid="compare" data-state=state aria-label=move || ui::compare(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::compare_title(lang.get())}</h2>
                <span class="space"></span>
                <ExactSwitch page />
            </div>
            <div class="compare-picks">
                <Picker page side=a name="A" choices />
                <button class="quiet" data-testid="compare-swap" aria-label=move || ui::compare_swap(lang.get())
                    title=move || ui::compare_swap(lang.get()) on:click=swap>
                    <Icon path=SWAP />
                </button>
                <Picker page side=b name="B" choices />
            </div>
            <div class="controls">
                <label>
                    {move || ui::top_by(lang.get())}
                    <select data-testid="compare-by" prop:value=move || by.get().name()
                        on:change=move |event| by.set(grouping_of(&event_target_value(&event)).unwrap_or(GroupBy::Operator))>
                        {[GroupBy::Operator, GroupBy::Stack, GroupBy::UserFrame, GroupBy::Module, GroupBy::Size].map(|of| view! {
                            <option value=of.name() prop:selected=move || by.get() == of>{move || by_text(lang.get(), of)}</option>
                        }).collect_view()}
                    </select>
                </label>
                <label>
                    {move || ui::compare_order(lang.get())}
                    <select data-testid="compare-order"
                        on:change=move |event| order.set(match event_target_value(&event).as_str() {
                            "allocated" => DifferenceOf::Allocated,
                            _ => DifferenceOf::Live,
                        })>
                        <option value="live">{move || ui::compare_order_live(lang.get())}</option>
                        <option value="allocated">{move || ui::compare_order_allocated(lang.get())}</option>
                    </select>
                </label>
                <p class="compare-said" role="status" class:failure=move || state() == "failed">{said}</p>
            </div>
            {move || done.get().map(|compared| view! { <Totals page compared=Arc::clone(&compared.0) /> })}
        </section>
        {move || done.get().map(|compared| {
            let table = Arc::clone(&compared.0);
            view! {
                <Laid page compared=compared.0 />
                <CompareTable page compared=table by=by.get_untracked() />
            }
        })}
    }
}

/// A comparison that compares by identity, so that a memo can hold it.
#[derive(Clone)]
struct Compared(Arc<super::messages::ComparedSides>);

impl PartialEq for Compared {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The grouping in words.
fn by_text(lang: Lang, by: GroupBy) -> &'static str {
    match by {
        GroupBy::Operator => ui::top_by_operator(lang),
        GroupBy::Stack => ui::top_by_stack(lang),
        GroupBy::UserFrame => ui::top_by_user_frame(lang),
        GroupBy::Module => ui::top_by_module(lang),
        GroupBy::Size => ui::top_by_size(lang),
        GroupBy::Age => ui::top_by_age(lang),
    }
}

/// One side: which ranks, and when.
#[component]
fn Picker(page: Page, side: Side, name: &'static str, choices: Memo<Vec<(Who, String)>>) -> impl IntoView {
    let lang = page.lang;
    let take_who = move |event| {
        let place: Option<usize> = event_target_value(&event).parse().ok();
        let who = place.and_then(|place| choices.with_untracked(|all| all.get(place).map(|(who, _)| who.clone())));
        if who.is_some() {
            side.who.set(who);
            // A step of one recording may be none of another's; the others mean something everywhere.
            if matches!(side.when.get_untracked(), When::Chosen(..)) {
                side.when.set(When::Peak);
            }
        }
    };
    let whens = Memo::new(move |_| whens(page, side.who.get()));
    let take_when = move |event| {
        let place: Option<usize> = event_target_value(&event).parse().ok();
        if let Some(when) = place.and_then(|place| whens.with_untracked(|all| all.get(place).copied())) {
            side.when.set(when);
        }
    };
    let id = name.to_lowercase();
    view! {
        <fieldset class="pick" data-side=id.clone()>
            <legend>{name}</legend>
            <select class="pick-who" data-testid=format!("compare-{id}-who") aria-label=move || ui::compare_who(lang.get(), name)
                on:change=take_who>
                {move || choices.get().into_iter().enumerate().map(|(place, (who, text))| {
                    let selected = move || side.who.with(|picked| picked.as_ref() == Some(&who));
                    view! { <option value=place.to_string() prop:selected=selected>{text}</option> }
                }).collect_view()}
            </select>
            <select data-testid=format!("compare-{id}-when") aria-label=move || ui::compare_when(lang.get(), name)
                on:change=take_when>
                {move || whens.get().into_iter().enumerate().map(|(place, when)| {
                    let selected = move || side.when.get() == when;
                    view! { <option value=place.to_string() prop:selected=selected>{move || when_text(page, when)}</option> }
                }).collect_view()}
            </select>
        </fieldset>
    }
}

/// The moments that can be picked: those every recording has, the steps all ranks of the side have, the time chosen by hand. Tracks.
fn whens(page: Page, who: Option<Who>) -> Vec<When> {
    let mut all = vec![When::Peak, When::Start, When::End];
    let Some(who) = who else { return all };
    let ranks = page.ranks_of(&who);
    let mut of_ranks = ranks.iter().map(|rank| rank.spans.get().iter().map(|span| span.number).collect::<Vec<_>>());
    let mut steps = of_ranks.next().unwrap_or_default();
    for others in of_ranks {
        steps.retain(|step| others.contains(step));
    }
    steps.sort_unstable();
    steps.dedup();
    all.extend(steps.into_iter().map(When::Step));
    if let (Who::Rank(id), Some(at)) = (&who, page.at.get())
        && page.selected.get() == Some(*id)
        && let Some([first, last]) = page.summary.get().and_then(|summary| summary.window_ns)
    {
        let (from, to) = page.range.get().unwrap_or((first, last));
        all.push(When::Chosen(at, from, to));
    }
    all
}

fn when_text(page: Page, when: When) -> String {
    let lang = page.lang.get();
    match when {
        When::Peak => ui::when_peak(lang).to_owned(),
        When::Start => ui::when_start(lang).to_owned(),
        When::End => ui::when_end(lang).to_owned(),
        When::Step(number) => ui::when_step(lang, &units::count(number)),
        When::Chosen(at, ..) => {
            let start = page.summary.get().and_then(|s| s.window_ns).map_or(at, |[start, _]| start);
            ui::when_chosen(lang, &page.time(at, start))
        }
    }
}
