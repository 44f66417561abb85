//! The device part of trace_view.json: names of processes, kernels, communication, counters.

use crate::event::{Listener, Task, Thread};
use crate::rng::Rng;
use crate::text::Out;
use crate::trace::begin;
use crate::world::World;

pub(crate) const HARDWARE: u32 = 0;
const FREQUENCY: u32 = 32;
const COMMUNICATION: u32 = 64;
const HBM: u32 = 128;
const LLC: u32 = 160;
const MEMORY: u32 = 192;
const SOC: u32 = 224;
const PMU: u32 = 256;
const QOS: u32 = 288;
const OVERLAP: u32 = 320;

/// Process id of a group of device events: made of the process's id, a sort index and the device.
pub(crate) fn pid(world: &World, group: u32) -> u32 {
    (world.pid << 10).wrapping_add(800).wrapping_add(group + world.rank % 31)
}

/// Same for CANN's host side: device 31.
fn host(world: &World) -> u32 {
    (world.pid << 10).wrapping_add(639)
}

/// Names of the torch part.
pub(crate) fn torch_names(world: &World, out: &mut Out<'_>) {
    let mut meta = |name: &str, tid: u32, key: &str, value: &str| {
        begin(out);
        out.str("{\"ph\": \"M\", \"name\": \"").str(name).str("\", \"pid\": ").int(i64::from(world.pid));
        out.str(", \"tid\": ").int(i64::from(tid)).str(", \"args\": {\"").str(key).str("\": ").str(value).str("}}");
    };
    meta("process_name", 0, "name", "\"Python\"");
    meta("process_labels", 0, "labels", "\"CPU\"");
    meta("process_sort_index", 0, "sort_index", "0");
    for (thread, _) in world.threads() {
        let tid = world.tid(thread);
        meta("thread_name", tid, "name", &format!("\"Thread {tid}\""));
        meta("thread_sort_index", tid, "sort_index", &tid.to_string());
    }
}

/// Writes the device part as the tasks come; counters are spread between them up to a number of bytes.
pub(crate) struct Device<'a, 'o, 'w> {
    world: &'a World,
    out: &'o mut Out<'w>,
    rng: Rng,
    /// Counters' bytes: to be written, written.
    budget: u64,
    counted: u64,
    window: (i64, i64),
    samples: &'a [(i64, u64)],
    sampled: usize,
    tick: u64,
    busy_until: i64,
}

impl<'a, 'o, 'w> Device<'a, 'o, 'w> {
    pub(crate) fn new(
        world: &'a World,
        out: &'o mut Out<'w>,
        window: (i64, i64),
        samples: &'a [(i64, u64)],
        budget: u64,
    ) -> Self {
        let rng = Rng::new(u64::from(world.pid), &[9]);
        let mut device =
            Self { world, out, rng, budget, counted: 0, window, samples, sampled: 0, tick: 0, busy_until: window.0 };
        device.names();
        device
    }

    fn names(&mut self) {
        let world = self.world;
        let groups = [
            ("Ascend Hardware", HARDWARE, 13),
            ("AI Core Freq", FREQUENCY, 14),
            ("Communication", COMMUNICATION, 15),
            ("HBM", HBM, 17),
            ("LLC", LLC, 18),
            ("NPU MEM", MEMORY, 19),
            ("Stars Soc Info", SOC, 20),
            ("Acc PMU", PMU, 21),
            ("QoS", QOS, 22),
            ("Overlap Analysis", OVERLAP, 23),
        ];
        let label = format!("\"NPU {}\"", world.rank);
        for (name, group, sort) in groups {
            let pid = pid(world, group);
            self.meta("process_name", pid, 0, "name", &format!("\"{name}\""));
            let threads: &[(u32, &str)] = match group {
                HARDWARE => &[(2, "Stream 2"), (3, "Stream 3")],
                COMMUNICATION => &[(0, "Group 0 Communication"), (1, "Plane 0")],
                OVERLAP => &[(0, "Computing"), (1, "Communication"), (2, "Communication(Not Overlapped)"), (3, "Free")],
                _ => &[],
            };
            for &(tid, name) in threads {
                self.meta("thread_name", pid, tid, "name", &format!("\"{name}\""));
                self.meta("thread_sort_index", pid, tid, "sort_index", &tid.to_string());
            }
            self.meta("process_labels", pid, 0, "labels", &label);
            self.meta("process_sort_index", pid, 0, "sort_index", &sort.to_string());
        }
        // Level0 leaves out CANN's host process, but not its threads and label.
        for (thread, _) in world.threads() {
            let tid = world.tid(thread);
            self.meta("thread_name", host(world), tid, "name", &format!("\"Thread {tid}\""));
            self.meta("thread_sort_index", host(world), tid, "sort_index", &tid.to_string());
        }
        self.meta("process_labels", host(world), 0, "labels", "\"CPU\"");
        self.meta("process_sort_index", host(world), 0, "sort_index", "7");
    }

