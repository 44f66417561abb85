//! The bars of the flame graph on their canvas: zoom into one, search, walk from one to the next.

use std::sync::Arc;

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html::{Canvas, Div};
use leptos::prelude::*;
use web_sys::CanvasRenderingContext2d;

use super::canvas::{pen, size_of};
use super::state::Page;
use crate::analysis::answer::{MatchKind, is_library};
use crate::analysis::filter::BlockFilter;
use crate::chart::flame::{Bar, Label, Node, Width, bar_at, layout};
use crate::chart::theme::css;
use crate::screen::flames::{Bars, Flames, Place, found_value, walk};
use crate::screen::hash::number_of;
use crate::screen::view::View;
use crate::words::units::{self, Noun};
use crate::words::{self, Lang, Term, ui};

/// Height of a bar, CSS pixels.
const BAR: f64 = 19.0;
/// Narrower bars are not drawn, CSS pixels.
const LEAST: f64 = 0.5;

/// What a bar says.
pub fn label(lang: Lang, names: &[String], node: &Node) -> String {
    match node.label {
        Label::All => ui::flame_everything(lang).to_owned(),
        Label::NoStack => ui::group_without_stack(lang).to_owned(),
        Label::Smaller => ui::flame_smaller(lang).to_owned(),
        Label::Name(name) => names.get(name as usize).cloned().unwrap_or_default(),
    }
}

