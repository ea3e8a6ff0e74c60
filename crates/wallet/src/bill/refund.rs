//! Giving back what a plan was billed for events that should not have counted.

use base::{Money, PublisherId, UserId, refuse_if};

use crate::books::{Account, PlatformAccount, Postings, UserAccount};
use crate::kinds::{FlowKind, TransactionKind};
use crate::refused::{Refused, positive};

/// An amount, split by whose money it is: what a plan was billed less what was given back, or a refund.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paid {
    pub own: Money,
    pub promotional: Money,
    pub coupon: Money,
}

impl Paid {
    /// # Errors
    /// [`Refused::Overflow`] for figures that no plan has.
    pub fn total(self) -> Result<Money, Refused> {
        Ok(self.own.plus(self.promotional)?.plus(self.coupon)?)
    }

    /// Splits a refund by whose money it is. Coupon and credit are used first, so they would have been used even
    /// without the refunded events. That is why the user's own money comes back first, then credit, then the coupon's
    /// part.
    ///
    /// # Errors
    /// [`Refused::AmountOutOfRange`] for nothing or less, or for more than was paid.
    pub fn refund(self, amount: Money) -> Result<Self, Refused> {
        positive(amount)?;
        let own = amount.min(self.own);
        let promotional = amount.minus(own)?.min(self.promotional);
        let coupon = amount.minus(own)?.minus(promotional)?;
        refuse_if(coupon > self.coupon, Refused::AmountOutOfRange { asked: amount })?;
        Ok(Self { own, promotional, coupon })
    }
}

/// The user whose plan a refund is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refunded {
    pub user: UserId,
    /// Whether the account is cancelled. Nobody can use its credit then, so credit goes back to the platform.
    pub cancelled: bool,
}

/// Gives a refund back to where it came from. `taken` is what its publisher gives back of it;
/// the rest comes from the platform's revenue.
///
/// # Errors
/// [`Refused::AmountOutOfRange`] for nothing or less, or for more than the refund.
pub fn refund_delivery(
    Refunded { user, cancelled }: Refunded,
    refund: Paid,
    (publisher, taken): (PublisherId, Money),
) -> Result<Postings, Refused> {
    let amount = refund.total()?;
    positive(amount)?;
    refuse_if(taken.is_negative() || taken > amount, Refused::AmountOutOfRange { asked: taken })?;
    let promotion_cost = Account::Platform(PlatformAccount::PromotionCost);
    let promotional = Account::User(user, UserAccount::Promotional).shown(FlowKind::Refund);
    let to = [
        (Account::User(user, UserAccount::Available).shown(FlowKind::Refund), refund.own),
        (if cancelled { promotion_cost.into() } else { promotional }, refund.promotional),
        (promotion_cost.into(), refund.coupon),
    ];
    let mut left = taken;
    let mut postings = Postings::new(TransactionKind::DeliveryRefunded);
    for (to, part) in to {
        let by_publisher = part.min(left);
        left = left.minus(by_publisher)?;
        let by_platform = part.minus(by_publisher)?;
        postings = postings.transfer(Account::Publisher(publisher), to, by_publisher)?;
        postings = postings.transfer(Account::Platform(PlatformAccount::DeliveryRevenue), to, by_platform)?;
    }
    Ok(postings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lines, money};

    fn paid(own: i64, promotional: i64, coupon: i64) -> Paid {
        Paid { own: money(own), promotional: money(promotional), coupon: money(coupon) }
    }

    fn refunded(refund: Paid, taken: i64) -> Result<Vec<String>, Refused> {
        refunded_to(false, refund, taken)
    }

    fn refunded_to(cancelled: bool, refund: Paid, taken: i64) -> Result<Vec<String>, Refused> {
        let to = Refunded { user: UserId(1), cancelled };
        refund_delivery(to, refund, (PublisherId(3), money(taken))).map(|postings| lines(&postings))
    }

    #[test]
    fn own_money_comes_back_first() {
        let all = paid(30, 20, 10);
        assert_eq!(all.refund(money(30)), Ok(paid(30, 0, 0)));
        assert_eq!(all.refund(money(31)), Ok(paid(30, 1, 0)));
        assert_eq!(all.refund(money(60)), Ok(all));
        for minor in [0, -1, 61] {
            assert_eq!(all.refund(money(minor)), Err(Refused::AmountOutOfRange { asked: money(minor) }));
        }
    }

    #[test]
    fn what_the_publisher_does_not_give_back_is_the_platforms() {
        let expected = ["publisher:3 -7", "available 10 refund", "delivery_revenue -3"];
        assert_eq!(refunded(paid(10, 0, 0), 7).expect("accepted"), expected);
        assert_eq!(
            refunded(paid(10, 5, 2), 12).expect("accepted"),
            [
                "publisher:3 -12",
                "available 10 refund",
                "promotional 5 refund",
                "delivery_revenue -5",
                "promotion_cost 2",
            ]
        );
        assert_eq!(refunded(paid(1, 0, 0), 0).expect("accepted"), ["delivery_revenue -1", "available 1 refund"]);
    }

    #[test]
    fn credit_of_a_cancelled_account_is_the_platforms_again() {
        let expected = ["publisher:3 -12", "available 10 refund", "promotion_cost 7", "delivery_revenue -5"];
        assert_eq!(refunded_to(true, paid(10, 5, 2), 12).expect("accepted"), expected);
    }

    #[test]
    fn nobody_gives_more_than_comes_back() {
        for (refund, taken) in [(paid(10, 0, 0), 11), (paid(10, 0, 0), -1), (paid(0, 0, 0), 0)] {
            assert!(matches!(refunded(refund, taken), Err(Refused::AmountOutOfRange { .. })), "{refund:?} {taken}");
        }
    }
}
