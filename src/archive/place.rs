//! Where an archive's members belong among the other files: below the folder the archive stands for.
//!
//! `run.zip` stands for the folder `run` beside it. Archives of a folder mostly hold that folder's name themselves; it is not
//! doubled then, so that a packed folder has the very paths it has unpacked.

use std::collections::{HashMap, HashSet};

use super::list::{Listed, Member};
use super::name;
use crate::problem::{Place, Problem, ProblemKind};

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

    /// Gives the members of the archive at `path` their place, and adds them. Where its folder is there already, an archive
    /// whose files all lie in it is left out, and any other stands under its own full name.
    pub fn place(&mut self, path: &str, listed: Listed) -> Listed {
        let Listed { mut members, mut problems } = listed;
        let stem = name::stem(path);
        let own = stem.rsplit('/').next().unwrap_or(stem);
        if let [only] = members.as_mut_slice()
            && only.path == own
            && !self.sizes.contains_key(stem)
        {
            // One packed file: it stands for itself.
            only.path = stem.to_owned();
        } else {
            let inner = format!("{own}/");
            let doubled = members.iter().all(|member| member.path.starts_with(&inner));
            let below = |folder: &str, member: &Member| {
                let path = if doubled { member.path.strip_prefix(&inner) } else { None };
                format!("{folder}/{}", path.unwrap_or(&member.path))
            };
            let mut folder = stem;
            if self.folders.contains(stem) {
                if members.iter().all(|member| self.holds(&below(stem, member), member)) {
                    let kind = ProblemKind::ArchiveUnpacked;
                    let detail = String::new();
                    problems.push(Problem { file: path.to_owned(), place: Place::Whole, kind, count: 1, detail });
                    return Listed { members: Vec::new(), problems };
                }
                folder = path;
            }
            for member in &mut members {
                member.path = below(folder, member);
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
        tree.place(path, listed(members)).members.into_iter().map(|member| member.path).collect()
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
        let kind = tree.place("y.tar.gz", listed(&["a"])).problems.first().map(|problem| problem.kind);
        assert_eq!(kind, Some(ProblemKind::ArchiveUnpacked));
    }
}
