//! The arms of a plan with AI delivery (each creative for each part of the audience) and
//! the choice among them. A choice depends only on what was known, on which arms could be
//! chosen, and on the seed, so it can be recomputed from the event log.

use std::num::NonZeroU32;

use base::PlanId;
use rand_pcg::Pcg64;

use crate::thompson::{Counts, DRAWS, MAX_ARMS, Prior, shares};
use crate::{Audience, EventKind, Segment};

/// One creative for one part of the audience.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The content type's code.
    pub creative: i16,
    pub segment: Segment,
    pub counts: Counts,
}

/// Every creative for every part; at most [`MAX_ARMS`].
pub fn arms(creatives: &[i16], segments: &[Segment]) -> Vec<(i16, Segment)> {
    let pairs = segments.iter().flat_map(|segment| creatives.iter().map(|creative| (*creative, segment.clone())));
    pairs.take(MAX_ARMS).collect()
}

/// The largest number of parts for this number of creatives.
pub fn most_segments(creatives: usize) -> usize {
    MAX_ARMS.checked_div(creatives).unwrap_or(1).max(1)
}

/// A set of arms, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArmSet(pub u8);

impl ArmSet {
    pub fn of(arms: impl IntoIterator<Item = usize>) -> Self {
        Self(arms.into_iter().filter_map(bit).fold(0, |all, bit| all | bit))
    }

    pub fn has(self, arm: u8) -> bool {
        bit(arm.into()).is_some_and(|bit| self.0 & bit != 0)
    }

    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn numbers(self) -> impl Iterator<Item = u8> {
        (0..8).filter(move |arm| self.has(*arm))
    }
}

fn bit(arm: usize) -> Option<u8> {
    u32::try_from(arm).ok().and_then(|arm| 1_u8.checked_shl(arm))
}

/// The random part of a nonce: the seed of a choice.
pub type Seed = [u8; 10];

/// A choice, with everything but the seed that is needed to recompute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub arm: u8,
    /// Chosen uniformly, as the control group.
    pub holdout: bool,
    pub among: ArmSet,
    /// The probability of this choice, per million.
    pub propensity: u32,
    /// The plan's last event that was known.
    pub learned: i64,
}

/// Added to the number of a held-out arm.
const HELD_OUT: i16 = 8;

impl Choice {
    /// The number stored with events: 0 to 7, or 8 to 15 for the same arms in the
    /// holdout.
    pub fn code(&self) -> i16 {
        i16::from(self.arm) + if self.holdout { HELD_OUT } else { 0 }
    }

    /// An arm, and whether it was held out.
    pub const fn read(code: i16) -> (i16, bool) {
        (code % HELD_OUT, code >= HELD_OUT)
    }
}

/// One choice in this many is uniform among all possible arms.
pub const HOLDOUT_ONE_IN: u32 = 10;
const MILLION: u64 = 1_000_000;

/// What is known about a plan's arms, and the choices based on it.
#[derive(Clone, Debug)]
pub struct Learner {
    plan: PlanId,
    arms: Vec<Arm>,
    prior: Prior,
    learned: i64,
    /// Shares of draws, by the set of arms that take part.
    drawn: Vec<(ArmSet, Vec<u32>)>,
}

impl Learner {
    pub const fn new(plan: PlanId, arms: Vec<Arm>, prior: Prior, learned: i64) -> Self {
        Self { plan, arms, prior, learned, drawn: Vec::new() }
    }

    /// A learner of the same arms that has seen no events.
    #[must_use]
    pub fn forgetting(mut self) -> Self {
        self.arms.iter_mut().for_each(|arm| arm.counts = Counts::default());
        self.as_of(0)
    }

    /// A copy that takes this as the last event it has learned from.
    #[must_use]
    pub fn as_of(&self, learned: i64) -> Self {
        Self::new(self.plan, self.arms.clone(), self.prior, learned)
    }

    /// Counts a valid event of an arm.
    pub fn count(&mut self, arm: i16, kind: EventKind) {
        let Some(arm) = usize::try_from(arm).ok().and_then(|arm| self.arms.get_mut(arm)) else { return };
        match kind {
            EventKind::Impression => arm.counts.impressions += 1,
            EventKind::Click => arm.counts.clicks += 1,
            // Nothing is learned from them.
            EventKind::Viewable | EventKind::Notice | EventKind::Confirmation | EventKind::Claim => {}
        }
    }

    /// The last known event.
    pub const fn learned(&self) -> i64 {
        self.learned
    }

    pub fn arm(&self, number: u8) -> Option<&Arm> {
        self.arms.get(usize::from(number))
    }

    /// The arms that a slot can show: of its part of the audience, and of a content type
    /// that it has.
    pub fn fitting(&self, audience: &Audience, shows: impl Fn(i16) -> bool) -> ArmSet {
        let Some(part) = self.arms.iter().find(|arm| arm.segment.holds(audience)).map(|arm| &arm.segment) else {
            return ArmSet::default();
        };
        let fits = |arm: &Arm| arm.segment == *part && shows(arm.creative);
        ArmSet::of(self.arms.iter().enumerate().filter(|(_, arm)| fits(arm)).map(|(number, _)| number))
    }

