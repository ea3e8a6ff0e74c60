//! Judges impressions and clicks in order, each with the effects of those before it:
//! whether it counts, what it costs, and what becomes of the price promised to it.

mod evidence;

use std::collections::BTreeMap;

use base::{PlanId, SlotId, Timestamp};
use plans::{Commitment, Pricing};

use crate::filter::{
    CLICK_HOLD_SECONDS, CLICK_WINDOW_SECONDS, Click, EventKind, Impression, Reason, Verdict, Viewable, click,
    impression, viewable,
};
use crate::unconfirmed::ViewsOfDay;

pub use evidence::{Booking, Event, Evidence, Judgement, Promise, Report, Seen, Target, WonOffer};

/// Judges events in order, and adds up what is booked for them.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// Includes the effects of the events judged so far.
    evidence: Evidence,
    bookings: BTreeMap<PlanId, Booking>,
    used: BTreeMap<i64, i64>,
    used_in_exchanges: BTreeMap<i64, i64>,
    views: BTreeMap<SlotId, ViewsOfDay>,
}

/// The price of an event, and what pays it.
#[derive(Clone, Copy)]
struct Payment {
    milli: i64,
    promise: Option<Kept>,
}

/// A promise that still holds.
#[derive(Clone, Copy)]
struct Kept {
    lease: i64,
    until: Timestamp,
    is_won: bool,
}

impl Judge {
    pub fn new(evidence: Evidence) -> Self {
        Self { evidence, ..Self::default() }
    }

    /// The amounts to book, by plan.
    pub const fn bookings(&self) -> &BTreeMap<PlanId, Booking> {
        &self.bookings
    }

    /// The part of the bookings that comes out of each lease, in milli.
    pub const fn used(&self) -> &BTreeMap<i64, i64> {
        &self.used
    }

    /// The part of it that was promised in exchanges.
    pub const fn used_in_exchanges(&self) -> &BTreeMap<i64, i64> {
        &self.used_in_exchanges
    }

    /// How views in exchanges were reported, by their slots.
    pub const fn views(&self) -> &BTreeMap<SlotId, ViewsOfDay> {
        &self.views
    }

    /// Plans whose budget is now used up.
    pub fn used_up(&self) -> impl Iterator<Item = PlanId> {
        let used = |plan: &PlanId| self.evidence.plans.get(plan).is_some_and(|target| target.commitment.is_used());
        self.bookings.keys().copied().filter(used)
    }

    /// `None` if there is no such plan.
    pub fn judge(&mut self, event: &Event, now: Timestamp) -> Option<Judgement> {
        let target = *self.evidence.plans.get(&event.token.plan)?;
        if let Some((verdict, report)) = self.of_known_view(event, &target, now) {
            if let Some(report) = report {
                self.keep(event, report, now);
            }
            return Some(Judgement { verdict, price_milli: 0, owed_milli: None, promise: Promise::Untouched, report });
        }
        let costs = event.is_from_slot() && event.kind.is_priced_by(target.pricing);
        let verdict = match event.kind {
            EventKind::Impression => {
                self.impression(event, &target, costs, now).and_then(|()| self.within_share(event))
            }
            EventKind::Click => self.click(event, &target, costs, now),
            EventKind::Viewable => self.viewable(event, now),
            // These kinds result from other events; they are never judged themselves.
            EventKind::Notice | EventKind::Confirmation | EventKind::Claim => return None,
        };
        let verdict = verdict.and_then(|()| self.within_day(event, &target, costs, now));
        let paid = if verdict.is_ok() && costs { self.pay(event, &target, now) } else { None };
        let promise = self.promise(event, verdict, target.pricing, paid, now);
        let price_milli = paid.map_or(0, |paid| paid.milli);
        let owed_milli = event.owed(price_milli).filter(|_| paid.is_some());
        let report = self.first_report(event, &target, verdict);
        if verdict.is_ok() {
            self.remember(event, owed_milli, now);
        }
        if let Some(report) = report {
            self.keep(event, report, now);
        }
        Some(Judgement { verdict, price_milli, owed_milli, promise, report })
    }

