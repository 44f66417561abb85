//! The page's state: signals that the views read, and the few verbs that change them.

use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use web_sys::File;

use super::example::example;
use super::flame_state::FlameState;
use super::intake::{Dropped, Found, Picked, list, look_through};
use super::looks::Looks;
use super::map_view::MapState;
use super::messages::Facts;
use super::pool::Pool;
use super::ranks::{Rank, RankState};
use super::read::text_of;
use super::table_state::TableState;
use super::wait::{FRAME, sleep};
use crate::analysis::answer::{GroupBy, PoolKey, Quantity, Summary};
use crate::analysis::filter::BlockFilter;
use crate::chart::PlotRect;
use crate::chart::theme::Theme;
use crate::neighbour::Neighbour;
use crate::problem::Problem;
use crate::screen::hash::Remembered;
use crate::screen::view::{Shows, View};
use crate::words::Lang;

/// Ranks put on the list at once: more would hold up the page.
const RANKS_A_FRAME: usize = 2;

/// A shared rank that compares by identity, so that memos can hold it.
#[derive(Clone)]
pub struct RankRef(pub Arc<Rank>);

impl PartialEq for RankRef {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

/// A group, by what it is a group of and its key: the same whatever the time and the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRef {
    /// Grouping.
    pub by: GroupBy,
    /// Key; `None`: without an asserted stack.
    pub key: Option<String>,
}

/// What the message bar says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The drop held nothing.
    DropEmpty,
    /// The drop held text, not files.
    DropText,
    /// The browser did not let us read the drop.
    DropRefused,
    /// This folder is in the list already.
    AlreadyOpen(String),
    /// There is nothing to analyse in this.
    NothingIn(String),
    /// The text is not on the clipboard.
    CopyFailed,
    /// The example could not be made, and why.
    ExampleFailed(String),
    /// This file was saved.
    Saved(String),
    /// It was not, and why.
    SaveFailed(String),
}

/// Progress of all ranks together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Total {
    /// Bytes read.
    pub done: u64,
    /// Bytes known.
    pub size: u64,
    /// Bytes a second, lately; 0 if not known yet.
    pub speed: f64,
    /// Ranks waiting or being read.
    pub busy: usize,
}

/// Everything the views share; cheap to copy.
#[derive(Clone, Copy)]
pub struct Page {
    /// The workers.
    pub pool: Pool,
    /// In the order of the list.
    pub ranks: RwSignal<Vec<Arc<Rank>>>,
    /// Problems with the given folders as a whole.
    pub run_problems: RwSignal<Vec<Problem>>,
    /// Files beside no rank folder that are not read.
    pub run_neighbours: RwSignal<Vec<Neighbour>>,
    /// Id of the rank looked at.
    pub selected: RwSignal<Option<u32>>,
    /// The same as a rank.
    pub current: Memo<Option<RankRef>>,
    /// Its numbers, once there.
    pub summary: Memo<Option<Arc<Summary>>>,
    /// Range shown, ns; `None`: the whole window.
    pub range: RwSignal<Option<(i64, i64)>>,
    /// Chosen time, ns; `None`: the pool's peak.
    pub at: RwSignal<Option<i64>>,
    /// Grouping of the top allocators.
    pub by: RwSignal<GroupBy>,
    /// Which groups the panel of the largest ones shows.
    pub shows: RwSignal<Shows>,
    /// Pool of the top allocators; `None`: the framework pool.
    pub pool_shown: RwSignal<Option<PoolKey>>,
    /// Curves switched from what [`hidden_at_first`] says.
    pub switched: RwSignal<BTreeSet<(PoolKey, Quantity)>>,
    /// Time under the pointer, ns.
    pub hover: RwSignal<Option<i64>>,
    /// The chosen group.
    pub group: RwSignal<Option<GroupRef>>,
    /// The chosen block of the rank shown: its row.
    pub block: RwSignal<Option<u32>>,
    /// How the rank is looked at.
    pub view: RwSignal<View>,
    /// What the block map shows besides.
    pub map: MapState,
    /// What the flame graph shows.
    pub flame: FlameState,
    /// Which blocks the tables show.
    pub filter: RwSignal<BlockFilter>,
    /// How they show them.
    pub tables: TableState,
    /// Where time lies on the timeline shown, so that pictures below line up with it.
    pub axis: RwSignal<Option<PlotRect>>,
    /// What a person set for the whole page.
    pub looks: Looks,
    /// Language of the page.
    pub lang: RwSignal<Lang>,
    /// Whether the dark colours are on.
    pub dark: RwSignal<bool>,
    /// What the message bar says.
    pub notice: RwSignal<Option<Notice>>,
    /// Files seen so far while a drop is listed.
    pub listing: RwSignal<Option<usize>>,
    /// Runs being looked through and put on the list.
    pub adding: RwSignal<u32>,
    /// Progress of all ranks.
    pub total: RwSignal<Total>,
    /// Whether language and theme were chosen by hand: only then they are remembered.
    pub chose: RwSignal<(bool, bool)>,
    /// Whether nothing is in the list.
    pub is_empty: Memo<bool>,
    /// Ranks waiting or being read.
    pub busy: Memo<usize>,
    /// Ranks that were read.
    pub read: Memo<usize>,
    /// The largest piece any reader took at once, bytes.
    pub largest_piece: Memo<u64>,
    /// The largest WebAssembly memory of a worker, bytes.
    pub largest_memory: Memo<u64>,
    /// The WebAssembly memory of all ranks whose workers answer, bytes.
    pub kept_memory: Memo<u64>,
    /// What the address asked for at the start.
    pub asked: StoredValue<Remembered>,
    /// Place in the list of the rank the hash asks for.
    wanted: StoredValue<Option<usize>>,
    next_id: StoredValue<u32>,
}

