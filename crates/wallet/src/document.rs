//! The document that causes a transaction, and that its statement lines refer to.

use base::{BankLineId, ExchangeOrderId, PlanId, RequestId, UserId, WithdrawalId, named};

use crate::request::RequestDocument;

named!(
    /// What a line of the statement can be about.
    DocumentKind {
        Plan "plan",
        Conversion "conversion",
        Withdrawal "withdrawal",
        Exchange "exchange",
        Deposit "deposit",
        Startup "startup",
        Vip "vip",
        BankLine "bank_line",
        Recharge "recharge",
        Chargeback "chargeback",
        Promotion "promotion",
        StartupAdvance "startup_advance",
        AdvertiserFund "advertiser_fund",
        DeliveryRefund "delivery_refund",
    }
);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// What was put on it, billed to it, and returned from it.
    Plan(PlanId),
    /// The id of the conversion.
    Conversion(i64),
    Withdrawal(WithdrawalId),
    Exchange(ExchangeOrderId),
    /// The user whose deposit it is.
    Deposit(UserId),
    /// The user who returned start-up funds; advancing them is a request.
    Startup(UserId),
    /// The subscriber.
    Vip(UserId),
    /// A bank line that was matched, or whose match was undone.
    BankLine(BankLineId),
    Request(RequestDocument, RequestId),
    /// What a correction of delivery gives back to one plan's user.
    DeliveryRefund(i64),
}

impl Document {
    /// The name that is stored and hashed. Never change one.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plan(_) => "plan",
            Self::Conversion(_) => "conversion",
            Self::Withdrawal(_) => "withdrawal",
            Self::Exchange(_) => "exchange",
            Self::Deposit(_) => "deposit",
            Self::Startup(_) => "startup",
            Self::Vip(_) => "vip",
            Self::BankLine(_) => "bank_line",
            Self::Request(document, _) => document.name(),
            Self::DeliveryRefund(_) => "delivery_refund",
        }
    }

    pub const fn number(self) -> i64 {
        match self {
            Self::Conversion(number) | Self::DeliveryRefund(number) => number,
            Self::Plan(id) => id.0,
            Self::Withdrawal(id) => id.0,
            Self::Exchange(id) => id.0,
            Self::Deposit(user) | Self::Startup(user) | Self::Vip(user) => user.0,
            Self::BankLine(id) => id.0,
            Self::Request(_, id) => id.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Existing databases and hashes contain these names.
    #[test]
    fn names_and_numbers_are_those_that_are_kept() {
        let request = |document| Document::Request(document, RequestId(9));
        let kept = [
            (Document::Plan(PlanId(1)), "plan", 1),
            (Document::Conversion(2), "conversion", 2),
            (Document::Withdrawal(WithdrawalId(3)), "withdrawal", 3),
            (Document::Exchange(ExchangeOrderId(4)), "exchange", 4),
            (Document::Deposit(UserId(5)), "deposit", 5),
            (Document::Startup(UserId(6)), "startup", 6),
            (Document::Vip(UserId(7)), "vip", 7),
            (Document::BankLine(BankLineId(8)), "bank_line", 8),
            (request(RequestDocument::Recharge), "recharge", 9),
            (request(RequestDocument::Chargeback), "chargeback", 9),
            (request(RequestDocument::Promotion), "promotion", 9),
            (request(RequestDocument::StartupLoan), "startup_advance", 9),
            (request(RequestDocument::AdvertiserFund), "advertiser_fund", 9),
            (Document::DeliveryRefund(10), "delivery_refund", 10),
        ];
        assert_eq!(kept.len(), DocumentKind::ALL.len());
        for (document, name, number) in kept {
            assert_eq!((document.name(), document.number()), (name, number));
            assert_eq!(DocumentKind::from_name(name).map(DocumentKind::name), Some(name));
        }
    }
}
