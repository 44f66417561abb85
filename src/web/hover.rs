//! The box beside the crosshair, with the values under it.

use std::sync::Arc;

use leptos::prelude::*;

use super::state::Page;
use super::under::full_name;
use crate::analysis::answer::{PoolKey, Quantity};
use crate::chart::theme::{Theme, css};
use crate::screen::values::Value;
use crate::words::curve_name;

/// The box beside the crosshair.
#[component]
pub fn Readout(
    page: Page,
    /// What to say: time, and the values there.
    #[prop(into)]
    said: Signal<Option<(i64, Arc<Vec<Value>>)>>,
    /// Where, in CSS pixels of the plot's box, and how wide that is.
    #[prop(into)]
    place: Signal<(f64, f64)>,
) -> impl IntoView {
    let lang = page.lang;
    // The lines stay from move to move: only their numbers are written anew.
    let heads = Memo::new(move |before: Option<&Vec<(PoolKey, Quantity, bool)>>| match said.get() {
        Some((_, values)) => values.iter().map(|value| (value.pool.clone(), value.quantity, value.is_under)).collect(),
        None => before.cloned().unwrap_or_default(),
    });
    let line = move |(pool, quantity, is_under): (PoolKey, Quantity, bool)| {
        let key = pool.clone();
        let value = Memo::new(move |_| {
            let (_, values) = said.get()?;
            let value = values.iter().find(|v| v.pool == key && v.quantity == quantity && v.is_under == is_under)?;
            Some((value.bytes, value.exact))
        });
        let shown = move || match value.get() {
            Some((Some(bytes), true)) => page.bytes(bytes),
            Some((Some(bytes), false)) => format!("≈ {}", page.bytes(bytes)),
            _ => "–".to_owned(),
        };
        let other = move || page.under_rank().map(|rank| full_name(page, lang.get(), &rank));
        let (curve, named) = (pool.clone(), pool);
        let color = move || {
            let theme = if page.dark.get() { Theme::dark() } else { Theme::light() };
            css(theme.curve(&curve, quantity).color)
        };
        view! {
            <tr
                data-exact=move || value.get().is_some_and(|(_, exact)| exact).to_string()
                data-bytes=move || value.get().and_then(|(bytes, _)| bytes).map(|b| b.to_string()).unwrap_or_default()
            >
                <td>
                    <span class="line-swatch" class:dashed=is_under style:--c=color></span>
                    {move || curve_name(lang.get(), &named, quantity)}
                    {is_under.then(|| view! { <span class="note">" "{other}</span> })}
                </td>
                <td class="num">{shown}</td>
            </tr>
        }
    };
    let time = move || {
        let start = page.start_ns();
        said.get().map(|(at, _)| page.time(at, start)).unwrap_or_default()
    };
    view! {
        <div
            class="readout"
            data-testid="readout"
            class:shown=move || said.get().is_some()
            class:left=move || { let (x, width) = place.get(); x > width / 2.0 }
            style=("--x", move || format!("{:.0}px", place.get().0))
        >
            <div class="readout-time">{time}</div>
            <table>
                <tbody>
                    <For each=move || heads.get() key=Clone::clone children=line />
                </tbody>
            </table>
        </div>
    }
}
