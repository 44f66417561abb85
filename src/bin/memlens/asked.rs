//! What the commands that put a question to each rank share: reading, the language, JSON or text, and the outcome.

use std::io::{BufWriter, Result, StdoutLock, Write};

use memlens::export::answers as export;
use memlens::session::{Options, Session};
use memlens::words::Lang;
use serde_json::Value;

use crate::Outcome;
use crate::args::{Form, Selection};
use crate::print::{locale_lang, say_empty_selection};
use crate::ranks::{self, Ranks};

/// Where answers are written to.
pub type Out = BufWriter<StdoutLock<'static>>;

/// Reads what is selected and has it written.
pub fn all(
    selection: &Selection,
    form: &Form,
    write: impl FnOnce(&mut Out, Lang, &Ranks) -> Result<()>,
) -> Result<Outcome> {
    let options = Options { trace_offset_ns: selection.trace_offset_ns, ..Options::default() };
    let ranks = ranks::read(selection, options, false);
    let lang = form.lang.unwrap_or_else(locale_lang);
    let mut out = BufWriter::new(std::io::stdout().lock());
    write(&mut out, lang, &ranks)?;
    out.flush()?;
    say_empty_selection(lang, &ranks, selection)?;
    Ok(ranks.outcome())
}

/// The same, rank by rank: as answers by key for JSON, or as text.
pub fn each_rank<const N: usize>(
    selection: &Selection,
    form: &Form,
    answers: impl Fn(&Session) -> [(&'static str, Value); N],
    mut print: impl FnMut(&mut Out, Lang, &Session) -> Result<()>,
) -> Result<Outcome> {
    all(selection, form, |out, lang, ranks| {
        if !form.json {
            return ranks.sessions.iter().try_for_each(|session| print(out, lang, session));
        }
        let of_rank = |session: &Session| export::of_rank(session.summary(), &answers(session));
        write_json(out, &export::of_ranks(ranks.sessions.iter().map(of_rank).collect()))
    })
}

/// A whole document.
pub fn write_json(out: &mut impl Write, document: &Value) -> Result<()> {
    serde_json::to_writer_pretty(&mut *out, document)?;
    line!(out)
}
