//! OpenRTB 2.6: bid requests of ad exchanges, and their notices.

use std::time::Instant;

use actix_web::dev::Payload;
use actix_web::error::InternalError;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, HttpResponse, get, post, web};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use i18n::Lang;
use serde::Deserialize;
use serde_json::json;
use usecases::delivery::auction::AuctionCall;
use usecases::delivery::serve::SlotAnswer;
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

/// A bid request as it came.
pub struct ReceivedBid {
    /// Taken before the body is read, since `tmax` counts from then.
    arrived_at: Instant,
    base: String,
    body: web::Bytes,
}

impl ReceivedBid {
    pub fn call(&self, banner: fn(&SlotAnswer, Lang, &str) -> String) -> AuctionCall<'_> {
        AuctionCall { body: &self.body, arrived_at: self.arrived_at, base: &self.base, banner }
    }
}

impl FromRequest for ReceivedBid {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let arrived_at = Instant::now();
        let base = request.app_data::<web::Data<Shell>>().map(|shell| shell.base_url(request)).unwrap_or_default();
        let body = web::Bytes::from_request(request, payload);
        async move {
            // Too large, or not what its encoding says.
            let unreadable = |error: actix_web::Error| {
                let answer = malformed(".", &error.to_string());
                InternalError::from_response(error, answer)
            };
            Ok(Self { arrived_at, base, body: body.await.map_err(unreadable)? })
        }
        .boxed_local()
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
    received: ReceivedBid,
) -> Result<HttpResponse, Failure> {
    let answer = match bid::answer(&shell.app, &key, received.call(pages::banner)).await {
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
fn taken<T>(result: Result<T, Error>) -> Result<HttpResponse, Failure> {
    result.map_or_else(refused, |_| Ok(HttpResponse::NoContent().finish()))
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
    taken(notices::billed(&shell.app, &token, &query.price, visitor.0.address).await)
}

/// The exchange reports that a bid has won.
#[utoipa::path(tag = "openrtb", params(("token" = String, Path, description = "A bid's notice")),
    responses((status = 204, description = "Received"),
        (status = 404, description = "Not a bid's notice", body = ref("#/components/schemas/Refusal"))))]
#[get("/openrtb2/nurl/{token}")]
pub async fn record_win(shell: web::Data<Shell>, token: web::Path<String>) -> Result<HttpResponse, Failure> {
    taken(notices::won(&shell.app, &token).await)
}

/// The exchange reports that a bid has lost: its price is free again.
#[utoipa::path(tag = "openrtb", params(("token" = String, Path, description = "A bid's notice")),
    responses((status = 204, description = "Received"),
        (status = 404, description = "Not a bid's notice", body = ref("#/components/schemas/Refusal"))))]
#[get("/openrtb2/lurl/{token}")]
pub async fn record_loss(shell: web::Data<Shell>, token: web::Path<String>) -> Result<HttpResponse, Failure> {
    taken(notices::lost(&shell.app, &token).await)
}
