//! A plan's figures over time, and its events down to the bill that each is on.

use actix_web::{get, web};
use base::{Field, PlanId, Timestamp};
use campaigns::plans::plan_events::{self, PlanEventDetail, PlanEventKind, PlanEventQuery, PlanEventView};
use campaigns::plans::plan_series::{self, PlanSeries, SeriesStep};
use foundation::Refusal;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::Shell;
use crate::envelope::{Handled, List, Reply};
use crate::extract::{InZone, Paging, Session, choice, given, required, required_choice};
use crate::failure::Failure;

#[derive(Debug, Deserialize, IntoParams)]
pub struct EventsQuery {
    /// One of the user's plans.
    #[param(required = true)]
    pub plan_id: Option<String>,
    #[param(required = true, value_type = PlanEventKind, inline)]
    pub kind: Option<String>,
    /// `true` for those that count, `false` for those that do not; all by default.
    #[param(value_type = Option<bool>)]
    pub counted: Option<String>,
    /// The id of a line of the statement: only impressions and clicks on its bill.
    pub line_id: Option<String>,
}

fn plan(text: Option<&str>) -> Result<PlanId, Failure> {
    required(text, Field::PlanId)?.parse().map_err(|_| Refusal::NotFound.into())
}

fn kind(text: Option<&str>) -> Result<PlanEventKind, Failure> {
    required_choice(text, Field::Kind, PlanEventKind::from_name)
}

impl EventsQuery {
    fn counted(&self) -> Result<Option<bool>, Failure> {
        choice(self.counted.as_deref(), Field::Counted, |text| text.parse().ok())
    }

    fn line(&self) -> Result<Option<i64>, Failure> {
        let line = given(self.line_id.as_deref()).map(str::parse).transpose();
        line.map_err(|_| Refusal::NotFound.into())
    }
}

/// The impressions, clicks or conversions of a plan, newest first, whether they count or not.
#[utoipa::path(tag = "plans", params(Paging, EventsQuery), responses((status = 200, body = List<PlanEventView>)))]
#[get("/plan/order/events")]
pub async fn list(
    shell: web::Data<Shell>,
    session: Session,
    paging: web::Query<Paging>,
    query: web::Query<EventsQuery>,
) -> Handled<List<PlanEventView>> {
    let query = PlanEventQuery {
        plan: plan(query.plan_id.as_deref())?,
        kind: kind(query.kind.as_deref())?,
        counted: query.counted()?,
        line: query.line()?,
        page: paging.request()?,
    };
    Ok(Reply(plan_events::list(&shell.app, session.user, query).await?.into()))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct EventQuery {
    /// One of the user's plans.
    #[param(required = true)]
    pub plan_id: Option<String>,
    #[param(required = true, value_type = PlanEventKind, inline)]
    pub kind: Option<String>,
    /// The event's id among those of its kind.
    #[param(required = true)]
    pub id: Option<String>,
}

/// One impression, click or conversion of a plan, and the bill that it is on.
#[utoipa::path(tag = "plans", params(EventQuery), responses((status = 200, body = PlanEventDetail)))]
#[get("/plan/order/event")]
pub async fn show(
    shell: web::Data<Shell>,
    session: Session,
    query: web::Query<EventQuery>,
) -> Handled<PlanEventDetail> {
    let (plan, kind) = (plan(query.plan_id.as_deref())?, kind(query.kind.as_deref())?);
    let id = required(query.id.as_deref(), Field::Id)?.parse().map_err(|_| Refusal::NotFound)?;
    Ok(Reply(plan_events::show(&shell.app, session.user, plan, kind, id).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct SeriesQuery {
    /// One of the user's plans.
    #[param(required = true)]
    pub plan_id: Option<String>,
    #[param(required = true, value_type = SeriesStep, inline)]
    pub step: Option<String>,
    /// For hours: a moment of the day that they are of; the last day with figures by default.
    pub within: Option<String>,
}

/// A plan's figures by day, or by hour of one day, in the zone of `X-TZ`.
#[utoipa::path(tag = "plans", params(SeriesQuery, InZone), responses((status = 200, body = PlanSeries)))]
#[get("/plan/order/series")]
pub async fn show_series(
    shell: web::Data<Shell>,
    session: Session,
    zone: InZone,
    query: web::Query<SeriesQuery>,
) -> Handled<PlanSeries> {
    let plan = plan(query.plan_id.as_deref())?;
    let step = required_choice(query.step.as_deref(), Field::Step, SeriesStep::from_name)?;
    let within = choice(query.within.as_deref(), Field::Within, Timestamp::parse)?;
    Ok(Reply(plan_series::series(&shell.app, session.user, plan, step, within, zone.0).await?))
}
