//! Paths with bytes at their ends become a tree the size of a screen: small nodes are put together, nothing is left out.

#![allow(clippy::indexing_slicing, reason = "nodes come from the columns' own lengths")]

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::answer::{ByMatch, MatchKind};
use super::paths::{ALL, Paths, SitePaths};
use super::tree::{TreeNode, What};

/// What ends at a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub node: usize,
    pub bytes: i64,
    pub blocks: u64,
    pub kind: MatchKind,
}

/// What is wanted of a tree.
pub(super) struct Cut {
    /// The node it begins at.
    pub first: usize,
    /// See [`super::tree::TreeQuery::bars`].
    pub bars: u32,
    /// See [`super::tree::TreeQuery::limit`].
    pub limit: usize,
}

/// The names an answer needs, each once, in the order they are needed.
pub(super) struct Names<'a> {
    sites: &'a SitePaths,
    places: FxHashMap<u32, u32>,
    list: Vec<u32>,
}

impl<'a> Names<'a> {
    pub fn new(sites: &'a SitePaths) -> Names<'a> {
        Names { sites, places: FxHashMap::default(), list: Vec::new() }
    }

    fn place(&mut self, name: u32) -> u32 {
        let next = self.list.len() as u32;
        *self.places.entry(name).or_insert_with(|| {
            self.list.push(name);
            next
        })
    }

    fn text(&self, name: Option<u32>) -> &'a str {
        name.map_or("", |name| self.sites.text(name))
    }

    pub fn texts(self) -> Vec<String> {
        self.list.iter().map(|name| self.sites.text(*name).to_owned()).collect()
    }
}

/// Not below the first node.
const OUTSIDE: u32 = u32::MAX;

/// The tree of what ends below a node, in the order of [`super::tree::Tree`].
pub(super) fn cut(paths: &Paths, parts: &[Part], names: &mut Names<'_>, wanted: &Cut) -> Vec<TreeNode> {
    let sums = sums(paths, parts);
    let is_kept = kept(paths, &sums, wanted);
    // Of each node below the first: the one told by itself that it belongs to.
    let mut owners = vec![OUTSIDE; paths.len()];
    let mut hidden: FxHashMap<u32, u32> = FxHashMap::default();
    let mut children: Vec<usize> = Vec::new();
    for node in wanted.first..paths.len() {
        let above = if node == wanted.first { wanted.first as u32 } else { owners[paths.parent(node)] };
        if above == OUTSIDE || sums[node].1 == 0 && node != wanted.first {
            continue;
        }
        // Only a child of one told by itself is: what is below the rest belongs to the rest.
        let is_told = node == wanted.first || is_kept[node] && above as usize == paths.parent(node);
        owners[node] = if is_told { node as u32 } else { above };
        match is_told {
            true if node != wanted.first => children.push(node),
            true => {}
            false => *hidden.entry(above).or_default() += 1,
        }
    }
    let order = |node: &usize| (paths.parent(*node), Reverse(sums[*node].0), names.text(paths.name(*node)), *node);
    children.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
    let below = |node: usize| {
        let from = children.partition_point(|child| paths.parent(*child) < node);
        let to = children.partition_point(|child| paths.parent(*child) <= node);
        &children[from..to]
    };
    let mut nodes: Vec<TreeNode> = Vec::new();
    let mut places: FxHashMap<u32, Place> = FxHashMap::default();
    let mut open = vec![Open::Node(wanted.first, None)];
    while let Some(next) = open.pop() {
        let place = nodes.len() as u32;
        let (node, parent) = match next {
            Open::Node(node, parent) => (node, parent),
            Open::Rest(node, parent, count) => {
                nodes.push(TreeNode { what: What::Smaller(count), parent: Some(parent), ..NOTHING });
                places.entry(node as u32).and_modify(|place_of| place_of.rest = place);
                continue;
            }
        };
        let what = match paths.name(node) {
            Some(name) => What::Name(names.place(name)),
            None if node == ALL as usize => What::All,
            None => What::NoStack,
        };
        nodes.push(TreeNode { what, parent, ..NOTHING });
        places.insert(node as u32, Place { own: place, rest: place });
        open.extend(hidden.get(&(node as u32)).map(|count| Open::Rest(node, place, *count)));
        open.extend(below(node).iter().rev().map(|child| Open::Node(*child, Some(place))));
    }
    for part in parts {
        let owner = owners[part.node];
        let Some(place) = places.get(&owner) else { continue };
        let at = if owner as usize == part.node { place.own } else { place.rest };
        let node = &mut nodes[at as usize];
        node.own_bytes = node.own_bytes.saturating_add(part.bytes);
        node.blocks += part.blocks;
        node.by_match.add(part.kind, part.bytes);
    }
    add_up(&mut nodes);
    nodes
}

