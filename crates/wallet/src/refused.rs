//! Why a decision was refused, with the figures that decided it.

use base::{AdvertiserId, Money, MoneyError, PlanId};

use crate::books::Account;

/// A refusal. Nothing has changed when one is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The amount is zero, negative, or above what the command can ever move.
    #[error("the amount {asked} is out of range")]
    AmountOutOfRange { asked: Money },
    /// The account does not hold what was asked of it.
    #[error("{asked} asked, {balance} there")]
    InsufficientBalance { account: Account, balance: Money, asked: Money },
    /// More was billed to a plan than is left of its budget.
    #[error("{asked} billed to plan {plan}, {held} left of its budget")]
    HoldExceeded { plan: PlanId, held: Money, asked: Money },
    /// Nothing is left to be released.
    #[error("nothing is held for plan {plan}")]
    NothingHeld { plan: PlanId },
    /// The advertiser's funds don't cover the conversion.
    #[error("advertiser {advertiser} has {claims} left, {asked} asked")]
    AdvertiserFundsExhausted { advertiser: AdvertiserId, claims: Money, asked: Money },
    /// Start-up funds have to be returned before anything is withdrawn.
    #[error("{outstanding} of start-up funds are outstanding")]
    StartupFundsOutstanding { outstanding: Money },
    /// There is no bank card or wallet address to pay to.
    #[error("no bank card is bound")]
    BankCardNotBound,
    /// More than an acceptor takes in one order, or of one user on one day.
    #[error("the acceptor takes at most {limit}")]
    AcceptorLimitExceeded { limit: Money },
    /// A deposit stays until every plan that was put is settled.
    #[error("plans are under way")]
    PlansUnderWay,
    /// The one who asked or approved cannot be the one who completes it.
    #[error("a second person is needed")]
    SecondPersonNeeded,
    /// The document has been decided on before.
    #[error("it is {status} already")]
    AlreadyDecided { status: &'static str },
    /// Nobody approved it in time.
    #[error("the request has expired")]
    RequestExpired,
    /// Nothing is paid before it is approved.
    #[error("it is not approved")]
    NotApproved,
    /// Postings reached an account whose balance was not loaded. This is a
    /// fault of the shell, never of the user.
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

/// Refuses an amount that is not above zero.
pub(crate) fn positive(asked: Money) -> Result<(), Refused> {
    if asked.is_positive() { Ok(()) } else { Err(Refused::AmountOutOfRange { asked }) }
}

/// Refuses to take more from an account than it holds.
pub(crate) fn covered(account: Account, balance: Money, asked: Money) -> Result<(), Refused> {
    if asked <= balance { Ok(()) } else { Err(Refused::InsufficientBalance { account, balance, asked }) }
}
