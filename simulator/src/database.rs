//! The same recording as a database of the profiler: tables, columns and order of rows as torch_npu writes them.

use std::collections::{BTreeMap, HashMap};
use std::io;

use rusqlite::types::Value;
use rusqlite::{Connection, Statement, params};

use crate::allocator::Totals;
use crate::event::{Call, Component, Label, Listener, Op, Pair, Record, Task, Thread};
use crate::memory::Block;
use crate::python::{Returned, Running};
use crate::work::Amount;
use crate::world::{Outcome, World};

const SCHEMA: &str = "
CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY,value TEXT);
CREATE TABLE SESSION_TIME_INFO (startTimeNs INTEGER,endTimeNs INTEGER);
CREATE TABLE HOST_INFO (hostUid TEXT,hostName TEXT);
CREATE TABLE NPU_INFO (id INTEGER,name TEXT);
CREATE TABLE META_DATA (name TEXT,value TEXT);
CREATE TABLE ENUM_API_TYPE (id INTEGER PRIMARY KEY,name TEXT);
CREATE TABLE RANK_DEVICE_MAP (rankId INTEGER, deviceId INTEGER);
CREATE TABLE STEP_TIME (id INTEGER, startNs INTEGER, endNs INTEGER);
CREATE TABLE NPU_MEM (type INTEGER,ddr NUMERIC,hbm NUMERIC,timestampNs INTEGER,deviceId INTEGER);
CREATE TABLE MEMORY_RECORD (component INTEGER, timestamp INTEGER, totalAllocated INTEGER, totalReserved INTEGER, totalActive INTEGER, streamPtr INTEGER, deviceId INTEGER);
CREATE TABLE OP_MEMORY (name INTEGER, size INTEGER, allocationTime INTEGER, releaseTime INTEGER, activeReleaseTime INTEGER, duration INTEGER, activeDuration INTEGER, allocationTotalAllocated INTEGER, allocationTotalReserved INTEGER, allocationTotalActive INTEGER, releaseTotalAllocated INTEGER, releaseTotalReserved INTEGER, releaseTotalActive INTEGER, streamPtr INTEGER, deviceId INTEGER);
CREATE TABLE PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER, sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER, type INTEGER);
CREATE TABLE CONNECTION_IDS (id INTEGER, connectionId INTEGER);
CREATE TABLE PYTORCH_CALLCHAINS (id INTEGER, stack INTEGER, stackDepth INTEGER);
";

/// Ids of texts begin here, where the torch side has them.
const FIRST_TEXT: i64 = 268_435_456;
/// Numbers of kernels among the connections begin here; those of `fwdbwd` pairs far behind.
const FIRST_PAIR: i64 = 1 << 40;

const OPERATOR: i64 = 50001;
const QUEUE: i64 = 50002;
const PYTHON: i64 = 50003;

/// Writes one rank's database and gives its bytes.
pub(crate) fn write(
    world: &World,
    amount: Amount,
    outcome: &Outcome,
    blocks: &[&Block],
    before: Totals,
) -> io::Result<(Vec<u8>, u64)> {
    let mut connection = Connection::open_in_memory().map_err(io::Error::other)?;
    let sums = fill(&connection, world, amount, outcome, blocks, before).map_err(io::Error::other)?;
    let bytes = connection.serialize("main").map_err(io::Error::other)?;
    Ok((bytes.to_vec(), sums))
}

