//! The recharge form: where to pay, and the payments that users announce.

use actix_web::{get, post, web};
use foundation::Refusal;
use money::wallet::recharges::announcements::{
    Announce, AnnouncementView, RechargeForm, announce, recharge_form, withdraw_announcement,
};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use super::read_text;
use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Body, FreshSession, Idempotency, Session};

/// The accounts that the user can pay in to, the reference to name, and the open announcements.
#[utoipa::path(tag = "wallet", responses((status = 200, body = RechargeForm)))]
#[get("/user/recharge/announcements")]
pub async fn list(shell: web::Data<Shell>, session: Session) -> Handled<RechargeForm> {
    Ok(Reply(recharge_form(&shell.app, session.user, session.answer_lang()).await?))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct AnnounceRequest {
    /// A decimal in the platform's currency, above zero.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    #[serde(deserialize_with = "read_text")]
    pub amount: String,
    /// The id of the account that was paid in to.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub account: String,
}

/// Announces a payment. Nothing is credited because of it. Send an `Idempotency-Key` to repeat it safely.
#[utoipa::path(tag = "wallet", params(Idempotency), request_body = AnnounceRequest,
    responses((status = 200, body = AnnouncementView)))]
#[post("/user/recharge/announce")]
pub async fn make(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    body: Body<AnnounceRequest>,
) -> Handled<AnnouncementView> {
    let AnnounceRequest { amount, account } = body.read()?;
    let command = Announce::read(&amount, account, key.0)?;
    Ok(Reply(announce(&shell.app, session.user, session.answer_lang(), command).await?))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct AnnouncementRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub id: String,
}

/// Takes back an announcement that is open.
#[utoipa::path(tag = "wallet", request_body = AnnouncementRequest, responses((status = 200, body = AnnouncementView)))]
#[post("/user/recharge/announce/cancel")]
pub async fn cancel(
    shell: web::Data<Shell>,
    session: FreshSession,
    body: Body<AnnouncementRequest>,
) -> Handled<AnnouncementView> {
    let id = body.read()?.id.parse().map_err(|_| Refusal::NotFound)?;
    Ok(Reply(withdraw_announcement(&shell.app, session.user, session.answer_lang(), id).await?))
}
