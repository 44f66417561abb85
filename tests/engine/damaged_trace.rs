//! Every defect traces are known to have: what is read all the same, and what is counted.

use crate::common::{Files, HEADER_15};
use memlens::matching::MatchRule;
use memlens::problem::{Place, Problem, ProblemKind};
use memlens::session::Session;
use serde_json::Value;

const STACKS: [&str; 2] = ["a.py(1): f", "b.py(2): g"];

fn event(name: &str, from: i64, stack: &str) -> String {
    format!(
        "{{\"ph\": \"X\", \"name\": \"{name}\", \"pid\": 1, \"tid\": 1, \"ts\": \"{from}.000\", \"dur\": 20, \"cat\": \"cpu_op\", \"args\": {{\"Sequence number\": -1, \"Fwd thread id\": 0, \"Call stack\": \"{stack}\"}}}}"
    )
}

fn a() -> String {
    event("aten::a", 95, STACKS[0])
}

fn b() -> String {
    event("aten::b", 145, STACKS[1])
}

/// A rank of two rows, at 100 and 150 us, with this trace, fed in pieces.
fn read_in(trace: &[u8], piece: usize) -> Session {
    let rows = format!("{HEADER_15}aten::a,8,100,,,,,10,110,11,,,,7,NPU:0\naten::b,8,150,,,,,10,110,11,,,,7,NPU:0\n");
    let files = Files::rank_of_bytes(&[("operator_memory.csv", rows.as_bytes()), ("trace_view.json", trace)]);
    files.session(files.run().rank_folders.remove(0), MatchRule::Best, piece)
}

fn stacks_of(session: &Session) -> Vec<String> {
    crate::common::rows(session, false).iter().map(|row| row["call_stack"].clone()).collect()
}

fn read(trace: &str) -> (Vec<String>, Session) {
    let session = read_in(trace.as_bytes(), 4 << 20);
    (stacks_of(&session), session)
}

/// What was lost, or found to be odd, in the trace itself.
fn said(session: &Session) -> Vec<&Problem> {
    let about_rank = [ProblemKind::NoMemoryRecord, ProblemKind::UnknownRank];
    session.summary().problems.iter().filter(|p| !about_rank.contains(&p.kind)).collect()
}

fn only(session: &Session) -> (ProblemKind, u64) {
    let all = said(session);
    assert_eq!(all.len(), 1, "{all:?}");
    (all[0].kind, all[0].count)
}

/// Both stacks are there, and nothing is said about the trace.
fn whole(trace: &str) {
    let (stacks, session) = read(trace);
    let head: String = trace.chars().take(200).collect();
    assert_eq!(stacks, STACKS, "{head}: {:?}", session.summary().problems);
    assert!(said(&session).is_empty(), "{head}: {:?}", said(&session));
}

/// A simulated rank and the text of its trace.
fn simulated() -> (Files, String) {
    let options = memlens_simulator::Options { ranks: 1, steps: 1, seed: 21, ..Default::default() };
    let (files, _) = Files::simulated(&options);
    let trace = files.0.iter().find(|(path, _)| path.ends_with("trace_view.json")).unwrap().1.clone();
    (files, String::from_utf8(trace).unwrap())
}

/// Rows and summary with the trace replaced.
fn with_trace(files: &Files, trace: String) -> (String, String) {
    let mut files = Files(files.0.clone());
    files.0.iter_mut().find(|(path, _)| path.ends_with("trace_view.json")).unwrap().1 = trace.into_bytes();
    files.answers(MatchRule::Best, 4 << 20).remove(0)
}

mod forms {
    use super::*;

    #[test]
    fn pretty_printed_and_as_an_object() {
        let (files, text) = simulated();
        let good = with_trace(&files, text.clone());
        let events: Vec<Value> = serde_json::from_str(&text).unwrap();
        assert_eq!(with_trace(&files, serde_json::to_string_pretty(&events).unwrap()), good);
        let object = format!(
            "{{\"schemaVersion\": 1, \"displayTimeUnit\": \"ns\", \"traceEvents\": {text}, \"metadata\": {{\"a\": [1, {{}}]}}}}"
        );
        assert_eq!(with_trace(&files, object.clone()), good);
        assert_eq!(with_trace(&files, object.replace(", ", ",\r\n\t").replace(";,", "; ,")), good);
        assert_eq!(with_trace(&files, format!("\u{feff}\n\n{text}\n")), good);
    }

