//! In a worker: sides of a comparison travel as bytes from one to the next, each adding its rank; the last compares. The page itself
//! never takes them apart, however many groups they have.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;

use super::messages::{Answer, ComparedSides};
use crate::analysis::align::align;
use crate::analysis::answer::GroupBy;
use crate::analysis::compare::{DifferenceOf, compare};
use crate::analysis::side::{Side, SideQuery};
use crate::analysis::steps::{Moment, Of};
use crate::session::Session;

/// The side of a message, if it is one.
fn read(data: &Array, place: u32) -> Option<Side> {
    let bytes: Uint8Array = data.get(place).dyn_into().ok()?;
    serde_json::from_slice(&bytes.to_vec()).ok()
}

/// This rank's side, with the one that came.
pub fn side(session: &Session, by: GroupBy, [at, from, to]: [Moment; 3], came: &Array, out: &Array) -> Answer {
    let before = read(came, 0);
    let query = || {
        Some(SideQuery {
            by,
            pool: None,
            at_ns: session.moment(at, Of::Peak)?,
            from_ns: session.moment(from, Of::Start)?,
            to_ns: session.moment(to, Of::End)?,
        })
    };
    let own = query().map(|query| session.side(&query));
    let has_moment = own.is_some();
    let sum = Side::sum(by, before.into_iter().chain(own));
    // A side is plain data: it can always be written.
    let bytes = serde_json::to_vec(&sum).unwrap_or_default();
    out.push(&Uint8Array::from(bytes.as_slice()));
    Answer::Side(has_moment)
}

/// The two sides that came, compared.
pub fn compared(order: DifferenceOf, limit: usize, came: &Array) -> Answer {
    let (Some(a), Some(b)) = (read(came, 0), read(came, 1)) else { return Answer::Compared(None) };
    let highest = a.highest().zip(b.highest());
    let highest = highest.map(|(a, b)| ([a.clone(), b.clone()], align(a, b)));
    Answer::Compared(Some(Box::new(ComparedSides {
        compared: compare(&a, &b, order, limit),
        totals: [[a.live, a.allocated], [b.live, b.allocated]],
        ranks: [a.ranks.len() as u64, b.ranks.len() as u64],
        highest,
    })))
}
