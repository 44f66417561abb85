//! The workers: one for each rank, few reading at a time, each kept to answer questions until memory runs short.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use futures_channel::oneshot;
use js_sys::{Array, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{ErrorEvent, MessageEvent, Worker};

use super::curves::unpack_curves;
use super::messages::{Answer, Order, Question, Ready, Report, Wish, pack, transfer_list, unpack};
use super::ranks::{Rank, RankState};
use super::read::{bytes_here, text_of};
use crate::analysis::answer::GroupBy;
use crate::folder::FileKind;
use crate::screen::hash::Remembered;

/// Most workers reading at once.
const MOST_READING: usize = 8;

/// WebAssembly memory all idle workers may hold together, MiB; beyond it the one looked at longest ago is ended.
const MEMORY_BUDGET: u64 = 1536;

/// An answer with its typed arrays.
pub type Reply = (Answer, Array);

/// The page's handle on all workers; cheap to copy.
#[derive(Clone, Copy)]
pub struct Pool(StoredValue<Inner, LocalStorage>);

struct Inner {
    module: JsValue,
    worker_url: String,
    running: HashMap<u32, Running>,
    queue: VecDeque<Arc<Rank>>,
    limit: usize,
    /// Bytes.
    budget: u64,
    /// Whether workers measure what they do.
    measure: bool,
    next_question: u32,
    /// Ids of the ranks with idle workers, the one used last at the end.
    recent: Vec<u32>,
    /// While an export runs, no worker is ended.
    holds: u32,
    started: RwSignal<u32>,
    largest_slice: RwSignal<u64>,
}

/// A worker and who waits for its answers. The closures are its event handlers.
struct Running {
    worker: Worker,
    rank: Arc<Rank>,
    questions: HashMap<u32, oneshot::Sender<Reply>>,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(ErrorEvent)>,
}

impl Pool {
    /// A pool that makes workers from the compiled module and their start script's address.
    pub fn new(module: JsValue, worker_url: String, asked: &Remembered) -> Pool {
        // One core stays free: a page whose thread has to wait for a core feels stuck.
        let cores = (window().navigator().hardware_concurrency() - 1.0).max(1.0) as usize;
        Pool(StoredValue::new_local(Inner {
            module,
            worker_url,
            running: HashMap::new(),
            queue: VecDeque::new(),
            limit: asked.readers.unwrap_or(cores.min(MOST_READING)).max(1),
            budget: asked.budget.unwrap_or(MEMORY_BUDGET).saturating_mul(1 << 20),
            measure: asked.measure,
            next_question: 0,
            recent: Vec::new(),
            holds: 0,
            started: RwSignal::new(0),
            largest_slice: RwSignal::new(0),
        }))
    }

    /// What the idle workers may hold together, bytes.
    pub fn budget(self) -> u64 {
        self.0.with_value(|inner| inner.budget)
    }

    /// How many workers were started so far.
    pub fn started(self) -> RwSignal<u32> {
        self.0.with_value(|inner| inner.started)
    }

    /// The largest slice the page itself read for a worker, bytes.
    pub fn largest_slice(self) -> RwSignal<u64> {
        self.0.with_value(|inner| inner.largest_slice)
    }

    /// Puts a rank at the end of the queue.
    pub fn enqueue(self, rank: Arc<Rank>) {
        rank.done.set(0);
        rank.state.set(RankState::Waiting);
        self.0.update_value(|inner| inner.queue.push_back(rank));
        self.start_more();
    }

    /// Reads a summarized rank again, before those that wait.
    pub fn reload(self, rank: Arc<Rank>) {
        if rank.state.get_untracked() != RankState::Summarized {
            return;
        }
        rank.done.set(0);
        rank.state.set(RankState::Reloading);
        self.0.update_value(|inner| inner.queue.push_front(rank));
        self.start_more();
    }

    /// Reads a rank anew, its trace's times moved by so many ns.
    pub fn read_moved(self, rank: &Arc<Rank>, trace_offset_ns: i64) {
        self.0.update_value(|inner| inner.queue.retain(|queued| queued.id != rank.id));
        self.end(rank.id);
        rank.trace_offset_ns.set(Some(trace_offset_ns));
        rank.curves.set(None);
        rank.top.set(None);
        rank.balance.set(None);
        rank.map.set(None);
        rank.told.set(None);
        rank.whole.set(None);
        self.enqueue(Arc::clone(rank));
    }

    /// Stops reading a rank. Its worker sees the order within one piece and is then ended.
    pub fn cancel(self, rank: &Arc<Rank>) {
        let state = rank.state.get_untracked();
        self.0.update_value(|inner| inner.queue.retain(|queued| queued.id != rank.id));
        let is_running = state.is_reading() && self.0.with_value(|inner| inner.running.contains_key(&rank.id));
        if is_running && rank.folder.files.iter().any(|file| file.kind == FileKind::Database) {
            // SQLite runs to the end of its table before the worker would see an order.
            self.end(rank.id);
            rank.state.set(RankState::Cancelled);
            self.start_more();
        } else if is_running {
            self.order(rank.id, &Order::Cancel, &Array::new(), &Array::new());
        } else if state.is_busy() {
            rank.state.set(RankState::Cancelled);
        }
    }

    /// Forgets a rank, whatever it does.
    pub fn remove(self, rank: &Arc<Rank>) {
        self.0.update_value(|inner| inner.queue.retain(|queued| queued.id != rank.id));
        self.end(rank.id);
        self.start_more();
    }

    /// Keeps every worker alive until the guard goes.
    pub fn hold(self) -> Hold {
        self.0.update_value(|inner| inner.holds += 1);
        Hold(self)
    }

    /// Asks a ready rank. `None` if its worker is or goes away.
    pub async fn ask(self, rank: u32, question: Question) -> Option<Reply> {
        self.ask_with(rank, question, &Array::new()).await
    }

    /// The same with typed arrays, which are transferred.
    pub async fn ask_with(self, rank: u32, question: Question, data: &Array) -> Option<Reply> {
        let (sender, receiver) = oneshot::channel();
        let id = self.0.try_update_value(|inner| {
            let id = inner.next_question;
            inner.next_question = id.wrapping_add(1);
            inner.recent.retain(|other| *other != rank);
            inner.recent.push(rank);
            inner.running.get_mut(&rank)?.questions.insert(id, sender);
            Some(id)
        })??;
        self.order(rank, &Order::Ask(id, Box::new(question)), &Array::new(), data);
        receiver.await.ok()
    }

    fn order(self, rank: u32, order: &Order, files: &Array, data: &Array) {
        let Some(worker) = self.0.with_value(|inner| inner.running.get(&rank).map(|r| r.worker.clone())) else {
            return;
        };
        let sent = pack(order, files, data)
            .and_then(|message| worker.post_message_with_transfer(&message, &transfer_list(data)));
        if let Err(error) = sent {
            self.fail(rank, &text_of(&error));
        }
    }

    fn start_more(self) {
        loop {
            let next = self.0.try_update_value(|inner| {
                let reading = inner.running.values().filter(|r| r.rank.state.get_untracked().is_reading()).count();
                if reading < inner.limit { inner.queue.pop_front() } else { None }
            });
            let Some(Some(rank)) = next else { return };
            self.start(&rank);
        }
    }

    /// A worker that has got the module; further messages may be posted at once.
    pub fn new_worker(self) -> Result<Worker, JsValue> {
        let (module, url) = self.0.with_value(|inner| (inner.module.clone(), inner.worker_url.clone()));
        let worker = Worker::new(&url)?;
        let hello = Object::new();
        Reflect::set(&hello, &"module".into(), &module)?;
        worker.post_message(&hello)?;
        self.started().update(|n| *n += 1);
        Ok(worker)
    }

    fn start(self, rank: &Arc<Rank>) {
        let id = rank.id;
        if rank.state.get_untracked() == RankState::Waiting {
            rank.state.set(RankState::Reading);
        }
        let worker = match self.new_worker() {
            Ok(worker) => worker,
            Err(error) => {
                rank.failure.set(text_of(&error));
                rank.state.set(RankState::Failed);
                return;
            }
        };
        let on_message =
            Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| self.receive(id, &event.data()));
        let on_error = Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
            event.prevent_default();
            self.fail(id, &event.message());
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        self.0.update_value(|inner| {
            inner.running.insert(
                id,
                Running {
                    worker,
                    rank: Arc::clone(rank),
                    questions: HashMap::new(),
                    _on_message: on_message,
                    _on_error: on_error,
                },
            );
        });
        let files: Array = rank.files.iter().collect();
        let wish = Wish {
            measure: self.0.with_value(|inner| inner.measure),
            trace_offset_ns: rank.trace_offset_ns.get_untracked(),
        };
        self.order(id, &Order::Read(Box::new(rank.folder.clone()), wish), &files, &Array::new());
    }

    fn receive(self, id: u32, message: &JsValue) {
        if let Some(text) = Reflect::get(message, &"fatal".into()).ok().and_then(|text| text.as_string()) {
            return self.fail(id, &text);
        }
        let Some(parts) = unpack::<Report>(message) else { return };
        let Some(rank) = self.0.with_value(|inner| inner.running.get(&id).map(|r| Arc::clone(&r.rank))) else { return };
        match parts.body {
            Report::Progress(bytes) => rank.done.set(bytes),
            Report::Want { file, from, to } => spawn_local(async move { self.feed(&rank, file, from, to).await }),
            Report::Ready(ready) => {
                let Ready { summary, facts, steps, spans, curves, top, told } = *ready;
                rank.done.set(rank.size);
                rank.facts.set(facts);
                rank.steps.set(Arc::new(steps));
                rank.spans.set(Arc::new(spans));
                let whole = unpack_curves(curves, &parts.data).map(Arc::new);
                // What was answered before, in more detail, is as true now.
                if rank.curves.with_untracked(Option::is_none) {
                    rank.curves.set(whole.clone());
                }
                rank.whole.set(whole);
                if rank.top.with_untracked(Option::is_none) {
                    rank.top.set(Some((GroupBy::Operator, Arc::new(top))));
                }
                rank.told.set(serde_json::from_str(&told).ok().map(Arc::new));
                rank.summary.set(Some(Arc::new(summary)));
                // One that is read again is wanted now; the others nobody has looked at yet.
                let wanted = rank.state.get_untracked() == RankState::Reloading;
                rank.state.set(RankState::Ready);
                self.0.update_value(|inner| {
                    let place = if wanted { inner.recent.len() } else { 0 };
                    inner.recent.insert(place, id);
                });
                self.keep_to_budget();
                self.start_more();
            }
            // Asked of workers of their own; see `job`.
            Report::Example(_) | Report::Listed | Report::Compared(_) => {}
            Report::Cancelled => {
                rank.state.set(RankState::Cancelled);
                self.end(id);
                self.start_more();
            }
            Report::Answer(question, answer) => {
                let asker = self.0.try_update_value(|inner| inner.running.get_mut(&id)?.questions.remove(&question));
                if let Some(Some(asker)) = asker {
                    // Who asked may have lost interest.
                    let _ = asker.send((*answer, parts.data));
                }
            }
        }
    }

    /// Reads a slice here for a worker that may not read files.
    async fn feed(self, rank: &Rank, file: usize, from: u64, to: u64) {
        self.largest_slice().update(|largest| *largest = (*largest).max(to.saturating_sub(from)));
        let bytes = async {
            let file = rank.files.get(file).ok_or_else(|| JsValue::from("no such file"))?;
            bytes_here(file, from, to).await
        };
        match bytes.await {
            Ok(bytes) => self.order(rank.id, &Order::Piece, &Array::new(), &Array::of1(&bytes)),
            Err(error) => self.order(rank.id, &Order::NoPiece(text_of(&error)), &Array::new(), &Array::new()),
        }
    }

    /// A worker died: its rank alone is lost, and can be tried again.
    fn fail(self, id: u32, reason: &str) {
        let Some(rank) = self.end(id) else { return };
        rank.failure.set(reason.to_owned());
        rank.state.set(RankState::Failed);
        self.start_more();
    }

    /// Ends a worker at once; its handlers are freed after they have returned.
    fn end(self, id: u32) -> Option<Arc<Rank>> {
        let running = self.0.try_update_value(|inner| {
            inner.recent.retain(|other| *other != id);
            inner.running.remove(&id)
        })??;
        running.worker.set_onmessage(None);
        running.worker.set_onerror(None);
        running.worker.terminate();
        let rank = Arc::clone(&running.rank);
        set_timeout(move || drop(send_wrapper::SendWrapper::new(running)), std::time::Duration::ZERO);
        Some(rank)
    }

    fn keep_to_budget(self) {
        loop {
            let surplus = self.0.try_update_value(|inner| {
                let held: u64 = inner
                    .recent
                    .iter()
                    .filter_map(|id| inner.running.get(id))
                    .map(|r| r.rank.facts.get_untracked().memory_bytes)
                    .sum();
                let spare = inner.holds == 0 && held > inner.budget && inner.recent.len() > 1;
                if spare { inner.recent.first().copied() } else { None }
            });
            let Some(Some(id)) = surplus else { return };
            if let Some(rank) = self.end(id) {
                rank.state.set(RankState::Summarized);
            }
        }
    }
}

/// Keeps workers alive; see [`Pool::hold`].
pub struct Hold(Pool);

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.0.update_value(|inner| inner.holds = inner.holds.saturating_sub(1));
        self.0.keep_to_budget();
    }
}
