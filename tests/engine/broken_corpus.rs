//! A good folder, broken in every known way: nothing panics, never is more reported than was there, and what is missing is named.

use std::collections::BTreeMap;
use std::process::Command;

use crate::common::Files;
use memlens::analysis::check::Verdict;
use memlens::matching::MatchRule;
use memlens::problem::ProblemKind;
use memlens::session::Session;
use memlens_simulator::{Options, Variety};

const TABLES: [&str; 3] = ["operator_memory.csv", "memory_record.csv", "trace_view.json"];

/// A simulated run without difficulties, its traces thinned to the operators that rows and stacks hang on.
fn good(ranks: u32) -> Files {
    let options = Options { ranks, steps: 1, seed: 31, variety: Variety::plain(), ..Options::default() };
    let (mut files, _) = Files::simulated(&options);
    files.0.retain(|(path, _)| !path.ends_with("truth.csv"));
    for (path, bytes) in &mut files.0 {
        if path.ends_with("trace_view.json") {
            *bytes = thinned(std::str::from_utf8(bytes).unwrap()).into_bytes();
        }
    }
    files
}

fn thinned(trace: &str) -> String {
    let events: Vec<serde_json::Value> = serde_json::from_str(trace).unwrap();
    let is_wanted = |event: &serde_json::Value| {
        let name = event["name"].as_str().unwrap_or_default();
        event["cat"] == "cpu_op" && !name.contains("aclnn") && name != "empty_tensor" && name != "aten::as_strided"
    };
    let events = events.into_iter().filter(is_wanted).map(|mut event| {
        event["args"].as_object_mut().unwrap().retain(|key, _| !key.starts_with("Input"));
        event.to_string()
    });
    format!("[{}]", events.collect::<Vec<_>>().join(", "))
}

fn bytes_of<'a>(files: &'a mut Files, name: &str) -> &'a mut Vec<u8> {
    &mut files.0.iter_mut().find(|(path, _)| path.ends_with(name)).unwrap().1
}

fn broken(good: &Files, name: &str, damage: impl FnOnce(&mut Vec<u8>)) -> Files {
    let mut files = Files(good.0.clone());
    damage(bytes_of(&mut files, name));
    files
}

/// What is known of a read rank.
struct Read {
    rows: BTreeMap<Vec<String>, u64>,
    count: u64,
    records: BTreeMap<String, u64>,
    matched: i64,
    /// All numbers there are.
    text: String,
    problems: Vec<ProblemKind>,
    /// Whether a truth check finds something.
    fails: bool,
}

fn read(session: &Session) -> Read {
    let summary = session.summary();
    let csv = crate::common::csv_text(session, true);
    let mut rows = BTreeMap::new();
    for row in crate::common::parse_csv(&csv).into_iter().skip(1) {
        *rows.entry(row).or_insert(0) += 1;
    }
    let all: i64 = memlens::analysis::answer::MatchKind::ALL.into_iter().map(|kind| summary.matches.get(kind)).sum();
    assert_eq!(all, session.row_count() as i64);
    Read {
        count: rows.values().sum(),
        rows,
        records: summary.records.clone().into_iter().collect(),
        matched: all - summary.matches.none,
        text: format!("{csv}{:?}{:?}{:?}", summary.peak, summary.pools, summary.records),
        problems: summary.problems.iter().map(|p| p.kind).collect(),
        fails: summary.checks.iter().any(|check| check.verdict() == Verdict::Fails),
    }
}

fn read_all(files: &Files) -> Vec<Read> {
    files.sessions(MatchRule::Best).iter().map(read).collect()
}

