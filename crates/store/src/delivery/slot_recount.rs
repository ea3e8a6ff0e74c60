//! Compares the stored figures of plans' slots with their events, their days and their parts of bills.

use std::collections::{BTreeMap, BTreeSet};

use base::PlanId;
use diesel::prelude::*;

use crate::delivery::recount::{ArchivedCounts, Recount};
use crate::delivery::rollup::{EventRange, count};
use crate::delivery::slot_figures::SlotFigures;
use crate::plans::plan::PlanRow;
use crate::schema::{plan_slots, plan_sources, ssps, undivided_plans};
use crate::{Conn, Error};
use db::bulk::{Statement, ascending};
use db::{row, statement};

/// A stored figure of a plan's slot that differs from the counted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotDifference {
    pub plan: PlanId,
    /// Such as `slot 3 clicks`.
    pub figure: String,
    pub kept: i64,
    pub counted: i64,
}

/// By plan and slot.
type Figures<const N: usize> = BTreeMap<(PlanId, i64), [i64; N]>;

/// Compares the slots of plans. `recounts` has what was counted from all of their events.
pub fn differences(
    conn: &mut Conn,
    plans: &[PlanRow],
    recounts: &BTreeMap<PlanId, Recount>,
    archived: &ArchivedCounts,
) -> Result<Vec<SlotDifference>, Error> {
    let ids = ascending(plans.iter().map(|plan| plan.id));
    let kept = read_kept(conn, &ids)?;
    let delivered = count_delivered(conn, plans, recounts, archived)?;
    let parts = parts(conn, &ids)?;
    let days = days(conn, &ids)?;
    let mut found = Vec::new();
    let of_events = kept.iter().map(|(key, [views, clicks, viewable, filtered, cost, .., owed])| {
        (*key, [*views, *clicks, *viewable, *filtered, *cost, *owed])
    });
    let names = ["impressions", "clicks", "viewable", "filtered", "cost", "owed"];
    compare(&mut found, &of_events.collect(), &delivered.slots, names);
    let money = kept.iter().map(|(key, [.., billed, earned, carry, _])| (*key, [*billed, *earned, *carry])).collect();
    compare(&mut found, &money, &parts, ["billed", "earned", "earned carry"]);
    let by_day = kept.iter().map(|(key, [views, clicks, viewable, filtered, _, billed, earned, ..])| {
        let [by_picture, by_notice, confirmed] = delivered.views.get(key).copied().unwrap_or_default();
        (*key, [*views, *clicks, *viewable, *filtered, *billed, *earned, by_picture, by_notice, confirmed])
    });
    let names = [
        "impressions by day",
        "clicks by day",
        "viewable by day",
        "filtered by day",
        "billed by day",
        "earned by day",
        "reported by pictures",
        "reported by notices",
        "confirmed",
    ];
    compare(&mut found, &by_day.collect(), &days, names);
    found.extend(plans.iter().filter_map(|plan| unbilled(plan, &kept)));
    found.extend(find_paid_ahead(conn, &ids, &kept)?);
    found.extend(source_differences(conn, &ids, &delivered.sources)?);
    Ok(found)
}

/// The differences, slot by slot. A missing slot counts as zero.
fn compare<const N: usize>(found: &mut Vec<SlotDifference>, kept: &Figures<N>, counted: &Figures<N>, names: [&str; N]) {
    let keys: BTreeSet<_> = kept.keys().chain(counted.keys()).copied().collect();
    for (plan, slot) in keys {
        let of = |figures: &Figures<N>| figures.get(&(plan, slot)).copied().unwrap_or([0; N]);
        for ((kept, counted), name) in of(kept).into_iter().zip(of(counted)).zip(names) {
            if kept != counted {
                found.push(SlotDifference { plan, figure: format!("slot {slot} {name}"), kept, counted });
            }
        }
    }
}

/// The slots' costs must add up to what the plan's events cost, and their bills to the plan's bill, both since the plan
/// was divided among slots.
fn unbilled(plan: &PlanRow, kept: &Figures<9>) -> Option<SlotDifference> {
    let slots = kept.range((plan.id, i64::MIN)..=(plan.id, i64::MAX));
    let of_slots: i64 = slots.map(|(_, [_, _, _, _, cost_milli, billed, ..])| cost_milli - billed * 1_000).sum();
    let counted = plan.figures.rolled_milli - plan.figures.billed.minor() * 1_000;
    let figure = "not yet billed in slots".to_owned();
    (of_slots != counted).then_some(SlotDifference { plan: plan.id, figure, kept: of_slots, counted })
}

