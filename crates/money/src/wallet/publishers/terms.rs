//! A publisher's share, and where it is paid. One operator requests them and another
//! approves.

use auth::{Permission, Vault};
use base::{Field, Money, PublisherId, Rate};
use foundation::fields::shown;
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file};
use foundation::{App, Error, Fields, Refusal, random};
use payee::BankAccount;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Tx;
use store::delivery::publisher::{self as rows, PublisherRow, place};
use store::staff::requests::{MoneyRequest, Subject, find_agreed_since};
use store::wallet::payouts;
use supply::Share;
use wallet::{BAND_DAYS, Band, RequestKind};

use crate::wallet::acceptor_terms::part_of;

/// The bank account that a publisher is paid on, in a TOML or JSON file by staff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PayoutDestination {
    pub holder: String,
    /// An IBAN, or the number that the bank uses.
    pub account: String,
    pub bank: String,
}

const LONGEST: usize = 140;

impl PayoutDestination {
    /// Checks the account, and removes invisible characters from it and blanks from its number.
    ///
    /// # Errors
    /// The fields `holder`, `account` and `bank`.
    fn checked(mut self) -> Result<Self, Error> {
        (self.holder, self.bank) = (shown(&self.holder), shown(&self.bank));
        let mut wrong = Fields::new();
        for (name, text) in [(Field::Holder, &self.holder), (Field::Account, &self.account), (Field::Bank, &self.bank)]
        {
            match text.trim().chars().count() {
                0 => drop(wrong.insert(name, "required")),
                n if n > LONGEST => drop(wrong.insert(name, "too_long")),
                _ if text.chars().any(char::is_control) => drop(wrong.insert(name, "invalid")),
                _ => {}
            }
        }
        match self.account.parse::<BankAccount>() {
            Ok(account) => self.account = account.number().to_owned(),
            Err(problem) => drop(wrong.entry(Field::Account).or_insert(problem.key())),
        }
        if wrong.is_empty() { Ok(self) } else { Err(Error::Fields(wrong)) }
    }

    fn seal(&self, vault: &Vault, id: PublisherId) -> Result<String, Error> {
        let text = serde_json::to_string(self).map_err(|e| Error::Internal(e.to_string()))?;
        Ok(vault.seal(place(id), &text, &random()?)?)
    }

    /// # Errors
    /// `Internal` if it was altered, moved from another row, or sealed with other
    /// secrets.
    pub(crate) fn open(vault: &Vault, id: PublisherId, sealed: &str) -> Result<Self, Error> {
        let text = vault.open(place(id), sealed)?;
        serde_json::from_str(&text).map_err(|e| Error::Internal(e.to_string()))
    }
}

/// As requested, approved and recorded. The destination is sealed.
#[derive(Debug, Serialize, Deserialize)]
struct PublisherTerms {
    share: String,
    destination: Option<String>,
}

impl PublisherTerms {
    fn of(row: &PublisherRow) -> Result<Self, Error> {
        Ok(Self { share: row.publisher()?.share.to_string(), destination: row.destination.clone() })
    }

    fn rate(&self) -> Option<Decimal> {
        self.share.parse::<Rate>().ok().map(Rate::decimal)
    }
}

