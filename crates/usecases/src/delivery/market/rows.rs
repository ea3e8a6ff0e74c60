//! What the market is told of rows.

use std::collections::HashMap;
use std::sync::Arc;

use base::{PlanId, ProductId, PublisherId, Timestamp};
use market::{Offer, PlanChange, PlanTerms, Product, SlotRequests, SlotTerms, Ssp};
use plans::{ContentType, Pricing, Status};
use store::delivery::market::{Candidate, ServedSlot};
use store::delivery::slot_requests::Requests;
use store::delivery::ssp::ServedSsp;
use store::plans::product::ProductRow;

use crate::Error;
use crate::delivery::slots;
use crate::plans::catalog::{content_of, openrtb_of, targeting_of};

/// The rows of slots and products, with what the market was told of them. All of them are loaded
/// every second, and read again only if they changed.
#[derive(Default)]
pub struct ReadRows {
    slots: Read<ServedSlot, SlotTerms>,
    products: Read<ProductRow, Offer>,
}

type Read<R, T> = HashMap<i64, (R, Arc<T>)>;

impl ReadRows {
    pub fn slots(&mut self, rows: Vec<ServedSlot>) -> Result<Vec<Arc<SlotTerms>>, Error> {
        read_changed(&mut self.slots, rows, |slot| slot.row.id, slot)
    }

    pub fn products(&mut self, rows: Vec<ProductRow>) -> Result<Vec<Arc<Offer>>, Error> {
        read_changed(&mut self.products, rows, |row| row.id, offer)
    }
}

fn read_changed<R: PartialEq, T>(
    known: &mut Read<R, T>,
    rows: Vec<R>,
    id: impl Fn(&R) -> i64,
    read: impl Fn(&R) -> Result<T, Error>,
) -> Result<Vec<Arc<T>>, Error> {
    let mut all = HashMap::with_capacity(rows.len());
    for row in rows {
        let same = known.remove(&id(&row)).filter(|(known, _)| *known == row);
        let told = match same {
            Some((_, told)) => told,
            None => Arc::new(read(&row)?),
        };
        all.insert(id(&row), (row, told));
    }
    *known = all;
    Ok(known.values().map(|(_, told)| told.clone()).collect())
}

fn slot(slot: &ServedSlot) -> Result<SlotTerms, Error> {
    let row = &slot.row;
    Ok(SlotTerms {
        id: row.id(),
        key: row.key.clone(),
        publisher: PublisherId(row.publisher_id),
        share: slot.share,
        audience: targeting_of(&row.audience)?.into(),
        content: if row.active { slots::content_types(row)? } else { Vec::new() },
    })
}

fn offer(row: &ProductRow) -> Result<Offer, Error> {
    Ok(Offer::new(Product {
        id: row.id(),
        name: row.name.clone(),
        content: content_of(row)?,
        targeting: targeting_of(&row.targeting)?.into(),
        landing_url: row.landing_url.clone(),
        terms: openrtb_of(row.openrtb.as_deref())?,
    }))
}

/// `None` for a key that no digest can be.
pub fn ssp(row: ServedSsp) -> Option<Ssp> {
    let ServedSsp { id, slot, key_hash, seat, share } = row;
    Some(Ssp { id, slot, key: key_hash.as_slice().try_into().ok()?, seat, share })
}

/// A plan with codes that nobody knows is one that nobody shows.
pub fn plan(row: &Candidate) -> PlanChange {
    let terms = || {
        Some(PlanTerms {
            product: ProductId(row.product_id),
            status: Status::try_from(row.status).ok()?,
            paused: row.paused,
            content: ContentType::try_from(row.content_type?).ok()?,
            pricing: Pricing::try_from(row.pricing).ok()?,
            unit_milli: row.unit_milli,
            due_at: row.due_at.map(Timestamp::from_millis),
            ai_delivery: row.ai_delivery,
        })
    };
    PlanChange { id: PlanId(row.id), changed_at: Timestamp::from_millis(row.changed_at), terms: terms() }
}

pub const fn requests(asked: SlotRequests) -> Requests {
    let SlotRequests { requests, filled } = asked;
    Requests { requests, filled }
}
