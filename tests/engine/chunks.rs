//! Wherever a file is cut into chunks, the rows, the summary and the problems are the same.

use crate::common::{Files, HEADER_15, RECORD_HEADER_7};
use memlens::matching::MatchRule;
use proptest::prelude::*;

/// Small files with all that makes reading depend on where it is cut: quotes, line breaks in cells, CR LF, multi-byte text,
/// escapes, damage.
fn odd() -> Files {
    let rows = format!(
        "\u{feff}{HEADER_15}\"aten::\"\"a\"\"\",8,100.000\t,200.000\t,190.000\t,100,90,10,110,11,9,110,10,7,NPU:0\r\n\r\n\"aten::\r\n张量\",16,\"150.000\t\",,,,,10.1,110,11,,,,7,NPU:0\n\"open,8,160,,,,,,,,,,,7,NPU:0\naten::b,4,x,,,,,,,,,,,7,NPU:0\naten::b,4,170,,,,,,,,,,,7,NPU:0\naten::torn,4,18"
    );
    let records = format!(
        "{RECORD_HEADER_7}APP,90,,900,,,NPU:0\r\nPTA,100,10,110,11,7,NPU:0\r\nPTA,150,x,110\r\nPTA,170,9.75,110,11,7,NPU:0\r\nPTA,190,8,110,11,7,NP"
    );
    let event = |name: &str, from: i64, more: &str| {
        format!(
            "{{\"ph\": \"X\", \"name\": \"{name}\", \"pid\": \"p 1\", \"tid\": 7, \"ts\": \"{from}.125\", \"dur\": 30.5, \"cat\": \"cpu_op\", \"args\": {{\"Sequence number\": {from}, \"Fwd thread id\": 0{more}}}}}"
        )
    };
    let trace = [
        event("aten::\\\"a\\\"", 90, ", \"Call stack\": \"/w/王.py(1): f;\\r\\n/w/main.py(2): <module>\""),
        event(
            "aten::\\r\\n\\u5f20量",
            140,
            ", \"Call stack\": \"\\ud83d\\ude00.py(1): g\", \"Input Dims\": [[1, {\"a\": \"}\"}]]",
        ),
        event("aten::b", 150, ", \"C\\u0061ll stack\": \"careful.py(1): h\""),
        "{\"ph\": \"X, \"name\": \"broken\", \"args\": {\"x\": [\"]\"]}}".to_owned(),
        event("ProfilerStep#5", 80, ""),
        "17, null, \"text\"".to_owned(),
        "{\"ph\": \"s\", \"cat\": \"fwdbwd\", \"id\": 140, \"pid\": \"p 1\", \"tid\": 7, \"ts\": 140.125}".to_owned(),
        "} ] garbage".to_owned(),
        event("aten::b", 165, ", \"Call stack\": \"last.py(1): k\""),
        "{\"ph\": \"X\", \"name\": \"cut o".to_owned(),
    ];
    Files::rank(&[
        ("operator_memory.csv", &rows),
        ("memory_record.csv", &records),
        ("trace_view.json", &format!("\n[{}", trace.join(", "))),
    ])
}

/// Reads with one file cut at exactly these places.
fn cut_at(files: &Files, cuts: &[usize]) -> Vec<(String, String)> {
    let run = files.run();
    let read = |folder: memlens::folder::RankFolder| {
        let mut session = memlens::session::Session::new(folder, Default::default());
        for file in session.read_order() {
            let bytes = &files.0[session.folder().files[file].index].1;
            session.begin(file);
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
            cuts.sort_unstable();
            let mut from = 0;
            for cut in cuts {
                session.feed(&bytes[from..cut]);
                from = cut;
            }
            session.feed(&bytes[from..]);
        }
        session.finish();
        (crate::common::csv_text(&session, true), serde_json::to_string_pretty(session.summary()).unwrap())
    };
    run.rank_folders.into_iter().map(read).collect()
}

#[test]
fn the_odd_files_are_worth_cutting() {
    let answers = odd().answers(MatchRule::Best, usize::MAX);
    let (rows, summary) = &answers[0];
    for stack in ["/w/王.py(1): f", "😀.py(1): g", "last.py(1): k"] {
        assert!(rows.contains(stack), "{stack}: {rows}");
    }
    for kind in ["BadRow", "UnclosedQuote", "Truncated", "BadEvent", "ShortRow", "BadNumber", "Inexact"] {
        let name = memlens::problem::ProblemKind::ALL.iter().find(|k| format!("{k:?}") == kind).unwrap().name();
        assert!(summary.contains(name), "{kind}: {summary}");
    }
}

