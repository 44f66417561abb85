//! The timeline panel: the picture, and what the pointer does on it.

use std::sync::Arc;

use leptos::ev::{PointerEvent, WheelEvent};
use leptos::html::{Canvas, Div};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::canvas::{Size, area, pen, size_of};
use super::curves::unpack_curves;
use super::follow::follow;
use super::hover::Readout;
use super::legend::{Legend, RangeShown};
use super::messages::{Answer, Question};
use super::minimap::Minimap;
use super::picture::{file_name, save_picture};
use super::pools::Pools;
use super::state::Page;
use super::timeline_tools::Tools;
use super::under::{UnderSaid, full_name};
use super::wait::later;
use crate::analysis::answer::{Series, Summary, Timeline, Totals};
use crate::chart::PlotRect;
use crate::chart::poster::Poster;
use crate::chart::theme::{CurveStyle, css};
use crate::chart::timeline::{Axis, PeakMark, TimeMark, TimelineView, UNDER_DASH, draw};
use crate::screen::range::{Move, whole};
use crate::screen::values::{Value, value_at, values};
use crate::words::{Lang, curve_name, ui, units};

/// A press that moves less than this many CSS pixels is a click.
const CLICK: f64 = 4.0;

/// What a pressed pointer does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Drag {
    /// Selects from this x (CSS px of the canvas) to the second.
    Select(f64, f64),
    /// Moves the view; the last x.
    Pan(f64),
}

/// What the parts of the panel share.
#[derive(Clone, Copy)]
struct Panel {
    page: Page,
    canvas: NodeRef<Canvas>,
    overlay: NodeRef<Canvas>,
    size: RwSignal<Size>,
    plot: RwSignal<Option<PlotRect>>,
    drag: RwSignal<Option<Drag>>,
    /// The second rank's curves over the range shown.
    under: RwSignal<Option<(u32, Arc<Timeline>)>>,
    /// The worker's totals at a time.
    asked: RwSignal<Option<(i64, Vec<Totals>)>>,
}

/// The panel.
#[component]
pub fn TimelinePanel(
    page: Page,
    /// Lower, without switches and numbers: above another view.
    #[prop(optional)]
    slim: bool,
) -> impl IntoView {
    let lang = page.lang;
    let frame = NodeRef::<Div>::new();
    let panel = Panel {
        page,
        canvas: NodeRef::new(),
        overlay: NodeRef::new(),
        size: size_of(frame),
        plot: page.axis,
        drag: RwSignal::new(None),
        under: RwSignal::new(None),
        asked: RwSignal::new(None),
    };
    page.axis.set(None);
    panel.ask_for_curves();
    panel.ask_for_totals();
    page.ask_for_under(move || panel.size.get().device_width(), panel.under);
    panel.draw_curves();
    panel.draw_overlay();
    let said = Memo::new(move |_| panel.said());
    let place = move || {
        let scale = panel.size.get().scale.max(0.1);
        let x = said.get().and_then(|(at, _)| Some(panel.plot.get()?.x_of(at) / scale)).unwrap_or_default();
        (x, panel.size.get().width)
    };
    let plot_place = move || {
        let scale = panel.size.get().scale.max(0.1);
        panel.plot.get().map_or((0.0, panel.size.get().width), |plot| (plot.left / scale, plot.width / scale))
    };
    let described = move || {
        let peak = page.summary.get().and_then(|s| s.peak?.allocated).map(|peak| units::bytes(peak.bytes));
        let pool = page.summary.get().and_then(|s| s.pools.first().map(|pool| pool.component.clone()));
        ui::timeline_alt(lang.get(), &pool.unwrap_or_default(), &peak.unwrap_or_default())
    };
    let attribute =
        move |of: fn(&PlotRect) -> String| move || panel.plot.get().map(|plot| of(&plot)).unwrap_or_default();
    view! {
        <section class="panel timeline-panel" class:slim=slim aria-label=move || ui::panel_timeline(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::panel_timeline(lang.get())}</h2>
                <span class="space"></span>
                {(!slim).then(|| view! { <Tools page on_picture=move || panel.save() /> })}
                <RangeShown page />
            </div>
            <Show when=move || !slim><Legend page /></Show>
            <UnderSaid page />
            <div
                class="plot"
                node_ref=frame
                tabindex="0"
                role="application"
                data-keys="timeline"
                aria-label=described
                aria-describedby="timeline-hint"
                class:panning=move || matches!(panel.drag.get(), Some(Drag::Pan(_)))
                on:pointerdown=move |event| panel.press(&event)
                on:pointermove=move |event| panel.point(&event)
                on:pointerup=move |event| panel.release(&event)
                on:pointercancel=move |_| panel.drag.set(None)
                on:pointerleave=move |_| page.hover.set(None)
                on:dblclick=move |_| page.move_view(Move::Reset)
                on:wheel=move |event| panel.wheel(&event)
            >
                <canvas
                    node_ref=panel.canvas
                    data-testid="timeline"
                    aria-hidden="true"
                    data-plot-left=attribute(|plot| plot.left.to_string())
                    data-plot-top=attribute(|plot| plot.top.to_string())
                    data-plot-width=attribute(|plot| plot.width.to_string())
                    data-plot-height=attribute(|plot| plot.height.to_string())
                    data-t0=attribute(|plot| plot.t0_ns.to_string())
                    data-t1=attribute(|plot| plot.t1_ns.to_string())
                    data-y0=attribute(|plot| plot.y0_bytes.to_string())
                    data-y1=attribute(|plot| plot.y1_bytes.to_string())
                ></canvas>
                <canvas node_ref=panel.overlay class="overlay" aria-hidden="true"></canvas>
                <Readout page said place=Signal::derive(place) />
                <Show when=move || panel.curves().is_some_and(|t| t.series.is_empty())>
                    <p class="plot-note">{move || ui::no_curves(lang.get())}</p>
                </Show>
            </div>
            <Minimap page place=Signal::derive(plot_place) />
            <p class="hint" id="timeline-hint" class:offscreen=slim>{move || ui::timeline_hint(lang.get())}</p>
            <Show when=move || !slim><Pools page /></Show>
        </section>
    }
}

