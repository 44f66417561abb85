//! `memlens summary`, and what both commands say about problems.

use std::io::{Result, Write};

use memlens::analysis::answer::{Extreme, Group, MatchKind, StaticSummary, Summary as RankSummary};
use memlens::analysis::check::Verdict;
use memlens::export::summary::to_json;
use memlens::neighbour::Neighbour;
use memlens::problem::Problem;
use memlens::words::units::Noun;
use memlens::words::{self, Lang, Term, summary as lines, term, units};

use crate::args::{Selection, Summary};
use crate::ranks::Ranks;
use crate::{Outcome, asked};

/// Reads and prints.
pub fn run(arguments: &Summary) -> Result<Outcome> {
    asked::all(&arguments.selection, &arguments.form, |out, lang, ranks| {
        if arguments.form.json {
            let summaries: Vec<RankSummary> = ranks.sessions.iter().map(|s| s.summary().clone()).collect();
            return asked::write_json(out, &to_json(&summaries, &ranks.problems, &ranks.neighbours));
        }
        for session in &ranks.sessions {
            print_rank(out, lang, session.summary())?;
        }
        for problem in &ranks.problems {
            line!(out, "! {}", words::problem(lang, problem))?;
        }
        print_neighbours(out, lang, "", &ranks.neighbours)
    })
}

fn print_rank(out: &mut impl Write, lang: Lang, summary: &RankSummary) -> Result<()> {
    let optional = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), |n| n.to_string());
    line!(out, "{}", summary.folder)?;
    let step = summary.step.map_or_else(String::new, |step| format!("  {} {step}", term(lang, Term::Step)));
    line!(
        out,
        "  {} {}  {} {}{step}",
        term(lang, Term::Role),
        summary.role,
        term(lang, Term::Rank),
        optional(summary.rank)
    )?;
    let start = summary.window_ns.map_or(0, |[from, _]| from);
    for (name, blocks) in summary.blocks.by_component.iter().filter(|(_, blocks)| blocks.total > 0) {
        let never = if summary.blocks.releases_unknown { "?".to_owned() } else { units::count(blocks.never_released) };
        let total = units::count_of(lang, blocks.total, Noun::Block);
        let name = or_unnamed(lang, name);
        let released = term(lang, Term::NeverReleased);
        line!(
            out,
            "  {}",
            lang.pick(
                format!("{name}: {total}, {never} {released}"),
                format!("{name}：{total}，{released} {never} 个")
            )
        )?;
    }
    let kinds: Vec<String> = MatchKind::ALL
        .into_iter()
        .filter(|kind| summary.matches.get(*kind) > 0)
        .map(|kind| {
            let rows = summary.matches.get(kind);
            let all = MatchKind::ALL.into_iter().map(|k| summary.matches.get(k)).sum();
            format!("{} {rows} ({})", term(lang, kind), units::share(rows, all))
        })
        .collect();
    if !kinds.is_empty() {
        line!(out, "  {}", kinds.join(lang.pick(", ", "，")))?;
    }
    for pool in &summary.pools {
        line!(out, "  {} {}", or_unnamed(lang, &pool.component), pool.device)?;
        let peaks = [
            (Term::Allocated, pool.peak.allocated),
            (Term::Active, pool.peak.active),
            (Term::Reserved, pool.peak.reserved),
        ];
        for (what, peak) in peaks {
            if let Some(Extreme { bytes, time_ns }) = peak {
                let label = format!("{} {}", term(lang, Term::Peak), term(lang, what));
                let exact = units::bytes_exact(bytes);
                let when = when(lang, time_ns, start, summary.times_lost);
                line!(out, "    {label}: {} ({exact}) {when}", units::bytes(bytes))?;
            }
        }
        if let Some(baseline) = pool.baseline_bytes {
            let label = term(lang, Term::Baseline);
            line!(out, "    {label}: {} -> {}", units::bytes_exact(baseline.start), units::bytes_exact(baseline.end))?;
        }
    }
    if let Some(top) = &summary.top {
        for (what, groups) in
            [(Term::Operator, &top.operator), (Term::CallStack, &top.stack), (Term::UserFrame, &top.user_frame)]
        {
            print_groups(out, lang, what, groups)?;
        }
    }
    print_checks(out, lang, summary, start)?;
    print_modules(out, lang, summary, start)?;
    for graph in &summary.static_memory {
        print_graph(out, lang, graph)?;
    }
    print_neighbours(out, lang, "  ", &summary.neighbours)?;
    for problem in &summary.problems {
        line!(out, "  ! {}", words::problem(lang, problem))?;
    }
    line!(out)
}

/// What does not hold, what is worth knowing, and how many checks were made. None of it is a loss: the status stays.
fn print_checks(out: &mut impl Write, lang: Lang, summary: &RankSummary, start_ns: i64) -> Result<()> {
    let of = |verdict| summary.checks.iter().filter(move |check| check.verdict() == verdict);
    let counts = [Verdict::Fails, Verdict::Holds, Verdict::NotCompared].map(|verdict| of(verdict).count() as u64);
    let [failed, held, not_compared] = counts;
    let told = of(Verdict::Tells).count() as u64;
    line!(out, "  {}", words::ui::checks_made(lang, held + told, failed, not_compared))?;
    for (sign, verdict) in [("!", Verdict::Fails), ("-", Verdict::Tells)] {
        for check in of(verdict) {
            line!(out, "  {sign} {}", words::check(lang, check, start_ns, &summary.form))?;
        }
    }
    Ok(())
}

/// A time after the window's start, or that it was lost.
fn when(lang: Lang, time_ns: i64, start_ns: i64, is_lost: bool) -> String {
    if is_lost { lines::time_lost(lang).to_owned() } else { units::relative(time_ns, start_ns) }
}

