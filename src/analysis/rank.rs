//! One rank, ready for questions: rows and call sites, and for each pool its curves and its blocks.

#![allow(clippy::indexing_slicing, reason = "row and pool indices come from the columns' own lengths")]

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::answer::{
    Balance, Extreme, ModuleSummary, PlanCurve, PoolKey, StaticSummary, Timeline, Top, TopQuery, Totals,
};
use super::check::Check;
use super::checks::{self, Member};
use super::curves::Curves;
use super::early;
use super::keys::Keys;
use super::kinds::Kinds;
use super::live::LatestEnds;
use super::outside;
use super::paths::{PathOf, SitePaths};
use super::pool::PoolCurves;
use super::timeline::timeline;
use super::top::LiveSet;
use super::{modules, plan};
use crate::model::modules::Modules;
use crate::model::plan::Plan;
use crate::model::pools::Pools;
use crate::model::rows::{Component, GE, NONE, Rows, WORKSPACE};
use crate::model::sites::Sites;
use crate::model::spans::Step;

/// A rank whose files are read and whose rows are matched.
pub struct Rank {
    pub(crate) rows: Rows,
    pub(crate) sites: Sites,
    pub(crate) steps: Vec<Step>,
    pub(crate) pools: Vec<Curves>,
    pub(crate) checks: Vec<Check>,
    /// The blocks of each pool, by allocation time.
    blocks: Vec<Vec<u32>>,
    /// Over the ends of these.
    ends: Vec<LatestEnds>,
    kinds: Vec<Kinds>,
    framework: Option<usize>,
    pub(crate) framework_name: String,
    pub(crate) record_counts: BTreeMap<String, u64>,
    pub(crate) window: Option<(i64, i64)>,
    /// Whether the pools' times were rounded until they mean nothing.
    pub(crate) times_lost: bool,
    modules: Modules,
    plan: Plan,
    /// Made when first asked for: most ranks of a run never are.
    paths: [OnceLock<SitePaths>; PathOf::ALL.len()],
}

impl Rank {
    /// A rank of matched rows.
    pub fn new(rows: Rows, sites: Sites, steps: Vec<Step>, recorded: Pools) -> Rank {
        Rank::of_tables(rows, recorded).matched(sites, steps)
    }

