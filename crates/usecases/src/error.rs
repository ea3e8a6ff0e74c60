//! Why a use case did not do what was asked. The edge maps these to the
//! envelope's codes; nothing here knows HTTP or a language.

use std::collections::BTreeMap;

use base::{Money, MoneyError};
use store::Fault;
use wallet::Refused;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request itself is wrong: each field with the key of its problem.
    #[error("wrong fields: {0:?}")]
    Fields(BTreeMap<&'static str, &'static str>),
    /// The request is understood and not granted.
    #[error("refused: {}", .0.key())]
    Refused(Refusal),
    #[error(transparent)]
    Store(#[from] store::Error),
    /// Ours to repair: no client can do anything about it.
    #[error("internal: {0}")]
    Internal(String),
}

/// A refusal with the data its key promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    NotFound,
    InsufficientBalance,
    AmountOutOfRange,
    BankCardNotBound,
    StartupFundsOutstanding { outstanding: Money },
    StoreNotOpened,
    IdempotencyKeyReused,
    /// The bank's reference was credited before.
    ReferenceUsed,
    SecondPersonNeeded,
    AlreadyDecided,
    NotApproved,
}

impl Refusal {
    /// The stable key that clients match on.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::InsufficientBalance => "insufficient_balance",
            Self::AmountOutOfRange => "amount_out_of_range",
            Self::BankCardNotBound => "bank_card_not_bound",
            Self::StartupFundsOutstanding { .. } => "startup_funds_outstanding",
            Self::StoreNotOpened => "store_not_opened",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::ReferenceUsed => "reference_used",
            Self::SecondPersonNeeded => "second_person_needed",
            Self::AlreadyDecided => "already_decided",
            Self::NotApproved => "not_approved",
        }
    }
}

impl Error {
    pub fn field(name: &'static str, problem: &'static str) -> Self {
        Self::Fields(BTreeMap::from([(name, problem)]))
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<MoneyError> for Error {
    fn from(error: MoneyError) -> Self {
        Self::Internal(error.to_string())
    }
}

/// The ledger's refusals: those that a user's request can cause, and those
/// that only a fault of ours can.
impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        let refusal = match refused {
            Refused::AmountOutOfRange { .. } | Refused::Overflow => Refusal::AmountOutOfRange,
            Refused::InsufficientBalance { .. } => Refusal::InsufficientBalance,
            Refused::StartupFundsOutstanding { outstanding } => Refusal::StartupFundsOutstanding { outstanding },
            Refused::BankCardNotBound => Refusal::BankCardNotBound,
            Refused::SecondPersonNeeded => Refusal::SecondPersonNeeded,
            Refused::AlreadyDecided { .. } => Refusal::AlreadyDecided,
            Refused::NotApproved => Refusal::NotApproved,
            Refused::HoldExceeded { .. }
            | Refused::NothingHeld { .. }
            | Refused::AdvertiserFundsExhausted { .. }
            | Refused::NotLoaded(_) => return Self::Internal(refused.to_string()),
        };
        Self::Refused(refusal)
    }
}

impl Fault for Error {
    fn store_error(&self) -> Option<&store::Error> {
        match self {
            Self::Store(error) => Some(error),
            _ => None,
        }
    }
}
