//! The block map: the life of blocks over time. One grid from the worker is the picture and the index for what lies under the
//! pointer.

use std::sync::Arc;

use leptos::ev::{KeyboardEvent, PointerEvent, WheelEvent};
use leptos::html::{Canvas, Div};
use leptos::prelude::*;
use wasm_bindgen::{Clamped, JsCast};
use web_sys::{CanvasRenderingContext2d, HtmlElement, ImageData};

use super::canvas::{Size, pen, size_of};
use super::follow::follow;
use super::map_controls::{MapAxis, MapControls, MapLegend, MapReadout};
use super::map_data::unpack_map;
use super::messages::{Answer, Question};
use super::state::Page;
use crate::analysis::block::BlockDetail;
use crate::analysis::block_map::{BlockMap, BlockMapQuery};
use crate::analysis::filter::BlockFilter;
use crate::analysis::hue::Hue;
use crate::chart::block_map::{Grid, paint};
use crate::chart::palette::{Palette, Scale};
use crate::chart::theme::css;
use crate::screen::range::{Move, whole};
use crate::words::ui;

/// A press that moves less than this many pixels is a click.
const CLICK: f64 = 4.0;
/// How far an arrow key moves, pixels.
const STEP: f64 = 8.0;

/// What the map shows besides the time.
#[derive(Clone, Copy)]
pub struct MapState {
    /// What blocks are coloured by.
    pub hue: RwSignal<Hue>,
    /// Part of the stacks shown, bytes; `None`: all.
    pub bytes: RwSignal<Option<[i64; 2]>>,
    /// Text of blocks that are to stand out.
    pub text: RwSignal<String>,
}

impl MapState {
    /// At the start.
    pub fn new() -> MapState {
        MapState { hue: RwSignal::new(Hue::Operator), bytes: RwSignal::new(None), text: RwSignal::new(String::new()) }
    }

    /// Shows more or less of the stacks around some bytes; `highest`: all there is.
    pub fn zoom(self, shown: [i64; 2], highest: i64, factor: f64, around: i64) {
        let [low, high] = shown;
        let new = ((high.saturating_sub(low)) as f64 * factor).max(64.0);
        let share = (around.saturating_sub(low)) as f64 / (high.saturating_sub(low)).max(1) as f64;
        let low = (around as f64 - new * share).max(0.0) as i64;
        let high = low.saturating_add(new as i64);
        self.bytes.set(
            (high.saturating_sub(low) < highest || low > 0).then_some([low, high]).filter(|[low, _]| *low < highest),
        );
    }

    /// Moves up or down by a share of what is shown.
    pub fn pan(self, shown: [i64; 2], share: f64) {
        let [low, high] = shown;
        let by = ((high.saturating_sub(low)) as f64 * share) as i64;
        let by = by.max(-low);
        if self.bytes.with_untracked(Option::is_some) {
            self.bytes.set(Some([low.saturating_add(by), high.saturating_add(by)]));
        }
    }
}

impl Page {
    /// The colours of blocks. Tracks.
    pub fn palette(self) -> Palette {
        let palette = if self.dark.get() { Palette::dark() } else { Palette::light() };
        palette.with(match self.map.hue.get() {
            Hue::Size | Hue::Life => Scale::Ordered,
            Hue::Match => Scale::Match,
            _ => Scale::Named,
        })
    }
}

/// What the parts of the view share.
#[derive(Clone, Copy)]
struct Map {
    page: Page,
    cells: NodeRef<Canvas>,
    overlay: NodeRef<Canvas>,
    size: RwSignal<Size>,
    /// Where the pointer, or the keyboard's cursor, is: pixels from the left and the top.
    point: RwSignal<Option<(f64, f64)>>,
    drag: RwSignal<Option<(f64, f64, bool)>>,
    /// The block there.
    under: Memo<Option<u32>>,
    told: RwSignal<Option<Arc<BlockDetail>>>,
}

