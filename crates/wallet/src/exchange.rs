//! Exchanges with an acceptor. The user's amount is set aside, the acceptor pays
//! it out in another currency, and two operators confirm that.
//!
//! The foreign amount is only on the order; the ledger knows the platform
//! currency alone.

mod band;

use base::{Money, OperatorId, Timestamp, coded, refuse_if};
use rust_decimal::{Decimal, RoundingStrategy};

use crate::approval::{Approval, FirstDecision, SecondOperator};
use crate::books::{Account, PlatformAccount, Postings, UserAccount};
use crate::chargeback::nothing_due;
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, positive};
use crate::spend::spend;

pub use band::{BAND_DAYS, Band};

coded!(
    /// The legal form of an acceptor.
    AcceptorType {
        Personal = 1 "personal",
        Enterprise = 2 "enterprise",
    }
);

coded!(
    ExchangeStatus {
        Pending = 0 "pending",
        Completed = 1 "completed",
        Cancelled = 2 "cancelled",
    }
);

/// How long a quote may hold. Typing a password takes up to half a minute; after a day a rate is out of date.
pub const QUOTE_SECONDS: std::ops::RangeInclusive<i32> = 30..=86_400;
/// The longest time that a quote can hold, so no quote is older when it is used.
pub const LONGEST_QUOTE_MILLIS: i64 = 86_400_000;

/// The limits of an acceptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeLimits {
    pub per_order: Money,
    /// Per user and day.
    pub per_day: Option<Money>,
}

impl ExchangeLimits {
    /// Whether an order is within the limits if `today` was ordered earlier that day.
    pub fn allow(&self, amount: Money, today: Money) -> Result<(), Refused> {
        let within = |asked: Money, limit| if asked <= limit { Ok(()) } else { Err(limit) };
        let day = self.per_day.map_or(Ok(()), |limit| within(today.plus(amount).map_err(|_| limit)?, limit));
        within(amount, self.per_order).and(day).map_err(|limit| Refused::AcceptorLimitExceeded { limit })
    }
}

/// The foreign amount for `amount`, rounded down to the currency's decimals.
///
/// # Errors
/// `AmountOutOfRange` if that is zero.
pub fn exchanged(amount: Money, rate: Decimal, decimals: u32) -> Result<Decimal, Refused> {
    let units = Decimal::new(amount.minor(), Money::DECIMALS);
    let product = units.checked_mul(rate).ok_or(Refused::Overflow)?;
    let mut paid = product.round_dp_with_strategy(decimals, RoundingStrategy::ToZero);
    refuse_if(paid <= Decimal::ZERO, Refused::AmountOutOfRange { asked: amount })?;
    paid.rescale(decimals);
    Ok(paid)
}

/// Sets the amount aside. Because the money leaves, start-up funds must be returned
/// and what is due of chargebacks paid first, as for a withdrawal.
pub fn put_exchange(wallet: &Wallet, amount: Money, due: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    let outstanding = wallet.startup_loan_outstanding()?;
    refuse_if(outstanding.is_positive(), Refused::StartupFundsOutstanding { outstanding })?;
    nothing_due(due)?;
    let to = wallet.account(UserAccount::Exchanging);
    spend(TransactionKind::ExchangePut, wallet, UserAccount::Available, Some(FlowKind::Exchange), to.into(), amount)
}

/// The acceptor has paid: the amount goes to the platform.
pub fn complete_exchange(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    let to = Account::Platform(PlatformAccount::ExchangeClearing);
    spend(TransactionKind::ExchangeCompleted, wallet, UserAccount::Exchanging, None, to.into(), amount)
}

/// Returns the amount to `available`.
pub fn cancel_exchange(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    let to = wallet.account(UserAccount::Available).shown(FlowKind::Refund);
    spend(TransactionKind::ExchangeCancelled, wallet, UserAccount::Exchanging, None, to, amount)
}

/// The state of an order that decisions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExchangeReview {
    pub status: ExchangeStatus,
    /// Who handed it to the acceptor.
    pub approved_by: Option<OperatorId>,
    /// The person that operator counted as at the time of the approval.
    pub approved_person: Option<OperatorId>,
    pub approved_at: Option<Timestamp>,
}

