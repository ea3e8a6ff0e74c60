//! How often to choose each of several arms, by Thompson sampling over Beta-Bernoulli
//! posteriors: an arm's share is how often it is the best of random draws. The shares
//! stay the same until more is known, so choosing by them equals drawing each time, and
//! the probability of every choice is exact.

use rand_distr::{Beta, Distribution};
use rand_pcg::rand_core::Rng;

/// How often an arm was shown and clicked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub impressions: i64,
    pub clicks: i64,
}

/// The expected click rate of an arm that was never shown, from the product's history:
/// clicks per million impressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prior(i64);

/// One click per hundred impressions, if there is no history.
const UNKNOWN: i64 = 10_000;
const BOUNDS: (i64, i64) = (100, 500_000);
const MILLION: i64 = 1_000_000;
/// How many impressions the usual rate counts for when combined with history.
const HISTORY_WEIGHT: i64 = 1_000;

impl Prior {
    pub fn of_history(history: Counts) -> Self {
        let weight = i128::from(HISTORY_WEIGHT);
        let clicks = i128::from(history.clicks) * i128::from(MILLION) + weight * i128::from(UNKNOWN);
        let rate = clicks / (i128::from(history.impressions) + weight).max(1);
        Self::of_rate(i64::try_from(rate).unwrap_or(MILLION))
    }

    pub fn of_rate(per_million: i64) -> Self {
        Self(per_million.clamp(BOUNDS.0, BOUNDS.1))
    }

    pub const fn per_million(self) -> i64 {
        self.0
    }
}

/// The most arms of one plan.
pub const MAX_ARMS: usize = 8;
/// The number of draws.
pub const DRAWS: u32 = 256;
/// The factor on the posterior's standard deviation. Half the width finds the best of few
/// arms sooner.
const WIDTH: f64 = 0.5;

/// How many of [`DRAWS`] each arm wins; empty if there are no arms.
pub fn shares<R: Rng>(arms: &[Counts], prior: Prior, rng: &mut R) -> Vec<u32> {
    let mut wins = vec![0; arms.len()];
    let posteriors: Vec<_> = arms.iter().map(|arm| posterior(*arm, prior)).collect();
    for _ in 0..DRAWS {
        let draws = posteriors.iter().map(|beta| beta.map_or(0.0, |beta| beta.sample(rng)));
        let best = draws.enumerate().reduce(|best, next| if next.1 > best.1 { next } else { best });
        if let Some(wins) = best.and_then(|(arm, _)| wins.get_mut(arm)) {
            *wins += 1;
        }
    }
    wins
}

#[allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "chances, never money")]
fn posterior(arm: Counts, prior: Prior) -> Option<Beta<f64>> {
    // The prior weighs as much as the impressions needed for one click.
    let before = MILLION as f64 / prior.0 as f64 - 1.0;
    let misses = arm.impressions.saturating_sub(arm.clicks).max(0) as f64;
    let narrower = 1.0 / (WIDTH * WIDTH);
    Beta::new((1.0 + arm.clicks.max(0) as f64) * narrower, (before + misses) * narrower).ok()
}

#[cfg(test)]
mod tests {
    use rand_pcg::Pcg64Mcg;

    use super::*;

    fn rng() -> Pcg64Mcg {
        Pcg64Mcg::new(7)
    }

    #[test]
    fn equal_arms_share_evenly_and_one_takes_all() {
        let shares_of = |arms: &[Counts]| shares(arms, Prior::of_rate(10_000), &mut rng());
        assert_eq!(shares_of(&[]), Vec::<u32>::new());
        assert_eq!(shares_of(&[Counts::default()]), [DRAWS]);
        let even = shares_of(&[Counts { impressions: 1_000, clicks: 10 }; 4]);
        assert_eq!(even.iter().sum::<u32>(), DRAWS);
        assert!(even.iter().all(|wins| (30..=100).contains(wins)), "{even:?}");
    }

    #[test]
    fn the_better_arm_gets_more_the_more_is_known() {
        let after = |times: i64| {
            let arm = |clicks| Counts { impressions: 100 * times, clicks: clicks * times };
            shares(&[arm(1), arm(3)], Prior::of_rate(10_000), &mut rng())[1]
        };
        assert!(after(1) > DRAWS / 2, "{}", after(1));
        assert!(after(10) > after(1) && after(100) == DRAWS, "{} {}", after(10), after(100));
    }

    #[test]
    fn the_same_seed_gives_the_same_shares() {
        let arms = [Counts { impressions: 500, clicks: 4 }, Counts { impressions: 400, clicks: 6 }];
        let once = || shares(&arms, Prior::of_rate(8_000), &mut rng());
        assert_eq!(once(), once());
    }

    /// Mean, standard deviation and skewness of the draws for an arm.
    #[allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "chances, never money")]
    fn moments(arm: Counts, prior: i64) -> (f64, f64, f64) {
        const NUMBER: usize = 100_000;
        let beta = posterior(arm, Prior::of_rate(prior)).expect("a distribution");
        let mut rng = rng();
        let draws: Vec<f64> = (0..NUMBER).map(|_| beta.sample(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / NUMBER as f64;
        let central = |power| draws.iter().map(|draw| (draw - mean).powi(power)).sum::<f64>() / NUMBER as f64;
        let deviation = central(2).sqrt();
        (mean, deviation, central(3) / deviation.powi(3))
    }

    /// Beta with a prior of one click, and a quarter of its variance. The expected
    /// figures are those of Beta(4, 396), Beta(124, 4276), Beta(8, 4) and Beta(4, 400).
    #[test]
    #[allow(clippy::float_arithmetic, reason = "chances, never money")]
    fn the_posterior_has_this_shape() {
        let arm = |impressions, clicks| Counts { impressions, clicks };
        for (arm, prior, mean, deviation, skewness) in [
            (arm(0, 0), 10_000, 0.010_00, 0.004_969, 0.981),
            (arm(1_000, 30), 10_000, 0.028_18, 0.002_495, 0.172),
            (arm(1, 1), 500_000, 0.666_67, 0.130_75, -0.364),
            (arm(1, 0), 10_000, 0.009_90, 0.004_920, 0.981),
            // More clicks than impressions are counted as they come in; none is missed twice.
            (arm(0, 1), 500_000, 0.666_67, 0.130_75, -0.364),
        ] {
            let drawn = moments(arm, prior);
            assert!((drawn.0 - mean).abs() < mean * 0.01, "{arm:?}: {drawn:?}");
            assert!((drawn.1 - deviation).abs() < deviation * 0.02, "{arm:?}: {drawn:?}");
            assert!((drawn.2 - skewness).abs() < 0.05, "{arm:?}: {drawn:?}");
        }
    }

    #[test]
    fn history_counts_for_more_the_longer_it_is() {
        let rate = |impressions, clicks| Prior::of_history(Counts { impressions, clicks }).per_million();
        assert_eq!(rate(0, 0), 10_000);
        assert_eq!(rate(1_000, 30), 20_000);
        assert_eq!(rate(99_000, 2_970), 29_800);
        assert_eq!(rate(1_000_000_000, 0), 100, "never none at all");
    }
}
