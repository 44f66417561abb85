//! Around the block map: what it is coloured by, which bytes it shows, what the colours mean, what lies under the pointer.

use std::sync::Arc;

use leptos::prelude::*;

use super::canvas::Size;
use super::map_view::picture;
use super::state::{GroupRef, Page};
use super::top::PoolChoice;
use crate::analysis::answer::MatchKind;
use crate::analysis::block::BlockDetail;
use crate::analysis::filter::BlockFilter;
use crate::analysis::hue::{Hue, NO_STACK, OTHERS};
use crate::chart::block_map::ticks;
use crate::screen::view::View;
use crate::words::{self, Lang, Term, ui, units};

/// A hue in words.
pub fn hue_text(lang: Lang, hue: Hue) -> &'static str {
    match hue {
        Hue::Operator => ui::top_by_operator(lang),
        Hue::Stack => ui::top_by_stack(lang),
        Hue::UserFrame => ui::top_by_user_frame(lang),
        Hue::Module => ui::top_by_module(lang),
        Hue::Size => ui::top_by_size(lang),
        Hue::Life => ui::col_lifetime(lang),
        Hue::Match => ui::col_match(lang),
    }
}

/// Colour, pool, what stands out, bytes shown, and the way to the table.
#[component]
pub fn MapControls(page: Page) -> impl IntoView {
    let lang = page.lang;
    let zoom = move |factor: f64| {
        if let Some(map) = untrack(|| picture(page)) {
            let highest = map.live_bytes.iter().copied().max().unwrap_or_default();
            let [low, high] = map.bytes;
            page.map.zoom(map.bytes, highest, factor, low.saturating_add(high.saturating_sub(low) / 2));
        }
    };
    let pan = move |share: f64| {
        if let Some(map) = untrack(|| picture(page)) {
            page.map.pan(map.bytes, share);
        }
    };
    let whole = move || page.map.bytes.with(Option::is_none);
    let as_table = move |_| {
        let live_at = untrack(|| page.effective_at());
        page.filter.set(BlockFilter { live_at, pool: page.pool_shown.get_untracked(), ..BlockFilter::default() });
        page.view.set(View::Blocks);
    };
    view! {
        <label>
            <span>{move || ui::map_colour(lang.get())}</span>
            <select
                data-testid="map-hue"
                prop:value=move || page.map.hue.get().name()
                on:change=move |event| {
                    let name = event_target_value(&event);
                    if let Some(hue) = Hue::ALL.into_iter().find(|hue| hue.name() == name) {
                        page.map.hue.set(hue);
                    }
                }
            >
                {Hue::ALL.map(|hue| view! {
                    <option value=hue.name() selected=move || page.map.hue.get() == hue>
                        {move || hue_text(lang.get(), hue)}
                    </option>
                })}
            </select>
        </label>
        <PoolChoice page />
        <input
            type="search"
            class="narrow"
            data-testid="map-search"
            placeholder=move || ui::map_search(lang.get())
            aria-label=move || ui::map_search(lang.get())
            prop:value=move || page.map.text.get()
            on:input=move |event| page.map.text.set(event_target_value(&event))
        />
        <span class="space"></span>
        <span class="buttons" role="group" aria-label=move || ui::map_bytes(lang.get())>
            <button class="quiet small" data-testid="map-bytes-in" aria-label=move || ui::map_bytes_in(lang.get())
                title=move || ui::map_bytes_in(lang.get()) on:click=move |_| zoom(0.5)>"+"</button>
            <button class="quiet small" aria-label=move || ui::map_bytes_out(lang.get())
                title=move || ui::map_bytes_out(lang.get()) disabled=whole on:click=move |_| zoom(2.0)>"−"</button>
            <button class="quiet small" aria-label=move || ui::map_bytes_up(lang.get())
                title=move || ui::map_bytes_up(lang.get()) disabled=whole on:click=move |_| pan(0.3)>"↑"</button>
            <button class="quiet small" aria-label=move || ui::map_bytes_down(lang.get())
                title=move || ui::map_bytes_down(lang.get()) disabled=whole on:click=move |_| pan(-0.3)>"↓"</button>
            <button class="small" data-testid="map-bytes-all" disabled=whole on:click=move |_| page.map.bytes.set(None)>
                {move || ui::map_bytes_all(lang.get())}
            </button>
        </span>
        <button class="small" data-testid="map-table" on:click=as_table>{move || ui::map_as_table(lang.get())}</button>
    }
}

/// Bytes beside the picture.
#[component]
pub fn MapAxis(page: Page, size: RwSignal<Size>) -> impl IntoView {
    let labels = move || {
        let Some(map) = picture(page) else { return Vec::new() };
        let height = size.get().height.max(1.0);
        let [low, high] = map.bytes;
        let most = (height / 60.0).clamp(2.0, 10.0) as u32;
        let label = |tick: i64| {
            let share = tick.saturating_sub(low) as f64 / high.saturating_sub(low).max(1) as f64;
            // Ticks are round: whole numbers of a unit need no decimals.
            let text = if tick == 0 { "0".to_owned() } else { units::bytes(tick).replace(".00 ", " ") };
            view! { <span style:bottom=format!("{:.1}px", share * height)>{text}</span> }.into_any()
        };
        ticks(map.bytes, most).into_iter().map(label).collect()
    };
    view! { <div class="map-axis" aria-hidden="true">{labels}</div> }
}

