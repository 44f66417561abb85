//! Finds rank folders among the paths a person gave: each with its role, rank, step, files and problems.
//!
//! Pure: paths and a few small metadata files come in, no big file is touched. Only the given folder's own name and what is
//! below it counts (a browser sees no more), so no path of the machine can get out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::archive::list::Interest;
use crate::archive::name::is_archive;
use crate::archive::{Part, Step};
use crate::neighbour::{Neighbour, NeighbourKind, Neighbours};
use crate::problem::{Place, Problem, ProblemKind, Problems};

mod candidate;
mod identity;
mod names;
mod recognise;
mod schema;

use candidate::{Candidate, Source};
use names::{
    CANN_OUTPUT, Form, JOURNAL_ENDING, LOG_ENDING, Named, OUTPUT, is_named_like, is_rank_name, is_raw_cann_name,
    is_raw_name, named, split_path,
};
use recognise::{HEAD_BYTES, MAX_HEADS, Recognised};

/// One path a person gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// From the given folder's own name on, with `/`; a directory ends in `/`.
    pub path: String,
    /// Bytes; of a member of an archive, when unpacked.
    pub size: u64,
    /// Where it lies in its archive; `None` for a file of its own.
    #[serde(default)]
    pub part: Option<Part>,
}

impl FileEntry {
    /// A file of its own.
    pub fn new(path: String, size: u64) -> FileEntry {
        FileEntry { path, size, part: None }
    }
}

/// The files a rank folder may hold that are read, in the order of reading: rows stream against nothing, a trace's events stream
/// against the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// memory_record.csv: the pools' totals over time.
    MemoryRecord,
    /// operator_memory.csv: the blocks.
    OperatorMemory,
    /// npu_module_mem.csv: what each of the driver's components reserved over time.
    ModuleMemory,
    /// static_op_mem.csv: the memory plan of static graphs.
    StaticMemory,
    /// A database of the profiler: all of the above and the operators.
    Database,
    /// trace_view.json: operators and call stacks.
    Trace,
    /// The write-ahead log beside a database: read with it, never alone.
    DatabaseLog,
}

impl FileKind {
    /// Every kind, in the order of reading.
    pub const ALL: [FileKind; 7] = [
        FileKind::MemoryRecord,
        FileKind::OperatorMemory,
        FileKind::ModuleMemory,
        FileKind::StaticMemory,
        FileKind::Database,
        FileKind::Trace,
        FileKind::DatabaseLog,
    ];

    /// The file's usual name.
    pub fn file_name(self) -> &'static str {
        match self {
            FileKind::MemoryRecord => "memory_record.csv",
            FileKind::OperatorMemory => "operator_memory.csv",
            FileKind::ModuleMemory => "npu_module_mem.csv",
            FileKind::StaticMemory => "static_op_mem.csv",
            FileKind::Database => "ascend_pytorch_profiler.db",
            FileKind::Trace => "trace_view.json",
            FileKind::DatabaseLog => "ascend_pytorch_profiler.db-wal",
        }
    }
}

/// One file to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankFile {
    /// Index into the entries given to [`find`].
    pub index: usize,
    /// What it is.
    pub kind: FileKind,
    /// Its own name.
    pub name: String,
    /// Bytes; of a member of an archive, when unpacked.
    pub size: u64,
    /// Where it lies in its archive; `None` for a file of its own.
    #[serde(default)]
    pub part: Option<Part>,
}

impl RankFile {
    /// Bytes to feed, at most: of the archive, if it lies in one.
    pub fn bytes_to_feed(&self) -> u64 {
        self.part.as_ref().map_or(self.size, Part::bytes)
    }
}

/// Where a role comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleSource {
    /// Key `role` of profiler_metadata.json.
    Metadata,
    /// The folder above the rank folder.
    Parent,
    /// Nothing says it.
    Unknown,
}

