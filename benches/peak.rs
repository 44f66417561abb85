//! How much memory reading a rank takes, phase by phase, against what is kept of it in the end.
//! `cargo run --release --no-default-features --example peak -- RANK_FOLDER...`
//!
//! Bytes asked for, not those the system gave: what a browser's worker grows to is this and the holes between.

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use allocation_counter::measure;
use memlens::folder::{FileEntry, find};
use memlens::read::read_at::ReadAt;
use memlens::session::{Options, Session};

const CHUNK_BYTES: usize = 1 << 20;

struct Opened(RefCell<File>, u64);

impl ReadAt for Opened {
    fn size(&self) -> u64 {
        self.1
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, String> {
        let mut file = self.0.borrow_mut();
        file.seek(SeekFrom::Start(offset)).and_then(|_| file.read(buffer)).map_err(|error| error.to_string())
    }
}

/// Bytes held, and the most there were at once.
#[derive(Default)]
struct Held {
    now: i64,
    most: i64,
}

impl Held {
    fn phase(&mut self, name: &str, work: impl FnOnce()) {
        let info = measure(work);
        let most = self.now + info.bytes_max as i64;
        self.now += info.bytes_current;
        self.most = self.most.max(most);
        println!("{name}: {:.1} MB held, {:.1} MB at once", self.now as f64 / 1e6, most as f64 / 1e6);
    }
}

fn walk(folder: &Path, named: &str, entries: &mut Vec<FileEntry>, paths: &mut Vec<PathBuf>) {
    let Ok(list) = std::fs::read_dir(folder) else { return };
    for entry in list.flatten() {
        let name = format!("{named}/{}", entry.file_name().to_string_lossy());
        match entry.metadata() {
            Ok(about) if about.is_dir() => walk(&entry.path(), &name, entries, paths),
            Ok(about) => {
                entries.push(FileEntry::new(name, about.len()));
                paths.push(entry.path());
            }
            Err(_) => {}
        }
    }
}

fn main() {
    for folder in std::env::args().skip(1) {
        let (mut entries, mut paths) = (Vec::new(), Vec::new());
        walk(Path::new(&folder), "run", &mut entries, &mut paths);
        let run = find(&entries).finish(|wanted| std::fs::read(paths.get(wanted.index)?).ok());
        for rank in run.rank_folders {
            println!("{}", rank.folder);
            read(Session::new(rank, Options::default()), &paths);
        }
    }
}

fn read(mut session: Session, paths: &[PathBuf]) {
    let mut held = Held::default();
    for file in session.read_order() {
        let Some(known) = session.folder().files.get(file).cloned() else { continue };
        let Some(mut opened) = paths.get(known.index).and_then(|path| File::open(path).ok()) else { continue };
        if !session.wants(file) {
            continue;
        }
        held.phase(&known.name, || {
            if session.is_database(file) {
                let size = opened.metadata().map_or(0, |about| about.len());
                session.read_database(file, Box::new(Opened(RefCell::new(opened), size)), None, Box::new(|_| true));
                return;
            }
            session.begin(file);
            let mut chunk = vec![0; CHUNK_BYTES];
            while let Ok(count @ 1..) = opened.read(&mut chunk) {
                session.feed(chunk.get(..count).unwrap_or_default());
            }
            session.end();
        });
    }
    held.phase("finish", || session.finish());
    let counters = session.counters();
    let kept = counters.kept_bytes as f64 / 1e6;
    println!(
        "kept {kept:.1} MB, most {:.2} x + {:.1} MB; {counters:?}",
        held.most as f64 / 1e6 / kept,
        held.most as f64 / 1e6 - 1.3 * kept
    );
}