impl Page {
    /// The state at the start.
    pub fn new(pool: Pool, remembered: &Remembered, lang: Lang, dark: bool) -> Page {
        let ranks = RwSignal::new(Vec::<Arc<Rank>>::new());
        let selected = RwSignal::new(None);
        let current = Memo::new(move |_| {
            let id = selected.get()?;
            ranks.with(|ranks| ranks.iter().find(|rank| rank.id == id).map(|rank| RankRef(Arc::clone(rank))))
        });
        Page {
            pool,
            ranks,
            run_problems: RwSignal::new(Vec::new()),
            run_neighbours: RwSignal::new(Vec::new()),
            selected,
            current,
            summary: Memo::new(move |_| current.get().and_then(|rank| rank.0.summary.get())),
            range: RwSignal::new(remembered.range),
            at: RwSignal::new(remembered.at),
            by: RwSignal::new(remembered.by.unwrap_or(GroupBy::Operator)),
            shows: RwSignal::new(Shows::default()),
            pool_shown: RwSignal::new(None),
            switched: RwSignal::new(BTreeSet::new()),
            hover: RwSignal::new(None),
            group: RwSignal::new(None),
            block: RwSignal::new(remembered.block),
            view: RwSignal::new(remembered.view.unwrap_or_default()),
            map: MapState::new(),
            flame: FlameState::new(),
            filter: RwSignal::new(BlockFilter::default()),
            tables: TableState::new(),
            axis: RwSignal::new(None),
            looks: Looks::new(remembered),
            lang: RwSignal::new(lang),
            dark: RwSignal::new(dark),
            notice: RwSignal::new(None),
            listing: RwSignal::new(None),
            adding: RwSignal::new(0),
            total: RwSignal::new(Total::default()),
            chose: RwSignal::new((remembered.lang.is_some(), remembered.theme.is_some())),
            is_empty: Memo::new(move |_| ranks.with(Vec::is_empty)),
            busy: Memo::new(move |_| count(ranks, RankState::is_busy)),
            read: Memo::new(move |_| count(ranks, |state| matches!(state, RankState::Ready | RankState::Summarized))),
            largest_piece: Memo::new(move |_| {
                let of_ranks = most(ranks, |facts| facts.counters.largest_piece);
                of_ranks.max(pool.largest_slice().get())
            }),
            largest_memory: Memo::new(move |_| most(ranks, |facts| facts.memory_bytes)),
            kept_memory: Memo::new(move |_| {
                let kept = |rank: &Arc<Rank>| rank.state.get() == RankState::Ready;
                ranks.with(|ranks| ranks.iter().filter(|r| kept(r)).map(|r| r.facts.get().memory_bytes).sum())
            }),
            asked: StoredValue::new(remembered.clone()),
            wanted: StoredValue::new(remembered.rank),
            next_id: StoredValue::new(0),
        }
    }

    /// Reads a drop: lists it, then adds what is in it.
    pub async fn add_drop(self, dropped: Dropped) {
        let empty = match &dropped {
            Dropped::Files(files) if files.is_empty() => Notice::DropText,
            _ => Notice::DropEmpty,
        };
        self.listing.set(Some(0));
        let listed = list(dropped, |seen| self.listing.set(Some(seen))).await;
        self.listing.set(None);
        match listed {
            Ok(picked) if picked.is_empty() => self.notice.set(Some(empty)),
            Ok(picked) => self.add(picked).await,
            Err(_) => self.notice.set(Some(Notice::DropRefused)),
        }
    }

