//! A plan's figures in each slot, and the same figures by day for the slot's publisher. The lock on the plan's row
//! covers all of them.

use std::collections::BTreeMap;

use base::{Money, PlanId, PublisherId, SlotId};
use delivery::ViewsOfDay;
use supply::{Carry, Part, PublisherKind, Share};

use crate::{Conn, Error, Tx};
use db::bulk::{Statement, ascending};
use db::{insert, row, statement};

pub const DAY_MILLIS: i64 = 86_400_000;

/// The counts of a slot on one day.
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

/// The figures of one site or app of an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceFigures {
    pub impressions: i64,
    pub clicks: i64,
    pub viewable: i64,
    pub milli: i64,
}

/// A plan's figures in one slot.
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

row! {
    struct CarryRow {
        plan_id: PlanId,
        slot_id: SlotId,
        cost_milli: i64,
        earned: i64,
        kept: Money,
    }
}

// What an exchange has earned but was not booked for is not stored, because it follows from what it is owed. Its notice
// may name a price after the view was billed, so what the platform has kept of its views is always read.
statement!(
    CARRIES,
    each: "SELECT plan_id, slot_id, cost_milli - billed * 1000 AS cost_milli, earned_carry + \
         CASE WHEN owed_milli > earned * 1000 THEN owed_milli * 10 - earned * 10000 ELSE 0 END AS earned, \
         billed - earned AS kept FROM plan_slots \
         WHERE plan_id = ANY(?) AND (cost_milli <> billed * 1000 OR earned_carry <> 0 OR owed_milli > earned * 1000 \
         OR (billed > earned AND EXISTS (SELECT 1 FROM ssps x WHERE x.slot_id = plan_slots.slot_id)))",
);

/// What a slot carries over from earlier bills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    pub carry: Carry,
    /// The part of its bills that it has not earned.
    pub kept: Money,
}

/// By plan: what each slot carries over to the next bill.
pub type Carries = BTreeMap<PlanId, BTreeMap<SlotId, Carried>>;

/// What these plans' slots carry over to their next bills; slots that carry over nothing are left out.
pub fn carries(conn: &mut Conn, plans: impl IntoIterator<Item = PlanId>) -> Result<Carries, Error> {
    let mut carries = Carries::new();
    for row in CARRIES.load::<CarryRow>(conn, &[ascending(plans).into()])? {
        let carry = Carry { cost_milli: row.cost_milli, earned: row.earned };
        let carried = Carried { carry, kept: row.kept };
        carries.entry(row.plan_id).or_default().insert(row.slot_id, carried);
    }
    Ok(carries)
}

row! {
    struct OwnerRow {
        slot_id: SlotId,
        publisher_id: PublisherId,
        share_parts: i64,
        kind: PublisherKind,
    }
}

statement!(
    OWNERS,
    each: "SELECT s.id AS slot_id, s.publisher_id, p.share_parts, p.kind FROM slots s JOIN publishers p ON p.id = s.publisher_id \
         WHERE s.id = ANY(?)",
);

/// The owner of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    pub publisher: PublisherId,
    pub kind: PublisherKind,
    /// The agreed share.
    pub share: Share,
}

pub type Owners = BTreeMap<SlotId, Owner>;

/// # Errors
/// [`Error::Corrupt`] if a share or a kind is invalid.
pub fn owners(conn: &mut Conn, slots: impl IntoIterator<Item = SlotId>) -> Result<Owners, Error> {
    let mut owners = Owners::new();
    for row in OWNERS.load::<OwnerRow>(conn, &[ascending(slots.into_iter().map(|slot| slot.0)).into()])? {
        let publisher = row.publisher_id;
        let share = Share::from_parts(row.share_parts)
            .ok_or_else(|| Error::Corrupt(format!("the share of publisher {publisher}")))?;
        let kind = row.kind;
        owners.insert(row.slot_id, Owner { publisher, kind, share });
    }
    Ok(owners)
}

// Writing --------------------------------------------------------------------

/// The changes of a plan's figures in one slot.
#[derive(Clone, Copy, Debug)]
pub struct SlotChange<'a> {
    pub plan: PlanId,
    pub slot: SlotId,
    pub publisher: PublisherId,
    /// The new figures, if there are any.
    pub fresh: Option<&'a SlotFigures>,
    /// Its part of the bill, if it has one.
    pub part: Option<Part>,
    /// The earnings that it carries over from now on, in ten-thousandths of a minor unit.
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

insert! {
    struct MoreInSlot, ADD into "plan_slots" {
        plan_id: PlanId,
        slot_id: SlotId,
        impressions += i64,
        clicks += i64,
        viewable += i64,
        filtered += i64,
        cost_milli += i64,
        billed += i64,
        earned += i64,
        earned_carry = i64,
        owed_milli += i64,
    } then "ON CONFLICT (plan_id, slot_id)"
}
insert! {
    struct MoreInDay, ADD_DAYS into "slot_days" {
        plan_id: PlanId,
        slot_id: SlotId,
        day: i64,
        publisher_id: PublisherId,
        impressions += i64,
        clicks += i64,
        viewable += i64,
        billed += i64,
        earned += i64,
        by_picture += i64,
        by_notice += i64,
        confirmed += i64,
    } then "ON CONFLICT (plan_id, slot_id, day, publisher_id)"
}
insert! {
    struct MoreFiltered, ADD_FILTERED into "slot_day_filtered" {
        plan_id: PlanId,
        slot_id: SlotId,
        day: i64,
        publisher_id: PublisherId,
        reason: i16,
        number += i64,
    } then "ON CONFLICT (plan_id, slot_id, day, publisher_id, reason)"
}