    /// Chooses among arms; `None` if there are none.
    pub fn choose(&mut self, among: ArmSet, seed: Seed) -> Option<Choice> {
        let among = ArmSet(among.0 & ArmSet::of(0..self.arms.len()).0);
        let numbers: Vec<u8> = among.numbers().collect();
        let count = NonZeroU32::new(u32::try_from(numbers.len()).ok()?)?;
        let [coin, place] = [u16::from_be_bytes(*seed.first_chunk()?).into(), u64::from_be_bytes(*seed.last_chunk()?)];
        let coin = scaled(coin, u16::BITS, HOLDOUT_ONE_IN);
        let wins = self.shares(among, &numbers);
        let holdout = coin == 0;
        let (arm, wins) = if holdout {
            let nth = usize::try_from(scaled(place, u64::BITS, count.get())).ok()?;
            (*numbers.get(nth)?, *wins.get(nth)?)
        } else {
            let mut below = scaled(place, u64::BITS, DRAWS);
            let mut pairs = numbers.iter().zip(wins);
            let (arm, wins) = pairs.find(|(_, wins)| {
                let hit = below < **wins;
                below = below.saturating_sub(**wins);
                hit
            })?;
            (*arm, *wins)
        };
        Some(Choice { arm, holdout, among, propensity: propensity(wins, count), learned: self.learned })
    }

    fn shares(&mut self, among: ArmSet, numbers: &[u8]) -> &[u32] {
        let known = self.drawn.iter().position(|(set, _)| *set == among);
        let place = known.unwrap_or_else(|| {
            let counts: Vec<Counts> = numbers.iter().filter_map(|arm| Some(self.arm(*arm)?.counts)).collect();
            self.drawn.push((among, shares(&counts, self.prior, &mut self.rng(among))));
            self.drawn.len() - 1
        });
        self.drawn.get(place).map_or(&[], |(_, shares)| shares)
    }

    /// A separate seed for each plan, state of knowledge and set.
    fn rng(&self, among: ArmSet) -> Pcg64 {
        let word = |number: i64| u128::from(number.cast_unsigned());
        Pcg64::new((word(self.plan.0) << 64) + word(self.learned), among.0.into())
    }
}

/// The total probability of an arm, chosen or held out, per million.
fn propensity(wins: u32, count: NonZeroU32) -> u32 {
    let (draws, one_in) = (u64::from(DRAWS), u64::from(HOLDOUT_ONE_IN));
    let learned = MILLION * (one_in - 1) * u64::from(wins) / (one_in * draws);
    let even = MILLION / (one_in * u64::from(count.get()));
    u32::try_from(learned + even).unwrap_or(u32::MAX)
}

