//! Above the timeline: a second rank, how times and bytes are written, and the picture to take away.

use leptos::prelude::*;

use super::icons::{EXPORT, Icon};
use super::overview::ExactSwitch;
use super::state::Page;
use super::under::UnderSelect;
use crate::words::ui;

/// The controls.
#[component]
pub fn Tools(page: Page, on_picture: impl Fn() + 'static) -> impl IntoView {
    let lang = page.lang;
    view! {
        <UnderSelect page />
        <label class="check-label" title=move || ui::tip_clock(lang.get())>
            <input type="checkbox" data-testid="clock" prop:checked=move || page.looks.clock.get()
                on:change=move |event| page.looks.clock.set(event_target_checked(&event)) />
            {move || ui::clock(lang.get())}
        </label>
        <ExactSwitch page />
        <button class="quiet small" data-testid="timeline-png" aria-label=move || ui::save_png(lang.get())
            title=move || ui::save_png(lang.get()) on:click=move |_| on_picture()>
            <Icon path=EXPORT />"PNG"
        </button>
    }
}
