//! Approved payments that may be in a file, with the destination that their row has.

use auth::{AccountStatus, Permission, Vault};
use base::{Money, UserId};
use payee::BankAccount;
use store::Tx;
use store::delivery::publisher;
use store::people::users;
use store::staff::requests::{self, MoneyRequest, Subject};
use store::wallet::bank::documents::Key;
use store::wallet::books::Books;
use store::wallet::payment_files as rows;
use store::wallet::withdrawals::{self, Withdrawal};
use supply::PayoutRules;
use wallet::{BankDocument, FirstDecision};

use bank::payments::Party;
use foundation::staff::Staff;
use foundation::{Error, Refusal};

use super::approvals::{pays_to_publisher, pays_withdrawal};
use crate::wallet::destination::Destination;
use crate::wallet::publishers::terms::PayoutDestination;

/// Why a payment is held back from the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held(pub &'static str);

impl Held {
    pub const OWN_APPROVAL: Self = Self("own_approval");
    pub const NOT_APPROVED: Self = Self("not_approved");
    /// Approved before approvals recorded where the money goes.
    pub const APPROVED_EARLIER: Self = Self("approved_earlier");
    pub const WALLET_ADDRESS: Self = Self("wallet_address");
    pub const ACCOUNT_NOT_ACTIVE: Self = Self("account_not_active");
    pub const ACCOUNT: Self = Self("account_unreadable");
    pub const DESTINATION_CHANGED: Self = Self("destination_changed");
    pub const NOT_COVERED: Self = Self("not_covered");
    pub const NAME: Self = Self("name_needs_other_letters");
    pub const BANK: Self = Self("bank_needs_other_letters");
    pub const NAME_TOO_LONG: Self = Self("name_too_long");
    pub const AMOUNT: Self = Self("amount_out_of_range");
    pub const OVER_LIMIT: Self = Self("over_limit");
}

/// Who is paid.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    /// The holder's name, as the user or publisher bound it.
    pub holder: String,
    pub account: BankAccount,
    pub bank: String,
    /// The holder as the file writes them, once the name is known to fit.
    pub to: Option<Party>,
}

/// An approved payment.
pub(super) struct PaymentCandidate {
    pub key: Key,
    /// The user or publisher.
    pub of: String,
    pub amount: Money,
    /// Who approved it, as its row says.
    pub approved: FirstDecision,
    /// The digest that the record of its approval must have.
    pub pays: String,
    pub receiver: Result<Receiver, Held>,
}

/// Approved withdrawals with their users locked.
pub(super) fn withdrawals(
    tx: &mut Tx<'_>,
    vault: &Vault,
    by: &Staff,
    most: i64,
) -> Result<Vec<PaymentCandidate>, Error> {
    let owners: Vec<UserId> = withdrawals::exportable(tx, most)?.iter().map(|found| found.user).collect();
    Books::lock(tx, owners.clone(), Vec::new())?;
    // Some may have been decided on meanwhile, and others approved whose users are not locked.
    let mut found = withdrawals::exportable(tx, most)?;
    found.retain(|one| owners.contains(&one.user));
    let standings = users::standings(tx, &owners)?;
    let names = users::find_all(tx, owners.iter().copied())?;
    let name = |user: UserId| names.iter().find(|one| one.id == user).map(|one| one.username.clone());
    let barred = by.may(Permission::PayBarred).is_ok();
    let candidate = |one: Withdrawal| {
        let place = withdrawals::place(one.id);
        let open = Destination::open(vault, place, &one.destination);
        // What cannot be opened was altered, or belongs to another row.
        let to = open.map_err(|_| altered(BankDocument::Withdrawal, one.id.0))?;
        let active = standings.get(&one.user).is_some_and(|of| of.status == AccountStatus::Active);
        let receiver = if active || barred { to_bank(to) } else { Err(Held::ACCOUNT_NOT_ACTIVE) };
        let by = one.review.approved_by.ok_or_else(|| altered(BankDocument::Withdrawal, one.id.0))?;
        Ok(PaymentCandidate {
            key: Key { kind: BankDocument::Withdrawal, row: one.id.0, number: one.id.0 },
            of: name(one.user).unwrap_or_default(),
            amount: one.amount,
            approved: FirstDecision { by, person: one.review.approved_person, at: one.review.approved_at },
            pays: pays_withdrawal(&one),
            receiver,
        })
    };
    found.into_iter().map(candidate).collect()
}

pub(super) fn altered(kind: BankDocument, number: i64) -> Error {
    Refusal::PaymentAltered { document: format!("{kind}:{number}") }.into()
}

fn to_bank(destination: Destination) -> Result<Receiver, Held> {
    let holder = destination.holder().map(str::to_owned);
    let Destination::BankCard(card) = destination else { return Err(Held::WALLET_ADDRESS) };
    let account = card.bank_account.parse().map_err(|_| Held::ACCOUNT)?;
    Ok(Receiver { holder: holder.unwrap_or_default(), account, bank: card.bank_name, to: None })
}

/// Approved payouts with their publishers locked.
pub(super) fn payouts(
    tx: &mut Tx<'_>,
    vault: &Vault,
    rules: &PayoutRules,
    most: i64,
) -> Result<Vec<PaymentCandidate>, Error> {
    let first = of_payouts(tx, most)?;
    let owners: Vec<_> = first.iter().filter_map(publisher_of).collect();
    Books::default().lock_publishers(tx, owners.clone())?;
    let mut found = of_payouts(tx, most)?;
    found.retain(|one| publisher_of(one).is_some_and(|publisher| owners.contains(&publisher)));
    let publishers = publisher::by_ids(tx, &owners)?;
    let unpaid = publisher::unpaid(tx, owners)?;
    let now = tx.now();
    let candidate = |one: MoneyRequest| {
        let refused = || altered(BankDocument::PublisherPayout, one.id.0);
        let of = publisher_of(&one).and_then(|id| publishers.iter().find(|row| row.id == id)).ok_or_else(refused)?;
        let sealed = of.destination.as_deref().unwrap_or_default();
        let to = PayoutDestination::open(vault, of.id, sealed).map_err(|_| refused())?;
        let covered = unpaid.get(&of.id).is_some_and(|owed| one.amount <= *owed);
        let receiver = match (rules.may_pay(&of.publisher()?, one.requested_at, now), covered) {
            (Err(_), _) => Err(Held::DESTINATION_CHANGED),
            (_, false) => Err(Held::NOT_COVERED),
            (Ok(()), true) => to_account(to),
        };
        Ok(PaymentCandidate {
            key: Key { kind: BankDocument::PublisherPayout, row: one.row(), number: one.id.0 },
            of: of.name.clone(),
            amount: one.amount,
            approved: one.approved().ok_or_else(refused)?,
            pays: pays_to_publisher(&one, of),
            receiver,
        })
    };
    found.into_iter().map(candidate).collect()
}

fn of_payouts(tx: &mut Tx<'_>, most: i64) -> Result<Vec<MoneyRequest>, Error> {
    let ids = rows::exportable_payouts(tx, most)?;
    Ok(requests::of_rows(tx, ids.into_iter())?)
}

const fn publisher_of(of: &MoneyRequest) -> Option<base::PublisherId> {
    match of.subject {
        Subject::Publisher(id) => Some(id),
        _ => None,
    }
}

fn to_account(to: PayoutDestination) -> Result<Receiver, Held> {
    let account = to.account.parse().map_err(|_| Held::ACCOUNT)?;
    Ok(Receiver { holder: to.holder, account, bank: to.bank, to: None })
}
