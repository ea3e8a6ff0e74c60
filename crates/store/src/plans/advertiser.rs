//! Advertisers, who offer products and fund their conversions.

use auth::KeyOrigin;
use base::{AdvertiserId, Money, Timestamp};
use diesel::prelude::*;

use crate::schema::advertisers;
use crate::{Conn, Error, Tx};

#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = advertisers)]
pub struct AdvertiserRow {
    pub id: i64,
    pub name: String,
    pub key_version: i32,
    pub claims: i64,
    pub created_at: i64,
    /// The key that checks its postbacks: sealed, or in hexadecimal if it is public; `None`
    /// for one from before keys were stored, which is derived, and if there is none yet.
    pub postback_key: Option<String>,
    /// The most that conversions may claim in a day.
    pub daily_cap: Option<i64>,
    key_origin: i16,
}

impl AdvertiserRow {
    pub fn id(&self) -> AdvertiserId {
        AdvertiserId(self.id)
    }

    pub fn claims(&self) -> Money {
        Money::from_minor(self.claims)
    }

    pub fn daily_cap(&self) -> Option<Money> {
        self.daily_cap.map(Money::from_minor)
    }

    /// # Errors
    /// [`Error::Corrupt`] if its key came in no way that there is.
    pub fn key_origin(&self) -> Result<KeyOrigin, Error> {
        KeyOrigin::try_from(self.key_origin).map_err(|e| Error::Corrupt(format!("advertiser {}: {e}", self.id)))
    }

    pub fn created_at(&self) -> Timestamp {
        Timestamp::from_millis(self.created_at)
    }
}

/// The columns of a row, in the order of its fields.
const COLUMNS: (
    advertisers::id,
    advertisers::name,
    advertisers::key_version,
    advertisers::claims,
    advertisers::created_at,
    advertisers::postback_key,
    advertisers::daily_cap,
    advertisers::key_origin,
) = (
    advertisers::id,
    advertisers::name,
    advertisers::key_version,
    advertisers::claims,
    advertisers::created_at,
    advertisers::postback_key,
    advertisers::daily_cap,
    advertisers::key_origin,
);

/// Without a key.
pub fn insert(tx: &mut Tx<'_>, name: &str, daily_cap: Money) -> Result<AdvertiserRow, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let row: AdvertiserRow = diesel::insert_into(advertisers::table)
        .values((
            advertisers::name.eq(name),
            advertisers::book_head.eq(wallet::GENESIS.to_vec()),
            advertisers::daily_cap.eq(daily_cap.minor()),
            advertisers::key_origin.eq(KeyOrigin::Awaited.code()),
            advertisers::created_at.eq(now),
        ))
        .returning(COLUMNS)
        .get_result(conn)?;
    tx.notes().vouches("advertisers", row.id);
    Ok(row)
}

/// Sets a new key: sealed for this row, or public.
pub fn set_key(tx: &mut Tx<'_>, id: AdvertiserId, version: i32, (key, origin): (&str, KeyOrigin)) -> Result<(), Error> {
    tx.notes().vouches("advertisers", id.0);
    let conn: &mut Conn = tx;
    diesel::update(advertisers::table.find(id.0))
        .set((
            advertisers::key_version.eq(version),
            advertisers::postback_key.eq(key),
            advertisers::key_origin.eq(origin.code()),
        ))
        .execute(conn)?;
    Ok(())
}

pub fn set_cap(tx: &mut Tx<'_>, id: AdvertiserId, cap: Option<Money>) -> Result<(), Error> {
    tx.notes().vouches("advertisers", id.0);
    let conn: &mut Conn = tx;
    let cap = cap.map(Money::minor);
    diesel::update(advertisers::table.find(id.0)).set(advertisers::daily_cap.eq(cap)).execute(conn)?;
    Ok(())
}

pub fn find(conn: &mut Conn, id: AdvertiserId) -> Result<Option<AdvertiserRow>, Error> {
    Ok(advertisers::table.find(id.0).select(AdvertiserRow::as_select()).first(conn).optional()?)
}

pub fn find_by_name(conn: &mut Conn, name: &str) -> Result<Option<AdvertiserRow>, Error> {
    Ok(advertisers::table
        .filter(advertisers::name.eq(name))
        .select(AdvertiserRow::as_select())
        .first(conn)
        .optional()?)
}

pub fn named(conn: &mut Conn, names: &[String]) -> Result<Vec<AdvertiserRow>, Error> {
    Ok(advertisers::table.filter(advertisers::name.eq_any(names)).select(AdvertiserRow::as_select()).load(conn)?)
}

pub fn by_ids(conn: &mut Conn, ids: &[i64]) -> Result<Vec<AdvertiserRow>, Error> {
    Ok(advertisers::table.filter(advertisers::id.eq_any(ids)).select(AdvertiserRow::as_select()).load(conn)?)
}

/// All of them, for staff; there are few.
pub fn all(conn: &mut Conn) -> Result<Vec<AdvertiserRow>, Error> {
    Ok(advertisers::table.order(advertisers::id.desc()).limit(1000).select(AdvertiserRow::as_select()).load(conn)?)
}
