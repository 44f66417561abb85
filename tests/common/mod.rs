//! What the engine's behaviour tests share: files in memory, fed to a session in pieces of any size.

#![allow(dead_code, reason = "each test file uses its own part")]

pub mod pack;
pub mod packed;

use memlens::folder::{self, FileEntry, RankFolder, Run};
use memlens::matching::MatchRule;
use memlens::read::database::BlockSize;
use memlens::read::read_at::ReadAt;
use memlens::session::{Options, Session};
use memlens_simulator::{Memory, Truth, simulate};

/// Files by path, as a person would drop them below a folder `run`.
pub struct Files(pub Vec<(String, Vec<u8>)>);

impl Files {
    pub fn new(files: &[(&str, &str)]) -> Files {
        Files(files.iter().map(|(path, text)| (format!("run/{path}"), text.as_bytes().to_vec())).collect())
    }

    /// One rank folder with the given files of ASCEND_PROFILER_OUTPUT.
    pub fn rank(files: &[(&str, &str)]) -> Files {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        Files::rank_of_bytes(&files)
    }

    /// The same, of bytes that may be no text.
    pub fn rank_of_bytes(files: &[(&str, &[u8])]) -> Files {
        let mut all = Files::new(&[("actor/host_1_20260526085155596_ascend_pt/profiler_info_0.json", "{}")]);
        for (name, bytes) in files {
            let path = format!("run/actor/host_1_20260526085155596_ascend_pt/ASCEND_PROFILER_OUTPUT/{name}");
            all.0.push((path, bytes.to_vec()));
        }
        all
    }

    /// A simulated run with its truth.
    pub fn simulated(options: &memlens_simulator::Options) -> (Files, Truth) {
        let mut memory = Memory(Vec::new());
        let truth = simulate(options, &mut memory).unwrap();
        (Files(memory.0.into_iter().map(|(path, bytes)| (format!("run/{path}"), bytes)).collect()), truth)
    }

    pub fn run(&self) -> Run {
        let entries: Vec<FileEntry> =
            self.0.iter().map(|(path, bytes)| FileEntry::new(path.clone(), bytes.len() as u64)).collect();
        folder::find(&entries).finish(|wanted| self.0[wanted.index].1.get(wanted.from as usize..).map(<[u8]>::to_vec))
    }

    /// Reads one rank folder in pieces of `piece` bytes.
    pub fn session(&self, folder: RankFolder, rule: MatchRule, piece: usize) -> Session {
        let mut session = Session::new(folder, Options { rule, ..Options::default() });
        for file in session.read_order() {
            if !session.wants(file) {
                continue;
            }
            let index = session.folder().files[file].index;
            if session.is_database(file) {
                let at_random = |index: usize| Box::new(self.0[index].1.clone()) as Box<dyn ReadAt>;
                let log = session.log_of(file).map(|log| at_random(session.folder().files[log].index));
                // The smallest blocks are as small as pieces can be.
                let block = BlockSize { bytes: piece, kept: 2 };
                assert!(session.read_database_in(block, file, at_random(index), log, Box::new(|_| true)));
                continue;
            }
            session.begin(file);
            for bytes in self.0[index].1.chunks(piece) {
                session.feed(bytes);
            }
        }
        session.finish();
        session
    }

    /// Every rank folder, read whole.
    pub fn sessions(&self, rule: MatchRule) -> Vec<Session> {
        self.run().rank_folders.into_iter().map(|folder| self.session(folder, rule, 4 << 20)).collect()
    }

    /// All there is to know about every rank folder, read in pieces of `piece` bytes.
    pub fn answers(&self, rule: MatchRule, piece: usize) -> Vec<(String, String)> {
        let read = |folder| {
            let session = self.session(folder, rule, piece);
            (csv_text(&session, true), serde_json::to_string_pretty(session.summary()).unwrap())
        };
        self.run().rank_folders.into_iter().map(read).collect()
    }

    /// The only rank folder.
    pub fn only(&self) -> Session {
        let mut sessions = self.sessions(MatchRule::Best);
        assert_eq!(sessions.len(), 1);
        sessions.remove(0)
    }
}

/// All rows of a session as CSV records, by column.
pub fn rows(session: &Session, extended: bool) -> Vec<std::collections::HashMap<String, String>> {
    let text = csv_text(session, extended);
    let mut records = parse_csv(&text).into_iter();
    let header = records.next().unwrap();
    records.map(|record| header.iter().cloned().zip(record).collect()).collect()
}

/// Header and rows.
pub fn csv_text(session: &Session, extended: bool) -> String {
    let mut out = memlens::export::rows::header(extended).into_bytes();
    session.write_rows(0, usize::MAX, extended, &mut out);
    String::from_utf8(out).unwrap()
}

/// A slow, obvious CSV parser, independent of the one under test.
pub fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                record.push(std::mem::take(&mut cell));
                records.push(std::mem::take(&mut record));
            }
            _ => cell.push(c),
        }
    }
    records
}

/// The header of the 15-column form.
pub const HEADER_15: &str = "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\r\n";

/// The header of the 7-column form.
pub const RECORD_HEADER_7: &str =
    "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\r\n";

/// A table as cells, to be changed; the simulator quotes none.
#[derive(Debug, Clone, Default)]
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn parse(text: &str) -> Table {
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
        Table { header: lines.next().unwrap(), rows: lines.collect() }
    }

    pub fn text(&self) -> String {
        let lines = std::iter::once(&self.header).chain(&self.rows);
        lines.map(|cells| cells.join(",") + "\r\n").collect()
    }

    pub fn drop_column(&mut self, at: usize) {
        self.header.remove(at);
        self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
    }
}

/// The two memory tables of a rank folder, to be changed; an empty one is no file.
#[derive(Debug, Clone, Default)]
pub struct Folder {
    pub rows: Table,
    pub records: Table,
}

impl Folder {
    /// Those of a simulated rank of the first role.
    pub fn simulated(options: &memlens_simulator::Options, rank: usize) -> Folder {
        let (files, _) = Files::simulated(options);
        let folder = &files.run().rank_folders[rank];
        let table = |name: &str| {
            let file = folder.files.iter().find(|file| file.name == name).unwrap();
            Table::parse(std::str::from_utf8(&files.0[file.index].1).unwrap())
        };
        Folder { rows: table("operator_memory.csv"), records: table("memory_record.csv") }
    }

    pub fn session(&self) -> Session {
        let tables = [("operator_memory.csv", &self.rows), ("memory_record.csv", &self.records)];
        let texts = tables.map(|(name, table)| (name, table.text()));
        let files: Vec<(&str, &str)> =
            texts.iter().filter(|(_, text)| text.len() > 2).map(|(name, text)| (*name, text.as_str())).collect();
        Files::rank(&files).only()
    }
}
