//! Repeats a plan's choices from its log and compares them with the recorded ones. The same counts, arms and nonce give
//! the same arm with the same probability.

use std::collections::{BTreeMap, BTreeSet};

use base::{PlanId, refuse_if};
use delivery::{ArmSet, Choice, Learner, Nonce};
use foundation::{Error, Refusal};
use serde::Serialize;
use store::delivery::event::LoggedEvent;

use crate::AdServer;
use crate::delivery::archive::{ArchivedEvents, oldest};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replay {
    pub ok: bool,
    pub plan_no: String,
    pub choices: i64,
    /// The first click ids whose repeated choice differs.
    pub differences: Vec<String>,
}

const PAGE: i64 = 2_000;
const AT_MOST: usize = 100;

/// # Errors
/// `not_found` for a number that belongs to no plan with AI delivery.
pub async fn replay(app: &AdServer, plan_no: &str) -> Result<Replay, Error> {
    let number = plan_no.to_owned();
    let (plan, _) = app.db.read(move |conn| foundation::accounts::finding::plan(conn, &number)).await?;
    refuse_if(!plan.ai_delivery, Refusal::NotFound)?;
    let id = plan.id;
    let begun = app.db.read(move |conn| store::delivery::arm::learners(conn, [id])).await?.remove(&id.0);
    let mut history = History::new(begun.ok_or(Refusal::NotFound)?, moments(app, id).await?);
    let mut result = Replay { ok: true, plan_no: plan.plan_no, choices: 0, differences: Vec::new() };
    let mut above = 0;
    loop {
        let events = read_logged(app, id, above).await?;
        let Some(last) = events.last() else { return Ok(result) };
        above = last.id;
        for event in &events {
            history.reach(event.id);
            if let Some((choice, nonce)) = made(event) {
                result.choices += 1;
                if history.again(&choice, nonce) != Some(choice) {
                    result.ok = false;
                    result.differences.push(nonce.text());
                    result.differences.truncate(AT_MOST);
                }
            }
            history.count(event);
        }
    }
}

/// The events up to which the plan had learned when it made choices.
async fn moments(app: &AdServer, plan: PlanId) -> Result<BTreeSet<i64>, Error> {
    let (mut moments, mut above) = (BTreeSet::new(), 0);
    loop {
        let events = read_logged(app, plan, above).await?;
        let Some(last) = events.last() else { return Ok(moments) };
        above = last.id;
        moments.extend(events.iter().filter_map(|event| event.learned));
    }
}

/// The next events of a plan in order, from the database and from files.
async fn read_logged(app: &AdServer, plan: PlanId, above: i64) -> Result<Vec<LoggedEvent>, Error> {
    let read = app.db.snapshot(move |conn| {
        let events = store::delivery::event::logged(conn, plan, above, PAGE)?;
        Ok::<_, Error>((events, store::delivery::archive::parts(conn, &[plan])?))
    });
    let (mut events, parts) = read.await?;
    if parts.is_empty() {
        return Ok(events);
    }
    let page = usize::try_from(PAGE).unwrap_or_default();
    let archived = oldest(app, parts, ArchivedEvents { above, ..ArchivedEvents::default() }, page).await?;
    events.extend(archived.into_iter().map(|event| LoggedEvent {
        id: event.id,
        kind: event.kind,
        nonce: event.nonce.to_vec(),
        valid: event.counted,
        arm: event.arm,
        among: event.among,
        propensity: event.propensity,
        learned: event.learned,
    }));
    events.sort_unstable_by_key(|event| event.id);
    events.truncate(page);
    Ok(events)
}

/// The choice that is stored with an impression.
fn made(event: &LoggedEvent) -> Option<(Choice, Nonce)> {
    let (arm, holdout) = Choice::read(event.arm?);
    let choice = Choice {
        arm: u8::try_from(arm).ok()?,
        holdout,
        among: ArmSet(u8::try_from(event.among?).ok()?),
        propensity: u32::try_from(event.propensity?).ok()?,
        learned: event.learned?,
    };
    Some((choice, event.nonce()?))
}

/// What was known about the arms at each event that choices were based on.
struct History {
    arms: Learner,
    /// Events that are not reached yet.
    ahead: BTreeSet<i64>,
    known: BTreeMap<i64, Learner>,
}

impl History {
    fn new(arms: Learner, ahead: BTreeSet<i64>) -> Self {
        Self { arms: arms.forgetting(), ahead, known: BTreeMap::new() }
    }

    /// Notes what is known when everything before this event is counted.
    fn reach(&mut self, event: i64) {
        while let Some(moment) = self.ahead.first().copied().filter(|moment| *moment < event) {
            self.ahead.pop_first();
            self.known.insert(moment, self.arms.as_of(moment));
        }
    }

    fn again(&mut self, made: &Choice, nonce: Nonce) -> Option<Choice> {
        self.known.get_mut(&made.learned)?.choose(made.among, nonce.seed())
    }

    fn count(&mut self, event: &LoggedEvent) {
        if let (true, Some(code)) = (event.valid, event.arm) {
            self.arms.count(Choice::read(code).0, event.kind);
        }
    }
}
