//! Files as people pass them on: joined, saved again, renamed, packed beside what they were packed from. They give what the profiler's
//! own files give, or it is said what they do not.

use crate::common::pack::{gzip, tar, zip};
use crate::common::packed::{list, read as read_packed};
use crate::common::{Files, Folder, HEADER_15, RECORD_HEADER_7, Table, csv_text, rows};
use memlens::analysis::check::CheckKind;
use memlens::matching::MatchRule;
use memlens::problem::ProblemKind;
use memlens::session::{Options, Session};
use memlens_simulator::{Form, Options as Simulated};

fn kinds(session: &Session) -> Vec<ProblemKind> {
    session.summary().problems.iter().map(|p| p.kind).collect()
}

fn count(session: &Session, kind: ProblemKind) -> u64 {
    session.summary().problems.iter().filter(|p| p.kind == kind).map(|p| p.count).sum()
}

fn simulated(seed: u64) -> Simulated {
    Simulated { ranks: 1, steps: 1, seed, ..Simulated::default() }
}

/// Summary without problems: what the files say.
fn told(session: &Session) -> String {
    let mut summary = session.summary().clone();
    summary.problems.clear();
    summary.neighbours.clear();
    summary.records.clear();
    // How many durations were written, rows that stand twice among them.
    summary.checks.retain(|check| check.kind != CheckKind::Durations);
    (summary.folder, summary.role, summary.rank, summary.form) = Default::default();
    serde_json::to_string_pretty(&summary).unwrap()
}

