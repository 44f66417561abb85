//! Databases of the profiler: they give what the text export of the same recording gives, in every version's columns, with and
//! without a write-ahead log; damaged and hostile ones cost what cannot be read and nothing else.

use std::cell::Cell;
use std::io::Write;
use std::rc::Rc;

use crate::common::{Files, csv_text};
use memlens::matching::MatchRule;
use memlens::problem::ProblemKind;
use memlens::session::{Options, Session};
use memlens_simulator::{Form, Options as Simulated, Variety};
use proptest::prelude::*;
use rusqlite::Connection;

const NAME: &str = "ascend_pytorch_profiler_0.db";

fn simulated(seed: u64, form: Form) -> Simulated {
    Simulated { ranks: 1, steps: 2, seed, form, ..Simulated::default() }
}

/// The database of a small recording.
fn recorded() -> Vec<u8> {
    let (files, _) = Files::simulated(&Simulated { steps: 1, ..simulated(5, Form::Database) });
    files.0.into_iter().find(|(path, _)| path.ends_with(".db")).unwrap().1
}

/// A database with statements run on it.
fn changed(bytes: &[u8], sql: &str) -> Vec<u8> {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.deserialize_read_exact("main", bytes, bytes.len(), false).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.serialize("main").unwrap().to_vec()
}

/// A database of these statements.
fn made(sql: &str) -> Vec<u8> {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(sql).unwrap();
    connection.serialize("main").unwrap().to_vec()
}

fn read(bytes: &[u8]) -> Session {
    Files::rank_of_bytes(&[(NAME, bytes)]).only()
}

fn kinds(session: &Session) -> Vec<ProblemKind> {
    session.summary().problems.iter().map(|p| p.kind).collect()
}

/// Summary as text, in which form the recording came aside.
fn summary(session: &Session) -> String {
    let mut summary = session.summary().clone();
    summary.form = String::new();
    serde_json::to_string_pretty(&summary).unwrap()
}

#[test]
fn rows_and_summary_are_those_of_the_text() {
    let without_stacks = Variety { call_stacks: false, ..Variety::default() };
    let cases = [
        (1, Variety::default()),
        (2, Variety::default()),
        (3, Variety { queueing: 0.4, missing_flows: 0.3, ..Variety::default() }),
        (4, Variety::plain()),
        (5, without_stacks),
    ];
    for (seed, variety) in cases {
        for rule in [MatchRule::Best, MatchRule::Reference] {
            let of = |form| {
                let options = Simulated { variety: variety.clone(), ..simulated(seed, form) };
                Files::simulated(&options).0.sessions(rule).remove(0)
            };
            let (text, database) = (of(Form::Text), of(Form::Database));
            assert!(text.row_count() > 100, "seed {seed}: {}", text.row_count());
            assert_eq!(csv_text(&database, true), csv_text(&text, true), "seed {seed} {rule:?}");
            assert_eq!(summary(&database), summary(&text), "seed {seed} {rule:?}");
            assert_eq!(database.steps(), text.steps(), "seed {seed} {rule:?}");
            assert_eq!((text.summary().form.as_str(), database.summary().form.as_str()), ("text", "db"));
            for pool in 0..text.summary().pools.len() {
                let window = text.summary().window_ns.unwrap();
                let series = |session: &Session| session.timeline(window[0], window[1], 5000).series;
                assert_eq!(series(&database).get(pool), series(&text).get(pool));
            }
        }
    }
}

#[test]
fn blocks_of_any_size_give_the_same() {
    let files = Files::rank_of_bytes(&[(NAME, &recorded())]);
    let whole = files.answers(MatchRule::Best, 8 << 20);
    for block in [1, 512, 4096, 5000, 65_536, 1 << 20] {
        assert_eq!(files.answers(MatchRule::Best, block), whole, "blocks of {block}");
    }
}

#[test]
fn of_two_forms_the_richer_is_read_and_named() {
    let (mut files, _) = Files::simulated(&simulated(6, Form::Both));
    let text = Files::simulated(&simulated(6, Form::Text)).0.only();
    let both = files.only();
    assert_eq!(csv_text(&both, true), csv_text(&text, true));
    assert_eq!((both.summary().form.as_str(), kinds(&both)), ("text", vec![ProblemKind::TwoForms]));
    // Without a trace the database has more: the call stacks.
    files.0.retain(|(path, _)| !path.ends_with("trace_view.json"));
    let richer = files.only();
    assert_eq!(csv_text(&richer, true), csv_text(&text, true));
    assert_eq!((richer.summary().form.as_str(), kinds(&richer)), ("db", vec![ProblemKind::TwoForms]));
    // Each part that the database lacks comes from the text.
    for (path, bytes) in &mut files.0 {
        if path.ends_with(".db") {
            *bytes = changed(bytes, "DROP TABLE OP_MEMORY");
        }
    }
    let mixed = files.only();
    assert_eq!(csv_text(&mixed, true), csv_text(&text, true));
    assert_eq!(kinds(&mixed), [ProblemKind::TwoForms]);
    // A database that cannot be read leaves the text.
    for (path, bytes) in &mut files.0 {
        if path.ends_with(".db") {
            bytes.fill(7);
        }
    }
    let left = files.only();
    assert_eq!(left.row_count(), text.row_count());
    let garbage = left.summary().problems.iter().find(|p| p.kind == ProblemKind::NotRecognised).unwrap();
    assert_eq!((garbage.count, left.summary().form.as_str()), (1, "text"));
}

