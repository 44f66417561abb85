//! The numbers of a comparison: both sides as a whole, then group by group, with the difference as a bar to the left or right.

use std::sync::Arc;

use leptos::prelude::*;

use super::messages::ComparedSides;
use super::state::Page;
use crate::analysis::answer::GroupBy;
use crate::analysis::compare::{Both, ComparedGroup, FoundIn, GroupsTogether};
use crate::words::{self, Lang, ui, units};

/// Both sides as a whole, and what only one of them has.
#[component]
pub fn Totals(page: Page, compared: Arc<ComparedSides>) -> impl IntoView {
    let lang = page.lang;
    let [[live_a, allocated_a], [live_b, allocated_b]] = compared.totals;
    let row = move |id: &'static str, title: fn(Lang) -> &'static str, both: Both| {
        view! {
            <tr data-testid=format!("compare-total-{id}") data-a=both.a.bytes.to_string() data-b=both.b.bytes.to_string()>
                <th scope="row">{move || title(lang.get())}</th>
                {numbers(page, both)}
            </tr>
        }
    };
    let only = move |name: &'static str, groups: GroupsTogether| {
        (groups.count > 0).then(|| {
            let text = move || {
                let (live, allocated) =
                    if name == "A" { (groups.live.a, groups.allocated.a) } else { (groups.live.b, groups.allocated.b) };
                let (live, allocated) = (page.bytes(live.bytes), page.bytes(allocated.bytes));
                words::answers::compare_only(lang.get(), name, groups.count, &live, &allocated)
            };
            view! { <p class="hint">{text}</p> }
        })
    };
    let (a, b) = (compared.compared.only_a, compared.compared.only_b);
    view! {
        <table class="list compare-totals">
            <thead>
                <tr>
                    <td></td>
                    <th scope="col" class="num">"A"</th>
                    <th scope="col" class="num">"B"</th>
                    <th scope="col" class="num">"B − A"</th>
                </tr>
            </thead>
            <tbody>
                {row("live", words::answers::compare_live, Both { a: live_a, b: live_b })}
                {row("allocated", words::answers::compare_allocated, Both { a: allocated_a, b: allocated_b })}
            </tbody>
        </table>
        {only("A", a)}
        {only("B", b)}
    }
}

/// A, B and the difference.
fn numbers(page: Page, both: Both) -> impl IntoView {
    let change = both.change_bytes();
    let blocks = move || units::count_of(page.lang.get(), both.a.blocks, units::Noun::Block);
    let other_blocks = move || units::count_of(page.lang.get(), both.b.blocks, units::Noun::Block);
    view! {
        <td class="num" title=move || format!("{}\n{}", units::bytes_exact(both.a.bytes), blocks())>
            {move || page.bytes(both.a.bytes)}
        </td>
        <td class="num" title=move || format!("{}\n{}", units::bytes_exact(both.b.bytes), other_blocks())>
            {move || page.bytes(both.b.bytes)}
        </td>
        <td class="num" class:more={change > 0} class:less={change < 0} title=units::bytes_exact(change)>
            {move || change_text(page, change)}
        </td>
    }
}

/// A difference with its sign. Tracks.
fn change_text(page: Page, change: i64) -> String {
    match change {
        1.. => format!("+{}", page.bytes(change)),
        _ => page.bytes(change),
    }
}

/// Group by group.
#[component]
pub fn CompareTable(page: Page, compared: Arc<ComparedSides>, by: GroupBy) -> impl IntoView {
    let lang = page.lang;
    let search = RwSignal::new(String::new());
    let most = compared.compared.groups.iter().map(|group| group.live.change_bytes().saturating_abs());
    let most = most.max().unwrap_or_default().max(1);
    let others = compared.compared.others;
    let count = compared.compared.all.count;
    let groups = Arc::new(compared.compared.groups.clone());
    let shown = Memo::new(move |_| {
        let text = search.get().to_lowercase();
        let is_shown = |group: &&ComparedGroup| {
            text.is_empty() || group.key.as_deref().unwrap_or_default().to_lowercase().contains(&text)
        };
        groups.iter().filter(is_shown).cloned().collect::<Vec<_>>()
    });
    let rows = move || {
        let lang = lang.get();
        shown.with(|groups| groups.iter().map(|group| line(page, lang, by, group, most).into_any()).collect::<Vec<_>>())
    };
    view! {
        <section class="panel" aria-label=move || ui::compare_groups(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::compare_groups(lang.get())}</h2>
                <span class="hint">{move || ui::top_shown(lang.get(), shown.with(Vec::len) as u64, count)}</span>
                <span class="space"></span>
                <input type="search" data-testid="compare-search" aria-label=move || ui::search(lang.get())
                    placeholder=move || ui::search_placeholder(lang.get())
                    on:input=move |event| search.set(event_target_value(&event)) />
            </div>
            <div class="table-scroll" tabindex="0" role="region" aria-label=move || ui::compare_groups(lang.get())>
                <table class="list compare-table" data-testid="compare-table">
                    <thead>
                        <tr>
                            <th scope="col" rowspan="2">{move || ui::col_name(lang.get())}</th>
                            <th scope="colgroup" colspan="3" class="middle">{move || words::answers::compare_live(lang.get())}</th>
                            <th scope="colgroup" colspan="3" class="middle">{move || words::answers::compare_allocated(lang.get())}</th>
                        </tr>
                        <tr>
                            {["A", "B", "B − A", "A", "B", "B − A"].map(|name| view! { <th scope="col" class="num">{name}</th> }).collect_view()}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {(others.count > 0).then(|| {
                let text = move || {
                    let change = change_text(page, others.live.change_bytes());
                    ui::compare_others(lang.get(), others.count, &change)
                };
                view! { <p class="hint">{text}</p> }
            })}
        </section>
    }
}

fn line(page: Page, lang: Lang, by: GroupBy, group: &ComparedGroup, most: i64) -> impl IntoView + use<> {
    let key = words::group_key(lang, by, group.key.as_deref()).to_owned();
    let first = key.lines().next().unwrap_or_default().to_owned();
    let (live, allocated) = (group.live, group.allocated);
    let change = live.change_bytes();
    let width = change.saturating_abs() as f64 / most as f64 * 50.0;
    let side = if change < 0 { "right: 50%" } else { "left: 50%" };
    let found = match group.found_in {
        FoundIn::Both => None,
        FoundIn::OnlyA => Some("A"),
        FoundIn::OnlyB => Some("B"),
    };
    view! {
        <tr data-change=change.to_string() data-key=group.key.clone()>
            <th scope="row" title=key>
                <span class="compare-name">{first}</span>
                {found.map(|name| view! { <span class="only">{ui::compare_only_in(lang, name)}</span> })}
                <span class="swing" aria-hidden="true">
                    <span class:less={change < 0} style=format!("{side}; width: {width:.2}%")></span>
                </span>
            </th>
            {numbers(page, live)}
            {numbers(page, allocated)}
        </tr>
    }
}
