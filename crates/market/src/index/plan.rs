//! A plan in the index, and its answer when it has its turn.

use std::sync::Arc;

use base::{Money, SlotId, Timestamp};
use delivery::{Audience, Choice, Promised, Promises, Seed, Taker};
use plans::{ContentType, Pricing, Schedule};

use super::exchanges::ExchangeDemand;
use crate::ai::Ai;
use crate::plan_terms::{ExcludedPlaces, PlanTerms};

pub(super) struct Plan {
    pub unit: i64,
    pub pricing: Pricing,
    pub queue: usize,
    pub due_at: i64,
    pub changed_at: i64,
    pub daily_cap: Option<Money>,
    pub schedule: Schedule,
    /// Whether it is out of its queue until it opens.
    pub parked: bool,
    pub held: Option<Promises>,
    pub turn: u64,
    pub again_at: i64,
    /// Its lease is being requested; `true` while it is out of its queue.
    pub asked: Option<bool>,
    pub ai: Option<Ai>,
    pub demand: ExchangeDemand,
    pub excluded: Option<Arc<ExcludedPlaces>>,
}

/// The place where a creative may be shown.
pub(super) struct Place<'a> {
    pub audience: &'a Audience,
    /// Whether it can show the product's content type with this code.
    pub shows: &'a dyn Fn(i16) -> bool,
}

/// How long a price is promised.
#[derive(Clone, Copy)]
pub(super) enum Hold {
    Until(Timestamp),
    /// As long as its lease lasts.
    Longest,
    /// Until this time, or as long as its lease lasts once it has won.
    Offered(Timestamp),
}

/// The creative that a plan shows in a slot.
pub(super) struct Turn {
    pub lease: i64,
    /// How long its price is promised at most.
    pub until: Timestamp,
    pub content: ContentType,
    pub choice: Option<(Choice, Seed)>,
}

/// A plan's answer to a slot.
pub(super) enum Turned {
    Serves(Turn),
    /// Waits for another slot, or leaves what it has to others.
    Passes,
    /// Has no price left to promise.
    Short,
}

impl Plan {
    /// Promises a price for so long if it has one, and decides what to show.
    pub fn serve(
        &mut self,
        place: &Place<'_>,
        form: Option<ContentType>,
        (hold, to): (Hold, Taker),
        now: Timestamp,
    ) -> Turned {
        let Some(held) = &mut self.held else { return Turned::Short };
        if !held.is_ready(self.unit, now) {
            return Turned::Short;
        }
        if !held.leaves_others_theirs(self.unit, to) {
            return Turned::Passes;
        }
        let (content, choice) = match (&mut self.ai, form) {
            (None, Some(content)) => (content, None),
            (None, None) => return Turned::Passes,
            (Some(ai), _) => {
                let fits = ai.fitting(|learner| learner.fitting(place.audience, place.shows));
                let chosen = ai.take(fits, held, now);
                let content = chosen.and_then(|(.., code)| ContentType::try_from(code).ok());
                let (Some((choice, seed, _)), Some(content)) = (chosen, content) else { return Turned::Passes };
                (content, Some((choice, seed)))
            }
        };
        let (promised, until) = match hold {
            Hold::Until(until) => (until, until),
            Hold::Longest => (held.latest(now), held.latest(now)),
            Hold::Offered(promised) => (promised, held.latest(now)),
        };
        match held.promise(self.unit, Promised { until: promised, to }, now) {
            Some(lease) => Turned::Serves(Turn { lease, until, content, choice }),
            None => Turned::Short,
        }
    }

    pub fn excludes_slot(&self, slot: SlotId) -> bool {
        self.excluded.as_ref().is_some_and(|excluded| excluded.has_slot(slot))
    }

    pub fn excludes_one_of<'a>(&self, mut sources: impl Iterator<Item = &'a str>) -> bool {
        self.excluded.as_ref().is_some_and(|excluded| sources.any(|source| excluded.has_source(source)))
    }

    /// Its budget may be larger, so its lease may be requested again. With another limit of the day, nothing
    /// more is promised of leases from before.
    pub fn note_change(&mut self, at: i64, terms: &PlanTerms) {
        self.due_at = terms.due_at.map_or(i64::MAX, Timestamp::millis);
        self.schedule = terms.schedule;
        self.excluded.clone_from(&terms.excluded);
        if self.daily_cap != terms.daily_cap {
            self.daily_cap = terms.daily_cap;
            self.held.iter_mut().for_each(Promises::stop);
        }
        if self.changed_at != at {
            self.changed_at = at;
            self.wait_no_longer();
        }
    }

    /// Its lease may be requested again at once.
    pub fn wait_no_longer(&mut self) {
        self.again_at = self.again_at.min(1);
        self.demand.wait_no_longer();
        self.ai.iter_mut().for_each(Ai::wait_no_longer);
    }

    pub fn runs_out(&self, now: Timestamp) -> bool {
        self.held.as_ref().is_some_and(|held| held.runs_out(self.unit, now))
    }

    /// Whether its lease may be requested now: not again at once, unless something has lapsed.
    pub fn may_ask(&self, now: Timestamp) -> bool {
        let is_due =
            || self.again_at <= now.millis() || self.held.as_ref().is_some_and(|held| held.has_lapsed(self.unit));
        self.asked.is_none() && is_due() && !self.ai.as_ref().is_some_and(|ai| ai.waits(now))
    }
}
