//! One recording in several text forms: sizes, times and totals are the same, to the byte and the nanosecond.

use std::collections::HashMap;

use crate::common::{Files, parse_csv, rows};
use memlens::decimal::Decimal;
use memlens::problem::ProblemKind;
use memlens::session::Session;
use memlens_simulator::{Options, Variety};

type Row = HashMap<String, String>;

fn simulated(seed: u64) -> Files {
    // MindSpore has no workspace pool.
    let variety = Variety { workspace: false, ..Variety::default() };
    let roles = vec!["actor_update".to_owned()];
    Files::simulated(&Options { roles, ranks: 1, steps: 2, trace_bytes: 300_000, seed, variety, ..Options::default() })
        .0
}

/// A table of the only rank folder, as rows by column.
fn table(files: &Files, name: &str) -> Vec<Row> {
    let (_, bytes) = files.0.iter().find(|(path, _)| path.ends_with(name)).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap().replace("\r\n", "\n").replace('\t', "");
    let mut records = parse_csv(&text).into_iter();
    let header = records.next().unwrap();
    records.map(|record| header.iter().cloned().zip(record).collect()).collect()
}

/// MB of 1024 * 1024 bytes in another unit; a missing cell as that form writes it.
fn total(cell: &str, bytes_in_unit: i64, missing: &str) -> String {
    match Decimal::parse(cell.as_bytes()) {
        Some(mb) => Decimal::from_units(mb.scaled(1 << 20).unwrap().units, bytes_in_unit).to_string(),
        None => missing.to_owned(),
    }
}

fn or_na(cell: &str) -> &str {
    if cell.is_empty() { "N/A" } else { cell }
}

/// The framework's part of the recording as MindSpore would write it.
fn as_mindspore(files: &Files) -> Files {
    let mb = |cell: &str| total(cell, 1000 << 10, "N/A");
    let mut operators = crate::common::HEADER_15.to_owned();
    for row in table(files, "operator_memory.csv").iter().filter(|row| !row["Name"].starts_with("cann::")) {
        let cells = [
            row["Name"].clone(),
            row["Size(KB)"].clone(),
            row["Allocation Time(us)"].clone(),
            or_na(&row["Release Time(us)"]).to_owned(),
            "N/A".to_owned(),
            or_na(&row["Duration(us)"]).to_owned(),
            "N/A".to_owned(),
            mb(&row["Allocation Total Allocated(MB)"]),
            mb(&row["Allocation Total Reserved(MB)"]),
            mb(&row["Allocation Total Active(MB)"]),
            mb(&row["Release Total Allocated(MB)"]),
            mb(&row["Release Total Reserved(MB)"]),
            mb(&row["Release Total Active(MB)"]),
            row["Stream Ptr"].clone(),
            row["Device Type"].clone(),
        ];
        operators += &(cells.join(",") + "\n");
    }
    let (app, rest): (Vec<Row>, Vec<Row>) =
        table(files, "memory_record.csv").into_iter().partition(|row| row["Component"] == "APP");
    let header = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Device Type\n";
    let mut records = header.to_owned();
    for row in rest.iter().chain(&app) {
        let cells = [
            row["Component"].replace("PTA", "MindSpore"),
            row["Timestamp(us)"].clone(),
            mb(&row["Total Allocated(MB)"]),
            mb(&row["Total Reserved(MB)"]),
            mb(&row["Total Active(MB)"]),
            row["Device Type"].clone(),
        ];
        records += &(cells.join(",") + "\n");
    }
    Files::new(&[
        ("actor_update/x_ascend_ms/ASCEND_PROFILER_OUTPUT/operator_memory.csv", &operators),
        ("actor_update/x_ascend_ms/ASCEND_PROFILER_OUTPUT/memory_record.csv", &records),
    ])
}

