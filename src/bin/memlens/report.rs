//! `memlens report`.

use std::io::{Result, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use memlens::export::report::{OfRank, Style, report};
use memlens::session::{Options, Session};
use memlens::words::units;
use rayon::prelude::*;

use crate::args::Report;
use crate::print::{locale_lang, say_empty_selection};
use crate::{Outcome, ranks};

/// Reads and writes.
pub fn run(arguments: &Report) -> Result<Outcome> {
    let options = Options { trace_offset_ns: arguments.selection.trace_offset_ns, ..Options::default() };
    let ranks = ranks::read(&arguments.selection, options, false);
    let lang = arguments.lang.unwrap_or_else(locale_lang);
    say_empty_selection(lang, &ranks, &arguments.selection)?;
    if ranks.sessions.is_empty() {
        return Ok(Outcome::NothingReadable);
    }
    let of_ranks: Vec<OfRank> = ranks.sessions.par_iter().map(Session::of_report).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let when = units::utc(i64::try_from(now).unwrap_or(0));
    // To the minute.
    let when = format!("{} UTC", when.get(..16).unwrap_or(&when));
    let text = report(&of_ranks, &Style { lang, with_stacks: arguments.with_stacks, when });
    if arguments.output == Path::new("-") {
        std::io::stdout().lock().write_all(text.as_bytes())?;
    } else {
        std::fs::write(&arguments.output, text)?;
    }
    Ok(ranks.outcome())
}
