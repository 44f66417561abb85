//! What each answer about a rank of a million blocks costs, and what getting ready for them does.
//! `cargo run --release --no-default-features --example answers [BLOCKS]`
//!
//! Two recordings: a training run whose live set is a few percent of its blocks, and one in which nothing is ever released,
//! the worst there is for whoever looks for live blocks. Of each answer: the fastest of three, asked at many times.

#![allow(clippy::indexing_slicing, reason = "a bench indexes what it made itself")]

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use memlens::analysis::answer::{Counted, GroupBy, TopQuery};
use memlens::analysis::block_map::BlockMapQuery;
use memlens::analysis::block_table::{BlockColumn, BlockOrder, BlocksQuery};
use memlens::analysis::churn::ChurnQuery;
use memlens::analysis::compare::{DifferenceOf, compare};
use memlens::analysis::filter::BlockFilter;
use memlens::analysis::growth::GrowthQuery;
use memlens::analysis::hue::Hue;
use memlens::analysis::paths::PathOf;
use memlens::analysis::reserved::ReservedQuery;
use memlens::analysis::sandwich::{FramesQuery, SandwichQuery};
use memlens::analysis::side::SideQuery;
use memlens::analysis::tree::TreeQuery;
use memlens::folder::{FileEntry, FileKind, find};
use memlens::session::{Options, Session};

/// Times each question is asked at.
const TIMES: usize = 60;
const ORIGIN_NS: i64 = 1_779_785_515_000_000_000;
/// Between two allocations, ns.
const TICK_NS: i64 = 20_010;
/// Between two releases, ns.
const RELEASE_NS: i64 = 490;
/// From a release until the memory may be used again, ns.
const ACTIVE_NS: i64 = 310;
const NAMES: u64 = 200;
const STACKS: u64 = 3000;
/// Blocks that stay for good: weights and what belongs to them.
const WEIGHTS: usize = 20_000;

/// The same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end.max(1)
    }
}

#[derive(Clone, Default)]
struct Block {
    size: i64,
    start: i64,
    end: Option<i64>,
    stack: u64,
    /// Allocated, reserved, active: after the allocation and after the release.
    totals: [i64; 3],
    after: [i64; 3],
}

/// An allocator at work: blocks, and totals after each of its events.
struct Recording {
    blocks: Vec<Block>,
    records: Vec<(i64, [i64; 3])>,
}

impl Recording {
    fn new(count: usize, releases: bool) -> Recording {
        let mut random = Random(88_172_645_463_325_252);
        let mut blocks = vec![Block::default(); count];
        let mut records = Vec::new();
        let mut due: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
        let mut totals = [0_i64; 3];
        for at in 0..count {
            let start = ORIGIN_NS + at as i64 * TICK_NS;
            let size = 512 * (1 + random.below(if at < WEIGHTS { 8192 } else { 2048 }) as i64);
            totals[0] += size;
            totals[2] += size;
            totals[1] = totals[1].max((totals[2] / (20 << 20) + 1) * (20 << 20));
            blocks[at] = Block { size, start, end: None, stack: random.below(STACKS), totals, after: totals };
            records.push((start, totals));
            if releases && at >= WEIGHTS {
                let lasts = if random.below(10) < 7 { random.below(50) } else { random.below(20_000) };
                let last = (at + 1 + lasts as usize).min(count);
                due[last].push(at);
            }
            let ends = std::mem::take(&mut due[at]);
            for (place, block) in ends.into_iter().enumerate() {
                let end = start + (place as i64 + 1) * RELEASE_NS;
                if end + ACTIVE_NS >= start + TICK_NS {
                    due[at + 1].push(block);
                    continue;
                }
                totals[0] -= blocks[block].size;
                records.push((end, totals));
                (blocks[block].end, blocks[block].after) = (Some(end), totals);
                totals[2] -= blocks[block].size;
                records.push((end + ACTIVE_NS, totals));
            }
        }
        Recording { blocks, records }
    }

    fn name(block: &Block) -> u64 {
        block.stack % NAMES
    }

