//! Forms of the text tables besides torch's own: CANN's export in KB, whole and in slices; the driver's components; static graphs;
//! a trace alone.

use crate::common::{Files, HEADER_15, RECORD_HEADER_7, rows};
use memlens::analysis::answer::{GroupBy, TopQuery};
use memlens::problem::ProblemKind;
use memlens::session::Session;

const CANN_ROWS: &str = "Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(KB),Allocation Total Reserved(KB),Release Total Allocated(KB),Release Total Reserved(KB),Device\n";
const CANN_RECORDS: &str = "Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device\n";
const OUT: &str = "PROF_000001_20240102030405_ABC/mindstudio_profiler_output";

fn has(session: &Session, kind: ProblemKind) -> bool {
    session.summary().problems.iter().any(|p| p.kind == kind)
}

fn cann() -> (String, String) {
    let rows = format!(
        "{CANN_ROWS}0,Graph_1,192,1695115378723902.5,36.73,256,247808,64,247808,NPU:0\n0,Graph_2,8,1695115378724000,0,264,247808,0,0,NPU:0\n"
    );
    let records = format!(
        "{CANN_RECORDS}0,GE,1695115378723902.500\t,256,247808,NPU:0\n0,GE,1695115378723939.230\t,64,247808,NPU:0\n0,GE,1695115378724000.000\t,72,247808,NPU:0\n"
    );
    (rows, records)
}

#[test]
fn cann_writes_kb_and_durations() {
    let (row_text, records) = cann();
    let s = Files::new(&[
        (&format!("{OUT}/operator_memory_20240102030405.csv"), &row_text),
        (&format!("{OUT}/memory_record_20240102030405.csv"), &records),
    ])
    .only();
    assert_eq!(s.summary().form, "text");
    let [first, second] = &rows(&s, true)[..] else { panic!() };
    assert_eq!(
        [&first["name"], &first["size_kb"], &first["start_time_ms"], &first["release_time_ms"], &first["component"]],
        ["cann::Graph_1", "192.0", "1695115378723.9025", "1695115378723.93923", "GE"]
    );
    // Totals come out in MB, whatever the file has.
    assert_eq!([&first["total_allocated_mb"], &first["total_reserved_mb"]], ["0.25", "242.0"]);
    assert_eq!((second["release_time_ms"].as_str(), second["device_type"].as_str()), ("", "NPU:0"));
    let ge = s.summary().blocks.by_component["GE"];
    assert_eq!((ge.total, ge.never_released), (2, 1));
    let [pool] = &s.summary().pools[..] else { panic!("{:?}", s.summary().pools) };
    assert_eq!(pool.component, "GE");
    let peak = pool.peak.allocated.unwrap();
    assert_eq!((peak.bytes, peak.time_ns), (256 << 10, 1_695_115_378_723_902_500));
    assert_eq!(pool.peak.reserved.unwrap().bytes, 242 << 20);
}

#[test]
fn cann_and_torch_tell_the_same() {
    let (row_text, records) = cann();
    let of_cann = Files::new(&[
        (&format!("a_ascend_pt/{OUT}/operator_memory_20240102030405.csv"), &row_text),
        (&format!("a_ascend_pt/{OUT}/memory_record_20240102030405.csv"), &records),
    ])
    .only();
    let torch_rows = format!(
        "{HEADER_15}cann::Graph_1,192,1695115378723902.500\t,1695115378723939.230\t,,36.73,,0.25,242.0,,0.0625,242.0,,,NPU:0\r\ncann::Graph_2,8,1695115378724000.000\t,1695115378724000.000\t,,0,,0.2578125,242.0,,0,0,,,NPU:0\r\n"
    );
    let torch_records = format!(
        "{RECORD_HEADER_7}GE,1695115378723902.500\t,0.25,242.0,,,NPU:0\r\nGE,1695115378723939.230\t,0.0625,242.0,,,NPU:0\r\nGE,1695115378724000.000\t,0.0703125,242.0,,,NPU:0\r\n"
    );
    let of_torch = Files::new(&[
        ("a_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_memory.csv", &torch_rows),
        ("a_ascend_pt/ASCEND_PROFILER_OUTPUT/memory_record.csv", &torch_records),
    ])
    .only();
    assert_eq!(crate::common::csv_text(&of_cann, true), crate::common::csv_text(&of_torch, true));
    assert_eq!(of_cann.summary().pools, of_torch.summary().pools);
}

