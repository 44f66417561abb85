//! Reads the selected rank folders, all cores at once, each through a session of its own.

use std::io::Read;
use std::path::PathBuf;

use indicatif::ProgressBar;
use memlens::folder::{RankFile, RankFolder};
use memlens::neighbour::Neighbour;
use memlens::problem::Problem;
use memlens::read::read_at::ReadAt;
use memlens::session::{Options, Session};
use rayon::prelude::*;

use crate::archives;
use crate::args::Selection;
use crate::file::Opened;
use crate::walk::{self, Found};
use crate::{Outcome, progress};

/// Bytes asked of a file at once.
const CHUNK_BYTES: usize = 256 << 10;

/// Everything read.
pub struct Ranks {
    /// By role, rank and path.
    pub sessions: Vec<Session>,
    /// Problems of no single rank folder.
    pub problems: Vec<Problem>,
    /// Recognised files beside all rank folders.
    pub neighbours: Vec<Neighbour>,
    /// What was there before the selection by role and rank, for a helpful message.
    pub found: Vec<(String, Option<u64>)>,
}

impl Ranks {
    /// Whether all that was there could be read.
    pub fn outcome(&self) -> Outcome {
        let readable = |session: &Session| {
            let summary = session.summary();
            session.row_count() > 0
                || summary.records.values().any(|count| *count > 0)
                || !summary.module_memory.is_empty()
                || !summary.static_memory.is_empty()
                // A trace alone was read, though it holds no memory.
                || session.counters().events > 0
        };
        let lost = |problems: &[Problem]| problems.iter().any(|p| p.kind.loses_data());
        if !self.sessions.iter().any(readable) {
            Outcome::NothingReadable
        } else if lost(&self.problems) || self.sessions.iter().any(|s| lost(&s.summary().problems)) {
            Outcome::SomethingLost
        } else {
            Outcome::AllRead
        }
    }
}

/// Finds and reads.
pub fn read(selection: &Selection, options: Options, canonical_role: bool) -> Ranks {
    let has_role = |f: &RankFolder| selection.role.is_empty() || selection.role.contains(&f.role);
    let has_rank = |f: &RankFolder| selection.rank.is_empty() || f.rank.is_some_and(|r| selection.rank.contains(&r));
    read_found(walk::search(&selection.folders, canonical_role), options, |f| has_role(f) && has_rank(f))
}

/// The same of rank folders of which something is true.
pub fn read_where(folders: &[PathBuf], options: Options, is_wanted: impl Fn(&RankFolder) -> bool) -> Ranks {
    read_found(walk::search(folders, false), options, is_wanted)
}

fn read_found(found: Found, options: Options, is_wanted: impl Fn(&RankFolder) -> bool) -> Ranks {
    let Found { run, paths } = found;
    let found = run.rank_folders.iter().map(|f| (f.role.clone(), f.rank)).collect();
    let selected: Vec<RankFolder> = run.rank_folders.into_iter().filter(is_wanted).collect();
    let bar = progress::bar(selected.iter().map(RankFolder::bytes).sum());
    let sessions = selected.into_par_iter().map(|folder| read_rank(folder, options, &paths, &bar)).collect();
    bar.finish_and_clear();
    Ranks { sessions, problems: run.problems, neighbours: run.neighbours, found }
}

fn read_rank(folder: RankFolder, options: Options, paths: &[PathBuf], bar: &ProgressBar) -> Session {
    let mut session = Session::new(folder, options).with_legacy(archives::gbk);
    let mut buffer = vec![0; CHUNK_BYTES];
    let mut counted: Vec<usize> = Vec::new();
    for file in session.read_order() {
        let is_wanted = session.wants(file);
        // A file that is read twice counts once.
        let known = session.folder().files.get(file);
        let bytes = known.filter(|_| !counted.contains(&file)).map_or(0, RankFile::bytes_to_feed);
        counted.push(file);
        let mut share = Share { bar: bar.clone(), bytes, told: 0 };
        if !is_wanted {
            continue;
        }
        if session.is_database(file) {
            read_database(file, &mut session, paths, share);
            continue;
        }
        let known = session.folder().files.get(file).cloned();
        let path = known.as_ref().and_then(|f| paths.get(f.index));
        session.begin(file);
        let part = known.as_ref().and_then(|f| f.part.as_ref());
        match path
            .ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotFound))
            .and_then(|path| walk::open(path, part))
        {
            Ok(mut opened) => read_file(&mut opened, &mut session, &mut buffer, &mut share),
            Err(error) => session.abandon(&error.to_string()),
        }
    }
    session.finish();
    session
}

/// A file's share of the bar: no more than its bytes, and all of them once it is done with.
struct Share {
    bar: ProgressBar,
    bytes: u64,
    told: u64,
}

impl Share {
    /// So many bytes of the file were read, in all.
    fn at(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes).max(self.told);
        self.bar.inc(bytes - self.told);
        self.told = bytes;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.at(self.bytes);
    }
}

fn read_database(file: usize, session: &mut Session, paths: &[PathBuf], mut share: Share) {
    let log = session.log_of(file);
    let mut open = |file: usize| -> Option<Box<dyn ReadAt>> {
        let path = session.folder().files.get(file).and_then(|f| paths.get(f.index)).cloned();
        match path.ok_or_else(|| std::io::Error::from(std::io::ErrorKind::NotFound)).and_then(|p| Opened::open(&p)) {
            Ok(opened) => Some(Box::new(opened)),
            Err(error) => {
                session.note_unreadable(file, &error.to_string());
                None
            }
        }
    };
    let Some(opened) = open(file) else { return };
    let log = log.and_then(open);
    let progress = move |bytes: u64| {
        share.at(bytes);
        true
    };
    session.read_database(file, opened, log, Box::new(progress));
}

fn read_file(file: &mut impl Read, session: &mut Session, buffer: &mut [u8], share: &mut Share) {
    loop {
        if !session.wants_more() {
            return session.end();
        }
        match file.read(buffer) {
            Ok(0) => return session.end(),
            Ok(count) => {
                session.feed(buffer.get(..count).unwrap_or_default());
                share.at(share.told + count as u64);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return session.abandon(&error.to_string()),
        }
    }
}
