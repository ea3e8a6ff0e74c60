//! Routes outside the API for publishers, visitors and advertisers: slots,
//! impressions, clicks and hosted landing pages; and advertisers' conversions.

pub mod auctions;
pub mod claims;
pub mod openrtb;
mod origins;
mod pages;
pub mod postbacks;
pub mod prebid;
pub mod publisher;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use actix_web::{HttpRequest, HttpResponse, get, route, routes, web};
use campaigns::delivery::serve::{self, vast};
use campaigns::delivery::{playback, publishers, track};
use foundation::{Error, Realm, Refusal};
use i18n::Lang;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::Shell;
use crate::edge::language;
use crate::extract::Visitor;
use crate::failure::Failure;

use self::openrtb::refused;
use self::origins::any_page;

/// sellers.json changes rarely, and who reads it reads it daily at most.
const AN_HOUR: &str = "public, max-age=3600";
/// A transparent picture of one pixel.
const PIXEL: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";
const HTML: &str = "text/html; charset=utf-8";
const XML: &str = "application/xml";

#[derive(Debug, Deserialize, IntoParams)]
pub struct SlotQuery {
    /// `json` for data; otherwise a page for an iframe.
    pub format: Option<String>,
}

#[utoipa::path(tag = "delivery", params(SlotQuery, ("key" = String, Path, description = "The slot's key")),
    responses((status = 200, description = "The creative", content(
        (serve::SlotAnswer = "application/json"), (String = "text/html"))),
        (status = 204, description = "Nothing fits")))]
#[get("/ads/slot/{key}")]
pub async fn serve_slot(
    shell: web::Data<Shell>,
    key: web::Path<String>,
    query: web::Query<SlotQuery>,
    visitor: Visitor,
    request: HttpRequest,
) -> Result<HttpResponse, Failure> {
    let base = shell.base_url(&request);
    let lang = language(&request);
    let from = visitor.0.network(&shell.app);
    let Some(answer) = serve::serve(&shell.app, own_key(&key), from, &base, lang).await? else {
        return Ok(HttpResponse::NoContent().finish());
    };
    if query.format.as_deref() == Some("json") {
        return Ok(HttpResponse::Ok().json(answer));
    }
    Ok(HttpResponse::Ok().content_type(HTML).body(pages::creative(&answer, lang, false)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FrameQuery {
    /// `content` if the page around gives the frame the height that the creative needs; otherwise
    /// the creative fills the frame.
    pub fit: Option<String>,
}

/// What a slot shows, as a page for an iframe. There is always a page, which tells the page around it whether an ad
/// fits. Its content has an origin of its own, whatever the iframe allows.
#[utoipa::path(tag = "delivery", params(FrameQuery, ("key" = String, Path, description = "The slot's key")),
    responses((status = 200, description = "The creative, or an empty page", content_type = "text/html")))]
#[get("/ads/frame/{key}")]
pub async fn serve_frame(
    shell: web::Data<Shell>,
    key: web::Path<String>,
    query: Option<web::Query<FrameQuery>>,
    visitor: Visitor,
    request: HttpRequest,
) -> Result<HttpResponse, Failure> {
    let base = shell.base_url(&request);
    let lang = language(&request);
    let answer = match serve::serve(&shell.app, own_key(&key), visitor.0.network(&shell.app), &base, lang).await {
        Ok(answer) => answer,
        // Readers of the publisher's page see the frame, so it stays empty.
        Err(error) => return nowhere(&request, error, |_, _| pages::nothing()),
    };
    let fits_content = query.is_some_and(|query| query.fit.as_deref() == Some("content"));
    let page = answer.map_or_else(pages::nothing, |answer| pages::creative(&answer, lang, fits_content));
    Ok(HttpResponse::Ok().content_type(HTML).body(page))
}

/// What a slot shows in a video player, as VAST 4.2: a video, the addresses that the player reports to, and for how
/// long the answer may be kept. If nothing fits, there is no ad in it. Players of any origin may ask.
#[utoipa::path(get, path = "/ads/vast/{slot}", tag = "delivery", params(("slot" = String, Path, description = "The slot's key")),
    responses((status = 200, description = "VAST 4.2", body = String, content_type = "application/xml"),
        (status = 404, description = "No slot's key", body = ref("#/components/schemas/Refusal"))))]
#[route("/ads/vast/{slot}", method = "GET", method = "OPTIONS", wrap = "any_page(\"GET\")")]
pub async fn serve_video(
    shell: web::Data<Shell>,
    key: web::Path<String>,
    visitor: Visitor,
    request: HttpRequest,
) -> HttpResponse {
    let base = shell.base_url(&request);
    let from = visitor.0.network(&shell.app);
    match vast::serve_video(&shell.app, own_key(&key), from, &base, language(&request)).await {
        Ok(document) => HttpResponse::Ok().content_type(XML).body(document),
        Err(error) => refused(error),
    }
}

/// Who is paid for the places on which ads are shown: sellers.json 1.0 of the IAB Tech Lab.
#[utoipa::path(tag = "delivery",
    responses((status = 200, description = "sellers.json 1.0", body = serde_json::Value)))]
