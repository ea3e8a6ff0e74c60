//! Rolls events and conversions up into plans' totals, their quarter hours and their
//! users' totals, for many plans at once.

mod advance;
pub mod parts;
mod reckon;

use std::collections::BTreeMap;

use base::{Money, PlanId, SlotId, coded};
use delivery::{Device, EventKind, ViewsOfDay};
use diesel::prelude::*;
use plans::PartCounts;

use crate::delivery::arm::{ArmCounts, ByCode};
use crate::delivery::conversion::Origin;
use crate::delivery::slot_figures::{DAY_MILLIS, SlotFigures, SourceFigures};
use crate::plans::plan::PlanRow;
use crate::{Conn, Error, Tx};
use db::bulk::{Column, Statement};
use db::{row, statement};

use parts::Place;

pub use advance::{Refunded, RolledUpPlan, advance, refund, uncount};

/// A quarter of an hour in milliseconds: in every time zone, days and hours consist of
/// whole ones.
pub const QUARTER_MILLIS: i64 = 900_000;
/// How far before the last roll-up events are looked for. A click is filed under the time when its creative was issued,
/// which may be more than an hour before it arrives, and the clock may have been a day fast in between. An event that is
/// missed here would never be counted.
const FILED_BEFORE_MILLIS: i64 = 26 * 3_600_000;

/// What is new on a plan since its last roll-up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnrolledFigures {
    /// Oldest first.
    pub quarters: Vec<Quarter>,
    /// By arm, for a plan with AI delivery.
    pub arms: ByCode,
    /// By the number of their slots.
    pub slots: BTreeMap<i64, SlotFigures>,
    /// By where it was delivered; a place may occur several times.
    pub(super) places: Vec<(Place, PartCounts)>,
    pub milli: i64,
    pub last_event: i64,
    pub last_conversion: i64,
}

/// What is added to one quarter hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quarter {
    /// Quarter hours since the Unix epoch.
    pub number: i64,
    pub impressions: i64,
    pub clicks: i64,
    /// Views that were in view for long enough; kept in the plan's totals only.
    pub viewable: i64,
    pub filtered: i64,
    pub conversions: i64,
    /// What was billed in it.
    pub billed: i64,
    /// The part of it that coupons and promotional credit paid.
    pub platform_billed: i64,
    pub revenue: i64,
    /// What its events cost, in thousandths of a minor unit.
    pub used_milli: i64,
    /// The whole minor units of it (`plans::Earned`).
    pub used: i64,
    pub platform_used: i64,
    pub fee: i64,
    /// The number of accepted conversions that were reversed, and of events that were refunded.
    pub corrected: i64,
}

impl Quarter {
    /// Whether it changes a profit.
    pub(super) const fn changes_profit(&self) -> bool {
        let counted = self.revenue != 0 || self.used_milli != 0 || self.corrected != 0;
        counted || self.used != 0 || self.platform_used != 0 || self.fee != 0
    }
}

impl UnrolledFigures {
    /// Changes the quarter hour with this number; adds it if it is missing.
    fn in_quarter(&mut self, number: i64, change: impl FnOnce(&mut Quarter)) {
        let place = self.quarters.partition_point(|q| q.number < number);
        match self.quarters.get_mut(place) {
            Some(quarter) if quarter.number == number => change(quarter),
            _ => {
                let mut quarter = Quarter { number, ..Quarter::default() };
                change(&mut quarter);
                self.quarters.insert(place, quarter);
            }
        }
    }

