//! Supply-side platforms (ad exchanges) that send bid requests: their terms, how their requests ended, and how often
//! each plan was offered.

use std::collections::{BTreeMap, HashMap};

use auth::KeyOrigin;
use base::{PublisherId, SlotId};
use delivery::{ExchangeDay, Outcome, UnconfirmedTerms, ViewsOfDay};
use diesel::prelude::*;
use supply::{PublisherStatus, Share, name_key};

use crate::delivery::market::AT_MOST;
use crate::delivery::slot_figures::DAY_MILLIS;
use crate::schema::{plan_bids, publishers, ssp_days, ssp_views, ssps};
use crate::{Conn, Error, Tx, will_change};
use db::bulk::{Statement, ascending};
use db::{insert, row, statement};

#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = ssps)]
pub struct SspRow {
    pub publisher_id: PublisherId,
    /// The slot that counts all of its views.
    pub slot_id: SlotId,
    /// The digest of its key; `None` until two people have agreed on it.
    pub key_hash: Option<Vec<u8>>,
    /// The seat on whose behalf the platform bids.
    pub seat: Option<String>,
    /// Whether it never says which bids have won.
    pub silent: bool,
    /// How many views it may bill without a confirmation by the picture; `None` for the default.
    unconfirmed: Option<String>,
}

impl SspRow {
    pub fn unconfirmed(&self) -> Result<UnconfirmedTerms, Error> {
        unconfirmed(self.unconfirmed.as_deref())
    }
}

/// Parses terms such as `1000+100`.
fn unconfirmed(written: Option<&str>) -> Result<UnconfirmedTerms, Error> {
    let Some(written) = written else { return Ok(UnconfirmedTerms::DEFAULT) };
    let terms = written.split_once('+').and_then(|(share, views)| {
        Some(UnconfirmedTerms { share_parts: share.parse().ok()?, views: views.parse().ok()? })
    });
    terms.ok_or_else(|| Error::Corrupt(format!("{written} views without a picture")))
}

pub fn insert(tx: &mut Tx<'_>, publisher: PublisherId, slot: SlotId) -> Result<SspRow, Error> {
    let row = diesel::insert_into(ssps::table)
        .values((ssps::publisher_id.eq(publisher), ssps::slot_id.eq(slot)))
        .returning((ssps::publisher_id, ssps::slot_id, ssps::key_hash, ssps::seat, ssps::silent, ssps::unconfirmed))
        .get_result(tx.conn())?;
    tx.notes().vouches("ssps", publisher.0);
    Ok(row)
}

/// What was agreed with an exchange.
#[derive(Clone, Copy, Debug)]
pub struct SspAgreement<'a> {
    /// The digest of its key, which it claimed.
    pub key_hash: &'a [u8],
    pub seat: Option<&'a str>,
    pub unconfirmed: UnconfirmedTerms,
    /// Whether it never says which bids have won.
    pub silent: bool,
}

/// Sets the agreed terms.
pub fn set_terms(tx: &mut Tx<'_>, id: PublisherId, agreed: SspAgreement<'_>) -> Result<(), Error> {
    will_change(tx, "ssps", [id.0])?;
    tx.notes().changes_catalogue();
    let UnconfirmedTerms { share_parts, views } = agreed.unconfirmed;
    let other = agreed.unconfirmed != UnconfirmedTerms::DEFAULT;
    tx.run(diesel::update(ssps::table.find(id)).set((
        ssps::key_hash.eq(agreed.key_hash),
        ssps::key_origin.eq(KeyOrigin::Claimed),
        ssps::seat.eq(agreed.seat),
        ssps::unconfirmed.eq(other.then(|| format!("{share_parts}+{views}"))),
        ssps::silent.eq(agreed.silent),
    )))
}

pub fn find(conn: &mut Conn, id: PublisherId) -> Result<Option<SspRow>, Error> {
    Ok(ssps::table.find(id).select(SspRow::as_select()).first(conn).optional()?)
}

/// The slot that counts all views of the SSP with this name.
pub fn find_slot(conn: &mut Conn, name: &str) -> Result<Option<SlotId>, Error> {
    let named = ssps::table
        .inner_join(publishers::table.on(publishers::id.eq(ssps::publisher_id)))
        .filter(publishers::name_key.eq(name_key(name)));
    let slot: Option<i64> = named.select(ssps::slot_id).first(conn).optional()?;
    Ok(slot.map(SlotId))
}

/// All SSPs, newest first; there are few.
pub fn all(conn: &mut Conn) -> Result<Vec<SspRow>, Error> {
    Ok(ssps::table.order(ssps::publisher_id.desc()).limit(1_000).select(SspRow::as_select()).load(conn)?)
}

/// An SSP whose bid requests are answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedSsp {
    pub id: PublisherId,
    pub slot: SlotId,
    pub key_hash: Vec<u8>,
    pub seat: Option<String>,
    /// Its share of what a view costs.
    pub share: Share,
    /// Whether it never says which bids have won.
    pub silent: bool,
}

