//! The slots whose requests are answered, by their keys.

use std::collections::HashMap;
use std::sync::Arc;

use base::{PublisherId, SlotId};
use delivery::Audience;
use plans::ContentType;
use supply::Share;

use super::Index;
use super::requests::RequestCounts;
use crate::product::ServedProduct;

pub(super) struct Slot {
    pub(super) terms: Arc<SlotTerms>,
    pub(super) fits: Vec<usize>,
    /// The generation of `fits`.
    pub(super) of: u64,
    pub(super) counts: RequestCounts,
}

/// What a slot shows, to whom, and for what share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotTerms {
    pub id: SlotId,
    pub key: String,
    pub publisher: PublisherId,
    pub share: Share,
    pub audience: Audience,
    /// Empty for a slot that is not active: nothing fits it.
    pub content: Vec<ContentType>,
}

impl SlotTerms {
    pub fn fits(&self, product: &ServedProduct) -> bool {
        product.fits(&self.audience) && self.content.iter().any(|content| product.has(*content))
    }
}

impl Slot {
    /// Whether it can show the product's content type with this code.
    pub(super) fn shows(&self, code: i16, product: &ServedProduct) -> bool {
        ContentType::try_from(code).is_ok_and(|content| self.terms.content.contains(&content) && product.has(content))
    }
}

impl Index {
    pub(super) fn load_slots(&mut self, loaded: Vec<Arc<SlotTerms>>) {
        let mut slots = HashMap::with_capacity(loaded.len());
        for terms in loaded {
            let slot = match self.slots.remove(&terms.key) {
                Some(known) if known.terms == terms => known,
                known => {
                    Slot { terms, fits: Vec::new(), of: 0, counts: known.map(|known| known.counts).unwrap_or_default() }
                }
            };
            slots.insert(slot.terms.key.clone(), slot);
        }
        self.keep_counts_of_gone();
        self.slots = slots;
    }

    /// The terms of the slot with this key.
    pub fn slot(&self, key: &str) -> Option<Arc<SlotTerms>> {
        self.slots.get(key).map(|slot| slot.terms.clone())
    }
}
