//! What the readers of memory tables share: header lookup, cells, text, and the problems on the way.

use std::borrow::Cow;
use std::ops::Range;

use super::csv::{Piece, Record, Splitter};
use super::number::{self, Cell, Number, Unit};
use super::text::{self, Legacy};
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

    /// The last column of that name, as the reference tool takes it; else one that differs in case, blanks or brackets only, as
    /// people and programs write a header anew.
    pub fn text(&self, name: &str) -> Option<usize> {
        let exact = self.names.iter().rposition(|n| n == name);
        exact.or_else(|| {
            let wanted = loosely(name);
            self.names.iter().rposition(|n| loosely(n) == wanted)
        })
    }

    /// Whether a record is this header again.
    pub fn is_again(&self, record: &Record<'_>) -> bool {
        let is_same = |(index, name): (usize, &String)| {
            let cell = record.cell(index).and_then(|cell| std::str::from_utf8(cell).ok());
            cell.is_some_and(|cell| text::strip(cell.trim_start_matches('\u{feff}')) == name)
        };
        record.count() == self.names.len() && self.names.iter().enumerate().all(is_same)
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

/// A column's name by its letters and digits alone.
fn loosely(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).map(|c| if matches!(c, 'µ' | 'μ') { 'u' } else { c }).collect()
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
    /// What reads text that is no UTF-8.
    pub legacy: Option<Legacy>,
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

/// Where the first line that is not blank stands, without its end; `None` if it may go on.
fn first_line_at(head: &[u8]) -> Option<Range<usize>> {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let start = head.iter().position(|byte| !is_end(byte))?;
    let length = head.get(start..)?.iter().position(is_end)?;
    Some(start..start + length)
}

/// The line itself.
fn first_line(head: &[u8]) -> Option<&[u8]> {
    head.get(first_line_at(head)?)
}

/// The separator that a spreadsheet names in a line above the header (`sep=;`), and the bytes up to that line's end.
fn named_separator(head: &[u8]) -> Option<(u8, usize)> {
    let place = first_line_at(head)?;
    let line = head.get(place.clone())?;
    let text = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    let (word, separator) = text.split_at_checked(4)?;
    match separator {
        [separator] if word.eq_ignore_ascii_case(b"sep=") && !separator.is_ascii_alphanumeric() => {
            Some((*separator, place.end))
        }
        _ => None,
    }
}

/// What a table's first bytes say: the separator named above the header, and the bytes from the header on.
pub(crate) fn above_header(head: &[u8]) -> (Option<u8>, &[u8]) {
    let head = head.strip_prefix(UTF8_MARK).unwrap_or(head);
    match named_separator(head) {
        Some((separator, end)) => (Some(separator), head.get(end..).unwrap_or_default()),
        None => (None, head),
    }
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
            legacy: None,
        }
    }

    /// Feeds a chunk; `take` gets each record with the problems to count into.
    pub fn feed(&mut self, chunk: &[u8], take: &mut impl FnMut(&Record<'_>, &mut Notes<'_>)) {
        match self.state {
            State::Start => {
                let (head, rest) = chunk.split_at((HEAD_BYTES - self.head.len()).min(chunk.len()));
                self.head.extend_from_slice(head);
                if self.head.len() == HEAD_BYTES || first_line(above_header(&self.head).1).is_some() {
                    self.begin(take);
                    self.feed(rest, take);
                }
            }
            State::Reading => {
                self.has_nul |= memchr::memchr(0, chunk).is_some();
                let mut notes = Notes {
                    file: &self.file,
                    problems: &mut self.problems,
                    has_decimal_commas: self.has_decimal_commas,
                    has_nul: self.has_nul,
                    legacy: self.legacy,
                };
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
        let (named, head) = above_header(&head);
        let delimiter = named.unwrap_or_else(|| delimiter(first_line(head).unwrap_or(head)));
        // The header is row 1, for a spreadsheet does not show the line above it.
        let blank = head.iter().take_while(|byte| named.is_some() && matches!(byte, b'\r' | b'\n')).count();
        let head = head.get(blank..).unwrap_or_default();
        // Where the comma is the fraction's, something else is the cells'.
        self.has_decimal_commas = delimiter != b',';
        self.splitter = Splitter::new(delimiter);
        self.feed(head, take);
    }

    /// Ends the file.
    pub fn finish(&mut self, take: &mut impl FnMut(&Record<'_>, &mut Notes<'_>)) {
        if self.state == State::Start {
            self.begin(take);
        }
        if self.state == State::Reading {
            let mut notes = Notes {
                file: &self.file,
                problems: &mut self.problems,
                has_decimal_commas: self.has_decimal_commas,
                has_nul: self.has_nul,
                legacy: self.legacy,
            };
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
    legacy: Option<Legacy>,
}

impl Notes<'_> {
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
        // Spreadsheets write a blank row as commas alone: nothing stands there, so nothing is lost.
        if !self.record.cut_off && (0..have).all(|at| self.record.cell(at).is_some_and(<[u8]>::is_empty)) {
            return false;
        }
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
        match number::quick(bytes, column.unit) {
            Some(units) => Cell::Number(Number { units, exact: None }),
            None => self.any_number(column, bytes),
        }
    }

    fn any_number(&mut self, column: Column, bytes: &[u8]) -> Cell {
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
                let is_gbk = text::looks_like_gbk(bytes);
                let read = self.notes.legacy.filter(|_| is_gbk).and_then(|legacy| legacy(bytes));
                let kind = match (&read, is_gbk) {
                    (Some(_), _) => ProblemKind::GbkRead,
                    (None, true) => ProblemKind::GbkText,
                    (None, false) => ProblemKind::BadEncoding,
                };
                let found = read.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned());
                self.count(index, kind, &found);
                Cow::Owned(text::strip(&found).to_owned())
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

    /// With what reads text that is no UTF-8 but may be GBK.
    pub fn with_legacy(mut self, legacy: Option<Legacy>) -> PlainReader<C> {
        self.table.legacy = legacy;
        self
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
    if header.is_again(record) {
        return notes.add(Place::Row(record.row), ProblemKind::HeaderAgain, "");
    }
    let mut row = Row { record, header, notes };
    if row.check_length() {
        columns.take(row, sink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_may_be_named_above_the_header() {
        for (head, separator, rest) in [
            ("sep=;\r\nName;Size\n", Some(b';'), "\r\nName;Size\n"),
            ("\u{feff}\n\"SEP=\t\"\nName", Some(b'\t'), "\nName"),
            ("sep=\nName", None, "sep=\nName"),
            ("separate,b\n", None, "separate,b\n"),
            ("sep=,", None, "sep=,"),
            ("", None, ""),
        ] {
            assert_eq!(above_header(head.as_bytes()), (separator, rest.as_bytes()), "{head:?}");
        }
    }

    #[test]
    fn columns_go_by_their_letters() {
        let header =
            Header { names: ["name", "SIZE (kb)", "Allocation_Time（us）", "Device_id"].map(str::to_owned).to_vec() };
        assert_eq!(header.text("Name"), Some(0));
        assert_eq!(header.number("Size"), Some(Column { index: 1, unit: Unit::Kb }));
        assert_eq!(header.number("Allocation Time"), Some(Column { index: 2, unit: Unit::Us }));
        assert_eq!((header.device(), header.text("Device Type")), ((None, Some(3)), None));
        let both = Header { names: ["name", "Name"].map(str::to_owned).to_vec() };
        assert_eq!(both.text("Name"), Some(1));
    }
}
