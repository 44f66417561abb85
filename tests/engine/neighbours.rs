//! Files beside the recordings are named by what they are, by name or by content; none of them is a problem.

use crate::common::{Files, HEADER_15, RECORD_HEADER_7};
use memlens::folder::Run;
use memlens::neighbour::Neighbour;

const ROWS: &str = "aten::a,8,100.000\t,,,,,10,110,11,,,,7,NPU:0\r\n";
const BASE: &str = "run/actor/x_ascend_pt";

/// A whole rank folder, and files beside it: path below it, and content.
fn beside(files: &[(&str, &[u8])]) -> Run {
    let rows = format!("{HEADER_15}{ROWS}");
    let records = format!("{RECORD_HEADER_7}PTA,100.000\t,10,110,11,7,NPU:0\r\n");
    let out = format!("{BASE}/ASCEND_PROFILER_OUTPUT");
    let mut all = vec![
        (format!("{out}/operator_memory.csv"), rows.into_bytes()),
        (format!("{out}/memory_record.csv"), records.into_bytes()),
        (format!("{out}/trace_view.json"), b"[]".to_vec()),
        (format!("{BASE}/profiler_info_0.json"), b"{}".to_vec()),
    ];
    all.extend(files.iter().map(|(path, bytes)| (format!("{BASE}/{path}"), bytes.to_vec())));
    Files(all).run()
}

fn said(list: &[Neighbour]) -> Vec<(&str, &str, u64)> {
    list.iter().map(|n| (n.file.as_str(), n.kind.name(), n.count)).collect()
}

#[test]
fn names_tell() {
    let out = "ASCEND_PROFILER_OUTPUT";
    let names = [
        ("memscope_dump_20250101.csv", "memscope_dump"),
        ("leaks_dump_20250101.db", "memscope_dump"),
        ("python_trace_12_20250101.csv", "python_trace"),
        ("plog/plog-123_2025.log", "ascend_log"),
        ("imas_report.html", "imas_report"),
        ("kernel_details.csv", "kernel_details"),
        ("operator_details.csv", "operator_details"),
        ("communication.json", "communication"),
        ("communication_matrix.json.gz", "communication"),
        ("step_trace_time.csv", "step_trace"),
        ("api_statistic.csv", "statistics"),
        ("op_statistic_20250101000000.csv", "statistics"),
        ("nic.csv", "hardware_counters"),
        ("npu_mem_20250101000000.csv", "process_memory"),
        ("dataset.csv", "data_preprocess"),
        ("cluster_analysis_output/cluster_analysis.db", "cluster_analysis"),
        ("mindstudio_insight_data.db", "viewer_cache"),
        ("snapshot.pickle.db", "viewer_cache"),
        ("run_memory_timeline.html", "memory_timeline"),
        ("trace_view_temp.json", "partial_trace"),
    ];
    for (name, kind) in names {
        let path = format!("{out}/{name}");
        let run = beside(&[(&path, b"")]);
        assert_eq!(said(&run.rank_folders[0].neighbours), [(path.as_str(), kind, 1)], "{name}");
        assert!(run.rank_folders[0].problems.is_empty() && run.problems.is_empty(), "{name}: {run:?}");
    }
    for name in ["nicely.csv", "simas.json", "readme.md", "kernel_details.txt"] {
        assert!(beside(&[(name, b"")]).rank_folders[0].neighbours.is_empty(), "{name}");
    }
}

#[test]
fn content_tells_where_names_do_not() {
    let database = |table: &str| {
        let mut page = b"SQLite format 3\0".to_vec();
        page.resize(4000, 0);
        page.extend_from_slice(format!("CREATE TABLE {table} (id INTEGER)").as_bytes());
        page
    };
    let files: Vec<(&str, Vec<u8>, &str)> = vec![
        (
            "a.csv",
            b"\xef\xbb\xbfID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr\n".to_vec(),
            "memscope_dump",
        ),
        ("b.csv", b"FuncInfo,StartTime(ns),EndTime(ns),Thread Id,Process Id\n".to_vec(), "python_trace"),
        ("c.csv", b"Name,Type,Accelerator Core,Start Time(us),Duration(us)\n".to_vec(), "kernel_details"),
        ("d.pkl", b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x08segments\x94".to_vec(), "torch_snapshot"),
        ("e.json", b"{\"segments\": [], \"device_traces\": []}".to_vec(), "torch_snapshot"),
        ("f.json", b"{\"step1\": {\"p2p\": {}, \"collective\": {}}}".to_vec(), "communication"),
        ("g.json", b"[[1, 2, 3], [0, 0, 0]]".to_vec(), "memory_timeline"),
        ("h.db", database("leaks_dump"), "memscope_dump"),
        ("i.db", database("CommAnalyzerTime"), "communication"),
        ("j.db", database("ClusterBaseInfo"), "cluster_analysis"),
        ("k.db", database("whatever"), "other_database"),
    ];
    for (name, bytes, kind) in files {
        let run = beside(&[(name, &bytes)]);
        assert_eq!(said(&run.rank_folders[0].neighbours), [(name, kind, 1)], "{name}");
    }
    for (name, bytes) in
        [("x.csv", &b"a,b\n1,2\n"[..]), ("x.json", b"{}"), ("x.pkl", b"\x80\x04K\x01."), ("x.db", b"text")]
    {
        assert!(beside(&[(name, bytes)]).rank_folders[0].neighbours.is_empty(), "{name}");
    }
}

#[test]
fn a_table_under_another_name_is_read_where_there_is_no_other() {
    let rows = format!("{HEADER_15}{ROWS}");
    let s = Files::new(&[("exports/operator_memory (1).csv", &rows)]).only();
    assert_eq!((s.row_count(), s.folder().folder.as_str()), (1, "run/exports"));
    let run = beside(&[("copy of operator_memory.csv", rows.as_bytes()), ("more.json", b"[{\"ph\": \"X\"}]")]);
    let [folder] = &run.rank_folders[..] else { panic!("{run:?}") };
    assert_eq!(folder.files.len(), 3);
    let wanted = [("copy of operator_memory.csv", "second_copy", 1), ("more.json", "other_trace", 1)];
    assert_eq!(said(&folder.neighbours), wanted);
}

#[test]
fn files_in_no_rank_folder_are_named_by_their_whole_path() {
    let files =
        Files::new(&[("dump/memscope_dump_1.csv", "x"), ("dump/memscope_dump_2.csv", "x"), ("mem.pickle", "\u{1}")]);
    let run = files.run();
    assert_eq!(said(&run.neighbours), [("run/dump/memscope_dump_1.csv", "memscope_dump", 2)]);
    assert!(run.rank_folders.is_empty() && run.problems.len() == 1);
}

#[test]
fn looking_into_files_is_bounded() {
    let files: Vec<(String, Vec<u8>)> = (0..1000).map(|n| (format!("run/{n}.csv"), b"a,b\n".to_vec())).collect();
    let entries: Vec<memlens::folder::FileEntry> =
        files.iter().map(|(path, bytes)| memlens::folder::FileEntry::new(path.clone(), bytes.len() as u64)).collect();
    let search = memlens::folder::find(&entries);
    let bytes: u64 = search.wanted().iter().map(|wanted| wanted.bytes).sum();
    assert!(search.wanted().len() <= 64 && bytes <= 64 * 4096, "{}", search.wanted().len());
}
