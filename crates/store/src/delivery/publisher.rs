//! Publishers, who own slots.

use std::collections::HashMap;

use auth::KeyOrigin;
use auth::vault::SealContext;
use base::{Money, PublisherId, Timestamp};
use diesel::prelude::*;
use supply::{Profile, Publisher, PublisherKind, PublisherStatus, Share, name_key};
use wallet::PUBLISHER_EARNINGS;

use crate::schema::publishers;
use crate::{Conn, Error, Tx, will_change};
use db::bulk::{Statement, ascending};
use db::{row, statement};

/// More than staff ever see at once.
const AT_MOST: i64 = 1_000;

#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = publishers)]
pub struct PublisherRow {
    pub id: PublisherId,
    pub name: String,
    pub domain: Option<String>,
    pub contact: Option<String>,
    pub status: PublisherStatus,
    pub created_at: Timestamp,
    pub share_parts: i64,
    /// Where it is paid; sealed.
    pub destination: Option<String>,
    pub destination_since: Option<Timestamp>,
    /// The digest of its API key, in hexadecimal.
    pub key_digest: Option<String>,
    pub key_since: Option<Timestamp>,
    pub kind: PublisherKind,
}

/// A publisher to be inserted. If only a slot's file named it, nothing but its name is known.
#[derive(Clone, Debug, PartialEq, Eq, Insertable)]
#[diesel(table_name = publishers, treat_none_as_default_value = false)]
pub struct NewPublisher {
    pub name: String,
    pub domain: Option<String>,
    pub contact: Option<String>,
    pub kind: PublisherKind,
}

impl NewPublisher {
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), domain: None, contact: None, kind: PublisherKind::Direct }
    }
}

impl From<&Profile> for NewPublisher {
    fn from(profile: &Profile) -> Self {
        let Profile { name, domain, contact } = profile;
        let domain = domain.parse::<supply::Domain>().ok().map(|domain| domain.to_string());
        Self { name: name.trim().to_owned(), domain, contact: Some(contact.clone()), kind: PublisherKind::Direct }
    }
}

impl PublisherRow {
    /// Whether it has pages of its own; otherwise it is an ad exchange.
    pub const fn is_direct(&self) -> bool {
        matches!(self.kind, PublisherKind::Direct)
    }

    /// # Errors
    /// [`Error::Corrupt`] if its domain or share is invalid.
    pub fn publisher(&self) -> Result<Publisher, Error> {
        let wrong = |what: &str| Error::Corrupt(format!("the {what} of publisher {}", self.id));
        Ok(Publisher {
            id: self.id,
            kind: self.kind,
            name: self.name.clone(),
            domain: self.domain.as_deref().map(str::parse).transpose().map_err(|_| wrong("domain"))?,
            contact: self.contact.clone(),
            status: self.status,
            share: Share::from_parts(self.share_parts).ok_or_else(|| wrong("share"))?,
            paid_to_since: self.destination_since,
        })
    }
}

pub fn insert(tx: &mut Tx<'_>, new: &NewPublisher) -> Result<PublisherRow, Error> {
    let row: PublisherRow = diesel::insert_into(publishers::table)
        .values((
            new,
            publishers::name_key.eq(name_key(&new.name)),
            publishers::status.eq(PublisherStatus::Active),
            publishers::created_at.eq(tx.now()),
            // The value is set here, because servers of an older version rely on the column's default.
            publishers::share_parts.eq(Share::DEFAULT.parts()),
        ))
        .returning(db::row::columns_of::<PublisherRow>())
        .get_result(tx.conn())?;
    tx.notes().vouches("publishers", row.id.0);
    Ok(row)
}

/// Changes everything but the name, which identifies the publisher.
pub fn change(tx: &mut Tx<'_>, id: PublisherId, new: &NewPublisher) -> Result<(), Error> {
    will_change(tx, "publishers", [id.0])?;
    tx.run(
        diesel::update(publishers::table.find(id))
            .set((publishers::domain.eq(&new.domain), publishers::contact.eq(&new.contact))),
    )
}

/// Sets whether its slots show ads.
pub fn set_status(tx: &mut Tx<'_>, id: PublisherId, status: PublisherStatus) -> Result<(), Error> {
    will_change(tx, "publishers", [id.0])?;
    tx.notes().changes_catalogue();
    tx.run(diesel::update(publishers::table.find(id)).set(publishers::status.eq(status)))
}

/// The place that a publisher's destination is sealed for.
pub const fn place(id: PublisherId) -> SealContext {
    SealContext { table: "publishers", column: "destination", row: id.0 }
}

/// Sets its share of later bills.
pub fn set_share(tx: &mut Tx<'_>, id: PublisherId, share: Share) -> Result<(), Error> {
    will_change(tx, "publishers", [id.0])?;
    tx.notes().changes_catalogue();
    tx.run(diesel::update(publishers::table.find(id)).set(publishers::share_parts.eq(share.parts())))
}

