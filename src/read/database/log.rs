//! Whether SQLite can use a write-ahead log to its end: it stops without a word at the first frame that is not whole.
//!
//! Layout and checksums: https://www.sqlite.org/fileformat2.html#the_write_ahead_log. Nothing is changed here.

use crate::read::read_at::ReadAt;

/// Bytes of the log's own header.
const HEADER: usize = 32;
/// Bytes before each page.
const FRAME: usize = 24;
/// The file's first four bytes; the last bit says how numbers are ordered in checksums.
const MAGIC: u32 = 0x377f_0682;

/// Most new beginnings of one log that are believed.
const MOST_BEGINNINGS: u32 = 1 << 16;

/// How much of a log cannot be used; `None` if all of it can.
pub(super) fn unused(log: &dyn ReadAt) -> Option<String> {
    let size = log.size();
    let told = |used: u64| Some(format!("{used} / {size} B"));
    let mut header = [0; HEADER];
    if fill(log, 0, &mut header).is_none() {
        return told(0);
    }
    let magic = number(&header, 0);
    let page = number(&header, 8);
    if magic & !1 != MAGIC || !page.is_power_of_two() || !(512..=65_536).contains(&page) {
        return told(0);
    }
    let is_big = magic & 1 == 1;
    let mut sum = checksum(is_big, (0, 0), header.get(..24).unwrap_or_default());
    if sum != (number(&header, 24), number(&header, 28)) {
        return told(0);
    }
    let mut frame = vec![0; FRAME + page as usize];
    let (mut at, mut committed) = (HEADER as u64, HEADER as u64);
    while at < size {
        let Some(()) = fill(log, at, &mut frame) else { return told(committed) };
        if (number(&frame, 8), number(&frame, 12)) != (number(&header, 16), number(&header, 20)) {
            // Each new beginning counts the first salt up: frames of an earlier one are in the database.
            let is_older = (1..=MOST_BEGINNINGS).contains(&number(&header, 16).wrapping_sub(number(&frame, 8)));
            if is_older { break } else { return told(committed) }
        }
        sum = checksum(is_big, sum, frame.get(..8).unwrap_or_default());
        sum = checksum(is_big, sum, frame.get(FRAME..).unwrap_or_default());
        if sum != (number(&frame, 16), number(&frame, 20)) {
            return told(committed);
        }
        at += frame.len() as u64;
        if number(&frame, 4) != 0 {
            committed = at;
        }
    }
    if committed < at { told(committed) } else { None }
}

fn fill(log: &dyn ReadAt, at: u64, buffer: &mut [u8]) -> Option<()> {
    let mut filled = 0;
    while filled < buffer.len() {
        let count = log.read_at(at + filled as u64, buffer.get_mut(filled..)?).ok().filter(|count| *count > 0)?;
        filled += count;
    }
    Some(())
}

fn number(bytes: &[u8], at: usize) -> u32 {
    let bytes = bytes.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
    bytes.map_or(0, u32::from_be_bytes)
}

fn checksum(is_big: bool, before: (u32, u32), bytes: &[u8]) -> (u32, u32) {
    let (mut first, mut second) = before;
    for pair in bytes.chunks_exact(8) {
        let word = |at| if is_big { number(pair, at) } else { number(pair, at).swap_bytes() };
        first = first.wrapping_add(word(0)).wrapping_add(second);
        second = second.wrapping_add(word(4)).wrapping_add(first);
    }
    (first, second)
}
