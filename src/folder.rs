//! Finds rank folders among the paths a person gave: each with its role, rank, step, files and problems.
//!
//! Pure: paths and a few small metadata files come in, no big file is touched. Only the given folder's own name and what is
//! below it counts (a browser sees no more), so no path of the machine can get out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::archive::Part;
use crate::problem::{Place, Problem, ProblemKind};

mod candidate;
mod identity;
mod names;

use candidate::{Candidate, Source};
use names::{CANN_OUTPUT, OUTPUT, is_rank_name, is_raw_cann_name, is_raw_name, named, split_path};

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
}

impl FileKind {
    /// Every kind, in the order of reading.
    pub const ALL: [FileKind; 6] = [
        FileKind::MemoryRecord,
        FileKind::OperatorMemory,
        FileKind::ModuleMemory,
        FileKind::StaticMemory,
        FileKind::Database,
        FileKind::Trace,
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
    /// Files to read; of a kind cut into slices every one, in their order.
    pub files: Vec<RankFile>,
    /// Whether the folder's name says that MindSpore recorded it.
    pub is_mindspore: bool,
    /// `with_stack` of profiler_info, if said.
    pub with_stack: Option<bool>,
    /// `profile_memory` of profiler_info, if said.
    pub profile_memory: Option<bool>,
    /// What was wrong with the folder.
    pub problems: Vec<Problem>,
}

impl RankFolder {
    /// Whether it holds memory data: rows or totals.
    pub fn has_memory(&self) -> bool {
        self.files.iter().any(|f| matches!(f.kind, FileKind::MemoryRecord | FileKind::OperatorMemory))
    }

    /// Bytes to feed.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(RankFile::bytes_to_feed).sum()
    }
}

/// All that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// By role, rank (unknown last) and path.
    pub rank_folders: Vec<RankFolder>,
    /// Problems of no single rank folder.
    pub problems: Vec<Problem>,
}

/// A file whose first bytes [`Search::finish`] asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Index into the entries given to [`find`].
    pub index: usize,
    /// How many bytes from its start are of use; more do no harm.
    pub bytes: u64,
}

/// A search that waits for the small files.
#[derive(Debug)]
pub struct Search {
    candidates: Vec<Candidate>,
    wanted: Vec<Wanted>,
    seen: usize,
}

/// Role and more of a recording.
const METADATA: &str = "profiler_metadata.json";
/// Largest metadata file that is looked into.
const SMALL_BYTES: u64 = 1 << 20;

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

/// Whether a file of this path and size says which rank, role or step a folder is: [`Search::finish`] may ask for it.
pub fn is_identity(path: &str, size: u64) -> bool {
    let (_, name) = split_path(path);
    size <= SMALL_BYTES && (is_profiler_info(name) || name == METADATA)
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
    let mut by_folder: BTreeMap<String, Candidate> =
        folders.into_iter().map(|folder| (folder.to_owned(), Candidate::new(folder.to_owned()))).collect();
    for (index, entry) in files.iter().enumerate() {
        sort_in(&mut by_folder, index, entry);
    }
    let candidates: Vec<Candidate> = by_folder.into_values().collect();
    let wanted = candidates
        .iter()
        .flat_map(|c| c.infos.iter().map(|(index, _)| *index).chain(c.metadata))
        .filter(|index| files.get(*index).is_some_and(|f| f.size <= SMALL_BYTES))
        .map(|index| Wanted { index, bytes: SMALL_BYTES })
        .collect();
    Search { candidates, wanted, seen: files.len() }
}

fn sort_in(by_folder: &mut BTreeMap<String, Candidate>, index: usize, entry: &FileEntry) {
    let (dir, name) = split_path(&entry.path);
    let mut ends = dir.match_indices('/').map(|(at, _)| at).chain([dir.len()]);
    let raw = ends.find_map(|end| {
        let (folder, part) = split_path(dir.get(..end).unwrap_or(dir));
        (is_raw_name(part) && by_folder.contains_key(folder)).then_some(folder)
    });
    if let Some(candidate) = raw.and_then(|folder| by_folder.get_mut(folder)) {
        candidate.has_raw = true;
    }
    let Some((folder, source)) = place(by_folder, dir) else { return };
    let Some(candidate) = by_folder.get_mut(folder) else { return };
    if source == Source::Beside && is_profiler_info(name) {
        candidate.infos.push((index, name.to_owned()));
    } else if source == Source::Beside && name == METADATA {
        candidate.metadata = Some(index);
    } else if let Some(named) = named(name) {
        candidate.take(index, entry, named, source);
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

    /// Reads the small files and gives the rank folders. `bytes_of` gives `None` for a file that cannot be read.
    pub fn finish(self, mut bytes_of: impl FnMut(Wanted) -> Option<Vec<u8>>) -> Run {
        let mut run = Run::default();
        if self.candidates.is_empty() {
            run.problems.push(Problem {
                file: String::new(),
                place: Place::Whole,
                kind: ProblemKind::NothingFound,
                count: 1,
                detail: self.seen.to_string(),
            });
        }
        let bytes: HashMap<usize, Option<Vec<u8>>> =
            self.wanted.iter().map(|wanted| (wanted.index, bytes_of(*wanted))).collect();
        for candidate in self.candidates {
            run.rank_folders.push(candidate.describe(&bytes));
        }
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