#[test]
fn slices_are_one_table() {
    let row = |n: u64| format!("0,Graph_{n},8,{},5,256,1024,248,1024,NPU:0\n", 100 + 10 * n);
    let slices: Vec<(String, String)> = (0..12u64)
        .map(|slice| {
            let text: String = (0..3).map(|at| row(slice * 3 + at)).collect();
            (format!("{OUT}/operator_memory_slice_{slice}_20240102030405.csv"), format!("{CANN_ROWS}{text}"))
        })
        .collect();
    let mut files: Vec<(&str, &str)> = slices.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    // As a folder lists them: slice_10 before slice_2.
    files.sort_unstable();
    let s = Files::new(&files).only();
    let names: Vec<String> = rows(&s, false).iter().map(|row| row["name"].clone()).collect();
    let wanted: Vec<String> = (0..36).map(|n| format!("cann::Graph_{n}")).collect();
    assert_eq!(names, wanted);
}

#[test]
fn older_exports_and_copies_are_not_counted_twice() {
    let (row_text, records) = cann();
    let torch = format!("{HEADER_15}aten::a,8,100.000\t,,,,,10,110,11,,,,7,NPU:0\r\n");
    let s = Files::new(&[
        ("x_ascend_pt/ASCEND_PROFILER_OUTPUT/operator_memory.csv", &torch),
        (&format!("x_ascend_pt/{OUT}/operator_memory_20240102030405.csv"), &row_text),
        (&format!("x_ascend_pt/{OUT}/memory_record_20240102030405.csv"), &records),
        (&format!("x_ascend_pt/{OUT}/memory_record_20230102030405.csv"), &records),
    ])
    .only();
    // The rows of the analysed table; totals from the only table there is, read once.
    assert_eq!((s.row_count(), s.summary().records["GE"]), (1, 3));
    let [copies] = &s.summary().neighbours[..] else { panic!("{:?}", s.summary().neighbours) };
    assert_eq!((copies.kind.name(), copies.count), ("second_copy", 2));
}

#[test]
fn exports_that_differ_are_named() {
    let (rows, _) = cann();
    let [older, newer] =
        ["20230102030405", "20240102030405"].map(|stamp| format!("x_ascend_pt/{OUT}/operator_memory_{stamp}.csv"));
    let problems = |first: &str| {
        let s = Files::new(&[(&older, first), (&newer, &rows)]).only();
        assert_eq!(s.row_count(), 2);
        let found = s.summary().problems.iter().filter(|p| p.kind == ProblemKind::ExportsDiffer);
        let found: Vec<(String, String)> = found.map(|p| (p.file.clone(), p.detail.clone())).collect();
        (found, s.summary().neighbours.iter().map(|n| n.count).sum::<u64>())
    };
    let named = |path: &str| path.rsplit_once('/').unwrap().1.to_owned();
    assert_eq!(problems(&rows), (vec![], 1));
    let differ = (vec![(named(&older), named(&newer))], 0);
    // As long, but of other rows; and a shorter one.
    assert_eq!(problems(&rows.replace("256", "257")), differ);
    assert_eq!(problems(rows.trim_end()), differ);
    assert!(ProblemKind::ExportsDiffer.loses_data());
}

