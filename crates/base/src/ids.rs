//! Identifiers. Each has its own type, so a plan's id cannot be used as a user's.

use std::fmt;
use std::str::FromStr;

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        /// Parses the output of `Display`; anything else is not an id.
        impl FromStr for $name {
            type Err = NotAnId;
            fn from_str(text: &str) -> Result<Self, NotAnId> {
                match text.parse::<i64>() {
                    Ok(n) if n > 0 && !text.starts_with('+') => Ok(Self(n)),
                    _ => Err(NotAnId),
                }
            }
        }

        crate::stored::stored_as_number!($name: $name);

        #[cfg(feature = "views")]
        crate::views::shown_as_text!($name);
    )+};
}

/// The text is not an identifier, so there is nothing to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an id")]
pub struct NotAnId;

id!(
    UserId,
    OperatorId,
    AdvertiserId,
    ProductId,
    PlanId,
    SlotId,
    EventId,
    TransactionId,
    WithdrawalId,
    RequestId,
    AcceptorId,
    QuoteId,
    ExchangeOrderId,
    NotificationId,
    AnnouncementId,
    RechargeAnnouncementId,
    FeedbackId,
    MessageId,
    CouponId,
    CouponDefinitionId,
    BankStatementId,
    BankLineId,
    BankMatchId,
    NoteId,
    PublisherId,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_plain_numbers_are_ids() {
        assert_eq!("12".parse(), Ok(UserId(12)));
        for bad in ["", "0", "-1", "+1", "1e3", "abc", "99999999999999999999"] {
            assert_eq!(bad.parse::<UserId>(), Err(NotAnId), "{bad}");
        }
    }
}