#[test]
fn text_that_holds_too_little_gives_way_to_the_database() {
    let (both, _) = Files::simulated(&simulated(6, Form::Both));
    let text = Files::simulated(&simulated(6, Form::Text)).0.only();
    let with = |changes: &[(&str, &[u8])]| {
        let mut files = Files(both.0.clone());
        for (name, bytes) in changes {
            let (_, at) = files.0.iter_mut().find(|(path, _)| path.ends_with(name)).unwrap();
            *at = bytes.to_vec();
        }
        files
    };
    let tables = ["operator_memory.csv", "memory_record.csv", "trace_view.json"];
    let header = crate::common::HEADER_15.as_bytes();
    for changes in [
        &tables.map(|name| (name, &b""[..]))[..],
        &[("operator_memory.csv", &b""[..])],
        &[("operator_memory.csv", header)],
        &[("memory_record.csv", b"nonsense")],
        &[("trace_view.json", b"[]")],
    ] {
        for piece in [1000, 4 << 20] {
            let files = with(changes);
            let session = files.session(files.run().rank_folders.remove(0), MatchRule::Best, piece);
            assert_eq!(csv_text(&session, true), csv_text(&text, true), "{changes:?}");
            assert_eq!(session.summary().form, "db");
            assert!(kinds(&session).iter().all(|kind| *kind == ProblemKind::TwoForms), "{:?}", kinds(&session));
        }
    }
    // Tables cut between two rows seem whole; the database has more rows.
    let bytes = |name: &str| both.0.iter().find(|(path, _)| path.ends_with(name)).unwrap().1.clone();
    let first = |name: &str, lines: usize| {
        bytes(name).split_inclusive(|b| *b == b'\n').take(lines).collect::<Vec<_>>().concat()
    };
    let (rows, records) = (first("operator_memory.csv", 4), first("memory_record.csv", 90));
    let trace = bytes("trace_view.json");
    for changes in [
        &[("operator_memory.csv", &rows[..])][..],
        &[("memory_record.csv", &records)],
        &[("operator_memory.csv", &rows), ("memory_record.csv", &records)],
        // As many rows, but the text is damaged.
        &[("trace_view.json", &trace[..trace.len() / 2])],
    ] {
        let session = with(changes).only();
        assert_eq!(csv_text(&session, true), csv_text(&text, true), "{:?}", changes[0].0);
        assert_eq!((session.summary().form.as_str(), kinds(&session)), ("db", vec![ProblemKind::TwoForms]));
    }
    // A database that lost rows, or as damaged, is not taken for richer.
    let fewer =
        changed(&bytes(".db"), "DELETE FROM OP_MEMORY WHERE _rowid_ % 2; DELETE FROM MEMORY_RECORD WHERE _rowid_ % 2");
    let session = with(&[(".db", &fewer), ("trace_view.json", &trace[..trace.len() / 2])]).only();
    assert_eq!((session.row_count(), session.summary().form.as_str()), (text.row_count(), "text"));
    // Nor does a database that holds nothing hide the text, or count as read.
    for database in [&b""[..], b"garbage"] {
        let session = with(&[("trace_view.json", b"[]"), (".db", database)]).only();
        assert_eq!(session.row_count(), text.row_count());
        assert!(!kinds(&session).contains(&ProblemKind::TwoForms), "{:?}", kinds(&session));
        assert!(!kinds(&session).contains(&ProblemKind::NoMemoryRecord), "{:?}", kinds(&session));
    }
}

