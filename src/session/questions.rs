//! Questions to a rank that is ready, each answered in the size of a screen. Before it is ready every answer is empty.

use super::{Ready, Session};
use crate::analysis::answer::{Balance, Extreme, GroupBy, PlanCurve, PoolKey, Timeline, Top, TopQuery, Totals};
use crate::analysis::breakdown::Breakdown;
use crate::analysis::check::CheckKind;
use crate::analysis::churn::{Churn, ChurnQuery};
use crate::analysis::facts::RankFacts;
use crate::analysis::findings::Finding;
use crate::analysis::growth::{Growth, GrowthQuery};
use crate::analysis::plan::{PlanQuery, PlanTable};
use crate::analysis::reserved::{Reserved, ReservedQuery, UnusedCurves};
use crate::analysis::sandwich::{FrameSums, FramesQuery, Sandwich, SandwichQuery};
use crate::analysis::side::{Side, SideQuery};
use crate::analysis::steps::{Moment, Of, StepSpan};
use crate::analysis::tree::{Tree, TreeQuery};
use crate::export::report::{COLUMNS, GROUPS, OfRank};
use crate::model::spans::Step;

impl Session {
    /// Curves between two times for so many pixel columns.
    pub fn timeline(&self, start_ns: i64, end_ns: i64, columns: u32) -> Timeline {
        match &self.ready {
            Some(ready) => ready.rank.timeline(start_ns, end_ns, columns),
            None => Timeline { start_ns, end_ns, series: Vec::new() },
        }
    }

    /// What the driver's components reserved between two times, for so many pixel columns.
    pub fn module_timeline(&self, start_ns: i64, end_ns: i64, columns: u32) -> Timeline {
        match &self.ready {
            Some(ready) => ready.rank.module_timeline(start_ns, end_ns, columns),
            None => Timeline { start_ns, end_ns, series: Vec::new() },
        }
    }

    /// What a static graph needs over its nodes; `graph` is its place in [`crate::analysis::answer::Summary::static_memory`].
    pub fn plan_curve(&self, graph: usize) -> Option<PlanCurve> {
        self.ready.as_ref().and_then(|ready| ready.rank.plan_curve(graph))
    }

    /// The same between two nodes, for so many pixel columns: a timeline whose times are nodes.
    pub fn plan_timeline(&self, graph: usize, first: i64, last: i64, columns: u32) -> Option<Timeline> {
        self.ready.as_ref().and_then(|ready| ready.rank.plan_timeline(graph, first, last, columns))
    }

    /// Operators of a static graph.
    pub fn plan_table(&self, query: &PlanQuery) -> PlanTable {
        self.ready.as_ref().map(|ready| ready.rank.plan_table(query)).unwrap_or_default()
    }

    /// ProfilerStep spans of the recording.
    pub fn steps(&self) -> &[Step] {
        self.ready.as_ref().map(|ready| ready.rank.steps.as_slice()).unwrap_or_default()
    }

    /// Every pool's totals as they stood at a time.
    pub fn totals_at(&self, at_ns: i64) -> Vec<Totals> {
        self.ready.as_ref().map(|ready| ready.rank.totals_at(at_ns)).unwrap_or_default()
    }

    /// Rows and baseline beside the recorded total of the framework's pool.
    pub fn balance(&self, at_ns: i64) -> Option<Balance> {
        self.balance_of(at_ns, None)
    }

    /// Rows and baseline beside the recorded total of a pool.
    pub fn balance_of(&self, at_ns: i64, pool: Option<&PoolKey>) -> Option<Balance> {
        self.ready.as_ref().and_then(|ready| ready.rank.balance(at_ns, pool))
    }

    /// The largest groups of a pool's live set.
    pub fn top(&self, query: &TopQuery) -> Top {
        match &self.ready {
            Some(ready) => ready.rank.top(query),
            None => Top::empty(query.at_ns),
        }
    }

    /// The largest groups of a pool's live set beside what no row tells: together the recorded total.
    pub fn breakdown(&self, query: &TopQuery) -> Breakdown {
        match &self.ready {
            Some(ready) => ready.rank.breakdown(query),
            None => Breakdown { top: Top::empty(query.at_ns), beside: None },
        }
    }

    /// This rank's side of a comparison; see [`crate::analysis::compare::compare`].
    pub fn side(&self, query: &SideQuery) -> Side {
        let side = self.ready.as_ref().and_then(|ready| ready.rank.side(query, &ready.summary));
        side.unwrap_or_else(|| Side::empty(query.by))
    }

    /// The most a pool had allocated between two times, both included; what stood at the first of them counts.
    pub fn highest_between(&self, pool: Option<&PoolKey>, from_ns: i64, to_ns: i64) -> Option<Extreme> {
        self.ready.as_ref().and_then(|ready| ready.rank.highest_between(pool, from_ns, to_ns))
    }

