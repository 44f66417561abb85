//! A caching allocator like torch_npu's: rounding, two pools a stream, segments, best fit, splitting, merging.

use std::collections::{BTreeMap, BTreeSet};

const MIN_BLOCK: u64 = 512;
/// The driver wants this much behind each block, so it is added before rounding.
const TAIL: u64 = 32;
const SMALL_SIZE: u64 = 1 << 20;
const SMALL_SEGMENT: u64 = 2 << 20;
const LARGE_SEGMENT: u64 = 20 << 20;
const MIN_LARGE: u64 = 10 << 20;
const ROUND_LARGE: u64 = 2 << 20;

/// Bytes of a pool right after an event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// In blocks that tensors hold.
    pub allocated: u64,
    /// In blocks not yet reusable: allocated, or waiting for another stream.
    pub active: u64,
    /// Taken from the device.
    pub reserved: u64,
}

#[derive(Debug)]
struct Chunk {
    size: u64,
    free: bool,
    segment: u64,
    pool: (u8, bool),
}

/// Blocks are known by their address.
#[derive(Debug, Default)]
pub(crate) struct Allocator {
    chunks: BTreeMap<u64, Chunk>,
    free: BTreeMap<(u8, bool), BTreeSet<(u64, u64)>>,
    end: u64,
    pub(crate) totals: Totals,
}

impl Allocator {
    /// A block of at least `bytes` for a stream: its address and its size, which is what the profiler reports.
    pub(crate) fn malloc(&mut self, bytes: u64, stream: u8) -> (u64, u64) {
        let wanted = (bytes + TAIL).div_ceil(MIN_BLOCK) * MIN_BLOCK;
        let small = wanted <= SMALL_SIZE;
        let pool = (stream, small);
        let found = self.free.entry(pool).or_default().range((wanted, 0)..).next().copied();
        let (size, address) = found.unwrap_or_else(|| self.grow(wanted, pool));
        self.unlist(pool, size, address);
        let rest = size - wanted;
        let split = if small { rest >= MIN_BLOCK } else { rest > SMALL_SIZE };
        let kept = if split { wanted } else { size };
        let segment = self.chunks.get(&address).map_or(address, |chunk| chunk.segment);
        if split {
            self.chunks.insert(address + kept, Chunk { size: rest, free: true, segment, pool });
            self.list(pool, rest, address + kept);
        }
        self.chunks.insert(address, Chunk { size: kept, free: false, segment, pool });
        self.totals.allocated += kept;
        self.totals.active += kept;
        (address, kept)
    }

    /// The tensor gives the block up. It counts as active until [`Allocator::reuse`].
    pub(crate) fn give_up(&mut self, size: u64) {
        self.totals.allocated = self.totals.allocated.saturating_sub(size);
    }

    /// The block may be used again: it is merged with its free neighbours.
    pub(crate) fn reuse(&mut self, address: u64) {
        let Some(chunk) = self.chunks.remove(&address) else { return };
        self.totals.active = self.totals.active.saturating_sub(chunk.size);
        let (mut at, mut size) = (address, chunk.size);
        let before = self.chunks.range(..address).next_back().map(|(&a, c)| (a, c.size, c.free, c.segment));
        if let Some((other, other_size, true, segment)) = before
            && segment == chunk.segment
        {
            self.unlist(chunk.pool, other_size, other);
            self.chunks.remove(&other);
            at = other;
            size += other_size;
        }
        let after = self.chunks.get(&(address + chunk.size)).map(|c| (c.size, c.free, c.segment));
        if let Some((other_size, true, segment)) = after
            && segment == chunk.segment
        {
            self.unlist(chunk.pool, other_size, address + chunk.size);
            self.chunks.remove(&(address + chunk.size));
            size += other_size;
        }
        self.list(chunk.pool, size, at);
        self.chunks.insert(at, Chunk { size, free: true, segment: chunk.segment, pool: chunk.pool });
    }

    fn grow(&mut self, wanted: u64, pool: (u8, bool)) -> (u64, u64) {
        let size = match wanted {
            _ if pool.1 => SMALL_SEGMENT,
            w if w < MIN_LARGE => LARGE_SEGMENT,
            w => w.div_ceil(ROUND_LARGE) * ROUND_LARGE,
        };
        // A gap between segments keeps neighbours of different segments apart.
        let address = self.end + ROUND_LARGE;
        self.end = address + size;
        self.chunks.insert(address, Chunk { size, free: true, segment: address, pool });
        self.list(pool, size, address);
        self.totals.reserved += size;
        (size, address)
    }

    fn list(&mut self, pool: (u8, bool), size: u64, address: u64) {
        self.free.entry(pool).or_default().insert((size, address));
    }

    fn unlist(&mut self, pool: (u8, bool), size: u64, address: u64) {
        self.free.entry(pool).or_default().remove(&(size, address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(allocator: &mut Allocator, (address, size): (u64, u64)) {
        allocator.give_up(size);
        allocator.reuse(address);
    }

    #[test]
    fn rounds_as_the_device_does() {
        let mut a = Allocator::default();
        assert_eq!(a.malloc(8192, 0).1, 8704);
        assert_eq!(a.totals, Totals { allocated: 8704, active: 8704, reserved: 2 << 20 });
        a.malloc(2 << 20, 0);
        assert_eq!(a.totals.reserved, 22 << 20);
        a.malloc(21 << 20, 0);
        assert_eq!(a.totals.reserved, 44 << 20, "22 MB more: the next multiple of 2 MB");
    }

    #[test]
    fn a_freed_block_is_used_again_and_neighbours_merge() {
        let mut a = Allocator::default();
        let first = a.malloc(6 << 20, 0);
        let second = a.malloc(6 << 20, 0);
        assert_eq!(a.totals.reserved, 20 << 20);
        release(&mut a, first);
        release(&mut a, second);
        assert_eq!(a.malloc(9 << 20, 0).0, first.0, "only the merged hole is large enough");
        assert_eq!(a.totals.reserved, 20 << 20);
    }

    #[test]
    fn the_best_fit_is_taken_and_streams_do_not_share() {
        let mut a = Allocator::default();
        let large = a.malloc(40 << 20, 0);
        let middle = a.malloc(20 << 20, 0);
        release(&mut a, large);
        release(&mut a, middle);
        assert_eq!(a.malloc(18 << 20, 0).0, middle.0);
        let reserved = a.totals.reserved;
        a.malloc(18 << 20, 1);
        assert!(a.totals.reserved > reserved);
    }

    #[test]
    fn waiting_blocks_stay_active() {
        let mut a = Allocator::default();
        let block = a.malloc(3 << 20, 0);
        a.give_up(block.1);
        assert_eq!((a.totals.allocated, a.totals.active), (0, block.1));
        a.reuse(block.0);
        assert_eq!(a.totals.active, 0);
    }
}
