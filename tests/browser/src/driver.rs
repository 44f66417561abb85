//! The chromedriver process: started on a free port, ended with everything that it started.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};

/// A running chromedriver.
pub struct Driver {
    child: Child,
    port: u16,
    /// The profile folder of its browser: in the command line of every process of that browser and of no other.
    profile: PathBuf,
}

impl Driver {
    /// Starts chromedriver and reads the port it has chosen.
    pub fn start(profile: &Path) -> Result<Self> {
        let program = find("CHROMEDRIVER", &["chromedriver"])?;
        let mut child = Command::new(&program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} could not be started", program.display()))?;
        let output = child.stdout.take();
        // From here on a failure ends the process too.
        let mut driver = Driver { child, port: 0, profile: profile.to_path_buf() };
        let mut lines = BufReader::new(output.context("chromedriver has no output")?).lines();
        for line in &mut lines {
            let line = line.context("chromedriver's output cannot be read")?;
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                driver.port = port.trim_end_matches('.').parse().context("chromedriver's port is no number")?;
                break;
            }
        }
        if driver.port == 0 {
            bail!("chromedriver ended without naming its port");
        }
        // Keep reading, else chromedriver stops at a full pipe.
        thread::spawn(move || lines.for_each(drop));
        Ok(driver)
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        for process in processes_naming(&self.profile) {
            let _ = Command::new("kill").arg("-KILL").arg(process).status();
        }
    }
}

/// Chromium's own path.
pub fn chromium() -> Result<PathBuf> {
    find("CHROMIUM", &["chromium", "google-chrome", "chrome"])
}

/// A program by its environment variable, else by PATH.
fn find(variable: &str, names: &[&str]) -> Result<PathBuf> {
    if let Some(program) = env::var_os(variable) {
        return Ok(program.into());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|program| program.is_file())
        .with_context(|| {
            format!("no {} in PATH: cargo xtask test installs it, or set {variable} to the program", names.join(" or "))
        })
}

/// Anonymous memory of the processes that run pages in the browser of this profile, bytes: with their workers, without the
/// browser's own code.
pub fn page_memory(profile: &Path) -> u64 {
    let of = |process: String| {
        let process = Path::new("/proc").join(process);
        // Arguments end with a zero byte; the pages' processes may have theirs joined.
        let command = fs::read(process.join("cmdline")).unwrap_or_default();
        if !String::from_utf8_lossy(&command).contains("--type=renderer") {
            return 0;
        }
        let status = fs::read_to_string(process.join("status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
        kibibytes.unwrap_or(0) << 10
    };
    processes_naming(profile).into_iter().map(of).sum()
}

/// Ids of processes whose command line holds this path: what a killed driver may have left behind.
fn processes_naming(profile: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let needle = profile.to_string_lossy().into_owned();
    entries
        .flatten()
        .filter(|entry| {
            let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(&needle)
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}
