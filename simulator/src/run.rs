//! Writes the files of a run.

use std::io::{self, Write};

use crate::csv::{self, Records};
use crate::device::{self, Device};
use crate::event::{Component, Nobody};
use crate::folder;
use crate::memory::Block;
use crate::options::Options;
use crate::plant::Plant;
use crate::python::Running;
use crate::sink::Sink;
use crate::text::Out;
use crate::trace::{Part, Section};
use crate::truth::{BlockTruth, FolderTruth, Planted, Truth};
use crate::work::Amount;
use crate::world::{Outcome, World};

/// Writes a whole run into `sink` and says what is true about it.
///
/// # Errors
/// Those of the sink; nothing else can fail.
pub fn simulate<S: Sink>(options: &Options, sink: &mut S) -> io::Result<Truth> {
    let mut truth = Truth::default();
    for (at, role) in options.roles.iter().enumerate() {
        for rank in 0..options.ranks {
            let world = World::new(options, at, rank);
            truth.folders.push(rank_folder(options, role, world, sink)?);
        }
    }
    csv::truth(&truth.folders, &mut sink.create("truth.csv")?)?;
    Ok(truth)
}

fn rank_folder<S: Sink>(options: &Options, role: &str, world: World, sink: &mut S) -> io::Result<FolderTruth> {
    let amount = crate::size::amount(options, &world)?;
    let mut outcome = world.run(amount, true, &mut Nobody);
    let folder = format!("{role}/{}", folder::name(&world));
    let inner = |name: &str| format!("{folder}/ASCEND_PROFILER_OUTPUT/{name}");
    let info = format!("{folder}/profiler_info_{}.json", world.rank);
    sink.create(&info)?.write_all(folder::info(&world, amount.steps, outcome.end).as_bytes())?;
    let metadata = format!("{folder}/profiler_metadata.json");
    sink.create(&metadata)?.write_all(folder::metadata(&world, options).as_bytes())?;

    let blocks = std::mem::take(&mut outcome.pools.blocks);
    let ordered = order(&blocks);
    let mut sums = 0;
    let mut trace_bytes = 0;
    if options.form.has_database() {
        let name = format!("ascend_pytorch_profiler_{}.db", world.rank);
        let (bytes, count) = database(&world, amount, &outcome, &ordered)?;
        sink.create(&inner(&name))?.write_all(&bytes)?;
        sums = count;
    }
    if options.form.has_text() {
        csv::operator_memory(&world, &ordered, &mut sink.create(&inner("operator_memory.csv"))?)?;
        let mut writer = sink.create(&inner("memory_record.csv"))?;
        let mut records = Records::new(&world, &outcome.pools.samples, outcome.pools.baseline_start, &mut writer);
        world.run(amount, true, &mut records);
        sums = records.finish()?;
        drop(writer);
        let target = (options.trace_bytes > 0).then_some(options.trace_bytes);
        trace_bytes = trace(&world, amount, &outcome, target, &mut sink.create(&inner("trace_view.json"))?)?;
    }
    Ok(folder_truth(world, folder, role, outcome, &ordered, (sums, trace_bytes)))
}

/// The database and how many PTA+GE records it has.
#[cfg(feature = "database")]
fn database(world: &World, amount: Amount, outcome: &Outcome, blocks: &[&Block]) -> io::Result<(Vec<u8>, u64)> {
    crate::database::write(world, amount, outcome, blocks, outcome.pools.baseline_start)
}

#[cfg(not(feature = "database"))]
fn database(_: &World, _: Amount, _: &Outcome, _: &[&Block]) -> io::Result<(Vec<u8>, u64)> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "built without the feature `database`"))
}

/// Blocks in the order of operator_memory.csv.
fn order(blocks: &[Block]) -> Vec<&Block> {
    let mut ordered: Vec<&Block> = blocks.iter().filter(|block| block.allocated.is_some()).collect();
    ordered.sort_by_key(|block| {
        let at = block.allocated.map_or(0, |(time, _)| time);
        match (block.component, block.released) {
            (Component::Ge, Some((time, _))) => (1, time),
            (Component::Ge, None) => (2, at),
            _ => (0, at),
        }
    });
    ordered
}

