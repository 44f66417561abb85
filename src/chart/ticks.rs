//! Round numbers for the axes, and their labels. Integer arithmetic only: a label says exactly where its line is.
//!
//! The labels are numbers with unit signs, the same in every language; sentences are made elsewhere.

/// One line of an axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tick {
    /// Nanoseconds or bytes.
    pub value: i64,
    /// Number and unit sign.
    pub label: String,
}

const BYTE_UNITS: [(&str, u32); 6] = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("PiB", 50), ("EiB", 60)];

/// The byte axis for values from `low` to `high`: bottom, top and ticks at powers of two, at most about `most` steps.
///
/// The axis always holds 0; it goes below only if a value does.
pub fn byte_axis(low: i64, high: i64, most: u32) -> (i64, i64, Vec<Tick>) {
    let (low, mut high) = (i128::from(low.min(0)), i128::from(high.max(0)));
    if low == high {
        high = 1 << 20;
    }
    let most = i128::from(most.max(2));
    let mut step = 1_i128;
    // Counted in steps from the rounded bottom to the rounded top, since that is what is drawn.
    while ceil_to(high, step) - floor_to(low, step) > most * step {
        step *= 2;
    }
    let (bottom, top) = (floor_to(low, step), ceil_to(high, step));
    let unit = byte_unit(top.max(-bottom));
    let mut ticks = Vec::new();
    let mut value = bottom;
    while value <= top {
        if let Ok(exact) = i64::try_from(value) {
            ticks.push(Tick { value: exact, label: byte_label(value, step, unit) });
        }
        value += step;
    }
    let clamp = |v: i128| v.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
    (clamp(bottom), clamp(top), ticks)
}

fn floor_to(value: i128, step: i128) -> i128 {
    value.div_euclid(step) * step
}

fn ceil_to(value: i128, step: i128) -> i128 {
    -floor_to(-value, step)
}

/// The largest unit that `size` reaches.
fn byte_unit(size: i128) -> (&'static str, u32) {
    BYTE_UNITS.iter().rev().find(|(_, shift)| size >> shift > 0).copied().unwrap_or(("B", 0))
}

/// `value` in `unit` with as many decimals as a multiple of `step` can need.
fn byte_label(value: i128, step: i128, (name, shift): (&str, u32)) -> String {
    if value == 0 {
        return "0".to_owned();
    }
    // A multiple of 2^k below the unit's 2^shift has shift - k decimals; they come out exact, nothing is rounded.
    let below = shift.saturating_sub(step.trailing_zeros());
    let scaled = (value.abs() * 10_i128.pow(below.min(18))) >> shift;
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{} {name}", decimal(scaled, below.min(18)))
}

/// `value / 10^decimals`, without trailing zeros.
fn decimal(value: i128, decimals: u32) -> String {
    if decimals == 0 {
        return value.to_string();
    }
    let unit = 10_i128.pow(decimals);
    let fraction = format!("{:0width$}", value % unit, width = decimals as usize);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { (value / unit).to_string() } else { format!("{}.{fraction}", value / unit) }
}

const TIME_UNITS: [(&str, u32); 4] = [("ns", 0), ("µs", 3), ("ms", 6), ("s", 9)];

/// The time axis: ticks at 1, 2 or 5 times a power of ten after `origin_ns`, as many as find room.
///
/// `room_px` is the width of the axis, `char_px` a rough width of a character.
pub fn time_ticks(t0_ns: i64, t1_ns: i64, origin_ns: i64, room_px: f64, char_px: f64) -> Vec<Tick> {
    let from = i128::from(t0_ns) - i128::from(origin_ns);
    let to = i128::from(t1_ns) - i128::from(origin_ns);
    if to <= from {
        return Vec::new();
    }
    let unit = TIME_UNITS.iter().rev().find(|(_, d)| from.abs().max(to.abs()) >= 10_i128.pow(*d)).copied();
    let unit = unit.unwrap_or(("ns", 0));
    let mut step = 1_i128;
    let mut factors = [2, 5, 10].into_iter().cycle();
    let mut power = 1_i128;
    loop {
        let longest = time_label(from, step, unit).chars().count().max(time_label(to, step, unit).chars().count());
        let spacing = room_px * step as f64 / (to - from) as f64;
        if spacing >= (longest as f64 + 3.0) * char_px || step > to - from {
            break;
        }
        match factors.next() {
            Some(10) | None => {
                power *= 10;
                step = power;
            }
            Some(factor) => step = power * factor,
        }
    }
    let mut ticks = Vec::new();
    let mut value = ceil_to(from, step);
    while value <= to {
        if let Ok(absolute) = i64::try_from(value + i128::from(origin_ns)) {
            ticks.push(Tick { value: absolute, label: time_label(value, step, unit) });
        }
        value += step;
    }
    ticks
}

