//! A plan's next choice, made before a slot asks for it. While the plan is ahead of its
//! pace, it waits for a slot that can show what was chosen. Behind it, the plan takes any
//! slot, and chooses again among what that slot can show. Who is held out depends only on
//! the seed, so waiting does not change the share.

use crate::arms::{ArmSet, Choice, Learner, Seed};

#[derive(Debug)]
pub struct Turn {
    learner: Learner,
    /// Arms that recent slots could show.
    recent: ArmSet,
    pending: Option<(Choice, Seed)>,
}

impl Turn {
    pub const fn new(learner: Learner) -> Self {
        Self { learner, recent: ArmSet(0), pending: None }
    }

    pub const fn learner(&self) -> &Learner {
        &self.learner
    }

    /// Takes over what was learned since. The current choice is kept.
    pub fn learn(&mut self, learner: Learner) {
        if learner.learned() != self.learner.learned() {
            self.learner = learner;
        }
    }

    /// The choice for a slot that can show these arms; `None` to wait for another slot.
    pub fn take(&mut self, fits: ArmSet, ahead: bool, seed: impl FnOnce() -> Option<Seed>) -> Option<(Choice, Seed)> {
        self.recent = self.recent.or(fits);
        let (choice, seed) = match self.pending {
            Some(pending) => pending,
            None => {
                let seed = seed()?;
                (self.learner.choose(self.recent, seed)?, seed)
            }
        };
        if fits.has(choice.arm) {
            self.pending = None;
            return Some((choice, seed));
        }
        if ahead {
            self.pending = Some((choice, seed));
            return None;
        }
        let choice = self.learner.choose(fits, seed)?;
        // There may be no more slots for the choice that it waited for.
        self.recent = fits;
        self.pending = None;
        Some((choice, seed))
    }
}

#[cfg(test)]
mod tests {
    use base::PlanId;

    use super::*;
    use crate::Segment;
    use crate::arms::{Arm, arms};
    use crate::thompson::{Counts, Prior};

    const LEFT: ArmSet = ArmSet(0b01);
    const RIGHT: ArmSet = ArmSet(0b10);
    const PLAIN: Seed = [200; 10];
    const HELD: Seed = [0; 10];

    /// Two parts; the second is clicked much more often.
    fn turn() -> Turn {
        let parts = [Segment::Interest("left".into()), Segment::Rest];
        let arms = arms(&[1], &parts).into_iter().zip([10, 90]).map(|((creative, segment), clicks)| Arm {
            creative,
            segment,
            counts: Counts { impressions: 1_000, clicks },
        });
        Turn::new(Learner::new(PlanId(1), arms.collect(), Prior::of_rate(10_000), 1))
    }

    #[test]
    fn ahead_of_its_line_it_waits_for_what_it_chose() {
        let mut turn = turn();
        assert!(turn.take(LEFT, true, || Some(PLAIN)).is_some(), "nothing else is known to come");
        turn.take(RIGHT, true, || Some(PLAIN)).expect("the better one");
        assert_eq!(turn.take(LEFT, true, || Some(PLAIN)), None);
        assert_eq!(turn.take(LEFT, true, || None), None, "the choice is kept");
        let (choice, seed) = turn.take(RIGHT, true, || None).expect("what it waited for");
        assert_eq!((choice.arm, choice.among, seed), (1, ArmSet(0b11), PLAIN));
    }

    #[test]
    fn behind_its_line_it_takes_any_slot() {
        let mut turn = turn();
        turn.take(RIGHT, true, || Some(PLAIN)).expect("served");
        assert_eq!(turn.take(LEFT, true, || Some(PLAIN)), None);
        let (choice, seed) = turn.take(LEFT, false, || None).expect("any");
        assert_eq!((choice.arm, choice.among, choice.holdout, seed), (0, LEFT, false, PLAIN));
        assert!(turn.take(LEFT, true, || Some(PLAIN)).is_some(), "the other part may have gone");
    }

    #[test]
    fn waiting_changes_nothing_about_who_is_held_out() {
        let mut turn = turn();
        turn.take(RIGHT, true, || Some(PLAIN)).expect("served");
        turn.take(LEFT, false, || Some(HELD)).filter(|(choice, _)| choice.holdout).expect("held out");
        let (choice, _) = turn.take(RIGHT, false, || Some(HELD)).expect("served");
        assert!(choice.holdout);
    }

    #[test]
    fn what_was_chosen_stays_chosen_whatever_is_learned() {
        let mut turn = turn();
        turn.take(RIGHT, true, || Some(PLAIN)).expect("served");
        assert_eq!(turn.take(LEFT, true, || Some(PLAIN)), None);
        // The other part turns out to be better.
        let better = |number: u8| {
            let clicks = if number == 0 { 900 } else { 0 };
            Arm { counts: Counts { impressions: 1_000, clicks }, ..turn.learner().arm(number).expect("an arm").clone() }
        };
        let learned = Learner::new(PlanId(1), [0, 1].map(better).into(), Prior::of_rate(10_000), 2);
        turn.learn(learned);
        assert_eq!(turn.learner().learned(), 2);
        let (choice, _) = turn.take(RIGHT, true, || None).expect("what it waited for");
        assert_eq!((choice.arm, choice.learned), (1, 1));
        assert_eq!(turn.take(RIGHT, true, || Some(PLAIN)), None);
        let (choice, _) = turn.take(LEFT, true, || None).expect("what is better now");
        assert_eq!((choice.arm, choice.learned), (0, 2));
    }
}
