//! Damaged and odd input: what is readable is there, the rest is counted with file and place, and nothing panics.

use crate::common::{Files, HEADER_15, RECORD_HEADER_7};
use memlens::matching::MatchRule;
use memlens::problem::{Place, Problem, ProblemKind};
use memlens::session::Session;
use proptest::prelude::*;

const ROW_A: &str = "aten::a,8,100.000\t,200.000\t,190.000\t,100.000\t,90.000\t,10,110,11,9,110,10,7,NPU:0\r\n";
const ROW_B: &str = "aten::b,16,150.000\t,,,,,10,110,11,,,,7,NPU:0\r\n";
const RECORDS: &str = "PTA,100.000\t,10,110,11,7,NPU:0\r\nPTA,150.000\t,10.015625,110,11,7,NPU:0\r\n";

/// An operator event that holds one of the rows above.
fn event(name: &str, from: i64, stack: &str) -> String {
    format!(
        "{{\"ph\": \"X\", \"name\": \"{name}\", \"pid\": 1, \"tid\": 1, \"ts\": \"{from}.000\", \"dur\": 20, \"cat\": \"cpu_op\", \"args\": {{\"Sequence number\": -1, \"Fwd thread id\": 0, \"Call stack\": \"{stack}\"}}}}"
    )
}

fn trace_with(between: &str) -> String {
    format!("[{}, {between}{}]", event("aten::a", 95, "a.py(1): f"), event("aten::b", 145, "b.py(2): g"))
}

fn problem(session: &Session, kind: ProblemKind) -> &Problem {
    let problems = &session.summary().problems;
    problems.iter().find(|p| p.kind == kind).unwrap_or_else(|| panic!("no {kind:?} in {problems:?}"))
}

fn place(session: &Session, kind: ProblemKind) -> (u64, &str, &Place) {
    let problem = problem(session, kind);
    (problem.count, &problem.file, &problem.place)
}

fn names(session: &Session) -> Vec<String> {
    crate::common::rows(session, false).iter().map(|row| row["name"].clone()).collect()
}

fn only_rows(text: &str) -> Session {
    Files::rank(&[("operator_memory.csv", text)]).only()
}

fn cell(row: u64, column: &str) -> Place {
    Place::Cell(row, column.to_owned())
}

/// The stacks of the two rows with a trace; all other files are whole.
fn stacks(trace: &[u8]) -> (Session, Vec<String>) {
    let rows = format!("{HEADER_15}{ROW_A}{ROW_B}");
    let session = Files::rank_of_bytes(&[("operator_memory.csv", rows.as_bytes()), ("trace_view.json", trace)]).only();
    let stacks = crate::common::rows(&session, false).iter().map(|row| row["call_stack"].clone()).collect();
    (session, stacks)
}

const BOTH: [&str; 2] = ["a.py(1): f", "b.py(2): g"];

mod tables {
    use super::*;

    #[test]
    fn missing_files_leave_what_the_others_hold() {
        let rows = format!("{HEADER_15}{ROW_A}{ROW_B}");
        let records = format!("{RECORD_HEADER_7}{RECORDS}");
        let s = only_rows(&rows);
        assert_eq!(s.row_count(), 2);
        problem(&s, ProblemKind::NoMemoryRecord);
        problem(&s, ProblemKind::NoTrace);
        let s = Files::rank(&[("memory_record.csv", &records)]).only();
        assert_eq!((s.row_count(), s.summary().records["PTA"]), (0, 2));
        assert_eq!(s.summary().peak.unwrap().allocated.unwrap().time_ns, 150_000);
        problem(&s, ProblemKind::NoOperatorMemory);
        let s = Files::rank(&[("trace_view.json", "[]")]).only();
        assert!(problem(&s, ProblemKind::TraceAlone).kind.loses_data());
    }