    /// The notice or the picture of a view in an exchange that the other one, or the same, has reported before: why
    /// it is no view of its own, and what it adds.
    fn of_known_view(&self, event: &Event, target: &Target, now: Timestamp) -> Option<(Verdict, Option<Report>)> {
        if !event.is_view_in_exchange() {
            return None;
        }
        let known = |kind| self.evidence.seen.get(&(event.nonce, kind)).copied();
        let view = known(EventKind::Impression);
        if event.by_notice {
            if known(EventKind::Notice).or_else(|| known(EventKind::Claim)).is_some() {
                return Some((Err(Reason::Duplicate), None));
            }
            let view = view?;
            return Some(match completed(view, target, now) {
                Ok(()) => {
                    let owed_milli = event.owed(target.commitment.unit_milli);
                    (Err(Reason::Duplicate), Some(Report { kind: EventKind::Notice, owed_milli }))
                }
                Err(why) => (Err(why), None),
            });
        }
        view?.owed_milli.filter(|_| known(EventKind::Confirmation).is_none())?;
        let seen_before = false;
        Some(match impression(&Impression { seen_before, affordable: true, ..self.reported(event, target, now) }) {
            Ok(()) => (Err(Reason::Duplicate), Some(Report { kind: EventKind::Confirmation, owed_milli: None })),
            Err(why) => (Err(why), None),
        })
    }

    /// The report to store together with the first report of a view in an exchange.
    fn first_report(&self, event: &Event, target: &Target, verdict: Verdict) -> Option<Report> {
        if !event.is_view_in_exchange() {
            return None;
        }
        let claim = self.evidence.seen.get(&(event.nonce, EventKind::Claim));
        match verdict {
            Ok(()) if !event.by_notice => {
                Some(Report { kind: EventKind::Notice, owed_milli: Some(claim?.owed_milli.unwrap_or(0)) })
            }
            Err(Reason::UnconfirmedShareReached) => {
                Some(Report { kind: EventKind::Claim, owed_milli: event.owed(target.commitment.unit_milli) })
            }
            _ => None,
        }
    }

    /// An exchange's notice of a view that no picture has reported.
    fn within_share(&self, event: &Event) -> Verdict {
        let day = || self.evidence.exchanges.get(&event.slot()?);
        let has_room = !event.by_notice || day().is_some_and(|day| day.views.has_room(day.terms));
        if has_room { Ok(()) } else { Err(Reason::UnconfirmedShareReached) }
    }

    fn impression(&self, event: &Event, target: &Target, costs: bool, now: Timestamp) -> Verdict {
        let affordable = !costs || self.is_affordable(event, target, now);
        impression(&Impression { affordable, ..self.reported(event, target, now) })
    }

    /// The facts about a view, except whether its price is available.
    fn reported(&self, event: &Event, target: &Target, now: Timestamp) -> Impression {
        Impression {
            automatic: event.automatic,
            prefetched: event.prefetched,
            seen_before: self.seen_at(event, EventKind::Impression).is_some(),
            shared: !event.is_from_slot(),
            affordable: false,
            plan_open: target.status.is_running(),
            issued_at: event.token.issued_at,
            at: now,
            of_visitor: self.visits(event),
        }
    }

    fn click(&self, event: &Event, target: &Target, costs: bool, now: Timestamp) -> Verdict {
        click(&Click {
            automatic: event.automatic,
            prefetched: event.prefetched,
            clicked_before: self.seen_at(event, EventKind::Click).is_some(),
            seen_at: self.seen_at(event, EventKind::Impression),
            shared: !event.is_from_slot(),
            affordable: !costs || self.is_affordable(event, target, now),
            plan_open: target.status.takes_clicks(event.is_from_slot(), costs),
            at: now,
            of_visitor: self.visits(event),
        })
    }

    /// A viewable event costs nothing, so neither the price nor the plan's state matters. A shared link has no view of
    /// its own.
    fn viewable(&self, event: &Event, now: Timestamp) -> Verdict {
        viewable(&Viewable {
            automatic: event.automatic,
            prefetched: event.prefetched,
            reported_before: self.seen_at(event, EventKind::Viewable).is_some(),
            seen_at: self.seen_at(event, EventKind::Impression),
            at: now,
        })
    }

