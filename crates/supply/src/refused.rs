//! The reasons for refusing, with the figures behind them.

use base::{Money, MoneyError, SlotId, Timestamp};

use crate::publisher::PublisherStatus;

/// A refusal. It changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The publisher's status does not lead there.
    #[error("{from} cannot become {to}")]
    StatusNotPossible { from: PublisherStatus, to: PublisherStatus },
    /// The slots' events do not cost what is billed. This is a bug in the caller.
    #[error("{billed} billed, {cost_milli} thousandths delivered")]
    BillMismatch { billed: Money, cost_milli: i64 },
    /// A slot is listed twice in one bill. This is a bug in the caller.
    #[error("slot {0} is there twice")]
    SlotTwice(SlotId),
    /// A cost is negative, or a carry is larger than the amount that it was carried from. This is a bug in the caller.
    #[error("the figures of slot {0} are not possible")]
    NotPossible(SlotId),
    /// There is no destination to pay to.
    #[error("no payout destination")]
    NoDestination,
    /// The destination is new. Its owner should have the time to object.
    #[error("nothing is paid out before {until}")]
    DestinationOnHold { until: Timestamp },
    /// The destination has changed since the payout was requested.
    #[error("the payout destination has changed")]
    DestinationChanged,
    /// The amount is zero or negative.
    #[error("the amount {asked} is out of range")]
    AmountOutOfRange { asked: Money },
    /// A payout costs money, so small ones wait.
    #[error("{asked} asked, at least {minimum} is paid out")]
    BelowMinimum { minimum: Money, asked: Money },
    /// The amount is more than was billed and settled, less what was paid and requested.
    #[error("{asked} asked, {payable} payable")]
    MoreThanPayable { payable: Money, asked: Money },
    /// A correction of an account takes back no more than corrections added.
    #[error("{asked} to be taken back, {added} added")]
    MoreThanAdded { added: Money, asked: Money },
    /// A correction takes back no more than is owed and not promised to a payout.
    #[error("{asked} to be taken back, {owed} owed")]
    MoreThanOwed { owed: Money, asked: Money },
    /// A correction gives back no more than the events cost that it is for.
    #[error("more than was delivered")]
    MoreThanDelivered,
    #[error("the amount is larger than can be kept")]
    Overflow,
}

impl From<MoneyError> for Refused {
    fn from(MoneyError::Overflow: MoneyError) -> Self {
        Self::Overflow
    }
}
