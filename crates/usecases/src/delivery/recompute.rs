//! Recounting every plan's figures from its events, and comparing them with the
//! stored totals.

use std::collections::BTreeMap;

use base::Money;
use plans::Totals;
use serde::Serialize;
use store::Conn;
use store::delivery::arm::{ArmCounts, ArmRow, by_arm};
use store::delivery::recount::Recount;
use store::delivery::slot_recount;
use store::plans::plan::PlanRow;

use crate::{App, Error};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recomputation {
    pub ok: bool,
    pub plans: i64,
    pub differences: Vec<Difference>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub plan_no: String,
    pub figure: String,
    pub kept: i64,
    pub counted: i64,
}

/// Plans per snapshot.
const CHUNK: i64 = 200;

/// Compares every plan. Events that arrive meanwhile do no harm: each plan is compared up
/// to the event that its last roll-up reached.
pub async fn recompute(app: &App) -> Result<Recomputation, Error> {
    let mut result = Recomputation { ok: true, plans: 0, differences: Vec::new() };
    let mut above = 0;
    loop {
        let (rows, differences) = app.db.snapshot(move |conn| compare(conn, above)).await?;
        let Some(last) = rows.last() else { return Ok(result) };
        above = *last;
        result.plans += i64::try_from(rows.len()).unwrap_or(i64::MAX);
        result.ok &= differences.is_empty();
        result.differences.extend(differences);
    }
}

fn compare(conn: &mut Conn, above: i64) -> Result<(Vec<i64>, Vec<Difference>), Error> {
    let plans = store::plans::plan::after(conn, above, CHUNK)?;
    let mut differences = Vec::new();
    let mut counted = store::delivery::recount::recount(conn, &plans)?;
    let slots = slot_recount::differences(conn, &plans, &counted)?;
    let kept_arms = kept_arms(conn, &plans)?;
    let quarters = store::delivery::recount::quarters(conn, &plans)?;
    let wrong_bills = store::wallet::bill::wrong(conn, plans.iter().map(PlanRow::id))?;
    let wrong_parts = store::wallet::bill::wrong_parts(conn, plans.iter().map(PlanRow::id))?;
    for plan in &plans {
        let Recount { totals: counted, arms, .. } = counted.remove(&plan.id).unwrap_or_default();
        differences.extend(difference(plan, &plan.totals()?, &counted)?);
        let quarters = quarters.get(&plan.id).copied().unwrap_or_default();
        let by_quarter = Totals {
            impressions: quarters.impressions,
            clicks: quarters.clicks,
            // Quarter hours do not have it.
            viewable: counted.viewable,
            filtered: quarters.filtered,
            conversions: quarters.conversions,
            billed: Money::from_minor(quarters.consumed),
            platform_paid: Money::from_minor(quarters.platform_paid),
            revenue: Money::from_minor(quarters.revenue),
            booked_milli: counted.booked_milli,
        };
        differences.extend(difference(plan, &by_quarter, &counted)?);
        let kept = kept_arms.get(&plan.id).map_or(&[][..], Vec::as_slice);
        differences.extend(arm_differences(plan, kept, &by_arm(&arms)));
        let wrong = wrong_bills.get(&plan.id).map(|number| ("bills that do not match their events", *number));
        let parts = wrong_parts.get(&plan.id).map(|number| ("bills that do not match their parts", *number));
        differences.extend(wrong.into_iter().chain(parts).map(|(figure, kept)| {
            let (plan_no, figure) = (plan.plan_no.clone(), figure.to_owned());
            Difference { plan_no, figure, kept, counted: 0 }
        }));
        differences.extend(slots.iter().filter(|wrong| wrong.plan == plan.id).map(|wrong| Difference {
            plan_no: plan.plan_no.clone(),
            figure: wrong.figure.clone(),
            kept: wrong.kept,
            counted: wrong.counted,
        }));
    }
    Ok((plans.iter().map(|plan| plan.id).collect(), differences))
}

fn kept_arms(conn: &mut Conn, plans: &[PlanRow]) -> Result<BTreeMap<i64, Vec<ArmRow>>, Error> {
    let paced: Vec<i64> = plans.iter().filter(|plan| plan.ai_delivery).map(|plan| plan.id).collect();
    let mut kept = BTreeMap::<i64, Vec<ArmRow>>::new();
    for row in store::delivery::arm::of_plans(conn, &paced)? {
        kept.entry(row.plan_id).or_default().push(row);
    }
    Ok(kept)
}

/// The figures of each arm, and of its held-out part.
fn arm_differences(
    plan: &PlanRow,
    kept: &[ArmRow],
    counted: &BTreeMap<i16, (ArmCounts, ArmCounts)>,
) -> Vec<Difference> {
    let unknown = counted.keys().filter(|arm| !kept.iter().any(|row| row.arm == **arm));
    let rows = kept.iter().map(|row| (row.arm, (row.counted(), row.held())));
    let rows = rows.chain(unknown.map(|arm| (*arm, Default::default())));
    rows.flat_map(|(arm, kept)| {
        let counted = counted.get(&arm).copied().unwrap_or_default();
        let pairs = figures(kept).into_iter().zip(figures(counted));
        pairs.filter(|((_, kept), (_, counted))| kept != counted).map(move |((figure, kept), (_, counted))| {
            Difference { plan_no: plan.plan_no.clone(), figure: format!("arm {arm} {figure}"), kept, counted }
        })
    })
    .collect()
}

const fn figures((all, held): (ArmCounts, ArmCounts)) -> [(&'static str, i64); 6] {
    [
        ("impressions", all.impressions),
        ("clicks", all.clicks),
        ("conversions", all.conversions),
        ("held out impressions", held.impressions),
        ("held out clicks", held.clicks),
        ("held out conversions", held.conversions),
    ]
}

fn difference(plan: &PlanRow, kept: &Totals, counted: &Totals) -> Result<Option<Difference>, Error> {
    let mismatch = kept.check(plan.status()?, counted).err();
    Ok(mismatch.map(|mismatch| Difference {
        plan_no: plan.plan_no.clone(),
        figure: mismatch.figure.into(),
        kept: mismatch.kept,
        counted: mismatch.counted,
    }))
}
