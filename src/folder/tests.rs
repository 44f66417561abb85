use super::*;

fn run(paths: &[(&str, &str)]) -> Run {
    let files: Vec<FileEntry> =
        paths.iter().map(|(path, text)| FileEntry::new((*path).to_owned(), text.len() as u64)).collect();
    find(&files).finish(|wanted| Some(paths[wanted.index].1.as_bytes().to_vec()))
}

fn kinds(folder: &RankFolder) -> Vec<ProblemKind> {
    folder.problems.iter().map(|p| p.kind).collect()
}

#[test]
fn finds_roles_ranks_and_files_at_any_depth() {
    let out = "ASCEND_PROFILER_OUTPUT";
    let base = "run/7/actor_update/host_3000_20260526085155596_ascend_pt";
    let found = run(&[
        (
            &format!("{base}/profiler_info_3.json"),
            r#"{"rank_id": "9", "config": {"common_config": {"with_stack": true}}}"#,
        ),
        (&format!("{base}/{out}/trace_view.json"), "[]"),
        (&format!("{base}/{out}/operator_memory.csv"), "x"),
        (&format!("{base}/{out}/memory_record.csv"), "x"),
        (&format!("{base}/{out}/kernel_details.csv"), "x"),
        ("run/rollout/x_ascend_pt/profiler_info.json", r#"{"rank_id": 2}"#),
        ("run/rollout/x_ascend_pt/profiler_metadata.json", r#"{"role": "ref"}"#),
        ("run/rollout/x_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_memory.csv", "x"),
    ]);
    assert!(found.problems.is_empty());
    let [actor, rollout] = found.rank_folders.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        (actor.folder.as_str(), actor.role.as_str(), actor.rank, actor.step),
        (base, "actor_update", Some(3), Some(7))
    );
    assert_eq!(actor.with_stack, Some(true));
    assert_eq!(
        actor.files.iter().map(|f| (f.kind, f.index)).collect::<Vec<_>>(),
        [(FileKind::MemoryRecord, 3), (FileKind::OperatorMemory, 2), (FileKind::Trace, 1)]
    );
    assert_eq!(kinds(actor), []);
    assert_eq!((rollout.role.as_str(), rollout.role_source, rollout.rank), ("ref", RoleSource::Metadata, Some(2)));
    assert_eq!(kinds(rollout), [ProblemKind::NoMemoryRecord, ProblemKind::NoTrace]);
}

#[test]
fn a_folder_counts_by_what_it_holds() {
    let found = run(&[
        ("test_rank_0/ASCEND_PROFILER_OUTPUT/memory_record.csv", "x"),
        ("plain/operator_memory.csv", "x"),
        ("ASCEND_PROFILER_OUTPUT/operator_memory.csv", "x"),
        ("other/trace_view.json", "x"),
    ]);
    let folders: Vec<_> = found.rank_folders.iter().map(|f| (f.folder.as_str(), f.files.len())).collect();
    assert_eq!(folders, [("ASCEND_PROFILER_OUTPUT", 1), ("other", 1), ("plain", 1), ("test_rank_0", 1)]);
    assert!(found.rank_folders.iter().all(|f| f.role == "unknown" && f.rank.is_none()));
}

#[test]
fn loose_files_are_one_recording() {
    let found = run(&[("trace_view.json", "[]"), ("operator_memory.csv", "x"), ("profiler_info_4.json", "{}")]);
    let [only] = found.rank_folders.as_slice() else { panic!("{found:?}") };
    assert_eq!((only.folder.as_str(), only.rank, only.files.len()), (".", Some(4), 2));
}

#[test]
fn says_what_is_missing() {
    let found = run(&[
        ("a/raw_ascend_pt/FRAMEWORK/torch.op_range", "x"),
        ("a/raw_ascend_pt/PROF_000001_x/host/data", "x"),
        ("a/empty_ascend_pt/", ""),
        ("a/off_ascend_pt/profiler_info_0.json", r#"{"config": {"common_config": {"profile_memory": false}}}"#),
        ("a/db_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db", "x"),
    ]);
    let of = |name: &str| found.rank_folders.iter().find(|f| f.folder == format!("a/{name}_ascend_pt")).unwrap();
    assert!(kinds(of("raw")).contains(&ProblemKind::NotAnalysed));
    assert!(kinds(of("empty")).contains(&ProblemKind::NoMemoryFile));
    assert_eq!(kinds(of("off")), [ProblemKind::NoMemoryFile]);
    assert_eq!(of("off").problems[0].detail, "profile_memory=False");
    // What a database holds is known once it is read.
    assert_eq!((kinds(of("db")), of("db").rank, of("db").files.len()), (vec![], Some(0), 1));
    assert_eq!(run(&[("x/readme.txt", "")]).problems[0].kind, ProblemKind::NothingFound);
}

#[test]
fn broken_metadata_costs_no_rank() {
    let found = run(&[
        ("r/a/x_ascend_pt/operator_memory.csv", "x"),
        ("r/a/x_ascend_pt/profiler_info_1.json", ""),
        ("r/a/x_ascend_pt/profiler_info_10.json", "\u{feff}{}"),
        ("r/a/x_ascend_pt/profiler_metadata.json", "{\"role\": [1]}"),
    ]);
    let [only] = found.rank_folders.as_slice() else { panic!("{found:?}") };
    assert_eq!((only.rank, only.role.as_str()), (Some(1), "a"));
    assert!(kinds(only).contains(&ProblemKind::BadJson) && kinds(only).contains(&ProblemKind::SeveralRanks));
}

#[test]
fn steps_from_paths_and_from_the_order_of_stamps() {
    for (path, step) in [
        ("run/step_12/actor/x_ascend_pt", Some(12)),
        ("run/step-3/actor/x_ascend_pt", Some(3)),
        ("run/step4/actor/x_ascend_pt", Some(4)),
        ("5/sub/actor/x_ascend_pt", Some(5)),
        ("run/1234567/actor/x_ascend_pt", None),
        ("run/global_step_4/actor/x_ascend_pt", None),
        ("run/8/x_ascend_pt", None),
    ] {
        let found = run(&[(&format!("{path}/operator_memory.csv"), "x")]);
        assert_eq!(found.rank_folders[0].step, step, "{path}");
    }
    let names = ["h_10000_20260526085155596", "h_9999_20260526085155700", "h_1_20260526_085156", "named"];
    let paths: Vec<(String, &str)> = names
        .iter()
        .flat_map(|n| {
            let dir = format!("r/actor/{n}_ascend_pt");
            [(format!("{dir}/operator_memory.csv"), "x"), (format!("{dir}/profiler_info_0.json"), "{}")]
        })
        .collect();
    let paths: Vec<(&str, &str)> = paths.iter().map(|(p, t)| (p.as_str(), *t)).collect();
    let found = run(&paths);
    for (name, step) in names.iter().zip(1..) {
        let folder = format!("r/actor/{name}_ascend_pt");
        assert_eq!(found.rank_folders.iter().find(|f| f.folder == folder).unwrap().step, Some(step), "{name}");
    }
}

#[test]
fn packed_files_count_by_the_name_below_their_ending() {
    let found = run(&[
        ("r/a/x_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json.gz", "x"),
        ("r/a/x_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_memory.csv.gz", "x"),
    ]);
    let kinds: Vec<_> = found.rank_folders[0].files.iter().map(|f| (f.kind, f.name.as_str())).collect();
    assert_eq!(kinds, [(FileKind::OperatorMemory, "operator_memory.csv.gz"), (FileKind::Trace, "trace_view.json.gz")]);
}

fn files(folder: &RankFolder) -> Vec<&str> {
    folder.files.iter().map(|f| f.name.as_str()).collect()
}

#[test]
fn slices_are_read_in_their_order_and_the_newest_export_counts() {
    let out = "r/a/x_ascend_pt/PROF_000001_20240102030405_ABC/mindstudio_profiler_output";
    let names = [
        "operator_memory_slice_10_20240102030406.csv",
        "operator_memory_slice_2_20240102030405.csv",
        "operator_memory_slice_0_20240102030405.csv",
        "operator_memory_20231231000000.csv",
        "operator_memory_slice_2_20231231000000.csv",
        "memory_record_20240102030405.csv",
        "memory_record_20231231000000.csv",
    ];
    let paths: Vec<String> = names.iter().map(|name| format!("{out}/{name}")).collect();
    let paths: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "x")).collect();
    let found = run(&paths);
    let [only] = found.rank_folders.as_slice() else { panic!("{found:?}") };
    assert_eq!(only.folder, "r/a/x_ascend_pt");
    assert_eq!(files(only), [names[5], names[2], names[1], names[0]]);
}