/// Longest label of a time of day with a fraction: `HH:MM:SS.`, then at most nine digits.
const CLOCK_CHARS: usize = 9;
const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

/// Steps of a clock from a second on, s.
const CLOCK_STEPS: [i128; 13] = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 10_800, 21_600];

/// The time axis as times of day (UTC): ticks at round ones.
pub fn clock_ticks(t0_ns: i64, t1_ns: i64, room_px: f64, char_px: f64) -> Vec<Tick> {
    let (from, to) = (i128::from(t0_ns), i128::from(t1_ns));
    let fractions = (0..9_u32).flat_map(|power| [1, 2, 5].map(|factor| factor * 10_i128.pow(power)));
    let steps = fractions.chain(CLOCK_STEPS.map(|step| step * SECOND)).chain((0..).map(|power| DAY << power));
    let fits = |step: i128| {
        let chars = CLOCK_CHARS + decimals_of(step) + 3;
        room_px * step as f64 / (to - from).max(1) as f64 >= chars as f64 * char_px
    };
    // Days double until they find room, at the latest when one is longer than the axis.
    let step = steps.into_iter().find(|step| fits(*step) || *step > to - from).unwrap_or(DAY);
    let label = |value: i128| {
        let (second, fraction) = (value.rem_euclid(DAY) / SECOND, value.rem_euclid(SECOND));
        let decimals = decimals_of(step);
        let clock = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
        if decimals == 0 {
            return clock;
        }
        let digits = fraction / 10_i128.pow(9 - decimals as u32);
        format!("{clock}.{digits:0decimals$}")
    };
    ticks_at(from, to, step, label)
}

/// Digits behind the second that a multiple of `step` needs.
fn decimals_of(step: i128) -> usize {
    let mut decimals = 9;
    while decimals > 0 && step % 10_i128.pow(10 - decimals) == 0 {
        decimals -= 1;
    }
    decimals as usize
}

/// An axis of whole numbers at 1, 2 or 5 times a power of ten.
pub fn count_ticks(from: i64, to: i64, room_px: f64, char_px: f64) -> Vec<Tick> {
    let (from, to) = (i128::from(from), i128::from(to));
    let chars = from.to_string().len().max(to.to_string().len()) + 3;
    let steps = (0..37_u32).flat_map(|power| [1, 2, 5].map(|factor| factor * 10_i128.pow(power)));
    let fits = |step: &i128| room_px * *step as f64 / (to - from).max(1) as f64 >= chars as f64 * char_px;
    let step = steps.into_iter().find(|step| fits(step) || *step > to - from).unwrap_or(1);
    ticks_at(from, to, step, |value| value.to_string())
}

fn ticks_at(from: i128, to: i128, step: i128, label: impl Fn(i128) -> String) -> Vec<Tick> {
    let mut ticks = Vec::new();
    let mut value = ceil_to(from, step);
    while value <= to {
        if let Ok(exact) = i64::try_from(value) {
            ticks.push(Tick { value: exact, label: label(value) });
        }
        value += step;
    }
    ticks
}

