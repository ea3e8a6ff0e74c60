//! The bank took a recharge back. It is taken from what the user has available, then from
//! the deposit. No balance may become negative, so the platform writes off the rest, which
//! stays due: two people collect it later, or waive it.

use base::Money;

use crate::books::{Account, PlatformAccount, Postings, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, check_covered, positive};

/// # Errors
/// [`Refused::FundsSetAside`] if it would leave something due while money of the user's is
/// in a withdrawal or an exchange: once that is given back, it can be taken.
pub fn charge_back(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    let from_user = amount.min(reachable(wallet)?);
    let left = amount.minus(from_user)?;
    let Wallet { withdrawing, exchanging, .. } = *wallet;
    if left.is_positive() && !(withdrawing.is_zero() && exchanging.is_zero()) {
        return Err(Refused::FundsSetAside { withdrawing, exchanging });
    }
    let bank = Account::Platform(PlatformAccount::Bank);
    take(Postings::new(TransactionKind::Chargeback), wallet, bank, from_user)?.transfer(
        Account::Platform(PlatformAccount::WriteOffs),
        bank,
        left,
    )
}

/// Takes what is due, or a part of it, once the user has it.
///
/// # Errors
/// [`Refused::AmountOutOfRange`] for more than is due; [`Refused::InsufficientBalance`].
pub fn collect_chargeback(wallet: &Wallet, due: Money, amount: Money) -> Result<Postings, Refused> {
    at_most(due, amount)?;
    check_covered(wallet.account(UserAccount::Available), reachable(wallet)?, amount)?;
    let write_offs = Account::Platform(PlatformAccount::WriteOffs);
    take(Postings::new(TransactionKind::ChargebackCollected), wallet, write_offs, amount)
}

/// Gives up what is due, or a part of it. Nothing moves: it was written off already.
///
/// # Errors
/// [`Refused::AmountOutOfRange`] for more than is due.
pub fn waive_chargeback(due: Money, amount: Money) -> Result<(), Refused> {
    at_most(due, amount)
}

/// Refuses money to leave while something is due.
pub(crate) fn nothing_due(due: Money) -> Result<(), Refused> {
    if due.is_positive() { Err(Refused::ChargebackDue { due }) } else { Ok(()) }
}

fn at_most(due: Money, amount: Money) -> Result<(), Refused> {
    positive(amount)?;
    if amount > due { Err(Refused::AmountOutOfRange { asked: amount }) } else { Ok(()) }
}

/// What can be taken from a user without taking it out of a plan, a withdrawal or an exchange.
fn reachable(wallet: &Wallet) -> Result<Money, Refused> {
    Ok(wallet.available.plus(wallet.deposit)?)
}

/// What is not available comes from the deposit, by way of `available`, so that the
/// statement shows both.
fn take(postings: Postings, wallet: &Wallet, to: Account, amount: Money) -> Result<Postings, Refused> {
    let from_deposit = amount.minus(amount.min(wallet.available))?;
    let (deposit, available) = (wallet.account(UserAccount::Deposit), wallet.account(UserAccount::Available));
    let postings = postings.transfer(deposit, available.shown(FlowKind::Deposit), from_deposit)?;
    postings.transfer(available.shown(FlowKind::SystemChargeback), to, amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    fn of(available: i64, deposit: i64) -> Wallet {
        Wallet { available: money(available), deposit: money(deposit), ..wallet() }
    }

    fn charged(wallet: &Wallet, amount: i64) -> Vec<String> {
        lines(&charge_back(wallet, money(amount)).expect("accepted"))
    }

    #[test]
    fn the_user_bears_what_is_there() {
        assert_eq!(charged(&of(100, 0), 100), ["available -100 system_chargeback", "bank 100"]);
    }

    #[test]
    fn what_is_not_available_comes_from_the_deposit() {
        let taken = ["deposit -70", "available 70 deposit", "available -100 system_chargeback", "bank 100"];
        assert_eq!(charged(&of(30, 90), 100), taken);
        assert_eq!(charged(&of(100, 90), 100), ["available -100 system_chargeback", "bank 100"]);
    }

    #[test]
    fn the_rest_is_written_off() {
        assert_eq!(charged(&of(30, 0), 100), ["available -30 system_chargeback", "bank 100", "write_offs -70"]);
        assert_eq!(charged(&of(0, 0), 100), ["write_offs -100", "bank 100"]);
    }

    #[test]
    fn nothing_stays_due_while_it_could_be_taken_back() {
        for (withdrawing, exchanging) in [(70, 0), (0, 70), (1, 1)] {
            let (withdrawing, exchanging) = (money(withdrawing), money(exchanging));
            let wallet = Wallet { withdrawing, exchanging, ..of(20, 10) };
            let refused = Err(Refused::FundsSetAside { withdrawing, exchanging });
            assert_eq!(charge_back(&wallet, money(31)), refused);
            assert!(charge_back(&wallet, money(30)).is_ok(), "all of it is there");
        }
    }

    #[test]
    fn nothing_is_refused() {
        assert!(charge_back(&wallet(), money(0)).is_err());
        assert!(collect_chargeback(&of(9, 0), money(9), money(0)).is_err());
        assert!(waive_chargeback(money(9), money(0)).is_err());
    }

    #[test]
    fn what_is_due_is_collected_once_it_is_there() {
        let collected = |wallet: &Wallet, due, amount| {
            collect_chargeback(wallet, money(due), money(amount)).map(|postings| lines(&postings))
        };
        let taken = ["available -70 system_chargeback", "write_offs 70"].map(str::to_owned).to_vec();
        assert_eq!(collected(&of(100, 0), 70, 70), Ok(taken));
        let both = ["deposit -40", "available 40 deposit", "available -70 system_chargeback", "write_offs 70"];
        assert_eq!(collected(&of(30, 50), 80, 70), Ok(both.map(str::to_owned).to_vec()));
        assert_eq!(collected(&of(100, 0), 70, 71), Err(Refused::AmountOutOfRange { asked: money(71) }));
        assert!(matches!(collected(&of(30, 39), 70, 70), Err(Refused::InsufficientBalance { .. })));
    }

    #[test]
    fn no_more_than_is_due_is_waived() {
        assert_eq!(waive_chargeback(money(70), money(70)), Ok(()));
        assert_eq!(waive_chargeback(money(70), money(71)), Err(Refused::AmountOutOfRange { asked: money(71) }));
    }
}