#[test]
fn a_table_joined_with_itself_counts_once() {
    let whole = Folder::simulated(&simulated(3), 0);
    let plain = whole.session();
    let (rows, records) = (whole.rows.rows.len() as u64, whole.records.rows.len() as u64);
    let stored = whole.records.rows.iter().filter(|row| !row[0].contains('+')).count() as u64;
    let mut twice = whole.clone();
    twice.rows.rows.push(twice.rows.header.clone());
    twice.rows.rows.extend(whole.rows.rows.clone());
    twice.records.rows.push(twice.records.header.clone());
    twice.records.rows.extend(whole.records.rows.clone());
    let session = twice.session();
    assert_eq!(csv_text(&session, true), csv_text(&plain, true));
    assert_eq!(told(&session), told(&plain));
    assert_eq!(
        (count(&session, ProblemKind::RepeatedRow), count(&session, ProblemKind::HeaderAgain)),
        (rows + stored, 2)
    );
    assert!(records > stored && !session.summary().problems.iter().any(|p| p.kind.loses_data()));
    // The reference rule compares what is written.
    let files = [("operator_memory.csv", twice.rows.text()), ("memory_record.csv", twice.records.text())];
    let files = Files::rank(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    assert_eq!(files.sessions(MatchRule::Reference)[0].row_count() as u64, 2 * rows);
}

#[test]
fn joined_exports_of_two_versions_are_read_by_their_own_headers() {
    let old = "Name,Size(KB),Allocation Time(us),Release Time(us),Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),Release Total Allocated(MB),Release Total Reserved(MB),Device Type\n";
    let text = format!(
        "{HEADER_15}aten::a,8,100.123\t,,,,,10,110,11,,,,7,NPU:0\r\n{old}aten::b,16,200.457,300.457,100,10,110,10,110,NPU:0\n"
    );
    let session = Files::rank(&[("operator_memory.csv", &text)]).only();
    let read: Vec<(String, String)> =
        rows(&session, false).into_iter().map(|row| (row["name"].clone(), row["size_kb"].clone())).collect();
    assert_eq!(read, [("aten::a".to_owned(), "8.0".to_owned()), ("aten::b".to_owned(), "16.0".to_owned())]);
    assert_eq!(count(&session, ProblemKind::HeaderAgain), 1);
    assert_eq!(count(&session, ProblemKind::BadRow), 0);
}

/// A table with other words for its columns, in another form.
fn saved_again(table: &Table, delimiter: &str, name: impl Fn(&str) -> String) -> String {
    let header: Vec<String> = table.header.iter().map(|column| name(column)).collect();
    let rows = std::iter::once(&header).chain(&table.rows);
    rows.map(|cells| cells.join(delimiter) + "\n").collect()
}

#[test]
fn headers_in_any_case_and_a_separator_named_above_them_are_read() {
    let whole = Folder::simulated(&simulated(4), 0);
    let plain = whole.session();
    type Renamed = fn(&str) -> String;
    let forms: [(&str, &str, Renamed); 4] = [
        ("", ",", str::to_uppercase),
        ("sep=;\r\n", ";", str::to_owned),
        ("\u{feff}\"sep=|\"\n", "|", |name| name.to_lowercase().replace('(', " (")),
        ("sep=,\n", ",", |name| name.replace(' ', "_").replace('(', "（").replace(')', "）")),
    ];
    for (above, delimiter, name) in forms {
        let text = |table| format!("{above}{}", saved_again(table, delimiter, name));
        let (rows, records) = (text(&whole.rows), text(&whole.records));
        let files = Files::rank(&[("operator_memory.csv", &rows), ("memory_record.csv", &records)]);
        let session = files.only();
        assert_eq!(kinds(&session), kinds(&plain), "{above:?}: {:?}", session.summary().problems);
        assert_eq!((csv_text(&session, true), told(&session)), (csv_text(&plain, true), told(&plain)), "{above:?}");
        assert_eq!(files.answers(MatchRule::Best, 1), files.answers(MatchRule::Best, 1 << 20));
        // Under a name that does not tell as well.
        let other = Files::new(&[("exports/table 1.csv", &rows), ("exports/table 2.csv", &records)]).only();
        assert_eq!(told(&other), told(&plain), "{above:?}");
    }
}

fn gbk(bytes: &[u8]) -> Option<String> {
    encoding_rs::GBK.decode_without_bom_handling_and_without_replacement(bytes).map(Into::into)
}

#[test]
fn gbk_is_read_where_there_is_a_reader_of_it() {
    let row = |name: &str| format!("{name},8,100.123\t,,,,,10,110,11,,,,7,NPU:0\r\n");
    let text = format!("{HEADER_15}{}{}", row("张量::加法"), row("aten::add"));
    let (bytes, ..) = encoding_rs::GBK.encode(&text);
    let read = |bytes: &[u8]| {
        let files = Files::rank_of_bytes(&[("operator_memory.csv", bytes)]);
        let mut session = Session::new(files.run().rank_folders.remove(0), Options::default()).with_legacy(gbk);
        session.begin(0);
        session.feed(bytes);
        session.finish();
        session
    };
    let names = |session: &Session| rows(session, false).into_iter().map(|row| row["name"].clone()).collect::<Vec<_>>();
    let session = read(&bytes);
    assert_eq!(names(&session), ["张量::加法", "aten::add"]);
    assert_eq!((count(&session, ProblemKind::GbkRead), count(&session, ProblemKind::GbkText)), (1, 0));
    // Neither UTF-8 nor GBK.
    let session = read(format!("{HEADER_15}{}", row("x")).replace("\nx,", "\n\u{1},").as_bytes());
    assert_eq!(session.row_count(), 1);
    let broken: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0xd5).collect();
    assert_eq!(read(&broken).row_count(), 2);
}

const ROWS: &str = "aten::a,8,105.123\t,,,,,10,110,11,,,,7,NPU:0\r\naten::b,16,155.456\t,,,,,10,110,11,,,,7,NPU:0\r\n";

fn stacks(trace: &str, piece: usize) -> (Vec<String>, Vec<(ProblemKind, u64)>) {
    let table = format!("{HEADER_15}{ROWS}");
    let records = format!("{RECORD_HEADER_7}PTA,105.123,10,110,11,7,NPU:0\r\n");
    let tables = [("operator_memory.csv", table.as_str()), ("memory_record.csv", &records), ("trace_view.json", trace)];
    let files = Files::rank(&tables);
    let session = files.session(files.run().rank_folders.remove(0), MatchRule::Best, piece);
    let stacks = rows(&session, false).iter().map(|row| row["call_stack"].clone()).collect();
    (stacks, session.summary().problems.iter().map(|p| (p.kind, p.count)).collect())
}

