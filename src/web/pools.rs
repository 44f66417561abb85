//! The pools in numbers: the table behind the timeline's picture.

use leptos::prelude::*;

use super::state::Page;
use crate::analysis::answer::{Extreme, PoolSummary};
use crate::words::{ui, units};

/// Peaks of every pool, with their times; a click on one goes there.
#[component]
pub fn Pools(page: Page) -> impl IntoView {
    let lang = page.lang;
    let rows = move || {
        let summary = page.summary.get()?;
        let start = summary.window_ns.map_or(0, |[start, _]| start);
        Some(summary.pools.iter().map(|pool| row(page, start, summary.times_lost, pool).into_any()).collect::<Vec<_>>())
    };
    view! {
        <details class="pools">
            <summary>{move || ui::pools_title(lang.get())}</summary>
            <div class="table-scroll">
                <table class="list" data-testid="pools">
                    <thead>
                        <tr>
                            <th scope="col">{move || ui::col_pool(lang.get())}</th>
                            <th scope="col">{move || ui::col_device(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_peak(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::peak_active(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_peak_reserved(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_baseline(lang.get())}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <p class="hint">{move || ui::tip_pools(lang.get())}</p>
        </details>
    }
}

fn row(page: Page, start: i64, times_lost: bool, pool: &PoolSummary) -> impl IntoView + use<> {
    let peak = move |peak: Option<Extreme>| {
        match peak {
        // A spreadsheet rounded its time until it means nothing.
        Some(peak) if times_lost => view! {
            <td class="num" data-bytes=peak.bytes.to_string() title=units::bytes_exact(peak.bytes)>{units::bytes(peak.bytes)}</td>
        }
        .into_any(),
        Some(peak) => view! {
            <td class="num" data-bytes=peak.bytes.to_string() data-ns=peak.time_ns.to_string() title=units::bytes_exact(peak.bytes)>
                {move || page.bytes(peak.bytes)}" "
                <button class="link at" on:click=move |_| page.go_to(peak.time_ns)>
                    {move || page.time(peak.time_ns, start)}
                </button>
            </td>
        }
        .into_any(),
        None => view! { <td class="num">"–"</td> }.into_any(),
    }
    };
    let baseline = pool.baseline_bytes;
    let baseline = move || baseline.map(|b| format!("{} → {}", page.bytes(b.start), page.bytes(b.end)));
    view! {
        <tr data-component=pool.component.clone() data-device=pool.device.clone()>
            <th scope="row">{pool.component.clone()}</th>
            <td>{pool.device.clone()}</td>
            {peak(pool.peak.allocated)}
            {peak(pool.peak.active)}
            {peak(pool.peak.reserved)}
            <td class="num">{move || baseline().unwrap_or_else(|| "–".to_owned())}</td>
        </tr>
    }
}
