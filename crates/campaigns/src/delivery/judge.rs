//! Judges impressions and clicks, many at once: loads what is needed, lets the crate `delivery` judge them in order,
//! and saves the results. docs/DELIVERY.md explains the rules.

use std::collections::{BTreeMap, HashMap, HashSet};

use base::{PlanId, SlotId, Timestamp};
use delivery::{Event, EventKind, Evidence, Judge, Judgement, Nonce, Origin, Report};
use foundation::{Error, Refusal};
use plans::DayBudget;
use store::delivery::event::{self, Target};
use store::delivery::judged::{self, Judged, NewEvent};
use store::delivery::lease::{self, GrantedLease};
use store::delivery::{ssp, unrolled, won_offer};
use store::{Batch, Context, Realm, Tx};

use crate::delivery::day::day_at;

/// How far back a visitor's events are counted. A visitor's identity changes daily, so no older event has it.
const VISITOR_SECONDS: i64 = 2 * 86_400;

/// An impression or a click to be judged.
#[derive(Clone, Debug)]
pub(crate) struct JudgeEvent {
    pub event: Event,
    /// Whether to store it even if it does not count.
    pub kept_if_refused: bool,
    pub realm: Realm,
}

/// The decision, and where a click leads; `None` for the hosted page.
pub(crate) type Answer = (Judgement, Option<String>);

pub(crate) struct State {
    judge: Judge,
    plans: HashMap<PlanId, Target>,
    days: BTreeMap<PlanId, DayBudget>,
    new: Vec<NewEvent>,
    realm: Realm,
    now: Timestamp,
}

impl Batch<Context> for JudgeEvent {
    type Answer = Answer;
    type Error = Error;
    type State = State;
    type Decision = Answer;
    type Saved = ();

    fn load(tx: &mut Tx<'_>, commands: &[Self]) -> Result<State, Error> {
        let events = || commands.iter().map(|command| &command.event);
        let targets = event::lock_plans(tx, events().map(|event| event.token.plan))?;
        let offers = nonces(events().filter(|event| event.token.bid.is_some()));
        let won: HashMap<_, _> = won_offer::load(tx, &offers)?.into_iter().collect();
        let of_tokens = events().map(|event| event.token.lease).filter(|id| *id > 0);
        let leases = lease::load_parts(tx, of_tokens.chain(won.values().map(|won| won.lease)))?;
        let seen = event::seen(tx, &nonces(events()))?;
        let mut visitors: Vec<_> = events().filter_map(|event| Some((event.token.plan, event.visitor?))).collect();
        visitors.sort_unstable_by_key(|(plan, visitor)| (plan.0, visitor.0));
        visitors.dedup();
        let now = tx.now();
        let visits = event::of_visitors(tx, &visitors, now.plus_seconds(-VISITOR_SECONDS), now)?;
        let exchanges = ssp::lock_views(tx, noticed(events()))?;
        let days: BTreeMap<_, _> =
            targets.iter().map(|target| (target.id, day_at(target.day(), &target.zone, now))).collect();
        let judged_by = |target: &Target| Some((target.id, target.judged_by(*days.get(&target.id)?, now)));
        let evidence = Evidence {
            plans: targets.iter().filter_map(judged_by).collect(),
            for_exchanges: for_exchanges(&leases, &targets),
            leases: leases.into_iter().map(|granted| (granted.lease.id, granted.lease)).collect(),
            won,
            seen: seen.into_iter().map(|seen| ((seen.nonce, seen.kind), seen.seen)).collect(),
            visits: visits.into_iter().map(|visit| ((visit.plan, visit.visitor, visit.kind), visit.number)).collect(),
            exchanges,
        };
        Ok(State {
            judge: Judge::new(evidence),
            plans: targets.into_iter().map(|target| (target.id, target)).collect(),
            days,
            new: Vec::with_capacity(commands.len()),
            realm: commands.first().map_or(Realm::Simulated, |command| command.realm),
            now,
        })
    }