/// The view.
#[component]
pub fn MapView(page: Page) -> impl IntoView {
    let lang = page.lang;
    let frame = NodeRef::<Div>::new();
    let size = size_of(frame);
    let point = RwSignal::new(None);
    let under = Memo::new(move |_| {
        let (x, y) = point.get()?;
        block_at(&*picture(page)?, size.get(), x, y)
    });
    let map = Map {
        page,
        cells: NodeRef::new(),
        overlay: NodeRef::new(),
        size,
        point,
        drag: RwSignal::new(None),
        under,
        told: RwSignal::new(None),
    };
    map.ask();
    map.draw();
    map.draw_overlay();
    let left = move || page.axis.get().map_or(80.0, |axis| axis.left / window().device_pixel_ratio());
    let right = move || {
        // The timeline's panel has the same edges.
        page.axis.get().map(|axis| (axis.left + axis.width) / window().device_pixel_ratio())
    };
    let width = move || right().map_or_else(|| "auto".to_owned(), |right| format!("{:.2}px", right - left()));
    let attribute = move |of: fn(&BlockMap) -> String| move || picture(page).map(|map| of(&map)).unwrap_or_default();
    view! {
        <section class="panel map-panel" aria-label=move || ui::view_map(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::view_map(lang.get())}</h2>
                <MapControls page />
            </div>
            <div class="map-frame" style:padding-left=move || format!("{:.2}px", left())>
                <MapAxis page size />
                <div
                    class="map-plot"
                    node_ref=frame
                    style:width=width
                    tabindex="0"
                    role="application"
                    data-testid="map"
                    data-keys="map"
                    data-row=move || map.under.get().map(|row| row.to_string()).unwrap_or_default()
                    data-blocks=attribute(|map| map.rows.len().to_string())
                    data-highest=attribute(|map| map.live_bytes.iter().max().copied().unwrap_or_default().to_string())
                    data-low=attribute(|map| map.bytes[0].to_string())
                    data-high=attribute(|map| map.bytes[1].to_string())
                    data-marked=attribute(|map| map.marks.iter().filter(|mark| **mark != 0).count().to_string())
                    aria-label=move || ui::map_alt(lang.get())
                    aria-describedby="map-hint"
                    on:pointerdown=move |event| map.press(&event)
                    on:pointermove=move |event| map.move_to(&event)
                    on:pointerup=move |event| map.release(&event)
                    on:pointercancel=move |_| map.drag.set(None)
                    on:pointerleave=move |_| map.leave()
                    on:dblclick=move |_| {
                        page.move_view(Move::Reset);
                        page.map.bytes.set(None);
                    }
                    on:wheel=move |event| map.wheel(&event)
                    on:keydown=move |event| map.key(&event)
                >
                    <canvas node_ref=map.cells data-testid="map-canvas" class="cells" aria-hidden="true"></canvas>
                    <canvas node_ref=map.overlay class="overlay" aria-hidden="true"></canvas>
                    <MapReadout page point told=map.told under size />
                    <Show when=move || picture(page).is_some_and(|map| map.rows.is_empty())>
                        <p class="plot-note">{move || ui::no_blocks_in_range(lang.get())}</p>
                    </Show>
                </div>
            </div>
            <MapLegend page />
            <p class="hint" id="map-hint">{move || ui::map_hint(lang.get())}</p>
        </section>
    }
}

/// The picture of the rank shown. Tracks.
pub fn picture(page: Page) -> Option<Arc<BlockMap>> {
    page.current.get().and_then(|rank| rank.0.map.get())
}

/// The row of the block at a place of the picture.
fn block_at(map: &BlockMap, size: Size, x: f64, y: f64) -> Option<u32> {
    let place = place_at(map, size, x, y)?;
    map.rows.get(place as usize).copied()
}

/// The place of the block there.
fn place_at(map: &BlockMap, size: Size, x: f64, y: f64) -> Option<u32> {
    let (lines, columns) = (map.lines as usize, map.times_ns.len());
    let column = (x / size.width.max(1.0) * columns as f64) as usize;
    let from_top = (y / size.height.max(1.0) * lines as f64) as usize;
    let line = lines.checked_sub(from_top + 1)?;
    map.cells.get(column * lines + line)?.checked_sub(1)
}

impl Map {
    fn ask(self) {
        let page = self.page;
        // Whole pixels of the page: a sharper screen shows the same blocks, not more of them.
        let grid = Memo::new(move |_| {
            let size = self.size.get();
            (size.width.floor().max(0.0) as u32, size.height.floor().max(0.0) as u32)
        });
        let question = move || {
            let rank = page.ready()?;
            let (first, last) = whole(page.summary.get()?.window_ns?);
            let (start_ns, end_ns) = page.range.get().unwrap_or((first, last));
            let (columns, lines) = grid.get();
            let (text, group) = (page.map.text.get(), page.group.get());
            let marked = (!text.trim().is_empty() || group.is_some()).then(|| BlockFilter {
                text,
                group: group.map(|group| (group.by, group.key)),
                ..BlockFilter::default()
            });
            let query = BlockMapQuery {
                pool: page.pool_shown.get(),
                start_ns,
                end_ns,
                columns,
                lines,
                bytes: page.map.bytes.get(),
                hue: page.map.hue.get(),
                marked,
            };
            (columns > 0 && lines > 0).then_some((rank, Question::BlockMap(query)))
        };
        follow(page.pool, question, |rank, (answer, data)| {
            if let Answer::BlockMap(Some(head)) = answer {
                rank.map.set(unpack_map(head, &data).map(Arc::new));
            }
        });
        let under = self.under;
        follow(
            page.pool,
            move || Some((page.ready()?, Question::Block(under.get()?))),
            move |_, (answer, _)| {
                if let Answer::Block(Some(block)) = answer {
                    self.told.set(Some(Arc::new(block)));
                }
            },
        );
    }