    /// A pool's blocks as a tree over the frames of their call stacks, or over modules.
    pub fn tree(&self, query: &TreeQuery) -> Tree {
        self.ready.as_ref().map(|ready| ready.rank.tree(query)).unwrap_or_default()
    }

    /// Callers and callees of one frame; `None` if no call stack has it.
    pub fn sandwich(&self, query: &SandwichQuery) -> Option<Sandwich> {
        self.ready.as_ref().and_then(|ready| ready.rank.sandwich(query))
    }

    /// The frames with the most bytes.
    pub fn frames(&self, query: &FramesQuery) -> FrameSums {
        self.ready.as_ref().map(|ready| ready.rank.frames(query)).unwrap_or_default()
    }

    /// What grew between two times; `None` before the rank is ready.
    pub fn growth(&self, query: &GrowthQuery) -> Option<Growth> {
        self.ready.as_ref().map(|ready| ready.rank.growth(query))
    }

    /// A pool's reserved memory: what of it is not allocated, and what made it grow.
    pub fn reserved(&self, query: &ReservedQuery) -> Option<Reserved> {
        self.ready.as_ref().and_then(|ready| ready.rank.reserved(query))
    }

    /// What of a pool's reserved memory is not allocated, over time, for so many pixel columns.
    pub fn unused_curves(&self, query: &ReservedQuery, columns: u32) -> Option<UnusedCurves> {
        self.ready.as_ref().map(|ready| ready.rank.unused_curves(query, columns))
    }

    /// Short-lived blocks by stack.
    pub fn churn(&self, query: &ChurnQuery) -> Churn {
        self.ready.as_ref().map(|ready| ready.rank.churn(query)).unwrap_or_default()
    }

    /// Of what is live at a time the blocks that are released within so many ns of their allocation, grouped: the largest groups.
    pub fn temporaries(&self, query: &TopQuery, within_ns: i64) -> Top {
        match &self.ready {
            Some(ready) => ready.rank.temporaries(query, within_ns),
            None => Top::empty(query.at_ns),
        }
    }

    /// The most the process held beside its pools, and when; of several devices the one with the most.
    pub fn outside_peak(&self) -> Option<Extreme> {
        let checks = self.summary().checks.iter().filter(|check| check.kind == CheckKind::OutsidePools);
        let peaks = checks.filter_map(|check| Some(Extreme { bytes: check.bytes?, time_ns: check.first_ns? }));
        peaks.max_by_key(|peak| (peak.bytes, std::cmp::Reverse(peak.time_ns)))
    }

    /// The recording's steps by start.
    pub fn steps_in_order(&self) -> Vec<StepSpan> {
        self.ready.as_ref().map(|ready| ready.rank.steps_in_order()).unwrap_or_default()
    }

    /// When a moment is; of a step the one that `of` says. Peaks are those of the framework's pool.
    pub fn moment(&self, moment: Moment, of: Of) -> Option<i64> {
        self.moment_of(moment, of, None)
    }

    /// The same, peaks being those of a pool.
    pub fn moment_of(&self, moment: Moment, of: Of, pool: Option<&PoolKey>) -> Option<i64> {
        self.ready.as_ref().and_then(|ready| ready.rank.moment(moment, of, pool))
    }

    /// The numbers by which ranks of one role are compared.
    pub fn facts(&self) -> RankFacts {
        let growth = self.ready.as_ref().and_then(|ready| ready.rank.window_growth());
        RankFacts::new(self.summary(), growth)
    }

    /// What this rank alone proves, worked out when it is first asked for. Of several ranks see
    /// [`crate::analysis::findings::findings`].
    pub fn findings(&self) -> Vec<Finding> {
        let Some(Ready { rank, summary, findings, .. }) = &self.ready else { return Vec::new() };
        findings.get_or_init(|| crate::analysis::findings::of_rank(rank, summary)).clone()
    }

    /// What a report tells of this rank; see [`crate::export::report::report`].
    pub fn of_report(&self) -> OfRank {
        let summary = self.summary().clone();
        let [from_ns, to_ns] = summary.window_ns.unwrap_or_default();
        let facts = self.facts();
        // Without a common axis of times nothing is known to be live at the peak.
        let groups = self.moment(Moment::Peak, Of::Peak).into_iter().flat_map(|at_ns| {
            [GroupBy::UserFrame, GroupBy::Operator].map(|by| {
                let query = TopQuery { at_ns, pool: None, by, within: None, limit: GROUPS };
                (by, self.breakdown(&query))
            })
        });
        OfRank {
            groups: groups.collect(),
            facts,
            findings: self.findings(),
            timeline: self.timeline(from_ns, to_ns, COLUMNS),
            steps: self.steps_in_order(),
            reserved: self.reserved(&ReservedQuery { from_ns, to_ns, pool: None, limit: 0 }),
            summary,
        }
    }
}
