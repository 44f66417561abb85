//! `memlens top`.

use std::io::{Result, Write};

use memlens::analysis::answer::{Group, GroupBy, PoolKey, TopQuery};
use memlens::analysis::breakdown::Breakdown;
use memlens::analysis::steps::Of;
use memlens::export::answers as export;
use memlens::session::Session;
use memlens::words::{self, Lang, answers as texts, term, units};

use crate::Outcome;
use crate::args::Top;
use crate::table::{Table, terminal_width};
use crate::{asked, pool};

/// Reads and prints.
pub fn run(arguments: &Top) -> Result<Outcome> {
    let by = GroupBy::from(arguments.by);
    let answer = |session: &Session| -> Option<Breakdown> {
        let pool = pool::chosen(session, arguments.pool.as_deref())?;
        let at_ns = session.moment_of(arguments.at, Of::Peak, pool.as_ref())?;
        Some(session.breakdown(&TopQuery { at_ns, pool, by, within: None, limit: arguments.limit }))
    };
    let answers = |session: &Session| [("by", by.name().into()), ("top", export::answer(&answer(session)))];
    asked::each_rank(&arguments.selection, &arguments.form, answers, |out, lang, session| match answer(session) {
        Some(breakdown) => print(out, lang, session, by, &breakdown),
        None => say_missing(out, lang, session, arguments.pool.as_deref(), &arguments.at.to_string()),
    })
}

/// That a recording has no such moment.
pub fn say_no_moment(out: &mut impl Write, lang: Lang, session: &Session, moment: &str) -> Result<()> {
    line!(out, "{}", texts::no_moment(lang, &session.summary().folder, moment))
}

/// That a recording has no such pool, or moment.
pub fn say_missing(
    out: &mut impl Write,
    lang: Lang,
    session: &Session,
    pool: Option<&str>,
    moment: &str,
) -> Result<()> {
    if pool::chosen(session, pool).is_some() {
        return say_no_moment(out, lang, session, moment);
    }
    let there = pool::names(session).join(lang.pick(", ", "、"));
    line!(out, "{}", texts::no_pool(lang, &session.summary().folder, pool.unwrap_or_default(), &there))
}

/// A pool's name.
pub fn pool_name(pool: &PoolKey) -> String {
    format!("{} {}", pool.component, pool.device).trim().to_owned()
}

fn print(out: &mut impl Write, lang: Lang, session: &Session, by: GroupBy, breakdown: &Breakdown) -> Result<()> {
    let (summary, top) = (session.summary(), &breakdown.top);
    line!(out, "{}", summary.folder)?;
    let Some(pool) = &top.pool else {
        return line!(out, "  {}", texts::no_blocks(lang, &summary.folder));
    };
    let start = summary.window_ns.map_or(0, |[from, _]| from);
    line!(out, "  {}", texts::at_time(lang, &units::relative(top.at_ns, start), &pool_name(pool)))?;
    let whole = breakdown.beside.and_then(|beside| beside.recorded_bytes).unwrap_or(top.total_bytes);
    let mut headers = vec![texts::col_bytes(lang), texts::col_share(lang), texts::col_blocks(lang)];
    if by.rests_on_match() {
        headers.push(texts::col_known(lang));
    }
    headers.push(term(lang, by));
    let mut table = Table::new(headers);
    let mut add = |bytes: i64, blocks: Option<u64>, known: Option<i64>, name: &str| {
        let blocks = blocks.map_or_else(|| "–".to_owned(), units::count);
        let mut cells = vec![units::bytes(bytes), units::share(bytes, whole), blocks];
        if by.rests_on_match() {
            cells.push(known.map_or_else(|| "–".to_owned(), |known| units::share(known, bytes)));
        }
        cells.push(name.to_owned());
        table.row(cells);
    };
    for group in &top.groups {
        let name = words::first_line(words::group_key(lang, by, group.key.as_deref()));
        add(group.bytes, Some(group.blocks), Some(group.by_match.certain()), name);
    }
    let shown = |of: fn(&Group) -> i64| top.groups.iter().map(of).fold(0, i64::saturating_add);
    let others = top.group_count.saturating_sub(top.groups.len() as u64);
    if others > 0 {
        let blocks = top.total_blocks.saturating_sub(top.groups.iter().map(|group| group.blocks).sum());
        let bytes = top.total_bytes.saturating_sub(shown(|group| group.bytes));
        add(bytes, Some(blocks), None, &texts::other_groups(lang, others));
    }
    if let Some(beside) = breakdown.beside {
        for (at, (bytes, name)) in words::beside_rows(lang, &beside).into_iter().enumerate() {
            if at == 0 || bytes != 0 {
                add(bytes, None, None, name);
            }
        }
        if let Some(recorded) = beside.recorded_bytes {
            add(recorded, None, None, texts::recorded(lang));
        }
    }
    table.print(out, "  ", terminal_width())?;
    line!(out)
}
