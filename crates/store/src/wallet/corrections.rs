//! Corrections of delivery: the events that they are for, and what was given back for them.

mod accounts;
mod marks;

use std::collections::BTreeMap;

use base::{AdvertiserId, Money, PlanId, PublisherId, SlotId, Timestamp, UserId};
use delivery::{Device, EventKind, Nonce};
use diesel::prelude::*;
use wallet::{Account, Paid, Source};

use crate::delivery::conversion::{Origin, ReportedConversion};
use crate::delivery::recount::by_source;
use crate::delivery::slot_figures::DAY_MILLIS;
use crate::schema::{corrected_events as marked, delivery_refunds as refunds, plans, slot_days};
use crate::{Conn, Error, Tx};
use db::bulk::{Statement, ascending};
use db::{codes, insert, row, statement};

pub use accounts::{has_waiting, sum_to_cancelled};
pub use marks::{Mark, all as marks, insert, of_plan, refund_of, sum_taken_back};

/// The range of a correction: a publisher or one of its slots, from one time until another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub publisher: PublisherId,
    pub slot: Option<SlotId>,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// Which plans were shown in which slots in this range, or only those of one plan; one more than `most` if there are
/// more.
pub fn find_delivered(
    conn: &mut Conn,
    of: &Stretch,
    only: Option<PlanId>,
    most: i64,
) -> Result<Vec<(PlanId, SlotId)>, Error> {
    let day = |at: Timestamp| at.millis().div_euclid(DAY_MILLIS);
    let mut found = slot_days::table
        .filter(slot_days::publisher_id.eq(of.publisher))
        .filter(slot_days::day.between(day(of.from), day(of.until)))
        .select((slot_days::plan_id, slot_days::slot_id))
        .distinct()
        .order((slot_days::plan_id, slot_days::slot_id))
        .limit(most.saturating_add(1))
        .into_boxed();
    if let Some(slot) = of.slot {
        found = found.filter(slot_days::slot_id.eq(slot));
    }
    if let Some(plan) = only {
        found = found.filter(slot_days::plan_id.eq(plan.0));
    }
    Ok(found.load(conn)?)
}

// Events ---------------------------------------------------------------------

/// An event that counts, as it can be corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrectableEvent {
    pub plan: PlanId,
    pub event: i64,
    pub kind: EventKind,
    pub at: Timestamp,
    pub slot: SlotId,
    pub nonce: Nonce,
    pub price_milli: i64,
    /// What an exchange is owed for it.
    pub cleared_milli: Option<i64>,
    pub device: Option<i16>,
    pub source: Option<String>,
}

row! {
    struct CandidateRow {
        plan_id: PlanId,
        id: i64,
        kind: EventKind,
        at: Timestamp,
        slot_id: SlotId,
        nonce: Vec<u8>,
        price_milli: i64,
        cleared_milli: Option<i64>,
        device: Option<i16>,
        source: Option<String>,
    }
}

statement!(
    CANDIDATES,
    each: &format!(
        "SELECT e.plan_id, e.id, e.kind, e.at, e.slot_id, e.nonce, e.price_milli, e.cleared_milli, e.device, e.source \
         FROM unnest(?, ?, ?, ?) AS n(id, slot, since, until) JOIN events e ON e.plan_id = n.id AND e.slot_id = n.slot \
         AND e.valid AND e.kind IN ({}) AND e.at >= n.since AND e.at < n.until",
        corrected_kinds()
    ),
);

/// The kinds of events that a correction reads. A notice is one of them, because it may name the price of a view in an
/// exchange later.
pub const CORRECTED: [EventKind; 3] = [EventKind::Impression, EventKind::Click, EventKind::Notice];

fn corrected_kinds() -> String {
    codes(CORRECTED.map(EventKind::code))
}

/// The events of these plans in these slots that count and are in the database.
pub fn candidates(
    conn: &mut Conn,
    of: &[(PlanId, SlotId)],
    (from, until): (Timestamp, Timestamp),
) -> Result<Vec<CorrectableEvent>, Error> {
    let columns = [
        of.iter().map(|(plan, _)| plan.0).collect::<Vec<_>>().into(),
        of.iter().map(|(_, slot)| slot.0).collect::<Vec<_>>().into(),
        vec![from.millis(); of.len()].into(),
        vec![until.millis(); of.len()].into(),
    ];
    let rows: Vec<CandidateRow> = CANDIDATES.load(conn, &columns)?;
    let read = |row: CandidateRow| {
        let nonce = <[u8; 16]>::try_from(row.nonce).map_err(|_| Error::Corrupt("an event without a nonce".into()))?;
        Ok(CorrectableEvent {
            plan: row.plan_id,
            event: row.id,
            kind: row.kind,
            at: row.at,
            slot: row.slot_id,
            nonce: Nonce(nonce),
            price_milli: row.price_milli,
            cleared_milli: row.cleared_milli,
            device: row.device,
            source: row.source,
        })
    };
    rows.into_iter().map(read).collect()
}

