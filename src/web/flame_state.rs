//! What the flame graph shows, as chosen by a person. It outlives a change of view.

use leptos::prelude::*;

use crate::analysis::paths::PathOf;
use crate::chart::flame::Width;

/// Which blocks are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    /// Live at the chosen time.
    Live,
    /// Allocated in the range shown.
    Allocated,
}

/// The choices.
#[derive(Clone, Copy)]
pub struct FlameState {
    /// Which blocks.
    pub blocks: RwSignal<Blocks>,
    /// What bars are as wide as.
    pub width: RwSignal<Width>,
    /// From which end, or over modules.
    pub path: RwSignal<PathOf>,
    /// Whether library frames are folded.
    pub folds: RwSignal<bool>,
    /// Frames with any of these texts count as library frames, too; one a line.
    pub patterns: RwSignal<String>,
    /// Text to find.
    pub text: RwSignal<String>,
    /// The frame between its callers and callees.
    pub frame: RwSignal<Option<String>>,
}

impl FlameState {
    /// At the start.
    pub fn new() -> FlameState {
        FlameState {
            blocks: RwSignal::new(Blocks::Live),
            width: RwSignal::new(Width::Bytes),
            path: RwSignal::new(PathOf::Frames),
            folds: RwSignal::new(false),
            patterns: RwSignal::new(String::new()),
            text: RwSignal::new(String::new()),
            frame: RwSignal::new(None),
        }
    }
}