/// The graph engine's part of the recording as CANN itself would write it, its rows in slices.
fn as_cann(files: &Files, rows_in_slice: usize) -> Files {
    let kb = |cell: &str| total(cell, 1 << 10, "0");
    let out = "run/actor_update/PROF_1/mindstudio_profiler_output";
    let lines: Vec<String> = table(files, "operator_memory.csv")
        .iter()
        .filter(|row| row["Name"].starts_with("cann::"))
        .map(|row| {
            let cells = [
                "0".to_owned(),
                row["Name"].replace("cann::", ""),
                row["Size(KB)"].clone(),
                row["Allocation Time(us)"].clone(),
                row["Duration(us)"].clone(),
                kb(&row["Allocation Total Allocated(MB)"]),
                kb(&row["Allocation Total Reserved(MB)"]),
                kb(&row["Release Total Allocated(MB)"]),
                kb(&row["Release Total Reserved(MB)"]),
                row["Device Type"].clone(),
            ];
            cells.join(",") + "\n"
        })
        .collect();
    let header = "Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(KB),Allocation Total Reserved(KB),Release Total Allocated(KB),Release Total Reserved(KB),Device\n";
    let slices = lines.chunks(rows_in_slice).enumerate().map(|(at, lines)| {
        let text = format!("{header}{}", lines.concat());
        (format!("{out}/operator_memory_slice_{at}_20240102030405.csv"), text.into_bytes())
    });
    let mut all: Vec<(String, Vec<u8>)> = slices.collect();
    let mut records = "Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device\n".to_owned();
    for row in table(files, "memory_record.csv").iter().filter(|row| row["Component"] == "GE") {
        let (allocated, reserved) = (kb(&row["Total Allocated(MB)"]), kb(&row["Total Reserved(MB)"]));
        records += &format!("0,GE,{}\t,{allocated},{reserved},{}\n", row["Timestamp(us)"], row["Device Type"]);
    }
    all.push((format!("{out}/memory_record_20240102030405.csv"), records.into_bytes()));
    all.sort();
    Files(all)
}

/// The rows of one pool, without what only the trace, the folder or the framework's name tell.
fn rows_of(session: &Session, component: &str, without: &[&str]) -> Vec<Row> {
    let told_apart = [
        "call_stack",
        "call_stack_top",
        "match",
        "match_gap_us",
        "user_frame",
        "module",
        "folder",
        "rank_id",
        "step",
        "component",
    ];
    let mut all: Vec<Row> = rows(session, true).into_iter().filter(|row| row["component"] == component).collect();
    for row in &mut all {
        row.retain(|name, _| !told_apart.contains(&name.as_str()) && !without.contains(&name.as_str()));
    }
    assert!(!all.is_empty());
    all
}

fn no_inexact_numbers(session: &Session) {
    let kinds = [ProblemKind::Inexact, ProblemKind::BadNumber, ProblemKind::BadRow];
    assert!(session.summary().problems.iter().all(|p| !kinds.contains(&p.kind)), "{:?}", session.summary().problems);
}

#[test]
fn mindspore_and_torch_tell_the_same() {
    for seed in 1..=3 {
        let torch = simulated(seed);
        let mindspore = as_mindspore(&torch).only();
        let torch = torch.only();
        no_inexact_numbers(&mindspore);
        assert_eq!(mindspore.summary().form, "mindspore");
        // MindSpore knows no active release, the only release of some of torch's rows.
        let without = ["release_time_ms"];
        assert_eq!(rows_of(&mindspore, "MindSpore", &without), rows_of(&torch, "PTA", &without));
        let pool = |s: &Session, name: &str| s.summary().pools.iter().find(|p| p.component == name).unwrap().peak;
        assert_eq!(pool(&mindspore, "MindSpore"), pool(&torch, "PTA"));
        for same in ["GE", "APP"] {
            assert_eq!(pool(&mindspore, same), pool(&torch, same));
        }
    }
}

#[test]
fn cann_and_torch_tell_the_same() {
    for seed in 1..=3 {
        let torch = simulated(seed);
        for rows_in_slice in [1, 7, 1_000_000] {
            let cann = as_cann(&torch, rows_in_slice).only();
            no_inexact_numbers(&cann);
            let torch = torch.only();
            assert_eq!(rows_of(&cann, "GE", &[]), rows_of(&torch, "GE", &[]));
            let pool = |s: &Session| s.summary().pools.iter().find(|p| p.component == "GE").unwrap().clone();
            assert_eq!(pool(&cann), pool(&torch));
        }
    }
}
