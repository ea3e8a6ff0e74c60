//! Returning what a plan did not spend to where it came from.

use base::refuse_if;

use crate::books::{Account, PlatformAccount, Postings, Source, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Hold;
use crate::refused::Refused;

pub fn release(hold: &Hold) -> Result<Postings, Refused> {
    refuse_if(hold.total()?.is_zero(), Refused::NothingHeld { plan: hold.plan })?;
    let available = Account::User(hold.user, UserAccount::Available);
    let promotional = Account::User(hold.user, UserAccount::Promotional);
    let coupon = hold.account(Source::Coupon);
    Postings::new(TransactionKind::HoldReleased)
        .transfer(hold.account(Source::Available), available.shown(FlowKind::Refund), hold.available)?
        .transfer(hold.account(Source::Promotional), promotional.shown(FlowKind::Refund), hold.promotional)?
        .transfer(coupon.shown(FlowKind::Coupon), Account::Platform(PlatformAccount::PromotionCost), hold.coupon)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{hold, lines};

    #[test]
    fn every_source_gets_its_own_back() {
        let postings = release(&hold(30, 20, 10)).expect("accepted");
        let expected = [
            "hold.available -30",
            "available 30 refund",
            "hold.promotional -20",
            "promotional 20 refund",
            "hold.coupon -10 coupon",
            "promotion_cost 10",
        ];
        assert_eq!(lines(&postings), expected);
    }

    #[test]
    fn an_empty_hold_is_refused() {
        let empty = hold(0, 0, 0);
        assert_eq!(release(&empty), Err(Refused::NothingHeld { plan: empty.plan }));
    }
}
