//! Why a pool holds more than it gives out: what is reserved and not allocated over time, and each growth with what triggered it.

use std::sync::Arc;

use leptos::prelude::*;

use super::curves::unpack_curves;
use super::follow::follow;
use super::messages::{Answer, Question};
use super::state::Page;
use super::top::PoolChoice;
use crate::analysis::answer::{PoolKey, Quantity, Series, Timeline};
use crate::analysis::check::are_totals_mixed;
use crate::analysis::reserved::{Held, Reserved, ReservedGrowth, ReservedQuery, UnusedCurves};
use crate::chart::small::{Extent, SIDE, path};
use crate::chart::theme::css;
use crate::screen::range::whole;
use crate::words::{self, Lang, ui, units};

/// Growths asked for.
const LIMIT: usize = 100;
/// Pixel columns of the picture.
const COLUMNS: u32 = 1000;

/// The two curves as a timeline: reserved less allocated, then active less allocated.
pub fn unused_timeline(query: &ReservedQuery, curves: Option<UnusedCurves>) -> Timeline {
    let curves = curves.unwrap_or(UnusedCurves { unused: Vec::new(), pending: Vec::new() });
    let pool = query.pool.clone().unwrap_or(PoolKey { component: String::new(), device: String::new() });
    let series = |(quantity, points): (Quantity, Vec<(i64, i64)>)| {
        let (times_ns, bytes) = points.into_iter().unzip();
        Series { pool: pool.clone(), quantity, times_ns, bytes, complete: false }
    };
    let both = [(Quantity::Reserved, curves.unused), (Quantity::Active, curves.pending)];
    Timeline { start_ns: query.from_ns, end_ns: query.to_ns, series: both.into_iter().map(series).collect() }
}

/// The view.
#[component]
pub fn ReservedView(page: Page) -> impl IntoView {
    let lang = page.lang;
    let told = RwSignal::new(None::<Option<Arc<Reserved>>>);
    let curves = RwSignal::new(None::<Arc<Timeline>>);
    let query = Memo::new(move |_| {
        let window = page.summary.with(|summary| summary.as_ref().and_then(|summary| summary.window_ns))?;
        let (from_ns, to_ns) = page.range.get().unwrap_or(whole(window));
        Some(ReservedQuery { from_ns, to_ns, pool: page.pool_shown.get(), limit: LIMIT })
    });
    follow(
        page.pool,
        move || Some((page.ready()?, Question::Reserved(query.get()?))),
        move |_, (answer, _)| {
            if let Answer::Reserved(reserved) = answer {
                // The view may be gone by then.
                let _ = told.try_set(Some(reserved.map(|reserved| Arc::new(*reserved))));
            }
        },
    );
    follow(
        page.pool,
        move || Some((page.ready()?, Question::Unused(query.get()?, COLUMNS))),
        move |_, (answer, data)| {
            let Answer::Timeline(answer) = answer else { return };
            let _ = curves.try_set(unpack_curves(answer, &data).map(Arc::new));
        },
    );
    let start = move || page.start_ns();
    let reserved = Memo::new(move |_| told.get().flatten());
    let range = move || {
        let (query, start) = (query.get()?, start());
        Some(ui::reserved_over(lang.get(), &page.time(query.from_ns, start), &page.time(query.to_ns, start)))
    };
    let is_mixed = move || page.summary.with(|summary| summary.as_ref().is_some_and(|s| are_totals_mixed(s)));
    let has_any = move || reserved.with(|r| r.as_ref().is_some_and(|r| r.worst.is_some()));
    let worst = move || reserved.with(|r| r.as_ref().and_then(|r| r.worst).map(|held| held.unused_bytes.to_string()));
    view! {
        <section class="panel reserved-panel" data-testid="reserved" aria-label=move || ui::reserved_title(lang.get())
            data-worst=worst
            data-growths=move || reserved.with(|r| r.as_ref().map(|r| r.growth_count.to_string()))
            data-growth-bytes=move || reserved.with(|r| r.as_ref().map(|r| r.growth_bytes.to_string()))>
            <div class="panel-head">
                <h2>{move || ui::reserved_title(lang.get())}</h2>
                <span class="hint">{range}</span>
                <span class="space"></span>
                <PoolChoice page />
            </div>
            <Show when=is_mixed><p class="stale" role="note">{move || ui::reserved_mixed(lang.get())}</p></Show>
            <Show
                when=has_any
                fallback=move || view! {
                    <p class="empty">{move || match told.with(Option::is_some) || query.with(Option::is_none) {
                        true => ui::reserved_none(lang.get()),
                        false => ui::loading(lang.get()),
                    }}</p>
                }
            >
                <Moments page reserved />
                <Picture page curves />
                <Growths page reserved />
            </Show>
        </section>
    }
}

