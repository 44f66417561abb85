//! Where trace and memory share no axis and nothing proves the distance, a person can give it by hand.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use super::state::Page;
use crate::problem::ProblemKind;
use crate::words::ui;

/// A field for the distance, shown where it is needed or was given.
#[component]
pub fn TraceOffset(page: Page) -> impl IntoView {
    let lang = page.lang;
    let text = RwSignal::new(String::new());
    let given = Memo::new(move |_| page.current.get().and_then(|rank| rank.0.trace_offset_ns.get()));
    let is_needed = move || {
        let summary = page.summary.get();
        let has = |kind| summary.as_ref().is_some_and(|s| s.problems.iter().any(|p| p.kind == kind));
        has(ProblemKind::NoCommonAxis) || given.get().is_some()
    };
    Effect::new(move |_| text.set(given.get().map(|offset| offset.to_string()).unwrap_or_default()));
    let offset = move || text.get().trim().parse::<i64>().ok();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if let (Some(rank), Some(offset)) = (page.current.get_untracked(), untrack(offset)) {
            page.pool.read_moved(&rank.0, offset);
        }
    };
    view! {
        <Show when=is_needed>
            <form class="offset" data-testid="trace-offset" on:submit=submit>
                <label>
                    {move || ui::trace_offset(lang.get())}
                    <input
                        type="text"
                        inputmode="numeric"
                        autocomplete="off"
                        prop:value=text
                        aria-invalid=move || (!text.get().trim().is_empty() && offset().is_none()).to_string()
                        on:input=move |event| text.set(event_target_value(&event))
                    />
                </label>
                <button type="submit" disabled=move || offset().is_none()>
                    {move || ui::trace_offset_apply(lang.get())}
                </button>
            </form>
        </Show>
    }
}
