//! The files of one rank folder: gathered, and of several that hold the same the best chosen.

use std::collections::HashMap;

use super::identity::{self, Small};
use super::names::{Form, MINDSPORE_ENDING, Named, split_path};
use super::{FileEntry, FileKind, METADATA, RankFile, RankFolder};
use crate::neighbour::{NeighbourKind, Neighbours};
use crate::problem::{Place, ProblemKind, Problems};

/// Where a file lies; the first counts before the others, which hold the same data or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// Where the analysis writes it.
    Analysed,
    /// In the rank folder itself.
    Beside,
    /// Where CANN's own export writes it.
    Cann,
}

/// A file that could be read.
#[derive(Debug)]
struct Choice {
    file: RankFile,
    source: Source,
    /// The directory it lies in.
    dir: String,
    /// Whether the name is another one than the usual.
    is_other: bool,
    stamp: String,
    slice: Option<u64>,
}

impl Choice {
    fn is_stamped(&self) -> bool {
        !self.stamp.is_empty() || self.slice.is_some()
    }
}

/// A rank folder in the making.
#[derive(Debug, Default)]
pub(super) struct Candidate {
    pub folder: String,
    choices: Vec<Choice>,
    /// Index and name of profiler_info files.
    pub infos: Vec<(usize, String)>,
    pub metadata: Option<usize>,
    pub has_raw: bool,
    /// Whether torch's raw data is there: CANN's own export says nothing of it.
    pub has_raw_torch: bool,
    /// Whether all that is read comes from CANN's own export.
    is_cann_alone: bool,
    neighbours: Neighbours,
}

impl Candidate {
    pub fn new(folder: String) -> Candidate {
        Candidate { folder, ..Candidate::default() }
    }

    /// Takes a file that could be read.
    pub fn take(&mut self, index: usize, entry: &FileEntry, named: Named<'_>, source: Source) {
        let (dir, name) = split_path(&entry.path);
        let (stamp, slice) = match named.form {
            Form::Stamped { stamp, slice } => (stamp.to_owned(), slice),
            Form::Usual | Form::Other => (String::new(), None),
        };
        let part = entry.part.clone();
        let file = RankFile { index, kind: named.kind, name: name.to_owned(), size: entry.size, part };
        let is_other = named.form == Form::Other;
        self.choices.push(Choice { file, source, dir: dir.to_owned(), is_other, stamp, slice });
    }

    /// Counts a file that is not read.
    pub fn add_neighbour(&mut self, path: &str, kind: NeighbourKind) {
        let below = path.strip_prefix(&self.folder).and_then(|rest| rest.strip_prefix('/'));
        self.neighbours.add(below.unwrap_or(path), kind);
    }

    /// The files to read; those that hold the same again are counted.
    fn choose(&mut self) -> Vec<RankFile> {
        let (mut taken, mut left): (Vec<RankFile>, Vec<Choice>) = (Vec::new(), Vec::new());
        let mut choices = std::mem::take(&mut self.choices);
        let is_cann_alone = choices.iter().all(|c| c.source == Source::Cann);
        choices.sort_by(|a, b| {
            let key = |c: &Choice| (c.file.kind, c.source, c.is_stamped(), c.is_other, c.file.name.len());
            key(a).cmp(&key(b)).then_with(|| a.dir.cmp(&b.dir)).then_with(|| a.file.name.cmp(&b.file.name))
        });
        for kind in FileKind::ALL {
            let (same, rest): (Vec<Choice>, Vec<Choice>) = choices.into_iter().partition(|c| c.file.kind == kind);
            choices = rest;
            let Some(first) = same.first() else { continue };
            let (source, is_stamped) = (first.source, first.is_stamped());
            let (best, worse): (Vec<Choice>, Vec<Choice>) =
                same.into_iter().partition(|c| c.source == source && c.is_stamped() == is_stamped);
            left.extend(worse);
            let (files, older) = if is_stamped { newest(best) } else { one_a_folder(best) };
            taken.extend(files);
            left.extend(older);
        }
        self.is_cann_alone = is_cann_alone && !taken.is_empty();
        left.sort_by(|a, b| (&a.dir, &a.file.name).cmp(&(&b.dir, &b.file.name)));
        for Choice { file, dir, .. } in left {
            let is_trace = file.kind == FileKind::Trace;
            let kind = if is_trace { NeighbourKind::OtherTrace } else { NeighbourKind::SecondCopy };
            let path = if dir.is_empty() { file.name } else { format!("{dir}/{}", file.name) };
            self.add_neighbour(&path, kind);
        }
        taken
    }

