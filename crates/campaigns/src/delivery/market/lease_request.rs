//! Requests leases on plans' budgets, many at once. The crate `delivery` decides how much each gets.

use std::collections::{BTreeMap, HashMap, HashSet};

use base::{PlanId, Timestamp};
use delivery::{Grant, Learner, LeaseConditions, LeasesHeld, NoLease, Pace, grant};
use foundation::Error;
use market::{GrantedLease, LeaseAnswer, LeasePacing};
use plans::Status;
use store::delivery::event::{Target, lock_plans};
use store::delivery::lease::{self, LeaseGrant, Returned};
use store::{Batch, Context, Tx};

use crate::delivery::day::day_at;
use crate::delivery::plan_notices;

pub struct LeaseRequest {
    pub plan: PlanId,
    /// The leases on the plan that the holder has.
    pub held: LeasesHeld,
    /// Whether exchanges need budget of the plan.
    pub for_exchanges: bool,
    pub holder: String,
}

pub struct State {
    plans: HashMap<PlanId, LeaseConditions>,
    leases: HashMap<i64, lease::GrantedLease>,
    /// The pace of each plan's days, and what is booked and promised to exchanges.
    lines: HashMap<PlanId, (Pace, i64)>,
    /// The plans that were decided on; each gets one lease.
    decided: HashSet<PlanId>,
    granted: Vec<LeaseGrant>,
    now: Timestamp,
}

/// The saved state of one plan.
pub struct Saved {
    plans: HashMap<PlanId, LeaseConditions>,
    leases: BTreeMap<PlanId, lease::GrantedLease>,
    learners: HashMap<PlanId, Learner>,
    /// When the days of plans end that were delivered for the first time.
    ends: HashMap<PlanId, Timestamp>,
    now: Timestamp,
}

impl Batch<Context> for LeaseRequest {
    type Answer = LeaseAnswer;
    type Error = Error;
    type State = State;
    type Decision = Result<(PlanId, Grant), NoLease>;
    type Saved = Saved;

    fn load(tx: &mut Tx<'_>, commands: &[Self]) -> Result<State, Error> {
        let now = tx.now();
        let targets = lock_plans(tx, commands.iter().map(|command| command.plan))?;
        let unpayable = lease::unpayable(tx, targets.iter().map(|target| target.id))?;
        let conditions = |target: &Target| {
            let today = day_at(target.day(), &target.zone, now);
            (target.id, target.leased(today, !unpayable.contains(&target.id), now))
        };
        let plans = targets.iter().map(conditions).collect();
        let leases = lease::load_parts(tx, commands.iter().flat_map(LeaseRequest::leases))?;
        let leases = leases.into_iter().map(|granted| (granted.lease.id, granted)).collect();
        let asked = || commands.iter().filter(|command| command.for_exchanges).map(|command| command.plan);
        let promised = lease::for_exchanges(tx, asked())?;
        let line = |target: &Target| {
            let plan = target.id;
            let booked = target.commitment().booked_milli;
            (plan, (target.line(now), booked + promised.get(&plan).copied().unwrap_or(0)))
        };
        let lines = targets.iter().map(line).collect();
        Ok(State { plans, leases, lines, decided: HashSet::new(), granted: Vec::new(), now })
    }

    fn decide(&self, state: &mut State) -> Result<Self::Decision, Error> {
        let Some(plan) = state.plans.get_mut(&self.plan).filter(|_| state.decided.insert(self.plan)) else {
            return Ok(Err(NoLease::Nothing));
        };
        let returned = self.returned(&state.leases);
        let released = plan.released(returned.iter().map(|of| of.milli).sum());
        let of_exchanges: i64 = returned.iter().map(|of| of.exchanges_milli).sum();
        let held = self.held.current.and_then(|id| state.leases.get(&id)).map(|granted| &granted.lease);
        let granted = grant(&released, held, self.held.spare_milli, state.now);
        Ok(granted.map(|grant| {
            *plan = released;
            let line = state.lines.get(&self.plan).filter(|_| self.for_exchanges && plan.pace.is_none());
            let exchanges_milli =
                line.map_or(0, |(line, committed)| line.part_for_exchanges(*committed - of_exchanges, state.now));
            let (plan, holder) = (self.plan, self.holder.clone());
            state.granted.push(LeaseGrant { plan, holder, grant, returned, exchanges_milli });
            (self.plan, grant)
        }))
    }

