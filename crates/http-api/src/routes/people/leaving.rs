//! Exporting one's data and closing one's account.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use foundation::people::close_account::CloseAccount;
use futures_util::TryStreamExt;
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Nothing, Reply};
use crate::extract::{Body, FreshSession};
use crate::failure::Failure;

/// The user's data as a file: profile, wallet, sessions, and every stored list.
#[utoipa::path(tag = "account",
    responses((status = 200, description = "The file, without an envelope", body = Object)))]
#[get("/user/export")]
pub async fn export_data(shell: web::Data<Shell>, session: FreshSession) -> Result<HttpResponse, Failure> {
    let (name, pieces) = desk::export::export(&shell.app, session.user, session.answer_lang()).await?;
    let pieces = session.while_it_lasts(&shell, pieces);
    let pieces = pieces.map_ok(Bytes::from).inspect_err(|error| tracing::error!(%error, "an export was interrupted"));
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        .content_type("application/json; charset=utf-8")
        .streaming(pieces))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct CloseRequest {
    /// The sign-in password.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub password: String,
}

/// Closes the account permanently, and ends every session.
#[utoipa::path(tag = "account", request_body = CloseRequest, responses((status = 200, body = Nothing)))]
#[post("/user/close")]
pub async fn close_account(
    shell: web::Data<Shell>,
    session: FreshSession,
    request: HttpRequest,
    body: Body<CloseRequest>,
) -> Handled<Nothing> {
    let command = CloseAccount { password: body.read()?.password, address: shell.client(&request) };
    foundation::people::close_account::close_account(&shell.app, session.user, &session.username, command).await?;
    Ok(Reply(Nothing {}))
}