    fn seen_at(&self, event: &Event, kind: EventKind) -> Option<Timestamp> {
        self.evidence.seen.get(&(event.nonce, kind)).map(|seen| seen.at)
    }

    /// The earlier events of the visitor. Both counts are added, so that a visitor who only sometimes asks not to be
    /// tracked is counted as one. A picture that only confirms a view counts as a look as well.
    fn visits(&self, event: &Event) -> i64 {
        let of = |visitor, kind| self.evidence.visits.get(&(event.token.plan, visitor, kind)).copied().unwrap_or(0);
        let of_visitor = event.visitor.map_or(0, |visitor| match event.kind {
            EventKind::Impression => of(visitor, EventKind::Impression) + of(visitor, EventKind::Confirmation),
            kind => of(visitor, kind),
        });
        of_visitor.saturating_add(event.of_passing)
    }

    /// The price is available: promised in the lease, or left in a running plan's budget.
    fn is_affordable(&self, event: &Event, target: &Target, now: Timestamp) -> bool {
        let Commitment { booked_milli, unit_milli, .. } = target.commitment;
        let of_others = if event.is_lost { self.for_exchanges(event.token.lease).unwrap_or(0) } else { 0 };
        let by_now = booked_milli.saturating_add(of_others).saturating_add(unit_milli);
        let in_time = event.token.bid.is_none() || by_now <= target.line_milli;
        let free = target.status.is_running() && target.commitment.has_room() && in_time;
        free && target.schedule.is_open(now) || self.promise_of(event, target, now).is_some()
    }

    /// Checks the day's limit. An event without a promise must leave what is reserved for others. A promised price
    /// fits, unless the limit was lowered.
    fn within_day(&self, event: &Event, target: &Target, costs: bool, now: Timestamp) -> Verdict {
        let Commitment { unit_milli, reserved_milli, .. } = target.commitment;
        let of_others = if self.promise_of(event, target, now).is_some() { 0 } else { reserved_milli };
        let fits = !costs || unit_milli <= target.day_milli.saturating_sub(of_others);
        if fits { Ok(()) } else { Err(Reason::PlanDayCapReached) }
    }

    /// Its promise, if it still holds. A late event may find it given to others.
    fn promise_of(&self, event: &Event, target: &Target, now: Timestamp) -> Option<Kept> {
        let token = &event.token;
        // Another server may not know yet that the plan has ended.
        if target.schedule.is_over(now) && target.schedule.is_over(token.issued_at) {
            return None;
        }
        let until = match event.kind {
            EventKind::Impression => Some(token.promised_until(Pricing::Cpm)),
            EventKind::Click => self
                .seen_at(event, EventKind::Impression)
                .map(|seen| seen.plus_seconds(CLICK_HOLD_SECONDS))
                .filter(|_| now <= token.promised_until(Pricing::Cpc)),
            EventKind::Viewable | EventKind::Notice | EventKind::Confirmation | EventKind::Claim => None,
        };
        let promised = event.promised.filter(|_| target.schedule.is_open(now));
        let until = promised.or(until.filter(|until| now <= *until && !event.is_lost));
        let own = until.map(|until| Kept { lease: token.lease, until, is_won: false });
        let won = self.evidence.won.get(&event.nonce).filter(|won| now <= won.until);
        let won = won.filter(|_| event.kind == EventKind::Impression);
        let won = won.map(|won| Kept { lease: won.lease, until: won.until, is_won: true });
        let lease = |kept: &Kept| self.evidence.leases.get(&kept.lease).filter(|lease| lease.plan == token.plan);
        let unit = target.commitment.unit_milli;
        let holds = |kept: &Kept| lease(kept).is_some_and(|lease| lease.left_milli >= unit);
        let is_covered = |kept: &Kept| holds(kept) && self.has_part(event, kept.lease, unit);
        won.filter(is_covered).or(own.filter(is_covered))
    }

    /// Whether what is for exchanges of a lease has room for the view. All that was offered to them has, unless one said
    /// to another server that offers had lost, and reports their views after their prices were offered again.
    fn has_part(&self, event: &Event, lease: i64, unit_milli: i64) -> bool {
        event.token.bid.is_none() || self.for_exchanges(lease).is_none_or(|left| left >= unit_milli)
    }

