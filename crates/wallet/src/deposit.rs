//! The deposit: a security that users pay in from `available`, and can take back
//! while no plan is running.

use base::{Money, refuse_if};

use crate::books::{Postings, UserAccount};
use crate::chargeback::nothing_due;
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::Refused;
use crate::spend::spend;

pub fn pay_deposit(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    let to = wallet.account(UserAccount::Deposit);
    spend(TransactionKind::DepositPaid, wallet, UserAccount::Available, Some(FlowKind::Deposit), to.into(), amount)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnDeposit {
    pub amount: Money,
    /// Whether any plan was put and is not yet settled.
    pub plans_under_way: bool,
    /// What chargebacks could not take, which the user still owes.
    pub due: Money,
}

pub fn return_deposit(wallet: &Wallet, command: &ReturnDeposit) -> Result<Postings, Refused> {
    refuse_if(command.plans_under_way, Refused::PlansUnderWay)?;
    nothing_due(command.due)?;
    let to = wallet.account(UserAccount::Available).shown(FlowKind::Deposit);
    spend(TransactionKind::DepositReturned, wallet, UserAccount::Deposit, None, to, command.amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    fn rich() -> Wallet {
        Wallet { available: money(9), deposit: money(9), ..wallet() }
    }

    fn of(minor: i64) -> ReturnDeposit {
        ReturnDeposit { amount: money(minor), plans_under_way: false, due: Money::ZERO }
    }

    #[test]
    fn paid_in_and_taken_back() {
        let paid = pay_deposit(&rich(), money(9)).expect("accepted");
        assert_eq!(lines(&paid), ["available -9 deposit", "deposit 9"]);
        let back = return_deposit(&rich(), &of(9)).expect("accepted");
        assert_eq!(lines(&back), ["deposit -9", "available 9 deposit"]);
    }

    #[test]
    fn no_more_than_is_there_and_not_nothing() {
        assert!(matches!(pay_deposit(&rich(), money(10)), Err(Refused::InsufficientBalance { .. })));
        assert!(matches!(return_deposit(&rich(), &of(10)), Err(Refused::InsufficientBalance { .. })));
        for minor in [0, -1] {
            let refused = Err(Refused::AmountOutOfRange { asked: money(minor) });
            assert_eq!(pay_deposit(&rich(), money(minor)), refused);
            assert_eq!(return_deposit(&rich(), &of(minor)), refused);
        }
    }

    #[test]
    fn it_stays_while_plans_are_under_way() {
        let command = ReturnDeposit { plans_under_way: true, ..of(1) };
        assert_eq!(return_deposit(&rich(), &command), Err(Refused::PlansUnderWay));
    }

    #[test]
    fn it_stays_while_a_chargeback_is_due() {
        let command = ReturnDeposit { due: money(3), ..of(1) };
        assert_eq!(return_deposit(&rich(), &command), Err(Refused::ChargebackDue { due: money(3) }));
    }
}