#[test]
fn missing_slices_are_named() {
    let found = |numbers: &[u64]| {
        let row = |n: u64| format!("{CANN_ROWS}0,Graph_{n},8,{},5,256,1024,248,1024,NPU:0\n", 100 + 10 * n);
        let slices = numbers.iter().map(|n| (format!("{OUT}/operator_memory_slice_{n}_20240102030405.csv"), row(*n)));
        let slices: Vec<(String, String)> = slices.collect();
        let files: Vec<(&str, &str)> = slices.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let s = Files::new(&files).only();
        assert_eq!(s.row_count(), numbers.len());
        let problem = s.summary().problems.iter().find(|p| p.kind == ProblemKind::SliceMissing);
        problem.map(|p| (p.count, p.detail.clone()))
    };
    assert_eq!(found(&[0, 1, 2]), None);
    assert_eq!(found(&[1, 2]), None);
    assert_eq!(found(&[0, 2, 3, 5]), Some((2, "1, 4".to_owned())));
    assert_eq!(found(&[2]), Some((1, "1".to_owned())));
    assert_eq!(found(&[0, 20]), Some((19, "1, 2, 3, 4, 5, 6, 7, 8, ...".to_owned())));
    assert!(ProblemKind::SliceMissing.loses_data());
}

#[test]
fn other_endings_are_read_by_content_or_listed() {
    let table = format!("{HEADER_15}aten::a,8,100.000\t,,,,,10,110,11,,,,7,NPU:0\r\n");
    let trace = r#"[{"ph": "X", "cat": "cpu_op", "name": "aten::a", "pid": 1, "tid": 1, "ts": "99.000", "dur": 5, "args": {"Call stack": "a.py(1): f"}}]"#;
    let s = Files::rank(&[("operator_memory.csv", &table), ("trace_view.bin", trace)]).only();
    assert_eq!(rows(&s, true)[0]["call_stack"], "a.py(1): f");
    assert!(!has(&s, ProblemKind::NoTrace));
    let s = Files::rank(&[("table.dat", &table)]).only();
    assert_eq!(s.row_count(), 1);
    // Alone, too.
    assert_eq!(Files::new(&[("operator_memory", &table)]).only().row_count(), 1);
    // Beside its usual name a copy is not read again, nor is what only is named so.
    let files = [
        ("operator_memory.csv", table.as_str()),
        ("operator_memory.csv.bak", &table),
        ("memory_record.xlsx", "PK\x03\x04"),
        ("notes.txt", "x"),
    ];
    let s = Files::rank(&files).only();
    assert_eq!(s.row_count(), 1);
    let listed: Vec<(&str, &str)> = s.summary().neighbours.iter().map(|n| (n.kind.name(), n.file.as_str())).collect();
    let out = "ASCEND_PROFILER_OUTPUT";
    let wanted = [
        ("other_ending", format!("{out}/memory_record.xlsx")),
        ("second_copy", format!("{out}/operator_memory.csv.bak")),
    ];
    for (kind, file) in &wanted {
        assert!(listed.contains(&(kind, file)), "{listed:?}");
    }
    assert_eq!(listed.len(), 2);
}

#[test]
fn a_recording_only_cann_exported_says_that_torch_is_missing() {
    let (row_text, _) = cann();
    let path = format!("x_ascend_pt/{OUT}/operator_memory_20240102030405.csv");
    let s = Files::new(&[("x_ascend_pt/FRAMEWORK/torch.op_range", "x"), (&path, &row_text)]).only();
    assert_eq!(s.row_count(), 2);
    assert!(has(&s, ProblemKind::NotAnalysed));
}

#[test]
fn the_form_before_the_first_release_is_read() {
    let text = "Tag,Operator,Size(KB),Allocation Time(us),Release Time(us),Duration(us),Device Type\n0,aten::a,8,100.5,200.5,100,NPU:0\n";
    let s = Files::rank(&[("memory_view_form.csv", text), ("memory_view_line_chart.csv", "Tag,Time\n")]).only();
    let row = &rows(&s, true)[0];
    assert_eq!([&row["name"], &row["size_kb"], &row["release_time_ms"]], ["aten::a", "8.0", "0.2005"]);
    assert_eq!(s.summary().neighbours[0].kind.name(), "early_curve");
}