fn event(name: &str, ts: &str, ids: &str, stack: &str) -> String {
    format!(
        "{{\"name\": \"{name}\", \"ph\": \"X\", {ids}, \"ts\": {ts}, \"dur\": 20, \"cat\": \"cpu_op\", \"args\": {{\"Call stack\": \"{stack}\"}}}}"
    )
}

const IDS: &str = "\"pid\": 1234, \"tid\": 5";

#[test]
fn a_trace_of_one_event_a_line_is_read() {
    let (a, b) = (event("aten::a", "100", IDS, "a.py(1): f"), event("aten::b", "150", IDS, "b.py(2): g"));
    let both = ["a.py(1): f", "b.py(2): g"].map(str::to_owned).to_vec();
    let turned = a.replacen("\"name\": \"aten::a\", \"ph\": \"X\"", "\"ph\": \"X\", \"name\": \"aten::a\"", 1);
    for trace in
        [format!("{a}\n{b}\n"), format!("\u{feff}{turned}\r\n\r\n{b}"), format!("{a},\n{b},\n"), format!("{turned}{b}")]
    {
        for piece in [1, 7, 1 << 20] {
            assert_eq!(stacks(&trace, piece), (both.clone(), vec![]), "{trace}");
        }
    }
    // Of a list without its front what follows the first whole comma is read.
    let headless = format!("{}, {a}, {b}]", &a[30..]);
    for piece in [1, 7, 1 << 20] {
        assert_eq!(stacks(&headless, piece), (both.clone(), vec![(ProblemKind::BadEvent, 1)]), "{headless}");
    }
    // A line that is damaged, and one that is cut, cost themselves.
    let damaged = format!("{a}\n{}\n{b}\n", &a[..60]);
    let cut = format!("{a}\n{b}\n{}", &a[..60]);
    for piece in [1, 7, 1 << 20] {
        assert_eq!(stacks(&damaged, piece), (both.clone(), vec![(ProblemKind::BadEvent, 1)]), "{damaged}");
        assert_eq!(stacks(&cut, piece), (both.clone(), vec![(ProblemKind::Truncated, 1)]));
    }
    assert_eq!(stacks("{\"name\": \"aten", 1 << 20).1, [(ProblemKind::Truncated, 1)]);
    assert_eq!(stacks("{\"name\": 1, \"other\": []}", 1 << 20).1, [(ProblemKind::NotRecognised, 1)]);
    assert_eq!(stacks(&format!("{{\"name\": 1, \"traceEvents\": [{a}, {b}]}}"), 3), (both, vec![]));
}

#[test]
fn numbers_of_events_are_read_in_every_form_of_json() {
    let both = ["a.py(1): f", "b.py(2): g"].map(str::to_owned).to_vec();
    for (a, b) in [
        ("\" 100\\t\"", "\"\\u0031\\u0035\\u0030.0\""),
        ("\"\u{a0}100.000\u{3000}\"", "1.5e2"),
        ("\"1e2\"", "\"\\n150\\u0020\""),
    ] {
        let trace = format!("[{}, {}]", event("aten::a", a, IDS, &both[0]), event("aten::b", b, IDS, &both[1]));
        assert_eq!(stacks(&trace, 1 << 20), (both.clone(), vec![]), "{trace}");
    }
}

#[test]
fn an_id_in_another_form_is_the_same_thread() {
    // The backward operator of the row's name has no stack: the forward one is told by its number, within the process.
    let forms = [
        "\"pid\": 1234, \"tid\": 5",
        "\"pid\": 1234.0, \"tid\": \"5\"",
        "\"pid\": \"1234.00\", \"tid\": 5.0",
        "\"pid\": \"\\u0031234\", \"tid\": 5",
    ];
    for form in forms {
        let outer = event("aten::a", "100", IDS, "outer.py(1): f");
        let inner = event("aten::a", "104", form, "inner.py(2): g").replace("\"dur\": 20", "\"dur\": 2");
        let (found, problems) = stacks(&format!("[{outer}, {inner}]"), 1 << 20);
        // On one thread the innermost holds the block; on two neither would be certain.
        assert_eq!((found[0].as_str(), problems), ("inner.py(2): g", vec![]), "{form}");
    }
    let other =
        event("aten::a", "104", "\"pid\": 1234.5, \"tid\": 5", "inner.py(2): g").replace("\"dur\": 20", "\"dur\": 2");
    let (found, _) = stacks(&format!("[{}, {other}]", event("aten::a", "100", IDS, "outer.py(1): f")), 1 << 20);
    assert_eq!(found[0], "");
}