    fn draw(self) {
        let page = self.page;
        Effect::new(move |_| {
            let (Some(canvas), palette, chosen) = (self.cells.get(), page.palette(), page.block.get()) else { return };
            let Some(map) = picture(page) else { return };
            let (columns, lines) = (map.times_ns.len() as u32, map.lines);
            if canvas.width() != columns || canvas.height() != lines {
                canvas.set_width(columns);
                canvas.set_height(lines);
            }
            let chosen = chosen.and_then(|row| map.rows.iter().position(|other| *other == row));
            let grid = Grid {
                cells: &map.cells,
                lines: lines as usize,
                rows: &map.rows,
                slots: &map.slots,
                marks: &map.marks,
                chosen: chosen.and_then(|place| u32::try_from(place).ok()),
            };
            let pixels = paint(&grid, &palette);
            let context = canvas.get_context("2d").ok().flatten().and_then(|pen| pen.dyn_into().ok());
            let pen: Option<CanvasRenderingContext2d> = context;
            let image = ImageData::new_with_u8_clamped_array_and_sh(Clamped(pixels.as_slice()), columns, lines);
            if let (Some(pen), Ok(image)) = (pen, image) {
                // The image is as large as the canvas.
                let _ = pen.put_image_data(&image, 0.0, 0.0);
            }
        });
    }

    /// Crosshair, chosen time and selection.
    fn draw_overlay(self) {
        let page = self.page;
        Effect::new(move |_| {
            let (Some(canvas), size) = (self.overlay.get(), self.size.get()) else { return };
            let Some(pen) = pen(&canvas, size) else { return };
            let Some(map) = picture(page) else { return };
            let theme = page.theme();
            let span = (map.end_ns.saturating_sub(map.start_ns)).max(1) as f64;
            let (width, height) = (size.width * size.scale, size.height * size.scale);
            let x_of = |time: i64| time.saturating_sub(map.start_ns) as f64 / span * width;
            let line = |time: i64, color: &str, dashed: bool| {
                if time < map.start_ns || time > map.end_ns {
                    return;
                }
                let x = x_of(time).round() + 0.5;
                pen.set_stroke_style_str(color);
                pen.set_line_width(size.scale.round().max(1.0));
                let dash = if dashed { js_sys::Array::of2(&4.0.into(), &3.0.into()) } else { js_sys::Array::new() };
                // A dash pattern of two numbers is always accepted.
                let _ = pen.set_line_dash(&dash);
                pen.begin_path();
                pen.move_to(x, 0.0);
                pen.line_to(x, height);
                pen.stroke();
            };
            if let Some(at) = page.effective_at() {
                line(at, &css(theme.accent), false);
            }
            if let Some(at) = page.hover.get() {
                line(at, &css(theme.quiet_text), true);
            }
            if let Some((from, to, false)) = self.drag.get() {
                let (a, b) = (from.min(to) * size.scale, from.max(to) * size.scale);
                pen.set_fill_style_str(&format!("{}33", css(theme.accent)));
                pen.fill_rect(a, 0.0, b - a, height);
            }
        });
    }

    fn place_of(self, client_x: i32, client_y: i32) -> Option<(f64, f64)> {
        let canvas = self.cells.get_untracked()?;
        let rect = canvas.get_bounding_client_rect();
        Some((f64::from(client_x) - rect.left(), f64::from(client_y) - rect.top()))
    }

    fn time_at(self, x: f64) -> Option<i64> {
        let map = untrack(|| picture(self.page))?;
        let share = (x / self.size.get_untracked().width.max(1.0)).clamp(0.0, 1.0);
        Some(map.start_ns.saturating_add((map.end_ns.saturating_sub(map.start_ns) as f64 * share) as i64))
    }

    fn bytes_at(self, y: f64) -> Option<(i64, [i64; 2], i64)> {
        let map = untrack(|| picture(self.page))?;
        let share = 1.0 - (y / self.size.get_untracked().height.max(1.0)).clamp(0.0, 1.0);
        let [low, high] = map.bytes;
        let highest = map.live_bytes.iter().copied().max().unwrap_or_default();
        Some((low.saturating_add((high.saturating_sub(low) as f64 * share) as i64), map.bytes, highest))
    }

