//! Cuts chunks of CSV into records (csv-core does the cutting) and survives broken quotes.
//!
//! It knows nothing of columns. A quote that is never closed would swallow the rest of a file: a record that spans lines and
//! does not have the header's number of cells, or grows beyond a cap, is given up at its first line end and reading goes on
//! there.

use csv_core::{ReadRecordResult, Reader};

/// No record of a memory table comes near this; what does is an unclosed quote.
const MAX_RECORD_BYTES: usize = 256 << 10;

/// One record: its cells, and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    bytes: &'a [u8],
    ends: &'a [usize],
    /// Row as a spreadsheet counts: the header is row 1.
    pub row: u64,
    /// Whether the file ended without a line end behind this record.
    pub cut_off: bool,
}

impl<'a> Record<'a> {
    /// The cell's bytes without quotes; `None` beyond the last cell.
    pub fn cell(&self, column: usize) -> Option<&'a [u8]> {
        let end = *self.ends.get(column)?;
        let start = if column == 0 { 0 } else { *self.ends.get(column - 1)? };
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
}

/// A push splitter: feed chunks cut anywhere, finish at the end.
pub struct Splitter {
    core: Reader,
    cells: Vec<u8>,
    cells_len: usize,
    ends: Vec<usize>,
    ends_len: usize,
    /// Raw bytes of the unfinished record that came with earlier chunks.
    raw: Vec<u8>,
    row: u64,
    header_len: Option<usize>,
    /// Inputs still to read, the innermost last: what follows a given-up line goes before the rest of its chunk.
    pending: Vec<(Vec<u8>, usize)>,
}

impl Default for Splitter {
    fn default() -> Self {
        Splitter {
            core: Reader::new(),
            cells: vec![0; 4096],
            cells_len: 0,
            ends: vec![0; 32],
            ends_len: 0,
            raw: Vec::new(),
            row: 1,
            header_len: None,
            pending: Vec::new(),
        }
    }
}

impl Splitter {
    /// Takes the next bytes of the file.
    pub fn feed(&mut self, chunk: &[u8], take: &mut impl FnMut(Piece<'_>)) {
        self.read(chunk, take);
        while let Some((input, from)) = self.pending.pop() {
            // A copy per given-up line, in damaged files only.
            self.read(input.get(from..).unwrap_or_default(), take);
        }
    }

    /// Takes the end of the file.
    pub fn finish(&mut self, take: &mut impl FnMut(Piece<'_>)) {
        loop {
            if has_open_quote(&self.raw) {
                let raw = std::mem::take(&mut self.raw);
                self.give_up(&raw, &[], take);
                while let Some((input, from)) = self.pending.pop() {
                    self.read(input.get(from..).unwrap_or_default(), take);
                }
                continue;
            }
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
                ReadRecordResult::Record => {
                    self.emit(true, take);
                    self.raw.clear();
                }
                ReadRecordResult::InputEmpty | ReadRecordResult::End => return,
            }
        }
    }

    fn read(&mut self, input: &[u8], take: &mut impl FnMut(Piece<'_>)) {
        let mut start = 0;
        let mut at = 0;
        while at < input.len() {
            let (result, used, cells, ends) = self.core.read_record(
                input.get(at..).unwrap_or_default(),
                self.cells.get_mut(self.cells_len..).unwrap_or_default(),
                self.ends.get_mut(self.ends_len..).unwrap_or_default(),
            );
            at += used;
            self.cells_len += cells;
            self.ends_len += ends;
            match result {
                ReadRecordResult::OutputFull => grow(&mut self.cells),
                ReadRecordResult::OutputEndsFull => grow(&mut self.ends),
                ReadRecordResult::Record => {
                    let this = input.get(start..at).unwrap_or_default();
                    let too_long = self.raw.len() + this.len() > MAX_RECORD_BYTES;
                    if self.spans_lines(this) && (too_long || self.is_misfit() || self.has_whole_first_line(this)) {
                        let raw = std::mem::take(&mut self.raw);
                        let rest = input.get(at..).unwrap_or_default().to_vec();
                        self.pending.push((rest, 0));
                        self.give_up(&raw, this, take);
                        return;
                    }
                    self.emit(false, take);
                    self.raw.clear();
                    start = at;
                }
                ReadRecordResult::InputEmpty | ReadRecordResult::End => {}
            }
            let this = input.get(start..at).unwrap_or_default();
            if self.raw.len() + this.len() > MAX_RECORD_BYTES && self.spans_lines(this) {
                let raw = std::mem::take(&mut self.raw);
                self.pending.push((input.get(at..).unwrap_or_default().to_vec(), 0));
                self.give_up(&raw, this, take);
                return;
            }
        }
        self.raw.extend_from_slice(input.get(start..).unwrap_or_default());
    }

    /// Whether the header has another number of cells than the record just read.
    fn is_misfit(&self) -> bool {
        self.header_len.is_some_and(|len| len != self.ends_len)
    }

    /// Whether the record's first line alone has the commas of a whole row: a cell with a line break would hide some of them.
    fn has_whole_first_line(&self, this: &[u8]) -> bool {
        let text = self.raw.iter().chain(this).skip_while(|b| matches!(b, b'\n' | b'\r'));
        let commas = text.take_while(|b| **b != b'\n').filter(|b| **b == b',').count();
        self.header_len.is_some_and(|len| commas + 1 >= len && len > 1)
    }

    /// Whether the record's text, of which `this` is the part in the present chunk, goes on after a line end.
    fn spans_lines(&self, this: &[u8]) -> bool {
        let text = self.raw.iter().chain(this.strip_suffix(b"\n").unwrap_or(this));
        text.skip_while(|b| matches!(b, b'\n' | b'\r')).any(|b| *b == b'\n')
    }

    /// Drops the first line of a broken record and queues what follows it to be read anew.
    fn give_up(&mut self, raw: &[u8], more: &[u8], take: &mut impl FnMut(Piece<'_>)) {
        self.core.reset();
        (self.cells_len, self.ends_len) = (0, 0);
        take(Piece::UnclosedQuote(self.row));
        self.row += 1;
        let mut bytes = raw.to_vec();
        bytes.extend_from_slice(more);
        let blank = bytes.iter().take_while(|b| matches!(b, b'\n' | b'\r')).count();
        let line_end = bytes.iter().skip(blank).position(|b| *b == b'\n').map_or(bytes.len(), |p| blank + p + 1);
        self.pending.push((bytes, line_end));
    }

    fn emit(&mut self, cut_off: bool, take: &mut impl FnMut(Piece<'_>)) {
        let record = Record {
            bytes: self.cells.get(..self.cells_len).unwrap_or_default(),
            ends: self.ends.get(..self.ends_len).unwrap_or_default(),
            row: self.row,
            cut_off,
        };
        self.header_len.get_or_insert(record.count());
        take(Piece::Record(record));
        self.row += 1;
        (self.cells_len, self.ends_len) = (0, 0);
    }
}

fn has_open_quote(raw: &[u8]) -> bool {
    raw.iter().filter(|b| **b == b'"').count() % 2 == 1 && raw.contains(&b'\n')
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
        assert_eq!(split(&[text]), ["1:a|b", "2:x\r\ny|1\t", "3:3|q\"q", "4!:5|6"]);
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
