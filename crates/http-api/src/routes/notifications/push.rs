//! The user's devices that are sent notices while the app is not open.

use actix_web::{HttpRequest, get, post, web};
use foundation::Refusal;
use foundation::notifications::PushKinds;
use foundation::notifications::push::{self, PushDeviceView, Subscribe};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Body, FreshSession, Session};
use crate::failure::Failure;

#[utoipa::path(tag = "notifications", responses((status = 200, body = Vec<PushDeviceView>)))]
#[get("/user/push")]
pub async fn list(shell: web::Data<Shell>, session: Session) -> Handled<Vec<PushDeviceView>> {
    Ok(Reply(push::devices(&shell.app, &session).await?))
}

/// A browser's subscription, and which notices its user wants there.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct PushRequest {
    /// The address at a public push service, with https.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub endpoint: String,
    /// The browser's public key, in base64url.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub p256dh: String,
    /// The browser's secret, in base64url.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub auth: String,
    pub money: bool,
    pub sign_in: bool,
    pub service: bool,
    pub rules: bool,
}

/// Registers the device of this session, or changes which notices it is sent.
#[utoipa::path(tag = "notifications", request_body = PushRequest, responses((status = 200, body = Vec<PushDeviceView>)))]
#[post("/user/push")]
pub async fn subscribe(
    shell: web::Data<Shell>,
    request: HttpRequest,
    session: FreshSession,
    body: Body<PushRequest>,
) -> Handled<Vec<PushDeviceView>> {
    let PushRequest { endpoint, p256dh, auth, money, sign_in, service, rules } = body.read()?;
    let kinds = PushKinds { money, sign_in, service, rules };
    let command = Subscribe { endpoint, p256dh, auth, kinds, app_url: shell.base_url(&request) };
    Ok(Reply(push::subscribe(&shell.app, &session, command).await?))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct PushEndRequest {
    /// The id of a registered device.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub id: String,
}

/// Removes a device, which is sent no more notices.
#[utoipa::path(tag = "notifications", request_body = PushEndRequest, responses((status = 200, body = Vec<PushDeviceView>)))]
#[post("/user/push/end")]
pub async fn unsubscribe(
    shell: web::Data<Shell>,
    session: FreshSession,
    body: Body<PushEndRequest>,
) -> Handled<Vec<PushDeviceView>> {
    let id = body.read()?.id.parse().map_err(|_| Failure::from(Refusal::NotFound))?;
    Ok(Reply(push::unsubscribe(&shell.app, &session, id).await?))
}
