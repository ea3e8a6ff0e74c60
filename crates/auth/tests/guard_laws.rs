//! Laws of the attempt guard, over any order of attempts, successes and waits.

use auth::guard::WINDOW_DAYS;
use auth::{Guard, Locked};
use base::Timestamp;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Wrong,
    Right,
    Wait(i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => Just(Step::Wrong),
        2 => Just(Step::Right),
        2 => (1i64..200_000).prop_map(Step::Wait),
    ];
    proptest::collection::vec(step, 0..120)
}

/// What the store does around the guard: it keeps the moments of failures and
/// counts those within the window.
struct Desk {
    now: Timestamp,
    guard: Guard,
    failures: Vec<Timestamp>,
}

impl Desk {
    fn new() -> Self {
        Self { now: Timestamp::from_seconds(1_700_000_000), guard: Guard::default(), failures: Vec::new() }
    }

    fn counted(&self) -> Guard {
        let since = self.now.plus_days(-WINDOW_DAYS);
        let recent = self.failures.iter().filter(|at| **at > since).count();
        Guard { recent: u32::try_from(recent).unwrap_or(u32::MAX), ..self.guard }
    }

    fn attempt(&mut self, right: bool) -> Result<(), Locked> {
        let reserved = self.counted().reserve(self.now)?;
        self.guard = reserved;
        self.failures.push(self.now);
        if right {
            self.guard = reserved.succeeded();
            self.failures.pop();
        }
        Ok(())
    }
}

proptest! {
    /// No more than five wrong attempts are evaluated within any hour, ten
    /// within a day and an hour, twenty within thirty days.
    #[test]
    fn evaluated_attempts_are_bounded(steps in steps()) {
        let mut desk = Desk::new();
        let mut wrongs: Vec<i64> = Vec::new();
        let mut streak = 0;
        for step in steps {
            match step {
                Step::Wait(seconds) => desk.now = desk.now.plus_seconds(seconds),
                Step::Right => if desk.attempt(true).is_ok() { streak = 0 },
                Step::Wrong => if desk.attempt(false).is_ok() { streak += 1; wrongs.push(desk.now.seconds()); },
            }
            prop_assert!(streak <= 15, "{streak} wrong in a row were evaluated");
            let recent = wrongs.iter().filter(|at| **at > desk.now.seconds() - WINDOW_DAYS * 86_400).count();
            prop_assert!(recent <= 20, "{recent} wrong within the window were evaluated");
        }
    }

    /// What the guard promises is what it does: with `n` attempts left, the
    /// n-th wrong one locks and none before it.
    #[test]
    fn attempts_left_is_the_truth(steps in steps()) {
        let mut desk = Desk::new();
        for step in steps {
            match step {
                Step::Wait(seconds) => desk.now = desk.now.plus_seconds(seconds),
                Step::Right => { let _ = desk.attempt(true); }
                Step::Wrong => { let _ = desk.attempt(false); }
            }
        }
        let left = desk.counted().attempts_left();
        for _ in 0..left {
            prop_assert!(desk.attempt(false).is_ok());
        }
        if left > 0 {
            prop_assert!(desk.attempt(false).is_err());
        }
    }

    /// Waiting exactly as long as one was told is enough, and a second less is not.
    #[test]
    fn retry_after_is_the_truth(steps in steps()) {
        let mut desk = Desk::new();
        for step in steps {
            match step {
                Step::Wait(seconds) => desk.now = desk.now.plus_seconds(seconds),
                Step::Right => { let _ = desk.attempt(true); }
                Step::Wrong => { let _ = desk.attempt(false); }
            }
        }
        if let Err(Locked::For { seconds }) = desk.counted().reserve(desk.now) {
            desk.now = desk.now.plus_seconds(seconds - 1);
            prop_assert!(desk.counted().reserve(desk.now).is_err());
            desk.now = desk.now.plus_seconds(1);
            prop_assert!(desk.counted().reserve(desk.now).is_ok());
        }
    }
}
