//! A payout with its amount and account, shown to staff so that nobody has to look up what its number stands for.

use auth::Vault;
use bank::Day;
use base::{Money, PublisherId, WithdrawalId};
use foundation::Error;
use serde::Serialize;
use store::Conn;
use store::delivery::publisher;
use store::wallet::bank::documents::Document;
use store::wallet::books::Owner;
use store::wallet::withdrawals;

use crate::wallet::bank_card::mask;
use crate::wallet::destination::Destination;
use crate::wallet::publishers::terms::PayoutDestination;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PayoutView {
    /// Such as `withdrawal:7`.
    pub document: String,
    /// The user or publisher.
    pub of: String,
    pub amount: Money,
    /// The account's holder and its masked number. Null if it cannot be read, or the publisher has another account by
    /// now.
    pub name: Option<String>,
    pub account: Option<String>,
}

impl PayoutView {
    pub(crate) fn of(conn: &mut Conn, vault: &Vault, paid: &Document) -> Result<Self, Error> {
        let to = match paid.owner {
            Owner::Publisher(id) => to_publisher(conn, vault, id, paid.day)?,
            Owner::User(_) | Owner::Advertiser(_) => to_user(vault, paid),
        };
        let (name, account) = to.unzip();
        let name = name.filter(|name| !name.is_empty());
        Ok(Self { document: paid.key.to_string(), of: paid.name.clone(), amount: paid.amount, name, account })
    }
}

fn to_user(vault: &Vault, paid: &Document) -> Option<(String, String)> {
    let place = withdrawals::place(WithdrawalId(paid.key.row));
    let to = Destination::open(vault, place, &paid.destination).ok()?;
    let holder = to.holder().unwrap_or_default().to_owned();
    let number = match &to {
        Destination::BankCard(card) => &card.bank_account,
        Destination::WalletAddress { address, .. } => address,
    };
    Some((holder, mask(number)))
}

/// Only a publisher's present account is stored.
fn to_publisher(
    conn: &mut Conn,
    vault: &Vault,
    id: PublisherId,
    paid_on: Day,
) -> Result<Option<(String, String)>, Error> {
    let row = publisher::find(conn, id)?.filter(|row| row.destination_since.is_some_and(|at| Day::of(at) <= paid_on));
    let sealed = row.and_then(|row| row.destination).unwrap_or_default();
    Ok(PayoutDestination::open(vault, id, &sealed).ok().map(|to| (to.holder, mask(&to.account))))
}