    fn meta(&mut self, name: &str, pid: u32, tid: u32, key: &str, value: &str) {
        begin(self.out);
        self.out
            .str("{\"name\": \"")
            .str(name)
            .str("\", \"pid\": ")
            .int(i64::from(pid))
            .str(", \"tid\": ")
            .int(i64::from(tid));
        self.out.str(", \"args\": {\"").str(key).str("\": ").str(value).str("}, \"ph\": \"M\"}");
    }

    fn counter(&mut self, name: &str, time: i64, group: u32, args: &[(&str, i64, bool)]) {
        let before = self.out.written();
        begin(self.out);
        self.out.str("{\"name\": \"").str(name).str("\", \"ts\": \"").micros3(time).str("\", \"pid\": ");
        self.out.int(i64::from(pid(self.world, group))).str(", \"tid\": 0, \"args\": {");
        for (at, &(key, value, float)) in args.iter().enumerate() {
            self.out.str(if at > 0 { ", \"" } else { "\"" }).str(key).str("\": ");
            if float {
                self.out.micros(value);
            } else {
                self.out.int(value);
            }
        }
        self.out.str("}, \"ph\": \"C\"}");
        self.counted += self.out.written() - before;
    }

    /// Counters due at a time: so many that the budget is used evenly over the window.
    fn counters(&mut self, time: i64) {
        let long = (self.window.1 - self.window.0).max(1);
        let passed = (time - self.window.0).clamp(0, long);
        let due = (u128::from(self.budget) * passed.unsigned_abs() as u128 / long.unsigned_abs() as u128) as u64;
        while let Some(&(at, bytes)) = self.samples.get(self.sampled)
            && at <= time
        {
            self.sampled += 1;
            let kb = i64::try_from(bytes / 1024).unwrap_or(i64::MAX).saturating_mul(1000);
            self.counter("APP/DDR", at, MEMORY, &[("KB", 0, true)]);
            self.counter("APP/HBM", at, MEMORY, &[("KB", kb, true)]);
            self.counter("APP/Memory", at, MEMORY, &[("KB", kb, true)]);
        }
        while self.counted < due {
            let share = self.counted as f64 / self.budget.max(1) as f64;
            let at = self.window.0 + (long as f64 * share) as i64;
            self.tick(at);
        }
    }

    /// One reading of the hardware's counters.
    fn tick(&mut self, at: i64) {
        self.tick += 1;
        let value = self.rng.range(0, 2000);
        match self.tick % 16 {
            0 => self.counter("HBM 0/Read", at, HBM, &[("Read(MB/s)", value * 278_417, true)]),
            1 => self.counter("HBM 0/Write", at, HBM, &[("Write(MB/s)", value * 155_629, true)]),
            2 => self.counter("LLC 0 Read/Throughput", at, LLC, &[("Throughput(MB/s)", value * 9967, true)]),
            3 => self.counter("LLC 0 Read/Hit Rate", at, LLC, &[("Hit Rate(%)", value / 2, true)]),
            4 if self.tick % 64 == 4 => self.counter("AI Core Freq", at, FREQUENCY, &[("MHz", 1_800_000, true)]),
            5 => self.counter("Mata Bw Level", at, SOC, &[("Mata Bw Level", 0, false)]),
            6 => self.counter("L2 Buffer Bw Level", at, SOC, &[("L2 Buffer Bw Level", 0, false)]),
            n if n % 3 == 0 => self.counter("QoS OTHERS", at, QOS, &[("value", value, false)]),
            n if n % 3 == 1 => self.counter(
                "read_bandwidth",
                at,
                PMU,
                &[("value", value / 3, false), ("acc_id", (n % 8) as i64, false)],
            ),
            n => self.counter(
                "write_band_width",
                at,
                PMU,
                &[("value", value / 5, false), ("acc_id", (n % 8) as i64, false)],
            ),
        }
    }