#[get("/sellers.json")]
pub async fn show_sellers(shell: web::Data<Shell>) -> Result<HttpResponse, Failure> {
    let sellers = publishers::sellers(&shell.app).await?;
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, AN_HOUR)).json(sellers))
}

fn pixel() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, "image/gif")).insert_header((CACHE_CONTROL, "no-store")).body(PIXEL)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImpressionQuery {
    /// What an ad exchange put in place of `${AUCTION_PRICE}`. It is not taken as a price: only the exchange's notice
    /// names that. `AUDIT` means that the exchange checks the ad, so that the call counts as no view.
    #[serde(default)]
    pub price: String,
}

/// The price of an impression. A malformed query is ignored, because a picture is never refused for it.
fn price_in(query: Option<&web::Query<ImpressionQuery>>) -> &str {
    query.map_or("", |query| query.price.as_str())
}

/// Counts an impression, and answers with a picture. The event is on disk before the picture is sent.
// A HEAD request is stored as an event that nobody saw.
#[utoipa::path(get, path = "/t/i/{token}.gif", tag = "delivery",
    params(ImpressionQuery, ("token" = String, Path, description = "A creative's token")),
    responses((status = 200, description = "A transparent picture", content_type = "image/gif")))]
#[route("/t/i/{token}.gif", method = "GET", method = "HEAD")]
pub async fn record_impression(
    shell: web::Data<Shell>,
    token: web::Path<String>,
    query: Option<web::Query<ImpressionQuery>>,
    visitor: Visitor,
) -> Result<HttpResponse, Failure> {
    // Whether it counts is stored, but strangers are not told.
    let _ = track::impression_at(&shell.app, &token, price_in(query.as_ref()), &visitor.0).await?;
    Ok(pixel())
}

/// A creative that was seen reports that half of it was in view for a second, or for two while a
/// video played.
#[utoipa::path(tag = "delivery", params(("token" = String, Path, description = "A creative's token")),
    responses((status = 200, description = "A transparent picture", content_type = "image/gif")))]
#[get("/t/v/{token}.gif")]
pub async fn record_viewable(
    shell: web::Data<Shell>,
    token: web::Path<String>,
    visitor: Visitor,
) -> Result<HttpResponse, Failure> {
    let _ = track::viewable(&shell.app, &token, &visitor.0).await?;
    Ok(pixel())
}

/// A player reports how far a creative's video was played.
#[utoipa::path(tag = "delivery", params(("token" = String, Path, description = "A creative's token"),
    ("progress" = String, Path, description = "`start`, `firstQuartile`, `midpoint`, `thirdQuartile`, `complete` or `skip`")),
    responses((status = 200, description = "A transparent picture", content_type = "image/gif")))]
#[get("/t/p/{token}/{progress}.gif")]
pub async fn record_played(
    shell: web::Data<Shell>,
    path: web::Path<(String, String)>,
    visitor: Visitor,
) -> Result<HttpResponse, Failure> {
    let (token, progress) = path.into_inner();
    let _ = playback::played(&shell.app, &token, &progress, &visitor.0).await?;
    Ok(pixel())
}

/// The same where others have put something behind the picture's name, such as `&cb=1`: it is ignored. A page that
/// shows the creative itself may send it by POST, with a beacon.
#[routes]
#[get("/t/i/{token}.gif{behind:.+}")]
#[head("/t/i/{token}.gif{behind:.+}")]
#[post("/t/i/{token}.gif{behind:.*}")]
pub async fn record_impression_behind(
    shell: web::Data<Shell>,
    path: web::Path<(String, String)>,
    query: Option<web::Query<ImpressionQuery>>,
    visitor: Visitor,
) -> Result<HttpResponse, Failure> {
    // Whether it counts is stored, but strangers are not told.
    let _ = track::impression_at(&shell.app, own_part(&path.0), price_in(query.as_ref()), &visitor.0).await?;
    Ok(pixel())
}

/// The same behind the picture of a creative that was in view.
#[routes]
#[get("/t/v/{token}.gif{behind:.+}")]
#[post("/t/v/{token}.gif{behind:.*}")]
pub async fn record_viewable_behind(
    shell: web::Data<Shell>,
    path: web::Path<(String, String)>,
    visitor: Visitor,
) -> Result<HttpResponse, Failure> {
    let _ = track::viewable(&shell.app, own_part(&path.0), &visitor.0).await?;
    Ok(pixel())
}

/// The same behind what a player reports.
#[get("/t/p/{token}/{progress}.gif{behind:.+}")]
pub async fn record_played_behind(
    shell: web::Data<Shell>,
    path: web::Path<(String, String, String)>,
    visitor: Visitor,
) -> Result<HttpResponse, Failure> {
    let (token, progress, _) = path.into_inner();
    let _ = playback::played(&shell.app, &token, own_part(&progress), &visitor.0).await?;
    Ok(pixel())
}

/// Redirects to the product's own address, never to one from the request. What stands behind the token is ignored.
// A HEAD request leads to the same page, and is stored as an event that nobody saw.
#[utoipa::path(get, path = "/t/c/{token}", tag = "delivery",
    params(("token" = String, Path, description = "A creative's token")),
    responses((status = 302, description = "To the product's address, with `click_id` appended")))]