/// A time after the origin, `+12.345 s`, with the decimals that a multiple of `step` (a 1, 2 or 5 times a power of ten) needs.
fn time_label(value: i128, step: i128, (name, digits): (&str, u32)) -> String {
    let mut decimals = digits;
    while decimals > 0 && step % 10_i128.pow(digits - decimals + 1) == 0 {
        decimals -= 1;
    }
    let scaled = value.abs() / 10_i128.pow(digits - decimals);
    let unit = 10_i128.pow(decimals);
    let sign = if value < 0 { '-' } else { '+' };
    if decimals == 0 {
        return format!("{sign}{scaled} {name}");
    }
    format!("{sign}{}.{:0width$} {name}", scaled / unit, scaled % unit, width = decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|t| t.label.as_str()).collect()
    }

    #[test]
    fn bytes_in_binary_steps() {
        let (bottom, top, ticks) = byte_axis(0, 5_905_580_032, 6);
        assert_eq!((bottom, top), (0, 6 << 30));
        assert_eq!(labels(&ticks), ["0", "1 GiB", "2 GiB", "3 GiB", "4 GiB", "5 GiB", "6 GiB"]);
        let (_, top, ticks) = byte_axis(0, 3 << 29, 6);
        assert_eq!(top, 3 << 29);
        assert_eq!(labels(&ticks), ["0", "0.25 GiB", "0.5 GiB", "0.75 GiB", "1 GiB", "1.25 GiB", "1.5 GiB"]);
        assert_eq!(labels(&byte_axis(0, 3, 6).2), ["0", "1 B", "2 B", "3 B"]);
    }

    #[test]
    fn bytes_below_zero_and_extremes() {
        let (bottom, top, ticks) = byte_axis(-1024, 4096, 6);
        assert_eq!((bottom, top), (-1024, 4096));
        assert_eq!(labels(&ticks), ["-1 KiB", "0", "1 KiB", "2 KiB", "3 KiB", "4 KiB"]);
        let (bottom, top, ticks) = byte_axis(i64::MIN, i64::MAX, 6);
        assert_eq!((bottom, top), (i64::MIN, i64::MAX));
        assert!(ticks.len() > 2);
        let (bottom, top, _) = byte_axis(0, 0, 6);
        assert!(bottom < top);
    }

    #[test]
    fn bytes_never_more_steps_than_asked() {
        for shift in 0..62 {
            let (_, top, ticks) = byte_axis(0, (1_i64 << shift) + 1, 6);
            assert!(ticks.len() <= 7 && ticks.len() >= 2, "{shift}: {ticks:?}");
            assert!(top > 1_i64 << shift);
        }
    }

    #[test]
    fn times_at_one_two_five() {
        let origin = 1_780_000_000_000_000_000;
        let ticks = time_ticks(origin, origin + 12_345_000_000, origin, 1100.0, 7.0);
        assert_eq!(ticks[0].label, "+0 s");
        assert_eq!(ticks[1].label, "+1 s");
        let ticks = time_ticks(origin + 12_000_000_000, origin + 12_002_000_000, origin, 1100.0, 7.0);
        assert_eq!(labels(&ticks)[..2], ["+12.0000 s", "+12.0002 s"]);
        let ticks = time_ticks(origin, origin + 900_000, origin, 800.0, 7.0);
        assert_eq!(labels(&ticks)[..2], ["+0 µs", "+100 µs"]);
        let ticks = time_ticks(origin - 3, origin + 3, origin, 1100.0, 7.0);
        assert_eq!(labels(&ticks), ["-3 ns", "-2 ns", "-1 ns", "+0 ns", "+1 ns", "+2 ns", "+3 ns"]);
    }

    #[test]
    fn times_of_day_at_round_ones() {
        // 2026-05-28 20:26:40 UTC.
        let noon = 1_780_000_000_000_000_000;
        let ticks = clock_ticks(noon, noon + 10_000_000_000, 1100.0, 7.0);
        assert_eq!(labels(&ticks)[..3], ["20:26:40", "20:26:41", "20:26:42"]);
        let ticks = clock_ticks(noon + 1, noon + 2_000_000, 1100.0, 7.0);
        assert_eq!(labels(&ticks)[..2], ["20:26:40.0005", "20:26:40.0010"]);
        let ticks = clock_ticks(noon, noon + 3_600_000_000_000, 1100.0, 7.0);
        assert_eq!(labels(&ticks)[..2], ["20:30:00", "20:35:00"]);
        assert_eq!(clock_ticks(-1, 1, 1100.0, 7.0)[0].label, "23:59:59.999999999");
    }

    #[test]
    fn numbers_at_round_ones() {
        assert_eq!(labels(&count_ticks(0, 10, 1100.0, 7.0))[..3], ["0", "1", "2"]);
        assert_eq!(labels(&count_ticks(3, 2000, 500.0, 7.0))[..2], ["200", "400"]);
    }

    #[test]
    fn times_have_room_and_extremes_do_not_hang() {
        for (t0, t1) in [(i64::MIN, i64::MAX), (0, 1), (i64::MAX - 1, i64::MAX)] {
            let ticks = time_ticks(t0, t1, 0, 1100.0, 7.0);
            assert!(ticks.len() <= 60, "{}", ticks.len());
            assert!(clock_ticks(t0, t1, 1100.0, 7.0).len() <= 60);
            assert!(count_ticks(t0, t1, 1100.0, 7.0).len() <= 80);
        }
        assert!(clock_ticks(0, 1_000_000, 1.0, 7.0).len() <= 1);
        assert!(time_ticks(5, 5, 0, 1100.0, 7.0).is_empty());
        assert!(time_ticks(0, 1_000_000, 0, 1.0, 7.0).len() <= 1);
    }
}
