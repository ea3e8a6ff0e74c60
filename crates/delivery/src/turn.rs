//! A plan's next choice, made before the slot is there: while the plan is ahead
//! of its even line it waits for a slot that can show what was chosen; behind
//! the line it takes any slot, and the choice is made anew among what that slot
//! can show. The seed decides who is held out, so waiting never changes how
//! many are.

use crate::arms::{ArmSet, Choice, Learner, Seed};

#[derive(Debug)]
pub struct Turn {
    learner: Learner,
    /// Arms that slots could show lately.
    met: ArmSet,
    wanted: Option<(Choice, Seed)>,
}

impl Turn {
    pub const fn new(learner: Learner) -> Self {
        Self { learner, met: ArmSet(0), wanted: None }
    }

    pub const fn learner(&self) -> &Learner {
        &self.learner
    }

    /// More is known. What was chosen before stays chosen.
    pub fn learn(&mut self, learner: Learner) {
        if learner.learned() != self.learner.learned() {
            self.learner = learner;
        }
    }

    /// What to show in a slot that can show these arms; `None` to wait for
    /// another.
    pub fn take(&mut self, fits: ArmSet, ahead: bool, seed: impl FnOnce() -> Option<Seed>) -> Option<(Choice, Seed)> {
        self.met = self.met.or(fits);
        let (choice, seed) = match self.wanted {
            Some(wanted) => wanted,
            None => {
                let seed = seed()?;
                (self.learner.choose(self.met, seed)?, seed)
            }
        };
        if fits.has(choice.arm) {
            self.wanted = None;
            return Some((choice, seed));
        }
        if ahead {
            self.wanted = Some((choice, seed));
            return None;
        }
        let choice = self.learner.choose(fits, seed)?;
        // Slots for what it waited for may have gone.
        self.met = fits;
        self.wanted = None;
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

    /// Two parts, the second of which is clicked far more.
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
        // The other part turns out to be the better one.
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
