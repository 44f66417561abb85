//! A table of any length: as many rows as fit are in the page, and take what is to be seen there. While an answer is on its way
//! the rows keep what they show, so that none is ever blank.

use std::sync::Arc;

use leptos::ev::{KeyboardEvent, WheelEvent};
use leptos::html::Div;
use leptos::prelude::*;

use super::canvas::size_of;
use crate::screen::scroll::{HEAD, HIGHEST, ROW, Stretch, first_of, top_of};
use crate::words::{Lang, ui};

/// One column.
#[derive(Clone, Copy)]
pub struct Head {
    /// Its stable name.
    pub name: &'static str,
    /// Its title.
    pub title: fn(Lang) -> &'static str,
    /// Whether it holds numbers, right-aligned.
    pub is_number: bool,
    /// Width in rem; 0: what is left.
    pub width: f64,
}

/// The table.
#[component]
pub fn VirtualTable(
    lang: RwSignal<Lang>,
    testid: &'static str,
    #[prop(into)] label: Signal<String>,
    heads: Vec<Head>,
    stretch: RwSignal<Arc<Stretch>>,
    /// The rows needed: the first, and how many.
    wanted: RwSignal<(usize, usize)>,
    /// Name of the column sorted by, and whether descending.
    #[prop(into)]
    sorted: Signal<(&'static str, bool)>,
    sort: Callback<&'static str>,
    #[prop(into)] chosen: Signal<Option<u32>>,
    choose: Callback<u32>,
    /// Changes when the rows become others: then the first comes into view.
    #[prop(into)]
    order: Signal<u64>,
) -> impl IntoView {
    let frame = NodeRef::<Div>::new();
    let size = size_of(frame);
    let first = RwSignal::new(0_usize);
    let cursor = RwSignal::new(None::<usize>);
    let fit = Memo::new(move |_| (((size.get().height - HEAD) / ROW).floor().max(1.0)) as usize);
    let total = Memo::new(move |_| stretch.with(|stretch| stretch.total));
    Effect::new(move |_| {
        let fit = fit.get();
        let page = first.get() / fit;
        wanted.set((page.saturating_sub(1) * fit, 3 * fit));
    });
    let scroll_to = move |row: usize| {
        let (total, fit) = (total.get_untracked(), fit.get_untracked());
        let row = row.min(total.saturating_sub(fit));
        first.set(row);
        if let Some(frame) = frame.get_untracked() {
            frame.set_scroll_top(top_of(row, total, fit) as i32);
        }
    };
    Effect::new(move |before: Option<u64>| {
        let order = order.get();
        if before.is_some_and(|before| before != order) {
            cursor.set(None);
            scroll_to(0);
        }
        order
    });
    // What the rows show: the window wanted once it is there, until then the one before.
    let shown = Memo::new(move |before: Option<&usize>| {
        let (first, fit) = (first.get(), fit.get());
        stretch.with(|stretch| match before {
            _ if stretch.covers(first, fit) => first,
            Some(before) if stretch.covers(*before, fit) => *before,
            _ => stretch.from,
        })
    });
    let on_scroll = move |_| {
        let Some(frame) = frame.get_untracked() else { return };
        let (total, fit) = (total.get_untracked(), fit.get_untracked());
        let top = f64::from(frame.scroll_top());
        // Set from a row, it means that row.
        if (top - top_of(first.get_untracked(), total, fit).floor()).abs() > 1.0 {
            // The bar's end is the last row, also where the window is not a whole number of rows high.
            let is_end = frame.scroll_top() + frame.client_height() >= frame.scroll_height() - 1;
            let now = if is_end { total.saturating_sub(fit) } else { first_of(top, total, fit) };
            if now != first.get_untracked() {
                first.set(now);
            }
        }
    };
    let on_wheel = move |event: WheelEvent| {
        // Where the bar moves in large steps the wheel would, too.
        if total.get_untracked() as f64 * ROW > HIGHEST && !event.ctrl_key() && event.delta_y() != 0.0 {
            event.prevent_default();
            let by = (event.delta_y() / ROW).round() as i64;
            let by = if by == 0 { event.delta_y().signum() as i64 } else { by };
            scroll_to((first.get_untracked() as i64 + by).max(0) as usize);
        }
    };
    let line_at = move |row: usize| stretch.with(|stretch| stretch.lines.get(row.checked_sub(stretch.from)?).cloned());
    let on_key = move |event: KeyboardEvent| {
        let (total, fit, now) = (total.get_untracked(), fit.get_untracked(), first.get_untracked());
        let at = cursor.get_untracked();
        let next = match event.key().as_str() {
            "ArrowDown" => at.map_or(now, |at| at + 1),
            "ArrowUp" => at.map_or(now, |at| at.saturating_sub(1)),
            "PageDown" => at.unwrap_or(now) + fit,
            "PageUp" => at.unwrap_or(now).saturating_sub(fit),
            "Home" => 0,
            "End" => total,
            _ => return,
        };
        event.prevent_default();
        let next = next.min(total.saturating_sub(1));
        cursor.set(Some(next));
        if next < now {
            scroll_to(next);
        } else if next >= now + fit {
            scroll_to(next + 1 - fit);
        }
    };
    // Choosing a block makes room for what is known of it: the row at the keyboard's place stays in sight.
    Effect::new(move |before: Option<usize>| {
        let fit = fit.get();
        if let (Some(before), Some(at)) = (before, cursor.get_untracked()) {
            let now = first.get_untracked();
            // By one row more: a scroll event between the layout and its report may have set the window a row back.
            if fit < before && at >= now + fit && at <= now + before {
                scroll_to(at + 1 - fit);
            }
        }
        fit
    });
    // The block under the cursor is the chosen one as soon as it is known.
    Effect::new(move |_| {
        let Some(row) = cursor.get() else { return };
        let line = line_at(row);
        if let Some(block) = line.and_then(|line| line.block).filter(|block| chosen.get_untracked() != Some(*block)) {
            choose.run(block);
        }
    });
    let widths = heads.clone();
    let columns = heads.len();
    let classes: Vec<&'static str> = heads.iter().map(|head| if head.is_number { "num" } else { "text" }).collect();
    let head = move |head: &Head| {
        let Head { name, title, is_number, .. } = *head;
        let direction = move || match sorted.get() {
            (now, true) if now == name => "descending",
            (now, false) if now == name => "ascending",
            _ => "none",
        };
        view! {
            <th scope="col" class=if is_number { "num" } else { "" } aria-sort=direction data-column=name>
                <button class="sort" title=move || ui::sort_by(lang.get(), title(lang.get())) on:click=move |_| sort.run(name)>
                    {move || title(lang.get())}
                </button>
            </th>
        }
    };
    let row = move |slot: usize| {
        let line = Memo::new(move |_| line_at(shown.get() + slot));
        let block = Memo::new(move |_| line.with(|line| line.as_ref().and_then(|line| line.block)));
        let is_chosen = move || block.get().is_some() && block.get() == chosen.get();
        let cells = classes.iter().enumerate().map(move |(at, class)| {
            let of = move |title: bool| {
                line.with(|line| {
                    let cell = line.as_ref().and_then(|line| line.cells.get(at));
                    cell.map(|(text, more)| if title { more.clone() } else { text.clone() }).unwrap_or_default()
                })
            };
            view! { <td class=*class title=move || of(true)>{move || of(false)}</td> }
        });
        view! {
            <tr
                class:chosen=is_chosen
                class:absent=move || line.with(Option::is_none)
                aria-rowindex=move || (shown.get() + slot + 2).to_string()
                aria-selected=move || is_chosen().to_string()
                data-row=move || block.get().map(|block| block.to_string()).unwrap_or_default()
                on:click=move |_| {
                    cursor.set(Some(shown.get_untracked() + slot));
                    if let Some(block) = block.get_untracked() {
                        choose.run(block);
                    }
                }
            >
                {cells.collect_view()}
            </tr>
        }
    };
    view! {
        <div
            class="virtual"
            node_ref=frame
            tabindex="0"
            role="region"
            data-keys="table"
            data-testid=testid
            data-total=move || total.get().to_string()
            data-first=move || shown.get().to_string()
            aria-label=label
            on:scroll=on_scroll
            on:wheel=on_wheel
            on:keydown=on_key
        >
            <div class="virtual-length" style:height=move || {
                format!("{}px", (total.get() as f64 * ROW).min(HIGHEST) + HEAD)
            }>
                <table class="list virtual-table" aria-rowcount=move || (total.get() + 1).to_string() aria-colcount=columns.to_string()>
                    <colgroup>
                        {widths.iter().map(|head| {
                            let width = head.width;
                            let width = if width > 0.0 { format!("{width}rem") } else { "auto".to_owned() };
                            view! { <col style:width=width /> }
                        }).collect_view()}
                    </colgroup>
                    <thead><tr>{heads.iter().map(head).collect_view()}</tr></thead>
                    <tbody>
                        <For each=move || 0..fit.get().min(total.get()) key=|slot| *slot children=row />
                    </tbody>
                </table>
            </div>
        </div>
    }
}
