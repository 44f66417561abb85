//! What a worker measures when the address asks for it (`#measure`), for `cargo xtask bench`: how fast the browser itself gives
//! the files of a rank, how fast SQLite selects from its databases, and how long answers take. Nobody else comes here.
//!
//! The same worker then reads the rank, so that both times are of the same machine at the same moment.

use std::hint::black_box;

use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

use super::read::{AtRandom, PIECE, ask, stream_reader};
use crate::analysis::answer::{GroupBy, TopQuery};
use crate::folder::{FileKind, RankFolder};
use crate::read::database::{BlockSize, Database};
use crate::session::Session;

/// Bytes of a slice: larger ones are not read faster.
const SLICE: u64 = 8 << 20;

/// Times, evenly over the window, at which the worker is asked.
const TIMES: u32 = 32;

/// Pixels of a wide screen.
const COLUMNS: u32 = 2560;

/// Groups a person can scroll through.
const GROUPS: usize = 100;

/// What was measured; microseconds, 0 for what could not be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// The files read as byte streams into one buffer and thrown away.
    pub stream_us: u64,
    /// The same in slices.
    pub slices_us: u64,
    /// The columns of the databases selected and the rows thrown away.
    pub select_us: u64,
    /// Rows thrown away.
    pub selected_rows: u64,
    /// Curves at several zooms, all over the window.
    pub timeline: Spread,
    /// The largest groups.
    pub top: Spread,
    /// What is live, added up and as recorded.
    pub live: Spread,
}

/// Times of many answers, microseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// The median.
    pub median_us: u64,
    /// The slowest.
    pub most_us: u64,
}

/// Microseconds since the worker began.
pub fn now_us() -> u64 {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into());
    performance.map_or(0.0, |p| p.unchecked_into::<web_sys::Performance>().now() * 1000.0) as u64
}

/// Reads a rank's files in the plainest ways.
pub async fn plain(folder: &RankFolder, files: &[File]) -> Measured {
    let mut measured = Measured::default();
    let start = now_us();
    let mut whole = true;
    for file in files {
        whole &= stream(file).await.is_ok();
    }
    measured.stream_us = if whole { now_us() - start } else { 0 };
    let start = now_us();
    for file in files {
        slices(file);
    }
    measured.slices_us = now_us() - start;
    let start = now_us();
    for (known, file) in folder.files.iter().zip(files).filter(|(known, _)| known.kind == FileKind::Database) {
        let Some(source) = AtRandom::open(file) else { continue };
        let progress = Box::new(|_| true);
        let mut database = Database::open(&known.name, Box::new(source), None, BlockSize::default(), progress);
        measured.selected_rows += database.throw_away();
    }
    measured.select_us = if measured.selected_rows > 0 { now_us() - start } else { 0 };
    measured
}

async fn stream(file: &Blob) -> Result<(), JsValue> {
    let reader = stream_reader(file)?;
    let mut buffer = js_sys::Uint8Array::new_with_length(PIECE);
    loop {
        let result = JsFuture::from(ask(&reader, buffer)?).await?;
        let Ok(view) = js_sys::Reflect::get(&result, &"value".into())?.dyn_into::<js_sys::Uint8Array>() else {
            return Ok(());
        };
        if view.length() == 0 {
            return Ok(());
        }
        buffer = js_sys::Uint8Array::new(&view.buffer());
    }
}

fn slices(file: &Blob) {
    let Some(reader) = AtRandom::open(file) else { return };
    let size = file.size() as u64;
    let mut at = 0;
    while at < size {
        black_box(reader.slice(at, size.min(at + SLICE)).is_ok());
        at += SLICE;
    }
}

/// Asks a rank that was read what the page asks.
pub fn answers(session: &Session, measured: &mut Measured) {
    let Some([start, end]) = session.summary().window_ns else { return };
    let times: Vec<i64> =
        (0..TIMES).map(|n| start + (i128::from(end - start) * i128::from(n) / i128::from(TIMES - 1)) as i64).collect();
    measured.timeline = spread(times.iter().zip([1, 10, 100, 1000].into_iter().cycle()), |(from, zoom)| {
        black_box(session.timeline(*from, from + (end - start) / zoom, COLUMNS));
    });
    let ways = [GroupBy::Operator, GroupBy::Stack, GroupBy::UserFrame];
    measured.top = spread(times.iter().zip(ways.into_iter().cycle()), |(at_ns, by)| {
        black_box(session.top(&TopQuery { at_ns: *at_ns, pool: None, by, within: None, limit: GROUPS }));
    });
    measured.live = spread(times.iter(), |at_ns| {
        black_box((session.balance(*at_ns), session.totals_at(*at_ns)));
    });
}

fn spread<T>(questions: impl Iterator<Item = T>, ask: impl Fn(T)) -> Spread {
    let mut times: Vec<u64> = questions
        .map(|question| {
            let start = now_us();
            ask(question);
            now_us() - start
        })
        .collect();
    times.sort_unstable();
    let at = |index: usize| times.get(index).copied().unwrap_or_default();
    Spread { median_us: at(times.len() / 2), most_us: at(times.len().saturating_sub(1)) }
}