/// What the colours stand for; a named group can be chosen.
#[component]
pub fn MapLegend(page: Page) -> impl IntoView {
    let lang = page.lang;
    let legend = Memo::new(move |_| picture(page).map(|map| map.legend.clone()).unwrap_or_default());
    let slots = Memo::new(move |_| {
        let mut seen = [false; 256];
        if let Some(map) = picture(page) {
            for slot in &map.slots {
                if let Some(seen) = seen.get_mut(usize::from(*slot)) {
                    *seen = true;
                }
            }
        }
        (0..=u8::MAX).filter(|slot| seen.get(usize::from(*slot)).copied().unwrap_or(false)).collect::<Vec<u8>>()
    });
    let entries = move || {
        let (lang, hue, palette) = (lang.get(), page.map.hue.get(), page.palette());
        let entry = |slot: u8| {
            let named = legend.with(|legend| legend.get(usize::from(slot)).cloned());
            let text = match (&named, slot) {
                (None, NO_STACK) => ui::group_without_stack(lang).to_owned(),
                (None, OTHERS) => ui::map_others(lang).to_owned(),
                (None, _) => return None,
                (Some(name), _) => match hue.grouping() {
                    Some(by) => words::group_key(lang, by, Some(name)).lines().next().unwrap_or_default().to_owned(),
                    None if hue == Hue::Match => {
                        let kind = MatchKind::ALL.into_iter().find(|kind| kind.name() == name);
                        kind.map_or_else(|| name.clone(), |kind| Term::from(kind).text(lang).to_owned())
                    }
                    None => name.clone(),
                },
            };
            let text = text.trim_end_matches(['\r', ';']).to_owned();
            let swatch = view! { <span class="swatch" style:background=palette.css(slot) aria-hidden="true"></span> };
            let key = if slot == NO_STACK { Some(None) } else { named.map(Some) };
            Some(match (hue.grouping(), key) {
                (Some(by), Some(key)) => {
                    let tip = text.clone();
                    let own = GroupRef { by, key };
                    let same = own.clone();
                    let chosen = move || page.group.with(|group| group.as_ref() == Some(&same));
                    let choose = move |_| {
                        let is_chosen = page.group.with_untracked(|group| group.as_ref() == Some(&own));
                        page.group.set((!is_chosen).then(|| own.clone()));
                    };
                    view! {
                        <button class="legend" data-testid="map-legend" title=tip on:click=choose
                            aria-pressed=move || chosen().to_string()>{swatch}<span class="tail">{text}</span></button>
                    }
                    .into_any()
                }
                _ => view! { <span class="legend-entry" data-testid="map-legend">{swatch}{text}</span> }.into_any(),
            })
        };
        slots.get().into_iter().filter_map(entry).collect::<Vec<_>>()
    };
    view! { <div class="legends map-legends" role="group" aria-label=move || ui::map_legend(lang.get())>{entries}</div> }
}

/// The box beside the pointer.
#[component]
pub fn MapReadout(
    page: Page,
    point: RwSignal<Option<(f64, f64)>>,
    told: RwSignal<Option<Arc<BlockDetail>>>,
    under: Memo<Option<u32>>,
    size: RwSignal<Size>,
) -> impl IntoView {
    let lang = page.lang;
    let shown = move || told.get().filter(|told| under.get() == Some(told.block.row));
    let lines = move || {
        let told = shown()?;
        let lang = lang.get();
        let block = &told.block;
        let start = page.window().map_or(0, |[start, _]| start);
        let end = block.released_ns.map_or_else(|| ui::never(lang).to_owned(), |end| units::relative(end, start));
        let life = block.released_ns.map(|end| units::duration(lang, end.saturating_sub(block.allocated_ns)));
        Some(view! {
            <div class="readout-time">{units::bytes(block.bytes)}" "{block.operator.clone()}</div>
            <div>{units::relative(block.allocated_ns, start)}" → "{end}{life.map(|life| format!(" ({life})"))}</div>
            <div class="quiet">{block.user_frame.clone()}</div>
            <div class="quiet">{Term::from(block.kind).text(lang)}</div>
        })
    };
    let right = move || point.get().is_some_and(|(x, _)| x > size.get().width / 2.0);
    view! {
        <div
            class="readout"
            data-testid="map-readout"
            class:shown=move || point.get().is_some() && shown().is_some()
            class:left=right
            style=("--x", move || format!("{:.0}px", point.get().map_or(0.0, |(x, _)| x)))
            style:top=move || {
                let (y, height) = (point.get().map_or(0.0, |(_, y)| y), size.get().height);
                format!("{:.0}px", (y - 40.0).clamp(4.0, (height - 90.0).max(4.0)))
            }
        >
            {lines}
        </div>
    }
}
