//! The training steps inside a recording: its `ProfilerStep#N` spans in order, and moments named by them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::answer::PoolKey;
use super::rank::Rank;
use crate::model::spans::Step;

/// One step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSpan {
    /// The number behind the `#`; without one, its place from 0.
    pub number: u64,
    /// Start, ns.
    pub start_ns: i64,
    /// End, ns.
    pub end_ns: i64,
}

/// The steps by start. Of spans that overlap (one a thread) the first counts.
pub(crate) fn in_order(spans: &[Step]) -> Vec<StepSpan> {
    let mut sorted: Vec<&Step> = spans.iter().collect();
    sorted.sort_by_key(|span| (span.start, span.end));
    let mut steps: Vec<StepSpan> = Vec::new();
    for span in sorted {
        if steps.last().is_some_and(|last| span.start < last.end_ns) {
            continue;
        }
        let number = span.name.rsplit('#').next().and_then(|digits| digits.trim().parse().ok());
        let number = number.unwrap_or(steps.len() as u64);
        steps.push(StepSpan { number, start_ns: span.start, end_ns: span.end });
    }
    steps
}

/// The step whose work a time belongs to: a step lasts until the next begins, the last one to the end of the recording.
pub(crate) fn place_of(steps: &[StepSpan], time_ns: i64) -> Option<usize> {
    steps.partition_point(|step| step.start_ns <= time_ns).checked_sub(1)
}

/// A time as a person names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// The first time allocated memory was highest. Written `peak`.
    Peak,
    /// The start of the window. Written `start`.
    Start,
    /// The end of the window. Written `end`.
    End,
    /// Of a step by its number. Written `step:50`.
    Step(u64),
    /// So many ns after the window's start. Written `1.5s`, `+250ms`, `30us`, `7ns`; seconds without a unit.
    After(i64),
    /// Ns since the epoch. Written `@1779785715123456789`.
    At(i64),
}

impl std::fmt::Display for Moment {
    /// As it is written.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Moment::Peak => f.write_str("peak"),
            Moment::Start => f.write_str("start"),
            Moment::End => f.write_str("end"),
            Moment::Step(number) => write!(f, "step:{number}"),
            Moment::After(ns) => write!(f, "{ns}ns"),
            Moment::At(ns) => write!(f, "@{ns}"),
        }
    }
}

/// Which moment of a step is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// Its highest allocated memory.
    Peak,
    /// Its start.
    Start,
    /// Its end.
    End,
}

/// A text that names no moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownMoment;

impl std::fmt::Display for UnknownMoment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            "expected peak, start, end, step:N, a time after the window's start such as 1.5s or 250ms, or @ and ns since the epoch",
        )
    }
}

impl std::error::Error for UnknownMoment {}

impl FromStr for Moment {
    type Err = UnknownMoment;

    fn from_str(text: &str) -> Result<Moment, UnknownMoment> {
        match text {
            "peak" => return Ok(Moment::Peak),
            "start" => return Ok(Moment::Start),
            "end" => return Ok(Moment::End),
            _ => {}
        }
        if let Some(number) = text.strip_prefix("step:") {
            return number.parse().map(Moment::Step).map_err(|_| UnknownMoment);
        }
        if let Some(epoch) = text.strip_prefix('@') {
            return epoch.parse().map(Moment::At).map_err(|_| UnknownMoment);
        }
        let text = text.strip_prefix('+').unwrap_or(text);
        let end = text.find(|c: char| c.is_ascii_alphabetic() || c == 'µ').unwrap_or(text.len());
        let (digits, unit) = text.split_at_checked(end).ok_or(UnknownMoment)?;
        let decimals: u32 = match unit {
            "" | "s" => 9,
            "ms" => 6,
            "us" | "µs" => 3,
            "ns" => 0,
            _ => return Err(UnknownMoment),
        };
        after(digits.trim(), decimals).map(Moment::After).ok_or(UnknownMoment)
    }
}

/// Digits with a fraction, in units of `10^-decimals`; digits beyond a ns are cut.
fn after(digits: &str, decimals: u32) -> Option<i64> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || !whole.chars().chain(fraction.chars()).all(|c| c.is_ascii_digit()) {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let kept: String = fraction.chars().chain(std::iter::repeat('0')).take(decimals as usize).collect();
    let fraction: i64 = if kept.is_empty() { 0 } else { kept.parse().ok()? };
    whole.checked_mul(10_i64.checked_pow(decimals)?)?.checked_add(fraction)
}

impl Rank {
    /// The recording's steps by start.
    pub fn steps_in_order(&self) -> Vec<StepSpan> {
        in_order(&self.steps)
    }

    /// When a moment is, peaks being those of a pool (`None`: the framework's); of a step the one that `of` says. `None` if the
    /// recording has no such pool, step, peak or window.
    pub fn moment(&self, moment: Moment, of: Of, pool: Option<&PoolKey>) -> Option<i64> {
        let curves = || self.pools.get(self.pool_index(pool)?);
        match moment {
            Moment::Peak => curves().filter(|_| !self.times_lost)?.peaks().allocated.map(|peak| peak.time_ns),
            Moment::Start => self.window.map(|(from, _)| from),
            Moment::End => self.window.map(|(_, to)| to),
            Moment::After(ns) => self.window.and_then(|(from, _)| from.checked_add(ns)),
            Moment::At(ns) => Some(ns),
            Moment::Step(number) => {
                let step = self.steps_in_order().into_iter().find(|step| step.number == number)?;
                match of {
                    Of::Start => Some(step.start_ns),
                    Of::End => Some(step.end_ns),
                    Of::Peak => curves()?.peak_between(step.start_ns, step.end_ns).map(|peak| peak.time_ns),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(name: &str, start: i64, end: i64) -> Step {
        Step { name: name.to_owned(), start, end }
    }

    #[test]
    fn steps_come_by_time_and_once() {
        let spans = [span("ProfilerStep#9", 30, 40), span("ProfilerStep#8", 10, 29), span("ProfilerStep#8", 12, 28)];
        let steps = in_order(&spans);
        assert_eq!(steps.iter().map(|s| (s.number, s.start_ns)).collect::<Vec<_>>(), [(8, 10), (9, 30)]);
        assert_eq!([9, 10, 29, 30, 99].map(|time| place_of(&steps, time)), [None, Some(0), Some(0), Some(1), Some(1)]);
        assert_eq!(in_order(&[span("Step", 1, 2)])[0].number, 0);
    }

    #[test]
    fn moments_are_read_exactly() {
        for (text, moment) in [
            ("peak", Moment::Peak),
            ("start", Moment::Start),
            ("end", Moment::End),
            ("step:50", Moment::Step(50)),
            ("@1779785715123456789", Moment::At(1_779_785_715_123_456_789)),
            ("1.5", Moment::After(1_500_000_000)),
            ("+12.345678901s", Moment::After(12_345_678_901)),
            ("250ms", Moment::After(250_000_000)),
            ("0.5us", Moment::After(500)),
            ("7 ns", Moment::After(7)),
        ] {
            assert_eq!(text.parse(), Ok(moment), "{text}");
            assert_eq!(moment.to_string().parse(), Ok(moment), "{text}");
        }
        for text in ["", "s", "step:", "step:x", "@", "1.5 h", "-1s", "1e3", "99999999999s", "µ"] {
            assert_eq!(text.parse::<Moment>(), Err(UnknownMoment), "{text}");
        }
    }
}