#[test]
fn any_one_cut_and_single_bytes() {
    let files = odd();
    let whole = files.answers(MatchRule::Best, usize::MAX);
    let longest = files.0.iter().map(|(_, bytes)| bytes.len()).max().unwrap();
    for cut in 0..=longest {
        assert_eq!(cut_at(&files, &[cut]), whole, "cut at {cut}");
    }
    for piece in [1, 2, 3, 7] {
        assert_eq!(files.answers(MatchRule::Best, piece), whole, "pieces of {piece}");
        let reference = files.answers(MatchRule::Reference, usize::MAX);
        assert_eq!(files.answers(MatchRule::Reference, piece), reference, "pieces of {piece}");
    }
}

proptest! {
    #[test]
    fn any_cuts(cuts in prop::collection::vec(any::<usize>(), 0..30)) {
        thread_local!(static ODD: (Files, Vec<(String, String)>) = {
            let files = odd();
            let whole = files.answers(MatchRule::Best, usize::MAX);
            (files, whole)
        });
        ODD.with(|(files, whole)| assert_eq!(&cut_at(files, &cuts), whole));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_simulated_rank_in_pieces_of_any_size(piece in 1usize..100_000) {
        thread_local!(static RANK: (Files, Vec<(String, String)>) = {
            let options = memlens_simulator::Options { ranks: 1, steps: 1, seed: 5, ..Default::default() };
            let (files, _) = Files::simulated(&options);
            let whole = files.answers(MatchRule::Best, usize::MAX);
            (files, whole)
        });
        RANK.with(|(files, whole)| assert_eq!(&files.answers(MatchRule::Best, piece), whole));
    }
}

/// Events larger than any real one are judged the same, whether they come whole or in pieces.
#[test]
fn large_events_in_pieces() {
    let filler = "z".repeat(300 << 10);
    let event = |stack: &str, from: i64| {
        format!(
            "{{\"ph\": \"X\", \"name\": \"aten::a\", \"pid\": 1, \"tid\": 1, \"ts\": {from}, \"dur\": 9, \"cat\": \"cpu_op\", \"args\": {{\"Call stack\": \"{stack}\"}}}}"
        )
    };
    let holds_another = format!("{{\"ph\": \"M\", \"args\": [{{\"x\": \"{filler}\"}}, {{\"name\": 1}}]}}");
    let whole_and_large = format!("{{\"ph\": \"M\", \"args\": [{{\"x\": \"{filler}\"}}]}}");
    let never_ends = format!("{{\"ph\": \"M\", \"args\": {{\"x\": \"{filler}\", ");
    let rows = format!("{HEADER_15}aten::a,8,105,,,,,,,,,,,7,NPU:0\naten::a,8,205,,,,,,,,,,,7,NPU:0\n");
    for odd in [holds_another, whole_and_large, never_ends] {
        let trace = format!("[{}, {odd}, {}]", event("one", 100), event("two", 200));
        let files = Files::rank(&[("operator_memory.csv", &rows), ("trace_view.json", &trace)]);
        let whole = files.answers(MatchRule::Best, usize::MAX);
        assert!(whole[0].0.contains("one") && whole[0].0.contains("two"));
        for piece in [4096, 100_000, 262_144, 300_000, 310_000] {
            assert_eq!(files.answers(MatchRule::Best, piece), whole, "pieces of {piece}");
        }
    }
}

/// A row longer than any real one, and quotes that stay open: the same wherever the cuts are.
#[test]
fn long_rows_in_pieces() {
    let filler = "z".repeat(300 << 10);
    let row = "aten::a,8,105,,,,,,,,,,,7,NPU:0\n";
    let many = row.repeat(20_000);
    for odd in [
        format!("{filler}\n"),
        format!("\"{filler}\n"),
        format!("\"{many}"),
        format!("x,\"{many}{filler}\n"),
        "a\"b,\"c\n".repeat(40_000),
        format!("{filler}\"\n{row}\"{filler}"),
    ] {
        let rows = format!("{HEADER_15}{row}{odd}{row}");
        let files = Files::rank(&[("operator_memory.csv", &rows)]);
        let whole = files.answers(MatchRule::Best, usize::MAX);
        for piece in [5_000, 262_144, 262_145, 1 << 20] {
            assert!(files.answers(MatchRule::Best, piece) == whole, "pieces of {piece}: {:?}", &odd[..40]);
        }
    }
}
