//! Conversions reported by advertisers, each under an event id of theirs that is unique
//! for ever.

use std::collections::HashMap;

use base::{AdvertiserId, Money, PlanId, SlotId, Timestamp};
use delivery::{Device, Reason, Verdict};
use diesel::prelude::*;
use plans::Status;

use crate::schema::conversions;
use crate::{Conn, Error, Realm, Tx};
use db::bulk::{NumberedRow, Statement};
use db::{insert, row, statement};

/// Where a click was.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// `None` for a visit by a shared link.
    pub slot: Option<SlotId>,
    /// The site or the app, as an exchange names it.
    pub source: Option<String>,
    pub device: Option<Device>,
}

/// A conversion as it was answered the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedConversion {
    pub id: i64,
    pub plan: Option<PlanId>,
    pub verdict: Verdict,
    pub payout: Money,
    pub received_at: Timestamp,
    pub reversed: bool,
    /// The plan's arm that it was on.
    pub arm: Option<i16>,
    /// Where its click was.
    pub origin: Origin,
}

/// What advertisers have reported under these event ids.
pub fn find(
    conn: &mut Conn,
    advertiser: AdvertiserId,
    event_keys: &[String],
) -> Result<HashMap<String, ReportedConversion>, Error> {
    type Clicked = (Option<SlotId>, Option<String>, Option<Device>);
    type Row = (String, i64, Option<PlanId>, bool, i16, Money, Timestamp, Option<Timestamp>, Option<i16>, Clicked);
    let rows: Vec<Row> = conversions::table
        .filter(conversions::advertiser_id.eq(advertiser))
        .filter(conversions::event_key.eq_any(event_keys))
        .select((
            conversions::event_key,
            conversions::id,
            conversions::plan_id,
            conversions::accepted,
            conversions::reason,
            conversions::payout,
            conversions::received_at,
            conversions::reversed_at,
            conversions::arm,
            (conversions::slot_id, conversions::source, conversions::device),
        ))
        .load(conn)?;
    let read = |(key, id, plan, accepted, reason, payout, received_at, reversed_at, arm, clicked): Row| {
        let origin = Origin { slot: clicked.0, source: clicked.1, device: clicked.2 };
        let (verdict, reversed) = (verdict(accepted, reason), reversed_at.is_some());
        (key, ReportedConversion { id, plan, verdict, payout, received_at, reversed, arm, origin })
    };
    Ok(rows.into_iter().map(read).collect())
}

/// Identifies what was recorded before a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportKey<'a> {
    pub advertiser: AdvertiserId,
    pub event_key: &'a str,
    pub click_id: &'a str,
    /// The click's plan, if there is such a click.
    pub plan: Option<PlanId>,
}

/// What was recorded before a report, on which its verdict depends.
#[derive(Clone, Debug)]
pub struct Precedent {
    /// The earlier verdict under this event id; or a refusal because it was reversed since.
    pub verdict: Option<Verdict>,
    /// The number of conversions of the click, without reversed ones.
    pub of_click: i64,
    /// `None` if the click is on no plan.
    pub window: Option<Window>,
}

/// The facts about a plan that decide whether conversions count.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    status: Status,
    settles_at: Option<Timestamp>,
    pub rolled_at: Timestamp,
}

impl Window {
    /// Whether a conversion on it counts now.
    pub fn takes_conversions(&self, now: Timestamp) -> bool {
        self.status.takes_conversions(self.settles_at, now)
    }
}

row! {
    struct PrecedentRow {
        place: i64,
        accepted: Option<bool>,
        reason: Option<i16>,
        reversed_at: Option<Timestamp>,
        of_click: i64,
        status: Option<Status>,
        settles_at: Option<Timestamp>,
        rolled_at: Option<Timestamp>,
    }
}

impl PrecedentRow {
    fn precedent(self) -> Precedent {
        let settles_at = self.settles_at;
        let window =
            self.status.zip(self.rolled_at).map(|(status, rolled_at)| Window { status, settles_at, rolled_at });
        let first = self.accepted.zip(self.reason).map(|(accepted, reason)| verdict(accepted, reason));
        Precedent {
            verdict: if self.reversed_at.is_some() { Some(Err(Reason::Reversed)) } else { first },
            of_click: self.of_click,
            window,
        }
    }
}

// `LIMIT` keeps PostgreSQL from choosing a join that scans all conversions. It would do so while the table is small,
// and would keep that query plan until the table is next analysed.
statement!(
    PRECEDENTS,
    postgres: "SELECT n.place, c.accepted, c.reason, c.reversed_at, (SELECT COUNT(*) FROM conversions b WHERE b.click_id = n.click_id \
         AND b.accepted AND b.reversed_at IS NULL) AS of_click, p.status, p.settles_at, p.rolled_at \
         FROM unnest(?, ?, ?, ?, ?) AS n(place, advertiser_id, event_key, click_id, plan_id) \
         LEFT JOIN LATERAL (SELECT accepted, reason, reversed_at FROM conversions WHERE advertiser_id = n.advertiser_id \
         AND event_key = n.event_key LIMIT 1) c ON TRUE LEFT JOIN plans p ON p.id = n.plan_id",
    sqlite: "SELECT n.place, c.accepted, c.reason, c.reversed_at, (SELECT COUNT(*) FROM conversions b WHERE b.click_id = n.click_id \
         AND b.accepted AND b.reversed_at IS NULL) AS of_click, p.status, p.settles_at, p.rolled_at \
         FROM (SELECT ? AS place, ? AS advertiser_id, ? AS event_key, ? AS click_id, ? AS plan_id) n \
         LEFT JOIN conversions c ON c.advertiser_id = n.advertiser_id AND c.event_key = n.event_key \
         LEFT JOIN plans p ON p.id = n.plan_id",
);

