//! Numbers with units. Integers in, text out: nothing is rounded through a double; halves round away from zero.
//!
//! Unit signs (GiB, ms, %) are the same in both languages; only counted things and long durations need a language.

use super::Lang;

const BYTE_UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Bytes in the largest unit that fits, two decimals: `1.10 GiB`. Below 1 KiB exact: `512 B`.
pub fn bytes(bytes: i64) -> String {
    let size = bytes.unsigned_abs();
    let sign = if bytes < 0 { "-" } else { "" };
    if size < 1024 {
        return format!("{sign}{size} B");
    }
    let mut power = size.ilog2() / 10;
    let mut hundredths = rounded(u128::from(size) * 100, 1 << (10 * power));
    // 1023.996 MiB rounds to 1024.00 MiB: that is 1.00 GiB.
    if hundredths >= 102_400 && power < 6 {
        power += 1;
        hundredths = rounded(u128::from(size) * 100, 1 << (10 * power));
    }
    let unit = BYTE_UNITS.get(power as usize).copied().unwrap_or_default();
    format!("{sign}{}.{:02} {unit}", grouped(hundredths / 100), hundredths % 100)
}

/// Every byte: `5,077,991,424 B`.
pub fn bytes_exact(bytes: i64) -> String {
    let sign = if bytes < 0 { "-" } else { "" };
    format!("{sign}{} B", count(bytes.unsigned_abs()))
}

/// A difference of bytes with its sign: `+1.10 GiB`, `-3.00 MiB`, `0 B`.
pub fn bytes_change(change: i64) -> String {
    if change > 0 { format!("+{}", bytes(change)) } else { bytes(change) }
}

/// A speed: `210.00 MiB/s`.
pub fn speed(bytes_per_second: u64) -> String {
    format!("{}/s", bytes(i64::try_from(bytes_per_second).unwrap_or(i64::MAX)))
}

/// A count: `1,234,567`.
pub fn count(count: u64) -> String {
    grouped(count.into())
}

/// `part / whole` with one decimal: `23.4 %`. A part too small for that shows as `< 0.1 %`; without a whole there is no share.
pub fn share(part: i64, whole: i64) -> String {
    if whole <= 0 {
        return "–".to_owned();
    }
    let thousandths = rounded(u128::from(part.unsigned_abs()) * 1000, u128::from(whole.unsigned_abs()));
    if thousandths == 0 && part != 0 {
        return "< 0.1 %".to_owned();
    }
    let sign = if part < 0 { "-" } else { "" };
    format!("{sign}{}.{} %", grouped(thousandths / 10), thousandths % 10)
}

/// A length of time (ns): `512 ns`, `3.204 µs`, `12.345 ms`, `1.500 s`, `2 min 05 s`, `3 h 07 min`.
pub fn duration(lang: Lang, ns: i64) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let size = u128::from(ns.unsigned_abs());
    if size < 1000 {
        return format!("{sign}{size} ns");
    }
    // Each limit is where three decimals would round up to the next unit.
    for (unit, limit, name) in
        [(1_000, 999_999_500, "µs"), (1_000_000, 999_999_500_000, "ms"), (1_000_000_000, 59_999_500_000_000, "s")]
    {
        if size * 1000 < limit {
            let thousandths = rounded(size * 1000, unit);
            return format!("{sign}{}.{:03} {name}", thousandths / 1000, thousandths % 1000);
        }
    }
    format!("{sign}{}", long(lang, rounded(size, 1_000_000_000)))
}

/// Whole seconds, for a person who waits: `12 s`, `2 min 05 s`, `3 h 07 min`.
pub fn seconds(lang: Lang, seconds: u64) -> String {
    if seconds < 60 {
        return lang.pick(format!("{seconds} s"), format!("{seconds} 秒"));
    }
    long(lang, seconds.into())
}

fn long(lang: Lang, seconds: u128) -> String {
    if seconds < 3600 {
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        return lang.pick(format!("{minutes} min {seconds:02} s"), format!("{minutes} 分 {seconds:02} 秒"));
    }
    let minutes = rounded(seconds, 60);
    let (hours, minutes) = (grouped(minutes / 60), minutes % 60);
    lang.pick(format!("{hours} h {minutes:02} min"), format!("{hours} 小时 {minutes:02} 分"))
}

/// A time after the window's start, to the nanosecond: `+12.345678901 s`; zeros at the end are left out by threes, so that
/// columns of times line up.
pub fn relative(time_ns: i64, start_ns: i64) -> String {
    let ns = i128::from(time_ns) - i128::from(start_ns);
    let sign = if ns < 0 { '-' } else { '+' };
    let size = ns.unsigned_abs();
    let fraction = format!("{:09}", size % 1_000_000_000);
    let kept = fraction.trim_end_matches('0').len().max(3).next_multiple_of(3);
    format!("{sign}{}.{} s", size / 1_000_000_000, fraction.get(..kept).unwrap_or(&fraction))
}

/// A time since the epoch as UTC, to the nanosecond: `2026-11-30 08:11:56.123456789 UTC`.
pub fn utc(time_ns: i64) -> String {
    let seconds = time_ns.div_euclid(1_000_000_000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let ns = time_ns.rem_euclid(1_000_000_000);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{ns:09} UTC")
}

/// Year, month and day of the Gregorian calendar, `days` after 1970-01-01. Years begin in March here, so that leap days end them.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, day)
}

/// Things that are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noun {
    /// A row of a table.
    Row,
    /// A trace event.
    Event,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A rank.
    Rank,
    /// A block of memory.
    Block,
    /// A group of blocks.
    Group,
    /// A problem.
    Problem,
    /// A call stack.
    Stack,
    /// A step.
    Step,
}

