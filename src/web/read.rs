//! Reading a `File` inside a worker, piece by piece, in the fastest way the browser offers.
//!
//! A byte stream into our own buffer (BYOB) is twice as fast as slices; slices work where that is missing; and where a worker may
//! not read a file at all (WebKit, page opened from disk) the page reads the slices and hands them over.

use js_sys::{Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, FileReaderSync};

use crate::read::read_at::ReadAt;

/// Bytes asked for at once.
pub const PIECE: u32 = 4 << 20;

/// The ways to get at a file's bytes.
pub enum Reader {
    /// A byte stream; the read that is under way.
    Stream(JsValue, Option<Promise>),
    /// Slices from this offset on.
    Slices(FileReaderSync, Blob, u64),
    /// This worker cannot: the page must.
    Page,
}

/// Opens a file, or a part of one, the best way that works.
pub fn open(file: &Blob) -> Reader {
    let Some(AtRandom { sync, .. }) = AtRandom::open(file) else { return Reader::Page };
    match stream_reader(file) {
        Ok(reader) => Reader::Stream(reader, None),
        Err(_) => Reader::Slices(sync, file.clone(), 0),
    }
}

/// Reads bytes of a file on the page itself.
pub async fn bytes_here(file: &Blob, from: u64, to: u64) -> Result<Uint8Array, JsValue> {
    let part = file.slice_with_f64_and_f64(from as f64, to as f64)?;
    Ok(Uint8Array::new(&JsFuture::from(part.array_buffer()).await?))
}

impl Reader {
    /// Fills `into` with the next bytes; `false` at the end of the file.
    pub async fn next(&mut self, into: &mut Vec<u8>) -> Result<bool, String> {
        match self {
            Reader::Stream(reader, pending) => {
                let promise = match pending.take() {
                    Some(promise) => promise,
                    None => ask(reader, Uint8Array::new_with_length(PIECE)).map_err(|e| text_of(&e))?,
                };
                let result = JsFuture::from(promise).await.map_err(|e| text_of(&e))?;
                let done = get(&result, "done").is_ok_and(|done| done.is_truthy());
                let value = get(&result, "value").map_err(|e| text_of(&e))?;
                let Ok(view) = value.dyn_into::<Uint8Array>() else { return Ok(false) };
                if done || view.length() == 0 {
                    return Ok(false);
                }
                copy(&view, into);
                // The buffer goes back to the browser before these bytes are parsed, so that it reads meanwhile.
                *pending = ask(reader, Uint8Array::new(&view.buffer())).ok();
                Ok(true)
            }
            Reader::Slices(sync, file, at) => {
                let end = (*at + u64::from(PIECE)).min(file.size() as u64);
                if *at >= end {
                    return Ok(false);
                }
                let bytes = slice(sync, file, *at, end).map_err(|e| text_of(&e))?;
                copy(&bytes, into);
                *at = end;
                Ok(true)
            }
            Reader::Page => Ok(false),
        }
    }

    /// Lets go of a stream that is not read to its end.
    pub fn close(self) {
        if let Reader::Stream(reader, _) = self
            && let Ok(cancel) = get(&reader, "cancel").and_then(|f| f.dyn_into::<Function>())
        {
            // The promise it gives only tells that the stream is closed.
            let _ = cancel.call0(&reader);
        }
    }
}

/// A file whose slices this worker can read at once, at random.
pub struct AtRandom {
    sync: FileReaderSync,
    file: Blob,
}

impl AtRandom {
    /// `None` where a worker may not read files.
    pub fn open(file: &Blob) -> Option<AtRandom> {
        let sync = FileReaderSync::new().ok()?;
        let may = file.size() == 0.0 || slice(&sync, file, 0, 1).is_ok();
        may.then(|| AtRandom { sync, file: file.clone() })
    }
}

impl AtRandom {
    /// Bytes of the file.
    pub fn slice(&self, from: u64, to: u64) -> Result<Uint8Array, String> {
        slice(&self.sync, &self.file, from, to).map_err(|e| text_of(&e))
    }
}

impl ReadAt for AtRandom {
    fn size(&self) -> u64 {
        self.file.size() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, String> {
        let end = self.size().min(offset.saturating_add(buffer.len() as u64));
        if offset >= end {
            return Ok(0);
        }
        let bytes = self.slice(offset, end)?;
        let count = (bytes.length() as usize).min(buffer.len());
        if let Some(into) = buffer.get_mut(..count) {
            bytes.subarray(0, count as u32).copy_to(into);
        }
        Ok(count)
    }
}

/// The bytes of a typed array, in a buffer used again and again.
pub fn copy(view: &Uint8Array, into: &mut Vec<u8>) {
    into.resize(view.length() as usize, 0);
    view.copy_to(into);
}

/// An exception in words.
pub fn text_of(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.to_string()),
        None => get(error, "message").ok().and_then(|m| m.as_string()).unwrap_or_else(|| format!("{error:?}")),
    }
}

fn slice(sync: &FileReaderSync, file: &Blob, from: u64, to: u64) -> Result<Uint8Array, JsValue> {
    let part: Blob = file.slice_with_f64_and_f64(from as f64, to as f64)?;
    Ok(Uint8Array::new(&sync.read_as_array_buffer(&part)?.into()))
}

/// A BYOB reader. Called by name: browsers without it throw, and the typed binding does not expect that.
pub fn stream_reader(file: &Blob) -> Result<JsValue, JsValue> {
    let stream = method(file, "stream")?.call0(file)?;
    let options = Object::new();
    Reflect::set(&options, &"mode".into(), &"byob".into())?;
    method(&stream, "getReader")?.call1(&stream, &options)
}

/// Asks for the next bytes, in this buffer.
pub fn ask(reader: &JsValue, view: Uint8Array) -> Result<Promise, JsValue> {
    method(reader, "read")?.call1(reader, &view)?.dyn_into()
}

fn method(of: &JsValue, name: &str) -> Result<Function, JsValue> {
    get(of, name)?.dyn_into()
}

fn get(of: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    Reflect::get(of, &name.into())
}