impl Panel {
    /// The curves of the rank shown, if its worker has answered. Tracks.
    fn curves(self) -> Option<Arc<Timeline>> {
        self.page.current.get().and_then(|rank| rank.0.curves.get())
    }

    fn ask_for_curves(self) {
        let page = self.page;
        let columns = Memo::new(move |_| self.size.get().device_width());
        let question = move || {
            let rank = page.ready()?;
            let (first, last) = whole(page.summary.get()?.window_ns?);
            let (start_ns, end_ns) = page.range.get().unwrap_or((first, last));
            let columns = columns.get();
            (columns > 0).then_some((rank, Question::Timeline { start_ns, end_ns, columns }))
        };
        follow(page.pool, question, |rank, (answer, data)| {
            let Answer::Timeline(curves) = answer else { return };
            if let Some(timeline) = unpack_curves(curves, &data) {
                rank.curves.set(Some(Arc::new(timeline)));
            }
        });
    }

    /// Asks for the exact totals under the pointer where the picture does not hold every event.
    fn ask_for_totals(self) {
        let page = self.page;
        let question = move || {
            let at = page.hover.get()?;
            let curves = self.curves()?;
            let rank = page.ready()?;
            curves.series.iter().any(|series| !series.complete).then_some((rank, Question::TotalsAt(at)))
        };
        follow(page.pool, question, move |_, (answer, _)| {
            if let (Answer::Totals(totals), Some(at)) = (answer, page.hover.get_untracked()) {
                self.asked.set(Some((at, totals)));
            }
        });
    }

    fn draw_curves(self) {
        let page = self.page;
        let newest = StoredValue::new(0_u64);
        Effect::new(move |_| {
            let (Some(canvas), size) = (self.canvas.get(), self.size.get()) else { return };
            let (Some(summary), true) = (page.summary.get(), size.width > 1.0) else {
                self.plot.set(None);
                return;
            };
            let nothing = Timeline { start_ns: 0, end_ns: 0, series: Vec::new() };
            let curves = self.curves().unwrap_or_else(|| Arc::new(nothing));
            let view = TimelineView { scale: size.scale, ..self.view(&summary, &curves) };
            let theme = page.theme();
            let picture = newest.try_update_value(|newest| {
                *newest += 1;
                *newest
            });
            let draw = move || {
                // An older picture that comes late would stand there for good.
                if newest.try_get_value() == picture {
                    let drawn = area(&canvas, size).and_then(|area| draw(&area, &curves, &view, &theme).ok());
                    self.plot.set(drawn);
                }
            };
            // The first picture comes with the panel itself: its text would make the browser lay all of that out at once.
            if self.plot.get_untracked().is_none() { later(1, draw) } else { draw() }
        });
    }

