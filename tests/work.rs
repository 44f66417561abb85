//! How much work reading is: it grows with what there is to know, not with the length of the trace.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, in its helpers too"
)]

mod common;

use allocation_counter::measure;
use common::Files;
use memlens::analysis::answer::Counters;
use memlens::session::{Options, Session};
use memlens_simulator::Options as Simulated;

/// What feeding a rank cost: the counters, and how many times memory was asked for while its trace was fed.
fn read(files: &Files, piece: usize) -> (Counters, u64) {
    let mut session = Session::new(files.run().rank_folders.remove(0), Options::default());
    let mut asked = 0;
    for file in session.read_order() {
        let (name, index) = session.folder().files.get(file).map(|f| (f.name.clone(), f.index)).unwrap();
        session.begin(file);
        let info = measure(|| files.0[index].1.chunks(piece).for_each(|bytes| session.feed(bytes)));
        if name == "trace_view.json" {
            asked += info.count_total;
        }
        session.end();
    }
    session.finish();
    (session.counters(), asked)
}

fn simulated(trace_bytes: u64) -> Files {
    Files::simulated(&Simulated { ranks: 1, steps: 1, seed: 11, trace_bytes, ..Simulated::default() }).0
}

#[test]
fn a_longer_trace_costs_no_more_an_event() {
    let piece = 1 << 20;
    let (short, short_asked) = read(&simulated(4_000_000), piece);
    let (long, long_asked) = read(&simulated(16_000_000), piece);
    assert!(long.events > 3 * short.events, "{} {}", short.events, long.events);
    // A trace is written in a few dozen ways, however long it is.
    assert!(long.parsed_events < 200, "{}", long.parsed_events);
    assert_eq!(long.careful_events, 0);
    // Names, stacks and kept spans are what memory is asked for; their vectors grow by doubling.
    let more = (long_asked - short_asked) as f64 / ((long.events - short.events) as f64 / 1000.0);
    assert!(more < 25.0, "{more} allocations a thousand events");
}

#[test]
fn only_what_a_cut_goes_through_is_copied() {
    let files = simulated(8_000_000);
    for piece in [64 << 10, 1 << 20] {
        let (counters, _) = read(&files, piece);
        // At each cut the unfinished event, and at most 64 KiB behind it.
        let cuts = counters.bytes_read / piece as u64 + 1;
        assert!(counters.copied_bytes <= cuts * (80 << 10), "{} bytes at {cuts} cuts", counters.copied_bytes);
    }
}

/// Bytes kept in the end, the most there were at once on the way, and the counters.
fn most(files: &Files, piece: usize) -> (u64, u64, Counters) {
    let (mut held, mut most) = (0_i64, 0_i64);
    let mut phase = |work: &mut dyn FnMut()| {
        let info = measure(work);
        most = most.max(held + info.bytes_max as i64);
        held += info.bytes_current;
    };
    let mut session = None;
    phase(&mut || session = Some(Session::new(files.run().rank_folders.remove(0), Options::default())));
    let mut session = session.unwrap();
    for file in session.read_order() {
        let index = session.folder().files[file].index;
        phase(&mut || {
            session.begin(file);
            files.0[index].1.chunks(piece).for_each(|bytes| session.feed(bytes));
            session.end();
        });
    }
    phase(&mut || session.finish());
    (session.counters().kept_bytes, most as u64, session.counters())
}

/// A browser's worker keeps what it had at most: so the most counts, on the way from files to answers.
#[test]
fn getting_ready_takes_little_more_than_what_is_kept() {
    let (kept, most, counters) = self::most(&simulated(24_000_000), 256 << 10);
    // 32 bytes an operator and some 20 beside it while rows are matched; the queue's spans are fewer, and smaller together.
    let spans = 64 * counters.operators_kept;
    assert!(
        most < kept + kept * 3 / 10 + spans + (2 << 20),
        "{most} for {kept} and {} operators",
        counters.operators_kept
    );
}
