//! `memlens reserved`.

use std::io::{Result, Write};

use memlens::analysis::reserved::{Reserved as Answer, ReservedQuery};
use memlens::analysis::steps::Of;
use memlens::export::answers as export;
use memlens::session::{Options, Session};

use crate::Outcome;
use crate::args::Reserved;
use crate::growth::print_reserved;
use crate::print::{locale_lang, say_empty_selection};
use crate::top::{pool_name, say_missing};
use crate::{pool, ranks};

/// Reads and prints.
pub fn run(arguments: &Reserved) -> Result<Outcome> {
    let options = Options { trace_offset_ns: arguments.selection.trace_offset_ns, ..Options::default() };
    let ranks = ranks::read(&arguments.selection, options, false);
    let lang = arguments.form.lang.unwrap_or_else(locale_lang);
    let answer = |session: &Session| -> Option<Answer> {
        let pool = pool::chosen(session, arguments.pool.as_deref())?;
        let time = |at, of| session.moment_of(at, of, pool.as_ref());
        let (from_ns, to_ns) = time(arguments.from, Of::Start).zip(time(arguments.to, Of::End))?;
        session.reserved(&ReservedQuery { from_ns, to_ns, pool, limit: arguments.limit })
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if arguments.form.json {
        let of_rank =
            |session: &Session| export::of_rank(session.summary(), &[("reserved", export::answer(&answer(session)))]);
        serde_json::to_writer_pretty(&mut out, &export::of_ranks(ranks.sessions.iter().map(of_rank).collect()))?;
        line!(&mut out)?;
    } else {
        for session in &ranks.sessions {
            match answer(session) {
                Some(reserved) => {
                    line!(&mut out, "{}", session.summary().folder)?;
                    line!(&mut out, "  {}", pool_name(&reserved.pool))?;
                    print_reserved(&mut out, lang, session, &reserved)?;
                    line!(&mut out)?;
                }
                None => {
                    let moments = format!("{} / {}", arguments.from, arguments.to);
                    say_missing(&mut out, lang, session, arguments.pool.as_deref(), &moments)?;
                }
            }
        }
    }
    out.flush()?;
    say_empty_selection(lang, &ranks, &arguments.selection)?;
    Ok(ranks.outcome())
}
