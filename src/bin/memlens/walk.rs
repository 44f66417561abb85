//! Lists the files below the given folders and in archives there, named as the engine wants them: from the folder's own name on.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};

use memlens::archive::list::Interest;
use memlens::archive::{Beginning, Part};
use memlens::folder::{self, FileEntry, RankFolder, RoleSource, Run};
use memlens::problem::{Place, Problem, ProblemKind};

use crate::archives;

/// Bytes read at once where only a file's beginning matters.
const BEGINNING_STEP: usize = 64 << 10;

/// What was found, and where each entry lies on this machine.
pub struct Found {
    pub run: Run,
    pub paths: Vec<PathBuf>,
}

/// Searches the given folders. `canonical_role`: a rank folder given itself takes its role from the folder above it on this
/// machine, as the reference tool does; without it nothing above a given folder is looked at.
pub fn search(folders: &[PathBuf], canonical_role: bool) -> Found {
    let mut entries: Vec<FileEntry> = Vec::new();
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut problems: Vec<Problem> = Vec::new();
    let mut seen: HashSet<PathBuf> = HashSet::new();
    let mut names: HashSet<String> = HashSet::new();
    let apart = apart(folders);
    for given in folders {
        let own = match apart.get(given) {
            Some(number) => format!("({number})/{}", own_name(given)),
            // Loose files of one name that lie in one folder are one file.
            None if given.is_file() => own_name(given),
            None => distinct(own_name(given), &mut names),
        };
        let unreadable = |error: &dyn std::fmt::Display| Problem {
            file: own.clone(),
            place: Place::Whole,
            kind: ProblemKind::Unreadable,
            count: 1,
            detail: error.to_string(),
        };
        if let Err(error) = std::fs::metadata(given) {
            problems.push(unreadable(&error));
            continue;
        }
        for entry in walkdir::WalkDir::new(given).follow_links(true).sort_by_file_name() {
            let entry = match entry {
                Ok(entry) => entry,
                // A link that leads back up names no new file.
                Err(error) if error.loop_ancestor().is_some() => continue,
                Err(error) => {
                    let why = error.io_error().map_or_else(|| "unreadable".to_owned(), ToString::to_string);
                    problems.push(unreadable(&why));
                    continue;
                }
            };
            // The same folder given twice, or below another given one, counts once.
            if !seen.insert(place(entry.path())) {
                continue;
            }
            let below = entry.path().strip_prefix(given).unwrap_or(entry.path());
            let parts = below.components().map(|part| part.as_os_str().to_string_lossy());
            let mut path: Vec<String> = std::iter::once(own.clone()).chain(parts.map(|p| p.into_owned())).collect();
            if entry.file_type().is_dir() {
                path.push(String::new());
            } else if !entry.file_type().is_file() {
                // Opening a pipe waits for whoever writes into it, for ever if nobody does.
                let file = path.join("/");
                if entry.depth() == 0 || folder::interest(&file, 0) != Interest::Nothing {
                    let kind = ProblemKind::NotAFile;
                    problems.push(Problem { file, place: Place::Whole, kind, count: 1, detail: String::new() });
                }
                continue;
            }
            let size = entry.metadata().map_or(0, |m| if m.is_file() { m.len() } else { 0 });
            entries.push(FileEntry::new(path.join("/"), size));
            paths.push(entry.path().to_owned());
        }
    }
    let mut known = archives::open(&mut entries, &mut paths, &mut problems);
    let mut run = folder::find(&entries).finish(|wanted| {
        let part = entries.get(wanted.index)?.part.as_ref();
        match wanted.from {
            0 => known.remove(&wanted.index).or_else(|| beginning(paths.get(wanted.index)?, part, wanted.bytes).ok()),
            from if part.is_some() => {
                let mut bytes = beginning(paths.get(wanted.index)?, part, from.saturating_add(wanted.bytes)).ok()?;
                Some(bytes.split_off(usize::try_from(from).ok()?.min(bytes.len())))
            }
            from => archives::range(&mut File::open(paths.get(wanted.index)?).ok()?, from, wanted.bytes).ok(),
        }
    });
    if canonical_role {
        for folder in run.rank_folders.iter_mut().filter(|f| f.role_source == RoleSource::Unknown) {
            take_canonical_role(folder, &entries, &paths);
        }
        run.arrange();
    }
    if !problems.is_empty() {
        // What could not be opened says more than that nothing was found.
        run.problems.retain(|p| p.kind != ProblemKind::NothingFound || !entries.is_empty());
    }
    run.problems.extend(problems);
    Found { run, paths }
}