    /// Adds a group to its slot. Visits by shared links have no slot.
    fn in_slot(&mut self, group: &EventGroup) {
        let Some(slot) = group.slot_id else { return };
        let figures = self.slots.entry(slot).or_default();
        figures.milli += group.milli;
        // A claim is owed only once the picture is loaded.
        figures.owed_milli += if group.kind == EventKind::Claim { 0 } else { group.owed };
        if let Some(source) = group.source.as_ref().filter(|_| group.valid) {
            let mut in_source = |count: fn(&mut SourceFigures) -> &mut i64| {
                let of_source = figures.sources.entry(source.clone()).or_default();
                of_source.milli += group.milli;
                *count(of_source) += group.number;
            };
            match group.kind {
                EventKind::Impression => in_source(|of| &mut of.impressions),
                EventKind::Viewable => in_source(|of| &mut of.viewable),
                EventKind::Click => in_source(|of| &mut of.clicks),
                // These are only further reports on a view.
                EventKind::Notice | EventKind::Confirmation | EventKind::Claim => {}
            }
        }
        let day = figures.days.entry((group.quarter * QUARTER_MILLIS).div_euclid(DAY_MILLIS)).or_default();
        match (group.valid, group.kind) {
            (true, EventKind::Viewable) => day.viewable += group.number,
            // The view that it belongs to is filtered or counted itself.
            (false, EventKind::Viewable) => {}
            (false, _) => *day.filtered.entry(group.reason).or_default() += group.number,
            (true, EventKind::Impression) => day.impressions += group.number,
            (true, EventKind::Click) => day.clicks += group.number,
            (true, EventKind::Confirmation) => day.views.confirmed += group.number,
            // These are only further reports on a view.
            (true, EventKind::Notice | EventKind::Claim) => {}
        }
        match group.first_report {
            Some(FirstReport::Picture) => day.views.by_picture += group.number,
            Some(FirstReport::Notice) => day.views.by_notice += group.number,
            None => {}
        }
    }

    fn in_arm(&mut self, code: Option<i16>, more: ArmCounts) {
        if let Some(code) = code {
            let counted = self.arms.entry(code).or_default();
            *counted = counted.plus(more);
        }
    }

    pub fn sum(&self, f: fn(&Quarter) -> i64) -> i64 {
        self.quarters.iter().map(f).sum()
    }
}

// Counting -------------------------------------------------------------------

coded!(
    /// Which report of a view in an exchange came first.
    FirstReport {
        Picture = 1 "picture",
        Notice = 2 "notice",
    }
);

/// The first version of the filter whose events say which report came first.
const SAYS_WHICH: i16 = 4;

impl FirstReport {
    /// The first report of a stored event. Only a notice says what the exchange is owed.
    pub fn of(
        kind: EventKind,
        counted: bool,
        in_exchange: bool,
        filter_version: i16,
        owed_milli: Option<i64>,
    ) -> Option<Self> {
        let says = kind == EventKind::Impression && counted && in_exchange && filter_version >= SAYS_WHICH;
        says.then_some(if owed_milli.is_some() { Self::Notice } else { Self::Picture })
    }
}

row! {
    /// A group of events that are counted in the same way.
    #[derive(Clone, Debug)]
    pub struct EventGroup {
        pub plan_id: PlanId,
        /// The quarter hour in which they arrived.
        pub quarter: i64,
        pub kind: EventKind,
        pub valid: bool,
        pub arm: Option<i16>,
        pub slot_id: Option<i64>,
        pub reason: i16,
        pub source: Option<String>,
        pub device: Option<Device>,
        pub first_report: Option<FirstReport>,
        /// What exchanges are owed for them, in thousandths of a minor unit.
        pub owed: i64,
        pub number: i64,
        pub milli: i64,
        /// The id of the last one.
        pub last: i64,
    }
}

statement!(
    EVENTS,
    each: &format!(
        "SELECT e.plan_id, CAST(e.at / 900000 AS BIGINT) AS quarter, e.kind, e.valid, e.arm, e.slot_id, e.reason, e.source, e.device, \
         CAST(CASE WHEN e.kind <> {view} OR NOT e.valid OR e.source IS NULL OR e.filter_version < 4 THEN NULL \
         WHEN e.cleared_milli IS NULL THEN {picture} ELSE {notice} END AS SMALLINT) AS first_report, COUNT(*) AS number, \
         CAST(COALESCE(SUM(e.price_milli), 0) AS BIGINT) AS milli, \
         CAST(COALESCE(SUM(e.cleared_milli), 0) AS BIGINT) AS owed, MAX(e.id) AS last \
         FROM unnest(?, ?, ?, ?) AS n(id, above, up_to, filed) JOIN events e ON e.plan_id = n.id AND e.id > n.above \
         AND e.id <= n.up_to AND e.filed_at >= n.filed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10",
        view = EventKind::Impression.code(),
        picture = FirstReport::Picture.code(),
        notice = FirstReport::Notice.code(),
    ),
);

