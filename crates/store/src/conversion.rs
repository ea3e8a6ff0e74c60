//! Conversions that advertisers report, each under an event id of theirs that
//! is unique for ever.

use base::{AdvertiserId, Money, PlanId, Timestamp};
use delivery::{Reason, Verdict};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, SmallInt, Text};

use crate::schema::conversions;
use crate::{Conn, Error, Realm, Tx};

/// A conversion as it was answered when it first came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    pub id: i64,
    pub plan: Option<PlanId>,
    pub verdict: Verdict,
    pub payout: Money,
    pub received_at: Timestamp,
    pub reversed: bool,
}

pub fn find(conn: &mut Conn, advertiser: AdvertiserId, event_key: &str) -> Result<Option<Reported>, Error> {
    type Row = (i64, Option<i64>, bool, i16, i64, i64, Option<i64>);
    let row: Option<Row> = conversions::table
        .filter(conversions::advertiser_id.eq(advertiser.0))
        .filter(conversions::event_key.eq(event_key))
        .select((
            conversions::id,
            conversions::plan_id,
            conversions::accepted,
            conversions::reason,
            conversions::payout,
            conversions::received_at,
            conversions::reversed_at,
        ))
        .first(conn)
        .optional()?;
    Ok(row.map(|(id, plan, accepted, reason, payout, received_at, reversed_at)| Reported {
        id,
        plan: plan.map(PlanId),
        verdict: if accepted { Ok(()) } else { Err(Reason::from_code(reason).unwrap_or(Reason::UnknownClick)) },
        payout: Money::from_minor(payout),
        received_at: Timestamp::from_millis(received_at),
        reversed: reversed_at.is_some(),
    }))
}

#[derive(Clone, Debug)]
pub struct NewConversion<'a> {
    pub advertiser: AdvertiserId,
    pub event_key: &'a str,
    pub click_id: &'a str,
    pub plan: Option<PlanId>,
    pub occurred_at: Timestamp,
    pub realm: Realm,
    pub verdict: Verdict,
    /// Zero where it is not accepted.
    pub payout: Money,
}

#[derive(QueryableByName)]
struct Inserted {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Keeps it, and gives its id; `None` when the event id was there already.
pub fn insert(tx: &mut Tx<'_>, new: &NewConversion<'_>) -> Result<Option<i64>, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    let inserted: Option<Inserted> = diesel::sql_query(
        "INSERT INTO conversions (advertiser_id, event_key, click_id, plan_id, occurred_at, received_at, realm, accepted, reason, payout) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING id",
    )
    .bind::<BigInt, _>(new.advertiser.0)
    .bind::<Text, _>(new.event_key)
    .bind::<Text, _>(new.click_id)
    .bind::<Nullable<BigInt>, _>(new.plan.map(|plan| plan.0))
    .bind::<BigInt, _>(new.occurred_at.millis())
    .bind::<BigInt, _>(now)
    .bind::<SmallInt, _>(new.realm.code())
    .bind::<Bool, _>(new.verdict.is_ok())
    .bind::<SmallInt, _>(new.verdict.err().map_or(0, Reason::code))
    .bind::<BigInt, _>(new.payout.minor())
    .get_result(conn)
    .optional()?;
    Ok(inserted.map(|row| row.id))
}

pub fn mark_reversed(tx: &mut Tx<'_>, id: i64) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::update(conversions::table.find(id)).set(conversions::reversed_at.eq(now)).execute(conn)?;
    Ok(())
}
