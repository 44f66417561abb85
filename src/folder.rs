//! Finds rank folders among the paths a person gave: each with its role, rank, step, files and problems.
//!
//! Pure: paths and a few small metadata files come in, no big file is touched. Only the given folder's own name and what is
//! below it counts (a browser sees no more), so no path of the machine can get out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::problem::{Place, Problem, ProblemKind, Problems};

mod identity;

/// Where the analysed files lie below a rank folder.
const OUTPUT: &str = "ASCEND_PROFILER_OUTPUT";
/// Endings of rank folders' names: PyTorch and MindSpore.
const RANK_ENDINGS: [&str; 2] = ["ascend_pt", "ascend_ms"];
/// Raw data of a recording that was not analysed.
const RAW_FOLDERS: [&str; 2] = ["FRAMEWORK", "PROF_"];

/// One path a person gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// From the given folder's own name on, with `/`; a directory ends in `/`.
    pub path: String,
    /// Bytes.
    pub size: u64,
}

/// The files a rank folder may hold that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// memory_record.csv: the pools' totals over time.
    MemoryRecord,
    /// operator_memory.csv: the blocks.
    OperatorMemory,
    /// trace_view.json: operators and call stacks.
    Trace,
}

impl FileKind {
    const ALL: [FileKind; 3] = [FileKind::MemoryRecord, FileKind::OperatorMemory, FileKind::Trace];

