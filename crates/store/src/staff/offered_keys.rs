//! Keys that counterparties brought or claimed. They become valid once a second person has confirmed their fingerprint.

use auth::vault::SealContext;
use auth::{Digest, KeyOrigin};
use base::{AdvertiserId, RequestId, Timestamp};
use diesel::prelude::*;
use wallet::RequestStatus;

use crate::schema::{money_requests, offered_keys};
use crate::staff::requests::Subject;
use crate::{Conn, Error, Tx, will_change};

#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = offered_keys)]
pub struct OfferedKeyRow {
    pub id: i64,
    pub request_id: i64,
    pub advertiser_id: Option<i64>,
    pub publisher_id: Option<i64>,
    origin: i16,
    /// A public key or a token's digest in hexadecimal, or a signing key that is sealed for [`place`]; `None` before it
    /// is claimed, and once it is valid.
    pub material: Option<String>,
    pub fingerprint: Option<String>,
    pub claimed_at: Option<Timestamp>,
}

impl OfferedKeyRow {
    /// # Errors
    /// [`Error::Corrupt`] if the stored origin is unknown.
    pub fn origin(&self) -> Result<KeyOrigin, Error> {
        KeyOrigin::try_from(self.origin).map_err(|e| Error::Corrupt(format!("offered key {}: {e}", self.id)))
    }

    pub fn claimed_at(&self) -> Option<Timestamp> {
        self.claimed_at
    }
}

/// The place that a claimed signing key is sealed for.
pub const fn place(id: i64) -> SealContext {
    SealContext { table: "offered_keys", column: "material", row: id }
}

/// A key offer: a link to claim a key, or a key that was brought.
#[derive(Clone, Debug)]
pub enum NewKeyOffer {
    Link(Digest),
    /// A public key in hexadecimal, with its fingerprint.
    Brought {
        material: String,
        fingerprint: String,
    },
}

/// Inserts the key offer of an advertiser or publisher, with the request for it.
pub fn insert(tx: &mut Tx<'_>, request: RequestId, of: Subject, offer: &NewKeyOffer) -> Result<(), Error> {
    let now = tx.now().millis();
    let (advertiser, publisher) = match of {
        Subject::Advertiser(id) => (Some(id.0), None),
        Subject::Publisher(id) => (None, Some(id.0)),
        _ => return Err(Error::Corrupt(format!("request {request} offers a key to nobody"))),
    };
    let (origin, link, brought) = match offer {
        NewKeyOffer::Link(digest) => (KeyOrigin::Claimed, Some(digest.to_vec()), None),
        NewKeyOffer::Brought { material, fingerprint } => (KeyOrigin::Brought, None, Some((material, fingerprint))),
    };
    let id: i64 = diesel::insert_into(offered_keys::table)
        .values((
            offered_keys::request_id.eq(request),
            offered_keys::advertiser_id.eq(advertiser),
            offered_keys::publisher_id.eq(publisher),
            offered_keys::origin.eq(origin),
            offered_keys::link_digest.eq(link),
            offered_keys::material.eq(brought.map(|(material, _)| material)),
            offered_keys::fingerprint.eq(brought.map(|(_, fingerprint)| fingerprint)),
            offered_keys::offered_at.eq(now),
            offered_keys::claimed_at.eq(brought.map(|_| now)),
        ))
        .returning(offered_keys::id)
        .get_result(tx.conn())?;
    tx.notes().vouches("offered_keys", id);
    Ok(())
}

pub fn of_request(conn: &mut Conn, request: RequestId) -> Result<Option<OfferedKeyRow>, Error> {
    let found = offered_keys::table.filter(offered_keys::request_id.eq(request));
    Ok(found.select(OfferedKeyRow::as_select()).first(conn).optional()?)
}

pub fn of_link(conn: &mut Conn, link: &Digest) -> Result<Option<OfferedKeyRow>, Error> {
    let found = offered_keys::table.filter(offered_keys::link_digest.eq(link.to_vec()));
    Ok(found.select(OfferedKeyRow::as_select()).first(conn).optional()?)
}

/// Stores the key that was claimed.
pub fn claim(tx: &mut Tx<'_>, id: i64, material: &str, fingerprint: &str) -> Result<(), Error> {
    will_change(tx, "offered_keys", [id])?;
    tx.run(diesel::update(offered_keys::table.find(id)).set((
        offered_keys::material.eq(material),
        offered_keys::fingerprint.eq(fingerprint),
        offered_keys::claimed_at.eq(tx.now()),
    )))
}

/// Removes the key's material here, because the key is valid from now on and stored with its owner.
pub fn counts(tx: &mut Tx<'_>, id: i64) -> Result<(), Error> {
    will_change(tx, "offered_keys", [id])?;
    tx.run(diesel::update(offered_keys::table.find(id)).set(offered_keys::material.eq(None::<String>)))
}

/// More keys of one advertiser than ever wait at once.
const AT_MOST: i64 = 4;

/// An advertiser's keys that wait for their second person, newest first.
pub fn waiting(conn: &mut Conn, advertiser: AdvertiserId, now: Timestamp) -> Result<Vec<OfferedKeyRow>, Error> {
    let open = money_requests::status.eq(RequestStatus::Requested).and(money_requests::expires_at.gt(now));
    Ok(offered_keys::table
        .inner_join(money_requests::table)
        .filter(offered_keys::advertiser_id.eq(advertiser).and(offered_keys::material.is_not_null()))
        .filter(open)
        .order(offered_keys::id.desc())
        .limit(AT_MOST)
        .select(OfferedKeyRow::as_select())
        .load(conn)?)
}
