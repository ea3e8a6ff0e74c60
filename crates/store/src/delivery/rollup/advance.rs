//! Writes what was rolled up: plans' positions and totals, their arms and quarter hours, and their users' totals.

use std::collections::BTreeSet;

use base::{Money, PlanId, Timestamp, UserId};
use plans::{MILLI, PartCounts, closing_after};

use super::parts::{self, Place};
use super::{QUARTER_MILLIS, Quarter, UnrolledFigures, reckon};
use crate::delivery::arm::{self, ArmCounts};
use crate::delivery::conversion::ReportedConversion;
use crate::delivery::stats::{self, QuarterTotals};
use crate::delivery::{profits, unbilled, unrolled};
use crate::plans::plan::{self, PlanRow, results};
use crate::{Error, Tx};
use db::bulk::{Column, Statement};
use db::{insert, statement};

/// A plan with its new figures, the part that is billed now, and the part that is left for a later bill.
pub struct RolledUpPlan<'a> {
    pub plan: &'a PlanRow,
    pub fresh: &'a UnrolledFigures,
    pub billed: Money,
    pub left: Money,
    /// Whether an exchange has named prices of views that were billed before, which wait for a later bill.
    pub late_prices: bool,
}

statement!(
    ADVANCE,
    each: "UPDATE plans AS p SET impressions = p.impressions + u.i, clicks = p.clicks + u.c, \
         filtered = p.filtered + u.f, conversions = p.conversions + u.v, revenue = p.revenue + u.r, viewable = p.viewable + u.w, \
         rolled_milli = p.rolled_milli + u.m, \
         reckoned_milli = p.rolled_milli + u.m, reckoned_revenue = p.revenue + u.r, billed = p.billed + u.b, rolled_event_id = u.e, \
         rolled_conversion_id = u.lc, rolled_at = u.t, next_at = COALESCE(u.n, p.next_at) \
         FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS u(i, c, w, f, v, r, m, b, e, lc, t, n, id) WHERE p.id = u.id",
);

/// Advances the plans' positions and totals, with their arms, their quarter hours and
/// their users' totals, and removes their marks.
pub fn advance(tx: &mut Tx<'_>, rolled: &[RolledUpPlan<'_>]) -> Result<(), Error> {
    let now = tx.now();
    let column = |f: &dyn Fn(&RolledUpPlan<'_>) -> i64| rolled.iter().map(f).collect::<Column>();
    let ids: Vec<PlanId> = rolled.iter().map(|r| r.plan.id).collect();
    let quarters = quarters(tx, rolled)?;
    // A plan whose budget is used up is checked again at once.
    let ends = |r: &RolledUpPlan<'_>| r.plan.commitment().ends(r.plan.status).then_some(now);
    unrolled::clear(tx, ids.clone())?;
    let (left, done): (Vec<_>, Vec<_>) = rolled.iter().partition(|r| r.left.is_positive() || r.late_prices);
    let left: Vec<_> = left.iter().map(|r| (r.plan.id, r.plan.user_id)).collect();
    unbilled::leave(tx, &left, closing_after(tx.now()))?;
    unbilled::clear(tx, done.iter().map(|r| r.plan.id).collect())?;
    ADVANCE.execute(
        tx,
        &[
            column(&|r| r.fresh.sum(|q| q.impressions)),
            column(&|r| r.fresh.sum(|q| q.clicks)),
            column(&|r| r.fresh.sum(|q| q.viewable)),
            column(&|r| r.fresh.sum(|q| q.filtered)),
            column(&|r| r.fresh.sum(|q| q.conversions)),
            column(&|r| r.fresh.sum(|q| q.revenue)),
            column(&|r| r.fresh.milli),
            rolled.iter().map(|r| r.billed).collect(),
            column(&|r| r.fresh.last_event),
            column(&|r| r.fresh.last_conversion),
            vec![now; rolled.len()].into(),
            rolled.iter().map(ends).collect(),
            ids.into(),
        ],
    )?;
    let arms = rolled.iter().filter(|r| !r.fresh.arms.is_empty());
    arm::add(tx, &arms.map(|r| (r.plan.id, r.fresh.arms.clone())).collect::<Vec<_>>())?;
    add(tx, &quarters)?;
    parts::add(tx, &rolled.iter().map(|r| (r.plan, r.fresh.places.as_slice())).collect::<Vec<_>>())
}

/// The new figures of each plan's quarter hours. `rolled` has the plans as they were before.
fn quarters(tx: &mut Tx<'_>, rolled: &[RolledUpPlan<'_>]) -> Result<Vec<(PlanId, UserId, Quarter)>, Error> {
    let now = tx.now().millis();
    let mut quarters = Vec::with_capacity(rolled.len());
    for RolledUpPlan { plan, fresh, billed, .. } in rolled {
        let mut told = UnrolledFigures { quarters: fresh.quarters.clone(), ..UnrolledFigures::default() };
        // The bill belongs to the quarter hour in which it is recorded, so that what a
        // quarter hour consumed is the sum of its lines.
        if billed.is_positive() {
            let before = plan.figures.billed;
            let after = before.plus(*billed).map_err(plan.too_large())?;
            let part = plan.platform_paid(after)?.minor() - plan.platform_paid(before)?.minor();
            told.in_quarter(now.div_euclid(QUARTER_MILLIS), |quarter| {
                quarter.billed += billed.minor();
                quarter.platform_billed += part;
            });
        }
        quarters.push((*plan, told.quarters));
    }
    reckon::reckon(tx, quarters)
}

