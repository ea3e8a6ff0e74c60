//! Conversions: the advertiser pays the user. Until settlement the payout is
//! pending and can be reversed.

use base::Money;

use crate::books::{Postings, UserAccount};
use crate::kinds::TransactionKind;
use crate::model::{Advertiser, Wallet};
use crate::refused::{Refused, check_covered, positive};

/// Moves the payout from the advertiser's claims to the user's pending account. It is refused if the advertiser's funds
/// do not cover it.
pub fn accept_conversion(wallet: &Wallet, advertiser: &Advertiser, payout: Money) -> Result<Postings, Refused> {
    positive(payout)?;
    if payout > advertiser.claims {
        let Advertiser { id, claims } = *advertiser;
        return Err(Refused::AdvertiserFundsExhausted { advertiser: id, claims, asked: payout });
    }
    let pending = wallet.account(UserAccount::Pending);
    Postings::new(TransactionKind::ConversionAccepted).transfer(advertiser.account(), pending, payout)
}

/// Returns a payout to the advertiser, before settlement.
pub fn reverse_conversion(wallet: &Wallet, advertiser: &Advertiser, payout: Money) -> Result<Postings, Refused> {
    positive(payout)?;
    let pending = wallet.account(UserAccount::Pending);
    check_covered(pending, wallet.pending, payout)?;
    Postings::new(TransactionKind::ConversionReversed).transfer(pending, advertiser.account(), payout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{advertiser, lines, money, wallet};

    #[test]
    fn an_accepted_one_is_pending() {
        let postings = accept_conversion(&wallet(), &advertiser(50), money(50)).expect("accepted");
        assert_eq!(lines(&postings), ["claims -50", "pending 50"]);
    }

    #[test]
    fn one_that_is_not_funded_is_refused() {
        let advertiser = advertiser(50);
        let refused =
            Refused::AdvertiserFundsExhausted { advertiser: advertiser.id, claims: money(50), asked: money(51) };
        assert_eq!(accept_conversion(&wallet(), &advertiser, money(51)), Err(refused));
    }

    #[test]
    fn a_reversed_one_goes_back() {
        let wallet = Wallet { pending: money(20), ..wallet() };
        let postings = reverse_conversion(&wallet, &advertiser(0), money(20)).expect("accepted");
        assert_eq!(lines(&postings), ["pending -20", "claims 20"]);
    }

    #[test]
    fn more_than_is_pending_cannot_be_reversed() {
        let wallet = Wallet { pending: money(20), ..wallet() };
        let (account, balance, asked) = (wallet.account(UserAccount::Pending), money(20), money(21));
        assert_eq!(
            reverse_conversion(&wallet, &advertiser(0), money(21)),
            Err(Refused::InsufficientBalance { account, balance, asked })
        );
    }

    #[test]
    fn nothing_is_refused() {
        assert!(accept_conversion(&wallet(), &advertiser(50), money(0)).is_err());
        assert!(reverse_conversion(&wallet(), &advertiser(50), money(0)).is_err());
    }
}