    /// Builds the curves: all that the memory tables alone tell, so that what is kept only for that is let go of before the trace
    /// is read. `rows` and `pools` must be settled; the rows are to be matched, then [`Rank::matched`] makes it whole.
    ///
    /// Where a table has lost its time axis, or does not tell when blocks are released, nothing is said that rests on it: neither
    /// what was live nor a baseline.
    pub fn of_tables(mut rows: Rows, mut recorded: Pools) -> Rank {
        let lost = !rows.tells_live();
        if recorded.time_axis_lost && !rows.is_empty() && !lost {
            recorded.list.clear();
            recorded.window = None;
        }
        let times_lost = if recorded.list.is_empty() { rows.time_axis_lost } else { recorded.time_axis_lost };
        let framework_name = recorded.framework_name().to_owned();
        let mut split = Split::default();
        for pool in &recorded.list {
            split.add(PoolKey { component: pool.component.clone(), device: pool.device.clone() });
        }
        for &row in &rows.order {
            let component = match rows.component[row as usize] {
                Component::Framework => framework_name.as_str(),
                Component::Ge => GE,
                Component::Workspace => WORKSPACE,
            };
            let device = rows.labels.text(rows.device[row as usize]);
            let slot = split.slot(component, device);
            let list = if rows.is_drop(row as usize) { &mut split.drops } else { &mut split.blocks };
            list[slot].push(row);
        }
        let mut window = recorded.window.filter(|_| !recorded.time_axis_lost);
        for row in 0..if rows.time_axis_lost { 0 } else { rows.len() } {
            for time in [rows.time[row], rows.release[row], rows.active_release[row]] {
                if time != NONE {
                    window = Some(window.map_or((time, time), |(from, to)| (from.min(time), to.max(time))));
                }
            }
        }
        let Split { keys, blocks, drops, .. } = split;
        let mut recorded_pools = recorded.list.into_iter();
        let mut pools: Vec<(PoolCurves, Vec<u32>, Vec<u32>)> = Vec::new();
        for ((key, mut blocks), mut drops) in keys.into_iter().zip(blocks).zip(drops) {
            // The graph engine's totals beside a release do not show it yet.
            let tells_early = !lost && key.component != GE;
            let mut curves = match recorded_pools.next() {
                Some(pool) => {
                    if tells_early {
                        early::tell(
                            &mut rows,
                            &blocks,
                            pool.time.iter().copied().zip(pool.totals[0].iter().copied()),
                            true,
                        );
                    }
                    PoolCurves::recorded(key, pool.time, pool.totals, &rows, &blocks, &drops)
                }
                None => {
                    if tells_early {
                        let totals = early::totals_beside(&rows, &blocks, &drops);
                        early::tell(&mut rows, &blocks, totals.into_iter(), false);
                    }
                    PoolCurves::derived(key, &rows, &blocks, &drops)
                }
            };
            if curves.key.component == checks::MINDSPORE && curves.mostly_differs() {
                curves.forget_rows();
            }
            if lost {
                curves.forget_rows();
                (blocks, drops) = (Vec::new(), Vec::new());
            }
            pools.push((curves, blocks, drops));
        }
        let rank_of = |key: &PoolKey| match key.component.as_str() {
            name if name == framework_name => 0,
            GE => 1,
            WORKSPACE => 2,
            _ => 3,
        };
        pools.sort_by_key(|(curves, ..)| rank_of(&curves.key));
        outside::add(&mut pools);
        let members = pools.iter().map(|(curves, blocks, drops)| Member::new(curves, blocks, drops));
        let checks = if lost || recorded.time_axis_lost && rows.is_empty() {
            checks::checks(&Rows::default(), Vec::new())
        } else {
            checks::checks(&rows, members.collect())
        };
        rows.forget_release_totals();
        let pools = pools.into_iter().map(|(curves, blocks, _)| (Curves::from(curves), blocks));
        let (pools, mut blocks): (Vec<Curves>, Vec<Vec<u32>>) = pools.unzip();
        blocks.iter_mut().for_each(Vec::shrink_to_fit);
        let ends_of = |blocks: &Vec<u32>| LatestEnds::new(blocks.len(), |at| rows.live_end(blocks[at] as usize));
        let ends = blocks.iter().map(ends_of).collect();
        let framework = framework_pool(&pools, &framework_name);
        Rank {
            rows,
            sites: Sites::default(),
            steps: Vec::new(),
            pools,
            checks,
            blocks,
            ends,
            kinds: Vec::new(),
            framework,
            framework_name,
            record_counts: recorded.counts,
            window,
            times_lost,
            modules: Modules::default(),
            plan: Plan::default(),
            paths: Default::default(),
        }
    }

    /// Takes the call sites the rows were matched to, and the recording's steps.
    pub fn matched(mut self, sites: Sites, steps: Vec<Step>) -> Rank {
        self.kinds = self.blocks.iter().map(|blocks| Kinds::new(&self.rows, blocks)).collect();
        (self.sites, self.steps) = (sites, steps);
        self
    }

    /// The samples of the whole process's memory, a list a device: time in ns, and reserved bytes or [`NONE`].
    pub fn process_samples(&self) -> Vec<Vec<(i64, i64)>> {
        let processes = self.pools.iter().filter(|pool| pool.key.component == outside::APP);
        let reserved = |pool: &Curves, at| pool.totals[outside::RESERVED].numbers.at(at);
        processes.map(|pool| (0..).zip(&pool.time).map(|(at, time)| (*time, reserved(pool, at))).collect()).collect()
    }