/// One recording of one rank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankFolder {
    /// Cut path.
    pub folder: String,
    /// Role; `unknown` if nothing says it.
    pub role: String,
    /// Where the role comes from.
    pub role_source: RoleSource,
    /// Rank, if known.
    pub rank: Option<u64>,
    /// Step, if the path or the order of several recordings tells one.
    pub step: Option<u64>,
    /// When recording ended, ns since the epoch, if profiler_info says it.
    #[serde(default)]
    pub ended_ns: Option<u64>,
    /// Files to read; of a kind cut into slices every one, in their order.
    pub files: Vec<RankFile>,
    /// Whether its text files seem complete, so that its database is read only if they turn out to hold too little.
    #[serde(default)]
    pub is_text_first: bool,
    /// Whether the folder's name says that MindSpore recorded it.
    pub is_mindspore: bool,
    /// `with_stack` of profiler_info, if said.
    pub with_stack: Option<bool>,
    /// `profile_memory` of profiler_info, if said.
    pub profile_memory: Option<bool>,
    /// Files beside these that are not read, by what they are.
    pub neighbours: Vec<Neighbour>,
    /// What was wrong with the folder.
    pub problems: Vec<Problem>,
}

impl RankFolder {
    /// Whether it holds memory data of any kind.
    pub fn has_memory(&self) -> bool {
        self.files.iter().any(|f| !matches!(f.kind, FileKind::Trace | FileKind::DatabaseLog))
    }

    /// Bytes of its files, each once: which of them are read, and whether one is read again, turns out on the way.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(RankFile::bytes_to_feed).sum()
    }
}

/// All that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// By role, rank (unknown last) and path.
    pub rank_folders: Vec<RankFolder>,
    /// Recognised files that lie in no rank folder.
    pub neighbours: Vec<Neighbour>,
    /// Problems of no single rank folder.
    pub problems: Vec<Problem>,
}

/// A file whose first bytes [`Search::finish`] asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Index into the entries given to [`find`].
    pub index: usize,
    /// The first byte.
    pub from: u64,
    /// How many bytes from there are of use; more do no harm.
    pub bytes: u64,
}

/// A search that waits for the small files.
#[derive(Debug)]
pub struct Search {
    by_folder: BTreeMap<String, Candidate>,
    wanted: Vec<Wanted>,
    /// Files that only their first bytes tell: index and entry.
    unknown: Vec<(usize, FileEntry)>,
    /// The same, under endings that say nothing.
    odd: Vec<(usize, FileEntry)>,
    /// Logs beside files that may be databases: the path of these, index and entry.
    logs: HashMap<String, (usize, FileEntry)>,
    neighbours: Neighbours,
    problems: Problems,
    seen: usize,
}

/// Role and more of a recording.
const METADATA: &str = "profiler_metadata.json";
/// Largest metadata file that is looked into.
const SMALL_BYTES: u64 = 1 << 20;
/// Most rank folders: a job of a hundred thousand devices has fewer, a disk's whole content has more.
const MAX_RANK_FOLDERS: usize = 1 << 16;

/// Most bytes of a member of an archive that are unpacked to tell what it is.
const MOST_UNPACKED: u64 = 16 << 20;

/// Whether the first bytes are to be had without unpacking what lies before them.
fn begins_at_once(part: Option<&Part>) -> bool {
    part.is_none_or(|part| matches!(part.unpack.first(), Some(Step::ZipMember { .. } | Step::Cut { .. })))
}

/// The parts of a directory's path from the whole path up.
fn upwards(dir: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(dir), |dir| dir.rsplit_once('/').map(|(above, _)| above))
}

/// The innermost rank folder by name that a directory is or lies in.
fn rank_folder_above(dir: &str) -> Option<&str> {
    upwards(dir).find(|dir| is_rank_name(split_path(dir).1))
}

/// The folder a readable file makes a rank folder, by where it lies; none where a rank folder's name says it already.
fn home(dir: &str, kind: FileKind) -> Option<&str> {
    let (above, own) = split_path(dir);
    if kind == FileKind::DatabaseLog {
        return None;
    }
    if own == OUTPUT {
        // The analysed folder itself may have been given: then it stands for its rank folder.
        return Some(if above.is_empty() { dir } else { above });
    }
    let is_inside = rank_folder_above(dir).is_some();
    if own == CANN_OUTPUT {
        let is_raw = is_raw_cann_name(split_path(above).1);
        return (!is_inside).then_some(if is_raw { above } else { dir });
    }
    (kind == FileKind::OperatorMemory || !is_inside).then_some(dir)
}