/// Sets where it is paid from now on; `sealed` is sealed for [`place`].
pub fn set_destination(tx: &mut Tx<'_>, id: PublisherId, sealed: &str) -> Result<(), Error> {
    will_change(tx, "publishers", [id.0])?;
    tx.run(
        diesel::update(publishers::table.find(id))
            .set((publishers::destination.eq(sealed), publishers::destination_since.eq(tx.now()))),
    )
}

/// Sets the digest of the API key that it claimed; `None` withdraws its key.
pub fn set_key(tx: &mut Tx<'_>, id: PublisherId, digest: Option<&str>) -> Result<(), Error> {
    will_change(tx, "publishers", [id.0])?;
    let since = digest.map(|_| tx.now().millis());
    tx.run(diesel::update(publishers::table.find(id)).set((
        publishers::key_digest.eq(digest),
        publishers::key_since.eq(since),
        publishers::key_origin.eq(KeyOrigin::Claimed),
    )))
}

/// The publisher whose key has this digest.
pub fn with_key(conn: &mut Conn, digest: &str) -> Result<Option<PublisherRow>, Error> {
    Ok(publishers::table
        .filter(publishers::key_digest.eq(digest))
        .select(PublisherRow::as_select())
        .first(conn)
        .optional()?)
}

pub fn find(conn: &mut Conn, id: PublisherId) -> Result<Option<PublisherRow>, Error> {
    Ok(publishers::table.find(id).select(PublisherRow::as_select()).first(conn).optional()?)
}

/// A publisher, locked until the transaction ends.
pub fn lock(tx: &mut Tx<'_>, id: PublisherId) -> Result<Option<PublisherRow>, Error> {
    if let Conn::Postgres(conn) = tx.conn() {
        let locked = publishers::table.find(id).select(PublisherRow::as_select()).for_no_key_update();
        return Ok(locked.first(conn).optional()?);
    }
    find(tx, id)
}

/// The publishers with these names, however they are written.
pub fn find_named(conn: &mut Conn, names: &[String]) -> Result<Vec<PublisherRow>, Error> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<String> = names.iter().map(|name| name_key(name)).collect();
    Ok(publishers::table.filter(publishers::name_key.eq_any(keys)).select(PublisherRow::as_select()).load(conn)?)
}

pub fn by_ids(conn: &mut Conn, ids: &[PublisherId]) -> Result<Vec<PublisherRow>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(publishers::table.filter(publishers::id.eq_any(ids)).select(PublisherRow::as_select()).load(conn)?)
}

/// The publishers on these domains.
pub fn on_domains(conn: &mut Conn, domains: &[String]) -> Result<Vec<PublisherRow>, Error> {
    if domains.is_empty() {
        return Ok(Vec::new());
    }
    Ok(publishers::table.filter(publishers::domain.eq_any(domains)).select(PublisherRow::as_select()).load(conn)?)
}

/// All publishers, newest first; there are few.
pub fn all(conn: &mut Conn) -> Result<Vec<PublisherRow>, Error> {
    Ok(publishers::table.order(publishers::id.desc()).limit(AT_MOST).select(PublisherRow::as_select()).load(conn)?)
}

/// The names of all publishers and ad exchanges, read by the thousand.
pub fn names(conn: &mut Conn) -> Result<Vec<String>, Error> {
    let (mut names, mut after) = (Vec::new(), PublisherId(0));
    loop {
        let more: Vec<(PublisherId, String)> = publishers::table
            .filter(publishers::id.gt(after))
            .order(publishers::id)
            .limit(AT_MOST)
            .select((publishers::id, publishers::name))
            .load(conn)?;
        let Some(last) = more.last().map(|(id, _)| *id) else { return Ok(names) };
        after = last;
        names.extend(more.into_iter().map(|(_, name)| name));
    }
}

row! {
    struct UnpaidRow {
        id: PublisherId,
        unpaid: Money,
    }
}

statement!(
    UNPAID,
    each: &format!(
        "SELECT e.owner_id AS id, CAST(SUM(e.amount) AS BIGINT) AS unpaid FROM entries e \
         WHERE e.account_kind = {PUBLISHER_EARNINGS} AND e.owner_id = ANY(?) GROUP BY e.owner_id"
    ),
);

/// What publishers have earned and were not paid yet, as the sum of the entries of their accounts. Publishers without
/// entries are left out.
pub fn unpaid(
    conn: &mut Conn,
    ids: impl IntoIterator<Item = PublisherId>,
) -> Result<HashMap<PublisherId, Money>, Error> {
    let rows: Vec<UnpaidRow> = UNPAID.load(conn, &[ascending(ids).into()])?;
    Ok(rows.into_iter().map(|row| (row.id, row.unpaid)).collect())
}
