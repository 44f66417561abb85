//! The frames of the flame graph as a table: each once, wherever it stands. A click puts one between its callers and callees.

use std::sync::Arc;

use leptos::prelude::*;

use super::follow::follow;
use super::messages::{Answer, Question};
use super::state::Page;
use crate::analysis::answer::is_library;
use crate::analysis::sandwich::{FrameSums, FramesQuery};
use crate::words::{self, ui, units};

/// Frames shown.
const MOST: usize = 50;

/// The panel.
#[component]
pub fn FrameTable(page: Page) -> impl IntoView {
    let lang = page.lang;
    let told = RwSignal::new(None::<Arc<FrameSums>>);
    let question = move || {
        let (of, pool, containing) = (page.counted()?, page.pool_shown.get(), page.flame.text.get());
        let query = FramesQuery { containing: containing.trim().to_owned(), of, pool, limit: MOST };
        Some((page.ready()?, Question::Frames(query)))
    };
    follow(page.pool, question, move |_, (answer, _)| {
        if let Answer::Frames(frames) = answer {
            told.set(Some(Arc::new(frames)));
        }
    });
    let rows = move || {
        let Some(told) = told.get() else { return Vec::new() };
        let row = |frame: &crate::analysis::sandwich::FrameSum| {
            let name = frame.frame.clone();
            let (same, chosen) = (name.clone(), name.clone());
            let (folders, tail) = words::split_folders(&name);
            let (folders, tail) = (folders.to_owned(), tail.to_owned());
            view! {
                <tr data-frame=name.clone() data-bytes=frame.total_bytes.to_string() class:library=is_library(&name)>
                    <th scope="row">
                        <button class="link" title=name.clone()
                            aria-pressed=move || page.flame.frame.with(|frame| frame.as_ref() == Some(&same)).to_string()
                            on:click=move |_| page.flame.frame.set(Some(chosen.clone()))>
                            <span class="folders">{folders}</span><span class="tail">{tail}</span>
                        </button>
                    </th>
                    <td class="num" title=units::bytes_exact(frame.total_bytes)>{units::bytes(frame.total_bytes)}</td>
                    <td class="num">{units::share(frame.total_bytes, told.all_bytes)}</td>
                    <td class="num" title=units::bytes_exact(frame.own_bytes)>{units::bytes(frame.own_bytes)}</td>
                    <td class="num">{units::count(frame.blocks)}</td>
                </tr>
            }
            .into_any()
        };
        told.frames.iter().map(row).collect()
    };
    let shown = move || {
        let told = told.get()?;
        Some(ui::flame_frames_shown(lang.get(), told.frames.len() as u64, told.frame_count))
    };
    view! {
        <section class="panel" data-testid="frames" aria-label=move || ui::flame_frames(lang.get())>
            <div class="panel-head">
                <h2>{move || ui::flame_frames(lang.get())}</h2>
                <span class="hint">{shown}</span>
            </div>
            <div class="table-scroll frames-scroll">
                <table class="list top-table">
                    <thead>
                        <tr>
                            <th scope="col">{move || ui::col_frame(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_bytes(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_share(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_own(lang.get())}</th>
                            <th scope="col" class="num">{move || ui::col_blocks(lang.get())}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
}
