//! The samples of memory_record.csv as columns, one set a pool. Sums of pools (`PTA+GE`) are counted, never kept.

use std::collections::{BTreeMap, HashMap};

use super::axis;
use super::rows::{Component, GE, NONE, Rows, WORKSPACE};
use crate::column::Column;
use crate::read::memory_record::{PoolRecord, RecordSink};

/// Names of the framework's own pool, the usual one first.
pub const FRAMEWORK_POOLS: [&str; 3] = ["PTA", "TorchNPU", MINDSPORE];
/// MindSpore's own pool.
const MINDSPORE: &str = "MindSpore";
/// Times looked at to tell which are far off.
const MOST_SAMPLED: usize = 1 << 16;
/// Most pools, sums of pools included: a real file has a handful on each device.
const MAX_POOLS: usize = 1024;

/// One pool of one device: totals right after each event.
#[derive(Debug, Default)]
pub struct Pool {
    /// As recorded.
    pub component: String,
    /// As recorded.
    pub device: String,
    /// Ascending, ns.
    pub time: Vec<i64>,
    /// Allocated, reserved, active; bytes or [`NONE`].
    pub totals: [Vec<i64>; 3],
    /// The columns while the file is read: times, and the three totals.
    growing: [Column<i64>; 4],
}

impl Pool {
    fn leave_out(&mut self, is_far: impl Fn(i64) -> bool) {
        let keep: Vec<bool> = self.time.iter().map(|time| !is_far(*time)).collect();
        for column in std::iter::once(&mut self.time).chain(&mut self.totals) {
            let mut keep = keep.iter();
            column.retain(|_| keep.next().copied().unwrap_or(true));
        }
    }

    /// All that was read as columns of exactly its length.
    fn gather(&mut self) {
        if self.growing.iter().all(Column::is_empty) {
            return;
        }
        let [time, allocated, reserved, active] = std::mem::take(&mut self.growing);
        self.time = time.into_vec();
        self.totals = [allocated, reserved, active].map(Column::into_vec);
    }

    /// Leaves out samples that are the one before again, to the nanosecond and the byte; gives how many. The pool is sorted.
    fn leave_out_repeated(&mut self) -> u64 {
        let whole = |at: usize| {
            let [allocated, reserved, active] = &self.totals;
            [&self.time, allocated, reserved, active].map(|column| column.get(at).copied())
        };
        let is_repeated = |at: usize| at > 0 && whole(at - 1) == whole(at);
        let count = (1..self.time.len()).filter(|at| is_repeated(*at)).count() as u64;
        if count == 0 || !axis::are_fine(&self.time) {
            return 0;
        }
        let keep: Vec<bool> = (0..self.time.len()).map(|at| !is_repeated(at)).collect();
        for column in std::iter::once(&mut self.time).chain(&mut self.totals) {
            let mut keep = keep.iter();
            column.retain(|_| keep.next().copied().unwrap_or(true));
            column.shrink_to_fit();
        }
        count
    }

    /// Whether this is the framework's own pool.
    pub fn is_framework(&self) -> bool {
        FRAMEWORK_POOLS.contains(&self.component.as_str())
    }

    fn take_over(&mut self, other: Pool) {
        self.time.extend(other.time);
        for (column, more) in self.totals.iter_mut().zip(other.totals) {
            column.extend(more);
        }
    }

    fn sort(&mut self) {
        if self.time.is_sorted() {
            return;
        }
        let mut order: Vec<u32> = (0..u32::try_from(self.time.len()).unwrap_or(u32::MAX)).collect();
        order.sort_by_key(|i| self.time.get(*i as usize).copied().unwrap_or(NONE));
        let arrange = |column: &[i64]| order.iter().map(|i| column.get(*i as usize).copied().unwrap_or(NONE)).collect();
        self.totals = [0, 1, 2].map(|i| self.totals.get(i).map(|c| arrange(c)).unwrap_or_default());
        self.time = arrange(&self.time);
    }
}

/// All pools, in the order of their first sample.
#[derive(Debug, Default)]
pub struct Pools {
    /// Pools that are no sums of others.
    pub list: Vec<Pool>,
    /// Samples by component, sums of pools included.
    pub counts: BTreeMap<String, u64>,
    /// First and last time of any sample, ns.
    pub window: Option<(i64, i64)>,
    /// Samples of pools beyond the most that are kept.
    pub lost: u64,
    /// Samples without Total Allocated of pools that have totals, and the first such pool.
    pub without_total: (u64, Option<String>),
    /// Samples that were another one again, and the first pool of such.
    pub repeated: (u64, Option<String>),
    /// Whether the table has no column of Total Allocated.
    pub lacks_totals: bool,
    /// Whether a spreadsheet rounded the times until they mean nothing.
    pub time_axis_lost: bool,
    /// Whether MindSpore recorded it.
    pub is_mindspore: bool,
    last: usize,
    /// Where each pool stands in the list, by component and device.
    places: HashMap<(String, String), usize>,
}

