//! The exchanges whose bid requests are answered, by the digests of their keys, and their notices.

use std::collections::HashMap;
use std::sync::Arc;

use base::{PublisherId, SlotId, Timestamp};
use delivery::{Promised, Token};
use plans::Pricing;
use supply::Share;

use super::Index;
use super::decisions::{Decision, Decisions, KeptOffer};

/// An exchange whose requests are answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ssp {
    pub id: PublisherId,
    /// The slot that counts all of its views.
    pub slot: SlotId,
    /// The digest of its key.
    pub key: [u8; 32],
    /// The seat on whose behalf the platform bids.
    pub seat: Option<String>,
    /// Its share of what a view costs.
    pub share: Share,
    /// Whether it sends win notices. For an exchange that does not, the price of each bid stays promised for as long as
    /// a winning one.
    pub notifies: bool,
}

#[derive(Default)]
pub(super) struct Ssps {
    by_key: HashMap<[u8; 32], Arc<Ssp>>,
    by_slot: HashMap<SlotId, PublisherId>,
    pub(super) decisions: Decisions,
    /// Bids that were reported as won, whatever happened to them.
    wins: Decisions,
}

impl Index {
    pub(super) fn load_ssps(&mut self, served: Vec<Ssp>) {
        self.ssps.by_slot = served.iter().map(|ssp| (ssp.slot, ssp.id)).collect();
        self.ssps.by_key = served.into_iter().map(|ssp| (ssp.key, Arc::new(ssp))).collect();
    }

    /// The exchange with this key.
    pub fn ssp(&self, key: &[u8; 32]) -> Option<Arc<Ssp>> {
        self.ssps.by_key.get(key).cloned()
    }

    /// The exchange that has this slot.
    pub fn seller(&self, slot: SlotId) -> Option<PublisherId> {
        self.ssps.by_slot.get(&slot).copied()
    }

    /// An offer was lost, so what was promised for it is free again. Returns whether that is news.
    pub fn note_loss(&mut self, token: &Token, now: Timestamp) -> bool {
        let is_new = now <= token.won_until() && self.ssps.decisions.of(token.nonce).is_none();
        if is_new {
            self.ssps.decisions.insert(token.nonce, Decision::Lost, now);
            let promised = promised(token);
            if now <= promised.until
                && let Some((unit, held)) = self.find_held(token.plan, token.lease)
            {
                held.release(unit, promised);
            }
        }
        is_new
    }

    /// Whether this server was told that a bid has lost. Its price may be promised to others by now.
    pub fn is_lost(&self, token: &Token) -> bool {
        token.bid.is_some() && self.ssps.decisions.of(token.nonce) == Some(Decision::Lost)
    }

    /// Whether this server is told for the first time that a bid has won. An exchange without an answer repeats its
    /// notice.
    pub fn is_first_win(&mut self, token: &Token, now: Timestamp) -> bool {
        let is_first = self.ssps.wins.of(token.nonce).is_none();
        if is_first {
            self.ssps.wins.insert(token.nonce, Decision::Done, now);
        }
        is_first
    }

    /// An offer has won, so its price is promised until the time that the bid has named: the one
    /// that was promised for it, or another one if that has lapsed or is another server's. Returns
    /// what is to be stored; nothing if there is no price for it, or nothing to change.
    pub fn note_won(&mut self, token: &Token, now: Timestamp) -> Option<KeptOffer> {
        let (offered, until) = (promised(token), token.won_until());
        let is_open = token.offered_seconds.is_some() && token.bid.is_some() && now <= until;
        if !is_open || self.ssps.decisions.of(token.nonce).is_some() {
            return None;
        }
        let of_token = self.find_held(token.plan, token.lease).filter(|_| now <= offered.until);
        let is_kept = of_token.is_some_and(|(unit, held)| held.keep(unit, offered, until));
        let lease = if is_kept { Some(token.lease) } else { self.promise_anew(token, now) };
        let kept = KeptOffer { lease: lease?, until };
        self.ssps.decisions.insert(token.nonce, Decision::Won(kept), now);
        Some(kept)
    }

    /// Whether this server keeps a price for an offer that has won.
    pub(super) fn keeps(&self, token: &Token, now: Timestamp) -> bool {
        let decision = token.bid.as_ref().and_then(|_| self.ssps.decisions.of(token.nonce));
        matches!(decision, Some(Decision::Won(kept)) if now <= kept.until)
    }

    fn promise_anew(&mut self, token: &Token, now: Timestamp) -> Option<i64> {
        let plan = self.plans.get_mut(&token.plan.0)?;
        let promised = Promised { until: token.won_until(), to: token.taker() };
        plan.held.as_mut()?.promise_anew(plan.unit, promised, now)
    }

    /// Drops the promise for a bid that has won, because it was billed, or another server keeps it.
    pub fn forget_won(&mut self, token: &Token, now: Timestamp) {
        if let Some(Decision::Won(kept)) = self.ssps.decisions.of(token.nonce) {
            self.ssps.decisions.insert(token.nonce, Decision::Done, now);
            self.forgo(token.plan, kept.lease, Promised { until: kept.until, to: token.taker() });
        }
    }

    /// The view of an offer was booked: returns the promise that this was, as far as this server
    /// knows better than the database did.
    pub(super) fn settle(&mut self, token: &Token, promise: KeptOffer, now: Timestamp) -> Option<KeptOffer> {
        if token.bid.is_none() {
            return Some(promise);
        }
        let decision = self.ssps.decisions.of(token.nonce);
        self.ssps.decisions.insert(token.nonce, Decision::Done, now);
        match decision {
            None => Some(promise),
            Some(Decision::Won(kept)) => Some(kept),
            // What was promised with the bid is free already, unless it was promised for this view since.
            Some(Decision::Lost) => Some(promise).filter(|kept| kept.until != promised(token).until),
            Some(Decision::Done) => None,
        }
    }
}

/// The promise that was made with the bid.
const fn promised(token: &Token) -> Promised {
    Promised { until: token.promised_until(Pricing::Cpm), to: token.taker() }
}