#[test]
fn what_a_database_cannot_give_is_named() {
    let bytes = recorded();
    let plain = read(&bytes);
    let journal = format!("{NAME}-journal");
    let of = |journal_bytes: &[u8]| Files::rank_of_bytes(&[(NAME, &bytes), (&journal, journal_bytes)]).only();
    assert_eq!(kinds(&of(b"half a page")), [ProblemKind::DatabaseJournal]);
    // Where the text files hold as much, the database is not read: nothing is lost.
    let (mut both, _) = Files::simulated(&simulated(6, Form::Both));
    let (path, _) = both.0.iter().find(|(path, _)| path.ends_with(".db")).unwrap();
    let journal = format!("{path}-journal");
    both.0.push((journal, b"half a page".to_vec()));
    let session = both.only();
    assert_eq!(kinds(&session), [ProblemKind::TwoForms, ProblemKind::JournalBeside]);
    assert!(session.summary().problems.iter().all(|p| !p.kind.loses_data()));
    assert!(kinds(&of(b"half a page")).iter().all(|kind| kind.loses_data()));
    // Some writers empty it instead of taking it away.
    assert_eq!(kinds(&of(b"")), []);
    let sql = "ALTER TABLE OP_MEMORY RENAME TO KEPT; CREATE VIEW OP_MEMORY AS SELECT * FROM KEPT";
    let view = read(&changed(&bytes, sql));
    assert_eq!(view.row_count(), 0);
    assert!(kinds(&view).contains(&ProblemKind::ViewNotRun), "{:?}", kinds(&view));
    let sql = "PRAGMA writable_schema = ON; \
               UPDATE sqlite_schema SET sql = 'CREATE TABLE HOST_INFO (' WHERE name = 'HOST_INFO'";
    let malformed = read(&changed(&bytes, sql));
    assert_eq!(csv_text(&malformed, true), csv_text(&plain, true));
    assert_eq!(kinds(&malformed), [ProblemKind::DamagedDatabase]);
}

#[test]
fn loose_databases_and_several_in_a_folder() {
    let bytes = recorded();
    let alone = Files(vec![(NAME.to_owned(), bytes.clone())]).only();
    assert_eq!((alone.summary().rank, alone.summary().folder.as_str()), (Some(0), "."));
    assert!(alone.row_count() > 100);
    let unnamed = Files(vec![("ascend_pytorch_profiler.db".to_owned(), bytes.clone())]).only();
    assert_eq!(unnamed.summary().rank, Some(0), "from RANK_DEVICE_MAP");
    let unknown = changed(&bytes, "UPDATE RANK_DEVICE_MAP SET rankId = -1");
    let unknown = Files(vec![("ascend_pytorch_profiler.db".to_owned(), unknown)]).only();
    assert_eq!((unknown.summary().rank, kinds(&unknown)), (None, vec![ProblemKind::UnknownRank]));
    let path = |rank: u32| format!("dump/all/ascend_pytorch_profiler_{rank}.db");
    let several = Files([0, 1, 11].map(|rank| (path(rank), bytes.clone())).to_vec()).sessions(MatchRule::Best);
    let ranks: Vec<_> = several.iter().map(|s| (s.summary().rank, s.summary().folder.clone())).collect();
    assert_eq!(ranks, [0, 1, 11].map(|rank| (Some(u64::from(rank)), path(rank))));
    assert!(several.iter().all(|s| s.row_count() == alone.row_count() && s.summary().role == "dump"));
}

#[test]
fn a_packed_database_is_unpacked_first() {
    let bytes = recorded();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&bytes).unwrap();
    let packed = packer.finish().unwrap();
    let (plain, session) = (read(&bytes), Files::rank_of_bytes(&[(&format!("{NAME}.gz"), &packed)]).only());
    assert_eq!((csv_text(&session, true), summary(&session)), (csv_text(&plain, true), summary(&plain)));
    let cut = Files::rank_of_bytes(&[(&format!("{NAME}.gz"), &packed[..packed.len() / 2])]).only();
    assert!(kinds(&cut).contains(&ProblemKind::ArchiveDamaged), "{:?}", kinds(&cut));
}

/// Renames columns to what the first versions called them.
fn snake_case(tables: &[(&str, &[&str])]) -> String {
    let snake = |name: &str| {
        name.chars().flat_map(|c| [c.is_uppercase().then_some('_'), Some(c.to_ascii_lowercase())]).flatten().collect()
    };
    let mut sql = String::new();
    for (table, columns) in tables {
        for column in *columns {
            let new: String = snake(column);
            sql.push_str(&format!(
                "ALTER TABLE {table} RENAME COLUMN {column} TO x_x; ALTER TABLE {table} RENAME COLUMN x_x TO {new};"
            ));
        }
    }
    sql
}

