//! Why a use case failed. `http-api` maps these errors to codes; this module knows
//! no HTTP and no language.

use std::collections::BTreeMap;

use auth::Barred;
use auth::vault::VaultError;
use base::{Field, MoneyError};
use coupons::InapplicableReason;
use plans::{AddRefused, NotNow, PutRefused, ScheduleRefused};
use store::Fault;
use wallet::Refused;

use crate::Refusal;

/// Each wrong field with the key of its problem.
pub type Fields = BTreeMap<Field, &'static str>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("wrong fields: {0:?}")]
    Fields(Fields),
    #[error("not signed in")]
    NotSignedIn,
    /// The ticket is unknown, used or expired. The same code as not being signed in.
    #[error("the ticket is not valid")]
    TicketInvalid,
    #[error("the session has ended")]
    SessionExpired,
    #[error(transparent)]
    Barred(#[from] Barred),
    #[error("the username is taken")]
    UserExists,
    /// The request is valid but refused.
    #[error("refused: {}", .0.key())]
    Refused(Refusal),
    #[error("too many attempts, again in {retry_after} s")]
    TooManyRequests { retry_after: i64 },
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A fault on our side; clients can do nothing about it.
    #[error("internal: {0}")]
    Internal(String),
}

impl Error {
    pub fn field(name: Field, problem: &'static str) -> Self {
        Self::Fields(Fields::from([(name, problem)]))
    }

    /// # Errors
    /// This problem of the field, if it is so.
    pub fn field_if(is_so: bool, name: Field, problem: &'static str) -> Result<(), Self> {
        if is_so { Err(Self::field(name, problem)) } else { Ok(()) }
    }

    /// The answer takes too long to wait for it. What only reads has done nothing; anything else
    /// may still be done.
    pub fn unanswered(only_reads: bool) -> Self {
        match only_reads {
            true => store::Error::Overloaded.into(),
            false => store::Error::InDoubt("there was no answer in time".into()).into(),
        }
    }

    /// The stable key that clients match on.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Fields(_) => "params",
            Self::NotSignedIn => "no_auth",
            Self::TicketInvalid => Refusal::TicketInvalid.key(),
            Self::SessionExpired => "token_expired",
            Self::Barred(Barred::NotActivated) => "account_not_activated",
            Self::Barred(Barred::Disabled) => "account_disabled",
            Self::Barred(Barred::Cancelled) => "account_cancelled",
            Self::UserExists => "user_exists",
            Self::Refused(refusal) => refusal.key(),
            Self::TooManyRequests { .. } => "too_many_requests",
            Self::Store(store::Error::InDoubt(_)) => "outcome_unknown",
            Self::Store(error) if error.is_busy() || error.is_away() || error.is_full() => "overloaded",
            Self::Store(_) | Self::Internal(_) => "server_error",
        }
    }

    /// The key of the user's text, below `errors` in the locale files.
    pub fn text(&self) -> &'static str {
        match self {
            Self::Refused(refusal) => refusal.text(),
            other => other.key(),
        }
    }
}

