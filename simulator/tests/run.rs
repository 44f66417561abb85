//! The run as a whole: the same again, sizes, truth.csv, planted problems.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop at whatever is not as it says"
)]

#[expect(dead_code, reason = "each test file uses its own part")]
mod support;

use memlens_simulator::{Component, Directory, FolderTruth, Kind, Memory, Options, Plant, example_options, simulate};
use support::run;

fn small() -> Options {
    Options { ranks: 1, ..example_options() }
}

#[test]
fn the_same_options_give_the_same_bytes() {
    let first = run(&small());
    assert_eq!(first.files, run(&small()).files);
    let other = run(&Options { seed: 2, ..small() });
    let names = |files: &Memory| files.0.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_ne!(names(&first.files), names(&other.files));
}

#[test]
fn a_rank_folder_has_the_files_of_a_real_one() {
    let run = run(&small());
    let folder = &run.truth.folders[0].folder;
    let (role, name) = folder.split_once('/').unwrap();
    assert_eq!(role, "actor_update");
    let parts: Vec<&str> = name.strip_suffix("_ascend_pt").unwrap().rsplitn(3, '_').collect();
    assert_eq!((parts[0].len(), parts[1].parse::<u32>().is_ok()), (17, true), "{name}");
    let info: serde_json::Value =
        serde_json::from_slice(run.files.get(&format!("{folder}/profiler_info_0.json")).unwrap()).unwrap();
    assert_eq!(info["rank_id"], "0");
    assert_eq!(info["config"]["common_config"]["profile_memory"], true);
    let metadata: serde_json::Value =
        serde_json::from_slice(run.files.get(&format!("{folder}/profiler_metadata.json")).unwrap()).unwrap();
    assert_eq!(metadata["distributed_args"]["world_size"], 1);
    assert_eq!(run.files.0.len(), 2 * 5 + 1);
}

#[test]
fn traces_have_the_size_that_was_asked_for() {
    for (bytes, steps) in [(3_000_000, 3), (5_000_000, 1), (17_000_000, 4)] {
        let truth =
            simulate(&Options { trace_bytes: bytes, steps, ranks: 1, ..example_options() }, &mut Memory::default())
                .unwrap();
        for folder in truth.folders {
            let miss = folder.trace_bytes.abs_diff(bytes) as f64 / bytes as f64;
            assert!(miss < 0.03, "{}: {} for {bytes}", folder.role, folder.trace_bytes);
            assert_eq!(folder.steps.len() as u32, steps);
        }
    }
}

#[test]
fn a_larger_trace_has_more_blocks_over_a_longer_time() {
    let of = |bytes| {
        run(&Options { trace_bytes: bytes, roles: vec!["actor".to_owned()], ..small() }).truth.folders.remove(0)
    };
    let (few, many) = (of(4_000_000), of(16_000_000));
    let long = |folder: &FolderTruth| folder.steps[2].end_ns - folder.steps[0].start_ns;
    assert!(many.rows.len() > 3 * few.rows.len(), "{} {}", few.rows.len(), many.rows.len());
    assert!(long(&many) > 2 * long(&few));
}

#[test]
fn truth_csv_says_what_the_truth_says() {
    let run = run(&small());
    let text = std::str::from_utf8(run.files.get("truth.csv").unwrap()).unwrap();
    let mut cells = parse(text).into_iter();
    assert_eq!(
        cells.next().unwrap(),
        ["folder", "row", "name", "alloc_ns", "size_bytes", "component", "thread", "kind", "release_ns", "true_stack"]
    );
    for folder in &run.truth.folders {
        let rows = run.rows(folder);
        assert_eq!(rows.len(), folder.rows.len());
        for (at, (row, truth)) in rows.iter().zip(&folder.rows).enumerate() {
            assert_eq!((&row.name, row.alloc, row.size), (&truth.name, truth.alloc_ns, truth.size_bytes));
            let release = truth.release_ns.map_or(String::new(), |time| time.to_string());
            let expected = [
                folder.folder.clone(),
                at.to_string(),
                truth.name.clone(),
                truth.alloc_ns.to_string(),
                truth.size_bytes.to_string(),
                truth.component.name().to_owned(),
                truth.thread.to_string(),
                truth.kind.name().to_owned(),
                release,
                folder.stack_text(truth).to_owned(),
            ];
            assert_eq!(cells.next().unwrap(), expected);
        }
        let count = |component| folder.rows.iter().filter(|row| row.component == component).count() as u64;
        assert_eq!(folder.rows_by_component, [Component::Pta, Component::Ge, Component::Workspace].map(count));
    }
    assert_eq!(cells.next(), None);
}

