//! The first moments: what the address and the browser ask for, then the views.

use js_sys::{Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::DedicatedWorkerGlobalScope;

use super::app::App;
use super::pool::Pool;
use super::state::Page;
use crate::screen::hash::Remembered;
use crate::words::Lang;

/// Mounts the page on the body.
pub fn page(module: JsValue, worker_url: String) {
    mount_to_body(move || {
        let remembered = Remembered::parse(&window().location().hash().unwrap_or_default());
        let page = Page::new(Pool::new(module, worker_url, &remembered), &remembered, language(&remembered), is_dark());
        view! { <App page /> }
    });
}

/// The remembered language, else the first of the browser's that we speak.
fn language(remembered: &Remembered) -> Lang {
    let asked = remembered.lang.iter().cloned();
    let languages = window().navigator().languages();
    let browser = languages.iter().filter_map(|tag| tag.as_string());
    asked.chain(browser).find_map(|tag| tag.parse().ok()).unwrap_or_default()
}

/// The theme was set before the first paint.
fn is_dark() -> bool {
    let root = document().document_element();
    root.and_then(|root| root.get_attribute("data-theme")).as_deref() == Some("dark")
}

/// In a worker: a panic's own text goes to the page before the trap that follows it.
pub fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
        let message = Object::new();
        // If even this fails, the page still hears of the trap.
        if Reflect::set(&message, &"fatal".into(), &panic.to_string().into()).is_ok() {
            let _ = scope.post_message(&message);
        }
    }));
}
