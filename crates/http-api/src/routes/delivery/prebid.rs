//! What a page with Prebid.js calls: the endpoints of
//! [Prebid Server](https://docs.prebid.org/prebid-server/endpoints/pbs-endpoints-pbs.html)
//! that its server adapter knows. They are called from publishers' pages, so they alone
//! answer other origins.

use actix_cors::Cors;
use actix_web::{HttpResponse, get, route, web};
use serde_json::json;
use usecases::delivery::auction::prebid;

use super::openrtb::{ReceivedBid, malformed};
use super::pages;
use crate::Shell;
use crate::extract::Visitor;
use crate::failure::Failure;

const A_DAY: usize = 86_400;

/// Whether Prebid.js has compressed the body. It says so in the query, since a header would
/// make browsers ask first.
pub fn is_gzip(path: &str, query: &str) -> bool {
    path == "/openrtb2/auction" && query.split('&').any(|said| said == "gzip=1")
}

/// Any page may ask. Prebid.js sends its calls with credentials, of which there are none
/// here: no answer depends on a cookie.
fn any_page() -> Cors {
    Cors::default()
        .allow_any_origin()
        .allow_any_header()
        .allowed_methods(["POST"])
        .supports_credentials()
        .max_age(A_DAY)
}

/// A page's own auction, for its publisher's slots. Each impression names one in
/// `ext.prebid.bidder.placard.slot` or `ext.prebid.storedrequest.id`. With `?gzip=1` the body is
/// compressed.
#[utoipa::path(post, path = "/openrtb2/auction", tag = "openrtb", request_body = serde_json::Value,
    responses((status = 200, description = "A bid response of OpenRTB 2.6 with the extensions of Prebid Server", body = serde_json::Value),
        (status = 400, description = "Not a bid request: the field's `path` and the `problem`", body = serde_json::Value)))]
#[route("/openrtb2/auction", method = "POST", method = "OPTIONS", wrap = "any_page()")]
pub async fn answer_auction(
    shell: web::Data<Shell>,
    received: ReceivedBid,
    visitor: Visitor,
) -> Result<HttpResponse, Failure> {
    let from = visitor.0.network(&shell.app);
    Ok(match prebid::answer(&shell.app, received.call(pages::sandboxed_banner), from).await? {
        Ok(answer) => HttpResponse::Ok().insert_header(("x-openrtb-version", "2.6")).json(answer),
        Err(wrong) => malformed(&wrong.path, &wrong.problem),
    })
}

/// Nobody is recognized by a cookie, so there is nothing to match.
#[utoipa::path(post, path = "/cookie_sync", tag = "openrtb", request_body = serde_json::Value,
    responses((status = 200, description = "Always the same: `no_cookie`", body = serde_json::Value)))]
#[route("/cookie_sync", method = "POST", method = "OPTIONS", wrap = "any_page()")]
pub async fn sync_cookies() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "status": "no_cookie", "bidder_status": [] }))
}

/// Whether auctions are answered.
#[utoipa::path(tag = "openrtb", responses((status = 204, description = "They are")))]
#[get("/status")]
pub async fn show_status() -> HttpResponse {
    HttpResponse::NoContent().finish()
}
