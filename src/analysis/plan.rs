//! The memory plan of static graphs: how much is needed at each node, and by whom.

#![allow(clippy::indexing_slicing, reason = "indices come from the columns' own lengths")]

use serde::{Deserialize, Serialize};

use super::answer::{PlanCurve, PlanPeak, PlannedOperator, PoolKey, Quantity, Series, StaticSummary, Timeline};
use super::extremes::Extremes;
use super::timeline::View;
use crate::model::plan::{Graph, Plan, TO_THE_END};

/// Operators in each graph's list of the largest.
const LARGEST: usize = 10;

/// Every graph in numbers, in the order of the file.
pub(crate) fn summaries(plan: &Plan) -> Vec<StaticSummary> {
    plan.graphs.iter().map(|graph| summary(plan, graph)).collect()
}

fn summary(plan: &Plan, graph: &Graph) -> StaticSummary {
    let curve = curve(graph);
    let mut peak: Option<PlanPeak> = None;
    for (&node, &bytes) in curve.nodes.iter().zip(&curve.bytes) {
        if peak.is_none_or(|peak| bytes > peak.bytes) {
            peak = Some(PlanPeak { bytes, node });
        }
    }
    let mut order: Vec<usize> = (0..graph.size.len()).collect();
    order.sort_by_key(|at| (-graph.size[*at], *at));
    let largest = order.into_iter().take(LARGEST).map(|at| operator(plan, graph, at));
    StaticSummary {
        device: graph.device.clone(),
        model: graph.model.clone(),
        graph: graph.graph.clone(),
        reserved_bytes: graph.total,
        operators: graph.size.len() as u64,
        peak,
        largest: largest.collect(),
    }
}

/// What is needed from each node on at which it changes; an operator counts from its first node to before its end.
pub(crate) fn curve(graph: &Graph) -> PlanCurve {
    let mut changes: Vec<(u64, i64)> = Vec::with_capacity(graph.size.len() * 2);
    for at in 0..graph.size.len() {
        changes.push((graph.start[at], graph.size[at]));
        if graph.end[at] != TO_THE_END {
            changes.push((graph.end[at], -graph.size[at]));
        }
    }
    changes.sort_unstable();
    let mut curve = PlanCurve { nodes: Vec::new(), bytes: Vec::new() };
    let mut level = 0i64;
    for (node, change) in changes {
        level = level.saturating_add(change);
        if curve.nodes.last() == Some(&node) {
            curve.nodes.pop();
            curve.bytes.pop();
        }
        curve.nodes.push(node);
        curve.bytes.push(level);
    }
    curve
}

/// What a graph needs between two of its nodes, for so many pixel columns, and what it reserves up front: as a timeline whose times
/// are nodes. It ends one node after the last at which anything changes, if not before.
pub(crate) fn timeline(graph: &Graph, first: i64, last: i64, columns: u32) -> Timeline {
    let curve = curve(graph);
    let node = |at: usize| i64::try_from(curve.nodes[at]).unwrap_or(i64::MAX);
    let last = curve.nodes.len().checked_sub(1).map_or(first, |at| last.min(node(at).saturating_add(1))).max(first);
    let view = View::new(curve.nodes.len(), node, first, last, columns);
    let pool = PoolKey { component: graph.graph.clone(), device: graph.device.clone() };
    let needed = view.reduce(|at| (node(at), curve.bytes[at]), &Extremes::default());
    let mut series = vec![needed.into_series(pool.clone(), Quantity::Allocated)];
    if let Some(total) = graph.total {
        let (times_ns, bytes) = (vec![first], vec![total]);
        series.push(Series { pool, quantity: Quantity::Reserved, times_ns, bytes, complete: true });
    }
    Timeline { start_ns: first, end_ns: last, series }
}

/// What the table of a graph's operators is ordered by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanOrder {
    /// Bytes.
    #[default]
    Size,
    /// First node.
    Start,
    /// The node after the last.
    End,
    /// Name.
    Name,
}

/// Asks for operators of a static graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanQuery {
    /// Its place in [`super::answer::Summary::static_memory`].
    pub graph: usize,
    /// Only those needed at this node.
    pub at_node: Option<u64>,
    /// Only names that contain this, upper and lower case alike.
    pub text: String,
    /// Order.
    pub order: PlanOrder,
    /// The largest, or last, first.
    pub down: bool,
    /// At most so many.
    pub limit: usize,
}

/// Operators of a static graph.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanTable {
    /// How many there are.
    pub count: u64,
    /// What they need together, bytes.
    pub bytes: i64,
    /// The first of them.
    pub rows: Vec<PlannedOperator>,
}

