//! Laws of the attempt guard, over any order of attempts, successes and waits.

use auth::guard::WINDOW_DAYS;
use auth::{Guard, Locked};
use base::Timestamp;
use proptest::prelude::*;

const HOUR: i64 = 3_600;
const DAY: i64 = 86_400;

#[derive(Clone, Debug)]
enum Step {
    Wrong,
    Right,
    Wait(i64),
}

/// Long enough to reach each lock: as long as the locks last, a second less, and any
/// other time.
fn wait() -> impl Strategy<Value = Step> {
    prop_oneof![Just(HOUR), Just(HOUR - 1), Just(DAY), Just(DAY - 1), 1i64..200_000,].prop_map(Step::Wait)
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // A guesser who is never right reaches the locks after wrong ones in a row; one who
    // is right now and then, that of a month.
    let of = |right| {
        let step = prop_oneof![12 => Just(Step::Wrong), right => Just(Step::Right), 4 => wait()];
        proptest::collection::vec(step, 0..120)
    };
    prop_oneof![of(0), of(1), of(4)]
}

/// What the store does around the guard: it stores the times of failures and counts those
/// in the window.
struct GuardRow {
    now: Timestamp,
    guard: Guard,
    failures: Vec<Timestamp>,
}

impl GuardRow {
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
    /// Of wrong attempts without a right one between them, at most five are evaluated
    /// within an hour, ten within a day and an hour, and fifteen ever; of all wrong ones,
    /// twenty within thirty days.
    #[test]
    fn evaluated_attempts_are_bounded(steps in steps()) {
        let mut desk = GuardRow::new();
        let (mut all, mut in_a_row): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
        for step in steps {
            match step {
                Step::Wait(seconds) => desk.now = desk.now.plus_seconds(seconds),
                Step::Right => if desk.attempt(true).is_ok() { in_a_row.clear() },
                Step::Wrong => if desk.attempt(false).is_ok() {
                    all.push(desk.now.seconds());
                    in_a_row.push(desk.now.seconds());
                },
            }
            let within = |of: &[i64], seconds: i64| of.iter().filter(|at| **at > desk.now.seconds() - seconds).count();
            prop_assert!(within(&in_a_row, HOUR) <= 5, "in an hour: {in_a_row:?}");
            prop_assert!(within(&in_a_row, DAY + HOUR) <= 10, "in a day: {in_a_row:?}");
            prop_assert!(in_a_row.len() <= 15, "in a row: {in_a_row:?}");
            prop_assert!(within(&all, WINDOW_DAYS * DAY) <= 20, "in the window: {all:?}");
        }
    }

    /// Limited does not mean barred: a user who waits as long as told has every attempt,
    /// however the earlier ones were used.
    #[test]
    fn every_place_is_there_for_who_waits(late in proptest::collection::vec(0i64..100, 15)) {
        let mut desk = GuardRow::new();
        for (n, late) in late.into_iter().enumerate() {
            if let Err(Locked::For { seconds }) = desk.counted().reserve(desk.now) {
                prop_assert!(n == 5 || n == 10, "locked before attempt {n}");
                desk.now = desk.now.plus_seconds(seconds);
            }
            prop_assert_eq!(desk.attempt(false), Ok(()), "attempt {}", n);
            desk.now = desk.now.plus_seconds(late);
        }
        prop_assert_eq!(desk.attempt(false), Err(Locked::Disabled));
    }

    /// The guard keeps its promises: with `n` attempts left, the n-th wrong one locks,
    /// and none before it.
    #[test]
    fn attempts_left_is_the_truth(steps in steps()) {
        let mut desk = GuardRow::new();
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

    /// Waiting exactly as long as told is enough, and a second less is not.
    #[test]
    fn retry_after_is_the_truth(steps in steps()) {
        let mut desk = GuardRow::new();
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