    /// The file's name.
    pub fn file_name(self) -> &'static str {
        match self {
            FileKind::MemoryRecord => "memory_record.csv",
            FileKind::OperatorMemory => "operator_memory.csv",
            FileKind::Trace => "trace_view.json",
        }
    }

    /// By name; `.gz` behind it says that the file is packed.
    fn of(name: &str) -> Option<FileKind> {
        let name = name.strip_suffix(".gz").unwrap_or(name);
        FileKind::ALL.into_iter().find(|kind| kind.file_name() == name)
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
    /// Bytes.
    pub size: u64,
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
    /// Files to read.
    pub files: Vec<RankFile>,
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

    /// Bytes of the files to read.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|f| f.size).sum()
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

/// A search that waits for the small files.
#[derive(Debug)]
pub struct Search {
    candidates: Vec<Candidate>,
    small: Vec<usize>,
    seen: usize,
}

#[derive(Debug, Default)]
struct Candidate {
    folder: String,
    files: Vec<RankFile>,
    /// Index and name of profiler_info files.
    infos: Vec<(usize, String)>,
    metadata: Option<usize>,
    has_raw: bool,
    databases: Vec<String>,
}

/// Largest metadata file that is looked into.
const SMALL_BYTES: u64 = 1 << 20;

fn split_path(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn is_rank_name(name: &str) -> bool {
    RANK_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Sorts paths into rank folders; the small files that name rank and role are still to be given.
pub fn find(files: &[FileEntry]) -> Search {
    let mut folders: BTreeSet<String> = BTreeSet::new();
    for entry in files {
        let (dir, name) = split_path(&entry.path);
        let mut end = 0;
        for part in dir.split('/') {
            end += part.len();
            if is_rank_name(part) {
                folders.insert(dir.get(..end).unwrap_or(dir).to_owned());
            }
            end += 1;
        }
        let (above, own) = split_path(dir);
        match FileKind::of(name) {
            // The analysed folder itself may have been given: then it stands for its rank folder.
            Some(_) if own == OUTPUT => {
                folders.insert(if above.is_empty() { dir } else { above }.to_owned());
            }
            Some(FileKind::OperatorMemory) => {
                folders.insert(dir.to_owned());
            }
            // Loose files, given without any folder.
            Some(_) if dir.is_empty() => {
                folders.insert(String::new());
            }
            _ => {}
        }
    }
    let mut by_folder: BTreeMap<String, Candidate> =
        folders.into_iter().map(|folder| (folder.clone(), Candidate { folder, ..Candidate::default() })).collect();
    for (index, entry) in files.iter().enumerate() {
        sort_in(&mut by_folder, index, entry);
    }
    let candidates: Vec<Candidate> = by_folder.into_values().collect();
    let small = candidates
        .iter()
        .flat_map(|c| c.infos.iter().map(|(index, _)| *index).chain(c.metadata))
        .filter(|index| files.get(*index).is_some_and(|f| f.size <= SMALL_BYTES))
        .collect();
    Search { candidates, small, seen: files.len() }
}

fn sort_in(by_folder: &mut BTreeMap<String, Candidate>, index: usize, entry: &FileEntry) {
    let (dir, name) = split_path(&entry.path);
    let (above, own) = split_path(dir);
    if own == OUTPUT
        && !above.is_empty()
        && let Some(candidate) = by_folder.get_mut(above)
    {
        candidate.take_output(index, name, entry.size, true);
        return;
    }
    if let Some(candidate) = by_folder.get_mut(dir) {
        if name.starts_with("profiler_info") && name.ends_with(".json") {
            candidate.infos.push((index, name.to_owned()));
        } else if name == "profiler_metadata.json" {
            candidate.metadata = Some(index);
        } else {
            candidate.take_output(index, name, entry.size, own == OUTPUT);
        }
    }
    for part_end in dir.match_indices('/').map(|(at, _)| at).chain([dir.len()]) {
        let (folder, part) = split_path(dir.get(..part_end).unwrap_or(dir));
        if RAW_FOLDERS.iter().any(|raw| part.starts_with(raw))
            && let Some(candidate) = by_folder.get_mut(folder)
        {
            candidate.has_raw = true;
        }
    }
}

impl Candidate {
    /// `analysed`: found where the analysis writes it. Such a file counts before a copy beside that folder.
    fn take_output(&mut self, index: usize, name: &str, size: u64, analysed: bool) {
        if name.ends_with(".db") {
            self.databases.push(name.to_owned());
        }
        let Some(kind) = FileKind::of(name) else { return };
        let file = RankFile { index, kind, name: name.to_owned(), size };
        match self.files.iter_mut().find(|known| known.kind == kind) {
            None => self.files.push(file),
            Some(known) if analysed => *known = file,
            Some(_) => {}
        }
    }
}

impl Search {
    /// Indices of the small files whose bytes [`Search::finish`] asks for.
    pub fn small_files(&self) -> &[usize] {
        &self.small
    }

    /// Reads the small files and gives the rank folders. `bytes_of` gives `None` for a file that cannot be read.
    pub fn finish(self, mut bytes_of: impl FnMut(usize) -> Option<Vec<u8>>) -> Run {
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
        let mut bytes: HashMap<usize, Option<Vec<u8>>> = HashMap::new();
        for index in self.small {
            bytes.insert(index, bytes_of(index));
        }
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

impl Candidate {
    fn describe(mut self, bytes: &HashMap<usize, Option<Vec<u8>>>) -> RankFolder {
        let mut problems = Problems::default();
        self.files.sort_by_key(|f| f.kind);
        self.infos.sort_by(|a, b| a.1.len().cmp(&b.1.len()).then_with(|| a.1.cmp(&b.1)));
        let metadata = self.metadata.map(|index| identity::Small::new("profiler_metadata.json", bytes.get(&index)));
        let infos: Vec<identity::Small> =
            self.infos.iter().map(|(index, name)| identity::Small::new(name, bytes.get(index))).collect();
        let (rank, recorded) = identity::rank(&infos, &mut problems);
        let (role, role_source) = identity::role(&self.folder, metadata.as_ref(), &mut problems);
        let folder = if self.folder.is_empty() { ".".to_owned() } else { self.folder.clone() };
        let mut found = RankFolder {
            folder,
            role,
            role_source,
            rank,
            step: None,
            files: std::mem::take(&mut self.files),
            with_stack: recorded.with_stack,
            profile_memory: recorded.profile_memory,
            problems: Vec::new(),
        };
        self.note_missing(&found, &mut problems);
        found.problems = problems.list().to_vec();
        found
    }

    /// Says what was looked for and not found.
    fn note_missing(&self, found: &RankFolder, problems: &mut Problems) {
        let has = |kind: FileKind| found.files.iter().any(|f| f.kind == kind);
        let folder = found.folder.as_str();
        let mut note = |kind, detail: &str| problems.add(folder, Place::Whole, kind, detail);
        if !found.has_memory() {
            if !self.databases.is_empty() {
                note(ProblemKind::Unsupported, &self.databases.join(", "));
            } else if self.has_raw && found.files.is_empty() {
                note(ProblemKind::NotAnalysed, "");
            } else {
                let detail = if found.profile_memory == Some(false) { "profile_memory=False" } else { "" };
                note(ProblemKind::NoMemoryFile, detail);
            }
            return;
        }
        if !has(FileKind::OperatorMemory) {
            note(ProblemKind::NoOperatorMemory, "");
        }
        if !has(FileKind::MemoryRecord) {
            note(ProblemKind::NoMemoryRecord, "");
        }
        if !has(FileKind::Trace) {
            note(ProblemKind::NoTrace, "");
        }
    }
}

#[cfg(test)]
mod tests;
