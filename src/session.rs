//! One rank's life: files are fed in, then questions are answered. The only door the worker, the command and the tests use.
//!
//! Order matters: [`Session::read_order`] gives the memory tables before the trace, whose events stream against their rows.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::analysis::answer::{Counters, Summary};
use crate::analysis::findings::Finding;
use crate::analysis::rank::Rank;
use crate::analysis::summary::{Identity, summary};
use crate::archive::{Fault, Unpacker};
use crate::export::rows::{Format, RowWriter, sorted};
use crate::folder::{FileKind, RankFile, RankFolder};
use crate::matching::{self, MatchRule};
use crate::model::intern::Interner;
use crate::model::modules::Modules;
use crate::model::plan::Plan;
use crate::model::pools::Pools;
use crate::model::row_times::RowTimes;
use crate::model::rows::Rows;
use crate::model::spans::{MAX_THREADS, Operator, Spans};
use crate::problem::{Place, Problem, ProblemKind, Problems};
use crate::read::encoding::ToUtf8;
use crate::read::memory_record::MemoryRecord;
use crate::read::module_memory::ModuleMemory;
use crate::read::operator_memory::OperatorMemory;
use crate::read::static_memory::StaticMemory;
use crate::read::text::Legacy;
use crate::read::trace::{Trace, TraceCounts};

mod database;
mod questions;
mod tables;

/// What lies further apart than this is not of one recording, ns.
const DAY_NS: i64 = 86_400_000_000_000;

/// Detail of [`ProblemKind::OverLimit`]: distinct texts together are longer than is kept.
const LONG_TEXTS: &str = "distinct call stacks > 512 MiB";

/// Detail of [`ProblemKind::NoCommonAxis`]: the trace shares the records' axis, but not that of the rows.
const ROWS_APART: &str = "the times of operator_memory.csv alone are on another axis";

/// The same in a database.
const ROWS_APART_IN_DATABASE: &str = "the times of OP_MEMORY alone are on another axis";

/// How a session works.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Options {
    /// Which rule joins rows to call stacks.
    pub rule: MatchRule,
    /// To be added to the trace's times, ns, where its axis is not that of the memory tables and nothing in the files proves
    /// the distance. Not for the reference rule, which compares what is written.
    #[serde(default)]
    pub trace_offset_ns: Option<i64>,
}

/// The file being read.
enum Reader {
    MemoryRecord(MemoryRecord),
    OperatorMemory(OperatorMemory),
    ModuleMemory(ModuleMemory),
    StaticMemory(StaticMemory),
    Trace(Trace),
    Whole(database::Whole),
}

/// What exists while files are read.
#[derive(Default)]
struct Reading {
    rows: Rows,
    pools: Pools,
    modules: Modules,
    plan: Plan,
    spans: Spans,
    /// The trace holds operators, but no call stack.
    lacks_stacks: bool,
    /// What was made of `rows` and `pools`, once both are there.
    tables: Option<Box<Tables>>,
}

/// The memory tables, read and worked out: in less room than as they were read.
struct Tables {
    /// Not matched yet.
    rank: Rank,
    /// Rows as they were read, those left out later among them.
    rows_read: u64,
    /// The same of pool samples, by component.
    records_read: BTreeMap<String, u64>,
    is_mindspore: bool,
}

impl Reading {
    fn new(folder: &RankFolder, options: Options) -> Reading {
        let mut reading = Reading::default();
        reading.spans.for_reference = options.rule == MatchRule::Reference;
        reading.pools.is_mindspore = folder.is_mindspore;
        reading
    }

    /// Rows read, without those there was no room for.
    fn rows_read(&self) -> u64 {
        self.tables.as_ref().map_or(self.rows.len() as u64, |tables| tables.rows_read)
    }

    /// Rows there was no room for.
    fn rows_lost(&self) -> u64 {
        self.tables.as_ref().map_or(self.rows.lost, |tables| tables.rank.rows.lost)
    }

