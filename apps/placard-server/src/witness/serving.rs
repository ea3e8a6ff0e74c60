//! A witness's one address.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Payload};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use base::Clock;
use http_api::TrustedProxies;
use proof::witness::{LONGEST_REQUEST, Refused, SIZE_TYPE};

use super::kept::{Kept, NotCosigned};
use super::limits::Limits;
use crate::serve::outlive_hangups;

const CONNECTIONS: usize = 256;
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a body may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
const TEXT: &str = "text/plain; charset=utf-8";

struct Serving {
    kept: Arc<Mutex<Kept>>,
    limits: Mutex<Limits>,
    proxies: TrustedProxies,
    clock: Clock,
}

pub async fn serve(kept: Kept, bind: SocketAddr, prefix: &str, proxies: TrustedProxies) -> Result<(), String> {
    outlive_hangups();
    let kept = Arc::new(Mutex::new(kept));
    let serving = Data::new(Serving { kept, limits: Mutex::default(), proxies, clock: Clock::system() });
    let path = format!("{prefix}/add-checkpoint");
    let server = HttpServer::new(move || App::new().app_data(serving.clone()).route(&path, web::post().to(add)))
        .workers(1)
        .client_request_timeout(HEAD_TIMEOUT)
        .max_connections(CONNECTIONS)
        .bind(bind)
        .map_err(|error| format!("{bind}: {error}"))?;
    server.run().await.map_err(|error| error.to_string())
}

async fn add(serving: Data<Serving>, request: HttpRequest, body: Payload) -> HttpResponse {
    let seconds = u64::try_from(serving.clock.now().seconds()).unwrap_or(0);
    let from = serving.proxies.client(&request);
    let allowed = serving.limits.lock().unwrap_or_else(PoisonError::into_inner).allows(from, seconds);
    if !allowed {
        return told(StatusCode::TOO_MANY_REQUESTS, "this network asks too often");
    }
    let read = tokio::time::timeout(BODY_TIMEOUT, body.to_bytes_limited(LONGEST_REQUEST)).await;
    let Ok(Ok(Ok(body))) = read else {
        return told(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large or too slow");
    };
    let Ok(body) = String::from_utf8(body.to_vec()) else { return refused(Refused::Malformed) };
    let kept = serving.kept.clone();
    // Requests are decided one at a time: each decision is stored before the next one is made.
    let added = web::block(move || {
        let added = kept.lock().unwrap_or_else(PoisonError::into_inner).add(&body, seconds);
        added.map_err(|problem| (problem, body))
    });
    match added.await {
        Ok(Ok(line)) => HttpResponse::Ok().content_type(TEXT).body(format!("{line}\n")),
        Ok(Err((NotCosigned::Refused(problem), body))) => {
            if matches!(problem, Refused::Forked { .. } | Refused::Inconsistent { .. }) {
                // The log signed it: whoever has both checkpoints can show that it was forked, if the proof was right.
                tracing::error!(%problem, request = body, "a log shows a checkpoint that does not extend the one before");
            }
            refused(problem)
        }
        Ok(Err((NotCosigned::NotKept(error), _))) => {
            tracing::error!(%error, "nothing is cosigned: the state cannot be stored");
            told(StatusCode::INTERNAL_SERVER_ERROR, "the state cannot be stored")
        }
        Err(_) => told(StatusCode::INTERNAL_SERVER_ERROR, "the witness is stopping"),
    }
}

fn refused(problem: Refused) -> HttpResponse {
    let status = StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::BAD_REQUEST);
    match problem.size() {
        Some(size) => HttpResponse::build(status).content_type(SIZE_TYPE).body(format!("{size}\n")),
        None => told(status, &problem.to_string()),
    }
}

fn told(status: StatusCode, problem: &str) -> HttpResponse {
    HttpResponse::build(status).content_type(TEXT).body(format!("{problem}\n"))
}
