//! The cases of two well-known test collections (JSONTestSuite, csv-spectrum), told anew: what every JSON reader must take, what
//! it must not, what is left to it; and the corners of CSV.
//!
//! A trace reader that must get the most out of damaged files takes more than strict JSON: those cases are listed as tolerated.

use crate::common::{Files, HEADER_15};
use memlens::problem::{Problem, ProblemKind};
use proptest::prelude::*;

const STACKS: [&str; 2] = ["a.py(1): f", "b.py(2): g"];

fn event(name: &str, from: i64, stack: &str) -> String {
    format!(
        "{{\"ph\": \"X\", \"name\": \"{name}\", \"pid\": 1, \"tid\": 1, \"ts\": \"{from}.000\", \"dur\": 20, \"cat\": \"cpu_op\", \"args\": {{\"Call stack\": \"{stack}\"}}}}"
    )
}

/// The stacks of two rows, and what is said of the trace.
fn read(trace: &[u8]) -> (Vec<String>, Vec<Problem>) {
    let rows = format!("{HEADER_15}aten::a,8,100,,,,,10,110,11,,,,7,NPU:0\naten::b,8,150,,,,,10,110,11,,,,7,NPU:0\n");
    let session = Files::rank_of_bytes(&[("operator_memory.csv", rows.as_bytes()), ("trace_view.json", trace)]).only();
    let said = session.summary().problems.iter().filter(|p| p.file == "trace_view.json");
    let said = said.filter(|p| p.kind != ProblemKind::NoStacks).cloned().collect();
    (crate::common::rows(&session, false).iter().map(|row| row["call_stack"].clone()).collect(), said)
}

/// A list whose second of three elements is this.
fn between(case: &[u8]) -> Vec<u8> {
    let (a, b) = (event("aten::a", 95, STACKS[0]), event("aten::b", 145, STACKS[1]));
    [b"[", a.as_bytes(), b", ", case, b", ", b.as_bytes(), b"]"].concat()
}

/// An operator with this value beside its fields and beside its arguments.
fn holding(value: &[u8]) -> Vec<u8> {
    let head = b"{\"v\": ";
    let rest =
        b", \"ph\": \"X\", \"name\": \"aten::x\", \"ts\": 1, \"dur\": 1, \"cat\": \"cpu_op\", \"args\": {\"v\": ";
    [head, value, rest, value, b"}}"].concat()
}

fn shown(case: &[u8]) -> String {
    String::from_utf8_lossy(case).chars().take(120).collect()
}

fn is_read(case: &[u8], why: &str) {
    let (stacks, said) = read(case);
    assert_eq!(stacks, STACKS, "{why}: {} {said:?}", shown(case));
    assert!(said.is_empty(), "{why}: {} {said:?}", shown(case));
}

mod must_be_read {
    use super::*;

