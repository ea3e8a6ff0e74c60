//! How much of what a publisher has earned may be paid out, and when.

use std::ops::RangeInclusive;

use base::{Money, MoneyError, Timestamp, refuse_if};

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
    /// With no delay at all, no correction could come before a payout.
    pub const DELAYS: RangeInclusive<i64> = 1..=365;

    /// The latest settlement time of plans whose money may be paid out.
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

    fn check_enough(&self, asked: Money, status: PublisherStatus) -> Result<(), Refused> {
        let minimum = self.minimum_for(status);
        if asked < minimum { Err(Refused::BelowMinimum { minimum, asked }) } else { Ok(()) }
    }

    /// Whether a payout that was asked for at `asked_at` may still be sent to where this publisher is paid.
    ///
    /// # Errors
    /// Those of the destination; [`Refused::DestinationChanged`].
    pub fn may_pay(&self, of: &Publisher, asked_at: Timestamp, now: Timestamp) -> Result<(), Refused> {
        self.destination(of, now)?;
        refuse_if(of.paid_to_since.is_none_or(|since| since >= asked_at), Refused::DestinationChanged)
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
    /// The publisher's part of all bills.
    pub earned: Money,
    /// The part of it on plans that were settled by [`PayoutRules::settled_by`]. Their
    /// figures were recounted, and are final.
    pub settled: Money,
    pub paid: Money,
    /// Asked or approved, and not yet paid.
    pub asked: Money,
    /// The sum that corrections added, from the platform's revenue.
    pub added: Money,
    /// The sum that corrections took back of that.
    pub taken_back: Money,
    /// The sum that corrections of delivery gave back to buyers.
    pub given_back: Money,
}

impl Account {
    /// The amount that may be requested: settled and corrected, less what was paid and requested. Never negative.
    pub fn payable(&self) -> Result<Money, MoneyError> {
        let settled = self.settled.min(self.earned);
        Ok(settled.plus(self.corrected()?)?.minus(self.paid)?.minus(self.asked)?.max(Money::ZERO))
    }

    /// The sum of the corrections; negative if they took back more than they added.
    pub fn corrected(&self) -> Result<Money, MoneyError> {
        self.added.minus(self.taken_back)?.minus(self.given_back)
    }

    /// The most that a correction of the account may take back: what corrections added, but nothing that bills gave.
    /// Bills' money belongs to whoever was billed, and is given back to them ([`crate::give_back`]). So the platform
    /// never gains by a correction.
    pub fn undoable(&self) -> Result<Money, MoneyError> {
        Ok(self.added.minus(self.taken_back)?.max(Money::ZERO))
    }

    /// The most that may be taken from the account: everything that the publisher is owed, settled or not, except what
    /// is promised to a payout. Never negative.
    pub fn recoverable(&self) -> Result<Money, MoneyError> {
        let owed = self.earned.plus(self.corrected()?)?.minus(self.paid)?;
        Ok(owed.minus(self.asked)?.max(Money::ZERO))
    }

    /// Whether the account may be corrected by this amount. A positive one is paid by the
    /// platform's revenue.
    ///
    /// # Errors
    /// [`Refused::AmountOutOfRange`] for nothing, [`Refused::MoreThanAdded`],
    /// [`Refused::MoreThanOwed`].
    pub fn correct(&self, amount: Money) -> Result<(), Refused> {
        refuse_if(amount.is_zero(), Refused::AmountOutOfRange { asked: amount })?;
        if amount.is_positive() {
            self.added.plus(amount)?;
            return Ok(());
        }
        let (added, asked) = (self.undoable()?, amount.negated()?);
        refuse_if(asked > added, Refused::MoreThanAdded { added, asked })?;
        let owed = self.recoverable()?;
        if asked > owed { Err(Refused::MoreThanOwed { owed, asked }) } else { Ok(()) }
    }

    /// What is available for a payout of this amount, which is included in [`Account::asked`]. Amounts that corrections
    /// took back come out of what is not settled yet, as far as possible, so that promised payouts stay covered.
    fn promised(&self, amount: Money) -> Result<Money, MoneyError> {
        let settled = self.settled.min(self.earned).plus(self.added)?;
        let owed = self.earned.plus(self.corrected()?)?;
        settled.min(owed).minus(self.paid)?.minus(self.asked.minus(amount)?)
    }