/// Requests another share, another destination, or both.
///
/// # Errors
/// The fields `share`, `holder`, `account` and `bank`; the field `terms` if nothing would
/// change; `not_permitted`, `not_found`, `limit_exceeded`.
pub async fn request_terms(
    app: &App,
    by: &Staff,
    id: PublisherId,
    share: Option<&str>,
    destination: Option<PayoutDestination>,
) -> Result<RequestView, Error> {
    by.may(Permission::Catalogue)?;
    let read = |text: &str| text.parse().ok().and_then(Share::new).ok_or_else(|| Error::field(Field::Share, "invalid"));
    let share = share.map(read).transpose()?;
    let destination = destination.map(PayoutDestination::checked).transpose()?;
    let (by, vault) = (by.clone(), app.secrets.vault());
    app.db
        .write(move |tx| {
            let row = rows::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            let present = PublisherTerms::of(&row)?;
            let sealed = destination.as_ref().map(|to| to.seal(&vault, id)).transpose()?;
            let wanted = PublisherTerms {
                share: share.map_or_else(|| present.share.clone(), |share| share.to_string()),
                destination: sealed.or_else(|| present.destination.clone()),
            };
            let proposal =
                Proposal::between(&present, &wanted).ok_or_else(|| Error::field(Field::Terms, "unchanged"))?;
            let asked = CheckedRequest {
                kind: RequestKind::PublisherTerms,
                subject: Subject::Publisher(id),
                amount: cost(tx, id, &present, &wanted)?,
                reference: None,
                proposal: Some(proposal),
            };
            file(tx, &by, asked)
        })
        .await
}

/// The band of the shares that were in force in the last month, which a new share is compared with.
fn shares(tx: &mut Tx<'_>, id: PublisherId, present: &PublisherTerms) -> Result<Option<Band>, Error> {
    let since = tx.now().plus_days(-BAND_DAYS);
    let agreed = find_agreed_since(tx, RequestKind::PublisherTerms, Subject::Publisher(id), since)?;
    let mut known = vec![Some(present.share.clone())];
    for request in &agreed {
        known.extend(Proposal::of(request)?.values("share"));
    }
    let rates = known.into_iter().flatten().filter_map(|share| share.parse::<Rate>().ok());
    Ok(Band::of(rates.map(Rate::decimal)))
}

/// What the new share would have cost in the last month, or the publisher would have earned less: that month's bills
/// times the difference of the share from those in force.
fn cost(tx: &mut Tx<'_>, id: PublisherId, present: &PublisherTerms, wanted: &PublisherTerms) -> Result<Money, Error> {
    let (Some(band), true) = (shares(tx, id, present)?, wanted.share != present.share) else { return Ok(Money::ZERO) };
    let since = tx.now().plus_days(-BAND_DAYS);
    let earned = payouts::sum_earned_since(tx, id, since)?;
    part_of(earned, wanted.rate().and_then(|rate| band.change(rate)))
}

/// Writes the approved terms.
///
/// # Errors
/// `not_found`; `proposal_stale` if the terms have changed since the request; `admin_needed`
/// if the share is far from those of the last month and neither of the two is an admin.
pub fn agree(tx: &mut Tx<'_>, by: &Staff, id: PublisherId, found: &MoneyRequest) -> Result<(), Error> {
    let row = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let present = PublisherTerms::of(&row)?;
    let terms: PublisherTerms = Proposal::of(found)?.apply(&present)?;
    if terms.share != present.share {
        let band = shares(tx, id, &present)?.zip(terms.rate());
        if band.is_none_or(|(band, share)| band.is_left_by(share)) {
            by.admin_with(tx, found.review.requested_by)?;
        }
    }
    let share = terms.share.parse().ok().and_then(Share::new);
    let share = share.ok_or_else(|| Error::Internal(format!("the share of publisher {id} cannot be read")))?;
    if share != row.publisher()?.share {
        rows::set_share(tx, id, share)?;
    }
    match terms.destination {
        Some(sealed) if row.destination.as_ref() != Some(&sealed) => Ok(rows::set_destination(tx, id, &sealed)?),
        _ => Ok(()),
    }
}

/// Opens the destinations in a proposal, for those who decide on it. What cannot be opened
/// is null: it was altered, or sealed with other secrets.
pub fn unseal_destination(vault: &Vault, id: PublisherId, proposal: &mut Value) {
    let Some(destination) = proposal.get_mut("destination").and_then(Value::as_object_mut) else { return };
    for (_, sealed) in destination.iter_mut() {
        let opened = sealed.as_str().and_then(|sealed| PayoutDestination::open(vault, id, sealed).ok());
        *sealed = opened.and_then(|opened| serde_json::to_value(opened).ok()).unwrap_or_default();
    }
}
