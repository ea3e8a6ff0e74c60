//! What this server knows of a plan with AI delivery: how far it is along its
//! even line, and what to show next. It comes with every answer about a lease.

use base::Timestamp;
use delivery::{ArmSet, Choice, Learner, Pace, Promises, Seed, Turn};

use crate::random;

/// As it was when a lease was asked for.
#[derive(Clone, Debug)]
pub struct Paced {
    pub pace: Pace,
    /// Booked and reserved, the lease included.
    pub committed: i64,
    pub learner: Learner,
}

#[derive(Debug, Default)]
pub struct Ai {
    turn: Option<Turn>,
    /// The line, and what was committed when the lease was last answered.
    line: Option<(Pace, i64)>,
    /// Until then its line allows no more.
    not_before: i64,
}

impl Ai {
    pub fn answered(&mut self, paced: Paced) {
        self.line = Some((paced.pace, paced.committed));
        self.not_before = 0;
        match &mut self.turn {
            Some(turn) => turn.learn(paced.learner),
            None => self.turn = Some(Turn::new(paced.learner)),
        }
    }

    pub const fn wait_until(&mut self, at: Timestamp) {
        self.not_before = at.millis();
    }

    pub const fn waits(&self, now: Timestamp) -> bool {
        self.not_before > now.millis()
    }

    /// The arms that a slot can show.
    pub fn fitting(&self, fits: impl FnOnce(&Learner) -> ArmSet) -> ArmSet {
        self.turn.as_ref().map(|turn| fits(turn.learner())).unwrap_or_default()
    }

    /// What to show in a slot, with its content type's code; `None` to wait for
    /// another slot.
    pub fn take(&mut self, fits: ArmSet, held: &Promises, now: Timestamp) -> Option<(Choice, Seed, i16)> {
        let (pace, committed) = self.line?;
        // What of the lease is free is not promised to anybody.
        let ahead = committed - held.free() > pace.even(now);
        let turn = self.turn.as_mut()?;
        let (choice, seed) = turn.take(fits, ahead, || random().ok())?;
        let creative = turn.learner().arm(choice.arm)?.creative;
        Some((choice, seed, creative))
    }
}
