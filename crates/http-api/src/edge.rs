//! Middleware for every request: an id, a time limit, catching panics, security
//! headers, and the language of refusals.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, web};
use base::Field;
use foundation::with_patience;
use futures_util::FutureExt;
use i18n::Lang;
use tokio::time::sleep;
use tracing::{Instrument, Span};

use crate::Shell;
use crate::extract::{Changes, TakesKey};
use crate::failure::Failure;
use crate::fallback::unanswered;
use crate::held_body::HeldBody;
use crate::policy::Policy;
use crate::routes::delivery::auctions;
use crate::trace;

/// How long a body may take to arrive.
const LIMIT: Duration = Duration::from_secs(10);
/// The time limit for a picture, which a phone with a poor connection sends slowly, and for decoding it.
const UPLOAD_LIMIT: Duration = Duration::from_secs(60);
/// The longest from the end of the body to the answer.
const ANSWER: Duration = Duration::from_secs(9);
/// The longest that a handler waits for the database, all together.
const DATABASE: Duration = Duration::from_secs(4);
/// Below these paths, a request has an effect. So a HEAD is not handled as a GET there; it has a handler of its own or
/// none.
const ACTING: [&str; 3] = ["/ads/", "/openrtb2/", "/t/"];
/// The calls that receive a picture.
const UPLOADS: [&str; 2] = ["/api/files/upload", "/api/customer/pictures"];

/// The account's language, once a session has told it.
#[derive(Clone, Copy)]
pub struct UserLang(pub Lang);

pub async fn edge(request: ServiceRequest, next: Next<BoxBody>) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(shell) = request.app_data::<web::Data<Shell>>().cloned() else { return next.call(request).await };
    let id = shell.request_ids.next();
    let span = trace::of_request(request.request(), &shell, &id);
    answer(request, next, &shell, id, span.clone()).instrument(span).await
}

async fn answer(
    mut request: ServiceRequest,
    next: Next<BoxBody>,
    shell: &Shell,
    id: String,
    span: Span,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let policy = Policy::of(request.request(), shell).await;
    let asked = wished(request.headers());
    let under_way = shell.figures.begin(&request);
    let body = HeldBody::take(&mut request);
    let ended = match refused(shell, request.request()) {
        Some(failure) => Ok(request.error_response(failure)),
        None => run(request, &body, &next).await,
    };
    match ended {
        Ok(response) => {
            let counted = response.response().extensions().get::<Failure>().map(Failure::counted_as);
            let mut response = render(shell, response, &id);
            let status = counted.unwrap_or_else(|| response.status());
            trace::record_answer(&span, status);
            under_way.end(status);
            policy.apply(response.headers_mut(), &id);
            Ok(response.map_body(|_, answer| body.until_sent(answer)))
        }
        // The request was consumed by the handler; only what was read before is known.
        Err(failure) => {
            failure.log();
            let mut response = failure.render(asked.unwrap_or_default(), Some(&shell.app.settings.currency), Some(&id));
            trace::record_answer(&span, failure.counted_as());
            under_way.end(failure.counted_as());
            policy.apply(response.headers_mut(), &id);
            let response = response.map_body(|_, answer| body.until_sent(answer));
            Err(InternalError::from_response(failure, response).into())
        }
    }
}

/// The path by which the handler is found: in it, `%61` is an `a`.
pub fn routed_path(request: &HttpRequest) -> &str {
    request.match_info().as_str()
}

/// Refuses a request before its body is read.
fn refused(shell: &Shell, request: &HttpRequest) -> Option<Failure> {
    let path = routed_path(request);
    if shell.is_draining() && !is_probe(path) {
        return Some(Failure::draining());
    }
    // Before a page of another origin asks, its browser does; what else asks by this method has no handler.
    if request.method() == Method::OPTIONS && !is_preflight(request.headers()) {
        return Some(unanswered(request));
    }
    // U+0000, which no text has: PostgreSQL can neither keep it nor look for it.
    if path.starts_with("/api/") && request.query_string().contains("%00") {
        return Some(Failure::field(Field::Query, "invalid"));
    }
    if path.starts_with("/api/") && !request.method().is_safe() && is_of_another_site(request.headers()) {
        return Some(Failure::field(Field::Request, "cross_site"));
    }
    // A few kilobytes may decode to gigabytes, so nothing is decoded, but for auctions,
    // which unpack their bodies themselves, no further than the limit.
    let taken = auctions::takes_gzip(path) && is_gzip(request.headers());
    (is_encoded(request.headers()) && !taken).then(Failure::encoded_body)
}

/// Whether a browser asks what a page of another origin may send (Fetch, section 4.8).
fn is_preflight(headers: &HeaderMap) -> bool {
    let asked = headers.get(header::ACCESS_CONTROL_REQUEST_METHOD);
    asked.is_some_and(|method| Method::from_bytes(method.as_bytes()).is_ok())
}

/// Whether a HEAD of the path is answered like a GET.
pub fn takes_head(path: &str) -> bool {
    !ACTING.iter().any(|acting| path.starts_with(acting))
}

