//! The bank took a recharge back. It is taken from what the user has available;
//! the platform writes off the rest, since no balance may become negative.

use base::Money;

use crate::books::{Account, PlatformAccount, Postings, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, positive};

pub fn charge_back(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    let from_user = amount.min(wallet.available);
    let bank = Account::Platform(PlatformAccount::Bank);
    let available = wallet.account(UserAccount::Available);
    Postings::new(TransactionKind::Chargeback)
        .transfer(available.shown(FlowKind::SystemChargeback), bank, from_user)?
        .transfer(Account::Platform(PlatformAccount::WriteOffs), bank, amount.minus(from_user)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    fn charged(available: i64, amount: i64) -> Vec<String> {
        let wallet = Wallet { available: money(available), ..wallet() };
        lines(&charge_back(&wallet, money(amount)).expect("accepted"))
    }

    #[test]
    fn the_user_bears_what_is_there() {
        assert_eq!(charged(100, 100), ["available -100 system_chargeback", "bank 100"]);
    }

    #[test]
    fn the_rest_is_written_off() {
        assert_eq!(charged(30, 100), ["available -30 system_chargeback", "bank 100", "write_offs -70"]);
        assert_eq!(charged(0, 100), ["write_offs -100", "bank 100"]);
    }

    #[test]
    fn nothing_is_refused() {
        assert!(charge_back(&wallet(), money(0)).is_err());
    }
}
