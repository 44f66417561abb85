//! Whether a table still has a time axis: a spreadsheet that saves `1.69512E+15` leaves six digits of sixteen.

/// Spreadsheets keep six digits of epoch microseconds: what is left are multiples of this, ns (with room for a digit or two more).
const GRID_NS: i64 = 10_000_000_000;
/// Times before this are no epoch times, ns: a recording whose times begin at 0 has round ones.
const EPOCH_NS: i64 = 100_000_000_000_000_000;

/// Whether a table's times were rounded until most of them mean nothing.
pub fn is_lost(times: impl Iterator<Item = i64>) -> bool {
    let (mut all, mut round) = (0u64, 0u64);
    for time in times.filter(|time| *time > EPOCH_NS) {
        all += 1;
        round += u64::from(time % GRID_NS == 0);
    }
    all > 0 && round * 2 >= all
}

/// Thousandths of a microsecond that doubles of epoch microseconds show: steps of 0.25 us, written with one or two decimals.
const OF_DOUBLES: [i64; 8] = [0, 200, 250, 300, 500, 700, 750, 800];

/// Whether a time is none that only the thousandths of a microsecond tell, as profilers write them; one of 125 is so by chance.
pub fn is_coarse(time: i64) -> bool {
    OF_DOUBLES.contains(&time.rem_euclid(1000))
}

/// Whether most times are to the nanosecond: then no two events of a pool have one time and one total.
pub fn are_fine(times: &[i64]) -> bool {
    times.iter().filter(|time| !is_coarse(**time)).count() * 2 > times.len()
}

/// What lies further from the middle of a table's times is not of one recording, ns.
const DAY_NS: i64 = 86_400_000_000_000;
/// Times the middle is told from: evenly spaced over the table.
const SAMPLE: usize = 1 << 16;

/// Tells times that lie more than a day from the median of a table's times (of an even sample of them, where there are many);
/// `None` if there are too few to tell. One odd time - a 0, a year too much - would stretch the axis until nothing can be seen on it.
pub fn far_off(times: &[i64]) -> Option<impl Fn(i64) -> bool + Copy + use<>> {
    let mut sample: Vec<i64> = times.iter().step_by(times.len() / SAMPLE + 1).copied().collect();
    // Fewer than three have no middle that tells which of them is odd.
    let half = sample.len() / 2;
    if sample.len() < 3 {
        return None;
    }
    let median = *sample.select_nth_unstable(half).1;
    Some(move |time: i64| time.saturating_sub(median).saturating_abs() > DAY_NS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_rounded_times_from_whole_ones() {
        assert!(is_lost([1_695_120_000_000_000_000; 5].into_iter()));
        assert!(is_lost([1_695_120_000_000_000_000, 1_695_130_000_000_000_000, 1_695_115_378_714_622_800].into_iter()));
        assert!(!is_lost(
            [1_695_115_378_714_622_800, 1_695_120_000_000_000_000, 1_695_115_378_714_622_900].into_iter()
        ));
        assert!(!is_lost([0, 10_000_000_000, 20_000_000_000].into_iter()));
        assert!(!is_lost(std::iter::empty()));
    }
}
