//! Pictures of answers: the timeline, the bars, their colours.
//!
//! For: turning `analysis::answer` values into drawings on any plotters backend (canvas in the page, SVG in a report, bitmap in
//! tests). May touch plotters only; knows no model, no browser, no sentences: texts come in ready-made from the caller.
//!
//! All geometry is in device pixels of the drawing area. A `scale` (the screen's device pixel ratio) multiplies fonts, lines and
//! margins. Texts are placed by anchors and a rough width, never by asking the backend: in a browser plotters measures a text by
//! laying out the page, which costs more than the whole drawing.

pub mod bars;
pub mod block_map;
mod curve;
pub mod flame;
mod label;
mod marks;
pub mod palette;
mod plot_rect;
pub mod poster;
#[cfg(test)]
mod sheet;
pub mod small;
pub mod svg;
pub mod theme;
mod ticks;
pub mod timeline;

pub use plot_rect::PlotRect;
