//! `memlens tree`.

use std::io::{Result, Write};

use memlens::analysis::answer::Counted;
use memlens::analysis::paths::PathOf;
use memlens::analysis::sandwich::{FrameSums, FramesQuery, Sandwich, SandwichQuery};
use memlens::analysis::steps::{Moment, Of};
use memlens::analysis::tree::{Tree, TreeNode, TreeQuery, What};
use memlens::export::answers as export;
use memlens::session::Session;
use memlens::words::{Lang, Term, answers as texts, term, ui, units};
use serde_json::Value;

use crate::Outcome;
use crate::args::{self, Over};
use crate::table::{Table, terminal_width};
use crate::top::{pool_name, say_missing};
use crate::{asked, pool};

/// Frames named where a text stands in several.
const CANDIDATES: usize = 10;

/// What is printed of a rank.
enum Answer {
    Tree(Tree),
    Sandwich(Sandwich),
    /// The text stands in no frame, or in several.
    Frames(FrameSums),
    /// The recording has no such moment.
    NoMoment(Moment),
}

/// Reads and prints.
pub fn run(arguments: &args::Tree) -> Result<Outcome> {
    let answers = |session: &Session| {
        let answer = match answer(session, arguments) {
            Answer::Tree(tree) => ("tree", export::answer(&tree)),
            Answer::Sandwich(sandwich) => ("sandwich", export::answer(&sandwich)),
            Answer::Frames(frames) => ("frames", export::answer(&frames)),
            Answer::NoMoment(_) => ("tree", Value::Null),
        };
        [("of", export::answer(&counted(session, arguments).ok())), answer]
    };
    asked::each_rank(&arguments.selection, &arguments.form, answers, |out, lang, session| {
        print(out, lang, session, arguments)
    })
}

/// Which blocks are asked for; a moment the recording does not have is an error.
fn counted(session: &Session, arguments: &args::Tree) -> std::result::Result<Counted, Moment> {
    let pool = pool::chosen(session, arguments.pool.as_deref()).flatten();
    let time = |moment: Moment, of: Of| session.moment_of(moment, of, pool.as_ref()).ok_or(moment);
    match (arguments.from, arguments.to) {
        (None, None) => Ok(Counted::LiveAt { at_ns: time(arguments.at, Of::Peak)? }),
        (from, to) => Ok(Counted::Allocated {
            from_ns: time(from.unwrap_or(Moment::Start), Of::Start)?,
            to_ns: time(to.unwrap_or(Moment::End), Of::End)?,
        }),
    }
}

fn answer(session: &Session, arguments: &args::Tree) -> Answer {
    let of = match counted(session, arguments) {
        Ok(of) => of,
        Err(moment) => return Answer::NoMoment(moment),
    };
    let Some(pool) = pool::chosen(session, arguments.pool.as_deref()) else {
        return Answer::NoMoment(arguments.at);
    };
    let bars = if arguments.least > 0.0 { (100.0 / arguments.least) as u32 } else { 0 };
    let limit = arguments.limit;
    let path = match (arguments.by, arguments.inverted) {
        (Over::Module, _) => PathOf::Modules,
        (Over::Frame, false) => PathOf::Frames,
        (Over::Frame, true) => PathOf::FramesInverted,
    };
    let Some(text) = &arguments.frame else {
        let query = TreeQuery { of, pool, path, within: None, below: Vec::new(), bars, limit };
        return Answer::Tree(session.tree(&query));
    };
    let sandwich = |frame: &str| {
        let (frame, pool) = (frame.to_owned(), pool.clone());
        session.sandwich(&SandwichQuery { frame, of, pool, within: None, bars, limit })
    };
    if let Some(sandwich) = sandwich(text) {
        return Answer::Sandwich(sandwich);
    }
    let query = FramesQuery { containing: text.clone(), of, pool: pool.clone(), limit: CANDIDATES };
    let frames = session.frames(&query);
    match frames.frames.as_slice() {
        [only] => sandwich(&only.frame).map_or(Answer::Frames(frames), Answer::Sandwich),
        _ => Answer::Frames(frames),
    }
}

