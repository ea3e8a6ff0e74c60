//! A plan's figures in each slot, and the same by day for the slot's publisher. The lock on the plan's row covers all of them.

use std::collections::BTreeMap;

use base::{Money, PlanId, PublisherId, SlotId};
use delivery::ViewsOfDay;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, SmallInt};
use supply::{Carry, Part, PublisherKind, Share};

use crate::{Conn, Error, Tx};
use db::bulk::{Statement, ascending};
use db::statement;

pub const DAY_MILLIS: i64 = 86_400_000;

/// What came in a slot on one day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayCounts {
    pub impressions: i64,
    pub clicks: i64,
    pub viewable: i64,
    /// Events that do not count, by the code of their reason.
    pub filtered: BTreeMap<i16, i64>,
    /// How views in an exchange were reported.
    pub views: ViewsOfDay,
}

impl DayCounts {
    fn all_filtered(&self) -> i64 {
        self.filtered.values().sum()
    }
}

/// What came on one site or in one app of an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceFigures {
    pub impressions: i64,
    pub clicks: i64,
    pub viewable: i64,
    pub milli: i64,
}

/// What came of a plan in one slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotFigures {
    /// What the events cost, in thousandths of a minor unit.
    pub milli: i64,
    /// What an exchange is owed for them, also in thousandths.
    pub owed_milli: i64,
    /// By the site or app, as an exchange names it.
    pub sources: BTreeMap<String, SourceFigures>,
    /// By days since the Unix epoch (UTC).
    pub days: BTreeMap<i64, DayCounts>,
}

impl SlotFigures {
    pub(super) fn sum(&self, f: fn(&DayCounts) -> i64) -> i64 {
        self.days.values().map(f).sum()
    }

    pub(super) fn views(&self) -> ViewsOfDay {
        self.days.values().fold(ViewsOfDay::default(), |all, day| all.plus(day.views))
    }

    pub(super) fn totals(&self) -> [i64; 4] {
        [
            self.sum(|day| day.impressions),
            self.sum(|day| day.clicks),
            self.sum(|day| day.viewable),
            self.sum(DayCounts::all_filtered),
        ]
    }
}

// Reading --------------------------------------------------------------------

#[derive(QueryableByName)]
struct CarryRow {
    #[diesel(sql_type = BigInt)]
    plan_id: i64,
    #[diesel(sql_type = BigInt)]
    slot_id: i64,
    #[diesel(sql_type = BigInt)]
    cost_milli: i64,
    #[diesel(sql_type = BigInt)]
    earned: i64,
    #[diesel(sql_type = BigInt)]
    kept: i64,
}

// What an exchange has earned and was not booked is not kept: it is the rest of what it is owed. Its notice may name a
// price after the view was billed, so what the platform has kept of its views is read in any case.
statement!(
    CARRIES,
    postgres: "SELECT plan_id, slot_id, cost_milli - billed * 1000 AS cost_milli, \
         earned_carry + GREATEST(owed_milli * 10 - earned * 10000, 0) AS earned, \
         billed - earned AS kept FROM plan_slots \
         WHERE plan_id = ANY(?) AND (cost_milli <> billed * 1000 OR earned_carry <> 0 OR owed_milli > earned * 1000 \
         OR (billed > earned AND EXISTS (SELECT 1 FROM ssps x WHERE x.slot_id = plan_slots.slot_id)))",
    sqlite: "SELECT plan_id, slot_id, cost_milli - billed * 1000 AS cost_milli, \
         earned_carry + MAX(owed_milli * 10 - earned * 10000, 0) AS earned, \
         billed - earned AS kept FROM plan_slots \
         WHERE plan_id = ? AND (cost_milli <> billed * 1000 OR earned_carry <> 0 OR owed_milli > earned * 1000 \
         OR (billed > earned AND EXISTS (SELECT 1 FROM ssps x WHERE x.slot_id = plan_slots.slot_id)))",
);

/// What a slot has from the bills before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    pub carry: Carry,
    /// What it was billed and has not earned.
    pub kept: Money,
}

/// By plan: what each slot carries to the next bill.
pub type Carries = BTreeMap<PlanId, BTreeMap<SlotId, Carried>>;