/// Has a HEAD answered like a GET, of which the server leaves out the body (RFC 9110, section 9.3.2).
fn take_head(request: &mut ServiceRequest) {
    if request.method() == Method::HEAD && takes_head(routed_path(request.request())) {
        request.head_mut().method = Method::GET;
        // Parts are of a GET alone (section 14.2).
        request.headers_mut().remove(header::RANGE);
    }
}

/// Whether a page of another site has a browser send it (Fetch Metadata). Such a page cannot read the answer, but
/// its readers would fail to sign in without knowing, until nobody in their network may try.
fn is_of_another_site(headers: &HeaderMap) -> bool {
    headers.get("Sec-Fetch-Site").is_some_and(|site| site.as_bytes() == b"cross-site")
}

/// Whether the body is compressed with gzip, once.
pub fn is_gzip(headers: &HeaderMap) -> bool {
    let mut said = headers.get_all(header::CONTENT_ENCODING);
    // The older name means the same (RFC 9110, section 8.4.1.3).
    let names = |value: &[u8]| [b"gzip".as_slice(), b"x-gzip"].iter().any(|name| value.eq_ignore_ascii_case(name));
    let one = said.next().is_some_and(|value| names(value.as_bytes()));
    one && said.next().is_none()
}

/// Whether the body has a content encoding.
fn is_encoded(headers: &HeaderMap) -> bool {
    let said = headers.get_all(header::CONTENT_ENCODING);
    said.map(|value| value.to_str().unwrap_or("unreadable"))
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
}

/// Calls the handler within the time limits, and catches its panics.
async fn run(
    mut request: ServiceRequest,
    body: &HeldBody,
    next: &Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Failure> {
    let (limit, most) = limits(routed_path(request.request()));
    let is_safe = request.method().is_safe();
    take_head(&mut request);
    let called = AssertUnwindSafe(with_patience(DATABASE, next.call(request))).catch_unwind();
    tokio::select! {
        biased;
        called = called => match called {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) if error.as_response_error().status_code().is_client_error() => {
                Err(Failure::field(Field::Request, "invalid"))
            }
            Ok(Err(error)) => {
                tracing::error!(%error, "a request failed outside its handler");
                Err(foundation::Error::Internal(error.to_string()).into())
            }
            Err(_) => Err(foundation::Error::Internal("a handler panicked".into()).into()),
        },
        failure = late(body, (limit, most), is_safe) => Err(failure),
    }
}

/// The failure of a request that takes too long. Once its body has arrived, the handler may have acted on it, so even
/// if the body was slow, the failure must not say that the request was not received.
async fn late(body: &HeldBody, (limit, most): (Duration, Duration), is_safe: bool) -> Failure {
    tokio::select! {
        biased;
        () = body.was_read() => {}
        () = sleep(limit) => return Failure::timed_out(),
    }
    sleep(most).await;
    Failure::unanswered(is_safe)
}

/// How long a body may take to arrive, and then the answer.
fn limits(path: &str) -> (Duration, Duration) {
    if UPLOADS.contains(&path) { (UPLOAD_LIMIT, UPLOAD_LIMIT) } else { (LIMIT, ANSWER) }
}

/// Probes are answered until the end.
fn is_probe(path: &str) -> bool {
    path == "/healthz" || path == "/readyz"
}

/// Renders a failure in the client's language, but where an account may not act: the app switches
/// to that account's, and shows the text as it is.
fn render(shell: &Shell, response: ServiceResponse<BoxBody>, id: &str) -> ServiceResponse<BoxBody> {
    let failure = response.response().extensions().get::<Failure>().cloned();
    let Some(failure) = failure else { return response };
    failure.log();
    let request = response.request();
    let accounts = if failure.is_of_account() { account_language(request) } else { None };
    let lang = accounts.unwrap_or_else(|| language(request));
    note_movement(shell, request, &failure, lang, id);
    response.into_response(failure.render(lang, Some(&shell.app.settings.currency), Some(id)))
}

/// Notes a refusal of what moves a user's money: a call that takes an idempotency key and changes an account.
fn note_movement(shell: &Shell, request: &HttpRequest, failure: &Failure, lang: Lang, id: &str) {
    let user = request.extensions().get::<Changes>().map(|Changes(user)| *user);
    if let Some(user) = user.filter(|_| request.extensions().contains::<TakesKey>()) {
        let endpoint = format!("{} {}", request.method(), request.path());
        failure.note_for(&shell.app, user, endpoint, lang, id);
    }
}

/// The language to answer in: that of the request, or of the account if the request names none.
pub fn language(request: &HttpRequest) -> Lang {
    wished(request.headers()).or_else(|| account_language(request)).unwrap_or_default()
}

fn account_language(request: &HttpRequest) -> Option<Lang> {
    request.extensions().get::<UserLang>().map(|UserLang(lang)| *lang)
}

