//! The flame graph: bytes over the frames of their call stacks, as bars on a canvas and as a table of frames behind it.

use std::sync::Arc;

use leptos::prelude::*;

use super::flame_bars::FlameBars;
use super::flame_data::unpack_nodes;
use super::flame_state::Blocks;
use super::flame_table::FrameTable;
use super::follow::follow;
use super::icons::{CLOSE, Icon};
use super::messages::{Answer, Question};
use super::state::Page;
use super::top::PoolChoice;
use crate::analysis::answer::{Counted, is_library};
use crate::analysis::paths::PathOf;
use crate::analysis::sandwich::SandwichQuery;
use crate::analysis::tree::TreeQuery;
use crate::chart::flame::{Node, Width, fold};
use crate::screen::flames::Flames;
use crate::screen::range::whole;
use crate::words::{Lang, ui};

/// The narrowest bar told by itself: so many of them side by side are all bytes.
const BARS: u32 = 4000;
/// Most nodes of an answer.
const NODES: usize = 6000;

impl Page {
    /// Which blocks the flame graph adds up. Tracks.
    pub fn counted(self) -> Option<Counted> {
        match self.flame.blocks.get() {
            Blocks::Live => Some(Counted::LiveAt { at_ns: self.effective_at()? }),
            Blocks::Allocated => {
                let window = self.summary.with(|summary| summary.as_ref().and_then(|summary| summary.window_ns))?;
                let (from_ns, to_ns) = self.range.get().unwrap_or(whole(window));
                Some(Counted::Allocated { from_ns, to_ns })
            }
        }
    }

    /// Whether a frame is folded. Tracks.
    fn folded(self, names: &[String]) -> Vec<bool> {
        if !self.flame.folds.get() {
            return vec![false; names.len()];
        }
        let patterns = self.flame.patterns.get().to_lowercase();
        let patterns: Vec<&str> = patterns.lines().map(str::trim).filter(|pattern| !pattern.is_empty()).collect();
        let folded = |name: &String| {
            let name_lower = name.to_lowercase();
            is_library(name) || patterns.iter().any(|pattern| name_lower.contains(pattern))
        };
        names.iter().map(folded).collect()
    }
}

/// The view.
#[component]
pub fn FlameView(page: Page) -> impl IntoView {
    let lang = page.lang;
    let told = RwSignal::new(None::<Arc<Flames>>);
    let question = move || {
        let rank = page.ready()?;
        let (of, pool) = (page.counted()?, page.pool_shown.get());
        let (bars, limit) = (BARS, NODES);
        Some((
            rank,
            match page.flame.frame.get() {
                Some(frame) => Question::Sandwich(SandwichQuery { frame, of, pool, within: None, bars, limit }),
                None => {
                    let (path, below) = (page.flame.path.get(), Vec::new());
                    Question::Tree(TreeQuery { of, pool, path, within: None, below, bars, limit })
                }
            },
        ))
    };
    follow(page.pool, question, move |_, (answer, data)| match answer {
        Answer::Tree(names) => {
            let nodes = unpack_nodes(&data, 0);
            told.set(Some(Arc::new(Flames { names, nodes, callers: Vec::new() })));
        }
        Answer::Sandwich(names) => {
            let (callers, nodes) = (unpack_nodes(&data, 0), unpack_nodes(&data, 1));
            told.set(Some(Arc::new(Flames { names, nodes, callers })));
        }
        _ => {}
    });
    let shown = Memo::new(move |_| {
        let told = told.get()?;
        let folded = page.folded(&told.names);
        let keep = |nodes: &[Node]| {
            // The frame asked for stays, whatever it is.
            let frame = nodes.first().map(|node| node.label);
            fold(nodes, |name| {
                frame != Some(crate::chart::flame::Label::Name(name)) && folded.get(name as usize) == Some(&true)
            })
        };
        let (nodes, callers) = (keep(&told.nodes), keep(&told.callers));
        Some(Arc::new(Flames { names: told.names.clone(), nodes, callers }))
    });
    let frame = move || page.flame.frame.get();
    view! {
        <section class="panel flame-panel" data-testid="flame-view" aria-label=move || ui::view_flame(lang.get())
            data-bytes=move || shown.get().and_then(|f| f.nodes.first().map(|n| n.total_bytes.to_string())).unwrap_or_default()>
            <div class="panel-head">
                <h2>{move || ui::view_flame(lang.get())}</h2>
                <Choices page />
            </div>
            <Show when=move || frame().is_some()>
                <p class="flame-frame" data-testid="flame-frame">
                    <span>{move || ui::flame_sandwich(lang.get(), &frame().unwrap_or_default())}</span>
                    <button class="small" on:click=move |_| page.flame.frame.set(None)>
                        <Icon path=CLOSE />{move || ui::flame_all(lang.get())}
                    </button>
                </p>
            </Show>
            <FlameBars page flames=shown />
            <p class="hint" id="flame-hint">{move || ui::flame_hint(lang.get())}</p>
        </section>
        <FrameTable page />
    }
}