/// Writes trace_view.json; its size.
pub(crate) fn trace(
    world: &World,
    amount: Amount,
    outcome: &Outcome,
    target: Option<u64>,
    to: &mut dyn Write,
) -> io::Result<u64> {
    let mut out = Out::new(to);
    let queue = if world.variety.dequeue_first {
        [Section::Dequeues, Section::Enqueues]
    } else {
        [Section::Enqueues, Section::Dequeues]
    };
    let section = |section, out: &mut Out<'_>| {
        world.run(amount, false, &mut Part { world, out, section });
    };
    section(Section::Operators, &mut out);
    for part in queue {
        section(part, &mut out);
    }
    device::torch_names(world, &mut out);
    section(Section::ForwardBackward, &mut out);
    match (world.variety.python_functions, world.variety.call_stacks) {
        (false, _) => {}
        (true, true) => section(Section::Python, &mut out),
        (true, false) => {
            let mut running = Running::default();
            world.run(amount, false, &mut running);
            running.write(world, &mut out);
        }
    }
    // What comes behind the counters is known in size, so the counters can fill the file up.
    let flows = outcome.kernels * flow_bytes(world);
    let spans = outcome.kernels * 757 + outcome.kernel_text + outcome.communications * 410 + 9000;
    let budget = match target {
        Some(target) => target.saturating_sub(out.written() + spans + flows),
        None => (out.written() + spans + flows) / 4,
    };
    let window = (world.start - 50_000_000, outcome.end);
    let mut device = Device::new(world, &mut out, window, &outcome.pools.samples, budget);
    world.run(amount, false, &mut device);
    device.finish(target.map(|target| target.saturating_sub(flows + 1)));
    section(Section::ToDevice, &mut out);
    out.str("]");
    out.finish()
}

/// Bytes of a `torch_to_npu` pair: all its numbers have as many digits each time.
fn flow_bytes(world: &World) -> u64 {
    let fixed =
        r#", {"ph": "s", "bp": "e", "name": "torch_to_npu", "id": , "pid": , "tid": , "ts": "", "cat": "async_npu"}"#
            .len();
    let digits = |number: u32| number.to_string().len();
    let device = digits(device::pid(world, device::HARDWARE)) + 1;
    (2 * (fixed + 19 + 20) + digits(world.pid) * 2 + device) as u64
}

fn folder_truth(
    world: World,
    folder: String,
    role: &str,
    outcome: Outcome,
    ordered: &[&Block],
    (sums, trace_bytes): (u64, u64),
) -> FolderTruth {
    let pools = &outcome.pools;
    let mut rows_by_component = [0; 3];
    let mut never_released = 0;
    let mut rows = Vec::with_capacity(ordered.len());
    for block in ordered {
        if let Some(count) = rows_by_component.get_mut(block.component as usize) {
            *count += 1;
        }
        never_released += u64::from(block.component == Component::Pta && block.released.is_none());
        rows.push(BlockTruth {
            name: block.number.map_or_else(|| block.name.to_owned(), |number| format!("{}{number}", block.name)),
            alloc_ns: block.allocated.map_or(0, |(time, _)| time),
            size_bytes: block.size,
            component: block.component,
            thread: world.tid(block.thread),
            kind: block.kind,
            release_ns: block.released.map(|(time, _)| time),
            stack: block.stack.map(|stack| stack.0),
        });
    }
    let planted = world.plants.iter().map(|&plant| planted(&world, plant, ordered)).collect();
    let [pta, ge, workspace] = pools.counts;
    FolderTruth {
        folder,
        role: role.to_owned(),
        rank: world.rank,
        device: world.device.clone(),
        rows_by_component,
        never_released,
        records: [pools.samples.len() as u64, pta, ge, workspace, sums],
        peaks: pools.peaks,
        baseline_start: pools.baseline_start.allocated,
        reserved_start: pools.baseline_start.reserved,
        baseline_end: pools.baseline_end(),
        baseline_freed: pools.baseline_freed.clone(),
        reserved_end: pools.totals().reserved,
        app: pools.samples.clone(),
        steps: outcome.steps,
        trace_bytes,
        planted,
        threads: world.threads().into_iter().map(|(thread, what)| (world.tid(thread), what)).collect(),
        rows,
        stacks: world.stacks.into_texts(),
    }
}

fn planted(world: &World, plant: Plant, ordered: &[&Block]) -> Planted {
    let site = match plant {
        Plant::Leak { .. } => Some(&world.program.leak),
        Plant::Fragmentation { .. } => Some(&world.program.buffer),
        Plant::Churn { .. } => Some(&world.program.churn),
        Plant::OddRank { .. } | Plant::Outside { .. } => None,
    };
    let Some(site) = site else {
        return Planted { plant, line: String::new(), stack: None, rows: Vec::new() };
    };
    let rows = ordered
        .iter()
        .enumerate()
        .filter(|(_, block)| block.stack == Some(site.stack) && block.component == Component::Pta);
    Planted {
        plant,
        line: world.stacks.text(site.stack).split(";\r\n").next().unwrap_or("").to_owned(),
        stack: Some(site.stack.0),
        rows: rows.map(|(at, _)| at as u64).collect(),
    }
}
