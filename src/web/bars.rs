//! The largest groups as bars; the table beside them holds the same numbers.

use std::sync::Arc;

use leptos::html::{Canvas, Div};
use leptos::prelude::*;

use super::canvas::{area, size_of};
use super::state::{GroupRef, Page};
use super::top::group_name;
use crate::analysis::answer::Top;
use crate::chart::bars::{Bar, BarRect, BarsView, draw, height_for};
use crate::words::{ui, units};

/// Most bars beside the table.
const MOST: usize = 10;

/// The bars and what their three fillings mean.
#[component]
pub fn Bars(page: Page, top: Memo<Option<Arc<Top>>>) -> impl IntoView {
    let lang = page.lang;
    let frame = NodeRef::<Div>::new();
    let canvas = NodeRef::<Canvas>::new();
    let size = size_of(frame);
    let rects = StoredValue::new(Vec::<BarRect>::new());
    let shown = move || top.with(|top| top.as_ref().map_or(0, |top| top.groups.len().min(MOST)));
    Effect::new(move |_| {
        let (Some(canvas), size) = (canvas.get(), size.get()) else { return };
        let (Some(top), true) = (top.get(), size.width > 1.0) else { return };
        let by = page.current.get().and_then(|rank| rank.0.top.get()).map_or(page.by.get(), |(by, _)| by);
        let bars: Vec<Bar> = top
            .groups
            .iter()
            .take(MOST)
            .enumerate()
            .map(|(index, group)| {
                // The share is in the table; where there is room it is here as well.
                let value = if size.width < 320.0 {
                    units::bytes(group.bytes)
                } else {
                    format!("{}  {}", units::bytes(group.bytes), units::share(group.bytes, top.total_bytes))
                };
                Bar::of(index, group, group_name(lang.get(), by, group), value)
            })
            .collect();
        let chosen = page.group.get().filter(|group| group.by == by);
        let chosen = chosen.and_then(|chosen| top.groups.iter().position(|group| group.key == chosen.key));
        let view = BarsView { scale: size.scale, chosen };
        let drawn = area(&canvas, size).and_then(|area| draw(&area, &bars, &view, &page.theme()).ok());
        rects.set_value(drawn.unwrap_or_default());
    });
    let choose = move |event: leptos::ev::MouseEvent| {
        let scale = size.get_untracked().scale;
        let (x, y) = (f64::from(event.offset_x()) * scale, f64::from(event.offset_y()) * scale);
        let hit = rects.with_value(|rects| rects.iter().find(|rect| rect.contains(x, y)).map(|rect| rect.group));
        let by = page.current.get_untracked().and_then(|rank| rank.0.top.get_untracked()).map(|(by, _)| by);
        let key = hit.and_then(|hit| top.with_untracked(|top| Some(top.as_ref()?.groups.get(hit)?.key.clone())));
        if let (Some(by), Some(key)) = (by, key) {
            page.group.set(Some(GroupRef { by, key }));
        }
    };
    view! {
        <div class="bars">
            <div node_ref=frame class="bars-frame" style:height=move || format!("{}px", height_for(shown()))>
                <canvas
                    node_ref=canvas
                    data-testid="top-bars"
                    role="img"
                    aria-label=move || ui::bars_alt(lang.get(), shown() as u64)
                    on:click=choose
                ></canvas>
            </div>
            <p class="bar-legend">
                <span><i class="fill certain" aria-hidden="true"></i>{move || ui::legend_certain(lang.get())}</span>
                <span><i class="fill guessed" aria-hidden="true"></i>{move || ui::legend_guessed(lang.get())}</span>
                <span><i class="fill open" aria-hidden="true"></i>{move || ui::legend_not_asserted(lang.get())}</span>
            </p>
        </div>
    }
}
