//! Rows taken away as CSV: of one rank or of all, merged by time, in pieces and never as one string.

use std::sync::Arc;

use js_sys::{Array, BigInt64Array, Uint8Array, Uint32Array};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, BlobPropertyBag, HtmlElement, Url};

use super::icons::{EXPORT, Icon};
use super::messages::{Answer, Question};
use super::ranks::{Rank, RankState};
use super::read::text_of;
use super::state::{Notice, Page};
use super::wait::sleep;
use crate::export::rows::header;
use crate::screen::merge::{Batch, Merge};
use crate::words::ui;
use crate::words::units::{self, Noun};

/// Name of the file.
const FILE: &str = "memlens-rows.csv";

/// A piece of the file, bytes. Pieces lie with the browser, which may put them on disk.
const PIECE: usize = 4 << 20;

/// The controls.
#[component]
pub fn ExportMenu(page: Page) -> impl IntoView {
    let lang = page.lang;
    let extended = RwSignal::new(false);
    let all = RwSignal::new(false);
    let written = RwSignal::new(None::<u64>);
    let several = move || page.read.get() > 1;
    let start = move |_| {
        let ranks = ranks_for(page, all.get_untracked());
        let extended = extended.get_untracked();
        written.set(Some(0));
        spawn_local(async move {
            let saved =
                write(page, ranks, extended, written).await.and_then(|blob| save(&blob, FILE).map_err(|e| text_of(&e)));
            written.set(None);
            page.notice.set(Some(match saved {
                Ok(()) => Notice::Saved(FILE.to_owned()),
                Err(reason) => Notice::SaveFailed(reason),
            }));
        });
    };
    let text = move || match written.get() {
        Some(rows) => ui::export_writing(lang.get(), &units::count_of(lang.get(), rows, Noun::Row)),
        None => ui::export_rows(lang.get()).to_owned(),
    };
    view! {
        <div class="export" role="group" aria-label=move || ui::export(lang.get())>
            <select data-testid="export-columns" aria-label=move || ui::export_columns(lang.get())
                on:change=move |event| extended.set(event_target_value(&event) == "extended")>
                <option value="plain">{move || ui::export_plain(lang.get())}</option>
                <option value="extended">{move || ui::export_more(lang.get())}</option>
            </select>
            <Show when=several>
                <select data-testid="export-scope" aria-label=move || ui::panel_ranks(lang.get())
                    on:change=move |event| all.set(event_target_value(&event) == "all")>
                    <option value="this" selected=move || !all.get()>{move || ui::export_this_rank(lang.get())}</option>
                    <option value="all" selected=move || all.get()>{move || ui::export_all_ranks(lang.get())}</option>
                </select>
            </Show>
            <button
                data-testid="export-rows"
                disabled=move || written.get().is_some() || page.summary.get().is_none()
                on:click=start
            >
                <Icon path=EXPORT />
                {text}
            </button>
        </div>
    }
}

/// The ranks to write, in the order of equal times: role, rank, folder.
fn ranks_for(page: Page, all: bool) -> Vec<Arc<Rank>> {
    if !all {
        return page.current.get_untracked().map(|rank| rank.0).into_iter().collect();
    }
    let mut ranks = page.ranks.get_untracked();
    ranks.retain(|rank| rank.summary.with_untracked(Option::is_some));
    ranks.sort_by(|a, b| {
        let key =
            |rank: &Rank| (rank.folder.role.clone(), rank.folder.rank.unwrap_or(u64::MAX), rank.folder.folder.clone());
        key(a).cmp(&key(b))
    });
    ranks
}

