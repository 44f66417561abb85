//! The range of time that is shown: zooming and moving it, always inside the window.

/// Shortest range that can be shown, ns.
const SHORTEST: i64 = 100;

/// What a key or the wheel does to the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Move {
    /// Makes the range `factor` times as long around a time (ns; `None`: the middle).
    Zoom(f64, Option<i64>),
    /// Moves it by a share of its length, to the right if positive.
    Pan(f64),
    /// Shows this range (ns), in whatever order its ends are given.
    To(i64, i64),
    /// Puts this time (ns) in the middle, close up.
    Centre(i64),
    /// Shows the whole window.
    Reset,
}

/// Applies a move to a range within a window; `None` is the whole window.
pub fn moved(window: [i64; 2], range: Option<(i64, i64)>, by: Move) -> Option<(i64, i64)> {
    let (first, last) = whole(window);
    let (start, end) = range.unwrap_or((first, last));
    let length = end.saturating_sub(start).max(1);
    let (new_start, new_length) = match by {
        Move::Reset => return None,
        Move::Zoom(factor, around) => {
            let around = around.unwrap_or(start + length / 2).clamp(start, end);
            let new_length = scaled(length, factor).max(SHORTEST);
            let share = around.saturating_sub(start) as f64 / length as f64;
            (around.saturating_sub(scaled(new_length, share)), new_length)
        }
        Move::Pan(share) => (start.saturating_add(scaled(length, share)), length),
        Move::To(a, b) => {
            let length = a.abs_diff(b).min(i64::MAX as u64) as i64;
            let spare = (SHORTEST - length).max(0);
            (a.min(b).saturating_sub(spare / 2), length + spare)
        }
        Move::Centre(at) => {
            let new_length = length.min(last.saturating_sub(first) / 10).max(SHORTEST);
            (at.saturating_sub(new_length / 2), new_length)
        }
    };
    let new_length = new_length.min(last.saturating_sub(first));
    let start = new_start.clamp(first, last.saturating_sub(new_length));
    let range = (start, start.saturating_add(new_length));
    if range == (first, last) { None } else { Some(range) }
}

/// The window, never empty: a single event gets a little room.
pub fn whole(window: [i64; 2]) -> (i64, i64) {
    let [first, last] = window;
    if last.saturating_sub(first) >= SHORTEST { (first, last) } else { (first, first.saturating_add(SHORTEST)) }
}

fn scaled(length: i64, factor: f64) -> i64 {
    (length as f64 * factor).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: [i64; 2] = [1_000_000, 2_000_000];

    #[test]
    fn zooms_around_a_time_that_stays_in_place() {
        let range = moved(WINDOW, None, Move::Zoom(0.5, Some(1_250_000)));
        assert_eq!(range, Some((1_125_000, 1_625_000)));
        assert_eq!(moved(WINDOW, range, Move::Zoom(2.0, Some(1_250_000))), None);
        assert_eq!(moved(WINDOW, None, Move::Zoom(0.0, None)), Some((1_499_950, 1_500_050)));
        assert_eq!(moved(WINDOW, range, Move::Zoom(1e300, None)), None);
    }

    #[test]
    fn never_leaves_the_window() {
        let range = Some((1_100_000, 1_200_000));
        assert_eq!(moved(WINDOW, range, Move::Pan(-5.0)), Some((1_000_000, 1_100_000)));
        assert_eq!(moved(WINDOW, range, Move::Pan(50.0)), Some((1_900_000, 2_000_000)));
        assert_eq!(moved(WINDOW, None, Move::Pan(0.5)), None);
        assert_eq!(moved(WINDOW, None, Move::To(i64::MIN, i64::MAX)), None);
        assert_eq!(moved(WINDOW, None, Move::Centre(1_000_000)), Some((1_000_000, 1_100_000)));
    }

    #[test]
    fn takes_ranges_in_any_order_and_length() {
        assert_eq!(moved(WINDOW, None, Move::To(1_600_000, 1_400_000)), Some((1_400_000, 1_600_000)));
        assert_eq!(moved(WINDOW, None, Move::To(1_500_000, 1_500_000)), Some((1_499_950, 1_500_050)));
        assert_eq!(moved(WINDOW, Some((1, 2)), Move::Reset), None);
        assert_eq!(whole([5, 5]), (5, 105));
    }
}
