//! A tree of bytes as bars: each as wide as its share, below the bar of its parent. Frames a person does not care for can be
//! folded: their bars go, what is below them moves up.

#![allow(
    clippy::indexing_slicing,
    reason = "parents stand before their children, and places come from the lists themselves"
)]

use std::collections::HashMap;

use crate::analysis::answer::ByMatch;

/// What a bar stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Label {
    /// Everything.
    All,
    /// The name in that place.
    Name(u32),
    /// Without a call stack.
    NoStack,
    /// What is too small for bars of its own, all together.
    Smaller,
}

/// A node of the tree: parents stand before their children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// What it stands for.
    pub label: Label,
    /// Place of the node above; `None`: the root.
    pub parent: Option<u32>,
    /// Bytes of the node and all below it.
    pub total_bytes: i64,
    /// Bytes of the node itself.
    pub own_bytes: i64,
    /// Blocks of the node and all below it.
    pub blocks: u64,
    /// `total_bytes` by match kind.
    pub by_match: ByMatch,
}

/// A bar: a node and where it lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// The node's place.
    pub node: u32,
    /// Left edge, as a share of the width.
    pub left: f64,
    /// Width, as a share of the width.
    pub width: f64,
    /// How many bars are between it and the first.
    pub depth: u32,
}

/// What bars are as wide as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// Bytes.
    Bytes,
    /// Blocks.
    Blocks,
}

impl Width {
    /// A node's.
    pub fn of(self, node: &Node) -> i64 {
        match self {
            Width::Bytes => node.total_bytes,
            Width::Blocks => i64::try_from(node.blocks).unwrap_or(i64::MAX),
        }
    }
}

/// Leaves out nodes whose name is folded: their own bytes become those of the node above, children with one name become one.
pub fn fold(nodes: &[Node], is_folded: impl Fn(u32) -> bool) -> Vec<Node> {
    let mut places: Vec<u32> = Vec::with_capacity(nodes.len());
    let mut kept: Vec<Node> = Vec::new();
    let mut children: HashMap<(u32, Label), u32> = HashMap::new();
    for node in nodes {
        let parent = node.parent.and_then(|parent| places.get(parent as usize)).copied();
        let folded = matches!(node.label, Label::Name(name) if is_folded(name));
        if let (true, Some(parent)) = (folded, parent) {
            kept[parent as usize].own_bytes = kept[parent as usize].own_bytes.saturating_add(node.own_bytes);
            places.push(parent);
            continue;
        }
        let key = parent.map(|parent| (parent, node.label));
        match key.and_then(|key| children.get(&key)).copied() {
            Some(same) => {
                let into = &mut kept[same as usize];
                into.total_bytes = into.total_bytes.saturating_add(node.total_bytes);
                into.own_bytes = into.own_bytes.saturating_add(node.own_bytes);
                into.blocks += node.blocks;
                for kind in crate::analysis::answer::MatchKind::ALL {
                    into.by_match.add(kind, node.by_match.get(kind));
                }
                places.push(same);
            }
            None => {
                let place = kept.len() as u32;
                kept.push(Node { parent, ..*node });
                if let Some(key) = key {
                    children.insert(key, place);
                }
                places.push(place);
            }
        }
    }
    kept
}

/// The bars with one node as wide as the picture; those above it are as wide. Bars narrower than `least` are left out.
pub fn layout(nodes: &[Node], first: u32, width: Width, least: f64) -> Vec<Bar> {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    for (place, node) in nodes.iter().enumerate() {
        if let Some(list) = node.parent.and_then(|parent| children.get_mut(parent as usize)) {
            list.push(place as u32);
        }
    }
    for list in &mut children {
        list.sort_by_key(|place| std::cmp::Reverse(width.of(&nodes[*place as usize])));
    }
    let Some(root) = nodes.get(first as usize) else { return Vec::new() };
    let whole = width.of(root).max(1) as f64;
    let mut above = Vec::new();
    let mut parent = root.parent;
    while let Some(place) = parent {
        above.push(place);
        parent = nodes.get(place as usize).and_then(|node| node.parent);
    }
    let mut bars: Vec<Bar> = Vec::new();
    for (depth, place) in above.iter().rev().enumerate() {
        bars.push(Bar { node: *place, left: 0.0, width: 1.0, depth: depth as u32 });
    }
    let mut open = vec![Bar { node: first, left: 0.0, width: 1.0, depth: above.len() as u32 }];
    while let Some(bar) = open.pop() {
        bars.push(bar);
        let mut left = bar.left;
        for place in &children[bar.node as usize] {
            let share = width.of(&nodes[*place as usize]).max(0) as f64 / whole;
            if share >= least {
                open.push(Bar { node: *place, left, width: share, depth: bar.depth + 1 });
            }
            left += share;
        }
    }
    bars
}

