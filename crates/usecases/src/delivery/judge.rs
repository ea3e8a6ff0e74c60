//! Judging impressions and clicks, many at once: what speaks against each is
//! loaded with one statement per table, each is decided in order in memory,
//! and all are written with one statement per table. docs/DELIVERY.md tells
//! the rules.

use std::collections::{BTreeMap, HashMap};

use base::{PlanId, Timestamp};
use delivery::{CLICK_HOLD_SECONDS, Click, EventKind, Impression, Nonce, Origin, Token, Verdict, Visitor};
use plans::{Pricing, Status};
use store::delivery::event::{self, Moved, NewEvent, Target};
use store::delivery::lease::{self, Lease};
use store::{Answers, Batch, Realm, Tx};

use crate::delivery::market::promised_until;
use crate::{Error, Refusal};

/// A visitor's stand-in changes daily, so none is older than this.
const VISITOR_SECONDS: i64 = 2 * 86_400;

/// What the request itself told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub automatic: bool,
    pub prefetched: bool,
    pub visitor: Option<Visitor>,
    /// Of who asked not to be tracked: how many of the kind this network made
    /// on the plan today, as far as this process knows.
    pub of_passing: Option<i64>,
}

/// An impression or a click as it came.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub kind: EventKind,
    pub token: Token,
    pub nonce: Nonce,
    /// Until when its price was promised again, since it comes late.
    pub promised: Option<Timestamp>,
    pub known: Known,
    /// Whether it is written where it does not count.
    pub kept_if_refused: bool,
    pub realm: Realm,
}

#[derive(Clone, Debug)]
pub(crate) struct Judged {
    pub verdict: Verdict,
    pub nonce: Nonce,
    /// Where a click leads; `None` where the landing page is hosted here.
    pub landing_url: Option<String>,
    pub promise: Promise,
}

/// What became of the price that was promised to a creative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Promise {
    Untouched,
    /// It was promised until then, and is booked.
    Booked(Timestamp),
    /// It was promised until the first, and is kept for a click until the second.
    Kept(Timestamp, Timestamp),
}

impl Event {
    fn is_from_slot(&self) -> bool {
        matches!(self.token.origin, Origin::Slot(_))
    }
}

impl Batch for Event {
    type Answer = Judged;
    type Error = Error;

    fn run(tx: &mut Tx<'_>, events: &[Self]) -> Result<Answers<Self>, Error> {
        let mut court = Court::load(tx, events)?;
        let mut answers = Vec::with_capacity(events.len());
        for event in events {
            answers.push(court.judge(event, tx.now()));
        }
        court.write(tx, events.first().map_or(Realm::Simulated, |event| event.realm))?;
        Ok(answers)
    }
}

/// Everything that a batch of events is judged by, as those judged have left it.
struct Court {
    plans: HashMap<i64, Target>,
    leases: HashMap<i64, Lease>,
    /// Valid events by nonce and kind.
    seen: HashMap<(Nonce, i16), Timestamp>,
    visits: HashMap<(PlanId, Visitor, i16), i64>,
    kept: Vec<NewEvent>,
    moved: BTreeMap<i64, Moved>,
    used: BTreeMap<i64, i64>,
}

impl Court {
    fn load(tx: &mut Tx<'_>, events: &[Event]) -> Result<Self, Error> {
        let plans = event::lock_plans(tx, events.iter().map(|e| e.token.plan))?;
        let leases = lease::load(tx, events.iter().map(|e| e.token.lease).filter(|id| *id > 0))?;
        let mut nonces: Vec<Nonce> = events.iter().filter(|e| e.is_from_slot()).map(|e| e.nonce).collect();
        nonces.sort_unstable_by_key(|nonce| nonce.0);
        nonces.dedup();
        let seen = event::seen(tx, &nonces)?;
        let mut visitors: Vec<_> = events.iter().filter_map(|e| Some((e.token.plan, e.known.visitor?))).collect();
        visitors.sort_unstable_by_key(|(plan, visitor)| (plan.0, visitor.0));
        visitors.dedup();
        let since = tx.now().plus_seconds(-VISITOR_SECONDS);
        let visits = event::of_visitors(tx, &visitors, since)?;
        Ok(Self {
            plans: plans.into_iter().map(|plan| (plan.id, plan)).collect(),
            leases: leases.into_iter().map(|lease| (lease.id, lease)).collect(),
            seen: seen.into_iter().map(|seen| ((seen.nonce, seen.kind), seen.at)).collect(),
            visits: visits.into_iter().map(|v| ((v.plan, v.visitor, v.kind), v.number)).collect(),
            kept: Vec::with_capacity(events.len()),
            moved: BTreeMap::new(),
            used: BTreeMap::new(),
        })
    }

