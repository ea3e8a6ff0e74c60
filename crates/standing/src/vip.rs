//! The VIP subscription: its price, its duration, and how much it and the level reduce
//! the fee.

use base::{Money, Rate, Timestamp};

use crate::Level;

pub const PRICE: Money = Money::from_minor(9_900);
pub const DAYS: i64 = 30;
/// The reduction of the fee rate, in per cent.
pub const PERCENT_OFF: u32 = 20;

/// Whether a subscription with this end is running.
pub fn runs(until: Option<Timestamp>, now: Timestamp) -> bool {
    until.is_some_and(|until| until > now)
}

/// The end after buying it now. Days already paid for are not lost.
pub fn extended(running: Option<Timestamp>, now: Timestamp) -> Timestamp {
    running.map_or(now, |running| running.max(now)).plus_days(DAYS)
}

/// The fee rate agreed when a plan is put: the terms' rate, reduced for VIP and for the
/// shop's level. The plan keeps it, whatever changes later.
pub fn agreed_fee_rate(terms: Rate, vip: bool, level: &Level) -> Rate {
    let vip_off = if vip { Rate::percent(PERCENT_OFF) } else { Rate::ZERO };
    terms.less(vip_off.and(level.fee_reduction()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standing_lowers_the_fee_and_never_raises_it() {
        let rate: Rate = "0.1".parse().expect("a rate");
        let of = |fee_percent_off| Level { number: 1, from: Money::ZERO, fee_percent_off };
        let shown = |vip, level| agreed_fee_rate(rate, vip, &of(level)).to_string();
        // The reduction for each level, without and with VIP.
        for (level, plain, vip) in
            [(0, "0.1", "0.08"), (2, "0.098", "0.078"), (5, "0.095", "0.075"), (10, "0.09", "0.07")]
        {
            assert_eq!((shown(false, level).as_str(), shown(true, level).as_str()), (plain, vip), "{level}");
        }
        assert_eq!(agreed_fee_rate(Rate::ZERO, true, &of(10)), Rate::ZERO);
        assert_eq!(agreed_fee_rate(rate, true, &of(100)), Rate::ZERO);
    }

    #[test]
    fn time_is_added_at_the_end() {
        let now = Timestamp::from_seconds(1_000);
        assert_eq!(extended(None, now), now.plus_days(30));
        assert_eq!(extended(Some(now.plus_days(3)), now), now.plus_days(33));
        assert_eq!(extended(Some(now.plus_days(-3)), now), now.plus_days(30));
    }

    #[test]
    fn it_runs_until_its_last_moment() {
        let now = Timestamp::from_seconds(1_000);
        assert!(!runs(None, now) && !runs(Some(now), now));
        assert!(runs(Some(now.plus_millis(1)), now));
    }
}
