//! `memlens growth`.

use std::io::{Result, Write};

use memlens::analysis::answer::GroupBy;
use memlens::analysis::growth::{Growth as Grown, GrowthQuery};
use memlens::analysis::reserved::{Held, Reserved, ReservedQuery};
use memlens::analysis::steps::Of;
use memlens::export::answers as export;
use memlens::session::Session;
use memlens::words::{self, Lang, Term, answers as texts, term, units};

use crate::Outcome;
use crate::args::Growth;
use crate::asked::Out;
use crate::table::{Table, terminal_width};
use crate::top::{pool_name, say_missing};
use crate::{across, asked, pool};

/// Reads and prints.
pub fn run(arguments: &Growth) -> Result<Outcome> {
    let by = GroupBy::from(arguments.by);
    let limit = arguments.limit;
    let answer = |session: &Session| {
        let pool = pool::chosen(session, arguments.pool.as_deref())?;
        let time = |at, of| session.moment_of(at, of, pool.as_ref());
        let (from_ns, to_ns) = time(arguments.from, Of::Start).zip(time(arguments.to, Of::End))?;
        let growth = session.growth(&GrowthQuery { from_ns, to_ns, pool: pool.clone(), by, limit })?;
        Some((growth, session.reserved(&ReservedQuery { from_ns, to_ns, pool, limit })))
    };
    let answers = |session: &Session| {
        let (growth, reserved) = answer(session).unzip();
        let reserved = export::answer(&reserved.flatten());
        [("by", by.name().into()), ("growth", export::answer(&growth)), ("reserved", reserved)]
    };
    let print = |out: &mut Out, lang: Lang, session: &Session| {
        let Some((growth, reserved)) = answer(session) else {
            let missing = [(arguments.from, Of::Start), (arguments.to, Of::End)];
            let missing = missing.into_iter().find(|(at, of)| session.moment(*at, *of).is_none());
            let missing = missing.map_or_else(String::new, |(at, _)| at.to_string());
            return say_missing(out, lang, session, arguments.pool.as_deref(), &missing);
        };
        print(out, lang, session, by, &growth)?;
        if let Some(reserved) = reserved {
            print_reserved(out, lang, session, &reserved)?;
        }
        line!(out)
    };
    let (selection, form) = (&arguments.selection, &arguments.form);
    if arguments.across {
        return asked::all(selection, form, |out, lang, ranks| across::write(out, lang, ranks, arguments));
    }
    asked::each_rank(selection, form, answers, print)
}

fn since(session: &Session, time_ns: i64) -> String {
    units::relative(time_ns, session.summary().window_ns.map_or(0, |[from, _]| from))
}

