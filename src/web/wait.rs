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
