//! A file read in large aligned blocks, the last few of which are kept: SQLite asks for pages of some KB, one by one, and a
//! read of a browser's file costs the same for a page as for a thousand of them.
//!
//! A whole block at a time is also all the read-ahead there is: tables lie mostly in one piece. Knows nothing of SQLite but the
//! place of the page count in the file's first bytes.

use std::io::{Error, ErrorKind};

use crate::read::read_at::ReadAt;

/// Told the bytes read so far (each byte of the file counts once); `false` ends the reading.
pub type Progress = Box<dyn FnMut(u64) -> bool>;

/// How much is read and kept at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockSize {
    /// Bytes of one block.
    pub bytes: usize,
    /// Most blocks kept.
    pub kept: usize,
}

impl Default for BlockSize {
    /// Measured: 1, 2 and 4 MiB are equally fast; the smallest wastes least on small tables that lie far apart.
    fn default() -> Self {
        BlockSize { bytes: 1 << 20, kept: 8 }
    }
}

/// Why a read gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The person wants no more.
    Cancelled,
    /// The file could not be read, in the words of the system.
    Failed(String),
    /// The file makes SQLite read far more than it holds: its pages refer to each other in circles.
    Endless,
}

/// A file's size as SQLite's header tells it.
const HEADER_BYTES: usize = 100;

struct Slot {
    index: u64,
    bytes: Vec<u8>,
}

/// A file behind its blocks.
pub struct Blocks {
    source: Box<dyn ReadAt>,
    /// Bytes that can be read: all there are, of a file that was cut off the whole pages.
    size: u64,
    claimed: u64,
    block: BlockSize,
    /// The one used last stands first.
    slots: Vec<Slot>,
    seen: Vec<bool>,
    seen_bytes: u64,
    /// Bytes SQLite may still ask for.
    budget: u64,
    progress: Progress,
    stop: Option<Stop>,
}

impl Blocks {
    /// A file that reports to `progress`.
    pub fn new(source: Box<dyn ReadAt>, block: BlockSize, progress: Progress) -> Blocks {
        let block = BlockSize { bytes: block.bytes.max(512), kept: block.kept.max(1) };
        let size = source.size();
        let count = usize::try_from(size.div_ceil(block.bytes as u64)).unwrap_or(usize::MAX);
        let mut blocks = Blocks {
            source,
            size,
            claimed: size,
            block,
            slots: Vec::new(),
            seen: vec![false; count],
            seen_bytes: 0,
            // Looking up texts one by one reads pages again and again; far more than that is a circle.
            budget: size.saturating_mul(64).saturating_add(4 << 30),
            progress,
            stop: None,
        };
        let mut header = [0; HEADER_BYTES];
        if blocks.read(0, &mut header).is_ok_and(|count| count == HEADER_BYTES) {
            let (page, claimed) = claimed_size(&header);
            if claimed > size {
                // Rows on a torn page would be read half, with other numbers than were written.
                blocks.size = size - size % page;
                blocks.claimed = claimed;
            }
        }
        blocks
    }

    /// Bytes the file has, or should have by its own header: of a file that was cut off the rest is missing, not the whole.
    pub fn claimed_size(&self) -> u64 {
        self.claimed
    }

