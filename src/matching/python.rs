//! Call stacks for a trace that has none: the Python functions that were running on the operator's thread when it began.
//!
//! What the autograd engine runs was called by no Python function: inside a backward operator only functions that began inside
//! it count (checkpointing, hooks), else the operator stays without a stack and leads to its forward operator as always.

#![allow(clippy::indexing_slicing, reason = "operator indices come from the list of operators itself")]

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::nesting::{by_thread_and_start, indices};
use crate::column::Column;
use crate::model::python::{PythonFunction, PythonFunctions};
use crate::model::rows::NO_SITE;
use crate::model::sites::SiteCollector;
use crate::model::spans::{Operator, Spans};

/// Deeper stacks keep their innermost functions alone; Python itself stops at 1000 unless told otherwise.
pub const MAX_FRAMES: usize = 2048;
/// All distinct stacks together are no longer than this, in bytes.
const MAX_TEXT: usize = 512 << 20;

/// The root of all call paths.
const ROOT: u32 = 0;

/// What could not be kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PythonLosses {
    /// Distinct stacks that were cut.
    pub cut: u64,
    /// Distinct stacks that were not kept, since all together were too long.
    pub dropped: u64,
}

/// Gives every operator the call site its thread's Python functions tell. Does nothing where the trace has call stacks.
pub fn sites_from_python(spans: &mut Spans) -> PythonLosses {
    let mut losses = PythonLosses::default();
    let python = std::mem::take(&mut spans.python);
    if python.list.is_empty() || spans.operators.iter().any(|op| op.site != NO_SITE) {
        return losses;
    }
    let functions = by_thread(&python.list);
    let order = by_thread_and_start(&spans.operators);
    let mut paths = Paths::new(&python);
    let (mut open, mut engine) = (Open::default(), Engine::default());
    let mut ahead = functions.as_slice();
    let function = |index: &u32| &python.list[*index as usize];
    let mut thread = None;
    for index in order {
        let op = spans.operators[index as usize];
        if thread != Some(op.thread()) {
            thread = Some(op.thread());
            (open, engine) = (Open::default(), Engine::default());
            ahead = &ahead[ahead.partition_point(|index| function(index).thread < op.thread())..];
        }
        let engine_start = engine.start_around(&op);
        while let Some((next, rest)) = ahead.split_first()
            && (function(next).thread, function(next).start) <= (op.thread(), op.start)
        {
            open.push(function(next));
            ahead = rest;
        }
        let Some(start) = open.innermost_start(op.start) else { continue };
        if engine_start.is_some_and(|engine| start < engine) {
            continue;
        }
        let path = open.path(&mut paths);
        if let Some(site) = paths.site(path, &mut spans.sites, &mut losses)
            && let Some(op) = spans.operators.get_mut(index as usize)
        {
            op.site = site;
            spans.sites_are_python = true;
        }
    }
    losses
}

/// By thread, then start; outer before inner. Of equal spans the outer one stands first in the file, as its id is lower.
fn by_thread(list: &Column<PythonFunction>) -> Vec<u32> {
    let mut order = indices(list.len());
    order.sort_unstable_by_key(|index| {
        let function = &list[*index as usize];
        (function.thread, function.start, Reverse(function.end), *index)
    });
    order
}

/// The backward operators and evaluations that are open on a thread: (start, end), ends falling towards the top.
#[derive(Default)]
struct Engine(Vec<(i64, i64)>);

impl Engine {
    /// Start of the innermost one that holds the operator, or that it is.
    fn start_around(&mut self, op: &Operator) -> Option<i64> {
        while self.0.last().is_some_and(|(_, end)| *end < op.start) {
            self.0.pop();
        }
        if op.evaluates() || op.is_backward() {
            while self.0.last().is_some_and(|(_, end)| *end < op.end) {
                self.0.pop();
            }
            self.0.push((op.start, op.end));
        }
        self.0.last().map(|(start, _)| *start)
    }
}

