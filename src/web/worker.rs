//! The worker's side: reads one rank through a [`Session`], then answers questions about it.
//!
//! Reading is an async task that lets the browser deliver messages between pieces, so that a cancel is seen within one piece.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures_channel::oneshot;
use js_sys::{Array, BigInt64Array, Promise, Uint8Array, Uint32Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DedicatedWorkerGlobalScope, File, MessageChannel, MessageEvent, TextDecoder, TextDecoderOptions};

use super::curves::pack_curves;
use super::flame_data::pack_nodes;
use super::growth::pack_growth;
use super::map_data::pack_map;
use super::measure::{self, Measured, now_us};
use super::messages::{
    Answer, Facts, KEPT_COLUMNS, KEPT_GROUPS, Order, Parts, Question, Ready, Report, StepStart, Told, pack,
    transfer_list, unpack,
};
use super::read::{AtRandom, PIECE, Reader, copy, open, text_of};
use super::reserved_view::unused_timeline;
use super::sides;
use crate::analysis::answer::{GroupBy, Timeline, TopQuery};
use crate::archive::list::Lister;
use crate::archive::{Fingerprint, Part, Sum};
use crate::folder::{RankFile, RankFolder, interest};
use crate::read::read_at::ReadAt;
use crate::session::{Options, Session};

/// Why a file was not read to the end it had when it was given.
const BECAME_SHORTER: &str = "the file became shorter while it was read";

/// Least time between two progress reports, ms.
const REPORT_EVERY: f64 = 100.0;

/// Largest database that is loaded whole where it cannot be read at random, bytes.
const MOST_LOADED: u64 = 512 << 20;

/// The state the message handler and the reading task share.
struct Desk {
    scope: DedicatedWorkerGlobalScope,
    /// The rank, once it is read.
    session: RefCell<Option<Session>>,
    cancelled: Cell<bool>,
    /// Who waits for bytes from the page.
    waiting: RefCell<Option<oneshot::Sender<Result<Uint8Array, String>>>>,
}

/// Listens to the page. Called once in each worker.
pub fn start() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let desk = Rc::new(Desk {
        scope: scope.clone(),
        session: RefCell::new(None),
        cancelled: Cell::new(false),
        waiting: RefCell::new(None),
    });
    let handler = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(parts) = unpack::<Order>(&event.data()) {
            obey(&desk, parts);
        }
    });
    scope.set_onmessage(Some(handler.as_ref().unchecked_ref()));
    // It lives as long as the worker.
    handler.forget();
}

fn obey(desk: &Rc<Desk>, order: Parts<Order>) {
    match order.body {
        Order::Read(folder, wish) => {
            let files: Vec<File> = order.files.iter().filter_map(|file| file.dyn_into().ok()).collect();
            let desk = Rc::clone(desk);
            spawn_local(async move {
                let measured = if wish.measure { Some(measure::plain(&folder, &files).await) } else { None };
                let options = Options { trace_offset_ns: wish.trace_offset_ns, ..Options::default() };
                read_rank(desk, *folder, &files, options, measured).await;
            });
        }
        Order::Piece => deliver(desk, order.data.get(0).dyn_into().map_err(|_| "no bytes came".to_owned())),
        Order::NoPiece(reason) => deliver(desk, Err(reason)),
        Order::Cancel => {
            desk.cancelled.set(true);
            desk.waiting.take();
        }
        Order::Example => {
            let (paths, files) = example();
            if let Err(error) = pack(&Report::Example(paths), &files, &Array::new())
                .and_then(|message| desk.scope.post_message(&message))
            {
                wasm_bindgen::throw_val(error);
            }
        }
        Order::List(path) => {
            let desk = Rc::clone(desk);
            if let Ok(file) = order.files.get(0).dyn_into() {
                spawn_local(async move { list(&desk, &path, &file).await });
            }
        }
        Order::Compare(pairs) => {
            let files: Vec<File> = order.files.iter().filter_map(|file| file.dyn_into().ok()).collect();
            let desk = Rc::clone(desk);
            spawn_local(async move {
                let is_same = compare(&desk, &files, &pairs).await;
                desk.report(&Report::Compared(is_same), &Array::new());
            });
        }
        Order::Ask(id, question) => {
            if let Some(session) = desk.session.borrow_mut().as_mut() {
                let (answer, data) = answer(session, &question, &order.data);
                desk.report(&Report::Answer(id, Box::new(answer)), &data);
            }
        }
    }
}

