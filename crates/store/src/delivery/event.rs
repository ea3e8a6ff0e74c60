//! Impressions and clicks: reads what judging them needs, of many at once because they
//! come in batches.

pub mod playback;

use ::plans::{Commitment, DayBudget, Pricing, Status};
use base::{AdvertiserId, Money, Period, PlanId, ProductId, SlotId, Timestamp, UserId};
use delivery::{
    CLICK_WINDOW_SECONDS, DayRoom, Device, EventKind, LeaseConditions, Nonce, Pace, Seen, VIEW_WINDOW_SECONDS, Visitor,
};
use diesel::prelude::*;

use crate::delivery::conversion::Origin;
use crate::plans::plan::schedule::PlanSchedule;
use crate::schema::events;
use crate::{Conn, Error, Tx};
use db::bulk::{Statement, ascending};
use db::{row, statement};

row! {
    /// What deliveries depend on in a plan.
    #[derive(Clone, Debug)]
    pub struct Target {
        pub id: PlanId,
        pub product_id: ProductId,
        pub status: Status,
        pub pricing: Pricing,
        paused: bool,
        due_at: Option<Timestamp>,
        /// The price of one billable event, in thousandths of a minor unit.
        unit_milli: i64,
        put_amount: Money,
        reserved_milli: i64,
        booked_milli: i64,
        pub rolled_at: Timestamp,
        pub ai_delivery: bool,
        /// When its delivery began.
        started_at: Option<Timestamp>,
        days: i32,
        /// Where its clicks lead; `None` for the hosted page.
        pub landing_url: Option<String>,
        daily_cap: Option<Money>,
        /// The time zone of its days.
        pub zone: String,
        day_begins_at: Timestamp,
        day_ends_at: Timestamp,
        day_used_milli: i64,
        #[diesel(embed)]
        schedule: PlanSchedule,
    }
}

impl Target {
    /// The budget of the plan's present day.
    pub const fn day(&self) -> DayBudget {
        let period = Period { from: self.day_begins_at, until: self.day_ends_at };
        DayBudget { cap: self.daily_cap, period, used_milli: self.day_used_milli }
    }

    pub fn commitment(&self) -> Commitment {
        let Self { put_amount: budget, unit_milli, booked_milli, reserved_milli, .. } = *self;
        Commitment { budget, unit_milli, booked_milli, reserved_milli }
    }

    /// The facts that decide whether events of this day count.
    pub fn judged_by(&self, today: DayBudget, now: Timestamp) -> delivery::Target {
        let Self { status, pricing, .. } = *self;
        let (line_milli, day_milli) = (self.line(now).allowed(now), today.left_at(now));
        let (commitment, schedule) = (self.commitment(), self.schedule.read());
        delivery::Target { status, pricing, commitment, line_milli, day_milli, schedule }
    }

    /// The facts that decide about leases.
    pub fn leased(&self, today: DayBudget, is_payable: bool, now: Timestamp) -> LeaseConditions {
        LeaseConditions {
            plan: self.id,
            status: self.status,
            paused: self.paused,
            is_payable,
            due_at: self.due_at,
            schedule: self.schedule.read(),
            commitment: self.commitment(),
            pace: self.pace(now),
            day: today.cap.map(|_| DayRoom { left_milli: today.left_milli(), ends_at: today.period.until }),
        }
    }

    /// The pace of a paced plan.
    pub fn pace(&self, now: Timestamp) -> Option<Pace> {
        self.ai_delivery.then(|| self.line(now))
    }

    /// The even pace of the plan's days, which bids in exchanges follow for any plan. A plan that is still waiting
    /// would begin now.
    pub fn line(&self, now: Timestamp) -> Pace {
        let begins_at = self.started_at.unwrap_or(now);
        let days_end = begins_at.plus_days(self.days.into());
        let ends_at = self.schedule.ends_at.map_or(days_end, |end| end.min(days_end));
        Pace::of(begins_at, ends_at, &self.commitment())
    }
}

statement!(
    LOCK,
    each: "SELECT id, product_id, status, pricing, paused, due_at, unit_milli, put_amount, reserved_milli, \
         booked_milli, rolled_at, ai_delivery, started_at, days, landing_url, daily_cap, zone, day_begins_at, day_ends_at, day_used_milli, \
         begins_at, ends_at, hours, hours_zone \
         FROM plans WHERE id = ANY(?)",
    lock: "ORDER BY id FOR NO KEY UPDATE",
);