#[test]
fn driver_components_have_their_peaks() {
    for (unit, hccl) in [("MB", ["0.0", "1.5", "-0.0009765625", "1.0"]), ("KB", ["0", "1536", "-1", "1024"])] {
        let mut text = format!("Device_id,Component,Timestamp(us),Total Reserved({unit}),Device\r\n");
        for (at, value) in hccl.iter().enumerate() {
            text += &format!("0,HCCL,{}.660\t,{value},NPU:0\r\n", 1_736_405_443_839_379 + 20_000 * at as i64);
            text += &format!("0,SLOG,{}.660\t,0.0,NPU:0\r\n", 1_736_405_443_839_379 + 20_000 * at as i64);
        }
        let record = format!("{RECORD_HEADER_7}APP,1736405443839379.000\t,,100,,,NPU:0\r\n");
        let s = Files::rank(&[("npu_module_mem.csv", &text), ("memory_record.csv", &record)]).only();
        let [only] = &s.summary().module_memory[..] else { panic!("{:?}", s.summary().module_memory) };
        assert_eq!((only.component.as_str(), only.device.as_str(), only.records), ("HCCL", "NPU:0", 4));
        let time = 1_736_405_443_859_379_660;
        assert_eq!((only.peak.bytes, only.peak.time_ns), (3 << 19, time), "{unit}");
        let curve = s.module_timeline(i64::MIN, i64::MAX, 100);
        let [series] = &curve.series[..] else { panic!("{curve:?}") };
        assert_eq!(series.bytes, [0, 3 << 19, 1 << 20]);
        assert_eq!(series.times_ns, [time - 20_000_000, time, time + 40_000_000]);
        assert!(s.summary().problems.iter().all(|p| p.kind != ProblemKind::BadNumber));
    }
}

#[test]
fn static_graphs_have_nodes_for_an_axis() {
    let text = "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB)\n0,Conv_1,0,3,1,4,100\n0,Relu_2,0,3,2,6,50\n0,Weight,0,3,0,4294967295,10.5\n0,TOTAL,0,3,0,4294967295,500\nhost,Conv_1,sub,4,7,7,8\n0,Bad,0,3,x,1,1\n";
    let s = Files::rank(&[("static_op_mem.csv", text)]).only();
    let [graph, host] = &s.summary().static_memory[..] else { panic!("{:?}", s.summary().static_memory) };
    assert_eq!((graph.graph.as_str(), graph.operators, graph.reserved_bytes), ("3", 3, Some(500 << 10)));
    let peak = graph.peak.unwrap();
    assert_eq!((peak.bytes, peak.node), (160 * 1024 + 512, 2));
    let largest: Vec<_> = graph.largest.iter().map(|op| (op.name.as_str(), op.start, op.end)).collect();
    assert_eq!(largest, [("Conv_1", 1, Some(4)), ("Relu_2", 2, Some(6)), ("Weight", 0, None)]);
    let curve = s.plan_curve(0).unwrap();
    assert_eq!(curve.nodes, [0, 1, 2, 4, 6]);
    assert_eq!(curve.bytes, [10752, 113_152, 164_352, 61952, 10752]);
    assert_eq!((host.device.as_str(), host.model.as_str(), host.reserved_bytes), ("host", "sub", None));
    assert_eq!(s.plan_curve(1).unwrap().nodes, [7, 8]);
    assert!(s.plan_curve(2).is_none());
    assert!(has(&s, ProblemKind::BadRow) && !has(&s, ProblemKind::NoMemoryFile));
}

#[test]
fn a_trace_alone_opens_and_says_what_it_lacks() {
    let trace = r#"[{"ph": "X", "name": "aten::a", "pid": 1, "tid": 1, "ts": "100.000", "dur": 2, "cat": "cpu_op", "args": {"Call stack": "a.py(1): f"}}]"#;
    for path in ["chrome_trace_0.json", "some/trace_view.json", "some/export.json", "export.json"] {
        let s = Files::new(&[(path, trace)]).only();
        assert!(has(&s, ProblemKind::TraceAlone), "{path}");
        assert_eq!((s.row_count(), s.counters().events), (0, 1), "{path}");
    }
}