/// The SSPs that are active and have a key.
pub fn find_served(conn: &mut Conn) -> Result<Vec<ServedSsp>, Error> {
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
            let id = row.publisher_id;
            let share = Share::from_parts(share).ok_or_else(|| Error::Corrupt(format!("the share of SSP {id}")))?;
            Ok(ServedSsp { id, slot: row.slot_id, key_hash, seat: row.seat, share, silent: row.silent })
        })
        .collect()
}

// Figures --------------------------------------------------------------------

/// How many requests of an SSP had one outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes {
    pub publisher: PublisherId,
    /// The outcome's code.
    pub outcome: i16,
    pub number: i64,
}

insert! {
    struct CountedOutcome, ADD into "ssp_days" {
        publisher_id: PublisherId,
        day: i64,
        outcome: i16,
        number += i64,
    } then "ON CONFLICT (publisher_id, day, outcome)"
}
insert! {
    struct CountedBids, ADD_BIDS into "plan_bids" {
        plan_id: i64,
        slot_id: i64,
        bids += i64,
    } then "ON CONFLICT (plan_id, slot_id)"
}

/// How often each plan was offered in the auctions of an SSP, by plan and slot.
pub type Bids = Vec<((i64, i64), i64)>;

/// Adds to the figures of today, and to those of plans. Rows are in ascending order, so that servers that write at the
/// same time wait for each other instead of deadlocking.
pub fn count(tx: &mut Tx<'_>, outcomes: &[Outcomes], bids: &Bids) -> Result<(), Error> {
    let day = tx.now().millis().div_euclid(DAY_MILLIS);
    let outcome =
        |of: &Outcomes| CountedOutcome { publisher_id: of.publisher, day, outcome: of.outcome, number: of.number };
    ADD.execute(tx, &CountedOutcome::columns(&outcomes.iter().map(outcome).collect::<Vec<_>>()))?;
    let offered = |((plan_id, slot_id), bids): &((i64, i64), i64)| CountedBids {
        plan_id: *plan_id,
        slot_id: *slot_id,
        bids: *bids,
    };
    ADD_BIDS.execute(tx, &CountedBids::columns(&bids.iter().map(offered).collect::<Vec<_>>()))?;
    Ok(())
}

/// The outcomes of an SSP's requests since a day.
pub fn outcomes(conn: &mut Conn, id: PublisherId, since_day: i64) -> Result<Vec<(i64, i16, i64)>, Error> {
    Ok(ssp_days::table
        .filter(ssp_days::publisher_id.eq(id))
        .filter(ssp_days::day.ge(since_day))
        .order((ssp_days::day, ssp_days::outcome))
        .select((ssp_days::day, ssp_days::outcome, ssp_days::number))
        .load(conn)?)
}

/// The numbers of bids and of wins in an exchange's auctions, by slot and day.
pub type AuctionCounts = Vec<(i64, i64, Outcome, i64)>;

/// From one day until before another. A page that holds its own auctions is not an exchange.
pub fn bids_and_wins(
    conn: &mut Conn,
    id: PublisherId,
    (from_day, until_day): (i64, i64),
) -> Result<AuctionCounts, Error> {
    Ok(ssp_days::table
        .inner_join(ssps::table.on(ssps::publisher_id.eq(ssp_days::publisher_id)))
        .filter(ssp_days::publisher_id.eq(id))
        .filter(ssp_days::day.ge(from_day).and(ssp_days::day.lt(until_day)))
        .filter(ssp_days::outcome.eq_any([Outcome::Bid, Outcome::Won].map(Outcome::code)))
        .select((ssps::slot_id, ssp_days::day, ssp_days::outcome, ssp_days::number))
        .load(conn)?)
}

/// How often a plan was offered, by slot.
pub fn bids_of(conn: &mut Conn, plan: base::PlanId) -> Result<Vec<(i64, i64)>, Error> {
    Ok(plan_bids::table.filter(plan_bids::plan_id.eq(plan)).select((plan_bids::slot_id, plan_bids::bids)).load(conn)?)
}

// Views that nobody has confirmed ---------------------------------------------

row! {
    struct ViewsRow {
        slot_id: SlotId,
        by_picture: i64,
        by_notice: i64,
        confirmed: i64,
    }
}

impl From<&ViewsRow> for ViewsOfDay {
    fn from(row: &ViewsRow) -> Self {
        Self { by_picture: row.by_picture, by_notice: row.by_notice, confirmed: row.confirmed }
    }
}

row! {
    struct TermsRow {
        slot_id: SlotId,
        unconfirmed: Option<String>,
    }
}

