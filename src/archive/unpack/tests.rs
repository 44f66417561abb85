//! The chain: gzip by its first bytes, zip members, pieces of a packed archive; any cut, damage, bombs.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use proptest::prelude::*;

use super::*;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn deflate(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn crc(text: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(text);
    crc.sum()
}

/// Text that does not pack to nothing.
fn text(numbers: u32) -> Vec<u8> {
    (0..numbers).flat_map(|i| format!("{},", i.wrapping_mul(2_654_435_761)).into_bytes()).collect()
}

fn unpack_as(steps: &[Step], packed: &[u8], piece: usize) -> (Vec<u8>, Result<(), Fault>) {
    let part = Part { start: 0, end: packed.len() as u64, unpack: steps.to_vec() };
    let mut out = Vec::new();
    let mut unpacker = Unpacker::new(Some(&part));
    let mut result = Ok(());
    for bytes in packed.chunks(piece) {
        if unpacker.wants_more() {
            result = result.and(unpacker.feed(bytes, &mut |plain| out.extend_from_slice(plain)));
        }
    }
    let end = unpacker.finish(&mut |plain| out.extend_from_slice(plain));
    (out, result.and(end))
}

fn unpack(packed: &[u8], piece: usize) -> (Vec<u8>, Result<(), Fault>) {
    unpack_as(&[], packed, piece)
}

/// A zip member: local header with a name and an extra field, data, and something behind it.
fn zip_member(data: &[u8]) -> Vec<u8> {
    let mut out = b"PK\x03\x04".to_vec();
    out.extend([0; 22]);
    out.extend([5, 0, 3, 0]);
    out.extend(b"a.csvxxx");
    out.extend(data);
    out.extend(b"PK\x01\x02 what follows");
    out
}

fn member_steps(plain: &[u8], packed: usize, inflate: bool) -> Vec<Step> {
    let mut steps = vec![Step::ZipMember { packed: packed as u64 }];
    steps.extend(inflate.then_some(Step::Inflate));
    steps.push(Step::Verify { plain: plain.len() as u64, crc: crc(plain) });
    steps
}

#[test]
fn gzip_gives_the_same_for_any_cut() {
    let text = text(100_000);
    let mut packed = gzip(&text);
    packed.extend(gzip(b"second member"));
    let whole = [text.as_slice(), b"second member"].concat();
    for piece in [1, 7, 1000, usize::MAX] {
        assert_eq!(unpack(&packed, piece), (whole.clone(), Ok(())), "{piece}");
    }
}

#[test]
fn plain_files_pass_as_they_are() {
    for text in [&b""[..], b"a", b"\x1f", b"ab", b"[{}]"] {
        for piece in [1, 2, 10] {
            assert_eq!(unpack(text, piece), (text.to_vec(), Ok(())));
        }
    }
}

#[test]
fn a_cut_file_gives_what_came_before() {
    let text = text(50_000);
    let packed = gzip(&text);
    let (out, result) = unpack(&packed[..packed.len() / 2], 4096);
    assert!(matches!(result, Err(Fault::Damaged(_))));
    assert!(out.len() > text.len() / 4 && text.starts_with(&out));

    let packed = deflate(&text);
    let member = zip_member(&packed);
    let (out, result) = unpack_as(&member_steps(&text, packed.len(), true), &member[..member.len() / 2], 4096);
    assert!(matches!(result, Err(Fault::Damaged(_))), "{result:?}");
    assert!(out.len() > text.len() / 4 && text.starts_with(&out));
}

#[test]
fn bombs_are_refused() {
    let zeros = vec![0; 100 << 20];
    let (out, result) = unpack(&gzip(&zeros), 1 << 20);
    assert_eq!(result, Err(Fault::Bomb));
    assert!(out.len() < 80 << 20);

    let packed = deflate(&zeros);
    let (out, result) = unpack_as(&member_steps(&zeros, packed.len(), true), &zip_member(&packed), 1 << 20);
    assert_eq!(result, Err(Fault::Bomb));
    assert!(out.len() < 80 << 20);

    // Packed twice, each time within reason, together not.
    let thin: Vec<u8> = (0..100u32).flat_map(|i| [vec![b' '; 1 << 20], i.to_string().into_bytes()].concat()).collect();
    let (out, result) = unpack_as(&[Step::Gunzip], &gzip(&gzip(&thin)), 1 << 10);
    assert_eq!(result, Err(Fault::Bomb));
    assert!(out.len() < 80 << 20, "{}", out.len());
}

#[test]
fn a_zip_member_is_held_to_its_size_and_checksum() {
    let plain = text(1000);
    let packed = deflate(&plain);
    let member = zip_member(&packed);
    let good = member_steps(&plain, packed.len(), true);
    assert_eq!(unpack_as(&good, &member, 100), (plain.clone(), Ok(())));

    let damaged = |result: Result<(), Fault>, what: &str| {
        assert!(matches!(&result, Err(Fault::Damaged(why)) if why.contains(what)), "{what}: {result:?}");
    };
    let other = member_steps(&[&plain[1..], b"x"].concat(), packed.len(), true);
    damaged(unpack_as(&other, &member, 100).1, "checksum");
    damaged(unpack_as(&member_steps(&plain[1..], packed.len(), true), &member, 100).1, "more data");
    damaged(unpack_as(&member_steps(&[&plain[..], b"x"].concat(), packed.len(), true), &member, 100).1, "end of data");
    damaged(unpack_as(&good, &member[1..], 100).1, "no zip member");
    damaged(unpack_as(&good, &member[..20], 100).1, "end of data");
    assert_eq!(unpack_as(&member_steps(b"", 0, false), &zip_member(b""), 7), (Vec::new(), Ok(())));
}

#[test]
fn nothing_more_is_wanted_behind_a_piece() {
    let plain = text(10_000);
    let part = Part { start: 0, end: 0, unpack: vec![Step::Gunzip, Step::Cut { from: 10, len: 5 }] };
    let mut unpacker = Unpacker::new(Some(&part));
    let mut out = Vec::new();
    let mut fed = 0;
    for bytes in gzip(&plain).chunks(100) {
        if unpacker.wants_more() {
            unpacker.feed(bytes, &mut |plain| out.extend_from_slice(plain)).unwrap();
            fed += bytes.len();
        }
    }
    assert_eq!(unpacker.finish(&mut |_| {}), Ok(()));
    assert_eq!(out, plain[10..15]);
    assert!(fed < 5000, "{fed}");
}

proptest! {
    #[test]
    fn any_chain_in_any_pieces(numbers in 1u32..2000, from in 0usize..3000, len in 0usize..3000, piece in 1usize..5000) {
        let plain = text(numbers);
        let (from, len) = (from % plain.len(), len % (plain.len() - from % plain.len() + 1));
        let cut = Step::Cut { from: from as u64, len: len as u64 };
        let wanted = (plain[from..from + len].to_vec(), Ok(()));
        prop_assert_eq!(unpack_as(&[Step::Gunzip, cut.clone()], &gzip(&plain), piece), wanted.clone());
        prop_assert_eq!(unpack_as(&[cut], &plain, piece), wanted);

        let inner = gzip(&plain);
        let packed = deflate(&inner);
        let steps = member_steps(&inner, packed.len(), true);
        prop_assert_eq!(unpack_as(&steps, &zip_member(&packed), piece), (plain.clone(), Ok(())));
        let steps = member_steps(&plain, plain.len(), false);
        prop_assert_eq!(unpack_as(&steps, &zip_member(&plain), piece), (plain, Ok(())));
    }
}