/// By plan and slot: the share at each bill that has a part of the slot, by the bill's last event.
pub type Shares = BTreeMap<(PlanId, SlotId), BTreeMap<i64, i64>>;

row! {
    struct ShareRow {
        plan_id: PlanId,
        slot_id: SlotId,
        up_to_event: i64,
        share_parts: i64,
    }
}

statement!(
    SHARES,
    each: "SELECT x.plan_id, x.slot_id, b.up_to_event, x.share_parts FROM unnest(?, ?) AS n(id, slot) \
         JOIN bill_parts x ON x.plan_id = n.id AND x.slot_id = n.slot \
         JOIN bills b ON b.plan_id = x.plan_id AND b.transaction_id = x.transaction_id",
);

pub fn shares(conn: &mut Conn, of: &[(PlanId, SlotId)]) -> Result<Shares, Error> {
    let columns = [
        of.iter().map(|(plan, _)| plan.0).collect::<Vec<_>>().into(),
        of.iter().map(|(_, slot)| slot.0).collect::<Vec<_>>().into(),
    ];
    let mut shares = Shares::new();
    for row in SHARES.load::<ShareRow>(conn, &columns)? {
        let of_slot = shares.entry((row.plan_id, row.slot_id)).or_default();
        of_slot.insert(row.up_to_event, row.share_parts);
    }
    Ok(shares)
}

// Money ----------------------------------------------------------------------

row! {
    struct OfPlan {
        plan_id: PlanId,
        amount: Money,
    }
}

statement!(
    EARNED,
    each: "SELECT n.id AS plan_id, CAST(COALESCE((SELECT SUM(x.earned) FROM bill_parts x WHERE x.plan_id = n.id \
         AND x.publisher_id = n.publisher), 0) - COALESCE((SELECT SUM(r.taken) FROM delivery_refunds r \
         WHERE r.plan_id = n.id AND r.publisher_id = n.publisher), 0) AS BIGINT) AS amount \
         FROM unnest(?, ?) AS n(id, publisher)",
);

/// What a publisher has earned on each of these plans, less what was corrected.
pub fn sum_earned(conn: &mut Conn, publisher: PublisherId, plans: &[PlanId]) -> Result<BTreeMap<PlanId, Money>, Error> {
    let ids = ascending(plans.iter().map(|plan| plan.0));
    let publishers = vec![publisher.0; ids.len()];
    let rows: Vec<OfPlan> = EARNED.load(conn, &[ids.into(), publishers.into()])?;
    Ok(rows.into_iter().map(|row| (row.plan_id, row.amount)).collect())
}

/// What was billed to each plan less refunds, split by whose money it was.
pub fn sum_paid(conn: &mut Conn, plans: &[(PlanId, UserId)]) -> Result<BTreeMap<PlanId, Paid>, Error> {
    let ids = ascending(plans.iter().map(|(plan, _)| *plan));
    let mut paid: BTreeMap<PlanId, Paid> = plans.iter().map(|(plan, _)| (*plan, Paid::default())).collect();
    let code = |source| plans.first().map(|(plan, user)| Account::Hold { user: *user, plan: *plan, source }.key().code);
    let (own, promotional) = (code(Source::Available), code(Source::Promotional));
    for row in by_source(conn, ids.clone())? {
        let of = paid.entry(row.plan_id).or_default();
        let amount = Money::from_minor(row.billed);
        match Some(row.account_kind) {
            kind if kind == own => of.own = amount,
            kind if kind == promotional => of.promotional = amount,
            _ => of.coupon = amount,
        }
    }
    let returned: Vec<(PlanId, Money, Money, Money)> = refunds::table
        .filter(refunds::plan_id.eq_any(ids))
        .select((refunds::plan_id, refunds::own, refunds::promotional, refunds::coupon))
        .load(conn)?;
    let less = |amount: Money, less: Money| amount.minus(less).map_err(|e| Error::Corrupt(e.to_string()));
    for (plan, own, promotional, coupon) in returned {
        let of = paid.entry(plan).or_default();
        *of = Paid {
            own: less(of.own, own)?,
            promotional: less(of.promotional, promotional)?,
            coupon: less(of.coupon, coupon)?,
        };
    }
    Ok(paid)
}

/// A refund to a plan's user.
#[derive(Clone, Copy, Debug)]
pub struct NewRefund {
    pub plan: PlanId,
    pub user: UserId,
    pub publisher: PublisherId,
    pub paid: Paid,
    pub amount: Money,
    pub taken: Money,
}

row! {
    struct Numbered {
        id: i64,
        plan_id: PlanId,
    }
}

insert! {
    struct InsertedRefund, INSERT into "delivery_refunds" {
        request_id: i64,
        plan_id: PlanId,
        user_id: UserId,
        publisher_id: PublisherId,
        amount: Money,
        own: Money,
        promotional: Money,
        coupon: Money,
        taken: Money,
        refunded_at: Timestamp,
    } then "RETURNING id, plan_id"
}

