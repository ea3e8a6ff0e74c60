//! How much money one operator may request and approve.

use base::{Money, Period, Timestamp, refuse_if};

use crate::Role;

/// The limits of a role: for one action, and for any 24 hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub each: Money,
    pub daily: Money,
}

/// Within this many days, a limit can at most be doubled.
pub const RAISE_DAYS: i64 = 30;

/// The limit that would be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceededLimit {
    pub limit: Money,
}

impl Limits {
    /// What counts towards the daily limit at this time: the last 24 hours. A calendar day would allow twice as much
    /// within minutes around its end. If the clock was set back by up to a day, what was done before still counts.
    pub const fn counted_period(now: Timestamp) -> Period {
        Period { from: now.plus_days(-1).plus_millis(1), until: now.plus_days(1) }
    }

    /// Whether `amount` may be requested or approved when `moved` was moved in the last 24 hours. Returns the new sum.
    pub fn allow(self, amount: Money, moved: Money) -> Result<Money, ExceededLimit> {
        refuse_if(amount > self.each, ExceededLimit { limit: self.each })?;
        let exceeded = ExceededLimit { limit: self.daily };
        let total = moved.plus(amount).map_err(|_| exceeded)?;
        if total > self.daily { Err(exceeded) } else { Ok(total) }
    }

    /// The limits of a role in a new installation.
    pub const fn initial(role: Role) -> Self {
        let (each, daily) = match role {
            Role::Support => (1_000_000, 5_000_000),
            Role::Finance => (5_000_000, 20_000_000),
            Role::Admin => (100_000_000, 500_000_000),
        };
        Self { each: Money::from_minor(each), daily: Money::from_minor(daily) }
    }

    /// Whether both limits are at most the others, so that one person may set them.
    pub fn within(self, others: Self) -> bool {
        self.each <= others.each && self.daily <= others.daily
    }

    /// The most that these limits may be raised to within [`RAISE_DAYS`]: twice as much, or the limits of a new
    /// installation.
    pub fn most_raised(self, role: Role) -> Self {
        let raised = |now: Money, initial: Money| now.times(2).unwrap_or(now).max(initial);
        let initial = Self::initial(role);
        Self { each: raised(self.each, initial.each), daily: raised(self.daily, initial.daily) }
    }

    /// Whether the limits make sense: the daily one is not below the one for an action.
    pub fn sound(self) -> bool {
        !self.each.is_negative() && self.each <= self.daily
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    #[test]
    fn each_and_the_day_are_bounded() {
        let limits = Limits { each: money(50), daily: money(120) };
        assert_eq!(limits.allow(money(50), money(0)), Ok(money(50)));
        assert_eq!(limits.allow(money(51), money(0)), Err(ExceededLimit { limit: money(50) }));
        assert_eq!(limits.allow(money(50), money(70)), Ok(money(120)));
        assert_eq!(limits.allow(money(50), money(71)), Err(ExceededLimit { limit: money(120) }));
        assert_eq!(limits.allow(money(50), money(i64::MAX)), Err(ExceededLimit { limit: money(120) }));
    }

    #[test]
    fn what_counts_is_the_last_day_whatever_the_calendar_says() {
        let counts = |then: &str, now: &str| {
            let [then, now] = [then, now].map(|text| Timestamp::parse(text).expect("a time"));
            let Period { from, until } = Limits::counted_period(now);
            from <= then && then < until
        };
        assert!(counts("2026-03-01T23:59:00Z", "2026-03-02T00:01:00Z"));
        assert!(counts("2026-03-01T12:00:00.001Z", "2026-03-02T12:00:00Z"));
        assert!(!counts("2026-03-01T12:00:00Z", "2026-03-02T12:00:00Z"));
        // The clock was set back.
        assert!(counts("2026-03-02T18:00:00Z", "2026-03-02T12:00:00Z"));
    }

    #[test]
    fn a_limit_is_doubled_at_most_or_as_it_was_at_first() {
        let of = |each, daily| Limits { each: money(each), daily: money(daily) };
        let first = Limits::initial(Role::Finance);
        assert_eq!(first, of(5_000_000, 20_000_000));
        assert_eq!(first.most_raised(Role::Finance), of(10_000_000, 40_000_000));
        assert_eq!(of(0, 0).most_raised(Role::Finance), first);
        assert_eq!(of(1, 15_000_000).most_raised(Role::Finance), of(5_000_000, 30_000_000));
        assert_eq!(of(i64::MAX, i64::MAX).most_raised(Role::Finance), of(i64::MAX, i64::MAX));
        assert!(of(1, 2).within(of(1, 2)) && !of(2, 2).within(of(1, 2)) && !of(1, 3).within(of(1, 2)));
    }

    #[test]
    fn a_day_is_no_less_than_one_time() {
        assert!(Limits { each: money(5), daily: money(5) }.sound());
        assert!(!Limits { each: money(6), daily: money(5) }.sound());
        assert!(!Limits { each: money(-1), daily: money(5) }.sound());
    }
}
