//! A publisher's month: what its slots showed, what that earned, and what was paid. An ad exchange is a publisher
//! as well, whose slot is an auction.

use std::collections::{BTreeMap, BTreeSet};

use base::{Money, MoneyError, SlotId, Timestamp, refuse_if};

/// The results of an exchange's auctions. A publisher with slots of its own has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Auctions {
    /// Impressions for which an ad was offered.
    pub bids: i64,
    /// Offers of which the exchange said that they have won.
    pub wins: i64,
    /// Views that its notice alone reports, as they are counted by day.
    pub unconfirmed: i64,
}

impl Auctions {
    fn plus(self, other: Self) -> Result<Self, MoneyError> {
        Ok(Self {
            bids: plus(self.bids, other.bids)?,
            wins: plus(self.wins, other.wins)?,
            unconfirmed: plus(self.unconfirmed, other.unconfirmed)?,
        })
    }

    const fn is_sound(self) -> bool {
        self.bids >= 0 && self.wins >= 0 && self.unconfirmed >= 0
    }
}

fn plus(one: i64, more: i64) -> Result<i64, MoneyError> {
    one.checked_add(more).ok_or(MoneyError::Overflow)
}

/// The figures of slots in any period.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Figures {
    pub impressions: i64,
    pub clicks: i64,
    /// Impressions that were in view for long enough.
    pub viewable: i64,
    /// Events that do not count, by the code of the reason that is stored with them.
    pub filtered: BTreeMap<i16, i64>,
    pub auctions: Auctions,
    pub earned: Money,
}

impl Figures {
    pub fn all_filtered(&self) -> i64 {
        self.filtered.values().fold(0, |sum, number| sum.saturating_add(*number))
    }

    /// # Errors
    /// [`MoneyError::Overflow`].
    pub fn add(&mut self, other: &Self) -> Result<(), MoneyError> {
        self.impressions = plus(self.impressions, other.impressions)?;
        self.clicks = plus(self.clicks, other.clicks)?;
        self.viewable = plus(self.viewable, other.viewable)?;
        self.auctions = self.auctions.plus(other.auctions)?;
        self.earned = self.earned.plus(other.earned)?;
        for (reason, number) in &other.filtered {
            let sum = self.filtered.entry(*reason).or_default();
            *sum = plus(*sum, *number)?;
        }
        Ok(())
    }

    fn is_sound(&self) -> bool {
        let counts = [self.impressions, self.clicks, self.viewable];
        let counted = counts.iter().chain(self.filtered.values()).all(|number| *number >= 0);
        counted && self.auctions.is_sound() && !self.earned.is_negative()
    }
}

/// A slot's day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotDay {
    /// The beginning of the day.
    pub day: Timestamp,
    pub slot: SlotId,
    pub figures: Figures,
}

/// A payout that was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    pub at: Timestamp,
    pub amount: Money,
    /// The bank's.
    pub reference: String,
}

/// What staff added to an account or took back from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    pub at: Timestamp,
    /// Negative if it was taken back.
    pub amount: Money,
    pub reason: String,
}

/// The movements besides earnings.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Movements {
    pub payments: Vec<Payment>,
    pub corrections: Vec<Correction>,
}

/// A month, whose parts agree with each other and with the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub opening: Money,
    /// By day, and then by slot.
    pub days: Vec<SlotDay>,
    pub payments: Vec<Payment>,
    pub corrections: Vec<Correction>,
    pub totals: Figures,
    pub paid: Money,
    /// The sum of the corrections.
    pub corrected: Money,
    pub closing: Money,
}

/// A contradiction in the figures. Such a statement is not shown: something was edited by hand, or there is a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Discrepancy {
    #[error("slot {slot} has two rows for {day}")]
    DayTwice { day: Timestamp, slot: SlotId },
    #[error("{at} is not in the month")]
    OutsideMonth { at: Timestamp },
    #[error("a figure of slot {slot} on {day} is negative")]
    Negative { day: Timestamp, slot: SlotId },
    /// Opening, earned, paid and corrected do not lead to the balance in the ledger.
    #[error("the movements lead to {moved}, and the balance is {closing}")]
    Balance { moved: Money, closing: Money },
    #[error("a sum is larger than can be kept")]
    Overflow,
}