    /// Pool samples read, by component.
    fn record_counts(&self) -> &BTreeMap<String, u64> {
        self.tables.as_ref().map_or(&self.pools.counts, |tables| &tables.records_read)
    }

    /// Names of the rows: events stream against them.
    fn row_names(&mut self) -> &mut Interner {
        self.tables.as_mut().map_or(&mut self.rows.names, |tables| &mut tables.rank.rows.names)
    }

    /// Lends the rows' names and times to the spans, which are about to be read: events stream against them. The reference rule
    /// knows no operator but those of a row's name.
    fn lend(&mut self, options: Options) {
        self.spans.row_names = std::mem::take(self.row_names());
        if options.rule != MatchRule::Best {
            return;
        }
        let times = match &mut self.tables {
            Some(tables) => {
                let rows = &mut tables.rank.rows;
                RowTimes::new(std::mem::take(&mut rows.time), std::mem::take(&mut rows.order))
            }
            None => RowTimes::of(self.rows.times()),
        };
        self.spans.knows_rows = self.tables.is_some();
        self.spans.row_times = times.less(options.trace_offset_ns.unwrap_or(0));
        // Where it is told how far to move them, nothing else will.
        self.spans.shares_axis = options.trace_offset_ns.is_some();
    }

    /// Takes back what was lent.
    fn take_back(&mut self) {
        let names = std::mem::take(&mut self.spans.row_names);
        *self.row_names() = names;
        let times = std::mem::take(&mut self.spans.row_times);
        if let Some(tables) = self.tables.as_mut().filter(|_| !times.order.is_empty()) {
            (tables.rank.rows.time, tables.rank.rows.order) = (times.time, times.order);
        }
    }
}

/// What exists once they are.
struct Ready {
    rank: Rank,
    summary: Summary,
    /// Rows in output order and the keys ranks are merged by, where these are not the rows by time and their times.
    sorted: Option<(Vec<u32>, Vec<i64>)>,
    findings: OnceLock<Vec<Finding>>,
}

impl Ready {
    /// Rows in output order.
    fn order(&self) -> &[u32] {
        self.sorted.as_ref().map_or(&self.rank.rows.order, |(order, _)| order)
    }
}

/// One rank folder: read, then asked.
pub struct Session {
    folder: RankFolder,
    options: Options,
    identity: Identity,
    problems: Problems,
    counters: Counters,
    reader: Option<(FileKind, Reader)>,
    unpacker: Unpacker,
    database: database::State,
    encoding: ToUtf8,
    legacy: Option<Legacy>,
    reading: Reading,
    ready: Option<Ready>,
    lists: tables::Lists,
    /// What questions get before the rank is ready.
    empty: Summary,
}

impl Session {
    /// A session for one rank folder.
    pub fn new(folder: RankFolder, options: Options) -> Session {
        let identity = Identity {
            folder: folder.folder.clone(),
            role: folder.role.clone(),
            rank: folder.rank,
            step: folder.step,
            form: if folder.is_mindspore { "mindspore" } else { "text" },
            neighbours: folder.neighbours.clone(),
        };
        let mut problems = Problems::default();
        problems.extend(&folder.problems);
        let nothing = Rank::new(Rows::default(), Default::default(), Vec::new(), Pools::default());
        let empty = summary(&identity, &nothing, problems.list());
        let reading = Reading::new(&folder, options);
        Session {
            folder,
            options,
            identity,
            problems,
            counters: Counters::default(),
            reader: None,
            unpacker: Unpacker::default(),
            database: database::State::default(),
            encoding: ToUtf8::default(),
            legacy: None,
            reading,
            ready: None,
            lists: tables::Lists::default(),
            empty,
        }
    }

    /// Lends it what reads text of tables that is GBK.
    pub fn with_legacy(mut self, legacy: Legacy) -> Session {
        self.legacy = Some(legacy);
        self
    }