/// What is carried to these plans' next bills; slots that carry nothing are not there.
pub fn carries(conn: &mut Conn, plans: impl IntoIterator<Item = PlanId>) -> Result<Carries, Error> {
    let mut carries = Carries::new();
    for row in CARRIES.load::<CarryRow>(conn, &[ascending(plans).into()])? {
        let carry = Carry { cost_milli: row.cost_milli, earned: row.earned };
        let carried = Carried { carry, kept: Money::from_minor(row.kept) };
        carries.entry(PlanId(row.plan_id)).or_default().insert(SlotId(row.slot_id), carried);
    }
    Ok(carries)
}

#[derive(QueryableByName)]
struct OwnerRow {
    #[diesel(sql_type = BigInt)]
    slot_id: i64,
    #[diesel(sql_type = BigInt)]
    publisher_id: i64,
    #[diesel(sql_type = BigInt)]
    share_parts: i64,
    #[diesel(sql_type = SmallInt)]
    kind: i16,
}

statement!(
    OWNERS,
    each: "SELECT s.id AS slot_id, s.publisher_id, p.share_parts, p.kind FROM slots s JOIN publishers p ON p.id = s.publisher_id \
         WHERE s.id = ANY(?)",
);

/// Who owns a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    pub publisher: PublisherId,
    pub kind: PublisherKind,
    /// As agreed.
    pub share: Share,
}

pub type Owners = BTreeMap<SlotId, Owner>;

/// # Errors
/// [`Error::Corrupt`] for a share or a kind that there is not.
pub fn owners(conn: &mut Conn, slots: impl IntoIterator<Item = SlotId>) -> Result<Owners, Error> {
    let mut owners = Owners::new();
    for row in OWNERS.load::<OwnerRow>(conn, &[ascending(slots.into_iter().map(|slot| slot.0)).into()])? {
        let publisher = PublisherId(row.publisher_id);
        let share = Share::from_parts(row.share_parts)
            .ok_or_else(|| Error::Corrupt(format!("the share of publisher {publisher}")))?;
        let kind = PublisherKind::try_from(row.kind)?;
        owners.insert(SlotId(row.slot_id), Owner { publisher, kind, share });
    }
    Ok(owners)
}

// Writing --------------------------------------------------------------------

/// What changes of a plan in one slot.
#[derive(Clone, Copy, Debug)]
pub struct SlotChange<'a> {
    pub plan: PlanId,
    pub slot: SlotId,
    pub publisher: PublisherId,
    /// What is new, if anything is.
    pub fresh: Option<&'a SlotFigures>,
    /// Its part of the bill, if it has one.
    pub part: Option<Part>,
    /// What it carries from now on, in ten-thousandths of a minor unit.
    pub earned_carry: i64,
}

impl SlotChange<'_> {
    fn billed(&self) -> i64 {
        self.part.map_or(0, |part| part.cost.minor())
    }

    fn earned(&self) -> i64 {
        self.part.map_or(0, |part| part.earns.minor())
    }
}

