//! Recounting every plan's figures from its events, and comparing them with the
//! stored totals.

use std::collections::{BTreeMap, BTreeSet};

use base::{Money, PlanId, Timestamp};
use foundation::people::files::storage;
use foundation::{App, Error};
use plans::{MILLI, Totals};
use serde::Serialize;
use store::Conn;
use store::delivery::archive::ArchivedPart;
use store::delivery::arm::{ArmCounts, ArmRow, by_arm};
use store::delivery::recount::{ArchivedCounts, PlanBounds, Recount};
use store::delivery::{rollup, slot_recount, ssp};
use store::plans::plan::PlanRow;

use crate::AdServer;
use crate::delivery::archive::{FileProblem, file_problem, tallies};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recomputation {
    pub ok: bool,
    pub plans: i64,
    pub differences: Vec<Difference>,
    /// Files of archived events that are missing or changed. Their plans are not compared.
    pub archives: Vec<FileProblem>,
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

/// Compares every plan. Events that arrive meanwhile do not matter, because each plan is compared up to the event that
/// its last roll-up reached.
pub async fn recompute(app: &AdServer) -> Result<Recomputation, Error> {
    let archives = file_problems(app).await?;
    let damaged: BTreeSet<String> = archives.iter().map(|found| found.file.clone()).collect();
    let mut result = Recomputation { ok: archives.is_empty(), plans: 0, differences: Vec::new(), archives };
    let mut above = 0;
    loop {
        let Some(compared) = chunk(app, above, damaged.clone()).await? else { continue };
        let Some(last) = compared.last else {
            result.differences.extend(app.db.snapshot(exchange_differences).await?);
            result.ok &= result.differences.is_empty();
            return Ok(result);
        };
        above = last;
        result.plans += compared.plans;
        result.ok &= compared.differences.is_empty();
        result.differences.extend(compared.differences);
    }
}

/// The problems with files of archived events.
async fn file_problems(app: &App) -> Result<Vec<FileProblem>, Error> {
    let mut found = Vec::new();
    for archive in app.db.read(store::delivery::archive::all).await? {
        found.extend(file_problem(storage(app)?, &archive).await);
    }
    Ok(found)
}

/// Compares the views of exchanges as they were judged with those counted from plans' events, plus those that are not
/// counted yet.
fn exchange_differences(conn: &mut Conn) -> Result<Vec<Difference>, Error> {
    let kept = ssp::all_views(conn)?;
    let mut counted = ssp::sum_views(conn)?;
    for (slot, day, views) in rollup::fresh_views(conn)? {
        let of = counted.entry((slot, day)).or_default();
        *of = of.plus(views);
    }
    let keys: BTreeSet<_> = kept.keys().chain(counted.keys()).copied().collect();
    let mut found = Vec::new();
    for key @ (slot, day) in keys {
        let [kept, counted] = [&kept, &counted].map(|views| views.get(&key).copied().unwrap_or_default());
        for (kept, counted, name) in [
            (kept.by_picture, counted.by_picture, "reported by pictures"),
            (kept.by_notice, counted.by_notice, "reported by notices"),
            (kept.confirmed, counted.confirmed, "confirmed"),
        ] {
            if kept != counted {
                let day = Timestamp::start_of_day(day).to_string();
                let figure = format!("views of slot {slot} {name} on {}", day.get(..10).unwrap_or_default());
                found.push(Difference { plan_no: String::new(), figure, kept, counted });
            }
        }
    }
    Ok(found)
}

/// The result for some of the plans.
struct Compared {
    /// The last plan of this part; `None` if there are no more.
    last: Option<i64>,
    plans: i64,
    differences: Vec<Difference>,
}

/// Compares the next plans; `None` if events were archived meanwhile.
async fn chunk(app: &AdServer, above: i64, damaged: BTreeSet<String>) -> Result<Option<Compared>, Error> {
    let (parts, bounds) = app.db.snapshot(move |conn| find_archived(conn, above)).await?;
    let (damaged, whole): (Vec<_>, Vec<_>) =
        parts.clone().into_iter().partition(|part| damaged.contains(&part.archive.file));
    let skipped: BTreeSet<PlanId> = damaged.into_iter().map(|part| part.plan).collect();
    let readable = whole.into_iter().filter(|part| !skipped.contains(&part.plan)).collect();
    let counts = tallies::counts(app, readable, bounds).await?;
    app.db
        .snapshot(move |conn| {
            let plans = store::plans::plan::after(conn, above, CHUNK)?;
            let ids: Vec<PlanId> = plans.iter().map(|plan| plan.id).collect();
            if store::delivery::archive::parts(conn, &ids)? != parts {
                return Ok(None);
            }
            let plans: Vec<PlanRow> = plans.into_iter().filter(|plan| !skipped.contains(&plan.id)).collect();
            let differences = compare(conn, &plans, &counts)?;
            let number = i64::try_from(plans.len()).unwrap_or(i64::MAX);
            Ok(Some(Compared { last: ids.last().map(|plan| plan.0), plans: number, differences }))
        })
        .await
}

type Archived = (Vec<ArchivedPart>, BTreeMap<PlanId, PlanBounds>);

/// The archived events of the next plans, and up to where each plan is counted.
fn find_archived(conn: &mut Conn, above: i64) -> Result<Archived, Error> {
    let plans = store::plans::plan::after(conn, above, CHUNK)?;
    let ids: Vec<PlanId> = plans.iter().map(|plan| plan.id).collect();
    let parts = store::delivery::archive::parts(conn, &ids)?;
    let with: BTreeSet<PlanId> = parts.iter().map(|part| part.plan).collect();
    let with: Vec<&PlanRow> = plans.iter().filter(|plan| with.contains(&plan.id)).collect();
    let bounds = if with.is_empty() { BTreeMap::new() } else { store::delivery::recount::bounds(conn, &with)? };
    Ok((parts, bounds))
}

fn compare(conn: &mut Conn, plans: &[PlanRow], archived: &ArchivedCounts) -> Result<Vec<Difference>, Error> {
    let mut differences = Vec::new();
    let mut counted = store::delivery::recount::recount(conn, plans, archived)?;
    let slots = slot_recount::differences(conn, plans, &counted, archived)?;
    let kept_arms = read_kept_arms(conn, plans)?;
    let quarters = store::delivery::recount::quarters(conn, plans)?;
    let wrong_bills = store::wallet::bill::wrong(conn, plans.iter().map(|plan| plan.id), &archived.bills)?;
    let wrong_quarters = store::delivery::profits::differing(conn, plans)?;
    let refunds = store::wallet::corrections::sum_refunded(conn, plans.iter().map(|plan| plan.id))?;
    let wrong_parts = store::wallet::bill::wrong_parts(conn, plans.iter().map(|plan| plan.id))?;
    for plan in plans {
        let Recount { totals: counted, arms, .. } = counted.remove(&plan.id).unwrap_or_default();
        differences.extend(difference(plan, &plan.totals()?, &counted)?);
        let quarters = quarters.get(&plan.id).copied().unwrap_or_default();
        let by_quarter = Totals {
            impressions: quarters.impressions,
            clicks: quarters.clicks,
            // Quarter hours do not have this figure.
            viewable: counted.viewable,
            filtered: quarters.filtered,
            conversions: quarters.conversions,
            billed: Money::from_minor(quarters.billed),
            platform_paid: Money::from_minor(quarters.platform_billed),
            revenue: Money::from_minor(quarters.revenue),
            // What a server of the previous version has counted is not in the quarter hours until it is recomputed.
            booked_milli: if plan.is_reckoned() {
                quarters.used_milli.saturating_add(plan.figures.refunded.minor().saturating_mul(MILLI))
            } else {
                counted.booked_milli
            },
        };
        differences.extend(difference(plan, &by_quarter, &counted)?);
        let kept = kept_arms.get(&plan.id.0).map_or(&[][..], Vec::as_slice);
        differences.extend(arm_differences(plan, kept, &by_arm(&arms)));
        differences.extend(refund_differences(plan, refunds.get(&plan.id.0).copied().unwrap_or_default()));
        let wrong = wrong_bills.get(&plan.id).map(|number| ("bills that do not match their events", *number));
        let parts = wrong_parts.get(&plan.id.0).map(|number| ("bills that do not match their parts", *number));
        let quarters = wrong_quarters.get(&plan.id.0).filter(|_| plan.is_reckoned());
        let quarters = quarters.map(|number| ("quarter hours with a wrong fee or use", *number));
        differences.extend(wrong.into_iter().chain(parts).chain(quarters).map(|(figure, kept)| {
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
    Ok(differences)
}

/// Compares a plan's refunded amounts with its refunds.
fn refund_differences(plan: &PlanRow, [amount, given]: [i64; 2]) -> impl Iterator<Item = Difference> {
    let figures = [
        ("refunded", plan.figures.refunded.minor(), amount),
        ("refunded of coupons and credit", plan.figures.refunded_given.minor(), given),
    ];
    let plan_no = plan.plan_no.clone();
    figures.into_iter().filter(|(_, kept, counted)| kept != counted).map(move |(figure, kept, counted)| Difference {
        plan_no: plan_no.clone(),
        figure: figure.to_owned(),
        kept,
        counted,
    })
}

fn read_kept_arms(conn: &mut Conn, plans: &[PlanRow]) -> Result<BTreeMap<i64, Vec<ArmRow>>, Error> {
    let paced: Vec<i64> = plans.iter().filter(|plan| plan.ai_delivery).map(|plan| plan.id.0).collect();
    let mut kept = BTreeMap::<i64, Vec<ArmRow>>::new();
    for row in store::delivery::arm::of_plans(conn, &paced)? {
        kept.entry(row.plan_id).or_default().push(row);
    }
    Ok(kept)
}

/// Compares the figures of each arm, and of its held-out part.
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
    let mismatch = kept.check(plan.status, counted).err();
    Ok(mismatch.map(|mismatch| Difference {
        plan_no: plan.plan_no.clone(),
        figure: mismatch.figure.into(),
        kept: mismatch.kept,
        counted: mismatch.counted,
    }))
}
