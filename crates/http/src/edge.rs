//! What happens to every request: an id, a time limit, a net for panics, the
//! security headers, and the language of whatever failed.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};
use futures_util::FutureExt;
use i18n::Lang;

use crate::Shell;
use crate::failure::Failure;

/// The longest a request may take, body included.
const LIMIT: Duration = Duration::from_secs(10);

/// The language of the user who asked, once a session told it.
#[derive(Clone, Copy)]
pub struct UserLang(pub Lang);

pub async fn edge(request: ServiceRequest, next: Next<BoxBody>) -> Result<ServiceResponse<BoxBody>, Error> {
    let id = request_id();
    let shell = request.app_data::<web::Data<Shell>>().cloned();
    let draining = shell.as_ref().is_some_and(|shell| shell.is_draining());
    if draining && !request.path().starts_with("/healthz") && !request.path().starts_with("/readyz") {
        return Ok(request.error_response(Failure::draining()));
    }
    let framed = may_be_framed(request.path());
    let guarded = AssertUnwindSafe(tokio::time::timeout(LIMIT, next.call(request))).catch_unwind().await;
    let mut response = match guarded {
        Ok(Ok(Ok(response))) => render(response, &id),
        Ok(Ok(Err(error))) => return Err(error),
        Ok(Err(_)) => return Err(Failure::timed_out().into()),
        Err(_) => {
            tracing::error!(request_id = id, "a handler panicked");
            return Err(Failure::from(usecases::Error::Internal("a handler panicked".into())).into());
        }
    };
    secure(&mut response, framed, shell.as_deref().map(|shell| &**shell));
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), value);
    }
    Ok(response)
}

fn request_id() -> String {
    let bytes: [u8; 8] = usecases::random().unwrap_or_default();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A failure says what happened in the language of who asked.
fn render(response: ServiceResponse<BoxBody>, id: &str) -> ServiceResponse<BoxBody> {
    let failure = response.response().extensions().get::<Failure>().cloned();
    let Some(failure) = failure else { return response };
    failure.log(id);
    let lang = language(response.request());
    response.into_response(failure.render(lang))
}

pub fn language(request: &actix_web::HttpRequest) -> Lang {
    if let Some(UserLang(lang)) = request.extensions().get::<UserLang>() {
        return *lang;
    }
    let accepted = request.headers().get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    accepted.and_then(i18n::from_accept_language).unwrap_or_default()
}

/// Creatives and landing pages are made to be shown on other pages.
fn may_be_framed(path: &str) -> bool {
    path.starts_with("/ads/") || path.starts_with("/l/")
}

fn secure(response: &mut ServiceResponse<BoxBody>, framed: bool, shell: Option<&Shell>) {
    let headers = response.headers_mut();
    let frames = shell.map(|shell| shell.app.settings.contacts.frame_origins().join(" ")).unwrap_or_default();
    let frames = if frames.is_empty() { "'none'".to_owned() } else { frames };
    let ancestors = if framed { "*" } else { "'none'" };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         media-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src {frames}; \
         base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), geolocation=()"),
    );
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}