fn path_text(lang: Lang, path: PathOf) -> &'static str {
    match path {
        PathOf::Frames => ui::flame_icicle(lang),
        PathOf::FramesInverted => ui::flame_inverted(lang),
        PathOf::Modules => ui::top_by_module(lang),
    }
}

/// A text in either language.
type Text = fn(Lang) -> &'static str;

/// What is added up, by what, from which end; search and folding.
#[component]
fn Choices(page: Page) -> impl IntoView {
    let lang = page.lang;
    let flame = page.flame;
    let quantity = move || match (flame.blocks.get(), flame.width.get()) {
        (Blocks::Live, Width::Bytes) => "live",
        (Blocks::Live, Width::Blocks) => "live-count",
        (Blocks::Allocated, Width::Bytes) => "allocated",
        (Blocks::Allocated, Width::Blocks) => "allocated-count",
    };
    let quantities: [(&str, Text); 4] = [
        ("live", ui::flame_live),
        ("live-count", ui::flame_live_count),
        ("allocated", ui::flame_allocated),
        ("allocated-count", ui::flame_allocated_count),
    ];
    let choose = move |event| {
        let name = event_target_value(&event);
        flame.blocks.set(if name.starts_with("live") { Blocks::Live } else { Blocks::Allocated });
        flame.width.set(if name.ends_with("count") { Width::Blocks } else { Width::Bytes });
    };
    let paths = [("icicle", PathOf::Frames), ("inverted", PathOf::FramesInverted), ("modules", PathOf::Modules)];
    let path = move || paths.iter().find(|(_, path)| *path == flame.path.get()).map_or("icicle", |(name, _)| *name);
    view! {
        <label>
            <span>{move || ui::flame_of(lang.get())}</span>
            <select data-testid="flame-of" prop:value=quantity on:change=choose>
                {quantities.map(|(name, text)| view! {
                    <option value=name selected=move || quantity() == name>{move || text(lang.get())}</option>
                })}
            </select>
        </label>
        <label>
            <span>{move || ui::flame_order(lang.get())}</span>
            <select data-testid="flame-path" prop:value=path disabled=move || flame.frame.get().is_some()
                on:change=move |event| {
                    let name = event_target_value(&event);
                    if let Some((_, path)) = paths.iter().find(|(own, _)| *own == name) {
                        flame.path.set(*path);
                    }
                }>
                {paths.map(|(name, path)| view! {
                    <option value=name selected=move || flame.path.get() == path>{move || path_text(lang.get(), path)}</option>
                })}
            </select>
        </label>
        <PoolChoice page />
        <input
            type="search"
            class="narrow"
            data-testid="flame-search"
            placeholder=move || ui::search_placeholder(lang.get())
            aria-label=move || ui::search(lang.get())
            prop:value=move || flame.text.get()
            on:input=move |event| flame.text.set(event_target_value(&event))
        />
        <label class="tick">
            <input type="checkbox" data-testid="flame-fold" prop:checked=move || flame.folds.get()
                on:change=move |event| flame.folds.set(event_target_checked(&event)) />
            <span>{move || ui::flame_fold(lang.get())}</span>
        </label>
        <Show when=move || flame.folds.get()>
            <textarea
                class="patterns"
                rows="1"
                data-testid="flame-patterns"
                placeholder=move || ui::flame_patterns(lang.get())
                aria-label=move || ui::flame_patterns(lang.get())
                prop:value=move || flame.patterns.get()
                on:change=move |event| flame.patterns.set(event_target_value(&event))
            ></textarea>
        </Show>
    }
}
