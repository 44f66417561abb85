//! The samples of npu_module_mem.csv as columns, one set a component. Most components never hold anything: of those nothing is kept.

use std::collections::HashMap;

use super::axis;
use super::rows::NONE;
use crate::read::module_memory::{ModuleRecord, ModuleSink};

/// Most components of all devices: the driver has about eighty a device.
const MAX_MODULES: usize = 4096;

/// Times looked at to tell which are far off.
const MOST_SAMPLED: usize = 1 << 16;

/// What one component of the driver reserved on one device.
#[derive(Debug, Default)]
pub struct Module {
    /// As recorded.
    pub component: String,
    /// As recorded.
    pub device: String,
    /// Samples in the file, those of nothing included.
    pub records: u64,
    /// Ascending, ns. Empty for a component that never held anything.
    pub time: Vec<i64>,
    /// Bytes, or [`NONE`] where only a release was seen.
    pub reserved: Vec<i64>,
    /// First and last sample of nothing, while there was no other.
    empty: Option<(i64, i64)>,
}

impl Module {
    fn push(&mut self, time: i64, reserved: Option<i64>) {
        self.records += 1;
        if self.time.is_empty() && reserved.is_none_or(|bytes| bytes == 0) {
            self.empty = Some(self.empty.map_or((time, time), |(from, to)| (from.min(time), to.max(time))));
            return;
        }
        if let Some((from, to)) = self.empty.take() {
            self.time.push(from);
            self.reserved.push(0);
            if to != from {
                self.time.push(to);
                self.reserved.push(0);
            }
        }
        self.time.push(time);
        self.reserved.push(reserved.unwrap_or(NONE));
    }

    fn leave_out(&mut self, is_far: impl Fn(i64) -> bool) {
        let keep: Vec<bool> = self.time.iter().map(|time| !is_far(*time)).collect();
        for column in [&mut self.time, &mut self.reserved] {
            let mut keep = keep.iter();
            column.retain(|_| keep.next().copied().unwrap_or(true));
        }
    }

    fn settle(&mut self) {
        if !self.time.is_sorted() {
            let mut samples: Vec<(i64, i64)> = self.time.drain(..).zip(self.reserved.drain(..)).collect();
            samples.sort_by_key(|(time, _)| *time);
            (self.time, self.reserved) = samples.into_iter().unzip();
        }
        self.time.shrink_to_fit();
        self.reserved.shrink_to_fit();
    }
}

/// All components, in the order of their first sample.
#[derive(Debug, Default)]
pub struct Modules {
    /// One for each component and device.
    pub list: Vec<Module>,
    /// Samples of components beyond the most that are kept.
    pub lost: u64,
    last: usize,
    places: HashMap<(String, String), usize>,
}

impl ModuleSink for Modules {
    fn module(&mut self, record: &ModuleRecord<'_>) {
        let is_it = |module: &Module| module.component == record.component && module.device == record.device;
        if !self.list.get(self.last).is_some_and(is_it) {
            let key = (record.component.to_owned(), record.device.to_owned());
            self.last = match self.places.get(&key) {
                Some(place) => *place,
                None if self.list.len() >= MAX_MODULES => {
                    self.lost += 1;
                    return;
                }
                None => {
                    let (component, device) = key.clone();
                    self.list.push(Module { component, device, ..Module::default() });
                    self.places.insert(key, self.list.len() - 1);
                    self.list.len() - 1
                }
            };
        }
        if let Some(module) = self.list.get_mut(self.last) {
            module.push(record.time.units, record.reserved);
        }
    }
}

impl Modules {
    /// Leaves out samples more than a day from the median of all; gives how many, and the first time. To be called before
    /// [`Modules::settle`].
    pub fn leave_out_far(&mut self) -> (u64, Option<i64>) {
        let all = self.list.iter().map(|module| module.time.len()).sum::<usize>();
        let times = || self.list.iter().flat_map(|module| &module.time).copied();
        let sample: Vec<i64> = times().step_by(all / MOST_SAMPLED + 1).collect();
        let Some(is_far) = axis::far_off(&sample) else { return (0, None) };
        let far = || times().filter(|time| is_far(*time));
        let (count, first) = (far().count() as u64, far().next());
        if count > 0 {
            self.list.iter_mut().for_each(|module| module.leave_out(is_far));
        }
        (count, first)
    }

    /// First and last sample of any component that held something, ns.
    pub fn window(&self) -> Option<(i64, i64)> {
        let times = || self.list.iter().flat_map(|module| &module.time).copied();
        times().min().zip(times().max())
    }

    /// Whether a spreadsheet rounded the times until they mean nothing.
    pub fn time_axis_lost(&self) -> bool {
        axis::is_lost(self.list.iter().flat_map(|module| &module.time).copied())
    }

    /// Sorts every component by time, and lets go of those that never held anything.
    pub fn settle(&mut self) {
        self.list.iter_mut().for_each(Module::settle);
        self.list.retain(|module| !module.time.is_empty());
        self.list.shrink_to_fit();
        self.places = HashMap::new();
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        self.list.iter().map(|m| (m.time.capacity() + m.reserved.capacity()) * 8).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::number::Number;

    fn sample(modules: &mut Modules, component: &str, time: i64, reserved: Option<i64>) {
        let time = Number { units: time, exact: None };
        modules.module(&ModuleRecord { component, time, reserved, device: "NPU:0" });
    }

    #[test]
    fn keeps_the_samples_of_components_that_hold_something() {
        let mut modules = Modules::default();
        for time in 1..=5 {
            sample(&mut modules, "SLOG", time, Some(0));
        }
        for (time, reserved) in [(1, Some(0)), (2, None), (3, Some(0)), (5, Some(8)), (4, None), (6, Some(0))] {
            sample(&mut modules, "HCCL", time, reserved);
        }
        modules.settle();
        let [only] = modules.list.as_slice() else { panic!("{modules:?}") };
        assert_eq!((only.component.as_str(), only.records), ("HCCL", 6));
        assert_eq!((only.time.as_slice(), only.reserved.as_slice()), (&[1, 3, 4, 5, 6][..], &[0, 0, NONE, 8, 0][..]));
    }
}
