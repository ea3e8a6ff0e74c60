//! The user's devices that are sent notices while the app is not open.

use actix_web::{HttpRequest, get, post, web};
use foundation::Refusal;
use foundation::notifications::PushKinds;
use foundation::notifications::push::{self, PushDeviceView, Subscribe};

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Body, FreshSession, Session, form};
use crate::failure::Failure;

#[utoipa::path(tag = "notifications", responses((status = 200, body = Vec<PushDeviceView>)))]
#[get("/user/push")]
pub async fn list(shell: web::Data<Shell>, session: Session) -> Handled<Vec<PushDeviceView>> {
    Ok(Reply(push::devices(&shell.app, &session).await?))
}

form! {
    /// A browser's subscription, and which notices its user wants there.
    pub struct PushRequest {
        /// The address at a public push service, with https.
        pub endpoint: String = "required",
        /// The browser's public key, in base64url.
        pub p256dh: String = "required",
        /// The browser's secret, in base64url.
        pub auth: String = "required",
        pub money: bool,
        pub sign_in: bool,
        pub service: bool,
        pub rules: bool,
    }
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

form! {
    pub struct PushEndRequest {
        /// The id of a registered device.
        pub id: String = "required",
    }
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