row! {
    struct Converted {
        plan_id: PlanId,
        quarter: i64,
        number: i64,
        revenue: i64,
        corrected: i64,
        last: i64,
        arm: Option<i16>,
        slot_id: Option<SlotId>,
        source: Option<String>,
        device: Option<Device>,
    }
}

statement!(
    CONVERSIONS,
    each: "SELECT c.plan_id, CAST(c.received_at / 900000 AS BIGINT) AS quarter, \
         SUM(CASE WHEN c.accepted AND c.reversed_at IS NULL THEN 1 ELSE 0 END) AS number, \
         CAST(SUM(CASE WHEN c.accepted AND c.reversed_at IS NULL THEN c.payout ELSE 0 END) AS BIGINT) AS revenue, \
         SUM(CASE WHEN c.accepted AND c.reversed_at IS NOT NULL THEN 1 ELSE 0 END) AS corrected, \
         MAX(c.id) AS last, c.arm, c.slot_id, c.source, c.device FROM unnest(?, ?, ?) AS n(id, above, up_to) \
         JOIN conversions c ON c.plan_id = n.id AND c.id > n.above AND c.id <= n.up_to \
         GROUP BY 1, 2, c.arm, c.slot_id, c.source, c.device",
);

/// A range of a plan's events and conversions to count.
pub(super) struct EventRange {
    pub plan: PlanId,
    pub above_event: i64,
    pub up_to_event: i64,
    pub above_conversion: i64,
    pub up_to_conversion: i64,
    pub filed_from: i64,
}

/// Counts what is new on each plan. The plans and their users' wallets are locked, so nothing can be inserted below the
/// highest id that is counted.
pub fn fresh(tx: &mut Tx<'_>, plans: &[PlanRow]) -> Result<BTreeMap<PlanId, UnrolledFigures>, Error> {
    let now = tx.now();
    let stretches: Vec<EventRange> = plans
        .iter()
        .map(|plan| EventRange {
            plan: plan.id,
            above_event: plan.figures.rolled_event_id,
            up_to_event: i64::MAX,
            above_conversion: plan.figures.rolled_conversion_id,
            up_to_conversion: i64::MAX,
            // The clock of the last roll-up may have been days fast.
            filed_from: plan.figures.rolled_at.min(now).millis() - FILED_BEFORE_MILLIS,
        })
        .collect();
    let mut counted = count(tx, &stretches, &[])?;
    for plan in plans {
        let fresh = counted.entry(plan.id).or_default();
        fresh.last_event = fresh.last_event.max(plan.figures.rolled_event_id);
        fresh.last_conversion = fresh.last_conversion.max(plan.figures.rolled_conversion_id);
    }
    Ok(counted)
}

row! {
    struct FreshViews {
        slot_id: i64,
        day: i64,
        by_picture: i64,
        by_notice: i64,
        confirmed: i64,
    }
}