/// A counted thing: `1 row`, `1,234 rows`; `1,234 行`.
pub fn count_of(lang: Lang, number: u64, noun: Noun) -> String {
    let (one, many, zh) = match noun {
        Noun::Row => ("row", "rows", "行"),
        Noun::Event => ("event", "events", "个事件"),
        Noun::File => ("file", "files", "个文件"),
        Noun::Folder => ("folder", "folders", "个文件夹"),
        Noun::Rank => ("rank", "ranks", "个 Rank"),
        Noun::Block => ("block", "blocks", "个内存块"),
        Noun::Group => ("group", "groups", "组"),
        Noun::Problem => ("problem", "problems", "个问题"),
        Noun::Stack => ("call stack", "call stacks", "条调用栈"),
        Noun::Step => ("step", "steps", "个 Step"),
    };
    let number_text = count(number);
    match lang {
        Lang::En => format!("{number_text} {}", if number == 1 { one } else { many }),
        Lang::Zh => format!("{number_text} {zh}"),
    }
}

/// `amount / unit`, halves up.
fn rounded(amount: u128, unit: u128) -> u128 {
    (amount + unit / 2) / unit.max(1)
}

/// Digits in groups of three.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_half_up_and_carry() {
        for (number, text) in [
            (0, "0 B"),
            (1, "1 B"),
            (1023, "1023 B"),
            (1024, "1.00 KiB"),
            (1181116006, "1.10 GiB"),
            (1029, "1.00 KiB"),
            (1030, "1.01 KiB"),
            ((1 << 20) - 1, "1.00 MiB"),
            (5_077_991_424, "4.73 GiB"),
            (-1536, "-1.50 KiB"),
            (i64::MAX, "8.00 EiB"),
            (i64::MIN, "-8.00 EiB"),
        ] {
            assert_eq!(bytes(number), text, "{number}");
        }
        // 1.005 KiB exactly does not exist in bytes; 2.125 KiB does: halves go up.
        assert_eq!(bytes(2176), "2.13 KiB");
        assert_eq!(bytes_exact(5_077_991_424), "5,077,991,424 B");
        assert_eq!(bytes_exact(-1000), "-1,000 B");
        assert_eq!(bytes_exact(i64::MIN), "-9,223,372,036,854,775,808 B");
        assert_eq!(bytes_change(1024), "+1.00 KiB");
        assert_eq!(bytes_change(0), "0 B");
        assert_eq!(speed(220_200_960), "210.00 MiB/s");
    }

    #[test]
    fn counts_and_shares() {
        assert_eq!([count(0), count(999), count(1000), count(1_234_567)], ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(share(234, 1000), "23.4 %");
        assert_eq!(share(1, 3), "33.3 %");
        assert_eq!(share(2, 3), "66.7 %");
        assert_eq!(share(5, 10_000), "0.1 %");
        assert_eq!(share(4, 10_000), "< 0.1 %");
        assert_eq!(share(0, 10), "0.0 %");
        assert_eq!(share(10, 10), "100.0 %");
        assert_eq!(share(1, 0), "–");
        assert_eq!(share(i64::MAX, i64::MAX), "100.0 %");
        assert_eq!(count_of(Lang::En, 1, Noun::Row), "1 row");
        assert_eq!(count_of(Lang::En, 0, Noun::Row), "0 rows");
        assert_eq!(count_of(Lang::Zh, 1234, Noun::Block), "1,234 个内存块");
    }

    #[test]
    fn durations() {
        for (ns, text) in [
            (0, "0 ns"),
            (999, "999 ns"),
            (1000, "1.000 µs"),
            (999_999, "999.999 µs"),
            (12_345_000, "12.345 ms"),
            (12_345_499, "12.345 ms"),
            (12_345_500, "12.346 ms"),
            (999_999_500, "1.000 s"),
            (59_999_400_000, "59.999 s"),
            (59_999_500_000, "1 min 00 s"),
            (125_000_000_000, "2 min 05 s"),
            (11_220_000_000_000, "3 h 07 min"),
            (-1_500_000_000, "-1.500 s"),
        ] {
            assert_eq!(duration(Lang::En, ns), text, "{ns}");
        }
        assert_eq!(duration(Lang::Zh, 125_000_000_000), "2 分 05 秒");
        assert_eq!(duration(Lang::Zh, 12_345_000), "12.345 ms");
        assert_eq!(seconds(Lang::En, 12), "12 s");
        assert_eq!(seconds(Lang::Zh, 12), "12 秒");
        assert!(!duration(Lang::En, i64::MIN).is_empty());
    }

    #[test]
    fn times() {
        let start = 1_780_000_000_000_000_000;
        assert_eq!(relative(start, start), "+0.000 s");
        assert_eq!(relative(start + 12_345_678_901, start), "+12.345678901 s");
        assert_eq!(relative(start + 12_345_600_000, start), "+12.345600 s");
        assert_eq!(relative(start - 1, start), "-0.000000001 s");
        assert_eq!(relative(i64::MAX, i64::MIN), "+18446744073.709551615 s");
        assert_eq!(utc(0), "1970-01-01 00:00:00.000000000 UTC");
        assert_eq!(utc(951_827_696_000_000_001), "2000-02-29 12:34:56.000000001 UTC");
        assert_eq!(utc(1_780_000_000_123_456_789), "2026-05-28 20:26:40.123456789 UTC");
        assert_eq!(utc(-1), "1969-12-31 23:59:59.999999999 UTC");
    }
}
