//! The whole test: what a change must pass, in the order in which a mistake is found soonest.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::debian;
use crate::project::Project;
use crate::run::{cargo, find, run, step};

/// Where the browser tests find the command that the native tests built; without it they build their own.
const COMMAND: &str = "MEMLENS_COMMAND";

/// Runs every step and stops at the first that fails, naming it.
pub fn test(project: &Project) -> Result<()> {
    step("Set up the browser");
    browser().context("the browser tests have no browser")?;

    cargo_step(project, "Formatting", &["fmt", "--all", "--check"])?;
    // Its last part keeps one core busy for minutes, and the browser tests wait for it: the steps beside it stand back.
    let page = Beside::start(project, "Build the page", "page")?;
    let deny = ["--", "-D", "warnings"];
    cargo_step(
        project,
        "Lints, all of it with the page",
        &[&["clippy", "--workspace", "--all-targets"][..], &deny].concat(),
    )?;
    cargo_step(
        project,
        "Lints, the browser tests (no target of \"all\": they need the page)",
        &[&["clippy", "--workspace", "--test", "page"][..], &deny].concat(),
    )?;
    // What follows is built without the page: in WebAssembly alone it is more than a check. The whole workspace each time:
    // with a part of it, cargo would build what they share with other features once more.
    let engine = ["--workspace", "--no-default-features"];
    cargo_step(
        project,
        "Lints, the command without the page (its tests were linted with it)",
        &[&["clippy"][..], &engine, &deny].concat(),
    )?;
    cargo_step(project, "Native tests", &[&["test"][..], &engine].concat())?;
    let browser_tests = [&["test"][..], &engine, &["--test", "page"]].concat();
    cargo_step(project, "Build the browser tests", &[&browser_tests[..], &["--no-run"]].concat())?;
    page.wait()?;
    step("Browser tests");
    let command = project.target().join("debug").join(format!("memlens{}", std::env::consts::EXE_SUFFIX));
    run(cargo().args(&browser_tests).current_dir(project.root()).env(COMMAND, command))
        .context("the step \"Browser tests\" failed")?;
    step("All passed");
    Ok(())
}

/// A command of this xtask that runs beside the next steps. What it prints is shown when it is waited for.
struct Beside {
    name: &'static str,
    child: Child,
    log: PathBuf,
}

impl Beside {
    fn start(project: &Project, name: &'static str, command: &str) -> Result<Beside> {
        let log = project.target().join(format!("{command}.log"));
        step(&format!("{name}, beside the next steps (what it prints: {})", log.display()));
        fs::create_dir_all(project.target())
            .with_context(|| format!("{} cannot be made", project.target().display()))?;
        let file = File::create(&log).with_context(|| format!("{} cannot be written", log.display()))?;
        let xtask = std::env::current_exe().context("this program does not know where it is")?;
        let mut start = Command::new(xtask);
        start.arg(command).current_dir(project.root()).stdin(Stdio::null());
        let child = start.stdout(file.try_clone()?).stderr(file).spawn();
        Ok(Beside { name, child: child.with_context(|| format!("\"{name}\" could not be started"))?, log })
    }

    fn wait(mut self) -> Result<()> {
        step(&format!("{}: wait for its end", self.name));
        let status = self.child.wait()?;
        println!("{}", fs::read_to_string(&self.log).unwrap_or_default());
        if !status.success() {
            bail!("the step \"{}\" failed ({status})", self.name);
        }
        Ok(())
    }
}

impl Drop for Beside {
    /// Where a step beside it failed, nobody waits.
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let _ = self.child.kill();
        }
    }
}

fn cargo_step(project: &Project, name: &str, arguments: &[&str]) -> Result<()> {
    step(name);
    run(behind().args(arguments).current_dir(project.root())).with_context(|| format!("the step \"{name}\" failed"))
}

/// Cargo, and what it starts, with less of the processor than what runs beside it, where the system can do that.
fn behind() -> Command {
    let plain = cargo();
    let Some(nice) = find(&["nice"]) else { return plain };
    let mut command = Command::new(nice);
    command.args(["-n", "10"]).arg(plain.get_program());
    command
}

/// Chromium, its driver, and letters for Chinese, so that a screenshot shows what a person sees.
fn browser() -> Result<()> {
    let mut missing = Vec::new();
    if find(&["chromium", "google-chrome", "chrome"]).is_none() {
        missing.push("chromium");
    }
    if find(&["chromedriver"]).is_none() {
        missing.push("chromium-driver");
    }
    if debian::is_debian() && !Path::new("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc").exists() {
        missing.push("fonts-noto-cjk");
    }
    if missing.is_empty() {
        println!("    Chromium and its driver are there");
        return Ok(());
    }
    debian::install(&missing, "test the page in a browser")
}
