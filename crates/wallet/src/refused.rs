//! The reasons for refusing, with the figures behind them.

use base::{AdvertiserId, Money, MoneyError, PlanId};

use crate::books::Account;

/// A refusal. It changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The amount is zero, negative, or more than the command can ever move.
    #[error("the amount {asked} is out of range")]
    AmountOutOfRange { asked: Money },
    /// The account has less than the requested amount.
    #[error("{asked} asked, {balance} available")]
    InsufficientBalance { account: Account, balance: Money, asked: Money },
    /// The bill exceeds what is left of the plan's budget.
    #[error("{asked} billed to plan {plan}, {held} left of its budget")]
    HoldExceeded { plan: PlanId, held: Money, asked: Money },
    /// Nothing is left to be released.
    #[error("nothing is held for plan {plan}")]
    NothingHeld { plan: PlanId },
    /// The advertiser's funds don't cover the conversion.
    #[error("{asked} asked, {claims} left of advertiser {advertiser}'s money")]
    AdvertiserFundsExhausted { advertiser: AdvertiserId, claims: Money, asked: Money },
    /// Start-up funds must be returned before a withdrawal.
    #[error("{outstanding} of start-up funds are outstanding")]
    StartupFundsOutstanding { outstanding: Money },
    /// What a chargeback could not take must be paid first.
    #[error("{due} of a chargeback is due")]
    ChargebackDue { due: Money },
    /// Money of the user's is in a withdrawal or an exchange that can still be given back.
    #[error("{withdrawing} is in withdrawals and {exchanging} in an exchange")]
    FundsSetAside { withdrawing: Money, exchanging: Money },
    /// There is no bank card or wallet address to pay to.
    #[error("no bank card is bound")]
    BankCardNotBound,
    /// More than the acceptor's limit per order, or per user and day.
    #[error("the acceptor takes at most {limit}")]
    AcceptorLimitExceeded { limit: Money },
    /// The deposit cannot be returned until every plan that was put is settled.
    #[error("plans are under way")]
    PlansUnderWay,
    /// Whoever requested or approved it cannot complete it.
    #[error("a second person is needed")]
    SecondPersonNeeded,
    /// The document was already decided.
    #[error("it is {status} already")]
    AlreadyDecided { status: &'static str },
    /// Nobody approved it in time.
    #[error("the request has expired")]
    RequestExpired,
    /// Nothing is paid before it is approved.
    #[error("it is not approved")]
    NotApproved,
    /// The balance of an account in the postings was not loaded. This is a bug in the
    /// caller, never the user's fault.
    #[error("the balance of {0:?} was not loaded")]
    NotLoaded(Account),
    #[error("the amount is larger than can be kept")]
    Overflow,
}

impl From<MoneyError> for Refused {
    fn from(MoneyError::Overflow: MoneyError) -> Self {
        Self::Overflow
    }
}

/// Refuses an amount that is not positive.
pub(crate) fn positive(asked: Money) -> Result<(), Refused> {
    if asked.is_positive() { Ok(()) } else { Err(Refused::AmountOutOfRange { asked }) }
}

/// Refuses to take more from an account than its balance.
pub(crate) fn check_covered(account: Account, balance: Money, asked: Money) -> Result<(), Refused> {
    if asked <= balance { Ok(()) } else { Err(Refused::InsufficientBalance { account, balance, asked }) }
}
