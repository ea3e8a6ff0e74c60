//! Counts plans' figures again from events and bills, to compare them with what was
//! rolled up.

use std::collections::BTreeMap;

use base::{Money, PlanId};
use diesel::prelude::*;
use plans::Totals;
use wallet::{Account, Source, TransactionKind};

use crate::delivery::arm::ByCode;
use crate::delivery::rollup::{EventGroup, EventRange, Quarter, count};
use crate::delivery::slot_figures::SlotFigures;
use crate::plans::plan::PlanRow;
use crate::schema::{bills, undivided_plans};
use crate::{Conn, Error};
use db::bulk::{Statement, ascending};
use db::{row, statement};

row! {
    /// What bills took from one part of a plan's hold.
    pub(crate) struct Billed {
        pub plan_id: PlanId,
        /// The code of the hold's account.
        pub account_kind: i16,
        pub billed: i64,
    }
}

// A bill takes from the plan's hold, whose entries name the plan and the
// part of the hold that paid.
statement!(
    BILLED,
    each: &format!(
        "SELECT n.id AS plan_id, e.account_kind, CAST(COALESCE(-SUM(e.amount), 0) AS BIGINT) AS billed \
         FROM unnest(?) AS n(id) JOIN entries e ON e.plan_id = n.id \
         JOIN transactions t ON t.id = e.transaction_id WHERE t.kind = {bill} GROUP BY 1, 2",
        bill = TransactionKind::DeliveryBilled.code()
    ),
);

/// What bills took from the plans' holds, by plan and part of the hold.
pub(crate) fn by_source(conn: &mut Conn, plans: Vec<PlanId>) -> Result<Vec<Billed>, Error> {
    BILLED.load(conn, &[plans.into()])
}

/// By plan: everything billed, and the part that was not the user's own money.
fn sum_billed(conn: &mut Conn, plans: &[PlanRow]) -> Result<BTreeMap<PlanId, (i64, i64)>, Error> {
    let ids = ascending(plans.iter().map(|plan| plan.id));
    let own =
        |plan: &PlanRow| Account::Hold { user: plan.user_id, plan: plan.id, source: Source::Available }.key().code;
    let own = plans.first().map(own);
    let mut billed = BTreeMap::<PlanId, (i64, i64)>::new();
    for row in by_source(conn, ids)? {
        let (all, platform) = billed.entry(row.plan_id).or_default();
        *all += row.billed;
        *platform += if Some(row.account_kind) == own { 0 } else { row.billed };
    }
    Ok(billed)
}

/// A plan's figures, counted again.
#[derive(Clone, Debug, Default)]
pub struct Recount {
    pub totals: Totals,
    pub arms: ByCode,
    /// By slot.
    pub slots: BTreeMap<i64, SlotFigures>,
}

/// What was counted from plans' events that are in files.
#[derive(Clone, Debug, Default)]
pub struct ArchivedCounts {
    /// All events up to the last one that was rolled up.
    pub groups: Vec<EventGroup>,
    /// The events that are divided among slots, if that is not all of `groups`.
    pub divided: Vec<EventGroup>,
    /// What the events of each bill cost: by plan and the bill's last event.
    pub bills: BTreeMap<(PlanId, i64), i64>,
}

/// Up to which event a plan is counted, and how.
#[derive(Clone, Debug, Default)]
pub struct PlanBounds {
    pub rolled_event: i64,
    /// Only events with a larger id are divided among slots; `None` if all are.
    pub undivided_up_to: Option<i64>,
    /// The last event of each bill, ascending.
    pub bills: Vec<i64>,
}

