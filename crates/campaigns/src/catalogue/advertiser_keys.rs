//! The keys that advertisers sign postbacks with. No member of staff ever has one: an advertiser claims a shared key
//! through a link, or brings the public half of a key pair. The old key stays valid until a second person has confirmed
//! the new one.

use auth::signature::{BadSignature, SignedRequest, verify, verify_ed25519};
use auth::vault::SealContext;
use auth::{Fingerprint, KeyOrigin, PublicKey, Secrets, hex};
use base::{AdvertiserId, Timestamp};
use foundation::staff::Staff;
use foundation::staff::requests::RequestView;
use foundation::{App, Error, Refusal, random};
use store::Tx;
use store::plans::advertiser::{self, AdvertiserRow};

use crate::catalogue::advertisers;
use crate::catalogue::counterparty_keys::{BesideKey, KeyOffer, KeyOwner, ask};

const fn place(id: i64) -> SealContext {
    SealContext { table: "advertisers", column: "postback_key", row: id }
}

/// A key that verifies postbacks.
#[derive(Clone, PartialEq, Eq)]
pub enum PostbackKey {
    /// A secret that both sides know, for HMAC.
    Shared(String),
    /// The public half of an Ed25519 pair whose private half only the advertiser has.
    Public(PublicKey),
}

/// A postback's signature, from its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostbackSignature<'a> {
    /// `X-Signature`.
    Hmac(&'a str),
    /// `X-Signature-Ed25519`.
    Ed25519(&'a str),
}

impl PostbackKey {
    pub fn fingerprint(&self) -> Fingerprint {
        match self {
            Self::Shared(key) => Fingerprint::of_secret(key),
            Self::Public(key) => Fingerprint::of_public(key),
        }
    }

    /// Whether the holder of this key signed the request. A signature of the other kind is wrong.
    pub fn verify(
        &self,
        signed: &SignedRequest<'_>,
        signature: PostbackSignature<'_>,
        now: Timestamp,
    ) -> Result<(), BadSignature> {
        match (self, signature) {
            (Self::Shared(key), PostbackSignature::Hmac(signature)) => verify(key, signed, signature, now),
            (Self::Public(key), PostbackSignature::Ed25519(signature)) => verify_ed25519(key, signed, signature, now),
            _ => Err(BadSignature::Wrong),
        }
    }
}

impl std::fmt::Debug for PostbackKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PostbackKey(…)")
    }
}

/// The valid key; `None` if there is none yet. A key from before keys were stored is derived from the installation's
/// secret until it is replaced.
pub fn counting(secrets: &Secrets, row: &AdvertiserRow) -> Result<Option<PostbackKey>, Error> {
    let unreadable = |why: String| Error::Internal(format!("the postback key of advertiser {}: {why}", row.id));
    let key = match (row.key_origin, &row.postback_key) {
        (KeyOrigin::Awaited, _) => return Ok(None),
        (KeyOrigin::Brought, Some(public)) => {
            PostbackKey::Public(hex::decode(public).ok_or_else(|| unreadable("no public key".to_owned()))?)
        }
        (KeyOrigin::Staff, None) => PostbackKey::Shared(secrets.advertiser_key(row.id.0, row.key_version)),
        (KeyOrigin::Staff | KeyOrigin::Claimed, Some(sealed)) => {
            PostbackKey::Shared(secrets.vault().open(place(row.id.0), sealed).map_err(|e| unreadable(e.to_string()))?)
        }
        (KeyOrigin::Claimed | KeyOrigin::Brought, None) => return Err(unreadable("it is gone".to_owned())),
    };
    Ok(Some(key))
}

/// Makes a confirmed key the valid one.
pub(crate) fn set(tx: &mut Tx<'_>, secrets: &Secrets, id: AdvertiserId, key: &PostbackKey) -> Result<(), Error> {
    let row = advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let version = row.key_version.saturating_add(1);
    let kept = match key {
        PostbackKey::Public(key) => (hex::encode(key), KeyOrigin::Brought),
        PostbackKey::Shared(key) => {
            let sealed = secrets.vault().seal(place(row.id.0), key, &random()?);
            (sealed.map_err(|e| Error::Internal(format!("a postback key: {e}")))?, KeyOrigin::Claimed)
        }
    };
    Ok(advertiser::set_key(tx, id, version, (&kept.0, kept.1))?)
}

/// Requests a new key. The previous one stays valid until the new one is confirmed.
///
/// # Errors
/// `not_permitted`, `not_found`.
pub async fn rotate_key(app: &App, by: &Staff, id: AdvertiserId, offer: KeyOffer) -> Result<RequestView, Error> {
    by.may(auth::Permission::Catalogue)?;
    let (by, secrets) = (by.clone(), app.secrets.clone());
    app.db
        .write(move |tx| {
            advertisers::lock(tx, id)?;
            ask(tx, (&by, &secrets), KeyOwner::Advertiser(id), &offer, BesideKey::default())
        })
        .await
}