/// Stores the refunds of a request, and returns their numbers by plan.
pub fn insert_refunds(tx: &mut Tx<'_>, request: i64, new: &[NewRefund]) -> Result<BTreeMap<PlanId, i64>, Error> {
    let now = tx.now();
    let inserted = |of: &NewRefund| InsertedRefund {
        request_id: request,
        plan_id: of.plan,
        user_id: of.user,
        publisher_id: of.publisher,
        amount: of.amount,
        own: of.paid.own,
        promotional: of.paid.promotional,
        coupon: of.paid.coupon,
        taken: of.taken,
        refunded_at: now,
    };
    let rows: Vec<Numbered> =
        INSERT.load(tx, &InsertedRefund::columns(&new.iter().map(inserted).collect::<Vec<_>>()))?;
    Ok(rows.into_iter().map(|row| (row.plan_id, row.id)).collect())
}

/// The plans that a request's correction concerns, with their users and advertisers.
pub fn parties(conn: &mut Conn, request: i64) -> Result<Vec<(PlanId, UserId, AdvertiserId)>, Error> {
    let marked = marked::table.filter(marked::request_id.eq(request)).select(marked::plan_id).distinct();
    Ok(plans::table
        .filter(plans::id.eq_any(marked))
        .order(plans::id)
        .select((plans::id, plans::user_id, plans::advertiser_id))
        .load(conn)?)
}

/// The plans of these refunds.
pub fn plans_of(conn: &mut Conn, numbers: &[i64]) -> Result<BTreeMap<i64, i64>, Error> {
    if numbers.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows: Vec<(i64, i64)> =
        refunds::table.filter(refunds::id.eq_any(numbers)).select((refunds::id, refunds::plan_id)).load(conn)?;
    Ok(rows.into_iter().collect())
}

// Comparing ------------------------------------------------------------------

row! {
    struct RefundedRow {
        plan_id: i64,
        amount: i64,
        given: i64,
    }
}

statement!(
    REFUNDED,
    each: "SELECT plan_id, CAST(SUM(amount) AS BIGINT) AS amount, CAST(SUM(promotional + coupon) AS BIGINT) AS given \
         FROM delivery_refunds WHERE plan_id = ANY(?) GROUP BY 1",
);

/// The refunds of each plan, and the part of them that a coupon or credit had paid. Plans without a refund are left
/// out.
pub fn sum_refunded(
    conn: &mut Conn,
    plans: impl IntoIterator<Item = PlanId>,
) -> Result<BTreeMap<i64, [i64; 2]>, Error> {
    let rows: Vec<RefundedRow> = REFUNDED.load(conn, &[ascending(plans.into_iter().map(|plan| plan.0)).into()])?;
    Ok(rows.into_iter().map(|row| (row.plan_id, [row.amount, row.given])).collect())
}

// Conversions ----------------------------------------------------------------

/// An accepted conversion of a corrected click.
#[derive(Clone, Debug)]
pub struct OfClick {
    pub advertiser: AdvertiserId,
    pub conversion: ReportedConversion,
}

row! {
    struct ConversionRow {
        id: i64,
        plan_id: PlanId,
        advertiser_id: AdvertiserId,
        payout: Money,
        received_at: Timestamp,
        arm: Option<i16>,
        slot_id: Option<SlotId>,
        source: Option<String>,
        device: Option<Device>,
    }
}

statement!(
    CONVERSIONS,
    each: "SELECT c.id, c.plan_id, c.advertiser_id, c.payout, c.received_at, c.arm, c.slot_id, c.source, c.device \
         FROM unnest(?, ?) AS n(click, plan) JOIN conversions c ON c.click_id = n.click AND c.plan_id = n.plan WHERE c.accepted AND c.reversed_at IS NULL",
);

/// The conversions of these clicks that count, oldest first.
pub fn conversions(conn: &mut Conn, clicks: &[(PlanId, Nonce)]) -> Result<Vec<OfClick>, Error> {
    let columns = [
        clicks.iter().map(|(_, nonce)| nonce.text()).collect::<Vec<_>>().into(),
        clicks.iter().map(|(plan, _)| plan.0).collect::<Vec<_>>().into(),
    ];
    let mut rows: Vec<ConversionRow> = CONVERSIONS.load(conn, &columns)?;
    rows.sort_unstable_by_key(|row| row.id);
    let read = |row: ConversionRow| OfClick {
        advertiser: row.advertiser_id,
        conversion: ReportedConversion {
            id: row.id,
            plan: Some(row.plan_id),
            verdict: Ok(()),
            payout: row.payout,
            received_at: row.received_at,
            reversed: false,
            arm: row.arm,
            origin: Origin { slot: row.slot_id, source: row.source, device: row.device },
        },
    };
    Ok(rows.into_iter().map(read).collect())
}