    fn judge(&mut self, event: &Event, now: Timestamp) -> Result<Judged, Error> {
        let target = self.plans.get(&event.token.plan.0).ok_or(Refusal::NotFound)?;
        let price = Price::of(target, event)?;
        let verdict = match event.kind {
            EventKind::Impression => self.impression(event, target, price, now)?,
            EventKind::Click => self.click(event, target, price, now)?,
        };
        let landing_url = target.landing_url.clone();
        let paid = if verdict.is_ok() && price.costs { self.pay(event, now) } else { None };
        let promise = self.promise(event, verdict, price, paid, now);
        self.keep(event, verdict, paid.map_or(0, |paid| paid.milli), now);
        Ok(Judged { verdict, nonce: event.nonce, landing_url, promise })
    }

    fn impression(&self, event: &Event, target: &Target, price: Price, now: Timestamp) -> Result<Verdict, Error> {
        Ok(delivery::impression(&Impression {
            automatic: event.known.automatic,
            prefetched: event.known.prefetched,
            seen_before: self.seen_at(event, EventKind::Impression).is_some(),
            shared: !event.is_from_slot(),
            affordable: !price.costs || self.affordable(event, target, now),
            plan_open: target.is_running(),
            issued_at: event.token.issued_at,
            at: now,
            of_visitor: self.visits(event),
        }))
    }

    fn click(&self, event: &Event, target: &Target, price: Price, now: Timestamp) -> Result<Verdict, Error> {
        Ok(delivery::click(&Click {
            automatic: event.known.automatic,
            prefetched: event.known.prefetched,
            clicked_before: self.seen_at(event, EventKind::Click).is_some(),
            seen_at: self.seen_at(event, EventKind::Impression),
            shared: !event.is_from_slot(),
            affordable: !price.costs || self.affordable(event, target, now),
            plan_open: takes_clicks(target, event.is_from_slot(), price.costs)?,
            at: now,
            of_visitor: self.visits(event),
        }))
    }

    fn seen_at(&self, event: &Event, kind: EventKind) -> Option<Timestamp> {
        self.seen.get(&(event.nonce, kind.code())).copied()
    }

    fn visits(&self, event: &Event) -> i64 {
        if let Some(number) = event.known.of_passing {
            return number;
        }
        let of =
            event.known.visitor.and_then(|visitor| self.visits.get(&(event.token.plan, visitor, event.kind.code())));
        of.copied().unwrap_or(0)
    }

    /// The price is there: promised in the lease, or in what a running plan's budget has left.
    fn affordable(&self, event: &Event, target: &Target, now: Timestamp) -> bool {
        self.in_lease(event, target.unit_milli, now) || (target.is_running() && target.can_reserve())
    }

    /// The promise still holds: an event that comes late finds it made to others.
    fn in_lease(&self, event: &Event, unit: i64, now: Timestamp) -> bool {
        let until = |pricing| promised_until(pricing, event.token.issued_at);
        let kept = match event.kind {
            EventKind::Impression => now <= until(Pricing::Cpm),
            EventKind::Click => self
                .seen_at(event, EventKind::Impression)
                .is_some_and(|seen| now.since(seen) <= CLICK_HOLD_SECONDS * 1000 && now <= until(Pricing::Cpc)),
        };
        let lease = self.leases.get(&event.token.lease).filter(|lease| lease.plan_id == event.token.plan.0);
        (kept || event.promised.is_some()) && lease.is_some_and(|lease| lease.left_milli >= unit)
    }

