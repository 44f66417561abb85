//! `memlens summary`, and what both commands say about problems.

use std::io::{Result, Write};

use memlens::analysis::answer::{Extreme, Group, MatchKind, StaticSummary, Summary as RankSummary};
use memlens::analysis::check::Verdict;
use memlens::export::summary::to_json;
use memlens::neighbour::Neighbour;
use memlens::problem::Problem;
use memlens::session::Options;
use memlens::words::{self, Lang, Term, summary as lines, term, units};

use crate::Outcome;
use crate::args::{Selection, Summary};
use crate::ranks::{self, Ranks};

/// Reads and prints.
pub fn run(arguments: &Summary) -> Result<Outcome> {
    let ranks = ranks::read(
        &arguments.selection,
        Options { trace_offset_ns: arguments.selection.trace_offset_ns, ..Options::default() },
        false,
    );
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if arguments.json {
        let summaries: Vec<RankSummary> = ranks.sessions.iter().map(|s| s.summary().clone()).collect();
        serde_json::to_writer_pretty(&mut out, &to_json(&summaries, &ranks.problems, &ranks.neighbours))?;
        writeln!(out)?;
    } else {
        let lang = arguments.lang.unwrap_or_else(locale_lang);
        for session in &ranks.sessions {
            print_rank(&mut out, lang, session.summary())?;
        }
        for problem in &ranks.problems {
            writeln!(out, "! {}", words::problem(lang, problem))?;
        }
        print_neighbours(&mut out, lang, "", &ranks.neighbours)?;
    }
    out.flush()?;
    say_empty_selection(&ranks, &arguments.selection)?;
    Ok(ranks.outcome())
}