/// Adds to plans' figures in their slots, and to the days of the slots. Each pair of plan and slot occurs once.
pub fn add(tx: &mut Tx<'_>, changes: &[SlotChange<'_>]) -> Result<(), Error> {
    let rows: Vec<MoreInSlot> = changes.iter().map(MoreInSlot::of).collect();
    ADD.execute(tx, &MoreInSlot::columns(&rows))?;
    let today = tx.now().millis().div_euclid(DAY_MILLIS);
    add_days(tx, changes, today)?;
    add_filtered(tx, changes)?;
    add_sources(tx, changes)
}

impl MoreInSlot {
    fn of(change: &SlotChange<'_>) -> Self {
        let fresh = |f: fn(&SlotFigures) -> i64| change.fresh.map_or(0, f);
        Self {
            plan_id: change.plan,
            slot_id: change.slot,
            impressions: fresh(|of| of.sum(|day| day.impressions)),
            clicks: fresh(|of| of.sum(|day| day.clicks)),
            viewable: fresh(|of| of.sum(|day| day.viewable)),
            filtered: fresh(|of| of.sum(DayCounts::all_filtered)),
            cost_milli: fresh(|of| of.milli),
            billed: change.billed(),
            earned: change.earned(),
            earned_carry: change.earned_carry,
            owed_milli: fresh(|of| of.owed_milli),
        }
    }
}

/// Adds views and clicks to the day on which they arrived, and the bill to today.
fn add_days(tx: &mut Tx<'_>, changes: &[SlotChange<'_>], today: i64) -> Result<(), Error> {
    let mut days = BTreeMap::<(PlanId, SlotId, i64, PublisherId), MoreInDay>::new();
    for of in changes {
        let mut in_day = |day: i64, change: &dyn Fn(&mut MoreInDay)| {
            let key = (of.plan, of.slot, day, of.publisher);
            change(days.entry(key).or_insert_with(|| MoreInDay::none(key)));
        };
        for (day, counts) in of.fresh.iter().flat_map(|fresh| &fresh.days) {
            if counts.impressions + counts.clicks + counts.viewable + counts.views.confirmed > 0 {
                in_day(*day, &|more| more.count(counts));
            }
        }
        if of.billed() > 0 || of.earned() > 0 {
            in_day(today, &|more| {
                more.billed += of.billed();
                more.earned += of.earned();
            });
        }
    }
    ADD_DAYS.execute(tx, &MoreInDay::columns(&days.into_values().collect::<Vec<_>>()))?;
    Ok(())
}

impl MoreInDay {
    const fn none((plan_id, slot_id, day, publisher_id): (PlanId, SlotId, i64, PublisherId)) -> Self {
        let (impressions, clicks, viewable, billed, earned) = (0, 0, 0, 0, 0);
        let (by_picture, by_notice, confirmed) = (0, 0, 0);
        Self {
            plan_id,
            slot_id,
            day,
            publisher_id,
            impressions,
            clicks,
            viewable,
            billed,
            earned,
            by_picture,
            by_notice,
            confirmed,
        }
    }

    const fn count(&mut self, counts: &DayCounts) {
        self.impressions += counts.impressions;
        self.clicks += counts.clicks;
        self.viewable += counts.viewable;
        self.by_picture += counts.views.by_picture;
        self.by_notice += counts.views.by_notice;
        self.confirmed += counts.views.confirmed;
    }
}

fn add_filtered(tx: &mut Tx<'_>, changes: &[SlotChange<'_>]) -> Result<(), Error> {
    let mut rows = Vec::new();
    for of in changes {
        let (plan_id, slot_id, publisher_id) = (of.plan, of.slot, of.publisher);
        for (day, counts) in of.fresh.iter().flat_map(|fresh| &fresh.days) {
            let day = *day;
            let filtered = counts.filtered.iter().map(|(reason, number)| (*reason, *number));
            rows.extend(filtered.map(|(reason, number)| MoreFiltered {
                plan_id,
                slot_id,
                day,
                publisher_id,
                reason,
                number,
            }));
        }
    }
    ADD_FILTERED.execute(tx, &MoreFiltered::columns(&rows))?;
    Ok(())
}

insert! {
    struct MoreOfSource<'a>, ADD_SOURCES into "plan_sources" {
        plan_id: PlanId,
        slot_id: SlotId,
        source: &'a str,
        impressions += i64,
        clicks += i64,
        viewable += i64,
        cost_milli += i64,
    } then "ON CONFLICT (plan_id, slot_id, source)"
}

fn add_sources(tx: &mut Tx<'_>, changes: &[SlotChange<'_>]) -> Result<(), Error> {
    let mut rows = Vec::new();
    for of in changes {
        let sources = of.fresh.iter().flat_map(|fresh| &fresh.sources);
        rows.extend(sources.map(|(source, figures)| MoreOfSource {
            plan_id: of.plan,
            slot_id: of.slot,
            source,
            impressions: figures.impressions,
            clicks: figures.clicks,
            viewable: figures.viewable,
            cost_milli: figures.milli,
        }));
    }
    ADD_SOURCES.execute(tx, &MoreOfSource::columns(&rows))?;
    Ok(())
}