statement!(
    ADD,
    postgres: "INSERT INTO plan_slots (plan_id, slot_id, impressions, clicks, viewable, filtered, cost_milli, billed, earned, \
         earned_carry, owed_milli) SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (plan_id, slot_id) DO UPDATE SET \
         impressions = plan_slots.impressions + excluded.impressions, clicks = plan_slots.clicks + excluded.clicks, \
         viewable = plan_slots.viewable + excluded.viewable, filtered = plan_slots.filtered + excluded.filtered, cost_milli = plan_slots.cost_milli + excluded.cost_milli, \
         billed = plan_slots.billed + excluded.billed, earned = plan_slots.earned + excluded.earned, \
         earned_carry = excluded.earned_carry, owed_milli = plan_slots.owed_milli + excluded.owed_milli",
    sqlite: "INSERT INTO plan_slots (plan_id, slot_id, impressions, clicks, viewable, filtered, cost_milli, billed, earned, \
         earned_carry, owed_milli) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (plan_id, slot_id) DO UPDATE SET \
         impressions = plan_slots.impressions + excluded.impressions, clicks = plan_slots.clicks + excluded.clicks, \
         viewable = plan_slots.viewable + excluded.viewable, filtered = plan_slots.filtered + excluded.filtered, cost_milli = plan_slots.cost_milli + excluded.cost_milli, \
         billed = plan_slots.billed + excluded.billed, earned = plan_slots.earned + excluded.earned, \
         earned_carry = excluded.earned_carry, owed_milli = plan_slots.owed_milli + excluded.owed_milli",
);
statement!(
    ADD_DAYS,
    postgres: "INSERT INTO slot_days (plan_id, slot_id, day, publisher_id, impressions, clicks, viewable, billed, earned, \
         by_picture, by_notice, confirmed) SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (plan_id, slot_id, day, publisher_id) DO UPDATE SET \
         impressions = slot_days.impressions + excluded.impressions, clicks = slot_days.clicks + excluded.clicks, \
         viewable = slot_days.viewable + excluded.viewable, billed = slot_days.billed + excluded.billed, earned = slot_days.earned + excluded.earned, \
         by_picture = slot_days.by_picture + excluded.by_picture, by_notice = slot_days.by_notice + excluded.by_notice, \
         confirmed = slot_days.confirmed + excluded.confirmed",
    sqlite: "INSERT INTO slot_days (plan_id, slot_id, day, publisher_id, impressions, clicks, viewable, billed, earned, \
         by_picture, by_notice, confirmed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (plan_id, slot_id, day, publisher_id) DO UPDATE SET \
         impressions = slot_days.impressions + excluded.impressions, clicks = slot_days.clicks + excluded.clicks, \
         viewable = slot_days.viewable + excluded.viewable, billed = slot_days.billed + excluded.billed, earned = slot_days.earned + excluded.earned, \
         by_picture = slot_days.by_picture + excluded.by_picture, by_notice = slot_days.by_notice + excluded.by_notice, \
         confirmed = slot_days.confirmed + excluded.confirmed",
);
statement!(
    ADD_FILTERED,
    postgres: "INSERT INTO slot_day_filtered (plan_id, slot_id, day, publisher_id, reason, number) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?) ON CONFLICT (plan_id, slot_id, day, publisher_id, reason) DO UPDATE SET \
         number = slot_day_filtered.number + excluded.number",
    sqlite: "INSERT INTO slot_day_filtered (plan_id, slot_id, day, publisher_id, reason, number) \
         VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (plan_id, slot_id, day, publisher_id, reason) DO UPDATE SET \
         number = slot_day_filtered.number + excluded.number",
);

/// Adds to plans' figures in their slots, and to the days of these. Each plan and slot
/// is there once.
pub fn add(tx: &mut Tx<'_>, changes: &[SlotChange<'_>]) -> Result<(), Error> {
    let column = |f: &dyn Fn(&SlotChange<'_>) -> i64| changes.iter().map(f).collect::<Vec<i64>>();
    let fresh = |f: fn(&SlotFigures) -> i64| column(&|of| of.fresh.map_or(0, f));
    ADD.execute(
        tx,
        &[
            column(&|of| of.plan.0).into(),
            column(&|of| of.slot.0).into(),
            fresh(|of| of.sum(|day| day.impressions)).into(),
            fresh(|of| of.sum(|day| day.clicks)).into(),
            fresh(|of| of.sum(|day| day.viewable)).into(),
            fresh(|of| of.sum(DayCounts::all_filtered)).into(),
            fresh(|of| of.milli).into(),
            column(&|of| of.billed()).into(),
            column(&|of| of.earned()).into(),
            column(&|of| of.earned_carry).into(),
            fresh(|of| of.owed_milli).into(),
        ],
    )?;
    let today = tx.now().millis().div_euclid(DAY_MILLIS);
    add_days(tx, changes, today)?;
    add_filtered(tx, changes)?;
    add_sources(tx, changes)
}

/// Views and clicks go to the day on which they came, and the bill to today.
fn add_days(tx: &mut Tx<'_>, changes: &[SlotChange<'_>], today: i64) -> Result<(), Error> {
    let mut days = BTreeMap::<(i64, i64, i64, i64), ([i64; 5], ViewsOfDay)>::new();
    for of in changes {
        let key = |day: i64| (of.plan.0, of.slot.0, day, of.publisher.0);
        for (day, counts) in of.fresh.iter().flat_map(|fresh| &fresh.days) {
            if counts.impressions + counts.clicks + counts.viewable + counts.views.confirmed > 0 {
                let ([impressions, clicks, viewable, ..], views) = days.entry(key(*day)).or_default();
                *views = views.plus(counts.views);
                *impressions += counts.impressions;
                *clicks += counts.clicks;
                *viewable += counts.viewable;
            }
        }
        if of.billed() > 0 || of.earned() > 0 {
            let ([.., billed, earned], _) = days.entry(key(today)).or_default();
            *billed += of.billed();
            *earned += of.earned();
        }
    }
    let key = |f: fn(&(i64, i64, i64, i64)) -> i64| days.keys().map(f).collect::<Vec<i64>>();
    let value = |f: fn(&[i64; 5]) -> i64| days.values().map(|(figures, _)| f(figures)).collect::<Vec<i64>>();
    let views = |f: fn(&ViewsOfDay) -> i64| days.values().map(|(_, views)| f(views)).collect::<Vec<i64>>();
    ADD_DAYS.execute(
        tx,
        &[
            key(|(plan, ..)| *plan).into(),
            key(|(_, slot, ..)| *slot).into(),
            key(|(_, _, day, _)| *day).into(),
            key(|(.., publisher)| *publisher).into(),
            value(|[impressions, ..]| *impressions).into(),
            value(|[_, clicks, ..]| *clicks).into(),
            value(|[_, _, viewable, ..]| *viewable).into(),
            value(|[_, _, _, billed, _]| *billed).into(),
            value(|[.., earned]| *earned).into(),
            views(|of| of.by_picture).into(),
            views(|of| of.by_notice).into(),
            views(|of| of.confirmed).into(),
        ],
    )?;
    Ok(())
}

