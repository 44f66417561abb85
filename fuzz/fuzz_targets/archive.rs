//! Archives and packed files: listing ends, no member lies outside of its archive, and unpacking keeps its bounds.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memlens::archive::Unpacker;
use memlens::archive::list::Lister;
use memlens::folder::interest;
use memlens_fuzz::head;

fn unpack(part: Option<&memlens::archive::Part>, bytes: &[u8], piece: usize) -> (u64, bool) {
    let mut unpacker = Unpacker::new(part);
    let mut count = 0u64;
    let mut take = |plain: &[u8]| count += plain.len() as u64;
    let fed = bytes.chunks(piece).try_for_each(|bytes| unpacker.feed(bytes, &mut take));
    let ended = fed.and_then(|()| unpacker.finish(&mut take));
    (count, ended.is_ok())
}

fuzz_target!(|data: &[u8]| {
    let Some((case, piece, rest)) = head(data) else { return };
    assert_eq!(unpack(None, rest, usize::MAX).1, unpack(None, rest, piece).1);
    let name = ["a.zip", "a.tar", "a.tar.gz"][usize::from(case) % 3];
    let mut lister = Lister::new(name, rest.len() as u64, interest, |_| None);
    let mut asked = 0;
    while let Some((at, count)) = lister.want() {
        asked += 1;
        assert!(asked < 10_000, "asks for ever");
        let from = usize::try_from(at).unwrap_or(usize::MAX).min(rest.len());
        let end = from.saturating_add(usize::try_from(count).unwrap_or(usize::MAX)).min(rest.len());
        lister.give(&rest[from..end]);
    }
    for member in lister.finish().members.iter().take(8) {
        let Some(part) = &member.part else { continue };
        let _ = unpack(Some(part), rest, piece);
    }
});
