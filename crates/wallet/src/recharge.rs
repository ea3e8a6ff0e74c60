//! Recharges. An approved recharge is available at once; it stays on the clearing
//! account until a line of the bank is matched to it.

use base::Money;

use crate::books::{Account, PlatformAccount, Postings, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, positive};

pub fn recharge(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    Postings::new(TransactionKind::Recharge).transfer(
        Account::Platform(PlatformAccount::RechargeClearing),
        wallet.account(UserAccount::Available).shown(FlowKind::SystemTopUp),
        amount,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    #[test]
    fn adds_to_available() {
        let postings = recharge(&wallet(), money(500)).expect("accepted");
        assert_eq!(lines(&postings), ["recharge_clearing -500", "available 500 system_top_up"]);
    }

    #[test]
    fn nothing_and_less_are_refused() {
        for minor in [0, -1] {
            assert_eq!(recharge(&wallet(), money(minor)), Err(Refused::AmountOutOfRange { asked: money(minor) }));
        }
    }
}