fn add_filtered(tx: &mut Tx<'_>, changes: &[SlotChange<'_>]) -> Result<(), Error> {
    let mut rows = Vec::new();
    for of in changes {
        for (day, counts) in of.fresh.iter().flat_map(|fresh| &fresh.days) {
            rows.extend(counts.filtered.iter().map(|(reason, number)| (of, *day, *reason, *number)));
        }
    }
    let column = |f: fn(&(&SlotChange<'_>, i64, i16, i64)) -> i64| rows.iter().map(f).collect::<Vec<i64>>();
    ADD_FILTERED.execute(
        tx,
        &[
            column(|(of, ..)| of.plan.0).into(),
            column(|(of, ..)| of.slot.0).into(),
            column(|(_, day, ..)| *day).into(),
            column(|(of, ..)| of.publisher.0).into(),
            rows.iter().map(|(.., reason, _)| *reason).collect::<Vec<i16>>().into(),
            column(|(.., number)| *number).into(),
        ],
    )?;
    Ok(())
}

statement!(
    ADD_SOURCES,
    postgres: "INSERT INTO plan_sources (plan_id, slot_id, source, impressions, clicks, viewable, cost_milli) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?) ON CONFLICT (plan_id, slot_id, source) DO UPDATE SET \
         impressions = plan_sources.impressions + excluded.impressions, \
         clicks = plan_sources.clicks + excluded.clicks, viewable = plan_sources.viewable + excluded.viewable, \
         cost_milli = plan_sources.cost_milli + excluded.cost_milli",
    sqlite: "INSERT INTO plan_sources (plan_id, slot_id, source, impressions, clicks, viewable, cost_milli) \
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (plan_id, slot_id, source) DO UPDATE SET \
         impressions = plan_sources.impressions + excluded.impressions, \
         clicks = plan_sources.clicks + excluded.clicks, viewable = plan_sources.viewable + excluded.viewable, \
         cost_milli = plan_sources.cost_milli + excluded.cost_milli",
);

fn add_sources(tx: &mut Tx<'_>, changes: &[SlotChange<'_>]) -> Result<(), Error> {
    let with_sources = changes.iter().filter_map(|of| Some((of, of.fresh?)));
    let rows: Vec<_> = with_sources
        .flat_map(|(of, fresh)| fresh.sources.iter().map(move |(source, figures)| (of, source, figures)))
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    let column = |f: fn(&SourceFigures) -> i64| rows.iter().map(|(.., figures)| f(figures)).collect::<Vec<i64>>();
    ADD_SOURCES.execute(
        tx,
        &[
            rows.iter().map(|(of, ..)| of.plan.0).collect::<Vec<_>>().into(),
            rows.iter().map(|(of, ..)| of.slot.0).collect::<Vec<_>>().into(),
            rows.iter().map(|(_, source, _)| (*source).clone()).collect::<Vec<String>>().into(),
            column(|figures| figures.impressions).into(),
            column(|figures| figures.clicks).into(),
            column(|figures| figures.viewable).into(),
            column(|figures| figures.milli).into(),
        ],
    )?;
    Ok(())
}
