//! The rows of operator_memory.csv as columns, and what each of them is: block or drop, of which pool, live when.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxHashSet;

use super::axis;
use super::durations::Durations;
use super::intern::Interner;
use super::match_kind::MatchKind;
use super::pools::Pools;
use crate::column::Column as Growing;
use crate::decimal::Decimal;
use crate::read::number::Number;
use crate::read::operator_memory::{GE_PREFIX, MemoryRow, RowSink};

/// Stands for a missing number or time in a column.
pub const NONE: i64 = i64::MIN;
/// Stands for "no call site" in a column.
pub const NO_SITE: u32 = u32::MAX;

/// The graph engine's pool.
pub const GE: &str = "GE";
/// Workspace memory of the task queue.
pub const WORKSPACE: &str = "WORKSPACE";

/// Which pool a row belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Component {
    /// The framework's caching allocator: PTA, in newer files TorchNPU, or MindSpore.
    Framework,
    /// The graph engine.
    Ge,
    /// Workspace.
    Workspace,
}

/// A column that may hold numbers no integer can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// Size.
    Size,
    /// Allocation Time (of a drop without one: Release Time).
    Time,
    /// Release Time.
    Release,
    /// Active Release Time.
    ActiveRelease,
    /// Duration.
    Duration,
    /// Allocation Total Allocated.
    Allocated,
    /// Allocation Total Reserved.
    Reserved,
    /// Allocation Total Active.
    Active,
}

/// All rows, one entry a column each, in file order; while the table is read they are held apart, see [`Rows::gather`].
#[derive(Default)]
pub struct Rows {
    /// Interned operator names.
    pub names: Interner,
    /// Interned devices and streams.
    pub labels: Interner,
    /// Name id.
    pub name: Vec<u32>,
    /// Bytes; negative: a drop.
    pub size: Vec<i64>,
    /// Allocation Time, or the time of a drop, ns.
    pub time: Vec<i64>,
    /// Release Time, ns, or [`NONE`].
    pub release: Vec<i64>,
    /// Active Release Time, ns, or [`NONE`].
    pub active_release: Vec<i64>,
    /// Duration as written, ns, or [`NONE`].
    pub duration: Vec<i64>,
    /// Pool totals after the allocation: allocated, reserved, active; bytes or [`NONE`].
    pub totals: [Vec<i64>; 3],
    /// Pool totals after the release; kept only until analysis has no better source.
    pub release_totals: [Vec<i64>; 3],
    /// Label id of the stream.
    pub stream: Vec<u32>,
    /// Label id of the device.
    pub device: Vec<u32>,
    /// The pool.
    pub component: Vec<Component>,
    /// Call site, or [`NO_SITE`]; filled by matching.
    pub site: Vec<u32>,
    /// By which rule the site was found.
    pub kind: Vec<MatchKind>,
    /// How far off a guess is, ns; only for [`MatchKind::Nearest`].
    pub gaps: HashMap<u32, i64>,
    /// Every candidate of an ambiguous row.
    pub candidates: HashMap<u32, Vec<(MatchKind, u32)>>,
    /// Numbers the columns had to round, as written.
    pub exact: HashMap<(u32, Column), Decimal>,
    /// When blocks left the pool's counter, where only the totals tell it: ns or [`NONE`] each, or empty. Kept only for analysis.
    left: Vec<i64>,
    /// Drops whose only time is a Release Time.
    pub released_only: HashSet<u32>,
    /// Row order by time, ties in file order.
    pub order: Vec<u32>,
    /// Whether any row has an Active Release Time.
    pub has_active_release: bool,
    /// Durations against the times they should lie between.
    pub durations: Durations,
    /// Whether a spreadsheet rounded the times until they mean nothing: what was live when is not known.
    pub time_axis_lost: bool,
    /// Whether the table does not tell when blocks are released: then what was live when is not known either.
    pub lacks_releases: bool,
    /// Rows that could not be kept: there were too many, or too many different texts.
    pub lost: u64,
    growing: GrowingRows,
}