    /// Moves the price from where it was set aside, or from the budget, to what is booked.
    fn pay(&mut self, event: &Event, now: Timestamp) -> Option<Paid> {
        let unit = self.plans.get(&event.token.plan.0)?.unit_milli;
        let leased = self.in_lease(event, unit, now);
        if leased && let Some(lease) = self.leases.get_mut(&event.token.lease) {
            lease.left_milli -= unit;
            *self.used.entry(lease.id).or_default() += unit;
        }
        let plan = self.plans.get_mut(&event.token.plan.0)?;
        let reserved = if leased { unit } else { 0 };
        plan.booked_milli += unit;
        plan.reserved_milli -= reserved;
        let moved = self.moved.entry(plan.id).or_insert(Moved { plan_id: plan.id, ..Moved::default() });
        moved.booked_milli += unit;
        moved.reserved_milli += reserved;
        Some(Paid { milli: unit, leased })
    }

    fn promise(&self, event: &Event, verdict: Verdict, price: Price, paid: Option<Paid>, now: Timestamp) -> Promise {
        if verdict.is_err() || !event.is_from_slot() {
            return Promise::Untouched;
        }
        let leased = paid.is_some_and(|paid| paid.leased);
        match (event.kind, price.pricing) {
            (EventKind::Impression, Pricing::Cpm) if leased => {
                Promise::Booked(event.promised.unwrap_or(promised_until(price.pricing, event.token.issued_at)))
            }
            (EventKind::Impression, Pricing::Cpc) => {
                let until = promised_until(price.pricing, event.token.issued_at);
                Promise::Kept(until, now.plus_seconds(CLICK_HOLD_SECONDS))
            }
            (EventKind::Click, Pricing::Cpc) if leased => {
                let kept = self.seen_at(event, EventKind::Impression).map(|at| at.plus_seconds(CLICK_HOLD_SECONDS));
                event.promised.or(kept).map_or(Promise::Untouched, Promise::Booked)
            }
            _ => Promise::Untouched,
        }
    }

    fn keep(&mut self, event: &Event, verdict: Verdict, price_milli: i64, now: Timestamp) {
        if verdict.is_ok() {
            self.seen.insert((event.nonce, event.kind.code()), now);
            if let Some(visitor) = event.known.visitor {
                *self.visits.entry((event.token.plan, visitor, event.kind.code())).or_default() += 1;
            }
        } else if !event.kept_if_refused {
            return;
        }
        self.kept.push(NewEvent {
            plan: event.token.plan,
            kind: event.kind,
            nonce: event.nonce,
            slot: match event.token.origin {
                Origin::Slot(slot) => Some(slot),
                Origin::Share => None,
            },
            verdict,
            price_milli,
            visitor: event.known.visitor,
            choice: event.token.choice,
        });
    }

    fn write(self, tx: &mut Tx<'_>, realm: Realm) -> Result<(), Error> {
        event::insert(tx, realm, &self.kept)?;
        let moved: Vec<Moved> = self.moved.into_values().collect();
        event::book(tx, &moved)?;
        lease::take(tx, &self.used.into_iter().collect::<Vec<_>>())?;
        let marks = self.kept.iter().filter_map(|event| self.plans.get(&event.plan.0));
        store::delivery::rollup::mark(tx, &marks.map(|plan| (plan.id, plan.rolled_at)).collect())?;
        let used_up = moved.iter().filter_map(|moved| self.plans.get(&moved.plan_id));
        let used_up = used_up.filter(|plan| plan.reserved_milli == 0 && !plan.can_reserve());
        Ok(store::delivery::rollup::urge(tx, used_up.map(|plan| plan.id).collect())?)
    }
}

/// Whether an event of a plan costs.
#[derive(Clone, Copy)]
struct Price {
    pricing: Pricing,
    costs: bool,
}

impl Price {
    fn of(target: &Target, event: &Event) -> Result<Self, Error> {
        let pricing = target.pricing()?;
        let billed = match event.kind {
            EventKind::Impression => Pricing::Cpm,
            EventKind::Click => Pricing::Cpc,
        };
        Ok(Self { pricing, costs: pricing == billed && event.is_from_slot() })
    }
}

#[derive(Clone, Copy)]
struct Paid {
    milli: i64,
    /// It came out of the lease.
    leased: bool,
}

/// A creative that is out may be clicked until its token ends: at no cost as
/// long as conversions count, at a cost while the plan's money is still held.
/// A link passed on ends with the plan.
fn takes_clicks(target: &Target, from_slot: bool, costs: bool) -> Result<bool, Error> {
    Ok(match target.status()? {
        Status::Matching | Status::Putting => true,
        Status::PutFinished => from_slot,
        Status::WaitingSettlement => from_slot && !costs,
        _ => false,
    })
}
