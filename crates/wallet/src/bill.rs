//! Billing delivery to a plan. Coupons and credit are consumed first, and the
//! publisher gets its share of the bill.

use base::{Money, Rate};
use rust_decimal::Decimal;

use crate::books::{Account, PlatformAccount, Postings, Source};
use crate::kinds::{FlowKind, TransactionKind};
use crate::model::Hold;
use crate::refused::{Refused, positive};

/// The publisher's share of every bill: 0.70, rounded down. The platform keeps the
/// rest.
pub fn publisher_share() -> Rate {
    Rate::new(Decimal::new(70, 2)).unwrap_or(Rate::ZERO)
}

/// A coupon's part is consumed before promotional credit, and that before the
/// user's own money.
const CONSUMED: [Source; 3] = [Source::Coupon, Source::Promotional, Source::Available];

pub fn bill(hold: &Hold, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    let held = hold.total()?;
    if amount > held {
        return Err(Refused::HoldExceeded { plan: hold.plan, held, asked: amount });
    }
    let mut to_bill = amount;
    let mut to_publisher = amount.share(publisher_share())?;
    let mut postings = Postings::new(TransactionKind::DeliveryBilled);
    for source in CONSUMED {
        let part = to_bill.min(hold.remaining(source));
        let publisher = to_publisher.min(part);
        let from = hold.account(source).shown(FlowKind::AdBilling);
        postings = postings.transfer(from, Account::Platform(PlatformAccount::PublisherPayable), publisher)?.transfer(
            from,
            Account::Platform(PlatformAccount::DeliveryRevenue),
            part.minus(publisher)?,
        )?;
        to_bill = to_bill.minus(part)?;
        to_publisher = to_publisher.minus(publisher)?;
    }
    Ok(postings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{hold, lines, money};

    #[test]
    fn one_source_is_one_line_to_the_user() {
        let postings = bill(&hold(100, 0, 0), money(10)).expect("accepted");
        assert_eq!(lines(&postings), ["hold.available -10 ad_billing", "publisher_payable 7", "delivery_revenue 3"]);
    }

    #[test]
    fn promotion_is_consumed_first() {
        let postings = bill(&hold(100, 20, 5), money(50)).expect("accepted");
        let expected = [
            "hold.coupon -5 ad_billing",
            "publisher_payable 35",
            "hold.promotional -20 ad_billing",
            "hold.available -25 ad_billing",
            "delivery_revenue 15",
        ];
        assert_eq!(lines(&postings), expected);
    }

    #[test]
    fn the_publishers_share_is_rounded_down() {
        let postings = bill(&hold(100, 0, 0), money(1)).expect("accepted");
        assert_eq!(lines(&postings), ["hold.available -1 ad_billing", "delivery_revenue 1"]);
        assert_eq!(publisher_share().to_string(), "0.7");
    }

    #[test]
    fn the_whole_budget_and_not_more_can_be_billed() {
        assert!(bill(&hold(5, 5, 5), money(15)).is_ok());
        let refused = Refused::HoldExceeded { plan: hold(0, 0, 0).plan, held: money(15), asked: money(16) };
        assert_eq!(bill(&hold(5, 5, 5), money(16)), Err(refused));
    }

    #[test]
    fn nothing_and_less_are_refused() {
        for minor in [0, -1] {
            assert_eq!(bill(&hold(5, 0, 0), money(minor)), Err(Refused::AmountOutOfRange { asked: money(minor) }));
        }
    }
}