impl From<MoneyError> for Discrepancy {
    fn from(MoneyError::Overflow: MoneyError) -> Self {
        Self::Overflow
    }
}

impl Statement {
    /// The statement of the month from `from` until before `until`. `opening` and `closing`
    /// are the balances of the publisher's account in the ledger at these times.
    ///
    /// # Errors
    /// The first thing that does not agree.
    pub fn new(
        (from, until): (Timestamp, Timestamp),
        (opening, closing): (Money, Money),
        mut days: Vec<SlotDay>,
        Movements { mut payments, mut corrections }: Movements,
    ) -> Result<Self, Discrepancy> {
        days.sort_by_key(|row| (row.day, row.slot));
        payments.sort_by_key(|payment| payment.at);
        corrections.sort_by_key(|correction| correction.at);
        let times = days.iter().map(|row| row.day).chain(payments.iter().map(|payment| payment.at));
        let times = times.chain(corrections.iter().map(|correction| correction.at));
        if let Some(at) = times.into_iter().find(|at| !(from..until).contains(at)) {
            return Err(Discrepancy::OutsideMonth { at });
        }
        let mut seen = BTreeSet::new();
        let mut totals = Figures::default();
        for SlotDay { day, slot, figures } in &days {
            let (day, slot) = (*day, *slot);
            refuse_if(!seen.insert((day, slot)), Discrepancy::DayTwice { day, slot })?;
            refuse_if(!figures.is_sound(), Discrepancy::Negative { day, slot })?;
            totals.add(figures)?;
        }
        let paid = Money::sum(payments.iter().map(|payment| payment.amount))?;
        let corrected = Money::sum(corrections.iter().map(|correction| correction.amount))?;
        let moved = opening.plus(totals.earned)?.minus(paid)?.plus(corrected)?;
        refuse_if(moved != closing, Discrepancy::Balance { moved, closing })?;
        Ok(Self { opening, days, payments, corrections, totals, paid, corrected, closing })
    }