#[test]
fn every_versions_columns_give_the_same() {
    let bytes = recorded();
    let plain = read(&bytes);
    assert_eq!(kinds(&plain), []);
    let spring_2024 = snake_case(&[
        (
            "OP_MEMORY",
            &[
                "allocationTime",
                "releaseTime",
                "activeReleaseTime",
                "allocationTotalAllocated",
                "allocationTotalReserved",
                "allocationTotalActive",
                "releaseTotalAllocated",
                "releaseTotalReserved",
                "releaseTotalActive",
                "streamPtr",
                "deviceId",
            ],
        ),
        ("MEMORY_RECORD", &["totalAllocated", "totalReserved", "totalActive", "streamPtr", "deviceId"]),
        ("PYTORCH_CALLCHAINS", &["stackDepth"]),
    ]);
    let variants = [
        (
            "columns of spring 2024, durations swapped",
            format!(
                "{spring_2024} ALTER TABLE OP_MEMORY RENAME COLUMN duration TO x;
                 ALTER TABLE OP_MEMORY RENAME COLUMN activeDuration TO duration;
                 ALTER TABLE OP_MEMORY RENAME COLUMN x TO active_duration;"
            ),
        ),
        (
            "times as numbers",
            "CREATE TABLE T AS SELECT CAST(startNs AS INTEGER) AS startNs, CAST(endNs AS INTEGER) AS endNs, globalTid,
               connectionId, name, sequenceNumber, fwdThreadId, inputDtypes, inputShapes, callchainId, type FROM PYTORCH_API;
             DROP TABLE PYTORCH_API; ALTER TABLE T RENAME TO PYTORCH_API;"
                .to_owned(),
        ),
        (
            "memory times as text",
            "CREATE TABLE T AS SELECT component, CAST(timestamp AS TEXT) AS timestamp, totalAllocated, totalReserved,
               totalActive, streamPtr, deviceId FROM MEMORY_RECORD;
             DROP TABLE MEMORY_RECORD; ALTER TABLE T RENAME TO MEMORY_RECORD;"
                .to_owned(),
        ),
        (
            "frames as text",
            "CREATE TABLE T AS SELECT c.id AS id, s.value AS stack, stackDepth FROM PYTORCH_CALLCHAINS c
               JOIN STRING_IDS s ON s.id = c.stack ORDER BY c.rowid;
             DROP TABLE PYTORCH_CALLCHAINS; ALTER TABLE T RENAME TO PYTORCH_CALLCHAINS;"
                .to_owned(),
        ),
        (
            "texts without a key",
            "CREATE TABLE T AS SELECT id, value FROM STRING_IDS; DROP TABLE STRING_IDS; ALTER TABLE T RENAME TO STRING_IDS;"
                .to_owned(),
        ),
        (
            "frames outermost first and chains in pieces",
            "CREATE TABLE T AS SELECT * FROM PYTORCH_CALLCHAINS ORDER BY stackDepth % 2, id, stackDepth DESC;
             DROP TABLE PYTORCH_CALLCHAINS; ALTER TABLE T RENAME TO PYTORCH_CALLCHAINS;"
                .to_owned(),
        ),
        (
            "connections in any order",
            "CREATE TABLE T AS SELECT * FROM CONNECTION_IDS ORDER BY connectionId % 7;
             DROP TABLE CONNECTION_IDS; ALTER TABLE T RENAME TO CONNECTION_IDS;"
                .to_owned(),
        ),
        (
            "names in other letters, tables that are not ours, and free pages",
            "ALTER TABLE OP_MEMORY RENAME TO x; ALTER TABLE x RENAME TO op_memory; CREATE TABLE OTHER (a, b);
             CREATE INDEX i ON OP_MEMORY (size); CREATE TABLE GONE AS SELECT * FROM PYTORCH_API; DROP TABLE GONE;"
                .to_owned(),
        ),
        ("incremental vacuum and another page size", "PRAGMA auto_vacuum = 2; VACUUM;".to_owned()),
    ];
    for (what, sql) in variants {
        let session = read(&changed(&bytes, &sql));
        assert_eq!(csv_text(&session, true), csv_text(&plain, true), "{what}");
        assert_eq!(summary(&session), summary(&plain), "{what}");
    }
}

#[test]
fn what_is_no_number_or_no_name_costs_itself() {
    let bytes = changed(
        &recorded(),
        "UPDATE OP_MEMORY SET size = NULL WHERE rowid = 1;
         UPDATE OP_MEMORY SET allocationTime = 'soon' WHERE rowid = 2;
         UPDATE OP_MEMORY SET name = 999 WHERE rowid = 3;
         UPDATE OP_MEMORY SET releaseTime = 5 WHERE rowid = 4;
         UPDATE OP_MEMORY SET name = 4294967295 WHERE rowid = 5;
         UPDATE MEMORY_RECORD SET timestamp = x'00' WHERE rowid = 6;
         UPDATE PYTORCH_API SET endNs = '0' WHERE rowid = (SELECT rowid FROM PYTORCH_API WHERE type = 50001
           AND sequenceNumber >= 0 LIMIT 1)",
    );
    let (whole, session) = (read(&recorded()), read(&bytes));
    assert_eq!(session.row_count(), whole.row_count() - 2);
    assert_eq!(
        session.summary().records["PTA+GE"] + session.summary().records["PTA"] + 1,
        whole.summary().records["PTA+GE"] + whole.summary().records["PTA"]
    );
    let problems: Vec<String> =
        session.summary().problems.iter().map(|p| format!("{:?} {}", p.kind, p.place)).collect();
    for said in [
        "BadRow row 6, MEMORY_RECORD.timestamp",
        "BadNumber row 6, MEMORY_RECORD.timestamp",
        "MissingText row 3, OP_MEMORY.name",
        "BadEventTime",
    ] {
        assert!(problems.iter().any(|p| p.starts_with(said)), "{said}: {problems:#?}");
    }
    let names: Vec<String> = crate::common::rows(&session, false).into_iter().map(|row| row["name"].clone()).collect();
    assert_eq!(names.iter().filter(|name| name.is_empty()).count(), 2);
}