insert! {
    struct MoreInQuarter, ADD into "plan_stats" {
        plan_id: PlanId,
        quarter: i64,
        user_id: UserId,
        impressions += i64,
        clicks += i64,
        filtered += i64,
        conversions += i64,
        consumed += i64,
        platform_paid += i64,
        revenue += i64,
        used_milli += i64,
        used += i64,
        platform_used += i64,
        fee += i64,
        corrected += i64,
    } then "ON CONFLICT (plan_id, quarter)"
}

impl MoreInQuarter {
    const fn of(plan_id: PlanId, user_id: UserId, quarter: &Quarter) -> Self {
        Self {
            plan_id,
            quarter: quarter.number,
            user_id,
            impressions: quarter.impressions,
            clicks: quarter.clicks,
            filtered: quarter.filtered,
            conversions: quarter.conversions,
            consumed: quarter.billed,
            platform_paid: quarter.platform_billed,
            revenue: quarter.revenue,
            used_milli: quarter.used_milli,
            used: quarter.used,
            platform_used: quarter.platform_used,
            fee: quarter.fee,
            corrected: quarter.corrected,
        }
    }
}

/// Adds to plans' quarter hours, and to their users' totals. Each plan's quarter hour
/// occurs at most once.
fn add(tx: &mut Tx<'_>, quarters: &[(PlanId, UserId, Quarter)]) -> Result<(), Error> {
    let more = quarters.iter().map(|(plan, user, quarter)| MoreInQuarter::of(*plan, *user, quarter));
    ADD.execute(tx, &MoreInQuarter::columns(&more.collect::<Vec<_>>()))?;
    profits::add(tx, quarters.iter().map(|(_, user, quarter)| (*user, *quarter)))?;
    let changes: Vec<QuarterTotals> = quarters
        .iter()
        .map(|(_, user, q)| QuarterTotals {
            impressions: q.impressions,
            clicks: q.clicks,
            billed: q.billed,
            platform_billed: q.platform_billed,
            revenue: q.revenue,
            ..QuarterTotals::of(*user, q.number)
        })
        .collect();
    stats::add(tx, &changes)
}

statement!(
    UNCOUNT,
    each: "UPDATE plans AS p SET conversions = p.conversions - u.n, revenue = p.revenue - u.r, reckoned_milli = p.rolled_milli, \
         reckoned_revenue = p.revenue - u.r FROM unnest(?, ?, ?) AS u(n, r, id) WHERE p.id = u.id",
);