fn print_rank(out: &mut impl Write, lang: Lang, summary: &RankSummary) -> Result<()> {
    let optional = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), |n| n.to_string());
    writeln!(out, "{}", summary.folder)?;
    let step = summary.step.map_or_else(String::new, |step| format!("  {} {step}", term(lang, Term::Step)));
    writeln!(
        out,
        "  {} {}  {} {}{step}",
        term(lang, Term::Role),
        summary.role,
        term(lang, Term::Rank),
        optional(summary.rank)
    )?;
    let start = summary.window_ns.map_or(0, |[from, _]| from);
    for (name, blocks) in summary.blocks.by_component.iter().filter(|(_, blocks)| blocks.total > 0) {
        let never = units::count(blocks.never_released);
        let total = units::count(blocks.total);
        writeln!(out, "  {name}: {total} {}, {never} {}", term(lang, Term::Block), term(lang, Term::NeverReleased))?;
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
    writeln!(out, "  {}", kinds.join(", "))?;
    for pool in &summary.pools {
        writeln!(out, "  {} {}", pool.component, pool.device)?;
        let peaks = [
            (Term::Allocated, pool.peak.allocated),
            (Term::Active, pool.peak.active),
            (Term::Reserved, pool.peak.reserved),
        ];
        for (what, peak) in peaks {
            if let Some(Extreme { bytes, time_ns }) = peak {
                let label = format!("{} {}", term(lang, Term::Peak), term(lang, what));
                let exact = units::bytes_exact(bytes);
                let when = units::relative(time_ns, start);
                writeln!(out, "    {label}: {} ({exact}) {when}", units::bytes(bytes))?;
            }
        }
        if let Some(baseline) = pool.baseline_bytes {
            let label = term(lang, Term::Baseline);
            writeln!(
                out,
                "    {label}: {} -> {}",
                units::bytes_exact(baseline.start),
                units::bytes_exact(baseline.end)
            )?;
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
        writeln!(out, "  ! {}", words::problem(lang, problem))?;
    }
    writeln!(out)
}

/// What does not hold, what is worth knowing, and how many checks were made. None of it is a loss: the status stays.
fn print_checks(out: &mut impl Write, lang: Lang, summary: &RankSummary, start_ns: i64) -> Result<()> {
    let of = |verdict| summary.checks.iter().filter(move |check| check.verdict() == verdict);
    let counts = [Verdict::Fails, Verdict::Holds, Verdict::NotCompared].map(|verdict| of(verdict).count() as u64);
    let [failed, held, not_compared] = counts;
    let told = of(Verdict::Tells).count() as u64;
    writeln!(out, "  {}", words::ui::checks_made(lang, held + told, failed, not_compared))?;
    for (sign, verdict) in [("!", Verdict::Fails), ("-", Verdict::Tells)] {
        for check in of(verdict) {
            writeln!(out, "  {sign} {}", words::check(lang, check, start_ns, &summary.form))?;
        }
    }
    Ok(())
}

/// Components of the driver in the text; the JSON has all.
const MODULES: usize = 10;

fn print_modules(out: &mut impl Write, lang: Lang, summary: &RankSummary, start: i64) -> Result<()> {
    let modules = &summary.module_memory;
    if modules.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {}", lines::modules_heading(lang))?;
    for module in modules.iter().take(MODULES) {
        let when = units::relative(module.peak.time_ns, start);
        writeln!(out, "    {:>10}  {} {} {when}", units::bytes(module.peak.bytes), module.component, module.device)?;
    }
    match modules.len().saturating_sub(MODULES) {
        0 => Ok(()),
        more => writeln!(out, "    {}", lines::modules_more(lang, more as u64)),
    }
}

fn print_graph(out: &mut impl Write, lang: Lang, graph: &StaticSummary) -> Result<()> {
    writeln!(out, "  {}", lines::graph_heading(lang, &graph.graph, &graph.model, &graph.device))?;
    writeln!(out, "    {}", lines::graph_operators(lang, graph.operators))?;
    if let Some(bytes) = graph.reserved_bytes {
        writeln!(out, "    {}", lines::graph_reserved(lang, &units::bytes_exact(bytes)))?;
    }
    if let Some(peak) = graph.peak {
        writeln!(out, "    {}", lines::graph_peak(lang, &units::bytes_exact(peak.bytes), peak.node))?;
    }
    for operator in &graph.largest {
        writeln!(out, "    {:>10}  {}", units::bytes(operator.bytes), operator.name)?;
    }
    Ok(())
}

fn print_neighbours(out: &mut impl Write, lang: Lang, indent: &str, neighbours: &[Neighbour]) -> Result<()> {
    if neighbours.is_empty() {
        return Ok(());
    }
    writeln!(out, "{indent}{}", lines::neighbours_heading(lang))?;
    for Neighbour { file, kind, count } in neighbours {
        let what = words::neighbour(lang, *kind);
        let line = match count {
            1 => lines::neighbour_line(lang, file, what),
            _ => lines::neighbour_lines(lang, file, count - 1, what),
        };
        writeln!(out, "{indent}  {line}")?;
    }
    Ok(())
}

fn print_groups(out: &mut impl Write, lang: Lang, what: Term, groups: &[Group]) -> Result<()> {
    writeln!(out, "  {} / {}", term(lang, Term::Peak), term(lang, what))?;
    for group in groups {
        let key = match group.key.as_deref() {
            None => words::ui::group_without_stack(lang),
            Some("") if what == Term::UserFrame => words::ui::group_without_user_frame(lang),
            Some("") => words::ui::group_unnamed(lang),
            Some(key) => key,
        };
        let mut lines = key.split(";\r\n");
        let first = lines.next().unwrap_or_default();
        writeln!(out, "    {:>10}  {:>7}  {first}", units::bytes(group.bytes), units::count(group.blocks))?;
        for line in lines {
            writeln!(out, "    {:>10}  {:>7}  {line}", "", "")?;
        }
    }
    Ok(())
}

/// Problems on standard error, for a command whose output is data.
pub fn say_problems(ranks: &Ranks, selection: &Selection) -> Result<()> {
    let lang = locale_lang();
    let mut out = std::io::stderr().lock();
    let mut say = |folder: &str, problem: &Problem| {
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}: ") };
        writeln!(out, "memlens: {folder}{}", words::problem(lang, problem))
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
    say_empty_selection(ranks, selection)
}

fn say_empty_selection(ranks: &Ranks, selection: &Selection) -> Result<()> {
    if !ranks.sessions.is_empty() || ranks.found.is_empty() {
        return Ok(());
    }
    let there: Vec<String> = ranks
        .found
        .iter()
        .map(|(role, rank)| format!("{role} {}", rank.map_or_else(|| "?".to_owned(), |r| r.to_string())))
        .collect();
    let asked = format!("{:?} {:?}", selection.role, selection.rank);
    writeln!(
        std::io::stderr(),
        "memlens: no rank folder has that role and rank ({asked}); there are: {}",
        there.join(", ")
    )
}

/// The language of the locale, as the environment names it.
fn locale_lang() -> Lang {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
        .and_then(|value| value.parse().ok())
        .unwrap_or_default()
}
