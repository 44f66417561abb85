//! What the process holds outside torch: its total less what the pools reserve, and the driver's components that make it up.

use std::sync::Arc;

use leptos::prelude::*;

use super::curves::unpack_curves;
use super::follow::follow;
use super::messages::{Answer, Question};
use super::state::Page;
use crate::analysis::answer::{ModuleSummary, Quantity, Series, Timeline};
use crate::chart::small::{Extent, SIDE, path};
use crate::chart::theme::css;
use crate::screen::range::whole;
use crate::words::{Lang, ui, units};

/// Pixel columns of a component's picture.
const COLUMNS: u32 = 400;

/// The panel.
#[component]
pub fn OutsidePanel(page: Page) -> impl IntoView {
    let lang = page.lang;
    let components = Memo::new(move |_| page.summary.get().map(|s| s.module_memory.clone()).unwrap_or_default());
    let curves = RwSignal::new(None::<Arc<Timeline>>);
    let question = move || {
        let (rank, (start_ns, end_ns)) = (page.ready()?, whole(page.summary.get()?.window_ns?));
        components
            .with(|all| !all.is_empty())
            .then_some((rank, Question::Modules { start_ns, end_ns, columns: COLUMNS }))
    };
    follow(page.pool, question, move |_, (answer, data)| {
        let Answer::Timeline(answer) = answer else { return };
        let _ = curves.try_set(unpack_curves(answer, &data).map(Arc::new));
    });
    let outside = Memo::new(move |_| {
        let whole = page.current.get()?.0.whole.get()?;
        let series = whole.series.iter().find(|series| series.quantity == Quantity::Outside)?.clone();
        let most = series.bytes.iter().copied().max()?;
        Some((series, whole.start_ns, whole.end_ns, most))
    });
    let most = move || components.with(|all| all.iter().map(|c| c.peak.bytes).max()).unwrap_or_default().max(1);
    let rows = move || {
        let (most, start) = (most(), page.start_ns());
        let lang = lang.get();
        components
            .with(|all| all.iter().map(|c| line(page, lang, c, most, start, curves).into_any()).collect::<Vec<_>>())
    };
    let picture = move || {
        let (series, start_ns, end_ns, most) = outside.get()?;
        let extent = Extent { start_ns, end_ns, top_bytes: most.saturating_add(most / 12) };
        Some(path(&series, extent, true))
    };
    let most_text = move || {
        let (series, _, _, most) = outside.get()?;
        let at = series.times_ns.iter().zip(&series.bytes).find(|(_, bytes)| **bytes == most)?.0;
        let start = page.summary.get()?.window_ns.map_or(0, |[start, _]| start);
        Some(ui::outside_most(lang.get(), &page.bytes(most), &page.time(*at, start)))
    };
    let color = move || css(page.theme().app);
    view! {
        <section class="panel outside-panel" data-testid="outside" aria-label=move || ui::outside_title(lang.get())
            data-most=move || outside.get().map(|(.., most)| most.to_string())>
            <div class="panel-head">
                <h2>{move || ui::outside_title(lang.get())}</h2>
                <span class="hint">{most_text}</span>
            </div>
            <Show
                when=move || outside.with(Option::is_some)
                fallback=move || view! { <p class="empty">{move || ui::outside_none(lang.get())}</p> }
            >
                <svg class="outside-picture" viewBox=format!("0 0 {SIDE} {SIDE}") preserveAspectRatio="none" role="img"
                    aria-label=move || most_text().unwrap_or_default() style:--c=color>
                    <path d=picture />
                </svg>
                <p class="hint">{move || ui::outside_hint(lang.get())}</p>
            </Show>
            <h3>{move || ui::components_title(lang.get())}</h3>
            <Show
                when=move || components.with(|all| !all.is_empty())
                fallback=move || view! { <p class="empty">{move || ui::components_none(lang.get())}</p> }
            >
                <div class="table-scroll" tabindex="0" role="region" aria-label=move || ui::components_title(lang.get())>
                    <table class="list components" data-testid="components">
                        <thead>
                            <tr>
                                <th scope="col">{move || ui::col_component(lang.get())}</th>
                                <th scope="col">{move || ui::col_device(lang.get())}</th>
                                <th scope="col" class="num">{move || ui::col_peak_reserved(lang.get())}</th>
                                <th scope="col" class="num">{move || ui::col_peak_time(lang.get())}</th>
                                <th scope="col" class="num">{move || ui::col_samples(lang.get())}</th>
                                <th scope="col">{move || ui::col_over_time(lang.get())}</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </Show>
        </section>
    }
}

fn line(
    page: Page,
    lang: Lang,
    component: &ModuleSummary,
    most: i64,
    start: i64,
    curves: RwSignal<Option<Arc<Timeline>>>,
) -> impl IntoView + use<> {
    let (bytes, time_ns) = (component.peak.bytes, component.peak.time_ns);
    let (name, device) = (component.component.clone(), component.device.clone());
    let picture = {
        let (name, device) = (name.clone(), device.clone());
        move || {
            let curves = curves.get()?;
            let is_it = |series: &&Series| series.pool.component == name && series.pool.device == device;
            let series = curves.series.iter().find(is_it)?;
            Some(path(series, Extent { start_ns: curves.start_ns, end_ns: curves.end_ns, top_bytes: most }, true))
        }
    };
    let width = format!("{:.2}%", (bytes.max(0) as f64 / most as f64 * 100.0).clamp(0.0, 100.0));
    let id = name.clone();
    view! {
        <tr data-component=id>
            <th scope="row">{name}</th>
            <td>{device}</td>
            <td class="num metered" title=units::bytes_exact(bytes) data-bytes=bytes.to_string()>
                <span class="meter" style:width=width aria-hidden="true"></span>
                <span class="metered-text">{move || page.bytes(bytes)}</span>
            </td>
            <td class="num">
                <button class="link at" title=ui::check_go(lang, &units::relative(time_ns, start)) on:click=move |_| page.go_to(time_ns)>
                    {move || page.time(time_ns, start)}
                </button>
            </td>
            <td class="num">{units::count(component.records)}</td>
            <td class="spark">
                <svg viewBox=format!("0 0 {SIDE} {SIDE}") preserveAspectRatio="none" aria-hidden="true" focusable="false">
                    <path d=picture />
                </svg>
            </td>
        </tr>
    }
}
