//! A file of this machine, read at random.

use std::fs::File;
use std::path::Path;

use memlens::read::read_at::ReadAt;

/// An open file.
pub struct Opened {
    file: File,
    size: u64,
}

impl Opened {
    /// Opens it for reading.
    pub fn open(path: &Path) -> std::io::Result<Opened> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        Ok(Opened { file, size })
    }
}

impl ReadAt for Opened {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, String> {
        loop {
            match read_at(&self.file, offset, buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                other => return other.map_err(|error| error.to_string()),
            }
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
