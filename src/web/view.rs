//! The views of a rank: which there are, and the tabs that lead from one to the other.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::state::Page;
use crate::words::{Lang, ui};

/// One way to look at a rank. Time, range, group and block are the same in all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum View {
    /// Numbers, timeline, top allocators, balance and problems.
    #[default]
    Overview,
    /// The life of blocks as a picture.
    Map,
    /// Bytes over call stacks.
    Flame,
    /// All blocks.
    Blocks,
    /// All events.
    Events,
    /// Static graphs, and what is outside torch.
    Other,
}

impl View {
    /// In the order of the tabs.
    pub const ALL: [View; 6] = [View::Overview, View::Map, View::Flame, View::Blocks, View::Events, View::Other];

    /// The name in the address.
    pub fn name(self) -> &'static str {
        match self {
            View::Overview => "overview",
            View::Map => "map",
            View::Flame => "flame",
            View::Blocks => "blocks",
            View::Events => "events",
            View::Other => "other",
        }
    }

    /// The view of that name.
    pub fn named(name: &str) -> Option<View> {
        View::ALL.into_iter().find(|view| view.name() == name)
    }

    fn title(self, lang: Lang) -> &'static str {
        match self {
            View::Overview => ui::panel_summary(lang),
            View::Map => ui::view_map(lang),
            View::Flame => ui::view_flame(lang),
            View::Blocks => ui::panel_blocks(lang),
            View::Events => ui::view_events(lang),
            View::Other => ui::view_other(lang),
        }
    }

    /// The view so many tabs further, around the end.
    fn moved(self, by: usize) -> View {
        let at = View::ALL.into_iter().position(|view| view == self).unwrap_or_default();
        View::ALL.into_iter().cycle().nth(at + by).unwrap_or_default()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_go_around_and_names_lead_back() {
        for view in View::ALL {
            assert_eq!(View::named(view.name()), Some(view));
            assert_eq!(view.moved(1).moved(View::ALL.len() - 1), view);
        }
        assert_eq!(View::Other.moved(1), View::Overview);
        assert_eq!(View::named("x"), None);
    }
}