fn deliver(desk: &Desk, piece: Result<Uint8Array, String>) {
    if let Some(waiting) = desk.waiting.take() {
        // Nobody waits any longer if the reading was cancelled meanwhile.
        let _ = waiting.send(piece);
    }
}

impl Desk {
    fn report(&self, report: &Report, data: &Array) {
        let sent = pack(report, &Array::new(), data)
            .and_then(|message| self.scope.post_message_with_transfer(&message, &transfer_list(data)));
        if let Err(error) = sent {
            wasm_bindgen::throw_val(error);
        }
    }

    /// Bytes of a file through the page.
    async fn fetch(&self, file: usize, from: u64, to: u64) -> Result<Uint8Array, String> {
        let (sender, receiver) = oneshot::channel();
        *self.waiting.borrow_mut() = Some(sender);
        self.report(&Report::Want { file, from, to }, &Array::new());
        receiver.await.unwrap_or_else(|_| Err("cancelled".to_owned()))
    }
}

async fn read_rank(desk: Rc<Desk>, folder: RankFolder, files: &[File], options: Options, measured: Option<Measured>) {
    let (start, mut waiting_us) = (now_us(), 0);
    let mut session = Session::new(folder, options).with_legacy(gbk);
    let mut pace = Pace::default();
    let mut counted: Vec<usize> = Vec::new();
    let mut buffer = Vec::new();
    for index in session.read_order() {
        let Some(file) = files.get(index) else { continue };
        let is_wanted = session.wants(index);
        // A file that is read twice counts once.
        let known = session.folder().files.get(index).filter(|_| !counted.contains(&index));
        pace.next_file(known.map_or(0, RankFile::bytes_to_feed));
        counted.push(index);
        if !is_wanted {
            continue;
        }
        if session.is_database(index) {
            read_database(&desk, &mut session, index, files, &mut pace).await;
            if desk.cancelled.get() {
                desk.report(&Report::Cancelled, &Array::new());
                return;
            }
            continue;
        }
        session.begin(index);
        let part = session.folder().files.get(index).and_then(|file| file.part.as_ref());
        let (start, end) = part.map_or((0, file.size() as u64), |part| (part.start, part.end));
        let bytes = if part.is_some() {
            file.slice_with_f64_and_f64(start as f64, end as f64)
        } else {
            Ok(file.clone().into())
        };
        let mut reader = match bytes {
            Ok(bytes) => open(&bytes),
            Err(error) => {
                session.abandon(&text_of(&error));
                continue;
            }
        };
        let size = end.saturating_sub(start);
        let mut at = 0;
        loop {
            if !session.wants_more() {
                reader.close();
                break;
            }
            let asked = now_us();
            let more = match &mut reader {
                Reader::Page if at >= size => Ok(false),
                Reader::Page => {
                    let end = (at + u64::from(PIECE)).min(size);
                    desk.fetch(index, start + at, start + end).await.map(|bytes| {
                        copy(&bytes, &mut buffer);
                        true
                    })
                }
                _ => reader.next(&mut buffer).await,
            };
            waiting_us += now_us() - asked;
            if desk.cancelled.get() {
                reader.close();
                desk.report(&Report::Cancelled, &Array::new());
                return;
            }
            match more {
                Ok(true) => {
                    session.feed(&buffer);
                    at += buffer.len() as u64;
                    pace.step(&desk, buffer.len() as u64).await;
                }
                // A file that is written anew meanwhile may just end.
                Ok(false) if at < size => {
                    session.abandon(BECAME_SHORTER);
                    break;
                }
                Ok(false) => break,
                Err(reason) => {
                    session.abandon(&reason);
                    break;
                }
            }
        }
        session.end();
    }
    drop(buffer);
    pace.next_file(0);
    desk.report(&Report::Progress(pace.done), &Array::new());
    breathe().await;
    if desk.cancelled.get() {
        desk.report(&Report::Cancelled, &Array::new());
        return;
    }
    let read = now_us();
    session.finish();
    let end = now_us();
    let mut facts = Facts {
        counters: session.counters(),
        memory_bytes: memory_bytes(),
        rows: session.row_count() as u64,
        reading_us: end - start,
        waiting_us,
        finishing_us: end - read,
        measured,
    };
    if let Some(measured) = &mut facts.measured {
        measure::answers(&session, measured);
    }
    let steps = session.steps().iter().map(|step| StepStart { time_ns: step.start, name: step.name.clone() }).collect();
    let summary = session.summary().clone();
    let [first, last] = summary.window_ns.unwrap_or_default();
    let data = Array::new();
    let curves = pack_curves(session.timeline(first, last, KEPT_COLUMNS), &data);
    let at_ns = summary.top.as_ref().map_or(first, |top| top.at_ns);
    let top = session.top(&TopQuery { at_ns, pool: None, by: GroupBy::Operator, within: None, limit: KEPT_GROUPS });
    let told = Told { findings: session.findings(), facts: session.facts() };
    let spans = session.steps_in_order();
    // Plain numbers and texts: writing them cannot fail.
    let told = serde_json::to_string(&told).unwrap_or_default();
    let report = Report::Ready(Box::new(Ready { summary, facts, steps, spans, curves, top, told }));
    *desk.session.borrow_mut() = Some(session);
    desk.report(&report, &data);
}