/// The views in exchanges that are not rolled up yet, by slot and day.
pub fn fresh_views(conn: &mut Conn) -> Result<Vec<(i64, i64, ViewsOfDay)>, Error> {
    let rows: Vec<FreshViews> = diesel::sql_query(format!(
        "SELECT e.slot_id, CAST(e.at / 86400000 AS BIGINT) AS day, \
         CAST(SUM(CASE WHEN e.kind = {view} AND e.cleared_milli IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS by_picture, \
         CAST(SUM(CASE WHEN e.kind = {view} AND e.cleared_milli IS NOT NULL THEN 1 ELSE 0 END) AS BIGINT) AS by_notice, \
         CAST(SUM(CASE WHEN e.kind = {confirmation} THEN 1 ELSE 0 END) AS BIGINT) AS confirmed \
         FROM unrolled_plans u JOIN plans p ON p.id = u.plan_id JOIN events e ON e.plan_id = p.id \
         AND e.id > p.rolled_event_id JOIN ssps s ON s.slot_id = e.slot_id \
         WHERE e.valid AND e.kind IN ({view}, {confirmation}) AND e.filter_version >= 4 AND e.source IS NOT NULL GROUP BY 1, 2",
        view = EventKind::Impression.code(),
        confirmation = EventKind::Confirmation.code()
    ))
    .load(conn)?;
    let views = |row: FreshViews| {
        let FreshViews { slot_id, day, by_picture, by_notice, confirmed } = row;
        (slot_id, day, ViewsOfDay { by_picture, by_notice, confirmed })
    };
    Ok(rows.into_iter().map(views).collect())
}

/// Counts ranges. `archived` are the groups of those events that are in files.
pub(super) fn count(
    conn: &mut Conn,
    of: &[EventRange],
    archived: &[EventGroup],
) -> Result<BTreeMap<PlanId, UnrolledFigures>, Error> {
    let column = |f: fn(&EventRange) -> i64| of.iter().map(f).collect::<Column>();
    let mut counted = BTreeMap::<PlanId, UnrolledFigures>::new();
    let events = [
        of.iter().map(|s| s.plan).collect(),
        column(|s| s.above_event),
        column(|s| s.up_to_event),
        column(|s| s.filed_from),
    ];
    let loaded: Vec<EventGroup> = EVENTS.load(conn, &events)?;
    for group in loaded.iter().chain(archived) {
        let fresh = counted.entry(group.plan_id).or_default();
        fresh.milli += group.milli;
        fresh.last_event = fresh.last_event.max(group.last);
        fresh.in_quarter(group.quarter, |quarter| {
            quarter.used_milli += group.milli;
            match (group.valid, group.kind) {
                (true, EventKind::Viewable) => quarter.viewable += group.number,
                (false, EventKind::Viewable) => {}
                (false, _) => quarter.filtered += group.number,
                (true, EventKind::Impression) => quarter.impressions += group.number,
                (true, EventKind::Click) => quarter.clicks += group.number,
                (true, EventKind::Notice | EventKind::Confirmation | EventKind::Claim) => {}
            }
        });
        fresh.in_slot(group);
        fresh.places.extend(parts::delivered(group));
        let more = match (group.valid, group.kind) {
            (true, EventKind::Impression) => ArmCounts { impressions: group.number, ..ArmCounts::default() },
            (true, EventKind::Click) => ArmCounts { clicks: group.number, ..ArmCounts::default() },
            _ => continue,
        };
        fresh.in_arm(group.arm, more);
    }
    let conversions =
        [of.iter().map(|s| s.plan).collect(), column(|s| s.above_conversion), column(|s| s.up_to_conversion)];
    for group in CONVERSIONS.load::<Converted>(conn, &conversions)? {
        let fresh = counted.entry(group.plan_id).or_default();
        fresh.last_conversion = fresh.last_conversion.max(group.last);
        fresh.in_quarter(group.quarter, |quarter| {
            quarter.conversions += group.number;
            quarter.revenue += group.revenue;
            quarter.corrected += group.corrected;
        });
        fresh.in_arm(group.arm, ArmCounts { conversions: group.number, ..ArmCounts::default() });
        let origin = Origin { slot: group.slot_id, source: group.source, device: group.device };
        let place = Place { quarter: group.quarter, arm: group.arm, origin };
        fresh.places.push((place, parts::converted(group.number, Money::from_minor(group.revenue))));
    }
    Ok(counted)
}

// Writing --------------------------------------------------------------------