    /// The figures of each slot, in the order of their numbers.
    ///
    /// # Errors
    /// Never, since the sums of all slots were possible.
    pub fn by_slot(&self) -> Result<BTreeMap<SlotId, Figures>, MoneyError> {
        let mut slots = BTreeMap::<SlotId, Figures>::new();
        for row in &self.days {
            slots.entry(row.slot).or_default().add(&row.figures)?;
        }
        Ok(slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: Timestamp = Timestamp::from_seconds(1_798_761_600);
    const UNTIL: Timestamp = FROM.plus_days(31);

    const fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    /// With a hundred impressions, two clicks and two kinds of filtered events.
    fn row(day: Timestamp, slot: i64, earned: i64) -> SlotDay {
        let filtered = BTreeMap::from([(1, 1), (3, 2)]);
        let auctions = Auctions { bids: 900, wins: 120, unconfirmed: 7 };
        let figures = Figures { impressions: 100, clicks: 2, viewable: 60, filtered, auctions, earned: money(earned) };
        SlotDay { day, slot: SlotId(slot), figures }
    }

    fn days() -> Vec<SlotDay> {
        vec![row(FROM.plus_days(1), 2, 20), row(FROM, 2, 10), row(FROM, 1, 30)]
    }

    fn payments() -> Vec<Payment> {
        let paid = |days, amount, reference: &str| Payment {
            at: FROM.plus_days(days),
            amount: money(amount),
            reference: reference.into(),
        };
        vec![paid(9, 100, "OUT-2"), paid(2, 300, "OUT-1")]
    }

    fn moved() -> Movements {
        Movements { payments: payments(), corrections: Vec::new() }
    }

    fn stated(days: Vec<SlotDay>, closing: i64) -> Result<Statement, Discrepancy> {
        Statement::new((FROM, UNTIL), (money(500), money(closing)), days, moved())
    }

    #[test]
    fn it_sums_up_its_days_and_lists_them_in_order() {
        let statement = stated(days(), 160).expect("a statement");
        let order: Vec<_> = statement.days.iter().map(|row| (row.day, row.slot.0)).collect();
        assert_eq!(order, [(FROM, 1), (FROM, 2), (FROM.plus_days(1), 2)]);
        let Figures { impressions, clicks, viewable, filtered, auctions, earned } = &statement.totals;
        assert_eq!((*impressions, *clicks, *viewable, earned.minor()), (300, 6, 180, 60));
        assert_eq!(filtered.iter().map(|(reason, n)| (*reason, *n)).collect::<Vec<_>>(), [(1, 3), (3, 6)]);
        assert_eq!(*auctions, Auctions { bids: 2_700, wins: 360, unconfirmed: 21 });
        assert_eq!((statement.totals.all_filtered(), statement.paid), (9, money(400)));
        let references: Vec<_> = statement.payments.iter().map(|payment| payment.reference.as_str()).collect();
        assert_eq!(references, ["OUT-1", "OUT-2"]);
        let slots = statement.by_slot().expect("sums");
        let earned: Vec<_> = slots.iter().map(|(slot, figures)| (slot.0, figures.earned.minor())).collect();
        assert_eq!(earned, [(1, 30), (2, 30)]);
    }

    #[test]
    fn a_month_without_events_has_balances() {
        let still = Statement::new((FROM, UNTIL), (money(90), money(90)), Vec::new(), Movements::default());
        let still = still.expect("a statement");
        assert_eq!((still.totals, still.closing), (Figures::default(), money(90)));
    }

    #[test]
    fn corrections_are_among_its_movements() {
        let correction =
            |days, minor| Correction { at: FROM.plus_days(days), amount: money(minor), reason: String::new() };
        let with = |corrections, closing| {
            let movements = Movements { corrections, ..moved() };
            Statement::new((FROM, UNTIL), (money(500), money(closing)), days(), movements)
        };
        let statement = with(vec![correction(3, -25), correction(2, 5)], 140).expect("a statement");
        assert_eq!((statement.corrected, statement.closing), (money(-20), money(140)));
        let order: Vec<_> = statement.corrections.iter().map(|one| one.amount.minor()).collect();
        assert_eq!(order, [5, -25]);
        let wrong = Discrepancy::Balance { moved: money(140), closing: money(160) };
        assert_eq!(with(vec![correction(3, -20)], 160), Err(wrong));
        assert_eq!(with(vec![correction(31, 0)], 160), Err(Discrepancy::OutsideMonth { at: UNTIL }));
    }

    #[test]
    fn what_does_not_agree_is_named() {
        let with = |other: SlotDay| stated(days().into_iter().chain([other]).collect(), 160);
        for at in [FROM.plus_millis(-1), UNTIL] {
            assert_eq!(with(row(at, 1, 0)), Err(Discrepancy::OutsideMonth { at }));
        }
        let last = UNTIL.plus_days(-1);
        assert!(with(row(last, 1, 0)).is_ok());
        assert_eq!(with(row(FROM, 1, 0)), Err(Discrepancy::DayTwice { day: FROM, slot: SlotId(1) }));
        assert_eq!(with(row(last, 1, -1)), Err(Discrepancy::Negative { day: last, slot: SlotId(1) }));
        let mut negative = row(last, 1, 0);
        negative.figures.filtered.insert(7, -1);
        assert_eq!(with(negative), Err(Discrepancy::Negative { day: last, slot: SlotId(1) }));
        for wrong in [(-1, 0, 0), (0, -1, 0), (0, 0, -1)] {
            let mut negative = row(last, 1, 0);
            negative.figures.auctions = Auctions { bids: wrong.0, wins: wrong.1, unconfirmed: wrong.2 };
            assert_eq!(with(negative), Err(Discrepancy::Negative { day: last, slot: SlotId(1) }));
        }
        assert_eq!(with(row(last, 1, 1)), Err(Discrepancy::Balance { moved: money(161), closing: money(160) }));
        let late = Statement::new((FROM, FROM.plus_days(5)), (money(500), money(160)), days(), moved());
        assert_eq!(late, Err(Discrepancy::OutsideMonth { at: FROM.plus_days(9) }));
        let huge = Statement::new((FROM, UNTIL), (money(i64::MAX), money(0)), days(), moved());
        assert_eq!(huge, Err(Discrepancy::Overflow));
    }
}
