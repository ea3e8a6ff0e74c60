//! Start-up funds: lent by the platform, spent like own money, and to be returned
//! before any withdrawal.

use base::Money;

use crate::books::{Postings, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, covered, positive};

pub fn advance_startup_funds(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    Postings::new(TransactionKind::StartupAdvanced).transfer(
        wallet.account(UserAccount::Advance),
        wallet.account(UserAccount::Available).shown(FlowKind::StartupFunds),
        amount,
    )
}

/// Returns start-up funds, at most what is outstanding.
pub fn return_startup_funds(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    if amount > wallet.startup_outstanding()? {
        return Err(Refused::AmountOutOfRange { asked: amount });
    }
    let available = wallet.account(UserAccount::Available);
    covered(available, wallet.available, amount)?;
    Postings::new(TransactionKind::StartupReturned).transfer(
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
        let postings = advance_startup_funds(&wallet(), money(80)).expect("accepted");
        assert_eq!(lines(&postings), ["advance -80", "available 80 startup_funds"]);
        assert!(advance_startup_funds(&wallet(), money(0)).is_err());
    }

    #[test]
    fn returned_funds_lessen_the_debt() {
        let postings = return_startup_funds(&owing(), money(50)).expect("accepted");
        assert_eq!(lines(&postings), ["available -50 startup_funds", "advance 50"]);
    }

    #[test]
    fn more_than_is_owed_or_there_is_refused() {
        assert_eq!(return_startup_funds(&owing(), money(81)), Err(Refused::AmountOutOfRange { asked: money(81) }));
        assert!(matches!(return_startup_funds(&owing(), money(51)), Err(Refused::InsufficientBalance { .. })));
        assert!(return_startup_funds(&wallet(), money(1)).is_err());
        assert!(return_startup_funds(&owing(), money(0)).is_err());
    }
}