fn only(files: &Files) -> Read {
    let mut all = read_all(files);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// Never more rows, records or matches than the good folder has.
fn is_no_more(broken: &Read, good: &Read, what: &str) {
    assert!(broken.count <= good.count, "{what}: {} rows", broken.count);
    assert!(broken.matched <= good.matched, "{what}: {} matched", broken.matched);
    let counts = |read: &Read| read.records.values().sum::<u64>();
    assert!(counts(broken) <= counts(good), "{what}: {:?}", broken.records);
}

/// Where anything is not as in the good folder, that is said.
fn is_named(broken: &Read, good: &Read, what: &str) {
    is_no_more(broken, good, what);
    let is_new = |kind: &&ProblemKind| !good.problems.contains(kind);
    assert!(
        broken.text == good.text || broken.problems.iter().any(|kind| is_new(&kind)) || broken.fails,
        "{what}: nothing said"
    );
}

/// All that is there of a row but its stack stands in the good folder as well.
fn rows_are_of(broken: &Read, good: &Read, what: &str) {
    let without_stack = |row: &Vec<String>| row[..2].to_vec();
    let known: std::collections::BTreeSet<_> = good.rows.keys().map(without_stack).collect();
    for row in broken.rows.keys() {
        assert!(known.contains(&without_stack(row)), "{what}: {row:?} was never there");
    }
}

#[test]
fn the_good_folder_has_nothing_to_say() {
    let files = good(1);
    let read = only(&files);
    assert!(read.problems.is_empty() && !read.fails, "{:?}", read.problems);
    assert!(read.count > 100 && read.matched * 10 > read.count as i64 * 8, "{} of {}", read.matched, read.count);
    assert!(files.0.iter().all(|(_, bytes)| bytes.len() < 250_000), "small enough to be read a thousand times");
}

#[test]
fn cut_at_a_thousand_places() {
    let files = good(1);
    let whole = only(&files);
    let tables = Files(files.0.iter().filter(|(path, _)| !path.ends_with(TABLES[2])).cloned().collect());
    let whole_tables = only(&tables);
    for name in TABLES {
        // Where no trace is cut, none needs to be read.
        let (files, whole) = if name == TABLES[2] { (&files, &whole) } else { (&tables, &whole_tables) };
        let length = files.0.iter().find(|(path, _)| path.ends_with(name)).unwrap().1.len();
        let places = 1000 / TABLES.len() + 1;
        for place in 0..places {
            // Spread over the file, and at no fixed place within its lines.
            let at = length * place / places + place % 7;
            let what = format!("{name} cut at {at} of {length}");
            let found = only(&broken(files, name, |bytes| bytes.truncate(at)));
            is_named(&found, whole, &what);
            rows_are_of(&found, whole, &what);
        }
    }
}

#[test]
fn flipped_bits() {
    let files = good(1);
    let whole = only(&files);
    let mut random = 88_172_645_463_325_252u64;
    for turn in 0..120 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let name = TABLES[turn % TABLES.len()];
        let what = format!("{name} flip {random}");
        let found = only(&broken(&files, name, |bytes| {
            let at = (random >> 8) as usize % bytes.len();
            bytes[at] ^= 1 << (random % 8);
        }));
        is_no_more(&found, &whole, &what);
        // A digit or letter may have become another one; what is gone is named.
        let records = |read: &Read| read.records.values().sum::<u64>();
        let is_less = found.count < whole.count || records(&found) < records(&whole);
        assert!(!is_less || !found.problems.is_empty(), "{what}: nothing said");
    }
}

/// A table without one of its columns, as another program would write it.
fn without_column(text: &str, column: usize) -> String {
    let keep = |line: &str| {
        let cells = line.split(',').enumerate().filter(|(at, _)| *at != column).map(|(_, cell)| cell);
        cells.collect::<Vec<_>>().join(",")
    };
    text.trim_end().split("\r\n").map(|line| keep(line) + "\r\n").collect()
}

#[test]
fn columns_dropped() {
    let files = good(1);
    let whole = only(&files);
    for name in &TABLES[..2] {
        let text = String::from_utf8(bytes_of(&mut Files(files.0.clone()), name).clone()).unwrap();
        let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        for (column, title) in header.iter().enumerate() {
            let found = only(&broken(&files, name, |bytes| *bytes = without_column(&text, column).into_bytes()));
            is_no_more(&found, &whole, title);
            // Without these a table is none; older and other writers leave out the rest.
            let needed = ["Name", "Size(KB)", "Allocation Time(us)", "Component", "Timestamp(us)"];
            if needed.contains(title) {
                assert!(!found.problems.is_empty(), "{name} without {title}: nothing said");
            }
        }
    }
}

#[test]
fn rows_swapped_change_nothing_that_is_known() {
    let files = good(1);
    let whole = only(&files);
    for name in &TABLES[..2] {
        for distance in [1, 40] {
            let found = only(&broken(&files, name, |bytes| {
                let text = String::from_utf8(std::mem::take(bytes)).unwrap();
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                for at in (1..lines.len() - distance).step_by(2 * distance) {
                    lines.swap(at, at + distance);
                }
                *bytes = lines.concat().into_bytes();
            }));
            assert_eq!((&found.rows, &found.records), (&whole.rows, &whole.records), "{name}, {distance} apart");
        }
    }
}

