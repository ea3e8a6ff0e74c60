//! Whether the server lives, and whether it can work.

use std::time::Duration;

use actix_web::{HttpResponse, Responder, get, web};

use crate::Shell;

/// A database slower than this is as good as none to who waits for an answer.
const DATABASE_LIMIT: Duration = Duration::from_secs(2);

#[get("/healthz")]
pub async fn healthz() -> impl Responder {
    HttpResponse::Ok().content_type("text/plain").body("ok")
}

/// Ready while the database takes a transaction in time and nobody has asked
/// the server to stop.
#[get("/readyz")]
pub async fn readyz(shell: web::Data<Shell>) -> impl Responder {
    if !shell.is_draining() && writes(&shell).await {
        HttpResponse::Ok().content_type("text/plain").body("ready")
    } else {
        HttpResponse::ServiceUnavailable().content_type("text/plain").body("not ready")
    }
}

async fn writes(shell: &Shell) -> bool {
    let nothing = shell.app.db.write(|_| Ok::<_, store::Error>(()));
    matches!(tokio::time::timeout(DATABASE_LIMIT, nothing).await, Ok(Ok(())))
}