/// The bar at a place: share of the width, depth.
pub fn bar_at(bars: &[Bar], x: f64, depth: u32) -> Option<&Bar> {
    bars.iter().find(|bar| bar.depth == depth && (bar.left..bar.left + bar.width).contains(&x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn node(label: Label, parent: Option<u32>, own: i64) -> Node {
        Node {
            label,
            parent,
            total_bytes: own,
            own_bytes: own,
            blocks: 1,
            by_match: ByMatch { nearest: own, ..ByMatch::default() },
        }
    }

    /// Totals from own bytes.
    fn summed(mut nodes: Vec<Node>) -> Vec<Node> {
        for at in (1..nodes.len()).rev() {
            let child = nodes[at];
            let parent = &mut nodes[child.parent.unwrap() as usize];
            parent.total_bytes += child.total_bytes;
            parent.blocks += child.blocks;
            parent.by_match.nearest += child.by_match.nearest;
        }
        nodes
    }

    fn tree() -> impl Strategy<Value = Vec<Node>> {
        prop::collection::vec((0u32..6, 0usize..100, 0i64..50), 0..40).prop_map(|list| {
            let mut nodes = vec![node(Label::All, None, 3)];
            for (name, parent, own) in list {
                nodes.push(node(Label::Name(name), Some((parent % nodes.len()) as u32), own));
            }
            summed(nodes)
        })
    }

    proptest! {
        #[test]
        fn folding_loses_nothing(nodes in tree(), folded in prop::collection::hash_set(0u32..6, 0..4)) {
            let kept = fold(&nodes, |name| folded.contains(&name));
            prop_assert_eq!((kept[0].total_bytes, kept[0].blocks), (nodes[0].total_bytes, nodes[0].blocks));
            prop_assert_eq!(kept.iter().map(|node| node.own_bytes).sum::<i64>(), nodes[0].total_bytes);
            let of = |place: u32| kept.iter().filter(move |node| node.parent == Some(place));
            for (place, node) in kept.iter().enumerate() {
                let below: i64 = of(place as u32).map(|node| node.total_bytes).sum();
                prop_assert_eq!(node.total_bytes, below + node.own_bytes);
                prop_assert_eq!(node.by_match.total(), node.total_bytes);
                let is_folded = matches!(node.label, Label::Name(name) if folded.contains(&name));
                prop_assert!(!is_folded);
                let different: std::collections::HashSet<Label> = of(place as u32).map(|node| node.label).collect();
                prop_assert_eq!(different.len(), of(place as u32).count());
            }
        }

        #[test]
        fn bars_lie_within_their_parents_and_beside_each_other(nodes in tree(), first in 0usize..40) {
            let first = (first % nodes.len()) as u32;
            let bars = layout(&nodes, first, Width::Bytes, 0.0);
            for bar in &bars {
                prop_assert!(bar.left >= 0.0 && bar.left + bar.width <= 1.0 + 1e-9);
                let node = &nodes[bar.node as usize];
                if let Some(parent) = bars.iter().find(|other| Some(other.node) == node.parent) {
                    prop_assert!(bar.depth == parent.depth + 1);
                    prop_assert!(bar.left + 1e-9 >= parent.left && bar.left + bar.width <= parent.left + parent.width + 1e-9);
                }
                for other in bars.iter().filter(|other| other.depth == bar.depth && other.node != bar.node) {
                    let apart = other.left + 1e-9 >= bar.left + bar.width || bar.left + 1e-9 >= other.left + other.width;
                    prop_assert!(apart, "{:?} {:?}", bar, other);
                }
            }
            let root = bars.iter().find(|bar| bar.node == first).unwrap();
            prop_assert_eq!((root.left, root.width), (0.0, 1.0));
        }
    }
}
