//! Whether the server lives, and whether it can work.

use actix_web::http::StatusCode;
use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, Responder, get, web};

use crate::Shell;

#[get("/healthz")]
pub async fn healthz() -> impl Responder {
    plain(StatusCode::OK, "ok".to_owned())
}

/// Ready while something can be committed in time, the database was whole when
/// the server looked, and nobody has asked the server to stop.
#[get("/readyz")]
pub async fn readyz(shell: web::Data<Shell>) -> impl Responder {
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
