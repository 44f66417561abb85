//! Call stacks and module paths as paths from one root: those that begin alike share their beginning. Sums over a million blocks
//! become sums over some thousand nodes.

#![allow(clippy::indexing_slicing, reason = "node ids come from the columns' own lengths")]

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::model::frames::{Direction, frames};
use crate::model::intern::Interner;
use crate::model::rows::NO_SITE;
use crate::model::sites::Sites;

/// The root: all blocks.
pub(crate) const ALL: u32 = 0;
/// Below the root: blocks without an asserted call stack.
pub(crate) const NO_STACK: u32 = 1;
/// The name of these two.
const NO_NAME: u32 = u32::MAX;
/// Nodes kept, at most: a hundred times what a long training run has. Paths that would need more end before their last parts.
const MOST_NODES: usize = 1 << 22;

/// What the parts of a path are, and at which end it begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathOf {
    /// Frames, the outermost first.
    #[default]
    Frames,
    /// Frames, the innermost first.
    FramesInverted,
    /// Modules, the outermost first: `Module Hierarchy` cut at its dots, which no module's name may have.
    Modules,
}

impl PathOf {
    /// All of them, in the order of their numbers.
    pub const ALL: [PathOf; 3] = [PathOf::Frames, PathOf::FramesInverted, PathOf::Modules];
}

/// Nodes, each with the one above, which is always an earlier one, and a name's id.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paths {
    parents: Vec<u32>,
    names: Vec<u32>,
    /// Whether a node above has the same name: a recursion.
    repeats: Vec<bool>,
}

impl Paths {
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The node above; the root's is itself.
    pub fn parent(&self, node: usize) -> usize {
        self.parents[node] as usize
    }

    /// `None` for the root and the node without a stack.
    pub fn name(&self, node: usize) -> Option<u32> {
        Some(self.names[node]).filter(|name| *name != NO_NAME)
    }

    /// Whether a node above has the same name.
    pub fn repeats(&self, node: usize) -> bool {
        self.repeats[node]
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        (self.parents.capacity() + self.names.capacity()) * 4 + self.repeats.capacity()
    }
}

/// Adds nodes.
#[derive(Default)]
pub(crate) struct Builder {
    paths: Paths,
    ids: FxHashMap<(u32, u32), u32>,
}

impl Builder {
    /// With a root of that name.
    pub fn new(root: Option<u32>) -> Builder {
        let mut builder = Builder::default();
        builder.push(ALL, root.unwrap_or(NO_NAME));
        builder
    }

    fn push(&mut self, parent: u32, name: u32) -> u32 {
        let node = self.paths.len() as u32;
        let mut above = parent as usize;
        let repeats = name != NO_NAME
            && node != ALL
            && loop {
                if self.paths.names[above] == name {
                    break true;
                }
                if above == ALL as usize {
                    break false;
                }
                above = self.paths.parent(above);
            };
        self.paths.parents.push(parent);
        self.paths.names.push(name);
        self.paths.repeats.push(repeats);
        node
    }

    /// The node of that name below another; `None` once there are too many.
    pub fn child(&mut self, node: u32, name: u32) -> Option<u32> {
        if let Some(found) = self.ids.get(&(node, name)) {
            return Some(*found);
        }
        if self.paths.len() >= MOST_NODES {
            return None;
        }
        let made = self.push(node, name);
        self.ids.insert((node, name), made);
        Some(made)
    }

    pub fn finish(self) -> Paths {
        self.paths
    }
}

/// A rank's call sites as paths.
#[derive(Default)]
pub(crate) struct SitePaths {
    pub paths: Paths,
    names: Interner,
    /// The node each site's path ends in.
    ends: Vec<u32>,
    /// Sites whose path ends before its last part.
    pub cut: u64,
}

impl SitePaths {
    pub fn new(sites: &Sites, of: PathOf) -> SitePaths {
        let mut names = Interner::default();
        let mut builder = Builder::new(None);
        builder.push(ALL, NO_NAME);
        let mut cut = 0;
        let ends = (0..sites.len() as u32).map(|site| {
            let (end, is_whole) = match (of, sites.direction()) {
                (PathOf::Modules, _) => add(&mut builder, &mut names, parts(sites.module(site))),
                (PathOf::Frames, Direction::InnermostFirst) | (PathOf::FramesInverted, Direction::OutermostFirst) => {
                    add(&mut builder, &mut names, frames(sites.stack(site)).rev())
                }
                (PathOf::Frames | PathOf::FramesInverted, _) => {
                    add(&mut builder, &mut names, frames(sites.stack(site)))
                }
            };
            cut += u64::from(!is_whole);
            end
        });
        let ends = ends.collect();
        SitePaths { paths: builder.finish(), names, ends, cut }
    }

    /// The node the path of a row's call site ends in.
    pub fn end(&self, site: u32) -> u32 {
        if site == NO_SITE { NO_STACK } else { self.ends.get(site as usize).copied().unwrap_or(ALL) }
    }

    /// A name by its id.
    pub fn text(&self, name: u32) -> &str {
        self.names.text(name)
    }

    /// A name's id.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.names.find(text.as_bytes())
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        self.paths.kept_bytes() + self.names.kept_bytes() + self.ends.capacity() * 4
    }

    /// How many names there are: their ids are smaller.
    pub fn name_count(&self) -> usize {
        self.names.len()
    }

    /// The node at the end of a path of names from the root.
    pub fn below(&self, path: &[String]) -> Option<usize> {
        let ids: Vec<u32> = path.iter().map(|name| self.find(name)).collect::<Option<_>>()?;
        let mut ids = ids.into_iter().peekable();
        let mut at = ALL as usize;
        // Nodes come after those above them.
        for node in 1..self.paths.len() {
            let Some(wanted) = ids.peek() else { break };
            if self.paths.parent(node) == at && self.paths.names[node] == *wanted {
                at = node;
                ids.next();
            }
        }
        ids.next().is_none().then_some(at)
    }
}

/// The modules of a path.
fn parts(module: &str) -> impl Iterator<Item = &str> {
    module.split('.').filter(|part| !part.is_empty())
}

/// Adds a path; gives its end, and whether all of it found room.
fn add<'a>(builder: &mut Builder, names: &mut Interner, parts: impl Iterator<Item = &'a str>) -> (u32, bool) {
    let mut node = ALL;
    for part in parts {
        match names.intern(part.as_bytes()).and_then(|name| builder.child(node, name)) {
            Some(child) => node = child,
            None => return (node, false),
        }
    }
    (node, true)
}
