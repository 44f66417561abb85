//! The files of one rank folder: gathered, and of several that hold the same the best chosen.

use std::collections::HashMap;

use super::identity::{self, Small};
use super::names::{Form, JOURNAL_ENDING, LOG_ENDING, MINDSPORE_ENDING, Named, database_rank, split_path};
use super::recognise::HEAD_BYTES;
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
    /// What to add to the folder where it holds several ranks.
    shown: Option<String>,
    choices: Vec<Choice>,
    /// Index and name of profiler_info files.
    pub infos: Vec<(usize, String)>,
    pub metadata: Option<usize>,
    /// Databases that a journal lies beside, by name.
    pub journals: Vec<String>,
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

    /// Files whose beginnings tell whether older exports hold the same again.
    pub fn rivals(&self) -> impl Iterator<Item = usize> + use<'_> {
        let is_rival = |choice: &&Choice| {
            let is_other = |other: &Choice| other.file.kind == choice.file.kind && other.dir == choice.dir;
            choice.is_stamped() && self.choices.iter().any(|other| is_other(other) && other.stamp != choice.stamp)
        };
        let is_small = self.choices.len() <= MOST_COMPARED;
        self.choices.iter().filter(move |choice| is_small && is_rival(choice)).map(|choice| choice.file.index)
    }

    /// The files to read; those that hold the same again are counted.
    fn choose(&mut self, bytes: &HashMap<usize, Option<Vec<u8>>>, problems: &mut Problems) -> Vec<RankFile> {
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
            let (files, older) = if is_stamped {
                let (newest, older) = newest(best);
                note_missing_slices(&newest, problems);
                let (same, others) = older.into_iter().partition(|choice| holds_the_same(choice, &newest, bytes));
                for choice in others as Vec<Choice> {
                    let read = newest.first().map_or("", |newest| newest.file.name.as_str());
                    problems.add(&choice.file.name, Place::Whole, ProblemKind::ExportsDiffer, read);
                }
                (newest.into_iter().map(|choice| choice.file).collect(), same)
            } else {
                one_a_folder(best)
            };
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

    /// Databases under names of a person's own that stand where none stands under its usual name: which of them are no copies of one
    /// before.
    fn own_databases(&self, bytes: &HashMap<usize, Option<Vec<u8>>>) -> Vec<String> {
        let databases = || self.choices.iter().filter(|choice| choice.file.kind == FileKind::Database);
        if databases()
            .any(|choice| !choice.is_other || choice.source != Source::Beside && choice.source != Source::Analysed)
        {
            return Vec::new();
        }
        let mut found: Vec<&RankFile> = Vec::new();
        for Choice { file, .. } in databases() {
            let head = |file: &RankFile| bytes.get(&file.index).and_then(Option::as_deref);
            let is_copy = |known: &&RankFile| known.size == file.size && head(known) == head(file);
            if !found.iter().any(is_copy) && !found.iter().any(|known| known.name == file.name) {
                found.push(file);
            }
        }
        found.into_iter().map(|file| file.name.clone()).collect()
    }

    /// Several databases of a person's own naming (`1.db`, `2.db`) are a recording each.
    fn split_by_name(&mut self, names: Vec<String>) -> Vec<Candidate> {
        let mut parts = Vec::new();
        for name in names {
            let log = format!("{name}{LOG_ENDING}");
            let (own, rest): (Vec<Choice>, Vec<Choice>) = std::mem::take(&mut self.choices)
                .into_iter()
                .partition(|choice| choice.file.name == name || choice.file.name == log);
            self.choices = rest;
            let (folder, journals) = (self.folder.clone(), self.journals.clone());
            parts.push(Candidate { folder, shown: Some(name), choices: own, journals, ..Candidate::default() });
        }
        // Copies of one of these lie beside them.
        let is_copy = |choice: &mut Choice| matches!(choice.file.kind, FileKind::Database | FileKind::DatabaseLog);
        let copies: Vec<Choice> = self.choices.extract_if(.., is_copy).collect();
        if let Some(first) = parts.first_mut() {
            first.choices.extend(copies);
        }
        parts
    }

    /// Databases of several ranks in one directory are a rank each.
    pub fn split(mut self, bytes: &HashMap<usize, Option<Vec<u8>>>) -> Vec<Candidate> {
        let own = self.own_databases(bytes);
        if own.len() > 1 {
            let mut parts = self.split_by_name(own);
            if !self.choices.is_empty() {
                parts.push(self);
            }
            return parts;
        }
        let rank_of = |choice: &Choice| match choice.file.kind {
            FileKind::Database => database_rank(&choice.file.name),
            FileKind::DatabaseLog => choice.file.name.strip_suffix(LOG_ENDING).and_then(database_rank),
            _ => None,
        };
        let mut ranks: Vec<u64> =
            self.choices.iter().filter(|c| c.file.kind == FileKind::Database).filter_map(rank_of).collect();
        ranks.sort_unstable();
        ranks.dedup();
        if ranks.len() < 2 {
            return vec![self];
        }
        let mut parts = Vec::new();
        for rank in ranks {
            let (own, rest): (Vec<Choice>, Vec<Choice>) =
                std::mem::take(&mut self.choices).into_iter().partition(|choice| rank_of(choice) == Some(rank));
            self.choices = rest;
            let info = format!("profiler_info_{rank}.json");
            let shown = own.iter().find(|c| c.file.kind == FileKind::Database).map(|c| c.file.name.clone());
            parts.push(Candidate {
                folder: self.folder.clone(),
                shown,
                choices: own,
                infos: self.infos.iter().filter(|(_, name)| *name == info).cloned().collect(),
                metadata: self.metadata,
                has_raw: self.has_raw,
                journals: self.journals.clone(),
                ..Candidate::default()
            });
        }
        if self.choices.iter().any(|c| c.file.kind != FileKind::DatabaseLog) {
            parts.push(self);
        }
        parts
    }

    /// The rank folder, once the small files' bytes are there.
    pub fn describe(mut self, bytes: &HashMap<usize, Option<Vec<u8>>>) -> RankFolder {
        let mut problems = Problems::default();
        let mut files = self.choose(bytes, &mut problems);
        limit(&mut files, &mut problems);
        let (mut databases, mut readable): (Vec<RankFile>, Vec<RankFile>) =
            files.drain(..).partition(|f| matches!(f.kind, FileKind::Database | FileKind::DatabaseLog));
        databases.sort_by_key(|f| f.kind);
        let mut is_text_first = false;
        let database = databases.first().filter(|f| f.kind == FileKind::Database).cloned();
        if let Some(database) = &database {
            let log = format!("{}{LOG_ENDING}", database.name);
            databases.retain(|f| f.index == database.index || f.name == log);
            is_text_first = prefer(&readable, database, &mut problems);
            readable.extend(databases);
            if self.journals.contains(&database.name) {
                let journal = format!("{}{JOURNAL_ENDING}", database.name);
                problems.add(&journal, Place::Whole, ProblemKind::DatabaseJournal, "");
            }
        }
        readable.sort_by_key(|f| f.kind);
        self.infos.sort_by(|a, b| a.1.len().cmp(&b.1.len()).then_with(|| a.1.cmp(&b.1)));
        let metadata = self.metadata.map(|index| Small::new(METADATA, bytes.get(&index)));
        let infos: Vec<Small> = self.infos.iter().map(|(index, name)| Small::new(name, bytes.get(index))).collect();
        let (rank, recorded) = match &database {
            // The session says so if the database does not know its rank either.
            Some(database) if infos.is_empty() => (database_rank(&database.name), Default::default()),
            _ => identity::rank(&infos, &mut problems),
        };
        let (role, role_source) = identity::role(&self.folder, metadata.as_ref(), &mut problems);
        let is_mindspore = self.folder.ends_with(MINDSPORE_ENDING);
        let folder = if self.folder.is_empty() { ".".to_owned() } else { self.folder.clone() };
        let mut found = RankFolder {
            folder,
            role,
            role_source,
            rank,
            step: None,
            ended_ns: recorded.ended_ns,
            files: readable,
            is_text_first,
            is_mindspore,
            with_stack: recorded.with_stack,
            profile_memory: recorded.profile_memory,
            neighbours: std::mem::take(&mut self.neighbours).into_list(),
            problems: Vec::new(),
        };
        if let Some(shown) = &self.shown {
            found.folder = if self.folder.is_empty() { shown.clone() } else { format!("{}/{shown}", found.folder) };
        }
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
            if self.has_raw && found.files.is_empty() {
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
        if has(FileKind::Database) {
            // What it holds is known once it is read.
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

/// Of a database and text files of the same recording the text is read where it is complete, else the database, and text only
/// for what the database lacks. Gives whether it is the text; files of no bytes do not count.
fn prefer(readable: &[RankFile], database: &RankFile, problems: &mut Problems) -> bool {
    let parts = [FileKind::OperatorMemory, FileKind::MemoryRecord, FileKind::Trace];
    let there: Vec<&RankFile> = readable.iter().filter(|f| parts.contains(&f.kind) && f.size > 0).collect();
    let names: Vec<&str> = there.iter().map(|f| f.name.as_str()).collect();
    let is_complete = parts.iter().all(|part| there.iter().any(|f| f.kind == *part));
    if names.is_empty() || database.size == 0 {
        return is_complete;
    }
    if is_complete {
        problems.add(&database.name, Place::Whole, ProblemKind::TwoForms, &names.join(", "));
    } else {
        problems.add(&names.join(", "), Place::Whole, ProblemKind::TwoForms, &database.name);
    }
    is_complete
}

/// Most files of one kind in a rank folder: as slices of a million rows more than any memory holds.
const MAX_FILES: usize = 4096;

/// Leaves out what is beyond the most files of a kind.
fn limit(files: &mut Vec<RankFile>, problems: &mut Problems) {
    let mut counts: HashMap<FileKind, usize> = HashMap::new();
    files.retain(|file| {
        let count = counts.entry(file.kind).or_default();
        *count += 1;
        if *count > MAX_FILES {
            problems.add(file.kind.file_name(), Place::Whole, ProblemKind::OverLimit, &file.name);
        }
        *count <= MAX_FILES
    });
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

/// Files of a folder beyond which exports are not compared.
const MOST_COMPARED: usize = 4096;

/// Whether an older export is as large as the one that was taken and begins as it does; packed ones may differ all the same.
fn holds_the_same(older: &Choice, taken: &[Choice], bytes: &HashMap<usize, Option<Vec<u8>>>) -> bool {
    let is_packed = |choice: &Choice| choice.file.name.to_ascii_lowercase().ends_with(".gz");
    let mut in_folder = taken.iter().filter(|choice| choice.dir == older.dir).peekable();
    if in_folder.peek().is_none_or(|newest| is_packed(newest) != is_packed(older)) {
        return true;
    }
    let head = |choice: &Choice| {
        let bytes = bytes.get(&choice.file.index)?.as_deref()?;
        Some(bytes.get(..HEAD_BYTES as usize).unwrap_or(bytes))
    };
    let mut same = in_folder.filter(|choice| choice.slice == older.slice);
    same.any(|newest| {
        newest.file.size == older.file.size
            && head(newest).zip(head(older)).is_none_or(|(newest, older)| newest == older)
    })
}

/// Numbers of missing slices that are told one by one.
const MOST_TOLD: usize = 8;

/// Says which numbers are missing among the slices of each folder. The last ones cannot be told.
fn note_missing_slices(choices: &[Choice], problems: &mut Problems) {
    let mut rest = choices;
    while let Some(first) = rest.first() {
        let end = rest.iter().position(|choice| choice.dir != first.dir).unwrap_or(rest.len());
        let (own, others) = rest.split_at(end);
        rest = others;
        let mut missing: Vec<String> = Vec::new();
        let mut count = 0;
        // Slices are numbered from 0 or from 1.
        let mut next = u64::from(own.iter().all(|choice| choice.slice != Some(0)));
        for number in own.iter().filter_map(|choice| choice.slice) {
            let gap = number.saturating_sub(next);
            count += gap;
            missing.extend((next..number).take(MOST_TOLD.saturating_sub(missing.len())).map(|n| n.to_string()));
            next = number.saturating_add(1);
        }
        if count > missing.len() as u64 {
            missing.push("...".to_owned());
        }
        problems.add_many(&first.file.name, Place::Whole, ProblemKind::SliceMissing, &missing.join(", "), count);
    }
}

/// Of each folder the newest export: one file, or its slices in their order.
fn newest(mut choices: Vec<Choice>) -> (Vec<Choice>, Vec<Choice>) {
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
    (files, left)
}