    /// What is left of the counters, up to a total size of the file so far.
    pub(crate) fn finish(mut self, until: Option<u64>) {
        self.counters(self.window.1);
        // The last reading of the frequency has its time without decimals.
        begin(self.out);
        self.out.str("{\"name\": \"AI Core Freq\", \"ts\": \"").int(self.window.1 / 1000 + 1).str("\", \"pid\": ");
        self.out
            .int(i64::from(pid(self.world, FREQUENCY)))
            .str(", \"tid\": 0, \"args\": {\"MHz\": 1800.0}, \"ph\": \"C\"}");
        let Some(until) = until else { return };
        let mut at = self.window.1;
        while self.out.written() + 130 < until {
            self.tick(at);
            at += 1000;
        }
    }

    fn named(&mut self, name: &str, pid: u32, tid: u32, start: i64) {
        begin(self.out);
        self.out
            .str("{\"name\": \"")
            .str(name)
            .str("\", \"pid\": ")
            .int(i64::from(pid))
            .str(", \"tid\": ")
            .int(i64::from(tid));
        self.out.str(", \"ts\": \"").micros3(start).str("\", \"dur\": ");
    }
}

impl Listener for Device<'_, '_, '_> {
    fn task(&mut self, task: &Task) {
        self.counters(task.launch);
        let (start, end) = task.device;
        let hardware = pid(self.world, HARDWARE);
        let overlap = pid(self.world, OVERLAP);
        let stream = u32::from(task.stream);
        if task.kernel.task_type == "COMMUNICATION" {
            begin(self.out);
            self.out.str("{\"name\": \"").str(task.kernel.device).str("_868_").int(task.number).str("_1\", \"pid\": ");
            self.out.int(i64::from(pid(self.world, COMMUNICATION))).str(", \"tid\": 0, \"ts\": \"").micros3(start);
            self.out
                .str("\", \"dur\": ")
                .micros_device(end - start)
                .str(", \"args\": {\"connection_id\": ")
                .int(task.number);
            self.out.str(", \"model id\": 4294967295, \"data_type\": \"BFP16\", \"alg_type\": \"MESH-RING\", \"count\": 4194304}, \"ph\": \"X\"}");
            self.named("Communication", overlap, 1, start);
            self.out.micros(end - start).str(", \"ph\": \"X\"}");
            return;
        }
        begin(self.out);
        self.out
            .str("{\"name\": \"HostToDevice")
            .int(task.number)
            .str("\", \"ph\": \"s\", \"cat\": \"HostToDevice\", \"id\": \"")
            .int(task.number);
        self.out
            .str("\", \"pid\": ")
            .int(i64::from(host(self.world)))
            .str(", \"tid\": ")
            .int(i64::from(self.world.tid(Thread::Queue)));
        self.out.str(", \"ts\": \"").micros3(task.launch).str("\"}");
        self.named(task.kernel.device, hardware, stream, start);
        self.out
            .micros_device(end - start)
            .str(", \"args\": {\"Model Id\": 4294967295, \"Task Type\": \"")
            .str(task.kernel.task_type);
        self.out
            .str("\", \"Physic Stream Id\": ")
            .int(i64::from(stream))
            .str(", \"Task Id\": ")
            .int(task.number % 65_536);
        self.out
            .str(", \"Batch Id\": 0, \"Subtask Id\": 4294967295, \"connection_id\": ")
            .int(task.number)
            .str("}, \"ph\": \"X\"}");
        begin(self.out);
        self.out
            .str("{\"name\": \"HostToDevice")
            .int(task.number)
            .str("\", \"ph\": \"f\", \"id\": \"")
            .int(task.number)
            .str("\", \"ts\": \"")
            .micros3(start);
        self.out
            .str("\", \"cat\": \"HostToDevice\", \"pid\": ")
            .int(i64::from(hardware))
            .str(", \"tid\": ")
            .int(i64::from(stream))
            .str(", \"bp\": \"e\"}");
        if start > self.busy_until + 20_000 {
            self.named("Free", overlap, 3, self.busy_until);
            self.out.micros(start - self.busy_until).str(", \"ph\": \"X\"}");
        }
        self.busy_until = self.busy_until.max(end);
        self.named("Computing", overlap, 0, start);
        self.out.micros(end - start).str(", \"ph\": \"X\"}");
    }
}