#[test]
fn analysed_files_count_before_those_beside_and_those_of_cann() {
    let base = "r/a/x_ascend_pt";
    let cann = format!("{base}/PROF_1/mindstudio_profiler_output");
    let found = run(&[
        (&format!("{cann}/operator_memory_20240102030405.csv"), "x"),
        (&format!("{cann}/memory_record_20240102030405.csv"), "x"),
        (&format!("{cann}/npu_module_mem_20240102030405.csv"), "x"),
        (&format!("{base}/memory_record.csv"), "x"),
        (&format!("{base}/ASCEND_PROFILER_OUTPUT/operator_memory.csv"), "x"),
    ]);
    let [only] = found.rank_folders.as_slice() else { panic!("{found:?}") };
    let indices: Vec<usize> = only.files.iter().map(|f| f.index).collect();
    assert_eq!(indices, [3, 4, 2]);
}

#[test]
fn an_export_of_cann_may_stand_alone() {
    let found = run(&[
        ("run/PROF_1/mindstudio_profiler_output/operator_memory_20240102030405.csv", "x"),
        ("mindstudio_profiler_output/ge_operator_memory_20240102030405.csv", "x"),
    ]);
    let folders: Vec<_> = found.rank_folders.iter().map(|f| (f.folder.as_str(), files(f).len())).collect();
    assert_eq!(folders, [("run/PROF_1", 1), ("mindstudio_profiler_output", 1)]);
}