    /// What is shown of the curves. Tracks.
    fn view(self, summary: &Summary, curves: &Timeline) -> TimelineView {
        let page = self.page;
        let (first, last) = whole(summary.window_ns.unwrap_or_default());
        let (start_ns, end_ns) = page.range.get().unwrap_or((first, last));
        let lang = page.lang.get();
        let known = summary.peak.filter(|_| !summary.times_lost);
        let peak = known.and_then(|peak| peak.allocated).map(|peak| PeakMark {
            time_ns: peak.time_ns,
            bytes: peak.bytes,
            label: ui::peak_label(lang, &page.bytes(peak.bytes)),
        });
        let steps = page.current.get().map(|rank| rank.0.steps.get()).unwrap_or_default();
        let marks = steps.iter().map(|step| TimeMark { time_ns: step.time_ns, label: step_label(lang, &step.name) });
        TimelineView {
            start_ns,
            end_ns,
            origin_ns: first,
            axis: if page.looks.clock.get() { Axis::Clock } else { Axis::Elapsed },
            hidden: page.hidden_of(curves),
            peak,
            marks: marks.collect(),
            under: page.under_series(curves, self.under),
            ..TimelineView::of(curves)
        }
    }

    /// Saves the picture with its title and legend.
    fn save(self) {
        let page = self.page;
        untrack(|| {
            let (Some(rank), Some(summary), Some(curves)) = (page.current.get(), page.summary.get(), self.curves())
            else {
                return;
            };
            let (lang, theme) = (page.lang.get(), page.theme());
            let view = self.view(&summary, &curves);
            let shown = curves.series.iter().filter(|s| !view.hidden.contains(&(s.pool.clone(), s.quantity)));
            let style = |s: &Series| theme.curve(&s.pool, s.quantity);
            let own = shown.map(|s| (curve_name(lang, &s.pool, s.quantity), style(s)));
            let other = page.under_rank().map(|rank| full_name(page, lang, &rank)).unwrap_or_default();
            let under = view.under.iter().map(|s| {
                let style = CurveStyle { dash: UNDER_DASH, filled: false, ..style(s) };
                (format!("{other}: {}", curve_name(lang, &s.pool, s.quantity)), style)
            });
            let legend = own.chain(under);
            let name = full_name(page, lang, &rank.0);
            let first = summary.window_ns.map_or(view.start_ns, |[first, _]| first);
            let [from, to] = [view.start_ns, view.end_ns].map(|time| page.time(time, first));
            let poster = Poster {
                title: name.clone(),
                note: format!("{}   {}", ui::range_shown(lang, &from, &to), units::utc(first)),
                legend: legend.collect(),
            };
            save_picture(page, file_name(&[&name, "timeline"], "png"), &poster, &curves, &view);
        });
    }

    /// Crosshair, chosen time and selection: on their own canvas, so that the curves are not drawn again.
    fn draw_overlay(self) {
        let page = self.page;
        Effect::new(move |_| {
            let (Some(canvas), size) = (self.overlay.get(), self.size.get()) else { return };
            let (Some(pen), Some(plot)) = (pen(&canvas, size), self.plot.get()) else { return };
            let theme = page.theme();
            let line = |x: f64, color: &str, dashed: bool| {
                let x = x.round() + 0.5;
                pen.set_stroke_style_str(color);
                pen.set_line_width(size.scale.round().max(1.0));
                let dash = if dashed { js_sys::Array::of2(&4.0.into(), &3.0.into()) } else { js_sys::Array::new() };
                // A dash pattern of two numbers is always accepted.
                let _ = pen.set_line_dash(&dash);
                pen.begin_path();
                pen.move_to(x, plot.top);
                pen.line_to(x, plot.bottom());
                pen.stroke();
            };
            let visible = |at: i64| (plot.t0_ns..=plot.t1_ns).contains(&at);
            if let Some(at) = page.effective_at().filter(|at| visible(*at)) {
                line(plot.x_of(at), &css(theme.accent), false);
            }
            if let Some(Drag::Select(from, to)) = self.drag.get() {
                let ends = [from, to].map(|x| (x * size.scale).clamp(plot.left, plot.right()));
                let [a, b] = ends;
                pen.set_fill_style_str(&format!("{}33", css(theme.accent)));
                pen.fill_rect(a.min(b), plot.top, (a - b).abs(), plot.height);
            }
            let Some(at) = page.hover.get().filter(|at| visible(*at)) else { return };
            line(plot.x_of(at), &css(theme.quiet_text), true);
            let Some(curves) = self.curves() else { return };
            for series in curves.series.iter().filter(|s| !page.is_hidden(&(s.pool.clone(), s.quantity))) {
                if let Some(bytes) = value_at(series, at) {
                    pen.set_fill_style_str(&css(theme.curve(&series.pool, series.quantity).color));
                    pen.begin_path();
                    // A circle of a positive radius cannot be refused.
                    let _ = pen.arc(plot.x_of(at), plot.y_of(bytes), 3.0 * size.scale, 0.0, std::f64::consts::TAU);
                    pen.fill();
                }
            }
        });
    }