impl RecordSink for Pools {
    fn without_totals(&mut self) {
        self.lacks_totals = true;
    }

    fn record(&mut self, record: &PoolRecord<'_>) {
        let time = record.time.units;
        let is_full = self.counts.len() >= MAX_POOLS;
        match self.counts.get_mut(record.component) {
            Some(count) => *count += 1,
            None if is_full => {
                self.lost += 1;
                return;
            }
            None => {
                self.counts.insert(record.component.to_owned(), 1);
            }
        }
        self.window = Some(self.window.map_or((time, time), |(from, to)| (from.min(time), to.max(time))));
        if record.component.contains('+') {
            return;
        }
        let is_it = |pool: &Pool| pool.component == record.component && pool.device == record.device;
        let at = match self.list.get(self.last).filter(|p| is_it(p)) {
            Some(_) => self.last,
            None => {
                let key = (record.component.to_owned(), record.device.to_owned());
                let list = &mut self.list;
                if list.len() >= MAX_POOLS && !self.places.contains_key(&key) {
                    self.lost += 1;
                    return;
                }
                *self.places.entry(key).or_insert_with_key(|(component, device)| {
                    list.push(Pool { component: component.clone(), device: device.clone(), ..Pool::default() });
                    list.len() - 1
                })
            }
        };
        self.last = at;
        if let Some(pool) = self.list.get_mut(at) {
            let totals = record.totals.map(|total| total.map_or(NONE, |n| n.units));
            for (column, value) in pool.growing.iter_mut().zip(std::iter::once(time).chain(totals)) {
                column.push(value);
            }
        }
    }
}

impl Pools {
    /// Leaves out samples more than a day from the median of all; gives how many, and the first time. To be called before
    /// [`Pools::settle`].
    pub fn leave_out_far(&mut self) -> (u64, Option<i64>) {
        self.list.iter_mut().for_each(Pool::gather);
        let all = self.list.iter().map(|pool| pool.time.len()).sum::<usize>();
        let times = || self.list.iter().flat_map(|pool| &pool.time).copied();
        let sample: Vec<i64> = times().step_by(all / MOST_SAMPLED + 1).collect();
        let Some(is_far) = axis::far_off(&sample) else { return (0, None) };
        let far = || times().filter(|time| is_far(*time));
        let (count, first) = (far().count() as u64, far().next());
        if count > 0 {
            self.list.iter_mut().for_each(|pool| pool.leave_out(is_far));
            self.list.retain(|pool| !pool.time.is_empty());
            let times = || self.list.iter().flat_map(|pool| &pool.time).copied();
            self.window = times().min().zip(times().max());
        }
        (count, first)
    }

    fn count_without_total(&mut self) {
        for pool in &self.list {
            let missing = pool.totals.first().map_or(0, |column| column.iter().filter(|t| **t == NONE).count());
            // Of some pools (the whole process) Total Allocated is never recorded.
            let has_totals = pool.is_framework() || [GE, WORKSPACE].contains(&pool.component.as_str());
            if missing > 0 && (missing < pool.time.len() || has_totals && !self.lacks_totals) {
                self.without_total.0 += missing as u64;
                self.without_total.1.get_or_insert_with(|| format!("{}, {}", pool.component, pool.device));
            }
        }
    }

    /// Sorts every pool by time, ties in file order; to be called once the file is read.
    pub fn settle(&mut self) {
        self.list.iter_mut().for_each(Pool::gather);
        self.count_without_total();
        self.places = HashMap::new();
        self.time_axis_lost = axis::is_lost(self.list.iter().flat_map(|pool| &pool.time).copied());
        self.adopt_samples_without_device();
        for pool in &mut self.list {
            pool.sort();
            let count = pool.leave_out_repeated();
            if count > 0 {
                self.repeated.0 += count;
                self.repeated.1.get_or_insert_with(|| format!("{}, {}", pool.component, pool.device));
                // One of the sum came with each of them.
                let is_of = |name: &str| name.split('+').any(|part| part == pool.component);
                for (_, known) in self.counts.iter_mut().filter(|(name, _)| is_of(name)) {
                    *known = known.saturating_sub(count);
                }
            }
        }
        self.list.sort_by_key(|pool| match pool.component.as_str() {
            _ if pool.is_framework() => 0,
            GE => 1,
            WORKSPACE => 2,
            _ => 3,
        });
    }