/// What was recorded before each of these reports, in order. The caller has locked their
/// advertisers and the plans' users, so none can be added meanwhile, and no plan is
/// settled.
pub fn precedents(tx: &mut Tx<'_>, reports: &[ReportKey<'_>]) -> Result<Vec<Precedent>, Error> {
    let columns = [
        (0..).take(reports.len()).collect::<Vec<i64>>().into(),
        reports.iter().map(|report| report.advertiser.0).collect::<Vec<_>>().into(),
        reports.iter().map(|report| report.event_key.to_owned()).collect::<Vec<_>>().into(),
        reports.iter().map(|report| report.click_id.to_owned()).collect::<Vec<_>>().into(),
        reports.iter().map(|report| report.plan.map(|plan| plan.0)).collect::<Vec<_>>().into(),
    ];
    let mut rows: Vec<PrecedentRow> = PRECEDENTS.load(tx, &columns)?;
    rows.sort_unstable_by_key(|row| row.place);
    Ok(rows.into_iter().map(PrecedentRow::precedent).collect())
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
    /// Zero if it is not accepted.
    pub payout: Money,
    pub arm: Option<i16>,
    pub origin: Origin,
}

row! {
    struct Inserted {
        id: i64,
        advertiser_id: i64,
        event_key: String,
    }
}

insert! {
    struct InsertedConversion<'a>, INSERT into "conversions" {
        advertiser_id: AdvertiserId,
        event_key: &'a str,
        click_id: &'a str,
        plan_id: Option<PlanId>,
        occurred_at: Timestamp,
        received_at: Timestamp,
        realm: Realm,
        accepted: bool,
        reason: i16,
        payout: Money,
        arm: Option<i16>,
        slot_id: Option<SlotId>,
        source: Option<&'a str>,
        device: Option<Device>,
    } numbered "RETURNING id, advertiser_id, event_key"
}

impl NumberedRow for Inserted {
    type Key = (i64, String);

    fn number(self) -> (Self::Key, i64) {
        ((self.advertiser_id, self.event_key), self.id)
    }
}

/// Inserts conversions with new event ids, and returns their ids by advertiser and event
/// id.
pub fn insert(tx: &mut Tx<'_>, new: &[NewConversion]) -> Result<HashMap<(i64, String), i64>, Error> {
    let now = tx.now();
    let inserted = |new| InsertedConversion::of(new, now);
    let keys = new.iter().map(|new| (new.advertiser.0, new.event_key.clone()));
    INSERT.add::<Inserted>(tx, &InsertedConversion::columns(&new.iter().map(inserted).collect::<Vec<_>>()), keys)
}

statement!(
    FORGET_REFUSED,
    postgres: "DELETE FROM conversions c USING unnest(?, ?) AS u(advertiser_id, event_key) \
         WHERE c.advertiser_id = u.advertiser_id AND c.event_key = u.event_key AND NOT c.accepted",
    sqlite: "DELETE FROM conversions WHERE advertiser_id = ? AND event_key = ? AND NOT accepted",
);

/// Removes refused conversions so that their reports can be judged again. A refused conversion moved no money, and no
/// total counts it.
pub fn forget_refused(tx: &mut Tx<'_>, reports: &[(AdvertiserId, String)]) -> Result<(), Error> {
    let columns = [
        reports.iter().map(|(advertiser, _)| advertiser.0).collect::<Vec<_>>().into(),
        reports.iter().map(|(_, event_key)| event_key.clone()).collect::<Vec<_>>().into(),
    ];
    FORGET_REFUSED.execute(tx, &columns)?;
    Ok(())
}

impl<'a> InsertedConversion<'a> {
    fn of(new: &'a NewConversion, now: Timestamp) -> Self {
        Self {
            advertiser_id: new.advertiser,
            event_key: &new.event_key,
            click_id: &new.click_id,
            plan_id: new.plan,
            occurred_at: new.occurred_at,
            received_at: now,
            realm: new.realm,
            accepted: new.verdict.is_ok(),
            reason: new.verdict.err().map_or(0, Reason::code),
            payout: new.payout,
            arm: new.arm,
            slot_id: new.origin.slot,
            source: new.origin.source.as_deref(),
            device: new.origin.device,
        }
    }
}

/// Marks these conversions as reversed.
pub fn mark_reversed(tx: &mut Tx<'_>, ids: &[i64]) -> Result<(), Error> {
    let these = conversions::table.filter(conversions::id.eq_any(ids));
    tx.run(diesel::update(these).set(conversions::reversed_at.eq(tx.now())))
}
