//! The memory plan of static graphs: how much is needed at each node, and by whom.

#![allow(clippy::indexing_slicing, reason = "indices come from the columns' own lengths")]

use super::answer::{PlanCurve, PlanPeak, PlannedOperator, StaticSummary};
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
    let largest = order.into_iter().take(LARGEST).map(|at| PlannedOperator {
        name: plan.names.text(graph.name[at]).to_owned(),
        bytes: graph.size[at],
        start: graph.start[at],
        end: Some(graph.end[at]).filter(|end| *end != TO_THE_END),
    });
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
            let peak = summaries(&plan)[0].peak.unwrap();
            prop_assert_eq!(peak.bytes, (0..50).map(needed).max().unwrap());
            prop_assert_eq!(needed(peak.node), peak.bytes);
        }
    }
}
