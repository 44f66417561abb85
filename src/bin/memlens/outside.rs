//! `memlens outside`.

use std::io::{Result, Write};

use memlens::analysis::answer::{GroupBy, PlanCurve, PoolKey, Top, TopQuery, Totals};
use memlens::analysis::facts::Measure;
use memlens::analysis::steps::{Moment, Of};
use memlens::export::answers as export;
use memlens::session::Session;
use memlens::words::{self, Lang, answers as texts, summary as lines, term, units};

use crate::args::Outside;
use crate::print::modules_source;
use crate::table::{Table, terminal_width};
use crate::top::pool_name;
use crate::{Outcome, asked};

/// What is told of a rank, beside its summary's components and plans.
struct Answer {
    /// When the process held most beside its pools, and every pool's totals then.
    most: Option<(i64, Vec<Totals>)>,
    /// The graph engine's pools at their peaks.
    graph_engine: Vec<Top>,
    /// What each static graph needs over its nodes.
    plans: Vec<Option<PlanCurve>>,
}

fn answer(session: &Session, limit: usize) -> Answer {
    let summary = session.summary();
    let most = session.outside_peak().map(|peak| (peak.time_ns, session.totals_at(peak.time_ns)));
    let ge = summary.pools.iter().filter(|pool| pool.component == "GE");
    let top = |pool: &memlens::analysis::answer::PoolSummary| {
        let key = PoolKey { component: pool.component.clone(), device: pool.device.clone() };
        let at_ns = session.moment_of(Moment::Peak, Of::Peak, Some(&key))?;
        Some(session.top(&TopQuery { at_ns, pool: Some(key), by: GroupBy::Operator, within: None, limit }))
    };
    Answer {
        most,
        graph_engine: ge.filter_map(top).collect(),
        plans: (0..summary.static_memory.len()).map(|graph| session.plan_curve(graph)).collect(),
    }
}

/// Reads and prints.
pub fn run(arguments: &Outside) -> Result<Outcome> {
    let answers = |session: &Session| {
        let (summary, answer) = (session.summary(), answer(session, arguments.limit));
        let (at_ns, totals) = answer.most.unzip();
        [
            ("outside_bytes", export::answer(&session.facts().get(Measure::Outside))),
            ("at_ns", export::answer(&at_ns)),
            ("totals", export::answer(&totals)),
            ("components", export::answer(&summary.module_memory)),
            ("graph_engine", export::answer(&answer.graph_engine)),
            ("static_graphs", export::answer(&summary.static_memory)),
            ("plans", export::answer(&answer.plans)),
        ]
    };
    asked::each_rank(&arguments.selection, &arguments.form, answers, |out, lang, session| {
        print(out, lang, session, arguments.limit)
    })
}

fn print(out: &mut impl Write, lang: Lang, session: &Session, limit: usize) -> Result<()> {
    let (summary, answer) = (session.summary(), answer(session, limit));
    let since = |time_ns| units::relative(time_ns, summary.window_ns.map_or(0, |[from, _]| from));
    line!(out, "{}", summary.folder)?;
    match &answer.most {
        Some((time_ns, totals)) => {
            line!(out, "  {}", texts::outside_most(lang, &since(*time_ns)))?;
            let mut table = Table::new(vec![texts::col_reserved(lang), ""]);
            for pool in totals.iter().filter(|pool| pool.pool.component != "PTA+GE") {
                if let Some(reserved) = pool.reserved {
                    let is_process = pool.pool.component == "APP";
                    let name = if is_process { texts::outside_process(lang).to_owned() } else { pool_name(&pool.pool) };
                    table.row(vec![units::bytes(reserved), name]);
                }
            }
            for outside in totals.iter().filter_map(|pool| pool.outside) {
                table.row(vec![units::bytes(outside), texts::outside_rest(lang).to_owned()]);
            }
            table.print(out, "  ", terminal_width())?;
        }
        None => line!(out, "  {}", texts::outside_unknown(lang))?,
    }
    if !summary.module_memory.is_empty() {
        line!(out, "  {}", texts::outside_components(lang, modules_source(&summary.form)))?;
        let mut table = Table::new(vec![texts::col_peak(lang), texts::col_time(lang), texts::component(lang)]);
        for module in summary.module_memory.iter().take(limit) {
            let name = format!("{} {}", module.component, module.device);
            let when = if summary.module_times_lost { "–".to_owned() } else { since(module.peak.time_ns) };
            table.row(vec![units::bytes(module.peak.bytes), when, name.trim().to_owned()]);
        }
        table.print(out, "  ", terminal_width())?;
        let more = summary.module_memory.len().saturating_sub(limit);
        if more > 0 {
            line!(out, "  {}", lines::modules_more(lang, more as u64))?;
        }
    }
    for top in answer.graph_engine.iter().filter(|top| !top.groups.is_empty()) {
        let pool = top.pool.as_ref().map(pool_name).unwrap_or_default();
        line!(out, "  {}", texts::outside_ge(lang, &pool, &since(top.at_ns)))?;
        let by = GroupBy::Operator;
        let mut table = Table::new(vec![texts::col_bytes(lang), texts::col_blocks(lang), term(lang, by)]);
        for group in &top.groups {
            let name = words::group_key(lang, by, group.key.as_deref()).to_owned();
            table.row(vec![units::bytes(group.bytes), units::count(group.blocks), name]);
        }
        table.print(out, "  ", terminal_width())?;
    }
    for (graph, plan) in summary.static_memory.iter().zip(&answer.plans) {
        crate::print::print_graph(out, lang, graph)?;
        let Some(plan) = plan else { continue };
        // The nodes that need most, in their order.
        let mut nodes: Vec<(u64, i64)> = plan.nodes.iter().copied().zip(plan.bytes.iter().copied()).collect();
        nodes.sort_by_key(|(node, bytes)| (std::cmp::Reverse(*bytes), *node));
        nodes.truncate(limit);
        nodes.sort_unstable();
        let mut table = Table::new(vec![texts::col_bytes(lang), texts::col_node(lang)]);
        for (node, bytes) in nodes {
            table.row(vec![units::bytes(bytes), texts::plan_node(lang, node)]);
        }
        table.print(out, "    ", terminal_width())?;
    }
    line!(out)
}