/// Reverses counted conversions of plans, in the quarter hours in which they arrived. Each plan occurs once.
pub fn uncount(tx: &mut Tx<'_>, taken_back: &[(&PlanRow, Vec<&ReportedConversion>)]) -> Result<(), Error> {
    let mut fresh = Vec::with_capacity(taken_back.len());
    let mut arms = Vec::new();
    let mut places: Vec<(&PlanRow, Vec<(Place, PartCounts)>)> = Vec::with_capacity(taken_back.len());
    for (plan, conversions) in taken_back {
        let mut less = UnrolledFigures::default();
        for conversion in conversions {
            let number = conversion.received_at.millis().div_euclid(QUARTER_MILLIS);
            less.in_quarter(number, |quarter| {
                quarter.conversions -= 1;
                quarter.revenue -= conversion.payout.minor();
                quarter.corrected += 1;
            });
            less.in_arm(conversion.arm, ArmCounts { conversions: -1, ..ArmCounts::default() });
            let place = Place { quarter: number, arm: conversion.arm, origin: conversion.origin.clone() };
            let payout = conversion.payout.negated().map_err(plan.too_large())?;
            less.places.push((place, parts::converted(-1, payout)));
        }
        fresh.push((*plan, less.quarters));
        places.push((*plan, less.places));
        if !less.arms.is_empty() {
            arms.push((plan.id, less.arms));
        }
    }
    let quarters = reckon::reckon(tx, fresh)?;
    let revenue = |of: &[&ReportedConversion]| of.iter().map(|conversion| conversion.payout.minor()).sum::<i64>();
    let number = |of: &[&ReportedConversion]| i64::try_from(of.len()).unwrap_or(i64::MAX);
    UNCOUNT.execute(
        tx,
        &[
            taken_back.iter().map(|(_, of)| number(of)).collect::<Vec<_>>().into(),
            taken_back.iter().map(|(_, of)| revenue(of)).collect::<Vec<_>>().into(),
            taken_back.iter().map(|(plan, _)| plan.id).collect::<Vec<_>>().into(),
        ],
    )?;
    arm::add(tx, &arms)?;
    add(tx, &quarters)?;
    parts::add(tx, &places.iter().map(|(plan, places)| (*plan, places.as_slice())).collect::<Vec<_>>())
}

statement!(
    REFUND,
    each: "UPDATE plans AS p SET refunded = p.refunded + u.r, refunded_given = p.refunded_given + u.g, \
         reckoned_milli = p.rolled_milli, reckoned_revenue = p.revenue \
         FROM unnest(?, ?, ?) AS u(r, g, id) WHERE p.id = u.id",
);

/// A refund of a plan, with the events that it is for.
pub struct Refunded<'a> {
    pub plan: &'a PlanRow,
    pub amount: Money,
    /// The part of the refund that a coupon or credit had paid.
    pub given: Money,
    /// When each event arrived, and what is refunded for it, in thousandths of a minor unit.
    pub events: Vec<(Timestamp, i64)>,
}

/// Subtracts refunds from what plans have used, in the quarter hours of the refunded events. `refunds` has the plans as
/// they were before; their users' wallets are locked.
pub fn refund(tx: &mut Tx<'_>, refunds: &[Refunded<'_>]) -> Result<(), Error> {
    // A refunded part of a coupon or credit no longer belongs to the plan. The use before these events still fits into
    // the rest of it, because the user's own money came back first.
    let plans: Vec<PlanRow> = refunds.iter().map(Refunded::with_less_given).collect::<Result<_, _>>()?;
    let less = plans.iter().zip(refunds).map(|(plan, of)| (plan, of.quarters())).collect();
    let quarters = reckon::reckon(tx, less)?;
    REFUND.execute(
        tx,
        &[
            refunds.iter().map(|of| of.amount).collect(),
            refunds.iter().map(|of| of.given).collect(),
            refunds.iter().map(|of| of.plan.id).collect(),
        ],
    )?;
    add(tx, &quarters)?;
    let settled: BTreeSet<PlanId> =
        refunds.iter().filter(|of| of.plan.settled_at.is_some()).map(|of| of.plan.id).collect();
    let changed = plan::lock_all(tx, settled.iter().copied())?;
    results::keep(tx, &changed)?;
    let of_settled = quarters.iter().filter(|(plan, ..)| settled.contains(plan));
    profits::change_settled(tx, &of_settled.map(|(_, user, quarter)| (*user, *quarter)).collect::<Vec<_>>())
}

impl Refunded<'_> {
    fn with_less_given(&self) -> Result<PlanRow, Error> {
        let mut plan = self.plan.clone();
        plan.figures.refunded_given = plan.figures.refunded_given.plus(self.given).map_err(self.plan.too_large())?;
        Ok(plan)
    }

    /// The changes in the quarter hours of its events. A refund is in whole minor units, so the prices of its events
    /// may differ from it; the newest quarter hour takes the difference.
    fn quarters(&self) -> Vec<Quarter> {
        let mut less = UnrolledFigures::default();
        let mut rest = self.amount.minor().saturating_mul(MILLI);
        for (at, milli) in &self.events {
            rest = rest.saturating_sub(*milli);
            less.in_quarter(at.millis().div_euclid(QUARTER_MILLIS), |quarter| {
                quarter.used_milli -= milli;
                quarter.corrected += 1;
            });
        }
        if let Some(newest) = less.quarters.last_mut() {
            newest.used_milli -= rest;
        }
        less.quarters
    }
}