/// A CSV with quotes.
fn parse(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    assert!(cell.is_empty() && row.is_empty() && !quoted);
    rows
}

#[test]
fn a_directory_gets_the_same_files_as_memory() {
    let path = std::env::temp_dir().join(format!("memlens-simulator-{}", std::process::id()));
    simulate(&small(), &mut Directory(path.clone())).unwrap();
    for (name, bytes) in run(&small()).files.0 {
        assert_eq!(std::fs::read(path.join(&name)).unwrap(), bytes, "{name}");
    }
    std::fs::remove_dir_all(path).unwrap();
}

fn with(plants: &[&str], ranks: u32) -> Vec<FolderTruth> {
    let plant = plants.iter().map(|text| text.parse::<Plant>().unwrap()).collect();
    let options = Options {
        plant,
        ranks,
        steps: 5,
        trace_bytes: 0,
        roles: vec!["actor_update".to_owned(), "rollout".to_owned()],
        ..example_options()
    };
    run(&options).truth.folders
}

#[test]
fn a_leak_is_one_block_a_step_at_its_line() {
    for folder in with(&["leak=40MB"], 1) {
        let planted = &folder.planted[0];
        assert_eq!(planted.rows.len(), 5);
        assert!(planted.line.ends_with("(412): keep_logits"), "{}", planted.line);
        for &at in &planted.rows {
            let block = &folder.rows[at as usize];
            assert_eq!(block.release_ns, None);
            assert!(block.size_bytes >= 40 << 20 && block.size_bytes < 42 << 20);
            assert!(folder.stack_text(block).starts_with(&planted.line));
            assert!(matches!(block.kind, Kind::Enclosing | Kind::Queue));
        }
        let clean = with(&[], 1).into_iter().find(|other| other.role == folder.role).unwrap();
        assert_eq!(folder.never_released, clean.never_released + 5);
    }
}

#[test]
fn the_odd_rank_alone_needs_more() {
    let folders = with(&["odd-rank=1:1.6"], 3);
    for role in ["actor_update", "rollout"] {
        let peaks: Vec<u64> =
            folders.iter().filter(|folder| folder.role == role).map(|folder| folder.peaks.allocated.bytes).collect();
        assert!(peaks[0].abs_diff(peaks[2]) < peaks[0] / 100, "{peaks:?}");
        assert!(peaks[1] as f64 > 1.08 * peaks[0] as f64, "{peaks:?}");
    }
    assert_eq!(folders.iter().map(|folder| folder.planted.len()).sum::<usize>(), 2);
}

#[test]
fn fragmentation_makes_reserved_grow_alone() {
    for (folder, clean) in with(&["fragmentation=64MB"], 1).iter().zip(&with(&[], 1)) {
        assert_eq!(folder.planted[0].rows.len(), 5);
        let reserved = folder.reserved_end - clean.reserved_end;
        let last = folder.rows[*folder.planted[0].rows.last().unwrap() as usize].size_bytes;
        assert!(reserved > last + (100 << 20), "{}: {reserved} over {last}", folder.role);
        let allocated = folder.peaks.allocated.bytes - clean.peaks.allocated.bytes;
        assert!(reserved > allocated, "{}: {reserved} {allocated}", folder.role);
    }
}

#[test]
fn memory_outside_the_pools_shows_in_the_process_alone() {
    for (folder, clean) in with(&["outside=20GB"], 1).iter().zip(&with(&[], 1)) {
        assert_eq!(folder.rows, clean.rows);
        let difference: Vec<u64> =
            folder.app.iter().zip(&clean.app).map(|(with, without)| with.1 - without.1).collect();
        assert!(difference.len() > 3 && difference.iter().all(|bytes| *bytes == 20 << 30));
    }
}

#[test]
fn churn_is_many_short_blocks_at_its_line() {
    for folder in with(&["churn=30"], 1) {
        let blocks: Vec<_> = folder.planted[0].rows.iter().map(|at| &folder.rows[*at as usize]).collect();
        assert_eq!(blocks.len(), 5 * 30);
        let short =
            blocks.iter().filter(|block| block.release_ns.is_some_and(|time| time - block.alloc_ns < 1_000_000));
        assert_eq!(short.count(), blocks.len());
    }
}