    #[test]
    fn empty_files_are_said_to_be_empty() {
        for empty in ["", "\u{feff}", "\r\n\r\n\n", "\n"] {
            let files = Files::rank(&[
                ("operator_memory.csv", empty),
                ("memory_record.csv", empty),
                ("trace_view.json", empty),
            ]);
            let s = files.only();
            let count = s.summary().problems.iter().filter(|p| p.kind == ProblemKind::EmptyFile).count();
            assert_eq!(count, 3, "{empty:?}: {:?}", s.summary().problems);
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_header() {
        let s = only_rows(&format!("\u{feff}{HEADER_15}{ROW_A}"));
        assert_eq!(names(&s), ["aten::a"]);
        let s = only_rows("\u{feff}\"Name\",\"Size(KB)\",\"Allocation Time(us)\"\n\"aten::a\",\"8\",\"100\t\"\n");
        assert_eq!(names(&s), ["aten::a"]);
    }

    #[test]
    fn utf_16_is_read_with_and_without_its_mark() {
        let table = format!("{HEADER_15}{}", ROW_A.replace("aten::a", "张量😀"));
        for text in [table.clone(), format!("\u{feff}{table}")] {
            for big_endian in [false, true] {
                let unit = |unit: u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
                let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
                let files = Files::rank_of_bytes(&[("operator_memory.csv", &bytes)]);
                assert_eq!(names(&files.only()), ["张量😀"]);
                let whole = files.answers(MatchRule::Best, usize::MAX);
                assert_eq!(files.answers(MatchRule::Best, 1), whole);
                assert_eq!(files.answers(MatchRule::Best, 3), whole);
            }
        }
        let torn: Vec<u8> = table.encode_utf16().flat_map(u16::to_le_bytes).chain([b'x']).collect();
        let s = Files::rank_of_bytes(&[("operator_memory.csv", &torn)]).only();
        assert_eq!(names(&s), ["张量😀"]);
        assert!(s.summary().problems.iter().any(|p| p.kind == ProblemKind::BadEncoding && p.detail == "UTF-16"));
    }

    #[test]
    fn gbk_is_named() {
        let mut bytes = HEADER_15.as_bytes().to_vec();
        // 张量 in GBK.
        bytes.extend(b"\xd5\xc5\xc1\xbf");
        bytes.extend(ROW_A.as_bytes());
        let s = Files::rank_of_bytes(&[("operator_memory.csv", &bytes)]).only();
        assert_eq!(s.row_count(), 1);
        let kinds: Vec<_> = s.summary().problems.iter().map(|p| p.kind).collect();
        assert!(kinds.contains(&ProblemKind::GbkText) && !kinds.contains(&ProblemKind::BadEncoding), "{kinds:?}");
    }

    #[test]
    fn a_wrong_header_is_named() {
        let s = Files::rank(&[("operator_memory.csv", "Name,Size\na,1\n"), ("memory_record.csv", "a,b\n1,2\n")]).only();
        let missing: Vec<_> = s
            .summary()
            .problems
            .iter()
            .filter(|p| p.kind == ProblemKind::MissingColumn)
            .map(|p| (p.file.as_str(), p.detail.as_str()))
            .collect();
        let wanted = [("memory_record.csv", "Component"), ("operator_memory.csv", "Size(KB), Allocation Time(us)")];
        assert_eq!(missing, wanted);
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let s = only_rows("Device Type,Allocation Time(us),Extra, Name ,Size(KB)\nNPU:3,100,x,aten::a,8\n");
        let row = &crate::common::rows(&s, false)[0];
        assert_eq!([&row["name"], &row["size_kb"], &row["device_type"]], ["aten::a", "8.0", "NPU:3"]);
    }

    #[test]
    fn a_cut_table_loses_its_torn_row_alone() {
        let whole = format!("{HEADER_15}{ROW_A}{ROW_B}");
        let first = HEADER_15.len() + ROW_A.len();
        // From within the second row's name up to within its last cell.
        for end in first + 1..whole.trim_end().len() {
            let s = only_rows(&whole[..end]);
            assert_eq!(names(&s), ["aten::a"], "cut at {end}: {:?}", &whole[first..end]);
            assert_eq!(place(&s, ProblemKind::Truncated), (1, "operator_memory.csv", &Place::Row(3)), "cut at {end}");
        }
        // A missing line end alone is no damage.
        assert_eq!(names(&only_rows(whole.trim_end())), ["aten::a", "aten::b"]);
    }

    #[test]
    fn a_cut_record_makes_no_pool() {
        let whole = format!("{RECORD_HEADER_7}{RECORDS}");
        let rows = format!("{HEADER_15}{ROW_A}{ROW_B}");
        for end in whole.len() - RECORDS.len() / 2 + 2..whole.trim_end().len() {
            let s = Files::rank(&[("operator_memory.csv", &rows), ("memory_record.csv", &whole[..end])]).only();
            let pools: Vec<_> = s.summary().pools.iter().map(|p| (p.component.as_str(), p.device.as_str())).collect();
            assert_eq!(pools, [("PTA", "NPU:0")], "cut at {end}");
            assert_eq!(place(&s, ProblemKind::Truncated), (1, "memory_record.csv", &Place::Row(3)));
        }
    }

    #[test]
    fn a_bad_cell_costs_itself_alone() {
        let row = "aten::c,8,160,oops,1e999,x,,nan,0x10,1,,,,7,NPU:0\n";
        let s = only_rows(&format!("{HEADER_15}{ROW_A}{row}"));
        assert_eq!(names(&s), ["aten::a", "aten::c"]);
        assert_eq!(place(&s, ProblemKind::BadNumber), (5, "operator_memory.csv", &cell(3, "Release Time(us)")));
        assert_eq!(problem(&s, ProblemKind::BadNumber).detail, "oops");
        let c = &crate::common::rows(&s, true)[1];
        let cells = ["duration_ms", "total_allocated_mb", "total_active_mb", "release_time_ms"].map(|n| c[n].as_str());
        assert_eq!(cells, ["0.0", "0.0", "1.0", ""]);
    }

    #[test]
    fn rows_without_size_or_time_are_left_out_and_counted() {
        let bad = "a,,100,,,,,,,,,,,,\nb,8,,,,,,,,,,,,,\nc,x,100,,,,,,,,,,,,\nd,8,y,,,,,,,,,,,,\ne,-8,,,,,,,,,,,,,\n";
        let drops = "f,-8,,170,,,,,,,,,,,\ng,-8,160,,,,,,,,,,,,\nh,-8,z,180,,,,,,,,,,,\n";
        let s = only_rows(&format!("{HEADER_15}{ROW_A}{bad}{drops}"));
        assert_eq!(names(&s), ["aten::a", "g", "f", "h"]);
        assert_eq!(place(&s, ProblemKind::BadRow), (5, "operator_memory.csv", &cell(3, "Size(KB)")));
        assert_eq!((s.summary().blocks.total, s.summary().matches.none), (1, 4));
    }

    #[test]
    fn short_and_long_rows_are_used_and_counted() {
        let s = only_rows(&format!("{HEADER_15}aten::short,8,100\naten::long,8,110{},surplus\n", ",".repeat(12)));
        assert_eq!(names(&s), ["aten::short", "aten::long"]);
        assert_eq!(place(&s, ProblemKind::ShortRow), (1, "operator_memory.csv", &Place::Row(2)));
        assert_eq!(place(&s, ProblemKind::LongRow), (1, "operator_memory.csv", &Place::Row(3)));
    }

    #[test]
    fn a_quote_left_open_costs_its_row_alone() {
        for broken in [
            "\"aten::x,8,120,,,,,,,,,,,7,NPU:0\r\n",
            "aten::x,8,\"120,,,,,,,,,,,7,NPU:0\r\n",
            "aten::x,8,120,,,,,,,,,,,7,\"NPU:0\r\n",
        ] {
            for behind in ["", ROW_B, "\"aten::q\",\"8\",\"170\t\",,,,,,,,,,,7,NPU:0\r\n"] {
                let s = only_rows(&format!("{HEADER_15}{ROW_A}{broken}{behind}"));
                let wanted: &[&str] = match behind {
                    "" => &["aten::a"],
                    ROW_B => &["aten::a", "aten::b"],
                    _ => &["aten::a", "aten::q"],
                };
                // At the very end of a file an open quote may hold a whole last cell.
                let found = names(&s);
                let without: Vec<_> = found.iter().filter(|name| *name != "aten::x").collect();
                assert_eq!(without, wanted, "{broken:?} {behind:?} {:?}", s.summary().problems);
                if !behind.is_empty() {
                    assert_eq!(place(&s, ProblemKind::UnclosedQuote), (1, "operator_memory.csv", &Place::Row(3)));
                }
            }
        }
    }

    #[test]
    fn line_breaks_inside_quotes_are_part_of_the_cell() {
        let s = only_rows(&format!("{HEADER_15}\"aten::\nx\",8,100,,,,,,,,,,,7,\"NPU\r\n:0\"\r\n{ROW_B}"));
        assert_eq!(names(&s), ["aten::\nx", "aten::b"]);
        assert_eq!(crate::common::rows(&s, false)[0]["device_type"], "NPU\r\n:0");
        assert!(s.summary().problems.iter().all(|p| !p.kind.loses_data()), "{:?}", s.summary().problems);
    }

    #[test]
    fn quotes_left_open_everywhere_cost_no_more_time_than_whole_rows() {
        // Each line opens a quote that the next one closes and opens again.
        let mut text = HEADER_15.to_owned();
        for _ in 0..120_000 {
            text += "a\"b,\"c\r\n";
        }
        text += ROW_A;
        let s = only_rows(&text);
        assert_eq!(names(&s), ["aten::a"]);
        let mut text = HEADER_15.to_owned();
        for _ in 0..120_000 {
            text += "\"aten::x,8,120,,,,,,,,,,,7,NPU:0\r\n";
        }
        let s = only_rows(&(text + ROW_A));
        assert!(names(&s).contains(&"aten::a".to_owned()));
    }

    #[test]
    fn an_endless_line_is_dropped_up_to_its_end() {
        let long = "x".repeat(17 << 20);
        let s = only_rows(&format!("{HEADER_15}{ROW_A}{long}\r\n{ROW_B}"));
        assert_eq!(names(&s), ["aten::a", "aten::b"]);
        assert_eq!(place(&s, ProblemKind::OverLimit), (1, "operator_memory.csv", &Place::Row(3)));
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_and_counted() {
        let mut bytes = HEADER_15.as_bytes().to_vec();
        bytes.extend_from_slice(b"aten::\xff,8,100,,,,,,,,,,,7,NPU:0\n");
        let s = Files::rank_of_bytes(&[("operator_memory.csv", &bytes)]).only();
        assert_eq!(names(&s), ["aten::\u{fffd}"]);
        assert_eq!(place(&s, ProblemKind::BadEncoding), (1, "operator_memory.csv", &cell(2, "Name")));
    }

    #[test]
    fn blank_lines_count_as_a_spreadsheet_counts_them() {
        let s = only_rows(&format!("{HEADER_15}\r\n\r\n{ROW_A}\n\nbad,x,1,,,,,,,,,,,,\n"));
        assert_eq!(place(&s, ProblemKind::BadRow).2, &cell(7, "Size(KB)"));
    }

    #[test]
    fn a_release_before_the_allocation_is_none() {
        let s = only_rows(&format!("{HEADER_15}{ROW_A}aten::c,8,160,150,140,,,10,,,,,,7,NPU:0\n"));
        assert_eq!(place(&s, ProblemKind::BadNumber), (2, "operator_memory.csv", &cell(3, "Release Time(us)")));
        assert_eq!(s.summary().blocks.by_component["PTA"].never_released, 1);
    }

    #[test]
    fn numbers_no_device_has_are_refused() {
        let huge =
            "aten::x,9007199254740992,160,,,,,9e30,,,,,,7,NPU:0\naten::y,8,9223372036854775.807,,,,,,,,,,,7,NPU:0\n";
        let low =
            "aten::z,-9007199254740992,160,,,,,,,,,,,7,NPU:0\naten::w,8,-9223372036854775.808,,,,,,,,,,,7,NPU:0\n";
        let s = only_rows(&format!("{HEADER_15}{ROW_A}{huge}{low}"));
        assert_eq!(names(&s), ["aten::a"]);
        assert_eq!(problem(&s, ProblemKind::BadRow).count, 4);
    }

    #[test]
    fn the_largest_numbers_there_are_add_up_without_overflow() {
        let mut rows = HEADER_15.to_owned();
        let mut records = RECORD_HEADER_7.to_owned();
        for at in 0..20_000 {
            rows += &format!("aten::x,1099511627775,{at},,,,,1073741823,1,1,,,,7,NPU:0\n");
            records += &format!("PTA,{at}.5,{},1,1,7,NPU:0\n", if at % 2 == 0 { "1073741823" } else { "-1073741823" });
        }
        let s = Files::rank(&[("operator_memory.csv", &rows), ("memory_record.csv", &records)]).only();
        assert_eq!(s.row_count(), 20_000);
    }
}

mod trace {
    use super::*;

    #[test]
    fn a_whole_trace_is_the_measure() {
        let (s, found) = stacks(trace_with("").as_bytes());
        assert_eq!(found, BOTH);
        assert!(s.summary().problems.iter().all(|p| !p.kind.loses_data()));
    }

    #[test]
    fn a_trace_cut_anywhere_gives_what_came_before() {
        let whole = trace_with("");
        let first_end = whole.find("}}").unwrap() + 2;
        for end in 1..whole.len() {
            let (s, found) = stacks(&whole.as_bytes()[..end]);
            let complete = if end >= whole.len() - 1 { 2 } else { usize::from(end >= first_end) };
            let wanted: Vec<&str> = (0..2).map(|i| if i < complete { BOTH[i] } else { "" }).collect();
            assert_eq!(found, wanted, "cut at {end}");
            let (count, file, at) = place(&s, ProblemKind::Truncated);
            assert_eq!((count, file), (1, "trace_view.json"));
            assert!(matches!(at, Place::Byte(at) if *at <= end as u64), "cut at {end}: {at:?}");
        }
    }

    #[test]
    fn odd_forms_that_lose_nothing() {
        let (a, b) = (event("aten::a", 95, BOTH[0]), event("aten::b", 145, BOTH[1]));
        let bare = |text: String| text.replace("\"95.000\"", "95.0").replace("\"145.000\"", "1.45e2");
        for text in [
            format!(
                "{{\"schemaVersion\": 1, \"deep\": [[{{\"traceEvents\": 1}}]], \"traceEvents\": [{a}, {b}], \"x\": \"y\"}}"
            ),
            format!("[{a}, {b},]"),
            format!("[{a},, {b}]"),
            format!("\u{feff}[{a},\n{b}\n]\n"),
            format!("  [\n  {a}\n  ,\n  {b}\n]  \n"),
            bare(format!("[{a}, {b}]")),
            format!("[{a}, {{\"ph\": \"C\", \"v\": NaN, \"w\": -Infinity}}, {b}]"),
            format!("[{a}, {{\"ph\": \"X\", \"name\": \"a\u{1}\tb\n\", \"cat\": \"cpu_op\"}}, {b}]"),
            format!("[{a}, {{\"name\": \"\\ud83d and \\udc00\", \"cat\": \"cpu_op\"}}, {b}]"),
            format!("[{a}, {{}}, {b}]"),
            format!(
                "[{a}, {{\"id\": 99999999999999999999999999999999, \"pid\": 1e400, \"ts\": \"x\", \"cat\": \"other\"}}, {b}]"
            ),
            format!("[{}, {b}]", a.replace("\"cat\": \"cpu_op\"", "\"cat\": \"x\", \"cat\": \"cpu_op\"")),
            format!("[{}, {b}]", a.replace("\"args\": {", "\"args\": {\"Call stack\": \"old\"}, \"args\": {")),
            format!("[{}, {b}]", a.replace("Call stack", "Call\\u0020st\\u0061ck")),
            format!("[{}, {b}]", a.replace("\"name\"", "\"n\\u0061me\"").replace("cpu_op", "cpu\\u005fop")),
            format!("[{}, {b}]", a.replace("aten::a", "\\u0061ten::a")),
        ] {
            let (s, found) = stacks(text.as_bytes());
            assert_eq!(found, BOTH, "{text}");
            let lost: Vec<_> = s.summary().problems.iter().filter(|p| p.kind.loses_data()).collect();
            assert!(lost.is_empty(), "{text}: {lost:?}");
        }
    }

    #[test]
    fn damage_between_events_costs_itself_alone() {
        let broken = event("aten::x", 120, "x.py(1): f");
        for (between, kind) in [
            (broken.replacen("\"X\"", "\"X", 1) + ", ", ProblemKind::BadEvent),
            (broken.replacen("name\"", "name", 1) + ", ", ProblemKind::BadEvent),
            (broken.replacen("(1): f\"", "(1): f", 1) + ", ", ProblemKind::BadEvent),
            (broken.replacen("}}", "}", 1) + ", ", ProblemKind::BadEvent),
            (broken.replacen("}}", "}}}", 1) + ", ", ProblemKind::BadEvent),
            (broken.replacen("\"ts\":", "\"ts\"", 1) + ", ", ProblemKind::BadEvent),
            (broken.replacen("\"cat\": \"cpu_op\"", "\"cat\": ", 1) + ", ", ProblemKind::BadEvent),
            (broken.replacen("{\"Seq", "\"Seq", 1) + ", ", ProblemKind::BadEvent),
            (broken.replacen("20,", "2]0,", 1) + ", ", ProblemKind::BadEvent),
            ("\"text\", ".to_owned(), ProblemKind::BadEvent),
            ("null, 17, [1, {\"a\": []}], ".to_owned(), ProblemKind::BadEvent),
            ("\u{0}\u{1}garbage, ".to_owned(), ProblemKind::BadEvent),
            ("], ".to_owned(), ProblemKind::BadEvent),
            (event("aten::a", 95, "x").replace("\"95.000\"", "\"soon\"") + ", ", ProblemKind::BadEventTime),
            (event("aten::a", 95, "x").replace("\"95.000\"", "true") + ", ", ProblemKind::BadEventTime),
            (event("aten::a", 95, "x").replace("\"ts\"", "\"no ts\"") + ", ", ProblemKind::BadEventTime),
            (event("aten::a", 95, "x").replace("20,", "-20,") + ", ", ProblemKind::BadEventTime),
            (event("aten::a", 95, "x").replace("20,", "1e300,") + ", ", ProblemKind::BadEventTime),
            (event("aten::a", 95, "x").replace("\"95.000\"", "9223372036854775.8") + ", ", ProblemKind::BadEventTime),
        ] {
            for in_object in [false, true] {
                let mut text = trace_with(&between);
                if in_object {
                    text = format!("{{\"traceEvents\": {text}, \"more\": 1}}");
                }
                let (s, found) = stacks(text.as_bytes());
                assert_eq!(found, BOTH, "{text}: {:?}", s.summary().problems);
                let (count, file, at) = place(&s, kind);
                let from = text.find(&between).unwrap() as u64;
                let is_there = matches!(at, Place::Byte(at) if (from..=from + between.len() as u64).contains(at));
                assert!(is_there && file == "trace_view.json", "{text}: {at:?}");
                assert!(count <= 3, "{text}: {count}");
            }
        }
    }

    #[test]
    fn a_broken_event_at_either_end_costs_itself_alone() {
        let broken = event("aten::x", 120, "x.py(1): f").replacen("\"X\"", "\"X", 1);
        let (a, b) = (event("aten::a", 95, BOTH[0]), event("aten::b", 145, BOTH[1]));
        assert_eq!(stacks(format!("[{broken}, {a}, {b}]").as_bytes()).1, BOTH);
        assert_eq!(stacks(format!("[{a}, {b}, {broken}]").as_bytes()).1, BOTH);
        assert_eq!(stacks(format!("[{a}, {broken}, {broken}, {broken}, {b}]").as_bytes()).1, BOTH);
        let pretty = format!("[{a}, {broken}, {b}]").replace("{\"ph\"", "{\n    \"ph\"").replace("}, {", "\n},\n{");
        assert_eq!(stacks(pretty.as_bytes()).1, BOTH);
    }

    #[test]
    fn what_is_no_trace_is_said_to_be_none() {
        for text in ["hello", "{}", "{\"a\": [1, 2]}", "17", "\"[]\"", "\u{0}\u{0}\u{0}", "{\"traceEvents\": 5}"] {
            let (s, found) = stacks(text.as_bytes());
            assert_eq!(found, ["", ""]);
            assert_eq!(place(&s, ProblemKind::NotRecognised).1, "trace_view.json", "{text}");
        }
        // What UTF-16 holds is read.
        let utf16: Vec<u8> = trace_with("").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(stacks(&utf16).1, BOTH);
    }

    #[test]
    fn stacks_that_are_no_text_are_shown_with_replacements_and_counted() {
        let mut bytes = trace_with("").into_bytes();
        let at = bytes.windows(4).position(|w| w == b"a.py").unwrap();
        bytes[at] = 0xff;
        let (s, found) = stacks(&bytes);
        assert_eq!(found, ["\u{fffd}.py(1): f", BOTH[1]]);
        assert_eq!(place(&s, ProblemKind::BadEncoding), (1, "trace_view.json", &Place::Whole));
    }

    #[test]
    fn a_trace_without_stacks_says_what_to_switch_on() {
        let text = trace_with("").replace("Call stack", "No stack");
        let (s, found) = stacks(text.as_bytes());
        assert_eq!(found, ["", ""]);
        problem(&s, ProblemKind::NoStacks);
    }

    #[test]
    fn huge_and_deep_events_are_stepped_over() {
        let large =
            format!("{{\"ph\": \"M\", \"name\": \"x\", \"args\": {{\"text\": \"{}\"}}}}, ", "y\\n".repeat(7 << 20));
        assert!(large.len() > 20 << 20);
        let (s, found) = stacks(trace_with(&large).as_bytes());
        assert_eq!(found, BOTH);
        assert!(s.summary().problems.iter().all(|p| !p.kind.loses_data()), "{:?}", s.summary().problems);
        let deep = format!("{{\"ph\": \"M\", \"args\": {}{}}}, ", "[".repeat(100_000), "]".repeat(100_000));
        let (s, found) = stacks(trace_with(&deep).as_bytes());
        assert_eq!(found, BOTH);
        assert!(s.summary().problems.iter().all(|p| !p.kind.loses_data()));
        let odd = deep.replace("\"ph\"", "\"p\\u0068\"");
        assert_eq!(stacks(trace_with(&odd).as_bytes()).1, BOTH);
    }

    #[test]
    fn an_event_that_never_ends_costs_itself_alone() {
        let endless = format!("{{\"ph\": \"M\", \"args\": {{\"x\": \"{}\", ", "y".repeat(1 << 20));
        assert_eq!(stacks(trace_with(&endless).as_bytes()).1, BOTH);
    }

    #[test]
    fn many_broken_events_cost_no_more_time_than_whole_ones() {
        let broken = event("aten::x", 120, "x.py(1): f").replacen("\"X\"", "\"X", 1) + ", ";
        let (s, found) = stacks(trace_with(&broken.repeat(5_000)).as_bytes());
        assert_eq!(found, BOTH);
        assert_eq!(problem(&s, ProblemKind::BadEvent).count, 5_000);
    }

    #[test]
    fn single_times_far_off_hide_nothing() {
        let outlier = event("aten::a", 0, "outlier").replace("\"dur\": 20", "\"dur\": 1");
        let (s, found) = stacks(trace_with(&(outlier + ", ")).as_bytes());
        assert_eq!(found, BOTH);
        assert!(s.summary().problems.iter().all(|p| p.kind != ProblemKind::NoCommonAxis));
    }

    #[test]
    fn trace_and_tables_without_a_common_axis() {
        // Relative times beside the tables' epoch, with one event on their axis' far side.
        let far =
            |text: &str| text.replace("100.000\t", "1779785515000100.000").replace("150.000\t", "1779785515000150.000");
        let rows = far(&format!("{HEADER_15}{ROW_A}{ROW_B}")).replace("200.000\t", "").replace("190.000\t", "");
        for extra in ["", &(event("aten::a", 1_999_999_999_999_999, "x") + ", ")] {
            let files = Files::rank(&[("operator_memory.csv", &rows), ("trace_view.json", &trace_with(extra))]);
            let s = files.only();
            assert_eq!(place(&s, ProblemKind::NoCommonAxis), (1, "trace_view.json", &Place::Whole));
            assert_eq!(s.row_count(), 2);
        }
    }

    #[test]
    fn numbers_of_any_size_are_no_reason_to_stop() {
        for sequence in
            ["9223372036854775807", "99999999999999999999999", "-9999999999999999999", "1e30", "\"7\"", "7.5", "true"]
        {
            let odd = event("aten::x", 120, "x").replace("-1,", &format!("{sequence}, "));
            let odd = odd.replace("\"tid\": 1", &format!("\"tid\": {sequence}"));
            assert_eq!(stacks(trace_with(&(odd + ", ")).as_bytes()).1, BOTH, "{sequence}");
        }
    }
}

/// A simulated rank, its files cut to a size that can be read often.
fn small_rank() -> Files {
    let options = memlens_simulator::Options { ranks: 1, steps: 1, seed: 7, ..Default::default() };
    let (mut files, _) = Files::simulated(&options);
    for (path, bytes) in &mut files.0 {
        let keep = match path.rsplit('/').next() {
            Some("trace_view.json") => 24_000,
            Some("operator_memory.csv" | "memory_record.csv") => 6_000,
            _ => continue,
        };
        bytes.truncate(keep);
    }
    files
}

#[derive(Debug, Clone)]
enum Damage {
    Flip(usize, u8),
    Delete(usize, usize),
    Insert(usize, Vec<u8>),
    Truncate(usize),
}

fn damage() -> impl Strategy<Value = (usize, Damage)> {
    let at = 0usize..1_000_000;
    let text = prop_oneof![
        prop::collection::vec(any::<u8>(), 1..4),
        prop::sample::select(vec![
            &b"\""[..],
            b"\\",
            b"{",
            b"}",
            b"[",
            b"]",
            b",",
            b"\n",
            b"\r\n",
            b"\":",
            b"\xff\xfe"
        ])
        .prop_map(<[u8]>::to_vec),
    ];
    let damage = prop_oneof![
        4 => (at.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Flip(at, byte)),
        3 => (at.clone(), 1usize..60).prop_map(|(at, count)| Damage::Delete(at, count)),
        4 => (at.clone(), text).prop_map(|(at, text)| Damage::Insert(at, text)),
        1 => at.prop_map(Damage::Truncate),
    ];
    (0usize..3, damage)
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let len = bytes.len().max(1);
    match damage {
        Damage::Flip(at, byte) => {
            if let Some(slot) = bytes.get_mut(at % len) {
                *slot = *byte;
            }
        }
        Damage::Delete(at, count) => {
            let at = at % len;
            bytes.drain(at.min(bytes.len())..(at + count).min(bytes.len()));
        }
        Damage::Insert(at, text) => {
            let at = (at % len).min(bytes.len());
            bytes.splice(at..at, text.iter().copied());
        }
        Damage::Truncate(at) => bytes.truncate(at % len),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn random_damage_panics_nowhere_and_reads_the_same_in_any_pieces(
        all in prop::collection::vec(damage(), 1..6), piece in 1usize..3000,
    ) {
        thread_local!(static RANK: Files = small_rank());
        let mut files = RANK.with(|files| Files(files.0.clone()));
        let names = ["trace_view.json", "operator_memory.csv", "memory_record.csv"];
        for (file, damage) in &all {
            let (_, bytes) = files.0.iter_mut().find(|(path, _)| path.ends_with(names[*file])).unwrap();
            apply(bytes, damage);
        }
        let lines = |bytes: &[u8]| bytes.iter().filter(|b| matches!(b, b'\n' | b'\r')).count();
        let most = files.0.iter().find(|(path, _)| path.ends_with("operator_memory.csv")).map_or(0, |(_, b)| lines(b));
        for rule in [MatchRule::Best, MatchRule::Reference] {
            let whole = files.answers(rule, usize::MAX);
            prop_assert_eq!(&files.answers(rule, piece), &whole);
            let session = files.sessions(rule).remove(0);
            prop_assert!(session.row_count() <= most);
        }
    }
}