fn print(out: &mut impl Write, lang: Lang, session: &Session, arguments: &args::Tree) -> Result<()> {
    let folder = &session.summary().folder;
    match answer(session, arguments) {
        Answer::NoMoment(moment) => say_missing(out, lang, session, arguments.pool.as_deref(), &moment.to_string()),
        Answer::Tree(Tree { pool: None, .. }) => line!(out, "{}", texts::no_blocks(lang, folder)),
        Answer::Frames(frames) if frames.frames.is_empty() => {
            line!(out, "{}", texts::no_frame(lang, folder, arguments.frame.as_deref().unwrap_or_default()))
        }
        Answer::Frames(frames) => {
            line!(out, "{folder}")?;
            let text = arguments.frame.as_deref().unwrap_or_default();
            line!(out, "  {}", texts::many_frames(lang, text, frames.frame_count))?;
            let mut table = Table::new(headers(lang, Term::Frame));
            for sum in &frames.frames {
                table.row(cells([sum.total_bytes, sum.own_bytes, frames.all_bytes], sum.blocks, &sum.frame));
            }
            table.print(out, "  ", terminal_width())?;
            line!(out)
        }
        Answer::Tree(tree) => {
            heading(out, lang, session, arguments, tree.pool.as_ref().map(pool_name).unwrap_or_default())?;
            let over = if arguments.by == Over::Module { Term::Module } else { Term::Frame };
            let whole = tree.nodes.first().map_or(0, |root| root.total_bytes);
            tree_table(lang, over, &tree.nodes, &tree.names, whole).print(out, "  ", terminal_width())?;
            if tree.cut_stacks > 0 {
                line!(out, "  {}", texts::tree_cut(lang, tree.cut_stacks))?;
            }
            line!(out)
        }
        Answer::Sandwich(sandwich) => {
            heading(out, lang, session, arguments, pool_name(&sandwich.pool))?;
            let halves = [
                (texts::sandwich_callers(lang), &sandwich.callers),
                (texts::sandwich_callees(lang), &sandwich.callees),
            ];
            for (title, nodes) in halves {
                line!(out, "  {title}")?;
                let table = tree_table(lang, Term::Frame, nodes, &sandwich.names, sandwich.all_bytes);
                table.print(out, "  ", terminal_width())?;
            }
            line!(out)
        }
    }
}

fn heading(out: &mut impl Write, lang: Lang, session: &Session, arguments: &args::Tree, pool: String) -> Result<()> {
    let summary = session.summary();
    let start = summary.window_ns.map_or(0, |[from, _]| from);
    let time = |ns| units::relative(ns, start);
    let what = match counted(session, arguments) {
        Ok(Counted::LiveAt { at_ns }) => texts::at_time(lang, &time(at_ns), &pool),
        Ok(Counted::Allocated { from_ns, to_ns }) => {
            texts::allocated_between(lang, &time(from_ns), &time(to_ns), &pool)
        }
        Err(_) => pool,
    };
    line!(out, "{}", summary.folder)?;
    line!(out, "  {what}")
}

fn headers(lang: Lang, over: Term) -> Vec<&'static str> {
    vec![
        texts::col_bytes(lang),
        texts::col_share(lang),
        texts::col_own(lang),
        texts::col_blocks(lang),
        term(lang, over),
    ]
}

/// Total and own of a whole.
fn cells([total, own, whole]: [i64; 3], blocks: u64, name: &str) -> Vec<String> {
    let own = if own == 0 { "–".to_owned() } else { units::bytes(own) };
    vec![units::bytes(total), units::share(total, whole), own, units::count(blocks), name.to_owned()]
}

/// Only where a branch divides what is below it moves to the right: stacks are deep, and mostly a single line.
fn tree_table(lang: Lang, over: Term, nodes: &[TreeNode], names: &[String], whole: i64) -> Table {
    let mut children = vec![0_usize; nodes.len()];
    for parent in nodes.iter().filter_map(|node| node.parent) {
        if let Some(count) = children.get_mut(parent as usize) {
            *count += 1;
        }
    }
    let mut depths: Vec<usize> = Vec::with_capacity(nodes.len());
    let mut table = Table::new(headers(lang, over));
    for node in nodes {
        let depth = node.parent.map_or(0, |parent| {
            let divides = children.get(parent as usize).is_some_and(|count| *count > 1);
            depths.get(parent as usize).copied().unwrap_or(0) + usize::from(divides)
        });
        depths.push(depth);
        let smaller;
        let name = match node.what {
            What::All => texts::tree_all(lang),
            What::NoStack => ui::group_without_stack(lang),
            What::Name(name) => names.get(name as usize).map_or("", String::as_str),
            What::Smaller(count) => {
                smaller = texts::tree_smaller(lang, u64::from(count));
                &smaller
            }
        };
        table.branch(depth, cells([node.total_bytes, node.own_bytes, whole], node.blocks, name));
    }
    table
}
