//! How advertisers, ad exchanges and publishers get their keys, so that no member of staff ever has one. Staff request
//! a key and get a link. Whoever opens the link is shown the key, once. An advertiser may bring the public half of a
//! key pair instead. Either key becomes valid when a second person has typed its fingerprint, which the holder reads to
//! them. So an operator who opens the link, or brings a key of their own, is found out: they cannot provide the
//! holder's fingerprint.

mod claiming;

use auth::{Digest, Fingerprint, KeyOrigin, PublicKey, Secrets, Token, hex};
use base::{AdvertiserId, Field, Money, PublisherId, RequestId, Timestamp};
use delivery::UnconfirmedTerms;
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file_with};
use foundation::{Error, Refusal, random};
use serde::{Deserialize, Serialize};
use store::delivery::ssp::SspAgreement;
use store::delivery::{publisher, ssp};
use store::plans::advertiser;
use store::staff::offered_keys::{self as rows, NewKeyOffer, OfferedKeyRow};
use store::staff::requests::{MoneyRequest, Subject};
use store::{Conn, Tx};
use wallet::{RequestKind, RequestStatus};

pub use claiming::{ClaimKind, ClaimLink, ClaimState, ClaimedKey, claim, look};

use crate::catalogue::advertiser_keys::{self, PostbackKey};

/// The address of the app if no other one is configured.
pub const LOCAL: &str = "http://127.0.0.1:8080";

/// How the holder gets the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyOffer {
    /// Through a link into the app, which is served at this address.
    Link { base: String },
    /// The holder brought the public half of a key pair.
    Brought(PublicKey),
}

impl KeyOffer {
    pub fn link(base: &str) -> Self {
        Self::Link { base: base.trim_end_matches('/').to_owned() }
    }

    /// Reads a public key; without one, the offer is a link.
    ///
    /// # Errors
    /// The field `public_key`: `invalid`, `private_key`, `not_ed25519` or `weak`.
    pub fn read(public_key: Option<&str>, base: &str) -> Result<Self, Error> {
        let read =
            |text| auth::counterparty_key::read_public(text).map_err(|bad| Error::field(Field::PublicKey, bad.key()));
        public_key.map_or_else(|| Ok(Self::link(base)), |text| read(text).map(Self::Brought))
    }
}

impl Default for KeyOffer {
    fn default() -> Self {
        Self::link(LOCAL)
    }
}

/// The owner of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyOwner {
    Advertiser(AdvertiserId),
    Ssp(PublisherId),
    Publisher(PublisherId),
}

impl KeyOwner {
    const fn asks(self) -> (RequestKind, Subject) {
        match self {
            Self::Advertiser(id) => (RequestKind::AdvertiserKey, Subject::Advertiser(id)),
            Self::Ssp(id) => (RequestKind::SspKey, Subject::Publisher(id)),
            Self::Publisher(id) => (RequestKind::PublisherKey, Subject::Publisher(id)),
        }
    }

    fn of(request: &MoneyRequest) -> Result<Self, Error> {
        match (request.kind, request.subject) {
            (RequestKind::AdvertiserKey, Subject::Advertiser(id)) => Ok(Self::Advertiser(id)),
            (RequestKind::SspKey, Subject::Publisher(id)) => Ok(Self::Ssp(id)),
            (RequestKind::PublisherKey, Subject::Publisher(id)) => Ok(Self::Publisher(id)),
            (kind, _) => Err(Error::Internal(format!("request {} is no key but {kind}", request.id))),
        }
    }
}

/// As requested, approved and recorded: the valid key by its fingerprint, and how the next one is made. The fingerprint
/// of the next one is left out, because the approver must hear it from the holder.
#[derive(Debug, Serialize, Deserialize)]
struct KeyTerms {
    key: Option<String>,
    /// The seat on whose behalf the platform bids. This and the following fields are only for exchanges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<String>,
    /// In ten-thousandths; `None` stands for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unconfirmed_share: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unconfirmed_views: Option<i64>,
    /// `None` stands for an exchange that says which bids have won, which was always so at first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notifies: Option<bool>,
}

/// Terms that are agreed with an exchange together with its key; `None` keeps a term.
#[derive(Clone, Debug, Default)]
pub(crate) struct BesideKey {
    pub seat: Option<String>,
    pub unconfirmed: Option<UnconfirmedTerms>,
    pub notifies: Option<bool>,
}

impl KeyTerms {
    fn new(key: Option<String>, seat: Option<String>, unconfirmed: UnconfirmedTerms, notifies: bool) -> Self {
        let other = |agreed: i64, usual: i64| Some(agreed).filter(|agreed| *agreed != usual);
        Self {
            key,
            seat,
            unconfirmed_share: other(unconfirmed.share_parts, UnconfirmedTerms::DEFAULT.share_parts),
            unconfirmed_views: other(unconfirmed.views, UnconfirmedTerms::DEFAULT.views),
            notifies: (!notifies).then_some(false),
        }
    }

