//! The few pictures of buttons, drawn as strokes in the text's colour.

use leptos::prelude::*;

/// An icon of 16 x 16 from one path. Decoration only: the button's text or label says what it does.
#[component]
pub fn Icon(#[prop(into)] path: &'static str) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
            <path d=path fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
        </svg>
    }
}

/// A folder.
pub const FOLDER: &str = "M1.8 12.5v-9h4.4l1.6 2h6.4v7z";
/// A sheet of paper.
pub const FILE: &str = "M4 1.8h5.5L12.5 5v9.2H4zM9.3 1.8v3.4h3.2";
/// A play sign.
pub const EXAMPLE: &str = "M5 3l7.5 5L5 13z";
/// An arrow into a tray.
pub const EXPORT: &str = "M8 2v8M5 7l3 3 3-3M2.5 11v2.5h11V11";
/// A cross.
pub const CLOSE: &str = "M4 4l8 8M12 4l-8 8";
/// A round arrow.
pub const RETRY: &str = "M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.5";
/// Two sheets.
pub const COPY: &str = "M6 5.5h7.5v8H6zM10.5 5.5v-3H3v8h3";
/// Half a disc.
pub const THEME: &str = "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12";
/// A ring with an i.
pub const ABOUT: &str = "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.5V11M8 5.2v.1";
/// A warning triangle.
pub const WARNING: &str = "M8 2.5l6 11H2zM8 6.5v3M8 11.5v.1";
/// A pencil.
pub const EDIT: &str = "M2.5 13.5l.8-3L10.6 3.2l2.2 2.2-7.3 7.3z";
/// Two arrows, there and back.
pub const SWAP: &str = "M2.5 5.5h10M9.5 2.5l3 3-3 3M13.5 10.5h-10M6.5 7.5l-3 3 3 3";
/// A tick.
pub const CHECK: &str = "M3 8.5l3.2 3L13 4.5";
