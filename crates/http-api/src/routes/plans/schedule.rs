//! When a user's plan is shown.

use actix_web::{post, web};
use base::{Field, Timestamp};
use calendar::Zone;
use campaigns::plans::plan_views::PlanView;
use campaigns::plans::schedule;
use foundation::Refusal;
use plans::{Hours, Schedule};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use super::told;
use crate::Shell;
use crate::envelope::Handled;
use crate::extract::{Body, FreshSession, InZone, Object, choice, given};
use crate::failure::Failure;

/// When a plan is shown. A field that is missing sets no bound.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default)]
pub struct ScheduleFields {
    /// When a plan that waits for its first slot begins: in the future, at most a year ahead. Without it, the plan
    /// begins now.
    pub begins_at: Option<String>,
    /// When the plan ends: in the future, after the start.
    pub ends_at: Option<String>,
    /// Seven days from Monday on, each with 24 digits: `1` for an hour in which it is shown, `0` for any other hour.
    pub hours: Option<Vec<String>>,
    /// The time zone of the hours, such as `Europe/Berlin`; that of `X-TZ` by default.
    pub hours_zone: Option<String>,
}

impl ScheduleFields {
    pub fn read(&self, zone: Zone) -> Result<Schedule, Failure> {
        // An unknown zone is refused: otherwise the plan would be shown at the wrong hours.
        let read = |named| Zone::parse(named).ok_or_else(|| Failure::field(Field::HoursZone, "invalid"));
        let zone = given(self.hours_zone.as_deref()).map_or(Ok(zone), read)?;
        Ok(Schedule {
            begins_at: read_moment(Field::BeginsAt, self.begins_at.as_deref())?,
            ends_at: read_moment(Field::EndsAt, self.ends_at.as_deref())?,
            hours: read_hours(self.hours.as_deref(), zone)?,
        })
    }
}

pub(super) fn read_moment(field: Field, text: Option<&str>) -> Result<Option<Timestamp>, Failure> {
    choice(text, field, Timestamp::parse)
}

/// A list of all hours of the week counts as no limit.
pub(super) fn read_hours(days: Option<&[String]>, zone: Zone) -> Result<Option<Hours>, Failure> {
    let read = |days| Hours::of_days(days, zone).ok_or_else(|| Failure::field(Field::Hours, "invalid"));
    Ok(days.map(read).transpose()?.filter(|hours| !hours.is_always()))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct ScheduleRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub id: String,
    #[schema(value_type = Option<ScheduleFields>)]
    pub schedule: Option<Object<ScheduleFields>>,
}

/// Sets when a running plan is shown. Outside its hours nothing is promised to pages. While the plan waits for its
/// first slot, other hours or another start begin its 72 hours again, and only the hours in which it may be shown
/// count. At its end the plan stops: what was promised before is billed or lapses, and then the rest is returned.
#[utoipa::path(tag = "plans", params(InZone), request_body = ScheduleRequest,
    responses((status = 200, body = PlanView)))]
#[post("/plan/order/schedule")]
pub async fn set(
    shell: web::Data<Shell>,
    session: FreshSession,
    zone: InZone,
    body: Body<ScheduleRequest>,
) -> Handled<PlanView> {
    let ScheduleRequest { id, schedule } = body.read()?;
    let id = id.parse().map_err(|_| Refusal::NotFound)?;
    let wanted = schedule.unwrap_or_default().0.read(zone.0)?;
    Ok(told(schedule::schedule(&shell.app, session.user, id, wanted).await?, &session))
}