/// What a member of an archive is wanted for: small files that say which rank, role or step a folder is are asked for by
/// [`Search::finish`], tables and traces are read by a session, and what a rank folder's name stands for may hold some.
pub fn interest(path: &str, size: u64) -> Interest {
    let (_, name) = split_path(path);
    if size <= SMALL_BYTES && (is_profiler_info(name) || name == METADATA) {
        Interest::Bytes
    } else if named(name).is_some() || is_rank_name(name) || name == OUTPUT || name == CANN_OUTPUT {
        Interest::Reading
    } else {
        Interest::Nothing
    }
}

/// Whether a file may be read, whatever it turns out to be: under its usual name, or by what it holds.
pub fn may_be_read(path: &str) -> bool {
    /// What people put behind a name to keep a file, and what other programs call databases and lists of events.
    const ENDINGS: [&str; 11] =
        ["bak", "old", "orig", "copy", "txt", "sqlite", "sqlite3", "db3", "jsonl", "sqlite-wal", "db3-wal"];
    let (_, name) = split_path(path);
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    interest(path, 0) != Interest::Nothing
        || recognise::may_tell(name)
        || is_named_like(name)
        || name.ends_with(LOG_ENDING)
        || ENDINGS.iter().any(|known| end.eq_ignore_ascii_case(known))
}

fn is_profiler_info(name: &str) -> bool {
    name.starts_with("profiler_info") && name.ends_with(".json")
}

/// Sorts paths into rank folders; the small files that name rank and role are still to be given.
pub fn find(files: &[FileEntry]) -> Search {
    let mut folders: BTreeSet<&str> = BTreeSet::new();
    for entry in files {
        let (dir, name) = split_path(&entry.path);
        folders.extend(upwards(dir).filter(|dir| is_rank_name(split_path(dir).1)));
        folders.extend(named(name).and_then(|named| home(dir, named.kind)));
    }
    let mut search = Search {
        by_folder: BTreeMap::new(),
        wanted: Vec::new(),
        unknown: Vec::new(),
        odd: Vec::new(),
        logs: HashMap::new(),
        neighbours: Neighbours::default(),
        problems: Problems::default(),
        seen: files.len(),
    };
    let too_many = folders.len().saturating_sub(MAX_RANK_FOLDERS) as u64;
    if let Some(first) = folders.iter().nth(MAX_RANK_FOLDERS) {
        search.problems.add_many(first, Place::Whole, ProblemKind::OverLimit, "rank folders", too_many);
    }
    for folder in folders.into_iter().take(MAX_RANK_FOLDERS) {
        search.by_folder.insert(folder.to_owned(), Candidate::new(folder.to_owned()));
    }
    for (index, entry) in files.iter().enumerate() {
        search.sort_in(index, entry);
    }
    let small = search.by_folder.values().flat_map(|c| c.infos.iter().map(|(index, _)| *index).chain(c.metadata));
    let small = small.filter(|index| files.get(*index).is_some_and(|f| f.size <= SMALL_BYTES));
    let small = small.map(|index| Wanted { index, from: 0, bytes: SMALL_BYTES });
    let heads = search.unknown.iter().chain(&search.odd).map(|(index, _)| *index);
    let rivals = search.by_folder.values().flat_map(Candidate::rivals).take(MAX_HEADS);
    let heads = heads.chain(rivals).map(|index| Wanted { index, from: 0, bytes: HEAD_BYTES });
    search.wanted = small.chain(heads).collect();
    search
}

