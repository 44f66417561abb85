//! The tabs that lead from one view of a rank to the other.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::state::Page;
use crate::screen::view::View;
use crate::words::ui;

/// The tabs. One of them has the keyboard's place; arrows move it, as in any list of tabs.
#[component]
pub fn Tabs(page: Page) -> impl IntoView {
    let lang = page.lang;
    let on_key = move |event: KeyboardEvent| {
        let view = page.view.get_untracked();
        let next = match event.key().as_str() {
            "ArrowRight" => view.moved(1),
            "ArrowLeft" => view.moved(View::ALL.len() - 1),
            "Home" => View::Overview,
            "End" => View::Other,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        page.view.set(next);
        let tab = document().get_element_by_id(&format!("tab-{}", next.name()));
        if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
            // It is on the page.
            let _ = tab.focus();
        }
    };
    let tab = move |(place, view): (usize, View)| {
        let selected = move || page.view.get() == view;
        view! {
            <button
                class="tab"
                role="tab"
                id=format!("tab-{}", view.name())
                data-testid=format!("tab-{}", view.name())
                aria-controls="view"
                aria-selected=move || selected().to_string()
                tabindex=move || if selected() { "0" } else { "-1" }
                title=move || ui::tab_key(lang.get(), place as u64 + 1)
                on:click=move |_| page.view.set(view)
            >
                {move || view.title(lang.get())}
            </button>
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label=move || ui::views(lang.get()) on:keydown=on_key>
            {View::ALL.into_iter().enumerate().map(tab).collect_view()}
        </div>
    }
}