/// Where a path lies, whatever leads there. A link is a name of its own: what it leads to may be named so that nobody reads it.
fn place(path: &Path) -> PathBuf {
    let real = || std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (Some(above), Some(name), false) = (path.parent(), path.file_name(), path.is_dir()) else { return real() };
    let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
    std::fs::canonicalize(above).map_or_else(|_| real(), |above| above.join(name))
}

/// The first bytes of a file, or of a part of an archive.
fn beginning(path: &Path, part: Option<&Part>, bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut file = open(path, part)?;
    let mut beginning = Beginning::new(part, bytes);
    let mut buffer = vec![0; BEGINNING_STEP];
    while beginning.wants_more() {
        match file.read(&mut buffer)? {
            0 => break,
            count => beginning.feed(buffer.get(..count).unwrap_or_default()),
        }
    }
    Ok(beginning.finish())
}

/// A file, or a part of an archive as it is packed.
pub fn open(path: &Path, part: Option<&Part>) -> std::io::Result<Take<File>> {
    let mut file = File::open(path)?;
    let Some(part) = part else { return Ok(file.take(u64::MAX)) };
    file.seek(SeekFrom::Start(part.start))?;
    Ok(file.take(part.bytes()))
}

/// Given files whose folder needs a number: files of one name from several folders are of several recordings. Those of one folder
/// stay together; nothing of the folder's own name gets out.
fn apart(given: &[PathBuf]) -> HashMap<PathBuf, usize> {
    let files = given.iter().filter(|path| path.is_file());
    let placed: Vec<(&PathBuf, PathBuf)> = files
        .filter_map(|path| {
            let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some((path, std::fs::canonicalize(above).ok()?))
        })
        .collect();
    let mut folder_of: HashMap<String, &PathBuf> = HashMap::new();
    let collide = placed.iter().any(|(path, above)| *folder_of.entry(own_name(path)).or_insert(above) != above);
    let mut folders: Vec<&PathBuf> = Vec::new();
    let mut numbers = HashMap::new();
    for (path, above) in placed.iter().filter(|_| collide) {
        let known = folders.iter().position(|folder| *folder == above);
        let at = known.unwrap_or_else(|| {
            folders.push(above);
            folders.len() - 1
        });
        if at > 0 {
            numbers.insert((*path).clone(), at + 1);
        }
    }
    numbers
}

/// Two given folders may have one name: what lies in them must not be taken for one folder's.
fn distinct(name: String, names: &mut HashSet<String>) -> String {
    let numbered = (2u32..).map(|number| format!("{name} ({number})"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(name);
    names.insert(free.clone());
    free
}

fn take_canonical_role(folder: &mut RankFolder, entries: &[FileEntry], paths: &[PathBuf]) {
    let dir = format!("{}/", folder.folder);
    let at = entries.iter().position(|entry| entry.path == dir).and_then(|index| paths.get(index));
    let canonical = at.and_then(|path| std::fs::canonicalize(path).ok());
    if let Some(name) = canonical.as_deref().and_then(Path::parent).and_then(Path::file_name) {
        folder.role = name.to_string_lossy().into_owned();
    }
}

/// The given folder's own name; of `.` and `..` the real one.
fn own_name(given: &Path) -> String {
    let name = given.file_name().map(|name| name.to_string_lossy().into_owned());
    name.or_else(|| {
        let real = std::fs::canonicalize(given).ok()?;
        Some(real.file_name()?.to_string_lossy().into_owned())
    })
    .unwrap_or_else(|| "root".to_owned())
}