#[test]
fn cann_databases_give_the_graph_engines_rows() {
    let session = Files(vec![(
        "out/PROF_000001_x/msprof_20250109012345.db".to_owned(),
        made(
            "CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);
             INSERT INTO STRING_IDS VALUES (1, 'Conv2D1'), (2, 'Mul'), (160, 'GE'), (161, 'release'), (162, 'allocate'), (170, 'app');
             CREATE TABLE NPU_OP_MEM (operatorName INTEGER, addr INTEGER, type INTEGER, size INTEGER, timestampNs INTEGER,
               globalTid INTEGER, totalAllocate NUMERIC, totalReserve NUMERIC, component INTEGER, deviceId INTEGER);
             INSERT INTO NPU_OP_MEM VALUES (1, 100, 162, 4096, 1000, 7, 4096, 8192, 160, 3), (2, 200, 162, 512, 2000, 7, 4608, 8192, 160, 3),
               (1, 100, 161, -4096, 5000, 7, 512, 8192, 160, 3), (1, 100, 162, 1024, 6000, 7, 1536, 8192, 160, 3);
             CREATE TABLE NPU_MEM (type INTEGER, ddr NUMERIC, hbm NUMERIC, timestampNs INTEGER, deviceId INTEGER);
             INSERT INTO NPU_MEM VALUES (170, 10, 1000, 500, 3), (171, 0, 9, 500, 3);",
        ),
    )])
    .only();
    let rows: Vec<_> = crate::common::rows(&session, true)
        .into_iter()
        .map(|row| {
            ["name", "size_kb", "start_time_ms", "release_time_ms", "total_allocated_mb", "component"]
                .map(|c| row[c].clone())
        })
        .collect();
    assert_eq!(
        rows,
        [
            ["cann::Conv2D1", "4.0", "0.001", "0.005", "0.00390625", "GE"],
            ["cann::Mul", "0.5", "0.002", "", "0.00439453125", "GE"],
            ["cann::Conv2D1", "1.0", "0.006", "", "0.00146484375", "GE"],
        ]
    );
    assert_eq!((session.summary().records["GE"], session.summary().records["APP"]), (4, 1));
    let app = session.summary().pools.iter().find(|pool| pool.component == "APP").unwrap();
    assert_eq!((app.device.as_str(), app.peak.reserved.unwrap().bytes), ("NPU:3", 1010));
}