    /// The rank folder, once the small files' bytes are there.
    pub fn describe(mut self, bytes: &HashMap<usize, Option<Vec<u8>>>) -> RankFolder {
        let mut problems = Problems::default();
        let mut files = self.choose();
        // Databases are recognised, not yet read.
        let (databases, mut readable): (Vec<RankFile>, Vec<RankFile>) =
            files.drain(..).partition(|f| f.kind == FileKind::Database);
        readable.sort_by_key(|f| f.kind);
        self.infos.sort_by(|a, b| a.1.len().cmp(&b.1.len()).then_with(|| a.1.cmp(&b.1)));
        let metadata = self.metadata.map(|index| Small::new(METADATA, bytes.get(&index)));
        let infos: Vec<Small> = self.infos.iter().map(|(index, name)| Small::new(name, bytes.get(index))).collect();
        let (rank, recorded) = identity::rank(&infos, &mut problems);
        let (role, role_source) = identity::role(&self.folder, metadata.as_ref(), &mut problems);
        let is_mindspore = self.folder.ends_with(MINDSPORE_ENDING);
        let folder = if self.folder.is_empty() { ".".to_owned() } else { std::mem::take(&mut self.folder) };
        let mut found = RankFolder {
            folder,
            role,
            role_source,
            rank,
            step: None,
            files: readable,
            is_mindspore,
            with_stack: recorded.with_stack,
            profile_memory: recorded.profile_memory,
            neighbours: std::mem::take(&mut self.neighbours).into_list(),
            problems: Vec::new(),
        };
        self.note_missing(&found, &databases, &mut problems);
        found.problems = problems.list().to_vec();
        found
    }

    /// Says what was looked for and not found.
    fn note_missing(&self, found: &RankFolder, databases: &[RankFile], problems: &mut Problems) {
        let has = |kind: FileKind| found.files.iter().any(|f| f.kind == kind);
        let folder = found.folder.as_str();
        let mut note = |kind, detail: &str| problems.add(folder, Place::Whole, kind, detail);
        if !found.has_memory() {
            if !databases.is_empty() {
                let names: Vec<&str> = databases.iter().map(|f| f.name.as_str()).collect();
                note(ProblemKind::Unsupported, &names.join(", "));
            } else if self.has_raw && found.files.is_empty() {
                note(ProblemKind::NotAnalysed, "");
            } else {
                let detail = if found.profile_memory == Some(false) { "profile_memory=False" } else { "" };
                let kind = if has(FileKind::Trace) { ProblemKind::TraceAlone } else { ProblemKind::NoMemoryFile };
                note(kind, detail);
            }
            return;
        }
        if self.is_cann_alone && self.has_raw_torch {
            note(ProblemKind::NotAnalysed, "");
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

/// Of each folder the first file.
fn one_a_folder(choices: Vec<Choice>) -> (Vec<RankFile>, Vec<Choice>) {
    let (mut files, mut left) = (Vec::new(), Vec::new());
    let mut dirs: Vec<String> = Vec::new();
    for choice in choices {
        if dirs.contains(&choice.dir) {
            left.push(choice);
        } else {
            dirs.push(choice.dir);
            files.push(choice.file);
        }
    }
    (files, left)
}

/// Of each folder the newest export: one file, or its slices in their order.
fn newest(mut choices: Vec<Choice>) -> (Vec<RankFile>, Vec<Choice>) {
    // The newest first, within it the slices in order.
    choices.sort_by(|a, b| (&a.dir, &b.stamp, a.slice).cmp(&(&b.dir, &a.stamp, b.slice)));
    let (mut files, mut left): (Vec<Choice>, Vec<Choice>) = (Vec::new(), Vec::new());
    for choice in choices {
        let same_dir = |known: &&Choice| known.dir == choice.dir;
        // A slow export may stamp its slices with different seconds: a slice of a number not seen yet belongs to it.
        let is_new = match files.iter().find(same_dir) {
            None => true,
            Some(known) => {
                known.slice.is_some()
                    && choice.slice.is_some()
                    && !files.iter().filter(same_dir).any(|f| f.slice == choice.slice)
            }
        };
        if is_new { files.push(choice) } else { left.push(choice) }
    }
    files.sort_by(|a, b| (&a.dir, a.slice).cmp(&(&b.dir, b.slice)));
    (files.into_iter().map(|c| c.file).collect(), left)
}
