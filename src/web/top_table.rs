//! The top allocators as a table: sorted by any column, searched, one row chosen.

use std::sync::Arc;

use leptos::prelude::*;

use super::state::{GroupRef, Page};
use super::top::{group_name, grouping_text};
use super::wait::later;
use crate::analysis::answer::{Group, GroupBy, MatchKind, Top};
use crate::screen::group_order::{Column, order, parts};
use crate::words::{self, Lang, Term, ui, units};

/// Rows put into the table at once.
const ROWS_A_FRAME: usize = 25;

/// The table.
#[component]
pub fn TopTable(page: Page, top: Memo<Option<Arc<Top>>>, search: RwSignal<String>) -> impl IntoView {
    let lang = page.lang;
    let sorted = RwSignal::new((Column::Bytes, true));
    let places = Memo::new(move |_| {
        let (column, descending) = sorted.get();
        let search = search.get();
        top.with(|top| top.as_ref().map(|top| order(&top.groups, &search, column, descending)).unwrap_or_default())
    });
    let by = move || page.current.get().and_then(|rank| rank.0.top.get()).map_or(GroupBy::Operator, |(by, _)| by);
    let head = move |column: Column, title: fn(Lang) -> &'static str, class: &'static str| {
        let sort = move || match sorted.get() {
            (now, true) if now == column => "descending",
            (now, false) if now == column => "ascending",
            _ => "none",
        };
        view! {
            <th scope="col" class=class aria-sort=sort>
                <button
                    class="sort"
                    title=move || ui::sort_by(lang.get(), title(lang.get()))
                    on:click=move |_| sorted.update(|(now, descending)| {
                        *descending = *now != column || !*descending;
                        *now = column;
                    })
                >
                    {move || title(lang.get())}
                </button>
            </th>
        }
    };
    let built = rows_built(places);
    let rows = move || {
        let Some(top) = top.get() else { return Vec::new() };
        let (lang, by) = (lang.get(), by());
        let row = |place| Row { top: Arc::clone(&top), place, lang, by };
        places.with(|places| places.iter().take(built.get()).copied().map(row).collect())
    };
    let shown = move || {
        let all = top.with(|top| top.as_ref().map_or(0, |top| top.group_count));
        ui::top_shown(lang.get(), places.with(Vec::len) as u64, all)
    };
    let first = move || grouping_text(lang.get(), by());
    view! {
        <div class="table-side">
            <div class="table-scroll">
                <table class="list top-table" data-testid="top-table">
                    <caption class="offscreen">{first}</caption>
                    <thead>
                        <tr>
                            {head(Column::Name, ui::col_name, "")}
                            {head(Column::Bytes, ui::col_bytes, "num")}
                            <th scope="col" class="num" title=move || ui::tip_share(lang.get())>{move || ui::col_share(lang.get())}</th>
                            {head(Column::Blocks, ui::col_blocks, "num")}
                            {head(Column::Largest, ui::col_largest, "num")}
                            {head(Column::Certain, ui::col_certain, "num")}
                            {head(Column::Guessed, ui::col_guessed, "num")}
                            {head(Column::Open, ui::col_not_asserted, "num")}
                        </tr>
                    </thead>
                    <tbody>
                        <For
                            each=rows
                            key=Row::key
                            children=move |Row { top, place, lang, by }| {
                                top.groups.get(place).map(|group| row(page, lang, by, top.total_bytes, group))
                            }
                        />
                    </tbody>
                </table>
                <Show when=move || places.with(Vec::is_empty) && !search.get().is_empty()>
                    <p class="empty">{move || ui::search_none(lang.get(), &search.get())}</p>
                </Show>
            </div>
            <p class="hint">{shown}</p>
        </div>
    }
}

/// One row to show: a group of an answer, in a language.
struct Row {
    top: Arc<Top>,
    place: usize,
    lang: Lang,
    by: GroupBy,
}

impl Row {
    /// The same key, the same row.
    fn key(&self) -> (usize, usize, Lang, GroupBy) {
        (Arc::as_ptr(&self.top).addr(), self.place, self.lang, self.by)
    }
}

/// How many rows are there by now: a long table built at once would hold up the page.
fn rows_built(places: Memo<Vec<usize>>) -> RwSignal<usize> {
    let built = RwSignal::new(ROWS_A_FRAME);
    Effect::new(move |_| {
        if built.get() < places.with(Vec::len) {
            // The table may be gone by then.
            later(1, move || {
                let _ = built.try_update(|built| *built += ROWS_A_FRAME);
            });
        }
    });
    built
}

/// Bytes by match kind in words, for the tooltip.
fn kinds_text(lang: Lang, group: &Group) -> String {
    let kinds = MatchKind::ALL.iter().filter(|kind| group.by_match.get(**kind) != 0);
    let lines = kinds
        .map(|kind| format!("{}: {}", Term::from(*kind).text(lang), units::bytes_exact(group.by_match.get(*kind))));
    lines.collect::<Vec<_>>().join("\n")
}

fn row(page: Page, lang: Lang, by: GroupBy, total: i64, group: &Group) -> impl IntoView + use<> {
    let name = group_name(lang, by, group);
    let line = words::first_line(&name);
    let (file, rest) = if by == GroupBy::Operator { ("", line) } else { words::split_folders(line) };
    let (file, rest) = (file.to_owned(), rest.to_owned());
    let own = GroupRef { by, key: group.key.clone() };
    let same = own.clone();
    let chosen = Memo::new(move |_| page.group.with(|group| group.as_ref() == Some(&same)));
    let [certain, guessed, open] = parts(group);
    let part = |bytes: i64| if bytes == 0 { "–".to_owned() } else { units::bytes(bytes) };
    view! {
        <tr
            class:chosen=move || chosen.get()
            class:unasserted=group.key.is_none()
            data-key=group.key.clone()
            data-bytes=group.bytes.to_string()
            data-blocks=group.blocks.to_string()
            on:click=move |_| page.group.set(Some(own.clone()))
        >
            <th scope="row">
                <button class="link" title=name aria-pressed=move || chosen.get().to_string()>
                    <span class="folders">{file}</span><span class="tail">{rest}</span>
                </button>
            </th>
            <td class="num" title=units::bytes_exact(group.bytes)>{units::bytes(group.bytes)}</td>
            <td class="num">{units::share(group.bytes, total)}</td>
            <td class="num">{units::count(group.blocks)}</td>
            <td class="num" title=units::bytes_exact(group.largest_bytes)>{units::bytes(group.largest_bytes)}</td>
            <td class="num" title=kinds_text(lang, group)>{part(certain)}</td>
            <td class="num guessed" title=kinds_text(lang, group)>{part(guessed)}</td>
            <td class="num open" title=kinds_text(lang, group)>{part(open)}</td>
        </tr>
    }
}
