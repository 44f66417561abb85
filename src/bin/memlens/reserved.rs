//! `memlens reserved`.

use std::io::Result;

use memlens::analysis::reserved::{Reserved as Answer, ReservedQuery};
use memlens::analysis::steps::Of;
use memlens::export::answers as export;
use memlens::session::Session;

use crate::Outcome;
use crate::args::Reserved;
use crate::growth::print_reserved;
use crate::top::{pool_name, say_missing};
use crate::{asked, pool};

/// Reads and prints.
pub fn run(arguments: &Reserved) -> Result<Outcome> {
    let answer = |session: &Session| -> Option<Answer> {
        let pool = pool::chosen(session, arguments.pool.as_deref())?;
        let time = |at, of| session.moment_of(at, of, pool.as_ref());
        let (from_ns, to_ns) = time(arguments.from, Of::Start).zip(time(arguments.to, Of::End))?;
        session.reserved(&ReservedQuery { from_ns, to_ns, pool, limit: arguments.limit })
    };
    let answers = |session: &Session| [("reserved", export::answer(&answer(session)))];
    asked::each_rank(&arguments.selection, &arguments.form, answers, |out, lang, session| {
        let Some(reserved) = answer(session) else {
            let moments = format!("{} / {}", arguments.from, arguments.to);
            return say_missing(out, lang, session, arguments.pool.as_deref(), &moments);
        };
        line!(out, "{}", session.summary().folder)?;
        line!(out, "  {}", pool_name(&reserved.pool))?;
        print_reserved(out, lang, session, &reserved)?;
        line!(out)
    })
}
