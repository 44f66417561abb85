//! The report: what it tells, and what it may not tell.

use memlens::export::report::{OfRank, Style, report};
use memlens::matching::MatchRule;
use memlens::words::Lang;
use memlens_simulator::{Options, Truth};

use crate::common::Files;

fn planted() -> (Files, Truth) {
    let plant = ["leak", "odd-rank=1", "fragmentation", "outside", "churn"];
    let plant = plant.iter().map(|plant| plant.parse().unwrap()).collect();
    let options = Options { roles: vec!["actor_update".to_owned()], ranks: 3, plant, seed: 5, ..Options::default() };
    Files::simulated(&options)
}

fn written(files: &Files, lang: Lang, with_stacks: bool) -> String {
    let of_ranks: Vec<OfRank> = files.sessions(MatchRule::Best).iter().map(|session| session.of_report()).collect();
    report(&of_ranks, &Style { lang, with_stacks, when: "2026-05-26 08:51:55 UTC".to_owned() })
}

/// The text a reader sees, and the tags.
fn parts(html: &str) -> (String, Vec<&str>) {
    let (mut text, mut tags) = (String::new(), Vec::new());
    for part in html.split('<').skip(1) {
        let (tag, after) = part.split_once('>').unwrap();
        tags.push(tag.split([' ', '/']).find(|name| !name.is_empty()).unwrap());
        text.push_str(after);
    }
    (text, tags)
}

#[test]
fn it_tells_what_was_planted_and_no_path() {
    let (files, truth) = planted();
    for (lang, words) in [
        (Lang::En, ["Suspected leak", "call site 1", "are left out", "▲"]),
        (Lang::Zh, ["疑似泄漏", "调用点 1", "不含调用栈", "▲"]),
    ] {
        let html = written(&files, lang, false);
        let (text, _) = parts(&html);
        for word in words {
            assert!(text.contains(word), "{word}");
        }
        let operators: Vec<&str> =
            truth.folders.iter().flat_map(|folder| &folder.rows).map(|row| row.name.as_str()).collect();
        let operators = operators.join(" ");
        let frames = truth.folders.iter().flat_map(|folder| &folder.stacks).flat_map(|stack| stack.split(";\r\n"));
        for frame in frames {
            let (path, function) = frame.rsplit_once(": ").unwrap();
            assert!(!html.contains(path) && !html.contains(frame), "{frame}");
            // Names of functions are part of a stack; some of them are ordinary words, or parts of an operator's name.
            let is_plain = !function.contains('_') || operators.contains(function);
            assert!(is_plain || !text.contains(function), "{function}");
        }
        for folder in &truth.folders {
            for part in folder.folder.split('/').filter(|part| *part != "actor_update") {
                assert!(!html.contains(part), "{part}");
            }
        }
        for sign in ["ascend_pt", ".py", "_view.json", "://", "run/"] {
            // The one address is the name of SVG's own name space.
            assert!(!html.replace("http://www.w3.org/2000/svg", "").contains(sign), "{sign}");
        }
    }
    let html = written(&files, Lang::En, true);
    let leak = truth.folders[0].planted.iter().find(|planted| planted.line.contains("keep")).unwrap();
    assert!(html.contains(&leak.line) && html.contains(&truth.folders[0].folder));
}

#[test]
fn it_loads_nothing_and_names_stay_text() {
    let hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
    let (mut files, _) = planted();
    for (path, bytes) in &mut files.0 {
        *path = path.replace("actor_update", "<img src=x onerror=1>\"'&");
        if path.ends_with("operator_memory.csv") {
            let text = String::from_utf8(bytes.clone()).unwrap();
            let quoted = format!("\"{}\"", hostile.replace('"', "\"\""));
            *bytes = text.replace("aten::empty", &quoted).into_bytes();
        }
    }
    for with_stacks in [false, true] {
        let html = written(&files, Lang::En, with_stacks);
        let (_, tags) = parts(&html);
        for tag in ["script", "img", "iframe", "link", "object", "embed", "form", "a onerror"] {
            assert!(!tags.contains(&tag), "{tag}");
        }
        assert!(html.contains("default-src 'none'") && !html.contains("url(") && !html.contains("@import"));
        // Every element that needs an end has one.
        for element in [
            "section", "table", "tbody", "tr", "li", "div", "svg", "figure", "dl", "ol", "ul", "details", "h2", "h3",
            "p",
        ] {
            let opened = html.matches(&format!("<{element} ")).count() + html.matches(&format!("<{element}>")).count();
            assert_eq!(opened, html.matches(&format!("</{element}>")).count(), "{element}");
        }
    }
    assert!(written(&files, Lang::En, true).contains("&lt;img src=x onerror=1&gt;"));
}

#[test]
fn a_rank_without_anything_is_told_too() {
    let files = Files::rank(&[]);
    let html = written(&files, Lang::En, false);
    assert!(html.contains("</html>") && html.contains("Findings"));
}
