//! The example run: made by the simulator in a worker of its own, then read like any other.

use futures_channel::oneshot;
use js_sys::Array;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::MessageEvent;

use super::intake::Picked;
use super::messages::{Order, Parts, Report, pack, unpack};
use super::pool::Pool;

/// The files of the example.
pub async fn example(pool: Pool) -> Result<Vec<Picked>, JsValue> {
    let worker = pool.new_worker()?;
    let (sender, receiver) = oneshot::channel();
    let mut sender = Some(sender);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        // The worker's first word is that it listens; what follows is the answer or its end.
        let data = event.data();
        let report = unpack::<Report>(&data);
        let fatal = js_sys::Reflect::has(&data, &"fatal".into()).unwrap_or(false);
        if (report.is_some() || fatal)
            && let Some(sender) = sender.take()
        {
            // The page may have gone on.
            let _ = sender.send(report);
        }
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.post_message(&pack(&Order::Example, &Array::new(), &Array::new())?)?;
    let report = receiver.await;
    worker.terminate();
    let Ok(Some(Parts { body: Report::Example(paths), files, .. })) = report else { return Ok(Vec::new()) };
    let picked = paths.into_iter().zip(files.iter());
    Ok(picked.map(|(path, file)| Picked { path: format!("example/{path}"), file: file.dyn_into().ok() }).collect())
}
