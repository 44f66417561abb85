//! Everything that happens to the rank's memory as a table: allocations, releases, the pools' records.

use std::sync::Arc;

use leptos::prelude::*;

use super::filters::{Filters, TakeAway};
use super::follow::follow;
use super::messages::{Answer, Question};
use super::state::Page;
use super::table_state::number_of_order;
use super::virtual_table::{Head, VirtualTable};
use crate::analysis::event_table::{EventColumn, EventKind, EventRow, EventsQuery};
use crate::export::events::HEADER;
use crate::screen::scroll::{Line, Stretch};
use crate::words::units::{self, Noun};
use crate::words::{Lang, ui};

/// A kind in words.
pub fn event_text(lang: Lang, kind: EventKind) -> &'static str {
    match kind {
        EventKind::Allocation => ui::event_allocation(lang),
        EventKind::Release => ui::event_release(lang),
        EventKind::OlderRelease => ui::event_older_release(lang),
        EventKind::Record => ui::event_record(lang),
    }
}

/// The columns.
fn heads() -> Vec<Head> {
    let head = |column: EventColumn, title: fn(Lang) -> &'static str, is_number: bool, width: f64| Head {
        name: column.name(),
        title,
        is_number,
        width,
    };
    vec![
        head(EventColumn::Time, ui::col_time, true, 10.5),
        head(EventColumn::Kind, ui::col_event, false, 8.0),
        head(EventColumn::Operator, ui::col_operator, false, 0.0),
        head(EventColumn::Change, ui::col_change, true, 8.0),
        head(EventColumn::Allocated, ui::col_total_allocated, true, 8.0),
        head(EventColumn::Reserved, ui::col_total_reserved, true, 8.0),
        head(EventColumn::Active, ui::col_total_active, true, 8.0),
        head(EventColumn::Pool, ui::col_pool, false, 9.0),
    ]
}

fn line(lang: Lang, start: i64, event: &EventRow) -> Line {
    let bytes = |bytes: Option<i64>| {
        bytes.map_or_else(|| ("–".to_owned(), String::new()), |bytes| (units::bytes(bytes), units::bytes_exact(bytes)))
    };
    let change = event.change_bytes.map_or_else(
        || ("–".to_owned(), String::new()),
        |change| (units::bytes_change(change), units::bytes_exact(change)),
    );
    let [allocated, reserved, active] = event.totals;
    let cells = vec![
        (units::relative(event.time_ns, start), units::utc(event.time_ns)),
        (event_text(lang, event.kind).to_owned(), String::new()),
        (event.operator.clone(), event.operator.clone()),
        change,
        bytes(allocated),
        bytes(reserved),
        bytes(active),
        (event.pool.component.clone(), format!("{} · {}", event.pool.component, event.pool.device)),
    ];
    Line { cells, block: event.row }
}

/// The view.
#[component]
pub fn EventsView(page: Page) -> impl IntoView {
    let lang = page.lang;
    let stretch = RwSignal::new(Arc::new(Stretch::default()));
    let answered = RwSignal::new(None::<u64>);
    let wanted = RwSignal::new((0_usize, 0_usize));
    let order = Memo::new(move |_| page.event_order());
    let question = move || {
        let (from, count) = wanted.get();
        let query = EventsQuery { order: order.get(), from, count };
        Some((page.ready()?, Question::Events(query))).filter(|_| count > 0)
    };
    let rows = RwSignal::new(Arc::new((0_usize, 0_usize, Vec::<EventRow>::new())));
    follow(page.pool, question, move |_, (answer, _)| {
        if let Answer::Events(found) = answer {
            answered.set(Some(found.total));
            rows.set(Arc::new((found.total as usize, found.from as usize, found.rows)));
        }
    });
    Effect::new(move |_| {
        let (lang, start) = (lang.get(), page.start_ns());
        let (total, from, rows) = &*rows.get();
        let lines = rows.iter().map(|event| line(lang, start, event)).collect();
        stretch.set(Arc::new(Stretch { total: *total, from: *from, lines }));
    });
    let sort = Callback::new(move |name: &'static str| {
        if let Some(column) = EventColumn::ALL.into_iter().find(|column| column.name() == name) {
            page.tables.events.update(|(now, descending)| {
                *descending = *now == column && !*descending || *now != column && column != EventColumn::Time;
                *now = column;
            });
        }
    });
    let ask = move |from, count| Question::EventsCsv(EventsQuery { order: order.get_untracked(), from, count });
    let kinds = EventKind::ALL.map(|kind| {
        let has = move || page.tables.kinds.with(|kinds| kinds.contains(&kind));
        let toggle = move |_| {
            page.tables.kinds.update(|kinds| match kinds.iter().position(|other| *other == kind) {
                Some(at) => drop(kinds.remove(at)),
                None => kinds.push(kind),
            });
        };
        view! {
            <label class="tick">
                <input type="checkbox" data-testid=format!("event-{}", kind.name()) prop:checked=has on:change=toggle />
                <span>{move || event_text(lang.get(), kind)}</span>
            </label>
        }
    });
    view! {
        <section class="panel table-panel" data-testid="events-view" aria-label=move || ui::view_events(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::view_events(lang.get())}</h2>
                <span class="total-live" role="status">
                    {move || answered.get().map(|total| units::count_of(lang.get(), total, Noun::Event))}
                </span>
                <span class="space"></span>
                <TakeAway page ask=Callback::new(move |(from, count)| ask(from, count)) head=HEADER.to_owned() file="memlens-events.csv" />
            </div>
            <div class="controls ticks" role="group" aria-label=move || ui::col_event(lang.get())>{kinds.into_iter().collect_view()}</div>
            <Filters page />
            <VirtualTable
                lang
                testid="events-table"
                label=Signal::derive(move || ui::view_events(lang.get()).to_owned())
                heads=heads()
                stretch
                wanted
                sorted=Signal::derive(move || {
                    let (column, descending) = page.tables.events.get();
                    (column.name(), descending)
                })
                sort
                chosen=page.block
                choose=Callback::new(move |row| page.block.set(Some(row)))
                order=Memo::new(move |_| order.with(number_of_order))
            />
            <Show when=move || answered.get() == Some(0)>
                <p class="empty">{move || ui::nothing_fits(lang.get())}</p>
            </Show>
        </section>
    }
}
