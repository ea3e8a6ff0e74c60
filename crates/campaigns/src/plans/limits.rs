//! How much of its budget a plan may spend on a day, and when it is shown. Its days are those of the zone that was told
//! with the limit.

use base::{Money, PlanId, UserId, refuse_if};
use calendar::Zone;
use foundation::{App, Error, Refusal};
use plans::{DayBudget, LoweredOften, MILLI, ScheduleChange};
use store::Tx;
use store::delivery::plan_steps::sum_spent_since;
use store::plans::plan::{self, PlanRow, days};

use crate::delivery::day::day_at;
use crate::plans::plan_views::{PlanView, within};
use crate::plans::schedule::set_schedule;

/// Changes of a plan's limits. `None` keeps a limit; `Some(None)` removes it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most that it may spend on a day.
    pub daily_cap: Option<Option<Money>>,
    pub schedule: ScheduleChange,
    pub zone: Zone,
}

/// Changes all of the limits, or none.
///
/// # Errors
/// `not_found` for somebody else's plan, `plan_not_running` if it does not run; for a cap, `amount_out_of_range`
/// below the price of one event, and `plan_lowered_often` if it takes promises back and that happened as often as it
/// may; for other bounds of its schedule, those of `schedule::schedule`.
pub async fn limit(app: &App, user: UserId, id: PlanId, limits: Limits) -> Result<PlanView, Error> {
    app.db
        .write(move |tx| {
            let (_, product) = plan::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            let plan = plan::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            if let Some(cap) = limits.daily_cap {
                plan.life().may_pause().map_err(|_| Refusal::PlanNotRunning)?;
                set_cap(tx, &plan, cap, limits.zone)?;
            }
            if !limits.schedule.is_empty() {
                set_schedule(tx, &plan, plan.schedule().with(limits.schedule))?;
            }
            let (plan, _) = plan::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            within(tx, &plan, &product)
        })
        .await
}

fn set_cap(tx: &mut Tx<'_>, plan: &PlanRow, cap: Option<Money>, zone: Zone) -> Result<(), Error> {
    let buys_an_event = |cap: Money| cap.minor().saturating_mul(MILLI) >= plan.unit_milli;
    refuse_if(!cap.is_none_or(buys_an_event), Refusal::AmountOutOfRange)?;
    let day = DayBudget { cap, ..count_day(tx, plan, zone)? };
    let before = day_at(plan.day(), &plan.figures.zone, tx.now());
    if before.takes_back(&day, plan.figures.reserved_milli) {
        count_lowered(tx, plan.id)?;
    }
    Ok(days::limit(tx, plan.id, day, &zone.name())?)
}

/// Limits how often limits are lowered, because promises that are no longer covered are shown for nothing.
fn count_lowered(tx: &mut Tx<'_>, id: PlanId) -> Result<(), Error> {
    let now = tx.now();
    let refused = |LoweredOften { until }| {
        let retry_after = until.since(now).saturating_add(999).div_euclid(1000);
        Refusal::PlanLoweredOften { until, retry_after }
    };
    let lowered = days::read_lowered(tx, id)?.again(now).map_err(refused)?;
    Ok(days::set_lowered(tx, id, &lowered)?)
}

/// A day that is limited goes on in the zone in which it began, so that nobody begins another one by travelling.
/// Otherwise it begins at midnight in this zone, with what the plan has spent since then.
fn count_day(tx: &mut Tx<'_>, plan: &PlanRow, zone: Zone) -> Result<DayBudget, Error> {
    let (now, day) = (tx.now(), plan.day());
    if day.cap.is_some() && now < day.period.until {
        return Ok(day);
    }
    let today = zone.day_period(now);
    let used_milli = sum_spent_since(tx, plan, today.from)?;
    Ok(DayBudget { period: today, used_milli, ..day })
}
