//! What putting an amount costs a user: coupon, promotional credit and fee rate. The
//! quote and the put both use this, so they cannot differ.

use base::{Money, Period, Rate, Timestamp, UserId, refuse_if};
use coupons::{BudgetSplit, Refused, State};
use foundation::{Error, Refusal};
use standing::{level_of, vip};
use store::Conn;
use store::offers::coupons::{self as rows, CouponUse, UserCoupon};
use store::people::users::{self, User};
use wallet::Wallet;

/// The facts about a user that prices depend on.
#[derive(Clone, Debug)]
pub(crate) struct Buyer {
    user: User,
    /// The coupons that the user has used recently.
    used: Vec<CouponUse>,
}

/// A budget, divided by who pays for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Price {
    /// The whole budget.
    pub budget: Money,
    /// The coupon's part of it.
    pub coupon: Money,
    /// The user's promotional credit, which is used before money.
    pub promotional: Money,
    /// The user's own money.
    pub available: Money,
}

impl Price {
    /// What the user pays in total.
    pub fn pays(&self) -> Result<Money, Error> {
        Ok(self.available.plus(self.promotional)?)
    }

    fn of(applied: BudgetSplit, promotional: Money) -> Result<Self, Refused> {
        let credit = applied.pays.min(promotional);
        let available = applied.pays.minus(credit)?;
        Ok(Self { budget: applied.budget, coupon: applied.platform_adds, promotional: credit, available })
    }
}

impl Buyer {
    /// A user who used these coupons, at least those that count on the day that prices are for.
    pub const fn new(user: User, used: Vec<CouponUse>) -> Self {
        Self { user, used }
    }

    pub fn load(conn: &mut Conn, user: UserId, day: Period) -> Result<Self, Error> {
        let found = users::find(conn, user)?.ok_or(Refusal::NotFound)?;
        let used = rows::find_uses(conn, &[(user, day.from)])?;
        Ok(Self::new(found, used.into_iter().map(|(_, used)| used).collect()))
    }

    /// Notes that another coupon was used.
    pub fn uses(&mut self, used: CouponUse) {
        self.used.push(used);
    }

    /// The price of an amount, with a coupon if one is chosen. Of coupons with one name,
    /// only one can be used in a day.
    ///
    /// # Errors
    /// What is against the coupon, or an amount that is too large with it. Whether there is enough money is up to the ledger.
    pub fn price(
        &self,
        wallet: &Wallet,
        amount: Money,
        coupon: Option<&UserCoupon>,
        day: Period,
        now: Timestamp,
    ) -> Result<Price, Refused> {
        let applied = match coupon {
            None => BudgetSplit::plain(amount),
            Some(held) => self.applied(held, amount, day, now)?,
        };
        Price::of(applied, wallet.promotional)
    }

    fn applied(&self, held: &UserCoupon, amount: Money, day: Period, now: Timestamp) -> Result<BudgetSplit, Refused> {
        let coupon = held.coupon();
        let that_day = |used: &CouponUse| used.definition == held.defined.id && used.counts_on(day);
        refuse_if(coupon.state(now) == State::Unused && self.used.iter().any(that_day), Refused::UsedThatDay)?;
        coupons::apply(&coupon, amount, now, self.user.operated_id.as_deref())
    }

    /// The rate agreed for a plan that is put now.
    pub fn fee_rate(&self, terms: Rate, now: Timestamp) -> Rate {
        vip::agreed_fee_rate(terms, self.user.is_vip(now), &level_of(self.user.settled_spend))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotes_reason_is_the_key_of_the_refusal() {
        let below = Refused::BelowMinimum { min: Money::ZERO };
        for refused in
            [Refused::Used, Refused::Expired, Refused::UsedThatDay, below, Refused::NotFollowing, Refused::Overflow]
        {
            assert_eq!(refused.reason().name(), Error::from(refused).key());
        }
    }
}
