//! A plan's events that are in files, beside those in the database.

use std::collections::BTreeSet;

use base::SlotId;
use delivery::{EventKind, Nonce};
use event_files::Event;
use foundation::{App, Error};
use store::delivery::archive::{ArchivedPart, slot_names};
use store::delivery::plan_events::{OfDelivery, PlanConversion, PlanEvent};
use store::{Page, PageRequest};

use crate::AdServer;
use crate::delivery::archive::{ArchivedEvents, matching, newest, of_nonces, one};

/// A page of a list, with archived events added to the `rows` of the database.
pub(super) async fn page(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    wanted: ArchivedEvents,
    mut rows: Vec<PlanEvent>,
    request: PageRequest,
) -> Result<Page<PlanEvent>, Error> {
    if !parts.is_empty() {
        let fetch = usize::try_from(request.fetch()).unwrap_or_default();
        let archived = newest(app, parts, wanted, fetch).await?;
        rows.extend(with_slots(app, archived).await?.into_iter().map(|of| of.event));
        rows.sort_unstable_by_key(|event| std::cmp::Reverse(event.id));
        rows.truncate(fetch);
    }
    Ok(Page::cut(rows, request, |event| event.id))
}

/// A page of the events with these ids, which are no more than a page, including archived ones.
pub(super) async fn page_of(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    (wanted, ids): (ArchivedEvents, BTreeSet<i64>),
    mut rows: Vec<PlanEvent>,
    request: PageRequest,
) -> Result<Page<PlanEvent>, Error> {
    let archived = matching(app, parts, ids.len(), move |event| {
        (ids.contains(&event.id) && wanted.has(event)).then(|| event.clone())
    });
    rows.extend(with_slots(app, archived.await?).await?.into_iter().map(|of| of.event));
    rows.sort_unstable_by_key(|event| std::cmp::Reverse(event.id));
    rows.truncate(usize::try_from(request.fetch()).unwrap_or_default());
    Ok(Page::cut(rows, request, |event| event.id))
}

/// Adds the archived clicks of conversions.
pub(super) async fn add_clicks(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    conversions: &mut [PlanConversion],
) -> Result<(), Error> {
    let without = conversions.iter().filter(|conversion| conversion.click.is_none());
    let nonces: Vec<Nonce> = without.filter_map(|conversion| Nonce::parse(&conversion.click_id)).collect();
    for of in deliveries(app, parts, nonces).await?.into_iter().filter(|of| of.kind == EventKind::Click) {
        let Some(click_id) = of.event.nonce.map(Nonce::text) else { continue };
        for conversion in conversions.iter_mut().filter(|conversion| conversion.click_id == click_id) {
            conversion.click = Some(of.event.clone());
        }
    }
    Ok(())
}

/// One archived event of a plan.
pub(super) async fn event(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    kind: EventKind,
    id: i64,
) -> Result<Option<PlanEvent>, Error> {
    if parts.is_empty() {
        return Ok(None);
    }
    let found = one(app, parts, kind, id).await?;
    Ok(with_slots(app, found.into_iter().collect()).await?.pop().map(|of| of.event))
}

/// The archived events on the same creatives.
pub(super) async fn deliveries(
    app: &AdServer,
    parts: Vec<ArchivedPart>,
    nonces: Vec<Nonce>,
) -> Result<Vec<OfDelivery>, Error> {
    if parts.is_empty() || nonces.is_empty() {
        return Ok(Vec::new());
    }
    let found = of_nonces(app, parts, nonces).await?;
    with_slots(app, found).await
}

async fn with_slots(app: &App, events: Vec<Event>) -> Result<Vec<OfDelivery>, Error> {
    let slots: BTreeSet<SlotId> = events.iter().filter_map(|event| event.slot).collect();
    let slots: Vec<SlotId> = slots.into_iter().collect();
    let names = match slots.is_empty() {
        true => Default::default(),
        false => app.db.read(move |conn| slot_names(conn, &slots)).await?,
    };
    let of_delivery = |event: Event| OfDelivery {
        kind: event.kind,
        event: PlanEvent {
            id: event.id,
            at: event.at,
            slot: event.slot.and_then(|slot| names.get(&slot).cloned()),
            device: event.device,
            arm: event.arm,
            reason: event.reason,
            counted: event.counted,
            filter_version: event.filter_version,
            price_milli: event.price_milli,
            nonce: Some(Nonce(event.nonce)),
        },
    };
    Ok(events.into_iter().map(of_delivery).collect())
}