impl Search {
    fn sort_in(&mut self, index: usize, entry: &FileEntry) {
        let (dir, name) = split_path(&entry.path);
        let mut ends = dir.match_indices('/').map(|(at, _)| at).chain([dir.len()]);
        let raw = ends.find_map(|end| {
            let (folder, part) = split_path(dir.get(..end).unwrap_or(dir));
            (is_raw_name(part) && self.by_folder.contains_key(folder)).then_some((folder, part))
        });
        if let Some((folder, part)) = raw
            && let Some(candidate) = self.by_folder.get_mut(folder)
        {
            candidate.has_raw = true;
            candidate.has_raw_torch |= !is_raw_cann_name(part);
        }
        let place = place(&self.by_folder, dir);
        if let Some((folder, source)) = place
            && let Some(candidate) = self.by_folder.get_mut(folder)
        {
            if source == Source::Beside && is_profiler_info(name) {
                return candidate.infos.push((index, name.to_owned()));
            } else if source == Source::Beside && name == METADATA {
                return candidate.metadata = Some(index);
            } else if let Some(database) = name.strip_suffix(JOURNAL_ENDING).filter(|_| entry.size > 0) {
                return candidate.journals.push(database.to_owned());
            } else if let Some(named) = named(name) {
                return candidate.take(index, entry, named, source);
            }
        }
        if let Some(database) = entry.path.strip_suffix(LOG_ENDING).filter(|_| entry.size > 0 && entry.part.is_none()) {
            if self.logs.len() < MAX_HEADS {
                self.logs.insert(database.to_owned(), (index, entry.clone()));
            }
            return;
        }
        let own = split_path(dir).1;
        if let Some(kind) = recognise::by_name(own, name) {
            self.add_neighbour(&entry.path, kind);
        } else if recognise::may_tell(name)
            && entry.size > 0
            && begins_at_once(entry.part.as_ref())
            && (raw.is_none() || own == CANN_OUTPUT)
            && self.unknown.len() < MAX_HEADS
        {
            self.unknown.push((index, entry.clone()));
        } else if !recognise::may_tell(name) && !is_archive(name) && entry.size > 0 && raw.is_none() {
            let is_near = place.is_some() || is_named_like(name) || self.seen <= MAX_HEADS;
            if begins_at_once(entry.part.as_ref()) && is_near && self.odd.len() < MAX_HEADS {
                self.odd.push((index, entry.clone()));
            } else if is_named_like(name) {
                self.add_neighbour(&entry.path, NeighbourKind::OtherEnding);
            }
        }
    }

    /// Counts a file that is not read, for the rank folder it lies in.
    fn add_neighbour(&mut self, path: &str, kind: NeighbourKind) {
        let dir = split_path(path).0;
        let owner = upwards(dir).find(|dir| self.by_folder.contains_key(*dir));
        match owner.and_then(|folder| self.by_folder.get_mut(folder)) {
            Some(candidate) => candidate.add_neighbour(path, kind),
            None => self.neighbours.add(path, kind),
        }
    }

    /// Sorts in what only its first bytes tell.
    fn take_unknown(&mut self, index: usize, entry: &FileEntry, head: &[u8], is_alone: bool) {
        let (dir, name) = split_path(&entry.path);
        let is_odd = !recognise::may_tell(name);
        let kind = match recognise::by_content(name, head) {
            Some(Recognised::Neighbour(_)) | None if is_odd => {
                if is_named_like(name) {
                    self.add_neighbour(&entry.path, NeighbourKind::OtherEnding);
                }
                return;
            }
            None => return,
            Some(Recognised::Neighbour(kind)) => return self.add_neighbour(&entry.path, kind),
            Some(Recognised::Readable(kind)) => kind,
        };
        let mut place = place(&self.by_folder, dir);
        // A trace alone makes a rank folder only where there is nothing else: any tool may have written it. So does a file whose
        // name does not tell: a link may lead to it.
        if place.is_none()
            && (kind == FileKind::Database || kind != FileKind::Trace && !is_odd || is_alone)
            && let Some(folder) = home(dir, kind)
        {
            self.by_folder.entry(folder.to_owned()).or_insert_with(|| Candidate::new(folder.to_owned()));
            place = Some((folder, Source::Beside));
        }
        match place.and_then(|(folder, source)| Some((self.by_folder.get_mut(folder)?, source))) {
            Some((candidate, source)) => {
                candidate.take(index, entry, Named { kind, form: Form::Other }, source);
                if let Some((index, log)) = self.logs.remove(&entry.path).filter(|_| kind == FileKind::Database) {
                    let kind = FileKind::DatabaseLog;
                    candidate.take(index, &log, Named { kind, form: Form::Other }, source);
                }
            }
            None if kind == FileKind::Trace => self.add_neighbour(&entry.path, NeighbourKind::OtherTrace),
            None => self.add_neighbour(&entry.path, NeighbourKind::SecondCopy),
        }
    }
}