    fn notifies(&self) -> bool {
        self.notifies != Some(false)
    }

    fn unconfirmed(&self) -> UnconfirmedTerms {
        let UnconfirmedTerms { share_parts, views } = UnconfirmedTerms::DEFAULT;
        UnconfirmedTerms {
            share_parts: self.unconfirmed_share.unwrap_or(share_parts),
            views: self.unconfirmed_views.unwrap_or(views),
        }
    }
}

const BY_LINK: &str = "claimed by a link";
const BROUGHT: &str = "a public key";

/// The terms that are in force now.
fn present(conn: &mut Conn, secrets: &Secrets, owner: KeyOwner) -> Result<KeyTerms, Error> {
    let usual = UnconfirmedTerms::DEFAULT;
    let (key, seat, unconfirmed, notifies) = match owner {
        KeyOwner::Advertiser(id) => {
            let row = advertiser::find(conn, id)?.ok_or(Refusal::NotFound)?;
            (advertiser_keys::counting(secrets, &row)?.map(|key| key.fingerprint()), None, usual, true)
        }
        KeyOwner::Ssp(id) => {
            let row = ssp::find(conn, id)?.ok_or(Refusal::NotFound)?;
            let digest = row.key_hash.as_deref().and_then(|digest| digest.try_into().ok());
            let unconfirmed = row.unconfirmed()?;
            (digest.as_ref().map(Fingerprint::of_digest), row.seat, unconfirmed, !row.silent)
        }
        KeyOwner::Publisher(id) => {
            let row = publisher::find(conn, id)?.ok_or(Refusal::NotFound)?;
            let digest = row.key_digest.as_deref().and_then(hex::decode);
            (digest.as_ref().map(Fingerprint::of_digest), None, usual, true)
        }
    };
    Ok(KeyTerms::new(key.map(|print| print.to_string()), seat, unconfirmed, notifies))
}

/// Requests a key in the transaction of a use case that has locked its owner. For an exchange, other terms may be
/// requested with it.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`.
pub(crate) fn ask(
    tx: &mut Tx<'_>,
    (by, secrets): (&Staff, &Secrets),
    owner: KeyOwner,
    offer: &KeyOffer,
    beside: BesideKey,
) -> Result<RequestView, Error> {
    let now = present(tx, secrets, owner)?;
    let link = Token::new(&random()?);
    let (how, offered) = match offer {
        KeyOffer::Link { .. } => (BY_LINK, NewKeyOffer::Link(link.digest())),
        KeyOffer::Brought(key) => {
            let fingerprint = Fingerprint::of_public(key).to_string();
            (BROUGHT, NewKeyOffer::Brought { material: hex::encode(key), fingerprint })
        }
    };
    let unconfirmed = beside.unconfirmed.unwrap_or_else(|| now.unconfirmed());
    let notifies = beside.notifies.unwrap_or_else(|| now.notifies());
    let wanted = KeyTerms::new(Some(how.to_owned()), beside.seat.or_else(|| now.seat.clone()), unconfirmed, notifies);
    let (kind, subject) = owner.asks();
    let proposal = Proposal::between(&now, &wanted);
    let asked = CheckedRequest { kind, subject, amount: Money::ZERO, reference: None, proposal };
    let also = |tx: &mut Tx<'_>, request: RequestId| Ok(rows::insert(tx, request, subject, &offered)?);
    let view = file_with(tx, by, asked, also)?;
    Ok(match offered {
        NewKeyOffer::Link(_) => RequestView { claim_url: url(offer, &link), ..view },
        NewKeyOffer::Brought { fingerprint, .. } => RequestView { fingerprint: Some(fingerprint), ..view },
    })
}

/// The link's address. The token is in the fragment, which browsers do not send, so it is in no server's log, and no
/// preview of the link opens it.
fn url(offer: &KeyOffer, link: &Token) -> Option<String> {
    match offer {
        KeyOffer::Link { base } => Some(format!("{base}/#/claim?link={}", link.text())),
        KeyOffer::Brought(_) => None,
    }
}

/// The key that a request offers. Requests from before counterparties got their keys themselves offer none.
fn find_offered(conn: &mut Conn, found: &MoneyRequest) -> Result<OfferedKeyRow, Error> {
    rows::of_request(conn, found.id)?.ok_or_else(|| Refusal::ProposalStale.into())
}

/// Checks that the second person typed the fingerprint of the offered key.
///
/// # Errors
/// `proposal_stale`; `key_not_claimed` if nobody has opened the link; the field
/// `fingerprint`.
pub fn confirm(tx: &mut Tx<'_>, secrets: &Secrets, found: &MoneyRequest, typed: Option<&str>) -> Result<(), Error> {
    if !found.kind.is_of_key() {
        return Ok(());
    }
    let row = find_offered(tx, found)?;
    let key = material(secrets, KeyOwner::of(found)?, &row)?.ok_or(Refusal::KeyNotClaimed)?;
    match typed {
        None => Err(Error::field(Field::Fingerprint, "required")),
        Some(typed) if key.fingerprint().is(typed) => Ok(()),
        Some(_) => Err(Error::field(Field::Fingerprint, "wrong")),
    }
}

