//! Facts about the server: its configuration, and whether it is alive and ready.

use actix_web::http::StatusCode;
use actix_web::http::header::ContentType;
use actix_web::{HttpRequest, HttpResponse, Responder, get, web};
use desk::installation::basic_config::{self, BasicConfig};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::Shell;
use crate::edge::language;
use crate::envelope::{Handled, Reply};

#[derive(Debug, Deserialize, IntoParams)]
pub struct ConfigQuery {
    /// The language of the texts; that of the request by default.
    pub lang: Option<String>,
}

#[utoipa::path(tag = "account", params(ConfigQuery), responses((status = 200, body = BasicConfig)))]
#[get("/basic_config")]
pub async fn show_config(
    shell: web::Data<Shell>,
    request: HttpRequest,
    query: web::Query<ConfigQuery>,
) -> Handled<BasicConfig> {
    let lang = query.lang.as_deref().and_then(i18n::from_client_code).unwrap_or_else(|| language(&request));
    Ok(Reply(basic_config::basic_config(&shell.app, lang).await))
}

#[get("/healthz")]
pub async fn show_health() -> impl Responder {
    plain(StatusCode::OK, "ok".to_owned())
}

/// Ready if a commit succeeds in time, the database was undamaged at the last check, and the server
/// is not stopping.
#[get("/readyz")]
pub async fn show_readiness(shell: web::Data<Shell>) -> impl Responder {
    let found = if shell.is_draining() { Err("it is stopping".to_owned()) } else { ready(&shell).await };
    match found {
        Ok(()) => plain(StatusCode::OK, "ready".to_owned()),
        Err(problem) => plain(StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {problem}")),
    }
}

fn plain(status: StatusCode, text: String) -> HttpResponse {
    HttpResponse::build(status).content_type(ContentType::plaintext()).body(text)
}

async fn ready(shell: &Shell) -> Result<(), String> {
    shell.app.ready().await.map_err(|problem| problem.to_string())
}
