//! The chosen block: everything recorded of it, its call stack, and the ways from it to the other views.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::clipboard::copy;
use super::follow::follow;
use super::icons::{CLOSE, COPY, Icon};
use super::messages::{Answer, Question};
use super::state::{GroupRef, Notice, Page};
use crate::analysis::answer::{GroupBy, MatchKind, is_library};
use crate::analysis::block::BlockDetail;
use crate::screen::range::Move;
use crate::screen::view::View;
use crate::words::{Lang, Term, ui, units};

/// The panel; nothing while no block is chosen.
#[component]
pub fn ChosenBlock(page: Page) -> impl IntoView {
    let lang = page.lang;
    let told = RwSignal::new(None::<Arc<BlockDetail>>);
    let question = move || Some((page.ready()?, Question::Block(page.block.get()?)));
    follow(page.pool, question, move |_, (answer, _)| {
        if let Answer::Block(block) = answer {
            told.set(block.map(Arc::new));
        }
    });
    let shown = move || told.get().filter(|told| page.block.get() == Some(told.block.row));
    view! {
        <Show when=move || page.block.get().is_some()>
            <section class="panel chosen-block" data-testid="chosen-block" aria-label=move || ui::chosen_block(lang.get())
                aria-live="polite" data-row=move || page.block.get().map(|row| row.to_string()).unwrap_or_default()>
                {move || shown().map(|told| view! { <Told page lang=lang.get() told /> })}
            </section>
        </Show>
    }
}

#[component]
fn Told(page: Page, lang: Lang, told: Arc<BlockDetail>) -> impl IntoView {
    let block = &told.block;
    let start = page.window().map_or(0, |[start, _]| start);
    let (from, until) = (block.allocated_ns, block.released_ns);
    let fact = |name: &'static str, value: String, exact: String| {
        view! { <div><dt>{name}</dt><dd title=exact>{value}</dd></div> }
    };
    let time = |time: i64| (units::relative(time, start), units::utc(time));
    let (allocated, allocated_exact) = time(from);
    let (released, released_exact) = until.map_or_else(|| (ui::never(lang).to_owned(), String::new()), time);
    let life = until.map_or_else(|| "–".to_owned(), |end| units::duration(lang, end.saturating_sub(from)));
    let total = |at: usize| block.totals.get(at).copied().flatten().map_or_else(|| "–".to_owned(), units::bytes);
    let kind = Term::from(block.kind);
    let matched = match told.gap_ns {
        Some(gap) => format!("{} ({})", kind.text(lang), units::duration(lang, gap)),
        None => kind.text(lang).to_owned(),
    };
    let text = |text: &str| if text.is_empty() { "–".to_owned() } else { text.to_owned() };
    let to_life = move |_| {
        let end = until.or_else(|| page.window().map(|[_, end]| end)).unwrap_or(from);
        let margin = end.saturating_sub(from) / 5;
        page.move_view(Move::To(from.saturating_sub(margin), end.saturating_add(margin)));
    };
    let stack_key = told.stack.clone();
    let to_group = move |_| {
        page.by.set(GroupBy::Stack);
        page.group.set(Some(GroupRef { by: GroupBy::Stack, key: stack_key.clone() }));
        page.go_to(from);
        page.view.set(View::Overview);
    };
    let to_map = move |_| {
        page.go_to(from);
        page.view.set(View::Map);
    };
    let row = block.row;
    view! {
        <div class="panel-head">
            <h3>{units::bytes(block.bytes)}" "{block.operator.clone()}</h3>
            <span class="hint">{ui::block_row(lang, u64::from(row))}</span>
            <span class="space"></span>
            <button class="small" data-testid="block-time" on:click=move |_| page.go_to(from)>{ui::block_go(lang)}</button>
            <button class="small" data-testid="block-life" on:click=to_life>{ui::block_life(lang)}</button>
            <button class="small" data-testid="block-map" on:click=to_map>{ui::view_map(lang)}</button>
            <button class="small" data-testid="block-group" on:click=to_group>{ui::block_group(lang)}</button>
            <button class="quiet" aria-label=ui::close(lang) title=ui::close(lang) on:click=move |_| page.block.set(None)>
                <Icon path=CLOSE />
            </button>
        </div>
        <dl class="facts">
            {fact(ui::col_size(lang), units::bytes_exact(block.bytes), String::new())}
            {fact(ui::col_allocated_at(lang), allocated, allocated_exact)}
            {fact(ui::col_released_at(lang), released, released_exact)}
            {fact(ui::col_lifetime(lang), life, String::new())}
            {fact(ui::col_pool(lang), format!("{} · {}", block.pool.component, block.pool.device), String::new())}
            {fact(Term::Stream.text(lang), text(&block.stream), String::new())}
            {fact(ui::col_allocated(lang), total(0), ui::total_after(lang).to_owned())}
            {fact(ui::col_reserved(lang), total(1), ui::total_after(lang).to_owned())}
            {fact(ui::col_active(lang), total(2), ui::total_after(lang).to_owned())}
            {fact(ui::col_match(lang), matched, kind.meaning(lang).to_owned())}
            {fact(Term::Module.text(lang), text(&told.module), String::new())}
        </dl>
        <Stack page lang told=Arc::clone(&told) />
    }
}

#[component]
fn Stack(page: Page, lang: Lang, told: Arc<BlockDetail>) -> impl IntoView {
    let Some(text) = told.stack.clone().map(|text| text.replace('\r', "")) else {
        let is_open = told.block.kind == MatchKind::Ambiguous;
        let why = if is_open { ui::no_stack_ambiguous(lang) } else { ui::no_stack(lang) };
        return view! { <p class="empty">{why}</p> }.into_any();
    };
    let frames = text.lines().map(|line| {
        view! { <span class="frame" class:library=is_library(line)>{format!("{line}\n")}</span> }
    });
    let frames = frames.collect_view();
    let click = move |_| {
        let text = text.clone();
        spawn_local(async move {
            if !copy(&text).await {
                page.notice.set(Some(Notice::CopyFailed));
            }
        });
    };
    view! {
        <div class="with-copy">
            <pre class="stack" tabindex="0" data-testid="block-stack">{frames}</pre>
            <button class="small" on:click=click><Icon path=COPY />{ui::copy(lang)}</button>
        </div>
    }
    .into_any()
}
