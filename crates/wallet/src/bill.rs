//! Billing delivery to a plan. Coupons and credit are consumed first. Publishers get what
//! they have earned, and the rest is the platform's revenue.

mod refund;

use base::{Money, PublisherId, refuse_if};

use crate::books::{Account, PlatformAccount, Postings, Source};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Hold;
use crate::refused::{Refused, positive};

pub use refund::{Paid, Refunded, refund_delivery};

/// A coupon's part is consumed before promotional credit, and that before the
/// user's own money.
const CONSUMED: [Source; 3] = [Source::Coupon, Source::Promotional, Source::Available];

/// Takes `amount` from the plan's hold. `earned` says what each publisher gets of it.
///
/// # Errors
/// [`Refused::HoldExceeded`] for more than the hold has, [`Refused::AmountOutOfRange`] for
/// nothing or less, or for publishers who would get more than is billed.
pub fn bill(
    hold: &Hold,
    amount: Money,
    earned: impl IntoIterator<Item = (PublisherId, Money)>,
) -> Result<Postings, Refused> {
    positive(amount)?;
    let held = hold.total()?;
    refuse_if(amount > held, Refused::HoldExceeded { plan: hold.plan, held, asked: amount })?;
    let mut shares = Shares::of(amount, earned)?;
    let mut to_bill = amount;
    let mut postings = Postings::new(TransactionKind::DeliveryBilled);
    for source in CONSUMED {
        let part = to_bill.min(hold.remaining(source));
        let from = hold.account(source).shown(FlowKind::AdBilling);
        for (to, part) in shares.take(part)? {
            postings = postings.transfer(from, to, part)?;
        }
        to_bill = to_bill.minus(part)?;
    }
    Ok(postings)
}

/// Adds what exchanges are owed for earlier bills to a plan's bill, or to a transaction of its own if nothing is billed
/// now. Exchanges name their prices later than the bill, so the platform's revenue has had the money since. Nothing is
/// taken from the plan for it.
///
/// # Errors
/// [`Refused::AmountOutOfRange`] for nothing or less.
pub fn with_late_prices(
    bill: Option<Postings>,
    late: impl IntoIterator<Item = (PublisherId, Money)>,
) -> Result<Postings, Refused> {
    let mut postings = bill.unwrap_or_else(|| Postings::new(TransactionKind::DeliveryBilled));
    for (publisher, amount) in late {
        positive(amount)?;
        let revenue = Account::Platform(PlatformAccount::DeliveryRevenue);
        postings = postings.transfer(revenue, Account::Publisher(publisher), amount)?;
    }
    Ok(postings)
}

/// What each receiver still gets of a bill. The platform is last, so that it gets the rest.
struct Shares(Vec<(Account, Money)>);

impl Shares {
    fn of(amount: Money, earned: impl IntoIterator<Item = (PublisherId, Money)>) -> Result<Self, Refused> {
        let mut rest = amount;
        let mut shares = Vec::new();
        for (publisher, part) in earned {
            rest = rest.minus(part)?;
            refuse_if(part.is_negative() || rest.is_negative(), Refused::AmountOutOfRange { asked: part })?;
            shares.push((Account::Publisher(publisher), part));
        }
        shares.push((Account::Platform(PlatformAccount::DeliveryRevenue), rest));
        Ok(Self(shares))
    }

    /// The receivers of the next part of the bill, in order, each with its share of the part.
    fn take(&mut self, mut part: Money) -> Result<Vec<(Account, Money)>, Refused> {
        let mut taken = Vec::new();
        for (to, left) in &mut self.0 {
            let more = part.min(*left);
            *left = left.minus(more)?;
            part = part.minus(more)?;
            taken.push((*to, more));
        }
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{hold, lines, money};

    fn billed(hold: &Hold, minor: i64, earned: &[(i64, i64)]) -> Result<Postings, Refused> {
        bill(hold, money(minor), earned.iter().map(|(id, part)| (PublisherId(*id), money(*part))))
    }

    #[test]
    fn one_source_is_one_line_to_the_user() {
        let postings = billed(&hold(100, 0, 0), 10, &[(1, 5), (4, 2)]).expect("accepted");
        let expected = ["hold.available -10 ad_billing", "publisher:1 5", "publisher:4 2", "delivery_revenue 3"];
        assert_eq!(lines(&postings), expected);
    }

    #[test]
    fn promotion_is_consumed_first() {
        let postings = billed(&hold(100, 20, 5), 50, &[(1, 3), (2, 32)]).expect("accepted");
        let expected = [
            "hold.coupon -5 ad_billing",
            "publisher:1 3",
            "publisher:2 32",
            "hold.promotional -20 ad_billing",
            "hold.available -25 ad_billing",
            "delivery_revenue 15",
        ];
        assert_eq!(lines(&postings), expected);
    }

    #[test]
    fn publishers_may_get_nothing_or_everything() {
        let postings = billed(&hold(100, 0, 0), 1, &[]).expect("accepted");
        assert_eq!(lines(&postings), ["hold.available -1 ad_billing", "delivery_revenue 1"]);
        let postings = billed(&hold(100, 0, 0), 2, &[(1, 2)]).expect("accepted");
        assert_eq!(lines(&postings), ["hold.available -2 ad_billing", "publisher:1 2"]);
        let all = [(1, 2), (2, 1)];
        assert_eq!(billed(&hold(100, 0, 0), 2, &all), Err(Refused::AmountOutOfRange { asked: money(1) }));
        assert_eq!(billed(&hold(100, 0, 0), 2, &[(1, -1)]), Err(Refused::AmountOutOfRange { asked: money(-1) }));
    }

    #[test]
    fn what_exchanges_get_late_is_the_platforms_and_not_the_users() {
        let late = |minor| [(PublisherId(4), money(minor))];
        let bill = billed(&hold(100, 0, 0), 10, &[(4, 5)]).expect("accepted");
        let both = with_late_prices(Some(bill), late(3)).expect("accepted");
        let expected = ["hold.available -10 ad_billing", "publisher:4 8", "delivery_revenue 5", "delivery_revenue -3"];
        assert_eq!(lines(&both), expected);
        let alone = with_late_prices(None, late(3)).expect("accepted");
        assert_eq!(lines(&alone), ["delivery_revenue -3", "publisher:4 3"]);
        for wrong in [0, -1] {
            assert_eq!(with_late_prices(None, late(wrong)), Err(Refused::AmountOutOfRange { asked: money(wrong) }));
        }
    }

    #[test]
    fn the_whole_budget_and_not_more_can_be_billed() {
        assert!(billed(&hold(5, 5, 5), 15, &[]).is_ok());
        let refused = Refused::HoldExceeded { plan: hold(0, 0, 0).plan, held: money(15), asked: money(16) };
        assert_eq!(billed(&hold(5, 5, 5), 16, &[]), Err(refused));
    }

    #[test]
    fn nothing_and_less_are_refused() {
        for minor in [0, -1] {
            let refused = Err(Refused::AmountOutOfRange { asked: money(minor) });
            assert_eq!(billed(&hold(5, 0, 0), minor, &[]), refused);
        }
    }
}
