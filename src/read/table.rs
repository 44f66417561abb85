//! What the readers of memory tables share: header lookup, cells, text, and the problems on the way.

use std::borrow::Cow;

use super::csv::{Piece, Record, Splitter};
use super::number::{self, Cell, Number, Unit};
use super::text;
use crate::problem::{Place, ProblemKind, Problems};

/// A column whose MB are 1000 KB, as MindSpore's are.
pub(super) fn of_thousand_kb(column: Option<Column>) -> Option<Column> {
    column.map(|column| match column.unit {
        Unit::Mb => Column { unit: Unit::MbOfThousandKb, ..column },
        Unit::Us | Unit::Kb | Unit::MbOfThousandKb => column,
    })
}

/// One known column: its name without the unit, where it was found, and in which unit it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub index: usize,
    pub unit: Unit,
}

/// A header row, mapped by trimmed name.
#[derive(Debug, Default)]
pub struct Header {
    names: Vec<String>,
}

impl Header {
    pub fn new(record: &Record<'_>) -> Header {
        let mut names = Vec::new();
        for index in 0..record.count() {
            let name = String::from_utf8_lossy(record.cell(index).unwrap_or_default());
            names.push(text::strip(&name).to_owned());
        }
        Header { names }
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("", String::as_str)
    }

    /// The last column of that name, as the reference tool takes it.
    pub fn text(&self, name: &str) -> Option<usize> {
        self.names.iter().rposition(|n| n == name)
    }

    /// The column `name(UNIT)` in any unit a writer has used.
    pub fn number(&self, name: &str) -> Option<Column> {
        [("us", Unit::Us), ("KB", Unit::Kb), ("MB", Unit::Mb)].into_iter().find_map(|(suffix, unit)| {
            let index = self.text(&format!("{name}({suffix})"))?;
            Some(Column { index, unit })
        })
    }

    /// The column of the device's name, and that of its number.
    pub fn device(&self) -> (Option<usize>, Option<usize>) {
        (self.text("Device Type").or_else(|| self.text("Device")), self.text("Device_id"))
    }
}

/// Splits a file and counts what is wrong with it; the reader of each format maps records to its own fields.
pub(super) struct Table {
    pub file: String,
    pub splitter: Splitter,
    pub problems: Problems,
    /// The first bytes, until the header row shows what stands between cells.
    head: Vec<u8>,
    /// Whether numbers have a comma before their fraction.
    has_decimal_commas: bool,
    state: State,
    /// Records and what was given up, the header among them.
    pieces: u64,
    /// Whether there was a NUL byte so far: only then cells are searched for them.
    has_nul: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Too few bytes so far to know what this is.
    Start,
    Reading,
}

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
/// Most bytes looked at for the header row.
const HEAD_BYTES: usize = 4096;

/// The first line that is not blank, without its end; `None` if it may go on.
fn first_line(head: &[u8]) -> Option<&[u8]> {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let head = head.strip_prefix(UTF8_MARK).unwrap_or(head);
    let start = head.iter().position(|byte| !is_end(byte))?;
    let line = head.get(start..)?;
    line.iter().position(is_end).and_then(|end| line.get(..end))
}

/// What stands between the cells of a header row: a comma, unless a spreadsheet saved it in its own way. No column's name holds
/// one of the others.
fn delimiter(header: &[u8]) -> u8 {
    let has = |byte: u8| header.contains(&byte);
    if has(b',') {
        b','
    } else if has(b';') {
        b';'
    } else if has(b'\t') {
        b'\t'
    } else {
        b','
    }
}

impl Table {
    pub fn new(file: &str) -> Table {
        Table {
            file: file.to_owned(),
            splitter: Splitter::default(),
            problems: Problems::default(),
            head: Vec::new(),
            has_decimal_commas: false,
            state: State::Start,
            pieces: 0,
            has_nul: false,
        }
    }

    /// Feeds a chunk; `take` gets each record with the problems to count into.
    pub fn feed(&mut self, chunk: &[u8], take: &mut impl FnMut(&Record<'_>, &mut Notes<'_>)) {
        match self.state {
            State::Start => {
                let (head, rest) = chunk.split_at((HEAD_BYTES - self.head.len()).min(chunk.len()));
                self.head.extend_from_slice(head);
                if self.head.len() == HEAD_BYTES || first_line(&self.head).is_some() {
                    self.begin(take);
                    self.feed(rest, take);
                }
            }
            State::Reading => {
                self.has_nul |= memchr::memchr(0, chunk).is_some();
                let mut notes = Notes::new(&self.file, &mut self.problems, self.has_decimal_commas, self.has_nul);
                let pieces = &mut self.pieces;
                self.splitter.feed(chunk, &mut |piece| {
                    *pieces += 1;
                    dispatch(piece, &mut notes, take);
                });
            }
        }
    }

