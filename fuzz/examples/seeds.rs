//! Writes the seeds below `seeds/`: small pieces of a simulated run, one file a target and form.

use std::collections::BTreeMap;
use std::path::Path;

use memlens_simulator::{Form, Memory, Options, Variety, simulate};
use rusqlite::Connection;

/// Writers of archives that the engine's own tests use.
#[path = "../../tests/common/pack.rs"]
#[allow(dead_code, clippy::unwrap_used, reason = "the tests use more of it, and fail by panicking")]
mod pack;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
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
        if call_stacks {
            archives(&[
                ("run/a_ascend_pt/operator_memory.csv", &rows),
                ("run/a_ascend_pt/memory_record.csv", &records),
            ])?;
        }
    }
    let options = Options { ranks: 1, steps: 1, seed: 5, form: Form::Database, ..Options::default() };
    let mut memory = Memory(Vec::new());
    simulate(&options, &mut memory)?;
    let database = memory.0.iter().find(|(path, _)| path.ends_with(".db")).ok_or("no database")?;
    databases(&database.1)
}

fn seed(target: &str, name: &str, text: impl AsRef<[u8]>) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(name), text)
}

/// Each kind of archive, and each way of packing within one.
fn archives(files: &[(&str, &str)]) -> Result<(), Error> {
    let files: Vec<(String, Vec<u8>)> =
        files.iter().map(|(path, text)| ((*path).into(), text.as_bytes().into())).collect();
    let zip = |options: pack::ZipOptions| pack::zip_with(&files, &options);
    let plain = pack::ZipOptions::default();
    let kinds = [
        (0, "gz", pack::gzip(&files.first().ok_or("no file")?.1)),
        (1, "tar", pack::tar(&files)),
        (1, "pax", pack::pax(&files)),
        (2, "tar.gz", pack::gzip(&pack::tar(&files))),
        (0, "zip", zip(plain)),
        (0, "zip-stored", zip(pack::ZipOptions { method: pack::Method::Store, ..plain })),
        (0, "zip-descriptors", zip(pack::ZipOptions { descriptors: true, ..plain })),
        (0, "zip64", zip(pack::ZipOptions { zip64: true, ..plain })),
    ];
    for (case, name, bytes) in kinds {
        seed("archive", name, [[case, 0x40].as_slice(), &bytes].concat())?;
    }
    Ok(())
}

/// The database with a few rows a table, and the same with half of them still in the log beside it.
fn databases(bytes: &[u8]) -> Result<(), Error> {
    let path = std::env::temp_dir().join(format!("seed-{}.db", std::process::id()));
    std::fs::write(&path, bytes)?;
    let log = path.with_extension("db-wal");
    let connection = Connection::open(&path)?;
    let tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for table in &tables {
        connection.execute_batch(&format!("DELETE FROM {table} WHERE rowid > 12"))?;
    }
    connection.execute_batch("PRAGMA page_size = 512; VACUUM")?;
    seed("database", "plain", [b"\0\x40\0\0".as_slice(), &std::fs::read(&path)?].concat())?;
    connection.execute_batch("PRAGMA journal_mode = WAL; DELETE FROM MEMORY_RECORD WHERE rowid % 2 = 0")?;
    let (main, log) = (std::fs::read(&path)?, std::fs::read(&log)?);
    let count = u16::try_from(log.len())?.to_be_bytes();
    seed("database", "log", [b"\0\x40".as_slice(), &count, &main, &log].concat())?;
    drop(connection);
    std::fs::remove_file(&path)?;
    Ok(())
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
