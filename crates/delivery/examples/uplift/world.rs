//! Simulated arms with known click rates, and views that teach about them in batches,
//! like plans between two bills.

use base::PlanId;
use delivery::{Arm, ArmSet, Choice, Counts, EventKind, Learner, Prior, Seed, Segment, uplift};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Click rates of eight arms, as different as those of real creatives.
pub const RATES: [f64; 8] = [0.004, 0.006, 0.007, 0.009, 0.010, 0.012, 0.015, 0.024];
/// Views between two bills.
const BATCH: i64 = 200;

pub struct Outcome {
    /// The true average click rate of what was shown.
    pub rate: f64,
    pub chosen: Counts,
    pub holdout: Counts,
}

impl Outcome {
    /// Whether the interval shown to users contains the true difference between the
    /// average choice and the uniform choice.
    pub fn says_truly(&self, chosen_rate: f64, even_rate: f64) -> Option<bool> {
        let truth = chosen_rate - even_rate;
        uplift(self.chosen, self.holdout).map(|said| said.low <= truth && truth <= said.high)
    }
}

/// Shows this many views of arms with these rates.
pub fn learn(rates: &[f64], views: i64, seed: u64) -> Outcome {
    let mut rng = Pcg64::new(seed.into(), 1);
    let arms = rates.iter().map(|_| Arm { creative: 1, segment: Segment::Rest, counts: Counts::default() });
    let mut known = Learner::new(PlanId(seed.cast_signed()), arms.collect(), Prior::of_rate(10_000), 0);
    let mut learner = known.clone();
    let mut outcome = Outcome { rate: 0.0, chosen: Counts::default(), holdout: Counts::default() };
    for view in 0..views {
        if view % BATCH == 0 {
            learner = known.as_of(view);
        }
        let choice = learner.choose(ArmSet::of(0..rates.len()), nonce(&mut rng)).expect("a choice");
        let rate = rates[usize::from(choice.arm)];
        outcome.rate += rate / views as f64;
        let clicked = chance(&mut rng) < rate;
        outcome.count(&choice, clicked);
        known.count(choice.arm.into(), EventKind::Impression);
        if clicked {
            known.count(choice.arm.into(), EventKind::Click);
        }
    }
    outcome
}

impl Outcome {
    fn count(&mut self, choice: &Choice, clicked: bool) {
        let part = if choice.holdout { &mut self.holdout } else { &mut self.chosen };
        part.impressions += 1;
        part.clicks += i64::from(clicked);
    }
}

pub fn even(rates: &[f64]) -> f64 {
    rates.iter().sum::<f64>() / rates.len() as f64
}

fn nonce(rng: &mut Pcg64) -> Seed {
    let mut seed = Seed::default();
    rng.fill_bytes(&mut seed);
    seed
}

fn chance(rng: &mut Pcg64) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}