    /// Adds what the driver's components reserved (settled), and the plans of static graphs. Times are told from the components'
    /// first sample where there is nothing else.
    pub fn with_others(mut self, modules: Modules, plan: Plan) -> Rank {
        self.window = self.window.or_else(|| modules.window().filter(|_| !modules.time_axis_lost()));
        self.modules = modules;
        self.plan = plan;
        self
    }

    /// Whether the times of the driver's components were rounded until they mean nothing.
    pub(crate) fn module_times_lost(&self) -> bool {
        self.modules.time_axis_lost()
    }

    pub(crate) fn module_summaries(&self) -> Vec<ModuleSummary> {
        modules::summaries(&self.modules)
    }

    pub(crate) fn static_summaries(&self) -> Vec<StaticSummary> {
        plan::summaries(&self.plan)
    }

    /// The driver's components between two times, for so many pixel columns.
    pub fn module_timeline(&self, start_ns: i64, end_ns: i64, columns: u32) -> Timeline {
        Timeline { start_ns, end_ns, series: modules::curves(&self.modules, start_ns, end_ns, columns) }
    }

    /// What the static graph of that place in the summary needs over its nodes.
    pub fn plan_curve(&self, graph: usize) -> Option<PlanCurve> {
        self.plan.graphs.get(graph).map(plan::curve)
    }

    /// The same between two nodes, for so many pixel columns.
    pub fn plan_timeline(&self, graph: usize, first: i64, last: i64, columns: u32) -> Option<Timeline> {
        self.plan.graphs.get(graph).map(|graph| plan::timeline(graph, first, last, columns))
    }

    /// Operators of a static graph.
    pub fn plan_table(&self, query: &plan::PlanQuery) -> plan::PlanTable {
        plan::table(&self.plan, query)
    }

    /// The framework's pool; of several devices the one with the highest peak.
    pub(crate) fn framework_pool(&self) -> Option<usize> {
        self.framework
    }

    pub(crate) fn pool_index(&self, key: Option<&PoolKey>) -> Option<usize> {
        match key {
            None => self.framework_pool(),
            Some(key) => self.pools.iter().position(|pool| pool.key == *key),
        }
    }

    /// Peak of the framework pool's allocated memory.
    pub fn peak(&self) -> Option<Extreme> {
        self.pools[self.framework_pool()?].peaks().allocated
    }

    /// By how many bytes the framework pool's allocated total grew from its first record to its last.
    pub(crate) fn window_growth(&self) -> Option<i64> {
        let totals = &self.pools[self.framework_pool()?].totals[0].numbers;
        let mut known = (0..totals.len()).map(|at| totals.at(at)).filter(|total| *total != NONE);
        let first = known.next()?;
        Some(known.next_back().unwrap_or(first).saturating_sub(first))
    }

    /// See [`TopQuery`].
    pub fn top(&self, query: &TopQuery) -> Top {
        self.top_of(query, None)
    }

    /// The same of the blocks that are released within so many ns of their allocation: the temporaries in the live set.
    pub fn temporaries(&self, query: &TopQuery, within_ns: i64) -> Top {
        self.top_of(query, Some(within_ns))
    }

    fn top_of(&self, query: &TopQuery, within_ns: Option<i64>) -> Top {
        match self.pool_index(query.pool.as_ref()) {
            Some(at) => self.live_set(at).top(query, Some(self.pools[at].key.clone()), within_ns),
            None => Top::empty(query.at_ns),
        }
    }

