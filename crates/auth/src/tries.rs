//! How often an acceptance code may be tried.
//!
//! Every fifth wrong code in a row locks the user out, for longer each time. A
//! code has sixty random bits, so guessing one is hopeless.

use base::Timestamp;

const IN_A_ROW: u32 = 5;
const LOCK_SECONDS: [i64; 4] = [900, 3_600, 21_600, 86_400];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    /// Wrong codes since the last right one.
    pub wrong: u32,
    pub locked_until: Option<Timestamp>,
}

impl Tries {
    /// # Errors
    /// The seconds until the next try, if it is locked.
    pub fn may_try(self, now: Timestamp) -> Result<(), i64> {
        match self.locked_until.filter(|until| *until > now) {
            Some(until) => Err(until.since(now).saturating_add(999).div_euclid(1000)),
            None => Ok(()),
        }
    }

    pub fn failed(self, now: Timestamp) -> Self {
        let wrong = self.wrong.saturating_add(1);
        let round = usize::try_from(wrong / IN_A_ROW).unwrap_or(usize::MAX);
        let seconds = round.checked_sub(1).map(|n| LOCK_SECONDS.get(n).copied().unwrap_or(86_400));
        let locks = wrong.is_multiple_of(IN_A_ROW);
        Self { wrong, locked_until: seconds.filter(|_| locks).map(|seconds| now.plus_seconds(seconds)) }
    }

    /// Wrong codes left until the next lock; zero while locked.
    pub fn left(self) -> u32 {
        if self.locked_until.is_some() { 0 } else { IN_A_ROW - self.wrong % IN_A_ROW }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn wrong(tries: Tries, times: u32, at: Timestamp) -> Tries {
        (0..times).fold(tries, |tries, _| {
            assert_eq!(tries.may_try(at), Ok(()));
            tries.failed(at)
        })
    }

    #[test]
    fn the_fifth_wrong_one_locks_and_each_round_for_longer() {
        let four = wrong(Tries::default(), 4, NOW);
        assert_eq!((four.left(), four.locked_until), (1, None));
        let (mut tries, mut at) = (four.failed(NOW), NOW);
        for seconds in [900, 3_600, 21_600, 86_400, 86_400] {
            assert_eq!((tries.left(), tries.may_try(at)), (0, Err(seconds)));
            assert_eq!(tries.may_try(at.plus_seconds(seconds - 1)), Err(1));
            at = at.plus_seconds(seconds);
            tries = wrong(tries, 5, at);
        }
    }

    #[test]
    fn after_a_lock_there_are_five_again() {
        let locked = wrong(Tries::default(), 5, NOW);
        assert_eq!(locked.failed(NOW.plus_seconds(900)).left(), 4);
    }
}