// The update changes nothing, but locks the row and returns its present values.
statement!(
    LOCK_VIEWS,
    each: "INSERT INTO ssp_views (slot_id, day, by_picture, by_notice, confirmed) \
         SELECT s, d, 0, 0, 0 FROM unnest(?, ?) AS u(s, d) WHERE TRUE ON CONFLICT (slot_id, day) DO UPDATE SET \
         by_notice = ssp_views.by_notice RETURNING slot_id, by_picture, by_notice, confirmed",
);
statement!(TERMS, each: "SELECT slot_id, unconfirmed FROM ssps WHERE slot_id = ANY(?)");
insert! {
    struct MoreViews, ADD_VIEWS into "ssp_views" {
        slot_id: SlotId,
        day: i64,
        by_picture += i64,
        by_notice += i64,
        confirmed += i64,
    } then "ON CONFLICT (slot_id, day)"
}

/// The terms and today's views that decide about the notices of these exchanges. The rows are locked in ascending
/// order, after the locks on plans, so that no two servers decide on the same view.
pub fn lock_views(
    tx: &mut Tx<'_>,
    slots: impl IntoIterator<Item = SlotId>,
) -> Result<HashMap<SlotId, ExchangeDay>, Error> {
    let slots = ascending(slots.into_iter().map(|slot| slot.0));
    let today = vec![tx.now().millis().div_euclid(DAY_MILLIS); slots.len()];
    let terms: Vec<TermsRow> = TERMS.load(tx, &[slots.clone().into()])?;
    let views: Vec<ViewsRow> = LOCK_VIEWS.load(tx, &[slots.into(), today.into()])?;
    let views: BTreeMap<SlotId, ViewsOfDay> = views.iter().map(|row| (row.slot_id, row.into())).collect();
    let day = |row: TermsRow| {
        let views = views.get(&row.slot_id).copied().unwrap_or_default();
        Ok((row.slot_id, ExchangeDay { terms: unconfirmed(row.unconfirmed.as_deref())?, views }))
    };
    terms.into_iter().map(day).collect()
}

/// Adds to today's views of exchanges.
pub(super) fn add_views(tx: &mut Tx<'_>, views: &BTreeMap<SlotId, ViewsOfDay>) -> Result<(), Error> {
    if views.is_empty() {
        return Ok(());
    }
    let day = tx.now().millis().div_euclid(DAY_MILLIS);
    let more = |(slot_id, of): (&SlotId, &ViewsOfDay)| MoreViews {
        slot_id: *slot_id,
        day,
        by_picture: of.by_picture,
        by_notice: of.by_notice,
        confirmed: of.confirmed,
    };
    ADD_VIEWS.execute(tx, &MoreViews::columns(&views.iter().map(more).collect::<Vec<_>>()))?;
    Ok(())
}

/// How an exchange's views were reported, by day, since a day.
pub fn views(conn: &mut Conn, slot: SlotId, since_day: i64) -> Result<BTreeMap<i64, ViewsOfDay>, Error> {
    let rows: Vec<(i64, i64, i64, i64)> = ssp_views::table
        .filter(ssp_views::slot_id.eq(slot).and(ssp_views::day.ge(since_day)))
        .select((ssp_views::day, ssp_views::by_picture, ssp_views::by_notice, ssp_views::confirmed))
        .load(conn)?;
    let views = |(day, by_picture, by_notice, confirmed)| (day, ViewsOfDay { by_picture, by_notice, confirmed });
    Ok(rows.into_iter().map(views).collect())
}

/// The views of all exchanges as they were judged: by slot and day.
pub fn all_views(conn: &mut Conn) -> Result<BTreeMap<(i64, i64), ViewsOfDay>, Error> {
    let rows: Vec<(i64, i64, i64, i64, i64)> = ssp_views::table.load(conn)?;
    let views =
        |(slot, day, by_picture, by_notice, confirmed)| ((slot, day), ViewsOfDay { by_picture, by_notice, confirmed });
    Ok(rows.into_iter().map(views).collect())
}

row! {
    struct CountedViews {
        day: i64,
        #[diesel(embed)]
        views: ViewsRow,
    }
}

/// The views of exchanges, by slot and day, summed from the events of plans.
pub fn sum_views(conn: &mut Conn) -> Result<BTreeMap<(i64, i64), ViewsOfDay>, Error> {
    let rows: Vec<CountedViews> = diesel::sql_query(
        "SELECT d.slot_id, d.day, CAST(SUM(d.by_picture) AS BIGINT) AS by_picture, \
         CAST(SUM(d.by_notice) AS BIGINT) AS by_notice, CAST(SUM(d.confirmed) AS BIGINT) AS confirmed \
         FROM slot_days d JOIN ssps s ON s.slot_id = d.slot_id GROUP BY d.slot_id, d.day \
         HAVING SUM(d.by_picture + d.by_notice + d.confirmed) > 0",
    )
    .load(conn)?;
    Ok(rows.iter().map(|row| ((row.views.slot_id.0, row.day), (&row.views).into())).collect())
}