#[test]
fn a_long_table_of_totals_keeps_at_most_32_bytes_a_record() {
    let pairs = 60_000u64;
    let mut records = RECORD_HEADER_7.to_owned();
    let mut blocks = HEADER_15.to_owned();
    for at in 0..pairs {
        // One pool that grows by a block and falls by it again, with its companion.
        let (time, total) = (1_779_785_515_596_661 + 100 * at, if at % 2 == 0 { "10.5" } else { "10" });
        for component in ["PTA", "PTA+GE"] {
            records += &format!("{component},{time}.420\t,{total},110,{total},7,NPU:0\r\n");
        }
        if at % 2 == 0 && at < 2000 {
            let end = time + 100;
            blocks += &format!("aten::a,512,{time}.420\t,{end}.420\t,,100,,10.5,110,10.5,10,110,10,7,NPU:0\r\n");
        }
    }
    // Without rows all that moves the total counts as memory from before.
    for files in [
        vec![("memory_record.csv", records.as_str())],
        vec![("memory_record.csv", records.as_str()), ("operator_memory.csv", blocks.as_str())],
    ] {
        let s = Files::rank(&files).only();
        assert_eq!(s.summary().records["PTA"] + s.summary().records["PTA+GE"], 2 * pairs);
        let of_rows = if s.row_count() > 0 { 1000 * 400 + (64 << 10) } else { 64 << 10 };
        let kept = s.counters().kept_bytes;
        // Of a sum of pools nothing is kept.
        assert!(kept <= 32 * pairs + of_rows, "{kept} bytes for {pairs} records");
        assert!(kept >= 20 * pairs && s.counters().record_bytes <= 32 * pairs, "{kept}");
    }
}

/// All that is kept of a block: its columns, and what finds live blocks and their sums.
#[test]
fn a_long_table_of_blocks_keeps_at_most_112_bytes_a_block() {
    let count = 40_000u64;
    let mut records = RECORD_HEADER_7.to_owned();
    let mut blocks = HEADER_15.to_owned();
    for at in 0..count {
        // Each is released when the third after it has come, and may be used again a little later.
        let [time, end] = [at, at + 3].map(|at| 1_779_785_515_596_661 + 100 * at);
        let [before, after] = [at.min(3), (at + 1).min(3)].map(|live| 10.0 + 0.5 * live as f64);
        records += &format!("PTA,{time}.420\t,{},110,{after},7,NPU:0\r\n", before + 0.5);
        if at >= 3 {
            records += &format!("PTA,{time}.520\t,{before},110,{after},7,NPU:0\r\n");
        }
        let name = at % 7;
        blocks += &format!("aten::op{name},512,{time}.420\t,{end}.520\t,{end}.620\t,300.1,300.2,");
        blocks += &format!("{},110,{after},{before},110,{after},7,NPU:0\r\n", before + 0.5);
    }
    let s = Files::rank(&[("memory_record.csv", &records), ("operator_memory.csv", &blocks)]).only();
    assert_eq!(s.summary().blocks.total, count);
    let counters = s.counters();
    assert!(counters.block_bytes <= 112 * count, "{counters:?}");
    assert!(counters.block_bytes >= 64 * count, "{counters:?}");
    let parts = counters.block_bytes + counters.record_bytes + counters.text_bytes;
    assert!(parts <= counters.kept_bytes && counters.index_bytes < counters.kept_bytes / 4, "{counters:?}");
    assert!(counters.text_bytes < 64 << 10, "{counters:?}");
    // What the indexes find: three live blocks, or four between an allocation and the release that follows it.
    for at in [5, 4097, count - 1] {
        let time = (1_779_785_515_596_661 + 100 * at) as i64 * 1000;
        for (after, live) in [(420, 4), (519, 4), (520, 3), (620, 3)] {
            let top =
                s.top(&TopQuery { at_ns: time + after, pool: None, by: GroupBy::Operator, within: None, limit: 9 });
            assert_eq!((top.total_blocks, top.total_bytes), (live, live as i64 * (512 << 10)));
            let balance = s.balance(time + after).unwrap();
            assert_eq!((balance.rows, balance.rows_bytes), (live, top.total_bytes));
        }
    }
}