/// Locks the existing plans in ascending order. Event ids are assigned under this lock,
/// so within a plan a higher id is always a later commit.
pub fn lock_plans(tx: &mut Tx<'_>, ids: impl IntoIterator<Item = PlanId>) -> Result<Vec<Target>, Error> {
    LOCK.load(tx, &[ascending(ids.into_iter().map(|id| id.0)).into()])
}

/// An earlier valid event.
#[derive(Clone, Debug)]
pub struct EarlierEvent {
    pub nonce: Nonce,
    pub kind: EventKind,
    pub seen: Seen,
}

row! {
    struct SeenRow {
        nonce: Vec<u8>,
        kind: EventKind,
        at: Timestamp,
        cleared_milli: Option<i64>,
    }
}

// Here and below, `OFFSET` keeps PostgreSQL from joining through a scan of all events. It
// plans so while statistics say that the table is empty, and keeps that plan for a minute.
// The bounds of `filed_at` are known before the statement begins, so PostgreSQL skips the
// partitions of all other months. Otherwise it would prepare a scan of each.
statement!(
    SEEN,
    postgres: "SELECT e.nonce, e.kind, e.at, e.cleared_milli FROM unnest(?, ?) AS n(nonce, filed_at) CROSS JOIN LATERAL \
         (SELECT nonce, kind, at, cleared_milli FROM events WHERE nonce = n.nonce AND filed_at = n.filed_at \
         AND filed_at >= (?)[1] AND filed_at <= (?)[1] AND valid OFFSET 0) AS e",
    sqlite: "SELECT nonce, kind, at, cleared_milli FROM events WHERE nonce = ? AND filed_at = ? AND filed_at >= ? AND filed_at <= ? \
         AND valid",
);

/// The valid events with these nonces.
pub fn seen(conn: &mut Conn, nonces: &[Nonce]) -> Result<Vec<EarlierEvent>, Error> {
    let rows: Vec<SeenRow> = SEEN.load(conn, &nonce_columns(nonces))?;
    rows.into_iter()
        .map(|row| {
            let nonce = row.nonce.try_into().map_err(|_| Error::Corrupt("a nonce is not 16 bytes long".into()))?;
            Ok(EarlierEvent {
                nonce: Nonce(nonce),
                kind: row.kind,
                seen: Seen { at: row.at, owed_milli: row.cleared_milli },
            })
        })
        .collect()
}

/// The nonces, when each was filed, and the first and the last of these times.
fn nonce_columns(nonces: &[Nonce]) -> [db::bulk::Column; 4] {
    let filed: Vec<i64> = nonces.iter().map(|nonce| nonce.minted_at().millis()).collect();
    let bound = |bound: Option<&i64>| vec![bound.copied().unwrap_or_default(); filed.len()];
    let (first, last) = (bound(filed.iter().min()), bound(filed.iter().max()));
    let nonces: Vec<Vec<u8>> = nonces.iter().map(|nonce| nonce.0.to_vec()).collect();
    [nonces.into(), filed.into(), first.into(), last.into()]
}

row! {
    /// A valid click and its plan, which never change.
    #[derive(Clone, Debug)]
    pub struct ValidClick {
        nonce: Vec<u8>,
        pub plan_id: PlanId,
        pub user_id: UserId,
        pub advertiser_id: AdvertiserId,
        at: Timestamp,
        pub plan_no: String,
        pub payout: Money,
        pub attribution_days: i32,
        /// The most conversions it can bring.
        pub conversions_per_click: i32,
        /// The plan's arm that it was on.
        pub arm: Option<i16>,
        slot_id: Option<SlotId>,
        source: Option<String>,
        device: Option<Device>,
    }
}

impl ValidClick {
    pub fn nonce(&self) -> Nonce {
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(&self.nonce).for_each(|(place, byte)| *place = *byte);
        Nonce(bytes)
    }

    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// Where it was.
    pub fn origin(&self) -> Origin {
        Origin { slot: self.slot_id, source: self.source.clone(), device: self.device }
    }
}

statement!(
    CLICKED,
    postgres: &format!(
        "SELECT e.nonce, e.plan_id, p.user_id, p.advertiser_id, e.at, p.plan_no, p.payout, p.attribution_days, \
         p.conversions_per_click, e.arm, e.slot_id, e.source, e.device \
         FROM unnest(?, ?) AS n(nonce, filed_at) CROSS JOIN LATERAL \
         (SELECT nonce, plan_id, at, arm, slot_id, source, device FROM events WHERE nonce = n.nonce AND filed_at = n.filed_at \
         AND filed_at >= (?)[1] AND filed_at <= (?)[1] AND kind = {click} AND valid OFFSET 0) AS e \
         JOIN plans p ON p.id = e.plan_id",
        click = EventKind::Click.code()
    ),
    sqlite: &format!(
        "SELECT e.nonce, e.plan_id, p.user_id, p.advertiser_id, e.at, p.plan_no, p.payout, p.attribution_days, \
         p.conversions_per_click, e.arm, e.slot_id, e.source, e.device \
         FROM events e JOIN plans p ON p.id = e.plan_id WHERE e.nonce = ? AND e.filed_at = ? \
         AND e.filed_at >= ? AND e.filed_at <= ? AND e.kind = {click} AND e.valid",
        click = EventKind::Click.code()
    ),
);