async fn write(
    page: Page,
    ranks: Vec<Arc<Rank>>,
    extended: bool,
    written: RwSignal<Option<u64>>,
) -> Result<Blob, String> {
    let hold = page.pool.hold();
    for rank in &ranks {
        wake(page, rank).await?;
    }
    let count = (4096 / ranks.len().max(1)).clamp(256, 4096);
    let mut from = vec![0_usize; ranks.len()];
    let mut merge = Merge::new(ranks.len());
    let mut file = Pieces::new(header(extended).into_bytes());
    if !file.open.ends_with(b"\n") {
        file.open.push(b'\n');
    }
    let mut waiting: Vec<usize> = (0..ranks.len()).collect();
    loop {
        for index in waiting.drain(..) {
            let (Some(rank), Some(from)) = (ranks.get(index), from.get_mut(index)) else { continue };
            let batch = fetch(page, rank, Question::Rows { from: *from, count, extended }).await?;
            *from += batch.times.len();
            written.update(|rows| *rows = rows.map(|rows| rows + batch.times.len() as u64));
            merge.refill(index, batch);
        }
        let next = merge.write(&mut file.open);
        file.close_full().map_err(|e| text_of(&e))?;
        match next {
            Some(index) => waiting.push(index),
            None => break,
        }
    }
    drop(hold);
    file.finish().map_err(|e| text_of(&e))
}

/// A rank whose worker was ended is read again first.
pub async fn wake(page: Page, rank: &Arc<Rank>) -> Result<(), String> {
    page.pool.reload(Arc::clone(rank));
    loop {
        match rank.state.get_untracked() {
            RankState::Ready => return Ok(()),
            state if state.is_busy() => sleep(100).await,
            _ => return Err(gone(page, rank)),
        }
    }
}

async fn fetch(page: Page, rank: &Arc<Rank>, question: Question) -> Result<Batch, String> {
    let Some((Answer::Rows, data)) = page.pool.ask(rank.id, question).await else { return Err(gone(page, rank)) };
    let batch = || {
        Some(Batch {
            times: data.get(0).dyn_into::<BigInt64Array>().ok()?.to_vec(),
            ends: data.get(1).dyn_into::<Uint32Array>().ok()?.to_vec(),
            bytes: data.get(2).dyn_into::<Uint8Array>().ok()?.to_vec(),
        })
    };
    batch().ok_or_else(|| gone(page, rank))
}

fn gone(page: Page, rank: &Rank) -> String {
    ui::worker_died(page.lang.get_untracked(), &rank.folder.folder)
}

/// The file as it grows: closed pieces, and the one being filled.
pub struct Pieces {
    done: Array,
    open: Vec<u8>,
}

impl Pieces {
    /// A file that begins so.
    pub fn new(head: Vec<u8>) -> Pieces {
        Pieces { done: Array::new(), open: head }
    }

    /// Appends bytes.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.open.extend_from_slice(bytes);
        self.close_full()
    }

    /// What is not closed yet: all of a small file.
    pub fn open(&self) -> &[u8] {
        &self.open
    }

    fn close_full(&mut self) -> Result<(), JsValue> {
        if self.open.len() >= PIECE {
            self.close()?;
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), JsValue> {
        let part = Array::of1(&Uint8Array::from(self.open.as_slice()));
        self.done.push(&Blob::new_with_u8_array_sequence(&part)?.into());
        self.open.clear();
        Ok(())
    }

    /// The whole file.
    pub fn finish(mut self) -> Result<Blob, JsValue> {
        self.close()?;
        let options = BlobPropertyBag::new();
        options.set_type("text/csv");
        Blob::new_with_blob_sequence_and_options(&self.done, &options)
    }
}

/// Offers the file to the person.
pub fn save(blob: &Blob, name: &str) -> Result<(), JsValue> {
    let url = Url::create_object_url_with_blob(blob)?;
    let link: HtmlElement = document().create_element("a")?.dyn_into()?;
    link.set_attribute("href", &url)?;
    link.set_attribute("download", name)?;
    link.click();
    // The browser has taken the file over long before.
    set_timeout(
        move || {
            let _ = Url::revoke_object_url(&url);
        },
        std::time::Duration::from_secs(60),
    );
    Ok(())
}
