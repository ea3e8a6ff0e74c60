//! OpenRTB 2.6: bid requests of ad exchanges, and their notices.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, post, routes, web};
use base::Field;
use campaigns::delivery::auction::bodies::BodySender;
use campaigns::delivery::ssp::bid::{self, BidAnswer};
use campaigns::delivery::ssp::notices;
use foundation::{Error, Refusal};
use serde::Deserialize;
use utoipa::IntoParams;

use super::auctions::{Receiving, malformed};
use super::{own_part, pages};
use crate::Shell;
use crate::edge::is_gzip;
use crate::extract::Visitor;
use crate::failure::Failure;

/// A bid request of an ad exchange (OpenRTB 2.6). The body may be compressed with gzip.
#[utoipa::path(tag = "openrtb", params(("key" = String, Path, description = "The exchange's key")),
    request_body = serde_json::Value,
    responses((status = 200, description = "A bid response of OpenRTB 2.6", body = serde_json::Value),
        (status = 204, description = "Nothing is offered"),
        (status = 400, description = "Not a bid request: the field's `path`, and what is wrong as `error` and as `problem`", body = serde_json::Value),
        (status = 404, description = "No exchange's key", body = ref("#/components/schemas/Refusal")),
        (status = 413, description = "More than 64 KiB compressed, or 256 KiB unpacked", body = ref("#/components/schemas/Refusal"))))]
#[post("/openrtb2/bid/{key}")]
pub async fn answer_bid(
    shell: web::Data<Shell>,
    key: web::Path<String>,
    request: HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, Failure> {
    let receiving = Receiving::begin(&shell, &request, BodySender::Exchange, is_gzip(request.headers()));
    let caller = match bid::caller(&shell.app, &key).await {
        Ok(caller) => caller,
        Err(error) => return Ok(refused(error)),
    };
    let received = match receiving.receive(&shell, body).await {
        Ok(received) => received,
        Err(why) => return Ok(why.response()),
    };
    let answer = match bid::answer_to(&shell.app, caller, received.call(pages::banner)).await {
        Ok(answer) => answer,
        Err(error) => return Ok(refused(error)),
    };
    Ok(match answer {
        BidAnswer::Bids(bids) if is_older(&request) => {
            HttpResponse::Ok().insert_header((VERSION, OLDER)).json(bids.before_2_6())
        }
        BidAnswer::Bids(bids) => HttpResponse::Ok().insert_header((VERSION, "2.6")).json(bids),
        BidAnswer::NoBid => HttpResponse::NoContent().finish(),
        BidAnswer::Malformed(wrong) => malformed(&wrong.path, &wrong.problem),
    })
}

/// The version of OpenRTB that a request and its answer have.
const VERSION: &str = "x-openrtb-version";
const OLDER: &str = "2.5";

/// Whoever asks by a version before 2.6 is answered without what came with it.
fn is_older(request: &HttpRequest) -> bool {
    let version = request.headers().get(VERSION).and_then(|version| version.to_str().ok());
    version.is_some_and(is_before_2_6)
}

fn is_before_2_6(version: &str) -> bool {
    let minor = version.trim().strip_prefix("2.").and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    minor.and_then(|minor| minor.parse::<u8>().ok()).is_some_and(|minor| minor < 6)
}

/// Exchanges and players read the status alone.
pub(super) fn refused(error: Error) -> HttpResponse {
    match error {
        Error::Refused(Refusal::NotFound) => Failure::from(error).render_as(StatusCode::NOT_FOUND),
        other => Failure::from(other).for_machines(),
    }
}

/// The answer to a notice.
fn taken<T>(result: Result<T, Error>) -> HttpResponse {
    result.map_or_else(refused, |_| HttpResponse::NoContent().finish())
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct BillingQuery {
    /// What the exchange put in place of `${AUCTION_PRICE}`: the price for a thousand views, in the currency of the
    /// bid. If it is missing or was not replaced, the price that was bid counts.
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
    query: Result<web::Query<BillingQuery>, actix_web::Error>,
    visitor: Visitor,
) -> HttpResponse {
    bill(&shell, &token, query, &visitor).await
}

/// What stands directly behind the token could be the price, so nothing is left aside there.
async fn bill(
    shell: &Shell,
    token: &str,
    query: Result<web::Query<BillingQuery>, actix_web::Error>,
    visitor: &Visitor,
) -> HttpResponse {
    // Two prices, for example.
    let Ok(query) = query else { return Failure::field(Field::Price, "invalid").for_machines() };
    // Whether it counts is stored, and shown to the exchange in its statement.
    taken(notices::take_billing(&shell.app, token, &query.price, visitor.0.address).await)
}

/// The exchange reports that a bid has won.
#[utoipa::path(tag = "openrtb", params(("token" = String, Path, description = "A bid's notice")),
    responses((status = 204, description = "Received"),
        (status = 404, description = "Not a bid's notice", body = ref("#/components/schemas/Refusal"))))]
