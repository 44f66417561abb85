//! Writes the seeds below `seeds/`: small pieces of a simulated run, one file a target and form.

use std::collections::BTreeMap;
use std::path::Path;

use memlens_simulator::{Memory, Options, Variety, simulate};

fn main() -> std::io::Result<()> {
    for (form, call_stacks) in [("stacks", true), ("python", false)] {
        let variety = Variety { call_stacks, ..Variety::default() };
        let options = Options { ranks: 1, steps: 1, seed: 5, variety, ..Options::default() };
        let mut memory = Memory(Vec::new());
        simulate(&options, &mut memory)?;
        let text = |name: &str| {
            let file = memory.0.iter().find(|(path, _)| path.contains(name));
            file.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
        };
        let rows = some_lines(&text("operator_memory.csv"), 12);
        let records = some_of_each(&text("memory_record.csv"));
        let trace = some_events(&text("trace_view.json"));
        seed("tables", &format!("rows-{form}"), &format!("\0\x09{rows}"))?;
        seed("tables", &format!("records-{form}"), &format!("\x01\x09{records}"))?;
        seed("trace", form, &format!("\0\x40{trace}"))?;
        let whole = format!(
            "\0\x40=== profiler_info_0.json\n{}\n=== memory_record.csv\n{records}=== operator_memory.csv\n{rows}=== trace_view.json\n{trace}",
            text("profiler_info")
        );
        seed("session", form, &whole)?;
        let paths: Vec<&str> = memory.0.iter().map(|(path, _)| path.as_str()).collect();
        seed("folder", &format!("info-{form}"), &format!("{}\n\n{}", paths.join("\n"), text("profiler_info")))?;
        seed("folder", &format!("metadata-{form}"), &format!("{}\n\n{}", paths.join("\n"), text("profiler_metadata")))?;
    }
    Ok(())
}

fn seed(target: &str, name: &str, text: &str) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(name), text)
}

fn some_lines(text: &str, count: usize) -> String {
    text.split_inclusive('\n').take(count).collect()
}

/// The header and three rows of each component.
fn some_of_each(text: &str) -> String {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    text.split_inclusive('\n')
        .filter(|line| {
            let count = seen.entry(line.split(',').next().unwrap_or_default()).or_default();
            *count += 1;
            *count <= 3
        })
        .collect()
}

/// Three events of each category and kind.
fn some_events(text: &str) -> String {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let inner = text.trim_start_matches("[{").trim_end_matches("}]");
    let events = inner.split("}, {").filter(|event| {
        let of = |key: &str| event.split(key).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        let is_app = event.contains("\"name\": \"APP/");
        let kind = format!("{}{is_app}{}", of("\"cat\": \""), event.contains("\"ph\": \"f\""));
        let count = seen.entry(kind).or_default();
        *count += 1;
        *count <= 3
    });
    format!("[{{{}}}]", events.collect::<Vec<_>>().join("}, {"))
}