    /// Who the live blocks of the pool in that place are.
    pub(crate) fn live_set(&self, pool: usize) -> LiveSet<'_> {
        LiveSet { keys: self.keys(), blocks: &self.blocks[pool], ends: &self.ends[pool], kinds: &self.kinds[pool] }
    }

    /// By what the rows can be grouped.
    pub(crate) fn keys(&self) -> Keys<'_> {
        Keys { rows: &self.rows, sites: &self.sites }
    }

    /// The call sites as paths.
    pub(crate) fn paths(&self, of: PathOf) -> &SitePaths {
        self.paths[of as usize].get_or_init(|| SitePaths::new(&self.sites, of))
    }

    /// The blocks of the pool in that place, by allocation time.
    pub(crate) fn blocks_of(&self, pool: usize) -> &[u32] {
        &self.blocks[pool]
    }

    /// See [`Timeline`].
    pub fn timeline(&self, start_ns: i64, end_ns: i64, columns: u32) -> Timeline {
        timeline(&self.pools, start_ns, end_ns, columns)
    }

    /// Every pool's totals as they stood at a time.
    pub fn totals_at(&self, at_ns: i64) -> Vec<Totals> {
        self.pools
            .iter()
            .map(|pool| Totals {
                pool: pool.key.clone(),
                allocated: pool.total_at(0, at_ns),
                reserved: pool.total_at(1, at_ns),
                active: pool.total_at(2, at_ns),
                baseline: (!pool.baseline.is_empty()).then(|| pool.baseline_at(at_ns)),
                outside: pool.outside_at(at_ns),
            })
            .collect()
    }

    /// What the rows add up to beside what the recording says, for one pool (`None`: the framework's).
    pub fn balance(&self, at_ns: i64, pool: Option<&PoolKey>) -> Option<Balance> {
        let at = self.pool_index(pool).filter(|_| self.rows.tells_live())?;
        let pool = &self.pools[at];
        if pool.baseline.is_empty() && !self.blocks[at].is_empty() {
            return None;
        }
        let (rows_bytes, rows) = pool.row_sums.at(&self.rows, &self.blocks[at], at_ns);
        Some(Balance {
            at_ns,
            pool: pool.key.clone(),
            rows_bytes,
            rows: u64::try_from(rows).unwrap_or(0),
            baseline_bytes: pool.baseline_at(at_ns),
            recorded_bytes: pool.total_at(0, at_ns),
            source: pool.source,
        })
    }

    /// Bytes held by what stays for questions.
    pub fn kept(&self) -> Kept {
        let lists = self.blocks.iter().map(|list| list.capacity() * 4);
        let of_curves = self.pools.iter().map(Curves::kept_bytes);
        let (records, record_index) = of_curves.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1));
        let row_sums = self.pools.iter().map(|pool| pool.row_sums.kept_bytes());
        let paths = self.paths.iter().filter_map(OnceLock::get);
        Kept {
            blocks: self.rows.column_bytes() + lists.sum::<usize>(),
            block_index: row_sums.sum::<usize>()
                + self.ends.iter().map(LatestEnds::kept_bytes).sum::<usize>()
                + self.kinds.iter().map(Kinds::kept_bytes).sum::<usize>(),
            records,
            record_index,
            texts: self.rows.text_bytes() + self.sites.kept_bytes() + paths.map(SitePaths::kept_bytes).sum::<usize>(),
            others: self.modules.kept_bytes() + self.plan.kept_bytes(),
        }
    }
}

/// Bytes of what is kept of a rank, by what it is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    /// Columns of the rows.
    pub blocks: usize,
    /// What finds live blocks and their sums.
    pub block_index: usize,
    /// The pools' curves.
    pub records: usize,
    /// What reduces them to a screen.
    pub record_index: usize,
    /// Names, stacks and call sites.
    pub texts: usize,
    /// The driver's components and static graphs.
    pub others: usize,
}

/// Of the pools with that name the one with the highest peak, the first of equal ones.
fn framework_pool(pools: &[Curves], name: &str) -> Option<usize> {
    let peak = |pool: &Curves| pool.peaks().allocated.map_or(0, |peak| peak.bytes);
    let named = pools.iter().enumerate().filter(|(_, pool)| pool.key.component == name);
    named.max_by_key(|(at, pool)| (peak(pool), std::cmp::Reverse(*at))).map(|(at, _)| at)
}

/// Rows dealt out to pools.
#[derive(Default)]
struct Split {
    keys: Vec<PoolKey>,
    blocks: Vec<Vec<u32>>,
    drops: Vec<Vec<u32>>,
    /// The place of each component and device asked for so far.
    places: FxHashMap<PoolKey, usize>,
    last: usize,
}

