//! Names: which files are archives, what folder an archive stands for, and what a member's path may be.

/// Endings of archives that are opened.
const OPENED: [&str; 4] = [".tar.gz", ".tgz", ".tar", ".zip"];
/// Endings of archives that are only named.
const NAMED: [&str; 12] = [
    ".7z",
    ".rar",
    ".tar.bz2",
    ".tbz",
    ".tbz2",
    ".tar.xz",
    ".txz",
    ".tar.zst",
    ".tzst",
    ".tar.lz4",
    ".tar.z",
    ".tar.lzma",
];
/// Longest path taken, bytes: no file system has longer ones.
const MAX_PATH_BYTES: usize = 4096;

fn ends_with(name: &str, ending: &str) -> bool {
    let from = name.len().checked_sub(ending.len());
    from.filter(|from| *from > 0).and_then(|from| name.get(from..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

/// Whether a file of this name or path is an archive that is opened.
pub fn is_archive(name: &str) -> bool {
    OPENED.iter().any(|ending| ends_with(name, ending))
}

/// The ending of an archive that cannot be opened, such as `.7z`.
pub fn foreign(name: &str) -> Option<&'static str> {
    NAMED.into_iter().find(|ending| ends_with(name, ending))
}

/// The path without an archive's ending: the folder it stands for.
pub fn stem(path: &str) -> &str {
    let ending = OPENED.iter().find(|ending| ends_with(path, ending));
    ending.and_then(|ending| path.get(..path.len() - ending.len())).unwrap_or(path)
}

/// What a member's name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberPath {
    /// A path below the archive's folder; a directory's ends in `/`.
    Below(String),
    /// Nothing: the archive's own folder, or what a Mac adds to archives.
    Nothing,
    /// It leads out of the archive's folder.
    Outside,
}

/// Makes a member's name a path below the archive's folder: as tools that unpack do, leading `/` and drive letters are dropped.
/// `windows`: `\` separates too.
pub fn member_path(name: &str, windows: bool) -> MemberPath {
    if name.len() > MAX_PATH_BYTES || name.contains('\0') {
        return MemberPath::Outside;
    }
    let separators: &[char] = if windows { &['/', '\\'] } else { &['/'] };
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split(separators) {
        match part {
            "" | "." => {}
            ".." => return MemberPath::Outside,
            drive if windows && parts.is_empty() && is_drive(drive) => {}
            "__MACOSX" => return MemberPath::Nothing,
            part => parts.push(part),
        }
    }
    let Some(last) = parts.last() else { return MemberPath::Nothing };
    if last.starts_with("._") {
        return MemberPath::Nothing;
    }
    let end = if name.ends_with(separators) { "/" } else { "" };
    MemberPath::Below(parts.join("/") + end)
}

/// Reads bytes of an older encoding as text; `None` if they are none.
pub type Legacy = fn(&[u8]) -> Option<String>;

/// A name as text, and whether that is what the writer meant: names are UTF-8 nearly always, but old writers say so nowhere, and
/// a Chinese Windows writes GBK.
pub(super) fn decode(name: &[u8], is_utf8: bool, legacy: Legacy) -> (String, bool) {
    match std::str::from_utf8(name) {
        Ok(name) => (name.to_owned(), true),
        Err(_) => match legacy(name).filter(|_| !is_utf8) {
            Some(name) => (name, true),
            None => (String::from_utf8_lossy(name).into_owned(), false),
        },
    }
}

fn is_drive(part: &str) -> bool {
    matches!(part.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_stands_for_its_stem() {
        for (path, folder) in [
            ("run.zip", "run"),
            ("a/run.v2.TAR.GZ", "a/run.v2"),
            ("run.tgz", "run"),
            ("run.tar", "run"),
            ("trace_view.json.zip", "trace_view.json"),
        ] {
            assert!(is_archive(path) && stem(path) == folder, "{path}");
        }
        for path in [".zip", "zip", "trace_view.json.gz", "a.zip.txt", "张.zi", "a/.tgz "] {
            assert!(!is_archive(path), "{path}");
        }
        assert_eq!(
            (foreign("run.tar.zst"), foreign("run.7Z"), foreign("run.zip")),
            (Some(".tar.zst"), Some(".7z"), None)
        );
    }

    #[test]
    fn members_stay_below_their_archive() {
        let below = |path: &str| MemberPath::Below(path.to_owned());
        for (name, windows, path) in [
            ("run/a.csv", true, below("run/a.csv")),
            ("./run//a/", false, below("run/a/")),
            ("run\\角色\\a.csv", true, below("run/角色/a.csv")),
            ("run\\a.csv", false, below("run\\a.csv")),
            ("/etc/a", false, below("etc/a")),
            ("C:\\run\\a", true, below("run/a")),
            ("c:/run/", true, below("run/")),
            ("../a", true, MemberPath::Outside),
            ("a\\..\\b", true, MemberPath::Outside),
            ("a\0b", true, MemberPath::Outside),
            ("__MACOSX/run/._a.csv", true, MemberPath::Nothing),
            ("run/._a.csv", true, MemberPath::Nothing),
            ("./", false, MemberPath::Nothing),
            ("", false, MemberPath::Nothing),
        ] {
            assert_eq!(member_path(name, windows), path, "{name}");
        }
        assert_eq!(member_path(&"a/".repeat(3000), false), MemberPath::Outside);
    }
}