    #[test]
    fn in_any_order() {
        let (files, text) = simulated();
        let good: Value = serde_json::from_str(&with_trace(&files, text.clone()).1).unwrap();
        let mut events: Vec<Value> = serde_json::from_str(&text).unwrap();
        let by_number =
            |event: &Value| event.to_string().bytes().fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
        events.sort_by_cached_key(by_number);
        let (_, summary) = with_trace(&files, serde_json::to_string(&events).unwrap());
        let turned: Value = serde_json::from_str(&summary).unwrap();
        for key in ["match", "blocks", "problems"] {
            assert_eq!(turned[key], good[key]);
        }
    }

    #[test]
    fn numbers_as_text_and_text_as_numbers() {
        let (files, text) = simulated();
        let good = with_trace(&files, text.clone());
        let mut events: Vec<Value> = serde_json::from_str(&text).unwrap();
        for event in &mut events {
            for key in ["Sequence number", "Fwd thread id", "correlation_id"] {
                if let Some(slot) = event.get_mut("args").and_then(|args| args.get_mut(key)) {
                    *slot = slot.to_string().into();
                }
            }
            for key in ["id", "dur"] {
                if let Some(slot) = event.get_mut(key).filter(|slot| slot.is_number()) {
                    *slot = slot.to_string().into();
                }
            }
        }
        assert_eq!(with_trace(&files, serde_json::to_string(&events).unwrap()), good);
    }

    #[test]
    fn metadata_of_any_size_before_and_behind_is_not_kept() {
        let large = format!("{{\"text\": \"{}\", \"list\": [{{\"\\\\\": \"]\"}}]}}", "\\\\\\\"x".repeat(1 << 18));
        let text =
            format!("{{\"metadata\": {large}, \"traceEvents\": [{}, {}], \"more\": {large}, \"last\": 1}}", a(), b());
        whole(&text);
        // Cut within an escape, a string, between brackets.
        for piece in [7919, 65_536, 65_537] {
            assert_eq!(stacks_of(&read_in(text.as_bytes(), piece)), STACKS);
        }
        let torn = text.split_at(1 << 19).0;
        assert_eq!(only(&read_in(torn.as_bytes(), 4096)), (ProblemKind::Truncated, 1));
    }

    #[test]
    fn odd_but_complete() {
        for text in [
            format!("[{}, {},]", a(), b()),
            format!("[,{},,{},]", a(), b()),
            format!("[{} {}]", a(), b()),
            format!("\u{feff}[{},{}]", a(), b()),
            format!("{{\"traceEvents\": [{}, {},]}}", a(), b()),
            format!("{{\"traceEvents\": [], \"traceEvents\": [{}, {}]}}", a(), b()),
        ] {
            whole(&text);
        }
    }

    #[test]
    fn without_its_end() {
        let text = format!("[{}, {}]", a(), b());
        for cut in ["]", "}]", "}}]"].map(|end| text.strip_suffix(end).unwrap().to_owned()) {
            let (stacks, session) = read(&cut);
            let last = if cut.ends_with("}}") { STACKS[1] } else { "" };
            assert_eq!(stacks, [STACKS[0], last]);
            assert_eq!(only(&session), (ProblemKind::Truncated, 1));
        }
        let (stacks, session) = read(&format!("[{}, {}, ", a(), b()));
        assert_eq!((stacks.as_slice(), only(&session)), (&STACKS.map(str::to_owned)[..], (ProblemKind::Truncated, 1)));
        let (_, session) = read(&format!("{{\"traceEvents\": [{}, {}]", a(), b()));
        assert_eq!(only(&session), (ProblemKind::Truncated, 1));
    }

    #[test]
    fn several_one_after_the_other() {
        for between in ["", "\n", " \r\n\t"] {
            let (stacks, session) = read(&format!("[{}]{between}[{}]", a(), b()));
            assert_eq!(stacks, STACKS);
            let problem = said(&session)[0];
            let at = a().len() as u64 + 2 + between.len() as u64;
            assert_eq!((problem.kind, &problem.place), (ProblemKind::Concatenated, &Place::Byte(at)));
        }
        let (stacks, session) = read(&format!("[{}][][][{}]", a(), b()));
        assert_eq!((stacks, only(&session)), (STACKS.map(str::to_owned).to_vec(), (ProblemKind::Concatenated, 3)));
        // Objects: the events are found, what stands between them is damage.
        let (stacks, session) = read(&format!("{{\"traceEvents\": [{}]}} {}, {}]", a(), a(), b()));
        assert_eq!((stacks, only(&session)), (STACKS.map(str::to_owned).to_vec(), (ProblemKind::BadEvent, 1)));
    }
}

mod values {
    use super::*;

    #[test]
    fn control_characters_stand_as_they_are() {
        let text = format!("[{}, {}]", a().replace("a.py", "a\u{1}\t\n.py"), b());
        let (stacks, session) = read(&text);
        assert_eq!(stacks, ["a\u{1}\t\n.py(1): f", STACKS[1]]);
        assert!(said(&session).is_empty());
    }

