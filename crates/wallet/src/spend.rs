//! Transfers whose only rule is that the account has the money.

use base::Money;

use crate::books::{Account, Leg, PlatformAccount, Postings, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, check_covered, positive};

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

/// Moves money from one account to another.
pub(crate) fn spend(
    kind: TransactionKind,
    wallet: &Wallet,
    from: UserAccount,
    flow: Option<FlowKind>,
    to: Leg,
    amount: Money,
) -> Result<Postings, Refused> {
    positive(amount)?;
    let account = wallet.account(from);
    check_covered(account, wallet.balance(from), amount)?;
    Postings::new(kind).transfer(Leg { account, flow }, to, amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    #[test]
    fn vip_is_paid_from_available() {
        let rich = Wallet { available: money(9), ..wallet() };
        let postings = subscribe_vip(&rich, money(9)).expect("accepted");
        assert_eq!(lines(&postings), ["available -9 vip_subscription", "vip_revenue 9"]);
    }

    #[test]
    fn no_more_than_is_there_and_not_nothing() {
        let poor = Wallet { available: money(8), ..wallet() };
        assert!(matches!(subscribe_vip(&poor, money(9)), Err(Refused::InsufficientBalance { .. })));
        for minor in [0, -1] {
            assert_eq!(subscribe_vip(&poor, money(minor)), Err(Refused::AmountOutOfRange { asked: money(minor) }));
        }
    }
}
