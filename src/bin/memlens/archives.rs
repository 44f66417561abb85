//! Opens archives among the files found: their members take their places among the others.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memlens::archive::list::{Listed, Lister};
use memlens::archive::place::{Tree, foreign};
use memlens::archive::{Fingerprint, Part, Sum, name};
use memlens::folder::{FileEntry, interest, may_be_read};
use memlens::problem::Problem;

use crate::walk;

/// Bytes of archives that came by while they were listed, by index of the entry.
pub type Known = std::collections::HashMap<usize, Vec<u8>>;

/// Lists every archive among the entries and adds its members, each with the archive's path.
pub fn open(entries: &mut Vec<FileEntry>, paths: &mut Vec<PathBuf>, problems: &mut Vec<Problem>) -> Known {
    let mut known = Known::new();
    problems.extend(entries.iter().filter_map(|entry| foreign(&entry.path)));
    let is_archive = |entry: &FileEntry| name::is_archive(&entry.path);
    if !entries.iter().any(is_archive) {
        return known;
    }
    let mut tree = Tree::default();
    for entry in entries.iter().filter(|entry| !is_archive(entry)) {
        tree.add(&entry.path, entry.size);
    }
    for index in 0..entries.len() {
        let Some((entry, path)) = entries.get(index).zip(paths.get(index)) else { break };
        if !is_archive(entry) {
            continue;
        }
        let archive = path.clone();
        let listed = list(&entry.path, &archive);
        let is_unpacked = is_unpacked(&tree, &entry.path, &listed, &archive, entries, paths);
        let listed = tree.place(&entry.path, listed, is_unpacked);
        for member in listed.members {
            if let Some(bytes) = member.bytes {
                known.insert(entries.len(), bytes);
            }
            entries.push(FileEntry { path: member.path, size: member.size, part: member.part });
            paths.push(archive.clone());
        }
        problems.extend(listed.problems);
    }
    known
}

fn list(name: &str, path: &Path) -> Listed {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
    let size = opened.as_ref().map_or(0, |(size, _)| *size);
    let mut lister = Lister::new(name, size, interest, gbk);
    match opened {
        Err(error) => lister.fail(&error.to_string()),
        Ok((_, mut file)) => {
            while let Some((at, count)) = lister.want() {
                match range(&mut file, at, count) {
                    Ok(bytes) => lister.give(&bytes),
                    Err(error) => lister.fail(&error.to_string()),
                }
            }
        }
    }
    lister.finish()
}

/// Whether the files of an archive that may be read all lie beside it, with the same contents.
fn is_unpacked(
    tree: &Tree,
    path: &str,
    listed: &Listed,
    archive: &Path,
    entries: &[FileEntry],
    paths: &[PathBuf],
) -> bool {
    let Some(twins) = tree.twins(path, listed) else { return false };
    let places: std::collections::HashMap<&str, usize> =
        entries.iter().enumerate().map(|(index, entry)| (entry.path.as_str(), index)).collect();
    twins.iter().filter(|twin| may_be_read(&twin.path)).all(|twin| {
        let part = listed.members.get(twin.member).and_then(|member| member.part.as_ref());
        let beside = places.get(twin.path.as_str()).and_then(|index| Some((paths.get(*index)?, entries.get(*index)?)));
        let (Some(part), Some((path, entry))) = (part, beside) else { return false };
        let packed = part.sum().or_else(|| sum(archive, Some(part)));
        // What cannot be read is not known to be the same.
        packed.is_some() && packed == sum(path, entry.part.as_ref())
    })
}

/// Bytes summed up at once.
const SUM_STEP: usize = 1 << 20;

fn sum(path: &Path, part: Option<&Part>) -> Option<Sum> {
    let mut file = walk::open(path, part).ok()?;
    let mut sum = Fingerprint::new(part);
    let mut buffer = vec![0; SUM_STEP];
    while sum.wants_more() {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => sum.feed(buffer.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    sum.finish()
}

/// So many bytes of a file from a place on, fewer where it ends.
pub fn range(file: &mut File, at: u64, count: u64) -> Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Text as a Chinese Windows writes it.
pub fn gbk(bytes: &[u8]) -> Option<String> {
    encoding_rs::GBK.decode_without_bom_handling_and_without_replacement(bytes).map(Into::into)
}