fn fill(
    connection: &Connection,
    world: &World,
    amount: Amount,
    outcome: &Outcome,
    blocks: &[&Block],
    before: Totals,
) -> rusqlite::Result<u64> {
    connection.execute_batch(SCHEMA)?;
    connection.execute_batch("BEGIN")?;
    let mut texts = Texts::default();
    facts(connection, world, outcome)?;
    let device = i64::from(world.rank);
    let mut samples = connection.prepare("INSERT INTO NPU_MEM VALUES (?1, 0, ?2, ?3, ?4)")?;
    let (app, whole) = (texts.id("app"), texts.id("device"));
    for &(time, bytes) in &outcome.pools.samples {
        samples.execute(params![app, signed(bytes), time, device])?;
        samples.execute(params![whole, signed(bytes + (230 << 20)), time + 500, device])?;
    }
    let mut records = Records {
        insert: connection.prepare("INSERT INTO MEMORY_RECORD VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?,
        world,
        texts: &mut texts,
        pta: before,
        ge: Totals::default(),
        sums: 0,
        error: None,
    };
    world.run(amount, true, &mut records);
    let (sums, error) = (records.sums, records.error.take());
    drop(records);
    error.map_or(Ok(()), Err)?;
    rows(connection, world, blocks, &mut texts)?;
    calls(connection, world, amount, &mut texts)?;
    let mut insert = connection.prepare("INSERT INTO STRING_IDS VALUES (?1, ?2)")?;
    for (at, text) in (FIRST_TEXT..).zip(&texts.list) {
        insert.execute(params![at, text])?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(sums)
}

fn facts(connection: &Connection, world: &World, outcome: &Outcome) -> rusqlite::Result<()> {
    connection.execute("INSERT INTO SESSION_TIME_INFO VALUES (?1, ?2)", params![world.start, outcome.end])?;
    connection.execute("INSERT INTO HOST_INFO VALUES ('1234567890123456789', 'node-7c1d-worker-0')", [])?;
    connection.execute("INSERT INTO NPU_INFO VALUES (?1, 'Ascend910B')", [i64::from(world.rank)])?;
    connection.execute("INSERT INTO RANK_DEVICE_MAP VALUES (?1, ?1)", [i64::from(world.rank)])?;
    for (name, value) in [("SCHEMA_VERSION", "1.1.0"), ("ENV_VARIABLES", "{\"TASK_QUEUE_ENABLE\": \"1\"}")] {
        connection.execute("INSERT INTO META_DATA VALUES (?1, ?2)", [name, value])?;
    }
    for (id, name) in [(OPERATOR, "op"), (QUEUE, "queue"), (PYTHON, "trace"), (50004, "mstx")] {
        connection.execute("INSERT INTO ENUM_API_TYPE VALUES (?1, ?2)", params![id, name])?;
    }
    for step in &outcome.steps {
        let times = params![step.number, step.start_ns, step.end_ns];
        connection.execute("INSERT INTO STEP_TIME VALUES (?1, ?2, ?3)", times)?;
    }
    Ok(())
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn stream(world: &World, at: u8) -> i64 {
    let [main, side] = world.streams;
    (if at == 0 { main } else { side }).parse().unwrap_or(0)
}

/// Texts by id.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    ids: HashMap<String, i64>,
}

impl Texts {
    fn id(&mut self, text: &str) -> i64 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = FIRST_TEXT + self.list.len() as i64;
        self.list.push(text.to_owned());
        self.ids.insert(text.to_owned(), id);
        id
    }
}

/// OP_MEMORY. The graph engine's names have no prefix, and what it does not know is NULL.
fn rows(connection: &Connection, world: &World, blocks: &[&Block], texts: &mut Texts) -> rusqlite::Result<()> {
    let mut insert = connection
        .prepare("INSERT INTO OP_MEMORY VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)")?;
    for block in blocks {
        let Some((at, totals)) = block.allocated else { continue };
        let is_graph = block.component == Component::Ge;
        let name = block.name.strip_prefix("cann::").unwrap_or(block.name);
        let name = block.number.map_or_else(|| name.to_owned(), |number| format!("{name}{number}"));
        let released = block.released.map(|(time, _)| time);
        let reusable = block.reusable.filter(|_| !is_graph);
        let after = block.released.map(|(_, totals)| totals);
        let active = |totals: Totals| (!is_graph).then_some(signed(totals.active));
        insert.execute(params![
            texts.id(&name),
            signed(block.size),
            at,
            released,
            reusable,
            released.map(|time| time - at),
            reusable.map(|time| time - at),
            signed(totals.allocated),
            signed(totals.reserved),
            active(totals),
            after.map(|totals| signed(totals.allocated)),
            after.map(|totals| signed(totals.reserved)),
            after.and_then(active),
            (!is_graph).then(|| stream(world, block.stream)),
            i64::from(world.rank),
        ])?;
    }
    Ok(())
}

/// MEMORY_RECORD.
struct Records<'a> {
    insert: Statement<'a>,
    world: &'a World,
    texts: &'a mut Texts,
    pta: Totals,
    ge: Totals,
    sums: u64,
    error: Option<rusqlite::Error>,
}

