//! Advertisers' payments, which conversions can claim.

use base::Money;

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
    }
}
