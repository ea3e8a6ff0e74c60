//! Promotional credit: granted at the platform's cost, and taken back when it is
//! revoked.

use base::Money;

use crate::books::{Account, PlatformAccount, Postings, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Wallet;
use crate::refused::{Refused, check_covered, positive};

const COST: Account = Account::Platform(PlatformAccount::PromotionCost);

pub fn grant_promotion(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    let promotional = wallet.account(UserAccount::Promotional);
    Postings::new(TransactionKind::PromotionGranted).transfer(COST, promotional.shown(FlowKind::Coupon), amount)
}

/// Takes back credit that has not been put on a plan.
pub fn revoke_promotion(wallet: &Wallet, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    let promotional = wallet.account(UserAccount::Promotional);
    check_covered(promotional, wallet.promotional, amount)?;
    let shown = promotional.shown(FlowKind::VirtualRechargeDeduction);
    Postings::new(TransactionKind::PromotionRevoked).transfer(shown, COST, amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money, wallet};

    #[test]
    fn granted_and_revoked() {
        let granted = grant_promotion(&wallet(), money(15)).expect("accepted");
        assert_eq!(lines(&granted), ["promotion_cost -15", "promotional 15 coupon"]);
        let wallet = Wallet { promotional: money(15), ..wallet() };
        let revoked = revoke_promotion(&wallet, money(15)).expect("accepted");
        assert_eq!(lines(&revoked), ["promotional -15 virtual_recharge_deduction", "promotion_cost 15"]);
    }

    #[test]
    fn spent_credit_cannot_be_revoked() {
        let wallet = Wallet { promotional: money(15), ..wallet() };
        assert!(matches!(revoke_promotion(&wallet, money(16)), Err(Refused::InsufficientBalance { .. })));
        assert!(revoke_promotion(&wallet, money(0)).is_err());
        assert!(grant_promotion(&wallet, money(0)).is_err());
    }
}