#[test]
fn a_pool_whose_samples_are_gone_is_named() {
    let whole = Folder::simulated(&simulated(5), 0);
    let missing = |component: &str| {
        let mut folder = whole.clone();
        folder.records.rows.retain(|row| row[0] != component);
        let session = folder.session();
        let named = session.summary().problems.iter().filter(|p| p.kind == ProblemKind::PoolWithoutRecords);
        named.map(|p| (p.file.clone(), p.detail.clone())).collect::<Vec<_>>()
    };
    let file = "memory_record.csv".to_owned();
    assert_eq!(missing("none"), []);
    assert_eq!(missing("APP"), []);
    assert_eq!(missing("GE"), [(file.clone(), "GE".to_owned())]);
    assert_eq!(missing("PTA"), [(file.clone(), "PTA".to_owned())]);
    // Without rows the sum of pools tells.
    let mut folder = whole.clone();
    folder.rows = Table::default();
    folder.records.rows.retain(|row| row[0] != "PTA");
    assert!(kinds(&folder.session()).contains(&ProblemKind::PoolWithoutRecords));
    folder.records.rows.retain(|row| row[0] == "APP");
    assert!(!kinds(&folder.session()).contains(&ProblemKind::PoolWithoutRecords), "nothing tells of any other");
    // A sample that does not say its pool is of none.
    let mut folder = whole.clone();
    folder.records.rows[40][0].clear();
    let session = folder.session();
    assert_eq!(count(&session, ProblemKind::BadRow), 1);
    assert!(session.summary().pools.iter().all(|pool| !pool.component.is_empty()));
}

#[test]
fn no_time_is_asserted_on_an_axis_that_was_rounded_away() {
    let mut whole = Folder::simulated(&simulated(6), 0);
    for row in &mut whole.records.rows {
        row[1] = "1.69512E+15".to_owned();
    }
    let mut alone = whole.clone();
    alone.rows = Table::default();
    for row in &mut whole.rows.rows {
        row[2] = "1.69512E+15".to_owned();
        row[3].clear();
        row[4].clear();
    }
    for folder in [&alone, &whole] {
        let session = folder.session();
        let summary = session.summary();
        assert!(
            summary.times_lost && summary.window_ns.is_none() && kinds(&session).contains(&ProblemKind::TimeAxisLost)
        );
        assert!(summary.peak.unwrap().allocated.unwrap().bytes > 0, "sizes stay");
        let json = memlens::export::summary::to_json(std::slice::from_ref(summary), &[], &[]).to_string();
        assert!(json.contains("\"time_ns\":null") && !json.contains("\"time_ns\":1"), "{json}");
        assert!(session.findings().iter().all(|finding| finding.place.time_ns.is_none()));
        assert_eq!(session.moment(memlens::analysis::steps::Moment::Peak, memlens::analysis::steps::Of::Peak), None);
    }
}

fn database(seed: u64) -> Vec<u8> {
    let (files, _) = Files::simulated(&Simulated { form: Form::Database, ..simulated(seed) });
    files.0.into_iter().find(|(path, _)| path.ends_with(".db")).unwrap().1
}