    #[test]
    fn values() {
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        let values: &[&str] = &[
            // Arrays.
            "[[]   ]",
            "[]",
            "[\"\"]",
            "[\"a\"]",
            "[false]",
            "[null, 1, \"1\", {}]",
            "[null]",
            "[1\n]",
            " [1]",
            "[1,null,null,null,2]",
            "[2] ",
            // Numbers.
            "123e65",
            "0e+1",
            "0e1",
            "4",
            "-0.000000000000000000000000000000000000000000000000000000000000000000000000000001",
            "20e1",
            "-0",
            "-123",
            "-1",
            "1E22",
            "1E-2",
            "1E+2",
            "123e45",
            "123.456e78",
            "1e-2",
            "1e+2",
            "123",
            "123.456789",
            // Objects.
            "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}",
            "{\"asd\":\"sdf\"}",
            "{\"a\":\"b\",\"a\":\"c\"}",
            "{\"a\":\"b\",\"a\":\"b\"}",
            "{}",
            "{\"\":0}",
            "{\"foo\\u0000bar\": 42}",
            "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }",
            "{\"x\":[{\"id\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}], \"id\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}",
            "{\"a\":[]}",
            "{\"title\":\"\\u041f\\u043e\\u043b\\u0442\\u043e\\u0440\\u0430 \\u0417\\u0435\\u043c\\u043b\\u0435\\u043a\\u043e\\u043f\\u0430\" }",
            "{\n\"a\": \"b\"\n}",
            // Strings.
            "\"\\u0060\\u012a\\u12AB\"",
            "\"\\uD801\\udc37\"",
            "\"\\ud83d\\ude39\\ud83d\\udc8d\"",
            "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
            "\"\\\\u0000\"",
            "\"\\\"\"",
            "\"a/*b*/c/*d//e\"",
            "\"\\\\a\"",
            "\"\\\\n\"",
            "\"\\u0012\"",
            "\"\\uFFFF\"",
            "\"asd\"",
            "\"\\uDBFF\\uDFFF\"",
            "\"new\\u00A0line\"",
            "\"\u{10ffff}\"",
            "\"\u{ffff}\"",
            "\"\\u0000\"",
            "\"\\u002c\"",
            "\"π\"",
            "\"\u{1bfff}\"",
            "\"asd \"",
            "\" \"",
            "\"\\uD834\\uDd1e\"",
            "\"\\u0821\"",
            "\"\\u0123\"",
            "\"\u{2028}\"",
            "\"\u{2029}\"",
            "\"\\u0061\\u30af\\u30EA\\u30b9\"",
            "\"new\\u000Aline\"",
            "\"\u{7f}\"",
            "\"\\uA66D\"",
            "\"\\u005C\"",
            "\"⍂㈴⍂\"",
            "\"\\u0022\"",
            "\"\\uDBFF\\uDFFE\"",
            "\"\\uD83F\\uDFFE\"",
            "\"\\u200B\"",
            "\"\\u2064\"",
            "\"\\uFDD0\"",
            "\"\\uFFFE\"",
            "\"€𝄞\"",
            "\"aa\"",
            "\"\"",
            // Structure.
            "false",
            "42",
            "-0.1",
            "null",
            "true",
            " \t\n\r1 ",
            &deep,
        ];
        for value in values {
            is_read(&between(&holding(value.as_bytes())), "a value");
        }
    }

