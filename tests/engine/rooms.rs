//! The walls of the house: every `use crate::` is held against the room table of ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Reads the table: `| room | may use |`, both as `name` in backticks.
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let table =
        text.split("<!-- rooms -->").nth(1).expect("ARCHITECTURE.md has a table between two <!-- rooms --> marks");
    let names = |cell: &str| -> BTreeSet<String> {
        cell.split('`').skip(1).step_by(2).map(|name| name.trim_matches('/').to_owned()).collect()
    };
    let mut rooms = BTreeMap::new();
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').collect();
        let room = names(cells[1]).into_iter().next().unwrap();
        rooms.insert(room, names(cells[2]));
    }
    rooms
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// Every `crate::NAME` (and, in the command, `memlens::NAME`) in code, comments left out.
fn uses(text: &str, prefix: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
        for (at, _) in line.match_indices(prefix) {
            let rest = &line[at + prefix.len()..];
            if let Some(group) = rest.strip_prefix('{') {
                let names = group.split(['}', ',']).map(|part| part.trim().split("::").next().unwrap_or_default());
                found.extend(
                    names
                        .filter(|n| !n.is_empty() && n.chars().next().is_some_and(char::is_lowercase))
                        .map(str::to_owned),
                );
            } else {
                found.insert(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
            }
        }
    }
    found
}

#[test]
fn no_room_reaches_back() {
    let rooms = allowed();
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    let mut checked = BTreeSet::new();
    for file in files {
        let below = file.strip_prefix(root().join("src")).unwrap().to_owned();
        let first = below.components().next().unwrap().as_os_str().to_str().unwrap().to_owned();
        let room = first.trim_end_matches(".rs").to_owned();
        if room == "lib" {
            continue;
        }
        let may =
            rooms.get(&room).unwrap_or_else(|| panic!("{}: the room table does not know `{room}`", below.display()));
        let text = std::fs::read_to_string(&file).unwrap();
        let prefix = if room == "bin" { "memlens::" } else { "crate::" };
        for used in uses(&text, prefix) {
            let own = used == room
                || !root().join("src").join(&used).exists() && !root().join(format!("src/{used}.rs")).exists();
            assert!(own || may.contains(&used), "{}: `{room}` may not use `{used}`", below.display());
            checked.insert((room.clone(), used));
        }
    }
    assert!(checked.len() > 10, "the check saw too little: {checked:?}");
}

#[test]
fn the_table_has_no_circle() {
    let rooms = allowed();
    let mut done: BTreeSet<String> = BTreeSet::new();
    while done.len() < rooms.len() {
        let before = done.len();
        for (room, may) in &rooms {
            if may.iter().all(|m| done.contains(m)) {
                done.insert(room.clone());
            }
        }
        assert!(
            done.len() > before,
            "rooms that use each other: {:?}",
            rooms.keys().filter(|r| !done.contains(*r)).collect::<Vec<_>>()
        );
    }
}