#[get("/openrtb2/nurl/{token}")]
pub async fn record_win(shell: web::Data<Shell>, token: web::Path<String>) -> HttpResponse {
    // It has no query, so some put theirs behind it.
    taken(notices::take_win(&shell.app, own_part(&token)).await)
}

/// The exchange reports that a bid has lost: its price is free again.
#[utoipa::path(tag = "openrtb", params(("token" = String, Path, description = "A bid's notice")),
    responses((status = 204, description = "Received"),
        (status = 404, description = "Not a bid's notice", body = ref("#/components/schemas/Refusal"))))]
#[get("/openrtb2/lurl/{token}")]
pub async fn record_loss(shell: web::Data<Shell>, token: web::Path<String>) -> HttpResponse {
    // Why it has lost is not asked for.
    taken(notices::take_loss(&shell.app, own_part(&token)).await)
}

/// The same where what others have put behind the token begins with a slash.
#[routes]
#[get("/openrtb2/{notice:[nbl]url}/{token}/{behind:.*}")]
#[post("/openrtb2/{notice:[nbl]url}/{token}/{behind:.*}")]
pub async fn record_notice_behind(
    shell: web::Data<Shell>,
    path: web::Path<(String, String, String)>,
    query: Result<web::Query<BillingQuery>, actix_web::Error>,
    visitor: Visitor,
) -> HttpResponse {
    let (notice, token, _) = path.into_inner();
    take(&shell, (&notice, &token), query, &visitor).await
}

/// The same by POST, as pages that show ads send them with a beacon. What is in its body is left aside.
#[post("/openrtb2/{notice:[nbl]url}/{token}")]
pub async fn record_notice_sent(
    shell: web::Data<Shell>,
    path: web::Path<(String, String)>,
    query: Result<web::Query<BillingQuery>, actix_web::Error>,
    visitor: Visitor,
) -> HttpResponse {
    let (notice, token) = path.into_inner();
    take(&shell, (&notice, &token), query, &visitor).await
}

async fn take(
    shell: &Shell,
    (notice, token): (&str, &str),
    query: Result<web::Query<BillingQuery>, actix_web::Error>,
    visitor: &Visitor,
) -> HttpResponse {
    match notice {
        "nurl" => taken(notices::take_win(&shell.app, own_part(token)).await),
        "lurl" => taken(notices::take_loss(&shell.app, own_part(token)).await),
        _ => bill(shell, token, query, visitor).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_before_2_6_are_told_however_they_are_written() {
        for (version, is_older) in [
            ("2.5", true),
            (" 2.5 ", true),
            ("2.0", true),
            ("2.3.1", true),
            ("2.4", true),
            ("2.6", false),
            ("2.6-202309", false),
            ("2.10", false),
            ("3.0", false),
            ("2", false),
            ("2.", false),
            ("", false),
        ] {
            assert_eq!(is_before_2_6(version), is_older, "{version}");
        }
    }
}
