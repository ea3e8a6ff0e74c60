//! How much money one operator may request and approve.

use base::Money;

/// The limits of a role: per deed and per day (UTC).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub each: Money,
    pub daily: Money,
}

/// The limit that would be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceededLimit {
    pub limit: Money,
}

impl Limits {
    /// Whether `amount` may be requested or approved when `moved` was moved earlier
    /// on this day. Returns the new sum of the day.
    pub fn allow(self, amount: Money, moved: Money) -> Result<Money, ExceededLimit> {
        if amount > self.each {
            return Err(ExceededLimit { limit: self.each });
        }
        let exceeded = ExceededLimit { limit: self.daily };
        let total = moved.plus(amount).map_err(|_| exceeded)?;
        if total > self.daily { Err(exceeded) } else { Ok(total) }
    }

    /// Whether the limits make sense: the daily one is at least the other.
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
    fn a_day_is_no_less_than_one_time() {
        assert!(Limits { each: money(5), daily: money(5) }.sound());
        assert!(!Limits { each: money(6), daily: money(5) }.sound());
        assert!(!Limits { each: money(-1), daily: money(5) }.sound());
    }
}
