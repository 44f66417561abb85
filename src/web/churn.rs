//! What is allocated and soon released again, by call stack: over the whole recording, and of that what is live at the chosen time.

use std::sync::Arc;

use leptos::prelude::*;

use super::follow::follow;
use super::messages::{Answer, Question};
use super::state::{GroupRef, Page};
use crate::analysis::answer::{GroupBy, Top, TopQuery};
use crate::analysis::churn::{Churn, ChurnGroup, ChurnQuery};
use crate::analysis::findings::rules::CHURN_WITHIN_NS;
use crate::words::units::{self, Noun};
use crate::words::{self, ui};

/// Stacks asked for.
const LIMIT: usize = 60;
/// How soon is soon, ns: the first is the rule of the findings.
const WITHIN: [i64; 5] = [CHURN_WITHIN_NS, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000];

/// The table, and what it is about.
#[component]
pub fn ChurnTable(page: Page) -> impl IntoView {
    let lang = page.lang;
    let within = RwSignal::new(WITHIN[0]);
    let told = RwSignal::new(None::<Arc<Churn>>);
    let live = RwSignal::new(None::<(i64, i64, u64)>);
    let question = move || {
        let query = ChurnQuery { within_ns: within.get(), pool: page.pool_shown.get(), limit: LIMIT };
        Some((page.ready()?, Question::Churn(query)))
    };
    follow(page.pool, question, move |_, (answer, _)| {
        if let Answer::Churn(churn) = answer {
            // The table may be gone by then.
            let _ = told.try_set(Some(Arc::new(churn)));
        }
    });
    let temporaries = move || {
        let (pool, at_ns) = (page.pool_shown.get(), page.effective_at()?);
        let query = TopQuery { at_ns, pool, by: GroupBy::Stack, within: None, limit: 0 };
        Some((page.ready()?, Question::Temporaries(query, within.get())))
    };
    follow(page.pool, temporaries, move |_, (answer, _)| {
        if let Answer::Top(Top { at_ns, total_bytes, total_blocks, .. }) = answer {
            let _ = live.try_set(Some((at_ns, total_bytes, total_blocks)));
        }
    });
    let start = move || page.start_ns();
    let said = move || {
        let (churn, lang) = (told.get()?, lang.get());
        let blocks = units::count_of(lang, churn.blocks, Noun::Block);
        Some(ui::churn_all(lang, &blocks, &page.bytes(churn.bytes), &units::duration(lang, churn.within_ns)))
    };
    let at_time = move || {
        let ((at_ns, bytes, blocks), lang) = (live.get()?, lang.get());
        let blocks = units::count_of(lang, blocks, Noun::Block);
        Some(ui::churn_live(lang, &page.bytes(bytes), &blocks, &page.time(at_ns, start())))
    };
    let uncertain = move || {
        let bytes = told.get()?.uncertain_bytes;
        (bytes > 0).then(|| ui::churn_uncertain(lang.get(), &page.bytes(bytes)))
    };
    let rows = move || {
        let Some(churn) = told.get() else { return Vec::new() };
        churn.groups.iter().map(|group| row(page, group).into_any()).collect()
    };
    let shown = move || told.get().map(|churn| ui::top_shown(lang.get(), churn.groups.len() as u64, churn.group_count));
    view! {
        <div class="controls">
            <label>
                <span>{move || ui::churn_within(lang.get())}</span>
                <select data-testid="churn-within" on:change=move |event| {
                    if let Ok(ns) = event_target_value(&event).parse() {
                        within.set(ns);
                    }
                }>
                    {WITHIN.map(|ns| view! {
                        <option value=ns.to_string() selected=move || within.get() == ns>{move || units::duration(lang.get(), ns)}</option>
                    })}
                </select>
            </label>
        </div>
        <p class="hint" data-testid="churn" data-bytes=move || told.get().map(|churn| churn.bytes.to_string())
            data-live=move || live.get().map(|(_, bytes, _)| bytes.to_string())>
            {said}" "{at_time}" "{uncertain}
        </p>
        <div class="table-side">
            <div class="table-scroll" tabindex="0" role="region" aria-label=move || ui::top_short_lived(lang.get())>
                <table class="list top-table" data-testid="churn-table">
                    <thead>
                        <tr>
                            <th scope="col">{move || ui::col_name(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_bytes(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_blocks(lang.get())}</th>
                            <th scope="col" class="num" title=move || ui::churn_tip_stretch(lang.get())>
                                {move || ui::churn_col_stretch(lang.get())}
                            </th>
                            <th scope="col">{move || ui::top_by_operator(lang.get())}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
                <Show when=move || told.with(|told| told.as_ref().is_some_and(|churn| churn.groups.is_empty()))>
                    <p class="empty">{move || ui::churn_none(lang.get())}</p>
                </Show>
            </div>
            <p class="hint">{shown}</p>
        </div>
    }
}

fn row(page: Page, group: &ChurnGroup) -> impl IntoView + use<> {
    let line = if group.user_frame.is_empty() { words::first_line(&group.stack) } else { &group.user_frame };
    let (folders, tail) = words::split_folders(line);
    let (folders, tail) = (folders.to_owned(), tail.to_owned());
    let own = GroupRef { by: GroupBy::Stack, key: Some(group.stack.clone()) };
    let same = own.clone();
    let chosen = Memo::new(move |_| page.group.with(|group| group.as_ref() == Some(&same)));
    let (bytes, blocks) = (group.bytes, group.blocks);
    let (stack, key) = (group.stack.clone(), group.stack.clone());
    view! {
        <tr class:chosen=move || chosen.get() data-key=key data-bytes=bytes.to_string()
            on:click=move |_| page.group.set(Some(own.clone()))>
            <th scope="row">
                <button class="link" title=stack aria-pressed=move || chosen.get().to_string()>
                    <span class="folders">{folders}</span><span class="tail">{tail}</span>
                </button>
            </th>
            <td class="num" title=units::bytes_exact(bytes)>{move || page.bytes(bytes)}</td>
            <td class="num">{units::count(blocks)}</td>
            <td class="num">{units::count(group.longest.blocks)}</td>
            <td>{group.operator.clone()}</td>
        </tr>
    }
}
