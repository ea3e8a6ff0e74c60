//! Whether the server lives, and whether it can work.

use actix_web::{HttpResponse, Responder, get, web};

use crate::Shell;

#[get("/healthz")]
pub async fn healthz() -> impl Responder {
    HttpResponse::Ok().content_type("text/plain").body("ok")
}

/// Ready while a read gets through and nobody has asked the server to stop.
#[get("/readyz")]
pub async fn readyz(shell: web::Data<Shell>) -> impl Responder {
    let reached = shell.app.db.read(store::slot::all).await.is_ok();
    if reached && !shell.is_draining() {
        HttpResponse::Ok().content_type("text/plain").body("ready")
    } else {
        HttpResponse::ServiceUnavailable().content_type("text/plain").body("not ready")
    }
}
