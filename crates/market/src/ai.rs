//! What this server knows about a plan with AI delivery: how far it has come compared
//! with its pace, and what to show next. It is updated with every answer about its lease.

use base::Timestamp;
use delivery::{ArmSet, Choice, Learner, Pace, Promises, Seed, Turn};

/// The state when a lease was requested.
#[derive(Clone, Debug)]
pub struct LeasePacing {
    pub pace: Pace,
    /// Booked and reserved, including the lease.
    pub committed: i64,
    pub learner: Learner,
}

/// The source of seeds; `None` if there is no randomness.
pub type Seeds = fn() -> Option<Seed>;

#[derive(Debug)]
pub struct Ai {
    seeds: Seeds,
    turn: Option<Turn>,
    /// The pace, and what was committed at the last answer about the lease.
    line: Option<(Pace, i64)>,
    /// Its pace allows nothing more before this time.
    not_before: i64,
}

impl Ai {
    pub const fn new(seeds: Seeds) -> Self {
        Self { seeds, turn: None, line: None, not_before: 0 }
    }

    pub fn take_answer(&mut self, paced: LeasePacing) {
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

    pub const fn wait_no_longer(&mut self) {
        self.not_before = 0;
    }

    pub const fn waits(&self, now: Timestamp) -> bool {
        self.not_before > now.millis()
    }

    /// The arms that a slot can show.
    pub fn fitting(&self, fits: impl FnOnce(&Learner) -> ArmSet) -> ArmSet {
        self.turn.as_ref().map(|turn| fits(turn.learner())).unwrap_or_default()
    }

    /// The choice for a slot, with the code of its content type; `None` to wait for another slot.
    pub fn take(&mut self, fits: ArmSet, held: &Promises, now: Timestamp) -> Option<(Choice, Seed, i16)> {
        let (pace, committed) = self.line?;
        // The free part of the lease is not promised to anybody.
        let ahead = committed - held.free() > pace.even(now);
        let turn = self.turn.as_mut()?;
        let (choice, seed) = turn.take(fits, ahead, self.seeds)?;
        let creative = turn.learner().arm(choice.arm)?.creative;
        Some((choice, seed, creative))
    }
}