    #[test]
    fn lone_surrogates_and_unknown_escapes_are_replaced_and_counted() {
        for odd in ["\\ud83d", "\\udc00", "\\ud83d\\u0041", "\\u12", "\\x"] {
            let (stacks, session) = read(&format!("[{}, {}]", a().replace("a.py", &format!("a{odd}.py")), b()));
            assert!(stacks[0].contains('\u{fffd}') && stacks[0].ends_with(".py(1): f"), "{stacks:?}");
            assert_eq!(stacks[1], STACKS[1]);
            assert_eq!(only(&session), (ProblemKind::BadEncoding, 1), "{odd}");
        }
        let (stacks, session) = read(&format!("[{}, {}]", a().replace("a.py", "\\ud83d\\ude00\\u738b.py"), b()));
        assert_eq!(stacks[0], "😀王.py(1): f");
        assert!(said(&session).is_empty());
    }

    #[test]
    fn not_a_number_costs_what_needs_it() {
        for odd in ["NaN", "Infinity", "-Infinity", "nan", "\"NaN\""] {
            let extra = event("aten::a", 98, "x").replace("\"dur\": 20", &format!("\"dur\": {odd}"));
            let (stacks, session) = read(&format!("[{}, {extra}, {}]", a(), b()));
            assert_eq!((stacks, only(&session)), (STACKS.map(str::to_owned).to_vec(), (ProblemKind::BadEventTime, 1)));
            let more = a().replace("\"Sequence number\": -1", &format!("\"Sequence number\": {odd}, \"flops\": {odd}"));
            whole(&format!("[{more}, {{\"ph\": \"C\", \"name\": \"x\", \"args\": {{\"v\": {odd}}}}}, {}]", b()));
        }
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        let twice = a()
            .replace("\"cat\": \"cpu_op\"", "\"cat\": \"kernel\", \"cat\": \"cpu_op\"")
            .replace("\"ts\": \"95.000\"", "\"ts\": \"1.000\", \"ts\": \"95.000\"")
            .replace("\"Call stack\"", "\"Call stack\": \"old.py(1): x\", \"Call stack\"");
        whole(&format!("[{twice}, {}]", b()));
        let args = a().replace("\"args\": {", "\"args\": {\"Call stack\": \"old.py(1): x\"}, \"args\": {");
        whole(&format!("[{args}, {}]", b()));
    }

    #[test]
    fn keys_and_names_written_with_escapes() {
        for (plain, escaped) in [
            ("\"ts\"", "\"\\u0074s\""),
            ("\"args\"", "\"\\u0061rgs\""),
            ("\"cat\"", "\"c\\u0061t\""),
            ("cpu_op", "cpu\\u005fop"),
            ("Call stack", "Call\\u0020stack"),
            ("aten::a", "\\u0061ten:\\u003aa"),
            ("\"ph\": \"X\"", "\"ph\": \"\\u0058\""),
        ] {
            whole(&format!("[{}, {}]", a().replace(plain, escaped), b()));
        }
        let object = format!("{{\"trace\\u0045vents\": [{}, {}]}}", a(), b());
        whole(&object);
    }

    #[test]
    fn times_far_off_hide_nothing_and_win_nothing() {
        let with = |at: &str| {
            let outlier = event("aten::a", 1, "outlier.py(1): x").replace("\"1.000\"", at);
            format!("[{outlier}, {}, {}]", a(), b())
        };
        for at in ["0", "\"0.000\"", "4503599627370497", "-5"] {
            whole(&with(at));
        }
        // Beyond 146 years it is no time at all.
        let (stacks, session) = read(&with("9007199254740993"));
        assert_eq!((stacks, only(&session)), (STACKS.map(str::to_owned).to_vec(), (ProblemKind::BadEventTime, 1)));
    }

    #[test]
    fn ids_above_two_to_the_53_are_exact() {
        let queue = |cat: &str, tid: i64, from: i64, id: i64| {
            format!(
                "{{\"ph\": \"X\", \"name\": \"{cat}\", \"pid\": 1, \"tid\": {tid}, \"ts\": {from}, \"dur\": 4, \"cat\": \"{cat}\", \"args\": {{}}}}, {{\"ph\": \"{}\", \"bp\": \"e\", \"name\": \"enqueue_to_dequeue\", \"id\": {id}, \"pid\": 1, \"tid\": {tid}, \"ts\": {from}, \"cat\": \"async_task_queue\"}}",
                if cat == "enqueue" { "s" } else { "f" }
            )
        };
        let id = (1 << 53) + 1;
        // As doubles both ids would be 2^53.
        let text = format!(
            "[{}, {}, {}, {}, {}, {}]",
            event("aten::a", 10, STACKS[0]),
            event("aten::a", 40, "wrong.py(1): x"),
            b(),
            queue("enqueue", 1, 15, id),
            queue("enqueue", 1, 45, id - 1),
            queue("dequeue", 2, 98, id),
        );
        whole(&text);
    }

