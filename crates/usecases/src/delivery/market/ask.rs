//! Asking the database for a lease on a plan's budget, or for more of one.

use std::collections::{BTreeMap, HashMap, HashSet};

use base::{PlanId, Timestamp};
use plans::Status;
use store::delivery::event::{Target, lock_plans};
use store::delivery::lease::{self, Granted, Lease};
use store::{Answers, Batch, Tx};

use super::ai::Paced;
use super::held::LEASE_SECONDS;
use crate::Error;
use crate::plans::plan_notices;

/// The most prices that one lease is for.
const PRICES: i64 = 4_096;
/// One server takes at most this part of what is free, so that others find some.
const PART: i64 = 4;

pub struct Ask {
    pub plan: PlanId,
    /// The lease held on it, to be lengthened and filled up.
    pub lease: Option<i64>,
    /// What of it is not promised yet; below zero where promises were booked
    /// elsewhere and have not lapsed here.
    pub spare_milli: i64,
    pub holder: String,
}

/// A lease as it was answered.
#[derive(Clone, Debug)]
pub struct Given {
    pub lease: Lease,
    /// The budget has more to give.
    pub more: bool,
    /// Of a plan with AI delivery.
    pub paced: Option<Paced>,
}

#[derive(Clone, Debug)]
pub enum Answer {
    Given(Given),
    /// Its even line allows nothing more until then.
    NotBefore(Timestamp),
    /// The plan can promise nothing now.
    Nothing,
}

impl Batch for Ask {
    type Answer = Answer;
    type Error = Error;

    fn run(tx: &mut Tx<'_>, asked: &[Self]) -> Result<Answers<Self>, Error> {
        let targets = lock_plans(tx, asked.iter().map(|ask| ask.plan))?;
        let targets: HashMap<i64, Target> = targets.into_iter().map(|target| (target.id, target)).collect();
        let held = lease::load(tx, asked.iter().filter_map(|ask| ask.lease))?;
        let held: HashMap<i64, Lease> = held.into_iter().map(|lease| (lease.id, lease)).collect();
        let mut seen = HashSet::new();
        let granted: Vec<Granted> = asked
            .iter()
            .filter(|ask| seen.insert(ask.plan))
            .filter_map(|ask| decide(tx, ask, targets.get(&ask.plan.0)?, ask.lease.and_then(|id| held.get(&id))))
            .collect();
        first_deliveries(tx, granted.iter().filter_map(|granted| targets.get(&granted.plan.0)))?;
        let added: HashMap<i64, i64> = granted.iter().map(|granted| (granted.plan.0, granted.add_milli)).collect();
        let paced = granted.iter().filter(|granted| targets.get(&granted.plan.0).is_some_and(|t| t.ai_delivery));
        let mut learners = store::delivery::arm::learners(tx, paced.map(|granted| granted.plan).collect::<Vec<_>>())?;
        let now = tx.now();
        let given = |lease: Lease| {
            let added = added.get(&lease.plan_id).copied().unwrap_or(0);
            let target = targets.get(&lease.plan_id);
            let more = target.is_some_and(|t| free(t, now) - added >= t.unit_milli);
            let paced = target.and_then(|target| {
                let (pace, learner) = (target.pace(now)?, learners.remove(&target.id)?);
                Some(Paced { pace, committed: target.committed_milli() + added, learner })
            });
            (lease.plan_id, Given { lease, more, paced })
        };
        let mut leases: BTreeMap<i64, Given> = lease::grant(tx, &granted)?.into_iter().map(given).collect();
        let refused = |ask: &Self| match targets.get(&ask.plan.0).and_then(|target| not_before(target, now)) {
            Some(at) => Answer::NotBefore(at),
            None => Answer::Nothing,
        };
        let answer = |ask: &Self| leases.remove(&ask.plan.0).map_or_else(|| refused(ask), Answer::Given);
        Ok(asked.iter().map(answer).map(Ok).collect())
    }
}

/// What may still be promised, in milli: of the budget, and of what a paced
/// plan's line allows by now.
fn free(target: &Target, now: Timestamp) -> i64 {
    let allowed = target.pace(now).map_or(i64::MAX, |pace| pace.allowed(now).saturating_sub(target.committed_milli()));
    target.free_milli().min(allowed.max(0))
}

/// When a paced plan's line allows one price more; `None` where it is not the
/// line that forbids it.
fn not_before(target: &Target, now: Timestamp) -> Option<Timestamp> {
    let at = target.pace(now)?.allows_at(target.committed_milli().saturating_add(target.unit_milli))?;
    (target.is_running() && at > now).then_some(at)
}

fn decide(tx: &Tx<'_>, ask: &Ask, target: &Target, held: Option<&Lease>) -> Option<Granted> {
    let now = tx.now();
    let open = target.is_running() && !target.paused && target.due_at.is_some_and(|due| due > now.millis());
    let held = held.filter(|lease| lease.plan_id == target.id && lease.ends_at > now.millis());
    let left = held.map_or(0, |lease| lease.left_milli);
    let spare = ask.spare_milli.min(left);
    let (unit, free) = (target.unit_milli, free(target, now));
    let wanted = (free / PART / unit).clamp(1, PRICES).saturating_mul(unit);
    // With twice as much as it would add, a lease is full.
    let missing = if spare >= wanted.saturating_mul(2) { 0 } else { wanted - spare.min(0) };
    let add_milli = missing.min(free / unit * unit);
    // Who holds it knows what of it is promised.
    if !open || left + add_milli < unit {
        return None;
    }
    let ends_at = now.plus_seconds(LEASE_SECONDS);
    Some(Granted { lease: held.map(|l| l.id), plan: ask.plan, holder: ask.holder.clone(), add_milli, ends_at })
}

/// A slot was found for plans that waited for one.
fn first_deliveries<'a>(tx: &mut Tx<'_>, targets: impl Iterator<Item = &'a Target>) -> Result<(), Error> {
    let mut waiting = Vec::new();
    for target in targets {
        if target.status()? == Status::Matching {
            waiting.push(PlanId(target.id));
        }
    }
    if waiting.is_empty() {
        return Ok(());
    }
    let plans = store::plans::plan::lock_all(tx, waiting)?;
    let mut steps = Vec::with_capacity(plans.len());
    for plan in &plans {
        steps.push((plan, plan.life()?.first_delivery(tx.now())?));
    }
    plan_notices::take_all(tx, &steps)
}
