//! Curves between a worker and the page: heads as a message, all points in one typed array.

use js_sys::{Array, BigInt64Array};
use wasm_bindgen::JsCast;

use super::messages::{Curves, SeriesHead};
use crate::analysis::answer::{Quantity, Series, Timeline};

/// Takes curves apart: for each its times, then its bytes, in one `BigInt64Array` put into `data`.
pub fn pack_curves(timeline: Timeline, data: &Array) -> Curves {
    let mut numbers = Vec::new();
    let mut heads = Vec::new();
    for series in timeline.series {
        numbers.extend_from_slice(&series.times_ns);
        numbers.extend_from_slice(&series.bytes);
        heads.push(SeriesHead {
            pool: series.pool,
            quantity: series.quantity,
            points: series.times_ns.len(),
            complete: series.complete,
        });
    }
    data.push(&BigInt64Array::from(numbers.as_slice()));
    Curves { start_ns: timeline.start_ns, end_ns: timeline.end_ns, heads }
}

/// Puts heads and points together again; `None` if they do not belong together.
pub fn unpack_curves(curves: Curves, data: &Array) -> Option<Timeline> {
    let numbers = data.get(0).dyn_into::<BigInt64Array>().ok()?.to_vec();
    let mut rest = numbers.as_slice();
    let mut series = Vec::new();
    for head in curves.heads {
        let (times, after) = rest.split_at_checked(head.points)?;
        let (bytes, after) = after.split_at_checked(head.points)?;
        rest = after;
        // Memory from before the window is told for the framework's pool alone: nobody asks for another's.
        if head.quantity == Quantity::Baseline && series.iter().any(|s: &Series| s.pool != head.pool) {
            continue;
        }
        series.push(Series {
            pool: head.pool,
            quantity: head.quantity,
            times_ns: times.to_vec(),
            bytes: bytes.to_vec(),
            complete: head.complete,
        });
    }
    Some(Timeline { start_ns: curves.start_ns, end_ns: curves.end_ns, series })
}
