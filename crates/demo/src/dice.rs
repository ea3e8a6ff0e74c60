//! Pseudo-random numbers from a seed, so that what is made up is the same every time.

/// `SplitMix64`.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// For one of many things that are drawn independently of each other.
    pub fn of(seed: u64, number: u64) -> Self {
        let [mut seed, mut number] = [Self(seed), Self(!number)];
        Self(seed.below(u64::MAX) ^ number.below(u64::MAX))
    }

    /// From zero up to `end`, excluded.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut drawn = self.0;
        drawn = (drawn ^ (drawn >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (drawn ^ (drawn >> 31)) % end.max(1)
    }

    /// True this many times in a thousand.
    pub fn chance(&mut self, per_mille: u64) -> bool {
        self.below(1_000) < per_mille
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let count = u64::try_from(from.len()).unwrap_or(0);
        usize::try_from(self.below(count)).ok().and_then(|index| from.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same() {
        let drawn = |seed| {
            let mut dice = Dice::new(seed);
            (0..100).map(|_| dice.below(1_000)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        let of = |seed, number| {
            let mut dice = Dice::of(seed, number);
            (0..100).map(|_| dice.below(1_000)).collect::<Vec<_>>()
        };
        assert_eq!(of(1, 7), of(1, 7));
        assert!(of(1, 7) != of(1, 8) && of(1, 7) != of(2, 7) && of(1, 2) != of(2, 1));
    }

    #[test]
    fn all_are_drawn_about_as_often() {
        let (mut dice, mut counts) = (Dice::new(1), [0; 4]);
        for _ in 0..4_000 {
            let drawn = dice.pick(&[0, 1, 2, 3]).copied().expect("one of four");
            counts[drawn] += 1;
        }
        assert!(counts.iter().all(|count| (900..1_100).contains(count)), "{counts:?}");
        assert_eq!(dice.pick::<u8>(&[]), None);
        assert!((0..100).all(|_| !dice.chance(0) && dice.chance(1_000)));
    }
}