#[test]
fn rows_removed_are_missed() {
    let files = good(1);
    let whole = only(&files);
    for name in &TABLES[..2] {
        for at in [1, 2, 57, 200] {
            let found = only(&broken(&files, name, |bytes| {
                let text = String::from_utf8(std::mem::take(bytes)).unwrap();
                let lines = text.split_inclusive('\n').enumerate().filter(|(line, _)| *line != at);
                *bytes = lines.map(|(_, line)| line).collect::<String>().into_bytes();
            }));
            is_no_more(&found, &whole, name);
        }
    }
}

#[test]
fn two_ranks_in_one_folder() {
    let files = good(2);
    let both = read_all(&files);
    let folders: Vec<String> = files.run().rank_folders.iter().map(|folder| folder.folder.clone()).collect();
    let (first, second): (Vec<_>, Vec<_>) =
        files.0.iter().cloned().partition(|(path, _)| path.contains(folders[0].rsplit('/').next().unwrap()));
    assert!(!second.is_empty());
    let (mut joined, mut copied) = (Files(first.clone()), Files(first));
    for (path, bytes) in &second {
        let name = path.rsplit('/').next().unwrap();
        if TABLES.contains(&name) {
            bytes_of(&mut joined, name).extend_from_slice(bytes);
            *bytes_of(&mut copied, name) = bytes.clone();
        }
        if name.starts_with("profiler_info") {
            let place = copied.0.iter().find(|(path, _)| path.contains("profiler_info")).unwrap().0.clone();
            let place = format!("{}/{name}", place.rsplit_once('/').unwrap().0);
            copied.0.push((place.clone(), bytes.clone()));
            joined.0.push((place, bytes.clone()));
        }
    }
    // The tables one behind the other: the second header is no row, and the trace begins anew.
    let found = only(&joined);
    assert!(found.count <= both[0].count + both[1].count);
    for kind in [ProblemKind::HeaderAgain, ProblemKind::Concatenated, ProblemKind::SeveralRanks] {
        assert!(found.problems.contains(&kind), "{kind:?}: {:?}", found.problems);
    }
    // One copied over the other.
    let found = only(&copied);
    assert_eq!(found.count, both[1].count);
    assert!(found.problems.contains(&ProblemKind::SeveralRanks), "{:?}", found.problems);
    // Tables of one rank, trace of the other.
    let mut mixed = Files(joined.0.clone());
    for name in TABLES {
        let from = if name == "trace_view.json" { &second } else { &files.0 };
        let bytes = from.iter().find(|(path, _)| path.ends_with(name)).unwrap().1.clone();
        *bytes_of(&mut mixed, name) = bytes;
    }
    assert!(only(&mixed).count <= both[0].count.max(both[1].count));
}

#[test]
fn files_removed_are_named() {
    let files = good(1);
    let whole = only(&files);
    for left_out in 1..1 << TABLES.len() {
        let is_out = |path: &str| (0..TABLES.len()).any(|at| left_out >> at & 1 == 1 && path.ends_with(TABLES[at]));
        let some = Files(files.0.iter().filter(|(path, _)| !is_out(path)).cloned().collect());
        let found = only(&some);
        is_named(&found, &whole, &format!("{left_out:b}"));
    }
    for name in ["profiler_info", "profiler_metadata"] {
        let some = Files(files.0.iter().filter(|(path, _)| !path.contains(name)).cloned().collect());
        is_no_more(&only(&some), &whole, name);
    }
}

/// The command on one folder of each kind: it ends well or says that something was lost, and never with a signal.
#[test]
fn the_command_reads_every_broken_folder() {
    let files = good(1);
    let half = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() / 2);
    let mut folders: Vec<(String, Files)> = Vec::new();
    for name in TABLES {
        folders.push((format!("cut {name}"), broken(&files, name, half)));
        folders.push((format!("empty {name}"), broken(&files, name, Vec::clear)));
        folders.push((format!("zeros {name}"), broken(&files, name, |bytes| bytes.fill(0))));
        let is_it = |path: &str| path.ends_with(name);
        folders.push((format!("no {name}"), Files(files.0.iter().filter(|(path, _)| !is_it(path)).cloned().collect())));
        folders.push((format!("twice {name}"), broken(&files, name, |bytes| bytes.extend_from_within(..))));
    }
    let place = std::env::temp_dir().join(format!("memlens-corpus-{}", std::process::id()));
    for (what, files) in &folders {
        let _ = std::fs::remove_dir_all(&place);
        for (path, bytes) in &files.0 {
            let path = place.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let output =
            Command::new(env!("CARGO_BIN_EXE_memlens")).args(["summary", "--json"]).arg(&place).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{what}: {:?} {said}", output.status);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(json.to_string().contains("problems"), "{what}: {json}");
    }
    std::fs::remove_dir_all(&place).unwrap();
}
