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

/// A request for a slot.
#[derive(Clone, Copy, Debug)]
pub struct AskedSlot<'a> {
    pub key: &'a str,
    pub media: SlotMedia,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotMedia {
    /// Whatever the slot shows.
    Any,
    /// A video for a player.
    Video,
}

impl SlotMedia {
    const fn takes(self, content: ContentType) -> bool {
        matches!((self, content), (Self::Any, _) | (Self::Video, ContentType::Video))
    }
}

pub(super) struct Slot {
    pub(super) terms: Arc<SlotTerms>,
    pub(super) fits: Vec<usize>,
    /// Those of `fits` that have a video for a player.
    pub(super) films: Vec<usize>,
    /// The generation of both.
    pub(super) of: u64,
    pub(super) counts: RequestCounts,
}

/// The terms of a slot: what it shows, to whom, and its share.
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
    /// Whether it can show the product's content type with this code, for a request for such media.
    pub(super) fn shows(&self, code: i16, product: &ServedProduct, media: SlotMedia) -> bool {
        ContentType::try_from(code)
            .is_ok_and(|content| media.takes(content) && self.terms.content.contains(&content) && product.has(content))
    }

    /// The queues that can answer.
    pub(super) fn queues(&self, media: SlotMedia) -> &[usize] {
        match media {
            SlotMedia::Any => &self.fits,
            SlotMedia::Video => &self.films,
        }
    }
}

impl Index {
    pub(super) fn load_slots(&mut self, loaded: Vec<Arc<SlotTerms>>) {
        let mut slots = HashMap::with_capacity(loaded.len());
        for terms in loaded {
            let slot = match self.slots.remove(&terms.key) {
                Some(known) if known.terms == terms => known,
                known => {
                    let counts = known.map(|known| known.counts).unwrap_or_default();
                    Slot { terms, fits: Vec::new(), films: Vec::new(), of: 0, counts }
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