    #[test]
    fn names_mean_the_same_however_they_are_written() {
        for (case, meant) in [
            (r#""\u0060\u012a\u12AB""#, "\u{60}\u{12a}\u{12ab}"),
            (r#""\uD801\udc37""#, "\u{10437}"),
            (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r#""\u0000""#, "\0"),
            (r#""\uDBFF\uDFFF""#, "\u{10ffff}"),
            (r#""\\u0000""#, "\\u0000"),
            (r#""\u0022\u005C""#, "\"\\"),
        ] {
            let trace = between(b"{}").windows(1).flatten().copied().collect::<Vec<u8>>();
            let text = String::from_utf8(trace).unwrap().replace("\"a.py(1): f\"", case);
            assert_eq!(read(text.as_bytes()).0, [meant, STACKS[1]], "{case}");
        }
    }
}

mod must_be_refused {
    use super::*;

    /// Elements that are no events: counted, and both events around are there.
    #[test]
    fn elements() {
        let cases: &[&[u8]] = &[
            b"1 true",
            b"a\xe5",
            b"\"\": 1",
            b"[\"\"],",
            b"[1,,]",
            b"[1,,2]",
            b"[\"x\"]]",
            b"[\"x\"",
            b"x",
            b"[3[4]]",
            b"[\"a\",\n4\n,1,",
            b"[1,]",
            b"[*]",
            b"-",
            b"\"\"",
            b"[1,\n1\n,1",
            b"{}}",
            b"[,1]",
            b"[   , \"\"]",
            b"\x0b",
            b"*",
            b"[\"\"",
            b"[1",
            b"[{}",
            b"fals",
            b"nul",
            b"tru",
            b"<null>",
            b"'single quote'",
            b"abc",
            b"{}#",
            b"<.>",
            b"\xe2\x81\xa0",
            b"\xc3\xa5",
            b"{}{\"x\":1}x",
            b"\\u000A\"\"",
        ];
        for case in cases {
            let (stacks, said) = read(&between(case));
            assert_eq!(stacks[0], STACKS[0], "{}", shown(case));
            assert!(!said.is_empty(), "not counted: {}", shown(case));
        }
    }

    /// Objects that are none: they cost themselves alone.
    #[test]
    fn objects() {
        let cases: &[&[u8]] = &[
            b"{\"x\", null}",
            b"{\"x\"::\"b\"}",
            b"{[: \"x\"}\n",
            b"{\"a\" b}",
            b"{:\"b\"}",
            b"{\"a\" \"b\"}",
            b"{\"a\":",
            b"{\"a\"",
            b"{1:1}",
            b"{9999E9999:1}",
            b"{null:null,null:null}",
            b"{\"id\":0,,,,,}",
            b"{'a':0}",
            b"{\"id\":0,}",
            b"{\"a\":\"b\",,\"c\":\"d\"}",
            b"{a: \"b\"}",
            b"{\"a\":\"a",
            b"{ \"foo\" : \"bar\", \"a\" }",
            b"{\"a\":\"b\"}#{}",
            b"{\"\\uDFAA\":0,}",
            b"{\"a\":/*comment*/\"b\"}",
            b"{\"x\": true,",
            b"{,",
            b"{]",
            b"{\"asd\":\"asd\"",
            b"{\"a\": \"b\" \"c\"}",
        ];
        for case in cases {
            let (stacks, said) = read(&between(case));
            assert_eq!(stacks, STACKS, "{}: {said:?}", shown(case));
            assert!(!said.is_empty(), "not counted: {}", shown(case));
        }
    }

    /// Whole files that are no trace, or not all of one.
    #[test]
    fn files() {
        let nested = "[{\"\":".repeat(50_000);
        let cases: &[&[u8]] = &[
            b"",
            b" ",
            b"[",
            b"[\"",
            b"[,",
            b"[[",
            b"[{",
            b"[\"\\",
            b"[\"asd",
            b"{",
            b"{\"",
            b"{\"a",
            b"{\"\":",
            b"{\"a\":1",
            b"]",
            b"}",
            b"*",
            b"\"\"",
            b"1",
            b"2@",
            b"\xef\xbb\xbf{}",
            b"\xef\xbb",
            b"\xef",
            b"<",
            b"[\xe2\x81\xa0]",
            b"['",
            b"[\\n]",
            b"{}}",
            b"[}",
            b"{\"traceEvents\"",
            b"{\"traceEvents\" [",
            b"{\"traceEvents\": [",
            b"\x00[",
            b"nullnull",
            nested.as_bytes(),
            b"[1] x",
            b"[1]]",
        ];
        for case in cases {
            assert!(!read(case).1.is_empty(), "nothing said of {}", shown(case));
        }
        let deep = "[".repeat(100_000);
        assert!(!read(deep.as_bytes()).1.is_empty());
    }
}

/// Strict readers refuse these; here they cost nothing, as nothing that matters is unclear.
#[test]
fn tolerated() {
    let values: &[&[u8]] = &[
        // Words that are no values: nobody looks at them.
        b"NaN",
        b"-Infinity",
        b"Infinity",
        b"+1",
        b"+Inf",
        b"-01",
        b"-1.0.",
        b"-2.",
        b".-1",
        b".2e-3",
        b"0.1.2",
        b"0.3e+",
        b"0.3e",
        b"0.e1",
        b"0E+",
        b"0E",
        b"1.0e+",
        b"1eE2",
        b"1+2",
        b"0x1",
        b"0x42",
        b"- 1".split_at(1).0,
        b"012",
        b"1a",
        b"1e1\xe5",
        b"\xef\xbc\x91",
        b"True",
        b"undefined",
        b"nul",
        // Strings that are not quite strings.
        b"\"\\uD800\\u\"",
        b"\"\\uD800\\u1\"",
        b"\"\\x00\"",
        b"\"\\a\"",
        b"\"\\u00A\"",
        b"\"\\uqqqq\"",
        b"\"\\\xe5\"",
        b"\"a\x00a\"",
        b"\"\t\"",
        b"\"new\nline\"",
        b"\"\\\xf0\x9f\x8c\x80\"",
        b"\"\\u\xe5\"",
        b"\"\x1f\"",
        // Inside brackets that close nothing is looked at.
        b"[1 true]",
        b"[,]",
        b"[1,,2]",
        b"[1,]",
        b"[x]",
        b"{\"a\" b}",
        b"{a: 1}",
        b"[*]",
    ];
    for value in values {
        is_read(&between(&holding(value)), "tolerated");
    }
    for text in ["[A,B,]", "[,A,B]", "[A,,B]", "[A B]", "\n[A\n,\nB]\n\n"] {
        let text = text.replace('A', &event("aten::a", 95, STACKS[0])).replace('B', &event("aten::b", 145, STACKS[1]));
        is_read(text.as_bytes(), "tolerated");
    }
}

/// What is left to the reader: all of it is read, odd text in stacks counted.
#[test]
fn left_to_the_reader() {
    let values: &[&[u8]] = &[
        b"123123e100000",
        b"0.4e00669999999999999999999999999999999999999999999999999999969999999006",
        b"-1e+9999",
        b"1.5e+9999",
        b"-123123e100000",
        b"123123123123123123123123123123",
        b"-123123123123123123123123123123123",
        b"100000000000000000000",
        b"-237462374673276894279832749832423479823246327846",
        b"\"\\uDADA\"",
        b"\"\\uD888\\u1234\"",
        b"\"\xe6\x97\xa5\xd1\x88\xfa\"",
        b"\"\xed\xa0\x80\"",
        b"\"\\uD800\\n\"",
        b"\"\\uDd1ea\"",
        b"\"\\uD800abc\"",
        b"\"\xff\"",
        b"\"\xf4\xbf\xbf\xbf\"",
        b"\"\x81\"",
        b"\"\xe0\xff\"",
        b"\"\xfc\x83\xbf\xbf\xbf\xbf\"",
        b"\"\xc0\xaf\"",
    ];
    for value in values {
        is_read(&between(&holding(value)), "left to the reader");
    }
    for text in [&b"\"\\uDADA\""[..], b"\"\xe6\x97\xa5\xd1\x88\xfa\"", b"\"\\uD888\\u1234\""] {
        let whole = between(b"{}");
        let place = whole.windows(12).position(|w| w == b"\"a.py(1): f\"").unwrap();
        let trace = [&whole[..place], text, &whole[place + 12..]].concat();
        let (stacks, said) = read(&trace);
        assert!(stacks[0].contains('\u{fffd}') && stacks[1] == STACKS[1], "{stacks:?}");
        assert_eq!((said[0].kind, said[0].count), (ProblemKind::BadEncoding, 1));
    }
}

mod csv {
    use super::*;

    /// Names of the rows of a table with these columns: Name, Size(KB), Allocation Time(us), and one more.
    fn names(records: &str) -> Vec<[String; 2]> {
        let text = format!("Name,Size(KB),Allocation Time(us),Device Type{records}");
        let session = Files::rank(&[("operator_memory.csv", &text)]).only();
        let lost = session.summary().problems.iter().filter(|p| p.kind.loses_data());
        // These tables have just the columns that are compared.
        let lost: Vec<_> = lost.filter(|p| p.kind != ProblemKind::NoColumn).collect();
        assert!(lost.is_empty(), "{records:?}: {lost:?}");
        crate::common::rows(&session, false)
            .iter()
            .map(|row| [row["name"].clone(), row["device_type"].clone()])
            .collect()
    }

    #[test]
    fn corners() {
        for end in ["\n", "\r\n", "\r"] {
            for (cells, meant) in [
                (["a", "b"], ["a", "b"]),
                (["\"a\"", "\"b\""], ["a", "b"]),
                (["\"a,b\"", "\"John, Doe, 120\""], ["a,b", "John, Doe, 120"]),
                (["\"\"", "\"\""], ["", ""]),
                (["", ""], ["", ""]),
                (["\"ha \"\"ha\"\" ha\"", "\"\"\"\""], ["ha \"ha\" ha", "\""]),
                (["\"once upon\na time\"", "\"5\r\n6\""], ["once upon\na time", "5\r\n6"]),
                (["\"a \n\"\"quoted\"\" b\"", "\"\"\"x\"\"\n\"\"y\"\"\""], ["a \n\"quoted\" b", "\"x\"\n\"y\""]),
                (
                    ["\"{\"\"type\"\": \"\"Point\"\", \"\"at\"\": [102.0, 0.5]}\"", "x"],
                    ["{\"type\": \"Point\", \"at\": [102.0, 0.5]}", "x"],
                ),
                (["ʤ", "\"王, 芳\""], ["ʤ", "王, 芳"]),
                (["37°46'N", "\"122° 25'W\""], ["37°46'N", "122° 25'W"]),
            ] {
                let row = format!("{},8,100,{}", cells[0], cells[1]);
                let wanted = vec![meant.map(str::to_owned); 2];
                for last in ["", end] {
                    assert_eq!(names(&format!("{end}{row}{end}{row}{last}")), wanted, "{row:?} {end:?}");
                }
            }
        }
    }

    /// A cell whose every line has as many commas as a row is taken for rows swallowed by an open quote: none such here.
    fn cell() -> impl Strategy<Value = String> {
        let odd = prop_oneof!["[a-z\",王 ]{0,8}", "[a-z\"\n王 ]{0,8}"];
        prop_oneof![Just(String::new()), "[a-z:]{0,6}", odd.prop_map(|text| text.trim().to_owned())]
    }

    fn quoted(text: &str, always: bool) -> String {
        if always || text.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn what_was_written_is_read(
            rows in prop::collection::vec((cell(), cell(), any::<bool>()), 1..12),
            end in prop::sample::select(vec!["\n", "\r\n"]),
        ) {
            let lines: Vec<String> = rows
                .iter()
                .map(|(name, device, always)| format!("{},8,100,{}", quoted(name, *always), quoted(device, *always)))
                .collect();
            let text = format!("{end}{}{end}", lines.join(end));
            let wanted: Vec<[String; 2]> = rows.into_iter().map(|(name, device, _)| [name, device]).collect();
            prop_assert_eq!(names(&text), wanted);
        }

        #[test]
        fn one_damaged_row_costs_no_row_before_it(
            count in 2usize..12, damaged in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(),
            damage in prop::sample::select(vec!["\"", "\"\"", ",", "\"x", "x\"", "\n", "\r", "\u{0}", "\",\""]),
        ) {
            let damaged = damaged.index(count);
            let row = |i: usize| format!("\"op{i}\",8,{},\"NPU:0\"", 100 + i);
            let mut lines: Vec<String> = (0..count).map(row).collect();
            let place = at.index(lines[damaged].len());
            lines[damaged].insert_str(place, damage);
            let text = format!("Name,Size(KB),Allocation Time(us),Device Type\n{}\n", lines.join("\n"));
            let session = Files::rank(&[("operator_memory.csv", &text)]).only();
            let names: Vec<String> = crate::common::rows(&session, false).iter().map(|row| row["name"].clone()).collect();
            for i in 0..damaged {
                prop_assert!(names.contains(&format!("op{i}")), "{}", text);
            }
            let behind = (damaged + 1..count).filter(|i| !names.contains(&format!("op{i}"))).count();
            let said = session.summary().problems.iter().any(|p| p.kind.loses_data());
            prop_assert!(said || behind == 0, "{} rows lost, nothing said: {}", behind, text);
            prop_assert!(behind <= 1, "{} rows lost behind the damaged one: {}", behind, text);
        }
    }
}
