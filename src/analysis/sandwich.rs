//! One frame between those that call it and those it calls, and the list of frames to choose it from.
//!
//! A call stack counts once for a frame, also where the frame calls itself: it is cut at the outermost of its places.

#![allow(clippy::indexing_slicing, reason = "nodes and names come from the columns' own lengths")]

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::answer::{Counted, GroupBy, PoolKey};
use super::cut::{Cut, Names, Part, cut, sums};
use super::paths::{ALL, Builder, PathOf, Paths};
use super::rank::Rank;
use super::tree::TreeNode;

/// Asks for one frame's callers and callees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandwichQuery {
    /// The frame, as recorded.
    pub frame: String,
    /// Which blocks.
    pub of: Counted,
    /// `None`: the framework pool.
    pub pool: Option<PoolKey>,
    /// Only blocks of this group, as in [`super::answer::TopQuery`].
    pub within: Option<(GroupBy, Option<String>)>,
    /// As in [`super::tree::TreeQuery`], for each of the two trees.
    pub bars: u32,
    /// As in [`super::tree::TreeQuery`], for each of the two trees.
    pub limit: usize,
}

/// One frame's callers and callees: two trees with the frame as their root, both with all its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandwich {
    /// The pool answered for.
    pub pool: PoolKey,
    /// All bytes asked about, of stacks with the frame or without.
    pub all_bytes: i64,
    /// Names of frames in both trees, each once.
    pub names: Vec<String>,
    /// Who called it, from the frame outwards. A node's own bytes are those of stacks that begin with it.
    pub callers: Vec<TreeNode>,
    /// Whom it called, from the frame inwards. A node's own bytes are those allocated right there.
    pub callees: Vec<TreeNode>,
}

/// Asks for the frames with the most bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FramesQuery {
    /// Only frames with this text in them.
    pub containing: String,
    /// Which blocks.
    pub of: Counted,
    /// `None`: the framework pool.
    pub pool: Option<PoolKey>,
    /// At most so many.
    pub limit: usize,
}

/// One frame, wherever it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameSum {
    /// As recorded.
    pub frame: String,
    /// Bytes of blocks whose call stack has it, each once.
    pub total_bytes: i64,
    /// Bytes of blocks it allocated itself.
    pub own_bytes: i64,
    /// Blocks whose call stack has it.
    pub blocks: u64,
}

/// Frames by total bytes, ties by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameSums {
    /// The pool answered for.
    pub pool: Option<PoolKey>,
    /// All bytes asked about.
    pub all_bytes: i64,
    /// How many frames with that text the blocks have.
    pub frame_count: u64,
    /// The largest of them.
    pub frames: Vec<FrameSum>,
}

/// Not at or below the frame.
const OUTSIDE: u32 = u32::MAX;

impl Rank {
    /// See [`Sandwich`]; `None` if the rank has no such pool, frame or group.
    pub fn sandwich(&self, query: &SandwichQuery) -> Option<Sandwich> {
        let pool = self.pool_index(query.pool.as_ref())?;
        let sites = self.paths(PathOf::Frames);
        let frame = sites.find(&query.frame)?;
        let parts = self.parts(pool, sites, query.of, query.within.as_ref())?;
        let halves = Halves::new(&sites.paths, frame, &parts);
        let mut names = Names::new(sites);
        let mut tree = |paths: &Paths, end: fn(&(u32, u32)) -> u32| {
            let moved = parts.iter().filter_map(|part| {
                let node = end(&halves.ends[part.node]);
                (node != OUTSIDE).then_some(Part { node: node as usize, ..*part })
            });
            let moved: Vec<Part> = moved.collect();
            let first = ALL as usize;
            cut(paths, &moved, &mut names, &Cut { first, bars: query.bars, limit: query.limit })
        };
        let callers = tree(&halves.callers, |(callers, _)| *callers);
        let callees = tree(&halves.callees, |(_, callees)| *callees);
        Some(Sandwich {
            pool: self.pools[pool].key.clone(),
            all_bytes: parts.iter().fold(0, |sum, part| i64::saturating_add(sum, part.bytes)),
            names: names.texts(),
            callers,
            callees,
        })
    }

    /// See [`FrameSums`].
    pub fn frames(&self, query: &FramesQuery) -> FrameSums {
        let mut answer = FrameSums::default();
        let Some(pool) = self.pool_index(query.pool.as_ref()) else { return answer };
        answer.pool = Some(self.pools[pool].key.clone());
        let sites = self.paths(PathOf::Frames);
        let Some(parts) = self.parts(pool, sites, query.of, None) else { return answer };
        let paths = &sites.paths;
        let mut of_names = vec![(0_i64, 0_i64, 0_u64); sites.name_count()];
        for (node, (bytes, blocks)) in sums(paths, &parts).into_iter().enumerate() {
            let Some(name) = paths.name(node).filter(|_| !paths.repeats(node)) else { continue };
            let sum = &mut of_names[name as usize];
            *sum = (sum.0.saturating_add(bytes), sum.1, sum.2 + blocks);
        }
        for part in &parts {
            answer.all_bytes = answer.all_bytes.saturating_add(part.bytes);
            let Some(name) = paths.name(part.node) else { continue };
            let own = &mut of_names[name as usize].1;
            *own = own.saturating_add(part.bytes);
        }
        let has_any = |name: &u32| of_names[*name as usize].2 > 0;
        let names =
            (0..of_names.len() as u32).filter(has_any).filter(|name| sites.text(*name).contains(&query.containing));
        let mut names: Vec<u32> = names.collect();
        answer.frame_count = names.len() as u64;
        let order = |name: &u32| (Reverse(of_names[*name as usize].0), sites.text(*name));
        if query.limit < names.len() {
            names.select_nth_unstable_by(query.limit, |a, b| order(a).cmp(&order(b)));
            names.truncate(query.limit);
        }
        names.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        let sum = |name: u32| {
            let (total_bytes, own_bytes, blocks) = of_names[name as usize];
            FrameSum { frame: sites.text(name).to_owned(), total_bytes, own_bytes, blocks }
        };
        answer.frames = names.into_iter().map(sum).collect();
        answer
    }
}

/// Every path that has the frame, cut in two at it.
struct Halves {
    callers: Paths,
    callees: Paths,
    /// Of each node at or below the frame: where its outer half ends, and its inner one.
    ends: Vec<(u32, u32)>,
}

impl Halves {
    fn new(paths: &Paths, frame: u32, parts: &[Part]) -> Halves {
        let sums = sums(paths, parts);
        let (mut callers, mut callees) = (Builder::new(Some(frame)), Builder::new(Some(frame)));
        let mut ends = vec![(OUTSIDE, OUTSIDE); paths.len()];
        for node in 1..paths.len() {
            let Some(name) = paths.name(node).filter(|_| sums[node].1 > 0) else { continue };
            let above = ends[paths.parent(node)];
            ends[node] = match above {
                (OUTSIDE, _) if name == frame => (outwards(paths, node, &mut callers), ALL),
                (OUTSIDE, _) => above,
                // Never more nodes than there are.
                (outer, inner) => (outer, callees.child(inner, name).unwrap_or(inner)),
            };
        }
        Halves { callers: callers.finish(), callees: callees.finish(), ends }
    }
}

/// Adds the path from a node up to the root; gives its end.
fn outwards(paths: &Paths, node: usize, callers: &mut Builder) -> u32 {
    let (mut end, mut up) = (ALL, paths.parent(node));
    while let Some(name) = paths.name(up) {
        end = callers.child(end, name).unwrap_or(end);
        up = paths.parent(up);
    }
    end
}
