//! The chosen rank's headline numbers.

use std::sync::Arc;

use leptos::prelude::*;

use super::state::Page;
use crate::analysis::answer::{Extreme, MatchKind, Summary};
use crate::words::{Lang, Term, summary as texts, ui, units};

/// The numbers that answer most questions at a glance.
#[component]
pub fn Headline(page: Page) -> impl IntoView {
    let lang = page.lang;
    move || page.summary.get().map(|summary| numbers(lang, &summary))
}

fn numbers(lang: RwSignal<Lang>, summary: &Arc<Summary>) -> impl IntoView + use<> {
    let peak = summary.peak.unwrap_or_default();
    let start = (!summary.times_lost).then(|| summary.window_ns.map_or(0, |[start, _]| start));
    let framework = summary.pools.first().filter(|_| summary.peak.is_some());
    let baseline = framework.and_then(|pool| pool.baseline_bytes);
    let never: u64 = summary.blocks.by_component.values().map(|c| c.never_released).sum();
    let never_shown = if summary.blocks.releases_unknown { "?".to_owned() } else { units::count(never) };
    let blocks = summary.blocks.total;
    let by_component: Vec<String> = summary
        .blocks
        .by_component
        .iter()
        .filter(|(_, blocks)| blocks.total > 0)
        .map(|(name, blocks)| format!("{name} {}", units::count(blocks.total)))
        .collect();
    let by_component = by_component.join(" · ");
    let window = summary.window_ns;
    view! {
        <dl class="headline">
            {peak_number("peak-allocated", lang, ui::col_peak, peak.allocated, start)}
            {peak_number("peak-active", lang, ui::peak_active, peak.active, start)}
            {peak_number("peak-reserved", lang, ui::col_peak_reserved, peak.reserved, start)}
            <div class="number mid" title=move || ui::tip_baseline(lang.get())>
                <dt>{move || ui::curve_baseline(lang.get())}</dt>
                <dd>
                    {match baseline {
                        Some(b) => view! {
                            <span class="value">
                                <span data-testid="baseline-start" data-bytes=b.start.to_string() title=units::bytes_exact(b.start)>
                                    {units::bytes(b.start)}
                                </span>
                                <span class="arrow">" → "</span>
                                <span data-testid="baseline-end" data-bytes=b.end.to_string() title=units::bytes_exact(b.end)>
                                    {units::bytes(b.end)}
                                </span>
                            </span>
                        }.into_any(),
                        None => view! { <span class="value none">{move || ui::not_recorded(lang.get())}</span> }.into_any(),
                    }}
                    <span class="note">{move || ui::baseline_start_end(lang.get())}</span>
                </dd>
            </div>
            <div class="number mid">
                <dt>{move || ui::col_blocks(lang.get())}</dt>
                <dd>
                    <span class="value" data-testid="blocks-total" data-count=blocks.to_string()>{units::count(blocks)}</span>
                    <span class="note">{by_component}</span>
                </dd>
            </div>
            <div class="number" title=move || ui::tip_never_released(lang.get())>
                <dt>{move || ui::col_never_released(lang.get())}</dt>
                <dd>
                    <span class="value" data-testid="never-released" data-count=never.to_string()>{never_shown}</span>
                    <span class="note">{move || window.map(|[a, b]| ui::window_long(lang.get(), &units::duration(lang.get(), b.saturating_sub(a))))}</span>
                </dd>
            </div>
            {shares(lang, summary)}
        </dl>
    }
}

fn peak_number(
    id: &'static str,
    lang: RwSignal<Lang>,
    title: fn(Lang) -> &'static str,
    peak: Option<Extreme>,
    start: Option<i64>,
) -> impl IntoView {
    view! {
        <div class="number" title=move || ui::tip_peak(lang.get())>
            <dt>{move || title(lang.get())}</dt>
            <dd>
                {match peak {
                    Some(peak) => view! {
                        <span class="value" data-testid=id data-bytes=peak.bytes.to_string() data-ns=peak.time_ns.to_string()
                            title=units::bytes_exact(peak.bytes)>
                            {units::bytes(peak.bytes)}
                        </span>
                        {match start {
                            Some(start) => view! {
                                <span class="note" title=units::utc(peak.time_ns)>{units::relative(peak.time_ns, start)}</span>
                            }.into_any(),
                            None => view! { <span class="note">{move || texts::time_lost(lang.get())}</span> }.into_any(),
                        }}
                    }.into_any(),
                    None => view! { <span class="value none">{move || ui::not_recorded(lang.get())}</span> }.into_any(),
                }}
            </dd>
        </div>
    }
}

/// How the rows got their stacks, as one divided bar with its numbers.
fn shares(lang: RwSignal<Lang>, summary: &Summary) -> impl IntoView + use<> {
    let matches = summary.matches;
    let all: i64 = MatchKind::ALL.iter().map(|kind| matches.get(*kind)).sum();
    let parts: Vec<_> = MatchKind::ALL.into_iter().filter(|kind| matches.get(*kind) > 0).collect();
    let bar = parts.clone().into_iter().map(move |kind| {
        let width = matches.get(kind) as f64 / all.max(1) as f64 * 100.0;
        view! { <span class=format!("part {}", kind.name()) style:width=format!("{width:.2}%")></span> }
    });
    let texts = MatchKind::ALL.into_iter().map(move |kind| {
        let rows = matches.get(kind);
        view! {
            <span
                class=format!("share {}", kind.name())
                class:zero=rows == 0
                data-testid=format!("match-{}", kind.name())
                data-count=rows.to_string()
                title=move || Term::from(kind).meaning(lang.get())
            >
                <span class=format!("swatch {}", kind.name()) aria-hidden="true"></span>
                {move || Term::from(kind).text(lang.get())}
                " "
                {units::share(rows, all)}
            </span>
        }
    });
    view! {
        <div class="number wide" title=move || ui::tip_match(lang.get())>
            <dt>{move || ui::rows_by_match(lang.get())}</dt>
            <dd>
                <span class="match-bar" aria-hidden="true">{bar.collect_view()}</span>
                <span class="shares">{texts.collect_view()}</span>
            </dd>
        </div>
    }
}
