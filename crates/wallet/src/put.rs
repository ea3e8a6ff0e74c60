//! Putting money on a plan. It is held for the plan by source, so that unspent
//! money can go back there.

use base::{Money, PlanId};

use crate::books::{Account, PlatformAccount, Postings, Source, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::{Hold, Wallet};
use crate::refused::{Refused, check_covered, positive};
use crate::spend::spend;

/// The parts of a budget: none negative, and the sum positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PutOnPlan {
    pub plan: PlanId,
    /// The user's own money.
    pub available: Money,
    /// The user's promotional credit.
    pub promotional: Money,
    /// What a coupon adds, at the platform's cost.
    pub coupon: Money,
}

pub fn put_on_plan(wallet: &Wallet, put: &PutOnPlan) -> Result<Postings, Refused> {
    positive(Money::sum([put.available, put.promotional, put.coupon])?)?;
    let (available, promotional) = (UserAccount::Available, UserAccount::Promotional);
    check_covered(wallet.account(available), wallet.available, put.available)?;
    check_covered(wallet.account(promotional), wallet.promotional, put.promotional)?;

    let hold = Hold::empty(wallet.user, put.plan);
    Postings::new(TransactionKind::PlanPut)
        .transfer(wallet.account(available).shown(FlowKind::AdServing), hold.account(Source::Available), put.available)?
        .transfer(
            wallet.account(promotional).shown(FlowKind::Coupon),
            hold.account(Source::Promotional),
            put.promotional,
        )?
        .transfer(
            Account::Platform(PlatformAccount::PromotionCost),
            hold.account(Source::Coupon).shown(FlowKind::Coupon),
            put.coupon,
        )
}

/// Adds the user's own money to what a plan holds.
pub fn add_to_plan(wallet: &Wallet, hold: &Hold, amount: Money) -> Result<Postings, Refused> {
    let held = hold.account(Source::Available).into();
    spend(TransactionKind::PlanAdded, wallet, UserAccount::Available, Some(FlowKind::AdServing), held, amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{hold, lines, money, wallet};

    fn put(available: i64, promotional: i64, coupon: i64) -> Result<Postings, Refused> {
        let wallet = Wallet { available: money(100), promotional: money(10), ..wallet() };
        let parts = PutOnPlan {
            plan: PlanId(7),
            available: money(available),
            promotional: money(promotional),
            coupon: money(coupon),
        };
        put_on_plan(&wallet, &parts)
    }

    #[test]
    fn every_part_is_held_under_its_source() {
        let postings = put(100, 10, 5).expect("accepted");
        let expected = [
            "available -100 ad_serving",
            "hold.available 100",
            "promotional -10 coupon",
            "hold.promotional 10",
            "promotion_cost -5",
            "hold.coupon 5 coupon",
        ];
        assert_eq!(lines(&postings), expected);
    }

    #[test]
    fn parts_of_zero_write_nothing() {
        assert_eq!(lines(&put(40, 0, 0).expect("accepted")), ["available -40 ad_serving", "hold.available 40"]);
    }

    #[test]
    fn more_than_there_is_is_refused() {
        let refused = |account, balance, asked| {
            Err(Refused::InsufficientBalance {
                account: wallet().account(account),
                balance: money(balance),
                asked: money(asked),
            })
        };
        assert_eq!(put(101, 0, 0), refused(UserAccount::Available, 100, 101));
        assert_eq!(put(50, 11, 0), refused(UserAccount::Promotional, 10, 11));
    }

    #[test]
    fn nothing_and_less_are_refused() {
        for (available, promotional, coupon) in [(0, 0, 0), (-1, 0, 0), (5, -1, 0), (5, 0, -1), (-5, 5, 5)] {
            assert!(matches!(put(available, promotional, coupon), Err(Refused::AmountOutOfRange { .. })));
        }
    }

    #[test]
    fn what_is_added_is_held_as_the_users_own() {
        let wallet = Wallet { available: money(100), promotional: money(10), ..wallet() };
        let add = |minor| add_to_plan(&wallet, &hold(30, 20, 10), money(minor));
        let postings = add(100).expect("accepted");
        assert_eq!(postings.kind(), TransactionKind::PlanAdded);
        assert_eq!(lines(&postings), ["available -100 ad_serving", "hold.available 100"]);
        let (account, balance) = (wallet.account(UserAccount::Available), money(100));
        assert_eq!(add(101), Err(Refused::InsufficientBalance { account, balance, asked: money(101) }));
        for minor in [0, -1] {
            assert_eq!(add(minor), Err(Refused::AmountOutOfRange { asked: money(minor) }));
        }
    }

    #[test]
    fn a_sum_that_cannot_be_kept_is_refused() {
        assert_eq!(put(i64::MAX, 1, 0), Err(Refused::Overflow));
    }
}