fn print(out: &mut impl Write, lang: Lang, session: &Session, by: GroupBy, growth: &Grown) -> Result<()> {
    let summary = session.summary();
    line!(out, "{}", summary.folder)?;
    let Some(pool) = &growth.pool else {
        return line!(out, "  {}", texts::no_blocks(lang, &summary.folder));
    };
    let at = |time: Option<&i64>| since(session, time.copied().unwrap_or(0));
    let (from, to) = (at(growth.times_ns.first()), at(growth.times_ns.last()));
    line!(out, "  {}", texts::between(lang, &from, &to, &pool_name(pool)))?;
    let mut headers =
        vec![texts::col_change(lang), texts::col_blocks(lang), texts::col_kept(lang), texts::col_rises(lang)];
    if by.rests_on_match() {
        headers.push(texts::col_known(lang));
    }
    headers.push(term(lang, by));
    let mut table = Table::new(headers);
    let mut add = |cells: [String; 4], known: Option<(i64, i64)>, name: &str| {
        let mut cells = cells.to_vec();
        if by.rests_on_match() {
            cells.push(known.map_or_else(|| "–".to_owned(), |(part, whole)| units::share(part, whole)));
        }
        cells.push(name.to_owned());
        table.row(cells);
    };
    let none = || "–".to_owned();
    for group in &growth.groups {
        let rises =
            group.live_bytes.windows(2).filter(|pair| matches!(pair, [before, after] if before < after)).count();
        let sign = if group.change_blocks < 0 { "-" } else { "+" };
        let cells = [
            units::bytes_change(group.change_bytes),
            format!("{sign}{}", units::count(group.change_blocks.unsigned_abs())),
            units::bytes(group.never_released_bytes),
            format!("{rises}/{}", growth.times_ns.len().saturating_sub(1)),
        ];
        let name = words::first_line(words::group_key(lang, by, group.key.as_deref()));
        // Of what shrank and grew at once no share can be told.
        let known = (group.change_bytes > 0).then(|| (group.by_match.certain(), group.change_bytes));
        add(cells, known, name);
    }
    let others = growth.group_count.saturating_sub(growth.groups.len() as u64);
    if others > 0 {
        let shown = growth.groups.iter().map(|group| group.change_bytes).fold(0, i64::saturating_add);
        let change = units::bytes_change(growth.change_bytes.saturating_sub(shown));
        add([change, none(), none(), none()], None, &texts::other_groups(lang, others));
    }
    if let Some([from, to]) = &growth.beside {
        for ((to, name), (from, _)) in words::beside_rows(lang, to).into_iter().zip(words::beside_rows(lang, from)) {
            let bytes = to.saturating_sub(from);
            if bytes != 0 {
                add([units::bytes_change(bytes), none(), none(), none()], None, name);
            }
        }
        if let Some((from, to)) = from.recorded_bytes.zip(to.recorded_bytes) {
            let change = units::bytes_change(to.saturating_sub(from));
            add([change, none(), none(), none()], None, texts::recorded(lang));
        }
    }
    table.print(out, "  ", terminal_width())
}

/// What of the pool is unused, and what made it grow.
pub fn print_reserved(out: &mut impl Write, lang: Lang, session: &Session, reserved: &Reserved) -> Result<()> {
    let share = |held: &Held| units::share(held.unused_bytes, held.reserved_bytes);
    if let Some(held) = &reserved.at_peak {
        let [unused, all] = [held.unused_bytes, held.reserved_bytes].map(units::bytes);
        let (level, when) = (words::level(lang, held.level), since(session, held.time_ns));
        line!(out, "  {}", texts::unused_at_peak(lang, &unused, &all, &share(held), level, &when))?;
    }
    if let Some(held) = &reserved.worst {
        let [unused, all] = [held.unused_bytes, held.reserved_bytes].map(units::bytes);
        line!(out, "  {}", texts::unused_worst(lang, &unused, &all, &share(held), &since(session, held.time_ns)))?;
    }
    if let Some(pending) = reserved.pending.filter(|pending| pending.bytes > 0) {
        line!(out, "  {}", texts::pending_most(lang, &units::bytes(pending.bytes), &since(session, pending.time_ns)))?;
    }
    if reserved.growths.is_empty() {
        return Ok(());
    }
    line!(out, "  {}", texts::reserved_growths(lang, reserved.growth_count, &units::bytes(reserved.growth_bytes)))?;
    let mut table = Table::new(vec![
        texts::col_change(lang),
        texts::col_reserved(lang),
        texts::col_free(lang),
        texts::col_for(lang),
        texts::col_time(lang),
        term(lang, Term::Operator),
    ]);
    for growth in &reserved.growths {
        let trigger = growth.trigger.as_ref();
        let frame = trigger.and_then(|trigger| trigger.user_frame.as_deref().filter(|_| trigger.kind.is_certain()));
        let operator = trigger.map_or("–", |trigger| trigger.operator.as_str());
        table.row(vec![
            units::bytes_change(growth.bytes),
            units::bytes(growth.reserved_bytes),
            units::bytes(growth.free_bytes),
            trigger.map_or_else(|| "–".to_owned(), |trigger| units::bytes(trigger.size_bytes)),
            since(session, growth.time_ns),
            frame.map_or_else(|| operator.to_owned(), |frame| format!("{operator}, {frame}")),
        ]);
    }
    table.print(out, "  ", terminal_width())
}
