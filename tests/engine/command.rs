//! The native command, as built: what it prints, what it writes, and how it ends.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::pack::{gzip, tar, zip};
use crate::common::{Files, HEADER_15, RECORD_HEADER_7, parse_csv};
use serde_json::Value;

/// A directory of this test alone, gone at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("memlens-command-{}-{test}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        Scratch(dir)
    }

    fn write(&self, files: &Files) -> &Scratch {
        for (path, bytes) in &files.0 {
            let path = self.0.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        self
    }

    fn path(&self, below: &str) -> String {
        self.0.join(below).to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn memlens_in(dir: Option<&Path>, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memlens"));
    command.args(arguments).env("LC_ALL", "C");
    if let Some(dir) = dir {
        command.current_dir(dir);
    }
    command.output().unwrap()
}

fn memlens(arguments: &[&str]) -> Output {
    memlens_in(None, arguments)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Rank folders `ROLE/NAME` of a run, each with one row at the given microsecond.
fn run(folders: &[(&str, Option<u64>, &[u64])]) -> Files {
    let mut files = Vec::new();
    for (folder, rank, times) in folders {
        if let Some(rank) = rank {
            files.push((format!("run/{folder}/profiler_info_{rank}.json"), b"{}".to_vec()));
        }
        let mut rows = HEADER_15.to_owned();
        let mut records = RECORD_HEADER_7.to_owned();
        for (at, time) in times.iter().enumerate() {
            rows += &format!("op {folder} {at},8,{time}.000\t,,,,,10,110,11,,,,7,NPU:0\r\n");
            records += &format!("PTA,{time}.000\t,10,110,11,7,NPU:0\r\n");
        }
        let output = format!("run/{folder}/ASCEND_PROFILER_OUTPUT");
        files.push((format!("{output}/operator_memory.csv"), rows.into_bytes()));
        files.push((format!("{output}/memory_record.csv"), records.into_bytes()));
        files.push((format!("{output}/trace_view.json"), b"[]".to_vec()));
    }
    Files(files)
}

fn names(output: &Output) -> Vec<String> {
    parse_csv(&stdout(output)).into_iter().skip(1).map(|record| record[0].clone()).collect()
}

#[test]
fn ranks_are_merged_by_time_then_role_rank_and_folder() {
    let scratch = Scratch::new("merge");
    scratch.write(&run(&[
        ("b/x_ascend_pt", Some(0), &[100, 300]),
        ("a/z_ascend_pt", Some(10), &[100, 100]),
        ("a/y_ascend_pt", Some(2), &[100, 250]),
        ("a/w_ascend_pt", None, &[50, 100]),
        ("a/v_ascend_pt", Some(10), &[100]),
    ]));
    let output = memlens(&["rows", &scratch.path("run")]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let wanted = [
        "op a/w_ascend_pt 0",
        "op a/y_ascend_pt 0",
        "op a/v_ascend_pt 0",
        "op a/z_ascend_pt 0",
        "op a/z_ascend_pt 1",
        "op a/w_ascend_pt 1",
        "op b/x_ascend_pt 0",
        "op a/y_ascend_pt 1",
        "op b/x_ascend_pt 1",
    ];
    assert_eq!(names(&output), wanted);
}

#[test]
fn only_the_roles_and_ranks_asked_for() {
    let scratch = Scratch::new("selection");
    scratch.write(&run(&[
        ("a/x_ascend_pt", Some(0), &[1]),
        ("a/y_ascend_pt", Some(1), &[2]),
        ("b/x_ascend_pt", Some(0), &[3]),
        ("b/z_ascend_pt", None, &[4]),
    ]));
    let path = scratch.path("run");
    let of = |more: &[&str]| names(&memlens(&[&["rows", &path], more].concat()));
    assert_eq!(of(&["--role", "a"]), ["op a/x_ascend_pt 0", "op a/y_ascend_pt 0"]);
    assert_eq!(of(&["--rank", "0"]), ["op a/x_ascend_pt 0", "op b/x_ascend_pt 0"]);
    assert_eq!(of(&["--rank", "0", "--rank", "1", "--role", "a", "--role", "b"]).len(), 3);
    let none = memlens(&["rows", &path, "--role", "c"]);
    assert_eq!((none.status.code(), none.stdout.len()), (Some(1), 0));
    assert!(String::from_utf8_lossy(&none.stderr).contains("a 0"), "{none:?}");
}

#[test]
fn both_forms_hold_the_same() {
    let scratch = Scratch::new("forms");
    let options = memlens_simulator::Options { ranks: 2, steps: 1, seed: 3, ..Default::default() };
    scratch.write(&Files::simulated(&options).0);
    for more in [&[][..], &["--extended"], &["--match", "reference"]] {
        let path = scratch.path("run");
        let csv = memlens(&[&["rows", &path], more].concat());
        let objects = memlens(&[&["rows", &path, "--format", "json"], more].concat());
        let mut records = parse_csv(&stdout(&csv)).into_iter();
        let header = records.next().unwrap();
        let text = stdout(&objects);
        let objects = json(&objects);
        let objects = objects.as_array().unwrap();
        assert!(objects.len() > 100);
        // One object a line, between the lines of the brackets.
        for ((record, object), line) in records.by_ref().zip(objects).zip(text.lines().skip(1)) {
            let object = object.as_object().unwrap();
            assert_eq!(object.len(), header.len());
            for (name, cell) in header.iter().zip(&record) {
                match &object[name] {
                    Value::String(text) => assert_eq!(text, cell, "{name}"),
                    Value::Null => assert_eq!(cell, "", "{name}"),
                    // A double in between would hide a lost digit.
                    Value::Number(_) => assert!(line.contains(&format!("\"{name}\": {cell}")), "{name} {cell}: {line}"),
                    other => panic!("{name}: {other}"),
                }
            }
        }
        assert_eq!(records.next(), None);
    }
}

#[test]
fn writes_to_a_file_what_it_would_print() {
    let scratch = Scratch::new("output");
    scratch.write(&run(&[("a/x_ascend_pt", Some(0), &[1, 2])]));
    let (path, out) = (scratch.path("run"), scratch.path("rows.csv"));
    let printed = memlens(&["rows", &path]);
    let written = memlens(&["rows", &path, "-o", &out]);
    assert_eq!((written.status.code(), written.stdout.len()), (Some(0), 0));
    assert_eq!(std::fs::read(&out).unwrap(), printed.stdout);
    assert!(!printed.stdout.contains(&b'\r'));
    let nowhere = memlens(&["rows", &path, "-o", &scratch.path("no/such/dir.csv")]);
    assert_eq!(nowhere.status.code(), Some(1));
}

#[test]
fn exit_status_tells_how_it_went() {
    let scratch = Scratch::new("status");
    scratch.write(&run(&[("a/x_ascend_pt", Some(0), &[1, 2])]));
    let good = scratch.path("run");
    for command in ["rows", "summary"] {
        assert_eq!(memlens(&[command, &good]).status.code(), Some(0));
        assert_eq!(memlens(&[command, &scratch.path("nothing here")]).status.code(), Some(1));
        assert_eq!(memlens(&[command]).status.code(), Some(2));
        assert_eq!(memlens(&[command, &good, "--rank", "x"]).status.code(), Some(2));
        // One of two given folders is missing: what is there is written.
        let half = memlens(&[command, &good, &scratch.path("nothing here")]);
        assert_eq!(half.status.code(), Some(3));
        assert!(!half.stdout.is_empty());
    }
    assert_eq!(memlens(&["rows", &good, "--match", "worst"]).status.code(), Some(2));
    let torn = scratch.path("run/a/x_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_memory.csv");
    let mut text = std::fs::read_to_string(&torn).unwrap();
    text.truncate(text.len() - 20);
    std::fs::write(&torn, text).unwrap();
    let lost = memlens(&["rows", &good]);
    assert_eq!((lost.status.code(), names(&lost).len()), (Some(3), 1));
    std::fs::write(&torn, "").unwrap();
    assert_eq!(memlens(&["summary", &good]).status.code(), Some(3));
    std::fs::remove_file(scratch.path("run/a/x_ascend_pt/ASCEND_PROFILER_OUTPUT/memory_record.csv")).unwrap();
    assert_eq!(memlens(&["rows", &good]).status.code(), Some(1));
}

#[test]
fn a_table_of_releases_alone_is_readable() {
    let scratch = Scratch::new("releases");
    let text = format!("{HEADER_15},-8,,100,,,,,,,10,110,11,7,NPU:0\n");
    scratch.write(&Files::rank(&[("operator_memory.csv", &text)]));
    let output = memlens(&["rows", &scratch.path("run")]);
    assert_eq!((output.status.code(), names(&output).len()), (Some(0), 1));
}

/// Folder, role and step of each rank folder.
fn identities(output: &Output) -> Vec<(String, String, Value)> {
    let document = json(output);
    let folders = document["rank_folders"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    folders.iter().map(|f| (text(&f["folder"]), text(&f["role"]), f["step"].clone())).collect()
}

#[test]
fn folders_are_named_from_the_given_one_on() {
    let scratch = Scratch::new("names");
    scratch.write(&run(&[("7/actor/x_ascend_pt", Some(0), &[1])]));
    let of = |dir: &str, given: &[&str]| {
        let dir = scratch.path(dir);
        let output = memlens_in(Some(Path::new(&dir)), &[&["summary", "--json"], given].concat());
        let all = [&output.stdout[..], &output.stderr[..]].concat();
        assert!(!String::from_utf8_lossy(&all).contains(scratch.0.to_str().unwrap()), "a host path got out");
        identities(&output)
    };
    let is = |folder: &str, role: &str, step: Option<u64>| vec![(folder.to_owned(), role.to_owned(), step.into())];
    let whole = is("run/7/actor/x_ascend_pt", "actor", Some(7));
    assert_eq!(of("", &["run"]), whole);
    assert_eq!(of("", &["run/"]), whole);
    assert_eq!(of("", &["./run/."]), whole);
    assert_eq!(of("run", &["."]), whole);
    assert_eq!(of("run/7", &[".."]), whole);
    assert_eq!(of("", &[&scratch.path("run")]), whole);
    assert_eq!(of("", &["run/7/actor"]), is("actor/x_ascend_pt", "actor", None));
    assert_eq!(of("", &["run/7/actor/x_ascend_pt"]), is("x_ascend_pt", "unknown", None));
    assert_eq!(of("run/7/actor/x_ascend_pt", &["."]), is("x_ascend_pt", "unknown", None));
    assert_eq!(
        of("run/7/actor/x_ascend_pt", &["ASCEND_PROFILER_OUTPUT"]),
        is("ASCEND_PROFILER_OUTPUT", "unknown", None)
    );
    // Given twice, or once more as a part of itself, it counts once.
    assert_eq!(of("", &["run", "run"]), whole);
    assert_eq!(of("", &["run", "./run/", "run/7/actor"]), whole);
}

#[test]
fn the_reference_rule_alone_takes_the_parent_of_this_machine() {
    let scratch = Scratch::new("canonical");
    scratch.write(&run(&[("b/x_ascend_pt", Some(0), &[100]), ("a/y_ascend_pt", Some(0), &[100])]));
    let given = [scratch.path("run/b/x_ascend_pt"), scratch.path("run/a/y_ascend_pt")];
    let roles = |rule: &str| -> Vec<String> {
        let output = memlens(&["rows", "--match", rule, &given[0], &given[1]]);
        parse_csv(&stdout(&output)).into_iter().skip(1).map(|record| record[1].clone()).collect()
    };
    assert_eq!(roles("best"), ["unknown", "unknown"]);
    // Ties go by role, whatever the order of the arguments.
    assert_eq!(roles("reference"), ["a", "b"]);
}

#[test]
fn folders_of_one_name_stay_two() {
    let scratch = Scratch::new("same-name");
    let files = run(&[("actor/rank0_ascend_pt", Some(0), &[100])]);
    for job in ["one", "two"] {
        let moved = Files(files.0.iter().map(|(path, bytes)| (format!("{job}/{path}"), bytes.clone())).collect());
        scratch.write(&moved);
    }
    let output = memlens(&["rows", &scratch.path("one/run"), &scratch.path("two/run"), "--extended"]);
    let records = parse_csv(&stdout(&output));
    let folders: Vec<&str> = records.iter().skip(1).map(|record| record[20].as_str()).collect();
    assert_eq!(folders, ["run (2)/actor/rank0_ascend_pt", "run/actor/rank0_ascend_pt"]);
}

#[test]
fn the_summary_has_every_documented_key_with_its_type() {
    let scratch = Scratch::new("summary");
    let options = memlens_simulator::Options { ranks: 1, steps: 1, seed: 3, ..Default::default() };
    scratch.write(&Files::simulated(&options).0);
    // A second folder without rank, trace or records, and with something to count.
    let text = format!("{HEADER_15}aten::a,8,100,,,,,oops,,,,,,7,NPU:0\n");
    scratch.write(&Files(vec![("run/lone/operator_memory.csv".to_owned(), text.into_bytes())]));
    let document = json(&memlens(&["summary", "--json", &scratch.path("run")]));
    assert_eq!(document["tool"], "memlens");
    assert_eq!(document["version"], env!("CARGO_PKG_VERSION"));
    assert!(document["problems"].is_array());
    let [actor, lone] = document["rank_folders"].as_array().unwrap().as_slice() else { panic!("{document}") };

    assert!(actor["folder"].as_str().unwrap().starts_with("run/actor_update/"));
    assert_eq!((&actor["role"], &actor["rank"], &actor["form"]), (&"actor_update".into(), &0.into(), &"text".into()));
    assert!(actor["step"].is_null());
    let integer = |value: &Value| value.as_i64().unwrap_or_else(|| panic!("no integer: {value}"));
    let window = actor["window_ns"].as_array().unwrap();
    assert!(window.len() == 2 && integer(&window[0]) < integer(&window[1]));
    let mut total = 0;
    for component in ["PTA", "GE", "WORKSPACE"] {
        let blocks = &actor["blocks"]["by_component"][component];
        assert!(integer(&blocks["never_released"]) <= integer(&blocks["total"]));
        total += integer(&blocks["total"]);
    }
    assert_eq!(integer(&actor["blocks"]["total"]), total);
    for component in ["APP", "PTA", "GE", "PTA+GE", "WORKSPACE"] {
        assert!(integer(&actor["records"][component]) > 0);
    }
    let kinds = ["enclosing", "forward", "queue", "python", "nearest", "ambiguous", "none"];
    let matches: i64 = kinds.iter().map(|kind| integer(&actor["match"][kind])).sum();
    assert_eq!(matches, total);
    let peaks = |value: &Value| {
        for quantity in ["allocated", "active", "reserved"] {
            integer(&value[quantity]["bytes"]);
            integer(&value[quantity]["time_ns"]);
        }
    };
    let pool = &actor["pools"][0];
    assert_eq!(
        (&pool["component"], &pool["device"], &pool["source"]),
        (&"PTA".into(), &"NPU:0".into(), &"memory_record".into())
    );
    peaks(&pool["peak"]);
    peaks(&actor["peak"]);
    integer(&pool["baseline_bytes"]["start"]);
    integer(&pool["baseline_bytes"]["end"]);
    assert!(integer(&pool["comparison"]["events"]) > 0);
    assert_eq!((&pool["comparison"]["mismatches"], &pool["comparison"]["first"]), (&0.into(), &Value::Null));
    assert_eq!(actor["top"]["at_ns"], actor["peak"]["allocated"]["time_ns"]);
    for by in ["operator", "stack", "user_frame"] {
        let groups = actor["top"][by].as_array().unwrap();
        assert!(!groups.is_empty() && groups.len() <= 10);
        for group in groups {
            assert!(group["key"].is_string() || group["key"].is_null() && by != "operator");
            assert!(integer(&group["blocks"]) > 0);
            let by_match: i64 = group["by_match"].as_object().unwrap().values().map(integer).sum();
            assert_eq!(by_match, integer(&group["bytes"]));
        }
    }

    assert!(lone["rank"].is_null() && lone["step"].is_null() && lone["top"].is_null());
    assert!(lone["peak"]["allocated"].is_null());
    assert_eq!((&lone["folder"], &lone["role"]), (&"run/lone".into(), &"run".into()));
    let problems = lone["problems"].as_array().unwrap();
    let bad = problems.iter().find(|p| p["kind"] == "bad_number").unwrap();
    assert_eq!(
        (&bad["file"], &bad["place"]),
        (&"operator_memory.csv".into(), &"row 2, Allocation Total Allocated(MB)".into())
    );
    assert_eq!(bad["count"], 1);
    assert!(bad["text"].as_str().unwrap().contains("oops"));
}

#[test]
fn the_group_without_a_stack_has_no_key() {
    let scratch = Scratch::new("no-stack");
    scratch.write(&run(&[("a/x_ascend_pt", Some(0), &[100])]));
    let document = json(&memlens(&["summary", "--json", &scratch.path("run")]));
    for by in ["stack", "user_frame"] {
        let group = &document["rank_folders"][0]["top"][by][0];
        assert_eq!(
            (&group["key"], &group["bytes"], &group["by_match"]["none"]),
            (&Value::Null, &8192.into(), &8192.into())
        );
    }
}

#[test]
fn the_summary_in_words() {
    let scratch = Scratch::new("words");
    scratch.write(&run(&[("a/x_ascend_pt", Some(0), &[100, 200])]));
    let path = scratch.path("run");
    let english = stdout(&memlens(&["summary", &path, "--lang", "en"]));
    let chinese = stdout(&memlens(&["summary", &path, "--lang", "zh"]));
    for text in [&english, &chinese] {
        assert!(
            text.starts_with("run/a/x_ascend_pt\n") && text.contains("PTA NPU:0") && text.contains("op a/x_ascend_pt")
        );
    }
    assert_ne!(english, chinese);
    assert!(!chinese.is_ascii());
}

#[cfg(unix)]
#[test]
fn names_neither_break_lines_nor_speak_to_the_terminal() {
    let scratch = Scratch::new("odd-names");
    let name = "ro\u{1b}[31m\nle";
    scratch.write(&run(&[(&format!("{name}/x_ascend_pt"), Some(0), &[1])]));
    let path = scratch.path("run");
    let summary = memlens(&["summary", &path]);
    let (rows, none) = (memlens(&["rows", &path]), memlens(&["rows", &path, "--role", "c"]));
    for said in [summary.stdout, summary.stderr, rows.stderr, none.stderr] {
        let text = String::from_utf8(said).unwrap();
        assert!(!text.contains('\u{1b}') && !text.lines().any(|line| line.starts_with("le")), "{text}");
    }
    assert!(stdout(&memlens(&["summary", &path])).contains("ro\\u{1b}[31m\\nle"));
    // What is data stays as it is.
    assert!(stdout(&memlens(&["rows", &path])).contains(name));
    let [(_, role, _)] = &identities(&memlens(&["summary", "--json", &path]))[..] else { panic!() };
    assert_eq!(role, name);
}

#[test]
fn an_empty_selection_is_told_in_the_locales_language() {
    let scratch = Scratch::new("language");
    scratch.write(&run(&[("a/x_ascend_pt", Some(0), &[1])]));
    let mut command = Command::new(env!("CARGO_BIN_EXE_memlens"));
    command.args(["rows", &scratch.path("run"), "--rank", "7"]).env("LC_ALL", "zh_CN.UTF-8");
    let told = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert!(told.contains("没有符合") && told.contains("--rank 7") && !told.contains("no rank"), "{told}");
}

#[test]
fn files_of_one_name_from_two_folders_are_two_recordings() {
    let scratch = Scratch::new("same-file-name");
    let table = |name: &str| format!("{HEADER_15}{name},8,100.000\t,,,,,10,110,11,,,,7,NPU:0\r\n");
    let archive = |name: &str| zip(&[("x_ascend_pt/operator_memory.csv".to_owned(), table(name).into_bytes())]);
    let mut files = Vec::new();
    for name in ["one", "two"] {
        files.push((format!("{name}/operator_memory.csv"), table(name).into_bytes()));
        files.push((
            format!("{name}/memory_record.csv"),
            format!("{RECORD_HEADER_7}PTA,1,1,1,1,7,NPU:0\r\n").into_bytes(),
        ));
        files.push((format!("{name}/run.zip"), archive(name)));
    }
    scratch.write(&Files(files));
    let of = |given: &[&str]| {
        let given: Vec<String> = given.iter().map(|path| scratch.path(path)).collect();
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let mut names = names(&memlens(&[&["rows"], &given[..]].concat()));
        names.sort();
        names
    };
    assert_eq!(of(&["one/operator_memory.csv", "two/operator_memory.csv"]), ["one", "two"]);
    assert_eq!(of(&["one/run.zip", "two/run.zip"]), ["one", "two"]);
    assert_eq!(of(&["one/run.zip", "one/run.zip"]), ["one"]);
    let paths =
        ["one/operator_memory.csv", "two/operator_memory.csv", "one/memory_record.csv", "two/memory_record.csv"];
    let paths = paths.map(|path| scratch.path(path));
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let document = json(&memlens(&[&["summary", "--json"], &paths[..]].concat()));
    let folders = document["rank_folders"].as_array().unwrap();
    // Each with its own records.
    assert_eq!(folders.iter().map(|f| &f["records"]["PTA"]).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(folders.iter().map(|f| f["folder"].as_str().unwrap()).collect::<Vec<_>>(), ["(2)", "."]);
}

#[test]
fn folders_without_a_role_are_no_steps_of_each_other() {
    let scratch = Scratch::new("no-steps");
    scratch.write(&run(&[("a/x_ascend_pt", Some(0), &[1]), ("b/x_ascend_pt", Some(0), &[2])]));
    let given = [scratch.path("run/a/x_ascend_pt"), scratch.path("run/b/x_ascend_pt")];
    let found = identities(&memlens(&["summary", "--json", &given[0], &given[1]]));
    assert_eq!(
        found.iter().map(|(_, role, step)| (role.as_str(), step)).collect::<Vec<_>>(),
        [("unknown", &Value::Null); 2]
    );
}

#[cfg(unix)]
#[test]
fn a_socket_under_a_file_s_name_is_named_and_not_waited_for() {
    let scratch = Scratch::new("socket");
    scratch.write(&run(&[("a/x_ascend_pt", Some(0), &[1])]));
    let output = scratch.path("run/a/x_ascend_pt/ASCEND_PROFILER_OUTPUT");
    let table = format!("{output}/operator_memory.csv");
    std::fs::remove_file(&table).unwrap();
    // A pipe would be waited for; a socket of the same place is as little a file, and can be made here.
    let _socket = std::os::unix::net::UnixListener::bind(&table).unwrap();
    let _other = std::os::unix::net::UnixListener::bind(format!("{output}/agent")).unwrap();
    let summary = memlens(&["summary", "--json", &scratch.path("run")]);
    assert_eq!(summary.status.code(), Some(3), "{summary:?}");
    let document = json(&summary);
    let [only] = document["problems"].as_array().unwrap().as_slice() else { panic!("{document}") };
    assert_eq!(only["kind"], "not_a_file");
    assert!(only["file"].as_str().unwrap().ends_with("operator_memory.csv"));
}

#[cfg(unix)]
#[test]
fn links_are_read_under_their_own_names() {
    let scratch = Scratch::new("links");
    scratch.write(&run(&[("a/x_ascend_pt", Some(0), &[1, 2])]));
    let whole = memlens(&["rows", &scratch.path("run")]);
    let table = scratch.path("run/a/x_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_memory.csv");
    for place in ["run/data.bin", "run/a/x_ascend_pt/data.bin"] {
        let data = scratch.path(place);
        std::fs::rename(&table, &data).unwrap();
        std::os::unix::fs::symlink(&data, &table).unwrap();
        let read = memlens(&["rows", &scratch.path("run")]);
        assert_eq!((names(&read), stdout(&read)), (names(&whole), stdout(&whole)), "{place}");
        std::fs::remove_file(&table).unwrap();
        std::fs::rename(&data, &table).unwrap();
    }
    // A folder behind a link beside it still counts once.
    std::os::unix::fs::symlink(scratch.path("run/a"), scratch.path("run/latest")).unwrap();
    assert_eq!(stdout(&memlens(&["rows", &scratch.path("run")])), stdout(&whole));
}

/// A small run with a leak of 40 MB a step, as the commands read it.
fn leaking(test: &str) -> Scratch {
    let plant = vec!["leak".parse().unwrap()];
    let options =
        memlens_simulator::Options { roles: vec!["rollout".to_owned()], ranks: 1, plant, ..Default::default() };
    let scratch = Scratch::new(test);
    scratch.write(&Files::simulated(&options).0);
    scratch
}

#[test]
fn findings_name_the_leak_and_its_rule() {
    let scratch = leaking("findings");
    let path = scratch.path("run");
    let document = json(&memlens(&["findings", &path, "--json"]));
    let findings = document["findings"].as_array().unwrap();
    let leak = findings.iter().find(|finding| finding["kind"] == "leak").unwrap();
    assert_eq!((&leak["bytes"], &leak["numbers"]["steps"]), (&Value::from(3 * 41_943_552_u64), &Value::from(3)));
    assert_eq!(leak["where"]["group"][0], "stack");
    assert!(leak["text"].as_str().unwrap().contains("npu_rollout.py(412): keep_logits"));
    assert!(leak["rule"].as_str().unwrap().contains("never released"));
    assert!(findings.is_sorted_by_key(|finding| -finding["bytes"].as_i64().unwrap()));
    let english = memlens(&["findings", &path, "--rules"]);
    assert_eq!(english.status.code(), Some(0), "{english:?}");
    assert!(stdout(&english).contains("Suspected leak: rollout rank 0"));
    let chinese = stdout(&memlens(&["findings", &path, "--lang", "zh"]));
    assert!(chinese.contains("疑似泄漏：rollout Rank 0") && chinese.contains("每步遗留 40.00 MiB"), "{chinese}");
}

#[test]
fn top_adds_up_to_the_recorded_total() {
    let scratch = leaking("top");
    let path = scratch.path("run");
    for by in ["operator", "stack", "user-frame", "module", "size", "age"] {
        let document = json(&memlens(&["top", &path, "--by", by, "--json", "--limit", "1000"]));
        let top = &document["rank_folders"][0]["top"];
        let groups = top["top"]["groups"].as_array().unwrap();
        let bytes: i64 = groups.iter().map(|group| group["bytes"].as_i64().unwrap()).sum();
        let beside = |key: &str| top["beside"][key].as_i64().unwrap();
        let total = bytes - beside("leaving_bytes") + beside("baseline_bytes");
        assert_eq!((total, beside("unexplained_bytes")), (beside("recorded_bytes"), 0), "{by}");
    }
    let text = stdout(&memlens(&["top", &path, "--at", "step:28", "--limit", "2"]));
    assert!(text.contains("other groups") && text.contains("recorded total"), "{text}");
    assert!(text.lines().last().is_some_and(|line| line.is_empty()), "{text}");
    let missing = memlens(&["top", &path, "--at", "step:7"]);
    assert!(stdout(&missing).contains("there is no step:7"), "{missing:?}");
    assert_eq!(memlens(&["top", &path, "--at", "noon"]).status.code(), Some(2));
}

#[test]
fn growth_shows_the_leak_first_and_what_made_the_pool_grow() {
    let scratch = leaking("growth");
    let path = scratch.path("run");
    let document = json(&memlens(&["growth", &path, "--from", "step:28", "--to", "step:30", "--json"]));
    let answers = &document["rank_folders"][0];
    let first = &answers["growth"]["groups"][0];
    assert!(first["key"].as_str().unwrap().contains("keep_logits"), "{first}");
    assert_eq!((&first["never_released_blocks"], &first["is_monotonic"]), (&Value::from(3), &Value::from(true)));
    assert!(answers["reserved"]["growths"].as_array().unwrap().iter().any(|growth| growth["trigger"].is_object()));
    let chinese = stdout(&memlens(&["growth", &path, "--lang", "zh"]));
    assert!(chinese.contains("+120.00 MiB") && chinese.contains("预留增长"), "{chinese}");
}

#[test]
fn a_tree_adds_up_and_its_frames_can_be_asked_for() {
    let scratch = leaking("tree");
    let path = scratch.path("run");
    let document = json(&memlens(&["tree", &path, "--json", "--least", "5"]));
    let tree = &document["rank_folders"][0]["tree"];
    let nodes = tree["nodes"].as_array().unwrap();
    let number = |value: &Value| value.as_i64().unwrap();
    let mut below = vec![0; nodes.len()];
    for node in &nodes[1..] {
        below[number(&node["parent"]) as usize] += number(&node["total_bytes"]);
    }
    for (node, below) in nodes.iter().zip(below) {
        assert_eq!(number(&node["total_bytes"]), number(&node["own_bytes"]) + below);
    }
    let beside = |key: &str| number(&tree["beside"][key]);
    let total = number(&nodes[0]["total_bytes"]) - beside("leaving_bytes") + beside("baseline_bytes");
    assert_eq!((total, beside("unexplained_bytes")), (beside("recorded_bytes"), 0));
    let least = number(&nodes[0]["total_bytes"]) / 20;
    assert!(nodes.iter().all(|node| node["what"].get("smaller").is_some() || number(&node["total_bytes"]) >= least));
    // The line of the leak is called by what calls it, and holds three blocks at the end.
    let frame = ["tree", &path, "--at", "end", "--frame", "keep_logits"];
    let document = json(&memlens(&[&frame[..], &["--json", "--least", "0"]].concat()));
    let sandwich = &document["rank_folders"][0]["sandwich"];
    for half in ["callers", "callees"] {
        let root = &sandwich[half][0];
        assert_eq!((number(&root["total_bytes"]), &root["blocks"]), (3 * 41_943_552, &Value::from(3)), "{half}");
    }
    let text = stdout(&memlens(&frame));
    assert!(text.contains("called by") && text.contains("npu_rollout.py(412): keep_logits"), "{text}");
    let several = stdout(&memlens(&["tree", &path, "--frame", ".py"]));
    assert!(several.contains("frames; the largest of them"), "{several}");
    assert!(stdout(&memlens(&["tree", &path, "--frame", "nowhere.py"])).contains("no call stack"));
    let allocated =
        stdout(&memlens(&["tree", &path, "--from", "step:28", "--to", "step:28", "--inverted", "--lang", "zh"]));
    assert!(allocated.contains("期间分配") && allocated.contains("全部") && allocated.contains("自身"), "{allocated}");
    assert_eq!(memlens(&["tree", &path, "--least", "200"]).status.code(), Some(2));
    assert_eq!(memlens(&["tree", &path, "--at", "end", "--from", "start"]).status.code(), Some(2));
}

#[test]
fn what_differs_between_two_ranks_adds_up() {
    let plant = vec!["odd-rank=1".parse().unwrap(), "leak".parse().unwrap()];
    let options = memlens_simulator::Options { roles: vec!["actor".to_owned()], ranks: 2, plant, ..Default::default() };
    let scratch = Scratch::new("compare");
    let (files, truth) = Files::simulated(&options);
    scratch.write(&files);
    let path = scratch.path("run");
    let [a, b] = [0, 1].map(|at| scratch.path(&format!("run/{}", truth.folders[at].folder)));
    let number = |value: &Value| value.as_i64().unwrap();
    let bytes = |value: &Value, key: &str| number(&value[key]["b"]["bytes"]) - number(&value[key]["a"]["bytes"]);
    let chosen = ["compare", &path, "--a", "rank=0", "--b", "rank=1", "--json", "--by", "stack", "--limit", "7"];
    let document = json(&memlens(&chosen));
    let compared = &document["compared"];
    for key in ["live", "allocated"] {
        let groups = compared["groups"].as_array().unwrap();
        assert_eq!(groups.len(), 7);
        let sum = groups.iter().map(|group| bytes(group, key)).sum::<i64>() + bytes(&compared["others"], key);
        assert_eq!(sum, bytes(&compared["all"], key));
        assert!(sum > 0);
    }
    // With what no row tells it is the difference of the recorded peaks.
    let recorded = [0, 1].map(|at| number(&compared["beside"][at]["recorded_bytes"]));
    let peaks = [0, 1].map(|at| truth.folders[at].peaks.allocated.bytes as i64);
    assert_eq!(recorded, peaks);
    let curves = &document["curves"];
    assert_eq!((&curves["by"], curves["stretches"].as_array().unwrap().len()), (&Value::from("step"), 3));
    let highest = curves["peaks"].as_array().unwrap().iter().map(|both| number(&both[1]["bytes"])).max();
    assert_eq!(highest, Some(peaks[1]));
    // The same of two folders.
    let folders = json(&memlens(&["compare", &a, &b, "--json", "--by", "stack", "--limit", "7"]));
    assert_eq!(folders["compared"], *compared);
    // One step against another: the leak is what both do not have alike.
    let steps = ["compare", &path, "--a", "rank=0,at=step:28", "--b", "rank=0,at=step:30", "--json"];
    let steps = json(&memlens(&steps));
    assert_eq!(steps["curves"]["by"], "start");
    let leak = steps["compared"]["groups"].as_array().unwrap();
    let leak = leak.iter().find(|group| group["key"].as_str().is_some_and(|key| key.contains("keep_"))).unwrap();
    assert_eq!((bytes(leak, "live"), bytes(leak, "allocated")), (2 * 41_943_552, 0));
    let text = stdout(&memlens(&["compare", &path, "--a", "rank=0", "--b", ""]));
    assert!(text.contains("B: 2 rank folders together") && text.contains("highest peak"), "{text}");
    let chinese = stdout(&memlens(&["compare", &a, &b, "--lang", "zh"]));
    assert!(chinese.contains("累计分配变化") && chinese.contains("已分配峰值"), "{chinese}");
    assert_eq!(memlens(&["compare", &path]).status.code(), Some(2));
    let missing = memlens(&["compare", &path, "--a", "rank=0", "--b", "rank=9"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8(missing.stderr).unwrap().contains("actor 0, actor 1"), "{text}");
}

#[test]
fn an_archive_beside_its_folder_is_left_out_only_if_it_holds_the_same() {
    let files = run(&[("actor/r0_ascend_pt", Some(0), &[5, 6])]);
    // The same names and sizes; another operator in one of the tables.
    let mut other = Files(files.0.clone());
    let table = other.0.iter_mut().find(|(path, _)| path.ends_with("operator_memory.csv")).unwrap();
    let at = table.1.windows(2).position(|pair| pair == b"op").unwrap();
    table.1[at] = b'x';
    let archives =
        |files: &Files| [("run.zip", zip(&files.0)), ("run.tar", tar(&files.0)), ("run.tar.gz", gzip(&tar(&files.0)))];
    for ((name, same), (_, differs)) in archives(&files).into_iter().zip(archives(&other)) {
        let scratch = Scratch::new(&format!("beside-{name}"));
        let read = |packed: &[u8]| {
            scratch.write(&files).write(&Files(vec![(name.to_owned(), packed.to_vec())]));
            let output = memlens(&["summary", "--json", &scratch.path("")]);
            let value = json(&output);
            let folders = value["rank_folders"].as_array().unwrap().len();
            let kinds: Vec<String> =
                value["problems"].as_array().unwrap().iter().map(|p| p["kind"].as_str().unwrap().to_owned()).collect();
            (folders, kinds)
        };
        assert_eq!(read(&same), (1, vec!["archive_unpacked".to_owned()]), "{name}");
        assert_eq!(read(&differs), (2, vec![]), "{name}");
    }
}

#[test]
fn reserved_churn_and_outside_are_told_with_their_numbers() {
    let plant = ["churn", "fragmentation", "outside"].map(|plant| plant.parse().unwrap()).to_vec();
    let options =
        memlens_simulator::Options { roles: vec!["rollout".to_owned()], ranks: 1, plant, ..Default::default() };
    let scratch = Scratch::new("outside");
    scratch.write(&Files::simulated(&options).0);
    let path = scratch.path("run");
    let number = |value: &Value| value.as_i64().unwrap();
    let first = |arguments: &[&str]| {
        let document = json(&memlens(&[arguments, &[path.as_str(), "--json"]].concat()));
        document["rank_folders"][0].clone()
    };
    // Each growth with the allocation that made it; all of them lead from the first total to the last.
    let reserved = first(&["reserved", "--limit", "1000"]);
    let growths = reserved["reserved"]["growths"].as_array().unwrap().clone();
    assert_eq!(
        growths.iter().map(|growth| number(&growth["bytes"])).sum::<i64>(),
        number(&reserved["reserved"]["growth_bytes"])
    );
    assert!(growths.iter().filter(|growth| growth["trigger"].is_object()).count() * 10 >= growths.len() * 9);
    let churn = first(&["churn", "--within", "1ms", "--limit", "100"]);
    let stretch = |group: &Value| number(&group["longest"]["blocks"]);
    assert!(churn["churn"]["groups"].as_array().unwrap().iter().any(|group| stretch(group) >= 50));
    let live = first(&["top", "--by", "stack"]);
    let within = number(&churn["temporaries"]["total_bytes"]);
    assert!(within <= number(&live["top"]["top"]["total_bytes"]));
    let forever = first(&["churn", "--within", "3600s", "--at", "peak"]);
    assert!(number(&forever["temporaries"]["total_bytes"]) >= within);
    let outside = first(&["outside"]);
    let totals = outside["totals"].as_array().unwrap();
    let of = |component: &str| totals.iter().find(|pool| pool["pool"]["component"] == component).unwrap();
    // A pool holds nothing before its first event.
    let pools = ["PTA", "GE", "WORKSPACE"].map(|pool| of(pool)["reserved"].as_i64().unwrap_or(0)).iter().sum::<i64>();
    let most = number(&outside["outside_bytes"]);
    assert_eq!(number(&of("APP")["reserved"]) - pools, most);
    assert!(most >= 20 << 30);
    let ge = first(&["top", "--pool", "GE", "--by", "operator"]);
    assert_eq!(ge["top"]["top"]["pool"]["component"], "GE");
    assert_eq!(ge["top"]["top"]["groups"], outside["graph_engine"][0]["groups"]);
    for (command, word) in [("reserved", "预留增长"), ("churn", "内释放"), ("outside", "内存池之外最多时")]
    {
        let text = stdout(&memlens(&[command, &path, "--lang", "zh"]));
        assert!(text.contains(word), "{command}: {text}");
    }
    let missing = stdout(&memlens(&["top", &path, "--pool", "HEAP"]));
    assert!(missing.contains("there is no pool HEAP") && missing.contains("PTA/NPU:0"), "{missing}");
    assert_eq!(memlens(&["churn", &path, "--within", "soon"]).status.code(), Some(2));
}

#[test]
fn growth_goes_from_recording_to_recording() {
    let file = |folder: &str, sizes: &[u64]| {
        let mut rows = HEADER_15.to_owned();
        let mut records = RECORD_HEADER_7.to_owned();
        for (at, size) in sizes.iter().enumerate() {
            rows += &format!("op{at},{size},1{at}.000\t,,,,,10,110,11,,,,7,NPU:0\r\n");
            records += &format!("PTA,1{at}.000\t,10,110,11,7,NPU:0\r\n");
        }
        let place = format!("run/actor/{folder}");
        let output = format!("{place}/ASCEND_PROFILER_OUTPUT");
        [
            (format!("{place}/profiler_info_0.json"), b"{}".to_vec()),
            (format!("{output}/operator_memory.csv"), rows.into_bytes()),
            (format!("{output}/memory_record.csv"), records.into_bytes()),
        ]
    };
    let recordings = [("h_1_20260526085155596_ascend_pt", [8, 4]), ("h_1_20260526095155596_ascend_pt", [8, 9])];
    let files = recordings.iter().flat_map(|(folder, sizes)| file(folder, sizes)).collect();
    let scratch = Scratch::new("across");
    scratch.write(&Files(files));
    let path = scratch.path("run");
    let document = json(&memlens(&["growth", &path, "--across", "--by", "operator", "--json"]));
    let [answer] = document["across"].as_array().unwrap().as_slice() else { panic!("{document}") };
    assert_eq!(
        (&answer["live_bytes"], &answer["change_bytes"]),
        (&Value::from(vec![12 << 10, 17 << 10]), &Value::from(5 << 10))
    );
    assert_eq!(answer["groups"][0]["key"], "op1");
    let text = stdout(&memlens(&["growth", &path, "--across", "--by", "operator"]));
    assert!(text.contains("2 recordings") && text.contains("+5.00 KiB"), "{text}");
}

#[test]
fn a_report_is_one_file_that_names_no_path() {
    let scratch = leaking("report");
    let (path, file) = (scratch.path("run"), scratch.path("report.html"));
    assert_eq!(memlens(&["report", &path, "-o", &file]).status.code(), Some(0));
    let plain = std::fs::read_to_string(&file).unwrap();
    assert!(plain.contains("Suspected leak") && plain.contains("<svg") && !plain.contains("<script"));
    let given = scratch.0.file_name().unwrap().to_str().unwrap();
    assert!(!plain.contains(given) && !plain.contains("ascend_pt") && !plain.contains(".py("));
    let whole = stdout(&memlens(&["report", &path, "-o", "-", "--with-stacks", "--lang", "zh"]));
    assert!(whole.contains("疑似泄漏") && whole.contains("keep_logits") && whole.contains("ascend_pt"));
}
