//! A small random number generator of our own: the same seed gives the same bytes on every machine and in every version.

/// SplitMix64. Good enough for jitter, tiny, and fixed for ever.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// A generator for one purpose: `salts` keep the streams of ranks, roles and purposes apart.
    pub(crate) fn new(seed: u64, salts: &[u64]) -> Self {
        let mut rng = Self(seed ^ 0x6d65_6d6c_656e_7331);
        for &salt in salts {
            rng.0 = rng.next() ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        rng
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `low..high`; `low` where the range is empty.
    pub(crate) fn range(&mut self, low: i64, high: i64) -> i64 {
        let span = high.saturating_sub(low).max(1).unsigned_abs();
        let part = (u128::from(self.next()) * u128::from(span)) >> 64;
        low.saturating_add(i64::try_from(part).unwrap_or(0))
    }

    /// True with the given chance. Takes one number whatever the chance, so that rates do not shift what follows.
    pub(crate) fn chance(&mut self, rate: f64) -> bool {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        unit < rate
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn stays_in_range_and_reaches_both_ends() {
        let mut rng = Rng::new(1, &[2, 3]);
        let drawn: Vec<i64> = (0..1000).map(|_| rng.range(-2, 3)).collect();
        assert_eq!(drawn.iter().min(), Some(&-2));
        assert_eq!(drawn.iter().max(), Some(&2));
    }

    #[test]
    fn salts_separate_streams() {
        assert_ne!(Rng::new(1, &[0, 1]).next(), Rng::new(1, &[1, 0]).next());
        assert_eq!(Rng::new(1, &[0, 1]).next(), Rng::new(1, &[0, 1]).next());
    }

    #[test]
    fn chance_follows_the_rate() {
        let mut rng = Rng::new(7, &[]);
        let hits = (0..10_000).filter(|_| rng.chance(0.25)).count();
        assert!((2300..2700).contains(&hits), "{hits}");
        assert!(!rng.chance(0.0));
        assert!(rng.chance(1.0));
    }
}
