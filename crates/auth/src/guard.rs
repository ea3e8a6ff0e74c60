//! How often the transaction password may be tried.
//!
//! Each attempt takes a place, so of two hundred simultaneous guesses only five
//! are answered. If the password is right, the place is given back and the streak is
//! cleared. Other failures of the last thirty days still count.
//!
//! After anything wrong since the last right attempt, the place is taken before the
//! password is hashed. Where [every place is open](Guard::has_every_place), it is
//! taken after hashing and before any answer.

use base::{Timestamp, refuse_if};

/// Wrong attempts in a row that lock the password, and for how long.
const FIRST_LOCK: u32 = 5;
const FIRST_LOCK_SECONDS: i64 = 3_600;
const SECOND_LOCK: u32 = 10;
const SECOND_LOCK_SECONDS: i64 = 86_400;
/// Wrong attempts in a row that disable the password until staff have checked
/// the user's identity.
const DISABLED_AT: u32 = 15;
/// Wrong attempts within [`WINDOW_DAYS`] that disable it, even with right ones
/// in between.
const DISABLED_IN_WINDOW: u32 = 20;
pub const WINDOW_DAYS: i64 = 30;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// Attempts since the last right one, including reserved ones.
    pub streak: u32,
    pub locked_until: Option<Timestamp>,
    /// Only staff can lift this, after checking the user's identity.
    pub disabled: bool,
    /// Failures within the last thirty days, including reserved attempts.
    pub recent: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Locked {
    #[error("locked for another {seconds} s")]
    For { seconds: i64 },
    #[error("disabled until identity is checked")]
    Disabled,
}

impl Guard {
    /// Reserves one attempt, or says how long to wait. The result must be saved
    /// before anybody is told whether the password was right.
    pub fn reserve(self, now: Timestamp) -> Result<Self, Locked> {
        refuse_if(self.disabled || self.recent >= DISABLED_IN_WINDOW, Locked::Disabled)?;
        if let Some(until) = self.locked_until.filter(|until| *until > now) {
            return Err(Locked::For { seconds: seconds_up(until.since(now)) });
        }
        let streak = self.streak.saturating_add(1);
        let recent = self.recent.saturating_add(1);
        Ok(Self {
            streak,
            recent,
            locked_until: lock_after(streak).map(|seconds| now.plus_seconds(seconds)),
            disabled: streak >= DISABLED_AT || recent >= DISABLED_IN_WINDOW,
        })
    }

    /// The reserved attempt was right: it no longer counts.
    pub fn succeeded(self) -> Self {
        let recent = self.recent.saturating_sub(1);
        Self { streak: 0, locked_until: None, disabled: recent >= DISABLED_IN_WINDOW, recent }
    }

    /// Whether the last attempt was right and nothing prevents the next one.
    pub fn untouched(self) -> bool {
        self.recent < DISABLED_IN_WINDOW && self == Self { recent: self.recent, ..Self::default() }
    }

    /// Whether nothing was wrong since the last right attempt, and as many attempts are
    /// left until the first lock as there can be.
    pub fn has_every_place(self) -> bool {
        self.untouched() && self.attempts_left() == FIRST_LOCK
    }

    /// How many wrong attempts are left until the next lock.
    pub fn attempts_left(self) -> u32 {
        if self.disabled || self.locked_until.is_some() {
            return 0;
        }
        let next = [FIRST_LOCK, SECOND_LOCK, DISABLED_AT].into_iter().find(|at| *at > self.streak);
        let in_streak = next.map_or(0, |at| at.saturating_sub(self.streak));
        in_streak.min(DISABLED_IN_WINDOW.saturating_sub(self.recent))
    }
}

fn lock_after(streak: u32) -> Option<i64> {
    match streak {
        FIRST_LOCK => Some(FIRST_LOCK_SECONDS),
        SECOND_LOCK => Some(SECOND_LOCK_SECONDS),
        _ => None,
    }
}

/// Rounded up, so that waiting this long is always enough.
fn seconds_up(millis: i64) -> i64 {
    millis.saturating_add(999).div_euclid(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn wrong(guard: Guard, times: u32, at: Timestamp) -> Guard {
        (0..times).fold(guard, |guard, n| guard.reserve(at).unwrap_or_else(|e| panic!("attempt {n}: {e}")))
    }

    #[test]
    fn five_wrong_lock_for_an_hour() {
        let four = wrong(Guard::default(), 4, NOW);
        assert_eq!(four.attempts_left(), 1);
        let five = wrong(four, 1, NOW);
        assert_eq!(five.attempts_left(), 0);
        assert_eq!(five.reserve(NOW), Err(Locked::For { seconds: 3_600 }));
        assert_eq!(five.reserve(NOW.plus_millis(3_599_001)), Err(Locked::For { seconds: 1 }));
        assert!(five.reserve(NOW.plus_seconds(3_600)).is_ok());
    }

    #[test]
    fn ten_lock_for_a_day_and_fifteen_for_good() {
        let later = NOW.plus_seconds(3_600);
        let ten = wrong(wrong(Guard::default(), 5, NOW), 5, later);
        assert_eq!(ten.reserve(later), Err(Locked::For { seconds: 86_400 }));
        let day_after = later.plus_days(1);
        let fifteen = wrong(ten, 5, day_after);
        assert_eq!(fifteen.reserve(day_after.plus_days(3_650)), Err(Locked::Disabled));
    }

    #[test]
    fn the_right_one_clears_the_streak_and_its_own_place() {
        let guard = wrong(Guard::default(), 5, NOW).succeeded();
        assert_eq!(guard, Guard { recent: 4, ..Guard::default() });
        assert_eq!(guard.attempts_left(), 5);
        assert!(guard.untouched() && !wrong(guard, 1, NOW).untouched());
        assert!(!Guard { recent: DISABLED_IN_WINDOW, ..Guard::default() }.untouched());
    }

    #[test]
    fn every_place_is_open_until_one_was_wrong_or_the_month_has_few_left() {
        assert!(Guard::default().has_every_place());
        assert!(!wrong(Guard::default(), 1, NOW).has_every_place());
        assert!(wrong(Guard::default(), 1, NOW).succeeded().has_every_place());
        let recently = |recent| Guard { recent, ..Guard::default() };
        assert!(recently(DISABLED_IN_WINDOW - FIRST_LOCK).has_every_place());
        assert!(!recently(DISABLED_IN_WINDOW - FIRST_LOCK + 1).has_every_place());
        assert!(!Guard { disabled: true, ..Guard::default() }.has_every_place());
        assert!(!Guard { locked_until: Some(NOW), ..Guard::default() }.has_every_place());
    }

    #[test]
    fn twenty_within_thirty_days_disable_whatever_came_between() {
        let mut guard = Guard::default();
        for _ in 0..4 {
            guard = wrong(guard, 4, NOW).reserve(NOW).expect("a place").succeeded();
        }
        assert_eq!(guard.recent, 16);
        let nineteen = wrong(guard, 3, NOW);
        assert_eq!(nineteen.attempts_left(), 1);
        assert!(nineteen.reserve(NOW).expect("the twentieth").disabled);
        assert!(!nineteen.reserve(NOW).expect("the twentieth, right").succeeded().disabled);
    }
}
