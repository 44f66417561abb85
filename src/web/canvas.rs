//! Canvases as sharp as the screen: sized in device pixels, followed by a resize observer.

use leptos::html::Div;
use leptos::prelude::*;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement, ResizeObserver};

/// The size of an element's content.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Size {
    /// CSS pixels.
    pub width: f64,
    /// CSS pixels.
    pub height: f64,
    /// Device pixels for each CSS pixel.
    pub scale: f64,
}

impl Size {
    /// Width in device pixels.
    pub fn device_width(self) -> u32 {
        (self.width * self.scale).round().max(0.0) as u32
    }

    /// Height in device pixels.
    pub fn device_height(self) -> u32 {
        (self.height * self.scale).round().max(0.0) as u32
    }
}

/// Follows the size of an element, and the zoom of the page.
pub fn size_of(node: NodeRef<Div>) -> RwSignal<Size> {
    let size = RwSignal::new(Size::default());
    Effect::new(move |_| {
        let Some(element) = node.get() else { return };
        let element: HtmlElement = element.into();
        let measure = move |element: &HtmlElement| {
            let now = Size {
                width: element.client_width().into(),
                height: element.client_height().into(),
                scale: window().device_pixel_ratio(),
            };
            if size.get_untracked() != now {
                size.set(now);
            }
        };
        measure(&element);
        let observed = element.clone();
        let callback = Closure::<dyn Fn()>::new(move || measure(&observed));
        if let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) {
            observer.observe(&element);
            let kept = send_wrapper::SendWrapper::new((observer, callback));
            on_cleanup(move || kept.0.disconnect());
        }
        let zoomed = window_event_listener(leptos::ev::resize, move |_| measure(&element));
        on_cleanup(move || zoomed.remove());
    });
    size
}

/// Gives the canvas its size in device pixels (which clears it) and makes it a plotters area.
pub fn area(canvas: &HtmlCanvasElement, size: Size) -> Option<DrawingArea<CanvasBackend, Shift>> {
    fit(canvas, size);
    CanvasBackend::with_canvas_object(canvas.clone()).map(IntoDrawingArea::into_drawing_area)
}

/// Gives the canvas its size in device pixels, clears it, and hands over its pen.
pub fn pen(canvas: &HtmlCanvasElement, size: Size) -> Option<CanvasRenderingContext2d> {
    fit(canvas, size);
    let pen: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    pen.clear_rect(0.0, 0.0, canvas.width().into(), canvas.height().into());
    Some(pen)
}

fn fit(canvas: &HtmlCanvasElement, size: Size) {
    let (width, height) = (size.device_width(), size.device_height());
    if canvas.width() != width {
        canvas.set_width(width);
    }
    if canvas.height() != height {
        canvas.set_height(height);
    }
}