/// Which rank folder reads the files of a directory, and as what.
fn place<'a>(by_folder: &BTreeMap<String, Candidate>, dir: &'a str) -> Option<(&'a str, Source)> {
    let (above, own) = split_path(dir);
    if own == OUTPUT && !above.is_empty() && by_folder.contains_key(above) {
        return Some((above, Source::Analysed));
    }
    if by_folder.contains_key(dir) {
        return Some((dir, Source::Beside));
    }
    let is_cann = own == CANN_OUTPUT || is_raw_cann_name(own);
    let owner = || upwards(dir).find(|dir| by_folder.contains_key(*dir) && !dir.is_empty());
    if is_cann { Some((owner()?, Source::Cann)) } else { None }
}

impl Search {
    /// The files whose first bytes [`Search::finish`] asks for.
    pub fn wanted(&self) -> &[Wanted] {
        &self.wanted
    }

    /// What it asks for besides, once the first bytes of a file are known: where a database names its tables.
    pub fn further(&self, head: &[u8], index: usize) -> Vec<Wanted> {
        let mut looked_into = self.unknown.iter().chain(&self.odd);
        let Some((_, entry)) = looked_into.find(|(known, _)| *known == index) else { return Vec::new() };
        // A member of an archive is unpacked up to that place.
        let most = if entry.part.is_some() { MOST_UNPACKED } else { u64::MAX };
        let head = head.get(..HEAD_BYTES as usize).unwrap_or(head);
        let pages = schema::pages(head).into_iter().filter(|(from, bytes)| from.saturating_add(*bytes) <= most);
        pages.map(|(from, bytes)| Wanted { index, from, bytes }).collect()
    }

    /// Reads the small files and gives the rank folders. `bytes_of` gives `None` for a file that cannot be read.
    pub fn finish(mut self, mut bytes_of: impl FnMut(Wanted) -> Option<Vec<u8>>) -> Run {
        let mut bytes: HashMap<usize, Option<Vec<u8>>> =
            self.wanted.iter().map(|wanted| (wanted.index, bytes_of(*wanted))).collect();
        for (index, head) in bytes.iter_mut().filter_map(|(index, head)| Some((*index, head.as_mut()?))) {
            let further = self.further(head, index);
            if !further.is_empty() {
                head.truncate(HEAD_BYTES as usize);
            }
            for wanted in further {
                head.extend(bytes_of(wanted).unwrap_or_default().into_iter().take(wanted.bytes as usize));
            }
        }
        let is_alone = self.by_folder.is_empty();
        for (index, entry) in std::mem::take(&mut self.unknown).into_iter().chain(std::mem::take(&mut self.odd)) {
            if let Some(Some(head)) = bytes.get(&index) {
                self.take_unknown(index, &entry, head, is_alone);
            }
        }
        let mut run = Run::default();
        if self.by_folder.is_empty() {
            run.problems.push(Problem {
                file: String::new(),
                place: Place::Whole,
                kind: ProblemKind::NothingFound,
                count: 1,
                detail: self.seen.to_string(),
            });
        }
        for candidate in self.by_folder.into_values() {
            run.rank_folders.extend(candidate.split(&bytes).into_iter().map(|candidate| candidate.describe(&bytes)));
        }
        run.neighbours = self.neighbours.into_list();
        run.problems.extend(self.problems.list().iter().cloned());
        run.arrange();
        run
    }
}

impl Run {
    /// Tells steps and the order from roles, ranks and paths; to be called again where a role was changed.
    pub fn arrange(&mut self) {
        for folder in &mut self.rank_folders {
            folder.step = identity::path_step(&folder.folder, folder.role_source);
        }
        identity::number_steps(&mut self.rank_folders);
        self.rank_folders.sort_by(|a, b| identity::order(a).cmp(&identity::order(b)));
    }
}

#[cfg(test)]
mod tests;
