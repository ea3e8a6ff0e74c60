//! The keys that advertisers sign postbacks with: random, sealed in the database, and
//! shown once. One operator requests a new key and another approves it; then the old
//! one is invalid.

use auth::vault::SealContext;
use auth::{Secrets, hex};
use base::{AdvertiserId, Money};
use serde_json::json;
use store::Tx;
use store::plans::advertiser::{self, AdvertiserRow};
use store::staff::operators::Operator;
use store::staff::requests::{self as rows, MoneyRequest, Subject};
use wallet::{RequestKind, RequestStatus};

use crate::plans::advertisers;
use crate::staff::requests::{CheckedRequest, Proposal, RequestView, file};
use crate::staff::{Changes, Staff};
use crate::{App, Error, Refusal, random};

const KEY_BYTES: usize = 32;

const fn place(id: i64) -> SealContext {
    SealContext { table: "advertisers", column: "postback_key", row: id }
}

/// An advertiser's key. One from before keys were stored is derived from the
/// installation's secret until it is replaced.
pub(crate) fn of(secrets: &Secrets, row: &AdvertiserRow) -> Result<String, Error> {
    match &row.postback_key {
        Some(sealed) => {
            secrets.vault().open(place(row.id), sealed).map_err(|e| Error::Internal(format!("a postback key: {e}")))
        }
        None => Ok(secrets.advertiser_key(row.id, row.key_version)),
    }
}

/// Creates and stores a key, and returns it to be shown.
pub(crate) fn make(tx: &mut Tx<'_>, secrets: &Secrets, id: AdvertiserId, version: i32) -> Result<String, Error> {
    let key = hex::encode(&random::<KEY_BYTES>()?);
    let sealed = secrets.vault().seal(place(id.0), &key, &random()?);
    let sealed = sealed.map_err(|e| Error::Internal(format!("a postback key: {e}")))?;
    advertiser::set_key(tx, id, version, &sealed)?;
    Ok(key)
}

/// The requested change: a new version of the key.
fn version(version: i32) -> serde_json::Value {
    json!({ "key_version": version })
}

/// Requests a new key.
///
/// # Errors
/// `not_permitted`, `not_found`.
pub async fn rotate_key(app: &App, by: &Staff, id: AdvertiserId) -> Result<RequestView, Error> {
    by.may(auth::Permission::Catalogue)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let row = advertisers::lock(tx, id)?;
            let (now, next) = (version(row.key_version), version(row.key_version.saturating_add(1)));
            let (kind, subject) = (RequestKind::AdvertiserKey, Subject::Advertiser(id));
            let proposal = Proposal::between(&now, &next);
            file(tx, &by, CheckedRequest { kind, subject, amount: Money::ZERO, reference: None, proposal })
        })
        .await
}

#[derive(serde::Deserialize)]
struct Version {
    key_version: i32,
}

/// Creates the approved key; it is shown to the requester.
pub(crate) fn agree(tx: &mut Tx<'_>, secrets: &Secrets, id: AdvertiserId, proposal: &Proposal) -> Result<(), Error> {
    let row = advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let next: Version = proposal.apply(&version(row.key_version))?;
    make(tx, secrets, id, next.key_version).map(|_| ())
}

/// The key of an approved request, for its requester, if they have not seen it yet. A key
/// that has been replaced since is not shown.
pub(crate) fn show_once(
    tx: &mut Tx<'_>,
    secrets: &Secrets,
    to: &Operator,
    found: &MoneyRequest,
) -> Result<Option<String>, Error> {
    let (true, Subject::Advertiser(id)) = (is_to_be_shown(found, to), found.subject) else { return Ok(None) };
    let row = advertisers::lock(tx, id)?;
    let found = rows::lock(tx, found)?;
    let asked: Version = Proposal::of(&found)?.target()?;
    if !is_to_be_shown(&found, to) || asked.key_version != row.key_version {
        return Ok(None);
    }
    rows::shown(tx, &found)?;
    let by = Staff::new(to.clone(), "shown once, to the one who asked for it")?;
    let details = Changes::default().about("advertiser", id.0).about("key_version", row.key_version).details();
    by.record(tx, "advertiser_key.show", format!("advertiser_key:{}", found.id), &details)?;
    of(secrets, &row).map(Some)
}

pub(crate) fn is_to_be_shown(found: &MoneyRequest, to: &Operator) -> bool {
    found.kind == RequestKind::AdvertiserKey
        && found.review.status == RequestStatus::Approved
        && found.review.requested_by == to.id
        && found.shown_at.is_none()
}
