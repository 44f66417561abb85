//! Traces whose times do not share the memory tables' axis: moved by what the APP samples prove, or by hand.

use crate::common::Files;
use memlens::matching::MatchRule;
use memlens::problem::{Problem, ProblemKind};
use memlens::session::{Options, Session};

/// A simulated rank, and its trace with times relative to the start, as numbers; also how far they lie apart.
fn relative() -> (Files, Files, i64) {
    let options = memlens_simulator::Options { ranks: 1, steps: 1, seed: 11, ..Default::default() };
    let (files, _) = Files::simulated(&options);
    let mut moved = Files(files.0.clone());
    let mut origin = None;
    for (path, bytes) in &mut moved.0 {
        if path.ends_with("trace_view.json") {
            let text = String::from_utf8(std::mem::take(bytes)).unwrap();
            let ns = |digits: &str| digits.replace('.', "").parse::<i64>().unwrap();
            let times = || text.split("\"ts\": \"").skip(1).map(|rest| rest.split('"').next().unwrap());
            let first = times().map(ns).min().unwrap();
            origin = Some(first);
            let mut parts = text.split("\"ts\": \"");
            let mut out = parts.next().unwrap().to_owned();
            for part in parts {
                let (digits, rest) = part.split_once('"').unwrap();
                let at = ns(digits) - first;
                out += &format!("\"ts\": {}.{:03}{rest}", at / 1000, at % 1000);
            }
            *bytes = out.into_bytes();
        }
    }
    (files, moved, origin.unwrap())
}

fn problem(session: &Session, kind: ProblemKind) -> Option<&Problem> {
    session.summary().problems.iter().find(|p| p.kind == kind)
}

fn by_hand(files: &Files, options: Options) -> Session {
    let mut session = Session::new(files.run().rank_folders.remove(0), options);
    for file in session.read_order() {
        let index = session.folder().files[file].index;
        session.begin(file);
        session.feed(&files.0[index].1);
    }
    session.finish();
    session
}

/// The recorded APP samples changed or taken away.
fn with_records(files: &Files, change: impl Fn(usize, &str) -> Option<String>) -> Files {
    let mut files = Files(files.0.clone());
    let (_, bytes) = files.0.iter_mut().find(|(path, _)| path.ends_with("memory_record.csv")).unwrap();
    let text = String::from_utf8(std::mem::take(bytes)).unwrap();
    *bytes =
        text.split_inclusive('\n').enumerate().filter_map(|(at, line)| change(at, line)).collect::<String>().into();
    files
}

#[test]
fn the_samples_of_app_prove_the_distance() {
    let (whole, moved, origin) = relative();
    let (good, session) = (whole.only(), moved.only());
    assert_eq!(crate::common::csv_text(&session, true), crate::common::csv_text(&good, true));
    assert_eq!(session.steps(), good.steps());
    let samples = good.summary().records["APP"];
    let said = problem(&session, ProblemKind::AxisMoved).unwrap();
    assert_eq!(said.detail, format!("{origin} ns; {samples} x APP/Memory"));
    assert!(problem(&session, ProblemKind::NoCommonAxis).is_none());
    assert!(problem(&good, ProblemKind::AxisMoved).is_none());
}

#[test]
fn a_part_of_the_samples_proves_it_too() {
    let (whole, moved, origin) = relative();
    let fewer = with_records(&moved, |at, line| (!line.starts_with("APP") || at > 1).then(|| line.to_owned()));
    let session = fewer.only();
    assert!(problem(&session, ProblemKind::AxisMoved).unwrap().detail.starts_with(&format!("{origin} ns; ")));
    assert_eq!(session.summary().matches, whole.only().summary().matches);
}

#[test]
fn without_proof_only_a_hand_moves_it() {
    let (whole, moved, origin) = relative();
    let without = with_records(&moved, |_, line| (!line.starts_with("APP")).then(|| line.to_owned()));
    let other = with_records(&moved, |at, line| {
        let one_more = |line: &str| {
            let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            cells[3] = format!("{}", cells[3].parse::<f64>().unwrap() + 1.0);
            cells.join(",")
        };
        Some(if line.starts_with("APP") && at == 2 { one_more(line) } else { line.to_owned() })
    });
    let good = whole.only();
    for files in [without, other] {
        let session = files.only();
        assert!(problem(&session, ProblemKind::AxisMoved).is_none());
        assert_eq!(problem(&session, ProblemKind::NoCommonAxis).unwrap().file, "trace_view.json");
        let matches = session.summary().matches;
        assert_eq!(matches.none, session.row_count() as i64);
        let session = by_hand(&files, Options { trace_offset_ns: Some(origin), ..Options::default() });
        assert_eq!(session.summary().matches, good.summary().matches);
        assert_eq!(problem(&session, ProblemKind::AxisMoved).unwrap().detail, format!("{origin} ns"));
    }
}

#[test]
fn distances_beyond_all_times_harm_nothing() {
    let (_, moved, _) = relative();
    for offset in [i64::MAX, i64::MIN, 1 << 62, 0] {
        let session = by_hand(&moved, Options { trace_offset_ns: Some(offset), ..Options::default() });
        assert!(problem(&session, ProblemKind::NoCommonAxis).is_some());
    }
    // The reference rule compares what is written.
    let options = Options { rule: MatchRule::Reference, trace_offset_ns: Some(5) };
    assert!(problem(&by_hand(&moved, options), ProblemKind::AxisMoved).is_none());
}

#[test]
fn rows_on_another_axis_are_named_and_nothing_is_said_to_be_moved() {
    let (mut files, _, _) = relative();
    let (_, bytes) = files.0.iter_mut().find(|(path, _)| path.ends_with("operator_memory.csv")).unwrap();
    let text = String::from_utf8(std::mem::take(bytes)).unwrap();
    let columns: Vec<bool> = text.lines().next().unwrap().split(',').map(|name| name.ends_with("Time(us)")).collect();
    let relative = |(at, line): (usize, &str)| {
        let cell = |(cell, is_time): (&str, &bool)| {
            let is_time = *is_time && at > 0 && cell.trim().parse::<f64>().is_ok_and(|time| time > 1e12);
            if is_time { cell.trim().get(6..).unwrap().to_owned() } else { cell.to_owned() }
        };
        line.split(',').zip(&columns).map(cell).collect::<Vec<_>>().join(",") + "\n"
    };
    *bytes = text.lines().enumerate().map(relative).collect::<String>().into();
    let session = files.only();
    assert!(problem(&session, ProblemKind::AxisMoved).is_none());
    assert!(problem(&session, ProblemKind::NoCommonAxis).unwrap().detail.contains("operator_memory.csv"));
}
