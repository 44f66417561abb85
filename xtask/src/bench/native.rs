//! Measures the native command: the whole way from files to a ready session and its summary, on one thread.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::Plan;
use super::cost::{Cost, cost, median};
use super::figure::{Figure, Figures};
use super::inputs::{DATABASE, Input, bytes, warm};
use crate::native;
use crate::project::Project;
use crate::run::step;

/// Exit codes with which another program may tell that it did its work.
const WELL: [i32; 1] = [0];

/// A byte a person can count in.
const MEGA: f64 = 1e6;

/// Builds the command and measures it.
pub fn measure(project: &Project, plan: &Plan, figures: &mut Figures) -> Result<()> {
    let memlens = native::build(project)?;
    step("Measure the command");
    figures_of(&memlens, plan, figures)
}

/// One thread, so that processor time is the time a person waits.
fn summary(memlens: &Path, folder: &Path) -> Command {
    let mut command = Command::new(memlens);
    command.args(["summary", "--json"]).arg(folder).env("RAYON_NUM_THREADS", "1");
    command
}

/// Another program, through the shell.
fn other(line: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    // The path goes in as an argument, so that no character of it means anything to the shell.
    command.arg("-c").arg(line.replace("{folder}", "\"$0\"")).arg(folder);
    command
}

fn figures_of(memlens: &Path, plan: &Plan, figures: &mut Figures) -> Result<()> {
    let runs = plan.runs.unwrap_or(if plan.quick { 3 } else { 7 });
    let sample = Input::text(1, plan.sample_mb);
    let name = format!("native, text of {} MB", plan.sample_mb);
    if plan.wants(&name) {
        let folder = plan.inputs.get(sample)?;
        let size = bytes(&folder)? as f64;
        let (ours, theirs) = in_turn(memlens, plan.vs, &folder, runs)?;
        let speed = size / MEGA / median(ours.iter().map(|c| c.cpu));
        let walls = median(ours.iter().map(|c| c.wall));
        let how = format!("{:.0} MB, processor time, median of {runs}; {walls:.2} s went by", size / MEGA);
        figures.add(Figure::new(&name, speed, "MB/s").at_least(600.0).note(how));
        let peak = median(ours.iter().map(|c| c.peak as f64)) / MEGA;
        figures.add(Figure::new(format!("{name}: most memory"), peak, "MB").note("resident, the whole process"));
        if !theirs.is_empty() {
            let [ours, theirs] = [&ours, &theirs].map(|costs| median(costs.iter().map(|c| c.cpu)));
            let how = format!("{:.0} MB/s, `{}`", size / MEGA / theirs, plan.vs.unwrap_or_default());
            figures
                .add(Figure::new("native, times the other program's speed", theirs / ours, "").at_least(8.0).note(how));
        }
    }
    if !plan.quick && plan.wants("native, growth") {
        let few = plan.runs.unwrap_or(3);
        let (small, large) = (plan.inputs.get(Input::text(1, 100))?, plan.inputs.get(Input::text(1, 1000))?);
        let mut seconds = [Vec::new(), Vec::new()];
        for _ in 0..few {
            for (folder, seconds) in [&small, &large].into_iter().zip(&mut seconds) {
                seconds.push(cost(&mut summary(memlens, folder), &WELL)?.cpu);
            }
        }
        let [before, after] = seconds.map(median);
        // The simulator meets a size within some percent: per byte, then for ten times the bytes.
        let growth = 10.0 * (after / bytes(&large)? as f64) / (before / bytes(&small)? as f64);
        let how = format!("1 GB after 100 MB, per byte, times 10; {after:.2} s and {before:.3} s");
        figures.add(Figure::new("native, growth", growth, "").at_most(10.5).note(how));
    }
    if plan.large {
        let text = |megabytes| (Input::text(1, megabytes), format!("native, text of {megabytes} MB"));
        let database = (DATABASE, "native, database of 10 M rows".to_owned());
        for (input, name) in [text(2000), text(4000), database] {
            if plan.wants(&name) {
                once(memlens, &plan.inputs.get(input)?, &name, figures)?;
            }
        }
    }
    Ok(())
}

/// One large input, once.
fn once(memlens: &Path, folder: &Path, name: &str, figures: &mut Figures) -> Result<()> {
    warm(folder)?;
    let size = bytes(folder)? as f64 / MEGA;
    let cost = cost(&mut summary(memlens, folder), &WELL)?;
    let how = format!("{size:.0} MB, {:.2} s of processor time, {:.2} s went by, once", cost.cpu, cost.wall);
    figures.add(Figure::new(name, size / cost.cpu, "MB/s").note(how));
    figures.add(Figure::new(format!("{name}: most memory"), cost.peak as f64 / MEGA, "MB"));
    Ok(())
}

/// Memlens and the other program in turn, so that what else the machine does meets both.
fn in_turn(memlens: &Path, vs: Option<&str>, folder: &Path, runs: u32) -> Result<(Vec<Cost>, Vec<Cost>)> {
    warm(folder)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        ours.push(cost(&mut summary(memlens, folder), &WELL)?);
        if let Some(line) = vs {
            theirs.push(cost(&mut other(line, folder), &WELL)?);
        }
    }
    Ok((ours, theirs))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::inputs::Inputs;
    use super::*;

    /// A small run of the whole native bench, with other programs in the places of both.
    #[test]
    fn inputs_are_made_once_and_programs_are_timed_in_turn() -> Result<()> {
        let target = std::env::temp_dir().join(format!("xtask-bench-{}", std::process::id()));
        let inputs = Inputs::below(target.clone());
        let folder = inputs.get(Input::text(1, 2))?;
        let size = bytes(&folder)?;
        assert!((1_500_000..4_000_000).contains(&size), "{size} bytes");
        let mark = folder.join("mark");
        fs::write(&mark, "")?;
        assert_eq!(inputs.get(Input::text(1, 2))?, folder);
        assert!(mark.exists(), "made a second time");

        let wc = "find {folder} -type f -exec cat {} + | sha256sum";
        let cost = cost(&mut other(wc, &folder), &WELL)?;
        assert!(cost.peak > 100_000 && cost.wall > 0.0, "{cost:?}");
        let (ours, theirs) = in_turn(Path::new("true"), Some(wc), &folder, 2)?;
        assert_eq!((ours.len(), theirs.len()), (2, 2));
        let failed = super::super::cost::cost(&mut other("exit 3", &folder), &WELL);
        assert!(failed.is_err_and(|error| error.to_string().contains("failed")));
        fs::remove_dir_all(target)?;
        Ok(())
    }
}