/// The columns while the table is read.
#[derive(Default)]
struct GrowingRows {
    name: Growing<u32>,
    stream: Growing<u32>,
    device: Growing<u32>,
    component: Growing<Component>,
    size: Growing<i64>,
    time: Growing<i64>,
    release: Growing<i64>,
    active_release: Growing<i64>,
    duration: Growing<i64>,
    totals: [Growing<i64>; 3],
    release_totals: [Growing<i64>; 3],
}

/// Columns of a whole row, its time aside.
const WHOLE_ROW: usize = 13;
/// Where the totals stand among them.
const TOTALS_FROM: usize = 7;

/// Most bytes of different names: with more of them nothing could be grouped by name any more.
const MAX_NAME_BYTES: usize = 256 << 20;

impl RowSink for Rows {
    fn without_releases(&mut self) {
        self.lacks_releases = true;
    }

    fn row(&mut self, row: &MemoryRow<'_>) {
        let is_full = |texts: &Interner, text: &str| {
            texts.kept_bytes() + text.len() > MAX_NAME_BYTES && texts.find(text.as_bytes()).is_none()
        };
        let labels = &self.labels;
        if is_full(&self.names, row.name) || is_full(labels, row.stream) || is_full(labels, row.device) {
            self.lost += 1;
            return;
        }
        let (Some(name), Some(stream), Some(device), Ok(index)) = (
            self.names.intern(row.name.as_bytes()),
            self.labels.intern(row.stream.as_bytes()),
            self.labels.intern(row.device.as_bytes()),
            u32::try_from(self.len()),
        ) else {
            self.lost += 1;
            return;
        };
        let Some(time) = row.allocation.or(row.release) else { return };
        if row.allocation.is_none() {
            self.released_only.insert(index);
        }
        let mut keep = |number: Option<Number>, column: Option<Column>| match number {
            None => NONE,
            Some(number) => {
                if let (Some(exact), Some(column)) = (number.exact, column) {
                    self.exact.insert((index, column), exact);
                }
                number.units
            }
        };
        let size = keep(Some(row.size), Some(Column::Size));
        let time = keep(Some(time), Some(Column::Time));
        let release = keep(row.release, Some(Column::Release));
        let active_release = keep(row.active_release, Some(Column::ActiveRelease));
        let duration = keep(row.duration, Some(Column::Duration));
        let [allocated, reserved, active] = row.allocation_totals;
        let totals = [
            keep(allocated, Some(Column::Allocated)),
            keep(reserved, Some(Column::Reserved)),
            keep(active, Some(Column::Active)),
        ];
        let release_totals = row.release_totals.map(|total| keep(total, None));
        let is_ge = row.name.starts_with(GE_PREFIX);
        // CANN writes 0 for missing: such a row was not released in the window.
        let unreleased = is_ge && release == time && duration == 0;
        let release = if unreleased { NONE } else { release };
        self.durations.take(row, release, active_release);
        self.has_active_release |= active_release != NONE;
        let growing = &mut self.growing;
        growing.name.push(name);
        growing.size.push(size);
        growing.time.push(time);
        growing.release.push(release);
        growing.active_release.push(active_release);
        growing.duration.push(duration);
        for (column, value) in growing.totals.iter_mut().zip(totals) {
            column.push(value);
        }
        for (column, value) in growing.release_totals.iter_mut().zip(release_totals) {
            column.push(if unreleased { NONE } else { value });
        }
        growing.stream.push(stream);
        growing.device.push(device);
        growing.component.push(if is_ge { Component::Ge } else { Component::Framework });
    }
}

