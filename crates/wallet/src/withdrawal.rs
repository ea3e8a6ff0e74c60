//! Withdrawals: requested by the user, then rejected or paid.

use base::Money;

use crate::books::{Account, PlatformAccount, Postings, UserAccount};
use crate::chargeback::nothing_due;
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, check_covered, positive};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Withdraw {
    pub amount: Money,
    /// Whether a bank card or wallet address is bound to pay to.
    pub card_bound: bool,
    /// What chargebacks could not take, which the user still owes.
    pub due: Money,
}

/// The smallest amount of a withdrawal.
const LEAST: Money = Money::from_minor(1);

/// Moves the amount from `available` to `withdrawing`. Refusals are checked in the
/// order in which a user can resolve them: amount, card, start-up funds, chargebacks, balance.
pub fn withdraw(wallet: &Wallet, withdraw: &Withdraw) -> Result<Postings, Refused> {
    positive(withdraw.amount)?;
    if let Some(first) = barriers(wallet, withdraw.card_bound, withdraw.due)?.into_iter().next() {
        return Err(first);
    }
    let available = wallet.account(UserAccount::Available);
    check_covered(available, wallet.available, withdraw.amount)?;
    Postings::new(TransactionKind::WithdrawalAsked).transfer(
        available.shown(FlowKind::ManualWithdrawal),
        wallet.account(UserAccount::Withdrawing),
        withdraw.amount,
    )
}

/// Everything that prevents a withdrawal of any amount, in the order in which
/// [`withdraw`] checks it.
pub fn withdrawal_barriers(wallet: &Wallet, card_bound: bool, due: Money) -> Result<Vec<Refused>, Refused> {
    let mut all = barriers(wallet, card_bound, due)?;
    all.extend(check_covered(wallet.account(UserAccount::Available), wallet.available, LEAST).err());
    Ok(all)
}

fn barriers(wallet: &Wallet, card_bound: bool, due: Money) -> Result<Vec<Refused>, Refused> {
    let card = (!card_bound).then_some(Refused::BankCardNotBound);
    let outstanding = wallet.startup_loan_outstanding()?;
    let debt = outstanding.is_positive().then_some(Refused::StartupFundsOutstanding { outstanding });
    Ok(card.into_iter().chain(debt).chain(nothing_due(due).err()).collect())
}

/// Returns the amount to `available`.
pub fn reject_withdrawal(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    let withdrawing = set_aside(wallet, amount)?;
    let available = wallet.account(UserAccount::Available);
    Postings::new(TransactionKind::WithdrawalRejected).transfer(withdrawing, available.shown(FlowKind::Refund), amount)
}

/// Moves the amount on to the bank.
pub fn pay_withdrawal(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    let withdrawing = set_aside(wallet, amount)?;
    let transit = Account::Platform(PlatformAccount::PayoutTransit);
    Postings::new(TransactionKind::WithdrawalPaid).transfer(withdrawing, transit, amount)
}

fn set_aside(wallet: &Wallet, amount: Money) -> Result<Account, Refused> {
    positive(amount)?;
    let withdrawing = wallet.account(UserAccount::Withdrawing);
    check_covered(withdrawing, wallet.withdrawing, amount)?;
    Ok(withdrawing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    fn rich() -> Wallet {
        Wallet { available: money(100), withdrawing: money(40), ..wallet() }
    }

    fn of(minor: i64) -> Withdraw {
        Withdraw { amount: money(minor), card_bound: true, due: Money::ZERO }
    }

    #[test]
    fn the_amount_is_set_aside() {
        let postings = withdraw(&rich(), &of(100)).expect("accepted");
        assert_eq!(lines(&postings), ["available -100 manual_withdrawal", "withdrawing 100"]);
    }

    #[test]
    fn nothing_and_less_are_refused() {
        for minor in [0, -1, i64::MIN] {
            assert_eq!(withdraw(&rich(), &of(minor)), Err(Refused::AmountOutOfRange { asked: money(minor) }));
        }
    }

    #[test]
    fn more_than_available_is_refused() {
        let (account, balance, asked) = (rich().account(UserAccount::Available), money(100), money(101));
        assert_eq!(withdraw(&rich(), &of(101)), Err(Refused::InsufficientBalance { account, balance, asked }));
    }

    #[test]
    fn start_up_funds_have_to_be_returned_first() {
        let owing = Wallet { advance: money(-30), ..rich() };
        assert_eq!(withdraw(&owing, &of(1)), Err(Refused::StartupFundsOutstanding { outstanding: money(30) }));
    }

    #[test]
    fn what_a_chargeback_did_not_find_has_to_be_paid_first() {
        let command = Withdraw { due: money(70), ..of(1) };
        assert_eq!(withdraw(&rich(), &command), Err(Refused::ChargebackDue { due: money(70) }));
        let all = withdrawal_barriers(&rich(), true, money(70)).expect("decided");
        assert_eq!(all, [Refused::ChargebackDue { due: money(70) }]);
    }

    #[test]
    fn a_card_has_to_be_bound() {
        let command = Withdraw { card_bound: false, ..of(1) };
        assert_eq!(withdraw(&rich(), &command), Err(Refused::BankCardNotBound));
    }

    #[test]
    fn rejected_goes_back_and_paid_goes_out() {
        let rejected = reject_withdrawal(&rich(), money(40)).expect("accepted");
        assert_eq!(lines(&rejected), ["withdrawing -40", "available 40 refund"]);
        let paid = pay_withdrawal(&rich(), money(40)).expect("accepted");
        assert_eq!(lines(&paid), ["withdrawing -40", "payout_transit 40"]);
    }

    #[test]
    fn only_what_was_set_aside_can_be_decided_on() {
        assert!(matches!(reject_withdrawal(&rich(), money(41)), Err(Refused::InsufficientBalance { .. })));
        assert!(matches!(pay_withdrawal(&rich(), money(41)), Err(Refused::InsufficientBalance { .. })));
        assert!(pay_withdrawal(&rich(), money(0)).is_err());
    }
}