#[route("/t/c/{token}", method = "GET", method = "HEAD")]
pub async fn record_click(
    shell: web::Data<Shell>,
    token: web::Path<String>,
    visitor: Visitor,
    request: HttpRequest,
) -> Result<HttpResponse, Failure> {
    follow(&shell, &token, &visitor, &request).await
}

/// The same where what others have put behind the token begins with a slash.
#[routes]
#[get("/t/c/{token}/{behind:.*}")]
#[head("/t/c/{token}/{behind:.*}")]
pub async fn record_click_behind(
    shell: web::Data<Shell>,
    path: web::Path<(String, String)>,
    visitor: Visitor,
    request: HttpRequest,
) -> Result<HttpResponse, Failure> {
    follow(&shell, &path.0, &visitor, &request).await
}

/// The key of a slot without what players and ad servers have put behind it, such as `&correlator=1`.
fn own_key(key: &str) -> &str {
    key.split('&').next().unwrap_or_default()
}

/// The token without what others have put behind it, such as `&ref=1`.
fn own_part(token: &str) -> &str {
    let ends = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_');
    token.split(ends).next().unwrap_or_default()
}

/// The answer for an address that leads nowhere, or nowhere at the moment. Browsers get a page, programs the envelope.
fn nowhere(
    request: &HttpRequest,
    error: Error,
    page: impl FnOnce(Lang, &str) -> String,
) -> Result<HttpResponse, Failure> {
    let accepted = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_unknown = matches!(error, Error::Refused(Refusal::NotFound));
    let failure = Failure::from(error);
    let status = if is_unknown { StatusCode::NOT_FOUND } else { failure.counted_as() };
    if !accepted.contains("text/html") || !(is_unknown || status.is_server_error()) {
        return Err(failure);
    }
    failure.log();
    let text = match status {
        StatusCode::NOT_FOUND => "errors.unknown_path",
        // Whether a click was kept or not, it leads on when it is made again.
        StatusCode::SERVICE_UNAVAILABLE => "errors.overloaded",
        _ => "errors.server_error",
    };
    Ok(HttpResponse::build(status).content_type(HTML).body(page(language(request), text)))
}

async fn follow(shell: &Shell, token: &str, visitor: &Visitor, request: &HttpRequest) -> Result<HttpResponse, Failure> {
    let token = own_part(token);
    let destination = match track::click(&shell.app, token, &visitor.0).await {
        Ok(destination) => destination,
        Err(error) => return nowhere(request, error, pages::nowhere),
    };
    let url = destination.url.unwrap_or_else(|| format!("/l/{token}?click_id={}", destination.click_id));
    Ok(HttpResponse::build(StatusCode::FOUND).insert_header((LOCATION, url)).finish())
}

#[utoipa::path(tag = "delivery", params(("token" = String, Path, description = "A token of the plan")),
    responses((status = 200, description = "The landing page hosted here", content_type = "text/html")))]
#[get("/l/{token}")]
pub async fn show_landing_page(
    shell: web::Data<Shell>,
    token: web::Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Failure> {
    let lang = language(&request);
    let page = match track::landing_page(&shell.app, own_part(&token), lang).await {
        Ok(page) => page,
        Err(error) => return nowhere(&request, error, pages::nowhere),
    };
    let simulated = shell.app.realm() == Realm::Simulated;
    Ok(HttpResponse::Ok().content_type(HTML).body(pages::landing(&page, simulated, lang)))
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;
    use actix_web::test::TestRequest;

    use super::*;

    #[actix_web::test]
    async fn readers_see_no_envelope_whatever_fails() {
        let browser = TestRequest::default().insert_header((ACCEPT, "text/html,*/*;q=0.8")).to_http_request();
        for (error, status, text) in [
            (Error::from(Refusal::NotFound), StatusCode::NOT_FOUND, "nothing at this address"),
            (Error::unanswered(true), StatusCode::SERVICE_UNAVAILABLE, "server is busy"),
            (Error::unanswered(false), StatusCode::SERVICE_UNAVAILABLE, "server is busy"),
            (Error::Internal("a test".into()), StatusCode::INTERNAL_SERVER_ERROR, "Server error"),
        ] {
            let told = format!("{error:?}");
            let answer = nowhere(&browser, error, pages::nowhere).expect("a page");
            assert_eq!(answer.status(), status, "{told}");
            let page = to_bytes(answer.into_body()).await.expect("a body");
            let page = String::from_utf8(page.to_vec()).expect("a text");
            assert!(page.starts_with("<!doctype html>") && page.contains(text), "{told}: {page}");
        }
        let empty = nowhere(&browser, Error::unanswered(true), |_, _| pages::nothing()).expect("a page");
        assert_eq!(empty.status(), StatusCode::SERVICE_UNAVAILABLE);
        let program = TestRequest::default().to_http_request();
        assert!(nowhere(&program, Error::unanswered(true), pages::nowhere).is_err());
    }
}
