//! Builders and checks that the unit tests share.

use base::{AdvertiserId, Money, PlanId, UserId};

use crate::books::{Account, Postings};
use crate::model::{Advertiser, Hold, Wallet};

pub fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}

pub fn wallet() -> Wallet {
    Wallet::empty(UserId(1))
}

pub fn hold(available: i64, promotional: i64, coupon: i64) -> Hold {
    Hold {
        available: money(available),
        promotional: money(promotional),
        coupon: money(coupon),
        ..Hold::empty(UserId(1), PlanId(7))
    }
}

pub fn advertiser(claims: i64) -> Advertiser {
    Advertiser { id: AdvertiserId(4), claims: money(claims) }
}

/// Each entry as `account amount [flow]`, so that tests read like a ledger.
pub fn lines(postings: &Postings) -> Vec<String> {
    let line = |entry: &crate::Entry| {
        let account = match entry.account {
            Account::User(_, account) => account.name().to_owned(),
            Account::Hold { source, .. } => format!("hold.{}", source.name()),
            Account::Advertiser(_) => "claims".to_owned(),
            Account::Platform(account) => account.name().to_owned(),
            Account::Publisher(id) => format!("publisher:{id}"),
        };
        let flow = entry.flow.map(|flow| format!(" {flow}")).unwrap_or_default();
        format!("{account} {}{flow}", entry.amount.minor())
    };
    postings.entries().iter().map(line).collect()
}
