//! OpenRTB 2.6: bid requests of ad exchanges, and their notices.

use std::time::Instant;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::Deserialize;
use serde_json::json;
use usecases::delivery::auction::AuctionCall;
use usecases::delivery::ssp::bid::{self, BidAnswer};
use usecases::delivery::ssp::notices;
use usecases::{Error, Refusal};
use utoipa::IntoParams;

use super::pages;
use crate::Shell;
use crate::extract::Visitor;
use crate::failure::Failure;

/// Whether the path is one to which exchanges send compressed bodies.
pub fn takes_gzip(path: &str) -> bool {
    path.starts_with("/openrtb2/bid/")
}

/// When a request arrived: taken before its body is read, since `tmax` counts from then.
pub struct Arrived(pub Instant);

impl actix_web::FromRequest for Arrived {
    type Error = Failure;
    type Future = std::future::Ready<Result<Self, Failure>>;

    fn from_request(_: &HttpRequest, _: &mut actix_web::dev::Payload) -> Self::Future {
        std::future::ready(Ok(Self(Instant::now())))
    }
}

/// A bid request of an ad exchange (OpenRTB 2.6). The body may be compressed with gzip.
#[utoipa::path(tag = "openrtb", params(("key" = String, Path, description = "The exchange's key")),
    request_body = serde_json::Value,
    responses((status = 200, description = "A bid response of OpenRTB 2.6", body = serde_json::Value),
        (status = 204, description = "Nothing is offered"),
        (status = 400, description = "Not a bid request: the field's `path` and the `problem`", body = serde_json::Value),
        (status = 404, description = "No exchange's key", body = ref("#/components/schemas/Refusal"))))]
#[post("/openrtb2/bid/{key}")]
pub async fn answer_bid(
    shell: web::Data<Shell>,
    key: web::Path<String>,
    arrived: Arrived,
    request: HttpRequest,
    body: Result<web::Bytes, actix_web::Error>,
) -> Result<HttpResponse, Failure> {
    let body = match body {
        Ok(body) => body,
        Err(error) => return Ok(unreadable(&error)),
    };
    let base = shell.base_url(&request);
    let call = AuctionCall { body: &body, arrived_at: arrived.0, base: &base, banner: pages::banner };
    let answer = match bid::answer(&shell.app, &key, call).await {
        Ok(answer) => answer,
        Err(error) => return refused(error),
    };
    Ok(match answer {
        BidAnswer::Bids(bids) => HttpResponse::Ok().insert_header(("x-openrtb-version", "2.6")).json(bids),
        BidAnswer::NoBid => HttpResponse::NoContent().finish(),
        BidAnswer::Malformed(wrong) => malformed(&wrong.path, &wrong.problem),
    })
}

/// Exchanges read the status alone.
fn refused(error: Error) -> Result<HttpResponse, Failure> {
    let status = match &error {
        Error::Refused(Refusal::NotFound) => StatusCode::NOT_FOUND,
        Error::Fields(_) => StatusCode::BAD_REQUEST,
        _ => return Err(error.into()),
    };
    Ok(Failure::from(error).render_as(status))
}

/// The answer to a notice.
fn received<T>(taken: Result<T, Error>) -> Result<HttpResponse, Failure> {
    taken.map_or_else(refused, |_| Ok(HttpResponse::NoContent().finish()))
}

/// A body that is too large, or not what its encoding says.
pub fn unreadable(error: &actix_web::Error) -> HttpResponse {
    malformed(".", &error.to_string())
}

pub fn malformed(path: &str, problem: &str) -> HttpResponse {
    HttpResponse::BadRequest().json(json!({ "path": path, "problem": problem }))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct BillingQuery {
    /// `${AUCTION_PRICE}`: for a thousand views, in the currency of the bid.
    #[serde(default)]
    pub price: String,
}

/// The exchange reports that an impression is to be paid. It counts once.
#[utoipa::path(tag = "openrtb", params(BillingQuery, ("token" = String, Path, description = "A bid's notice")),
    responses((status = 204, description = "Received"),
        (status = 400, description = "Not a price", body = ref("#/components/schemas/Refusal")),
        (status = 404, description = "Not a bid's notice", body = ref("#/components/schemas/Refusal"))))]
#[get("/openrtb2/burl/{token}")]
pub async fn record_billing(
    shell: web::Data<Shell>,
    token: web::Path<String>,
    query: web::Query<BillingQuery>,
    visitor: Visitor,
) -> Result<HttpResponse, Failure> {
    // Whether it counts is stored, and shown to the exchange in its statement.
    received(notices::billed(&shell.app, &token, &query.price, visitor.0.address).await)
}

/// The exchange reports that a bid has won.
#[utoipa::path(tag = "openrtb", params(("token" = String, Path, description = "A bid's notice")),
    responses((status = 204, description = "Received"),
        (status = 404, description = "Not a bid's notice", body = ref("#/components/schemas/Refusal"))))]
#[get("/openrtb2/nurl/{token}")]
pub async fn record_win(shell: web::Data<Shell>, token: web::Path<String>) -> Result<HttpResponse, Failure> {
    received(notices::won(&shell.app, &token).await)
}

/// The exchange reports that a bid has lost: its price is free again.
#[utoipa::path(tag = "openrtb", params(("token" = String, Path, description = "A bid's notice")),
    responses((status = 204, description = "Received"),
        (status = 404, description = "Not a bid's notice", body = ref("#/components/schemas/Refusal"))))]
#[get("/openrtb2/lurl/{token}")]
pub async fn record_loss(shell: web::Data<Shell>, token: web::Path<String>) -> Result<HttpResponse, Failure> {
    received(notices::lost(&shell.app, &token).await)
}