    fn save(state: State, tx: &mut Tx<'_>) -> Result<Saved, Error> {
        let State { plans, granted, now, .. } = state;
        let of = |granted: &LeaseGrant| plans.get(&granted.plan).copied();
        let leased: Vec<LeaseConditions> = granted.iter().filter_map(of).collect();
        let ends =
            deliver_first(tx, leased.iter().filter(|plan| plan.status == Status::Matching).map(|plan| plan.plan))?;
        let paced = leased.iter().filter(|plan| plan.pace.is_some()).map(|plan| plan.plan);
        let learners = store::delivery::arm::learners(tx, paced.collect::<Vec<_>>())?;
        let learners = learners.into_iter().map(|(plan, learner)| (PlanId(plan), learner)).collect();
        let leases = lease::grant(tx, &granted)?.into_iter().map(|granted| (granted.lease.plan, granted)).collect();
        Ok(Saved { plans, leases, learners, ends, now })
    }

    fn answer(decision: Self::Decision, saved: &Saved) -> LeaseAnswer {
        let (plan, Grant { add_milli, .. }) = decision?;
        let lease::GrantedLease { lease, exchanges_milli } = *saved.leases.get(&plan).ok_or(NoLease::Nothing)?;
        let leased = saved.plans.get(&plan).ok_or(NoLease::Nothing)?;
        let paced = leased.pace.zip(saved.learners.get(&plan)).map(|(pace, learner)| LeasePacing {
            pace,
            committed: leased.commitment.committed_milli() + add_milli,
            learner: learner.clone(),
        });
        let ends_at = saved.ends.get(&plan).copied();
        // With AI delivery, whole leases follow the pace of the plan's days.
        let exchanges_milli = leased.pace.is_none().then_some(exchanges_milli);
        Ok(GrantedLease { lease, exchanges_milli, more: leased.has_more(add_milli, saved.now), ends_at, paced })
    }
}

impl LeaseRequest {
    fn leases(&self) -> impl Iterator<Item = i64> {
        self.held.current.into_iter().chain(self.held.older.iter().map(|(lease, _)| *lease))
    }

    /// What is given back of leases of which nothing more is promised.
    fn returned(&self, leases: &HashMap<i64, lease::GrantedLease>) -> Vec<Returned> {
        let of_plan = |id: &i64| leases.get(id).filter(|granted| granted.lease.plan == self.plan);
        let given_back = |(id, kept): &(i64, i64)| Some(of_plan(id)?.given_back(*kept));
        self.held.older.iter().filter_map(given_back).filter(|of| of.milli > 0 || of.exchanges_milli > 0).collect()
    }
}

/// Starts the days of plans that waited for their first slot; returns when these days end.
fn deliver_first(tx: &mut Tx<'_>, waiting: impl Iterator<Item = PlanId>) -> Result<HashMap<PlanId, Timestamp>, Error> {
    let waiting: Vec<PlanId> = waiting.collect();
    if waiting.is_empty() {
        return Ok(HashMap::new());
    }
    let plans = store::plans::plan::lock_all(tx, waiting)?;
    let mut steps = Vec::with_capacity(plans.len());
    for plan in &plans {
        steps.push((plan, plan.life().first_delivery(tx.now())?));
    }
    plan_notices::take_all(tx, &steps)?;
    Ok(steps.iter().filter_map(|(plan, step)| Some((plan.id, step.due_at?))).collect())
}
