//! Memory that no operator's row tells: the plans of static graphs, and what the process holds outside torch.

use std::sync::Arc;

use leptos::html::{Canvas, Div};
use leptos::prelude::*;

use super::canvas::{area, size_of};
use super::curves::unpack_curves;
use super::follow::follow;
use super::messages::{Answer, Question};
use super::outside_view::OutsidePanel;
use super::overview::ExactSwitch;
use super::picture::{file_name, save_picture};
use super::plan_table::PlanOperators;
use super::state::Page;
use crate::analysis::answer::{Quantity, StaticSummary, Timeline};
use crate::chart::PlotRect;
use crate::chart::poster::Poster;
use crate::chart::theme::css;
use crate::chart::timeline::{Axis, PeakMark, TimelineView, draw};
use crate::words::{Lang, ui, units};

/// The view.
#[component]
pub fn OtherMemory(page: Page) -> impl IntoView {
    view! {
        <StaticPanel page />
        <OutsidePanel page />
    }
}

/// A graph's name in the list: graph, sub-graph, device.
fn graph_name(lang: Lang, graph: &StaticSummary) -> String {
    let model = if graph.model == "0" { String::new() } else { format!(" / {}", graph.model) };
    ui::graph_named(lang, &format!("{}{model}", graph.graph), &graph.device)
}

