//! Computes the fee and the use of plans' quarter hours, as differences of the plans' running totals. If a quarter hour
//! before a plan's last one changes, the ones after it are rounded again.

use std::collections::BTreeMap;

use base::{Money, PlanId, UserId};
use db::bulk::Statement;
use db::{row, statement};
use plans::{Counted, Earned};

use super::Quarter;
use crate::delivery::profits;
use crate::plans::plan::PlanRow;
use crate::{Conn, Error, Tx};

row! {
    /// A quarter hour as it is stored.
    #[derive(Clone, Copy, Debug)]
    struct Kept {
        plan_id: PlanId,
        quarter: i64,
        revenue: i64,
        used_milli: i64,
        fee: i64,
        used: i64,
        platform_used: i64,
    }
}

statement!(
    KEPT,
    each: "SELECT s.plan_id, s.quarter, s.revenue, s.used_milli, s.fee, s.used, s.platform_used \
         FROM unnest(?, ?) AS n(id, q) JOIN plan_stats s ON s.plan_id = n.id AND s.quarter >= n.q",
);

/// Completes each plan's new quarter hours with fee and use. The plans and their users' wallets are locked, and `fresh`
/// has the plans as they were before.
pub(super) fn reckon(
    tx: &mut Tx<'_>,
    fresh: Vec<(&PlanRow, Vec<Quarter>)>,
) -> Result<Vec<(PlanId, UserId, Quarter)>, Error> {
    let behind: Vec<(PlanId, UserId)> =
        fresh.iter().filter(|(plan, _)| !plan.is_reckoned()).map(|(plan, _)| (plan.id, plan.user_id)).collect();
    if !behind.is_empty() {
        profits::reckon_with_others(tx, &behind)?;
    }
    let kept = read_kept(tx, &fresh)?;
    let mut all = Vec::new();
    for (plan, quarters) in fresh {
        let kept = kept.get(&plan.id).map_or(&[][..], Vec::as_slice);
        let reckoned = of_plan(plan, quarters, kept)?;
        all.extend(reckoned.into_iter().map(|quarter| (plan.id, plan.user_id, quarter)));
    }
    Ok(all)
}

/// The stored quarter hours of each plan, from the first one that changes.
fn read_kept(conn: &mut Conn, fresh: &[(&PlanRow, Vec<Quarter>)]) -> Result<BTreeMap<PlanId, Vec<Kept>>, Error> {
    let first = |(plan, quarters): &(&PlanRow, Vec<Quarter>)| {
        let changed = quarters.iter().filter(|quarter| quarter.changes_profit()).map(|quarter| quarter.number).min();
        changed.map(|number| (plan.id, number))
    };
    let (plans, from): (Vec<PlanId>, Vec<i64>) = fresh.iter().filter_map(first).unzip();
    let mut kept = BTreeMap::<PlanId, Vec<Kept>>::new();
    for row in KEPT.load::<Kept>(conn, &[plans.into(), from.into()])? {
        kept.entry(row.plan_id).or_default().push(row);
    }
    Ok(kept)
}

/// The new and the stored figures of a quarter hour.
type Changing = (Option<Quarter>, Option<Kept>);

/// The changes in each quarter hour of a plan.
fn of_plan(plan: &PlanRow, fresh: Vec<Quarter>, kept: &[Kept]) -> Result<Vec<Quarter>, Error> {
    let mut steps: BTreeMap<i64, Changing> = BTreeMap::new();
    for quarter in fresh {
        steps.entry(quarter.number).or_default().0 = Some(quarter);
    }
    let mut before = plan.counted();
    for row in kept {
        before = before.minus(counted(row.revenue, row.used_milli)).map_err(plan.too_large())?;
        steps.entry(row.quarter).or_default().1 = Some(*row);
    }
    let parts = steps.values().map(|(quarter, row)| {
        let quarter = quarter.unwrap_or_default();
        let (revenue, used_milli) = row.map_or((0, 0), |row| (row.revenue, row.used_milli));
        counted(revenue.saturating_add(quarter.revenue), used_milli.saturating_add(quarter.used_milli))
    });
    let parts = plan.agreed()?.parts(before, parts).map_err(plan.too_large())?;
    let change = |((number, (quarter, row)), part): ((i64, Changing), Earned)| {
        let was = |of: fn(&Kept) -> i64| row.as_ref().map_or(0, of);
        let change = Quarter {
            number,
            fee: part.fee.minor() - was(|row| row.fee),
            used: part.used.minor() - was(|row| row.used),
            platform_used: part.platform_used.minor() - was(|row| row.platform_used),
            ..quarter.unwrap_or_default()
        };
        (quarter.is_some() || change.changes_profit()).then_some(change)
    };
    Ok(steps.into_iter().zip(parts).filter_map(change).collect())
}

const fn counted(revenue: i64, used_milli: i64) -> Counted {
    Counted { revenue: Money::from_minor(revenue), used_milli }
}
