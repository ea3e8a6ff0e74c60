//! How much of what a publisher has earned may be paid out, and when.

use std::ops::RangeInclusive;

use base::{Money, MoneyError, Timestamp};

use crate::publisher::{Publisher, PublisherStatus};
use crate::refused::Refused;

/// When payouts are possible, and from which amount on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayoutRules {
    /// A payout costs money, so less than this waits. A closed publisher gets what is
    /// left, however little.
    pub minimum: Money,
    /// How long after a plan is settled its money stays, so that corrections reach it.
    pub delay_days: i64,
    /// How long nothing is paid to a new destination: somebody who takes over a
    /// publisher's mailbox would ask for another one first.
    pub hold_days: i64,
}

impl Default for PayoutRules {
    fn default() -> Self {
        Self { minimum: Money::from_minor(50_00), delay_days: 30, hold_days: 1 }
    }
}

impl PayoutRules {
    /// With no day at all, no correction would come before a payout.
    pub const DELAYS: RangeInclusive<i64> = 1..=365;

    /// What was settled up to this time may be paid out.
    pub const fn settled_by(&self, now: Timestamp) -> Timestamp {
        now.plus_days(-self.delay_days)
    }

    /// The smallest payout to a publisher with this status.
    pub fn minimum_for(&self, status: PublisherStatus) -> Money {
        match status {
            PublisherStatus::Active | PublisherStatus::Paused => self.minimum,
            PublisherStatus::Closed => Money::from_minor(1),
        }
    }

    fn is_enough(&self, asked: Money, status: PublisherStatus) -> Result<(), Refused> {
        let minimum = self.minimum_for(status);
        if asked < minimum { Err(Refused::BelowMinimum { minimum, asked }) } else { Ok(()) }
    }

    /// Whether money may be sent to where this publisher is paid.
    fn destination(&self, of: &Publisher, now: Timestamp) -> Result<(), Refused> {
        let until = of.paid_to_since.ok_or(Refused::NoDestination)?.plus_days(self.hold_days);
        if now < until { Err(Refused::DestinationOnHold { until }) } else { Ok(()) }
    }
}

/// A publisher's money, summed from the ledger and from its payouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Account {
    /// Its part of all bills.
    pub earned: Money,
    /// The part of it on plans that were settled by [`PayoutRules::settled_by`]. Their
    /// figures were recounted, and are final.
    pub settled: Money,
    pub paid: Money,
    /// Asked or approved, and not yet paid.
    pub asked: Money,
}

impl Account {
    /// What may be asked for: settled, less what was paid and asked. Never negative.
    pub fn payable(&self) -> Result<Money, MoneyError> {
        let settled = self.settled.min(self.earned);
        Ok(settled.minus(self.paid)?.minus(self.asked)?.max(Money::ZERO))
    }

    /// Whether this payout may be asked for.
    ///
    /// # Errors
    /// [`Refused::AmountOutOfRange`], [`Refused::NoDestination`],
    /// [`Refused::DestinationOnHold`], [`Refused::MoreThanPayable`],
    /// [`Refused::BelowMinimum`].
    pub fn ask(&self, asked: Money, of: &Publisher, rules: &PayoutRules, now: Timestamp) -> Result<(), Refused> {
        if !asked.is_positive() {
            return Err(Refused::AmountOutOfRange { asked });
        }
        rules.destination(of, now)?;
        let payable = self.payable()?;
        if asked > payable {
            return Err(Refused::MoreThanPayable { payable, asked });
        }
        rules.is_enough(asked, of.status)
    }