    fn said(self) -> Option<(i64, Arc<Vec<Value>>)> {
        let at = self.page.hover.get()?;
        let curves = self.curves()?;
        let mut values = self.asked.with(|asked| values(&curves, at, asked.as_ref()));
        values.retain(|value| !self.page.is_hidden(&(value.pool.clone(), value.quantity)));
        values.extend(self.page.under_series(&curves, self.under).iter().map(|series| Value {
            pool: series.pool.clone(),
            quantity: series.quantity,
            is_under: true,
            bytes: value_at(series, at),
            exact: series.complete,
        }));
        Some((at, Arc::new(values)))
    }

    /// The pointer's x in CSS pixels of the canvas.
    fn x_of(self, client_x: i32) -> Option<f64> {
        let canvas = self.canvas.get_untracked()?;
        Some(f64::from(client_x) - canvas.get_bounding_client_rect().left())
    }

    /// The time at that x.
    fn time_at(self, x: f64) -> Option<i64> {
        let plot = self.plot.get_untracked()?;
        let x = x * self.size.get_untracked().scale;
        Some(plot.t_of(x.clamp(plot.left, plot.right())))
    }

    fn press(self, event: &PointerEvent) {
        let Some(x) = self.x_of(event.client_x()).filter(|_| event.button() == 0 || event.button() == 1) else {
            return;
        };
        let pans = event.shift_key() || event.button() == 1;
        self.drag.set(Some(if pans { Drag::Pan(x) } else { Drag::Select(x, x) }));
        if let Some(element) = event.current_target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) {
            // Without capture a drag only ends where the panel ends.
            let _ = element.set_pointer_capture(event.pointer_id());
        }
    }

    fn point(self, event: &PointerEvent) {
        let Some(x) = self.x_of(event.client_x()) else { return };
        match self.drag.get_untracked() {
            Some(Drag::Select(from, _)) => self.drag.set(Some(Drag::Select(from, x))),
            Some(Drag::Pan(before)) => {
                let width = self.plot.get_untracked().map_or(1.0, |plot| plot.width) / self.size.get_untracked().scale;
                self.page.move_view(Move::Pan((before - x) / width));
                self.drag.set(Some(Drag::Pan(x)));
            }
            None => {}
        }
        self.page.hover.set(self.time_at(x));
    }

    fn release(self, event: &PointerEvent) {
        let (Some(drag), Some(x)) = (self.drag.get_untracked(), self.x_of(event.client_x())) else { return };
        self.drag.set(None);
        let Drag::Select(from, _) = drag else { return };
        let (Some(a), Some(b)) = (self.time_at(from), self.time_at(x)) else { return };
        if (from - x).abs() < CLICK {
            self.page.at.set(Some(b));
        } else {
            self.page.move_view(Move::To(a, b));
        }
    }

    fn wheel(self, event: &WheelEvent) {
        let turn = if event.delta_y() == 0.0 { event.delta_x() } else { event.delta_y() };
        let by = if event.ctrl_key() || event.meta_key() {
            let at = self.x_of(event.client_x()).and_then(|x| self.time_at(x));
            Move::Zoom((turn.clamp(-200.0, 200.0) / 300.0).exp(), at)
        } else if event.shift_key() {
            Move::Pan(turn.clamp(-200.0, 200.0) / 800.0)
        } else {
            return;
        };
        event.prevent_default();
        self.page.move_view(by);
    }
}

/// `step 50` for `ProfilerStep#50`; other names as they are.
fn step_label(lang: Lang, name: &str) -> String {
    let number = name.rsplit_once('#').and_then(|(_, number)| number.parse().ok());
    number.map_or_else(|| name.to_owned(), |number| ui::step_mark(lang, number))
}