impl Rows {
    /// How many rows there are, drops included.
    pub fn len(&self) -> usize {
        self.name.len() + self.growing.name.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Times of all rows, in file order, ns.
    pub fn times(&self) -> impl Iterator<Item = i64> {
        self.time.iter().chain(self.growing.time.iter()).copied()
    }

    /// Puts all that was read into columns of exactly its length. Until then these are empty; to be called once, when the
    /// table is read.
    fn gather(&mut self) {
        let growing = std::mem::take(&mut self.growing);
        if growing.name.is_empty() {
            return;
        }
        self.name = growing.name.into_vec();
        self.stream = growing.stream.into_vec();
        self.device = growing.device.into_vec();
        self.component = growing.component.into_vec();
        self.size = growing.size.into_vec();
        self.time = growing.time.into_vec();
        self.release = growing.release.into_vec();
        self.active_release = growing.active_release.into_vec();
        self.duration = growing.duration.into_vec();
        self.totals = growing.totals.map(Growing::into_vec);
        self.release_totals = growing.release_totals.map(Growing::into_vec);
        self.site = vec![NO_SITE; self.name.len()];
        self.kind = vec![MatchKind::None; self.name.len()];
    }

    /// Whether a row is a release of older memory, not a block.
    pub fn is_drop(&self, row: usize) -> bool {
        self.size.get(row).is_some_and(|size| *size < 0)
    }

    /// The row's name.
    pub fn name_of(&self, row: usize) -> &str {
        self.name.get(row).map_or("", |id| self.names.text(*id))
    }

    /// Until when a block is live: Release Time, or Active Release Time where that is the only one; `i64::MAX` if never.
    pub fn live_end(&self, row: usize) -> i64 {
        let end = |column: &[i64]| column.get(row).copied().filter(|t| *t != NONE);
        end(&self.release).or_else(|| end(&self.active_release)).unwrap_or(i64::MAX)
    }

    /// When the block leaves the pool's counter of allocated memory: the earliest of its two releases and of what the totals
    /// told; `i64::MAX` if never.
    pub fn counter_end(&self, row: usize) -> i64 {
        self.releases(row).min().unwrap_or(i64::MAX)
    }

    /// Times of a block's releases, in no order: as the table has them, and as the totals told.
    pub fn releases(&self, row: usize) -> impl Iterator<Item = i64> + use<> {
        let of = |column: &[i64]| column.get(row).copied().filter(|time| *time != NONE);
        [of(&self.release), of(&self.active_release), of(&self.left)].into_iter().flatten()
    }

    /// Takes when a block left the counter, as its pool's totals tell.
    pub fn left_counter(&mut self, row: usize, time: i64) {
        self.left.resize(self.len(), NONE);
        if let Some(left) = self.left.get_mut(row) {
            *left = time;
        }
    }

    /// Until when a block is active: Active Release Time where the file has any, else Release Time.
    pub fn active_end(&self, row: usize) -> i64 {
        let column = if self.has_active_release { &self.active_release } else { &self.release };
        column.get(row).copied().filter(|t| *t != NONE).unwrap_or(i64::MAX)
    }

    /// Settles what can only be told once both memory tables are read: workspace rows, and the order by time.
    pub fn settle(&mut self, pools: &Pools) {
        self.gather();
        self.time_axis_lost = axis::is_lost(self.time.iter().copied());
        let is_workspace = pools.workspace_times();
        for (component, (time, size)) in self.component.iter_mut().zip(self.time.iter().zip(&self.size)) {
            if *component == Component::Framework && *size >= 0 && is_workspace(*time) {
                *component = Component::Workspace;
            }
        }
        self.order = (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).collect();
        let time = &self.time;
        self.order.sort_by_key(|row| time.get(*row as usize).copied().unwrap_or(NONE));
    }

    /// Whether it is known which blocks are live at a time.
    pub fn tells_live(&self) -> bool {
        !self.time_axis_lost && !self.lacks_releases
    }

    /// Leaves out rows whose time lies more than a day from the table's median, and releases that do; gives how many times
    /// these were, and the first. To be called before [`Rows::settle`].
    pub fn leave_out_far(&mut self) -> (u64, Option<i64>) {
        self.gather();
        let Some(is_far) = axis::far_off(&self.time) else { return (0, None) };
        let mut count = 0;
        let mut first = None;
        for column in [&mut self.release, &mut self.active_release] {
            for time in column.iter_mut().filter(|time| **time != NONE && is_far(**time)) {
                count += 1;
                first.get_or_insert(*time);
                *time = NONE;
            }
        }
        let keep: Vec<bool> = self.time.iter().map(|time| !is_far(*time)).collect();
        let lost = self.time.iter().copied().filter(|time| is_far(*time));
        let lost_count = lost.clone().count() as u64;
        first = lost.clone().next().or(first);
        if lost_count > 0 {
            self.keep_only(&keep);
        }
        (count + lost_count, first)
    }

    /// Leaves out rows that are another row again, in every column; gives how many, and the time of the first. To be called before
    /// [`Rows::settle`].
    pub fn leave_out_repeated(&mut self) -> (u64, Option<i64>) {
        self.gather();
        let time = &self.time;
        if time.is_sorted_by(|before, after| before < after) || !axis::are_fine(time) {
            return (0, None);
        }
        let at = |row: &u32| time.get(*row as usize).copied().unwrap_or(NONE);
        let mut order: Vec<u32> = (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).collect();
        order.sort_by_key(at);
        let mut keep: Vec<bool> = Vec::new();
        let mut count = 0;
        let mut first = None;
        for same_time in order.chunk_by(|a, b| at(a) == at(b)).filter(|rows| rows.len() > 1) {
            let mut seen: FxHashSet<[i64; WHOLE_ROW]> = FxHashSet::default();
            for row in same_time {
                let whole = self.whole_row(*row as usize);
                // Without any total beside it, a row is not told from one that only looks the same.
                let has_total =
                    whole.get(TOTALS_FROM..).is_some_and(|totals| totals.iter().any(|total| *total != NONE));
                if has_total && !seen.insert(whole) {
                    keep.resize(self.len(), true);
                    if let Some(keep) = keep.get_mut(*row as usize) {
                        *keep = false;
                    }
                    count += 1;
                    first.get_or_insert(at(row));
                }
            }
        }
        if count > 0 {
            self.keep_only(&keep);
        }
        (count, first)
    }

    /// All columns of a row but its time, the totals last.
    fn whole_row(&self, row: usize) -> [i64; WHOLE_ROW] {
        let wide = |column: &[i64]| column.get(row).copied().unwrap_or(NONE);
        let id = |column: &[u32]| column.get(row).map_or(NONE, |id| i64::from(*id));
        let [allocated, reserved, active] = &self.totals;
        let [after_allocated, after_reserved, after_active] = &self.release_totals;
        [
            id(&self.name),
            wide(&self.size),
            wide(&self.release),
            wide(&self.active_release),
            wide(&self.duration),
            id(&self.stream),
            id(&self.device),
            wide(allocated),
            wide(reserved),
            wide(active),
            wide(after_allocated),
            wide(after_reserved),
            wide(after_active),
        ]
    }

    fn keep_only(&mut self, keep: &[bool]) {
        fn retain<T: Copy>(column: &mut Vec<T>, keep: &[bool]) {
            let mut keep = keep.iter();
            column.retain(|_| keep.next().copied().unwrap_or(true));
            column.shrink_to_fit();
        }
        let [allocated, reserved, active] = &mut self.totals;
        let [after_allocated, after_reserved, after_active] = &mut self.release_totals;
        let wide = [
            &mut self.size,
            &mut self.time,
            &mut self.release,
            &mut self.active_release,
            &mut self.duration,
            allocated,
            reserved,
            active,
            after_allocated,
            after_reserved,
            after_active,
        ];
        wide.into_iter().for_each(|column| retain(column, keep));
        for column in [&mut self.name, &mut self.stream, &mut self.device, &mut self.site] {
            retain(column, keep);
        }
        retain(&mut self.component, keep);
        retain(&mut self.kind, keep);
        let mut kept = 0_u32;
        let places: Vec<Option<u32>> = keep
            .iter()
            .map(|keep| {
                let place = kept;
                kept += u32::from(*keep);
                keep.then_some(place)
            })
            .collect();
        let moved = |row: u32| places.get(row as usize).copied().flatten();
        let exact = std::mem::take(&mut self.exact).into_iter();
        self.exact = exact.filter_map(|((row, column), text)| Some(((moved(row)?, column), text))).collect();
        self.released_only = std::mem::take(&mut self.released_only).into_iter().filter_map(moved).collect();
    }

    /// Gives up what only analysis needs: the release totals, and when blocks left the counter.
    pub fn forget_release_totals(&mut self) {
        self.release_totals = Default::default();
        self.left = Vec::new();
    }

    /// Bytes held, texts left out.
    pub fn column_bytes(&self) -> usize {
        let wide = [&self.size, &self.time, &self.release, &self.active_release, &self.duration];
        let wide = wide.into_iter().chain(&self.totals).chain(&self.release_totals);
        let narrow = [&self.name, &self.stream, &self.device, &self.site, &self.order];
        // What only odd rows have: an entry, and a byte of its table.
        let candidates = self.candidates.values().map(|all| all.capacity() * size_of::<(MatchKind, u32)>());
        wide.map(|column| column.capacity() * 8).sum::<usize>()
            + narrow.into_iter().map(|column| column.capacity() * 4).sum::<usize>()
            + self.component.capacity()
            + self.kind.capacity()
            + self.exact.capacity() * (size_of::<((u32, Column), Decimal)>() + 1)
            + self.gaps.capacity() * (size_of::<(u32, i64)>() + 1)
            + self.released_only.capacity() * (size_of::<u32>() + 1)
            + self.candidates.capacity() * (size_of::<(u32, Vec<(MatchKind, u32)>)>() + 1)
            + candidates.sum::<usize>()
    }

    /// Bytes held by names, devices and streams.
    pub fn text_bytes(&self) -> usize {
        self.names.kept_bytes() + self.labels.kept_bytes()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A row as the reader would give it: name, bytes, and the times of allocation, release and active release.
    pub(crate) fn add(rows: &mut Rows, name: &str, size: i64, time: i64, release: Option<i64>, active: Option<i64>) {
        let number = |units| Number { units, exact: None };
        rows.row(&MemoryRow {
            row: 2,
            name,
            size: number(size),
            allocation: Some(number(time)),
            release: release.map(number),
            active_release: active.map(number),
            duration: None,
            active_duration: None,
            allocation_totals: [None; 3],
            release_totals: [None; 3],
            stream: "",
            device: "NPU:0",
        });
    }

    #[test]
    fn only_whole_rows_with_totals_and_fine_times_are_another_again() {
        let of = |time: i64, total: Option<i64>, sizes: &[i64]| {
            let number = |units| Number { units, exact: None };
            let mut rows = Rows::default();
            for size in sizes {
                rows.row(&MemoryRow {
                    row: 2,
                    name: "a",
                    size: number(*size),
                    allocation: Some(number(time)),
                    release: None,
                    active_release: None,
                    duration: None,
                    active_duration: None,
                    allocation_totals: [total.map(number), None, None],
                    release_totals: [None; 3],
                    stream: "",
                    device: "NPU:0",
                });
            }
            let (count, first) = rows.leave_out_repeated();
            assert_eq!(first, (count > 0).then_some(time));
            (count, rows.size)
        };
        assert_eq!(of(1_000_123, Some(9), &[8, 4, 8, 8, 4]), (3, vec![8, 4]));
        assert_eq!(of(1_000_123, None, &[8, 8]), (0, vec![8, 8]));
        assert_eq!(of(1_000_250, Some(9), &[8, 8]), (0, vec![8, 8]));
    }

    #[test]
    fn when_a_block_ends() {
        let mut rows = Rows::default();
        for (release, active) in
            [(Some(20), Some(15)), (Some(20), Some(25)), (Some(20), None), (None, Some(25)), (None, None)]
        {
            add(&mut rows, "a", 1, 10, release, active);
        }
        rows.gather();
        let ends = |of: fn(&Rows, usize) -> i64| (0..rows.len()).map(|row| of(&rows, row)).collect::<Vec<_>>();
        assert_eq!(ends(Rows::live_end), [20, 20, 20, 25, i64::MAX]);
        assert_eq!(ends(Rows::counter_end), [15, 20, 20, 25, i64::MAX]);
        // The file has active releases: where one is missing, the block is active still.
        assert_eq!(ends(Rows::active_end), [15, 25, i64::MAX, 25, i64::MAX]);
        let mut old = Rows::default();
        add(&mut old, "a", 1, 10, Some(20), None);
        old.gather();
        assert_eq!(old.active_end(0), 20);
    }
}