    /// Bytes that can be read.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Why reading ended early, if it did.
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// Fills `into` from `offset` on and gives how many bytes there were: less at the file's end.
    pub fn read(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, Error> {
        if self.stop.is_some() {
            return Err(Error::from(ErrorKind::Interrupted));
        }
        self.budget = self.budget.saturating_sub(into.len() as u64);
        if self.budget == 0 {
            return self.end(Stop::Endless);
        }
        let mut filled = 0;
        while filled < into.len() {
            let at = offset.saturating_add(filled as u64);
            if at >= self.size {
                break;
            }
            let inside = usize::try_from(at % self.block.bytes as u64).unwrap_or(0);
            let index = at / self.block.bytes as u64;
            if let Err(stop) = self.bring(index) {
                return self.end(stop);
            }
            let have = self.slots.first().and_then(|slot| slot.bytes.get(inside..)).unwrap_or_default();
            let to = into.get_mut(filled..).unwrap_or_default();
            let left = usize::try_from(self.size - at).unwrap_or(usize::MAX);
            let count = have.len().min(to.len()).min(left);
            if count == 0 {
                break;
            }
            if let (Some(to), Some(have)) = (to.get_mut(..count), have.get(..count)) {
                to.copy_from_slice(have);
            }
            filled += count;
        }
        Ok(filled)
    }

    fn end<T>(&mut self, stop: Stop) -> Result<T, Error> {
        self.stop = Some(stop);
        Err(Error::from(ErrorKind::Interrupted))
    }

    /// Puts a block first among the slots.
    fn bring(&mut self, index: u64) -> Result<(), Stop> {
        if self.slots.first().is_some_and(|slot| slot.index == index) {
            return Ok(());
        }
        if let Some(place) = self.slots.iter().position(|slot| slot.index == index) {
            self.slots.get_mut(..=place).unwrap_or_default().rotate_right(1);
            return Ok(());
        }
        let mut slot = match self.slots.len() < self.block.kept {
            true => Slot { index, bytes: Vec::new() },
            false => self.slots.pop().unwrap_or(Slot { index, bytes: Vec::new() }),
        };
        let start = index * self.block.bytes as u64;
        let length = usize::try_from((self.size - start).min(self.block.bytes as u64)).unwrap_or(0);
        slot.index = index;
        slot.bytes.resize(length, 0);
        let mut filled = 0;
        while filled < length {
            let rest = slot.bytes.get_mut(filled..).unwrap_or_default();
            let count = self.source.read_at(start + filled as u64, rest).map_err(Stop::Failed)?;
            if count == 0 {
                return Err(Stop::Failed(format!("the file ends at {} of {} bytes", start + filled as u64, self.size)));
            }
            filled += count;
        }
        self.slots.insert(0, slot);
        if let Some(seen) = self.seen.get_mut(usize::try_from(index).unwrap_or(usize::MAX))
            && !std::mem::replace(seen, true)
        {
            self.seen_bytes += length as u64;
        }
        if (self.progress)(self.seen_bytes) { Ok(()) } else { Err(Stop::Cancelled) }
    }
}

/// Page size and the size of all pages, where the header vouches for them.
fn claimed_size(header: &[u8; HEADER_BYTES]) -> (u64, u64) {
    let number = |at: usize| {
        let bytes = header.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
        bytes.map_or(0, u32::from_be_bytes)
    };
    let [.., high, low] = number(14).to_be_bytes();
    let page = match u16::from_be_bytes([high, low]) {
        1 => 1 << 16,
        size => u64::from(size),
    };
    // The count is only kept by writers that also leave their change counter beside it.
    let is_kept = number(24) == number(92);
    if header.starts_with(b"SQLite format 3\0") && page.is_power_of_two() && page >= 512 && is_kept {
        (page, page * u64::from(number(28)))
    } else {
        (1, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    fn silent() -> Progress {
        Box::new(|_| true)
    }

    proptest! {
        #[test]
        fn any_reads_through_any_blocks(
            length in 0usize..5000,
            bytes in 512usize..2000,
            kept in 1usize..4,
            reads in prop::collection::vec((0u64..6000, 0usize..1500), 1..30),
        ) {
            let file: Vec<u8> = (0..length).map(|i| (i * 31 % 251) as u8).collect();
            let mut blocks = Blocks::new(Box::new(file.clone()), BlockSize { bytes, kept }, silent());
            for (offset, want) in reads {
                let mut into = vec![0; want];
                let count = blocks.read(offset, &mut into).unwrap();
                let from = (offset as usize).min(length);
                prop_assert_eq!(&into[..count], &file[from..(from + want).min(length)]);
            }
        }
    }

    #[test]
    fn progress_counts_each_byte_once_and_can_end_it() {
        let seen = Rc::new(RefCell::new(Vec::new()));
        let told = Rc::clone(&seen);
        let progress: Progress = Box::new(move |bytes| {
            told.borrow_mut().push(bytes);
            bytes < 1500
        });
        let mut blocks = Blocks::new(Box::new(vec![7; 4000]), BlockSize { bytes: 512, kept: 1 }, progress);
        let mut into = [0; 10];
        for offset in [0, 600, 0, 600] {
            assert_eq!(blocks.read(offset, &mut into).unwrap(), 10);
        }
        assert_eq!(blocks.read(1100, &mut into).map_err(|e| e.kind()), Err(ErrorKind::Interrupted));
        assert_eq!(blocks.stop(), Some(&Stop::Cancelled));
        assert_eq!(*seen.borrow(), [512, 1024, 1024, 1024, 1536]);
        assert!(blocks.read(0, &mut into).is_err());
    }

    #[test]
    fn reads_do_not_go_on_for_ever() {
        let mut blocks = Blocks::new(Box::new(vec![7; 10]), BlockSize { bytes: 512, kept: 1 }, silent());
        blocks.budget = 100;
        let mut into = [0; 10];
        let ended = (0..20).find(|_| blocks.read(0, &mut into).is_err());
        assert_eq!(ended, Some(9));
        assert_eq!(blocks.stop(), Some(&Stop::Endless));
    }

    #[test]
    fn a_cut_off_file_claims_its_whole_size() {
        let mut file = vec![0; 600];
        file[..16].copy_from_slice(b"SQLite format 3\0");
        file[16..18].copy_from_slice(&4096u16.to_be_bytes());
        file[28..32].copy_from_slice(&5u32.to_be_bytes());
        let blocks = |file: &Vec<u8>| Blocks::new(Box::new(file.clone()), BlockSize::default(), silent());
        assert_eq!((blocks(&file).size, blocks(&file).claimed_size()), (0, 5 * 4096));
        file.resize(4100, 0);
        assert_eq!((blocks(&file).size, blocks(&file).claimed_size()), (4096, 5 * 4096));
        file.truncate(600);
        file[24] = 1;
        assert_eq!(blocks(&file).claimed_size(), 600);
        file.truncate(50);
        assert_eq!(blocks(&file).claimed_size(), 50);
    }
}
