//! Writing what was rolled up: positions and totals of plans, their arms, quarter hours and users' totals.

use std::collections::BTreeSet;

use base::{Money, PlanId, Timestamp, UserId};
use plans::{MILLI, closing_after};

use super::{QUARTER_MILLIS, Quarter, UnrolledFigures, reckon};
use crate::delivery::arm::{self, ArmCounts};
use crate::delivery::conversion::ReportedConversion;
use crate::delivery::stats::{self, QuarterTotals};
use crate::delivery::{profits, unbilled, unrolled};
use crate::plans::plan::PlanRow;
use crate::{Error, Tx};
use db::bulk::Statement;
use db::statement;

/// A plan with what is new, the part that is billed now, and what is left for a later bill.
pub struct RolledUpPlan<'a> {
    pub plan: &'a PlanRow,
    pub fresh: &'a UnrolledFigures,
    pub billed: Money,
    pub left: Money,
    /// An exchange has named prices of what was billed before, and gets them later.
    pub late_prices: bool,
}

statement!(
    ADVANCE,
    postgres: "UPDATE plans p SET impressions = p.impressions + u.i, clicks = p.clicks + u.c, \
         filtered = p.filtered + u.f, conversions = p.conversions + u.v, revenue = p.revenue + u.r, viewable = p.viewable + u.w, \
         rolled_milli = p.rolled_milli + u.m, \
         reckoned_milli = p.rolled_milli + u.m, reckoned_revenue = p.revenue + u.r, billed = p.billed + u.b, rolled_event_id = u.e, \
         rolled_conversion_id = u.lc, rolled_at = u.t, next_at = COALESCE(u.n, p.next_at) \
         FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AS u(i, c, w, f, v, r, m, b, e, lc, t, n, id) WHERE p.id = u.id",
    sqlite: "UPDATE plans SET impressions = impressions + u.i, clicks = clicks + u.c, filtered = filtered + u.f, \
         conversions = conversions + u.v, revenue = revenue + u.r, viewable = viewable + u.w, rolled_milli = rolled_milli + u.m, \
         reckoned_milli = rolled_milli + u.m, reckoned_revenue = revenue + u.r, \
         billed = billed + u.b, rolled_event_id = u.e, rolled_conversion_id = u.lc, rolled_at = u.t, \
         next_at = COALESCE(u.n, next_at) FROM (SELECT ? AS i, ? AS c, ? AS w, ? AS f, ? AS v, ? AS r, ? AS m, ? AS b, ? AS e, \
         ? AS lc, ? AS t, ? AS n, ? AS id) AS u WHERE plans.id = u.id",
);

/// Advances the plans' positions and totals, with their arms, their quarter hours and
/// their users' totals, and removes their marks.
pub fn advance(tx: &mut Tx<'_>, rolled: &[RolledUpPlan<'_>]) -> Result<(), Error> {
    let now = tx.now().millis();
    let column = |f: &dyn Fn(&RolledUpPlan<'_>) -> i64| rolled.iter().map(f).collect::<Vec<i64>>();
    let ids = column(&|r| r.plan.id);
    let quarters = quarters(tx, rolled)?;
    // A plan whose budget is used up is checked again at once.
    let ends = |r: &RolledUpPlan<'_>| Ok(r.plan.commitment().ends(r.plan.status()?).then_some(now));
    let ended = rolled.iter().map(ends).collect::<Result<Vec<Option<i64>>, Error>>()?;
    unrolled::clear(tx, ids.clone())?;
    let (left, done): (Vec<_>, Vec<_>) = rolled.iter().partition(|r| r.left.is_positive() || r.late_prices);
    let left: Vec<_> = left.iter().map(|r| (r.plan.id(), r.plan.user())).collect();
    unbilled::leave(tx, &left, closing_after(tx.now()))?;
    unbilled::clear(tx, done.iter().map(|r| r.plan.id).collect())?;
    ADVANCE.execute(
        tx,
        &[
            column(&|r| r.fresh.sum(|q| q.impressions)).into(),
            column(&|r| r.fresh.sum(|q| q.clicks)).into(),
            column(&|r| r.fresh.sum(|q| q.viewable)).into(),
            column(&|r| r.fresh.sum(|q| q.filtered)).into(),
            column(&|r| r.fresh.sum(|q| q.conversions)).into(),
            column(&|r| r.fresh.sum(|q| q.revenue)).into(),
            column(&|r| r.fresh.milli).into(),
            column(&|r| r.billed.minor()).into(),
            column(&|r| r.fresh.last_event).into(),
            column(&|r| r.fresh.last_conversion).into(),
            vec![now; rolled.len()].into(),
            ended.into(),
            ids.into(),
        ],
    )?;
    let arms = rolled.iter().filter(|r| !r.fresh.arms.is_empty());
    arm::add(tx, &arms.map(|r| (r.plan.id, r.fresh.arms.clone())).collect::<Vec<_>>())?;
    add(tx, &quarters)
}

/// What is new in each plan's quarter hours. The plans are as they were before.
fn quarters(tx: &mut Tx<'_>, rolled: &[RolledUpPlan<'_>]) -> Result<Vec<(PlanId, UserId, Quarter)>, Error> {
    let now = tx.now().millis();
    let mut quarters = Vec::with_capacity(rolled.len());
    for RolledUpPlan { plan, fresh, billed, .. } in rolled {
        let mut told = UnrolledFigures { quarters: fresh.quarters.clone(), ..UnrolledFigures::default() };
        // The bill belongs to the quarter hour in which it is recorded, so that what a
        // quarter hour consumed is the sum of its lines.
        if billed.is_positive() {
            let before = Money::from_minor(plan.figures.billed);
            let after = Money::from_minor(plan.figures.billed.saturating_add(billed.minor()));
            let part = plan.platform_paid(after)?.minor() - plan.platform_paid(before)?.minor();
            told.in_quarter(now.div_euclid(QUARTER_MILLIS), |quarter| {
                quarter.billed += billed.minor();
                quarter.platform_billed += part;
            });
        }
        quarters.push((*plan, told.quarters));
    }
    reckon::reckoned(tx, quarters)
}

