//! Where an archive's members belong among the other files: below the folder the archive stands for.
//!
//! `run.zip` stands for the folder `run` beside it. Archives of a folder mostly hold that folder's name themselves; it is not
//! doubled then, so that a packed folder has the very paths it has unpacked.

use std::collections::{HashMap, HashSet};

use super::list::{Listed, Member};
use super::name;
use crate::problem::{Place, Problem, ProblemKind};

/// A member that lies beside its archive under the same name and with the same size: perhaps the same file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Twin {
    /// Which member.
    pub member: usize,
    /// The path of what lies there.
    pub path: String,
}

/// The paths known so far.
#[derive(Debug, Default)]
pub struct Tree {
    sizes: HashMap<String, u64>,
    folders: HashSet<String>,
}

impl Tree {
    /// Adds a path; a directory's ends in `/`.
    pub fn add(&mut self, path: &str, size: u64) {
        for (end, _) in path.rmatch_indices('/') {
            let folder = path.get(..end).unwrap_or_default();
            if !self.folders.insert(folder.to_owned()) {
                break;
            }
        }
        if !path.ends_with('/') {
            self.sizes.insert(path.to_owned(), size);
        }
    }

    /// The files of the archive at `path`, if all of them seem to lie in its folder unpacked. Their contents tell whether they do.
    pub fn twins(&self, path: &str, listed: &Listed) -> Option<Vec<Twin>> {
        let stem = name::stem(path);
        let below = Below::new(stem, &listed.members);
        if !self.folders.contains(stem) {
            return None;
        }
        let mut twins = Vec::new();
        for (at, member) in listed.members.iter().enumerate() {
            let path = below.of(stem, member);
            if !self.holds(&path, member) {
                return None;
            }
            if member.part.is_some() {
                twins.push(Twin { member: at, path });
            }
        }
        Some(twins)
    }

    /// Gives the members of the archive at `path` their place, and adds them. Where its folder is there already, an archive
    /// whose files all lie in it, as `is_unpacked` says, is left out, and any other stands under its own full name.
    pub fn place(&mut self, path: &str, listed: Listed, is_unpacked: bool) -> Listed {
        let Listed { mut members, mut problems } = listed;
        let stem = name::stem(path);
        let own = stem.rsplit('/').next().unwrap_or(stem);
        if is_unpacked {
            let kind = ProblemKind::ArchiveUnpacked;
            problems.push(Problem {
                file: path.to_owned(),
                place: Place::Whole,
                kind,
                count: 1,
                detail: String::new(),
            });
            return Listed { members: Vec::new(), problems };
        }
        if let [only] = members.as_mut_slice()
            && only.path == own
            && !self.sizes.contains_key(stem)
        {
            // One packed file: it stands for itself.
            only.path = stem.to_owned();
        } else {
            let below = Below::new(stem, &members);
            let folder = if self.folders.contains(stem) { path } else { stem };
            for member in &mut members {
                member.path = below.of(folder, member);
            }
        }
        for member in &members {
            self.add(&member.path, member.size);
        }
        Listed { members, problems }
    }

    /// Whether a member lies there unpacked. A file that was not opened has size 0.
    fn holds(&self, path: &str, member: &Member) -> bool {
        if member.part.is_none() {
            return self.folders.contains(path.trim_end_matches('/'));
        }
        self.sizes.get(path).is_some_and(|size| *size == member.size || *size == 0)
    }
}

/// Where members stand below a folder that stands for their archive.
struct Below {
    /// The folder's own name, where every member has it already.
    doubled: Option<String>,
}

impl Below {
    fn new(stem: &str, members: &[Member]) -> Below {
        let inner = format!("{}/", stem.rsplit('/').next().unwrap_or(stem));
        let is_doubled = members.iter().all(|member| member.path.starts_with(&inner));
        Below { doubled: is_doubled.then_some(inner) }
    }

    fn of(&self, folder: &str, member: &Member) -> String {
        let path = self.doubled.as_ref().and_then(|inner| member.path.strip_prefix(inner));
        format!("{folder}/{}", path.unwrap_or(&member.path))
    }
}

/// What there is to say about a file that is an archive of a kind that is not opened.
pub fn foreign(path: &str) -> Option<Problem> {
    let ending = name::foreign(path)?;
    Some(Problem {
        file: path.to_owned(),
        place: Place::Whole,
        kind: ProblemKind::PackedOtherwise,
        count: 1,
        detail: ending.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Part;

    fn listed(paths: &[&str]) -> Listed {
        let part = || Part { start: 0, end: 0, unpack: Vec::new() };
        let member = |path: &&str| Member {
            path: (*path).to_owned(),
            size: path.len() as u64,
            part: (!path.ends_with('/')).then(part),
            bytes: None,
        };
        Listed { members: paths.iter().map(member).collect(), problems: Vec::new() }
    }

    fn placed(tree: &mut Tree, path: &str, members: &[&str]) -> Vec<String> {
        let listed = listed(members);
        let is_unpacked = tree.twins(path, &listed).is_some();
        tree.place(path, listed, is_unpacked).members.into_iter().map(|member| member.path).collect()
    }

    #[test]
    fn an_archive_is_its_folder() {
        let tree = || Tree::default();
        assert_eq!(placed(&mut tree(), "run.zip", &["run/", "run/a", "run/b/c"]), ["run/", "run/a", "run/b/c"]);
        assert_eq!(placed(&mut tree(), "x/run.tar.gz", &["run/a"]), ["x/run/a"]);
        assert_eq!(placed(&mut tree(), "x/run.zip", &["a", "b/c"]), ["x/run/a", "x/run/b/c"]);
        assert_eq!(placed(&mut tree(), "run.zip", &["run/a", "other/b"]), ["run/run/a", "run/other/b"]);
        assert_eq!(placed(&mut tree(), "x/a.csv.zip", &["a.csv"]), ["x/a.csv"]);
        assert_eq!(placed(&mut tree(), "x/run.zip", &["a.csv"]), ["x/run/a.csv"]);
    }

    #[test]
    fn beside_its_folder_it_is_told_apart() {
        let mut tree = Tree::default();
        tree.add("x/run/a", 5);
        tree.add("x/run/b/", 0);
        assert_eq!(placed(&mut tree, "x/run.zip", &["run/", "run/a", "run/b/"]), [] as [&str; 0]);
        assert_eq!(placed(&mut tree, "x/run.zip", &["run/a", "run/c"]), ["x/run.zip/a", "x/run.zip/c"]);
        assert_eq!(placed(&mut tree, "x/run.tgz", &["longer"]), ["x/run.tgz/longer"]);
        // Two archives of one name.
        assert_eq!(placed(&mut tree, "y.zip", &["a"]), ["y/a"]);
        assert_eq!(placed(&mut tree, "y.tar", &["b"]), ["y.tar/b"]);
        assert_eq!(placed(&mut tree, "y.tgz", &["a"]), [] as [&str; 0]);
        let twin = Twin { member: 0, path: "y/a".to_owned() };
        assert_eq!(tree.twins("y.tar.gz", &listed(&["a"])), Some(vec![twin]));
        let kind = tree.place("y.tar.gz", listed(&["a"]), true).problems.first().map(|problem| problem.kind);
        assert_eq!(kind, Some(ProblemKind::ArchiveUnpacked));
        // Other contents under the same names.
        let other = tree.place("y.tar.gz", listed(&["a"]), false);
        assert_eq!(other.members.first().map(|member| member.path.as_str()), Some("y.tar.gz/a"));
    }
}
