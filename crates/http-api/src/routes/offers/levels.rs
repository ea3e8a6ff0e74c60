//! The shop's level, the credit score and the VIP subscription.

use actix_web::{get, post, web};
use money::offers::levels::{self, CreditChange, LevelView};
use money::offers::vip::{self, Subscribed};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, List, Reply};
use crate::extract::{Body, FreshSession, Idempotency, Paging, Session};
use crate::routes::wallet::verify_password;

#[utoipa::path(tag = "standing", responses((status = 200, body = LevelView)))]
#[get("/level")]
pub async fn show(shell: web::Data<Shell>, session: Session) -> Handled<LevelView> {
    Ok(Reply(levels::level(&shell.app, session.user, session.answer_lang()).await?))
}

/// Every change of the credit score, newest first.
#[utoipa::path(tag = "standing", params(Paging), responses((status = 200, body = List<CreditChange>)))]
#[get("/level/credit")]
pub async fn list_credit(
    shell: web::Data<Shell>,
    session: Session,
    paging: web::Query<Paging>,
) -> Handled<List<CreditChange>> {
    let page = levels::credit_history(&shell.app, session.user, session.answer_lang(), paging.request()?);
    Ok(Reply(page.await?.into()))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct SubscribeRequest {
    /// The transaction password's MD5, in lower-case hex.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub password: String,
}

/// Buys VIP time, which is added to a running subscription. Send an `Idempotency-Key` to repeat it
/// safely.
#[utoipa::path(tag = "standing", params(Idempotency), request_body = SubscribeRequest,
    responses((status = 200, body = Subscribed)))]
#[post("/vip/subscribe")]
pub async fn subscribe(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    body: Body<SubscribeRequest>,
) -> Handled<Subscribed> {
    let password = body.read()?.password;
    session.with_store()?;
    let proof = verify_password(&shell, &session, &password).await?;
    Ok(Reply(vip::subscribe(&shell.app, proof, key.0).await?))
}