    /// Makes and adds the example.
    pub async fn add_example(self) {
        match example(self.pool).await {
            Ok(picked) => self.add(picked).await,
            Err(error) => self.notice.set(Some(Notice::ExampleFailed(text_of(&error)))),
        }
    }

    /// Adds files: finds the ranks among them and starts to read.
    pub async fn add(self, picked: Vec<Picked>) {
        self.notice.set(None);
        self.adding.update(|adding| *adding += 1);
        self.add_found(picked).await;
        self.adding.update(|adding| *adding -= 1);
    }

    async fn add_found(self, picked: Vec<Picked>) {
        // The folder, or the file, that was given first.
        let first = picked.first().map(|first| first.path.trim_start_matches('/'));
        let given = first.and_then(|path| path.split('/').next()).unwrap_or_default().to_owned();
        let listing = self.listing;
        let Found { run, files } = look_through(picked, self.pool, move |seen| listing.set(Some(seen))).await;
        listing.set(None);
        sleep(FRAME).await;
        self.run_problems.update(|problems| {
            for problem in run.problems {
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        });
        self.run_neighbours.update(|neighbours| {
            for neighbour in run.neighbours {
                if !neighbours.contains(&neighbour) {
                    neighbours.push(neighbour);
                }
            }
        });
        let mut fresh = Vec::new();
        let mut known = None;
        for folder in run.rank_folders {
            let of_rank: Vec<File> =
                folder.files.iter().filter_map(|file| files.get(file.index).cloned().flatten()).collect();
            if of_rank.len() != folder.files.len() {
                continue;
            }
            if self.ranks.with_untracked(|ranks| ranks.iter().any(|rank| rank.is_same_as(&folder, &of_rank))) {
                known = Some(folder.folder);
                continue;
            }
            let id = self.next_id.get_value();
            self.next_id.set_value(id + 1);
            fresh.push(Arc::new(Rank::new(id, folder, of_rank)));
        }
        match known {
            Some(folder) if fresh.is_empty() => self.notice.set(Some(Notice::AlreadyOpen(folder))),
            // Without ranks the page itself says so.
            None if fresh.is_empty() && !self.is_empty.get_untracked() => {
                self.notice.set(Some(Notice::NothingIn(given)))
            }
            _ => {}
        }
        fresh.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        for some in fresh.chunks(RANKS_A_FRAME) {
            self.ranks.update(|ranks| {
                ranks.extend(some.iter().cloned());
                ranks.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
            });
            sleep(FRAME).await;
            for rank in some {
                self.pool.enqueue(Arc::clone(rank));
            }
        }
    }

    /// Looks at a rank. Range and time stay if they mean something there.
    pub fn select(self, rank: &Arc<Rank>) {
        self.looks.whole.set(None);
        self.look_at(rank);
    }

    /// The same behind a view of the whole run.
    fn look_at(self, rank: &Arc<Rank>) {
        self.wanted.set_value(None);
        if self.selected.get_untracked() != Some(rank.id) {
            // A row of one rank means nothing in another.
            if self.selected.get_untracked().is_some() {
                self.block.set(None);
            }
            self.selected.set(Some(rank.id));
            if let Some(summary) = rank.summary.get_untracked() {
                self.fit_to(&summary);
            }
        }
        self.pool.reload(Arc::clone(rank));
    }

    /// Drops range, time and pool that the rank does not have.
    pub fn fit_to(self, summary: &Summary) {
        let window = summary.window_ns.unwrap_or([0, 0]);
        let [start, end] = window;
        if self.range.get_untracked().is_some_and(|(a, b)| b <= start || a >= end) {
            self.range.set(None);
        }
        if self.at.get_untracked().is_some_and(|at| at < start || at > end) {
            self.at.set(None);
        }
        let has = |key: &PoolKey| summary.pools.iter().any(|p| p.component == key.component && p.device == key.device);
        // The same component of this rank's device, where the other rank's pool is not here.
        let here = |key: &PoolKey| {
            let same = summary.pools.iter().find(|pool| pool.component == key.component);
            same.map(|pool| PoolKey { component: pool.component.clone(), device: pool.device.clone() })
        };
        if let Some(key) = self.pool_shown.get_untracked().filter(|key| !has(key)) {
            self.pool_shown.set(here(&key));
        }
        if let Some(key) = self.filter.with_untracked(|filter| filter.pool.clone()).filter(|key| !has(key)) {
            self.filter.update(|filter| filter.pool = here(&key));
        }
    }

    /// Without a selected rank: the one the hash asks for as soon as it is ready, else the first ready one.
    pub fn select_first_ready(self) {
        if self.selected.get_untracked().is_some() {
            return;
        }
        let ready = |rank: &Arc<Rank>| rank.state.get_untracked() == RankState::Ready;
        let wanted = self.wanted.get_value();
        let chosen = self.ranks.with_untracked(|ranks| {
            let busy = |rank: &&Arc<Rank>| rank.state.get_untracked().is_busy();
            match wanted.and_then(|index| ranks.get(index)) {
                Some(rank) if ready(rank) => Some(Arc::clone(rank)),
                Some(rank) if busy(&rank) => None,
                _ => ranks.iter().find(|rank| ready(rank)).cloned(),
            }
        });
        if let Some(rank) = chosen {
            self.look_at(&rank);
        }
    }

    /// Takes a rank off the list.
    pub fn remove(self, rank: &Arc<Rank>) {
        self.pool.remove(rank);
        self.ranks.update(|ranks| ranks.retain(|other| other.id != rank.id));
        if self.selected.get_untracked() == Some(rank.id) {
            self.selected.set(None);
            self.select_first_ready();
        }
        if self.ranks.with_untracked(Vec::is_empty) {
            self.run_problems.set(Vec::new());
            self.run_neighbours.set(Vec::new());
            self.range.set(None);
            self.at.set(None);
        }
    }

    /// Stops everything that waits or is being read.
    pub fn cancel_all(self) {
        for rank in self.ranks.get_untracked() {
            self.pool.cancel(&rank);
        }
    }

    /// The rank shown, if its worker answers. Tracks.
    pub fn ready(self) -> Option<Arc<Rank>> {
        self.current.get().map(|rank| rank.0).filter(|rank| rank.state.get() == RankState::Ready)
    }

    /// Colours of the pictures. Tracks.
    pub fn theme(self) -> Theme {
        if self.dark.get() { Theme::dark() } else { Theme::light() }
    }

    /// Takes back one thing: the message, the chosen block, the chosen group, the chosen time, the range.
    pub fn escape(self) {
        if self.notice.get_untracked().is_some() {
            self.notice.set(None);
        } else if self.block.get_untracked().is_some() {
            self.block.set(None);
        } else if self.group.get_untracked().is_some() {
            self.group.set(None);
        } else if self.at.get_untracked().is_some() {
            self.at.set(None);
        } else if self.range.get_untracked().is_some() {
            self.range.set(None);
        }
    }

    /// Moves the chosen time to the event before or after it, as far as the picture's points tell.
    pub fn step_event(self, forward: bool) {
        let Some(at) = untrack(|| self.effective_at()) else { return };
        let curves = self.current.get_untracked().and_then(|rank| rank.0.curves.get_untracked());
        let times = curves.as_ref().and_then(|curves| curves.series.first()).map(|series| &series.times_ns);
        let Some(times) = times else { return };
        let next = if forward {
            times.get(times.partition_point(|time| *time <= at))
        } else {
            times.partition_point(|time| *time < at).checked_sub(1).and_then(|index| times.get(index))
        };
        if let Some(next) = next {
            self.go_to(*next);
        }
    }

    /// The time everything is asked for: the chosen one, else the peak of the pool shown. Tracks what it depends on.
    pub fn effective_at(self) -> Option<i64> {
        if let Some(at) = self.at.get() {
            return Some(at);
        }
        let summary = self.summary.get()?;
        let shown = self.pool_shown.get();
        let peaks = match shown {
            None => summary.peak,
            Some(key) => {
                summary.pools.iter().find(|p| p.component == key.component && p.device == key.device).map(|p| p.peak)
            }
        };
        let peak = peaks.filter(|_| !summary.times_lost).and_then(|peaks| peaks.allocated.or(peaks.reserved));
        peak.map(|peak| peak.time_ns)
            .or_else(|| summary.top.as_ref().map(|top| top.at_ns))
            .or(summary.window_ns.map(|[start, _]| start))
    }
}

/// How many ranks are in such a state.
fn count(ranks: RwSignal<Vec<Arc<Rank>>>, of: impl Fn(RankState) -> bool) -> usize {
    ranks.with(|ranks| ranks.iter().filter(|rank| of(rank.state.get())).count())
}

/// The largest of the ranks' facts.
fn most(ranks: RwSignal<Vec<Arc<Rank>>>, of: impl Fn(&Facts) -> u64) -> u64 {
    ranks.with(|ranks| ranks.iter().map(|rank| rank.facts.with(&of)).max()).unwrap_or_default()
}
