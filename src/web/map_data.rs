//! The picture of blocks between a worker and the page: its head as a message, the rest as typed arrays.

use js_sys::{Array, BigInt64Array, Uint8Array, Uint32Array};
use wasm_bindgen::JsCast;

use super::messages::MapHead;
use crate::analysis::block_map::BlockMap;

/// Takes a picture apart; the arrays go into `data`.
pub fn pack_map(map: BlockMap, data: &Array) -> MapHead {
    data.push(&BigInt64Array::from(map.times_ns.as_slice()));
    data.push(&BigInt64Array::from(map.live_bytes.as_slice()));
    data.push(&Uint32Array::from(map.rows.as_slice()));
    data.push(&Uint8Array::from(map.slots.as_slice()));
    data.push(&Uint8Array::from(map.marks.as_slice()));
    data.push(&Uint32Array::from(map.cells.as_slice()));
    let BlockMap { pool, start_ns, end_ns, bytes, lines, legend, .. } = map;
    MapHead { pool, start_ns, end_ns, bytes, lines, legend }
}

/// Puts it together again; `None` if something is missing.
pub fn unpack_map(head: MapHead, data: &Array) -> Option<BlockMap> {
    let MapHead { pool, start_ns, end_ns, bytes, lines, legend } = head;
    Some(BlockMap {
        pool,
        start_ns,
        end_ns,
        bytes,
        lines,
        legend,
        times_ns: data.get(0).dyn_into::<BigInt64Array>().ok()?.to_vec(),
        live_bytes: data.get(1).dyn_into::<BigInt64Array>().ok()?.to_vec(),
        rows: data.get(2).dyn_into::<Uint32Array>().ok()?.to_vec(),
        slots: data.get(3).dyn_into::<Uint8Array>().ok()?.to_vec(),
        marks: data.get(4).dyn_into::<Uint8Array>().ok()?.to_vec(),
        cells: data.get(5).dyn_into::<Uint32Array>().ok()?.to_vec(),
    })
}