/// Plans of static graphs: need over the nodes, and the operators that make it up.
#[component]
fn StaticPanel(page: Page) -> impl IntoView {
    let lang = page.lang;
    let graphs = Memo::new(move |_| page.summary.get().map(|s| s.static_memory.clone()).unwrap_or_default());
    let chosen = RwSignal::new(0_usize);
    let graph = Memo::new(move |_| graphs.with(|graphs| graphs.get(chosen.get()).or(graphs.first()).cloned()));
    let place = move || graphs.with(|graphs| if chosen.get() < graphs.len() { chosen.get() } else { 0 });
    let node = RwSignal::new(None::<u64>);
    Effect::new(move |_| {
        // Another graph has other nodes.
        graph.track();
        node.set(None);
    });
    let frame = NodeRef::<Div>::new();
    let canvas = NodeRef::<Canvas>::new();
    let size = size_of(frame);
    let curve = RwSignal::new(None::<Arc<Timeline>>);
    let plot = RwSignal::new(None::<PlotRect>);
    let columns = Memo::new(move |_| size.get().device_width());
    let question = move || {
        let rank = page.ready()?;
        let columns = columns.get();
        let wanted = columns > 0 && graph.with(Option::is_some);
        wanted.then_some((rank, Question::PlanCurve { graph: place(), first: 0, last: i64::MAX, columns }))
    };
    follow(page.pool, question, move |_, (answer, data)| {
        let Answer::Timeline(curves) = answer else { return };
        let _ = curve.try_set(unpack_curves(curves, &data).map(Arc::new));
    });
    let view = move || {
        let (curve, graph, lang) = (curve.get()?, graph.get()?, lang.get());
        let peak = graph.peak.map(|peak| PeakMark {
            time_ns: i64::try_from(peak.node).unwrap_or(i64::MAX),
            bytes: peak.bytes,
            label: ui::peak_label(lang, &page.bytes(peak.bytes)),
        });
        let axis = Axis::Count;
        Some((curve.clone(), TimelineView { axis, peak, ..TimelineView::of(&curve) }))
    };
    Effect::new(move |_| {
        let (Some(canvas), size, Some((curve, view))) = (canvas.get(), size.get(), view()) else {
            plot.set(None);
            return;
        };
        if size.width > 1.0 {
            let view = TimelineView { scale: size.scale, ..view };
            plot.set(area(&canvas, size).and_then(|area| draw(&area, &curve, &view, &page.theme()).ok()));
        }
    });
    let choose = move |event: leptos::ev::MouseEvent| {
        let Some(plot) = plot.get_untracked() else { return };
        let x = f64::from(event.offset_x()) * size.get_untracked().scale;
        node.set(u64::try_from(plot.t_of(x)).ok());
    };
    let line = move || {
        let (plot, node, scale) = (plot.get()?, node.get()?, size.get().scale.max(0.1));
        let x = plot.x_of(i64::try_from(node).ok()?) / scale;
        let (top, height) = (plot.top / scale, plot.height / scale);
        Some(format!("left: {x:.1}px; top: {top:.1}px; height: {height:.1}px"))
    };
    let picture = move |_| {
        untrack(|| {
            let (Some((curve, view)), Some(graph)) = (view(), graph.get()) else { return };
            let (lang, theme) = (lang.get(), page.theme());
            let legend = curve.series.iter().map(|series| {
                let name = legend_name(lang, series.quantity);
                (name.to_owned(), theme.curve(&series.pool, series.quantity))
            });
            let title = format!("{}: {}", ui::static_title(lang), graph_name(lang, &graph));
            let poster = Poster { title, note: ui::static_axis(lang).to_owned(), legend: legend.collect() };
            save_picture(page, file_name(&["static", &graph.graph], "png"), &poster, &curve, &view);
        });
    };
    let numbers = move || {
        let (graph, lang) = (graph.get()?, lang.get());
        let mut parts = vec![ui::static_operators(lang, graph.operators)];
        if let Some(peak) = graph.peak {
            parts.push(ui::static_peak(lang, &page.bytes(peak.bytes), &units::count(peak.node)));
        }
        if let Some(total) = graph.reserved_bytes {
            parts.push(ui::static_reserved(lang, &page.bytes(total)));
        }
        Some(parts.join(lang.pick(", ", "，")))
    };
    let swatches = move || {
        let (curve, theme, lang) = (curve.get()?, page.theme(), lang.get());
        let all = curve.series.iter().map(|series| {
            let style = theme.curve(&series.pool, series.quantity);
            let kind = if style.dash > 0 { "dashed" } else { "full" };
            view! {
                <span>
                    <span class=format!("line-swatch {kind}") style:--c=css(style.color) aria-hidden="true"></span>
                    {legend_name(lang, series.quantity)}
                </span>
            }
        });
        Some(all.collect_view())
    };
    view! {
        <section class="panel static-panel" data-testid="static" data-graphs=move || graphs.with(Vec::len).to_string()
            aria-label=move || ui::static_title(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::static_title(lang.get())}</h2>
                <Show when=move || graphs.with(|graphs| !graphs.is_empty())>
                    <select data-testid="static-graph" aria-label=move || ui::static_graph(lang.get())
                        on:change=move |event| chosen.set(event_target_value(&event).parse().unwrap_or_default())>
                        {move || graphs.get().iter().enumerate().map(|(at, graph)| view! {
                            <option value=at.to_string() prop:selected=move || chosen.get() == at>{graph_name(lang.get(), graph)}</option>
                        }).collect_view()}
                    </select>
                    <span class="hint" data-testid="static-numbers">{numbers}</span>
                    <span class="space"></span>
                    <ExactSwitch page />
                    <button class="quiet small" data-testid="static-png" aria-label=move || ui::save_png(lang.get())
                        title=move || ui::save_png(lang.get()) on:click=picture>"PNG"</button>
                </Show>
            </div>
            <Show
                when=move || graph.with(Option::is_some)
                fallback=move || view! { <p class="empty">{move || ui::static_none(lang.get())}</p> }
            >
                <p class="bar-legend">{swatches}<span>{move || ui::static_axis(lang.get())}</span></p>
                <div node_ref=frame class="static-frame">
                    <canvas
                        node_ref=canvas
                        data-testid="static-canvas"
                        role="img"
                        aria-label=move || numbers().map(|numbers| ui::static_alt(lang.get(), &numbers))
                        data-y1=move || plot.get().map(|plot| plot.y1_bytes.to_string())
                        data-t1=move || plot.get().map(|plot| plot.t1_ns.to_string())
                        on:click=choose
                    ></canvas>
                    <Show when=move || line().is_some()><span class="node-line" style=line aria-hidden="true"></span></Show>
                </div>
                <PlanOperators page graph=Signal::derive(place) node />
            </Show>
        </section>
    }
}

fn legend_name(lang: Lang, quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Reserved => ui::static_up_front(lang),
        _ => ui::static_needed(lang),
    }
}
