//! Finds members of a zip archive whose directory is lost, from local header to local header.
//!
//! A header says where the next one is unless the writer did not know its sizes yet; there the search ends.

use super::part::{Part, Step};
use super::zip::{Found, Kind};

/// Fixed part of a local header.
const FIXED_BYTES: usize = 30;
/// Longest local header: its fixed part, a name and an extra field of 16-bit lengths.
pub(super) const LONGEST_BYTES: u64 = FIXED_BYTES as u64 + 2 * 0xffff;
/// Sizes stand behind the data.
const FLAG_DESCRIPTOR: u16 = 8;
const FLAG_ENCRYPTED: u16 = 1;
const FLAG_UTF8: u16 = 0x800;

/// What lies at a place.
pub(super) enum Local {
    /// A member, and where the next begins.
    Member(Found, u64),
    /// No header, or one that does not say where the next is.
    End,
}

/// Reads the local header that `bytes` begin with, at position `at` of an archive of `size` bytes.
pub(super) fn local(bytes: &[u8], at: u64, size: u64) -> Local {
    let short = |from: usize| {
        let two = bytes.get(from..from + 2).and_then(|two| <[u8; 2]>::try_from(two).ok());
        two.map(u16::from_le_bytes)
    };
    let long = |from: usize| {
        let four = bytes.get(from..from + 4).and_then(|four| <[u8; 4]>::try_from(four).ok());
        four.map(u32::from_le_bytes)
    };
    let fields = || Some((short(6)?, short(8)?, long(14)?, long(18)?, long(22)?, short(26)?, short(28)?));
    let Some((flags, method, crc, packed, plain, name_len, extra_len)) =
        fields().filter(|_| bytes.starts_with(b"PK\x03\x04"))
    else {
        return Local::End;
    };
    let behind_name = FIXED_BYTES + usize::from(name_len);
    let behind = behind_name + usize::from(extra_len);
    let Some((name, extra)) = bytes.get(FIXED_BYTES..behind_name).zip(bytes.get(behind_name..behind)) else {
        return Local::End;
    };
    let (plain, packed) = zip64(extra, plain, packed);
    let data = at + behind as u64;
    let Some(next) = data.checked_add(packed).filter(|_| flags & FLAG_DESCRIPTOR == 0) else { return Local::End };
    let part = |inflate: bool| {
        let mut unpack = vec![Step::ZipMember { packed }];
        unpack.extend(inflate.then_some(Step::Inflate));
        unpack.push(Step::Verify { plain, crc });
        Part { start: at, end: next.min(size), unpack }
    };
    let kind = match method {
        _ if name.ends_with(b"/") => Kind::Folder,
        _ if flags & FLAG_ENCRYPTED != 0 => Kind::Encrypted,
        0 => Kind::File(part(false)),
        8 => Kind::File(part(true)),
        other => Kind::Method(other.to_string()),
    };
    Local::Member(Found { name: name.to_vec(), is_utf8: flags & FLAG_UTF8 != 0, size: plain, kind }, next)
}

/// Sizes of 64 bits stand in the extra field (APPNOTE 4.5.3): the plain one first.
fn zip64(extra: &[u8], plain: u32, packed: u32) -> (u64, u64) {
    let mut sizes = (u64::from(plain), u64::from(packed));
    let mut rest = extra;
    while let [id0, id1, len0, len1, behind @ ..] = rest {
        let len = usize::from(u16::from_le_bytes([*len0, *len1])).min(behind.len());
        let (field, next) = behind.split_at(len);
        if [*id0, *id1] == [1, 0] {
            let mut numbers = field.chunks_exact(8).filter_map(|eight| <[u8; 8]>::try_from(eight).ok());
            for size in [(&mut sizes.0, plain), (&mut sizes.1, packed)] {
                if size.1 == u32::MAX
                    && let Some(number) = numbers.next()
                {
                    *size.0 = u64::from_le_bytes(number);
                }
            }
        }
        rest = next;
    }
    sizes
}
