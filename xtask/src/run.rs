//! Says what is being done and runs other programs. The only place that starts a process and waits for it.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

/// Announces a step, so that a long wait has a name.
pub fn step(what: &str) {
    println!("\n==> {what}");
}

/// Runs a program to its end with its output shown; a failure names what was run.
pub fn run(command: &mut Command) -> Result<()> {
    let line = shown(command);
    println!("    {line}");
    let status = command.status().with_context(|| format!("`{line}` could not be started"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// What a program prints, or nothing when it is missing or fails: for questions, not for work.
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The cargo that runs this xtask.
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The first of these programs that PATH holds.
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        folders
            .iter()
            .map(|folder| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
            .find(|file| file.is_file())
    })
}

/// Writes a file and its folders.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    }
    fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))
}

/// Reads a text file, without a byte-order mark and with plain line ends, however it was checked out.
pub fn read_text(path: &Path) -> Result<String> {
    let text = fs::read_to_string(path).with_context(|| match path.try_exists() {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => format!("{} may not be read", path.display()),
        _ => format!("{} cannot be read", path.display()),
    })?;
    Ok(text.trim_start_matches('\u{feff}').replace("\r\n", "\n"))
}

fn shown(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args().map(OsStr::to_string_lossy) {
        line.push(' ');
        line.push_str(&argument);
    }
    line
}