/// Makes a confirmed key the valid one; the previous one becomes invalid.
///
/// # Errors
/// `not_found`; `proposal_stale` if another key was confirmed since the request; `admin_needed` if more views may be billed
/// without a picture than before, or than usual, and neither of the two is an admin.
pub fn agree(tx: &mut Tx<'_>, (by, secrets): (&Staff, &Secrets), found: &MoneyRequest) -> Result<(), Error> {
    let (owner, row) = (KeyOwner::of(found)?, find_offered(tx, found)?);
    let key = material(secrets, owner, &row)?.ok_or(Refusal::KeyNotClaimed)?;
    let before = present(tx, secrets, owner)?;
    let terms: KeyTerms = Proposal::of(found)?.apply(&before)?;
    let (old, new) = (before.unconfirmed(), terms.unconfirmed());
    if new.share_parts > old.share_parts || new.views > old.views {
        by.admin_with(tx, found.review.requested_by)?;
    }
    match (owner, key) {
        (KeyOwner::Advertiser(id), OfferedKey::Signing(key)) => advertiser_keys::set(tx, secrets, id, &key)?,
        (KeyOwner::Ssp(id), OfferedKey::Shown(digest)) => {
            let (seat, silent) = (terms.seat.as_deref(), !terms.notifies());
            ssp::set_terms(tx, id, SspAgreement { key_hash: &digest, seat, unconfirmed: new, silent })?;
        }
        (KeyOwner::Publisher(id), OfferedKey::Shown(digest)) => {
            publisher::set_key(tx, id, Some(&hex::encode(&digest)))?;
        }
        (owner, _) => return Err(Error::Internal(format!("offered key {} is not of {owner:?}", row.id))),
    }
    Ok(rows::counts(tx, row.id)?)
}

/// An offered key.
#[derive(Debug)]
enum OfferedKey {
    /// An advertiser's key, which signs.
    Signing(PostbackKey),
    /// The digest of an exchange's or a publisher's key, which they send with requests.
    Shown(Digest),
}

impl OfferedKey {
    fn fingerprint(&self) -> Fingerprint {
        match self {
            Self::Signing(key) => key.fingerprint(),
            Self::Shown(digest) => Fingerprint::of_digest(digest),
        }
    }
}

/// The offered key; `None` if it was not claimed, or is valid already.
fn material(secrets: &Secrets, owner: KeyOwner, row: &OfferedKeyRow) -> Result<Option<OfferedKey>, Error> {
    let Some(text) = &row.material else { return Ok(None) };
    let unreadable = || Error::Internal(format!("offered key {} cannot be read", row.id));
    let key = match owner {
        KeyOwner::Advertiser(_) => OfferedKey::Signing(signing(secrets, row, text)?),
        KeyOwner::Ssp(_) | KeyOwner::Publisher(_) => OfferedKey::Shown(hex::decode(text).ok_or_else(unreadable)?),
    };
    Ok(Some(key))
}

fn signing(secrets: &Secrets, row: &OfferedKeyRow, text: &str) -> Result<PostbackKey, Error> {
    let unreadable = |why: String| Error::Internal(format!("offered key {}: {why}", row.id));
    match row.origin()? {
        KeyOrigin::Brought => {
            hex::decode(text).map(PostbackKey::Public).ok_or_else(|| unreadable("no public key".to_owned()))
        }
        _ => {
            let opened = secrets.vault().open(rows::place(row.id), text);
            opened.map(PostbackKey::Shared).map_err(|e| unreadable(e.to_string()))
        }
    }
}

/// An advertiser's keys that wait for a second person.
pub(crate) fn waiting(
    conn: &mut Conn,
    secrets: &Secrets,
    id: AdvertiserId,
    now: Timestamp,
) -> Result<Vec<PostbackKey>, Error> {
    let rows = rows::waiting(conn, id, now)?;
    let of = |row: &OfferedKeyRow| Some(signing(secrets, row, row.material.as_deref()?));
    rows.iter().filter_map(of).collect()
}

/// Adds to the view of a request for a key whether the key was claimed, and its fingerprint once that was confirmed.
pub fn complete_view(conn: &mut Conn, view: RequestView, found: &MoneyRequest) -> Result<RequestView, Error> {
    let Some(row) = rows::of_request(conn, found.id)?.filter(|_| found.kind.is_of_key()) else { return Ok(view) };
    let confirmed = found.review.status == RequestStatus::Approved;
    let claimed_at = row.claimed_at();
    Ok(RequestView { claimed_at, fingerprint: row.fingerprint.filter(|_| confirmed), ..view })
}
