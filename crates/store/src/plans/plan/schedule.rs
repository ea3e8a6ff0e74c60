//! When plans are shown. The columns are those of `plans`, but the schema lists them as a table of their own.

use base::{PlanId, Timestamp};
use calendar::Zone;
use db::bulk::Statement as _;
use db::update;
use diesel::backend::Backend;
use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use plans::{Hours, Schedule};

use crate::schema::plan_schedules;
use crate::{Error, Tx};

#[derive(Clone, Debug, Default, Queryable, QueryableByName, PartialEq, Eq)]
#[diesel(table_name = plan_schedules)]
pub struct PlanSchedule {
    pub begins_at: Option<Timestamp>,
    pub ends_at: Option<Timestamp>,
    pub hours: Option<String>,
    /// The zone whose clocks the hours follow.
    pub hours_zone: Option<String>,
}

pub(crate) type ScheduleSql = (Nullable<BigInt>, Nullable<BigInt>, Nullable<Text>, Nullable<Text>);

/// The columns in the order of the fields.
pub(crate) const COLUMNS: &str = "plans.begins_at, plans.ends_at, plans.hours, plans.hours_zone";

/// Written out, because a query of `plans` cannot select another table's columns.
impl<DB: Backend> Selectable<DB> for PlanSchedule {
    type SelectExpression = SqlLiteral<ScheduleSql>;

    fn construct_selection() -> Self::SelectExpression {
        sql(COLUMNS)
    }
}

impl PlanSchedule {
    /// The schedule. Hours that cannot be read, because a newer version wrote them, count as never open.
    pub fn read(&self) -> Schedule {
        let zone = || self.hours_zone.as_deref().map_or(Zone::UTC, Zone::from_header);
        let hours = self.hours.as_deref().map(|text| Hours::read(text, zone()).unwrap_or(Hours::NEVER));
        Schedule { begins_at: self.begins_at, ends_at: self.ends_at, hours }
    }

    pub fn of(schedule: &Schedule) -> Self {
        let Schedule { begins_at, ends_at, hours } = schedule;
        Self {
            begins_at: *begins_at,
            ends_at: *ends_at,
            hours: hours.map(|hours| hours.text()),
            hours_zone: hours.map(|hours| hours.zone.name()),
        }
    }
}

update! {
    struct Scheduled, SCHEDULE of "plans" {
        begins_at: Option<Timestamp>,
        ends_at: Option<Timestamp>,
        hours: Option<String>,
        hours_zone: Option<String>,
        due_at: Timestamp,
        next_at: Timestamp,
        changed_at: Timestamp,
    } by { id: PlanId }
}

/// Changes when a plan is shown, and when its status ends. The plan is checked again at that time, or earlier if it was
/// due before. It is locked.
pub fn reschedule(tx: &mut Tx<'_>, plan: &super::PlanRow, schedule: &Schedule, due_at: Timestamp) -> Result<(), Error> {
    let PlanSchedule { begins_at, ends_at, hours, hours_zone } = PlanSchedule::of(schedule);
    let next_at = plan.next_at.map_or(due_at, |at| at.min(due_at));
    let scheduled =
        Scheduled { begins_at, ends_at, hours, hours_zone, due_at, next_at, changed_at: tx.now(), id: plan.id };
    SCHEDULE.execute(tx, &Scheduled::columns(&[scheduled]))?;
    tx.notes().changes_plans();
    Ok(())
}