fn read_kept(conn: &mut Conn, plans: &[PlanId]) -> Result<Figures<9>, Error> {
    type Row = (PlanId, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64);
    if plans.is_empty() {
        return Ok(Figures::new());
    }
    let rows: Vec<Row> = plan_slots::table.filter(plan_slots::plan_id.eq_any(plans)).load(conn)?;
    let figures =
        rows.into_iter().map(|(plan, slot, views, clicks, filtered, cost, billed, earned, carry, viewable, owed)| {
            ((plan, slot), [views, clicks, viewable, filtered, cost, billed, earned, carry, owed])
        });
    Ok(figures.collect())
}

/// Finds exchanges that were paid more than they are owed, which must never happen.
fn find_paid_ahead(conn: &mut Conn, plans: &[PlanId], kept: &Figures<9>) -> Result<Vec<SlotDifference>, Error> {
    let slots: Vec<i64> = ssps::table.select(ssps::slot_id).load(conn)?;
    let ahead = |((plan, slot), [.., earned, _, owed]): (&(PlanId, i64), &[i64; 9])| {
        let figure = format!("slot {slot} earned beyond what is owed");
        let is_ahead = plans.contains(plan) && slots.contains(slot) && earned * 1_000 > *owed;
        is_ahead.then(|| SlotDifference { plan: *plan, figure, kept: *earned, counted: owed / 1_000 })
    };
    Ok(kept.iter().filter_map(ahead).collect())
}

/// By plan, slot, and site or app: impressions, clicks, viewable, and cost in
/// thousandths.
type Sources = BTreeMap<(PlanId, i64, String), [i64; 4]>;

fn source_differences(conn: &mut Conn, plans: &[PlanId], counted: &Sources) -> Result<Vec<SlotDifference>, Error> {
    type Row = (PlanId, i64, String, i64, i64, i64, i64);
    if plans.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<Row> = plan_sources::table.filter(plan_sources::plan_id.eq_any(plans)).load(conn)?;
    let kept: Sources = rows
        .into_iter()
        .map(|(plan, slot, source, views, clicks, viewable, cost)| {
            ((plan, slot, source), [views, clicks, viewable, cost])
        })
        .collect();
    let keys: BTreeSet<_> = kept.keys().chain(counted.keys()).collect();
    let mut found = Vec::new();
    for key @ (plan, slot, source) in keys {
        let of = |figures: &Sources| figures.get(key).copied().unwrap_or_default();
        for ((kept, counted), name) in
            of(&kept).into_iter().zip(of(counted)).zip(["impressions", "clicks", "viewable", "cost"])
        {
            if kept != counted {
                found.push(SlotDifference {
                    plan: *plan,
                    figure: format!("slot {slot} on {source} {name}"),
                    kept,
                    counted,
                });
            }
        }
    }
    Ok(found)
}

#[derive(Default)]
struct CountedSlots {
    /// Impressions, clicks, viewable, filtered, cost and owed, the last two in thousandths.
    slots: Figures<6>,
    /// Views in exchanges: those that the picture reported first, those that the notice reported first, and confirmed
    /// ones.
    views: Figures<3>,
    sources: Sources,
}

impl CountedSlots {
    fn take(&mut self, plan: PlanId, slots: &BTreeMap<i64, SlotFigures>) {
        for (slot, of) in slots {
            let [views, clicks, viewable, filtered] = of.totals();
            self.slots.insert((plan, *slot), [views, clicks, viewable, filtered, of.milli, of.owed_milli]);
            let views = of.views();
            self.views.insert((plan, *slot), [views.by_picture, views.by_notice, views.confirmed]);
            let sources = of.sources.iter().map(|(source, figures)| {
                ((plan, *slot, source.clone()), [figures.impressions, figures.clicks, figures.viewable, figures.milli])
            });
            self.sources.extend(sources);
        }
    }
}

