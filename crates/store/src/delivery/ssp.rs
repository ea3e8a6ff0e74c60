//! Ad exchanges that ask for bids: what they may, how their requests ended, and how often
//! each plan was offered.

use base::{PublisherId, SlotId};
use diesel::prelude::*;
use supply::{PublisherStatus, Share};

use crate::delivery::market::AT_MOST;
use crate::delivery::slot_figures::DAY_MILLIS;
use crate::schema::{plan_bids, publishers, ssp_days, ssps};
use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::statement;

#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = ssps)]
pub struct SspRow {
    pub publisher_id: i64,
    /// In which everything is counted that it delivers.
    pub slot_id: i64,
    /// The digest of its key; `None` until two people have agreed on it.
    pub key_hash: Option<Vec<u8>>,
    /// On whose behalf the platform bids.
    pub seat: Option<String>,
    /// It does not say which offers have won.
    pub silent: bool,
}

pub fn insert(tx: &mut Tx<'_>, publisher: PublisherId, slot: SlotId) -> Result<SspRow, Error> {
    let conn: &mut Conn = tx;
    let row = diesel::insert_into(ssps::table)
        .values((ssps::publisher_id.eq(publisher.0), ssps::slot_id.eq(slot.0)))
        .returning(ssps::all_columns)
        .get_result(conn)?;
    tx.notes().vouches("ssps", publisher.0);
    Ok(row)
}

/// Its key and its seat from now on, and whether it says which offers have won.
pub fn set_terms(
    tx: &mut Tx<'_>,
    id: PublisherId,
    key_hash: &[u8],
    (seat, silent): (Option<&str>, bool),
) -> Result<(), Error> {
    tx.notes().changes_catalogue();
    let conn: &mut Conn = tx;
    let terms = (ssps::key_hash.eq(key_hash), ssps::seat.eq(seat), ssps::silent.eq(silent));
    diesel::update(ssps::table.find(id.0)).set(terms).execute(conn)?;
    tx.notes().vouches("ssps", id.0);
    Ok(())
}

pub fn find(conn: &mut Conn, id: PublisherId) -> Result<Option<SspRow>, Error> {
    Ok(ssps::table.find(id.0).select(SspRow::as_select()).first(conn).optional()?)
}

/// All of them, newest first; there are few.
pub fn all(conn: &mut Conn) -> Result<Vec<SspRow>, Error> {
    Ok(ssps::table.order(ssps::publisher_id.desc()).limit(1_000).select(SspRow::as_select()).load(conn)?)
}

/// An SSP whose requests are answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedSsp {
    pub id: PublisherId,
    pub slot: SlotId,
    pub key_hash: Vec<u8>,
    pub seat: Option<String>,
    /// What it gets of what a view costs.
    pub share: Share,
    /// It does not say which offers have won.
    pub silent: bool,
}

/// Those that are active and have a key.
pub fn served(conn: &mut Conn) -> Result<Vec<ServedSsp>, Error> {
    let rows: Vec<(SspRow, i64, i16)> = ssps::table
        .inner_join(publishers::table.on(publishers::id.eq(ssps::publisher_id)))
        .limit(AT_MOST)
        .select((SspRow::as_select(), publishers::share_parts, publishers::status))
        .load(conn)?;
    let serves = |status| PublisherStatus::try_from(status).is_ok_and(PublisherStatus::serves);
    let active = rows.into_iter().filter(|(.., status)| serves(*status));
    let with_key = active.filter_map(|(row, share, _)| Some((row.key_hash.clone()?, row, share)));
    with_key
        .map(|(key_hash, row, share)| {
            let id = PublisherId(row.publisher_id);
            let share = Share::from_parts(share).ok_or_else(|| Error::Corrupt(format!("the share of SSP {id}")))?;
            let (slot, silent) = (SlotId(row.slot_id), row.silent);
            Ok(ServedSsp { id, slot, key_hash, seat: row.seat, share, silent })
        })
        .collect()
}

// Figures --------------------------------------------------------------------

/// How many requests of an SSP ended so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes {
    pub publisher: PublisherId,
    /// Its code.
    pub outcome: i16,
    pub number: i64,
}

statement!(
    ADD,
    postgres: "INSERT INTO ssp_days (publisher_id, day, outcome, number) SELECT * FROM unnest(?, ?, ?, ?) \
         ON CONFLICT (publisher_id, day, outcome) DO UPDATE SET number = ssp_days.number + excluded.number",
    sqlite: "INSERT INTO ssp_days (publisher_id, day, outcome, number) VALUES (?, ?, ?, ?) \
         ON CONFLICT (publisher_id, day, outcome) DO UPDATE SET number = ssp_days.number + excluded.number",
);
statement!(
    ADD_BIDS,
    postgres: "INSERT INTO plan_bids (plan_id, slot_id, bids) SELECT * FROM unnest(?, ?, ?) \
         ON CONFLICT (plan_id, slot_id) DO UPDATE SET bids = plan_bids.bids + excluded.bids",
    sqlite: "INSERT INTO plan_bids (plan_id, slot_id, bids) VALUES (?, ?, ?) \
         ON CONFLICT (plan_id, slot_id) DO UPDATE SET bids = plan_bids.bids + excluded.bids",
);

/// How often a plan was offered in the auctions of an SSP, by plan and slot.
pub type Bids = Vec<((i64, i64), i64)>;

/// Adds to the figures of today, and to those of plans. Rows are in ascending order, so
/// that servers that do the same at the same time wait for each other.
pub fn count(tx: &mut Tx<'_>, outcomes: &[Outcomes], bids: &Bids) -> Result<(), Error> {
    let today = tx.now().millis().div_euclid(DAY_MILLIS);
    ADD.execute(
        tx,
        &[
            outcomes.iter().map(|of| of.publisher.0).collect::<Vec<_>>().into(),
            vec![today; outcomes.len()].into(),
            outcomes.iter().map(|of| of.outcome).collect::<Vec<_>>().into(),
            outcomes.iter().map(|of| of.number).collect::<Vec<_>>().into(),
        ],
    )?;
    ADD_BIDS.execute(
        tx,
        &[
            bids.iter().map(|((plan, _), _)| *plan).collect::<Vec<_>>().into(),
            bids.iter().map(|((_, slot), _)| *slot).collect::<Vec<_>>().into(),
            bids.iter().map(|(_, number)| *number).collect::<Vec<_>>().into(),
        ],
    )?;
    Ok(())
}

/// What an SSP's requests led to since a day.
pub fn outcomes(conn: &mut Conn, id: PublisherId, since_day: i64) -> Result<Vec<(i64, i16, i64)>, Error> {
    Ok(ssp_days::table
        .filter(ssp_days::publisher_id.eq(id.0))
        .filter(ssp_days::day.ge(since_day))
        .order((ssp_days::day, ssp_days::outcome))
        .select((ssp_days::day, ssp_days::outcome, ssp_days::number))
        .load(conn)?)
}

/// How often a plan was offered, by slot.
pub fn bids_of(conn: &mut Conn, plan: base::PlanId) -> Result<Vec<(i64, i64)>, Error> {
    Ok(plan_bids::table
        .filter(plan_bids::plan_id.eq(plan.0))
        .select((plan_bids::slot_id, plan_bids::bids))
        .load(conn)?)
}