/// The canvas.
#[component]
pub fn FlameBars(page: Page, flames: Memo<Option<Arc<Flames>>>) -> impl IntoView {
    let lang = page.lang;
    let frame = NodeRef::<Div>::new();
    let canvas = NodeRef::<Canvas>::new();
    let size = size_of(frame);
    let zoom = RwSignal::new(0_u32);
    let hover = RwSignal::new(None::<Place>);
    let cursor = RwSignal::new(None::<Place>);
    let pointer = RwSignal::new((0.0, 0.0));
    // Another tree: its nodes have other places.
    Effect::new(move |_| {
        flames.track();
        zoom.set(0);
        hover.set(None);
        cursor.set(None);
    });
    let bars = Memo::new(move |_| {
        let Some(flames) = flames.get() else { return Bars::default() };
        let (width, least) = (page.flame.width.get(), LEAST / size.get().width.max(1.0));
        let callers = if flames.callers.is_empty() { Vec::new() } else { layout(&flames.callers, 0, width, least) };
        let nodes = layout(&flames.nodes, zoom.get(), width, least);
        let deepest = |bars: &[Bar]| bars.iter().map(|bar| bar.depth).max().unwrap_or_default();
        let above = deepest(&callers);
        let rows = above + deepest(&nodes) + 1;
        Bars { callers, nodes, above, rows }
    });
    let rect = move |bars: &Bars, bar: &Bar, is_caller: bool| {
        let width = size.get_untracked().width;
        let row = if is_caller { bars.above.saturating_sub(bar.depth) } else { bars.above + bar.depth };
        (bar.left * width, f64::from(row) * BAR, bar.width * width)
    };
    Effect::new(move |_| {
        let (Some(canvas), size) = (canvas.get(), size.get()) else { return };
        let Some(pen) = pen(&canvas, size) else { return };
        let Some(flames) = flames.get() else { return };
        let (lang, theme, dark) = (lang.get(), page.theme(), page.dark.get());
        let wanted = page.flame.text.get().trim().to_lowercase();
        let marked = [hover.get(), cursor.get()];
        // Draws in CSS pixels: as sharp as the screen.
        let _ = pen.scale(size.scale, size.scale);
        pen.set_font("12px system-ui, sans-serif");
        pen.set_text_baseline("middle");
        bars.with(|bars| {
            let callers = bars.callers.iter().filter(|bar| bar.depth > 0).map(|bar| (bar, true));
            for (bar, is_caller) in callers.chain(bars.nodes.iter().map(|bar| (bar, false))) {
                let list = if is_caller { &flames.callers } else { &flames.nodes };
                let Some(node) = list.get(bar.node as usize) else { continue };
                let text = label(lang, &flames.names, node);
                let found = !wanted.is_empty() && text.to_lowercase().contains(&wanted);
                let fill = color(node, &text, dark, !wanted.is_empty() && !found);
                let is_marked = marked.contains(&Some((is_caller, bar.node)));
                let (x, y, width) = rect(bars, bar, is_caller);
                draw_bar(&pen, (x, y, width), &fill, is_marked.then(|| css(theme.text)).as_deref());
                let guessed = node.by_match.get(MatchKind::Nearest) as f64 / node.total_bytes.max(1) as f64;
                if guessed > 0.0 {
                    pen.set_fill_style_str(if dark { "#e0c03a" } else { "#c98a00" });
                    pen.fill_rect(x, y + BAR - 3.0, (width - 1.0).max(0.0) * guessed.min(1.0), 2.0);
                }
                if width > 28.0 {
                    write(&pen, words::split_folders(&text).1, (x + 4.0, y + (BAR - 1.0) / 2.0), width - 8.0, dark);
                }
            }
        });
    });
    let place_at = move |x: f64, y: f64| {
        let (share, row) = (x / size.get_untracked().width.max(1.0), (y / BAR).floor().max(0.0) as u32);
        bars.with_untracked(|bars| match row.checked_sub(bars.above) {
            Some(depth) => bar_at(&bars.nodes, share, depth).map(|bar| (false, bar.node)),
            None => bar_at(&bars.callers, share, bars.above - row).map(|bar| (true, bar.node)),
        })
    };
    let node_of = move |place: Place| {
        flames.with_untracked(|flames| {
            let flames = flames.as_ref()?;
            let list = if place.0 { &flames.callers } else { &flames.nodes };
            list.get(place.1 as usize).copied()
        })
    };
    let name_of = move |place: Place| match node_of(place)?.label {
        Label::Name(name) => flames.with_untracked(|flames| flames.as_ref()?.names.get(name as usize).cloned()),
        _ => None,
    };
    let enter = move |place: Place| {
        if place.0 { page.flame.frame.set(name_of(place)) } else { zoom.set(place.1) }
    };
    let on_move = move |event: MouseEvent| {
        let at = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        pointer.set(at);
        hover.set(place_at(at.0, at.1));
    };
    let on_click = move |event: MouseEvent| {
        if let Some(place) = place_at(f64::from(event.offset_x()), f64::from(event.offset_y())) {
            cursor.set(Some(place));
            enter(place);
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let here = cursor.get_untracked().unwrap_or((false, zoom.get_untracked()));
        let next = bars.with_untracked(|bars| walk(bars, node_of(here), here, event.key().as_str()));
        let mut used = true;
        match (event.key().as_str(), next) {
            ("ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight", next) => cursor.set(Some(next.unwrap_or(here))),
            ("Enter" | " ", _) => enter(here),
            ("Backspace", _) => zoom.set(node_of((false, zoom.get_untracked())).and_then(|n| n.parent).unwrap_or(0)),
            _ => used = false,
        }
        if used {
            event.prevent_default();
            event.stop_propagation();
        }
    };
    let told = move || {
        let place = hover.get().or(cursor.get())?;
        let flames = flames.get()?;
        let list = if place.0 { &flames.callers } else { &flames.nodes };
        let node = list.get(place.1 as usize).copied()?;
        Some((label(lang.get(), &flames.names, &node), node, flames.nodes.first().copied()?))
    };
    let lines = move || {
        let (text, node, all) = told()?;
        let lang = lang.get();
        let kinds = MatchKind::ALL.into_iter().filter(|kind| node.by_match.get(*kind) != 0);
        let kinds =
            kinds.map(|kind| format!("{} {}", Term::from(kind).text(lang), units::bytes(node.by_match.get(kind))));
        let width = page.flame.width.get();
        let share = units::share(width.of(&node), width.of(&all));
        Some(view! {
            <b class="flame-name">{text}</b>
            <span>{units::bytes(node.total_bytes)}" ("{share}")"</span>
            <span>{ui::flame_own(lang, &units::bytes(node.own_bytes))}</span>
            <span>{units::count_of(lang, node.blocks, Noun::Block)}</span>
            <span class="quiet">{kinds.collect::<Vec<_>>().join(" · ")}</span>
        })
    };
    let found = move || {
        let wanted = page.flame.text.get().trim().to_lowercase();
        let flames = flames.get().filter(|_| !wanted.is_empty())?;
        let hits = found_value(&flames, &wanted, page.flame.width.get());
        let all = flames.nodes.first().map_or(0, |node| page.flame.width.get().of(node));
        let shown = match page.flame.width.get() {
            Width::Bytes => units::bytes(hits),
            Width::Blocks => units::count_of(lang.get(), hits.unsigned_abs(), Noun::Block),
        };
        Some((hits, ui::flame_found(lang.get(), &shown, &units::share(hits, all))))
    };
    let chosen_name = move || cursor.get().and_then(name_of);
    let to_sandwich = move |_| page.flame.frame.set(chosen_name());
    let to_blocks = move |_| {
        if let Some(text) = chosen_name() {
            page.filter.set(BlockFilter { text, pool: page.pool_shown.get_untracked(), ..BlockFilter::default() });
            page.view.set(View::Blocks);
        }
    };
    view! {
        <div class="flame-said" role="status" aria-live="polite" data-testid="flame-said">{lines}</div>
        <div class="flame-scroll">
            <div
                class="flame"
                node_ref=frame
                tabindex="0"
                role="application"
                data-testid="flame"
                data-keys="flame"
                data-bars=move || bars.with(|bars| (bars.nodes.len() + bars.callers.len()).to_string())
                data-zoom=move || zoom.get().to_string()
                data-found=move || found().map(|(hits, _)| hits.to_string()).unwrap_or_default()
                aria-label=move || ui::flame_alt(lang.get())
                aria-describedby="flame-hint"
                style:height=move || format!("{}px", f64::from(bars.with(|bars| bars.rows).max(1)) * BAR)
                on:mousemove=on_move
                on:mouseleave=move |_| hover.set(None)
                on:click=on_click
                on:keydown=on_key
            >
                <canvas node_ref=canvas data-testid="flame-canvas" aria-hidden="true"></canvas>
            </div>
        </div>
        <div class="flame-tools">
            <button class="small" data-testid="flame-reset" disabled=move || zoom.get() == 0 on:click=move |_| zoom.set(0)>
                {move || ui::zoom_reset(lang.get())}
            </button>
            <button class="small" data-testid="flame-sandwich" disabled=move || chosen_name().is_none() on:click=to_sandwich>
                {move || ui::flame_callers(lang.get())}
            </button>
            <button class="small" data-testid="flame-blocks" disabled=move || chosen_name().is_none() on:click=to_blocks>
                {move || ui::flame_blocks(lang.get())}
            </button>
            <span class="hint">{move || found().map(|(_, text)| text)}</span>
        </div>
    }
}

/// Library frames in cool greys, a person's own code in warm colours; each file has its shade.
fn color(node: &Node, text: &str, dark: bool, steps_back: bool) -> String {
    let file = text.split('(').next().unwrap_or_default();
    let shade = f64::from(number_of(Some(file)) % 7) * 2.0;
    let (hue, saturation, light) = match node.label {
        Label::All => (210.0, 12.0, 74.0),
        Label::NoStack | Label::Smaller => (210.0, 6.0, 82.0),
        Label::Name(_) if is_library(text) => (212.0, 20.0, 74.0 + shade / 2.0),
        Label::Name(_) => (24.0 + shade * 1.6, 78.0, 68.0 + shade / 2.0),
    };
    let light = if dark { 100.0 - light + 8.0 } else { light };
    let saturation = if dark { saturation * 0.7 } else { saturation };
    format!("hsl({hue:.0} {saturation:.0}% {light:.0}% / {})", if steps_back { 0.3 } else { 1.0 })
}

fn draw_bar(pen: &CanvasRenderingContext2d, (x, y, width): (f64, f64, f64), fill: &str, edge: Option<&str>) {
    pen.set_fill_style_str(fill);
    pen.fill_rect(x, y, (width - 0.75).max(0.4), BAR - 1.0);
    if let Some(edge) = edge {
        pen.set_stroke_style_str(edge);
        pen.set_line_width(1.5);
        pen.stroke_rect(x + 0.75, y + 0.75, (width - 2.25).max(0.5), BAR - 2.5);
    }
}

/// Writes as much of a text as fits; a rough width is quicker than asking the browser for each.
fn write(pen: &CanvasRenderingContext2d, text: &str, (x, y): (f64, f64), room: f64, dark: bool) {
    let fit = (room / 6.3) as usize;
    let many = text.chars().count();
    let shown: String =
        if many <= fit { text.to_owned() } else { text.chars().take(fit.saturating_sub(1)).chain(['…']).collect() };
    pen.set_fill_style_str(if dark { "#eef1f4" } else { "#16191d" });
    // Outside the canvas nothing is drawn.
    let _ = pen.fill_text_with_max_width(&shown, x, y, room);
}
