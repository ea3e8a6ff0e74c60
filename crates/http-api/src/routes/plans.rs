//! A user's plans.

pub mod catalog;
pub mod compare;
pub mod events;
pub mod exclusions;
pub mod limits;
pub mod operated;
pub mod overview;
pub mod report;
pub mod rules;
pub mod schedule;

use actix_web::{HttpRequest, get, post, web};
use base::{CouponId, Field, PlanId, ProductId};
use calendar::Zone;
use campaigns::plans::add_budget::{AddBudget, add_budget as add_to_plan};
use campaigns::plans::plan_control::{self, PlanCommand};
use campaigns::plans::plan_list::{self, PlanQuery, PlansPage, Sort, SortOrder};
use campaigns::plans::plan_views::{self, PlanDetail, PlanView};
use campaigns::plans::put::{Put, PutTarget, put as put_on_plan};
use campaigns::plans::quote::{Quote, QuoteQuery, quote as quote_put};
use foundation::idempotent::Key;
use foundation::{Refusal, amount};
use plans::{ContentType, Status};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Body, FreshSession, Idempotency, InZone, Object, Paging, Session, choice, given};
use crate::failure::Failure;
use crate::routes::wallet::verify_password;

use self::schedule::ScheduleFields;

#[derive(Debug, Deserialize, IntoParams)]
pub struct PlansQuery {
    /// One of the plan statuses; all by default.
    #[param(value_type = Option<Status>, inline)]
    status: Option<String>,
    /// A part of a product's name, or the beginning of a plan's number.
    #[param(max_length = 100)]
    search: Option<String>,
    product_id: Option<String>,
    /// Only plans that were shown there: the name of a site or an app, of a publisher, or the key of a slot.
    #[param(max_length = 100)]
    site: Option<String>,
    /// Only plans that were put on this day or later: `2026-01-31` in the zone of `X-TZ`, or a moment.
    from: Option<String>,
    /// Only plans that were put on this day or before; or before this moment.
    to: Option<String>,
    /// `newest` by default. A plan without own money used counts as `roi` 0.
    #[param(value_type = Option<Sort>, inline)]
    sort: Option<String>,
    /// `desc` by default.
    #[param(value_type = Option<SortOrder>, inline)]
    order: Option<String>,
}

impl PlansQuery {
    fn read(self, zone: Zone, paging: &Paging) -> Result<PlanQuery, Failure> {
        let product = given(self.product_id).map(|id| id.parse()).transpose();
        Ok(PlanQuery {
            status: choice(self.status, Field::Status, Status::from_name)?,
            product: product.map_err(|_| Failure::field(Field::ProductId, "invalid"))?,
            search: given(self.search),
            site: given(self.site),
            from: given(self.from),
            to: given(self.to),
            zone: Some(zone),
            sort: choice(self.sort, Field::Sort, Sort::from_name)?,
            order: choice(self.order, Field::Order, SortOrder::from_name)?,
            cursor: paging.text(),
            limit: paging.limit()?,
        })
    }
}

#[utoipa::path(tag = "plans", params(Paging, PlansQuery, InZone), responses((status = 200, body = PlansPage)))]
#[get("/plan/order/list")]
pub async fn list(
    shell: web::Data<Shell>,
    session: Session,
    zone: InZone,
    paging: web::Query<Paging>,
    query: web::Query<PlansQuery>,
) -> Handled<PlansPage> {
    let query = query.into_inner().read(zone.0, &paging)?;
    let mut page = plan_list::list(&shell.app, session.user, query).await?;
    page.items.iter_mut().for_each(|listed| listed.plan.tell_in(session.answer_lang()));
    Ok(Reply(page))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct PlanRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub id: String,
}

impl PlanRequest {
    fn plan(&self) -> Result<PlanId, Failure> {
        self.id.parse().map_err(|_| Refusal::NotFound.into())
    }
}

#[utoipa::path(tag = "plans", request_body = PlanRequest, responses((status = 200, body = PlanDetail)))]
#[post("/plan/order/detail")]
pub async fn show(
    shell: web::Data<Shell>,
    session: Session,
    request: HttpRequest,
    body: Body<PlanRequest>,
) -> Handled<PlanDetail> {
    let base = shell.base_url(&request);
    let mut shown = plan_views::detail(&shell.app, session.user, body.read()?.plan()?, &base).await?;
    shown.plan.tell_in(session.answer_lang());
    Ok(Reply(shown))
}

/// A plan in the reader's language.
fn told(mut plan: PlanView, session: &Session) -> Reply<PlanView> {
    plan.tell_in(session.answer_lang());
    Reply(plan)
}

/// Either `id`, a plan that waits for an amount, or `product_id`, for a new plan.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct PutRequest {
    pub id: Option<String>,
    pub product_id: Option<String>,
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub amount: String,
    /// The content type to show: video, landing_page or game_description.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true, value_type = ContentType)]
    pub content: String,
    /// One of the user's coupons.
    pub coupon_id: Option<String>,
    /// Spread the budget over the plan's days, and show what is learned to be clicked most.
    pub ai_delivery: bool,
    /// When the plan is shown. Without a schedule, it is shown from now on and at all hours.
    #[schema(value_type = Option<ScheduleFields>)]
    pub schedule: Option<Object<ScheduleFields>>,
    /// The transaction password's MD5, in lower-case hex.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub password: String,
}

/// What the amount is put on: either a plan or a product.
fn target(plan: Option<&str>, product: Option<&str>) -> Result<PutTarget, Failure> {
    match (given(plan), given(product)) {
        (Some(id), None) => id.parse().map(PutTarget::Offered).map_err(|_| Refusal::NotFound.into()),
        (None, Some(id)) => id.parse::<ProductId>().map(PutTarget::Product).map_err(|_| Refusal::NotFound.into()),
        (None, None) => Err(Failure::field(Field::ProductId, "required")),
        (Some(_), Some(_)) => Err(Failure::field(Field::ProductId, "invalid")),
    }
}