/// The best available language for an `Accept-Language`, which may be in several lines (RFC 9110, section 5.3). What is
/// not UTF-8 is replaced: one strange wish does not make the others unreadable.
fn wished(headers: &HeaderMap) -> Option<Lang> {
    let lines = headers.get_all(header::ACCEPT_LANGUAGE).map(|line| String::from_utf8_lossy(line.as_bytes()));
    i18n::from_accept_language(&lines.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use actix_web::http::header::HeaderValue;
    use actix_web::middleware::from_fn;
    use actix_web::{App, HttpResponse, test};
    use auth::Secrets;
    use foundation::Settings;
    use futures_util::StreamExt;
    use prometheus_client::encoding::text::encode;
    use prometheus_client::registry::Registry;
    use serde_json::Value;

    use super::*;
    use crate::TrustedProxies;

    #[::std::prelude::v1::test]
    fn whatever_is_not_identity_is_encoded() {
        let encoded = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                let value = HeaderValue::from_bytes(value.as_bytes()).expect("a value");
                headers.append(header::CONTENT_ENCODING, value);
            }
            is_encoded(&headers)
        };
        for plain in [&[][..], &["identity"], &["Identity"], &[""], &["identity, identity"], &["identity", ""]] {
            assert!(!encoded(plain), "{plain:?}");
        }
        for one in ["gzip", "GZip", " gzip ", "x-gzip", "br", "deflate, gzip", "identity, gzip", "identity;q=1", "ÿ"] {
            assert!(encoded(&[one]) && encoded(&["identity", one]) && encoded(&[one, "identity"]), "{one}");
        }
    }

    #[::std::prelude::v1::test]
    fn wishes_are_read_from_all_lines() {
        let wish = |lines: &[&[u8]]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::ACCEPT_LANGUAGE, HeaderValue::from_bytes(line).expect("a value"));
            }
            wished(&headers)
        };
        assert_eq!(wish(&[]), None);
        assert_eq!(wish(&[b"xx", b"fr;q=0.5", b"de"]), Some(Lang::De));
        assert_eq!(wish(&[b"\xff, de"]), Some(Lang::De));
    }

    #[actix_web::test]
    async fn what_was_received_is_not_said_to_have_come_too_slowly() {
        let mut request = test::TestRequest::default().set_payload("{}").to_srv_request();
        let (body, limits) = (HeldBody::take(&mut request), (Duration::ZERO, Duration::from_millis(1)));
        assert_eq!(late(&body, limits, false).await.counted_as(), StatusCode::REQUEST_TIMEOUT, "nobody has read it");
        let mut read = request.take_payload();
        while read.next().await.is_some() {}
        assert!(late(&body, limits, false).await.is_for_later(), "it may have been done");
    }

    #[::std::prelude::v1::test]
    fn whatever_receives_a_picture_has_the_time_for_it() {
        let document = serde_json::to_value(&*crate::openapi::DOCUMENT).expect("JSON");
        let calls = document["paths"].as_object().expect("paths");
        let takes_a_form = |call: &Value| !call["post"]["requestBody"]["content"]["multipart/form-data"].is_null();
        let forms: Vec<&str> = calls.iter().filter(|(_, call)| takes_a_form(call)).map(|(path, _)| &**path).collect();
        assert!(forms.len() > 1, "{forms:?}");
        for path in forms {
            assert_eq!(limits(path), (UPLOAD_LIMIT, UPLOAD_LIMIT), "{path}");
        }
        assert_eq!(limits("/api/customer/messages"), (LIMIT, ANSWER));
    }

    async fn broken() -> HttpResponse {
        Vec::new().remove(0)
    }

    #[actix_web::test]
    async fn a_panic_is_answered_like_any_failure() {
        let database = store::testing::sqlite();
        let app = campaigns::AdServer::new(foundation::App::new(
            database.db.clone(),
            Secrets::new([1; 32], [2; 32], [3; 32]),
            Settings::default(),
        ));
        let shell = Shell::new(app, TrustedProxies::default());
        let scope = web::scope("").wrap(from_fn(edge)).route("/broken", web::get().to(broken));
        let service = test::init_service(App::new().app_data(web::Data::new(shell.clone())).service(scope)).await;
        let request = test::TestRequest::with_uri("/broken").insert_header(("Accept-Language", "zh")).to_request();
        let response = match test::try_call_service(&service, request).await {
            Ok(response) => response.into_parts().1.map_into_boxed_body(),
            Err(error) => error.error_response(),
        };
        assert!(response.headers().contains_key("x-request-id"));
        assert!(response.headers().contains_key("content-security-policy"));
        let bytes = actix_web::body::to_bytes(response.into_body()).await.expect("a body");
        let body: Value = serde_json::from_slice(&bytes).expect("an envelope");
        assert_eq!((body["code"].as_i64(), body["data"]["lang"].as_str()), (Some(500), Some("zh")));
        let mut registry = Registry::default();
        shell.figures.register(&mut registry);
        let mut figures = String::new();
        encode(&mut figures, &registry).expect("encoded");
        assert!(figures.contains("http_requests_under_way 0\n"), "{figures}");
        assert!(figures.contains(r#"{method="GET",route="/broken",code="500"} 1"#), "{figures}");
    }
}
