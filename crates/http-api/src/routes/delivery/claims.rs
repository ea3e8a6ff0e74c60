//! For advertisers, exchanges and publishers, who have no account: a link from staff claims
//! a key. Both calls are POST, so that the link's token is in no address and nothing that
//! only follows links opens it.

use actix_web::{HttpRequest, post, web};
use campaigns::catalogue::counterparty_keys::{self, ClaimLink, ClaimedKey};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::Body;

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct ClaimRequest {
    /// The token at the end of the link.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub link: String,
}

/// What a link to a key is for. The link is not used up.
#[utoipa::path(tag = "claim", request_body = ClaimRequest, responses((status = 200, body = ClaimLink)))]
#[post("/claim/look")]
pub async fn look(shell: web::Data<Shell>, request: HttpRequest, body: Body<ClaimRequest>) -> Handled<ClaimLink> {
    let link = body.read()?.link;
    Ok(Reply(counterparty_keys::look(&shell.app, &link, shell.client(&request)).await?))
}

/// Makes the key and shows it, once. The key is valid after a second person has confirmed its fingerprint.
#[utoipa::path(tag = "claim", request_body = ClaimRequest, responses((status = 200, body = ClaimedKey)))]
#[post("/claim/open")]
pub async fn open(shell: web::Data<Shell>, request: HttpRequest, body: Body<ClaimRequest>) -> Handled<ClaimedKey> {
    let link = body.read()?.link;
    Ok(Reply(counterparty_keys::claim(&shell.app, &link, shell.client(&request)).await?))
}