/// Reads a database: at random where this worker can, else whole, its pieces coming from the page. While SQLite runs no message
/// is seen: the page ends the worker to cancel it.
async fn read_database(desk: &Rc<Desk>, session: &mut Session, index: usize, files: &[File], pace: &mut Pace) {
    let Some(file) = files.get(index) else { return };
    let log = session.log_of(index).and_then(|log| Some((log, files.get(log)?)));
    let Some(source) = at_random(desk, session, (index, file)).await else { return };
    let log = match log {
        Some(log) => at_random(desk, session, log).await,
        None => None,
    };
    if desk.cancelled.get() {
        return;
    }
    let (before, most, mut reported_at, told) = (pace.done, pace.left, pace.reported_at, Rc::clone(desk));
    let progress = move |bytes: u64| {
        let now = js_sys::Date::now();
        if now - reported_at >= REPORT_EVERY {
            reported_at = now;
            told.report(&Report::Progress(before + bytes.min(most)), &Array::new());
        }
        !told.cancelled.get()
    };
    session.read_database(index, source, log, Box::new(progress));
}

/// A file to read at random. One that only the page can read is loaded whole, if it is not too large.
async fn at_random(desk: &Desk, session: &mut Session, (index, file): (usize, &File)) -> Option<Box<dyn ReadAt>> {
    if let Some(source) = AtRandom::open(file) {
        return Some(Box::new(source));
    }
    let size = file.size() as u64;
    if size > MOST_LOADED {
        session.note_too_large(index);
        return None;
    }
    let mut whole: Vec<u8> = Vec::new();
    let mut piece = Vec::new();
    while (whole.len() as u64) < size && !desk.cancelled.get() {
        let from = whole.len() as u64;
        match desk.fetch(index, from, (from + u64::from(PIECE)).min(size)).await {
            Ok(bytes) if bytes.length() > 0 => {
                copy(&bytes, &mut piece);
                whole.reserve_exact(if whole.is_empty() { size as usize } else { 0 });
                whole.extend_from_slice(&piece);
            }
            Ok(_) => break,
            Err(reason) => {
                session.note_unreadable(index, &reason);
                return None;
            }
        }
    }
    Some(Box::new(whole))
}

/// Lists an archive.
/// Whether parts of the first file are the other files, each in its place.
async fn compare(desk: &Desk, files: &[File], pairs: &[(Part, Option<Part>)]) -> bool {
    for (index, (part, beside)) in (1..).zip(pairs) {
        let packed = match part.sum() {
            None => sum(desk, files, 0, Some(part)).await,
            said => said,
        };
        if packed.is_none() || packed != sum(desk, files, index, beside.as_ref()).await {
            return false;
        }
    }
    true
}