/// Where what a node holds stands in the answer: its own, and what is below it and not told by itself.
struct Place {
    own: u32,
    rest: u32,
}

/// What is still to be told: a node below a place, or the rest of one, which comes after its children.
enum Open {
    Node(usize, Option<u32>),
    Rest(usize, u32, u32),
}

const NOTHING: TreeNode = TreeNode {
    what: What::All,
    parent: None,
    total_bytes: 0,
    own_bytes: 0,
    blocks: 0,
    by_match: ByMatch { enclosing: 0, forward: 0, queue: 0, python: 0, nearest: 0, ambiguous: 0, none: 0 },
};

/// From each node's own to its total.
fn add_up(nodes: &mut [TreeNode]) {
    for at in (0..nodes.len()).rev() {
        nodes[at].total_bytes = nodes[at].total_bytes.saturating_add(nodes[at].own_bytes);
        let child = nodes[at];
        let Some(parent) = child.parent.and_then(|parent| nodes.get_mut(parent as usize)) else { continue };
        parent.total_bytes = parent.total_bytes.saturating_add(child.total_bytes);
        parent.blocks += child.blocks;
        parent.by_match.merge(&child.by_match);
    }
}

/// Bytes and blocks of every node with all below it.
pub(super) fn sums(paths: &Paths, parts: &[Part]) -> Vec<(i64, u64)> {
    let mut sums = vec![(0_i64, 0_u64); paths.len()];
    for part in parts {
        let sum = &mut sums[part.node];
        *sum = (sum.0.saturating_add(part.bytes), sum.1 + part.blocks);
    }
    for node in (1..paths.len()).rev() {
        let (bytes, blocks) = sums[node];
        let above = &mut sums[paths.parent(node)];
        *above = (above.0.saturating_add(bytes), above.1 + blocks);
    }
    sums
}

/// Which nodes are large enough, and among the largest. A node is never larger than the one above it, which also comes first.
fn kept(paths: &Paths, sums: &[(i64, u64)], wanted: &Cut) -> Vec<bool> {
    let whole = i128::from(sums.get(wanted.first).map_or(0, |sum| sum.0));
    let is_wide = |node: &usize| i128::from(sums[*node].0) * i128::from(wanted.bars) >= whole || wanted.bars == 0;
    let mut wide: Vec<usize> =
        (wanted.first + 1..paths.len()).filter(|node| sums[*node].1 > 0).filter(is_wide).collect();
    if wide.len() > wanted.limit {
        let is_below = below(paths, wanted.first);
        wide.retain(|node| is_below[*node]);
    }
    if wide.len() > wanted.limit {
        wide.select_nth_unstable_by_key(wanted.limit, |node| (Reverse(sums[*node].0), *node));
        wide.truncate(wanted.limit);
    }
    let mut kept = vec![false; paths.len()];
    wide.into_iter().for_each(|node| kept[node] = true);
    kept
}

/// Which nodes are at or below another.
fn below(paths: &Paths, first: usize) -> Vec<bool> {
    let mut is_below = vec![false; paths.len()];
    for node in first..paths.len() {
        is_below[node] = node == first || node > 0 && is_below[paths.parent(node)];
    }
    is_below
}