#[test]
fn one_trace_is_read_the_usual_one_first() {
    let found = run(&[
        ("a/chrome_trace_1.json", "x"),
        ("a/trace_view.json", "x"),
        ("b/chrome_trace_2.json.gz", "x"),
        ("b/chrome_trace_1.json.gz", "x"),
    ]);
    let named: Vec<_> = found.rank_folders.iter().map(|f| (f.folder.as_str(), files(f))).collect();
    assert_eq!(named, [("a", vec!["trace_view.json"]), ("b", vec!["chrome_trace_1.json.gz"])]);
    assert!(found.rank_folders.iter().all(|f| kinds(f).contains(&ProblemKind::TraceAlone)));
}

#[test]
fn too_many_slices_cost_those_beyond_the_limit() {
    let paths: Vec<String> = (0..4100)
        .map(|n| format!("PROF_1/mindstudio_profiler_output/operator_memory_slice_{n}_20240102030405.csv"))
        .chain(["PROF_1/mindstudio_profiler_output/memory_record_20240102030405.csv".to_owned()])
        .collect();
    let paths: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "x")).collect();
    let found = run(&paths);
    let [only] = found.rank_folders.as_slice() else { panic!("{found:?}") };
    assert_eq!(only.files.len(), 4097);
    let over = only.problems.iter().find(|p| p.kind == ProblemKind::OverLimit).unwrap();
    assert_eq!((over.count, over.detail.as_str()), (4, "operator_memory_slice_4096_20240102030405.csv"));
}

#[test]
fn too_many_rank_folders_cost_those_beyond_the_limit() {
    let entries: Vec<FileEntry> =
        (0..(1 << 16) + 3).map(|n| FileEntry::new(format!("r/{n:06}_ascend_pt/"), 0)).collect();
    let found = find(&entries).finish(|_| None);
    assert_eq!(found.rank_folders.len(), 1 << 16);
    let [over] = found.problems.as_slice() else { panic!("{:?}", found.problems) };
    let said = (over.kind, over.count, over.file.as_str(), over.detail.as_str());
    assert_eq!(said, (ProblemKind::OverLimit, 3, "r/065536_ascend_pt", "rank folders"));
}
