//! The whole window in small below the timeline, and the brush on it: the range shown, to be moved, widened or drawn anew.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::state::Page;
use crate::analysis::answer::{Quantity, Timeline};
use crate::chart::small::{Extent, SIDE, path};
use crate::chart::theme::css;
use crate::screen::range::{Move, whole};
use crate::words::{ui, units};

/// How near an edge of the brush a press takes hold of it, CSS pixels.
const GRIP: f64 = 6.0;
/// How far a key moves an edge, as a share of the window.
const KEY_SHARE: i64 = 100;

/// What a pressed pointer does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Drag {
    /// Draws a range from this time on, ns.
    Draw(i64),
    /// Moves the range: the time pressed on, and the range then.
    Move(i64, (i64, i64)),
}

/// One edge of the brush.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Edge {
    Start,
    End,
}

/// The picture and its brush. `place` is where the timeline's plot begins and how wide it is, CSS pixels: both line up.
#[component]
pub fn Minimap(page: Page, #[prop(into)] place: Signal<(f64, f64)>) -> impl IntoView {
    let lang = page.lang;
    let frame = NodeRef::<Div>::new();
    let drag = RwSignal::new(None::<Drag>);
    let window = Memo::new(move |_| page.summary.get()?.window_ns.map(whole));
    let shown = Memo::new(move |_| page.range.get().or(window.get()));
    let paths = Memo::new(move |_| {
        let rank = page.current.get()?.0;
        paths(&*rank.whole.get()?)
    });
    let time_at = move |event: &PointerEvent| {
        let rect = frame.get_untracked()?.get_bounding_client_rect();
        let share = ((f64::from(event.client_x()) - rect.left()) / rect.width().max(1.0)).clamp(0.0, 1.0);
        let (first, last) = window.get_untracked()?;
        Some((first.saturating_add((last.saturating_sub(first) as f64 * share) as i64), rect.width()))
    };
    let press = move |event: PointerEvent| {
        let (Some((at, width)), Some((start, end))) = (time_at(&event), shown.get_untracked()) else { return };
        let (first, last) = window.get_untracked().unwrap_or_default();
        let grip = (last.saturating_sub(first) as f64 / width.max(1.0) * GRIP) as i64;
        let is_whole = page.range.get_untracked().is_none();
        drag.set(Some(if !is_whole && at.abs_diff(start) <= grip.unsigned_abs() {
            Drag::Draw(end)
        } else if !is_whole && at.abs_diff(end) <= grip.unsigned_abs() {
            Drag::Draw(start)
        } else if !is_whole && (start..=end).contains(&at) {
            Drag::Move(at, (start, end))
        } else {
            Drag::Draw(at)
        }));
        if let Some(element) = event.current_target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) {
            // Without capture a drag only ends where the picture ends.
            let _ = element.set_pointer_capture(event.pointer_id());
        }
    };
    let point = move |event: PointerEvent| {
        let (Some(drag), Some((at, _))) = (drag.get_untracked(), time_at(&event)) else { return };
        match drag {
            Drag::Draw(from) if from != at => page.move_view(Move::To(from, at)),
            Drag::Draw(_) => {}
            Drag::Move(from, (start, end)) => {
                let by = at.saturating_sub(from);
                page.move_view(Move::To(start.saturating_add(by), end.saturating_add(by)));
            }
        }
    };
    let share = move |of: fn((i64, i64)) -> i64| {
        let ((first, last), range) = (window.get()?, shown.get()?);
        Some(of(range).saturating_sub(first) as f64 / last.saturating_sub(first).max(1) as f64 * 100.0)
    };
    let left = move || share(|range| range.0).unwrap_or(0.0).clamp(0.0, 100.0);
    let right = move || share(|range| range.1).unwrap_or(100.0).clamp(0.0, 100.0);
    let edge = move |edge: Edge| {
        let on_key = move |event: KeyboardEvent| {
            let step = match event.key().as_str() {
                "ArrowLeft" => -1,
                "ArrowRight" => 1,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            let (Some((first, last)), Some((start, end))) = (window.get_untracked(), shown.get_untracked()) else {
                return;
            };
            let by = (last.saturating_sub(first) / KEY_SHARE).max(1).saturating_mul(step);
            page.move_view(match edge {
                Edge::Start => Move::To(start.saturating_add(by).clamp(first, end), end),
                Edge::End => Move::To(start, end.saturating_add(by).clamp(start, last)),
            });
        };
        let (at, name): (_, fn(crate::words::Lang) -> &'static str) = match edge {
            Edge::Start => (Signal::derive(left), ui::range_start),
            Edge::End => (Signal::derive(right), ui::range_end),
        };
        let said = move || {
            let ((start, end), (first, _)) = (shown.get()?, window.get()?);
            Some(page.time(if edge == Edge::Start { start } else { end }, first))
        };
        view! {
            <span
                class="brush-edge"
                role="slider"
                tabindex="0"
                data-testid=if edge == Edge::Start { "brush-start" } else { "brush-end" }
                aria-label=move || name(lang.get())
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=move || format!("{:.2}", at.get())
                aria-valuetext=said
                style:left=move || format!("{:.4}%", at.get())
                on:keydown=on_key
            ></span>
        }
    };
    let color = move |of: fn(&crate::chart::theme::Theme) -> plotters::style::RGBColor| move || css(of(&page.theme()));
    view! {
        <div
            class="minimap"
            node_ref=frame
            data-testid="minimap"
            role="group"
            aria-label=move || ui::minimap(lang.get())
            title=move || ui::minimap_hint(lang.get())
            class:moving=move || drag.get().is_some()
            style:margin-left=move || format!("{:.1}px", place.get().0)
            style:width=move || format!("{:.1}px", place.get().1)
            style=("--allocated", color(|theme| theme.allocated))
            style=("--reserved", color(|theme| theme.reserved))
            on:pointerdown=press
            on:pointermove=point
            on:pointerup=move |_| drag.set(None)
            on:pointercancel=move |_| drag.set(None)
            on:dblclick=move |_| page.move_view(Move::Reset)
        >
            <svg viewBox=format!("0 0 {SIDE} {SIDE}") preserveAspectRatio="none" aria-hidden="true" focusable="false">
                <path class="reserved" d=move || paths.with(|p| p.as_ref().map(|p| p.0.clone())) />
                <path class="allocated" d=move || paths.with(|p| p.as_ref().map(|p| p.1.clone())) />
            </svg>
            <span class="veil" style:width=move || format!("{:.4}%", left())></span>
            <span class="veil after" style:width=move || format!("{:.4}%", 100.0 - right())></span>
            <span
                class="brush"
                class:whole=move || page.range.get().is_none()
                style:left=move || format!("{:.4}%", left())
                style:width=move || format!("{:.4}%", (right() - left()).max(0.0))
            ></span>
            {edge(Edge::Start)}
            {edge(Edge::End)}
        </div>
    }
}

/// Reserved as a line, allocated filled, of the framework pool.
fn paths(whole: &Timeline) -> Option<(String, String)> {
    let pool = &whole.series.first()?.pool;
    let of = |quantity| whole.series.iter().find(|s| s.pool == *pool && s.quantity == quantity);
    let (allocated, reserved) = (of(Quantity::Allocated), of(Quantity::Reserved));
    let top_bytes = [allocated, reserved].into_iter().flatten().flat_map(|s| &s.bytes).copied().max()?;
    // A little air above the highest point.
    let top_bytes = top_bytes.saturating_add(top_bytes / 12);
    let extent = Extent { start_ns: whole.start_ns, end_ns: whole.end_ns, top_bytes };
    let path = |series: Option<&_>, closed| series.map(|series| path(series, extent, closed)).unwrap_or_default();
    Some((path(reserved, false), path(allocated, true)))
}

/// The range shown in words: where it begins and how long it is.
pub fn range_text(page: Page) -> Option<String> {
    let (start, end) = page.range.get()?;
    let [first, _] = page.summary.get()?.window_ns?;
    let length = units::duration(page.lang.get(), end.saturating_sub(start));
    Some(format!("{} + {length}", page.time(start, first)))
}
