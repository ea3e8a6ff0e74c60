//! Conversions that advertisers report, each under an event id of theirs that
//! is unique for ever.

use std::collections::HashMap;

use base::{AdvertiserId, Money, PlanId, Timestamp};
use delivery::{Reason, Verdict};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, SmallInt, Text};

use crate::schema::conversions;
use crate::{Conn, Error, Realm, Tx};
use db::bulk::{Added, Statement};
use db::statement;

/// A conversion as it was answered when it first came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    pub id: i64,
    pub plan: Option<PlanId>,
    pub verdict: Verdict,
    pub payout: Money,
    pub received_at: Timestamp,
    pub reversed: bool,
    /// Which arm of the plan it was on.
    pub arm: Option<i16>,
}

pub fn find(conn: &mut Conn, advertiser: AdvertiserId, event_key: &str) -> Result<Option<Reported>, Error> {
    type Row = (i64, Option<i64>, bool, i16, i64, i64, Option<i64>, Option<i16>);
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
            conversions::arm,
        ))
        .first(conn)
        .optional()?;
    Ok(row.map(|(id, plan, accepted, reason, payout, received_at, reversed_at, arm)| Reported {
        id,
        plan: plan.map(PlanId),
        verdict: verdict(accepted, reason),
        payout: Money::from_minor(payout),
        received_at: Timestamp::from_millis(received_at),
        reversed: reversed_at.is_some(),
        arm,
    }))
}

#[derive(QueryableByName)]
struct BeforeRow {
    #[diesel(sql_type = BigInt)]
    advertiser_id: i64,
    #[diesel(sql_type = Text)]
    event_key: String,
    #[diesel(sql_type = Bool)]
    accepted: bool,
    #[diesel(sql_type = SmallInt)]
    reason: i16,
}

statement!(
    BEFORE,
    postgres: "SELECT c.advertiser_id, c.event_key, c.accepted, c.reason FROM unnest(?, ?) AS n(id, event_key) \
         JOIN conversions c ON c.advertiser_id = n.id AND c.event_key = n.event_key",
    sqlite: "SELECT advertiser_id, event_key, accepted, reason FROM conversions \
         WHERE advertiser_id = ? AND event_key = ?",
);

/// The verdicts on conversions that came before under these event ids. The
/// advertisers are locked, so none can come in between.
pub fn verdicts(conn: &mut Conn, keys: &[(AdvertiserId, &str)]) -> Result<HashMap<(i64, String), Verdict>, Error> {
    let columns = [
        keys.iter().map(|(advertiser, _)| advertiser.0).collect::<Vec<_>>().into(),
        keys.iter().map(|(_, key)| (*key).to_owned()).collect::<Vec<_>>().into(),
    ];
    let rows: Vec<BeforeRow> = BEFORE.load(conn, &columns)?;
    Ok(rows.into_iter().map(|row| ((row.advertiser_id, row.event_key), verdict(row.accepted, row.reason))).collect())
}

#[derive(QueryableByName)]
struct ConversionsOfClick {
    #[diesel(sql_type = Text)]
    click_id: String,
    #[diesel(sql_type = BigInt)]
    number: i64,
}

statement!(
    OF_CLICKS,
    postgres: "SELECT click_id, COUNT(*) AS number FROM conversions WHERE click_id = ANY(?) AND accepted \
         AND reversed_at IS NULL GROUP BY 1",
    sqlite: "SELECT click_id, COUNT(*) AS number FROM conversions WHERE click_id = ? AND accepted \
         AND reversed_at IS NULL GROUP BY 1",
);

/// How many conversions clicks have brought, without those that were reversed.
pub fn of_clicks(conn: &mut Conn, clicks: Vec<String>) -> Result<HashMap<String, i64>, Error> {
    let rows: Vec<ConversionsOfClick> = OF_CLICKS.load(conn, &[clicks.into()])?;
    Ok(rows.into_iter().map(|row| (row.click_id, row.number)).collect())
}

fn verdict(accepted: bool, reason: i16) -> Verdict {
    if accepted { Ok(()) } else { Err(Reason::try_from(reason).unwrap_or(Reason::UnknownClick)) }
}

#[derive(Clone, Debug)]
pub struct NewConversion {
    pub advertiser: AdvertiserId,
    pub event_key: String,
    pub click_id: String,
    pub plan: Option<PlanId>,
    pub occurred_at: Timestamp,
    pub realm: Realm,
    pub verdict: Verdict,
    /// Zero where it is not accepted.
    pub payout: Money,
    pub arm: Option<i16>,
}

#[derive(QueryableByName)]
struct Inserted {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    advertiser_id: i64,
    #[diesel(sql_type = Text)]
    event_key: String,
}

statement!(
    INSERT,
    postgres: "INSERT INTO conversions (advertiser_id, event_key, click_id, plan_id, occurred_at, received_at, realm, \
         accepted, reason, payout, arm) SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
         RETURNING id, advertiser_id, event_key",
    sqlite: "INSERT INTO conversions (advertiser_id, event_key, click_id, plan_id, occurred_at, received_at, realm, \
         accepted, reason, payout, arm) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
);

impl Added for Inserted {
    type Key = (i64, String);

    fn number(self) -> (Self::Key, i64) {
        ((self.advertiser_id, self.event_key), self.id)
    }
}

/// Keeps conversions whose event ids are new, and gives their ids by advertiser
/// and event id.
pub fn insert(tx: &mut Tx<'_>, new: &[NewConversion]) -> Result<HashMap<(i64, String), i64>, Error> {
    let now = tx.now().millis();
    INSERT.add::<Inserted>(
        tx,
        &[
            new.iter().map(|c| c.advertiser.0).collect::<Vec<_>>().into(),
            new.iter().map(|c| c.event_key.clone()).collect::<Vec<_>>().into(),
            new.iter().map(|c| c.click_id.clone()).collect::<Vec<_>>().into(),
            new.iter().map(|c| c.plan.map(|plan| plan.0)).collect::<Vec<_>>().into(),
            new.iter().map(|c| c.occurred_at.millis()).collect::<Vec<_>>().into(),
            vec![now; new.len()].into(),
            new.iter().map(|c| c.realm.code()).collect::<Vec<_>>().into(),
            new.iter().map(|c| c.verdict.is_ok()).collect::<Vec<_>>().into(),
            new.iter().map(|c| c.verdict.err().map_or(0, Reason::code)).collect::<Vec<_>>().into(),
            new.iter().map(|c| c.payout.minor()).collect::<Vec<_>>().into(),
            new.iter().map(|c| c.arm).collect::<Vec<_>>().into(),
        ],
        new.iter().map(|c| (c.advertiser.0, c.event_key.clone())),
    )
}

pub fn mark_reversed(tx: &mut Tx<'_>, id: i64) -> Result<(), Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    diesel::update(conversions::table.find(id)).set(conversions::reversed_at.eq(now)).execute(conn)?;
    Ok(())
}
