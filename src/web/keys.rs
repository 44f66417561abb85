//! Keys, by their physical place: the same as in Perfetto and MindStudio Insight.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::state::{Page, RankRef};
use crate::screen::range::Move;
use crate::screen::view::View;

/// How much a key zooms and moves.
const ZOOM: f64 = 0.7;
const PAN: f64 = 0.15;

/// Listens on the whole page.
pub fn listen_to_keys(page: Page, about: RwSignal<bool>) {
    let handle = window_event_listener(leptos::ev::keydown, move |event| on_key(page, about, &event));
    on_cleanup(move || handle.remove());
}

fn on_key(page: Page, about: RwSignal<bool>, event: &KeyboardEvent) {
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    let inside = |selector: &str| target.as_ref().is_some_and(|t| t.closest(selector).ok().flatten().is_some());
    if event.code() == "Escape" {
        about.set(false);
        page.escape();
        return;
    }
    if event.ctrl_key()
        || event.meta_key()
        || event.alt_key()
        || inside("input:not([type=checkbox]), select, textarea, dialog")
    {
        return;
    }
    let on_timeline = inside("[data-keys=timeline]") || inside("[data-keys=map]");
    let free = on_timeline || !inside("button, a, table, pre, [tabindex]");
    let mut used = true;
    match event.code().as_str() {
        "KeyW" => page.move_view(Move::Zoom(ZOOM, zoom_centre(page))),
        "KeyS" => page.move_view(Move::Zoom(1.0 / ZOOM, zoom_centre(page))),
        "KeyA" => page.move_view(Move::Pan(-PAN)),
        "KeyD" => page.move_view(Move::Pan(PAN)),
        "ArrowUp" if on_timeline => page.move_view(Move::Zoom(ZOOM, zoom_centre(page))),
        "ArrowDown" if on_timeline => page.move_view(Move::Zoom(1.0 / ZOOM, zoom_centre(page))),
        "ArrowLeft" if free => page.step_event(false),
        "ArrowRight" if free => page.step_event(true),
        "KeyF" => {
            if let Some(at) = untrack(|| page.effective_at()) {
                page.move_view(Move::Centre(at));
            }
        }
        "KeyP" => page.at.set(None),
        "Digit0" | "Numpad0" => page.move_view(Move::Reset),
        "BracketLeft" => next_rank(page, false),
        "BracketRight" => next_rank(page, true),
        "Slash" if event.shift_key() => about.update(|open| *open = !*open),
        "Slash" => used = focus("[data-testid=view] input[type=search]"),
        code if code.starts_with("Digit") => used = choose_view(page, code),
        _ => used = false,
    }
    if used {
        event.prevent_default();
    }
}

/// Where a key zooms: under the pointer, else at the chosen time if that is in view.
fn zoom_centre(page: Page) -> Option<i64> {
    page.hover.get_untracked().or_else(|| {
        let (start, end) = page.range.get_untracked()?;
        page.at.get_untracked().filter(|at| (start..=end).contains(at))
    })
}

/// The view whose tab has that number.
fn choose_view(page: Page, code: &str) -> bool {
    let number: usize = code.trim_start_matches("Digit").parse().unwrap_or_default();
    let view = number.checked_sub(1).and_then(|place| View::ALL.get(place));
    if let Some(view) = view {
        page.view.set(*view);
    }
    view.is_some()
}

fn next_rank(page: Page, forward: bool) {
    let next = page.ranks.with_untracked(|ranks| {
        let selected = page.selected.get_untracked();
        let at = ranks.iter().position(|rank| Some(rank.id) == selected);
        let next = match (at, forward) {
            (None, _) => 0,
            (Some(at), true) => at + 1,
            (Some(at), false) => at.checked_sub(1)?,
        };
        ranks.get(next).cloned().map(RankRef)
    });
    if let Some(rank) = next {
        page.select(&rank.0);
    }
}

/// Puts the keyboard's focus on an element; whether it is there.
fn focus(selector: &str) -> bool {
    let element = document().query_selector(selector).ok().flatten().and_then(|e| e.dyn_into::<HtmlElement>().ok());
    element.is_some_and(|element| element.focus().is_ok())
}
