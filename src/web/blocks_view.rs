//! All blocks of the rank as a table.

use std::sync::Arc;

use leptos::prelude::*;

use super::filters::{Filters, TakeAway};
use super::follow::follow;
use super::messages::{Answer, Question};
use super::state::Page;
use super::table_state::number_of_order;
use super::virtual_table::{Head, VirtualTable};
use crate::analysis::block::BlockRow;
use crate::analysis::block_table::{BlockColumn, BlocksQuery};
use crate::export::rows::header;
use crate::screen::scroll::{Line, Stretch};
use crate::words::units::{self, Noun};
use crate::words::{self, Lang, Term, ui};

/// The columns.
fn heads() -> Vec<Head> {
    let head = |column: BlockColumn, title: fn(Lang) -> &'static str, is_number: bool, width: f64| Head {
        name: column.name(),
        title,
        is_number,
        width,
    };
    vec![
        head(BlockColumn::AllocatedAt, ui::col_allocated_at, true, 10.5),
        head(BlockColumn::Operator, ui::col_operator, false, 0.0),
        head(BlockColumn::Bytes, ui::col_size, true, 7.0),
        head(BlockColumn::Life, ui::col_lifetime, true, 7.0),
        head(BlockColumn::ReleasedAt, ui::col_released_at, true, 10.5),
        head(BlockColumn::UserFrame, ui::col_user_frame, false, 0.0),
        head(BlockColumn::Match, ui::col_match, false, 9.5),
        head(BlockColumn::Allocated, ui::col_total_allocated, true, 7.0),
        head(BlockColumn::Reserved, ui::col_total_reserved, true, 7.0),
        head(BlockColumn::Active, ui::col_total_active, true, 7.0),
        head(BlockColumn::Pool, ui::col_pool, false, 7.0),
        head(BlockColumn::Stream, ui::col_stream, false, 5.5),
    ]
}

/// One block in texts.
fn line(lang: Lang, start: i64, block: &BlockRow) -> Line {
    let time = |time: i64| (units::relative(time, start), units::utc(time));
    let bytes = |bytes: Option<i64>| {
        bytes.map_or_else(|| ("–".to_owned(), String::new()), |bytes| (units::bytes(bytes), units::bytes_exact(bytes)))
    };
    let life = block.released_ns.map(|end| end.saturating_sub(block.allocated_ns));
    let plain = |text: &str| (text.to_owned(), text.to_owned());
    // The file's name says more than the folders before it.
    let frame = words::split_folders(&block.user_frame).1;
    let [allocated, reserved, active] = block.totals;
    let kind = Term::from(block.kind);
    let cells = vec![
        time(block.allocated_ns),
        plain(&block.operator),
        bytes(Some(block.bytes)),
        (life.map_or_else(|| "–".to_owned(), |life| units::duration(lang, life)), String::new()),
        block.released_ns.map_or_else(|| (ui::never(lang).to_owned(), String::new()), time),
        (frame.to_owned(), block.user_frame.clone()),
        (kind.text(lang).to_owned(), kind.meaning(lang).to_owned()),
        bytes(allocated),
        bytes(reserved),
        bytes(active),
        (block.pool.component.clone(), format!("{} · {}", block.pool.component, block.pool.device)),
        plain(&block.stream),
    ];
    Line { cells, block: Some(block.row) }
}

/// A number that changes with the order.
/// The view.
#[component]
pub fn BlocksView(page: Page) -> impl IntoView {
    let lang = page.lang;
    let stretch = RwSignal::new(Arc::new(Stretch::default()));
    let answered = RwSignal::new(None::<(u64, i64)>);
    let wanted = RwSignal::new((0_usize, 0_usize));
    let order = Memo::new(move |_| page.block_order());
    let question = move || {
        let (from, count) = wanted.get();
        let query = BlocksQuery { order: order.get(), from, count };
        Some((page.ready()?, Question::Blocks(query))).filter(|_| count > 0)
    };
    let rows = RwSignal::new(Arc::new((0_usize, 0_usize, Vec::<BlockRow>::new())));
    follow(page.pool, question, move |_, (answer, _)| {
        if let Answer::Blocks(found) = answer {
            answered.set(Some((found.total, found.bytes)));
            rows.set(Arc::new((found.total as usize, found.from as usize, found.rows)));
        }
    });
    Effect::new(move |_| {
        let (lang, start) = (lang.get(), page.start_ns());
        let (total, from, rows) = &*rows.get();
        let lines = rows.iter().map(|block| line(lang, start, block)).collect();
        stretch.set(Arc::new(Stretch { total: *total, from: *from, lines }));
    });
    let said = move || {
        let (total, bytes) = answered.get()?;
        let blocks = units::count_of(lang.get(), total, Noun::Row);
        Some(ui::top_total(lang.get(), &units::bytes(bytes), &blocks))
    };
    let sort = Callback::new(move |name: &'static str| {
        if let Some(column) = BlockColumn::ALL.iter().find(|column| column.name() == name) {
            page.tables.blocks.update(|(now, descending)| {
                *descending = *now != *column || !*descending;
                *now = *column;
            });
        }
    });
    let ask = move |from, count| {
        let order = order.get_untracked();
        Question::BlocksCsv(BlocksQuery { order, from, count })
    };
    view! {
        <section class="panel table-panel" data-testid="blocks-view" aria-label=move || ui::panel_blocks(lang.get())
            data-bytes=move || answered.get().map(|(_, bytes)| bytes.to_string()).unwrap_or_default()>
            <div class="panel-head">
                <h2>{move || ui::panel_blocks(lang.get())}</h2>
                <span class="total-live" role="status">{said}</span>
                <span class="space"></span>
                <TakeAway page ask=Callback::new(move |(from, count)| ask(from, count)) head=header(true) file="memlens-blocks.csv" />
            </div>
            <Filters page />
            <VirtualTable
                lang
                testid="blocks-table"
                label=Signal::derive(move || ui::panel_blocks(lang.get()).to_owned())
                heads=heads()
                stretch
                wanted
                sorted=Signal::derive(move || {
                    let (column, descending) = page.tables.blocks.get();
                    (column.name(), descending)
                })
                sort
                chosen=page.block
                choose=Callback::new(move |row| page.block.set(Some(row)))
                order=Memo::new(move |_| order.with(number_of_order))
            />
            <Show when=move || answered.get().is_some_and(|(total, _)| total == 0)>
                <p class="empty">{move || ui::nothing_fits(lang.get())}</p>
            </Show>
        </section>
    }
}
