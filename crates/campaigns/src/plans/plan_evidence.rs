//! Where a plan's figures come from: counted and refused events with reasons, the
//! parts of its budget, and the events and conversions themselves.

use ::plans::MILLI;
use std::collections::BTreeSet;

use base::{Money, SlotId, Timestamp};
use delivery::{Nonce, Reason};
use foundation::accounts::finding;
use foundation::{App, Error};
use money::offers::coupon_views::of_plan;
use serde::Serialize;
use store::delivery::archive::{self, ArchivedPart};
use store::delivery::evidence::{self as rows, ConversionSum, Event, EventSum};
use store::people::finding as names;
use store::plans::plan::PlanRow;
use store::{Conn, Page, PageRequest};

pub use delivery::EventKind;
pub use store::delivery::evidence::EventFilter;

use crate::AdServer;
use crate::delivery::archive::{ArchivedEvents, newest, tallies};
use crate::plans::plan_views::{PlanView, TimelineEntry, timeline};

/// A plan as staff see it.
#[derive(Clone, Debug, Serialize)]
pub struct PlanReport {
    #[serde(flatten)]
    pub plan: PlanView,
    /// The owner's name.
    pub username: String,
    pub timeline: Vec<TimelineEntry>,
    pub delivery: DeliveryEvidence,
    pub budget: Budget,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeliveryEvidence {
    pub impressions: EventFigures,
    pub clicks: EventFigures,
    pub conversions: ConversionFigures,
    /// Whether the prices of the events add up to what is booked on the budget.
    pub adds_up: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EventFigures {
    pub counted: i64,
    /// The cost of the valid events.
    pub cost: String,
    pub filtered: Vec<FilteredFigure>,
}

/// How many do not count, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FilteredFigure {
    pub reason: Reason,
    pub number: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConversionFigures {
    pub accepted: i64,
    /// The payouts of accepted conversions, without reversed ones.
    pub revenue: Money,
    pub reversed: i64,
    pub refused: Vec<FilteredFigure>,
}

/// The state of the budget. `put_amount` is the sum of `booked`, `reserved`, `left` and, once the
/// plan has ended, `returned`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Budget {
    pub put_amount: Money,
    pub paid_amount: Money,
    /// The part of `put_amount` and of `paid_amount` that was added after the put.
    pub added_amount: Money,
    /// Delivered.
    pub booked: String,
    /// The part of it that is billed already.
    pub billed: Money,
    /// What is counted and not billed yet, without what is below the smallest unit.
    pub unbilled: Money,
    /// Promised to outstanding creatives.
    pub reserved: String,
    /// Neither booked nor reserved, and not returned.
    pub left: String,
    /// What was returned unspent.
    pub returned: Money,
    /// What the ledger still holds for it, by source.
    pub hold: HoldView,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HoldView {
    pub available: Money,
    pub promotional: Money,
    pub coupon: Money,
}

/// # Errors
/// `not_found`, with numbers of plans that are nearly the same.
pub async fn report(app: &AdServer, plan_no: &str) -> Result<PlanReport, Error> {
    let now = app.now();
    loop {
        let number = plan_no.to_owned();
        let parts = app.db.snapshot(move |conn| {
            let (plan, _) = finding::plan(conn, &number)?;
            Ok::<_, Error>(archive::parts(conn, &[plan.id])?)
        });
        let parts = parts.await?;
        let archived = tallies::sums(app, parts.clone()).await?;
        let number = plan_no.to_owned();
        let reported = app.db.snapshot(move |conn| {
            let (plan, product) = finding::plan(conn, &number)?;
            // A month that was archived meanwhile is counted again.
            if archive::parts(conn, &[plan.id])? != parts {
                return Ok(None);
            }
            let coupon = of_plan(conn, plan.user_id, plan.coupon_id)?;
            Ok::<_, Error>(Some(PlanReport {
                username: names::by_id(conn, plan.user_id)?.map(|named| named.username).unwrap_or_default(),
                timeline: timeline(conn, plan.id)?,
                delivery: read_delivery(conn, &plan, &archived)?,
                budget: budget(conn, &plan)?,
                plan: PlanView::of(&plan, &product, coupon.as_ref(), now)?,
            }))
        });
        if let Some(reported) = reported.await? {
            return Ok(reported);
        }
    }
}

fn read_delivery(
    conn: &mut Conn,
    plan: &PlanRow,
    archived: &[(EventKind, EventSum)],
) -> Result<DeliveryEvidence, Error> {
    let impressions = together(rows::events_of(conn, plan.id, EventKind::Impression)?, archived, EventKind::Impression);
    let clicks = together(rows::events_of(conn, plan.id, EventKind::Click)?, archived, EventKind::Click);
    let cost: i64 =
        impressions.iter().chain(&clicks).filter(|tally| tally.reason.is_none()).map(|t| t.price_milli).sum();
    Ok(DeliveryEvidence {
        adds_up: cost == plan.figures.booked_milli,
        impressions: figures(&impressions),
        clicks: figures(&clicks),
        conversions: converted(&rows::conversions_of(conn, plan.id)?)?,
    })
}

/// The sums of the database and of the files, by reason.
fn together(mut sums: Vec<EventSum>, archived: &[(EventKind, EventSum)], kind: EventKind) -> Vec<EventSum> {
    for (_, more) in archived.iter().filter(|(of, _)| *of == kind) {
        match sums.iter_mut().find(|sum| sum.reason == more.reason) {
            Some(sum) => {
                sum.number += more.number;
                sum.price_milli += more.price_milli;
            }
            None => sums.push(more.clone()),
        }
    }
    sums.sort_by_key(|sum| sum.reason.map_or(0, Reason::code));
    sums
}

fn figures(tallies: &[EventSum]) -> EventFigures {
    let valid = || tallies.iter().filter(|tally| tally.reason.is_none());
    EventFigures {
        counted: valid().map(|tally| tally.number).sum(),
        cost: milli(valid().map(|tally| tally.price_milli).sum()),
        filtered: tallies.iter().filter_map(|tally| filtered(tally.reason?, tally.number)).collect(),
    }
}

fn converted(ended: &[ConversionSum]) -> Result<ConversionFigures, Error> {
    let accepted = || ended.iter().filter(|found| found.reason.is_none());
    let revenue = Money::sum(accepted().filter(|found| !found.reversed).map(|found| found.payout))?;
    Ok(ConversionFigures {
        accepted: accepted().map(|found| found.number).sum(),
        revenue,
        reversed: accepted().filter(|found| found.reversed).map(|found| found.number).sum(),
        refused: ended.iter().filter_map(|found| filtered(found.reason?, found.number)).collect(),
    })
}

fn filtered(reason: Reason, number: i64) -> Option<FilteredFigure> {
    (number > 0).then_some(FilteredFigure { reason, number })
}

fn budget(conn: &mut Conn, plan: &PlanRow) -> Result<Budget, Error> {
    let hold = rows::hold_of(conn, plan.id)?;
    let returned = plan.figures.returned;
    // A remainder below a minor unit is never billed, and is returned with the rest.
    let left = plan.commitment().free_milli().saturating_sub(returned.minor().saturating_mul(MILLI)).max(0);
    Ok(Budget {
        put_amount: plan.figures.put_amount,
        paid_amount: plan.figures.paid_amount,
        added_amount: plan.figures.added_amount,
        booked: milli(plan.figures.booked_milli),
        billed: plan.figures.billed,
        unbilled: plan.unbilled().amount()?,
        reserved: milli(plan.figures.reserved_milli),
        left: milli(left),
        returned,
        hold: HoldView { available: hold.available, promotional: hold.promotional, coupon: hold.coupon },
    })
}

/// An amount in thousandths of a minor unit, with as many decimals as needed.
pub(super) fn milli(amount: i64) -> String {
    let whole = Money::from_minor(amount / MILLI).to_string();
    match amount % MILLI {
        0 => whole,
        rest => format!("{whole}{:03}", rest.abs()),
    }
}

/// One event. Nothing is stored that shows who made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EventView {
    pub id: String,
    /// `impression` or `click`.
    pub kind: EventKind,
    pub time: Timestamp,
    /// The key of the slot; null for a shared link.
    pub slot: Option<String>,
    /// What it cost.
    pub price: String,
    pub counted: bool,
    /// Why it does not count.
    pub reason: Option<Reason>,
    /// The version of the rules that decided it.
    pub filter_version: i16,
    /// The id that a conversion is reported with.
    pub click_id: String,
}

/// The events of a plan, newest first.
///
/// # Errors
/// `not_found`.
pub async fn events(
    app: &AdServer,
    plan_no: &str,
    wanted: EventFilter,
    page: PageRequest,
) -> Result<Page<EventView>, Error> {
    let plan_no = plan_no.to_owned();
    let read = app.db.snapshot(move |conn| {
        let (plan, _) = finding::plan(conn, &plan_no)?;
        Ok::<_, Error>((rows::events(conn, plan.id, wanted, page)?, archive::parts(conn, &[plan.id])?))
    });
    let (mut found, parts) = read.await?;
    if !parts.is_empty() {
        let fetch = usize::try_from(page.fetch()).unwrap_or_default();
        found.extend(read_archived(app, parts, wanted, page.below(), fetch).await?);
        found.sort_unstable_by_key(|event| std::cmp::Reverse(event.id));
        found.truncate(fetch);
    }
    Ok(Page::cut(found, page, |event| event.id).map(|event| EventView {
        id: event.id.to_string(),
        kind: event.kind,
        time: event.at,
        slot: event.slot,
        price: milli(event.price_milli),
        counted: event.valid,
        reason: event.reason,
        filter_version: event.filter_version,
        click_id: <[u8; 16]>::try_from(event.nonce).map(|nonce| Nonce(nonce).text()).unwrap_or_default(),
    }))
}

async fn read_archived(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    wanted: EventFilter,
    below: i64,
    fetch: usize,
) -> Result<Vec<Event>, Error> {
    let counted = wanted.filtered.map(|filtered| !filtered);
    let wanted = ArchivedEvents { kind: wanted.kind, counted, below, ..ArchivedEvents::default() };
    let found = newest(app, parts, wanted, fetch).await?;
    let slots: BTreeSet<SlotId> = found.iter().filter_map(|event| event.slot).collect();
    let slots: Vec<SlotId> = slots.into_iter().collect();
    let names = app.db.read(move |conn| archive::slot_names(conn, &slots)).await?;
    let event = |event: event_files::Event| Event {
        id: event.id,
        kind: event.kind,
        at: event.at,
        slot: event.slot.and_then(|slot| Some(names.get(&slot)?.key.clone())),
        reason: event.reason,
        valid: event.counted,
        filter_version: event.filter_version,
        price_milli: event.price_milli,
        nonce: event.nonce.to_vec(),
    };
    Ok(found.into_iter().map(event).collect())
}

/// A conversion as its advertiser reported it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConversionView {
    pub id: String,
    /// The advertiser's own id of it.
    pub event_id: String,
    pub click_id: String,
    pub occurred_at: Timestamp,
    pub received_at: Timestamp,
    pub accepted: bool,
    /// Why it was refused.
    pub reason: Option<Reason>,
    pub payout: Money,
    pub reversed_at: Option<Timestamp>,
}

/// The conversions of a plan, newest first.
///
/// # Errors
/// `not_found`.
pub async fn conversions(app: &App, plan_no: &str, page: PageRequest) -> Result<Page<ConversionView>, Error> {
    let plan_no = plan_no.to_owned();
    let read = app.db.read(move |conn| {
        let (plan, _) = finding::plan(conn, &plan_no)?;
        Ok::<_, Error>(rows::conversions(conn, plan.id, page)?)
    });
    Ok(read.await?.map(|found| ConversionView {
        id: found.id.to_string(),
        event_id: found.event_key,
        click_id: found.click_id,
        occurred_at: found.occurred_at,
        received_at: found.received_at,
        accepted: found.accepted,
        reason: found.reason.filter(|_| !found.accepted),
        payout: found.payout,
        reversed_at: found.reversed_at,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousandths_are_shown_whole_and_never_rounded() {
        assert_eq!([0, 1_000, 500, 123_456].map(milli), ["0.00", "0.01", "0.00500", "1.23456"]);
    }
}
