//! Opens archives among the files found: their members take their places among the others.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memlens::archive::list::{Listed, Lister};
use memlens::archive::name;
use memlens::archive::place::{Tree, foreign};
use memlens::folder::{FileEntry, interest};
use memlens::problem::Problem;

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
        let listed = tree.place(&entry.path, list(&entry.path, &archive));
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

fn range(file: &mut File, at: u64, count: u64) -> Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn gbk(bytes: &[u8]) -> Option<String> {
    encoding_rs::GBK.decode_without_bom_handling_and_without_replacement(bytes).map(Into::into)
}