impl ExchangeReview {
    /// The first of two steps: the order goes to the acceptor.
    pub fn approve(self, by: OperatorId, person: impl Fn(OperatorId) -> OperatorId) -> Result<Self, Refused> {
        self.approval().ask()?;
        Ok(Self { approved_by: Some(by), approved_person: Some(person(by)), ..self })
    }

    /// The second step: the acceptor has paid. `person` returns which person an operator
    /// counts as.
    pub fn complete(
        self,
        by: impl Into<SecondOperator>,
        person: impl Fn(OperatorId) -> OperatorId,
    ) -> Result<Self, Refused> {
        self.approval().agree(by, person)?;
        Ok(Self { status: ExchangeStatus::Completed, ..self })
    }

    /// Its user or one operator may cancel it until it has gone to the acceptor.
    pub fn cancel(self) -> Result<Self, Refused> {
        self.approval().ask()?;
        Ok(Self { status: ExchangeStatus::Cancelled, ..self })
    }

    /// Cancels an order that has gone to the acceptor: two people say that it was not paid.
    pub fn give_back(self) -> Result<Self, Refused> {
        self.approval().give_back()?;
        Ok(Self { status: ExchangeStatus::Cancelled, ..self })
    }

    fn approval(self) -> Approval {
        match (self.status, self.approved_by) {
            (ExchangeStatus::Pending, None) => Approval::Open,
            (ExchangeStatus::Pending, Some(by)) => {
                Approval::Asked(FirstDecision { by, person: self.approved_person, at: self.approved_at })
            }
            (decided @ (ExchangeStatus::Completed | ExchangeStatus::Cancelled), _) => Approval::Decided(decided.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    const ANN: OperatorId = OperatorId(1);
    const BOB: OperatorId = OperatorId(2);
    const PUT: ExchangeReview =
        ExchangeReview { status: ExchangeStatus::Pending, approved_by: None, approved_person: None, approved_at: None };

    fn rich() -> Wallet {
        Wallet { available: money(9), exchanging: money(9), ..wallet() }
    }

    fn decimal(text: &str) -> Decimal {
        text.parse().expect("a decimal")
    }

    #[test]
    fn no_quote_is_older_than_the_longest() {
        assert_eq!(i64::from(*QUOTE_SECONDS.end()) * 1_000, LONGEST_QUOTE_MILLIS);
    }

    #[test]
    fn set_aside_then_paid_or_given_back() {
        let told = |postings: Result<Postings, Refused>| lines(&postings.expect("accepted"));
        assert_eq!(told(put_exchange(&rich(), money(9), Money::ZERO)), ["available -9 exchange", "exchanging 9"]);
        assert_eq!(told(complete_exchange(&rich(), money(9))), ["exchanging -9", "exchange_clearing 9"]);
        assert_eq!(told(cancel_exchange(&rich(), money(9))), ["exchanging -9", "available 9 refund"]);
    }

    #[test]
    fn no_more_than_is_there_and_not_nothing() {
        let all = |minor| {
            let (rich, amount) = (rich(), money(minor));
            let put = put_exchange(&rich, amount, Money::ZERO);
            [put, complete_exchange(&rich, amount), cancel_exchange(&rich, amount)]
        };
        for decided in all(10) {
            assert!(matches!(decided, Err(Refused::InsufficientBalance { .. })));
        }
        for minor in [0, -1] {
            let refused = Err(Refused::AmountOutOfRange { asked: money(minor) });
            assert_eq!(all(minor), [refused.clone(), refused.clone(), refused]);
        }
    }

    #[test]
    fn nothing_leaves_while_start_up_funds_are_owed() {
        let owing = Wallet { advance: money(-5), ..rich() };
        let refused = |wallet: &Wallet, due| put_exchange(wallet, money(1), money(due)).expect_err("a debt");
        assert_eq!(refused(&owing, 0), Refused::StartupFundsOutstanding { outstanding: money(5) });
        assert_eq!(refused(&rich(), 7), Refused::ChargebackDue { due: money(7) });
        assert!(cancel_exchange(&owing, money(9)).is_ok());
    }

    #[test]
    fn limits_are_for_an_order_and_for_a_day() {
        let limits = ExchangeLimits { per_order: money(100), per_day: Some(money(150)) };
        let refused = |limit| Err(Refused::AcceptorLimitExceeded { limit: money(limit) });
        assert_eq!(limits.allow(money(100), money(50)), Ok(()));
        assert_eq!(limits.allow(money(101), money(0)), refused(100));
        assert_eq!(limits.allow(money(100), money(51)), refused(150));
        assert_eq!(limits.allow(money(1), money(i64::MAX)), refused(150));
        assert_eq!(ExchangeLimits { per_day: None, ..limits }.allow(money(100), money(i64::MAX)), Ok(()));
    }

    #[test]
    fn what_is_paid_is_rounded_down_to_the_currencys_decimals() {
        for (minor, rate, decimals, paid) in [
            (10_000, "0.9137", 2, "91.37"),
            (10_001, "0.9137", 2, "91.37"),
            (199, "157.456", 0, "313"),
            (100, "0.307", 3, "0.307"),
            (100, "2", 2, "2.00"),
            (100_000_000_000_000, "25000.123456", 0, "25000123456000000"),
        ] {
            let told = exchanged(money(minor), decimal(rate), decimals).map(|paid| paid.to_string());
            assert_eq!(told, Ok(paid.to_owned()), "{minor} at {rate}");
        }
    }

    #[test]
    fn nobody_gives_money_for_nothing() {
        let refused = Err(Refused::AmountOutOfRange { asked: money(1) });
        assert_eq!(exchanged(money(1), decimal("0.5"), 2), refused);
        assert_eq!(exchanged(money(1), decimal("99"), 0), refused);
    }

    #[test]
    fn two_people_complete_it() {
        assert_eq!(PUT.complete(BOB, |id| id), Err(Refused::NotApproved));
        let approved = PUT.approve(ANN, |id| id).expect("approved");
        assert_eq!(approved.approve(BOB, |id| id), Err(Refused::AlreadyDecided { status: "approved" }));
        assert_eq!(approved.complete(ANN, |id| id), Err(Refused::SecondPersonNeeded));
        assert_eq!(approved.complete(BOB, |id| id).map(|done| done.status), Ok(ExchangeStatus::Completed));
    }

    #[test]
    fn who_approved_stays_who_they_were_then() {
        // Ann holds another's key; later somebody says that she does not.
        let approved = PUT.approve(BOB, |_| ANN).expect("approved");
        assert_eq!(approved.complete(ANN, |id| id), Err(Refused::SecondPersonNeeded));
    }

    #[test]
    fn who_was_confirmed_after_the_approval_does_not_complete_it() {
        let at = Timestamp::from_seconds(1_000);
        let approved = ExchangeReview { approved_at: Some(at), ..PUT.approve(ANN, |id| id).expect("approved") };
        let confirmed = |at| SecondOperator { by: BOB, confirmed_at: Some(at) };
        assert_eq!(approved.complete(confirmed(at.plus_millis(1)), |id| id), Err(Refused::SecondPersonNeeded));
        assert!(approved.complete(confirmed(at), |id| id).is_ok());
    }

    #[test]
    fn what_has_gone_to_the_acceptor_is_given_back_and_not_cancelled() {
        assert_eq!(PUT.cancel().map(|done| done.status), Ok(ExchangeStatus::Cancelled));
        assert_eq!(PUT.give_back(), Err(Refused::NotApproved));
        let approved = PUT.approve(ANN, |id| id).expect("approved");
        assert_eq!(approved.cancel(), Err(Refused::AlreadyDecided { status: "approved" }));
        assert_eq!(approved.give_back().map(|done| done.status), Ok(ExchangeStatus::Cancelled));
    }

    #[test]
    fn a_decision_is_final() {
        let approved = PUT.approve(ANN, |id| id).expect("approved");
        let ends = [approved.complete(BOB, |id| id), approved.give_back(), PUT.cancel()];
        for done in ends.map(|end| end.expect("an end")) {
            let refused = Err(Refused::AlreadyDecided { status: done.status.name() });
            assert_eq!(done.approve(BOB, |id| id), refused);
            assert_eq!(done.complete(BOB, |id| id), refused);
            assert_eq!(done.cancel(), refused);
            assert_eq!(done.give_back(), refused);
        }
    }
}
