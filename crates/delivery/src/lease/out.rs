//! The outstanding promises of a lease: when each one lapses, and how much is promised in which auctions.

use std::collections::BTreeMap;

use base::{SlotId, Timestamp};

/// To whom a price is promised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Taker {
    /// A slot that shows what it is sent.
    #[default]
    Slot,
    /// The auction of a page, for this slot.
    Page(SlotId),
    /// An auction of an exchange, by the slot that counts its views.
    Exchange(SlotId),
}

impl Taker {
    /// The slot of an auction.
    pub(super) const fn auction(self) -> Option<SlotId> {
        match self {
            Self::Slot => None,
            Self::Page(slot) | Self::Exchange(slot) => Some(slot),
        }
    }

    pub(super) const fn is_exchange(self) -> bool {
        matches!(self, Self::Exchange(_))
    }
}

/// A promise of one price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promised {
    pub until: Timestamp,
    pub to: Taker,
}

/// Amounts in thousandths of a minor unit.
#[derive(Debug, Default)]
pub(super) struct Out {
    /// The amounts, by the second in which they lapse and where they were promised.
    lapsing: BTreeMap<(i64, Taker), i64>,
    /// The amounts in auctions, by slot.
    auctions: BTreeMap<SlotId, i64>,
    in_auctions: i64,
    /// The part of these that is in exchanges' auctions.
    in_exchanges: i64,
    total: i64,
}

impl Out {
    pub fn add(&mut self, milli: i64, promised: Promised) {
        *self.lapsing.entry(key(promised)).or_default() += milli;
        self.total += milli;
        if let Some(slot) = promised.to.auction() {
            *self.auctions.entry(slot).or_default() += milli;
            self.in_auctions += milli;
        }
        if promised.to.is_exchange() {
            self.in_exchanges += milli;
        }
    }

    /// Takes a promise out; `false` if there is none like it.
    pub fn take(&mut self, milli: i64, promised: Promised) -> bool {
        match self.lapsing.get_mut(&key(promised)) {
            Some(found) if *found >= milli => {
                *found -= milli;
                if *found == 0 {
                    self.lapsing.remove(&key(promised));
                }
                self.take_back(milli, promised.to);
                true
            }
            _ => false,
        }
    }

    /// Takes out what lapsed first, with its second and to whom it was promised, if it has lapsed by now.
    pub fn lapse(&mut self, now: Timestamp) -> Option<(i64, Taker, i64)> {
        let first = self.lapsing.first_entry()?;
        let (second, to) = *first.key();
        if second * 1000 > now.millis() {
            return None;
        }
        let milli = first.remove();
        self.take_back(milli, to);
        Some((second, to, milli))
    }

    fn take_back(&mut self, milli: i64, from: Taker) {
        self.total -= milli;
        if from.is_exchange() {
            self.in_exchanges -= milli;
        }
        let Some(slot) = from.auction() else { return };
        self.in_auctions -= milli;
        if let Some(of_slot) = self.auctions.get_mut(&slot) {
            *of_slot -= milli;
            if *of_slot == 0 {
                self.auctions.remove(&slot);
            }
        }
    }

    pub const fn total(&self) -> i64 {
        self.total
    }

    pub const fn in_auctions(&self) -> i64 {
        self.in_auctions
    }

    pub const fn in_exchanges(&self) -> i64 {
        self.in_exchanges
    }

    pub fn in_auctions_of(&self, slot: SlotId) -> i64 {
        self.auctions.get(&slot).copied().unwrap_or_default()
    }

    pub fn is_empty(&self) -> bool {
        self.lapsing.is_empty()
    }
}

const fn key(promised: Promised) -> (i64, Taker) {
    (lapses(promised.until), promised.to)
}

/// The second when a promise has certainly lapsed.
pub(super) const fn lapses(at: Timestamp) -> i64 {
    at.millis().div_euclid(1000) + 1
}
