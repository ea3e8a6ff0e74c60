//! The hold on payouts after a reset of a password or a new payout account. Somebody
//! who takes an account over would do one of these first. The owner is notified at
//! once, and has this long to object.

use base::Timestamp;

const HOLD_SECONDS: i64 = 86_400;
/// The hold is longer if no transaction password protects the money after a new login password.
const SETUP_DAYS: i64 = 7;

/// The end of a hold that begins now.
pub const fn until(now: Timestamp) -> Timestamp {
    now.plus_seconds(HOLD_SECONDS)
}

/// The end of a hold that begins now with a new login password, in an account without a transaction password.
pub const fn setup_until(now: Timestamp) -> Timestamp {
    now.plus_days(SETUP_DAYS)
}

/// The account is on hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing leaves the account before {until}")]
pub struct OnHold {
    pub until: Timestamp,
    /// The seconds until the hold ends, rounded up.
    pub seconds: i64,
}

/// Whether money may leave an account with this hold.
///
/// # Errors
/// [`OnHold`] while the hold lasts.
pub fn check(held_until: Option<Timestamp>, now: Timestamp) -> Result<(), OnHold> {
    match held_until {
        Some(until) if now < until => Err(OnHold { until, seconds: until.since(now).saturating_add(999) / 1_000 }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_000);

    #[test]
    fn it_lasts_a_day_to_the_millisecond() {
        let end = until(NOW);
        assert_eq!(end, NOW.plus_days(1));
        assert_eq!(check(Some(end), NOW), Err(OnHold { until: end, seconds: 86_400 }));
        assert_eq!(check(Some(end), end.plus_millis(-1)), Err(OnHold { until: end, seconds: 1 }));
        assert_eq!(check(Some(end), end), Ok(()));
        assert_eq!(check(None, NOW), Ok(()));
    }
}
