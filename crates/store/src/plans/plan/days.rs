//! What plans spend on a day, and may spend on it. What is booked is counted with the booking
//! (`delivery::judged`).

use base::{Money, Period, PlanId, Timestamp};
use db::bulk::Statement as _;
use db::update;
use diesel::prelude::*;
use plans::{DayBudget, Lowered};

use crate::schema::plan_figures;
use crate::{Error, Tx};

update! {
    struct Limited<'a>, LIMIT of "plans" {
        daily_cap: Option<Money>,
        zone: &'a str,
        day_begins_at: Timestamp,
        day_ends_at: Timestamp,
        day_used_milli: i64,
        changed_at: Timestamp,
    } by { id: PlanId }
}

/// Sets the limit of a plan's days. The plan is locked.
pub fn limit(tx: &mut Tx<'_>, id: PlanId, day: DayBudget, zone: &str) -> Result<(), Error> {
    let DayBudget { cap: daily_cap, period, used_milli: day_used_milli } = day;
    let Period { from: day_begins_at, until: day_ends_at } = period;
    let limited = Limited { daily_cap, zone, day_begins_at, day_ends_at, day_used_milli, changed_at: tx.now(), id };
    LIMIT.execute(tx, &Limited::columns(&[limited]))?;
    tx.notes().changes_plans();
    Ok(())
}

/// When limits of a plan took back promises. The plan is locked.
pub fn read_lowered(tx: &mut Tx<'_>, id: PlanId) -> Result<Lowered, Error> {
    let times: String = plan_figures::table.find(id).select(plan_figures::lowered).first(tx.conn())?;
    Ok(Lowered::from_text(&times))
}

pub fn set_lowered(tx: &mut Tx<'_>, id: PlanId, lowered: &Lowered) -> Result<(), Error> {
    let plan = plan_figures::table.find(id);
    tx.run(diesel::update(plan).set(plan_figures::lowered.eq(lowered.text())))
}
