//! Waiting without holding up the page.

use js_sys::Promise;
use leptos::prelude::window;
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
