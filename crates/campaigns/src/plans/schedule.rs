//! When a plan is shown: from its start to its end, in hours of the week.

use base::{PlanId, Timestamp, UserId};
use foundation::{App, Error, Refusal};
use plans::{Hours, Schedule};
use serde::Serialize;
use store::Tx;
use store::plans::plan::{self, PlanRow};
use utoipa::ToSchema;

use crate::plans::plan_views::{PlanView, within};

/// When a plan is shown, as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ScheduleView {
    /// When the plan is first shown, and its 72 hours of matching begin; null if they began with the put.
    pub begins_at: Option<Timestamp>,
    /// When the plan ends at the latest; null if its user has set no end.
    pub ends_at: Option<Timestamp>,
    /// Seven days from Monday on, each with 24 digits: `1` for an hour in which it is shown, `0` for any other hour.
    /// Null for all hours.
    pub hours: Option<Vec<String>>,
    /// The time zone of the hours.
    pub hours_zone: Option<String>,
    /// When a running plan that may not be shown now may be shown again. Null if it may be shown now, or never again.
    pub opens_at: Option<Timestamp>,
}

impl ScheduleView {
    pub(crate) fn of(plan: &PlanRow, now: Timestamp) -> Self {
        let schedule = plan.schedule();
        let is_closed = plan.status.is_running() && !schedule.is_open(now);
        Self {
            begins_at: schedule.begins_at,
            ends_at: schedule.ends_at,
            hours: schedule.hours.as_ref().map(Hours::days),
            hours_zone: schedule.hours.map(|hours| hours.zone.name()),
            opens_at: if is_closed { schedule.opens_at(now) } else { None },
        }
    }
}

/// Changes all of a plan's schedule.
///
/// # Errors
/// `not_found` for somebody else's plan, `plan_not_running` if it does not run or is due to end; the fields
/// `begins_at` and `ends_at`.
pub async fn schedule(app: &App, user: UserId, id: PlanId, wanted: Schedule) -> Result<PlanView, Error> {
    app.db
        .write(move |tx| {
            let (_, product) = plan::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            let plan = plan::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            set_schedule(tx, &plan, wanted)?;
            let (plan, _) = plan::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            within(tx, &plan, &product)
        })
        .await
}

/// The plan is locked.
pub(super) fn set_schedule(tx: &mut Tx<'_>, plan: &PlanRow, wanted: Schedule) -> Result<(), Error> {
    let since = plan.started_at.or(plan.put_at).ok_or(Refusal::PlanNotRunning)?;
    let (kept, due_at) = plan.life().rescheduled(&plan.schedule(), wanted, since, tx.now())?;
    plan::schedule::reschedule(tx, plan, &kept, due_at)?;
    Ok(store::plans::rules::restart(tx, plan.id)?)
}
