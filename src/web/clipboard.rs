//! Copying text, also where the clipboard interface is missing (plain http).

use js_sys::{Function, Promise, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, HtmlTextAreaElement};

/// Puts the text on the clipboard; whether that worked.
pub async fn copy(text: &str) -> bool {
    if let Ok(promise) = modern(text)
        && JsFuture::from(promise).await.is_ok()
    {
        return true;
    }
    old(text).unwrap_or(false)
}

fn modern(text: &str) -> Result<Promise, JsValue> {
    let clipboard = Reflect::get(&window().navigator(), &"clipboard".into())?;
    let write: Function = Reflect::get(&clipboard, &"writeText".into())?.dyn_into()?;
    write.call1(&clipboard, &text.into())?.dyn_into()
}

/// The way of before: a selected text area and a command to the document.
fn old(text: &str) -> Result<bool, JsValue> {
    let document = document();
    let focused: Option<Element> = document.active_element();
    let area: HtmlTextAreaElement = document.create_element("textarea")?.dyn_into()?;
    area.set_value(text);
    area.set_attribute("class", "offscreen")?;
    let Some(body) = document.body() else { return Ok(false) };
    body.append_child(&area)?;
    area.select();
    let command: Function = Reflect::get(&document, &"execCommand".into())?.dyn_into()?;
    let done = command.call1(&document, &"copy".into())?.is_truthy();
    area.remove();
    if let Some(element) = focused.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        element.focus()?;
    }
    Ok(done)
}