/// Three moments, each a way to its time.
#[component]
fn Moments(page: Page, reserved: Memo<Option<Arc<Reserved>>>) -> impl IntoView {
    let lang = page.lang;
    let start = move || page.start_ns();
    let held = move |title: fn(Lang) -> &'static str, of: fn(&Reserved) -> Option<Held>| {
        let held = reserved.with(|r| r.as_ref().and_then(|r| of(r)))?;
        let (lang, reserved_bytes) = (lang.get(), page.bytes(held.reserved_bytes));
        let share = units::share(held.unused_bytes, held.reserved_bytes);
        let more = ui::reserved_of(lang, &reserved_bytes, &share, words::level(lang, held.level));
        Some(moment(page, title(lang), held.unused_bytes, held.time_ns, start(), more).into_any())
    };
    let pending = move || {
        let most = reserved.with(|r| r.as_ref().and_then(|r| r.pending)).filter(|most| most.bytes > 0)?;
        let title = ui::reserved_pending(lang.get());
        Some(moment(page, title, most.bytes, most.time_ns, start(), String::new()).into_any())
    };
    view! {
        <dl class="moments">
            {move || held(ui::reserved_peak, |r| r.at_peak)}
            {move || held(ui::reserved_worst, |r| r.worst)}
            {pending}
        </dl>
        <p class="hint">{move || ui::reserved_levels(lang.get())}</p>
    }
}

fn moment(
    page: Page,
    title: &'static str,
    bytes: i64,
    time_ns: i64,
    start: i64,
    more: String,
) -> impl IntoView + use<> {
    let time = page.time(time_ns, start);
    let go = ui::check_go(page.lang.get(), &time);
    view! {
        <div>
            <dt>{title}</dt>
            <dd>
                <b title=units::bytes_exact(bytes) data-bytes=bytes.to_string()>{page.bytes(bytes)}</b>" "<span>{more}</span>" "
                <button class="link at" title=go on:click=move |_| page.go_to(time_ns)>{time}</button>
            </dd>
        </div>
    }
}

/// Both curves over the range, on one scale.
#[component]
fn Picture(page: Page, curves: RwSignal<Option<Arc<Timeline>>>) -> impl IntoView {
    let lang = page.lang;
    let top_bytes = Memo::new(move |_| {
        let most = curves.with(|c| c.as_ref()?.series.iter().flat_map(|s| s.bytes.iter().copied()).max());
        most.unwrap_or_default().max(1)
    });
    let drawn = move |quantity: Quantity| {
        let curves = curves.get()?;
        let series = curves.series.iter().find(|series| series.quantity == quantity)?;
        let top_bytes = top_bytes.get().saturating_add(top_bytes.get() / 12);
        Some(path(series, Extent { start_ns: curves.start_ns, end_ns: curves.end_ns, top_bytes }, true))
    };
    view! {
        <div class="unused-picture">
            <span class="hint num">{move || page.bytes(top_bytes.get())}</span>
            <svg class="outside-picture" viewBox=format!("0 0 {SIDE} {SIDE}") preserveAspectRatio="none" role="img"
                aria-label=move || ui::reserved_title(lang.get())>
                <path d=move || drawn(Quantity::Reserved) style:--c=move || css(page.theme().reserved) />
                <path d=move || drawn(Quantity::Active) style:--c=move || css(page.theme().active) />
            </svg>
            <p class="hint">
                <span class="line-swatch filled" aria-hidden="true" style:--c=move || css(page.theme().reserved)></span>
                {move || ui::reserved_unused_legend(lang.get())}" \u{2002} "
                <span class="line-swatch filled" aria-hidden="true" style:--c=move || css(page.theme().active)></span>
                {move || ui::reserved_pending_legend(lang.get())}
            </p>
        </div>
    }
}

