//! Opening a link that claims a key. Looking at it changes nothing, so that a preview of the link does not use it up.
//! The key is made when somebody asks for it, and is shown once.

use std::net::IpAddr;

use auth::{Digest, Fingerprint, Token, hex, session};
use base::{AdvertiserId, RequestId, Timestamp, refuse_if};
use foundation::accounts::{attempts, failures};
use foundation::staff::Changes;
use foundation::staff::requests::{RequestRef, lock_request};
use foundation::{App, Error, Refusal, random};
use serde::Serialize;
use store::staff::audit::{self, Action, Actor};
use store::staff::offered_keys::{self as rows, OfferedKeyRow};
use store::staff::requests::MoneyRequest;
use store::{Conn, Tx};
use utoipa::ToSchema;
use wallet::RequestStatus;

use crate::catalogue::counterparty_keys::KeyOwner;

const KEY_BYTES: usize = 32;
const CLAIMED: &str = "key.claim";
const OWN: &str = "opened the link";

/// Whether the key can still be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimState {
    Open,
    /// Somebody was shown the key.
    Used,
}

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    AdvertiserKey,
    SspKey,
    PublisherKey,
}

impl From<KeyOwner> for ClaimKind {
    fn from(owner: KeyOwner) -> Self {
        match owner {
            KeyOwner::Advertiser(_) => Self::AdvertiserKey,
            KeyOwner::Ssp(_) => Self::SspKey,
            KeyOwner::Publisher(_) => Self::PublisherKey,
        }
    }
}

/// What a link is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClaimLink {
    /// The name of the advertiser, exchange or publisher.
    pub name: String,
    pub kind: ClaimKind,
    pub state: ClaimState,
    /// Until when it can be opened.
    pub until: Timestamp,
    /// When the link was opened; null if it was not.
    pub claimed_at: Option<Timestamp>,
}

/// A key, shown only here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClaimedKey {
    pub name: String,
    pub kind: ClaimKind,
    /// The id that an advertiser sends in `X-Advertiser`; null for others.
    pub advertiser_id: Option<AdvertiserId>,
    pub key: String,
    /// The fingerprint, which the holder reads to a second person. The key is valid once that person has confirmed it.
    pub fingerprint: String,
}

/// Shows what a link is for, without using it.
///
/// # Errors
/// `not_found` for one that is unknown, or whose request was rejected or has expired;
/// `too_many_requests`.
pub async fn look(app: &App, link: &str, address: Option<IpAddr>) -> Result<ClaimLink, Error> {
    let (digest, now) = (digest(app, link, address).await?, app.now());
    let found = app.db.snapshot(move |conn| find_offered(conn, &digest)).await?;
    let Some((row, request)) = found else { return Err(unknown(app, link, address).await?) };
    let state = match (request.review.status_at(now), &row.claimed_at) {
        (RequestStatus::Requested, None) => ClaimState::Open,
        (RequestStatus::Requested | RequestStatus::Approved, _) => ClaimState::Used,
        (RequestStatus::Rejected | RequestStatus::Expired, _) => return Err(Refusal::NotFound.into()),
    };
    Ok(ClaimLink {
        kind: KeyOwner::of(&request)?.into(),
        name: request.name,
        state,
        until: request.review.expires_at,
        claimed_at: row.claimed_at(),
    })
}

/// Makes the key and shows it once.
///
/// # Errors
/// `not_found` for a link that is unknown, or whose request was rejected or has expired;
/// `claim_used` for one that was opened; `too_many_requests`.
pub async fn claim(app: &App, link: &str, address: Option<IpAddr>) -> Result<ClaimedKey, Error> {
    let digest = digest(app, link, address).await?;
    if app.db.read(move |conn| rows::of_link(conn, &digest)).await?.is_none() {
        return Err(unknown(app, link, address).await?);
    }
    let (key, nonce) = (Token::new(&random::<KEY_BYTES>()?), random()?);
    let (kept, vault) = (key.clone(), app.secrets.vault());
    let (request, fingerprint) = app
        .db
        .write(move |tx| {
            let row = rows::of_link(tx, &digest)?.ok_or(Refusal::NotFound)?;
            let (_, request) = lock_request(tx, RequestRef::any(RequestId(row.request_id)))?;
            // Somebody else may have opened it meanwhile.
            let row = rows::of_link(tx, &digest)?.ok_or(Refusal::NotFound)?;
            refuse_if(row.claimed_at.is_some(), Refusal::ClaimUsed)?;
            if request.review.status_at(tx.now()) != RequestStatus::Requested {
                return Err(Error::from(Refusal::NotFound));
            }
            let material = match KeyOwner::of(&request)? {
                KeyOwner::Advertiser(_) => vault.seal(rows::place(row.id), kept.text(), &nonce)?,
                KeyOwner::Ssp(_) | KeyOwner::Publisher(_) => hex::encode(&kept.digest()),
            };
            let fingerprint = Fingerprint::from(&kept).to_string();
            rows::claim(tx, row.id, &material, &fingerprint)?;
            record(tx, &request, address)?;
            Ok((request, fingerprint))
        })
        .await?;
    let owner = KeyOwner::of(&request)?;
    let advertiser_id = match owner {
        KeyOwner::Advertiser(id) => Some(id),
        KeyOwner::Ssp(_) | KeyOwner::Publisher(_) => None,
    };
    Ok(ClaimedKey { advertiser_id, name: request.name, kind: owner.into(), key: key.text().to_owned(), fingerprint })
}

/// Records from where the link was opened, so that its holder can be asked whether that was them. The fingerprint is
/// left out, because the approver must hear it from the holder.
fn record(tx: &mut Tx<'_>, request: &MoneyRequest, address: Option<IpAddr>) -> Result<(), Error> {
    let (about, id) = request.subject.named().ok_or(Refusal::NotFound)?;
    let changes = Changes::default().about(about, id).about("address", address.map(|from| from.to_string()));
    let actor = Actor { id: None, name: format!("{about}:{id}") };
    let subject = format!("{}:{}", request.kind.document(), request.id);
    let deed = Action { action: CLAIMED, subject, details: changes.details().to_string(), reason: OWN.to_owned() };
    Ok(audit::append(tx, &actor, &deed)?)
}

/// An offered key with its request.
fn find_offered(conn: &mut Conn, link: &Digest) -> Result<Option<(OfferedKeyRow, MoneyRequest)>, Error> {
    let Some(row) = rows::of_link(conn, link)? else { return Ok(None) };
    let request = RequestRef::any(RequestId(row.request_id)).one(conn)?;
    Ok(Some((row, request)))
}

async fn digest(app: &App, link: &str, address: Option<IpAddr>) -> Result<Digest, Error> {
    match session::digest_shown(link.trim()) {
        Some(digest) => Ok(digest),
        None => Err(unknown(app, link, address).await?),
    }
}

/// Counts a failure, which slows down guessing at links.
async fn unknown(app: &App, link: &str, address: Option<IpAddr>) -> Result<Error, Error> {
    attempts::note_failure(app, address, None).await?;
    failures::of_stranger(app, "claim", Some(link), address);
    Ok(Refusal::NotFound.into())
}
