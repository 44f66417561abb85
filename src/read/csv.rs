//! Cuts chunks of CSV into records (csv-core does the cutting) and survives broken quotes.
//!
//! It knows nothing of columns. A quote that is never closed would swallow the rest of a file: a record that spans lines and
//! whose quotes or cells do not add up, or that grows beyond a cap, is given up at its first line end and reading goes on there.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use wide::u8x16;

/// No record is longer than this; what is, is no table at all.
pub(super) const MAX_RECORD_BYTES: usize = 16 << 20;
/// Longer lines are not worth a way of their own.
const MAX_PLAIN_BYTES: usize = 4096;
/// No record with line breaks in its cells comes near this; what does is an unclosed quote.
const MAX_SPANNING_BYTES: usize = 256 << 10;
/// Once so much was read anew behind unclosed quotes, no record may span lines any more: a damaged file costs no more time
/// than a whole one.
const MAX_REREAD_BYTES: usize = 16 << 20;

/// One record: its cells, and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    bytes: &'a [u8],
    ends: &'a [usize],
    /// Bytes between one cell's end and the next one's start: one if this is the line as it stands in the file.
    gap: usize,
    /// Row as a spreadsheet counts: the header is row 1.
    pub row: u64,
    /// Whether the file ended without a line end behind this record.
    pub cut_off: bool,
    /// Whether it is cut off, and its last cell is only the beginning of the one above it.
    pub torn: bool,
}

impl<'a> Record<'a> {
    /// The cell's bytes without quotes; `None` beyond the last cell.
    pub fn cell(&self, column: usize) -> Option<&'a [u8]> {
        let end = *self.ends.get(column)?;
        let start = if column == 0 { 0 } else { *self.ends.get(column - 1)? + self.gap };
        self.bytes.get(start..end)
    }

    /// How many cells there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }
}

/// What the splitter hands over.
#[derive(Debug, Clone, Copy)]
pub enum Piece<'a> {
    /// A record, the header first.
    Record(Record<'a>),
    /// A quote opened in this row was not closed; the row is lost.
    UnclosedQuote(u64),
    /// This row is too long for any table; it is lost.
    TooLong(u64),
}

/// A push splitter: feed chunks cut anywhere, finish at the end.
pub struct Splitter {
    core: Reader,
    /// Between cells.
    delimiter: u8,
    cells: Vec<u8>,
    cells_len: usize,
    ends: Vec<usize>,
    ends_len: usize,
    /// Raw bytes of the unfinished record that came with earlier chunks.
    raw: Vec<u8>,
    /// Whether there is a line end among them.
    raw_spans: bool,
    row: u64,
    header_len: Option<usize>,
    /// The last cell of the record before.
    last_cell: Vec<u8>,
    /// Whether the last byte read between records was a CR: an LF behind it ends no further line.
    after_cr: bool,
    /// Inside a row that is too long, up to its end.
    skipping: bool,
    reread: usize,
}

impl Default for Splitter {
    fn default() -> Self {
        Splitter::new(b',')
    }
}

impl Splitter {
    /// One for files with this byte between cells.
    pub fn new(delimiter: u8) -> Splitter {
        Splitter {
            core: ReaderBuilder::new().delimiter(delimiter).build(),
            delimiter,
            cells: vec![0; 4096],
            cells_len: 0,
            ends: vec![0; 32],
            ends_len: 0,
            raw: Vec::new(),
            raw_spans: false,
            row: 1,
            header_len: None,
            last_cell: Vec::new(),
            after_cr: false,
            skipping: false,
            reread: 0,
        }
    }
}

