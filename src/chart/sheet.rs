//! A bitmap for tests: plotters' own, except that texts are written down instead of drawn, so no font is needed.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use plotters::prelude::*;
use plotters::style::RGBColor;
use plotters_backend::{BackendColor, BackendStyle, BackendTextStyle, DrawingErrorKind};

/// Texts drawn, with their places.
pub type Texts = Rc<RefCell<Vec<(String, (i32, i32))>>>;

/// The backend handed to the drawing under test.
pub struct Sheet<'a> {
    inner: BitMapBackend<'a>,
    texts: Texts,
}

type Done = Result<(), DrawingErrorKind<Infallible>>;

fn never<E: std::fmt::Debug>(result: Result<(), E>) -> Done {
    result.unwrap();
    Ok(())
}

impl DrawingBackend for Sheet<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.inner.get_size()
    }

    fn ensure_prepared(&mut self) -> Done {
        never(self.inner.ensure_prepared())
    }

    fn present(&mut self) -> Done {
        never(self.inner.present())
    }

    fn draw_pixel(&mut self, point: (i32, i32), color: BackendColor) -> Done {
        never(self.inner.draw_pixel(point, color))
    }

    fn draw_line<S: BackendStyle>(&mut self, from: (i32, i32), to: (i32, i32), style: &S) -> Done {
        never(self.inner.draw_line(from, to, style))
    }

    fn draw_rect<S: BackendStyle>(&mut self, a: (i32, i32), b: (i32, i32), style: &S, fill: bool) -> Done {
        never(self.inner.draw_rect(a, b, style, fill))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = (i32, i32)>>(&mut self, path: I, style: &S) -> Done {
        let path: Vec<_> = path.into_iter().collect();
        for pair in path.windows(2) {
            never(self.inner.draw_path(pair.to_vec(), style))?;
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, _style: &S, at: (i32, i32)) -> Done {
        self.texts.borrow_mut().push((text.to_owned(), at));
        Ok(())
    }
}

/// What a drawing left behind.
pub struct Drawn<R> {
    /// What the drawing function returned.
    pub result: R,
    /// Texts and places.
    pub texts: Vec<(String, (i32, i32))>,
    pixels: Vec<u8>,
    width: u32,
}

impl<R> Drawn<R> {
    /// The colour of a pixel.
    pub fn at(&self, x: i32, y: i32) -> RGBColor {
        let start = (y as usize * self.width as usize + x as usize) * 3;
        RGBColor(self.pixels[start], self.pixels[start + 1], self.pixels[start + 2])
    }

    /// Whether `color` is at `x` and within `slack` pixels of `y`.
    pub fn near(&self, x: i32, y: f64, slack: i32, color: RGBColor) -> bool {
        let y = y.round() as i32;
        let last = (self.pixels.len() / 3) as i32 / self.width as i32 - 1;
        ((y - slack).max(0)..=(y + slack).min(last)).any(|y| self.at(x, y) == color)
    }

    /// Whether a text was drawn.
    pub fn says(&self, text: &str) -> bool {
        self.texts.iter().any(|(drawn, _)| drawn == text)
    }
}

/// Draws on a sheet of `width` x `height` pixels.
pub fn draw_on<R>(
    (width, height): (u32, u32),
    drawing: impl FnOnce(&DrawingArea<Sheet<'_>, plotters::coord::Shift>) -> R,
) -> Drawn<R> {
    let mut pixels = vec![0; (width * height * 3) as usize];
    let texts = Texts::default();
    let result = {
        let inner = BitMapBackend::with_buffer(&mut pixels, (width, height));
        let area = Sheet { inner, texts: Rc::clone(&texts) }.into_drawing_area();
        let result = drawing(&area);
        area.present().unwrap();
        result
    };
    let texts = texts.borrow().clone();
    Drawn { result, texts, pixels, width }
}