    fn press(self, event: &PointerEvent) {
        let Some((x, _)) = self.place_of(event.client_x(), event.client_y()).filter(|_| event.button() <= 1) else {
            return;
        };
        self.drag.set(Some((x, x, event.shift_key() || event.button() == 1)));
        if let Some(element) = event.current_target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) {
            // Without capture a drag only ends where the picture ends.
            let _ = element.set_pointer_capture(event.pointer_id());
        }
    }

    fn move_to(self, event: &PointerEvent) {
        let Some((x, y)) = self.place_of(event.client_x(), event.client_y()) else { return };
        match self.drag.get_untracked() {
            Some((before, _, true)) => {
                let width = self.size.get_untracked().width.max(1.0);
                self.page.move_view(Move::Pan((before - x) / width));
                self.drag.set(Some((x, x, true)));
            }
            Some((from, _, false)) => self.drag.set(Some((from, x, false))),
            None => {}
        }
        self.point_at(x, y);
    }

    fn point_at(self, x: f64, y: f64) {
        self.point.set(Some((x, y)));
        self.page.hover.set(self.time_at(x));
    }

    fn leave(self) {
        self.point.set(None);
        self.page.hover.set(None);
    }

    fn release(self, event: &PointerEvent) {
        let Some((x, y)) = self.place_of(event.client_x(), event.client_y()) else { return };
        let Some((from, _, pans)) = self.drag.get_untracked() else { return };
        self.drag.set(None);
        if pans {
            return;
        }
        if (from - x).abs() < CLICK {
            self.point_at(x, y);
            self.page.block.set(self.under.get_untracked());
        } else if let (Some(a), Some(b)) = (self.time_at(from), self.time_at(x)) {
            self.page.move_view(Move::To(a, b));
        }
    }

    fn wheel(self, event: &WheelEvent) {
        let Some((x, y)) = self.place_of(event.client_x(), event.client_y()) else { return };
        let turn = if event.delta_y() == 0.0 { event.delta_x() } else { event.delta_y() };
        let turn = turn.clamp(-200.0, 200.0);
        if event.alt_key() {
            if let Some((bytes, shown, highest)) = self.bytes_at(y) {
                self.page.map.zoom(shown, highest, (turn / 300.0).exp(), bytes);
            }
        } else if event.ctrl_key() || event.meta_key() {
            self.page.move_view(Move::Zoom((turn / 300.0).exp(), self.time_at(x)));
        } else if event.shift_key() {
            self.page.move_view(Move::Pan(turn / 800.0));
        } else {
            return;
        }
        event.prevent_default();
    }

    /// Arrows move the cursor, up and down from block to block; Enter chooses.
    fn key(self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let size = self.size.get_untracked();
        // The cursor begins at the chosen time, where there are blocks most likely.
        let start = || {
            let map = untrack(|| picture(self.page))?;
            let at = untrack(|| self.page.effective_at())?.saturating_sub(map.start_ns).max(0) as f64;
            Some((at / map.end_ns.saturating_sub(map.start_ns).max(1) as f64 * size.width).min(size.width - 1.0))
        };
        let here = self.point.get_untracked();
        let (x, y) = here.unwrap_or_else(|| (start().unwrap_or(size.width / 2.0), size.height - 1.0));
        let mut used = true;
        match event.key().as_str() {
            "ArrowLeft" => self.point_at((x - STEP).max(0.0), y),
            "ArrowRight" => self.point_at((x + STEP).min(size.width - 1.0), y),
            "ArrowUp" => self.point_at(x, self.next_block(x, y, -1.0)),
            "ArrowDown" => self.point_at(x, self.next_block(x, y, 1.0)),
            "Enter" | " " => self.page.block.set(self.under.get_untracked()),
            "+" | "=" | "-" => {
                if let Some((bytes, shown, highest)) = self.bytes_at(y) {
                    let factor = if event.key() == "-" { 1.0 / 0.7 } else { 0.7 };
                    self.page.map.zoom(shown, highest, factor, bytes);
                }
            }
            _ => used = false,
        }
        if used {
            event.prevent_default();
            event.stop_propagation();
        }
    }

    /// How far up or down another block begins.
    fn next_block(self, x: f64, y: f64, by: f64) -> f64 {
        let size = self.size.get_untracked();
        let Some(map) = untrack(|| picture(self.page)) else { return y };
        let here = place_at(&map, size, x, y);
        let mut at = y + by;
        while (0.0..size.height).contains(&at) {
            let there = place_at(&map, size, x, at);
            if there.is_some() && there != here {
                return at;
            }
            at += by;
        }
        y
    }
}