    /// Looks at the first bytes, and reads them.
    fn begin(&mut self, take: &mut impl FnMut(&Record<'_>, &mut Notes<'_>)) {
        let head = std::mem::take(&mut self.head);
        self.state = State::Reading;
        let head = head.strip_prefix(UTF8_MARK).unwrap_or(&head);
        let delimiter = delimiter(first_line(head).unwrap_or(head));
        // Where the comma is the fraction's, the semicolon is the cells'.
        self.has_decimal_commas = delimiter == b';';
        self.splitter = Splitter::new(delimiter);
        self.feed(head, take);
    }

    /// Ends the file.
    pub fn finish(&mut self, take: &mut impl FnMut(&Record<'_>, &mut Notes<'_>)) {
        if self.state == State::Start {
            self.begin(take);
        }
        if self.state == State::Reading {
            let mut notes = Notes::new(&self.file, &mut self.problems, self.has_decimal_commas, self.has_nul);
            let pieces = &mut self.pieces;
            self.splitter.finish(&mut |piece| {
                *pieces += 1;
                dispatch(piece, &mut notes, take);
            });
        }
        match self.pieces {
            0 => self.problems.add(&self.file, Place::Whole, ProblemKind::EmptyFile, ""),
            // No writer leaves a lone header: the file was cut.
            1 if self.problems.list().is_empty() => {
                self.problems.add(&self.file, Place::Whole, ProblemKind::EmptyFile, "header only");
            }
            _ => {}
        }
    }
}

fn dispatch(piece: Piece<'_>, notes: &mut Notes<'_>, take: &mut impl FnMut(&Record<'_>, &mut Notes<'_>)) {
    match piece {
        Piece::Record(record) => take(&record, notes),
        Piece::UnclosedQuote(row) => notes.add(Place::Row(row), ProblemKind::UnclosedQuote, ""),
        Piece::TooLong(row) => notes.add(Place::Row(row), ProblemKind::OverLimit, "row > 16 MiB"),
    }
}

/// Counts problems of one file.
pub struct Notes<'a> {
    file: &'a str,
    problems: &'a mut Problems,
    has_decimal_commas: bool,
    has_nul: bool,
}

impl<'a> Notes<'a> {
    fn new(file: &'a str, problems: &'a mut Problems, has_decimal_commas: bool, has_nul: bool) -> Notes<'a> {
        Notes { file, problems, has_decimal_commas, has_nul }
    }

    /// A cell's number, as this table writes numbers.
    pub fn plain<'c>(&self, cell: &'c [u8]) -> Cow<'c, [u8]> {
        if self.has_decimal_commas && cell.contains(&b',') && !cell.contains(&b'.') {
            return cell.iter().map(|byte| if *byte == b',' { b'.' } else { *byte }).collect();
        }
        Cow::Borrowed(cell)
    }

    pub fn add(&mut self, place: Place, kind: ProblemKind, detail: &str) {
        self.problems.add(self.file, place, kind, detail);
    }
}

/// One data row with its header: cells by column, bad ones counted.
pub struct Row<'r, 'n, 'p> {
    pub record: &'r Record<'r>,
    pub header: &'r Header,
    pub notes: &'n mut Notes<'p>,
}

impl<'r> Row<'r, '_, '_> {
    /// Counts a row of the wrong length. `false` if it is the torn last row of a cut-off file, whose last cell may be half a
    /// number or half a name, or holds a run of NUL bytes, as a lost disk block leaves them.
    pub fn check_length(&mut self) -> bool {
        let (have, want) = (self.record.count(), self.header.len());
        let place = Place::Row(self.record.row);
        if have < want && self.record.cut_off || self.record.torn && have == want {
            self.notes.add(place, ProblemKind::Truncated, "");
            return false;
        }
        let has_nul = |cell: &[u8]| memchr::memmem::find(cell, &[0; 2]).is_some();
        if self.notes.has_nul && (0..have).any(|at| self.record.cell(at).is_some_and(has_nul)) {
            self.notes.add(place, ProblemKind::NulBytes, "");
            return false;
        }
        if have < want {
            self.notes.add(place, ProblemKind::ShortRow, &format!("{have} < {want}"));
        } else if have > want {
            self.notes.add(place, ProblemKind::LongRow, &format!("{have} > {want}"));
        }
        true
    }

    /// The time of a sample; a row without one is counted as lost.
    pub fn sample_time(&mut self, column: Option<Column>) -> Option<Number> {
        let time = self.number(column).number().filter(|time| time.units >= 0);
        if time.is_none() {
            self.lose("Timestamp(us)");
        }
        time
    }

    /// Counts the row as lost for want of what a column should hold.
    pub fn lose(&mut self, column: &str) {
        let place = Place::Cell(self.record.row, column.to_owned());
        self.notes.add(place, ProblemKind::BadRow, "");
    }