/// The valid clicks with these nonces.
pub fn clicked(conn: &mut Conn, nonces: &[Nonce]) -> Result<Vec<ValidClick>, Error> {
    CLICKED.load(conn, &nonce_columns(nonces))
}

row! {
    #[derive(Clone, Debug)]
    struct CountRow {
        plan_id: PlanId,
        visitor: Vec<u8>,
        kind: EventKind,
        number: i64,
    }
}

/// The number of a visitor's valid events of a kind on a plan.
#[derive(Clone, Debug)]
pub struct OfVisitor {
    pub plan: PlanId,
    pub visitor: Visitor,
    pub kind: EventKind,
    pub number: i64,
}

statement!(
    OF_VISITORS,
    postgres: "SELECT v.plan_id, v.visitor, e.kind, COUNT(*) AS number FROM unnest(?, ?, ?) AS v(plan_id, visitor, since) \
         CROSS JOIN LATERAL (SELECT kind FROM events \
         WHERE plan_id = v.plan_id AND visitor = v.visitor AND at >= v.since \
         AND filed_at >= (?)[1] AND filed_at <= (?)[1] AND valid AND visitor IS NOT NULL OFFSET 0) AS e GROUP BY 1, 2, 3",
    sqlite: "SELECT plan_id, visitor, kind, COUNT(*) AS number FROM events \
         WHERE plan_id = ? AND visitor = ? AND at >= ? AND filed_at >= ? AND filed_at <= ? \
         AND valid AND visitor IS NOT NULL GROUP BY 1, 2, 3",
);

/// The longest time between issuing a creative and a valid event on it.
const FILED_BEFORE_SECONDS: i64 = VIEW_WINDOW_SECONDS + CLICK_WINDOW_SECONDS;
/// How far the clocks of two servers may differ.
const CLOCKS_APART_SECONDS: i64 = 86_400;

/// Visitors' valid events on plans since a given time. The filter's limits keep the
/// counts small.
pub fn of_visitors(
    conn: &mut Conn,
    of: &[(PlanId, Visitor)],
    since: Timestamp,
    now: Timestamp,
) -> Result<Vec<OfVisitor>, Error> {
    let filed_since = since.plus_seconds(-FILED_BEFORE_SECONDS - CLOCKS_APART_SECONDS);
    let columns = [
        of.iter().map(|(plan, _)| plan.0).collect::<Vec<_>>().into(),
        of.iter().map(|(_, visitor)| visitor.0.to_vec()).collect::<Vec<_>>().into(),
        vec![since.millis(); of.len()].into(),
        vec![filed_since.millis(); of.len()].into(),
        vec![now.plus_seconds(CLOCKS_APART_SECONDS).millis(); of.len()].into(),
    ];
    let rows: Vec<CountRow> = OF_VISITORS.load(conn, &columns)?;
    rows.into_iter()
        .map(|row| {
            let visitor = row.visitor.try_into().map_err(|_| Error::Corrupt("a visitor of another length".into()))?;
            Ok(OfVisitor { plan: row.plan_id, visitor: Visitor(visitor), kind: row.kind, number: row.number })
        })
        .collect()
}

/// The columns of an event that show how its content was chosen.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = events)]
pub struct LoggedEvent {
    pub id: i64,
    pub kind: EventKind,
    pub nonce: Vec<u8>,
    pub valid: bool,
    pub arm: Option<i16>,
    pub among: Option<i16>,
    pub propensity: Option<i32>,
    pub learned: Option<i64>,
}

impl LoggedEvent {
    pub fn nonce(&self) -> Option<Nonce> {
        self.nonce.as_slice().try_into().ok().map(Nonce)
    }
}

/// A plan's events that are in the database, in order of their ids, above one of them.
pub fn logged(conn: &mut Conn, plan: PlanId, above: i64, limit: i64) -> Result<Vec<LoggedEvent>, Error> {
    Ok(events::table
        .filter(events::plan_id.eq(plan))
        .filter(events::id.gt(above))
        .order(events::id)
        .limit(limit)
        .select(LoggedEvent::as_select())
        .load(conn)?)
}
