//! What conversions claim of an advertiser on a day, and the most they may.

use std::collections::{BTreeMap, HashMap};

use base::{AdvertiserId, Money, Timestamp};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable};

use crate::schema::advertiser_days as days;
use crate::{Conn, Error, Tx};
use db::bulk::{Statement, ascending};
use db::statement;

pub(crate) const DAY_SECONDS: i64 = 86_400;

/// An advertiser's day, as far as it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claimed {
    pub so_far: Money,
    /// Without one, only what was funded bounds it.
    pub cap: Option<Money>,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    advertiser_id: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    daily_cap: Option<i64>,
    #[diesel(sql_type = BigInt)]
    claimed: i64,
}

statement!(
    OF_DAY,
    postgres: "SELECT a.id AS advertiser_id, a.daily_cap, COALESCE(d.claimed, 0) AS claimed \
         FROM unnest(?, ?) AS n(day, id) JOIN advertisers a ON a.id = n.id \
         LEFT JOIN advertiser_days d ON d.advertiser_id = n.id AND d.day = n.day",
    sqlite: "SELECT a.id AS advertiser_id, a.daily_cap, COALESCE(d.claimed, 0) AS claimed FROM advertisers a \
         LEFT JOIN advertiser_days d ON d.advertiser_id = a.id AND d.day = ? WHERE a.id = ?",
);
statement!(
    ADD,
    postgres: "INSERT INTO advertiser_days (advertiser_id, day, claimed) SELECT * FROM unnest(?, ?, ?) \
         ON CONFLICT (advertiser_id, day) DO UPDATE SET claimed = advertiser_days.claimed + excluded.claimed",
    sqlite: "INSERT INTO advertiser_days (advertiser_id, day, claimed) VALUES (?, ?, ?) \
         ON CONFLICT (advertiser_id, day) DO UPDATE SET claimed = advertiser_days.claimed + excluded.claimed",
);

/// Days are UTC's, counted from 1970.
pub(crate) const fn day(of: Timestamp) -> i64 {
    of.seconds().div_euclid(DAY_SECONDS)
}

/// The present day of advertisers, which are locked.
pub fn of_today(
    tx: &mut Tx<'_>,
    advertisers: impl IntoIterator<Item = AdvertiserId>,
) -> Result<HashMap<i64, Claimed>, Error> {
    let today = day(tx.now());
    let ids = ascending(advertisers.into_iter().map(|id| id.0));
    let rows: Vec<Row> = OF_DAY.load(tx, &[vec![today; ids.len()].into(), ids.into()])?;
    let claimed =
        |row: &Row| Claimed { so_far: Money::from_minor(row.claimed), cap: row.daily_cap.map(Money::from_minor) };
    Ok(rows.iter().map(|row| (row.advertiser_id, claimed(row))).collect())
}

/// Adds to the present day what was claimed of advertisers.
pub fn add(tx: &mut Tx<'_>, claimed: &BTreeMap<i64, i64>) -> Result<(), Error> {
    let today = day(tx.now());
    let columns = [
        claimed.keys().copied().collect::<Vec<_>>().into(),
        vec![today; claimed.len()].into(),
        claimed.values().copied().collect::<Vec<_>>().into(),
    ];
    ADD.execute(tx, &columns).map(|_| ())
}

/// Takes from the day it was claimed on what was reversed.
pub fn give_back(tx: &mut Tx<'_>, advertiser: AdvertiserId, at: Timestamp, amount: Money) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    let of_day = || days::table.find((advertiser.0, day(at)));
    let claimed: Option<i64> = of_day().select(days::claimed).first(conn).optional()?;
    if let Some(claimed) = claimed {
        // What was claimed before days were counted is not in it.
        let left = claimed.saturating_sub(amount.minor()).max(0);
        diesel::update(of_day()).set(days::claimed.eq(left)).execute(conn)?;
    }
    Ok(())
}
