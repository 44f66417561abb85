//! `memlens churn`.

use std::io::{Result, Write};

use memlens::analysis::answer::{GroupBy, Top, TopQuery};
use memlens::analysis::churn::{Churn as Answer, ChurnQuery};
use memlens::analysis::steps::Of;
use memlens::export::answers as export;
use memlens::session::Session;
use memlens::words::{self, Lang, answers as texts, term, units};

use crate::Outcome;
use crate::args::Churn;
use crate::table::{Table, terminal_width};
use crate::top::{pool_name, say_missing};
use crate::{asked, pool};

/// Reads and prints.
pub fn run(arguments: &Churn) -> Result<Outcome> {
    let (within_ns, limit) = (arguments.within, arguments.limit);
    let answer = |session: &Session| -> Option<(Answer, Option<Top>)> {
        let pool = pool::chosen(session, arguments.pool.as_deref())?;
        let churn = session.churn(&ChurnQuery { within_ns, pool: pool.clone(), limit });
        let at_ns = session.moment_of(arguments.at, Of::Peak, pool.as_ref());
        let query = |at_ns| TopQuery { at_ns, pool, by: GroupBy::Stack, within: None, limit };
        Some((churn, at_ns.map(|at_ns| session.temporaries(&query(at_ns), within_ns))))
    };
    let answers = |session: &Session| {
        let (churn, temporaries) = answer(session).unzip();
        [("churn", export::answer(&churn)), ("temporaries", export::answer(&temporaries.flatten()))]
    };
    asked::each_rank(&arguments.selection, &arguments.form, answers, |out, lang, session| match answer(session) {
        Some((churn, temporaries)) => print(out, lang, session, &churn, temporaries.as_ref()),
        None => say_missing(out, lang, session, arguments.pool.as_deref(), &arguments.at.to_string()),
    })
}

fn print(out: &mut impl Write, lang: Lang, session: &Session, churn: &Answer, temporaries: Option<&Top>) -> Result<()> {
    let summary = session.summary();
    line!(out, "{}", summary.folder)?;
    let Some(pool) = &churn.pool else { return line!(out, "  {}", texts::no_blocks(lang, &summary.folder)) };
    let within = units::duration(lang, churn.within_ns);
    let bytes = units::bytes(churn.bytes);
    line!(out, "  {}", texts::churn_all(lang, &within, churn.blocks, &bytes, &pool_name(pool)))?;
    let by = GroupBy::Stack;
    let mut table = Table::new(vec![
        texts::col_bytes(lang),
        texts::col_blocks(lang),
        texts::col_stretch(lang),
        term(lang, GroupBy::Operator),
        term(lang, by),
    ]);
    for group in &churn.groups {
        table.row(vec![
            units::bytes(group.bytes),
            units::count(group.blocks),
            units::count(group.longest.blocks),
            group.operator.clone(),
            words::first_line(if group.user_frame.is_empty() { &group.stack } else { &group.user_frame }).to_owned(),
        ]);
    }
    let others = churn.group_count.saturating_sub(churn.groups.len() as u64);
    if others > 0 {
        let shown = churn.groups.iter().map(|group| group.bytes).fold(0, i64::saturating_add);
        let bytes = churn.bytes.saturating_sub(churn.uncertain_bytes).saturating_sub(shown);
        let none = || "–".to_owned();
        table.row(vec![units::bytes(bytes), none(), none(), none(), texts::other_groups(lang, others)]);
    }
    table.print(out, "  ", terminal_width())?;
    if churn.uncertain_bytes > 0 {
        line!(out, "  {}", texts::churn_uncertain(lang, &units::bytes(churn.uncertain_bytes)))?;
    }
    if let Some(top) = temporaries {
        let start = summary.window_ns.map_or(0, |[from, _]| from);
        let bytes = units::bytes(top.total_bytes);
        line!(out, "  {}", texts::temporaries_at(lang, &units::relative(top.at_ns, start), &bytes, top.total_blocks))?;
        let mut table = Table::new(vec![texts::col_bytes(lang), texts::col_blocks(lang), term(lang, by)]);
        for group in &top.groups {
            let name = words::first_line(words::group_key(lang, by, group.key.as_deref())).to_owned();
            table.row(vec![units::bytes(group.bytes), units::count(group.blocks), name]);
        }
        if !top.groups.is_empty() {
            table.print(out, "  ", terminal_width())?;
        }
    }
    line!(out)
}