    /// Begins the folder's `file`-th file; one still open is ended.
    pub fn begin(&mut self, file: usize) {
        self.end();
        let index = file;
        if !self.may_begin(index) {
            return;
        }
        if self.folder.files.get(file).is_some_and(|file| file.kind == FileKind::Trace) {
            self.settle_whole_tables();
        }
        let Some(file) = self.folder.files.get(file) else { return };
        let reader = match file.kind {
            FileKind::MemoryRecord => {
                let reader = MemoryRecord::new(&file.name).with_legacy(self.legacy);
                Reader::MemoryRecord(if self.reading.pools.is_mindspore { reader.of_mindspore() } else { reader })
            }
            FileKind::OperatorMemory => {
                let reader = OperatorMemory::new(&file.name).with_legacy(self.legacy);
                Reader::OperatorMemory(if self.reading.pools.is_mindspore { reader.of_mindspore() } else { reader })
            }
            FileKind::ModuleMemory => Reader::ModuleMemory(ModuleMemory::new(&file.name).with_legacy(self.legacy)),
            FileKind::StaticMemory => Reader::StaticMemory(StaticMemory::new(&file.name).with_legacy(self.legacy)),
            FileKind::Trace => {
                self.reading.lend(self.options);
                Reader::Trace(Trace::new(&file.name))
            }
            FileKind::Database | FileKind::DatabaseLog => Reader::Whole(self.gather(index)),
        };
        self.unpacker = Unpacker::new(file.part.as_ref());
        self.reader = Some((file.kind, reader));
    }

