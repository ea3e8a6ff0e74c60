//! Coupons and the activities they are claimed in.

pub mod levels;

use actix_web::{get, post, web};
use base::Field;
use coupons::State;
use money::offers::activities::{self, Activity};
use money::offers::coupon_views::{self, CouponView};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, List, Reply};
use crate::extract::{Body, FreshSession, InZone, Paging, Session, choice};

#[derive(Debug, Deserialize, IntoParams)]
pub struct CouponQuery {
    /// unused, used or expired; all by default.
    #[param(value_type = Option<State>, inline)]
    pub status: Option<String>,
}

#[utoipa::path(tag = "coupons", params(Paging, CouponQuery), responses((status = 200, body = List<CouponView>)))]
#[get("/user_coupon/list")]
pub async fn list_coupons(
    shell: web::Data<Shell>,
    session: Session,
    paging: web::Query<Paging>,
    query: web::Query<CouponQuery>,
) -> Handled<List<CouponView>> {
    let state = choice(query.status.as_deref(), Field::Status, State::from_name)?;
    Ok(Reply(coupon_views::coupons(&shell.app, session.user, state, paging.request()?).await?.into()))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct ReceiveRequest {
    /// The key of an activity, such as newcomer.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub activity: String,
}

/// Claims an activity's coupon, once for each user.
#[utoipa::path(tag = "coupons", params(InZone), request_body = ReceiveRequest,
    responses((status = 200, body = CouponView)))]
#[post("/user_coupon/receive")]
pub async fn receive_coupon(
    shell: web::Data<Shell>,
    session: FreshSession,
    zone: InZone,
    body: Body<ReceiveRequest>,
) -> Handled<CouponView> {
    let activity = body.read()?.activity;
    Ok(Reply(activities::receive(&shell.app, session.user, &activity, zone.0).await?))
}

#[utoipa::path(tag = "coupons", responses((status = 200, body = Vec<Activity>)))]
#[get("/activities")]
pub async fn list_activities(shell: web::Data<Shell>, session: Session) -> Handled<Vec<Activity>> {
    Ok(Reply(activities::activities(&shell.app, session.user, session.answer_lang()).await?))
}
