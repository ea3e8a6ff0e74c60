//! Advertisers, who offer products and fund their conversions.

use auth::KeyOrigin;
use base::{AdvertiserId, Money, Timestamp};
use diesel::prelude::*;

use crate::schema::advertisers;
use crate::{Conn, Error, Tx, will_change};

#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = advertisers)]
pub struct AdvertiserRow {
    pub id: AdvertiserId,
    pub name: String,
    pub key_version: i32,
    pub claims: Money,
    pub created_at: Timestamp,
    /// The key that verifies its postbacks: sealed, or in hexadecimal if it is a public key. `None` if there is none
    /// yet, or if it is from before keys were stored; such a key is derived.
    pub postback_key: Option<String>,
    /// The most that conversions may claim in a day.
    pub daily_cap: Option<Money>,
    pub key_origin: KeyOrigin,
}

/// Inserts an advertiser without a key.
pub fn insert(tx: &mut Tx<'_>, name: &str, daily_cap: Money) -> Result<AdvertiserRow, Error> {
    let row: AdvertiserRow = diesel::insert_into(advertisers::table)
        .values((
            advertisers::name.eq(name),
            advertisers::book_head.eq(wallet::GENESIS.to_vec()),
            advertisers::daily_cap.eq(daily_cap),
            advertisers::key_origin.eq(KeyOrigin::Awaited),
            advertisers::created_at.eq(tx.now()),
        ))
        .returning(db::row::columns_of::<AdvertiserRow>())
        .get_result(tx.conn())?;
    tx.notes().vouches("advertisers", row.id.0);
    Ok(row)
}

/// Sets a new key: sealed for this row, or public.
pub fn set_key(tx: &mut Tx<'_>, id: AdvertiserId, version: i32, (key, origin): (&str, KeyOrigin)) -> Result<(), Error> {
    will_change(tx, "advertisers", [id.0])?;
    tx.run(diesel::update(advertisers::table.find(id)).set((
        advertisers::key_version.eq(version),
        advertisers::postback_key.eq(key),
        advertisers::key_origin.eq(origin),
    )))
}

pub fn set_cap(tx: &mut Tx<'_>, id: AdvertiserId, cap: Option<Money>) -> Result<(), Error> {
    will_change(tx, "advertisers", [id.0])?;
    tx.run(diesel::update(advertisers::table.find(id)).set(advertisers::daily_cap.eq(cap)))
}

pub fn find(conn: &mut Conn, id: AdvertiserId) -> Result<Option<AdvertiserRow>, Error> {
    Ok(advertisers::table.find(id).select(AdvertiserRow::as_select()).first(conn).optional()?)
}

pub fn find_by_name(conn: &mut Conn, name: &str) -> Result<Option<AdvertiserRow>, Error> {
    Ok(advertisers::table
        .filter(advertisers::name.eq(name))
        .select(AdvertiserRow::as_select())
        .first(conn)
        .optional()?)
}

pub fn find_named(conn: &mut Conn, names: &[String]) -> Result<Vec<AdvertiserRow>, Error> {
    Ok(advertisers::table.filter(advertisers::name.eq_any(names)).select(AdvertiserRow::as_select()).load(conn)?)
}

pub fn by_ids(conn: &mut Conn, ids: &[AdvertiserId]) -> Result<Vec<AdvertiserRow>, Error> {
    Ok(advertisers::table.filter(advertisers::id.eq_any(ids)).select(AdvertiserRow::as_select()).load(conn)?)
}

/// The names of all of them; there are few.
pub fn names(conn: &mut Conn) -> Result<Vec<String>, Error> {
    Ok(advertisers::table.select(advertisers::name).load(conn)?)
}

/// All of them, for staff; there are few.
pub fn all(conn: &mut Conn) -> Result<Vec<AdvertiserRow>, Error> {
    Ok(advertisers::table.order(advertisers::id.desc()).limit(1000).select(AdvertiserRow::as_select()).load(conn)?)
}