/// Lets errors of the database and of storage become the variant of an error that holds an [`Error`](crate::Error).
#[macro_export]
macro_rules! holds_error {
    ($name:ident::$variant:ident) => {
        impl From<store::Error> for $name {
            fn from(error: store::Error) -> Self {
                Self::$variant(error.into())
            }
        }

        impl From<objects::Error> for $name {
            fn from(error: objects::Error) -> Self {
                Self::$variant(error.into())
            }
        }

        impl store::Fault for $name {
            fn database_error(&self) -> Option<&store::Error> {
                match self {
                    Self::$variant(error) => store::Fault::database_error(error),
                    _ => None,
                }
            }
        }
    };
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

impl From<content::Unfit> for Error {
    fn from(unfit: content::Unfit) -> Self {
        Self::Internal(unfit.0)
    }
}

impl From<auth::hashing::HashError> for Error {
    fn from(error: auth::hashing::HashError) -> Self {
        Self::Internal(error.to_string())
    }
}

/// The ledger's refusals. Some are caused by a user's request, the others only by our
/// own bugs.
impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        let refusal = match refused {
            Refused::AmountOutOfRange { .. } | Refused::Overflow => Refusal::AmountOutOfRange,
            Refused::InsufficientBalance { .. } => Refusal::InsufficientBalance,
            Refused::StartupFundsOutstanding { outstanding } => Refusal::StartupFundsOutstanding { outstanding },
            Refused::ChargebackDue { due } => Refusal::ChargebackDue { due },
            Refused::FundsSetAside { withdrawing, exchanging } => Refusal::FundsSetAside { withdrawing, exchanging },
            Refused::BankCardNotBound => Refusal::BankCardNotBound,
            Refused::AcceptorLimitExceeded { limit } => Refusal::AcceptorLimitExceeded { limit },
            Refused::PlansUnderWay => Refusal::PlansUnderWay,
            Refused::SecondPersonNeeded => Refusal::SecondPersonNeeded,
            Refused::AlreadyDecided { .. } => Refusal::AlreadyDecided,
            Refused::RequestExpired => Refusal::RequestExpired,
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
    fn database_error(&self) -> Option<&store::Error> {
        match self {
            Self::Store(error) => Some(error),
            _ => None,
        }
    }

    fn is_refusal(&self) -> bool {
        !matches!(self, Self::Store(_) | Self::Internal(_))
    }
}

/// The figures of a publisher's account, or of a bill.
impl From<supply::Refused> for Error {
    fn from(refused: supply::Refused) -> Self {
        use supply::Refused;
        match refused {
            Refused::NoDestination => Self::field(Field::Destination, "required"),
            Refused::DestinationOnHold { .. } => Self::field(Field::Destination, "on_hold"),
            Refused::DestinationChanged => Refusal::ProposalStale.into(),
            Refused::MoreThanPayable { .. } => Self::field(Field::Amount, "more_than_payable"),
            Refused::MoreThanAdded { .. } => Self::field(Field::Amount, "more_than_added"),
            Refused::MoreThanOwed { .. } => Self::field(Field::Amount, "more_than_owed"),
            Refused::MoreThanDelivered => Self::field(Field::Sum, "more_than_delivered"),
            Refused::BelowMinimum { .. } => Self::field(Field::Amount, "below_minimum"),
            Refused::AmountOutOfRange { .. } | Refused::Overflow => Refusal::AmountOutOfRange.into(),
            Refused::StatusNotPossible { .. } => Self::field(Field::Status, "closed"),
            Refused::BillMismatch { .. } | Refused::SlotTwice(_) | Refused::NotPossible(_) => {
                Self::Internal(refused.to_string())
            }
        }
    }
}

impl From<PutRefused> for Error {
    fn from(refused: PutRefused) -> Self {
        match refused {
            PutRefused::AmountOutOfRange { .. } | PutRefused::Overflow => Refusal::InvestmentOutOfRange.into(),
            PutRefused::NoSuchContent => Self::field(Field::Content, "invalid"),
            PutRefused::NotPuttable => Refusal::PlanNotPuttable.into(),
        }
    }
}

impl From<coupons::Refused> for Error {
    fn from(refused: coupons::Refused) -> Self {
        let refusal = match refused.reason() {
            InapplicableReason::Used => Refusal::CouponUsed,
            InapplicableReason::Expired => Refusal::CouponExpired,
            InapplicableReason::DailyLimit => Refusal::CouponDailyLimit,
            InapplicableReason::NotApplicable => Refusal::CouponNotApplicable,
            InapplicableReason::AmountOutOfRange => Refusal::AmountOutOfRange,
        };
        refusal.into()
    }
}

impl From<AddRefused> for Error {
    fn from(refused: AddRefused) -> Self {
        let refusal = match refused {
            AddRefused::NotRunning => Refusal::PlanNotRunning,
            AddRefused::Full(limit) => Refusal::PlanBudgetFull { limit },
            AddRefused::AmountOutOfRange(_) => Refusal::InvestmentOutOfRange,
        };
        refusal.into()
    }
}

impl From<ScheduleRefused> for Error {
    fn from(refused: ScheduleRefused) -> Self {
        match refused {
            ScheduleRefused::NotRunning => Refusal::PlanNotRunning.into(),
            ScheduleRefused::HasBegun => Self::field(Field::BeginsAt, "has_begun"),
            ScheduleRefused::BeginsInPast => Self::field(Field::BeginsAt, "in_past"),
            ScheduleRefused::BeginsTooLate => Self::field(Field::BeginsAt, "too_far_ahead"),
            ScheduleRefused::EndsTooEarly => Self::field(Field::EndsAt, "too_early"),
            ScheduleRefused::NeverOpens => Self::field(Field::Hours, "never"),
        }
    }
}

impl From<NotNow> for Error {
    fn from(_: NotNow) -> Self {
        Refusal::PlanNotPuttable.into()
    }
}

impl From<VaultError> for Error {
    fn from(error: VaultError) -> Self {
        Self::Internal(error.to_string())
    }
}