#[test]
fn a_database_is_read_under_any_name() {
    let bytes = database(7);
    let plain = Files::rank_of_bytes(&[("ascend_pytorch_profiler_0.db", &bytes)]).only();
    assert!(plain.row_count() > 100);
    for name in ["my data.db", "1.db", "x.sqlite", "ascend_pytorch_profiler_0.db.bak", "profile", "x.db3"] {
        for folder in ["run/", "run/actor/x_ascend_pt/", "run/actor/x_ascend_pt/ASCEND_PROFILER_OUTPUT/"] {
            let session = Files(vec![(format!("{folder}{name}"), bytes.clone())]).only();
            assert_eq!(session.row_count(), plain.row_count(), "{folder}{name}");
            assert_eq!(told(&session), told(&plain), "{folder}{name}");
        }
    }
    // In an archive as well, where its beginning can be had.
    for (name, packed) in [("run.zip", zip as fn(&[(String, Vec<u8>)]) -> Vec<u8>), ("run.tar", tar)] {
        let unpacked = read_packed(name, &packed(&[("run/my data.db".to_owned(), bytes.clone())]), 1 << 20);
        assert_eq!((unpacked.answers.len(), unpacked.problems.len()), (1, 0), "{name}");
        assert_eq!(unpacked.answers[0].0.lines().count(), csv_text(&plain, true).lines().count(), "{name}");
    }
    // Two of them are two recordings, a copy is none.
    let other = database(8);
    let named = |names: &[(&str, &[u8])]| {
        let files = names.iter().map(|(name, bytes)| (format!("run/{name}"), bytes.to_vec()));
        let sessions = Files(files.collect()).sessions(MatchRule::Best);
        sessions.iter().map(|session| (session.folder().folder.clone(), session.row_count())).collect::<Vec<_>>()
    };
    let counts = [&bytes, &other]
        .map(|bytes| Files::rank_of_bytes(&[("ascend_pytorch_profiler_0.db", bytes)]).only().row_count());
    let two = named(&[("1.db", &bytes), ("2.db", &other), ("copy.db", &bytes)]);
    assert_eq!(two, [("run/1.db".to_owned(), counts[0]), ("run/2.db".to_owned(), counts[1])]);
    assert_eq!(named(&[("1.db", &bytes), ("1.db.bak", &bytes)]), [("run".to_owned(), counts[0])]);
    assert_eq!(named(&[("ascend_pytorch_profiler_0.db", &bytes), ("old.db", &other)]), [("run".to_owned(), counts[0])]);
}

#[test]
fn of_a_destroyed_database_it_is_not_said_what_it_held() {
    let bytes = database(9);
    let noise = |from: usize| {
        bytes
            .iter()
            .enumerate()
            .map(|(at, byte)| if at < from { *byte } else { ((at * 7919) >> 3) as u8 })
            .collect::<Vec<u8>>()
    };
    for (broken, kind) in [
        (noise(0), ProblemKind::NotRecognised),
        (noise(100), ProblemKind::DatabaseLost),
        (Vec::new(), ProblemKind::EmptyFile),
    ] {
        let session = Files::rank_of_bytes(&[("ascend_pytorch_profiler_0.db", &broken)]).only();
        assert_eq!(kinds(&session), [kind]);
    }
}

#[test]
fn recordings_are_numbered_by_the_time_their_metadata_has() {
    let folder = |name: &str, end: &str| {
        let base = format!("run/actor/{name}");
        let info = format!("{{\"rank_id\": 0, \"end_info\": {{\"collectionTimeEnd\": {end}}}}}");
        let table = format!("{HEADER_15}{ROWS}");
        [
            (format!("{base}/profiler_info_0.json"), info.into_bytes()),
            (format!("{base}/ASCEND_PROFILER_OUTPUT/operator_memory.csv"), table.into_bytes()),
        ]
    };
    let steps = |folders: &[(&str, &str)]| {
        let files = folders.iter().flat_map(|(name, end)| folder(name, end)).collect();
        let run = Files(files).run();
        run.rank_folders.iter().map(|f| (f.folder.rsplit('/').next().unwrap().to_owned(), f.step)).collect::<Vec<_>>()
    };
    let of =
        |list: &[(&str, u64)]| list.iter().map(|(name, step)| ((*name).to_owned(), Some(*step))).collect::<Vec<_>>();
    let (early, late) = ("1779785515000000001", "\"1779785515000000002\"");
    assert_eq!(steps(&[("a_ascend_pt", late), ("b_ascend_pt", early)]), of(&[("a_ascend_pt", 2), ("b_ascend_pt", 1)]));
    // Stamps were UTC before they were local time.
    let stamped = ["h_1_20250101090000000_ascend_pt", "h_1_20250101020000000_ascend_pt"];
    assert_eq!(steps(&[(stamped[0], early), (stamped[1], late)]), of(&[(stamped[1], 2), (stamped[0], 1)]));
    assert_eq!(steps(&[(stamped[0], early), (stamped[1], "null")]), of(&[(stamped[1], 1), (stamped[0], 2)]));
}

