//! Settlement: pending money becomes available, less the platform's fee.

use base::{Money, Rate};

use crate::books::{Account, PlatformAccount, Postings, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, check_covered, positive};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settle {
    /// What the plan earned, before the fee.
    pub gross: Money,
    /// The fee agreed when the plan was put; the fee is rounded down.
    pub fee_rate: Rate,
}

/// Gross amount and fee are separate lines, so that the lines the user sees add up to
/// the change of `available`.
pub fn settle(wallet: &Wallet, settle: &Settle) -> Result<Postings, Refused> {
    positive(settle.gross)?;
    let pending = wallet.account(UserAccount::Pending);
    check_covered(pending, wallet.pending, settle.gross)?;
    let fee = settle.gross.share(settle.fee_rate)?;
    let available = wallet.account(UserAccount::Available);
    Postings::new(TransactionKind::Settlement)
        .transfer(pending, available.shown(FlowKind::Settlement), settle.gross)?
        .transfer(available.shown(FlowKind::ProfitSharing), Account::Platform(PlatformAccount::Fees), fee)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    fn settled(gross: i64, rate: &str) -> Result<Postings, Refused> {
        let wallet = Wallet { pending: money(1_000), ..wallet() };
        settle(&wallet, &Settle { gross: money(gross), fee_rate: rate.parse().expect("a rate") })
    }

    #[test]
    fn the_fee_is_a_line_of_its_own_and_rounded_down() {
        let postings = settled(199, "0.05").expect("accepted");
        let expected = ["pending -199", "available 199 settlement", "available -9 profit_sharing", "fees 9"];
        assert_eq!(lines(&postings), expected);
    }

    #[test]
    fn without_a_fee_there_is_no_such_line() {
        assert_eq!(lines(&settled(199, "0").expect("accepted")), ["pending -199", "available 199 settlement"]);
    }

    #[test]
    fn a_fee_may_take_all() {
        assert!(settled(1_000, "1").is_ok());
    }

    #[test]
    fn more_than_is_pending_is_refused() {
        assert!(matches!(settled(1_001, "0.05"), Err(Refused::InsufficientBalance { .. })));
        assert_eq!(settled(0, "0.05"), Err(Refused::AmountOutOfRange { asked: money(0) }));
    }
}