/// A name, or what stands for a missing one.
fn or_unnamed(lang: Lang, name: &str) -> &str {
    if name.is_empty() { words::ui::group_unnamed(lang) } else { name }
}

/// Where the driver's components stand: a file, or a table of a database.
pub fn modules_source(form: &str) -> &'static str {
    if form == "db" { "NPU_MODULE_MEM" } else { "npu_module_mem.csv" }
}

/// Components of the driver in the text; the JSON has all.
const MODULES: usize = 10;

fn print_modules(out: &mut impl Write, lang: Lang, summary: &RankSummary, start: i64) -> Result<()> {
    let modules = &summary.module_memory;
    if modules.is_empty() {
        return Ok(());
    }
    line!(out, "  {}", lines::modules_heading(lang, modules_source(&summary.form)))?;
    for module in modules.iter().take(MODULES) {
        let when = when(lang, module.peak.time_ns, start, summary.module_times_lost);
        line!(out, "    {:>10}  {} {} {when}", units::bytes(module.peak.bytes), module.component, module.device)?;
    }
    match modules.len().saturating_sub(MODULES) {
        0 => Ok(()),
        more => line!(out, "    {}", lines::modules_more(lang, more as u64)),
    }
}

/// One static graph in numbers.
pub fn print_graph(out: &mut impl Write, lang: Lang, graph: &StaticSummary) -> Result<()> {
    line!(out, "  {}", lines::graph_heading(lang, &graph.graph, &graph.model, &graph.device))?;
    line!(out, "    {}", lines::graph_operators(lang, graph.operators))?;
    if let Some(bytes) = graph.reserved_bytes {
        line!(out, "    {}", lines::graph_reserved(lang, &units::bytes_exact(bytes)))?;
    }
    if let Some(peak) = graph.peak {
        line!(out, "    {}", lines::graph_peak(lang, &units::bytes_exact(peak.bytes), peak.node))?;
    }
    for operator in &graph.largest {
        line!(out, "    {:>10}  {}", units::bytes(operator.bytes), operator.name)?;
    }
    Ok(())
}

fn print_neighbours(out: &mut impl Write, lang: Lang, indent: &str, neighbours: &[Neighbour]) -> Result<()> {
    if neighbours.is_empty() {
        return Ok(());
    }
    line!(out, "{indent}{}", lines::neighbours_heading(lang))?;
    for Neighbour { file, kind, count } in neighbours {
        let what = words::neighbour(lang, *kind);
        let line = match count {
            1 => lines::neighbour_line(lang, file, what),
            _ => lines::neighbour_lines(lang, file, count - 1, what),
        };
        line!(out, "{indent}  {line}")?;
    }
    Ok(())
}

fn print_groups(out: &mut impl Write, lang: Lang, what: Term, groups: &[Group]) -> Result<()> {
    line!(out, "  {} / {}", term(lang, Term::Peak), term(lang, what))?;
    for group in groups {
        let key = match group.key.as_deref() {
            None => words::ui::group_without_stack(lang),
            Some("") if what == Term::UserFrame => words::ui::group_without_user_frame(lang),
            Some("") => words::ui::group_unnamed(lang),
            Some(key) => key,
        };
        let mut lines = key.split(";\r\n");
        let first = lines.next().unwrap_or_default();
        line!(out, "    {:>10}  {:>7}  {first}", units::bytes(group.bytes), units::count(group.blocks))?;
        for line in lines {
            line!(out, "    {:>10}  {:>7}  {line}", "", "")?;
        }
    }
    Ok(())
}

/// Problems on standard error, for a command whose output is data.
pub fn say_problems(ranks: &Ranks, selection: &Selection) -> Result<()> {
    let lang = locale_lang();
    let mut out = std::io::stderr().lock();
    let mut say = |folder: &str, problem: &Problem| {
        // A problem of the folder itself names it already.
        let folder = if folder.is_empty() || problem.file == folder { String::new() } else { format!("{folder}: ") };
        line!(&mut out, "memlens: {folder}{}", words::problem(lang, problem))
    };
    for problem in &ranks.problems {
        say("", problem)?;
    }
    for session in &ranks.sessions {
        let summary = session.summary();
        for problem in &summary.problems {
            say(&summary.folder, problem)?;
        }
    }
    drop(out);
    say_empty_selection(lang, ranks, selection)
}

pub fn say_empty_selection(lang: Lang, ranks: &Ranks, selection: &Selection) -> Result<()> {
    if !ranks.sessions.is_empty() || ranks.found.is_empty() {
        return Ok(());
    }
    let roles = selection.role.iter().map(|role| format!("--role {role}"));
    let asked: Vec<String> = roles.chain(selection.rank.iter().map(|rank| format!("--rank {rank}"))).collect();
    say_nothing_selected(lang, std::slice::from_ref(ranks), &asked.join(" "))
}

/// That nothing was found that was asked for, and what there is.
pub fn say_nothing_selected(lang: Lang, all: &[Ranks], asked: &str) -> Result<()> {
    let found = all.iter().flat_map(|ranks| &ranks.found);
    let name = |rank: &Option<u64>| rank.map_or_else(|| "?".to_owned(), |rank| rank.to_string());
    let there: Vec<String> = found.map(|(role, rank)| format!("{role} {}", name(rank))).collect();
    let text = lines::nothing_selected(lang, asked, &there.join(lang.pick(", ", "、")));
    line!(&mut std::io::stderr(), "memlens: {text}")
}

/// The language of the locale, as the environment names it.
pub fn locale_lang() -> Lang {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
        .and_then(|value| value.parse().ok())
        .unwrap_or_default()
}