    fn decide(&self, state: &mut State) -> Result<Answer, Error> {
        let event = &self.event;
        let target = state.plans.get(&event.token.plan).ok_or(Refusal::NotFound)?;
        let judged = state.judge.judge(event, state.now).ok_or(Refusal::NotFound)?;
        let kept = self.kept_if_refused && !event.is_second_report(judged.verdict);
        if judged.verdict.is_ok() || kept {
            state.new.push(new_event(event, &judged));
        }
        state.new.extend(judged.report.map(|report| new_report(event, report)));
        Ok((judged, target.landing_url.clone()))
    }

    fn save(state: State, tx: &mut Tx<'_>) -> Result<(), Error> {
        let State { judge, plans, days, new, realm, .. } = state;
        let marks = new.iter().filter_map(|event| plans.get(&event.plan));
        let judged = Judged {
            realm,
            events: &new,
            bookings: judge.bookings(),
            used: judge.used(),
            used_in_exchanges: judge.used_in_exchanges(),
            views: judge.views(),
            days: &days,
            plans: &marks.map(|plan| (plan.id, plan.rolled_at)).collect(),
        };
        judged::save(tx, &judged)?;
        Ok(unrolled::urge(tx, judge.used_up().collect())?)
    }

    fn answer(decision: Answer, (): &()) -> Answer {
        decision
    }
}

/// What of each lease exchanges may be billed. With AI delivery, whole leases follow the pace of the plan's days, and
/// nothing of them is set aside.
fn for_exchanges(leases: &[GrantedLease], plans: &[Target]) -> HashMap<i64, i64> {
    let paced: HashSet<PlanId> = plans.iter().filter(|plan| plan.ai_delivery).map(|plan| plan.id).collect();
    let limited = leases.iter().filter(|granted| !paced.contains(&granted.lease.plan));
    limited.map(|granted| (granted.lease.id, granted.exchanges_milli)).collect()
}

/// The slots of exchanges whose views of today must be locked: those of all events if there is a notice among them, so
/// that they are locked in one order.
fn noticed<'a>(events: impl Iterator<Item = &'a Event> + Clone) -> Vec<SlotId> {
    if !events.clone().any(|event| event.by_notice) {
        return Vec::new();
    }
    let in_exchanges = events.filter(|event| event.token.bid.is_some());
    in_exchanges.filter_map(slot).collect()
}

fn slot(event: &Event) -> Option<SlotId> {
    match event.token.origin {
        Origin::Slot(slot) => Some(slot),
        Origin::Share => None,
    }
}

/// The nonces of slots' tokens. Those of shared links are always new.
fn nonces<'a>(events: impl Iterator<Item = &'a Event>) -> Vec<Nonce> {
    let from_slots = events.filter(|event| matches!(event.token.origin, Origin::Slot(_)));
    let mut nonces: Vec<Nonce> = from_slots.map(|event| event.nonce).collect();
    nonces.sort_unstable_by_key(|nonce| nonce.0);
    nonces.dedup();
    nonces
}

fn new_event(event: &Event, judged: &Judgement) -> NewEvent {
    NewEvent {
        plan: event.token.plan,
        kind: event.kind,
        nonce: event.nonce,
        slot: slot(event),
        verdict: judged.verdict,
        price_milli: judged.price_milli,
        visitor: event.visitor,
        device: event.device,
        choice: event.token.choice,
        cleared_milli: judged.owed_milli,
        source: event.token.bid.as_ref().map(|bid| bid.source.clone()),
    }
}

/// An event for what a notice or a picture adds to a view that the other one has reported. Only a picture shows who
/// looked.
fn new_report(event: &Event, report: Report) -> NewEvent {
    NewEvent {
        plan: event.token.plan,
        kind: report.kind,
        nonce: event.nonce,
        slot: slot(event),
        verdict: Ok(()),
        price_milli: 0,
        visitor: event.visitor.filter(|_| report.kind == EventKind::Confirmation),
        device: event.device.filter(|_| report.kind == EventKind::Confirmation),
        choice: event.token.choice,
        cleared_milli: report.owed_milli,
        source: event.token.bid.as_ref().map(|bid| bid.source.clone()),
    }
}
