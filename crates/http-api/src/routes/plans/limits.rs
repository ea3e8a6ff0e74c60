//! What a user's plan may spend on a day, and when it is shown, one by one.

use actix_web::{post, web};
use base::{Field, Money};
use campaigns::plans::limits::{self, Limits};
use campaigns::plans::plan_views::PlanView;
use foundation::{Error, Refusal, amount};
use plans::ScheduleChange;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;
use validator::Validate;

use super::schedule::{read_hours, read_moment};
use super::told;
use crate::Shell;
use crate::envelope::Handled;
use crate::extract::{Body, FreshSession, InZone, given};
use crate::failure::Failure;

/// A limit that is null or empty is lifted.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct LimitsRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub id: String,
    /// The most that the plan may spend on a day, in the zone of `X-TZ`. If all four fields are missing, it is
    /// lifted.
    #[serde(deserialize_with = "read_named")]
    #[schema(value_type = Option<String>)]
    pub daily_cap: Option<Option<String>>,
    /// When a plan that waits for its first slot begins: in the future, at most a year ahead. If this is lifted, it
    /// begins now.
    #[serde(deserialize_with = "read_named")]
    #[schema(value_type = Option<String>)]
    pub starts_at: Option<Option<String>>,
    /// When the plan ends: in the future, after the start.
    #[serde(deserialize_with = "read_named")]
    #[schema(value_type = Option<String>)]
    pub ends_at: Option<Option<String>>,
    /// When the plan is shown, in the zone of `X-TZ`: seven days from Monday on, each with 24 digits, `1` for an
    /// hour in which it is shown, `0` for any other hour.
    #[serde(deserialize_with = "read_named")]
    #[schema(value_type = Option<Vec<String>>)]
    pub hours: Option<Option<Vec<String>>>,
}

/// The fields for which null means something else than leaving them out.
const LIFTED_BY_NULL: [&str; 4] = ["daily_cap", "starts_at", "ends_at", "hours"];

/// A field that is named, be it by null.
fn read_named<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// Limits what a plan may spend on a day, and when it is shown. A field that is missing stays as it is; if all are
/// missing, the daily limit is lifted. A limited day goes on in the zone in which it began; the next one begins at
/// midnight in the new zone. What is promised to a page already may still be shown, but costs no more than the limit
/// has left. Start, end and hours are those of `/plan/order/schedule`, which always sets all of them.
#[utoipa::path(tag = "plans", params(InZone), request_body = LimitsRequest, responses((status = 200, body = PlanView)))]
#[post("/plan/order/limits")]
pub async fn limit(
    shell: web::Data<Shell>,
    session: FreshSession,
    zone: InZone,
    body: Body<LimitsRequest>,
) -> Handled<PlanView> {
    let LimitsRequest { id, daily_cap, starts_at, ends_at, hours } = body.read_with_nulls(&LIFTED_BY_NULL)?;
    let id = id.parse().map_err(|_| Refusal::NotFound)?;
    let moment =
        |field, named: Option<Option<String>>| named.map(|text| read_moment(field, text.as_deref())).transpose();
    let schedule = ScheduleChange {
        begins_at: moment(Field::StartsAt, starts_at)?,
        ends_at: moment(Field::EndsAt, ends_at)?,
        hours: hours.map(|days| read_hours(days.as_deref(), zone.0)).transpose()?,
    };
    let daily_cap = match daily_cap {
        None if !schedule.is_empty() => None,
        named => Some(read_cap(named.flatten().as_deref())?),
    };
    let limits = Limits { daily_cap, schedule, zone: zone.0 };
    let limited = limits::limit(&shell.app, session.user, id, limits).await.map_err(by_names_of_here)?;
    Ok(told(limited, &session))
}

fn read_cap(text: Option<&str>) -> Result<Option<Money>, Failure> {
    Ok(given(text).map(|text| amount::positive(Field::DailyCap, text)).transpose()?)
}

/// The use case knows the start by the name that it has in a schedule.
fn by_names_of_here(error: Error) -> Error {
    let Error::Fields(fields) = error else { return error };
    let here = |field| if field == Field::BeginsAt { Field::StartsAt } else { field };
    Error::Fields(fields.into_iter().map(|(field, problem)| (here(field), problem)).collect())
}
