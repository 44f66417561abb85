//! The curves of all ranks as small pictures on one scale, from what the page keeps of each: workers need not be there.

use std::sync::Arc;

use leptos::prelude::*;

use super::overview::{Overview, step_text};
use super::rank_list::{Part, rank_title, state_text};
use super::ranks::Rank;
use super::state::RankRef;
use crate::analysis::answer::{Quantity, Timeline};
use crate::chart::small::{Extent, SIDE, factors, path, top_for};
use crate::chart::theme::css;
use crate::words::{ui, units};

/// What all pictures show upwards (bytes) and across (ns).
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scale {
    bytes: i64,
    ns: i64,
}

/// One rank's picture: its own square, and the paths in it.
#[derive(Debug, Clone, PartialEq)]
struct Picture {
    extent: Extent,
    baseline: String,
    reserved: String,
    allocated: String,
}

/// The panel.
#[component]
pub fn Multiples(view: Overview, parts: Memo<Vec<Part>>, built: RwSignal<usize>) -> impl IntoView {
    let (page, lang) = (view.page, view.page.lang);
    let scale = Memo::new(move |_| {
        page.ranks.with(|ranks| {
            let extents = ranks.iter().filter_map(|rank| rank.summary.get()).filter_map(|summary| {
                let ns = summary.window_ns.map(|[start, end]| end.saturating_sub(start))?;
                let peak = summary.peak?;
                let bytes = [peak.allocated, peak.reserved].into_iter().flatten().map(|peak| peak.bytes).max()?;
                Some((bytes, ns))
            });
            let (bytes, ns) = extents.fold((0, 0), |(a, b), (bytes, ns)| (a.max(bytes), b.max(ns)));
            Scale { bytes: top_for(bytes), ns }
        })
    });
    let said = move || {
        let (lang, Scale { bytes, ns }) = (lang.get(), scale.get());
        (ns > 0).then(|| ui::multiples_scale(lang, &units::bytes(bytes), &units::duration(lang, ns)))
    };
    let ranks = move || {
        let all = parts.with(|parts| parts.iter().flat_map(|part| part.ranks.clone()).collect::<Vec<_>>());
        all.into_iter().take(built.get()).collect::<Vec<RankRef>>()
    };
    // The colours of the timeline, for every picture at once.
    let color = move |of: fn(&crate::chart::theme::Theme) -> plotters::style::RGBColor| move || css(of(&page.theme()));
    let swatch = |class: &'static str, title: fn(crate::words::Lang) -> &'static str| {
        view! { <span><i class=format!("small-swatch {class}") aria-hidden="true"></i>{move || title(lang.get())}</span> }
    };
    view! {
        <section
            class="panel multiples"
            aria-label=move || ui::multiples_title(lang.get())
            style=("--allocated", color(|theme| theme.allocated))
            style=("--reserved", color(|theme| theme.reserved))
            style=("--baseline", color(|theme| theme.baseline))
            style=("--baseline-fill", color(|theme| theme.baseline_fill))
        >
            <div class="panel-head">
                <h2>{move || ui::multiples_title(lang.get())}</h2>
                <span class="hint" data-testid="multiples-scale" data-bytes=move || scale.get().bytes.to_string()
                    data-ns=move || scale.get().ns.to_string()>{said}</span>
                <span class="space"></span>
                <span class="bar-legend">
                    {swatch("allocated", ui::short_allocated)}
                    {swatch("reserved", ui::short_reserved)}
                    {swatch("baseline", ui::short_baseline)}
                </span>
            </div>
            <div class="multiple-grid">
                <For each=ranks key=|rank| rank.0.id children=move |rank| view! { <Multiple view rank=rank.0 scale /> } />
            </div>
        </section>
    }
}

#[component]
fn Multiple(view: Overview, rank: Arc<Rank>, scale: Memo<Scale>) -> impl IntoView {
    let (page, lang) = (view.page, view.page.lang);
    let whole = rank.whole.clone();
    let picture = Memo::new(move |_| whole.get().and_then(|whole| picture_of(&whole)));
    let folder = rank.folder.folder.clone();
    let odd = {
        let folder = folder.clone();
        move || view.odd.with(|odd| odd.contains_key(&folder))
    };
    let name = {
        let rank = Arc::clone(&rank);
        move || {
            let lang = lang.get();
            let step = rank.folder.step.map(|step| format!(" {}", step_text(lang, step))).unwrap_or_default();
            format!("{} {}{step}", page.role_name(&rank.folder.role), rank_title(lang, &rank))
        }
    };
    let peak = {
        let (summary, state) = (rank.summary.clone(), rank.state.clone());
        move || match summary.get() {
            Some(summary) => summary
                .peak
                .and_then(|peak| peak.allocated)
                .map_or_else(|| ui::not_recorded(lang.get()).to_owned(), |peak| page.bytes(peak.bytes)),
            None => state_text(lang.get(), state.get(), false).to_owned(),
        }
    };
    let label = {
        let (name, peak) = (name.clone(), peak.clone());
        move || ui::multiple_alt(lang.get(), &name(), &peak())
    };
    // The pictures stand on the common scale's lower left corner.
    let placed = move || {
        let Scale { bytes, ns } = scale.get();
        let (x, y) = picture.with(|p| p.as_ref().map_or((1.0, 1.0), |p| factors(p.extent, bytes, ns)));
        format!("matrix({x:.5} 0 0 {y:.5} 0 {:.3})", f64::from(SIDE) * (1.0 - y))
    };
    let part = move |of: fn(&Picture) -> &String| move || picture.with(|p| p.as_ref().map(|p| of(p).clone()));
    let opened = Arc::clone(&rank);
    view! {
        <button
            class="multiple"
            class:odd=odd
            data-testid="multiple"
            data-folder=folder
            data-drawn=move || picture.with(Option::is_some).to_string()
            title=label
            on:click=move |_| page.select(&opened)
        >
            <span class="multiple-head"><b>{name}</b><span>{peak}</span></span>
            <svg viewBox=format!("0 0 {SIDE} {SIDE}") preserveAspectRatio="none" aria-hidden="true" focusable="false">
                <g transform=placed>
                    <path class="baseline" d=part(|p| &p.baseline) />
                    <path class="reserved" d=part(|p| &p.reserved) />
                    <path class="allocated" d=part(|p| &p.allocated) />
                </g>
            </svg>
        </button>
    }
}

/// The framework pool's curves; `None` without any.
fn picture_of(whole: &Timeline) -> Option<Picture> {
    let pool = &whole.series.first()?.pool;
    let of = |quantity| whole.series.iter().find(|s| s.pool == *pool && s.quantity == quantity);
    let shown = [Quantity::Allocated, Quantity::Reserved, Quantity::Baseline].map(of);
    let top_bytes = shown.iter().flatten().flat_map(|series| &series.bytes).copied().max()?;
    let extent = Extent { start_ns: whole.start_ns, end_ns: whole.end_ns, top_bytes };
    let [allocated, reserved, baseline] = shown;
    let path = |series: Option<&_>, closed| series.map(|series| path(series, extent, closed)).unwrap_or_default();
    Some(Picture {
        extent,
        baseline: path(baseline, true),
        reserved: path(reserved, false),
        allocated: path(allocated, false),
    })
}