impl PutRequest {
    fn target(&self) -> Result<PutTarget, Failure> {
        target(self.id.as_deref(), self.product_id.as_deref())
    }

    fn coupon(&self) -> Result<Option<CouponId>, Failure> {
        let coupon = given(self.coupon_id.as_deref()).map(str::parse).transpose();
        coupon.map_err(|_| Refusal::NotFound.into())
    }
}

/// Either `id`, a plan that waits for an amount, or `product_id`, for a new plan.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct QuoteRequest {
    pub id: Option<String>,
    pub product_id: Option<String>,
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub amount: String,
}

/// What putting an amount would cost, also with each of the user's coupons. Nothing is stored; the
/// put computes its price in the same way.
#[utoipa::path(tag = "plans", params(InZone), request_body = QuoteRequest, responses((status = 200, body = Quote)))]
#[post("/plan/order/quote")]
pub async fn quote(
    shell: web::Data<Shell>,
    session: Session,
    zone: InZone,
    body: Body<QuoteRequest>,
) -> Handled<Quote> {
    let QuoteRequest { id, product_id, amount } = body.read()?;
    let target = target(id.as_deref(), product_id.as_deref())?;
    let ask = QuoteQuery { target, amount: amount::invested(Field::Amount, &amount)?, zone: zone.0 };
    Ok(Reply(quote_put(&shell.app, session.user, ask).await?))
}

/// Puts an amount on a plan. Send an `Idempotency-Key` to repeat it safely.
#[utoipa::path(tag = "plans", params(InZone, Idempotency), request_body = PutRequest,
    responses((status = 200, body = PlanView)))]
#[post("/plan/order/put")]
pub async fn put(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    zone: InZone,
    body: Body<PutRequest>,
) -> Handled<PlanView> {
    let request = body.read()?;
    let (target, coupon) = (request.target()?, request.coupon()?);
    let content = ContentType::from_name(&request.content).ok_or_else(|| Failure::field(Field::Content, "invalid"))?;
    let amount = amount::invested(Field::Amount, &request.amount)?;
    let schedule = request.schedule.as_ref().map(|fields| fields.0.read(zone.0)).transpose()?.unwrap_or_default();
    session.with_store()?;
    let proof = verify_password(&shell, &session, &request.password).await?;
    let put = Put::new(target, amount, content);
    let command = Put { coupon, zone: zone.0, ai_delivery: request.ai_delivery, schedule, key: key.0, ..put };
    Ok(told(put_on_plan(&shell.app, proof, command).await?, &session))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct AddBudgetRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub id: String,
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub amount: String,
    /// The transaction password's MD5, in lower-case hex.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub password: String,
}

/// Adds the user's own money to the budget of a plan that runs. Send an `Idempotency-Key` to repeat it
/// safely.
#[utoipa::path(tag = "plans", params(Idempotency), request_body = AddBudgetRequest,
    responses((status = 200, body = PlanView)))]
#[post("/plan/order/add_budget")]
pub async fn add_budget(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    body: Body<AddBudgetRequest>,
) -> Handled<PlanView> {
    let AddBudgetRequest { id, amount, password } = body.read()?;
    let plan = id.parse().map_err(|_| Refusal::NotFound)?;
    let amount = amount::invested(Field::Amount, &amount)?;
    session.with_store()?;
    let proof = verify_password(&shell, &session, &password).await?;
    let command = AddBudget { plan, amount, key: key.0 };
    Ok(told(add_to_plan(&shell.app, proof, command).await?, &session))
}

async fn steer(
    shell: &Shell,
    session: &FreshSession,
    body: Body<PlanRequest>,
    control: PlanCommand,
    key: Option<Key>,
) -> Handled<PlanView> {
    let plan = body.read()?.plan()?;
    Ok(told(plan_control::control_once(&shell.app, session.user, plan, control, key).await?, session))
}

#[utoipa::path(tag = "plans", request_body = PlanRequest, responses((status = 200, body = PlanView)))]
#[post("/plan/order/pause")]
pub async fn pause(shell: web::Data<Shell>, session: FreshSession, body: Body<PlanRequest>) -> Handled<PlanView> {
    steer(&shell, &session, body, PlanCommand::Pause, None).await
}

#[utoipa::path(tag = "plans", request_body = PlanRequest, responses((status = 200, body = PlanView)))]
#[post("/plan/order/resume")]
pub async fn resume(shell: web::Data<Shell>, session: FreshSession, body: Body<PlanRequest>) -> Handled<PlanView> {
    steer(&shell, &session, body, PlanCommand::Resume, None).await
}

/// Ends the plan: what it used is billed, and the rest is returned. Send an `Idempotency-Key` to repeat it safely.
#[utoipa::path(tag = "plans", params(Idempotency), request_body = PlanRequest,
    responses((status = 200, body = PlanView)))]
#[post("/plan/order/stop")]
pub async fn stop(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    body: Body<PlanRequest>,
) -> Handled<PlanView> {
    steer(&shell, &session, body, PlanCommand::Stop, key.0).await
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Count {
    pub count: i64,
}

#[utoipa::path(tag = "plans", responses((status = 200, body = Count)))]
#[post("/plan/order/await/put/count")]
pub async fn count_waiting(shell: web::Data<Shell>, session: Session) -> Handled<Count> {
    let count = plan_views::count_waiting(&shell.app, session.user).await?;
    Ok(Reply(Count { count }))
}
