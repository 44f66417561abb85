//! What reading a database costs: the plain read of the file, selecting the columns and throwing the rows away, and reading it
//! to ready. `cargo bench --no-default-features --bench database -- FILE...`; `cargo xtask sample --form db` makes files.

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Instant;

use memlens::folder::{FileEntry, find};
use memlens::read::database::{BlockSize, Database};
use memlens::read::read_at::ReadAt;
use memlens::session::{Options, Session};

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

fn open(path: &Path) -> std::io::Result<Box<dyn ReadAt>> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    Ok(Box::new(Opened(RefCell::new(file), size)))
}

/// Seconds of each way.
fn measure(path: &Path) -> std::io::Result<()> {
    let size = path.metadata()?.len();
    println!("{} ({} MB)", path.display(), size / 1_000_000);
    let (source, mut buffer) = (open(path)?, vec![0; 4 << 20]);
    let plain = || {
        let start = Instant::now();
        let mut at = 0;
        while let Ok(count @ 1..) = source.read_at(at, &mut buffer) {
            at += count as u64;
        }
        start.elapsed().as_secs_f64()
    };
    let mut plain = plain;
    plain();
    println!("  plain read                {:.2} s", plain());
    for (bytes, kept) in [(64 << 10, 8), (1 << 20, 8), (2 << 20, 8), (4 << 20, 8)] {
        let start = Instant::now();
        let block = BlockSize { bytes, kept };
        let mut database = Database::open("db", open(path)?, None, block, Box::new(|_| true));
        let rows = database.throw_away();
        println!("  select, blocks of {:4} KiB {:.2} s, {rows} rows", bytes >> 10, start.elapsed().as_secs_f64());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some(folder) = find(&[FileEntry::new(name, size)]).finish(|_| None).rank_folders.into_iter().next() else {
        println!("  no database of the profiler by its name");
        return Ok(());
    };
    let mut session = Session::new(folder, Options::default());
    let start = Instant::now();
    session.read_database(0, open(path)?, None, Box::new(|_| true));
    let read = start.elapsed().as_secs_f64();
    session.finish();
    println!(
        "  to ready                  {:.2} s ({read:.2} s reading), {} rows, kept {} MB, most memory {} MB",
        start.elapsed().as_secs_f64(),
        session.row_count(),
        session.counters().kept_bytes >> 20,
        most_memory().unwrap_or(0) >> 10,
    );
    Ok(())
}

/// KiB this process held at most, where the system says it.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn main() -> std::io::Result<()> {
    // Cargo adds options of its own.
    for path in std::env::args().skip(1).filter(|argument| !argument.starts_with('-')) {
        measure(Path::new(&path))?;
    }
    Ok(())
}