statement!(
    ADD,
    postgres: "INSERT INTO plan_stats (plan_id, quarter, user_id, impressions, clicks, filtered, conversions, consumed, \
         platform_paid, revenue, used_milli, used, platform_used, fee, corrected) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (plan_id, quarter) DO UPDATE SET \
         impressions = plan_stats.impressions + excluded.impressions, clicks = plan_stats.clicks + excluded.clicks, \
         filtered = plan_stats.filtered + excluded.filtered, \
         conversions = plan_stats.conversions + excluded.conversions, \
         consumed = plan_stats.consumed + excluded.consumed, \
         platform_paid = plan_stats.platform_paid + excluded.platform_paid, \
         revenue = plan_stats.revenue + excluded.revenue, used_milli = plan_stats.used_milli + excluded.used_milli, \
         used = plan_stats.used + excluded.used, platform_used = plan_stats.platform_used + excluded.platform_used, \
         fee = plan_stats.fee + excluded.fee, corrected = plan_stats.corrected + excluded.corrected",
    sqlite: "INSERT INTO plan_stats (plan_id, quarter, user_id, impressions, clicks, filtered, conversions, consumed, \
         platform_paid, revenue, used_milli, used, platform_used, fee, corrected) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (plan_id, quarter) DO UPDATE SET \
         impressions = plan_stats.impressions + excluded.impressions, clicks = plan_stats.clicks + excluded.clicks, \
         filtered = plan_stats.filtered + excluded.filtered, \
         conversions = plan_stats.conversions + excluded.conversions, \
         consumed = plan_stats.consumed + excluded.consumed, \
         platform_paid = plan_stats.platform_paid + excluded.platform_paid, \
         revenue = plan_stats.revenue + excluded.revenue, used_milli = plan_stats.used_milli + excluded.used_milli, \
         used = plan_stats.used + excluded.used, platform_used = plan_stats.platform_used + excluded.platform_used, \
         fee = plan_stats.fee + excluded.fee, corrected = plan_stats.corrected + excluded.corrected",
);

/// Adds to plans' quarter hours, and to their users' totals. Each plan's quarter hour
/// occurs at most once.
fn add(tx: &mut Tx<'_>, quarters: &[(PlanId, UserId, Quarter)]) -> Result<(), Error> {
    let column = |f: fn(&Quarter) -> i64| quarters.iter().map(|(_, _, q)| f(q)).collect::<Vec<i64>>();
    ADD.execute(
        tx,
        &[
            quarters.iter().map(|(plan, ..)| plan.0).collect::<Vec<_>>().into(),
            column(|q| q.number).into(),
            quarters.iter().map(|(_, user, _)| user.0).collect::<Vec<_>>().into(),
            column(|q| q.impressions).into(),
            column(|q| q.clicks).into(),
            column(|q| q.filtered).into(),
            column(|q| q.conversions).into(),
            column(|q| q.billed).into(),
            column(|q| q.platform_billed).into(),
            column(|q| q.revenue).into(),
            column(|q| q.used_milli).into(),
            column(|q| q.used).into(),
            column(|q| q.platform_used).into(),
            column(|q| q.fee).into(),
            column(|q| q.corrected).into(),
        ],
    )?;
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
    postgres: "UPDATE plans p SET conversions = p.conversions - u.n, revenue = p.revenue - u.r, reckoned_milli = p.rolled_milli, \
         reckoned_revenue = p.revenue - u.r FROM unnest(?, ?, ?) AS u(n, r, id) WHERE p.id = u.id",
    sqlite: "UPDATE plans SET conversions = conversions - u.n, revenue = revenue - u.r, reckoned_milli = rolled_milli, \
         reckoned_revenue = revenue - u.r FROM (SELECT ? AS n, ? AS r, ? AS id) AS u WHERE plans.id = u.id",
);