impl Records<'_> {
    fn row(&mut self, component: &str, time: i64, totals: Totals, stream: Option<i64>) {
        let row = params![
            self.texts.id(component),
            time,
            signed(totals.allocated),
            signed(totals.reserved),
            signed(totals.active),
            stream,
            i64::from(self.world.rank),
        ];
        if let Err(error) = self.insert.execute(row) {
            self.error.get_or_insert(error);
        }
    }
}

impl Listener for Records<'_> {
    fn record(&mut self, record: &Record) {
        let pointer = (record.component != Component::Ge).then(|| stream(self.world, record.stream));
        let active = if record.component == Component::Ge { 0 } else { record.totals.active };
        self.row(record.component.name(), record.time, Totals { active, ..record.totals }, pointer);
        match record.component {
            Component::Pta => self.pta = record.totals,
            Component::Ge => self.ge = record.totals,
            Component::Workspace => return,
        }
        self.sums += 1;
        let sum = Totals {
            allocated: self.pta.allocated + self.ge.allocated,
            reserved: self.pta.reserved + self.ge.reserved,
            active: self.pta.active,
        };
        self.row("PTA+GE", record.time, sum, pointer);
    }
}

/// PYTORCH_API and what belongs to it, a kind of row a pass: the queue's ends, Python functions, operators.
fn calls(connection: &Connection, world: &World, amount: Amount, texts: &mut Texts) -> rusqlite::Result<()> {
    let mut links = Links::default();
    world.run(amount, false, &mut links);
    let mut calls = Calls {
        call: connection.prepare("INSERT INTO PYTORCH_API VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")?,
        link: connection.prepare("INSERT INTO CONNECTION_IDS VALUES (?1, ?2)")?,
        frame: connection.prepare("INSERT INTO PYTORCH_CALLCHAINS VALUES (?1, ?2, ?3)")?,
        world,
        texts,
        links,
        pass: Pass::Enqueues,
        next_link: 0,
        next_chain: 0,
        error: None,
    };
    for pass in [Pass::Enqueues, Pass::Dequeues, Pass::Python, Pass::Operators] {
        calls.pass = pass;
        world.run(amount, false, &mut calls);
    }
    if world.variety.python_functions && !world.variety.call_stacks {
        let mut running = Running::default();
        world.run(amount, false, &mut running);
        running.each(world, &mut |thread, Returned { frame, end }| {
            calls.row(frame.name, thread, (frame.start, end), None, [None; 5], PYTHON);
        });
    }
    calls.error.map_or(Ok(()), Err)
}

/// Numbers that operators share with others, by thread, start and Sequence number.
#[derive(Default)]
struct Links {
    pairs: BTreeMap<(Thread, i64, i64), Vec<i64>>,
    kernels: BTreeMap<(Thread, i64), Vec<i64>>,
    next: i64,
}

impl Listener for Links {
    fn pair(&mut self, pair: &Pair) {
        for (thread, start) in [pair.forward, pair.backward] {
            self.pairs.entry((thread, start, pair.sequence)).or_default().push(FIRST_PAIR + self.next);
        }
        self.next += 1;
    }

