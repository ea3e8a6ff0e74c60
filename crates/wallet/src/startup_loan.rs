//! Start-up funds: lent by the platform, spent like own money, and to be returned
//! before any withdrawal.

use base::{Money, refuse_if};

use crate::books::{Postings, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, check_covered, positive};

pub fn advance_startup_loan(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    Postings::new(TransactionKind::StartupLoanAdvanced).transfer(
        wallet.account(UserAccount::Advance),
        wallet.account(UserAccount::Available).shown(FlowKind::StartupFunds),
        amount,
    )
}

/// Returns start-up funds, at most what is outstanding.
pub fn repay_startup_loan(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    refuse_if(amount > wallet.startup_loan_outstanding()?, Refused::AmountOutOfRange { asked: amount })?;
    let available = wallet.account(UserAccount::Available);
    check_covered(available, wallet.available, amount)?;
    Postings::new(TransactionKind::StartupLoanRepaid).transfer(
        available.shown(FlowKind::StartupFunds),
        wallet.account(UserAccount::Advance),
        amount,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    fn owing() -> Wallet {
        Wallet { available: money(50), advance: money(-80), ..wallet() }
    }

    #[test]
    fn advanced_funds_are_owed() {
        let postings = advance_startup_loan(&wallet(), money(80)).expect("accepted");
        assert_eq!(lines(&postings), ["advance -80", "available 80 startup_funds"]);
        assert!(advance_startup_loan(&wallet(), money(0)).is_err());
    }

    #[test]
    fn returned_funds_lessen_the_debt() {
        let postings = repay_startup_loan(&owing(), money(50)).expect("accepted");
        assert_eq!(lines(&postings), ["available -50 startup_funds", "advance 50"]);
    }

    #[test]
    fn more_than_is_owed_or_there_is_refused() {
        assert_eq!(repay_startup_loan(&owing(), money(81)), Err(Refused::AmountOutOfRange { asked: money(81) }));
        assert!(matches!(repay_startup_loan(&owing(), money(51)), Err(Refused::InsufficientBalance { .. })));
        assert!(repay_startup_loan(&wallet(), money(1)).is_err());
        assert!(repay_startup_loan(&owing(), money(0)).is_err());
    }
}
