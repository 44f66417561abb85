//! What a program costs: processor time and most memory, as the system counts them for it and all it started.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use wait4::Wait4;

/// One run of a program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Seconds of processor time, in the program and in the system for it.
    pub cpu: f64,
    /// Seconds that went by.
    pub wall: f64,
    /// Most resident memory, bytes.
    pub peak: u64,
}

/// Runs a program to its end, its output thrown away. `accepted` are the exit codes with which it did its work.
pub fn cost(command: &mut Command, accepted: &[i32]) -> Result<Cost> {
    let line = format!("{command:?}");
    let start = Instant::now();
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("{line} could not be started"))?;
    let used = child.wait4().with_context(|| format!("{line} could not be waited for"))?;
    let wall = start.elapsed().as_secs_f64();
    if !used.status.code().is_some_and(|code| accepted.contains(&code)) {
        bail!("{line} failed ({})", used.status);
    }
    let cpu = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok(Cost { cpu, wall, peak: used.rusage.maxrss })
}

/// The median; of an even number the mean of the middle two, 0 of none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let at = |index: usize| values.get(index).copied().unwrap_or_default();
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => at(middle),
        _ => (at(middle - 1) + at(middle)) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert!(median([3.0, 1.0, 2.0]) == 2.0 && median([4.0, 1.0, 2.0, 3.0]) == 2.5 && median([]) == 0.0);
    }
}