    /// Whether a payout that is among [`Account::asked`] can still be made as it was asked
    /// for at `asked_at`. The rules may have changed since then.
    ///
    /// # Errors
    /// Those of the destination; [`Refused::DestinationChanged`],
    /// [`Refused::MoreThanPayable`] and [`Refused::BelowMinimum`].
    pub fn covers(
        &self,
        (amount, asked_at): (Money, Timestamp),
        of: &Publisher,
        rules: &PayoutRules,
        now: Timestamp,
    ) -> Result<(), Refused> {
        rules.destination(of, now)?;
        if of.paid_to_since.is_none_or(|since| since >= asked_at) {
            return Err(Refused::DestinationChanged);
        }
        let payable = Self { asked: self.asked.minus(amount)?, ..*self }.payable()?;
        if amount > payable {
            return Err(Refused::MoreThanPayable { payable, asked: amount });
        }
        rules.is_enough(amount, of.status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{PAID_TO_SINCE, publisher};

    const fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    const NOW: Timestamp = PAID_TO_SINCE.plus_days(1);
    const RULES: PayoutRules = PayoutRules { minimum: money(100), delay_days: 30, hold_days: 1 };
    const EARNED: Account = Account { earned: money(1_000), settled: money(800), paid: money(200), asked: money(150) };

    #[test]
    fn what_is_settled_and_neither_paid_nor_asked_is_payable() {
        assert_eq!(EARNED.payable(), Ok(money(450)));
        let all = Account { settled: money(2_000), ..EARNED };
        assert_eq!(all.payable(), Ok(money(650)), "never more than was billed");
        let nothing = Account { settled: money(300), ..EARNED };
        assert_eq!(nothing.payable(), Ok(Money::ZERO));
        let huge = Account { paid: money(i64::MIN), ..EARNED };
        assert_eq!(huge.payable(), Err(MoneyError::Overflow));
    }

    #[test]
    fn what_may_be_asked_for_is_bounded_on_both_sides() {
        let ask = |minor| EARNED.ask(money(minor), &publisher(1), &RULES, NOW);
        assert_eq!((ask(100), ask(450)), (Ok(()), Ok(())));
        assert_eq!(ask(99), Err(Refused::BelowMinimum { minimum: money(100), asked: money(99) }));
        assert_eq!(ask(451), Err(Refused::MoreThanPayable { payable: money(450), asked: money(451) }));
        for minor in [0, -1, i64::MIN] {
            assert_eq!(ask(minor), Err(Refused::AmountOutOfRange { asked: money(minor) }));
        }
    }

    #[test]
    fn a_closed_publisher_gets_what_is_left() {
        let closed = Publisher { status: PublisherStatus::Closed, ..publisher(1) };
        assert_eq!(EARNED.ask(money(1), &closed, &RULES, NOW), Ok(()));
        let paused = Publisher { status: PublisherStatus::Paused, ..publisher(1) };
        assert!(EARNED.ask(money(99), &paused, &RULES, NOW).is_err());
        assert_eq!(EARNED.ask(money(100), &paused, &RULES, NOW), Ok(()));
    }

    #[test]
    fn money_goes_only_where_two_people_said_a_day_ago() {
        let nowhere = Publisher { paid_to_since: None, ..publisher(1) };
        assert_eq!(EARNED.ask(money(100), &nowhere, &RULES, NOW), Err(Refused::NoDestination));
        let early = EARNED.ask(money(100), &publisher(1), &RULES, NOW.plus_millis(-1));
        assert_eq!(early, Err(Refused::DestinationOnHold { until: NOW }));
    }

    #[test]
    fn what_was_asked_for_is_paid_to_where_it_was_asked_for() {
        let covers = |account: Account, minor, at| account.covers((money(minor), at), &publisher(1), &RULES, NOW);
        assert_eq!(covers(EARNED, 150, PAID_TO_SINCE.plus_millis(1)), Ok(()));
        assert_eq!(covers(EARNED, 150, PAID_TO_SINCE), Err(Refused::DestinationChanged));
        // Somebody has edited what was settled, so it is not covered any more.
        let less = Account { settled: money(349), ..EARNED };
        let refused = Refused::MoreThanPayable { payable: money(149), asked: money(150) };
        assert_eq!(covers(less, 150, NOW), Err(refused));
        // The minimum was raised meanwhile.
        let raised = PayoutRules { minimum: money(151), ..RULES };
        let covers = EARNED.covers((money(150), NOW), &publisher(1), &raised, NOW);
        assert_eq!(covers, Err(Refused::BelowMinimum { minimum: money(151), asked: money(150) }));
    }

    #[test]
    fn the_delay_is_counted_from_the_settlement() {
        assert_eq!(RULES.settled_by(NOW), NOW.plus_days(-30));
        assert_eq!(PayoutRules::default().minimum.to_string(), "50.00");
    }
}
