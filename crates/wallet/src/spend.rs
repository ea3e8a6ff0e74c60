//! Moves between available and another account of the user's, or the
//! platform's, that know no rule but that the money has to be there.

use base::Money;

use crate::accounts::{Account, PlatformAccount, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::postings::{Leg, Postings};
use crate::refused::{Refused, covered, positive};

/// Pays the VIP subscription.
pub fn subscribe_vip(wallet: &Wallet, price: Money) -> Result<Postings, Refused> {
    let to = Account::Platform(PlatformAccount::VipRevenue);
    spend(
        TransactionKind::VipSubscribed,
        wallet,
        UserAccount::Available,
        Some(FlowKind::VipSubscription),
        to.into(),
        price,
    )
}

/// Sets aside what an exchange with an acceptor is to cost.
pub fn put_exchange(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    let to = wallet.account(UserAccount::Exchanging);
    spend(TransactionKind::ExchangePut, wallet, UserAccount::Available, Some(FlowKind::Exchange), to.into(), amount)
}

/// The acceptor has paid: what was set aside is the platform's.
pub fn complete_exchange(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    let to = Account::Platform(PlatformAccount::ExchangeClearing);
    spend(TransactionKind::ExchangeCompleted, wallet, UserAccount::Exchanging, None, to.into(), amount)
}

/// Gives back what was set aside.
pub fn cancel_exchange(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    let to = wallet.account(UserAccount::Available).shown(FlowKind::Refund);
    spend(TransactionKind::ExchangeCancelled, wallet, UserAccount::Exchanging, None, to, amount)
}

pub fn pay_deposit(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    let to = wallet.account(UserAccount::Deposit);
    spend(TransactionKind::DepositPaid, wallet, UserAccount::Available, Some(FlowKind::Deposit), to.into(), amount)
}

pub fn return_deposit(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    let to = wallet.account(UserAccount::Available).shown(FlowKind::Deposit);
    spend(TransactionKind::DepositReturned, wallet, UserAccount::Deposit, None, to, amount)
}

fn spend(
    kind: TransactionKind,
    wallet: &Wallet,
    from: UserAccount,
    flow: Option<FlowKind>,
    to: Leg,
    amount: Money,
) -> Result<Postings, Refused> {
    positive(amount)?;
    let account = wallet.account(from);
    covered(account, wallet.balance(from), amount)?;
    Postings::new(kind).transfer(Leg { account, flow }, to, amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    type Decision = fn(&Wallet, Money) -> Result<Postings, Refused>;

    const DECISIONS: [(Decision, [&str; 2]); 6] = [
        (subscribe_vip, ["available -9 vip_subscription", "vip_revenue 9"]),
        (put_exchange, ["available -9 exchange", "exchanging 9"]),
        (complete_exchange, ["exchanging -9", "exchange_clearing 9"]),
        (cancel_exchange, ["exchanging -9", "available 9 refund"]),
        (pay_deposit, ["available -9 deposit", "deposit 9"]),
        (return_deposit, ["deposit -9", "available 9 deposit"]),
    ];

    #[test]
    fn each_moves_what_is_there_and_no_more() {
        let wallet = Wallet { available: money(9), exchanging: money(9), deposit: money(9), ..wallet() };
        for (decide, expected) in DECISIONS {
            assert_eq!(lines(&decide(&wallet, money(9)).expect("accepted")), expected);
            assert!(matches!(decide(&wallet, money(10)), Err(Refused::InsufficientBalance { .. })));
            assert_eq!(decide(&wallet, money(0)), Err(Refused::AmountOutOfRange { asked: money(0) }));
        }
    }
}
