//! Where a plan was delivered, for its user.

use std::collections::HashMap;

use base::PlanId;
use serde::Serialize;
use store::delivery::plan_sources::{self as rows, PlaceSource, SlotSource};
use store::delivery::ssp::bids_of;
use store::plans::plan::PlanRow;
use store::{Conn, Error};
use supply::PublisherKind;
use utoipa::ToSchema;

/// A slot of a publisher, or an ad exchange, and what was delivered there. With the rest, which belongs to none of
/// them, they add up to what was delivered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DeliverySource {
    /// `slot` or `exchange`. The last ones may be `others`, the sum of all further slots and exchanges, and `unknown`,
    /// what came by links that the user shared or was not recorded by place.
    pub kind: SourceKind,
    /// The publisher, or the exchange; otherwise empty.
    pub name: String,
    /// The slot's key; null for everything else.
    pub slot: Option<String>,
    pub impressions: i64,
    pub clicks: i64,
    pub viewable: i64,
    /// How often the plan was offered in the exchange's auctions; null for everything else.
    pub bids: Option<i64>,
    /// The exchange's sites and apps, those with the most impressions first; empty for everything else. Of all
    /// exchanges together, only the fifty with the most impressions are listed.
    pub places: Vec<DeliveryPlace>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    Slot,
    Exchange,
    Others,
    Unknown,
}

/// A site or an app, as the exchange names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DeliveryPlace {
    /// Empty if the exchange did not say.
    pub name: String,
    pub impressions: i64,
    pub clicks: i64,
    pub viewable: i64,
}

/// The sources with the most impressions first, then the rest of the delivery.
pub(crate) fn sources(conn: &mut Conn, plan: &PlanRow) -> Result<Vec<DeliverySource>, Error> {
    let slots = rows::slots(conn, plan.id)?;
    let in_slots = rows::in_slots(conn, plan.id, &slots)?;
    let in_slots = [in_slots.impressions, in_slots.clicks, in_slots.viewable];
    let in_all = [plan.figures.impressions, plan.figures.clicks, plan.figures.viewable];
    let mut shown = named(conn, plan.id, slots)?;
    for (kind, counts) in [(SourceKind::Others, in_slots), (SourceKind::Unknown, in_all)] {
        let rest = rest(kind, counts, &shown);
        shown.extend(rest);
    }
    Ok(shown)
}

/// The part of the delivery that is in no row so far.
fn rest(
    kind: SourceKind,
    [impressions, clicks, viewable]: [i64; 3],
    shown: &[DeliverySource],
) -> Option<DeliverySource> {
    let sum = |of: fn(&DeliverySource) -> i64| shown.iter().map(of).sum::<i64>();
    let (impressions, clicks) = (impressions - sum(|row| row.impressions), clicks - sum(|row| row.clicks));
    let viewable = viewable - sum(|row| row.viewable);
    let (name, slot, bids, places) = (String::new(), None, None, Vec::new());
    ([impressions, clicks, viewable] != [0; 3]).then_some(DeliverySource {
        kind,
        name,
        slot,
        impressions,
        clicks,
        viewable,
        bids,
        places,
    })
}

fn named(conn: &mut Conn, plan: PlanId, slots: Vec<SlotSource>) -> Result<Vec<DeliverySource>, Error> {
    if !slots.iter().any(is_exchange) {
        return Ok(slots.into_iter().map(|slot| view(slot, Vec::new(), None)).collect());
    }
    let bids: HashMap<i64, i64> = bids_of(conn, plan)?.into_iter().collect();
    let mut places = HashMap::<i64, Vec<DeliveryPlace>>::new();
    for place in rows::places(conn, plan)? {
        let PlaceSource { slot, name, impressions, clicks, viewable } = place;
        places.entry(slot).or_default().push(DeliveryPlace { name, impressions, clicks, viewable });
    }
    let shown = slots.into_iter().map(|slot| {
        let bids = is_exchange(&slot).then(|| bids.get(&slot.slot).copied().unwrap_or(0));
        let places = places.remove(&slot.slot).unwrap_or_default();
        view(slot, places, bids)
    });
    Ok(shown.collect())
}

fn is_exchange(slot: &SlotSource) -> bool {
    slot.kind == PublisherKind::Ssp.code()
}

fn view(slot: SlotSource, places: Vec<DeliveryPlace>, bids: Option<i64>) -> DeliverySource {
    let kind = if is_exchange(&slot) { SourceKind::Exchange } else { SourceKind::Slot };
    let SlotSource { key, publisher, impressions, clicks, viewable, .. } = slot;
    let slot = (kind == SourceKind::Slot).then_some(key);
    DeliverySource { kind, name: publisher, slot, impressions, clicks, viewable, bids, places }
}