    fn task(&mut self, task: &Task) {
        self.kernels.entry((task.thread, task.operator_start)).or_default().push(task.number);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    Enqueues,
    Dequeues,
    Python,
    Operators,
}

struct Calls<'a> {
    call: Statement<'a>,
    link: Statement<'a>,
    frame: Statement<'a>,
    world: &'a World,
    texts: &'a mut Texts,
    links: Links,
    pass: Pass,
    next_link: i64,
    next_chain: i64,
    error: Option<rusqlite::Error>,
}

impl Calls<'_> {
    fn keep<T>(&mut self, result: rusqlite::Result<T>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }

    /// A connection with these numbers; none without any.
    fn connect(&mut self, numbers: &[i64]) -> Option<i64> {
        numbers.first()?;
        let id = self.next_link;
        self.next_link += 1;
        for number in numbers {
            let result = self.link.execute(params![id, number]);
            self.keep(result);
        }
        Some(id)
    }

    /// A row of PYTORCH_API; `rest`: sequence, forward thread, types, shapes, chain.
    fn row(
        &mut self,
        name: &str,
        thread: Thread,
        times: (i64, i64),
        link: Option<i64>,
        rest: [Option<i64>; 5],
        kind: i64,
    ) {
        let name = self.texts.id(name);
        let global = i64::from(self.world.pid) << 32 | i64::from(self.world.tid(thread));
        let [sequence, forward, types, shapes, chain] = rest;
        let (start, end) = (Value::Text(times.0.to_string()), Value::Text(times.1.to_string()));
        let row = params![start, end, global, link, name, sequence, forward, types, shapes, chain, kind];
        let result = self.call.execute(row);
        self.keep(result);
    }
}

impl Listener for Calls<'_> {
    fn task(&mut self, task: &Task) {
        let (name, thread, times) = match self.pass {
            Pass::Enqueues => ("Enqueue".to_owned(), task.thread, task.enqueue),
            Pass::Dequeues => (format!("Dequeue@{}", task.kernel.name), Thread::Queue, task.dequeue),
            Pass::Python | Pass::Operators => return,
        };
        let link = self.connect(&[task.correlation]);
        self.row(&name, thread, times, link, [None; 5], QUEUE);
    }

    fn call(&mut self, call: &Call) {
        let variety = &self.world.variety;
        if self.pass == Pass::Python && variety.python_functions && variety.call_stacks {
            let name = call.module.map_or_else(|| call.name.to_owned(), |at| format!("nn.Module: {}_{at}", call.name));
            self.row(&name, call.thread, (call.start, call.end), None, [None; 5], PYTHON);
        }
    }

    fn op(&mut self, op: &Op) {
        if self.pass != Pass::Operators {
            return;
        }
        let name = match op.label {
            Label::Plain(name) => name.to_owned(),
            Label::Evaluate(node) => format!("autograd::engine::evaluate_function: {node}"),
            Label::Step(number) => format!("ProfilerStep#{number}"),
        };
        let numbers = match op.sequence {
            -1 => self.links.kernels.get(&(op.thread, op.start)).filter(|_| name.starts_with("aclnn")).cloned(),
            sequence => self.links.pairs.get(&(op.thread, op.start, sequence)).cloned(),
        };
        let link = self.connect(&numbers.unwrap_or_default());
        let (mut types, mut shapes, mut chain) = (None, None, None);
        if let Some((dims, kinds)) = op.dims.and_then(|dims| self.world.dims.get(dims as usize)) {
            (types, shapes) = (Some(self.texts.id(kinds)), Some(self.texts.id(dims)));
        }
        if let Some(stack) = op.stack.filter(|_| self.world.variety.call_stacks) {
            chain = Some(self.next_chain);
            for (depth, frame) in (0i64..).zip(self.world.stacks.frames_inwards_out(stack)) {
                let frame = self.texts.id(frame);
                let result = self.frame.execute(params![self.next_chain, frame, depth]);
                self.keep(result);
            }
            self.next_chain += 1;
        }
        let rest = [Some(op.sequence), Some(i64::from(op.forward_thread)), types, shapes, chain];
        self.row(&name, op.thread, (op.start, op.end), link, rest, OPERATOR);
    }
}