    /// What is for exchanges of a lease and not booked, if that is limited.
    fn for_exchanges(&self, lease: i64) -> Option<i64> {
        self.evidence.for_exchanges.get(&lease).copied()
    }

    /// Moves the price from the lease or the budget to what is booked.
    fn pay(&mut self, event: &Event, target: &Target, now: Timestamp) -> Option<Payment> {
        let (plan, milli) = (event.token.plan, target.commitment.unit_milli);
        let promise = self.promise_of(event, target, now);
        if let Some(Kept { lease, .. }) = promise {
            self.evidence.leases.get_mut(&lease)?.left_milli -= milli;
            *self.used.entry(lease).or_default() += milli;
            if event.token.bid.is_some() {
                *self.used_in_exchanges.entry(lease).or_default() += milli;
                self.evidence.for_exchanges.entry(lease).and_modify(|left| *left -= milli);
            }
        }
        let target = self.evidence.plans.get_mut(&plan)?;
        target.commitment = target.commitment.booked(promise.is_some());
        target.day_milli = target.day_milli.saturating_sub(milli);
        let booking = self.bookings.entry(plan).or_default();
        booking.booked_milli += milli;
        booking.from_reserved_milli += if promise.is_some() { milli } else { 0 };
        Some(Payment { milli, promise })
    }

    fn promise(
        &self,
        event: &Event,
        verdict: Verdict,
        pricing: Pricing,
        paid: Option<Payment>,
        now: Timestamp,
    ) -> Promise {
        if verdict.is_err() || !event.is_from_slot() {
            return Promise::Untouched;
        }
        match (event.kind, pricing, paid.and_then(|paid| paid.promise)) {
            (EventKind::Impression, Pricing::Cpc, _) => {
                Promise::Kept(event.token.promised_until(pricing), now.plus_seconds(CLICK_HOLD_SECONDS))
            }
            (_, _, Some(Kept { lease, until, is_won: true })) => Promise::Won(lease, until),
            (_, _, Some(Kept { until, .. })) => Promise::Booked(until),
            _ => Promise::Untouched,
        }
    }

    fn remember(&mut self, event: &Event, owed_milli: Option<i64>, now: Timestamp) {
        self.evidence.seen.insert((event.nonce, event.kind), Seen { at: now, owed_milli });
        self.count_visit(event, event.kind);
        if event.is_view_in_exchange() {
            let one = ViewsOfDay {
                by_picture: i64::from(!event.by_notice),
                by_notice: i64::from(event.by_notice),
                confirmed: 0,
            };
            self.count_views(event, one);
        }
    }

    fn keep(&mut self, event: &Event, report: Report, now: Timestamp) {
        let Report { kind, owed_milli } = report;
        self.evidence.seen.insert((event.nonce, kind), Seen { at: now, owed_milli });
        if kind == EventKind::Confirmation {
            self.count_visit(event, kind);
            self.count_views(event, ViewsOfDay { confirmed: 1, ..ViewsOfDay::default() });
        }
    }

    fn count_visit(&mut self, event: &Event, kind: EventKind) {
        if let Some(visitor) = event.visitor {
            *self.evidence.visits.entry((event.token.plan, visitor, kind)).or_default() += 1;
        }
    }

    fn count_views(&mut self, event: &Event, more: ViewsOfDay) {
        let Some(slot) = event.slot() else { return };
        let added = self.views.entry(slot).or_default();
        *added = added.plus(more);
        if let Some(day) = self.evidence.exchanges.get_mut(&slot) {
            day.views = day.views.plus(more);
        }
    }
}

/// Whether a notice still completes a view that its picture has reported.
fn completed(view: Seen, target: &Target, now: Timestamp) -> Verdict {
    match view.owed_milli {
        Some(_) => Err(Reason::Duplicate),
        None if target.status.is_final() => Err(Reason::PlanEnded),
        None if now.since(view.at) > CLICK_WINDOW_SECONDS * 1000 => Err(Reason::ExpiredToken),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