/// Maps a random number of this many bits to one below `end`, almost uniformly.
fn scaled(drawn: u64, bits: u32, end: u32) -> u32 {
    u32::try_from((u128::from(drawn) * u128::from(end)) >> bits).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn learner(clicks: [i64; 4]) -> Learner {
        let segments = [Segment::Device("mobile".into()), Segment::Rest];
        let arms = arms(&[1, 2], &segments).into_iter().zip(clicks);
        let arms = arms.map(|((creative, segment), clicks)| Arm {
            creative,
            segment,
            counts: Counts { impressions: 1_000, clicks },
        });
        Learner::new(PlanId(7), arms.collect(), Prior::of_rate(10_000), 42)
    }

    fn seed(number: u64) -> Seed {
        // Spread like random bytes.
        let spread = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mut seed = [0; 10];
        seed[..2].copy_from_slice(&spread(number).to_be_bytes()[..2]);
        seed[2..].copy_from_slice(&spread(number ^ 0x5DEE_CE66).to_be_bytes());
        seed
    }

    const ALL: ArmSet = ArmSet(0b1111);

    #[test]
    fn a_slot_can_show_its_own_part_in_the_forms_it_has() {
        let learner = learner([0; 4]);
        let mobile = Audience { devices: vec!["Mobile".into()], ..Audience::default() };
        assert_eq!(learner.fitting(&mobile, |_| true), ArmSet(0b0011));
        assert_eq!(learner.fitting(&Audience::default(), |creative| creative == 2), ArmSet(0b1000));
        assert!(learner.fitting(&mobile, |_| false).is_empty());
    }

    #[test]
    fn one_choice_in_ten_is_even_and_the_rest_goes_to_what_is_clicked() {
        let mut learner = learner([5, 5, 60, 5]);
        let mut chosen = [0; 16];
        for n in 0..20_000 {
            let choice = learner.choose(ALL, seed(n)).expect("a choice");
            assert_eq!(Choice::read(choice.code()), (i16::from(choice.arm), choice.holdout));
            chosen[usize::try_from(choice.code()).expect("small")] += 1;
        }
        let held: i32 = chosen[8..].iter().sum();
        assert!((1_800..2_200).contains(&held), "{chosen:?}");
        assert!(chosen[8..12].iter().all(|n| (400..600).contains(n)), "{chosen:?}");
        assert_eq!(chosen[2], 20_000 - held, "{chosen:?}");
    }

    #[test]
    fn the_same_log_gives_the_same_choices() {
        let (mut first, mut again) = (learner([3, 9, 5, 7]), learner([3, 9, 5, 7]));
        // In another order, as another server might ask.
        for set in [0b0011, 0b1111, 0b1100] {
            again.choose(ArmSet(set), seed(0)).expect("a choice");
        }
        for n in 0..500 {
            for set in [ALL, ArmSet(0b1100), ArmSet(0b0001)] {
                assert_eq!(first.choose(set, seed(n)), again.choose(set, seed(n)));
            }
        }
    }

    #[test]
    fn propensities_are_the_frequencies_and_sum_to_one() {
        let mut learner = learner([8, 10, 9, 11]);
        let mut seen = [(0_u32, 0_u32); 4];
        for n in 0..40_000 {
            let choice = learner.choose(ALL, seed(n)).expect("a choice");
            let seen = &mut seen[usize::from(choice.arm)];
            *seen = (choice.propensity, seen.1 + 1);
        }
        let sum: u32 = seen.iter().map(|(propensity, _)| propensity).sum();
        assert!((999_990..=1_000_000).contains(&sum), "{seen:?}");
        for (propensity, count) in seen {
            assert!((propensity / 25).abs_diff(count) < 700, "{seen:?}");
        }
    }

    #[test]
    fn what_cannot_be_chosen_never_is() {
        let mut learner = learner([5, 60, 5, 5]);
        assert_eq!(learner.choose(ArmSet(0), seed(1)), None);
        assert_eq!(learner.choose(ArmSet(0b1111_0000), seed(1)), None);
        for n in 0..200 {
            assert!(learner.choose(ArmSet(0b0101), seed(n)).expect("a choice").arm.is_multiple_of(2));
        }
    }

    #[test]
    fn eight_arms_at_most() {
        assert_eq!((most_segments(1), most_segments(2), most_segments(3), most_segments(0)), (8, 4, 2, 1));
        assert_eq!(arms(&[1, 2, 3], &vec![Segment::Rest; 5]).len(), 8);
    }

    #[test]
    fn a_set_holds_each_arm_once() {
        let set = ArmSet::of([1, 3, 1, 300]);
        assert_eq!(set, ArmSet(0b1010));
        assert!(!set.is_empty() && ArmSet::default().is_empty());
        assert_eq!([0, 1, 2, 3, 8].map(|arm| set.has(arm)), [false, true, false, true, false]);
        assert_eq!(set.or(ArmSet(0b0110)), ArmSet(0b1110));
    }

    #[test]
    fn every_plan_and_every_state_of_knowledge_draws_for_itself() {
        let shares = |plan: i64, learned: i64| {
            let known = learner([8, 10, 9, 11]);
            let mut learner = Learner::new(PlanId(plan), known.arms, known.prior, learned);
            let choices = (0..200).filter_map(|n| learner.choose(ALL, seed(n)));
            choices.map(|choice| (choice.arm, choice.propensity)).collect::<BTreeMap<_, _>>()
        };
        assert_eq!(shares(7, 42), shares(7, 42));
        for other in [shares(8, 42), shares(7, 43), shares(0, 0)] {
            assert_ne!(other, shares(7, 42));
        }
    }

    /// The event log contains choices made by these; later versions must be able to
    /// recompute them.
    #[test]
    fn choices_stay_what_they_were() {
        let mut learner = learner([8, 10, 9, 11]);
        let choices = (0..8).filter_map(|n| learner.choose(ALL, seed(n)));
        let told: Vec<_> = choices.map(|choice| (choice.code(), choice.propensity)).collect();
        let [second, third, last] = [(2, 130_468), (3, 559_375), (11, 559_375)];
        assert_eq!(told, [last, (1, 274_609), third, third, third, second, third, third]);
    }

    #[test]
    fn what_is_counted_is_known_of_its_arm_until_it_is_forgotten() {
        let mut learner = learner([5, 6, 7, 8]);
        let counts = |learner: &Learner| [0, 1, 2, 3].map(|arm| learner.arm(arm).map(|arm| arm.counts));
        let of = |clicks, impressions| Some(Counts { impressions, clicks });
        learner.count(1, EventKind::Impression);
        learner.count(2, EventKind::Click);
        for none in [-1, 4] {
            learner.count(none, EventKind::Click);
        }
        let known = [of(5, 1_000), of(6, 1_001), of(8, 1_000), of(8, 1_000)];
        assert_eq!((counts(&learner), learner.learned()), (known, 42));
        let later = learner.as_of(43);
        assert_eq!((counts(&later), later.learned()), (known, 43));
        let nothing = learner.forgetting();
        assert_eq!((counts(&nothing), nothing.learned()), ([of(0, 0); 4], 0));
        assert_eq!(nothing.arm(4), None);
    }
}
