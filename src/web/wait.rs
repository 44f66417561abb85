//! Waiting without holding up the page.

use std::time::Duration;

use js_sys::Promise;
use leptos::prelude::{RwSignal, Set, set_timeout, window};
use wasm_bindgen_futures::JsFuture;

/// A frame, roughly. Timers also run in a hidden page, which draws nothing.
pub const FRAME: u16 = 16;

/// Lets the browser do other things for so many milliseconds.
pub async fn sleep(ms: u16) {
    let promise = Promise::new(&mut |resolve, _| {
        // A timer that cannot be set leaves the promise open; browsers always can.
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms.into());
    });
    // The promise is only ever resolved.
    let _ = JsFuture::from(promise).await;
}

/// Does something so many frames from now, so that it and what is done now are two short tasks.
pub fn later(frames: u16, work: impl FnOnce() + 'static) {
    set_timeout(work, Duration::from_millis((FRAME * frames).into()));
}

/// Becomes true so many frames from now. What is built at once holds up the page; what is built in turns does not.
pub fn turn(frames: u16) -> RwSignal<bool> {
    let come = RwSignal::new(false);
    // Who asked may be gone by then.
    later(frames, move || {
        let _ = come.try_set(true);
    });
    come
}

/// Breaks in a long piece of work, so that no task of the page gets long.
pub struct Breaks {
    since: f64,
}

impl Breaks {
    /// Work that begins now.
    pub fn new() -> Breaks {
        Breaks { since: js_sys::Date::now() }
    }

    /// Takes a break if it is time for one.
    pub async fn rest(&mut self) {
        if js_sys::Date::now() - self.since > f64::from(FRAME) {
            sleep(0).await;
            self.since = js_sys::Date::now();
        }
    }
}
