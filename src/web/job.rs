//! A worker for one job: it gets one order, may ask for bytes it cannot read itself, and reports once.

use std::cell::RefCell;
use std::rc::Rc;

use futures_channel::oneshot;
use js_sys::{Array, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{ErrorEvent, File, MessageEvent, Worker};

use super::messages::{Order, Parts, Report, pack, transfer_list, unpack};
use super::pool::Pool;
use super::read::{bytes_here, text_of};

/// Has a worker of its own do a job; `progress` gets its numbers on the way.
pub async fn job(
    pool: Pool,
    order: &Order,
    files: &[File],
    progress: impl Fn(u64) + 'static,
) -> Result<Parts<Report>, JsValue> {
    let worker = pool.new_worker()?;
    let (sender, receiver) = oneshot::channel();
    let sender = Rc::new(RefCell::new(Some(sender)));
    let end = move |result: Result<Parts<Report>, JsValue>| {
        if let Some(sender) = sender.borrow_mut().take() {
            // The page may have gone on.
            let _ = sender.send(result);
        }
    };
    let (end_too, asker, own) = (end.clone(), worker.clone(), files.to_vec());
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        if let Some(text) = Reflect::get(&data, &"fatal".into()).ok().and_then(|text| text.as_string()) {
            return end(Err(text.into()));
        }
        // The worker's first word is that it listens; it is none of ours.
        let Some(parts) = unpack::<Report>(&data) else { return };
        match parts.body {
            Report::Progress(number) => progress(number),
            Report::Want { file, from, to } => {
                let (asker, file) = (asker.clone(), own.get(file).cloned());
                spawn_local(async move { serve(&asker, file, from, to).await });
            }
            _ => end(Ok(parts)),
        }
    });
    let on_error = Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
        event.prevent_default();
        end_too(Err(event.message().into()));
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    worker.post_message(&pack(order, &files.iter().collect(), &Array::new())?)?;
    let result = receiver.await;
    worker.set_onmessage(None);
    worker.set_onerror(None);
    worker.terminate();
    result.unwrap_or_else(|_| Err("the worker gave no answer".into()))
}

/// Reads bytes here for a worker that may not read files.
async fn serve(worker: &Worker, file: Option<File>, from: u64, to: u64) {
    let bytes = match file {
        Some(file) => bytes_here(&file, from, to).await,
        None => Err("no such file".into()),
    };
    let (order, data) = match bytes {
        Ok(bytes) => (Order::Piece, Array::of1(&bytes)),
        Err(error) => (Order::NoPiece(text_of(&error)), Array::new()),
    };
    let message = pack(&order, &Array::new(), &data);
    // A worker that is gone meanwhile needs no bytes.
    let _ = message.and_then(|message| worker.post_message_with_transfer(&message, &transfer_list(&data)));
}