impl Splitter {
    /// Takes the next bytes of the file.
    pub fn feed(&mut self, chunk: &[u8], take: &mut impl FnMut(Piece<'_>)) {
        if let Some((joined, from)) = self.read(chunk, 0, take) {
            // Nothing is carried over any more, so whatever else is given up lies in these bytes themselves.
            self.read(&joined, from, take);
        }
    }

    /// Takes the end of the file.
    pub fn finish(&mut self, take: &mut impl FnMut(Piece<'_>)) {
        while !self.raw.is_empty() {
            let (result, _, cells, ends) = self.core.read_record(
                &[],
                self.cells.get_mut(self.cells_len..).unwrap_or_default(),
                self.ends.get_mut(self.ends_len..).unwrap_or_default(),
            );
            self.cells_len += cells;
            self.ends_len += ends;
            match result {
                ReadRecordResult::OutputFull => grow(&mut self.cells),
                ReadRecordResult::OutputEndsFull => grow(&mut self.ends),
                ReadRecordResult::Record if self.is_broken(&[]) => {
                    if let Some((joined, from)) = self.give_up(&[], self.raw.len(), take) {
                        self.read(&joined, from, take);
                    }
                }
                ReadRecordResult::Record => {
                    self.emit(true, take);
                    self.raw.clear();
                }
                ReadRecordResult::InputEmpty | ReadRecordResult::End => self.raw.clear(),
            }
        }
    }

    /// Reads `input` from a position on. Where a record that began in earlier chunks is given up, all its bytes and what
    /// follows them come back, with the position to read on from.
    fn read(&mut self, input: &[u8], from: usize, take: &mut impl FnMut(Piece<'_>)) -> Option<(Vec<u8>, usize)> {
        let mut start = from;
        let mut at = from;
        loop {
            if start == at && self.raw.is_empty() {
                start = self.skip_to_row(input, at);
                at = start;
            }
            if start == at && self.raw.is_empty() && self.plain_line(input, &mut at, take) {
                start = at;
                continue;
            }
            let rest = input.get(at..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
            let line = if self.may_span_lines() { None } else { memchr::memchr(b'\n', rest) };
            let (result, used, cells, ends) = self.core.read_record(
                rest.get(..line.map_or(rest.len(), |end| end + 1)).unwrap_or_default(),
                self.cells.get_mut(self.cells_len..).unwrap_or_default(),
                self.ends.get_mut(self.ends_len..).unwrap_or_default(),
            );
            at += used;
            self.cells_len += cells;
            self.ends_len += ends;
            let this = input.get(start..at).unwrap_or_default();
            let ended = match result {
                ReadRecordResult::OutputFull => {
                    grow(&mut self.cells);
                    false
                }
                ReadRecordResult::OutputEndsFull => {
                    grow(&mut self.ends);
                    false
                }
                ReadRecordResult::Record => true,
                ReadRecordResult::InputEmpty | ReadRecordResult::End => false,
            };
            let length = self.raw.len() + this.len();
            let too_long =
                length > MAX_RECORD_BYTES || length > MAX_SPANNING_BYTES && (self.raw_spans || spans(this, ended));
            let line_ended = !ended && line.is_some_and(|end| used == end + 1);
            if too_long || line_ended || ended && self.is_broken(this) {
                match self.give_up_in(input, start, this, take) {
                    Ok(next) => {
                        start = next;
                        at = next;
                    }
                    Err(joined) => return Some(joined),
                }
            } else if ended {
                self.after_cr = this.ends_with(b"\r");
                self.emit(false, take);
                self.raw.clear();
                self.raw_spans = false;
                start = at;
            }
        }
        let left = input.get(start..).unwrap_or_default();
        self.raw_spans |= spans(left, false);
        self.raw.extend_from_slice(left);
        None
    }

    /// Skips the rest of a row that is too long, and the blank lines before a row.
    fn skip_to_row(&mut self, input: &[u8], from: usize) -> usize {
        let mut at = from;
        if self.skipping {
            let rest = input.get(at..).unwrap_or_default();
            match memchr::memchr(b'\n', rest) {
                None => return input.len(),
                Some(end) => at += end + 1,
            }
            self.skipping = false;
            self.after_cr = false;
        }
        while let Some(byte @ (b'\n' | b'\r')) = input.get(at) {
            self.row += u64::from(!(self.after_cr && *byte == b'\n'));
            self.after_cr = *byte == b'\r';
            at += 1;
        }
        at
    }

    /// Reads the line at `at`, where a row begins, if it is whole and holds no quote: nearly all are so, and such a line means
    /// the same to every parser of CSV.
    #[inline]
    fn plain_line(&mut self, input: &[u8], at: &mut usize, take: &mut impl FnMut(Piece<'_>)) -> bool {
        // The end of the bytes is left to the other way, which copies what is unfinished.
        if self.header_len.is_none() {
            return false;
        }
        let rest = input.get(*at..).unwrap_or_default();
        let Some(length) = self.plain_cells(rest) else { return false };
        let line = rest.get(..length).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(end) = self.ends.get_mut(self.ends_len) {
            *end = line.len();
        }
        self.ends_len += 1;
        let ends = self.ends.get(..self.ends_len).unwrap_or_default();
        let last = line.get(ends.iter().rev().nth(1).map_or(0, |end| end + 1)..).unwrap_or_default();
        take(Piece::Record(Record { bytes: line, ends, gap: 1, row: self.row, cut_off: false, torn: false }));
        if last != self.last_cell {
            self.last_cell.clear();
            self.last_cell.extend_from_slice(last);
        }
        self.row += 1;
        self.ends_len = 0;
        self.after_cr = false;
        *at += length + 1;
        true
    }

    /// Finds the ends of all cells but the last of a line, and gives where its LF stands; `None` if it is not whole, long, or
    /// holds a quote or a CR before its end.
    #[inline]
    fn plain_cells(&mut self, rest: &[u8]) -> Option<usize> {
        const BLOCK: usize = 32;
        self.ends_len = 0;
        let (blocks, _) = rest.as_chunks::<BLOCK>();
        for (index, block) in blocks.iter().enumerate().take(MAX_PLAIN_BYTES / BLOCK) {
            let base = index * BLOCK;
            // Room for the most cells that can end here, and the line's last.
            if self.ends.len() < self.ends_len + BLOCK + 1 {
                grow(&mut self.ends);
            }
            let lines = equal(block, b'\n');
            let end = lines & lines.wrapping_neg();
            // All bytes of the block without an LF.
            let before = end.wrapping_sub(1);
            let returns = equal(block, b'\r');
            let odd = (equal(block, b'"') | returns) & before;
            // Where the CR before the LF is in another block, the line is left to the other way.
            if odd & !(returns & end >> 1) != 0 {
                break;
            }
            let mut delimiters = equal(block, self.delimiter) & before;
            while delimiters != 0 {
                if let Some(end) = self.ends.get_mut(self.ends_len) {
                    *end = base + delimiters.trailing_zeros() as usize;
                }
                self.ends_len += 1;
                delimiters &= delimiters - 1;
            }
            if lines != 0 {
                return Some(base + lines.trailing_zeros() as usize);
            }
        }
        self.ends_len = 0;
        None
    }

    fn may_span_lines(&self) -> bool {
        self.reread <= MAX_REREAD_BYTES
    }

    /// Whether the record just read spans lines because of a quote that should not have been open.
    fn is_broken(&self, this: &[u8]) -> bool {
        if !self.raw_spans && !spans(this, true) {
            return false;
        }
        let text: Vec<u8> = self.raw.iter().chain(this).copied().collect();
        let text = text.strip_suffix(b"\n").unwrap_or(&text);
        let Some(want) = self.header_len else { return !are_quotes_whole(text, self.delimiter) };
        // A row whose cells hold line breaks has too few commas in some line of it.
        let is_row = |line: &[u8]| line.iter().filter(|b| **b == self.delimiter).count() + 1 >= want;
        self.ends_len < want
            || !are_quotes_whole(text, self.delimiter)
            || want > 1 && text.split(|b| *b == b'\n').all(is_row)
    }

    /// Gives up the record whose last part is `this`, from `start` in `input`: the position to read on from, or what
    /// [`Splitter::read`] gives back.
    fn give_up_in(
        &mut self,
        input: &[u8],
        start: usize,
        this: &[u8],
        take: &mut impl FnMut(Piece<'_>),
    ) -> Result<usize, (Vec<u8>, usize)> {
        if self.raw.is_empty() {
            self.drop_first_line(this, this.len(), take);
            return Ok(start + first_line(this));
        }
        let read = self.raw.len() + this.len();
        match self.give_up(input.get(start..).unwrap_or_default(), read, take) {
            Some(joined) => Err(joined),
            None => Ok(input.len()),
        }
    }

    /// The carried bytes and `more` behind them, to be read anew from their first line end on; `None` if they have none.
    /// `read` of these bytes were read as one record.
    fn give_up(&mut self, more: &[u8], read: usize, take: &mut impl FnMut(Piece<'_>)) -> Option<(Vec<u8>, usize)> {
        let mut joined = std::mem::take(&mut self.raw);
        self.raw_spans = false;
        joined.extend_from_slice(more);
        self.drop_first_line(&joined, read, take);
        let from = first_line(&joined);
        (from < joined.len()).then_some((joined, from))
    }

    /// Counts the first line of a record that is given up as lost.
    fn drop_first_line(&mut self, text: &[u8], read: usize, take: &mut impl FnMut(Piece<'_>)) {
        self.core.reset();
        (self.cells_len, self.ends_len) = (0, 0);
        let line = first_line(text);
        self.reread += read.min(MAX_SPANNING_BYTES);
        // A line without an end so far is skipped up to it.
        self.skipping = text.get(..line).is_some_and(|l| !l.ends_with(b"\n"));
        self.after_cr = false;
        take(if line > MAX_RECORD_BYTES { Piece::TooLong(self.row) } else { Piece::UnclosedQuote(self.row) });
        self.row += 1;
    }

    fn emit(&mut self, cut_off: bool, take: &mut impl FnMut(Piece<'_>)) {
        let cells = self.cells.get(..self.cells_len).unwrap_or_default();
        let ends = self.ends.get(..self.ends_len).unwrap_or_default();
        let last_start = ends.len().checked_sub(2).and_then(|at| ends.get(at)).copied().unwrap_or(0);
        let last = cells.get(last_start..).unwrap_or_default();
        let torn = cut_off && last.len() < self.last_cell.len() && self.last_cell.starts_with(last);
        let record = Record { bytes: cells, ends, gap: 0, row: self.row, cut_off, torn };
        self.header_len.get_or_insert(record.count());
        take(Piece::Record(record));
        if last != self.last_cell {
            self.last_cell.clear();
            self.last_cell.extend_from_slice(last);
        }
        self.row += 1;
        (self.cells_len, self.ends_len) = (0, 0);
    }
}

/// Whether a line ends inside the text, which may be the end of a record.
fn spans(text: &[u8], ended: bool) -> bool {
    let inside = if ended { text.strip_suffix(b"\n").unwrap_or(text) } else { text };
    memchr::memchr(b'\n', inside).is_some()
}

/// Length of the first line, with its end.
fn first_line(text: &[u8]) -> usize {
    memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1)
}

/// Whether each quote that opens a cell is closed at the cell's end: one that was left open closes at the next cell's opening
/// quote, with text behind it.
fn are_quotes_whole(text: &[u8], delimiter: u8) -> bool {
    let ends_cell = |byte: u8| byte == delimiter || matches!(byte, b'\n' | b'\r');
    let mut bytes = text.iter().copied().peekable();
    let mut at_cell_start = true;
    while let Some(byte) = bytes.next() {
        if byte != b'"' || !at_cell_start {
            at_cell_start = ends_cell(byte);
            continue;
        }
        loop {
            match bytes.next() {
                None => return false,
                Some(b'"') if bytes.peek() == Some(&b'"') => {
                    bytes.next();
                }
                Some(b'"') => break,
                Some(_) => {}
            }
        }
        if bytes.peek().is_some_and(|byte| !ends_cell(*byte)) {
            return false;
        }
        at_cell_start = false;
    }
    true
}

/// One bit for each byte that equals `byte`.
#[inline]
fn equal(block: &[u8; 32], byte: u8) -> u32 {
    let (halves, _) = block.as_chunks::<16>();
    let mut found = 0;
    for (index, half) in halves.iter().enumerate() {
        found |= u8x16::new(*half).simd_eq(u8x16::splat(byte)).to_bitmask() << (index * 16);
    }
    found
}

fn grow<T: Default + Clone>(buffer: &mut Vec<T>) {
    buffer.resize((buffer.len() * 2).max(32), T::default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(chunks: &[&[u8]]) -> Vec<String> {
        let mut out = Vec::new();
        let mut take = |piece: Piece<'_>| match piece {
            Piece::Record(r) => {
                let cells: Vec<_> = (0..r.count()).map(|i| String::from_utf8_lossy(r.cell(i).unwrap())).collect();
                out.push(format!("{}{}:{}", r.row, if r.cut_off { "!" } else { "" }, cells.join("|")));
            }
            Piece::UnclosedQuote(row) => out.push(format!("{row}?")),
            Piece::TooLong(row) => out.push(format!("{row}>")),
        };
        let mut splitter = Splitter::default();
        for chunk in chunks {
            splitter.feed(chunk, &mut take);
        }
        splitter.finish(&mut take);
        out
    }

    #[test]
    fn splits_quotes_tabs_and_line_ends() {
        let text = b"a,b\r\n\"x\r\ny\",\"1\t\"\n\n3,\"q\"\"q\"\r5,6";
        assert_eq!(split(&[text]), ["1:a|b", "2:x\r\ny|1\t", "4:3|q\"q", "5!:5|6"]);
    }

    #[test]
    fn an_unclosed_quote_costs_its_row_alone() {
        let text = b"a,b,c\n1,\"2,3\n4,5,6\n7,8,9\n";
        assert_eq!(split(&[text]), ["1:a|b|c", "2?", "3:4|5|6", "4:7|8|9"]);
        let text = b"a,b,c\n1,\"2,3\n4,\"5\t\",6\n7,\"8\",9\n";
        assert_eq!(split(&[text]), ["1:a|b|c", "2?", "3:4|5\t|6", "4:7|8|9"]);
    }

    #[test]
    fn a_huge_unclosed_quote_is_given_up_early() {
        let mut text = b"a,b\n1,\"2\n".to_vec();
        for _ in 0..200_000 {
            text.extend_from_slice(b"3,4\n");
        }
        let out = split(&[&text]);
        assert_eq!(out[1], "2?");
        assert_eq!(out.len(), 200_002);
    }

    #[test]
    fn a_long_row_is_read_and_one_beyond_reason_costs_itself_alone() {
        for (length, is_read) in [(1 << 20, true), (MAX_RECORD_BYTES + 1, false)] {
            let text = format!("a,b\n1,{}\n3,4\n", "x".repeat(length));
            for out in [split(&[text.as_bytes()]), split(&text.as_bytes().chunks(1 << 18).collect::<Vec<_>>())] {
                assert_eq!(out.len(), 3);
                assert_eq!(out[1] == "2>", !is_read);
                assert_eq!(out[2], "3:3|4");
            }
        }
    }

    proptest! {
        #[test]
        fn any_cut_gives_the_same(text in "(([a-z]{0,3}|\"[a-z,\n]{0,4}\"|\"x)(,|\n|\r\n)){0,30}", cuts in prop::collection::vec(0usize..400, 0..6)) {
            let whole = split(&[text.as_bytes()]);
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|c| *c <= text.len()).collect();
            cuts.sort_unstable();
            let mut chunks = Vec::new();
            let mut from = 0;
            for cut in cuts {
                chunks.push(&text.as_bytes()[from..cut]);
                from = cut;
            }
            chunks.push(&text.as_bytes()[from..]);
            prop_assert_eq!(split(&chunks), whole.clone());
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            prop_assert_eq!(split(&bytes), whole);
        }
    }
}