/// The bounds of plans with archived events.
pub fn bounds(conn: &mut Conn, plans: &[&PlanRow]) -> Result<BTreeMap<PlanId, PlanBounds>, Error> {
    let mut bounds: BTreeMap<PlanId, PlanBounds> = plans
        .iter()
        .map(|plan| (plan.id, PlanBounds { rolled_event: plan.figures.rolled_event_id, ..PlanBounds::default() }))
        .collect();
    let ids: Vec<PlanId> = bounds.keys().copied().collect();
    let undivided = undivided_plans::table.filter(undivided_plans::plan_id.eq_any(&ids));
    let undivided: Vec<(PlanId, i64)> =
        undivided.select((undivided_plans::plan_id, undivided_plans::up_to_event)).load(conn)?;
    for (plan, up_to) in undivided {
        bounds.entry(plan).or_default().undivided_up_to = Some(up_to);
    }
    let billed = bills::table.filter(bills::plan_id.eq_any(&ids)).order((bills::plan_id, bills::up_to_event));
    let billed: Vec<(PlanId, i64)> = billed.select((bills::plan_id, bills::up_to_event)).load(conn)?;
    for (plan, up_to) in billed {
        bounds.entry(plan).or_default().bills.push(up_to);
    }
    Ok(bounds)
}

/// Counts plans' figures again, from their events and conversions up to those rolled up,
/// and from their ledger entries.
pub fn recount(
    conn: &mut Conn,
    plans: &[PlanRow],
    archived: &ArchivedCounts,
) -> Result<BTreeMap<PlanId, Recount>, Error> {
    let stretches: Vec<EventRange> = plans
        .iter()
        .map(|plan| EventRange {
            plan: plan.id,
            above_event: 0,
            up_to_event: plan.figures.rolled_event_id,
            above_conversion: 0,
            up_to_conversion: plan.figures.rolled_conversion_id,
            filed_from: 0,
        })
        .collect();
    let mut counted = count(conn, &stretches, &archived.groups)?;
    let billed = sum_billed(conn, plans)?;
    let totals = plans.iter().map(|plan| {
        let all = counted.remove(&plan.id).unwrap_or_default();
        let (of_all, of_platform) = billed.get(&plan.id).copied().unwrap_or_default();
        let totals = Totals {
            impressions: all.sum(|q| q.impressions),
            clicks: all.sum(|q| q.clicks),
            viewable: all.sum(|q| q.viewable),
            filtered: all.sum(|q| q.filtered),
            conversions: all.sum(|q| q.conversions),
            booked_milli: all.milli,
            billed: Money::from_minor(of_all),
            platform_paid: Money::from_minor(of_platform),
            revenue: Money::from_minor(all.sum(|q| q.revenue)),
        };
        (plan.id, Recount { totals, arms: all.arms, slots: all.slots })
    });
    Ok(totals.collect())
}

row! {
    struct QuarterRow {
        plan_id: PlanId,
        impressions: i64,
        clicks: i64,
        filtered: i64,
        conversions: i64,
        billed: i64,
        platform_billed: i64,
        revenue: i64,
        used_milli: i64,
    }
}

statement!(
    QUARTERS,
    each: "SELECT plan_id, CAST(SUM(impressions) AS BIGINT) AS impressions, CAST(SUM(clicks) AS BIGINT) AS clicks, \
         CAST(SUM(filtered) AS BIGINT) AS filtered, CAST(SUM(conversions) AS BIGINT) AS conversions, \
         CAST(SUM(consumed) AS BIGINT) AS billed, CAST(SUM(platform_paid) AS BIGINT) AS platform_billed, \
         CAST(SUM(revenue) AS BIGINT) AS revenue, CAST(SUM(used_milli) AS BIGINT) AS used_milli \
         FROM plan_stats WHERE plan_id = ANY(?) GROUP BY plan_id",
);

/// The sums of plans' quarter hours, to compare with their totals.
pub fn quarters(conn: &mut Conn, plans: &[PlanRow]) -> Result<BTreeMap<PlanId, Quarter>, Error> {
    let ids = ascending(plans.iter().map(|plan| plan.id));
    let rows: Vec<QuarterRow> = QUARTERS.load(conn, &[ids.into()])?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let total = Quarter {
                impressions: row.impressions,
                clicks: row.clicks,
                filtered: row.filtered,
                conversions: row.conversions,
                billed: row.billed,
                platform_billed: row.platform_billed,
                revenue: row.revenue,
                used_milli: row.used_milli,
                ..Quarter::default()
            };
            (row.plan_id, total)
        })
        .collect())
}