/// Counts delivery from events. For plans from before slots had figures, only later events are divided; the part of a
/// minor unit that was carried over then is added.
fn count_delivered(
    conn: &mut Conn,
    plans: &[PlanRow],
    recounts: &BTreeMap<PlanId, Recount>,
    archived: &ArchivedCounts,
) -> Result<CountedSlots, Error> {
    if plans.is_empty() {
        return Ok(CountedSlots::default());
    }
    let ids: Vec<PlanId> = plans.iter().map(|plan| plan.id).collect();
    let older: Vec<(PlanId, i64, i64, i64)> =
        undivided_plans::table.filter(undivided_plans::plan_id.eq_any(ids)).load(conn)?;
    let older: BTreeMap<PlanId, (i64, i64, i64)> =
        older.into_iter().map(|(plan, up_to, slot, carried)| (plan, (up_to, slot, carried))).collect();
    let later: Vec<EventRange> = plans
        .iter()
        .filter_map(|plan| {
            let (up_to, ..) = older.get(&plan.id)?;
            Some(EventRange {
                plan: plan.id,
                above_event: *up_to,
                up_to_event: plan.figures.rolled_event_id,
                above_conversion: i64::MAX,
                up_to_conversion: i64::MAX,
                filed_from: 0,
            })
        })
        .collect();
    let later = if later.is_empty() { BTreeMap::new() } else { count(conn, &later, &archived.divided)? };
    let mut figures = CountedSlots::default();
    for (plan, recount) in recounts.iter().filter(|(plan, _)| !older.contains_key(plan)) {
        figures.take(*plan, &recount.slots);
    }
    for (plan, fresh) in &later {
        figures.take(*plan, &fresh.slots);
    }
    for (plan, (_, slot, carried)) in older.iter().filter(|(_, (.., carried))| *carried > 0) {
        let [.., cost, _] = figures.slots.entry((*plan, *slot)).or_default();
        *cost += carried;
    }
    Ok(figures)
}

row! {
    struct PartSums {
        plan_id: PlanId,
        slot_id: i64,
        billed: i64,
        earned: i64,
        carry: i64,
    }
}

statement!(
    PARTS,
    each: "SELECT plan_id, slot_id, CAST(SUM(billed) AS BIGINT) AS billed, CAST(SUM(earned) AS BIGINT) AS earned, \
         CAST(SUM(CASE WHEN share_parts > 0 THEN billed * share_parts - earned * 10000 ELSE 0 END) AS BIGINT) AS carry \
         FROM bill_parts WHERE plan_id = ANY(?) GROUP BY plan_id, slot_id",
);

/// The sums over all bills: the cost, what was booked, and the part of the share that was not booked, in
/// ten-thousandths. An exchange has no share.
fn parts(conn: &mut Conn, plans: &[PlanId]) -> Result<Figures<3>, Error> {
    let rows: Vec<PartSums> = PARTS.load(conn, &[plans.to_vec().into()])?;
    Ok(rows.into_iter().map(|row| ((row.plan_id, row.slot_id), [row.billed, row.earned, row.carry])).collect())
}

row! {
    struct DaySums {
        plan_id: PlanId,
        slot_id: i64,
        impressions: i64,
        clicks: i64,
        viewable: i64,
        filtered: i64,
        billed: i64,
        earned: i64,
        by_picture: i64,
        by_notice: i64,
        confirmed: i64,
    }
}

statement!(
    DAYS,
    each: "SELECT plan_id, slot_id, CAST(SUM(impressions) AS BIGINT) AS impressions, CAST(SUM(clicks) AS BIGINT) AS clicks, \
         CAST(SUM(viewable) AS BIGINT) AS viewable, CAST(SUM(filtered) AS BIGINT) AS filtered, CAST(SUM(billed) AS BIGINT) AS billed, CAST(SUM(earned) AS BIGINT) AS earned, \
         CAST(SUM(by_picture) AS BIGINT) AS by_picture, CAST(SUM(by_notice) AS BIGINT) AS by_notice, CAST(SUM(confirmed) AS BIGINT) AS confirmed \
         FROM (SELECT plan_id, slot_id, impressions, clicks, viewable, 0 AS filtered, billed, earned, by_picture, by_notice, confirmed \
         FROM slot_days UNION ALL SELECT plan_id, slot_id, 0, 0, 0, number, 0, 0, 0, 0, 0 FROM slot_day_filtered) d WHERE plan_id = ANY(?) GROUP BY plan_id, slot_id",
);

fn days(conn: &mut Conn, plans: &[PlanId]) -> Result<Figures<9>, Error> {
    let rows: Vec<DaySums> = DAYS.load(conn, &[plans.to_vec().into()])?;
    let figures = rows.into_iter().map(|row| {
        let figures = [
            row.impressions,
            row.clicks,
            row.viewable,
            row.filtered,
            row.billed,
            row.earned,
            row.by_picture,
            row.by_notice,
            row.confirmed,
        ];
        ((row.plan_id, row.slot_id), figures)
    });
    Ok(figures.collect())
}