#[test]
fn blank_rows_of_a_spreadsheet_are_no_rows() {
    let row = "aten::a,8,100.123\t,,,,,10,110,11,,,,7,NPU:0\r\n";
    let blank = format!("{}\r\n", ",".repeat(14));
    let text = format!("{HEADER_15}{row}{blank}{blank}{row}");
    let session = Files::rank(&[("operator_memory.csv", &text)]).only();
    assert_eq!(count(&session, ProblemKind::BadRow), 0);
    assert_eq!((session.row_count(), count(&session, ProblemKind::RepeatedRow)), (1, 1));
}

#[test]
fn what_every_slice_lacks_is_said_once() {
    let header = "Name,Size(KB),Allocation Time(us),Device Type\n";
    let names: Vec<String> = (0..8).map(|n| format!("operator_memory_slice_{n}_20240102030405.csv")).collect();
    let text = format!("{header}aten::a,8,100.123,NPU:0\n");
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), text.as_str())).collect();
    let session = Files::rank(&files).only();
    let missing: Vec<_> = session.summary().problems.iter().filter(|p| p.kind == ProblemKind::NoColumn).collect();
    let [only] = missing[..] else { panic!("{missing:?}") };
    assert_eq!((only.file.as_str(), only.count), (names[0].as_str(), 8));
    assert!(only.detail.starts_with("Release Time, Allocation Total Allocated"), "{only:?}");
}

#[test]
fn what_stands_behind_a_packed_archive_is_named() {
    let files = [("run/a_ascend_pt/operator_memory.csv".to_owned(), format!("{HEADER_15}{ROWS}").into_bytes())];
    let more = tar(&[("run/b_ascend_pt/operator_memory.csv".to_owned(), b"x".to_vec())]);
    let behind = |name: &str, bytes: &[u8]| {
        let (listed, _) = list(name, bytes);
        let damaged = listed.problems.iter().filter(|p| p.kind == ProblemKind::ArchiveDamaged);
        (listed.members.len(), damaged.map(|p| p.detail.clone()).collect::<Vec<_>>())
    };
    let said = vec!["more bytes behind the archive's end".to_owned()];
    let tar = tar(&files);
    let padded = |bytes: &[u8]| [bytes, &[0; 20_000][..]].concat();
    let garbage = |bytes: &[u8]| [bytes, &b"left over"[..]].concat();
    let long = |bytes: &[u8]| [bytes, &b"left over".repeat(1000)[..]].concat();
    for (name, bytes, found) in [
        ("x.tar", tar.clone(), (1, vec![])),
        ("x.tar", padded(&tar), (1, vec![])),
        ("x.tar", garbage(&tar), (1, said.clone())),
        ("x.tar", long(&padded(&tar)), (1, said.clone())),
        // Two archives joined are read as one.
        ("x.tar", [tar.clone(), more.clone()].concat(), (2, vec![])),
        ("x.tar.gz", padded(&gzip(&tar)), (1, vec![])),
        ("x.tar.gz", garbage(&gzip(&tar)), (1, said.clone())),
        ("x.tar.gz", gzip(&garbage(&tar)), (1, said.clone())),
        ("x.tar.gz", [gzip(&tar), gzip(&more)].concat(), (2, vec![])),
    ] {
        assert_eq!(behind(name, &bytes), found, "{name} {}", bytes.len());
    }
}

#[test]
fn a_packed_database_beside_text_is_counted_too() {
    let (mut both, _) = Files::simulated(&Simulated { form: Form::Both, ..simulated(10) });
    let plain = both.only();
    let table = both.0.iter_mut().find(|(path, _)| path.ends_with("operator_memory.csv")).unwrap();
    table.1 = table.1.split_inclusive(|byte| *byte == b'\n').take(4).collect::<Vec<_>>().concat();
    let database = both.0.iter_mut().find(|(path, _)| path.ends_with(".db")).unwrap();
    *database = (format!("{}.gz", database.0), gzip(&database.1));
    let session = both.only();
    assert_eq!((session.row_count(), session.summary().form.as_str()), (plain.row_count(), "db"));
    assert_eq!(csv_text(&session, true), csv_text(&plain, true));
}
