//! What a page with Prebid.js calls: the endpoints of
//! [Prebid Server](https://docs.prebid.org/prebid-server/endpoints/pbs-endpoints-pbs.html)
//! that its server adapter knows. They are called from publishers' pages, so they answer other origins.

use actix_web::{HttpRequest, HttpResponse, get, route, web};
use campaigns::delivery::auction::bodies::{BodySender, Unread};
use campaigns::delivery::auction::prebid;
use serde_json::json;

use super::auctions::{NotReceived, Receiving, malformed};
use super::origins::any_page;
use super::pages;
use crate::Shell;
use crate::edge::is_gzip;
use crate::extract::Visitor;
use crate::failure::Failure;

/// Whether Prebid.js has compressed the body. It says so in the query, because a header would cause a CORS preflight.
fn says_gzip(query: &str) -> bool {
    query.split('&').any(|said| said == "gzip=1")
}

/// A page's own auction, for its publisher's slots. Each impression names one in
/// `ext.prebid.bidder.placard.slot` or `ext.prebid.storedrequest.id`. With `?gzip=1` the body is
/// compressed.
#[utoipa::path(post, path = "/openrtb2/auction", tag = "openrtb", request_body = serde_json::Value,
    responses((status = 200, description = "A bid response of OpenRTB 2.6 with the extensions of Prebid Server", body = serde_json::Value),
        (status = 204, description = "No bid: there are too many requests"),
        (status = 400, description = "Not a bid request: the field's `path`, and what is wrong as `error` and as `problem`", body = serde_json::Value),
        (status = 413, description = "More than 64 KiB compressed, or 256 KiB unpacked", body = ref("#/components/schemas/Refusal"))))]
#[route("/openrtb2/auction", method = "POST", method = "OPTIONS", wrap = "any_page(\"POST\")")]
pub async fn answer_auction(
    shell: web::Data<Shell>,
    request: HttpRequest,
    body: web::Payload,
    visitor: Visitor,
) -> Result<HttpResponse, Failure> {
    let gzip = says_gzip(request.query_string()) || is_gzip(request.headers());
    let received = match Receiving::begin(&shell, &request, BodySender::Page, gzip).receive(&shell, body).await {
        Ok(received) => received,
        Err(NotReceived::Unread(Unread::Busy)) => return Ok(no_bid()),
        Err(why) => return Ok(why.response()),
    };
    let from = visitor.0.network(&shell.app);
    match prebid::answer(&shell.app, received.call(pages::sandboxed_banner), from).await {
        Ok(Ok(answer)) => Ok(HttpResponse::Ok().insert_header(("x-openrtb-version", "2.6")).json(answer)),
        Ok(Err(wrong)) => Ok(malformed(&wrong.path, &wrong.problem)),
        Err(error) => no_bid_for_now(error.into()),
    }
}

/// Answers "no bid" where an exchange would be told to try again.
fn no_bid_for_now(failure: Failure) -> Result<HttpResponse, Failure> {
    if !failure.is_for_later() {
        return Err(failure);
    }
    failure.log();
    Ok(no_bid())
}

/// The auction goes on without us.
fn no_bid() -> HttpResponse {
    HttpResponse::NoContent().finish()
}

/// Nobody is recognized by a cookie, so there is nothing to match.
#[utoipa::path(post, path = "/cookie_sync", tag = "openrtb", request_body = serde_json::Value,
    responses((status = 200, description = "Always the same: `no_cookie`", body = serde_json::Value)))]
#[route("/cookie_sync", method = "POST", method = "OPTIONS", wrap = "any_page(\"POST\")")]
pub async fn sync_cookies() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "status": "no_cookie", "bidder_status": [] }))
}

/// Whether auctions are answered.
#[utoipa::path(tag = "openrtb", responses((status = 204, description = "They are")))]
#[get("/status")]
pub async fn show_status() -> HttpResponse {
    HttpResponse::NoContent().finish()
}
