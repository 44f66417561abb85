//! Fills the template: scripts and style inline, the module packed as base64 of gzip, and the Content-Security-Policy
//! with the hash of each script that may run. Texts in, text out; no files.

use std::collections::BTreeMap;
use std::io::Write as _;

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::Parts;

/// The whole page as one HTML text.
pub fn assemble(parts: &Parts) -> Result<String> {
    let theme = shipped(&parts.theme);
    let start = shipped(&parts.start);
    let worker_start = shipped(&parts.worker_start);
    for (name, text) in
        [("theme.js", &theme), ("start.js", &start), ("worker-start.js", &worker_start), ("glue", &parts.glue)]
    {
        refuse_ends(name, text, &["</script", "<script", "<!--"])?;
    }
    refuse_ends("the style sheets", &parts.style, &["</style", "<!--"])?;

    let values = BTreeMap::from([
        ("policy", policy(&[&theme, &parts.glue, &start])),
        ("icon", format!("data:image/svg+xml;base64,{}", STANDARD.encode(&parts.icon))),
        ("style", parts.style.clone()),
        ("wasm", pack(&parts.wasm)?),
        ("glue", parts.glue.clone()),
        ("theme", theme),
        ("worker-start", worker_start),
        ("start", start),
    ]);
    fill(&parts.template, &values)
}

/// Nothing may be loaded, sent or run but what is in the file itself.
fn policy(scripts: &[&str]) -> String {
    let hashes: Vec<String> =
        scripts.iter().map(|script| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script)))).collect();
    format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; \
         img-src blob: data:; connect-src 'none'; base-uri 'none'; form-action 'none'; object-src 'none'",
        hashes.join(" ")
    )
}

/// The script as it is shipped: without its comment lines, which are for people who read the source.
pub fn shipped(script: &str) -> String {
    let mut text = String::with_capacity(script.len());
    for line in script.lines().filter(|line| !line.trim_start().starts_with("//")) {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Half the size of the plain module; every browser that has SIMD unpacks it in a few milliseconds.
fn pack(wasm: &[u8]) -> Result<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(wasm).context("the module cannot be packed")?;
    Ok(STANDARD.encode(encoder.finish().context("the module cannot be packed")?))
}

fn refuse_ends(name: &str, text: &str, ends: &[&str]) -> Result<()> {
    let lower = text.to_ascii_lowercase();
    match ends.iter().find(|end| lower.contains(**end)) {
        Some(end) => bail!("{name} contains {end:?}, which would end its element in the page too early"),
        None => Ok(()),
    }
}

/// Puts each value where its `{{name}}` stands. A name without a value, or a value without a place, is an error.
fn fill(template: &str, values: &BTreeMap<&str, String>) -> Result<String> {
    let mut html = String::with_capacity(template.len() + values.values().map(String::len).sum::<usize>());
    let mut used: Vec<&str> = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").context("index.html has a {{ without its }}")?;
        let value = values
            .get(name)
            .with_context(|| format!("index.html asks for {{{{{name}}}}}, which xtask does not know"))?;
        html.push_str(before);
        html.push_str(value);
        used.push(name);
        rest = after;
    }
    html.push_str(rest);
    match values.keys().find(|name| !used.contains(name)) {
        Some(name) => bail!("index.html has no place {{{{{name}}}}}"),
        None => Ok(html),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    fn parts() -> Parts {
        Parts {
            template: include_str!("../../../index.html").to_owned(),
            style: "body { margin: 0 }".to_owned(),
            icon: "<svg/>".to_owned(),
            theme: "// why\ntheme();".to_owned(),
            glue: "let wasm_bindgen = {};".to_owned(),
            worker_start: "worker();".to_owned(),
            start: "start();".to_owned(),
            wasm: b"\0asm".to_vec(),
        }
    }

    fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
        text.split_once(before).unwrap().1.split_once(after).unwrap().0
    }

    #[test]
    fn the_policy_comes_first_and_is_the_agreed_one() {
        let html = assemble(&parts()).unwrap();
        let first = between(&html, "<head>\n<", ">");
        let content = between(first, "meta http-equiv=\"Content-Security-Policy\" content=\"", "\"");
        let (before, rest) = content.split_once("'sha256-").unwrap();
        assert_eq!(before, "default-src 'none'; script-src ");
        assert!(rest.ends_with(
            "' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; img-src blob: data:; \
             connect-src 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
        ));
        assert!(html.find("<meta charset").unwrap() < 1024, "browsers look for the charset in the first 1024 bytes");
    }

    #[test]
    fn every_script_that_runs_has_its_hash_and_no_other() {
        let html = assemble(&parts()).unwrap();
        let mut running = 0;
        for chunk in html.split("<script").skip(1) {
            let (attributes, rest) = chunk.split_once('>').unwrap();
            if attributes.contains("text/plain") {
                continue;
            }
            running += 1;
            let hash = STANDARD.encode(Sha256::digest(rest.split_once("</script>").unwrap().0));
            assert!(html.contains(&format!("'sha256-{hash}'")), "no hash for {rest:.40}");
        }
        assert_eq!(running, html.matches("'sha256-").count());
    }

    #[test]
    fn nothing_is_linked_from_outside() {
        let html = assemble(&parts()).unwrap();
        for way in ["src=", "http:", "https:", "type=\"module\"", "@import"] {
            assert!(!html.contains(way), "{way} in the page");
        }
    }

    #[test]
    fn the_module_comes_back_as_it_went_in() {
        let html = assemble(&parts()).unwrap();
        let packed = STANDARD.decode(between(&html, "id=\"wasm\">", "</script>")).unwrap();
        let mut wasm = Vec::new();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut wasm).unwrap();
        assert_eq!(wasm, b"\0asm");
    }

    #[test]
    fn comments_stay_in_the_source() {
        assert_eq!(shipped("// why\n  // and how\nwork(); // not this\n"), "work(); // not this\n");
    }

    #[test]
    fn a_script_that_would_end_its_element_is_refused() {
        let mut parts = parts();
        parts.glue = "let a = '</SCRIPT>';".to_owned();
        assert!(assemble(&parts).unwrap_err().to_string().contains("glue"));
    }

    #[test]
    fn a_template_that_asks_for_more_or_less_is_refused() {
        let values = BTreeMap::from([("a", "1".to_owned()), ("b", "2".to_owned())]);
        assert_eq!(fill("{{a}}-{{b}}", &values).unwrap(), "1-2");
        assert!(fill("{{a}}", &values).unwrap_err().to_string().contains("{{b}}"));
        assert!(fill("{{a}}{{b}}{{c}}", &values).unwrap_err().to_string().contains("{{c}}"));
        assert!(fill("{{a}}{{b", &values).is_err());
    }
}