async fn sum(desk: &Desk, files: &[File], index: usize, part: Option<&Part>) -> Option<Sum> {
    let file = files.get(index)?;
    let reader = AtRandom::open(file);
    let (mut at, end) = part.map_or((0, file.size() as u64), |part| (part.start, part.end));
    let mut sum = Fingerprint::new(part);
    while at < end && sum.wants_more() {
        let to = end.min(at + u64::from(PIECE));
        let bytes = match &reader {
            Some(reader) => reader.slice(at, to),
            None => desk.fetch(index, at, to).await,
        };
        sum.feed(&bytes.ok()?.to_vec());
        at = to;
    }
    sum.finish()
}

async fn list(desk: &Desk, path: &str, file: &File) {
    let mut lister = Lister::new(path, file.size() as u64, interest, gbk);
    let mut pace = Pace::default();
    let reader = AtRandom::open(file);
    while let Some((from, count)) = lister.want() {
        let to = from + count;
        let bytes = match &reader {
            Some(reader) => reader.slice(from, to),
            None => desk.fetch(0, from, to).await,
        };
        match bytes {
            Ok(bytes) => lister.give(&bytes.to_vec()),
            Err(reason) => lister.fail(&reason),
        }
        pace.done = lister.count() as u64;
        pace.tell(desk);
    }
    let listed = serde_json::to_vec(&lister.finish()).unwrap_or_default();
    desk.report(&Report::Listed, &Array::of1(&Uint8Array::from(listed.as_slice())));
}

/// The browser knows GBK; tables for it would make the page a seventh larger.
fn gbk(bytes: &[u8]) -> Option<String> {
    let options = TextDecoderOptions::new();
    options.set_fatal(true);
    TextDecoder::new_with_label_and_options("gbk", &options).ok()?.decode_with_u8_array(bytes).ok()
}

/// Keeps progress reports rare and breaks regular. A file counts with its bytes, whether it is read wholly, twice or not at all.
#[derive(Default)]
struct Pace {
    done: u64,
    /// What the open file may add still.
    left: u64,
    since_break: u64,
    reported_at: f64,
}

impl Pace {
    /// The file before is done with; one of so many bytes begins.
    fn next_file(&mut self, bytes: u64) {
        self.done += std::mem::replace(&mut self.left, bytes);
    }

    async fn step(&mut self, desk: &Desk, bytes: u64) {
        let new = bytes.min(self.left);
        self.done += new;
        self.left -= new;
        self.since_break += bytes;
        self.tell(desk);
        if self.since_break >= u64::from(PIECE) {
            self.since_break = 0;
            breathe().await;
        }
    }

    fn tell(&mut self, desk: &Desk) {
        let now = js_sys::Date::now();
        if now - self.reported_at >= REPORT_EVERY {
            self.reported_at = now;
            desk.report(&Report::Progress(self.done), &Array::new());
        }
    }
}

/// Lets messages from the page come in. A promise alone would not: it resolves before the next message is looked at.
async fn breathe() {
    let promise = Promise::new(&mut |resolve, _| {
        if let Ok(channel) = MessageChannel::new() {
            channel.port1().set_onmessage(Some(&resolve));
            // Posting an empty message to ourselves cannot fail.
            let _ = channel.port2().post_message(&JsValue::NULL);
        }
    });
    let _ = JsFuture::from(promise).await;
}

/// The example run, made on the spot; empty if that fails. As `File`s it crosses to the page without a copy.
fn example() -> (Vec<String>, Array) {
    let mut memory = memlens_simulator::Memory(Vec::new());
    if memlens_simulator::simulate(&memlens_simulator::example_options(), &mut memory).is_err() {
        memory.0.clear();
    }
    let (mut paths, files) = (Vec::new(), Array::new());
    for (path, bytes) in memory.0 {
        let parts = Array::of1(&Uint8Array::from(bytes.as_slice()));
        if let Ok(file) = File::new_with_u8_array_sequence(&parts, path.rsplit('/').next().unwrap_or(&path)) {
            files.push(&file);
            paths.push(path);
        }
    }
    (paths, files)
}