/// Each growth, and the allocation that triggered it.
#[component]
fn Growths(page: Page, reserved: Memo<Option<Arc<Reserved>>>) -> impl IntoView {
    let lang = page.lang;
    let start = move || page.start_ns();
    let said = move || {
        let reserved = reserved.get()?;
        let bytes = page.bytes(reserved.growth_bytes);
        let shown = reserved.growths.len() as u64;
        (shown > 0).then(|| ui::reserved_growths_of(lang.get(), shown, reserved.growth_count, &bytes))
    };
    let rows = move || {
        let (lang, start) = (lang.get(), start());
        let growths = reserved.get().map(|r| r.growths.clone()).unwrap_or_default();
        growths.iter().map(|growth| line(page, lang, start, growth).into_any()).collect::<Vec<_>>()
    };
    let any_in_spite =
        move || reserved.with(|r| r.as_ref().is_some_and(|r| r.growths.iter().any(ReservedGrowth::is_in_spite)));
    let is_empty = move || reserved.with(|r| r.as_ref().is_some_and(|r| r.growths.is_empty()));
    view! {
        <h3>{move || ui::reserved_growths(lang.get())}" "<span class="hint">{said}</span></h3>
        <Show
            when=move || !is_empty()
            fallback=move || view! { <p class="empty">{move || ui::reserved_no_growths(lang.get())}</p> }
        >
            <div class="table-scroll" tabindex="0" role="region" aria-label=move || ui::reserved_growths(lang.get())>
                <table class="list" data-testid="reserved-growths">
                    <thead>
                        <tr>
                            <th scope="col" class="num">{move || ui::col_time(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::reserved_col_growth(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_reserved(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::reserved_col_free(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::reserved_col_size(lang.get())}</th>
                            <th scope="col">{move || ui::top_by_operator(lang.get())}</th>
                            <th scope="col">{move || ui::top_by_user_frame(lang.get())}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <Show when=any_in_spite>
                <p class="hint"><span class="rising" aria-hidden="true">"!"</span>" "{move || ui::reserved_in_spite(lang.get())}</p>
            </Show>
        </Show>
    }
}

fn line(page: Page, lang: Lang, start: i64, growth: &ReservedGrowth) -> impl IntoView + use<> {
    let time_ns = growth.time_ns;
    let time = page.time(time_ns, start);
    let go = ui::check_go(lang, &time);
    let none = || "–".to_owned();
    let trigger = growth.trigger.as_ref();
    let size = trigger.map_or_else(none, |trigger| page.bytes(trigger.size_bytes));
    let operator = trigger.map_or_else(none, |trigger| trigger.operator.clone());
    // A guess is none to put a line of somebody's code beside.
    let frame = trigger.filter(|trigger| trigger.kind.is_certain()).and_then(|trigger| trigger.user_frame.clone());
    let (frame, whole_frame) = (frame.clone().unwrap_or_else(none), frame);
    let in_spite = growth.is_in_spite().then(|| ui::reserved_in_spite(lang));
    view! {
        <tr data-bytes=growth.bytes.to_string() class:in-spite=in_spite.is_some() title=in_spite>
            <td class="num"><button class="link at" title=go on:click=move |_| page.go_to(time_ns)>{time}</button></td>
            <td class="num" title=units::bytes_exact(growth.bytes)>{page.bytes(growth.bytes)}</td>
            <td class="num">{page.bytes(growth.reserved_bytes)}</td>
            <td class="num">{page.bytes(growth.free_bytes)}{in_spite.map(|tip| view! { <span class="rising" aria-label=tip>"!"</span> })}</td>
            <td class="num">{size}</td>
            <td>{operator}</td>
            <td class="frame" title=whole_frame>{frame}</td>
        </tr>
    }
}