    /// Whether this payout may be asked for.
    ///
    /// # Errors
    /// [`Refused::AmountOutOfRange`], [`Refused::NoDestination`],
    /// [`Refused::DestinationOnHold`], [`Refused::MoreThanPayable`],
    /// [`Refused::BelowMinimum`].
    pub fn ask(&self, asked: Money, of: &Publisher, rules: &PayoutRules, now: Timestamp) -> Result<(), Refused> {
        refuse_if(!asked.is_positive(), Refused::AmountOutOfRange { asked })?;
        rules.destination(of, now)?;
        let payable = self.payable()?;
        refuse_if(asked > payable, Refused::MoreThanPayable { payable, asked })?;
        rules.check_enough(asked, of.status)
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
        rules.may_pay(of, asked_at, now)?;
        let payable = self.promised(amount)?.max(Money::ZERO);
        refuse_if(amount > payable, Refused::MoreThanPayable { payable, asked: amount })?;
        rules.check_enough(amount, of.status)
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
    const EARNED: Account = Account {
        earned: money(1_000),
        settled: money(800),
        paid: money(200),
        asked: money(150),
        added: money(0),
        taken_back: money(0),
        given_back: money(0),
    };

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
    fn what_was_added_may_be_taken_back_as_far_as_it_is_owed_and_not_promised() {
        let added = Account { added: money(40), taken_back: money(10), ..EARNED };
        assert_eq!((added.undoable(), added.correct(money(-30))), (Ok(money(30)), Ok(())));
        let more = Refused::MoreThanAdded { added: money(30), asked: money(31) };
        assert_eq!(added.correct(money(-31)), Err(more));
        // The money that bills gave it belongs to those who were billed.
        assert_eq!(EARNED.correct(money(-1)), Err(Refused::MoreThanAdded { added: money(0), asked: money(1) }));
        assert_eq!(EARNED.recoverable(), Ok(money(650)));
        let paid = Account { paid: money(870), ..added };
        assert_eq!(paid.correct(money(-30)), Err(Refused::MoreThanOwed { owed: money(10), asked: money(30) }));
        assert_eq!(EARNED.correct(money(0)), Err(Refused::AmountOutOfRange { asked: money(0) }));
        assert_eq!(EARNED.correct(money(i64::MIN)), Err(Refused::Overflow));
        assert_eq!(EARNED.correct(money(1)), Ok(()));
        let full = Account { added: money(i64::MAX), ..Account::default() };
        assert_eq!(full.correct(money(1)), Err(Refused::Overflow));
        let overdrawn = Account { paid: money(900), ..EARNED };
        assert_eq!((overdrawn.recoverable(), overdrawn.payable()), (Ok(money(0)), Ok(money(0))));
    }

    #[test]
    fn corrections_change_what_is_payable_at_once() {
        let added = Account { added: money(30), ..EARNED };
        assert_eq!(
            (added.payable(), added.recoverable(), added.corrected()),
            (Ok(money(480)), Ok(money(680)), Ok(money(30)))
        );
        let taken = Account { given_back: money(30), ..EARNED };
        assert_eq!(
            (taken.payable(), taken.recoverable(), taken.corrected()),
            (Ok(money(420)), Ok(money(620)), Ok(money(-30)))
        );
        // Everything that was not promised is taken back; what was promised is still there.
        let all = Account { given_back: money(650), ..EARNED };
        assert_eq!((all.payable(), all.recoverable()), (Ok(money(0)), Ok(money(0))));
        assert_eq!(all.covers((money(150), NOW), &publisher(1), &RULES, NOW), Ok(()));
        let one_more = Account { given_back: money(651), ..EARNED };
        let refused = Refused::MoreThanPayable { payable: money(149), asked: money(150) };
        assert_eq!(one_more.covers((money(150), NOW), &publisher(1), &RULES, NOW), Err(refused));
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