fn memory_bytes() -> u64 {
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
    u64::from(buffer.byte_length())
}

fn answer(session: &mut Session, question: &Question, came: &Array) -> (Answer, Array) {
    let data = Array::new();
    let answer = match question {
        Question::Timeline { start_ns, end_ns, columns } => {
            Answer::Timeline(pack_curves(session.timeline(*start_ns, *end_ns, *columns), &data))
        }
        Question::Modules { start_ns, end_ns, columns } => {
            Answer::Timeline(pack_curves(session.module_timeline(*start_ns, *end_ns, *columns), &data))
        }
        Question::PlanCurve { graph, first, last, columns } => {
            let (start_ns, end_ns) = (*first, *last);
            let nothing = || Timeline { start_ns, end_ns, series: Vec::new() };
            let curves = session.plan_timeline(*graph, *first, *last, *columns).unwrap_or_else(nothing);
            Answer::Timeline(pack_curves(curves, &data))
        }
        Question::PlanTable(query) => Answer::PlanTable(session.plan_table(query)),
        Question::Side { by, at, from, to } => sides::side(session, *by, [*at, *from, *to], came, &data),
        Question::Compare { order, limit } => sides::compared(*order, *limit, came),
        Question::TotalsAt(at_ns) => Answer::Totals(session.totals_at(*at_ns)),
        Question::Balance(at_ns) => Answer::Balance(session.balance(*at_ns)),
        Question::Top(query) => Answer::Top(session.top(query)),
        Question::Rows { from, count, extended } => {
            let times = session.row_times(*from, *count);
            let mut bytes = Vec::new();
            let ends = session.write_rows(*from, *count, *extended, &mut bytes);
            let ends: Vec<u32> = ends.into_iter().map(|end| end as u32).collect();
            data.push(&BigInt64Array::from(times.as_slice()));
            data.push(&Uint32Array::from(ends.as_slice()));
            data.push(&Uint8Array::from(bytes.as_slice()));
            Answer::Rows
        }
        Question::BlockMap(query) => Answer::BlockMap(session.block_map(query).map(|map| pack_map(map, &data))),
        Question::Block(row) => Answer::Block(session.block(*row)),
        Question::Blocks(query) => Answer::Blocks(session.blocks(query)),
        Question::Events(query) => Answer::Events(session.events(query)),
        Question::Growth(query) => Answer::Growth(session.growth(query).map(|growth| pack_growth(growth, &data))),
        Question::Churn(query) => Answer::Churn(session.churn(query)),
        Question::Temporaries(query, within_ns) => Answer::Top(session.temporaries(query, *within_ns)),
        Question::Reserved(query) => Answer::Reserved(session.reserved(query).map(Box::new)),
        Question::Unused(query, columns) => {
            Answer::Timeline(pack_curves(unused_timeline(query, session.unused_curves(query, *columns)), &data))
        }
        Question::Tree(query) => {
            let tree = session.tree(query);
            pack_nodes(&tree.nodes, &data);
            Answer::Tree(tree.names)
        }
        Question::Sandwich(query) => match session.sandwich(query) {
            Some(sandwich) => {
                pack_nodes(&sandwich.callers, &data);
                pack_nodes(&sandwich.callees, &data);
                Answer::Sandwich(sandwich.names)
            }
            None => Answer::Sandwich(Vec::new()),
        },
        Question::Frames(query) => Answer::Frames(session.frames(query)),
        Question::BlocksCsv(query) => csv(&data, |out| session.write_blocks(query, out)),
        Question::EventsCsv(query) => csv(&data, |out| session.write_events(query, out)),
    };
    (answer, data)
}

/// Records that travel as bytes.
fn csv(data: &Array, write: impl FnOnce(&mut Vec<u8>) -> usize) -> Answer {
    let mut bytes = Vec::new();
    let count = write(&mut bytes);
    data.push(&Uint8Array::from(bytes.as_slice()));
    Answer::Csv(count)
}
