//! `memlens growth --across`: from recording to recording of one role and rank.

use std::collections::BTreeMap;
use std::io::{Result, Write};

use memlens::analysis::across::{Across, across};
use memlens::analysis::answer::GroupBy;
use memlens::analysis::side::{Side, SideQuery};
use memlens::analysis::steps::{Moment, Of};
use memlens::export::answers as export;
use memlens::session::Session;
use memlens::words::{self, Lang, Term, answers as texts, term, units};

use crate::args::Growth;
use crate::ranks::Ranks;
use crate::table::{Table, terminal_width};
use crate::{asked, pool};

/// Every role and rank with several recordings, these in order.
fn answers(ranks: &Ranks, arguments: &Growth) -> Vec<Across> {
    let by = GroupBy::from(arguments.by);
    let mut recordings: BTreeMap<(&str, Option<u64>), Vec<&Session>> = BTreeMap::new();
    for session in &ranks.sessions {
        let summary = session.summary();
        recordings.entry((&summary.role, summary.rank)).or_default().push(session);
    }
    let side = |session: &&Session| -> Option<Side> {
        let pool = pool::chosen(session, arguments.pool.as_deref())?;
        let time = |moment, of| session.moment_of(moment, of, pool.as_ref());
        let (from_ns, to_ns) = time(Moment::Start, Of::Start).zip(time(Moment::End, Of::End))?;
        let at_ns = time(arguments.to, Of::End)?;
        Some(session.side(&SideQuery { by, pool: pool.clone(), at_ns, from_ns, to_ns }))
    };
    let of_rank = |mut sessions: Vec<&Session>| {
        sessions.sort_by_key(|session| (session.summary().step, session.summary().window_ns));
        let sides: Vec<Side> = sessions.iter().filter_map(side).collect();
        (sides.len() > 1).then(|| across(by, &sides, arguments.limit))
    };
    recordings.into_values().filter_map(of_rank).collect()
}

/// Writes.
pub fn write(out: &mut impl Write, lang: Lang, ranks: &Ranks, arguments: &Growth) -> Result<()> {
    let answers = answers(ranks, arguments);
    if arguments.form.json {
        return asked::write_json(out, &export::across(&answers));
    }
    if answers.is_empty() {
        return line!(out, "{}", texts::across_none(lang));
    }
    for answer in &answers {
        print(out, lang, answer)?;
    }
    Ok(())
}

fn print(out: &mut impl Write, lang: Lang, answer: &Across) -> Result<()> {
    let count = answer.recordings.len() as u64;
    if let (Some(first), Some(last)) = (answer.recordings.first(), answer.recordings.last()) {
        line!(out, "{}", words::rank_name(lang, &first.role, first.rank, None, &first.folder))?;
        line!(out, "  {}", texts::across_recordings(lang, count, &first.folder, &last.folder))?;
    }
    let mut table = Table::new(vec![
        texts::col_change(lang),
        texts::col_first(lang),
        texts::col_last(lang),
        texts::col_rises(lang),
        term(lang, answer.by),
    ]);
    let mut add = |live: &[i64], name: &str| {
        let ends = live.first().copied().unwrap_or(0)..live.last().copied().unwrap_or(0);
        let rises = live.windows(2).filter(|pair| matches!(pair, [before, after] if before < after)).count();
        table.row(vec![
            units::bytes_change(ends.end.saturating_sub(ends.start)),
            units::bytes(ends.start),
            units::bytes(ends.end),
            format!("{rises}/{}", count.saturating_sub(1)),
            name.to_owned(),
        ]);
    };
    for group in &answer.groups {
        add(&group.live_bytes, words::first_line(words::group_key(lang, answer.by, group.key.as_deref())));
    }
    add(&answer.live_bytes, texts::tree_all(lang));
    let beside = |rank: &memlens::analysis::side::SideRank| Some(rank.beside?.baseline_bytes);
    if let Some(baseline) = answer.recordings.iter().map(beside).collect::<Option<Vec<i64>>>() {
        add(&baseline, term(lang, Term::Baseline));
    }
    table.print(out, "  ", terminal_width())?;
    line!(out)
}