    fn read(&self) -> Session {
        let file = |name: &str| FileEntry::new(format!("run/a/host_1_20260526085155596_ascend_pt/{name}"), 1);
        let files = ["memory_record.csv", "operator_memory.csv", "trace_view.json"];
        let mut entries = vec![file("profiler_info_0.json")];
        entries.extend(files.map(|name| file(&format!("ASCEND_PROFILER_OUTPUT/{name}"))));
        let Some(folder) = find(&entries).finish(|_| Some(b"{}".to_vec())).rank_folders.into_iter().next() else {
            unreachable!("the path is that of a rank folder")
        };
        let mut session = Session::new(folder, Options::default());
        for file in session.read_order() {
            let kind = session.folder().files.get(file).map(|file| file.kind);
            let since = Instant::now();
            let start = worked(since);
            // Before the trace the tables are worked out.
            session.begin(file);
            if kind == Some(FileKind::Trace) {
                println!("\ntables worked out in {:.2} s", worked(since) - start);
            }
            let mut out = String::new();
            match kind {
                Some(FileKind::MemoryRecord) => self.write_records(&mut out, &mut session),
                Some(FileKind::OperatorMemory) => self.write_rows(&mut out, &mut session),
                Some(FileKind::Trace) => self.write_trace(&mut out, &mut session),
                _ => {}
            }
            session.feed(out.as_bytes());
        }
        session.end();
        session
    }

    fn write_records(&self, out: &mut String, session: &mut Session) {
        *out += "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\r\n";
        let mut sampled = 0;
        for (time, totals) in &self.records {
            let [allocated, reserved, active] = totals.map(Mb);
            add(out, format_args!("PTA,{},{allocated},{reserved},{active},7,NPU:0\r\n", Us(*time)), session);
            if *time - sampled > 20_000_000 {
                sampled = *time;
                let process = Mb(totals[1] + (3 << 30));
                add(out, format_args!("APP,{},,{process},,,NPU:0\r\n", Us(*time + 1)), session);
            }
        }
    }

    fn write_rows(&self, out: &mut String, session: &mut Session) {
        *out += "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\r\n";
        for block in &self.blocks {
            let (name, kb, start) = (Recording::name(block), block.size as f64 / 1024.0, Us(block.start));
            let [allocated, reserved, active] = block.totals.map(Mb);
            add(out, format_args!("aten::op{name},{kb},{start},"), session);
            match block.end {
                Some(end) => {
                    let [after, after_reserved, after_active] = block.after.map(Mb);
                    let (lasts, ends) = (end - block.start, Us(end + ACTIVE_NS));
                    let active_lasts = lasts + ACTIVE_NS;
                    *out += &format!("{},{ends},{}.{:03},", Us(end), lasts / 1000, lasts % 1000);
                    *out += &format!("{}.{:03},{allocated},{reserved},", active_lasts / 1000, active_lasts % 1000);
                    *out += &format!("{active},{after},{after_reserved},{after_active},7,NPU:0\r\n");
                }
                None => *out += &format!(",,,,{allocated},{reserved},{active},,,,7,NPU:0\r\n"),
            }
        }
    }

    fn write_trace(&self, out: &mut String, session: &mut Session) {
        *out += "[";
        for (at, block) in self.blocks.iter().enumerate() {
            let separator = if at == 0 { "" } else { "," };
            let (name, stack) = (Recording::name(block), block.stack);
            let start = block.start - 2000;
            add(
                out,
                format_args!(
                    "{separator}{{\"ph\": \"X\", \"name\": \"aten::op{name}\", \"pid\": 1, \"tid\": 1, \"ts\": \"{}.{:03}\", \"dur\": 5.0, \"cat\": \"cpu_op\", \"args\": {{\"Sequence number\": {at}, \"Fwd thread id\": 0, \"Call stack\": \"/x/site-packages/torch/nn/f.py(1): call;\\r\\n/w/model.py({}): forward;\\r\\n/w/train.py({stack}): step\"}}}}",
                    start / 1000,
                    start % 1000,
                    stack / 3,
                ),
                session,
            );
        }
        // Ten steps over the window, as findings want them.
        let window = self.blocks.len() as i64 * TICK_NS;
        for step in 0..10 {
            let start = ORIGIN_NS + step * window / 10;
            let (start, dur) = (Us(start).to_string(), window / 10_000 - 1);
            *out += &format!(
                ",{{\"ph\": \"X\", \"name\": \"ProfilerStep#{step}\", \"pid\": 1, \"tid\": 1, \"ts\": \"{}\", \"dur\": {dur}, \"cat\": \"cpu_op\", \"args\": {{}}}}",
                start.trim_end(),
            );
        }
        *out += "]";
    }
}

/// Appends, and feeds what is there once it is a piece.
fn add(out: &mut String, text: std::fmt::Arguments<'_>, session: &mut Session) {
    if out.write_fmt(text).is_err() {
        unreachable!("a string takes any text")
    }
    if out.len() >= 4 << 20 {
        session.feed(out.as_bytes());
        out.clear();
    }
}

