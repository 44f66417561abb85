//! What the tables of blocks and events show: what is typed, and what follows the other views. And the ways to take it away.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::clipboard;
use super::export::{Pieces, save};
use super::icons::{COPY, EXPORT, Icon};
use super::messages::{Answer, Question};
use super::read::text_of;
use super::state::{Notice, Page};
use crate::analysis::answer::PoolKey;
use crate::analysis::filter::BlockFilter;
use crate::screen::amount::{BYTES, TIMES, parse};
use crate::words::units::{self, Noun};
use crate::words::{Lang, ui};
use wasm_bindgen::JsCast;

/// Rows written at once.
const BATCH: usize = 4096;
/// Rows that go to the clipboard at most.
const COPIED: usize = 1000;

/// One of a filter's limits.
#[derive(Clone, Copy)]
struct Limit {
    of: fn(&mut BlockFilter) -> &mut [Option<i64>; 2],
    end: usize,
    units: &'static [(&'static str, f64)],
}

impl Limit {
    fn set(self, filter: &mut BlockFilter, number: Option<i64>) {
        if let Some(limit) = (self.of)(filter).get_mut(self.end) {
            *limit = number;
        }
    }
}

/// The fields and switches.
#[component]
pub fn Filters(page: Page) -> impl IntoView {
    let lang = page.lang;
    let filter = page.filter;
    let cleared = RwSignal::new(0_u32);
    let limits = move |name: fn(Lang) -> &'static str, id: &'static str, hint: &'static str, limit: Limit| {
        let field = move |end: usize| {
            let limit = Limit { end, ..limit };
            let wrong = RwSignal::new(false);
            let text = RwSignal::new(String::new());
            Effect::new(move |_| {
                if cleared.get() > 0 {
                    text.set(String::new());
                    wrong.set(false);
                }
            });
            let take = move |event| {
                let typed = event_target_value(&event);
                let number = parse(&typed, limit.units);
                wrong.set(number.is_none() && !typed.trim().is_empty());
                text.set(typed);
                filter.update(|filter| limit.set(filter, number));
            };
            view! {
                <input
                    class="limit"
                    data-testid=format!("{id}-{}", if end == 0 { "least" } else { "most" })
                    placeholder=if end == 0 { format!("≥ {hint}") } else { "≤".to_owned() }
                    aria-label=move || {
                        let name = name(lang.get());
                        if end == 0 { ui::filter_least(lang.get(), name) } else { ui::filter_most(lang.get(), name) }
                    }
                    aria-invalid=move || wrong.get().to_string()
                    prop:value=move || text.get()
                    on:input=take
                />
            }
        };
        view! { <span class="limits"><span>{move || name(lang.get())}</span>{field(0)}{field(1)}</span> }
    };
    let tick = move |name: fn(Lang) -> &'static str, id: &'static str, flag: RwSignal<bool>| {
        view! {
            <label class="tick">
                <input type="checkbox" data-testid=id prop:checked=move || flag.get()
                    on:change=move |event| flag.set(event_target_checked(&event)) />
                <span>{move || name(lang.get())}</span>
            </label>
        }
    };
    let pools = Memo::new(move |_| {
        let pools = page.summary.get().map(|summary| {
            let key = |pool: &crate::analysis::answer::PoolSummary| PoolKey {
                component: pool.component.clone(),
                device: pool.device.clone(),
            };
            summary.pools.iter().map(key).collect::<Vec<_>>()
        });
        pools.unwrap_or_default()
    });
    let pool = move || {
        let place =
            filter.with(|filter| pools.with(|pools| pools.iter().position(|p| Some(p) == filter.pool.as_ref())));
        place.map_or_else(String::new, |place| place.to_string())
    };
    let options = move || {
        let option = |(place, pool): (usize, &PoolKey)| {
            view! { <option value=place.to_string()>{format!("{} · {}", pool.component, pool.device)}</option> }
        };
        pools.with(|pools| pools.iter().enumerate().map(option).collect_view())
    };
    let plain = move || filter.with(|filter| *filter == BlockFilter::default()) && !page.tables.follows();
    let reset = move |_| {
        filter.set(BlockFilter::default());
        page.tables.reset();
        cleared.update(|times| *times += 1);
    };
    let bytes = Limit { of: |filter| &mut filter.bytes, end: 0, units: &BYTES };
    let life = Limit { of: |filter| &mut filter.life_ns, end: 0, units: &TIMES };
    let total = Limit { of: |filter| &mut filter.allocated, end: 0, units: &BYTES };
    view! {
        <div class="controls filters" role="group" aria-label=move || ui::filter(lang.get())>
            <input
                type="search"
                data-testid="filter-text"
                placeholder=move || ui::search_placeholder(lang.get())
                aria-label=move || ui::search(lang.get())
                prop:value=move || filter.with(|filter| filter.text.clone())
                on:input=move |event| filter.update(|filter| filter.text = event_target_value(&event))
            />
            {limits(ui::col_size, "filter-bytes", "1 MiB", bytes)}
            {limits(ui::col_lifetime, "filter-life", "1 ms", life)}
            {limits(ui::col_total_allocated, "filter-total", "1 GiB", total)}
            <Show when=move || { pools.with(Vec::len) > 1 }>
                <label>
                    <span>{move || ui::top_pool(lang.get())}</span>
                    <select data-testid="filter-pool" prop:value=pool on:change=move |event| {
                        let place: Option<usize> = event_target_value(&event).parse().ok();
                        let pool = place.and_then(|place| pools.with_untracked(|pools| pools.get(place).cloned()));
                        filter.update(|filter| filter.pool = pool);
                    }>
                        <option value="">{move || ui::all_pools(lang.get())}</option>
                        {options}
                    </select>
                </label>
            </Show>
            <label class="tick">
                <input type="checkbox" data-testid="filter-never"
                    prop:checked=move || filter.with(|filter| filter.never_released)
                    on:change=move |event| filter.update(|filter| filter.never_released = event_target_checked(&event)) />
                <span>{move || ui::col_never_released(lang.get())}</span>
            </label>
            {tick(ui::filter_in_range, "filter-range", page.tables.in_range)}
            {tick(ui::filter_unreleased, "filter-unreleased", page.tables.unreleased)}
            {tick(ui::filter_live, "filter-live", page.tables.live)}
            <Show when=move || page.group.get().is_some()>
                {tick(ui::filter_group, "filter-group", page.tables.of_group)}
            </Show>
            <button class="small" data-testid="filter-reset" disabled=plain on:click=reset>{move || ui::filter_reset(lang.get())}</button>
        </div>
    }
}

