//! The operators of a static graph: all of it, or those that need memory at one node.

use leptos::prelude::*;

use super::follow::follow;
use super::messages::{Answer, Question};
use super::state::Page;
use crate::analysis::answer::PlannedOperator;
use crate::analysis::plan::{PlanOrder, PlanQuery, PlanTable};
use crate::words::{Lang, ui, units};

/// Operators shown: more than anybody reads, few enough for a table.
const LIMIT: usize = 200;

/// The table, its search and its node.
#[component]
pub fn PlanOperators(page: Page, #[prop(into)] graph: Signal<usize>, node: RwSignal<Option<u64>>) -> impl IntoView {
    let lang = page.lang;
    let text = RwSignal::new(String::new());
    let order = RwSignal::new((PlanOrder::Size, true));
    let table = RwSignal::new(PlanTable::default());
    let question = move || {
        let (order, down) = order.get();
        let query = PlanQuery { graph: graph.get(), at_node: node.get(), text: text.get(), order, down, limit: LIMIT };
        Some((page.ready()?, Question::PlanTable(query)))
    };
    follow(page.pool, question, move |_, (answer, _)| {
        if let Answer::PlanTable(answer) = answer {
            let _ = table.try_set(answer);
        }
    });
    let header = move |of: PlanOrder, title: fn(Lang) -> &'static str, is_number: bool| {
        let sorted = move || match order.get() {
            (by, true) if by == of => "descending",
            (by, false) if by == of => "ascending",
            _ => "none",
        };
        let click = move |_| {
            order.update(|(by, down)| {
                *down = if *by == of { !*down } else { of == PlanOrder::Size };
                *by = of;
            });
        };
        view! {
            <th scope="col" class:num=is_number aria-sort=sorted>
                <button class="sort" title=move || ui::sort_by(lang.get(), title(lang.get())) on:click=click>
                    {move || title(lang.get())}
                </button>
            </th>
        }
    };
    let said = move || {
        let (lang, table) = (lang.get(), table.get());
        let sum = page.bytes(table.bytes);
        match node.get() {
            Some(node) => ui::static_at_node(lang, &units::count(node), table.count, &sum),
            None => ui::static_all(lang, table.count, &sum),
        }
    };
    let rows = move || {
        let lang = lang.get();
        table.with(|table| table.rows.iter().map(|row| line(page, lang, row).into_any()).collect::<Vec<_>>())
    };
    view! {
        <div class="controls">
            <span class="hint" data-testid="static-said" role="status" data-count=move || table.with(|t| t.count.to_string())
                data-bytes=move || table.with(|t| t.bytes.to_string())>{said}</span>
            <Show when=move || node.get().is_some()>
                <button class="small" data-testid="static-all" on:click=move |_| node.set(None)>
                    {move || ui::static_show_all(lang.get())}
                </button>
            </Show>
            <label>
                {move || ui::static_node(lang.get())}
                <input type="number" class="node-field" min="0" step="1" data-testid="static-node"
                    prop:value=move || node.get().map(|node| node.to_string()).unwrap_or_default()
                    on:change=move |event| node.set(event_target_value(&event).parse().ok()) />
            </label>
            <input type="search" data-testid="static-search" aria-label=move || ui::search(lang.get())
                placeholder=move || ui::col_name(lang.get())
                on:input=move |event| text.set(event_target_value(&event)) />
        </div>
        <div class="table-scroll static-scroll" tabindex="0" role="region" aria-label=move || ui::static_table(lang.get())>
            <table class="list" data-testid="static-table">
                <thead>
                    <tr>
                        {header(PlanOrder::Name, ui::col_name, false)}
                        {header(PlanOrder::Size, ui::col_size, true)}
                        {header(PlanOrder::Start, ui::static_first_node, true)}
                        {header(PlanOrder::End, ui::static_end_node, true)}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

fn line(page: Page, lang: Lang, row: &PlannedOperator) -> impl IntoView + use<> {
    let bytes = row.bytes;
    let end = row.end.map_or_else(|| ui::static_to_the_end(lang).to_owned(), units::count);
    view! {
        <tr>
            <th scope="row">{row.name.clone()}</th>
            <td class="num" title=units::bytes_exact(bytes) data-bytes=bytes.to_string()>{move || page.bytes(bytes)}</td>
            <td class="num">{units::count(row.start)}</td>
            <td class="num">{end}</td>
        </tr>
    }
}