    pub fn number(&mut self, column: Option<Column>) -> Cell {
        let Some(column) = column else { return Cell::Missing };
        let Some(bytes) = self.record.cell(column.index) else { return Cell::Missing };
        let cell = number::read(&self.notes.plain(bytes), column.unit);
        match cell {
            Cell::Bad => self.count(column.index, ProblemKind::BadNumber, &String::from_utf8_lossy(bytes)),
            Cell::Number(n) if n.exact.is_some() => {
                self.count(column.index, ProblemKind::Inexact, &String::from_utf8_lossy(bytes));
            }
            Cell::Number(_) | Cell::Missing => {}
        }
        cell
    }

    /// A pool's total: as [`Row::number`], with what no integer can hold in MB.
    pub fn total(&mut self, column: Option<Column>) -> Option<Number> {
        let number = self.number(column).number()?;
        Some(column.map_or(number, |column| number.exact_in_mb(column.unit)))
    }

    /// The device a row names, else the one whose number it has.
    pub fn device(&mut self, name: Option<usize>, id: Option<usize>) -> Cow<'r, str> {
        let device = self.text(name);
        if !device.is_empty() {
            return device;
        }
        let id = self.text(id);
        if id.is_empty() || id == "N/A" { Cow::Borrowed("") } else { Cow::Owned(format!("NPU:{id}")) }
    }

    /// Counts a number that cannot be what its column says.
    pub fn refuse(&mut self, column: Option<Column>) {
        self.refuse_text(column.map(|column| column.index));
    }

    /// The same of a column without a unit.
    pub fn refuse_text(&mut self, column: Option<usize>) {
        if let Some(index) = column {
            let bytes = self.record.cell(index).unwrap_or_default();
            self.count(index, ProblemKind::BadNumber, &String::from_utf8_lossy(bytes));
        }
    }

    pub fn text(&mut self, column: Option<usize>) -> Cow<'r, str> {
        let Some(index) = column else { return Cow::Borrowed("") };
        let bytes = self.record.cell(index).unwrap_or_default();
        match std::str::from_utf8(bytes) {
            Ok(cell) => Cow::Borrowed(text::strip(cell)),
            Err(_) => {
                let lossy = String::from_utf8_lossy(bytes);
                let kind = if text::looks_like_gbk(bytes) { ProblemKind::GbkText } else { ProblemKind::BadEncoding };
                self.count(index, kind, &lossy);
                Cow::Owned(text::strip(&lossy).to_owned())
            }
        }
    }

    fn count(&mut self, index: usize, kind: ProblemKind, detail: &str) {
        let place = Place::Cell(self.record.row, self.header.name(index).to_owned());
        self.notes.add(place, kind, text::strip(detail));
    }
}

/// Which columns a format has, and what a row of it is.
pub trait Columns<S>: Sized {
    /// The columns of a header; `Err`: the name of one that is needed and not there.
    fn find(header: &Header) -> Result<Self, &'static str>;

    /// Takes a row.
    fn take(&self, row: Row<'_, '_, '_>, sink: &mut S);
}

/// A push reader of a table whose rows are each taken by themselves.
pub struct PlainReader<C> {
    table: Table,
    /// The header; without columns where one that is needed is missing.
    found: Option<(Header, Option<C>)>,
}

impl<C> PlainReader<C> {
    /// A reader that names `file` in its problems.
    pub fn new(file: &str) -> PlainReader<C> {
        PlainReader { table: Table::new(file), found: None }
    }

    /// Takes the next bytes.
    pub fn feed<S>(&mut self, chunk: &[u8], sink: &mut S)
    where
        C: Columns<S>,
    {
        let found = &mut self.found;
        self.table.feed(chunk, &mut |record, notes| take(found, record, notes, sink));
    }

    /// Takes the end of the file; gives the problems met.
    pub fn finish<S>(mut self, sink: &mut S) -> Problems
    where
        C: Columns<S>,
    {
        let found = &mut self.found;
        self.table.finish(&mut |record, notes| take(found, record, notes, sink));
        self.table.problems
    }
}

fn take<S, C: Columns<S>>(
    found: &mut Option<(Header, Option<C>)>,
    record: &Record<'_>,
    notes: &mut Notes<'_>,
    sink: &mut S,
) {
    let Some((header, columns)) = found else {
        let header = Header::new(record);
        let columns = C::find(&header);
        if let Err(missing) = &columns {
            notes.add(Place::Row(record.row), ProblemKind::MissingColumn, missing);
        }
        *found = Some((header, columns.ok()));
        return;
    };
    let Some(columns) = columns else { return };
    let mut row = Row { record, header, notes };
    if row.check_length() {
        columns.take(row, sink);
    }
}
