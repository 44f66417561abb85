//! A rank as the page knows it: its files, its state, and the answers kept when its worker is gone.

use std::sync::Arc;

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use web_sys::File;

use super::messages::{Facts, StepStart, Told};
use crate::analysis::answer::{Balance, GroupBy, Summary, Timeline, Top};
use crate::analysis::block_map::BlockMap;
use crate::analysis::steps::StepSpan;
use crate::folder::RankFolder;

/// Where a rank stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankState {
    /// In the queue.
    Waiting,
    /// Being read.
    Reading,
    /// Read; its worker answers.
    Ready,
    /// Its worker died.
    Failed,
    /// Stopped by the person.
    Cancelled,
    /// Read, but its worker was ended to save memory; the summary is still there.
    Summarized,
    /// Being read again after that.
    Reloading,
}

impl RankState {
    /// The name in `data-state`.
    pub fn name(self) -> &'static str {
        match self {
            RankState::Waiting => "waiting",
            RankState::Reading => "reading",
            RankState::Ready => "ready",
            RankState::Failed => "failed",
            RankState::Cancelled => "cancelled",
            RankState::Summarized => "summarized",
            RankState::Reloading => "reloading",
        }
    }

    /// Whether work on it is still to come or under way.
    pub fn is_busy(self) -> bool {
        matches!(self, RankState::Waiting | RankState::Reading | RankState::Reloading)
    }

    /// Whether a worker is reading it now.
    pub fn is_reading(self) -> bool {
        matches!(self, RankState::Reading | RankState::Reloading)
    }
}

/// One rank folder on the page. Shared; its signals live as long as it does.
pub struct Rank {
    /// Never used twice in a page's life.
    pub id: u32,
    /// What was found.
    pub folder: RankFolder,
    /// One for each of the folder's files.
    pub files: SendWrapper<Vec<File>>,
    /// Bytes to read.
    pub size: u64,
    /// Where it stands.
    pub state: ArcRwSignal<RankState>,
    /// Bytes read so far.
    pub done: ArcRwSignal<u64>,
    /// The numbers, once read.
    pub summary: ArcRwSignal<Option<Arc<Summary>>>,
    /// What its worker counted.
    pub facts: ArcRwSignal<Facts>,
    /// Where its training steps begin.
    pub steps: ArcRwSignal<Arc<Vec<StepStart>>>,
    /// The same as spans in order.
    pub spans: ArcRwSignal<Arc<Vec<StepSpan>>>,
    /// What a person wants added to its trace's times, ns.
    pub trace_offset_ns: ArcRwSignal<Option<i64>>,
    /// Why it failed.
    pub failure: ArcRwSignal<String>,
    /// The curves answered last, at first those over the whole window; they stay when the worker is gone.
    pub curves: ArcRwSignal<Option<Arc<Timeline>>>,
    /// The groups answered last, at first the largest ones at the peak, and what was asked.
    pub top: ArcRwSignal<Option<(GroupBy, Arc<Top>)>>,
    /// The balance answered last.
    pub balance: ArcRwSignal<Option<Balance>>,
    /// What its recording proves.
    pub told: ArcRwSignal<Option<Arc<Told>>>,
    /// The picture of blocks answered last.
    pub map: ArcRwSignal<Option<Arc<BlockMap>>>,
    /// Curves over the whole window, reduced: what stays of it whatever is answered later.
    pub whole: ArcRwSignal<Option<Arc<Timeline>>>,
}

impl Rank {
    /// A rank that waits to be read.
    pub fn new(id: u32, folder: RankFolder, files: Vec<File>) -> Rank {
        let size = folder.bytes();
        Rank {
            id,
            folder,
            files: SendWrapper::new(files),
            size,
            state: ArcRwSignal::new(RankState::Waiting),
            done: ArcRwSignal::new(0),
            summary: ArcRwSignal::new(None),
            facts: ArcRwSignal::new(Facts::default()),
            steps: ArcRwSignal::new(Arc::default()),
            spans: ArcRwSignal::new(Arc::default()),
            trace_offset_ns: ArcRwSignal::new(None),
            failure: ArcRwSignal::new(String::new()),
            curves: ArcRwSignal::new(None),
            top: ArcRwSignal::new(None),
            balance: ArcRwSignal::new(None),
            told: ArcRwSignal::new(None),
            map: ArcRwSignal::new(None),
            whole: ArcRwSignal::new(None),
        }
    }

    /// The order of the list and of ties in exports: role, step, rank, folder; unknown ones last.
    pub fn sort_key(&self) -> (&str, u64, u64, &str) {
        let folder = &self.folder;
        (&folder.role, folder.step.unwrap_or(u64::MAX), folder.rank.unwrap_or(u64::MAX), &folder.folder)
    }

    /// Whether the same folder is given again.
    pub fn is_same_as(&self, folder: &RankFolder, files: &[File]) -> bool {
        self.folder.folder == folder.folder
            && self.files.len() == files.len()
            && self
                .files
                .iter()
                .zip(files)
                .all(|(a, b)| a.name() == b.name() && a.size() == b.size() && a.last_modified() == b.last_modified())
    }
}
