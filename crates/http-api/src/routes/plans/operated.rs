//! Following an operated id.

use actix_web::{get, post, web};
use base::Field;
use campaigns::plans::follow::{FollowView, Followable, Following, OwnId, assistance, follow as follow_id, followable};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Body, FreshSession, Paging, Session, required};

/// Whom the user follows, the id by which others follow the user, and the history of following.
#[derive(Debug, Serialize, ToSchema)]
pub struct Assistance {
    pub current: Option<Following>,
    /// Null for a user without an operated id.
    pub own: Option<OwnId>,
    pub items: Vec<FollowView>,
    pub next_cursor: Option<String>,
}

#[utoipa::path(tag = "assistance", params(Paging), responses((status = 200, body = Assistance)))]
#[get("/assistance/list")]
pub async fn list(shell: web::Data<Shell>, session: Session, paging: web::Query<Paging>) -> Handled<Assistance> {
    let found = assistance(&shell.app, session.user, paging.request()?).await?;
    let next_cursor = found.records.next.map(|id| id.to_string());
    Ok(Reply(Assistance { current: found.current, own: found.own, items: found.records.items, next_cursor }))
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
pub struct CheckQuery {
    pub operated_id: String,
}

#[utoipa::path(tag = "assistance", params(CheckQuery), responses((status = 200, body = Followable)))]
#[get("/assistance/check")]
pub async fn show(shell: web::Data<Shell>, session: Session, query: web::Query<CheckQuery>) -> Handled<Followable> {
    let operated_id = required(Some(query.operated_id.as_str()), Field::OperatedId)?;
    Ok(Reply(followable(&shell.app, session.user, operated_id).await?))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct FollowRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub operated_id: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Followed {
    pub current: Following,
}

#[utoipa::path(tag = "assistance", request_body = FollowRequest, responses((status = 200, body = Followed)))]
#[post("/assistance/follow")]
pub async fn follow(shell: web::Data<Shell>, session: FreshSession, body: Body<FollowRequest>) -> Handled<Followed> {
    let operated_id = body.read()?.operated_id;
    Ok(Reply(Followed { current: follow_id(&shell.app, session.user, &operated_id).await? }))
}
