//! `memlens rows`: the rows of all selected ranks, merged by time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufWriter, Result, Write};

use memlens::export::rows::{Format, header};
use memlens::matching::MatchRule;
use memlens::session::{Options, Session};

use crate::args::Rows;
use crate::print::say_problems;
use crate::{Outcome, ranks};

/// Rows taken from a rank at once while merging.
const BATCH: usize = 4096;

/// Reads, merges and writes.
pub fn run(arguments: &Rows) -> Result<Outcome> {
    let rule: MatchRule = arguments.rule.into();
    let ranks = ranks::read(
        &arguments.selection,
        Options { rule, trace_offset_ns: arguments.selection.trace_offset_ns },
        rule == MatchRule::Reference,
    );
    say_problems(&ranks, &arguments.selection)?;
    let outcome = ranks.outcome();
    if outcome == Outcome::NothingReadable {
        return Ok(outcome);
    }
    let format = arguments.format.into();
    match &arguments.output {
        Some(path) => {
            let named =
                |error: std::io::Error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display()));
            let mut out = BufWriter::new(File::create(path).map_err(named)?);
            write(&ranks.sessions, format, arguments.extended, &mut out).and_then(|()| out.flush()).map_err(named)?;
        }
        None => {
            let mut out = BufWriter::new(std::io::stdout().lock());
            write(&ranks.sessions, format, arguments.extended, &mut out)?;
            out.flush()?;
        }
    }
    Ok(outcome)
}

/// By time; ties in the order of the ranks (role, rank, folder), then as in the file.
fn write(sessions: &[Session], format: Format, extended: bool, out: &mut impl Write) -> Result<()> {
    let mut cursors: Vec<Cursor<'_>> = sessions.iter().map(|s| Cursor::new(s, format, extended)).collect();
    let mut next: BinaryHeap<Reverse<(i64, usize)>> = BinaryHeap::new();
    for (at, cursor) in cursors.iter_mut().enumerate() {
        next.extend(cursor.key().map(|key| Reverse((key, at))));
    }
    match format {
        Format::Csv => out.write_all(header(extended).as_bytes())?,
        Format::Json => out.write_all(b"[")?,
    }
    let mut first = true;
    while let Some(Reverse((_, at))) = next.pop() {
        let Some(cursor) = cursors.get_mut(at) else { continue };
        if format == Format::Json {
            out.write_all(if first { b"\n" } else { b",\n" })?;
        }
        first = false;
        out.write_all(cursor.take())?;
        next.extend(cursor.key().map(|key| Reverse((key, at))));
    }
    if format == Format::Json {
        out.write_all(b"\n]\n")?;
    }
    Ok(())
}

/// One rank's rows, a batch at a time.
struct Cursor<'a> {
    session: &'a Session,
    format: Format,
    extended: bool,
    from: usize,
    at: usize,
    keys: Vec<i64>,
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Cursor<'_> {
    fn new(session: &Session, format: Format, extended: bool) -> Cursor<'_> {
        Cursor { session, format, extended, from: 0, at: 0, keys: Vec::new(), text: Vec::new(), ends: Vec::new() }
    }

    fn key(&mut self) -> Option<i64> {
        if self.at == self.keys.len() {
            self.from += self.at;
            self.at = 0;
            self.keys = self.session.row_times(self.from, BATCH);
            self.text.clear();
            self.ends = self.session.write_rows_as(self.format, self.from, BATCH, self.extended, &mut self.text);
        }
        self.keys.get(self.at).copied()
    }

    fn take(&mut self) -> &[u8] {
        let end = self.ends.get(self.at).copied().unwrap_or(0);
        let start = self.at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.at += 1;
        self.text.get(start..end).unwrap_or_default()
    }
}