/// A time as the profiler writes it.
struct Us(i64);

impl std::fmt::Display for Us {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:03}\t", self.0 / 1000, self.0 % 1000)
    }
}

/// Bytes as it does; a multiple of 512 is a short binary fraction of a MiB, exact in a double.
struct Mb(i64);

impl std::fmt::Display for Mb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0 as f64 / f64::from(1 << 20))
    }
}

/// Seconds this thread has worked, so that what else the machine does counts little; where the system does not say, those of a
/// clock.
fn worked(since: Instant) -> f64 {
    // What is read is what stood when the thread was last put aside.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ns = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    ns.map_or_else(|| since.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

/// Fastest of three at each time: median and slowest, ms.
fn time<T>(name: &str, times: &[i64], mut ask: impl FnMut(i64) -> T) {
    let since = Instant::now();
    let mut took: Vec<f64> = times
        .iter()
        .map(|at| {
            let tries = (0..3).map(|_| {
                let start = worked(since);
                black_box(ask(black_box(*at)));
                (worked(since) - start) * 1e3
            });
            tries.fold(f64::INFINITY, f64::min)
        })
        .collect();
    took.sort_by(f64::total_cmp);
    let median = took.get(took.len() / 2).copied().unwrap_or_default();
    println!("| {name} | {median:.3} | {:.3} |", took.last().copied().unwrap_or_default());
}

fn measure(name: &str, recording: &Recording) {
    let mut session = recording.read();
    let since = Instant::now();
    let start = worked(since);
    session.finish();
    let ready = worked(since) - start;
    let summary = session.summary().clone();
    let [first, last] = summary.window_ns.unwrap_or_default();
    println!("\n{name}: {} blocks, {} records; finish {ready:.2} s", summary.blocks.total, recording.records.len());
    println!("matches {:?}; failing checks {:?}", summary.matches, failing(&summary));
    println!("{:?}\n", session.counters());
    println!("| answer | median ms | slowest ms |\n|---|---:|---:|");
    let mut random = Random(2_463_534_242);
    let width = last - first;
    let times: Vec<i64> = (0..TIMES).map(|_| first + random.below(width as u64) as i64).collect();
    for columns in [1200, 3840] {
        for part in [1, 10, 1000] {
            let name = format!("timeline, 1/{part} of the window, {columns} px");
            let half = width / part / 2;
            let middle = |at: i64| at.clamp(first + half, last - half);
            time(&name, if part == 1 { &times[..9] } else { &times }, |at| {
                session.timeline(middle(at) - half, middle(at) + half, columns)
            });
        }
    }
    let peak = summary.peak.and_then(|peak| peak.allocated).map_or(last, |peak| peak.time_ns);
    for by in [GroupBy::Operator, GroupBy::Stack, GroupBy::UserFrame] {
        let query = |at_ns| TopQuery { at_ns, pool: None, by, within: None, limit: 100 };
        time(&format!("top groups by {by:?} at the peak"), &[peak; 9], |at| session.top(&query(at)));
        time(&format!("top groups by {by:?} at any time"), &times, |at| session.top(&query(at)));
    }
    let within = Some((GroupBy::Operator, Some("aten::op7".to_owned())));
    let query = |at_ns| TopQuery { at_ns, pool: None, by: GroupBy::Stack, within: within.clone(), limit: 100 };
    time("stacks within one operator at any time", &times, |at| session.top(&query(at)));
    for (name, path) in [("frames", PathOf::Frames), ("frames, inverted", PathOf::FramesInverted)] {
        let query = |of| TreeQuery { of, pool: None, path, within: None, below: Vec::new(), bars: 1200, limit: 2000 };
        let live = |at_ns| query(Counted::LiveAt { at_ns });
        let since = Instant::now();
        let start = worked(since);
        black_box(session.tree(&live(peak)));
        println!("| the first tree of {name} | {:.3} | |", (worked(since) - start) * 1e3);
        time(&format!("tree of {name} at the peak"), &[peak; 9], |at| session.tree(&live(at)));
        time(&format!("tree of {name} at any time"), &times, |at| session.tree(&live(at)));
        let allocated = |at: i64| Counted::Allocated { from_ns: at.min(peak), to_ns: at.max(peak) };
        time(&format!("tree of {name}, allocated in a range"), &times, |at| session.tree(&query(allocated(at))));
    }
    let frame = "/w/model.py(7): forward".to_owned();
    let sandwich = |of| SandwichQuery { frame: frame.clone(), of, pool: None, within: None, bars: 1200, limit: 2000 };
    time("sandwich of a frame at any time", &times, |at_ns| session.sandwich(&sandwich(Counted::LiveAt { at_ns })));
    let frames = |of| FramesQuery { containing: String::new(), of, pool: None, limit: 100 };
    time("frames at any time", &times, |at_ns| session.frames(&frames(Counted::LiveAt { at_ns })));
    let side = |at_ns, to_ns| session.side(&SideQuery { by: GroupBy::Stack, pool: None, at_ns, from_ns: first, to_ns });
    time("a side of a comparison by Stack", &times, |at| side(at, last));
    let (a, b) = (side(peak, peak), side(last, last));
    time("two sides compared", &[peak; 9], |_| compare(&a, &b, DifferenceOf::Live, 100));
    for part in [1, 10, 1000] {
        let half = width / part / 2;
        let query = |at: i64| {
            let middle = at.clamp(first + half, last - half);
            let (columns, lines) = (1000, 500);
            let (start_ns, end_ns) = (middle - half, middle + half);
            BlockMapQuery {
                pool: None,
                start_ns,
                end_ns,
                columns,
                lines,
                bytes: None,
                hue: Hue::Operator,
                marked: None,
            }
        };
        let times = if part == 1 { &times[..9] } else { &times };
        time(&format!("block map of 1000 x 500, 1/{part} of the window"), times, |at| session.block_map(&query(at)));
    }
    let order = |sort| BlockOrder { filter: BlockFilter::default(), sort, descending: true };
    for sort in [BlockColumn::Bytes, BlockColumn::Operator, BlockColumn::UserFrame] {
        let since = Instant::now();
        let start = worked(since);
        black_box(session.blocks(&BlocksQuery { order: order(sort), from: 0, count: 100 }));
        println!("| blocks sorted by {} anew | {:.3} | |", sort.name(), (worked(since) - start) * 1e3);
    }
    let rows = summary.blocks.total;
    let mut place = Random(7);
    time("100 rows of the sorted blocks", &times, |_| {
        let from = place.below(rows) as usize;
        session.blocks(&BlocksQuery { order: order(BlockColumn::UserFrame), from, count: 100 })
    });
    time("stacks beside what no row tells, at any time", &times, |at| {
        session.breakdown(&TopQuery { at_ns: at, pool: None, by: GroupBy::Stack, within: None, limit: 100 })
    });
    for by in [GroupBy::Stack, GroupBy::UserFrame, GroupBy::Size] {
        let query = |from_ns| GrowthQuery { from_ns, to_ns: last, pool: None, by, limit: 100 };
        time(&format!("growth by {by:?} from any time to the end"), &times, |at| session.growth(&query(at)));
    }
    let reserved = |from_ns| ReservedQuery { from_ns, to_ns: last, pool: None, limit: 20 };
    time("reserved memory, whole window", &[first; 9], |at| session.reserved(&reserved(at)));
    time("reserved memory from any time to the end", &times, |at| session.reserved(&reserved(at)));
    for columns in [1200, 3840] {
        let name = format!("unused curves, whole window, {columns} px");
        time(&name, &[first; 9], |at| session.unused_curves(&reserved(at), columns));
    }
    for within_ns in [1_000_000, 100_000_000] {
        let query = ChurnQuery { within_ns, pool: None, limit: 100 };
        time(&format!("churn within {} ms", within_ns / 1_000_000), &[first; 9], |_| session.churn(&query));
    }
    time("facts", &[first; 9], |_| session.facts());
    let since = Instant::now();
    let start = worked(since);
    let found = session.findings().len();
    println!("| findings ({found}), once | {:.3} | |", (worked(since) - start) * 1e3);
    time("findings after that", &[first; 9], |_| session.findings());
    time("balance", &times, |at| session.balance(at));
    time("totals under the pointer", &times, |at| session.totals_at(at));
}

fn failing(summary: &memlens::analysis::answer::Summary) -> Vec<&'static str> {
    let is_failing =
        |check: &&memlens::analysis::check::Check| check.verdict() == memlens::analysis::check::Verdict::Fails;
    summary.checks.iter().filter(is_failing).map(|check| check.kind.name()).collect()
}

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    measure("A training run", &Recording::new(count, true));
    measure("Nothing is released", &Recording::new(count, false));
}