/// The functions that are running on a thread, the innermost on top; ends fall towards it.
#[derive(Default)]
struct Open {
    running: Vec<Running>,
    /// So many from the bottom know their path.
    known: usize,
}

struct Running {
    start: i64,
    end: i64,
    name: u32,
    /// Valid below [`Open::known`].
    path: u32,
}

impl Open {
    fn push(&mut self, function: &PythonFunction) {
        // What ends before this one ends does not hold it.
        while self.running.last().is_some_and(|top| top.end <= function.start || top.end < function.end) {
            self.running.pop();
        }
        self.known = self.known.min(self.running.len());
        let PythonFunction { start, end, name, .. } = *function;
        self.running.push(Running { start, end, name, path: ROOT });
    }

    /// When the innermost function still running at `time` began.
    fn innermost_start(&mut self, time: i64) -> Option<i64> {
        while self.running.last().is_some_and(|top| top.end <= time) {
            self.running.pop();
        }
        self.known = self.known.min(self.running.len());
        self.running.last().map(|top| top.start)
    }

    /// The path of all that is running.
    fn path(&mut self, paths: &mut Paths<'_>) -> u32 {
        let mut parent = self.known.checked_sub(1).and_then(|at| self.running.get(at)).map_or(ROOT, |top| top.path);
        for running in self.running.iter_mut().skip(self.known) {
            running.path = paths.child(parent, running.name);
            parent = running.path;
        }
        self.known = self.running.len();
        parent
    }
}

/// Call paths as a tree: each a parent and the name of the function called there.
struct Paths<'a> {
    python: &'a PythonFunctions,
    list: Vec<Path>,
    children: FxHashMap<(u32, u32), u32>,
    text: usize,
}

#[derive(Clone, Copy)]
struct Path {
    parent: u32,
    name: u32,
    /// Site id or that there is none, once asked for.
    site: Option<Option<u32>>,
}

impl<'a> Paths<'a> {
    fn new(python: &'a PythonFunctions) -> Paths<'a> {
        let root = Path { parent: ROOT, name: 0, site: None };
        Paths { python, list: vec![root], children: FxHashMap::default(), text: 0 }
    }

    fn child(&mut self, parent: u32, name: u32) -> u32 {
        let list = &mut self.list;
        *self.children.entry((parent, name)).or_insert_with(|| {
            list.push(Path { parent, name, site: None });
            u32::try_from(list.len() - 1).unwrap_or(ROOT)
        })
    }

    /// The call site of a path, innermost function first; modules that were called make its module path.
    fn site(&mut self, path: u32, sites: &mut SiteCollector, losses: &mut PythonLosses) -> Option<u32> {
        if let Some(known) = self.list.get(path as usize)?.site {
            return known;
        }
        let site = self.new_site(path, sites, losses);
        self.list.get_mut(path as usize)?.site = Some(site);
        site
    }

    fn new_site(&mut self, path: u32, sites: &mut SiteCollector, losses: &mut PythonLosses) -> Option<u32> {
        let (mut stack, mut modules): (Vec<u8>, Vec<&[u8]>) = (Vec::new(), Vec::new());
        let (mut escaped, mut frames, mut at) = (false, 0, path);
        while at != ROOT {
            let Path { parent, name, .. } = *self.list.get(at as usize)?;
            if frames == MAX_FRAMES {
                losses.cut += 1;
                break;
            }
            let (text, is_escaped) = self.python.name(name);
            match self.python.module(name) {
                Some(module) => modules.push(module),
                None => {
                    // A name without escapes holds no backslash, so it means the same among escaped ones.
                    if !stack.is_empty() {
                        stack.extend_from_slice(b";\r\n");
                    }
                    stack.extend_from_slice(text);
                    frames += 1;
                }
            }
            escaped |= is_escaped;
            at = parent;
        }
        modules.reverse();
        let modules = modules.join(&b"."[..]);
        self.text += stack.len() + modules.len();
        if self.text > MAX_TEXT {
            losses.dropped += 1;
            return None;
        }
        sites.collect_raw(&stack, &modules, escaped)
    }
}