#[test]
fn a_write_ahead_log_is_read_and_nothing_is_written() {
    let dir = std::env::temp_dir().join(format!("memlens-database-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join("x.db");
    let whole = read(&recorded());
    let part =
        changed(&recorded(), "CREATE TABLE KEPT AS SELECT * FROM OP_MEMORY; DELETE FROM OP_MEMORY WHERE rowid > 100");
    std::fs::write(&path, &part).unwrap();
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
    connection.execute_batch("PRAGMA wal_autocheckpoint = 0; PRAGMA wal_checkpoint(TRUNCATE);").unwrap();
    connection.execute_batch("INSERT INTO OP_MEMORY SELECT * FROM KEPT WHERE rowid > 100; DROP TABLE KEPT").unwrap();
    let (bytes, log) = (std::fs::read(&path).unwrap(), std::fs::read(dir.join("x.db-wal")).unwrap());
    drop(connection);
    std::fs::remove_dir_all(&dir).unwrap();
    let log_name = format!("{NAME}-wal");
    let with = |log: &[u8]| Files::rank_of_bytes(&[(NAME, &bytes), (&log_name, log)]).only();
    assert_eq!(csv_text(&with(&log), true), csv_text(&whole, true));
    assert_eq!(kinds(&with(&log)), []);
    assert_eq!(read(&bytes).row_count(), 100);
    assert_eq!(with(&[]).row_count(), 100);
    // A log that is cut off or damaged counts as far as it holds together.
    for cut in (0..log.len()).step_by(log.len() / 15) {
        let session = with(&log[..cut]);
        let rows = session.row_count();
        assert!(rows == 100 || rows == whole.row_count(), "cut at {cut}: {rows}");
        assert!(cut == 0 || rows > 100 || kinds(&session) == [ProblemKind::DatabaseLogUnused], "cut at {cut}");
        let mut flipped = log.clone();
        flipped[cut] ^= 0x55;
        let session = with(&flipped);
        let rows = session.row_count();
        assert!(rows == 100 || rows == whole.row_count(), "flipped at {cut}: {rows}");
        assert!(rows > 100 || kinds(&session) == [ProblemKind::DatabaseLogUnused], "flipped at {cut}");
    }
}

#[test]
fn what_is_no_database_says_so() {
    for (bytes, kind) in [
        (Vec::new(), ProblemKind::EmptyFile),
        (
            b"not a database, but long enough to have a header of a hundred bytes: ".repeat(4),
            ProblemKind::NotRecognised,
        ),
        // An encrypted one is noise from the first byte on.
        ((0..50_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect(), ProblemKind::NotRecognised),
        (b"SQLite format 3\0".to_vec(), ProblemKind::NotRecognised),
    ] {
        let session = read(&bytes);
        assert_eq!(session.row_count(), 0);
        // What it held is not known, so there is no advice how to record it.
        assert_eq!(kinds(&session), [kind], "{}", bytes.len());
    }
    let empty = read(&made("CREATE TABLE x (a)"));
    assert_eq!(kinds(&empty), [ProblemKind::NoMemoryFile]);
}

#[test]
fn cut_anywhere_all_before_is_read_and_the_loss_is_named() {
    let bytes = recorded();
    let whole = read(&bytes);
    let numbers = |session: &Session| -> std::collections::HashSet<[String; 3]> {
        let rows = crate::common::rows(session, false).into_iter();
        rows.map(|row| ["size_kb", "start_time_ms", "duration_ms"].map(|column| row[column].clone())).collect()
    };
    let all = numbers(&whole);
    let mut most = 0;
    for step in 1..60 {
        let cut = bytes.len() * step / 60 + step % 7;
        let session = read(&bytes[..cut]);
        assert!(kinds(&session).contains(&ProblemKind::Truncated), "cut at {cut}: {:?}", kinds(&session));
        let count = session.row_count();
        assert!(count <= whole.row_count() && count >= most, "cut at {cut}: {count} rows after {most}");
        most = count;
        assert!(numbers(&session).is_subset(&all), "cut at {cut}");
    }
    assert_eq!(most, whole.row_count());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn flipped_bytes_cost_no_more_than_themselves(flips in prop::collection::vec((any::<u32>(), any::<u8>()), 1..40)) {
        let mut bytes = recorded();
        let rows = read(&bytes).row_count();
        for (place, value) in flips {
            let place = place as usize % bytes.len();
            bytes[place] = value;
        }
        let session = read(&bytes);
        prop_assert!(session.row_count() <= rows + 400, "{} rows of {rows}", session.row_count());
    }

    #[test]
    fn damaged_pages_cost_no_more_than_themselves(page in 1usize..200, value in any::<u8>()) {
        let mut bytes = recorded();
        let whole = read(&bytes);
        let pages = bytes.len() / 4096;
        let page = 1 + page % (pages - 1);
        bytes[page * 4096..(page + 1) * 4096].fill(value);
        let session = read(&bytes);
        prop_assert!(session.row_count() <= whole.row_count());
        let lost = whole.row_count() - session.row_count();
        // A leaf of OP_MEMORY holds some forty rows; the page above all of them holds the whole table.
        prop_assert!(lost <= 120 || lost == whole.row_count(), "page {page}: {lost} lost");
        if lost > 0 {
            prop_assert!(kinds(&session).iter().any(|k| k.loses_data()), "{:?}", kinds(&session));
        }
    }
}

/// Runs nothing: if any of it ran, the reading would fail or never end.
#[test]
fn hostile_schemas_run_nothing() {
    let endless = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT x FROM t";
    let columns = "name, size, allocationTime, releaseTime, activeReleaseTime, streamPtr, deviceId";
    let view = read(&made(&format!(
        "CREATE VIEW OP_MEMORY AS SELECT 1 AS name, x AS size, x AS allocationTime, NULL AS releaseTime,
           NULL AS activeReleaseTime, 1 AS streamPtr, 0 AS deviceId FROM ({endless});
         CREATE TABLE MEMORY_RECORD (component, timestamp, totalAllocated, totalReserved, totalActive, streamPtr, deviceId);
         INSERT INTO MEMORY_RECORD VALUES ('PTA', 5, 1, 2, 1, 1, 0);"
    )));
    assert_eq!((view.row_count(), view.summary().records["PTA"]), (0, 1));
    let generated = read(&made(&format!(
        "CREATE TABLE OP_MEMORY (name, size, allocationTime AS (size + abs(size)), releaseTime,
           activeReleaseTime, streamPtr, deviceId);
         INSERT INTO OP_MEMORY ({}) VALUES ('a', 8, 9, 9, 1, 0)",
        columns.replace("allocationTime, ", "")
    )));
    assert_eq!(generated.row_count(), 0);
    assert!(kinds(&generated).contains(&ProblemKind::BadRow));
    let triggers = read(&made(&format!(
        "CREATE TABLE OP_MEMORY ({columns}); INSERT INTO OP_MEMORY VALUES ('a', 8, 9, 19, 18, 1, 0);
         CREATE TRIGGER t AFTER INSERT ON OP_MEMORY BEGIN SELECT load_extension('evil'); END;
         CREATE TABLE MEMORY_RECORD (component, timestamp CHECK (timestamp > 0), totalAllocated DEFAULT (random()))"
    )));
    assert_eq!(triggers.row_count(), 1);
    // A name that would end a quoted one, a table that is not what its row in the schema says, a virtual table.
    let mut forged = made(&format!(
        "CREATE TABLE \"x\"\";DROP\" (a); CREATE TABLE OP_MEMORY ({columns}); INSERT INTO OP_MEMORY VALUES ('a', 8, 9, 19, 18, 1, 0);"
    ));
    assert_eq!(read(&forged).row_count(), 1);
    let text = format!("CREATE TABLE OP_MEMORY ({columns})");
    let at = forged.windows(text.len()).position(|w| w == text.as_bytes()).unwrap();
    let other = format!("{:<width$}", "CREATE VIRTUAL TABLE OP_MEMORY USING fts5(a)", width = text.len());
    forged[at..at + text.len()].copy_from_slice(other.as_bytes());
    assert_eq!(read(&forged).row_count(), 0);
    // So many columns that no statement could name them.
    let many: Vec<String> = (0..1900).map(|i| format!("c{i}")).collect();
    let wide = read(&made(&format!("CREATE TABLE OP_MEMORY ({})", many.join(", "))));
    assert_eq!(wide.row_count(), 0);
    assert!(kinds(&wide).iter().any(|k| k.loses_data()));
}

/// A page of the table is its own child: the rows on it would come for ever.
#[test]
fn pages_in_circles_end() {
    let mut bytes = recorded();
    let whole = read(&bytes).row_count();
    let pages = bytes.len() / 4096;
    for page in 1..pages {
        let at = page * 4096;
        // Interior pages of tables: every child becomes the page itself.
        if bytes[at] == 5 {
            bytes[at + 8..at + 12].copy_from_slice(&u32::try_from(page + 1).unwrap().to_be_bytes());
        }
    }
    let session = read(&bytes);
    assert!(session.row_count() <= whole);
    assert!(kinds(&session).contains(&ProblemKind::DamagedDatabase));
}

#[test]
fn progress_counts_bytes_and_ends_the_reading() {
    let files = Files::rank_of_bytes(&[(NAME, &recorded())]);
    let folder = files.run().rank_folders.remove(0);
    let size = folder.files[0].size;
    let mut session = Session::new(folder, Options::default());
    let last = Rc::new(Cell::new(0));
    let told = Rc::clone(&last);
    let progress = Box::new(move |bytes| {
        assert!(bytes > told.get());
        told.set(bytes);
        bytes < size / 2
    });
    let block = memlens::read::database::BlockSize { bytes: 4096, kept: 64 };
    let bytes = files.0.iter().find(|(path, _)| path.ends_with(".db")).unwrap().1.clone();
    assert!(!session.read_database_in(block, 0, Box::new(bytes), None, progress));
    assert!(last.get() >= size / 2 && last.get() < size / 2 + 4097);
}

#[test]
fn missing_columns_and_chains_are_named() {
    let bytes = recorded();
    let of = |sql: &str, kind: ProblemKind| {
        let session = read(&changed(&bytes, sql));
        let found = session.summary().problems.iter().find(|problem| problem.kind == kind).cloned();
        (session, found.map(|problem| (problem.detail, problem.count)))
    };
    let (session, named) = of("ALTER TABLE OP_MEMORY DROP COLUMN releaseTime", ProblemKind::NoColumn);
    assert_eq!(named, Some(("OP_MEMORY: releaseTime".to_owned(), 1)));
    assert!(session.summary().blocks.releases_unknown && session.summary().pools[0].baseline_bytes.is_none());
    let (_, named) = of("ALTER TABLE PYTORCH_API DROP COLUMN callchainId", ProblemKind::NoColumn);
    assert_eq!(named, Some(("PYTORCH_API: callchainId".to_owned(), 1)));
    let (_, named) = of(
        "DELETE FROM PYTORCH_CALLCHAINS WHERE id = (SELECT min(id) FROM PYTORCH_CALLCHAINS)",
        ProblemKind::MissingText,
    );
    assert!(named.is_some_and(|(detail, count)| detail == "PYTORCH_CALLCHAINS" && count > 0));
    // Samples of the whole process are no totals of pools.
    let (_, named) = of("DROP TABLE MEMORY_RECORD", ProblemKind::NoMemoryRecord);
    assert!(named.is_some());
}

/// The same with every cell of every table a text.
fn as_text(bytes: &[u8]) -> Vec<u8> {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.deserialize_read_exact("main", bytes, bytes.len(), false).unwrap();
    let all = "SELECT m.name, group_concat('\"' || c.name || '\" TEXT', ', ') FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' GROUP BY m.name";
    let tables: Vec<(String, String)> = connection
        .prepare(all)
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (table, columns) in tables {
        let sql = format!(
            "CREATE TABLE x ({columns}); INSERT INTO x SELECT * FROM {table}; DROP TABLE {table}; ALTER TABLE x RENAME TO {table}"
        );
        connection.execute_batch(&sql).unwrap();
    }
    connection.serialize("main").unwrap().to_vec()
}

#[test]
fn numbers_and_ids_may_be_texts() {
    let whole = recorded();
    let (known, text) = (read(&whole), read(&as_text(&whole)));
    assert_eq!(csv_text(&text, true), csv_text(&known, true));
    assert_eq!(summary(&text), summary(&known));
    // Names that are no ids stay names.
    let named = changed(&as_text(&whole), "UPDATE OP_MEMORY SET name = '7777777777' WHERE _rowid_ = 1");
    assert!(csv_text(&read(&named), true).contains("7777777777"));
}

#[test]
fn texts_that_are_not_there_are_counted() {
    let whole = recorded();
    let lost = |sql: &str| {
        let session = read(&changed(&whole, sql));
        let problems = session.summary().problems.clone();
        assert!(problems.iter().any(|p| p.kind.loses_data() && p.count > 0), "{sql}: {problems:?}");
        (session, problems)
    };
    let (session, problems) = lost("UPDATE STRING_IDS SET value = NULL");
    assert!(problems.iter().any(|p| p.kind == ProblemKind::MissingText), "{problems:?}");
    assert_eq!(session.row_count(), read(&whole).row_count());
    lost("UPDATE STRING_IDS SET value = NULL WHERE value LIKE '%.py(%'");
    lost("DELETE FROM STRING_IDS WHERE value LIKE '%.py(%'");
    lost("UPDATE PYTORCH_CALLCHAINS SET stack = 123456789");
    lost("UPDATE PYTORCH_API SET callchainId = 99999 WHERE callchainId IS NOT NULL");
    lost("UPDATE NPU_MEM SET type = NULL WHERE _rowid_ % 3 = 0");
    let (_, problems) =
        lost("UPDATE PYTORCH_API SET startNs = NULL, endNs = NULL, name = NULL, type = NULL WHERE _rowid_ % 9 = 0");
    assert!(problems.iter().any(|p| p.kind == ProblemKind::BadEvent && p.count > 10), "{problems:?}");
}

#[test]
fn a_page_half_zeroed_is_never_lost_in_silence() {
    const PAGE: usize = 4096;
    let whole = recorded();
    assert_eq!(usize::from(u16::from_be_bytes([whole[16], whole[17]])), PAGE);
    let known = read(&whole);
    let mut hit = 0;
    // Leaves of tables; the rows' bytes fill a page from its end.
    for page in (1..whole.len() / PAGE).filter(|page| whole[page * PAGE] == 0x0d) {
        let mut zeroed = whole.clone();
        zeroed[page * PAGE + PAGE / 2..(page + 1) * PAGE].fill(0);
        let session = read(&zeroed);
        let is_same = csv_text(&session, true) == csv_text(&known, true);
        hit += usize::from(!is_same);
        let problems = &session.summary().problems;
        assert!(is_same || problems.iter().any(|p| p.kind.loses_data()), "page {page}: {problems:?}");
    }
    assert!(hit > 5, "{hit}");
}

#[test]
fn each_incomplete_table_is_named() {
    let sql = "ALTER TABLE OP_MEMORY DROP COLUMN allocationTotalReserved; ALTER TABLE OP_MEMORY DROP COLUMN deviceId; ALTER TABLE MEMORY_RECORD DROP COLUMN totalReserved; ALTER TABLE PYTORCH_API DROP COLUMN globalTid";
    let session = read(&changed(&recorded(), sql));
    let named = session.summary().problems.iter().filter(|p| p.kind == ProblemKind::NoColumn);
    let named: Vec<(&str, u64)> = named.map(|p| (p.detail.as_str(), p.count)).collect();
    let all = "OP_MEMORY: allocationTotalReserved, deviceId; MEMORY_RECORD: totalReserved; PYTORCH_API: globalTid";
    assert_eq!(named, [(all, 1)]);
}
