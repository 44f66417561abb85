//! Pictures for the person to keep.

use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, HtmlCanvasElement};

use super::canvas::{Size, area};
use super::export::save;
use super::read::text_of;
use super::state::{Notice, Page};
use crate::analysis::answer::Timeline;
use crate::chart::poster::{Poster, draw_poster};
use crate::chart::timeline::TimelineView;

/// A picture's size in CSS pixels, and how many of its own pixels each has: sharp on paper and on a slide.
const PICTURE: Size = Size { width: 1200.0, height: 560.0, scale: 2.0 };

/// Saves a timeline as a PNG with its title and legend, in the colours of the page.
pub fn save_picture(page: Page, name: String, poster: &Poster, timeline: &Timeline, view: &TimelineView) {
    let theme = untrack(|| page.theme());
    let view = TimelineView { scale: PICTURE.scale, ..view.clone() };
    let drawn = || -> Result<HtmlCanvasElement, String> {
        let canvas = document().create_element("canvas").map_err(|e| text_of(&e))?;
        let canvas: HtmlCanvasElement = canvas.dyn_into().map_err(|_| "no canvas".to_owned())?;
        let area = area(&canvas, PICTURE).ok_or_else(|| "no canvas".to_owned())?;
        draw_poster(&area, poster, timeline, &view, &theme).map_err(|error| error.to_string())?;
        Ok(canvas)
    };
    let failed = move |reason: String| page.notice.set(Some(Notice::SaveFailed(reason)));
    let keep = move |blob: JsValue| {
        let blob = blob.dyn_into::<Blob>().map_err(|_| "no picture".to_owned());
        match blob.and_then(|blob| save(&blob, &name).map_err(|e| text_of(&e))) {
            Ok(()) => page.notice.set(Some(Notice::Saved(name))),
            Err(reason) => failed(reason),
        }
    };
    match drawn() {
        Ok(canvas) => {
            let keep = Closure::once_into_js(keep);
            if let Err(error) = canvas.to_blob(keep.unchecked_ref()) {
                failed(text_of(&error));
            }
        }
        Err(reason) => failed(reason),
    }
}

/// A name that every file system takes: letters, digits, dots and dashes.
pub fn file_name(parts: &[&str], ending: &str) -> String {
    let clean = |part: &str| part.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect::<String>();
    let parts: Vec<String> = parts.iter().filter(|part| !part.is_empty()).map(|part| clean(part)).collect();
    format!("memlens-{}.{ending}", parts.join("-"))
}