    /// Samples whose device cell is empty belong to the component's only pool, if there is only one.
    fn adopt_samples_without_device(&mut self) {
        let (lost, mut kept): (Vec<Pool>, Vec<Pool>) =
            std::mem::take(&mut self.list).into_iter().partition(|pool| pool.device.is_empty());
        for pool in lost {
            let mut same = kept.iter_mut().filter(|other| other.component == pool.component);
            match (same.next(), same.next()) {
                (Some(only), None) => only.take_over(pool),
                _ => kept.push(pool),
            }
        }
        self.list = kept;
    }

    /// Pools without one sample that have rows, or that must have had samples as the sum of pools has more than its other part: the
    /// writers add one sample of the sum after each of a part.
    pub fn without_samples(&self, rows: &Rows) -> Vec<&str> {
        let is_framework = |name: &str| FRAMEWORK_POOLS.contains(&name);
        let count = |is_it: &dyn Fn(&str) -> bool| -> u64 {
            self.counts.iter().filter(|(name, _)| is_it(name)).map(|(_, count)| *count).sum()
        };
        let is_ge = |name: &str| name == GE;
        let sum = if self.is_mindspore { 0 } else { count(&|name| name.contains('+')) };
        let [framework, ge] = [count(&is_framework), count(&is_ge)];
        let has_rows = |component| rows.component.contains(&component);
        let missing = |own: u64, other: u64, component| own == 0 && (sum > other || has_rows(component));
        let mut found = Vec::new();
        if missing(framework, ge, Component::Framework) {
            found.push(self.framework_name());
        }
        if missing(ge, framework, Component::Ge) {
            found.push(GE);
        }
        found
    }

    /// The name rows of the framework's pool go by.
    pub fn framework_name(&self) -> &str {
        let recorded = FRAMEWORK_POOLS.iter().find(|name| self.list.iter().any(|pool| pool.component == **name));
        recorded.copied().unwrap_or(if self.is_mindspore { MINDSPORE } else { "PTA" })
    }

    /// Answers for any time whether a workspace sample, and none of the framework's pool, has exactly this time.
    pub fn workspace_times(&self) -> impl Fn(i64) -> bool {
        let (workspace, framework): (Vec<&Pool>, Vec<&Pool>) = self
            .list
            .iter()
            .filter(|pool| pool.component == WORKSPACE || pool.is_framework())
            .partition(|pool| pool.component == WORKSPACE);
        let has = |pools: &[&Pool], time: i64| pools.iter().any(|pool| pool.time.binary_search(&time).is_ok());
        move |time| has(&workspace, time) && !has(&framework, time)
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        self.list.iter().map(|p| (p.time.capacity() + p.totals.iter().map(Vec::capacity).sum::<usize>()) * 8).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::number::Number;

    #[test]
    fn a_sum_tells_of_the_part_that_is_gone() {
        let of = |samples: &[(&str, i64)]| {
            let mut pools = Pools::default();
            for (component, count) in samples {
                for at in 0..*count {
                    let number = Number { units: at, exact: None };
                    pools.record(&PoolRecord { component, time: number, totals: [Some(number); 3], device: "" });
                }
            }
            pools.settle();
            pools.without_samples(&Rows::default()).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(of(&[("PTA", 5), ("GE", 2), ("PTA+GE", 7), ("APP", 1)]), [] as [&str; 0]);
        assert_eq!(of(&[("PTA", 5), ("PTA+GE", 5)]), [] as [&str; 0]);
        assert_eq!(of(&[("GE", 2), ("APP", 1)]), [] as [&str; 0]);
        assert_eq!(of(&[("PTA", 5), ("PTA+GE", 7)]), ["GE"]);
        assert_eq!(of(&[("GE", 2), ("PTA+GE", 7)]), ["PTA"]);
        assert_eq!(of(&[("PTA+GE", 7)]), ["PTA", "GE"]);
    }

    #[test]
    fn a_record_takes_32_bytes_and_a_sum_of_pools_none() {
        let mut pools = Pools::default();
        let number = |units| Number { units, exact: None };
        let stored = 150_001;
        for at in 0..stored {
            for component in ["PTA", "PTA+GE"] {
                let totals = [Some(number(at)), Some(number(2 * at)), Some(number(at))];
                pools.record(&PoolRecord { component, time: number(at), totals, device: "NPU:0" });
            }
        }
        pools.settle();
        assert_eq!(pools.kept_bytes() as i64, 32 * stored);
        assert_eq!(pools.counts["PTA+GE"] as i64, stored);
        let [pool] = pools.list.as_slice() else { panic!("{} pools", pools.list.len()) };
        assert!((0..stored).eq(pool.time.iter().copied()) && (0..stored).eq(pool.totals[2].iter().copied()));
    }
}
