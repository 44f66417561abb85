//! PYTORCH_CALLCHAINS: which chain of frames is which call stack.
//!
//! Millions of chains are a few thousand different stacks: each is kept once as a list of frame ids, and a chain as the number
//! of its stack. Texts of frames are looked up only for stacks that an operator of interest has.

use std::rc::Rc;

use rusqlite::types::ValueRef;
use rustc_hash::FxHashMap;

use super::open::Db;
use super::scan::{Plan, scan};
use super::strings::Strings;
use crate::problem::{ProblemKind, Problems};

/// What stands between the frames of a stack in the text export.
const FRAME_SEPARATOR: &str = ";\r\n";

/// One frame: its depth (0 is the innermost) and the id of its text; ids below zero are texts of early versions, kept here.
type Frame = (i64, i64);

/// Frames of chains.
pub(super) const CHAINS: Plan<'static> =
    Plan { table: "PYTORCH_CALLCHAINS", columns: &["id", "stack", "stackDepth"], only: None };

/// All chains.
#[derive(Default)]
pub(super) struct Chains {
    /// Stack of each chain; chains are numbered from 0 on, nearly always without a gap.
    dense: Vec<u32>,
    sparse: FxHashMap<i64, u32>,
    stacks: Vec<Rc<[Frame]>>,
    ids: FxHashMap<Rc<[Frame]>, u32>,
    own_texts: Vec<String>,
    own_ids: FxHashMap<String, i64>,
}

impl Chains {
    /// Reads every chain.
    pub fn read(db: &Db, file: &str, problems: &mut Problems) -> Chains {
        let mut chains = Chains::default();
        let mut open: Option<i64> = None;
        let mut frames: Vec<Frame> = Vec::new();
        scan(db, problems, file, &CHAINS, &mut |cells, problems| {
            let Some(id) = cells.int(0).whole() else {
                problems.add(file, cells.place(0), ProblemKind::BadRow, "");
                return;
            };
            if open != Some(id) {
                if let Some(done) = open.replace(id) {
                    chains.close(done, &mut frames);
                }
                frames.clear();
            }
            let text = match cells.value(1) {
                ValueRef::Text(text) if text.is_empty() || !text.iter().all(u8::is_ascii_digit) => chains.own(text),
                _ => cells.int(1).whole(),
            };
            match text {
                Some(text) => frames.push((cells.int(2).whole().unwrap_or(frames.len() as i64), text)),
                None => problems.add(file, cells.place(1), ProblemKind::BadRow, ""),
            }
        });
        if let Some(done) = open {
            chains.close(done, &mut frames);
        }
        chains.ids = FxHashMap::default();
        chains.own_ids = FxHashMap::default();
        chains
    }

    fn own(&mut self, text: &[u8]) -> Option<i64> {
        let text = String::from_utf8_lossy(text);
        if let Some(id) = self.own_ids.get(text.as_ref()) {
            return Some(*id);
        }
        let id = -1 - i64::try_from(self.own_texts.len()).ok()?;
        self.own_texts.push(text.clone().into_owned());
        self.own_ids.insert(text.into_owned(), id);
        Some(id)
    }

    /// A chain's frames are all there, or a piece of them: then they are added to what was there before.
    fn close(&mut self, chain: i64, frames: &mut Vec<Frame>) {
        if let Some(before) = self.stack_of(chain).and_then(|stack| self.stacks.get(stack as usize)) {
            frames.extend_from_slice(before);
        }
        if !frames.is_sorted_by_key(|frame| frame.0) {
            frames.sort_by_key(|frame| frame.0);
        }
        let stack = match self.ids.get(frames.as_slice()) {
            Some(stack) => *stack,
            None => {
                let Ok(stack) = u32::try_from(self.stacks.len()) else { return };
                let kept: Rc<[Frame]> = frames.as_slice().into();
                self.stacks.push(Rc::clone(&kept));
                self.ids.insert(kept, stack);
                stack
            }
        };
        match usize::try_from(chain) {
            Ok(at) if at < self.dense.len() => {
                if let Some(place) = self.dense.get_mut(at) {
                    *place = stack;
                }
            }
            Ok(at) if at == self.dense.len() => self.dense.push(stack),
            _ => _ = self.sparse.insert(chain, stack),
        }
    }

    /// The number of a chain's stack.
    pub fn stack_of(&self, chain: i64) -> Option<u32> {
        let dense = usize::try_from(chain).ok().and_then(|at| self.dense.get(at)).copied();
        dense.or_else(|| self.sparse.get(&chain).copied())
    }

    /// A stack as the text export writes it; `None` if a frame's text is missing.
    pub fn text(&self, stack: u32, strings: &mut Strings<'_>) -> Option<String> {
        let mut text = String::new();
        for (at, (_, id)) in self.stacks.get(stack as usize)?.iter().enumerate() {
            if at > 0 {
                text.push_str(FRAME_SEPARATOR);
            }
            match usize::try_from(-1 - id) {
                Ok(own) => text.push_str(self.own_texts.get(own)?),
                Err(_) => text.push_str(&strings.text(*id)?),
            }
        }
        Some(text)
    }
}