/// The operators that are asked for; of equal ones the first of the file comes first.
pub(crate) fn table(plan: &Plan, query: &PlanQuery) -> PlanTable {
    let Some(graph) = plan.graphs.get(query.graph) else { return PlanTable::default() };
    let name = |at: usize| plan.names.text(graph.name[at]);
    let text = query.text.to_lowercase();
    let is_asked = |at: &usize| {
        let is_needed = |node: u64| graph.start[*at] <= node && (node < graph.end[*at] || graph.end[*at] == TO_THE_END);
        query.at_node.is_none_or(is_needed) && (text.is_empty() || name(*at).to_lowercase().contains(&text))
    };
    let mut found: Vec<usize> = (0..graph.size.len()).filter(is_asked).collect();
    found.sort_by(|a, b| {
        let order = match query.order {
            PlanOrder::Size => graph.size[*a].cmp(&graph.size[*b]),
            PlanOrder::Start => graph.start[*a].cmp(&graph.start[*b]),
            PlanOrder::End => graph.end[*a].cmp(&graph.end[*b]),
            PlanOrder::Name => name(*a).cmp(name(*b)),
        };
        if query.down { order.reverse() } else { order }
    });
    let bytes = found.iter().fold(0_i64, |sum, at| sum.saturating_add(graph.size[*at]));
    let rows = found.iter().take(query.limit).map(|at| operator(plan, graph, *at));
    PlanTable { count: found.len() as u64, bytes, rows: rows.collect() }
}

fn operator(plan: &Plan, graph: &Graph, at: usize) -> PlannedOperator {
    PlannedOperator {
        name: plan.names.text(graph.name[at]).to_owned(),
        bytes: graph.size[at],
        start: graph.start[at],
        end: Some(graph.end[at]).filter(|end| *end != TO_THE_END),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_table_follows_text_and_order() {
        let mut plan = Plan::default();
        let mut graph = Graph { total: Some(9), ..Graph::default() };
        for (name, start, size) in [("MatMul_1", 4_u64, 7_i64), ("Add", 2, 9), ("matmul_2", 0, 1)] {
            graph.name.push(plan.names.intern(name.as_bytes()).unwrap());
            graph.start.push(start);
            graph.end.push(TO_THE_END);
            graph.size.push(size);
        }
        plan.graphs.push(graph);
        let names = |order, down, text: &str| {
            let query = PlanQuery { graph: 0, at_node: None, text: text.into(), order, down, limit: 9 };
            table(&plan, &query).rows.into_iter().map(|row| row.name).collect::<Vec<_>>()
        };
        assert_eq!(names(PlanOrder::Size, true, ""), ["Add", "MatMul_1", "matmul_2"]);
        assert_eq!(names(PlanOrder::Start, false, "matmul"), ["matmul_2", "MatMul_1"]);
        assert_eq!(names(PlanOrder::Name, true, ""), ["matmul_2", "MatMul_1", "Add"]);
        assert_eq!(timeline(&plan.graphs[0], 0, 9, 100).series[1].bytes, [9]);
        let nowhere =
            PlanQuery { graph: 7, at_node: None, text: String::new(), order: PlanOrder::End, down: true, limit: 9 };
        assert_eq!(table(&plan, &nowhere), PlanTable::default());
    }

    proptest! {
        #[test]
        fn the_curve_is_that_of_a_slow_count(
            rows in prop::collection::vec((0u64..40, prop::option::of(0u64..45), 0i64..1000), 1..40),
        ) {
            let mut plan = Plan::default();
            let mut graph = Graph::default();
            for (start, end, size) in &rows {
                graph.name.push(0);
                graph.start.push(*start);
                graph.end.push(end.map_or(TO_THE_END, |end| end.max(start + 1)));
                graph.size.push(*size);
            }
            plan.graphs.push(graph);
            let curve = curve(&plan.graphs[0]);
            prop_assert!(curve.nodes.is_sorted_by(|a, b| a < b));
            let needed = |node: u64| -> i64 {
                let is_live = |(start, end, _): &&(u64, Option<u64>, i64)| {
                    *start <= node && end.is_none_or(|end| node < end.max(start + 1))
                };
                rows.iter().filter(is_live).map(|(.., size)| size).sum()
            };
            for node in 0..50 {
                let at = curve.nodes.partition_point(|n| *n <= node);
                prop_assert_eq!(if at == 0 { 0 } else { curve.bytes[at - 1] }, needed(node));
            }
            // The table of a node holds what the curve has there, and the picture's highest point is the peak.
            for node in 0..50 {
                let query = PlanQuery { graph: 0, at_node: Some(node), text: String::new(), order: PlanOrder::Size, down: true, limit: 3 };
                let table = table(&plan, &query);
                prop_assert_eq!(table.bytes, needed(node));
                prop_assert!(table.rows.len() <= 3 && table.rows.is_sorted_by(|a, b| a.bytes >= b.bytes));
            }
            let highest = timeline(&plan.graphs[0], 0, 50, 4).series[0].bytes.iter().copied().max();
            prop_assert_eq!(highest, (0..50).map(needed).max());
            let peak = summaries(&plan)[0].peak.unwrap();
            prop_assert_eq!(peak.bytes, (0..50).map(needed).max().unwrap());
            prop_assert_eq!(needed(peak.node), peak.bytes);
        }
    }
}
