//! Whether the server lives, and whether it can work.

use actix_web::{HttpResponse, Responder, get, web};

use crate::Shell;

#[get("/healthz")]
pub async fn healthz() -> impl Responder {
    HttpResponse::Ok().content_type("text/plain").body("ok")
}

/// Ready while something can be committed in time, the database was whole when
/// the server looked, and nobody has asked the server to stop.
#[get("/readyz")]
pub async fn readyz(shell: web::Data<Shell>) -> impl Responder {
    let found = if shell.is_draining() { Err("it is stopping".to_owned()) } else { ready(&shell).await };
    match found {
        Ok(()) => HttpResponse::Ok().content_type("text/plain").body("ready"),
        Err(problem) => {
            HttpResponse::ServiceUnavailable().content_type("text/plain").body(format!("not ready: {problem}"))
        }
    }
}

async fn ready(shell: &Shell) -> Result<(), String> {
    shell.app.ready().await.map_err(|problem| problem.to_string())
}
