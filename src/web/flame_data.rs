//! Trees between a worker and the page: names as a message, numbers in one typed array.

use js_sys::{Array, BigInt64Array};
use wasm_bindgen::JsCast;

use crate::analysis::answer::{ByMatch, MatchKind};
use crate::analysis::tree::{TreeNode, What};
use crate::chart::flame::{Label, Node};

/// Numbers a node takes: what it stands for, the node above, bytes, own bytes, blocks, bytes by match kind.
const WIDTH: usize = 5 + MatchKind::ALL.len();
/// Labels other than a name.
const ALL: i64 = -1;
const NO_STACK: i64 = -2;
const SMALLER: i64 = -3;

/// Puts nodes into `data`.
pub fn pack_nodes(nodes: &[TreeNode], data: &Array) {
    let mut numbers: Vec<i64> = Vec::with_capacity(nodes.len() * WIDTH);
    for node in nodes {
        let label = match node.what {
            What::All => ALL,
            What::Name(name) => name.into(),
            What::NoStack => NO_STACK,
            What::Smaller(_) => SMALLER,
        };
        let blocks = i64::try_from(node.blocks).unwrap_or(i64::MAX);
        numbers.extend([label, node.parent.map_or(-1, i64::from), node.total_bytes, node.own_bytes, blocks]);
        numbers.extend(MatchKind::ALL.map(|kind| node.by_match.get(kind)));
    }
    data.push(&BigInt64Array::from(numbers.as_slice()));
}

/// Takes them out again; nothing if they are not there.
pub fn unpack_nodes(data: &Array, place: u32) -> Vec<Node> {
    let numbers = data.get(place).dyn_into::<BigInt64Array>().map(|numbers| numbers.to_vec()).unwrap_or_default();
    let node = |numbers: &[i64]| {
        let [label, parent, total_bytes, own_bytes, blocks, kinds @ ..] = numbers else { return None };
        let mut by_match = ByMatch::default();
        for (kind, bytes) in MatchKind::ALL.into_iter().zip(kinds) {
            by_match.add(kind, *bytes);
        }
        Some(Node {
            label: match *label {
                ALL => Label::All,
                NO_STACK => Label::NoStack,
                SMALLER => Label::Smaller,
                name => Label::Name(u32::try_from(name).unwrap_or(u32::MAX)),
            },
            parent: u32::try_from(*parent).ok(),
            total_bytes: *total_bytes,
            own_bytes: *own_bytes,
            blocks: u64::try_from(*blocks).unwrap_or_default(),
            by_match,
        })
    };
    numbers.chunks_exact(WIDTH).filter_map(node).collect()
}
