//! A publisher's share, and where it is paid. One operator requests them and another
//! approves.

use auth::{Permission, Vault};
use base::{Money, PublisherId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Tx;
use store::delivery::publisher::{self as rows, PublisherRow, place};
use store::staff::requests::Subject;
use supply::Share;
use wallet::RequestKind;

use crate::staff::Staff;
use crate::staff::requests::{CheckedRequest, Proposal, RequestView, file};
use crate::{App, Error, Fields, Refusal, random};

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
    /// # Errors
    /// The fields `holder`, `account` and `bank`.
    fn check(&self) -> Result<(), Error> {
        let mut wrong = Fields::new();
        for (name, text) in [("holder", &self.holder), ("account", &self.account), ("bank", &self.bank)] {
            match text.trim().chars().count() {
                0 => drop(wrong.insert(name, "required")),
                n if n > LONGEST => drop(wrong.insert(name, "too_long")),
                _ if text.chars().any(char::is_control) => drop(wrong.insert(name, "invalid")),
                _ => {}
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(Error::Fields(wrong)) }
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
    #[serde(default)]
    destination: Option<String>,
}

impl PublisherTerms {
    fn of(row: &PublisherRow) -> Result<Self, Error> {
        Ok(Self { share: row.publisher()?.share.to_string(), destination: row.destination.clone() })
    }
}

/// Requests another share, another destination, or both.
///
/// # Errors
/// The fields `share`, `holder`, `account` and `bank`; the field `terms` if nothing would
/// change; `not_permitted`, `not_found`.
pub async fn request_terms(
    app: &App,
    by: &Staff,
    id: PublisherId,
    share: Option<&str>,
    destination: Option<PayoutDestination>,
) -> Result<RequestView, Error> {
    by.may(Permission::Catalogue)?;
    let read = |text: &str| text.parse().ok().and_then(Share::new).ok_or_else(|| Error::field("share", "invalid"));
    let share = share.map(read).transpose()?;
    if let Some(destination) = &destination {
        destination.check()?;
    }
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
            let proposal = Proposal::between(&present, &wanted).ok_or_else(|| Error::field("terms", "unchanged"))?;
            let asked = CheckedRequest {
                kind: RequestKind::PublisherTerms,
                subject: Subject::Publisher(id),
                amount: Money::ZERO,
                reference: None,
                proposal: Some(proposal),
            };
            file(tx, &by, asked)
        })
        .await
}

/// Writes the approved terms.
///
/// # Errors
/// `not_found`; `proposal_stale` if the terms have changed since the request.
pub(crate) fn agree(tx: &mut Tx<'_>, id: PublisherId, proposal: &Proposal) -> Result<(), Error> {
    let row = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let terms: PublisherTerms = proposal.apply(&PublisherTerms::of(&row)?)?;
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
pub(crate) fn opened(vault: &Vault, id: PublisherId, proposal: &mut Value) {
    let Some(destination) = proposal.get_mut("destination").and_then(Value::as_object_mut) else { return };
    for (_, sealed) in destination.iter_mut() {
        let opened = sealed.as_str().and_then(|sealed| PayoutDestination::open(vault, id, sealed).ok());
        *sealed = opened.and_then(|opened| serde_json::to_value(opened).ok()).unwrap_or_default();
    }
}

/// A proposal for lists and the audit, without what is sealed in it. Other proposals have
/// no such field.
pub(crate) fn hidden(mut proposal: Value) -> Value {
    if let Some(destination) = proposal.get_mut("destination").and_then(Value::as_object_mut) {
        for (_, sealed) in destination.iter_mut().filter(|(_, sealed)| sealed.is_string()) {
            *sealed = "sealed".into();
        }
    }
    proposal
}