    #[test]
    fn equal_threads_of_two_processes_are_two() {
        let other = |text: String| text.replace("\"pid\": 1", "\"pid\": 2");
        let backward = |pid: u32, from: i64, name: &str| {
            event(name, from, "").replace("\"pid\": 1", &format!("\"pid\": {pid}")).replace(
                "\"Sequence number\": -1, \"Fwd thread id\": 0, \"Call stack\": \"\"",
                "\"Sequence number\": 5, \"Fwd thread id\": 1",
            )
        };
        let forward = |text: String| text.replace("\"Sequence number\": -1", "\"Sequence number\": 5");
        // The dequeue of process 2 says nothing about what process 1 queued under the same thread id.
        let text = format!(
            "[{}, {}, {}, {}]",
            forward(event("aten::x", 10, STACKS[0])),
            other(event("aten::x", 30, "other.py(1): x")),
            backward(1, 95, "aten::a"),
            b()
        );
        whole(&text);
    }

    #[test]
    fn without_the_host_events_of_cann() {
        let orphans = "{\"ph\": \"M\", \"name\": \"process_labels\", \"pid\": 77, \"tid\": 0, \"args\": {\"labels\": \"NPU\"}}, {\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 77, \"tid\": 3, \"args\": {\"name\": \"Thread 3\"}}, {\"ph\": \"f\", \"bp\": \"e\", \"name\": \"torch_to_npu\", \"id\": 1736405443756384100, \"pid\": 77, \"tid\": 2, \"ts\": \"100.000\", \"cat\": \"async_npu\"}";
        whole(&format!("[{}, {}, {orphans}]", a(), b()));
    }
}

mod sizes {
    use super::*;

    #[test]
    fn an_event_of_twenty_megabytes_is_read() {
        let dims = format!("{};\\r\\n", "1,2,3,".repeat(100)).repeat(34_000);
        assert!(dims.len() > 20_000_000);
        let large = a().replace("\"Call stack\"", &format!("\"Input Dims\": \"{dims}\", \"Call stack\""));
        let text = format!("[{large}, {}]", b());
        whole(&text);
        assert_eq!(stacks_of(&read_in(text.as_bytes(), 1 << 20)), STACKS);
    }

    #[test]
    fn an_event_a_hundred_thousand_levels_deep_is_read() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
            whole(&format!("[{}, {}]", a().replace("\"Call stack\"", &format!("\"x\": {deep}, \"Call stack\"")), b()));
            let escaped = a().replace("\"Call stack\"", &format!("\"x\": {deep}, \"Call st\\u0061ck\""));
            whole(&format!("[{escaped}, {}]", b()));
        }
    }

    #[test]
    fn an_event_above_the_limit_costs_itself_alone() {
        let large = format!("{{\"ph\": \"M\", \"name\": \"x\", \"args\": {{\"x\": \"{}\"}}}}", "y".repeat(65 << 20));
        let text = format!("[{}, {large}, {}]", a(), b());
        for piece in [4 << 20, text.len()] {
            let session = read_in(text.as_bytes(), piece);
            assert_eq!(stacks_of(&session), STACKS);
            let problem = said(&session)[0];
            assert_eq!(
                (problem.kind, problem.count, problem.detail.as_str()),
                (ProblemKind::OverLimit, 1, "event > 64 MiB")
            );
            assert_eq!(problem.place, Place::Byte(a().len() as u64 + 3));
        }
        // The same for what is no event at all.
        let text = format!("[{}, \"{}\", {}]", a(), "y".repeat(65 << 20), b());
        let session = read_in(text.as_bytes(), 4 << 20);
        assert_eq!(
            (stacks_of(&session), only(&session)),
            (STACKS.map(str::to_owned).to_vec(), (ProblemKind::OverLimit, 1))
        );
    }

    #[test]
    fn more_threads_than_can_be_told_apart() {
        let mut text = format!("[{}", a());
        for tid in 0..140_000 {
            text += ", ";
            text += &format!("{{\"cat\":\"cpu_op\",\"name\":\"aten::a\",\"ts\":1,\"dur\":1,\"tid\":{tid}}}");
        }
        let (stacks, session) = read(&format!("{text}, {}]", b()));
        assert_eq!(stacks, STACKS);
        let problem = said(&session)[0];
        assert_eq!((problem.kind, problem.detail.as_str()), (ProblemKind::OverLimit, "threads > 131072"));
        assert!(problem.count > 8000 && problem.count < 9000, "{}", problem.count);
    }
}