    /// Takes the next bytes of the open file, packed or not.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.counters.bytes_read += bytes.len() as u64;
        self.counters.largest_piece = self.counters.largest_piece.max(bytes.len() as u64);
        let mut unpacker = std::mem::take(&mut self.unpacker);
        let result = unpacker.feed(bytes, &mut |plain| self.feed_plain(plain));
        self.unpacker = unpacker;
        self.note_unpacking(result);
    }

    /// Whether further bytes of the open file can matter: a part of an archive may be complete before its range ends, and
    /// packed data may have been given up.
    pub fn wants_more(&self) -> bool {
        self.reader.is_some() && self.unpacker.wants_more()
    }

    fn note_unpacking(&mut self, result: Result<(), Fault>) {
        if let (Err(fault), Some((kind, _))) = (result, &self.reader) {
            let kind = *kind;
            match fault {
                Fault::Damaged(why) => self.note(kind, ProblemKind::ArchiveDamaged, &why),
                Fault::Bomb => self.note(kind, ProblemKind::ExpandsTooFar, ""),
            }
        }
    }

    fn feed_plain(&mut self, bytes: &[u8]) {
        let mut encoding = std::mem::take(&mut self.encoding);
        encoding.feed(bytes, &mut |text| self.feed_text(text));
        self.encoding = encoding;
    }

    fn feed_text(&mut self, bytes: &[u8]) {
        match &mut self.reader {
            Some((_, Reader::MemoryRecord(reader))) => reader.feed(bytes, &mut self.reading.pools),
            Some((_, Reader::OperatorMemory(reader))) => reader.feed(bytes, &mut self.reading.rows),
            Some((_, Reader::ModuleMemory(reader))) => reader.feed(bytes, &mut self.reading.modules),
            Some((_, Reader::StaticMemory(reader))) => reader.feed(bytes, &mut self.reading.plan),
            Some((_, Reader::Trace(reader))) => reader.feed(bytes, &mut self.reading.spans),
            Some((_, Reader::Whole(whole))) => whole.feed(bytes),
            None => {}
        }
    }

    /// Ends the open file.
    pub fn end(&mut self) {
        let mut unpacker = std::mem::take(&mut self.unpacker);
        let result = unpacker.finish(&mut |plain| self.feed_plain(plain));
        self.note_unpacking(result);
        let mut encoding = std::mem::take(&mut self.encoding);
        let replaced = encoding.finish(&mut |text| self.feed_text(text));
        if let Some((kind, _)) = &self.reader {
            let file = kind.file_name();
            self.problems.add_many(file, Place::Whole, ProblemKind::BadEncoding, "UTF-16", replaced);
        }
        match self.reader.take() {
            Some((kind, Reader::MemoryRecord(reader))) => {
                let (problems, is_mindspore) = reader.finish(&mut self.reading.pools);
                self.take_problems(kind, problems.list());
                self.reading.pools.is_mindspore |= is_mindspore;
            }
            Some((_, Reader::ModuleMemory(reader))) => {
                self.problems.extend(reader.finish(&mut self.reading.modules).list());
            }
            Some((_, Reader::StaticMemory(reader))) => {
                self.problems.extend(reader.finish(&mut self.reading.plan).list());
            }
            Some((kind, Reader::OperatorMemory(reader))) => {
                let (problems, is_mindspore) = reader.finish(&mut self.reading.rows);
                self.take_problems(kind, problems.list());
                self.reading.pools.is_mindspore |= is_mindspore;
            }
            Some((_, Reader::Trace(reader))) => {
                let work = reader.work();
                self.counters.parsed_events += work.parsed;
                self.counters.copied_bytes += work.copied;
                let (counts, problems) = reader.finish(&mut self.reading.spans);
                self.problems.extend(problems.list());
                self.counters.events += counts.events;
                self.counters.careful_events += counts.careful;
                self.reading.take_back();
                self.see_stacks(&counts);
                // Where something else is wrong with the trace, that is said.
                if counts.operators == 0 && problems.list().is_empty() {
                    self.note(FileKind::Trace, ProblemKind::NoOperators, "");
                }
            }
            Some((kind, Reader::Whole(whole))) => self.read_whole(kind, whole),
            None => {}
        }
    }

    /// Takes what was wrong with a table. What every slice of it lacks is one fault, named with the first of them.
    fn take_problems(&mut self, kind: FileKind, problems: &[Problem]) {
        let is_slice = |name: &str| self.folder.files.iter().any(|file| file.kind == kind && file.name == name);
        let mut own = problems.to_vec();
        for problem in own.iter_mut().filter(|p| matches!(p.kind, ProblemKind::NoColumn | ProblemKind::MissingColumn)) {
            let is_known = |known: &&Problem| {
                known.kind == problem.kind && known.detail == problem.detail && is_slice(&known.file)
            };
            if let Some(known) = self.problems.list().iter().find(is_known) {
                problem.file.clone_from(&known.file);
            }
        }
        self.problems.extend(&own);
    }

    /// Without call stacks in the operators Python functions make up for them; with them they say nothing new.
    fn see_stacks(&mut self, counts: &TraceCounts) {
        self.reading.lacks_stacks = counts.operators > 0 && counts.stacks == 0;
        if !self.reading.lacks_stacks {
            self.reading.spans.python.clear();
        }
    }

    /// The open file cannot be read on: that is counted, what came before stays.
    pub fn abandon(&mut self, reason: &str) {
        if let Some((kind, _)) = &self.reader {
            let kind = *kind;
            self.note(kind, ProblemKind::Unreadable, reason);
        }
        self.end();
    }

    fn note(&mut self, kind: FileKind, problem: ProblemKind, detail: &str) {
        self.problems.add(kind.file_name(), Place::Whole, problem, detail);
    }

    /// Counts a problem of one of the memory tables, where it was read from: its file, or this table of the database.
    fn note_many(&mut self, kind: FileKind, problem: ProblemKind, table: &str, detail: &str, count: u64) {
        match self.database_with(kind) {
            Some(name) => {
                self.problems.add_many(&name, Place::Whole, problem, &format!("{table}: {detail}"), count);
            }
            None => self.problems.add_many(kind.file_name(), Place::Whole, problem, detail, count),
        }
    }

    fn note_lost(&mut self, kind: FileKind, what: &str, count: u64) {
        self.problems.add_many(kind.file_name(), Place::Whole, ProblemKind::OverLimit, what, count);
    }

    /// Works the memory tables out, if nothing more can come of them: what is kept only for that is let go of before the trace
    /// is read.
    fn settle_whole_tables(&mut self) {
        let (files, memory) = (&self.folder.files, &self.database.memory);
        let is_there = |(index, file): (usize, &RankFile)| match file.kind {
            FileKind::MemoryRecord => memory.records > 0 || self.database.has_begun(index),
            FileKind::OperatorMemory => memory.rows > 0 || self.database.has_begun(index),
            // After text files that seem whole, it replaces all of them or nothing.
            FileKind::Database => self.folder.is_text_first || self.database.is_read(),
            _ => true,
        };
        if self.reading.tables.is_none() && files.iter().enumerate().all(is_there) {
            self.settle_tables();
        }
    }

    fn settle_tables(&mut self) {
        let (mut rows, mut pools) = (std::mem::take(&mut self.reading.rows), std::mem::take(&mut self.reading.pools));
        let (rows_read, is_mindspore) = (rows.len() as u64, pools.is_mindspore);
        let records_read = pools.counts.clone();
        self.note_lost(FileKind::MemoryRecord, "pools", pools.lost);
        self.note_lost(FileKind::OperatorMemory, "rows, names", rows.lost);
        // The reference rule compares what is written.
        if self.options.rule == MatchRule::Best {
            let far = (rows.leave_out_far(), pools.leave_out_far());
            let (count, first) = rows.leave_out_repeated();
            let detail = first.map_or_else(String::new, |first| format!("{first} ns"));
            self.note_many(FileKind::OperatorMemory, ProblemKind::RepeatedRow, "OP_MEMORY", &detail, count);
            self.note_far(FileKind::OperatorMemory, "OP_MEMORY", far.0);
            self.note_far(FileKind::MemoryRecord, "MEMORY_RECORD", far.1);
        }
        pools.settle();
        let (count, pool) = std::mem::take(&mut pools.without_total);
        let pool = pool.unwrap_or_default();
        self.note_many(FileKind::MemoryRecord, ProblemKind::MissingTotal, "MEMORY_RECORD", &pool, count);
        let (count, pool) = std::mem::take(&mut pools.repeated);
        let pool = pool.unwrap_or_default();
        self.note_many(FileKind::MemoryRecord, ProblemKind::RepeatedRow, "MEMORY_RECORD", &pool, count);
        rows.settle(&pools);
        self.note_pools_without_records(&rows, &pools);
        if rows.time_axis_lost {
            self.note(FileKind::OperatorMemory, ProblemKind::TimeAxisLost, "");
        }
        if pools.time_axis_lost {
            self.note(FileKind::MemoryRecord, ProblemKind::TimeAxisLost, "");
        }
        let rank = Rank::of_tables(rows, pools);
        self.reading.tables = Some(Box::new(Tables { rank, rows_read, records_read, is_mindspore }));
    }

    fn note_far(&mut self, kind: FileKind, table: &str, (count, first): (u64, Option<i64>)) {
        let detail = first.map_or_else(String::new, |first| format!("{first} ns"));
        self.note_many(kind, ProblemKind::TimeOutlier, table, &detail, count);
    }

    /// Joins and analyses what was read; from now on questions are answered.
    pub fn finish(&mut self) {
        self.end();
        self.note_missing();
        if self.reading.tables.is_none() {
            self.settle_tables();
        }
        let Reading { tables: Some(tables), mut modules, plan, mut spans, lacks_stacks, .. } =
            std::mem::take(&mut self.reading)
        else {
            return;
        };
        let Tables { mut rank, is_mindspore, .. } = *tables;
        if is_mindspore && self.identity.form == "text" {
            self.identity.form = "mindspore";
        }
        self.note_lost(FileKind::ModuleMemory, "components", modules.lost);
        self.note_lost(FileKind::StaticMemory, "graphs, names", plan.lost);
        if self.options.rule == MatchRule::Best {
            self.note_far(FileKind::ModuleMemory, "NPU_MODULE_MEM", modules.leave_out_far());
        }
        modules.settle();
        if modules.time_axis_lost() {
            self.note(FileKind::ModuleMemory, ProblemKind::TimeAxisLost, "");
        }
        if !rank.rows.time_axis_lost {
            self.share_axis(&rank, &mut spans);
        } else if self.options.rule == MatchRule::Best {
            spans.operators.clear();
        }
        self.note_limits(&spans);
        if lacks_stacks {
            self.stacks_from_python(&mut spans);
        }
        let (sites, site_of) = std::mem::take(&mut spans.sites).finish();
        let file = FileKind::Trace.file_name();
        self.problems.add_many(file, Place::Whole, ProblemKind::BadEncoding, "", sites.replaced_count());
        self.counters.operators_kept = spans.operators.len() as u64;
        match self.options.rule {
            MatchRule::Best => matching::best(&mut rank.rows, &spans, &sites, &site_of),
            MatchRule::Reference => matching::reference(&mut rank.rows, &spans, &site_of),
        }
        let steps = std::mem::take(&mut spans.steps);
        drop(spans);
        let rank = rank.matched(sites, steps).with_others(modules, plan);
        let summary = summary(&self.identity, &rank, self.problems.list());
        let sorted = sorted(&rank, self.options.rule);
        self.count_kept(&rank, sorted.as_ref());
        self.ready = Some(Ready { rank, summary, sorted, findings: OnceLock::new() });
    }

    fn count_kept(&mut self, rank: &Rank, sorted: Option<&(Vec<u32>, Vec<i64>)>) {
        let counters = &mut self.counters;
        counters.stacks = rank.sites.stack_count();
        counters.names = rank.rows.names.len() as u64;
        let kept = rank.kept();
        let of_order = sorted.map_or(0, |(order, keys)| order.capacity() * 4 + keys.capacity() * 8);
        counters.block_bytes = (kept.blocks + kept.block_index + of_order) as u64;
        counters.record_bytes = (kept.records + kept.record_index) as u64;
        counters.index_bytes = (kept.block_index + kept.record_index) as u64;
        counters.text_bytes = kept.texts as u64;
        counters.kept_bytes = counters.block_bytes + counters.record_bytes + counters.text_bytes + kept.others as u64;
    }

    /// Says of which pools the recorded totals have not one sample, though there are some of others.
    fn note_pools_without_records(&mut self, rows: &Rows, pools: &Pools) {
        let has_table = self.folder.files.iter().any(|file| file.kind == FileKind::MemoryRecord);
        // Samples of the whole process alone come from another table of a database, and what is missing then was said.
        let is_told = pools.counts.keys().all(|component| component == "APP") && !has_table;
        if pools.counts.is_empty() || is_told {
            return;
        }
        for pool in pools.without_samples(rows) {
            self.note_many(FileKind::MemoryRecord, ProblemKind::PoolWithoutRecords, "MEMORY_RECORD", pool, 1);
        }
    }

    /// Moves the trace to the tables' time axis, if it has another one: as told, else as its APP samples prove. Says so, and
    /// says if no stack can be joined by time. Single events far off (`ts` 0) do not hide it.
    fn share_axis(&mut self, rank: &Rank, spans: &mut Spans) {
        let rows = &rank.rows;
        let times = rows.order.first().zip(rows.order.last());
        let window =
            times.and_then(|(first, last)| Some((*rows.time.get(*first as usize)?, *rows.time.get(*last as usize)?)));
        let Some((from, to)) = window else { return };
        let apart = |spans: &Spans, by: i64| {
            let holds = |op: &Operator| op.start <= to.saturating_add(by) && op.end >= from.saturating_sub(by);
            !spans.operators.is_empty() && !spans.operators.iter().any(holds)
        };
        let is_apart = |spans: &Spans| apart(spans, 0);
        let mut is_proven = false;
        if let (Some(offset), MatchRule::Best) = (self.options.trace_offset_ns, self.options.rule) {
            spans.shift(offset);
            self.note(FileKind::Trace, ProblemKind::AxisMoved, &format!("{offset} ns"));
        } else if self.options.rule == MatchRule::Best
            && is_apart(spans)
            && let Some(proof) = matching::axis::proven_offset(spans, &rank.process_samples())
        {
            spans.shift(proof.offset_ns);
            if proof.offset_ns != 0 {
                let detail = format!("{} ns; {} x {}", proof.offset_ns, proof.samples, proof.counter.name());
                self.note(FileKind::Trace, ProblemKind::AxisMoved, &detail);
            }
            is_proven = true;
        }
        if is_apart(spans) {
            // Where the samples of trace and records agree, the rows are what lies elsewhere.
            let detail = match is_proven {
                true if self.folder.files.iter().any(|file| file.kind == FileKind::OperatorMemory) => ROWS_APART,
                true => ROWS_APART_IN_DATABASE,
                false => "",
            };
            self.note(FileKind::Trace, ProblemKind::NoCommonAxis, detail);
            if self.options.rule == MatchRule::Best && apart(spans, DAY_NS) {
                // On another axis "the nearest earlier operator" would be a guess without any ground.
                spans.operators.clear();
            }
        }
    }

    /// What the trace had more of than is kept.
    fn note_limits(&mut self, spans: &Spans) {
        let limits = [
            (spans.lost_threads, format!("threads > {MAX_THREADS}")),
            (spans.sites.lost() + spans.python.lost, LONG_TEXTS.to_owned()),
        ];
        for (count, detail) in limits {
            self.problems.add_many(FileKind::Trace.file_name(), Place::Whole, ProblemKind::OverLimit, &detail, count);
        }
    }

    /// Call stacks from the trace's Python functions, or how to record them.
    fn stacks_from_python(&mut self, spans: &mut Spans) {
        let losses = matching::sites_from_python(spans);
        let file = FileKind::Trace.file_name();
        let deep = format!("frames > {}", matching::MAX_FRAMES);
        self.problems.add_many(file, Place::Whole, ProblemKind::OverLimit, &deep, losses.cut);
        self.problems.add_many(file, Place::Whole, ProblemKind::OverLimit, LONG_TEXTS, losses.dropped);
        if !spans.sites_are_python {
            let detail = if self.folder.with_stack == Some(false) { "with_stack=False" } else { "" };
            self.note(FileKind::Trace, ProblemKind::NoStacks, detail);
        }
    }

    /// Whether [`Session::finish`] was called.
    pub fn is_ready(&self) -> bool {
        self.ready.is_some()
    }

    /// The folder it reads.
    pub fn folder(&self) -> &RankFolder {
        &self.folder
    }

    /// The rank in numbers.
    pub fn summary(&self) -> &Summary {
        self.ready.as_ref().map_or(&self.empty, |ready| &ready.summary)
    }

    /// What was read and is kept.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Output rows.
    pub fn row_count(&self) -> usize {
        self.ready.as_ref().map_or(0, |ready| ready.order().len())
    }

    /// Keys of output rows, ascending, by which ranks are merged (ns; for the reference rule another number in the same order).
    pub fn row_times(&self, from: usize, count: usize) -> Vec<i64> {
        let Some(ready) = &self.ready else { return Vec::new() };
        match &ready.sorted {
            Some((_, keys)) => keys.iter().skip(from).take(count).copied().collect(),
            None => {
                let rows = ready.order().iter().skip(from).take(count);
                rows.filter_map(|row| ready.rank.rows.time.get(*row as usize).copied()).collect()
            }
        }
    }

    /// Appends output rows as CSV records; gives the end of each in `out`.
    pub fn write_rows(&self, from: usize, count: usize, extended: bool, out: &mut Vec<u8>) -> Vec<usize> {
        self.write_rows_as(Format::Csv, from, count, extended, out)
    }

    /// Appends output rows in a format; gives the end of each in `out`.
    pub fn write_rows_as(
        &self,
        format: Format,
        from: usize,
        count: usize,
        extended: bool,
        out: &mut Vec<u8>,
    ) -> Vec<usize> {
        let Some(ready) = &self.ready else { return Vec::new() };
        let writer = RowWriter { rank: &ready.rank, identity: &self.identity, rule: self.options.rule, extended };
        let rows = ready.order().iter().skip(from).take(count);
        rows.map(|row| {
            writer.write(*row, format, out);
            out.len()
        })
        .collect()
    }
}
