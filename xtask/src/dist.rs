//! Makes what a release holds: the page, the native command, and their checksums.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::project::Project;
use crate::run::{step, write};
use crate::{native, page};

/// Builds all of it into dist/.
pub fn dist(project: &Project) -> Result<()> {
    page::build(project)?;
    let built = native::build(project)?;
    step("Put the release together");
    let name = format!("memlens{}", std::env::consts::EXE_SUFFIX);
    let command = project.dist().join(&name);
    fs::copy(&built, &command).with_context(|| format!("{} cannot be copied to dist/", built.display()))?;

    let mut sums = String::new();
    for name in ["memlens.html", name.as_str()] {
        let path = project.dist().join(name);
        let bytes = fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        sums.push_str(&sum_line(name, &bytes));
    }
    let path = project.dist().join("SHA256SUMS");
    write(&path, sums.as_bytes())?;
    print!("{sums}");
    println!("    {}", path.display());
    Ok(())
}

/// One line as `sha256sum --check` reads it.
fn sum_line(name: &str, bytes: &[u8]) -> String {
    let mut line = String::new();
    for byte in Sha256::digest(bytes) {
        // Writing into a String cannot fail.
        let _ = write!(line, "{byte:02x}");
    }
    line.push_str("  ");
    line.push_str(name);
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_sha256sum_writes() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  memlens.html\n";
        assert_eq!(sum_line("memlens.html", b""), empty);
    }
}