/// Copies and exports what a table shows; `ask` makes the question for some of its rows.
#[component]
pub fn TakeAway(
    page: Page,
    ask: Callback<(usize, usize), Question>,
    head: String,
    file: &'static str,
) -> impl IntoView {
    let lang = page.lang;
    let written = RwSignal::new(None::<usize>);
    let copied = RwSignal::new(false);
    let head = StoredValue::new(head);
    let export = move |_| {
        let Some(rank) = page.current.get_untracked().map(|rank| rank.0.id) else { return };
        written.set(Some(0));
        spawn_local(async move {
            let saved = write(page, rank, ask, head.get_value(), usize::MAX, written).await;
            let saved =
                saved.and_then(|pieces| pieces.finish().and_then(|blob| save(&blob, file)).map_err(|e| text_of(&e)));
            written.set(None);
            page.notice.set(Some(match saved {
                Ok(()) => Notice::Saved(file.to_owned()),
                Err(reason) => Notice::SaveFailed(reason),
            }));
        });
    };
    let copy = move |_| {
        let Some(rank) = page.current.get_untracked().map(|rank| rank.0.id) else { return };
        spawn_local(async move {
            let pieces = write(page, rank, ask, head.get_value(), COPIED, RwSignal::new(None)).await;
            let text = pieces.map(|pieces| String::from_utf8_lossy(pieces.open()).into_owned()).unwrap_or_default();
            if !text.is_empty() && clipboard::copy(&text).await {
                copied.set(true);
                set_timeout(
                    move || {
                        let _ = copied.try_set(false);
                    },
                    std::time::Duration::from_secs(2),
                );
            } else {
                page.notice.set(Some(Notice::CopyFailed));
            }
        });
    };
    let text = move || match written.get() {
        Some(rows) => ui::export_writing(lang.get(), &units::count_of(lang.get(), rows as u64, Noun::Row)),
        None => ui::export_shown(lang.get()).to_owned(),
    };
    view! {
        <button class="small" data-testid="copy-rows" title=move || ui::copy_rows(lang.get(), COPIED as u64) on:click=copy>
            <Icon path=COPY />
            {move || if copied.get() { ui::copied(lang.get()) } else { ui::copy(lang.get()) }}
        </button>
        <button class="small" data-testid="export-shown" disabled=move || written.get().is_some() on:click=export>
            <Icon path=EXPORT />
            {text}
        </button>
    }
}

async fn write(
    page: Page,
    rank: u32,
    ask: Callback<(usize, usize), Question>,
    head: String,
    most: usize,
    written: RwSignal<Option<usize>>,
) -> Result<Pieces, String> {
    let hold = page.pool.hold();
    let mut pieces = Pieces::new(head.into_bytes());
    let mut from = 0;
    while from < most {
        let wanted = BATCH.min(most - from);
        // The view may be gone by then.
        let Some(question) = ask.try_run((from, wanted)) else {
            return Err(ui::export_left(page.lang.get_untracked()).to_owned());
        };
        let reply = page.pool.ask(rank, question).await;
        let Some((Answer::Csv(count), data)) = reply else {
            return Err(ui::worker_died(page.lang.get_untracked(), &rank.to_string()));
        };
        if let Ok(bytes) = data.get(0).dyn_into::<js_sys::Uint8Array>() {
            pieces.add(&bytes.to_vec()).map_err(|e| text_of(&e))?;
        }
        from += count;
        written.set(Some(from).filter(|_| most > COPIED));
        if count < wanted {
            break;
        }
    }
    drop(hold);
    Ok(pieces)
}
