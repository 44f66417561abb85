//! Above the timeline: one switch a curve, the range shown, and the way back.

use std::collections::BTreeSet;

use leptos::prelude::*;

use super::minimap::range_text;
use super::state::Page;
use crate::analysis::answer::{PoolKey, Quantity, Timeline};
use crate::chart::theme::css;
use crate::screen::range::Move;
use crate::words::{curve_name, ui};

impl Page {
    /// Whether a curve is not drawn. Tracks.
    pub fn is_hidden(self, key: &(PoolKey, Quantity)) -> bool {
        self.switched.with(|switched| switched.contains(key)) != hidden_at_first(key)
    }

    /// The curves that are not drawn. Tracks.
    pub fn hidden_of(self, curves: &Timeline) -> BTreeSet<(PoolKey, Quantity)> {
        let keys = curves.series.iter().map(|series| (series.pool.clone(), series.quantity));
        keys.filter(|key| self.is_hidden(key)).collect()
    }
}

/// The framework's pool and the process are what most questions are about; the rest can be switched on.
fn hidden_at_first((pool, quantity): &(PoolKey, Quantity)) -> bool {
    match pool.component.as_str() {
        _ if *quantity == Quantity::Outside => true,
        "PTA" | "TorchNPU" | "MindSpore" | "APP" => false,
        "GE" => *quantity != Quantity::Reserved,
        _ => true,
    }
}

/// One switch a curve.
#[component]
pub fn Legend(page: Page) -> impl IntoView {
    let lang = page.lang;
    let keys = Memo::new(move |_| {
        let curves = page.current.get().and_then(|rank| rank.0.curves.get());
        curves.map(|c| c.series.iter().map(|s| (s.pool.clone(), s.quantity)).collect::<Vec<_>>()).unwrap_or_default()
    });
    let switches = move || {
        let theme = page.theme();
        let several = keys.with(|keys| keys.iter().any(|(pool, _)| keys.iter().any(|(p, _)| p.device != pool.device)));
        let switch = keys.get().into_iter().map(|key| {
            let style = theme.curve(&key.0, key.1);
            let color = css(style.color);
            let kind = if style.filled {
                "filled"
            } else if style.dash > 0 {
                "dashed"
            } else {
                "full"
            };
            let (pressed, toggled, named) = (key.clone(), key.clone(), key);
            let id = format!("{}/{:?}", named.0.component, named.1).to_lowercase();
            let device = if several { format!(" {}", named.0.device) } else { String::new() };
            view! {
                <button
                    class="legend"
                    data-testid="legend"
                    data-curve=id
                    aria-pressed=move || (!page.is_hidden(&pressed)).to_string()
                    on:click=move |_| page.switched.update(|switched| {
                        if !switched.remove(&toggled) {
                            switched.insert(toggled.clone());
                        }
                    })
                >
                    <span class=format!("line-swatch {kind}") style:--c=color aria-hidden="true"></span>
                    {move || curve_name(lang.get(), &named.0, named.1)}
                    {device}
                </button>
            }
        });
        switch.collect_view()
    };
    view! { <div class="legends" role="group" aria-label=move || ui::curves(lang.get())>{switches}</div> }
}

/// The range, and the way back.
#[component]
pub fn RangeShown(page: Page) -> impl IntoView {
    let lang = page.lang;
    let text = move || range_text(page);
    view! {
        <span class="range" class:whole=move || page.range.get().is_none()>
            {move || text().unwrap_or_else(|| ui::whole_window(lang.get()).to_owned())}
        </span>
        <span class="buttons">
            <button class="quiet small" aria-label=move || ui::zoom_in(lang.get()) title=move || ui::zoom_in(lang.get())
                on:click=move |_| page.move_view(Move::Zoom(0.5, None))>"+"</button>
            <button class="quiet small" aria-label=move || ui::zoom_out(lang.get()) title=move || ui::zoom_out(lang.get())
                on:click=move |_| page.move_view(Move::Zoom(2.0, None))>"−"</button>
            <button
                class="small"
                data-testid="zoom-reset"
                disabled=move || page.range.get().is_none()
                on:click=move |_| page.move_view(Move::Reset)
            >
                {move || ui::zoom_reset(lang.get())}
            </button>
        </span>
    }
}
