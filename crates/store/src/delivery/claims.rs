//! What conversions claim from an advertiser in a day, and the most allowed.

use std::collections::{BTreeMap, HashMap};

use base::{AdvertiserId, Money, Timestamp};
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::schema::advertiser_days as days;
use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::statement;

pub(crate) const DAY_SECONDS: i64 = 86_400;

/// The current day of an advertiser with a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    pub claimed: Money,
    pub cap: Money,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    advertiser_id: i64,
    #[diesel(sql_type = BigInt)]
    claimed: i64,
}

statement!(
    OF_DAY,
    postgres: "SELECT d.advertiser_id, d.claimed FROM unnest(?, ?) AS n(day, id) \
         JOIN advertiser_days d ON d.advertiser_id = n.id AND d.day = n.day",
    sqlite: "SELECT advertiser_id, claimed FROM advertiser_days WHERE day = ? AND advertiser_id = ?",
);
statement!(
    ADD,
    postgres: "INSERT INTO advertiser_days (advertiser_id, day, claimed) SELECT * FROM unnest(?, ?, ?) \
         ON CONFLICT (advertiser_id, day) DO UPDATE SET claimed = advertiser_days.claimed + excluded.claimed",
    sqlite: "INSERT INTO advertiser_days (advertiser_id, day, claimed) VALUES (?, ?, ?) \
         ON CONFLICT (advertiser_id, day) DO UPDATE SET claimed = advertiser_days.claimed + excluded.claimed",
);

/// UTC days, counted from 1970.
pub(crate) const fn day(of: Timestamp) -> i64 {
    of.seconds().div_euclid(DAY_SECONDS)
}

/// The current day of advertisers who are locked and have a cap.
pub fn of_today(tx: &mut Tx<'_>, caps: &BTreeMap<AdvertiserId, Money>) -> Result<HashMap<AdvertiserId, Day>, Error> {
    let today = day(tx.now());
    let ids: Vec<i64> = caps.keys().map(|id| id.0).collect();
    let rows: Vec<Row> = OF_DAY.load(tx, &[vec![today; ids.len()].into(), ids.into()])?;
    let mut days: HashMap<_, _> = caps.iter().map(|(id, cap)| (*id, Day { claimed: Money::ZERO, cap: *cap })).collect();
    for row in rows {
        if let Some(day) = days.get_mut(&AdvertiserId(row.advertiser_id)) {
            day.claimed = Money::from_minor(row.claimed);
        }
    }
    Ok(days)
}

/// Adds claims from advertisers to the current day.
pub fn add(tx: &mut Tx<'_>, claimed: &BTreeMap<i64, i64>) -> Result<(), Error> {
    let today = day(tx.now());
    let columns = [
        claimed.keys().copied().collect::<Vec<_>>().into(),
        vec![today; claimed.len()].into(),
        claimed.values().copied().collect::<Vec<_>>().into(),
    ];
    ADD.execute(tx, &columns).map(|_| ())
}

/// Takes a reversed conversion off the day when it was claimed.
pub fn give_back(tx: &mut Tx<'_>, advertiser: AdvertiserId, at: Timestamp, amount: Money) -> Result<(), Error> {
    let conn: &mut Conn = tx;
    let of_day = || days::table.find((advertiser.0, day(at)));
    let claimed: Option<i64> = of_day().select(days::claimed).first(conn).optional()?;
    if let Some(claimed) = claimed {
        // Claims from before days were counted are not included.
        let left = claimed.saturating_sub(amount.minor()).max(0);
        diesel::update(of_day()).set(days::claimed.eq(left)).execute(conn)?;
    }
    Ok(())
}
