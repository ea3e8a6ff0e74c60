//! Advertisers' payments, which conversions can claim, and payments to publishers, of what
//! they have earned. How much may be paid to them is decided in `supply`.

use base::{Money, PublisherId};

use crate::books::{Account, PlatformAccount, Postings};
use crate::kinds::TransactionKind;
use crate::model::Advertiser;
use crate::refused::{Refused, positive};

pub fn fund_advertiser(advertiser: &Advertiser, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    Postings::new(TransactionKind::AdvertiserFunding).transfer(
        Account::Platform(PlatformAccount::RechargeClearing),
        advertiser.account(),
        amount,
    )
}

/// Moves what a publisher is paid on to the bank.
pub fn pay_publisher(publisher: PublisherId, amount: Money) -> Result<Postings, Refused> {
    positive(amount)?;
    let transit = Account::Platform(PlatformAccount::PayoutTransit);
    Postings::new(TransactionKind::PublisherPaid).transfer(Account::Publisher(publisher), transit, amount)
}

/// Adds to what a publisher has earned, from the platform's revenue, or takes back from it.
pub fn correct_publisher(publisher: PublisherId, amount: Money) -> Result<Postings, Refused> {
    let (earned, revenue) = (Account::Publisher(publisher), Account::Platform(PlatformAccount::DeliveryRevenue));
    let postings = Postings::new(TransactionKind::PublisherCorrected);
    if amount.is_negative() {
        return postings.transfer(earned, revenue, amount.negated()?);
    }
    positive(amount)?;
    postings.transfer(revenue, earned, amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{advertiser, lines, money};

    #[test]
    fn adds_to_the_claims() {
        let postings = fund_advertiser(&advertiser(0), money(900)).expect("accepted");
        assert_eq!(lines(&postings), ["recharge_clearing -900", "claims 900"]);
    }

    #[test]
    fn nothing_is_refused() {
        assert!(fund_advertiser(&advertiser(0), money(0)).is_err());
        for minor in [0, -1] {
            let refused = Refused::AmountOutOfRange { asked: money(minor) };
            assert_eq!(pay_publisher(PublisherId(3), money(minor)), Err(refused));
        }
    }

    #[test]
    fn a_correction_is_between_a_publisher_and_the_platforms_revenue() {
        let corrected = |minor| correct_publisher(PublisherId(3), money(minor));
        let added = corrected(70).expect("accepted");
        assert_eq!(lines(&added), ["delivery_revenue -70", "publisher:3 70"]);
        assert_eq!(added.kind(), TransactionKind::PublisherCorrected);
        let taken = corrected(-70).expect("accepted");
        assert_eq!(lines(&taken), ["publisher:3 -70", "delivery_revenue 70"]);
        assert_eq!(corrected(0), Err(Refused::AmountOutOfRange { asked: money(0) }));
        assert_eq!(corrected(i64::MIN), Err(Refused::Overflow));
    }

    #[test]
    fn what_a_publisher_is_paid_is_on_its_way_to_the_bank() {
        let postings = pay_publisher(PublisherId(3), money(70)).expect("accepted");
        assert_eq!(lines(&postings), ["publisher:3 -70", "payout_transit 70"]);
        assert_eq!(postings.kind(), TransactionKind::PublisherPaid);
    }
}
