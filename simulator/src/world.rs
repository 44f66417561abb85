//! One rank: its numbers, its program, and how to run the same simulation again for each section of its files.

use crate::autograd::gradient_bytes;
use crate::event::{Dims, Listener, THREADS, Thread};
use crate::machine::{Lane, Machine};
use crate::memory::Pools;
use crate::options::{Options, Variety};
use crate::plant::Plant;
use crate::program::{self, Program};
use crate::rng::Rng;
use crate::stacks::Stacks;
use crate::truth::StepTruth;
use crate::work::{self, Amount, Extra};

/// Everything fixed about one rank.
pub(crate) struct World {
    pub(crate) rank: u32,
    pub(crate) pid: u32,
    pub(crate) device: String,
    /// Addresses of the streams, as the older writers put them.
    pub(crate) streams: [&'static str; 2],
    pub(crate) stacks: Stacks,
    pub(crate) dims: [(String, &'static str); 8],
    pub(crate) program: Program,
    pub(crate) variety: Variety,
    /// Begin of the window, ns since 1970.
    pub(crate) start: i64,
    pub(crate) extra: Extra,
    pub(crate) outside: u64,
    pub(crate) plants: Vec<Plant>,
    pub(crate) first_step: u32,
    seed: u64,
    salt: u64,
}

/// What one run of the simulation leaves.
pub(crate) struct Outcome {
    pub(crate) steps: Vec<StepTruth>,
    pub(crate) pools: Pools,
    pub(crate) end: i64,
    pub(crate) kernels: u64,
    pub(crate) communications: u64,
    pub(crate) kernel_text: u64,
}

/// 2026-05-26 08:55:15 UTC.
const EPOCH: i64 = 1_779_785_715_000_000_000;

impl World {
    pub(crate) fn new(options: &Options, role: usize, rank: u32) -> Self {
        let name = options.roles.get(role).map_or("", String::as_str);
        let salt = (role as u64) << 32 | u64::from(rank);
        let mut rng = Rng::new(options.seed, &[1, salt]);
        let trains = !["rollout", "ref", "reward", "infer", "generat"]
            .iter()
            .any(|word| name.to_ascii_lowercase().contains(word));
        let mut factor = 1.0;
        let mut extra = Extra::default();
        let mut outside = 310 << 20;
        let mut plants = Vec::new();
        for plant in &options.plant {
            match *plant {
                Plant::Leak { .. } => extra.leak = true,
                Plant::Fragmentation { .. } => extra.buffers = true,
                Plant::Churn { blocks } => extra.churn = blocks,
                Plant::Outside { bytes } => outside += bytes,
                Plant::OddRank { rank: odd, factor: by } => {
                    if rank != odd.min(options.ranks.saturating_sub(1)) {
                        continue;
                    }
                    factor = by;
                }
            }
            plants.push(*plant);
        }
        let mut stacks = Stacks::default();
        let program = program::program(trains, factor, &options.plant, &mut stacks);
        let shape = program.shape;
        let all =
            [Dims::Tokens, Dims::Hidden, Dims::Pair, Dims::Weight, Dims::Wide, Dims::Logits, Dims::Scalar, Dims::Empty];
        Self {
            rank,
            pid: u32::try_from(rng.range(1_200_000, 3_900_000)).unwrap_or(0),
            device: format!("NPU:{rank}"),
            streams: ["94509039890976", "94509041204512"],
            stacks,
            dims: all.map(|dims| shape.dims(dims)),
            program,
            variety: options.variety.clone(),
            // Ranks of a role start within milliseconds, roles one after the other.
            start: EPOCH + role as i64 * 7_300_000_000 + rng.range(0, 4_000_000),
            extra,
            outside,
            plants,
            first_step: 28 + u32::try_from(role).unwrap_or(0),
            seed: options.seed,
            salt,
        }
    }

    /// The id the system gave to a thread.
    pub(crate) fn tid(&self, thread: Thread) -> u32 {
        self.pid
            + match thread {
                Thread::Main => 0,
                Thread::Backward => 9763,
                Thread::Queue => 3575,
                Thread::Second => 1204,
                Thread::Loader => 1311,
            }
    }

    /// The threads that show up, with what they do.
    pub(crate) fn threads(&self) -> Vec<(Thread, &'static str)> {
        let mut threads = vec![(Thread::Main, "forward"), (Thread::Queue, "queue")];
        if self.program.trains {
            threads.insert(1, (Thread::Backward, "backward"));
        }
        if self.variety.threads {
            if self.program.trains {
                threads.push((Thread::Second, "second forward"));
            }
            threads.push((Thread::Loader, "loader"));
        }
        threads
    }

    /// Sizes of the gradients that a step leaves, for this many layers.
    fn gradients(&self, layers: u64) -> Vec<u64> {
        if !self.program.trains {
            return Vec::new();
        }
        let program = &self.program;
        let layers = (0..layers).flat_map(|_| &program.layer);
        let sites = program.before.iter().chain(layers).chain(&program.after);
        sites.filter(|site| site.parameter).map(|site| gradient_bytes(site.bytes)).collect()
    }

    /// Runs the simulation; whoever listens hears the same each time.
    pub(crate) fn run(&self, amount: Amount, memory: bool, to: &mut dyn Listener) -> Outcome {
        let mut pools = Pools::new(memory, Rng::new(self.seed, &[3, self.salt]), self.start, self.outside);
        let mut earlier: Vec<(u64, Option<i64>)> = self.program.weights.iter().map(|&bytes| (bytes, None)).collect();
        // What the step before left behind and lets go soon.
        for (at, bytes) in [(0, 16 << 20), (1, 512), (2, 11 << 20), (3, 3 << 20)] {
            earlier.push((bytes, Some(self.start + 180_000 + at * 430_000)));
        }
        pools.begin(&earlier, &self.gradients(amount.layers));
        let mut machine = Machine {
            to,
            variety: &self.variety,
            rng: Rng::new(self.seed, &[2, self.salt]),
            lanes: [Lane { clock: self.start, sequence: 40 }; THREADS],
            streams: [self.start; 2],
            queued: Vec::new(),
            pools,
            correlation: 8000 + i64::from(self.rank) * 11,
            launch: 262,
            task: 0,
            python: 10,
            modules: 0,
            kernels: 0,
            communications: 0,
            kernel_text: 0,
        };
        machine.lane(Thread::Main).sequence = 3072;
        let steps = work::work(&mut machine, &self.program, amount, self.extra);
        let end = machine.meet();
        machine.pools.end();
        let Machine { pools, kernels, communications, kernel_text, .. } = machine;
        Outcome { steps, pools, end, kernels, communications, kernel_text }
    }
}