/// Takes counted conversions of plans back, in the quarter hours when they came. Each plan occurs
/// once.
pub fn uncount(tx: &mut Tx<'_>, taken_back: &[(&PlanRow, Vec<&ReportedConversion>)]) -> Result<(), Error> {
    let mut fresh = Vec::with_capacity(taken_back.len());
    let mut arms = Vec::new();
    for (plan, conversions) in taken_back {
        let mut less = UnrolledFigures::default();
        for conversion in conversions {
            less.in_quarter(conversion.received_at.millis().div_euclid(QUARTER_MILLIS), |quarter| {
                quarter.conversions -= 1;
                quarter.revenue -= conversion.payout.minor();
                quarter.corrected += 1;
            });
            less.in_arm(conversion.arm, ArmCounts { conversions: -1, ..ArmCounts::default() });
        }
        fresh.push((*plan, less.quarters));
        if !less.arms.is_empty() {
            arms.push((plan.id, less.arms));
        }
    }
    let quarters = reckon::reckoned(tx, fresh)?;
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
    add(tx, &quarters)
}

statement!(
    REFUND,
    postgres: "UPDATE plans p SET refunded = p.refunded + u.r, refunded_given = p.refunded_given + u.g, \
         reckoned_milli = p.rolled_milli, reckoned_revenue = p.revenue \
         FROM unnest(?, ?, ?) AS u(r, g, id) WHERE p.id = u.id",
    sqlite: "UPDATE plans SET refunded = refunded + ?, refunded_given = refunded_given + ?, reckoned_milli = rolled_milli, \
         reckoned_revenue = revenue WHERE id = ?",
);

/// What is given back of a plan, and which events it is for.
pub struct Refunded<'a> {
    pub plan: &'a PlanRow,
    pub amount: Money,
    /// The part of it that a coupon and credit had paid.
    pub given: Money,
    /// When each event came, and what it is given back of it, in thousandths of a minor unit.
    pub events: Vec<(Timestamp, i64)>,
}

/// Takes what was given back from what the plans have used, in the quarter hours of its events.
/// The plans are as they were before; their users' wallets are locked.
pub fn refund(tx: &mut Tx<'_>, refunds: &[Refunded<'_>]) -> Result<(), Error> {
    // What a coupon or credit had paid and came back is not the plan's any more. What was used before these events is no
    // more than what is left of that, because own money came back first.
    let plans: Vec<PlanRow> = refunds.iter().map(Refunded::with_less_given).collect();
    let less = plans.iter().zip(refunds).map(|(plan, of)| (plan, of.quarters())).collect();
    let quarters = reckon::reckoned(tx, less)?;
    REFUND.execute(
        tx,
        &[
            refunds.iter().map(|of| of.amount.minor()).collect::<Vec<_>>().into(),
            refunds.iter().map(|of| of.given.minor()).collect::<Vec<_>>().into(),
            refunds.iter().map(|of| of.plan.id).collect::<Vec<_>>().into(),
        ],
    )?;
    add(tx, &quarters)?;
    let settled: BTreeSet<i64> =
        refunds.iter().filter(|of| of.plan.settled_at.is_some()).map(|of| of.plan.id).collect();
    let of_settled = quarters.iter().filter(|(plan, ..)| settled.contains(&plan.0));
    profits::change_settled(tx, &of_settled.map(|(_, user, quarter)| (*user, *quarter)).collect::<Vec<_>>())
}

impl Refunded<'_> {
    fn with_less_given(&self) -> PlanRow {
        let mut plan = self.plan.clone();
        plan.figures.refunded_given = plan.figures.refunded_given.saturating_add(self.given.minor());
        plan
    }

    /// A refund is in whole minor units, and its events may not cost that exactly: the rest is
    /// the newest one's.
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
