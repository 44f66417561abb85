//! Bytes as a tree over the frames of their call stacks (or over modules): what a flame graph shows. Every node holds what its
//! children hold and its own, to the byte, also where it is cut to the size of a screen.

#![allow(clippy::indexing_slicing, reason = "row indices and nodes come from the columns' own lengths")]

use serde::{Deserialize, Serialize};

use super::answer::{ByMatch, Counted, GroupBy, PoolKey};
use super::breakdown::Beside;
use super::cut::{Cut, Names, Part, cut};
use super::paths::{ALL, PathOf, SitePaths};
use super::rank::Rank;

/// What a node of a [`Tree`] stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// All blocks that are added up: the root.
    All,
    /// A frame or module: place of its text among the answer's names.
    Name(u32),
    /// Blocks without an asserted call stack.
    NoStack,
    /// So many nodes below the parent that are too small, or too many, for the answer, all together.
    Smaller(u32),
}

/// One node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeNode {
    /// What it stands for.
    pub what: What,
    /// Place of the node above; `None` for the first node, the root.
    pub parent: Option<u32>,
    /// Bytes of the node and all below it.
    pub total_bytes: i64,
    /// Bytes of the node itself: of blocks whose path ends here. The total less those of its children.
    pub own_bytes: i64,
    /// Blocks of the node and all below it.
    pub blocks: u64,
    /// `total_bytes` by match kind.
    pub by_match: ByMatch,
}

/// Asks for a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeQuery {
    /// Which blocks.
    pub of: Counted,
    /// `None`: the framework pool.
    pub pool: Option<PoolKey>,
    /// Over what.
    pub path: PathOf,
    /// Only blocks of this group, as in [`super::answer::TopQuery`].
    pub within: Option<(GroupBy, Option<String>)>,
    /// Names from below the root on: the tree begins at the last of them. Empty: at the root.
    pub below: Vec<String>,
    /// A node with less than the first node's bytes divided by this is not told by itself: how many of the narrowest bars are as
    /// wide as the screen. 0: every node is.
    pub bars: u32,
    /// At most so many nodes beside those that hold the rest; the largest.
    pub limit: usize,
}

/// A tree, the root first, then each node before those below it; children by bytes, ties by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// The pool answered for.
    pub pool: Option<PoolKey>,
    /// Names of frames or modules, each once.
    pub names: Vec<String>,
    /// None where there is no such pool or path.
    pub nodes: Vec<TreeNode>,
    /// For the whole live set: what no row tells. With it the root's bytes add up to the recorded total.
    pub beside: Option<Beside>,
    /// Call stacks that are not told to their end, since there were too many different ones.
    pub cut_stacks: u64,
}

impl Rank {
    /// See [`Tree`].
    pub fn tree(&self, query: &TreeQuery) -> Tree {
        let mut tree = Tree::default();
        let Some(pool) = self.pool_index(query.pool.as_ref()) else { return tree };
        tree.pool = Some(self.pools[pool].key.clone());
        let sites = self.paths(query.path);
        tree.cut_stacks = sites.cut;
        let Some(first) = sites.below(&query.below) else { return tree };
        let Some(parts) = self.parts(pool, sites, query.of, query.within.as_ref()) else { return tree };
        let mut names = Names::new(sites);
        tree.nodes = cut(&sites.paths, &parts, &mut names, &Cut { first, bars: query.bars, limit: query.limit });
        tree.names = names.texts();
        if let (Counted::LiveAt { at_ns }, None, true) = (query.of, &query.within, first == ALL as usize) {
            let live = tree.nodes.first().map_or(0, |root| root.total_bytes);
            tree.beside = self.beside(at_ns, live, query.pool.as_ref());
        }
        tree
    }

    /// The blocks added up by the node their path ends in; `None` where the filter's key is unknown.
    pub(super) fn parts(
        &self,
        pool: usize,
        sites: &SitePaths,
        of: Counted,
        within: Option<&(GroupBy, Option<String>)>,
    ) -> Option<Vec<Part>> {
        let live = self.live_set(pool);
        let within = live.within(within)?;
        let rows = &self.rows;
        let mut parts = Vec::new();
        live.pieces(of, GroupBy::Stack, within, |row, sum| {
            parts.push(Part {
                node: sites.end(rows.site[row]) as usize,
                bytes: sum.bytes,
                blocks: u64::from(sum.blocks),
                kind: rows.kind[row],
            });
        });
        Some(parts)
    }
}

#[cfg(test)]
mod tests;