impl Split {
    /// The pool of a component and device; a table without a device column goes to the component's only pool.
    fn slot(&mut self, component: &str, device: &str) -> usize {
        // Rows of one pool come in runs.
        if self.keys.get(self.last).is_some_and(|key| key.component == component && key.device == device) {
            return self.last;
        }
        let key = PoolKey { component: component.to_owned(), device: device.to_owned() };
        let place = match self.places.get(&key) {
            Some(place) => *place,
            None => {
                let only = self.only_pool(&key);
                if let Some(place) = only {
                    self.places.insert(key, place);
                }
                only.unwrap_or_else(|| self.add(PoolKey { component: component.to_owned(), device: device.to_owned() }))
            }
        };
        self.last = place;
        place
    }

    /// A pool of its own.
    fn add(&mut self, key: PoolKey) -> usize {
        let place = self.keys.len();
        self.places.insert(key.clone(), place);
        self.keys.push(key);
        self.blocks.push(Vec::new());
        self.drops.push(Vec::new());
        place
    }

    fn only_pool(&self, key: &PoolKey) -> Option<usize> {
        if !key.device.is_empty() {
            return None;
        }
        let mut same = (0..self.keys.len()).filter(|at| self.keys[*at].component == key.component);
        same.next().filter(|_| same.next().is_none())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::match_kind::MatchKind;
    use crate::model::rows::NO_SITE;
    use crate::model::rows::tests::add;
    use crate::model::sites::tests::of_stacks;
    use proptest::prelude::*;

    /// Stacks of [`rank`]; site 3 is none.
    pub(crate) const STACKS: [&str; 3] =
        ["/w/a.py(1): f", "/x/site-packages/t.py(1): g;/w/a.py(1): f", "<string>(1): h"];

    /// A block: size, allocation, how long it lasts, site, kind.
    pub(crate) type Block = (i64, i64, Option<i64>, usize, usize);

    /// Blocks over 0..100 ns.
    pub(crate) fn blocks() -> impl Strategy<Value = Vec<Block>> {
        prop::collection::vec((0i64..50, 0i64..100, prop::option::of(0i64..60), 0usize..4, 0usize..7), 1..150)
    }

    /// A match kind that fits the site.
    pub(crate) fn kind_of(block: &Block) -> MatchKind {
        if block.3 < STACKS.len() { MatchKind::ALL[block.4 % 5] } else { MatchKind::ALL[5 + block.4 % 2] }
    }

    /// The stack of a block.
    pub(crate) fn stack_of(block: &Block) -> Option<&'static str> {
        STACKS.get(block.3).copied()
    }

    /// Whether a block is live at a time.
    pub(crate) fn is_live(block: &Block, at: i64) -> bool {
        block.1 <= at && block.2.is_none_or(|lasts| at < block.1 + lasts)
    }

    /// A rank of these blocks and steps, without totals.
    pub(crate) fn rank(blocks: &[Block], steps: &[(i64, i64)]) -> Rank {
        rank_over(blocks, &STACKS, steps)
    }

    /// The same of other stacks; a site beyond them is none.
    pub(crate) fn rank_over(blocks: &[Block], stacks: &[&str], steps: &[(i64, i64)]) -> Rank {
        let mut rows = Rows::default();
        for block in blocks {
            add(&mut rows, "aten::a", block.0, block.1, block.2.map(|lasts| block.1 + lasts), None);
        }
        rows.settle(&Pools::default());
        for (at, block) in blocks.iter().enumerate() {
            rows.site[at] = if block.3 < stacks.len() { block.3 as u32 } else { NO_SITE };
            rows.kind[at] = kind_of(block);
        }
        let step = |(at, (start, end)): (usize, &(i64, i64))| Step {
            name: format!("ProfilerStep#{at}"),
            start: *start,
            end: *end,
        };
        let steps = steps.iter().enumerate().map(step).collect();
        Rank::new(rows, of_stacks(stacks), steps, Pools::default())
    }
}
